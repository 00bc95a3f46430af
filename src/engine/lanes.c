#include "engine/lanes.h"

ks_plan *ks_run_base(ks_model *model)
{
    ks_plan *plan = ks_plan_new(model->program, NULL, 0, 1);
    ks_plan_run(plan);
    return plan;
}

void ks_vary(ks_model *model, ks_varying *varying, int def)
{
    for (size_t i = 0; i < varying->n; i++)
        if (varying->items[i] == def)
            return;
    *KS_PUSH(model->arena, varying) = def;
}

static bool is_measured(const ks_def *d)
{
    return d->modelled >= 0 && d->pin_mode == KS_PIN_VALUE;
}

void ks_vary_change(ks_model *model, ks_varying *varying, const ks_change *change)
{
    ks_vary(model, varying, change->def);
    if (change->given >= 0)
        ks_vary(model, varying, change->given);
    for (size_t i = 0; i < model->program->defs.n && !change->measured; i++)
        if (is_measured(&model->program->defs.items[i]))
            ks_vary(model, varying, (int)i);
}

void ks_vary_estimates(ks_model *model, ks_varying *varying)
{
    for (size_t i = 0; i < model->program->defs.n; i++) {
        const ks_def *d = &model->program->defs.items[i];
        if (d->has_range && d->modelled < 0)
            ks_vary(model, varying, (int)i);
    }
}

ks_lanes *ks_lanes_new(ks_model *model, const ks_plan *base, const ks_varying *varying, size_t n)
{
    ks_lanes *lanes = KS_NEW(model->arena, ks_lanes);
    *lanes = (ks_lanes){.model = model, .base = base, .n = n};
    lanes->plan = ks_plan_new(model->program, varying->items, varying->n, n);
    lanes->shifted = KS_NEW_ARRAY(model->arena, bool, n);
    lanes->measured = KS_NEW_ARRAY(model->arena, int, varying->n + 1);
    for (size_t i = 0; i < varying->n; i++)
        if (is_measured(&model->program->defs.items[varying->items[i]]))
            lanes->measured[lanes->n_measured++] = varying->items[i];
    return lanes;
}

static ks_cell difference(ks_type type, ks_cell a, ks_cell b)
{
    if (type.base == KS_REAL)
        return (ks_cell){.f = a.f - b.f};
    return (ks_cell){.i = a.i - b.i};
}

/* Measured quantities follow the model from here on, their residual kept. */
static void shift_measured(ks_lanes *lanes, size_t lane)
{
    ks_program *program = lanes->model->program;
    lanes->shifted[lane] = true;
    for (size_t i = 0; i < lanes->n_measured; i++) {
        int def = lanes->measured[i];
        const ks_def *d = &program->defs.items[def];
        ks_cell rest = difference(d->type, ks_plan_get(lanes->base, def, 0, 0),
                                  ks_plan_get(lanes->base, d->modelled, 0, 0));
        ks_plan_pin(lanes->plan, def, lane, KS_PIN_SHIFT, rest);
        for (size_t class = 0; d->n_pin_values > 1 && class < program->n_classes; class++)
            ks_plan_pin_class(lanes->plan, def, lane, class,
                              difference(d->type, ks_plan_get(lanes->base, def, class, 0),
                                         ks_plan_get(lanes->base, d->modelled, class, 0)));
    }
}

void ks_apply(ks_lanes *lanes, size_t lane, const ks_change *change)
{
    if (!change->measured && !lanes->shifted[lane])
        shift_measured(lanes, lane);
    ks_plan_pin(lanes->plan, change->def, lane, KS_PIN_VALUE, change->value);
    if (change->given >= 0)
        ks_plan_set(lanes->plan, change->given, lane, (ks_cell){.i = 1});
}

void ks_set_estimate(ks_lanes *lanes, size_t lane, int def, double value)
{
    ks_type type = lanes->model->program->defs.items[def].type;
    ks_plan_set(lanes->plan, def, lane, ks_from_real(type, value));
}
