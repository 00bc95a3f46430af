/* Reports: a run and everything that is asked of one. */
#include "api/handle.h"

#include "engine/advice.h"
#include "allreduce/allreduce.h"
#include "engine/compare.h"
#include "decode/decode.h"
#include "engine/differ.h"
#include "engine/explain.h"
#include "engine/memory.h"
#include "read/file.h"
#include "read/yaml.h"

#include <string.h>

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
    ks_ask ask = {.quantity = ks_copy(k->arena, ks_from_c(c->quantity)),
                  .extras = ks_new_extras(k, c->decode)->asked, .n_extras = KS_N_EXTRAS};
    ks_model *model = ks_build_model(&k->catalog, c->scenario->doc, settings, ask);
    if (!model)
        return false;
    *residuals = ks_find_residuals(model, ks_run_base(model));
    return true;
}

ks_replay *ks_replay_call(call *c, const char *unknown, const char *goal)
{
    kvsim *k = c->k;
    ks_residuals residuals;
    ks_api_extras *extra = ks_new_extras(k, c->decode);
    ks_ask ask = {.unknown = ks_copy(k->arena, ks_from_c(unknown)),
                  .goal = ks_copy(k->arena, ks_from_c(goal)),
                  .quantity = ks_copy(k->arena, ks_from_c(c->quantity)),
                  .extras = extra->asked,
                  .n_extras = KS_N_EXTRAS};
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
    kvsim_report *report = ks_new_report(c->k, replayed->report);
    report->replay = replayed;
    return report;
}

static void *run(call *c)
{
    ks_replay *replayed = ks_replay_call(c, NULL, NULL);
    if (!replayed)
        return NULL;
    ks_report_run(replayed);
    return new_report(c, replayed);
}

kvsim_report *kvsim_run(kvsim *k, const kvsim_scenario *scenario)
{
    return ks_guard(&(call){.k = k, .scenario = scenario}, run);
}

static void *add_log(call *c)
{
    ks_report_log(c->report->replay);
    return c->k;
}

bool kvsim_add_log(kvsim *k, kvsim_report *report)
{
    return ks_guard(&(call){.k = k, .report = report}, add_log) != NULL;
}

static void *explain(call *c)
{
    ks_replay *replayed = ks_replay_call(c, NULL, NULL);
    ks_str quantity = ks_copy(c->k->arena, ks_from_c(c->text));
    if (!replayed || !ks_report_explanation(replayed, quantity))
        return NULL;
    return new_report(c, replayed);
}

kvsim_report *kvsim_explain(kvsim *k, const kvsim_scenario *scenario, const char *quantity)
{
    return ks_guard(&(call){.k = k, .scenario = scenario, .text = quantity, .quantity = quantity},
                   explain);
}

static void *solve(call *c)
{
    ks_replay *replayed = ks_replay_call(c, c->text, c->more);
    if (!replayed)
        return NULL;
    ks_report_solution(replayed, ks_copy(c->k->arena, ks_from_c(c->text)));
    return new_report(c, replayed);
}

kvsim_report *kvsim_solve(kvsim *k, const kvsim_scenario *scenario, const char *unknown,
                          const char *goal)
{
    return ks_guard(&(call){.k = k, .scenario = scenario, .text = unknown, .more = goal}, solve);
}

static void *decode(call *c)
{
    ks_replay *replayed = ks_replay_call(c, NULL, NULL);
    if (!replayed)
        return NULL;
    ks_report_decode(replayed, c->judgement);
    *c->consistent = c->judgement->consistent;
    return new_report(c, replayed);
}

kvsim_report *kvsim_decode(kvsim *k, const kvsim_scenario *scenario, bool *consistent)
{
    return ks_guard(&(call){.k = k, .scenario = scenario, .decode = true, .consistent = consistent},
                   decode);
}

static void *check(call *c)
{
    ks_replay *replayed = ks_replay_call(c, NULL, NULL);
    if (!replayed)
        return NULL;
    *c->count = ks_report_expectations(replayed);
    return new_report(c, replayed);
}

kvsim_report *kvsim_check(kvsim *k, const kvsim_scenario *scenario, size_t *n_failed)
{
    return ks_guard(&(call){.k = k, .scenario = scenario, .count = n_failed}, check);
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
    return ks_guard(&(call){.k = k, .scenario = scenario, .text = path, .n = start, .count = n_off},
                   compare_log);
}

static void *compare(call *c)
{
    ks_replay *first = ks_replay_call(c, NULL, NULL);
    c->scenario = c->second;
    ks_replay *second = first ? ks_replay_call(c, NULL, NULL) : NULL;
    if (!second)
        return NULL;
    *c->count = ks_report_differences(first, second);
    return new_report(c, first);
}

kvsim_report *kvsim_compare(kvsim *k, const kvsim_scenario *first, const kvsim_scenario *second,
                            size_t *n_differ)
{
    return ks_guard(&(call){.k = k, .scenario = first, .second = second, .count = n_differ}, compare);
}

/* The document of a scenario or machine, if the file is one; else the name, which stands for a machine. */
static const ks_doc *named_machine(kvsim *k, const char *what)
{
    ks_doc *name = ks_doc_of(k, "<machine>", what);
    const ks_source *source =
        ks_read_file(&k->diags, name->text, KS_MAX_FILE, (ks_span){0}, strcmp(what, "-") == 0);
    if (!source || ks_starts_with(ks_trim(source->text), KS_STR("<")))
        return name;
    ks_doc *doc = ks_read_yaml(&k->diags, source);
    return doc && doc->kind != KS_MAP ? name : doc;
}

static void *allreduce(call *c)
{
    kvsim *k = c->k;
    const kvsim_allreduce_ask *asked = c->allreduce;
    ks_settings settings = {NULL, 0, 0};
    ks_str graph = {NULL, 0};
    for (size_t i = 0; i < asked->n_settings; i++)
        if (!ks_read_setting(k, asked->settings[i], KS_PUSH(k->arena, &settings)))
            return NULL;
    const ks_doc *what = named_machine(k, c->text);
    ks_allreduce_ask ask = {ks_doc_of(k, "--bytes", asked->bytes),
                            ks_doc_of(k, "--ranks", asked->ranks),
                            ks_doc_of(k, "--algorithm", asked->algorithm),
                            ks_doc_of(k, "--nccl", asked->nccl),
                            ks_doc_of(k, "--engine", asked->engine),
                            ks_doc_of(k, "--explain", asked->quantity),
                            &settings,
                            &graph};
    ks_report *made = what ? ks_report_allreduce(&k->catalog, what, &ask) : NULL;
    kvsim_report *report = made ? ks_new_report(k, made) : NULL;
    if (report)
        report->graph_file = graph;
    return report;
}

kvsim_report *kvsim_allreduce(kvsim *k, const char *what, const kvsim_allreduce_ask *ask)
{
    return ks_guard(&(call){.k = k, .text = what, .allreduce = ask}, allreduce);
}

bool kvsim_write_graph(const kvsim_report *report, kvsim_write_fn *write, void *context)
{
    if (!report->graph_file.n)
        return false;
    ks_put((ks_sink){write, context}, report->graph_file);
    return true;
}
