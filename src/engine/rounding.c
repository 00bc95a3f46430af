#include "engine/rounding.h"

#include <math.h>

/* Moves a measured quantity by `by` on all ranks. */
static void shift(ks_lanes *lanes, size_t lane, int def, double by)
{
    const ks_def *d = &lanes->model->program->defs.items[def];
    double value = ks_plan_real(lanes->base, def, 0, 0) + by;
    ks_plan_pin(lanes->plan, def, lane, KS_PIN_VALUE, ks_from_real(d->type, value));
    for (size_t class = 0; d->n_pin_values > 1 && class < lanes->model->program->n_classes; class++) {
        value = ks_plan_real(lanes->base, def, class, 0) + by;
        ks_plan_pin_class(lanes->plan, def, lane, class, ks_from_real(d->type, value));
    }
}

ks_rounding *ks_explore_rounding(ks_model *model, const ks_plan *base, const ks_rounded *items,
                                 size_t n)
{
    ks_rounding *r = KS_NEW(model->arena, ks_rounding);
    ks_varying varying = {NULL, 0, 0};
    for (size_t i = 0; i < n; i++)
        ks_vary(model, &varying, items[i].def);
    r->n = n;
    r->lanes = ks_lanes_new(model, base, &varying, 1 + 2 * n);
    for (size_t i = 0; i < n; i++) {
        shift(r->lanes, 1 + 2 * i, items[i].def, -items[i].half);
        shift(r->lanes, 2 + 2 * i, items[i].def, items[i].half);
    }
    ks_plan_run(r->lanes->plan);
    return r;
}

double ks_rounding_of(const ks_rounding *r, int def, size_t rank_class)
{
    double sum = 0, now = ks_plan_real(r->lanes->plan, def, rank_class, 0);
    for (size_t i = 0; i < r->n; i++) {
        double low = fabs(ks_plan_real(r->lanes->plan, def, rank_class, 1 + 2 * i) - now);
        double high = fabs(ks_plan_real(r->lanes->plan, def, rank_class, 2 + 2 * i) - now);
        double more = low > high ? low : high;
        sum += isnan(more) ? 0 : more;
    }
    return sum;
}
