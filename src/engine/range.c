#include "engine/range.h"

#include "engine/quasi.h"

#include <math.h>
#include <stdlib.h>

enum { JOINT_SAMPLES = 32 };

size_t ks_n_range_lanes(const ks_varying *estimates)
{
    return 1 + 2 * estimates->n + (estimates->n > 1 ? JOINT_SAMPLES : 0);
}

static void fill_joint(ks_lanes *lanes, const ks_varying *estimates, size_t first)
{
    size_t n = estimates->n;
    const double *points = ks_quasi_points(lanes->model->arena, n, JOINT_SAMPLES);
    for (size_t i = 0; i < JOINT_SAMPLES; i++)
        for (size_t k = 0; k < n; k++) {
            const ks_def *d = &lanes->model->program->defs.items[estimates->items[k]];
            double low = ks_as_real(d->type, d->low), high = ks_as_real(d->type, d->high);
            ks_set_estimate(lanes, first + i, estimates->items[k],
                            low + (high - low) * points[i * n + k]);
        }
}

void ks_fill_range_lanes(ks_lanes *lanes, const ks_varying *estimates, size_t first)
{
    for (size_t k = 0; k < estimates->n; k++) {
        const ks_def *d = &lanes->model->program->defs.items[estimates->items[k]];
        ks_set_estimate(lanes, first + 1 + 2 * k, estimates->items[k], ks_as_real(d->type, d->low));
        ks_set_estimate(lanes, first + 2 + 2 * k, estimates->items[k],
                        ks_as_real(d->type, d->high));
    }
    if (estimates->n > 1)
        fill_joint(lanes, estimates, first + 1 + 2 * estimates->n);
}

/* The check whose answer changes in some lane, else the one with the least room. */
static int check_in_question(const ks_ranges *r, ks_outcome nominal, const ks_outcome *outcomes,
                             size_t n)
{
    double slack;
    if (nominal.check >= 0)
        return nominal.check;
    for (size_t i = 1; i < n; i++)
        if (outcomes[i].check >= 0)
            return outcomes[i].check;
    return ks_tightest(r->lanes->model, r->lanes->plan, 0, &slack);
}

static int by_swing(const void *a, const void *b)
{
    const ks_influence *x = a, *y = b;
    if (x->flips != y->flips)
        return x->flips ? -1 : 1;
    return x->swing > y->swing ? -1 : x->swing < y->swing;
}

static void weigh(ks_ranges *r, const ks_outcome *outcomes)
{
    ks_model *model = r->lanes->model;
    size_t n = r->estimates.n, class;
    bool fits = outcomes[0].check < 0;
    r->influences = KS_NEW_ARRAY(model->arena, ks_influence, n + 1);
    for (size_t k = 0; k < n; k++) {
        const ks_check *check = &model->engine.checks.items[r->check];
        double low = ks_worst_slack(model, check, r->lanes->plan, 1 + 2 * k, &class);
        double high = ks_worst_slack(model, check, r->lanes->plan, 2 + 2 * k, &class);
        r->influences[k] = (ks_influence){
            .def = r->estimates.items[k],
            .flips = (outcomes[1 + 2 * k].check < 0) != fits ||
                     (outcomes[2 + 2 * k].check < 0) != fits,
            .swing = fabs(high - low),
        };
    }
    if (n)
        qsort(r->influences, n, sizeof *r->influences, by_swing);
}

ks_ranges *ks_explore_ranges(ks_model *model, const ks_plan *base)
{
    ks_ranges *r = KS_NEW(model->arena, ks_ranges);
    ks_vary_estimates(model, &r->estimates);
    size_t n = ks_n_range_lanes(&r->estimates);
    r->lanes = ks_lanes_new(model, base, &r->estimates, n);
    ks_fill_range_lanes(r->lanes, &r->estimates, 0);
    ks_plan_run(r->lanes->plan);
    ks_outcome *outcomes = KS_NEW_ARRAY(model->arena, ks_outcome, n);
    for (size_t i = 0; i < n; i++) {
        outcomes[i] = ks_judge(model, r->lanes->plan, i);
        bool other = (outcomes[i].check < 0) != (outcomes[0].check < 0);
        r->uncertain |= other;
        if (other && i > 2 * r->estimates.n)
            r->flipped_joint++;
    }
    r->n_joint = n - 1 - 2 * r->estimates.n;
    r->check = check_in_question(r, outcomes[0], outcomes, n);
    if (r->check >= 0)
        weigh(r, outcomes);
    return r;
}

void ks_range_on(const ks_ranges *ranges, int def, size_t rank_class, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t lane = 0; lane < ranges->lanes->n; lane++) {
        double value = ks_plan_real(ranges->lanes->plan, def, rank_class, lane);
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

void ks_range_of(const ks_ranges *ranges, int def, double *low, double *high)
{
    const ks_program *program = ranges->lanes->model->program;
    size_t classes = program->defs.items[def].per_rank ? program->n_classes : 1;
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t class = 0; class < classes; class++) {
        double least, most;
        ks_range_on(ranges, def, class, &least, &most);
        *low = least < *low ? least : *low;
        *high = most > *high ? most : *high;
    }
}
