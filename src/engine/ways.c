#include "engine/ways.h"

#include <math.h>

/* Eight times as many GPUs is no advice any more. */
enum { MOST_HALVES = 14, MOST_DOUBLES = 3 };

bool ks_knob_change(const ks_model *model, const ks_knob *knob, const ks_flag **flag,
                    ks_change *change)
{
    *flag = ks_find_flag(&model->engine, knob->flag);
    if (*flag)
        *change = (ks_change){.def = (*flag)->def, .given = (*flag)->given};
    return *flag != NULL;
}

bool ks_is_interval_knob(const ks_model *model, const ks_knob *knob)
{
    const ks_flag *flag = ks_find_flag(&model->engine, knob->flag);
    return flag && !knob->raises.n && (flag->type.base == KS_WHOLE || flag->type.base == KS_REAL);
}

/* Where halving begins: the flag's value, or the quantity that stands for one that is automatic. */
static double value_now(const ks_replay *replay, const ks_knob *knob, const ks_flag *flag)
{
    int from = knob->halves.n ? ks_find(replay->model->program, knob->halves) : flag->def;
    return ks_plan_real(replay->base, from < 0 ? flag->def : from, 0, 0);
}

static double on_grid(const ks_flag *flag, double value)
{
    double step = flag->step > 0 ? flag->step : 1;
    return floor(value / step) * step;
}

typedef struct pair_search {
    const ks_replay *replay;
    ks_change first, with;
    ks_solution *solution;
    const ks_flag *second;
} pair_search;

static bool works_with(pair_search *p, double value)
{
    p->with.value = ks_from_real(p->second->type, value);
    *p->solution = ks_solve_with(p->replay->model, p->replay->base, &p->first, &p->with, 1);
    return p->solution->found;
}

bool ks_find_pair(const ks_replay *replay, const ks_knob *first, const ks_knob *second,
                  ks_change *with, ks_solution *solution)
{
    const ks_flag *flag;
    pair_search p = {.replay = replay, .solution = solution};
    if (!ks_knob_change(replay->model, first, &flag, &p.first) ||
        !ks_knob_change(replay->model, second, &p.second, &p.with))
        return false;
    double now = value_now(replay, second, p.second), in = -1, out = now;
    double least = p.second->has_bounds && p.second->low > 1 ? p.second->low : 1;
    for (int i = 0; i < MOST_HALVES && in < 0; i++) {
        double value = on_grid(p.second, out / 2);
        if (value < least || value >= out)
            return false;
        if (works_with(&p, value))
            in = value;
        else
            out = value;
    }
    /* Back towards what it is now. */
    for (double middle; in >= 0 && (middle = on_grid(p.second, (in + out) / 2)) > in && middle < out;) {
        if (works_with(&p, middle))
            in = middle;
        else
            out = middle;
    }
    if (in < 0 || !works_with(&p, in))
        return false;
    *with = p.with;
    return true;
}

/* True if the lane starts and fits; its yield. */
static bool lane_fits(const ks_replay *replay, const ks_lanes *lanes, size_t lane, double *yield)
{
    const ks_model *model = replay->model;
    *yield = ks_plan_real(lanes->plan, model->engine.yields, 0, lane);
    return ks_broken_requirement(model, lanes->plan, lane) < 0 &&
           ks_judge(model, lanes->plan, lane).check < 0;
}

static bool find_word(const ks_replay *replay, const ks_flag *flag, ks_change change, ks_way *way)
{
    ks_model *model = replay->model;
    ks_varying varying = {NULL, 0, 0};
    size_t n = flag->choices ? flag->choices->n : 0;
    bool found = false;
    if (n == 0)
        return false;
    ks_vary_change(model, &varying, &change);
    ks_lanes *lanes = ks_lanes_new(model, replay->base, &varying, n);
    for (size_t i = 0; i < n; i++) {
        change.value.i = ks_word(model->program, flag->choices->items[i].value->text);
        ks_apply(lanes, i, &change);
    }
    ks_plan_run(lanes->plan);
    for (size_t i = 0; i < n; i++) {
        double yield;
        if (!lane_fits(replay, lanes, i, &yield) || (found && yield <= way->yield))
            continue;
        ks_str word = flag->choices->items[i].value->text;
        *way = (ks_way){flag->spelling, word, {.i = ks_word(model->program, word)}, yield, 0};
        found = true;
    }
    return found;
}

static bool find_more_ranks(const ks_replay *replay, const ks_knob *knob, const ks_flag *flag,
                            ks_change change, ks_way *way)
{
    ks_model *model = replay->model;
    ks_varying varying = {NULL, 0, 0};
    ks_change gpus = {.def = ks_find(model->program, knob->raises), .given = -1};
    if (gpus.def < 0)
        return false;
    ks_vary_change(model, &varying, &change);
    ks_vary_change(model, &varying, &gpus);
    ks_lanes *lanes = ks_lanes_new(model, replay->base, &varying, MOST_DOUBLES);
    int64_t now = ks_plan_get(replay->base, flag->def, 0, 0).i;
    for (int i = 0; i < MOST_DOUBLES; i++) {
        int64_t needed = (int64_t)model->n_ranks << (i + 1);
        change.value.i = now << (i + 1);
        gpus.value.i = needed > model->gpu_count ? needed : model->gpu_count;
        ks_apply(lanes, (size_t)i, &change);
        ks_apply(lanes, (size_t)i, &gpus);
    }
    ks_plan_run(lanes->plan);
    for (int i = 0; i < MOST_DOUBLES; i++) {
        double yield;
        int64_t value = now << (i + 1);
        if (!lane_fits(replay, lanes, (size_t)i, &yield))
            continue;
        ks_str text = ks_format(replay->report->arena, "%lld", (long long)value);
        *way = (ks_way){flag->spelling, text, {.i = value}, yield, (int64_t)model->n_ranks << (i + 1)};
        return true;
    }
    return false;
}

bool ks_find_way(const ks_replay *replay, const ks_knob *knob, ks_way *way)
{
    const ks_flag *flag;
    ks_change change;
    if (!ks_knob_change(replay->model, knob, &flag, &change))
        return false;
    if (flag->type.base == KS_WORD)
        return find_word(replay, flag, change, way);
    return knob->raises.n && find_more_ranks(replay, knob, flag, change, way);
}
