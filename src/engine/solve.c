#include "engine/solve.h"

#include "engine/range.h"

#include <math.h>

/* Points that are tried at once, and where a trial is many lanes; how many a look takes. */
enum { BATCH = 16, SURE_BATCH = 1, LOOKS = 48 };

typedef struct solver {
    ks_model *model;
    ks_change unknown;
    int goal;
    const ks_change *also;
    size_t n_also;
    ks_varying varying, estimates;
    ks_lanes *lanes;
    size_t batch;
    size_t lanes_each; /* lanes of one trial: 1, or one for each end and sample */
    ks_solution solution;
    int64_t n_points;
} solver;

static double point(const solver *s, int64_t i)
{
    /* i / (1 / step) keeps decimal grids on their decimals: 770 / 1000, not 770 * 0.001. */
    if (s->solution.doubling)
        return ldexp(s->solution.first, (int)i);
    double per_unit = 1 / s->solution.step;
    double nearest = floor(per_unit + 0.5);
    bool decimal = s->solution.step < 1 && fabs(per_unit - nearest) < 1e-9 * per_unit;
    double first = s->solution.first;
    return decimal ? (floor(first * nearest + 0.5) + (double)i) / nearest
                   : first + (double)i * s->solution.step;
}

/* The grid: a flag's bounds and step; for memory, MiB from nothing to four times as much. */
static bool choose_grid(solver *s, const ks_plan *base)
{
    const ks_flag *flag = NULL;
    const ks_def *d = &s->model->program->defs.items[s->unknown.def];
    ks_solution *r = &s->solution;
    for (size_t i = 0; i < s->model->engine.flags.n; i++)
        if (s->model->engine.flags.items[i].def == s->unknown.def)
            flag = &s->model->engine.flags.items[i];
    if (d->type.base != KS_WHOLE && d->type.base != KS_REAL)
        return false;
    if (flag && flag->has_bounds) {
        r->first = flag->low;
        r->last = flag->high;
        r->step = flag->step > 0 ? flag->step : d->type.base == KS_WHOLE ? 1 : (r->last - r->first) / 1000;
        r->doubling = flag->doubling;
        if (flag->step > 1)
            r->first = ceil(r->first > 0 ? r->first / r->step : 1) * r->step;
    } else {
        double now = fabs(ks_plan_real(base, s->unknown.def, 0, 0));
        bool bytes = ks_same_dim(d->type.dim, KS_BYTE);
        r->step = bytes ? 1048576.0 : d->type.base == KS_WHOLE ? 1 : now > 0 ? now / 1000 : 0.001;
        r->first = bytes || d->type.base == KS_REAL ? 0 : 1;
        r->last = 4 * (now > r->step ? now : 64 * r->step);
    }
    s->n_points = r->doubling ? (int64_t)floor(log2(r->last / r->first) + 1e-9) + 1
                              : (int64_t)floor((r->last - r->first) / r->step + 1e-9) + 1;
    return s->n_points > 0;
}

static bool goal_holds(const solver *s, size_t lane)
{
    if (s->goal < 0)
        return true;
    for (size_t class = 0; class < s->model->program->n_classes; class++)
        if (ks_plan_get(s->lanes->plan, s->goal, class, lane).i != 1)
            return false;
    return true;
}

static ks_trial judge_trial(const solver *s, size_t first_lane, double value)
{
    ks_trial trial = {.value = value, .works = true};
    trial.yield = ks_plan_real(s->lanes->plan, s->model->engine.yields, 0, first_lane);
    trial.broken = ks_broken_requirement(s->model, s->lanes->plan, first_lane);
    if (trial.broken >= 0) {
        trial.works = false;
        trial.outcome = (ks_outcome){-1, 0, 0};
        return trial;
    }
    for (size_t k = 0; k < s->lanes_each; k++) {
        ks_outcome outcome = ks_judge(s->model, s->lanes->plan, first_lane + k);
        bool works = outcome.check < 0 && goal_holds(s, first_lane + k);
        if (works || !trial.works)
            continue;
        trial.works = false;
        trial.outcome = outcome;
    }
    if (trial.works)
        trial.tight = ks_tightest(s->model, s->lanes->plan, first_lane, &trial.room);
    return trial;
}

/* Tries up to s->batch grid points at once. */
static void try_points(solver *s, const int64_t *points, size_t n, ks_trial *trials)
{
    ks_type type = s->model->program->defs.items[s->unknown.def].type;
    for (size_t i = 0; i < s->batch; i++) {
        s->unknown.value = ks_from_real(type, point(s, points[i < n ? i : n - 1]));
        for (size_t k = 0; k < s->lanes_each; k++) {
            for (size_t m = 0; m < s->n_also; m++)
                ks_apply(s->lanes, i * s->lanes_each + k, &s->also[m]);
            ks_apply(s->lanes, i * s->lanes_each + k, &s->unknown);
        }
    }
    ks_plan_run(s->lanes->plan);
    for (size_t i = 0; i < n; i++)
        trials[i] = judge_trial(s, i * s->lanes_each, point(s, points[i]));
}

static ks_trial try_one(solver *s, int64_t i)
{
    ks_trial trial;
    try_points(s, &i, 1, &trial);
    return trial;
}

/* Between `in` (works) and `out` (does not), the last point that works, seen from `in`. */
static int64_t bisect(solver *s, int64_t in, int64_t out)
{
    int64_t direction = out > in ? 1 : -1;
    while ((out - in) * direction > 1) {
        int64_t points[BATCH], width = (out - in) * direction;
        ks_trial trials[BATCH];
        size_t n = width - 1 < (int64_t)s->batch ? (size_t)(width - 1) : s->batch;
        for (size_t i = 0; i < n; i++)
            points[i] = in + direction * (int64_t)((double)width * (double)(i + 1) / (double)(n + 1));
        try_points(s, points, n, trials);
        for (size_t i = 0; i < n; i++) {
            if (!trials[i].works) {
                out = points[i];
                break;
            }
            in = points[i];
        }
    }
    return in;
}

/* How badly a trial fails, for telling the nearest miss: later checks are nearer. */
static bool is_nearer(const ks_trial *a, const ks_trial *b)
{
    if (a->outcome.check != b->outcome.check)
        return a->outcome.check > b->outcome.check;
    return a->outcome.slack > b->outcome.slack;
}

/* The longest run of grid points that work between `first` and `last`, looking at some of them;
 * *nearest is the point that misses by least. */
static bool scan(solver *s, int64_t first, int64_t last, int64_t *from, int64_t *to,
                 int64_t *stride, int64_t *nearest)
{
    int64_t best = 0, run = 0, run_from = 0;
    bool missed = false;
    *stride = (last - first) / LOOKS > 0 ? (last - first) / LOOKS : 1;
    for (int64_t i = first; i <= last;) {
        int64_t points[BATCH];
        ks_trial trials[BATCH];
        size_t n = 0;
        for (; n < BATCH && i <= last; i += *stride)
            points[n++] = i;
        try_points(s, points, n, trials);
        for (size_t k = 0; k < n; k++) {
            if (!trials[k].works) {
                if (!missed || is_nearer(&trials[k], &s->solution.nearest)) {
                    s->solution.nearest = trials[k];
                    *nearest = points[k];
                }
                missed = true;
                run = 0;
                continue;
            }
            run_from = run ? run_from : points[k];
            if (++run > best) {
                best = run;
                *from = run_from;
                *to = points[k];
            }
        }
    }
    return best > 0;
}

/* A look at the whole grid, then closer and closer ones around the nearest miss. */
static bool search(solver *s, int64_t *from, int64_t *to, int64_t *stride)
{
    int64_t first = 0, last = s->n_points - 1, nearest = 0;
    while (!scan(s, first, last, from, to, stride, &nearest)) {
        if (*stride == 1)
            return false;
        first = nearest - *stride > 0 ? nearest - *stride : 0;
        last = nearest + *stride < s->n_points ? nearest + *stride : s->n_points - 1;
    }
    return true;
}

static void prepare(solver *s, const ks_plan *base, bool sure)
{
    s->varying = (ks_varying){NULL, 0, 0};
    s->estimates = s->varying;
    ks_vary_change(s->model, &s->varying, &s->unknown);
    for (size_t i = 0; i < s->n_also; i++)
        ks_vary_change(s->model, &s->varying, &s->also[i]);
    if (sure) {
        ks_vary_estimates(s->model, &s->estimates);
        for (size_t i = 0; i < s->estimates.n; i++)
            ks_vary(s->model, &s->varying, s->estimates.items[i]);
    }
    s->lanes_each = sure ? ks_n_range_lanes(&s->estimates) : 1;
    s->batch = sure ? SURE_BATCH : BATCH;
    s->lanes = ks_lanes_new(s->model, base, &s->varying, s->batch * s->lanes_each);
    for (size_t i = 0; sure && i < s->batch; i++)
        ks_fill_range_lanes(s->lanes, &s->estimates, i * s->lanes_each);
}

/* The part of [low, high] that works whatever the estimates are: from some point inside outwards. */
static void find_sure(solver *s, const ks_plan *base, int64_t low, int64_t high)
{
    enum { EIGHTHS = 8 };
    int64_t inside = -1;
    prepare(s, base, true);
    for (int64_t i = 0; i <= EIGHTHS && inside < 0; i++) {
        /* The middle first: the room is least at the ends. */
        int64_t at = low + (high - low) * ((EIGHTHS / 2 + i * 4) % (EIGHTHS + 1)) / EIGHTHS;
        inside = try_one(s, at).works ? at : -1;
    }
    s->solution.has_sure = inside >= 0;
    if (inside < 0)
        return;
    s->solution.sure_low = point(s, try_one(s, low).works ? low : bisect(s, inside, low));
    s->solution.sure_high = point(s, try_one(s, high).works ? high : bisect(s, inside, high));
}

/* False if the check that fails now does not depend on the unknown at all. */
static bool can_matter(solver *s, const ks_plan *base)
{
    ks_outcome now = ks_judge(s->model, base, 0);
    if (now.check < 0)
        return true;
    const ks_check *check = &s->model->engine.checks.items[now.check];
    if (ks_plan_varies(s->lanes->plan, check->slack) ||
        (check->when >= 0 && ks_plan_varies(s->lanes->plan, check->when)))
        return true;
    s->solution.nearest = (ks_trial){.broken = -1, .value = ks_plan_real(base, s->unknown.def, 0, 0),
                                     .outcome = now};
    return false;
}

static ks_solution solve(solver s, const ks_plan *base, bool sure)
{
    int64_t from = 0, to = 0, stride;
    s.solution.solvable = choose_grid(&s, base);
    if (!s.solution.solvable)
        return s.solution;
    prepare(&s, base, false);
    if (!can_matter(&s, base))
        return s.solution;
    s.solution.found = search(&s, &from, &to, &stride);
    if (!s.solution.found)
        return s.solution;
    if (from > 0)
        from = bisect(&s, from, from - stride > 0 ? from - stride : -1);
    if (to < s.n_points - 1)
        to = bisect(&s, to, to + stride < s.n_points ? to + stride : s.n_points);
    s.solution.low = try_one(&s, from);
    s.solution.high = try_one(&s, to);
    s.solution.has_below = from > 0;
    s.solution.has_above = to + 1 < s.n_points;
    if (s.solution.has_below)
        s.solution.below = try_one(&s, from - 1);
    if (s.solution.has_above)
        s.solution.above = try_one(&s, to + 1);
    if (sure)
        find_sure(&s, base, from, to);
    return s.solution;
}

ks_solution ks_solve(ks_model *model, const ks_plan *base, const ks_change *unknown, int goal,
                     bool sure)
{
    return solve((solver){.model = model, .unknown = *unknown, .goal = goal}, base, sure);
}

ks_solution ks_solve_with(ks_model *model, const ks_plan *base, const ks_change *unknown,
                          const ks_change *also, size_t n_also)
{
    return solve((solver){.model = model, .unknown = *unknown, .goal = -1, .also = also,
                          .n_also = n_also}, base, false);
}
