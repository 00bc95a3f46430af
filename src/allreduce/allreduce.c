#include "allreduce/allreduce.h"

#include "allreduce/tell.h"
#include "model/bare_machine.h"
#include "model/calibration.h"
#include "model/environment.h"
#include "model/extra.h"
#include "model/sizes.h"
#include "model/topology_machine.h"
#include "model/version.h"
#include "nccl/graph_file.h"
#include "read/schema.h"

static const char graph_variable[] = "NCCL_GRAPH_FILE";

typedef struct builder {
    const ks_catalog *catalog;
    const ks_doc *what;
    const ks_allreduce_ask *ask;
    ks_sizes sizes;
    ks_topology *topology;            /* where the machine is nothing else; or NULL */
    const ks_doc *env;                /* of --set NCCL_NAME=VALUE, for a machine alone; or NULL */
    bool *used;                       /* by setting: it is of the environment */
    const ks_nccl_setting *extra_env; /* a remedy that is tried */
    size_t n_extra_env;
    bool uncalibrated; /* as if the machine had no calibration */
    bool is_calibrated;
    ks_allreduce_set set;
} builder;

static bool read_sizes(builder *b)
{
    static ks_doc usual = {.kind = KS_SCALAR, .text = {"4KiB:64MiB", 10}};
    return ks_read_sizes(b->catalog->diags, b->ask->bytes ? b->ask->bytes : &usual, &b->sizes);
}

/* The engine that is asked for, the newest if it has no version; none is no error. */
static bool read_engine(const builder *b, ks_str *name, ks_str *version)
{
    const ks_doc *asked = b->ask->engine;
    ks_diags *diags = b->catalog->diags;
    if (!asked)
        return true;
    ks_split_engine(diags->arena, asked->text, name, version);
    if (!name->n) {
        ks_error(diags, KS_M002, asked->span, "which engine is that?");
        ks_add_note(diags, (ks_span){0}, "write its name and version, as in \"sglang 0.5.9\"");
        return false;
    }
    if (version->n)
        return true;
    *version = ks_catalog_newest(b->catalog, "allreduce", *name, asked->span);
    if (version->n)
        ks_warning(diags, KS_M012, asked->span,
                   "no version is given: taken as %.*s %.*s, the newest that kvsim knows",
                   KS_ARG(*name), KS_ARG(*version));
    return version->n > 0;
}

/* The machine's settings for NCCL, the scenario's (model may be NULL) and --set's, then those that are
 * tried. */
static ks_wiring_ask wiring_ask(builder *b, const ks_model *model, const ks_machine *machine,
                                int64_t ranks)
{
    ks_arena *arena = b->catalog->diags->arena;
    ks_wiring_ask ask = ks_ask_of_machine(arena, machine, model, ranks);
    if (!model) /* else they are in its own environment */
        ks_add_nccl_settings(arena, &ask.env, b->env);
    for (size_t i = 0; i < b->n_extra_env; i++)
        *KS_PUSH(arena, &ask.env) = b->extra_env[i];
    if (b->ask->nccl) {
        ask.nccl_version = b->ask->nccl->text;
        ask.version_at = b->ask->nccl->span;
    }
    if (b->ask->ranks)
        ask.at = b->ask->ranks->span;
    return ask;
}

static bool read_ranks(builder *b, int64_t usual, int64_t *ranks)
{
    *ranks = usual;
    return !b->ask->ranks ||
           ks_read_whole(b->catalog->diags, b->ask->ranks, 2, KS_MAX_TOPOLOGY_GPUS, ranks);
}

/* What there is no all-reduce of, and what is not known. */
static bool check_machine(const builder *b, const ks_machine *machine, const ks_wiring *wiring)
{
    ks_diags *diags = b->catalog->diags;
    if (wiring->ranks < 2) {
        ks_error(diags, KS_S006, wiring->ask.at, "an all-reduce is of two GPUs or more");
        ks_add_note(diags, (ks_span){0}, "the machine is %.*s", KS_ARG(machine->name));
        return false;
    }
    return ks_has_link_model(diags, machine);
}

/* What is set of the links themselves: machine.p2p. NULL after an error. */
static const ks_topology *set_links(const builder *b, const ks_topology *topology)
{
    ks_diags *diags = b->catalog->diags;
    for (size_t i = 0; topology && i < b->ask->settings->n; i++) {
        const ks_setting *setting = &b->ask->settings->items[i];
        bool p2p;
        if (!ks_equal_c(setting->name, "machine.p2p"))
            continue;
        if (!ks_read_bool(diags, setting->value, &p2p))
            return NULL;
        ks_topology *own = KS_NEW(diags->arena, ks_topology);
        *own = *topology;
        own->p2p = p2p ? KS_YES : KS_NO;
        topology = own;
    }
    return topology;
}

/* Everything about all-reduce, behind what the program holds already. */
static bool define_set(builder *b, ks_program *program, const ks_model *model,
                       const ks_machine *machine, int64_t ranks, ks_str engine, ks_str version)
{
    ks_allreduce_set *set = &b->set;
    ks_type bytes = {KS_WHOLE, KS_BYTE};
    const ks_topology *topology = b->topology ? b->topology
                                              : ks_topology_of_machine(b->catalog, machine);
    ks_machine own;
    set->program = program;
    set->machine = machine->name;
    topology = set_links(b, topology);
    if (!topology || !ks_calibrated_for(b->catalog, machine, ranks, &own))
        return false;
    b->is_calibrated = own.calibration != NULL;
    if (b->uncalibrated)
        own.calibration = NULL;
    machine = &own;
    set->wiring = ks_wire_machine(b->catalog, topology, wiring_ask(b, model, machine, ranks));
    ks_span at = b->ask->bytes ? b->ask->bytes->span : machine->at;
    return set->wiring && check_machine(b, machine, set->wiring) &&
           ks_read_allreduce(b->catalog, engine, version, machine->calibration,
                             b->ask->engine ? b->ask->engine->span : machine->at,
                             &set->allreduce) &&
           ks_define_wiring(b->catalog, program, set->wiring, (ks_str){NULL, 0}) &&
           ks_define_input(program, KS_STR("bytes"), KS_GIVEN, bytes,
                           (ks_cell){.i = b->sizes.items[0]}, at,
                           KS_STR("message of one rank")) >= 0 &&
           ks_define_allreduce(program, &set->allreduce, (ks_str){NULL, 0});
}

/* Settings of inputs: NAME=VALUE for a constant, a fact of the GPU. */
static bool apply_settings(builder *b)
{
    ks_program *program = b->set.program;
    bool good = true;
    for (size_t i = 0; i < b->ask->settings->n; i++) {
        const ks_setting *setting = &b->ask->settings->items[i];
        if (b->used[i])
            continue;
        int def = ks_find(program, ks_replace(program->arena, setting->name, '-', '_'));
        ks_cell *value = KS_NEW(program->arena, ks_cell);
        ks_def *d = def < 0 ? NULL : &program->defs.items[def];
        if (!d || d->hidden) {
            ks_error(program->diags, KS_M005, setting->name_span, "\"%.*s\" is not a quantity",
                     KS_ARG(setting->name));
            ks_suggest_name(program, setting->name);
            good = false;
            continue;
        }
        if (d->formula.text.n)
            ks_read_value(program, setting->value, &d->type, value);
        else if (!ks_read_typed(program, setting->value, d->type, false, value)) {
            good = false;
            continue;
        }
        d->kind = KS_GIVEN;
        d->formula = (ks_formula){0};
        d->values = value;
        d->n_values = 1;
        d->has_range = d->has_base = d->has_dim = false;
        d->at = setting->value->span;
        d->source = KS_STR("set from outside");
    }
    return good;
}

static bool read_machine(builder *b, ks_machine *machine)
{
    if (!ks_names_topology(b->catalog, b->what, &b->topology))
        return ks_read_machine(b->catalog, b->what, machine);
    return b->topology && ks_bare_machine(b->catalog, b->topology, b->what, machine);
}

static bool build_for_machine(builder *b)
{
    ks_machine machine = {0};
    ks_str engine = {NULL, 0}, version = {NULL, 0};
    int64_t ranks;
    if (!read_engine(b, &engine, &version) || !read_machine(b, &machine) ||
        !read_ranks(b, 0, &ranks))
        return false;
    if (machine.count == 0)
        ks_set_gpu_count(b->catalog->diags->arena, &machine, ranks ? ranks : 1);
    ks_program *program = ks_program_new(b->catalog->diags, 1);
    b->used = KS_NEW_ARRAY(program->arena, bool, b->ask->settings->n + 1);
    b->env = ks_set_env(program->arena, NULL, b->ask->settings, b->used);
    if (engine.n)
        b->set.engine = ks_format(program->arena, "%.*s %.*s", KS_ARG(engine), KS_ARG(version));
    return ks_define_machine(program, &machine) &&
           define_set(b, program, NULL, &machine, ranks, engine, version) && apply_settings(b) &&
           ks_link(program) && ks_finish_allreduce(program, &b->set.allreduce);
}

static bool define_extra(const ks_extra *extra, const ks_catalog *catalog, ks_model *model,
                         const ks_machine *machine)
{
    builder *b = extra->context;
    int64_t ranks;
    (void)catalog;
    b->set.engine = model->engine_text;
    return read_ranks(b, (int64_t)model->n_ranks, &ranks) &&
           define_set(b, model->program, model, machine, ranks, model->engine.name,
                      model->engine.version);
}

static bool finish_extra(const ks_extra *extra, ks_model *model)
{
    builder *b = extra->context;
    return ks_finish_allreduce(model->program, &b->set.allreduce);
}

static bool build_for_scenario(builder *b)
{
    static const char *const names[] = {"allreduce.", NULL};
    ks_extra extra = {names, NULL, define_extra, finish_extra, b};
    ks_extra_ask asked = {&extra, true};
    ks_ask ask = {.extras = &asked, .n_extras = 1};
    const ks_doc *what = ks_without_extras(b->catalog, b->what);
    return ks_build_model(b->catalog, what, b->ask->settings, ask) != NULL;
}

static bool is_scenario(const ks_doc *what)
{
    return ks_member_of(what, "launch") || ks_member_of(what, "engine") ||
           ks_member_of(what, "llm") ||
           (ks_member_of(what, "machine") && ks_member_of(what, "machine")->kind == KS_MAP);
}

static bool build(builder *b)
{
    return is_scenario(b->what) ? build_for_scenario(b) : build_for_machine(b);
}

/* The times of the machine with these settings for NCCL, by the model alone. */
static const ks_timing *time_uncalibrated(const builder *b, const ks_nccl_setting *env, size_t n)
{
    ks_diags *diags = b->catalog->diags;
    size_t errors = diags->errors, told = diags->n;
    builder other = *b;
    other.extra_env = env;
    other.n_extra_env = n;
    other.uncalibrated = true;
    if (!build(&other))
        return NULL;
    if (diags->errors == errors)
        diags->n = told; /* its warnings have been told */
    return ks_time_allreduce(other.set.program, &other.set.allreduce, b->sizes.items, b->sizes.n);
}

/* The order in which NCCL's search would put the GPUs, if it tried slower links as for older cards; NULL
 * where it finds none. */
static const int *find_order(const builder *b)
{
    enum { AMPERE = 8 }; /* compute capability whose speeds go down to 3 GB/s */
    const ks_wiring *w = b->set.wiring;
    ks_nccl_ask ask = {w->ask.ranks, w->ask.env.items, w->ask.env.n, AMPERE, w->ask.at};
    const ks_nccl_result *found = ks_nccl_select(b->catalog->diags, w->nccl->model, w->topology,
                                                 &ask);
    return found && !found->ring.fallback ? found->ring.order : NULL;
}

/* A graph file for the machine, whose search found nothing; empty if there is no order for it. */
static ks_str make_graph(const builder *b)
{
    static const char *const names[] = {"graph_file.channels", "graph_file.bandwidth"};
    const ks_wiring *w = b->set.wiring;
    double values[2];
    const int *order = find_order(b);
    ks_plan *plan = order ? ks_plan_at(b->set.program, &b->set.allreduce, b->sizes.items[0]) : NULL;
    for (size_t i = 0; plan && i < KS_COUNT(names); i++) {
        int def = ks_find(b->set.program, ks_from_c(names[i]));
        values[i] = def < 0 ? 0 : ks_plan_real(plan, def, 0, 0);
    }
    return plan ? ks_nccl_write_graphs(b->catalog->diags->arena, w->topology, order, w->ranks,
                                       (int64_t)values[0], (int64_t)(values[1] / 1e9))
                : (ks_str){NULL, 0};
}

/* One remedy, tried: the same machine with its settings. */
static bool try_remedy(const builder *b, const ks_notice *remedy, ks_str graph, ks_remedied *out)
{
    ks_arena *arena = b->catalog->diags->arena;
    ks_nccl_setting *env = KS_NEW_ARRAY(arena, ks_nccl_setting, remedy->sets->n + 1);
    ks_builder text = {.arena = arena};
    for (size_t i = 0; i < remedy->sets->n; i++) {
        const ks_member *m = &remedy->sets->items[i];
        env[i] = (ks_nccl_setting){.name = m->key, .value = m->value->text, .at = m->value->span};
        if (ks_equal_c(m->key, graph_variable))
            env[i].file = ks_source_new(arena, m->value->text, graph);
        ks_addf(&text, "%s%.*s=%.*s", i ? " " : "", KS_ARG(m->key), KS_ARG(m->value->text));
    }
    out->remedy = remedy;
    out->set = ks_built(&text);
    out->after = time_uncalibrated(b, env, remedy->sets->n);
    return out->after != NULL;
}

/* True if NCCL runs at one of the sizes: else nothing that is set for it helps. */
static bool nccl_runs(const ks_timing *timing)
{
    for (size_t i = 0; i < timing->n; i++)
        if (!timing->points[i].chosen_as || ks_is_nccl_way(timing->points[i].chosen_as))
            return true;
    return false;
}

/* True if one of the remedy's variables is set so already; of a graph file, whatever it is called. */
static bool is_in_force(const builder *b, const ks_notice *remedy)
{
    const ks_nccl_settings *env = &b->set.wiring->ask.env;
    for (size_t i = 0; i < env->n; i++)
        for (size_t k = 0; k < remedy->sets->n; k++) {
            const ks_member *m = &remedy->sets->items[k];
            if (ks_equal(env->items[i].name, m->key) &&
                (ks_equal(env->items[i].value, m->value->text) || ks_equal_c(m->key, graph_variable)))
                return true;
        }
    return false;
}

/* `graph`: what a graph file for the machine would hold, or empty; then one is no remedy. */
static bool try_remedies(const builder *b, ks_str graph, ks_allreduce_findings *f)
{
    const ks_allreduce *a = &b->set.allreduce;
    ks_plan *plan = ks_plan_at(b->set.program, a, b->sizes.items[0]);
    ks_remedied *all = KS_NEW_ARRAY(b->catalog->diags->arena, ks_remedied, a->remedies.n + 1);
    const ks_timing *before = b->is_calibrated ? NULL : f->timing;
    for (size_t i = 0; i < a->remedies.n; i++) {
        const ks_notice *remedy = &a->remedies.items[i];
        ks_remedied *r = &all[f->n_remedied];
        bool wants_graph = remedy->sets && ks_member_of(remedy->sets, graph_variable);
        if (ks_plan_get(plan, remedy->when, 0, 0).i != 1 || (wants_graph && !graph.n) ||
            (remedy->sets && (!nccl_runs(f->timing) || is_in_force(b, remedy))))
            continue;
        *r = (ks_remedied){.remedy = remedy};
        f->n_remedied++;
        if (!remedy->sets)
            continue;
        before = before ? before : time_uncalibrated(b, NULL, 0);
        r->before = before;
        if (!before || !try_remedy(b, remedy, graph, r))
            return false;
    }
    f->remedied = all;
    return true;
}

static bool find_only(const builder *b, ks_allreduce_findings *f)
{
    const ks_doc *name = b->ask->algorithm;
    const ks_allreduce *a = &b->set.allreduce;
    if (!name || ks_equal_c(name->text, "nccl"))
        return true;
    f->only = ks_find_algorithm(a, name->text);
    if (f->only)
        return true;
    ks_str *names = KS_NEW_ARRAY(b->catalog->diags->arena, ks_str, a->algorithms.n + 1);
    for (size_t i = 0; i < a->algorithms.n; i++)
        names[i] = a->algorithms.items[i].name;
    ks_error(b->catalog->diags, KS_M001, name->span, "there is no algorithm \"%.*s\"",
             KS_ARG(name->text));
    ks_suggest(b->catalog->diags, name->text, names, a->algorithms.n);
    return false;
}

/* The derivation of one quantity at the first size. */
static ks_report *explain(const builder *b)
{
    ks_program *program = b->set.program;
    const ks_allreduce *a = &b->set.allreduce;
    ks_str name = ks_replace(program->arena, b->ask->explain->text, '-', '_');
    int def = ks_find(program, name);
    if (def < 0)
        def = ks_find(program, ks_concat(program->arena, KS_STR("time."), name));
    if (def < 0) {
        ks_error(program->diags, KS_M005, b->ask->explain->span, "\"%.*s\" is not a quantity",
                 KS_ARG(b->ask->explain->text));
        ks_suggest_name(program, name);
        return NULL;
    }
    ks_report *report = ks_report_new(program, ks_plan_at(program, a, b->sizes.items[0]), 0);
    report->subtitle = ks_format(program->arena, "All-reduce on %.*s, %zu ranks",
                                 KS_ARG(b->set.machine), b->set.wiring->ranks);
    report->record = ks_record_new(program->arena, KS_RECORD_OBJECT);
    ks_record_node(program->arena, report->record, program->defs.items[def].name, def);
    report->headline = ks_format(
        program->arena, "%.*s at %.*s", KS_ARG(program->defs.items[def].name),
        KS_ARG(ks_show(program->arena, (double)b->sizes.items[0], KS_BYTE, true)));
    ks_block *block = ks_add_block(report, ks_add_section(report, "Where it comes from"),
                                   KS_BLOCK_TREE, "");
    block->node = def;
    if (program->defs.items[def].note.n)
        ks_add_text(report, ks_add_section(report, ""), KS_BLOCK_TEXT,
                    program->defs.items[def].note);
    return report;
}

ks_report *ks_report_allreduce(const ks_catalog *catalog, const ks_doc *what,
                               const ks_allreduce_ask *ask)
{
    builder b = {.catalog = catalog, .what = what, .ask = ask};
    if (!read_sizes(&b) || !build(&b))
        return NULL;
    ks_allreduce_findings findings = {.set = &b.set};
    ks_str graph = {NULL, 0};
    if (ask->explain)
        return explain(&b);
    if (!find_only(&b, &findings))
        return NULL;
    findings.timing = ks_time_allreduce(b.set.program, &b.set.allreduce, b.sizes.items, b.sizes.n);
    if (b.set.wiring->nccl->fallback)
        graph = make_graph(&b);
    if (!findings.timing || !try_remedies(&b, graph, &findings))
        return NULL;
    if (ask->graph)
        *ask->graph = graph;
    return ks_tell_allreduce(&findings);
}
