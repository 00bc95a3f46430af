/* Scenarios: loaded, made of command lines and logs, and changed by settings. */
#include "api/handle.h"

#include "engine/import.h"
#include "engine/import_topo.h"
#include "model/import_command.h"
#include "read/file.h"
#include "read/shell.h"
#include "read/yaml.h"

kvsim_scenario *ks_new_scenario(kvsim *k, const ks_source *source)
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
    return ks_new_scenario(c->k, ks_read_file(&c->k->diags, ks_from_c(c->text), KS_MAX_FILE,
                                           (ks_span){0}, true));
}

kvsim_scenario *kvsim_load(kvsim *k, const char *path)
{
    return ks_guard(&(call){.k = k, .text = path}, load);
}

static void *load_text(call *c)
{
    ks_str name = ks_copy(c->k->arena, ks_from_c(c->text));
    ks_str text = ks_copy(c->k->arena, (ks_str){c->more, c->n});
    return ks_new_scenario(c->k, ks_source_new(c->k->arena, name, text));
}

kvsim_scenario *kvsim_load_text(kvsim *k, const char *name, const char *text, size_t n)
{
    return ks_guard(&(call){.k = k, .text = name, .more = text, .n = n}, load_text);
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
    } rows[] = {{"kvsim", ks_doc_of(k, "kvsim", "1")},
                {"machine", ks_doc_of(k, "--machine", launch->machine)},
                {"engine", ks_doc_of(k, "--engine", launch->engine)},
                {"llm", ks_doc_of(k, "--llm", launch->llm)},
                {"launch", ks_doc_of(k, "<command>", text)}};
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
    return ks_guard(&(call){.k = k, .launch = launch}, load_command);
}

static void *import_command(call *c)
{
    kvsim *k = c->k;
    ks_str file;
    const kvsim_launch *launch = c->launch;
    const ks_source *source =
        ks_read_file(&k->diags, ks_from_c(c->text), KS_MAX_COMMAND, (ks_span){0}, true);
    ks_beside beside = {ks_doc_of(k, "--machine", launch->machine),
                        ks_doc_of(k, "--engine", launch->engine), ks_doc_of(k, "--llm", launch->llm)};
    if (!source || !ks_import_command(&k->catalog, source, &beside, &file))
        return NULL;
    ks_put(c->sink, file);
    return k;
}

bool kvsim_import_command(kvsim *k, const char *path, const kvsim_launch *launch,
                          kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = path, .launch = launch, .sink = {write, context}};
    return ks_guard(&c, import_command) != NULL;
}

static void *import_log(call *c)
{
    kvsim *k = c->k;
    ks_str engine = ks_copy(k->arena, ks_from_c(c->launch->engine));
    ks_str path = ks_copy(k->arena, ks_from_c(c->text));
    ks_import_ask ask = {ks_copy(k->arena, ks_from_c(c->launch->llm)),
                         ks_copy(k->arena, ks_from_c(c->launch->machine))};
    ks_run_log *log = ks_read_run_log(&k->catalog, path, (ks_log_ask){engine, c->n});
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
    return ks_guard(&c, import_log) != NULL;
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
    return ks_guard(&c, import_topo) != NULL;
}

static void *set(call *c)
{
    kvsim *k = c->k;
    ks_setting setting;
    if (!ks_read_setting(k, c->text, &setting))
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
    return ks_guard(&(call){.k = k, .scenario = scenario, .text = setting}, set);
}
