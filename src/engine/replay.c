#include "engine/replay.h"

#include <math.h>

/* Follows what cannot be computed back to where it began, and reports that formula. */
static void report_sick(ks_model *model, const ks_plan *plan, int def, size_t class)
{
    const ks_def *d = &model->program->defs.items[def];
    for (size_t i = 0; i < d->n_inputs; i++)
        if (isnan(ks_plan_real(plan, d->inputs[i], class, 0))) {
            report_sick(model, plan, d->inputs[i], class);
            return;
        }
    ks_error(model->diags, KS_E001, d->formula.text.n ? d->formula.span : d->at,
             "%.*s cannot be computed: a division by zero, or a number beyond 64 bits",
             KS_ARG(d->name));
}

bool ks_is_computed(ks_model *model, const ks_plan *plan, int def)
{
    for (size_t class = 0; class < model->program->n_classes; class++)
        if (isnan(ks_plan_real(plan, def, class, 0))) {
            report_sick(model, plan, def, class);
            return false;
        }
    return true;
}

static bool check_values(ks_model *model, const ks_plan *plan)
{
    for (size_t i = 0; i < model->engine.checks.n; i++)
        if (!ks_is_computed(model, plan, model->engine.checks.items[i].slack))
            return false;
    return true;
}

static void set_ranges(ks_replay *replay)
{
    ks_report *report = replay->report;
    for (size_t i = 0; i < report->nodes.n; i++) {
        ks_node *node = &report->nodes.items[i];
        if (node->type.base != KS_WHOLE && node->type.base != KS_REAL)
            continue;
        ks_range_of(replay->ranges, (int)i, &node->low, &node->high);
        node->has_range = node->low < node->high && !ks_node_differs(node);
    }
}

static void set_ledger(ks_replay *replay)
{
    const ks_engine *engine = &replay->model->engine;
    for (size_t i = 0; i < engine->phases.n; i++) {
        const ks_phase *phase = &engine->phases.items[i];
        if (phase->bytes < 0 ||
            (phase->when >= 0 && ks_plan_get(replay->base, phase->when, 0, 0).i != 1))
            continue;
        *KS_PUSH(replay->report->arena, &replay->report->ledger) = (ks_ledger_row){
            phase->id, phase->title, phase->bytes, phase->free, phase->unexplained};
    }
}

static void set_verdict(ks_replay *replay)
{
    ks_report *report = replay->report;
    const ks_engine *engine = &replay->model->engine;
    int failed = replay->outcome.check;
    report->verdict = failed < 0 ? KS_FITS
                      : engine->checks.items[failed].unsupported ? KS_UNSUPPORTED
                                                                 : KS_DOES_NOT_FIT;
    if (failed >= 0) {
        const ks_check *check = &engine->checks.items[failed];
        report->failed_phase = engine->phases.items[check->phase].id;
        report->failed_check = check->id;
        report->failed_slack = check->slack;
        report->failed_class = replay->outcome.rank_class;
        report->failed_message = ks_fill(report, &check->message, report->failed_class);
    }
    if (replay->ranges->uncertain)
        report->verdict = KS_UNCERTAIN;
}

ks_replay *ks_replay_scenario(ks_model *model)
{
    ks_replay *replay = KS_NEW(model->arena, ks_replay);
    replay->model = model;
    replay->base = ks_run_base(model);
    if (!check_values(model, replay->base))
        return NULL;
    replay->outcome = ks_judge(model, replay->base, 0);
    replay->ranges = ks_explore_ranges(model, replay->base);
    ks_report *report = ks_report_new(model->program, replay->base, 0);
    replay->report = report;
    report->title = model->title;
    report->scenario = model->source ? model->source->name : KS_STR("");
    report->engine = model->engine_text;
    report->llm = model->llm_name;
    report->machine = model->machine_name;
    set_ranges(replay);
    set_ledger(replay);
    set_verdict(replay);
    return replay;
}

int ks_deciding_node(const ks_replay *replay)
{
    const ks_engine *engine = &replay->model->engine;
    int check = replay->outcome.check;
    if (check < 0 && replay->ranges->uncertain)
        check = replay->ranges->check;
    int node = check < 0 ? engine->explains : engine->checks.items[check].decides;
    /* A quantity that is another one by name: that one has the sum. */
    const ks_expr *e = replay->report->nodes.items[node].expr;
    while (e && e->kind == KS_E_NAME && e->ref >= 0) {
        node = e->ref;
        e = replay->report->nodes.items[node].expr;
    }
    return node;
}

size_t ks_class_shown(const ks_replay *replay)
{
    return replay->outcome.check >= 0 ? replay->outcome.rank_class : 0;
}
