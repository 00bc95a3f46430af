#include "allreduce/timing.h"

#include "engine/quasi.h"

#include <math.h>

enum { JOINT = 48, GRID_STEPS = 8, GRID_FIRST = 8, GRID_LAST = 28 };

typedef struct estimates {
    int *items;
    size_t n, capacity;
} estimates;

/* Inputs with a range on which a definition stands. */
static void collect(const ks_program *program, int def, bool *seen, estimates *found)
{
    const ks_def *d = &program->defs.items[def];
    if (seen[def])
        return;
    seen[def] = true;
    if (d->has_range && !d->formula.text.n && (d->type.base == KS_WHOLE || d->type.base == KS_REAL))
        *KS_PUSH(program->arena, found) = def;
    for (size_t i = 0; i < d->n_inputs; i++)
        collect(program, d->inputs[i], seen, found);
}

static estimates find_estimates(const ks_program *program, const ks_allreduce *a)
{
    estimates found = {NULL, 0, 0};
    bool *seen = KS_NEW_ARRAY(program->arena, bool, program->defs.n + 1);
    for (size_t i = 0; i < a->algorithms.n; i++)
        collect(program, a->algorithms.items[i].time, seen, &found);
    return found;
}

/* Lane 0 as it stands, each estimate at its ends alone, then joint samples. */
static void set_lanes(ks_plan *plan, const ks_program *program, const estimates *e)
{
    for (size_t k = 0; k < e->n; k++) {
        const ks_def *d = &program->defs.items[e->items[k]];
        ks_plan_set(plan, e->items[k], 1 + 2 * k, d->low);
        ks_plan_set(plan, e->items[k], 2 + 2 * k, d->high);
    }
    if (e->n < 2)
        return;
    const double *points = ks_quasi_points(program->arena, e->n, JOINT);
    for (size_t i = 0; i < JOINT; i++)
        for (size_t k = 0; k < e->n; k++) {
            const ks_def *d = &program->defs.items[e->items[k]];
            double low = ks_as_real(d->type, d->low), high = ks_as_real(d->type, d->high);
            ks_plan_set(plan, e->items[k], 1 + 2 * e->n + i,
                        ks_from_real(d->type, low + (high - low) * points[i * e->n + k]));
        }
}

static ks_timed timed(const ks_plan *plan, int time, size_t lanes)
{
    ks_timed t = {.seconds = ks_plan_real(plan, time, 0, 0)};
    t.low = t.high = t.seconds;
    for (size_t lane = 1; lane < lanes; lane++) {
        double value = ks_plan_real(plan, time, 0, lane);
        t.low = value < t.low ? value : t.low;
        t.high = value > t.high ? value : t.high;
    }
    return t;
}

/* True for a time that a message can take on some machine: no more than an hour, and more than none. */
static bool is_time(const ks_timed *t)
{
    return t->low > 0 && t->seconds > 0 && t->high < 3600 && t->seconds < 3600;
}

static bool check_time(const ks_timing *timing, const ks_timing_point *p, const ks_timed *t)
{
    ks_program *program = timing->program;
    const ks_doc *own = timing->allreduce->calibration;
    if (is_time(t))
        return true;
    ks_error(program->diags, KS_E001,
             own ? own->span : program->defs.items[timing->allreduce->bytes].at,
             "an all-reduce of %lld bytes would take %g s (%g to %g): that is no time",
             (long long)p->bytes, t->seconds, t->low, t->high);
    ks_add_note(
        program->diags, (ks_span){0},
        own ? "a constant or a correction of the calibration is too small, too large or negative"
            : "a constant that was set is too small, too large or negative");
    return false;
}

static const ks_algorithm *named(const ks_timing *timing, int def, const ks_plan *plan)
{
    if (def < 0)
        return NULL;
    return ks_find_algorithm(timing->allreduce,
                             ks_word_text(timing->program, ks_plan_get(plan, def, 0, 0).i));
}

static void read_point(ks_timing *timing, const ks_plan *plan, size_t lanes, ks_timing_point *p)
{
    const ks_allreduce *a = timing->allreduce;
    ks_arena *arena = timing->program->arena;
    p->algorithms = KS_NEW_ARRAY(arena, ks_timed, a->algorithms.n + 1);
    p->refusals = KS_NEW_ARRAY(arena, bool, a->refusals.n + 1);
    for (size_t i = 0; i < a->algorithms.n; i++) {
        const ks_algorithm *one = &a->algorithms.items[i];
        p->algorithms[i] = timed(plan, one->time, lanes);
        p->algorithms[i].exists = ks_plan_get(plan, one->exists, 0, 0).i == 1 &&
                                  is_time(&p->algorithms[i]);
        p->algorithms[i].refused = ks_plan_get(plan, one->refused, 0, 0).i == 1;
    }
    for (size_t i = 0; i < a->refusals.n; i++)
        p->refusals[i] = ks_plan_get(plan, a->refusals.items[i].when, 0, 0).i == 1;
    p->nccl = timed(plan, a->nccl, lanes);
    p->chosen = timed(plan, a->time, lanes);
    p->nccl.exists = p->chosen.exists = true;
    p->chosen_as = named(timing, a->chosen, plan);
    p->nccl_as = named(timing, ks_find_in(timing->program, a->prefix, KS_STR("allreduce.nccl")),
                       plan);
    int own = ks_find_in(timing->program, a->prefix, KS_STR("nccl.estimate"));
    p->nccl_estimate = own < 0 ? (double)NAN : ks_plan_real(plan, own, 0, 0);
}

ks_timing *ks_time_allreduce(ks_program *program, const ks_allreduce *allreduce,
                             const int64_t *bytes, size_t n)
{
    ks_timing *timing = KS_NEW(program->arena, ks_timing);
    estimates e = find_estimates(program, allreduce);
    size_t lanes = 1 + 2 * e.n + (e.n > 1 ? JOINT : 0);
    int *varying = KS_NEW_ARRAY(program->arena, int, e.n + 1);
    for (size_t i = 0; i < e.n; i++)
        varying[i] = e.items[i];
    varying[e.n] = allreduce->bytes;
    *timing = (ks_timing){.program = program, .allreduce = allreduce, .n = n};
    timing->points = KS_NEW_ARRAY(program->arena, ks_timing_point, n + 1);
    ks_plan *plan = ks_plan_new(program, varying, e.n + 1, lanes);
    set_lanes(plan, program, &e);
    for (size_t i = 0; i < n; i++) {
        timing->points[i].bytes = bytes[i];
        for (size_t lane = 0; lane < lanes; lane++)
            ks_plan_set(plan, allreduce->bytes, lane, (ks_cell){.i = bytes[i]});
        ks_plan_run(plan);
        read_point(timing, plan, lanes, &timing->points[i]);
        if (!check_time(timing, &timing->points[i], &timing->points[i].nccl) ||
            !check_time(timing, &timing->points[i], &timing->points[i].chosen))
            return NULL;
    }
    return timing;
}

ks_plan *ks_plan_at(ks_program *program, const ks_allreduce *allreduce, int64_t bytes)
{
    ks_plan *plan = ks_plan_new(program, &allreduce->bytes, 1, 1);
    ks_plan_set(plan, allreduce->bytes, 0, (ks_cell){.i = bytes});
    ks_plan_run(plan);
    return plan;
}

bool ks_find_crossover(ks_program *program, const ks_allreduce *allreduce, int a, int b,
                       ks_crossover *crossover)
{
    enum { LANES = (GRID_LAST - GRID_FIRST) * GRID_STEPS + 1 };
    int64_t sizes[LANES];
    ks_plan *plan = ks_plan_new(program, &allreduce->bytes, 1, LANES);
    for (int i = 0; i < LANES; i++) {
        sizes[i] = (int64_t)(exp2(GRID_FIRST + (double)i / GRID_STEPS) / 16) * 16;
        ks_plan_set(plan, allreduce->bytes, (size_t)i, (ks_cell){.i = sizes[i]});
    }
    ks_plan_run(plan);
    *crossover = (ks_crossover){.a_wins = ks_plan_real(plan, a, 0, 0) <
                                          ks_plan_real(plan, b, 0, 0)};
    for (size_t i = 1; i < LANES; i++)
        if ((ks_plan_real(plan, a, 0, i) < ks_plan_real(plan, b, 0, i)) != crossover->a_wins) {
            crossover->last = sizes[i - 1];
            crossover->first = sizes[i];
            return true;
        }
    return false;
}
