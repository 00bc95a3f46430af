#include "engine/verdict.h"

#include <math.h>

bool ks_check_applies(const ks_model *model, const ks_check *check, const ks_plan *plan,
                      size_t lane)
{
    if (check->when < 0)
        return true;
    for (size_t class = 0; class < model->program->n_classes; class++)
        if (ks_plan_get(plan, check->when, class, lane).i == 1)
            return true;
    return false;
}

int ks_broken_requirement(const ks_model *model, const ks_plan *plan, size_t lane)
{
    for (size_t i = 0; i < model->engine.requirements.n; i++)
        if (ks_plan_get(plan, model->engine.requirements.items[i].that, 0, lane).i != 1)
            return (int)i;
    return -1;
}

double ks_worst_slack(const ks_model *model, const ks_check *check, const ks_plan *plan,
                      size_t lane, size_t *rank_class)
{
    double worst = HUGE_VAL;
    *rank_class = 0;
    for (size_t class = 0; class < model->program->n_classes; class++) {
        double slack = ks_plan_real(plan, check->slack, class, lane);
        if (!(slack >= worst)) {
            worst = isnan(slack) ? -HUGE_VAL : slack;
            *rank_class = class;
        }
    }
    return worst;
}

ks_outcome ks_judge(const ks_model *model, const ks_plan *plan, size_t lane)
{
    for (size_t i = 0; i < model->engine.checks.n; i++) {
        const ks_check *check = &model->engine.checks.items[i];
        ks_outcome outcome = {(int)i, 0, 0};
        if (!ks_check_applies(model, check, plan, lane))
            continue;
        outcome.slack = ks_worst_slack(model, check, plan, lane, &outcome.rank_class);
        if (outcome.slack < 0)
            return outcome;
    }
    return (ks_outcome){-1, 0, 0};
}

int ks_tightest(const ks_model *model, const ks_plan *plan, size_t lane, double *slack)
{
    int tightest = -1;
    *slack = HUGE_VAL;
    for (size_t i = 0; i < model->engine.checks.n; i++) {
        const ks_check *check = &model->engine.checks.items[i];
        size_t class;
        if (!ks_check_applies(model, check, plan, lane))
            continue;
        double room = ks_worst_slack(model, check, plan, lane, &class);
        if (room < *slack) {
            *slack = room;
            tightest = (int)i;
        }
    }
    return tightest;
}
