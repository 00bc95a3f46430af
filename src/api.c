/* The public functions: set up the handle, catch out-of-memory, call the layers. */
#include "api.h"

#include "engine/advice.h"
#include "engine/allreduce.h"
#include "engine/compare.h"
#include "engine/decode.h"
#include "engine/decode_links.h"
#include "engine/differ.h"
#include "engine/explain.h"
#include "engine/import.h"
#include "engine/import_topo.h"
#include "engine/memory.h"
#include "model/import_command.h"
#include "model/topology_machine.h"
#include "read/file.h"
#include "read/shell.h"
#include "read/yaml.h"
#include "render/json.h"
#include "render/listing.h"
#include "render/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a program may hold beyond memory. */
enum { N_EXTRAS = 1 };

typedef struct extras {
    ks_decode decode;
    ks_extra decode_set;
    ks_extra_ask asked[N_EXTRAS];
} extras;

static extras *new_extras(kvsim *k, bool decode)
{
    extras *e = KS_NEW(k->arena, extras);
    e->decode_set = ks_decode_extra(&e->decode, ks_decode_machine_links);
    e->asked[0] = (ks_extra_ask){&e->decode_set, decode};
    return e;
}

static void out_of_memory(void *context)
{
    kvsim *k = context;
    k->exhausted = true;
    if (k->boundary)
        longjmp(*k->boundary, 1);
    abort();
}

/* Runs `work`, which reads each model file once; NULL if memory runs out, whatever was open then is
 * closed. */
static void *guarded(call *c, void *(*work)(call *c))
{
    jmp_buf boundary;
    kvsim *k = c->k;
    const ks_cleanup *mark = ks_arena_mark(k->arena);
    void *result = NULL;
    if (k->exhausted)
        return NULL;
    k->boundary = &boundary;
    if (setjmp(boundary) == 0) {
        k->catalog = ks_catalog_cached(&k->catalog);
        k->catalog.extras = new_extras(k, false)->asked;
        k->catalog.n_extras = N_EXTRAS;
        result = work(c);
    } else
        ks_arena_unwind(k->arena, mark);
    k->boundary = NULL;
    return result;
}

void *ks_guard(call *c, void *(*work)(call *c))
{
    return guarded(c, work);
}

const char *kvsim_version(void)
{
    return PACKAGE_VERSION;
}

kvsim *kvsim_open(const kvsim_options *options)
{
    kvsim *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->arena = ks_arena_new(options->memory_limit, out_of_memory, k);
    if (!k->arena) {
        free(k);
        return NULL;
    }
    k->diags.arena = k->arena;
    k->catalog = (ks_catalog){
        .diags = &k->diags, .folders = options->models, .n_folders = options->n_models,
        .standing = &ks_communicator_set};
    return k;
}

void kvsim_close(kvsim *k)
{
    if (!k)
        return;
    ks_arena_free(k->arena);
    free(k);
}

static void *new_scenario(kvsim *k, const ks_source *source)
{
    ks_doc *doc = source ? ks_read_yaml(&k->diags, source) : NULL;
    if (!doc)
        return NULL;
    kvsim_scenario *scenario = KS_NEW(k->arena, kvsim_scenario);
    scenario->doc = doc;
    return scenario;
}

static void *load(call *c)
{
    return new_scenario(c->k, ks_read_file(&c->k->diags, ks_from_c(c->text), KS_MAX_FILE,
                                           (ks_span){0}, true));
}

kvsim_scenario *kvsim_load(kvsim *k, const char *path)
{
    return guarded(&(call){.k = k, .text = path}, load);
}

static void *load_text(call *c)
{
    ks_str name = ks_copy(c->k->arena, ks_from_c(c->text));
    ks_str text = ks_copy(c->k->arena, (ks_str){c->more, c->n});
    return new_scenario(c->k, ks_source_new(c->k->arena, name, text));
}

kvsim_scenario *kvsim_load_text(kvsim *k, const char *name, const char *text, size_t n)
{
    return guarded(&(call){.k = k, .text = name, .more = text, .n = n}, load_text);
}

/* A text from outside as a document of its own, so that messages can point into it; NULL for NULL. */
static ks_doc *doc_of(kvsim *k, const char *name, const char *text)
{
    if (!text)
        return NULL;
    ks_str copy = ks_copy(k->arena, ks_from_c(text));
    const ks_source *source = ks_source_new(k->arena, ks_from_c(name), copy);
    ks_doc *doc = KS_NEW(k->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .text = copy, .exact = true,
                    .span = {source, 0, (uint32_t)copy.n}};
    return doc;
}

static void *load_command(call *c)
{
    kvsim *k = c->k;
    const kvsim_launch *launch = c->launch;
    const char *text = launch->n_words == 1
                           ? launch->words[0]
                           : ks_to_c(k->arena, ks_join_words(k->arena, launch->words, launch->n_words));
    const struct {
        const char *key;
        ks_doc *value;
    } rows[] = {{"kvsim", doc_of(k, "kvsim", "1")},
                {"machine", doc_of(k, "--machine", launch->machine)},
                {"engine", doc_of(k, "--engine", launch->engine)},
                {"llm", doc_of(k, "--llm", launch->llm)},
                {"launch", doc_of(k, "<command>", text)}};
    kvsim_scenario *scenario = KS_NEW(k->arena, kvsim_scenario);
    scenario->doc = KS_NEW(k->arena, ks_doc);
    *scenario->doc = (ks_doc){.kind = KS_MAP, .span = rows[4].value->span};
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        if (rows[i].value)
            *KS_PUSH(k->arena, scenario->doc) =
                (ks_member){ks_from_c(rows[i].key), rows[i].value->span, rows[i].value};
    return scenario;
}

kvsim_scenario *kvsim_load_command(kvsim *k, const kvsim_launch *launch)
{
    return guarded(&(call){.k = k, .launch = launch}, load_command);
}

static void *import_command(call *c)
{
    kvsim *k = c->k;
    ks_str file;
    const kvsim_launch *launch = c->launch;
    const ks_source *source =
        ks_read_file(&k->diags, ks_from_c(c->text), KS_MAX_COMMAND, (ks_span){0}, true);
    ks_beside beside = {doc_of(k, "--machine", launch->machine),
                        doc_of(k, "--engine", launch->engine), doc_of(k, "--llm", launch->llm)};
    if (!source || !ks_import_command(&k->catalog, source, &beside, &file))
        return NULL;
    ks_put(c->sink, file);
    return k;
}

bool kvsim_import_command(kvsim *k, const char *path, const kvsim_launch *launch,
                          kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = path, .launch = launch, .sink = {write, context}};
    return guarded(&c, import_command) != NULL;
}

static void *import_log(call *c)
{
    kvsim *k = c->k;
    ks_str engine = ks_copy(k->arena, ks_from_c(c->launch->engine));
    ks_str path = ks_copy(k->arena, ks_from_c(c->text));
    ks_import_ask ask = {ks_copy(k->arena, ks_from_c(c->launch->llm)),
                         ks_copy(k->arena, ks_from_c(c->launch->machine))};
    const ks_run_log *log = ks_read_run_log(&k->catalog, path, (ks_log_ask){engine, c->n});
    ks_str file = log ? ks_scenario_of_log(&k->catalog, log, ask) : (ks_str){NULL, 0};
    if (!file.n)
        return NULL;
    ks_put(c->sink, file);
    return k;
}

bool kvsim_import_log(kvsim *k, const char *path, const kvsim_launch *launch, size_t start,
                      kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = path, .launch = launch, .n = start, .sink = {write, context}};
    return guarded(&c, import_log) != NULL;
}

static void *import_topo(call *c)
{
    kvsim *k = c->k;
    ks_str path = ks_copy(k->arena, ks_from_c(c->text));
    ks_str file = ks_machine_of_topology(&k->catalog, path, ks_copy(k->arena, ks_from_c(c->more)));
    if (!file.n)
        return NULL;
    ks_put(c->sink, file);
    return k;
}

bool kvsim_import_topo(kvsim *k, const char *path, const char *machine, kvsim_write_fn *write,
                       void *context)
{
    call c = {.k = k, .text = path, .more = machine, .sink = {write, context}};
    return guarded(&c, import_topo) != NULL;
}

/* NAME=VALUE becomes a document of its own, so that messages can point into it. */
static bool read_setting(kvsim *k, const char *from, ks_setting *setting)
{
    ks_str text = ks_copy(k->arena, ks_from_c(from));
    const ks_source *source = ks_source_new(k->arena, KS_STR("--set"), text);
    ks_str value;
    ks_str name = ks_cut(text, '=', &value);
    if (name.n == 0 || name.n == text.n || value.n == 0) {
        ks_error(&k->diags, KS_C001, (ks_span){source, 0, (uint32_t)text.n},
                 "a setting is NAME=VALUE");
        return false;
    }
    ks_doc *doc = KS_NEW(k->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .text = value, .exact = true,
                    .span = {source, (uint32_t)(name.n + 1), (uint32_t)value.n}};
    *setting = (ks_setting){ks_trim(name), {source, 0, (uint32_t)name.n}, doc};
    return true;
}

static void *set(call *c)
{
    kvsim *k = c->k;
    ks_setting setting;
    if (!read_setting(k, c->text, &setting))
        return NULL;
    kvsim_scenario *changed = KS_NEW(k->arena, kvsim_scenario);
    changed->doc = c->scenario->doc;
    for (size_t i = 0; i < c->scenario->settings.n; i++)
        *KS_PUSH(k->arena, &changed->settings) = c->scenario->settings.items[i];
    *KS_PUSH(k->arena, &changed->settings) = setting;
    return changed;
}

kvsim_scenario *kvsim_set(kvsim *k, const kvsim_scenario *scenario, const char *setting)
{
    return guarded(&(call){.k = k, .scenario = scenario, .text = setting}, set);
}

/* The settings that give a measured quantity: they are part of what was measured. */
static ks_settings measured_settings(call *c)
{
    ks_settings some = {NULL, 0, 0};
    const ks_doc *measured = ks_member_of(c->scenario->doc, "measured");
    for (size_t i = 0; i < c->scenario->settings.n; i++) {
        const ks_setting *setting = &c->scenario->settings.items[i];
        if (ks_member_of(measured, ks_to_c(c->k->arena, setting->name)))
            *KS_PUSH(c->k->arena, &some) = *setting;
    }
    return some;
}

/* What measurement leaves unexplained in the scenario without its other settings; false after an
 * error. */
static bool find_residuals(call *c, const ks_settings *settings, ks_residuals *residuals)
{
    kvsim *k = c->k;
    size_t told = k->diags.n;
    ks_ask ask = {.quantity = ks_copy(k->arena, ks_from_c(c->quantity)),
                  .extras = new_extras(k, c->decode)->asked, .n_extras = N_EXTRAS};
    ks_model *model = ks_build_model(&k->catalog, c->scenario->doc, settings, ask);
    if (!model)
        return false;
    *residuals = ks_find_residuals(model, ks_run_base(model));
    k->diags.n = told; /* its warnings will be told again */
    return true;
}

static ks_replay *replay(call *c, const char *unknown, const char *goal)
{
    kvsim *k = c->k;
    ks_residuals residuals;
    extras *extra = new_extras(k, c->decode);
    ks_ask ask = {.unknown = ks_copy(k->arena, ks_from_c(unknown)),
                  .goal = ks_copy(k->arena, ks_from_c(goal)),
                  .quantity = ks_copy(k->arena, ks_from_c(c->quantity)),
                  .extras = extra->asked,
                  .n_extras = N_EXTRAS};
    ks_settings measured = measured_settings(c);
    if (ks_member_of(c->scenario->doc, "measured") && measured.n < c->scenario->settings.n) {
        if (!find_residuals(c, &measured, &residuals))
            return NULL;
        ask.residuals = &residuals;
    }
    ks_model *model = ks_build_model(&k->catalog, c->scenario->doc, &c->scenario->settings, ask);
    ks_replay *replayed = model ? ks_replay_scenario(model) : NULL;
    if (!replayed || !extra->decode.defined)
        return replayed;
    c->judgement = ks_judge_decode(replayed, &extra->decode);
    return c->judgement ? replayed : NULL;
}

static void *new_report(call *c, ks_replay *replayed)
{
    kvsim_report *report = KS_NEW(c->k->arena, kvsim_report);
    report->replay = replayed;
    report->report = replayed->report;
    report->report->diags = &c->k->diags;
    report->report->said_from = c->k->said;
    report->report->said_to = c->k->said = c->k->diags.n;
    return report;
}

static void *run(call *c)
{
    ks_replay *replayed = replay(c, NULL, NULL);
    if (!replayed)
        return NULL;
    ks_report_run(replayed);
    return new_report(c, replayed);
}

kvsim_report *kvsim_run(kvsim *k, const kvsim_scenario *scenario)
{
    return guarded(&(call){.k = k, .scenario = scenario}, run);
}

static void *add_log(call *c)
{
    ks_report_log(c->report->replay);
    return c->k;
}

bool kvsim_add_log(kvsim *k, kvsim_report *report)
{
    return guarded(&(call){.k = k, .report = report}, add_log) != NULL;
}

static void *explain(call *c)
{
    ks_replay *replayed = replay(c, NULL, NULL);
    ks_str quantity = ks_copy(c->k->arena, ks_from_c(c->text));
    if (!replayed || !ks_report_explanation(replayed, quantity))
        return NULL;
    return new_report(c, replayed);
}

kvsim_report *kvsim_explain(kvsim *k, const kvsim_scenario *scenario, const char *quantity)
{
    return guarded(&(call){.k = k, .scenario = scenario, .text = quantity, .quantity = quantity},
                   explain);
}

static void *solve(call *c)
{
    ks_replay *replayed = replay(c, c->text, c->more);
    if (!replayed)
        return NULL;
    ks_report_solution(replayed, ks_copy(c->k->arena, ks_from_c(c->text)));
    return new_report(c, replayed);
}

kvsim_report *kvsim_solve(kvsim *k, const kvsim_scenario *scenario, const char *unknown,
                          const char *goal)
{
    return guarded(&(call){.k = k, .scenario = scenario, .text = unknown, .more = goal}, solve);
}

static void *decode(call *c)
{
    ks_replay *replayed = replay(c, NULL, NULL);
    if (!replayed)
        return NULL;
    ks_report_decode(replayed, c->judgement);
    *c->consistent = c->judgement->consistent;
    return new_report(c, replayed);
}

kvsim_report *kvsim_decode(kvsim *k, const kvsim_scenario *scenario, bool *consistent)
{
    return guarded(&(call){.k = k, .scenario = scenario, .decode = true, .consistent = consistent},
                   decode);
}

static void *check(call *c)
{
    ks_replay *replayed = replay(c, NULL, NULL);
    if (!replayed)
        return NULL;
    *c->count = ks_report_expectations(replayed);
    return new_report(c, replayed);
}

kvsim_report *kvsim_check(kvsim *k, const kvsim_scenario *scenario, size_t *n_failed)
{
    return guarded(&(call){.k = k, .scenario = scenario, .count = n_failed}, check);
}

static void *compare_log(call *c)
{
    ks_replay *replayed =
        ks_compare_log(&c->k->catalog, c->scenario->doc, &c->scenario->settings,
                       ks_copy(c->k->arena, ks_from_c(c->text)), c->n, c->count);
    return replayed ? new_report(c, replayed) : NULL;
}

kvsim_report *kvsim_compare_log(kvsim *k, const kvsim_scenario *scenario, const char *path,
                                size_t start, size_t *n_off)
{
    return guarded(&(call){.k = k, .scenario = scenario, .text = path, .n = start, .count = n_off},
                   compare_log);
}

static void *compare(call *c)
{
    ks_replay *first = replay(c, NULL, NULL);
    c->scenario = c->second;
    ks_replay *second = first ? replay(c, NULL, NULL) : NULL;
    if (!second)
        return NULL;
    *c->count = ks_report_differences(first, second);
    return new_report(c, first);
}

kvsim_report *kvsim_compare(kvsim *k, const kvsim_scenario *first, const kvsim_scenario *second,
                            size_t *n_differ)
{
    return guarded(&(call){.k = k, .scenario = first, .second = second, .count = n_differ}, compare);
}

/* A scenario's document, if the file is one; else the name as a document, which stands for a machine. */
static const ks_doc *named_machine(kvsim *k, const char *what)
{
    ks_doc *name = doc_of(k, "<machine>", what);
    const ks_source *source =
        ks_read_file(&k->diags, name->text, KS_MAX_FILE, (ks_span){0}, strcmp(what, "-") == 0);
    if (!source || ks_starts_with(ks_trim(source->text), KS_STR("<")))
        return name;
    ks_doc *doc = ks_read_yaml(&k->diags, source);
    return doc && !ks_member_of(doc, "llm") && !ks_member_of(doc, "launch") ? name : doc;
}

static void *allreduce(call *c)
{
    kvsim *k = c->k;
    const kvsim_allreduce_ask *asked = c->allreduce;
    ks_settings settings = {NULL, 0, 0};
    for (size_t i = 0; i < asked->n_settings; i++)
        if (!read_setting(k, asked->settings[i], KS_PUSH(k->arena, &settings)))
            return NULL;
    const ks_doc *what = named_machine(k, c->text);
    ks_allreduce_ask ask = {doc_of(k, "--bytes", asked->bytes),
                            doc_of(k, "--ranks", asked->ranks),
                            doc_of(k, "--algorithm", asked->algorithm),
                            doc_of(k, "--nccl", asked->nccl),
                            doc_of(k, "--engine", asked->engine),
                            doc_of(k, "--explain", asked->quantity),
                            &settings};
    ks_report *made = what ? ks_report_allreduce(&k->catalog, what, &ask) : NULL;
    if (!made)
        return NULL;
    kvsim_report *report = KS_NEW(k->arena, kvsim_report);
    report->report = made;
    return report;
}

kvsim_report *kvsim_allreduce(kvsim *k, const char *what, const kvsim_allreduce_ask *ask)
{
    return guarded(&(call){.k = k, .text = what, .allreduce = ask}, allreduce);
}

kvsim_verdict_code kvsim_verdict(const kvsim_report *report)
{
    static const kvsim_verdict_code codes[] = {[KS_FITS] = KVSIM_FITS,
                                               [KS_DOES_NOT_FIT] = KVSIM_DOES_NOT_FIT,
                                               [KS_UNSUPPORTED] = KVSIM_UNSUPPORTED,
                                               [KS_UNCERTAIN] = KVSIM_UNCERTAIN};
    return report ? codes[report->report->verdict] : KVSIM_BAD_INPUT;
}

bool kvsim_is_solved(const kvsim_report *report)
{
    return report && report->report->advice.n > 0;
}

bool kvsim_quantity(const kvsim_report *report, const char *name, kvsim_value *value)
{
    int number = ks_find_node(report->report, ks_from_c(name));
    if (number < 0 || report->report->nodes.items[number].hidden)
        return false;
    const ks_node *node = &report->report->nodes.items[number];
    bool is_number = node->type.base == KS_WHOLE || node->type.base == KS_REAL;
    size_t class = report->report->failed_class;
    *value = (kvsim_value){.value = is_number ? ks_node_real(node, class) : (double)NAN,
                           .is_whole = node->type.base == KS_WHOLE,
                           .kind = ks_kind_word(node->kind)};
    value->whole = value->is_whole ? ks_node_cell(node, class).i : 0;
    value->low = node->has_range ? node->low : value->value;
    value->high = node->has_range ? node->high : value->value;
    value->unit = ks_dim_name(node->type.dim);
    return true;
}

static void *write_report(call *c)
{
    const ks_report *report = c->report->report;
    if (c->style->format == KVSIM_JSON)
        return ks_render_json(report, PACKAGE_VERSION, c->sink) ? c->k : NULL;
    ks_render_text(report, (ks_text_options){c->style->colour, c->style->width}, c->sink);
    return c->k;
}

bool kvsim_write(kvsim *k, const kvsim_report *report, const kvsim_style *style,
                 kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .report = report, .style = style, .sink = {write, context}};
    return guarded(&c, write_report) != NULL;
}

/* The links of a machine in a line. */
static ks_str links_of(kvsim *k, ks_str name)
{
    ks_doc doc = {.kind = KS_SCALAR, .text = name};
    ks_machine machine = {.count = 0};
    const ks_topology *topology = ks_read_machine(&k->catalog, &doc, &machine)
                                      ? ks_topology_of_machine(&k->catalog, &machine)
                                      : NULL;
    return topology ? ks_topology_summary(k->arena, topology) : KS_STR("");
}

static void *write_failure(call *c)
{
    kvsim *k = c->k;
    size_t from = k->said;
    k->said = k->diags.n;
    return ks_render_json_failure(&k->diags, from, ks_from_c(c->text), PACKAGE_VERSION, c->sink) ? k
                                                                                          : NULL;
}

bool kvsim_write_failure(kvsim *k, const char *scenario, kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = scenario, .sink = {write, context}};
    return guarded(&c, write_failure) != NULL;
}

static void *list_files(call *c)
{
    kvsim *k = c->k;
    size_t n, shown = 0;
    bool is_machine = strcmp(c->text, "machine") == 0;
    ks_str *names = ks_catalog_names(&k->catalog, c->text, &n);
    ks_listed *items = KS_NEW_ARRAY(k->arena, ks_listed, n + 1);
    for (size_t i = 0; i < n; i++) {
        const ks_doc *doc = ks_catalog_load(&k->catalog, c->text, names[i], (ks_span){0});
        const ks_doc *title = doc ? ks_member_of(doc, "title") : NULL;
        const ks_doc *versions = doc ? ks_member_of(doc, "versions") : NULL;
        if (!doc)
            return NULL;
        if (ks_equal_c(names[i], "common"))
            continue;
        size_t errors = k->diags.errors;
        ks_str links = is_machine ? links_of(k, names[i]) : KS_STR("");
        if (k->diags.errors > errors)
            return NULL;
        items[shown++] = (ks_listed){names[i], versions ? versions->text : links,
                                     title ? title->text : KS_STR("")};
    }
    ks_render_listing(k->arena, items, shown, c->style->format == KVSIM_JSON,
                      strcmp(c->text, "engine") == 0 ? "versions" : is_machine ? "links" : NULL,
                      c->sink);
    return k;
}

static void *list_quantities(call *c)
{
    static const char typical[] = "kvsim: 1\nengine: sglang 0.5.9\nllm: llama-3.1-8b\n"
                                  "machine: {gpu: h100-sxm, count: 1}\n";
    kvsim *k = c->k;
    if (!c->scenario) {
        const ks_source *source = ks_source_new(k->arena, KS_STR("<typical>"), KS_STR(typical));
        c->scenario = new_scenario(k, source);
    }
    ks_replay *replayed = c->scenario ? replay(c, NULL, NULL) : NULL;
    if (!replayed)
        return NULL;
    const ks_report *report = replayed->report;
    ks_listed *items = KS_NEW_ARRAY(k->arena, ks_listed, report->nodes.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < report->nodes.n; i++) {
        const ks_node *node = &report->nodes.items[i];
        if (!node->hidden)
            items[n++] = (ks_listed){node->name, ks_dim_symbol(k->arena, node->type.dim),
                                     node->meaning};
    }
    ks_render_listing(k->arena, items, n, c->style->format == KVSIM_JSON, "unit", c->sink);
    return k;
}

static void *list(call *c)
{
    static const char *const kinds[] = {"gpu", "llm", "engine", "machine", "cpu"};
    ks_str names[] = {KS_STR("gpu"), KS_STR("llm"), KS_STR("engine"), KS_STR("machine"),
                      KS_STR("cpu"), KS_STR("quantities")};
    if (strcmp(c->text, "quantities") == 0)
        return list_quantities(c);
    for (size_t i = 0; i < KS_COUNT(kinds); i++)
        if (strcmp(c->text, kinds[i]) == 0)
            return list_files(c);
    ks_error(&c->k->diags, KS_C001, (ks_span){0},
             "can list gpu, cpu, llm, engine, machine or quantities, not \"%s\"", c->text);
    ks_suggest(&c->k->diags, ks_from_c(c->text), names, KS_COUNT(names));
    return NULL;
}

bool kvsim_list(kvsim *k, const char *kind, const kvsim_scenario *scenario,
                const kvsim_style *style, kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = kind, .scenario = scenario, .style = style, .sink = {write, context}};
    return guarded(&c, list) != NULL;
}

size_t kvsim_n_errors(const kvsim *k)
{
    return k->diags.errors + (k->exhausted ? 1 : 0);
}

void kvsim_write_diagnostics(const kvsim *k, bool colour, kvsim_write_fn *write, void *context)
{
    ks_sink sink = {write, context};
    ks_write_diags(&k->diags, 0, colour, sink);
    if (k->exhausted)
        ks_put_c(sink, "kvsim: error: out of memory: the input asks for more than the limit\n");
}

void kvsim_clear_diagnostics(kvsim *k)
{
    k->diags.n = k->diags.errors = k->diags.dropped = k->said = 0;
}
