#include "model/scenario.h"

#include "base/num.h"
#include "model/draft.h"
#include "model/environment.h"
#include "model/expect.h"
#include "model/extra.h"
#include "model/hf.h"
#include "model/launch.h"
#include "model/machine.h"
#include "read/schema.h"

#include <math.h>
#include <string.h>

typedef struct scenario_file {
    const ks_doc *kvsim, *engine, *llm, *machine, *launch, *env, *assume, *measured, *occupied,
        *workload, *expect, *what_if;
    ks_str title;
} scenario_file;

static const ks_field scenario_fields[] = {
    {"kvsim", KS_FIELD_DOC, KS_REQUIRED, offsetof(scenario_file, kvsim)},
    {"title", KS_FIELD_TEXT, 0, offsetof(scenario_file, title)},
    {"engine", KS_FIELD_SCALAR, 0, offsetof(scenario_file, engine)}, /* or in a command line */
    {"llm", KS_FIELD_SCALAR, 0, offsetof(scenario_file, llm)},       /* the same */
    {"machine", KS_FIELD_DOC, KS_REQUIRED, offsetof(scenario_file, machine)},
    {"launch", KS_FIELD_DOC, 0, offsetof(scenario_file, launch)},
    {"env", KS_FIELD_MAP, 0, offsetof(scenario_file, env)},
    {"assume", KS_FIELD_MAP, 0, offsetof(scenario_file, assume)},
    {"measured", KS_FIELD_MAP, 0, offsetof(scenario_file, measured)},
    {"occupied", KS_FIELD_MAP, 0, offsetof(scenario_file, occupied)},
    {"workload", KS_FIELD_MAP, 0, offsetof(scenario_file, workload)},
    {"expect", KS_FIELD_MAP, 0, offsetof(scenario_file, expect)},
    {"what_if", KS_FIELD_LIST, 0, offsetof(scenario_file, what_if)},
};

typedef struct workload_row {
    const ks_doc *context, *concurrent;
} workload_row;

static const ks_field workload_fields[] = {
    {"context", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(workload_row, context)},
    {"concurrent", KS_FIELD_SCALAR, 0, offsetof(workload_row, concurrent)},
};

typedef struct what_if_row {
    ks_str title;
    const ks_doc *set;
} what_if_row;

static const ks_field what_if_fields[] = {
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(what_if_row, title)},
    {"set", KS_FIELD_MAP, 0, offsetof(what_if_row, set)},
};

typedef struct model_builder {
    const ks_catalog *catalog;
    ks_model *model;
    const ks_settings *settings;
    const ks_residuals *residuals;
    bool *used; /* by setting */
    scenario_file file;
    ks_launch launch;
    ks_machine machine;
    ks_rank_count ranks;
    const ks_doc **given; /* by flag */
    ks_extras extras;
} model_builder;

/* A setting may replace one of the scenario's own keys: engine, llm, machine. */
static void apply_top_settings(model_builder *b)
{
    static const char *const keys[] = {"engine", "llm", "machine"};
    const ks_doc **slots[] = {&b->file.engine, &b->file.llm, &b->file.machine};
    for (size_t i = 0; i < b->settings->n; i++)
        for (size_t k = 0; k < KS_COUNT(keys); k++)
            if (ks_equal_c(b->settings->items[i].name, keys[k])) {
                *slots[k] = b->settings->items[i].value;
                if (k > 0)
                    b->model->replaced = ks_from_c(keys[k]);
                b->used[i] = true;
            }
}

/* What the scenario, or its command line, names: the engine, the model, the machine. */
static bool load_named(model_builder *b, const ks_doc *root)
{
    ks_model *model = b->model;
    ks_engine *engine = &model->engine;
    if (!ks_read_launch(model->diags, b->file.launch, &b->launch))
        return false;
    bool good = ks_find_engine(b->catalog, root, b->file.engine, &b->launch, engine);
    if (!b->file.llm)
        b->file.llm = ks_find_llm(b->catalog, &b->launch, root);
    if (!good || !b->file.llm || !ks_read_machine(b->catalog, b->file.machine, &b->machine))
        return false;
    model->engine_text =
        ks_format(model->arena, "%.*s %.*s", KS_ARG(engine->name), KS_ARG(engine->version));
    model->gpu_name = b->machine.gpu_name;
    model->env = ks_set_env(model->arena, b->file.env, b->settings, b->used);
    model->command_env = b->launch.pasted ? b->launch.command.env : NULL;
    return true;
}

static void apply_flag_settings(model_builder *b)
{
    ks_engine *engine = &b->model->engine;
    for (size_t i = 0; i < b->settings->n; i++) {
        const ks_setting *setting = &b->settings->items[i];
        const ks_flag *flag = ks_find_flag(engine, setting->name);
        if (!flag && ks_flag_is_ignored(engine, setting->name)) {
            ks_warning(b->model->diags, KS_M009, setting->name_span, "%.*s takes no memory",
                       KS_ARG(setting->name));
            b->used[i] = true;
        }
        if (!flag)
            continue;
        b->given[flag - engine->flags.items] = b->settings->items[i].value;
        b->used[i] = true;
    }
}

/* Ranks of the launch, which must not be more than the GPUs. */
static bool count_ranks(model_builder *b)
{
    ks_model *model = b->model;
    ks_engine *engine = &model->engine;
    ks_doc launch = {.kind = KS_MAP};
    for (size_t i = 0; i < engine->flags.n; i++)
        if (b->given[i])
            *KS_PUSH(model->arena, &launch) = (ks_member){
                engine->flags.items[i].spelling, b->given[i]->span, (ks_doc *)(uintptr_t)b->given[i]};
    b->ranks.blame = b->file.machine->span;
    if (!ks_count_ranks(model->diags, engine, &launch, &b->ranks))
        return false;
    model->n_ranks = b->ranks.ranks;
    if (b->machine.count == 0)
        ks_set_gpu_count(model->arena, &b->machine, (int64_t)model->n_ranks);
    model->machine_name = b->machine.name;
    model->gpu_count = b->machine.count;
    if ((int64_t)model->n_ranks <= b->machine.count)
        return true;
    ks_error(model->diags, KS_M003, b->ranks.blame, "this launch needs %zu GPUs, the machine has %lld",
             model->n_ranks, (long long)b->machine.count);
    ks_add_note(model->diags, b->machine.at, "the machine is %.*s", KS_ARG(b->machine.name));
    return false;
}

/* Memory that other processes hold, by GPU: rank r runs on GPU r. */
static bool define_occupied(model_builder *b)
{
    ks_model *model = b->model;
    ks_type bytes = {KS_WHOLE, KS_BYTE};
    ks_cell *values = KS_NEW_ARRAY(model->arena, ks_cell, model->n_ranks);
    bool good = true;
    for (size_t i = 0; b->file.occupied && i < b->file.occupied->n; i++) {
        const ks_member *m = &b->file.occupied->items[i];
        ks_doc key = {.kind = KS_SCALAR, .span = m->key_span, .text = m->key};
        int64_t gpu;
        ks_cell held;
        if (!ks_read_whole(model->diags, &key, 0, b->machine.count - 1, &gpu) ||
            !ks_read_typed(model->program, m->value, bytes, false, &held)) {
            good = false;
            continue;
        }
        if (held.i < 0) {
            ks_error(model->diags, KS_S006, m->value->span, "memory that is held is not negative");
            good = false;
        }
        if (gpu < (int64_t)model->n_ranks)
            values[gpu] = held;
    }
    ks_def def = {.name = KS_STR("occupied"), .kind = b->file.occupied ? KS_GIVEN : KS_DEFAULT,
                  .type = bytes, .values = values, .n_values = model->n_ranks,
                  .at = b->file.occupied ? b->file.occupied->span : b->machine.at,
                  .meaning = KS_STR("memory that other processes hold on this GPU")};
    ks_def start = {.name = KS_STR("ledger.start"), .kind = KS_DERIVED, .hidden = true,
                    .at = def.at,
                    .formula = {KS_STR("gpu.memory - occupied"), def.at, false, {NULL, 0}},
                    .meaning = KS_STR("what this GPU has for the engine")};
    start.is_signed = true;
    return ks_define(model->program, &def) >= 0 && ks_define(model->program, &start) >= 0 && good;
}

static bool define_workload(model_builder *b)
{
    static const struct {
        const char *name, *meaning;
        ks_dim dim;
    } rows[] = {{"workload.context", "tokens of one request of the workload", {0, 0, 1}},
                {"workload.concurrent", "requests of the workload at once", {0, 0, 0}}};
    ks_model *model = b->model;
    workload_row row = {0};
    bool good = !b->file.workload ||
                ks_read_fields(model->diags, b->file.workload, "a workload", workload_fields,
                               KS_COUNT(workload_fields), &row);
    const ks_doc *docs[] = {row.context, row.concurrent};
    for (size_t i = 0; i < 2; i++) {
        ks_type type = {KS_WHOLE, rows[i].dim};
        ks_cell value = {.i = b->file.workload ? 1 : 0};
        if (docs[i] && !ks_read_typed(model->program, docs[i], type, true, &value))
            good = false;
        if (value.i < 0) {
            ks_error(model->diags, KS_S006, docs[i]->span, "a workload is not negative");
            good = false;
        }
        ks_span at = docs[i] ? docs[i]->span : b->file.kvsim->span;
        good &= ks_define_input(model->program, ks_from_c(rows[i].name),
                                docs[i] ? KS_GIVEN : KS_DEFAULT,
                                type, value, at,
                                ks_from_c(rows[i].meaning)) >= 0;
    }
    return good;
}

static bool define_all(model_builder *b)
{
    ks_model *model = b->model;
    const ks_doc *llm = ks_load_llm(b->catalog, b->file.llm);
    const ks_doc *llm_name = llm ? ks_member_of(llm, "llm") : NULL;
    model->llm = llm;
    model->program = ks_program_new(model->diags, model->n_ranks);
    model->llm_name = llm_name ? llm_name->text : b->file.llm->text;
    bool good = ks_define_machine(model->program, &b->machine);
    good &= llm && ks_define_llms(model->program, b->catalog, &model->engine, b->given,
                                  b->file.what_if, llm, &b->ranks);
    good &= define_occupied(b);
    good &= define_workload(b);
    good &= ks_define_engine(model->program, &model->engine, b->given);
    good = good && ks_define_extras(&b->extras, b->catalog, model, &b->machine);
    const ks_extra *standing = b->catalog->standing;
    return good && (!standing || standing->define(standing, b->catalog, model, &b->machine));
}

static int find_quantity(ks_model *model, ks_str name, ks_span at)
{
    int def = ks_find(model->program, name);
    if (def >= 0 && !model->program->defs.items[def].hidden)
        return def;
    ks_error(model->diags, KS_M005, at, "\"%.*s\" is not a quantity", KS_ARG(name));
    ks_suggest_name(model->program, name);
    return -1;
}

static bool check_sign(ks_model *model, const ks_def *def, ks_cell value, ks_span at)
{
    if (def->is_signed || ks_as_real(def->type, value) >= 0)
        return true;
    ks_error(model->diags, KS_S006, at, "%.*s cannot be negative",
             KS_ARG(def->pin_name.n ? def->pin_name : def->name));
    return false;
}

/* A list of values, one a rank, or one value for all. */
static size_t values_in(const ks_doc *doc)
{
    return doc->kind == KS_LIST ? doc->n : 1;
}

/* The residual that a measured quantity keeps under settings; NULL: none, or a setting gives the
 * quantity itself. */
static const ks_residual *residual_of(const model_builder *b, const ks_def *d, const ks_member *m)
{
    for (size_t i = 0; i < b->settings->n; i++)
        if (b->settings->items[i].value == m->value)
            return NULL;
    for (size_t i = 0; b->residuals && i < b->residuals->n; i++)
        if (ks_equal(b->residuals->items[i].quantity, d->name))
            return &b->residuals->items[i];
    return NULL;
}

ks_residuals ks_find_residuals(const ks_model *model, const ks_plan *base)
{
    ks_residuals found = {NULL, 0, 0};
    const ks_program *program = model->program;
    for (size_t i = 0; i < program->defs.n; i++) {
        const ks_def *d = &program->defs.items[i];
        if (d->modelled < 0 || d->pin_mode != KS_PIN_VALUE)
            continue;
        size_t n = d->per_rank ? program->n_ranks : 1;
        ks_cell *values = KS_NEW_ARRAY(model->arena, ks_cell, n);
        double *measured = KS_NEW_ARRAY(model->arena, double, n);
        for (size_t rank = 0; rank < n; rank++) {
            size_t class = program->class_of_rank[rank];
            measured[rank] = ks_plan_real(base, (int)i, class, 0);
            double rest = measured[rank] - ks_plan_real(base, d->modelled, class, 0);
            values[rank] = ks_from_real(d->type, rest);
        }
        *KS_PUSH(model->arena, &found) = (ks_residual){d->name, d->type, values, measured, n};
    }
    return found;
}

static bool pin_measured(model_builder *b, const ks_member *m)
{
    ks_model *model = b->model;
    int def = find_quantity(model, m->key, m->key_span);
    if (def < 0)
        return false;
    const ks_def *d = &model->program->defs.items[def];
    if (d->measured_as.n && (def = find_quantity(model, d->measured_as, m->key_span)) < 0)
        return false;
    d = &model->program->defs.items[def];
    if (!d->formula.text.n || ks_find_flag(&model->engine, m->key)) {
        ks_error(model->diags, KS_M011, m->key_span,
                 "%.*s is given, not computed: it cannot be measured", KS_ARG(d->name));
        return false;
    }
    if (m->value->kind == KS_LIST && m->value->n != model->n_ranks) {
        ks_error(model->diags, KS_M010, m->value->span, "%zu values for %zu ranks", m->value->n,
                 model->n_ranks);
        return false;
    }
    if (m->value->kind == KS_LIST && m->value->n == 1) {
        ks_error(model->diags, KS_M010, m->value->span, "write a single value without brackets");
        return false;
    }
    const ks_residual *rest = residual_of(b, d, m);
    model->program->defs.items[def].pin_name = m->key;
    if (rest) {
        model->program->defs.items[def].type = rest->type;
        *KS_PUSH(model->arena, &model->carried) =
            (ks_carried){m->key, def, rest->measured, rest->n};
        ks_pin(model->program, def, KS_PIN_SHIFT, rest->values, rest->n, m->value->span);
    } else
        ks_pin(model->program, def, KS_PIN_VALUE, NULL, values_in(m->value), m->value->span);
    return true;
}

static bool read_measured(model_builder *b, const ks_member *m)
{
    ks_model *model = b->model;
    int def = ks_find(model->program, m->key);
    ks_str other = model->program->defs.items[def].measured_as;
    def = other.n ? ks_find(model->program, other) : def;
    const ks_def *d = &model->program->defs.items[def];
    if (residual_of(b, d, m))
        return true;
    size_t n = values_in(m->value);
    ks_cell *values = KS_NEW_ARRAY(model->arena, ks_cell, n);
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        const ks_doc *doc = m->value->kind == KS_LIST ? m->value->items[i].value : m->value;
        good &= ks_read_typed(model->program, doc, d->type, false, &values[i]) &&
                check_sign(model, d, values[i], doc->span);
    }
    ks_set_pin_values(model->program, def, values);
    return good;
}

/* The scenario's `measured:` and, over it, settings of computed quantities. */
static const ks_doc *all_measured(model_builder *b)
{
    ks_model *model = b->model;
    ks_doc *all = KS_NEW(model->arena, ks_doc);
    *all = (ks_doc){.kind = KS_MAP};
    for (size_t i = 0; b->file.measured && i < b->file.measured->n; i++)
        *KS_PUSH(model->arena, all) = b->file.measured->items[i];
    for (size_t i = 0; i < b->settings->n; i++) {
        const ks_setting *setting = &b->settings->items[i];
        int def = b->used[i] ? -1 : ks_find(model->program, setting->name);
        if (def < 0 || !model->program->defs.items[def].formula.text.n)
            continue;
        b->used[i] = true;
        ks_member m = {setting->name, setting->name_span, setting->value};
        size_t k = 0;
        while (k < all->n && !ks_equal(all->items[k].key, m.key))
            k++;
        if (k == all->n)
            KS_PUSH(model->arena, all);
        all->items[k] = m;
    }
    return all;
}

/* Settings of inputs: constants and facts. */
static bool apply_input_settings(model_builder *b)
{
    ks_model *model = b->model;
    bool good = true;
    for (size_t i = 0; i < b->settings->n; i++) {
        const ks_setting *setting = &b->settings->items[i];
        if (b->used[i])
            continue;
        int def = find_quantity(model, setting->name, setting->name_span);
        ks_cell *value = KS_NEW(model->arena, ks_cell);
        ks_def *d = def < 0 ? NULL : &model->program->defs.items[def];
        bool unit_implied = d && ks_same_dim(d->type.dim, KS_TOKEN);
        if (!d || !ks_read_typed(model->program, setting->value, d->type, unit_implied, value) ||
            !check_sign(model, d, *value, setting->value->span)) {
            good = false;
            continue;
        }
        d->kind = KS_GIVEN;
        d->values = value;
        d->n_values = 1;
        d->has_range = false;
        d->at = setting->value->span;
        d->source = KS_STR("set from outside");
    }
    return good;
}

bool ks_find_target(ks_model *model, ks_str name, ks_span at, ks_change *change)
{
    ks_flag *flag = ks_find_flag(&model->engine, name);
    *change = (ks_change){.def = flag ? flag->def : -1, .given = flag ? flag->given : -1, .at = at};
    if (!flag) {
        change->def = find_quantity(model, name, at);
        if (change->def < 0)
            return false;
        ks_str other = model->program->defs.items[change->def].measured_as;
        if (other.n)
            change->def = ks_find(model->program, other);
        change->measured = model->program->defs.items[change->def].pinned &&
                           model->program->defs.items[change->def].pin_mode == KS_PIN_VALUE;
    }
    ks_pin(model->program, change->def, KS_PIN_FREE, NULL, 0, at);
    return true;
}

static bool find_what_ifs(model_builder *b)
{
    ks_model *model = b->model;
    bool good = true;
    for (size_t i = 0; b->file.what_if && i < b->file.what_if->n; i++) {
        const ks_doc *doc = b->file.what_if->items[i].value;
        what_if_row row = {0};
        if (!ks_read_fields(model->diags, doc, "a what-if", what_if_fields,
                            KS_COUNT(what_if_fields), &row)) {
            good = false;
            continue;
        }
        ks_what_if *what_if = KS_PUSH(model->arena, &model->what_ifs);
        what_if->title = row.title;
        what_if->at = doc->span;
        for (size_t k = 0; row.set && k < row.set->n; k++) {
            ks_change change;
            good &= ks_find_target(model, row.set->items[k].key, row.set->items[k].key_span,
                                   &change);
            *KS_PUSH(model->arena, &what_if->changes) = change;
        }
    }
    return good;
}

static bool read_what_ifs(model_builder *b)
{
    ks_model *model = b->model;
    bool good = true;
    for (size_t i = 0; b->file.what_if && i < b->file.what_if->n; i++) {
        const ks_doc *set = ks_member_of(b->file.what_if->items[i].value, "set");
        ks_what_if *what_if = &model->what_ifs.items[i];
        for (size_t k = 0; k < what_if->changes.n; k++) {
            ks_change *change = &what_if->changes.items[k];
            const ks_def *d = &model->program->defs.items[change->def];
            const ks_doc *value = set->items[k].value;
            change->at = value->span;
            const ks_flag *flag = ks_find_flag(&model->engine, set->items[k].key);
            good &= ks_read_typed(model->program, value, d->type, change->given >= 0,
                                  &change->value) &&
                    check_sign(model, d, change->value, value->span) &&
                    (!flag || ks_check_flag_value(model->program, flag, value, change->value));
        }
    }
    return good;
}

static bool define_goal(ks_model *model, ks_str goal)
{
    if (!goal.n)
        return true;
    ks_span at = {ks_source_new(model->arena, KS_STR("--goal"), goal), 0, (uint32_t)goal.n};
    ks_def def = {.name = KS_STR("goal"), .kind = KS_CHECKED, .type = {KS_TRUTH, KS_NO_DIM},
                  .has_base = true, .formula = {goal, at, true, {NULL, 0}}, .may_be_literal = true,
                  .at = at};
    model->goal = ks_define(model->program, &def);
    return model->goal >= 0;
}

/* All that will be set in lanes must be known before the program is linked. */
static bool find_targets(model_builder *b, ks_ask ask)
{
    ks_model *model = b->model;
    ks_change ignored;
    bool good = find_what_ifs(b);
    for (size_t i = 0; i < model->engine.knobs.n; i++) {
        const ks_knob *knob = &model->engine.knobs.items[i];
        good &= ks_find_target(model, knob->flag, b->file.kvsim->span, &ignored) &&
                (!knob->raises.n ||
                 ks_find_target(model, knob->raises, b->file.kvsim->span, &ignored));
    }
    for (size_t i = 0; i < model->engine.suspects.n; i++) {
        ks_suspect *suspect = &model->engine.suspects.items[i];
        good &= ks_find_target(model, suspect->quantity, b->file.kvsim->span, &ignored);
        suspect->def = ignored.def;
    }
    if (ask.unknown.n) {
        const ks_source *source = ks_source_new(model->arena, KS_STR("solve"), ask.unknown);
        good &= ks_find_target(model, ask.unknown, (ks_span){source, 0, (uint32_t)ask.unknown.n},
                               &model->unknown);
    }
    return good && define_goal(model, ask.goal);
}

static bool link_model(model_builder *b, ks_ask ask)
{
    ks_model *model = b->model;
    const ks_doc *measured = all_measured(b);
    bool good = apply_input_settings(b);
    for (size_t i = 0; i < measured->n; i++)
        good &= pin_measured(b, &measured->items[i]);
    for (size_t i = 0; good && ask.vary_measured && i < measured->n; i++)
        ks_find_target(model, measured->items[i].key, measured->items[i].key_span, &(ks_change){0});
    if (!good || !find_targets(b, ask) || !ks_resolve(model->program))
        return false;
    for (size_t i = 0; i < measured->n; i++)
        good &= read_measured(b, &measured->items[i]);
    good &= read_what_ifs(b);
    good &= ks_read_expectations(model, b->file.expect);
    return good && ks_link(model->program) && ks_finish_engine(model->program, &model->engine) &&
           ks_finish_extras(&b->extras, model);
}

/* What the engine refuses before it starts is bad input here: each broken requirement is told at
 * the flag that is to blame. */
static bool check_requirements(model_builder *b)
{
    ks_model *model = b->model;
    const ks_program *program = model->program;
    ks_plan *plan = ks_plan_new(model->program, NULL, 0, 1);
    bool good = true;
    ks_plan_run(plan);
    for (size_t i = 0; i < model->engine.requirements.n; i++) {
        const ks_requirement *q = &model->engine.requirements.items[i];
        if (ks_plan_get(plan, q->that, 0, 0).i == 1)
            continue;
        const ks_flag *flag = ks_find_flag(&model->engine, q->blames);
        const ks_doc *blame = flag ? b->given[flag - model->engine.flags.items] : NULL;
        ks_str text = ks_fill_template(program, &q->message, plan, 0, 0);
        ks_str hint = ks_fill_template(program, &q->hint, plan, 0, 0);
        ks_error(model->diags, KS_M004, blame ? blame->span : model->engine.at, "%.*s",
                 KS_ARG(text));
        ks_add_note(model->diags, (ks_span){0}, "%.*s", KS_ARG(hint));
        good = false;
    }
    return good;
}

/* Sets of definitions beyond memory, with their assumptions. */
static bool find_extras(model_builder *b, const ks_ask *ask)
{
    ks_mentions mentions = {b->file.assume, b->file.measured, b->file.expect, b->file.what_if,
                            b->settings};
    b->extras = ks_wanted_extras(b->catalog, ask, &mentions);
    return ks_read_extras(&b->extras, b->catalog, b->model);
}

ks_model *ks_build_model(const ks_catalog *catalog, const ks_doc *doc, const ks_settings *settings,
                         ks_ask ask)
{
    ks_model *model = KS_NEW(catalog->diags->arena, ks_model);
    model->arena = catalog->diags->arena;
    model->diags = catalog->diags;
    model->source = doc->span.source;
    model->unknown.def = model->goal = -1;
    model_builder b = {.catalog = catalog, .model = model, .settings = settings,
                       .residuals = ask.residuals};
    b.used = KS_NEW_ARRAY(model->arena, bool, settings->n + 1);
    if (!ks_check_format(model->diags, doc) ||
        !ks_read_fields(model->diags, doc, "a scenario", scenario_fields,
                        KS_COUNT(scenario_fields), &b.file))
        return NULL;
    apply_top_settings(&b);
    model->title = b.file.title;
    if (!load_named(&b, doc) || !find_extras(&b, &ask))
        return NULL;
    ks_engine *engine = &model->engine;
    b.given = KS_NEW_ARRAY(model->arena, const ks_doc *, engine->flags.n + 1);
    bool good = b.launch.pasted
                    ? ks_collect_command(model->diags, engine, &b.launch.command, b.given)
                    : ks_collect_flags(model->diags, engine, b.launch.flags, KS_FLAG, b.given);
    good &= ks_collect_flags(model->diags, engine, b.file.env, KS_ENVIRONMENT, b.given);
    good &= ks_collect_flags(model->diags, engine, b.file.assume, KS_ASSUMPTION, b.given);
    apply_flag_settings(&b);
    if (!good || !count_ranks(&b) || !define_all(&b) || !link_model(&b, ask) ||
        !check_requirements(&b))
        return NULL;
    return model;
}
