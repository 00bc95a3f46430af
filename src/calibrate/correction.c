#include "calibrate/correction.h"

#include "calibrate/fit.h"

#include <math.h>
#include <stdlib.h>

/* A point that takes this much longer than both neighbours is a disturbance: more than any step that
 * larger sizes undo again was seen to be. */
static const double spike = 1.25;
/* The least that is promised: how far the held-out halves of all public series were off (see
 * test_calibrate.c), by the number of points. */
static const double least_scatter = 0.06, scatter_of_few = 0.45, scatter_share = 0.9;
/* A table's straight lines stay this close to the curve; steps of its sizes are at most an octave / 4. */
static const double table_tolerance = 0.004;
enum { STEPS_AN_OCTAVE = 4, BISECTIONS = 40 };

static int by_size(const void *a, const void *b)
{
    const ks_curve_point *x = a, *y = b;
    if (x->bytes < y->bytes || x->bytes > y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->time < y->time ? -1 : x->time > y->time;
}

size_t ks_join_points(ks_arena *arena, ks_curve_point *points, size_t n)
{
    size_t kept = 0;
    double *times = KS_NEW_ARRAY(arena, double, n + 1);
    if (n)
        qsort(points, n, sizeof *points, by_size);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i; next < n && !(points[next].bytes > points[i].bytes); next++)
            times[next - i] = points[next].time;
        points[kept++] = (ks_curve_point){points[i].bytes, ks_median(times, next - i)};
    }
    return kept;
}

/* ---- The curve. ---------------------------------------------------------------------------------------- */

static bool is_spike(const ks_curve_point *points, size_t n, size_t i)
{
    return i > 0 && i + 1 < n &&
           points[i].time > spike * fmax(points[i - 1].time, points[i + 1].time);
}

/* Pools neighbours whose times fall, until none does (the nearest rising sequence, in the logarithm). */
static void make_rising(ks_arena *arena, double *y, size_t n)
{
    double *mean = KS_NEW_ARRAY(arena, double, n + 1);
    size_t *count = KS_NEW_ARRAY(arena, size_t, n + 1), blocks = 0;
    for (size_t i = 0; i < n; i++) {
        mean[blocks] = y[i];
        count[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] > mean[blocks - 1]) {
            size_t a = count[blocks - 2], b = count[blocks - 1];
            mean[blocks - 2] = (mean[blocks - 2] * (double)a + mean[blocks - 1] * (double)b) /
                               (double)(a + b);
            count[blocks - 2] = a + b;
            blocks--;
        }
    }
    for (size_t i = 0, block = 0; block < blocks; block++)
        for (size_t k = 0; k < count[block]; k++)
            y[i++] = mean[block];
}

/* The derivative at an end of three points, kept from overshooting. */
static double end_slope(double h0, double h1, double d0, double d1)
{
    double slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0)
        return 0;
    return d0 * d1 <= 0 && fabs(slope) > fabs(3 * d0) ? 3 * d0 : slope;
}

/* Derivatives for monotone cubics: weighted harmonic means of the slopes on both sides (F. N. Fritsch
 * and J. Butland, SIAM J. Sci. Stat. Comput. 5, 1984). */
static void set_slopes(ks_curve *c)
{
    size_t n = c->n;
    const double *x = c->x, *y = c->y;
    if (n == 1)
        c->slope[0] = 0;
    if (n == 2)
        c->slope[0] = c->slope[1] = (y[1] - y[0]) / (x[1] - x[0]);
    for (size_t i = 1; n > 2 && i + 1 < n; i++) {
        double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i];
        double d0 = (y[i] - y[i - 1]) / h0, d1 = (y[i + 1] - y[i]) / h1;
        double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
        c->slope[i] = d0 * d1 > 0 ? (w0 + w1) / (w0 / d0 + w1 / d1) : 0;
        if (i == 1)
            c->slope[0] = end_slope(h0, h1, d0, d1);
        if (i + 2 == n)
            c->slope[n - 1] = end_slope(h1, h0, d1, d0);
    }
}

static ks_curve curve_without(ks_arena *arena, const ks_curve_point *points, size_t n,
                              size_t without, ks_curve_model *model, const void *context)
{
    ks_curve c = {.x = KS_NEW_ARRAY(arena, double, n + 1),
                  .y = KS_NEW_ARRAY(arena, double, n + 1),
                  .slope = KS_NEW_ARRAY(arena, double, n + 1),
                  .model = model,
                  .context = context,
                  .spikes = KS_NEW_ARRAY(arena, double, n + 1)};
    for (size_t i = 0; i < n; i++) {
        if (is_spike(points, n, i)) {
            c.spikes[c.n_spikes++] = points[i].bytes;
        } else if (i != without) {
            c.x[c.n] = log(points[i].bytes);
            c.y[c.n++] = log(points[i].time);
        }
    }
    make_rising(arena, c.y, c.n);
    set_slopes(&c);
    return c;
}

ks_curve ks_curve_of(ks_arena *arena, const ks_curve_point *points, size_t n, ks_curve_model *model,
                     const void *context)
{
    return curve_without(arena, points, n, n, model, context);
}

/* Beyond an end: the model, scaled to meet the curve there. */
static double beyond(const ks_curve *c, size_t end, double bytes)
{
    return exp(c->y[end]) * c->model(c->context, bytes) / c->model(c->context, exp(c->x[end]));
}

double ks_curve_time(const ks_curve *c, double bytes)
{
    double x = log(bytes);
    size_t i = 0, last = c->n - 1;
    if (x <= c->x[0])
        return beyond(c, 0, bytes);
    if (x >= c->x[last])
        return beyond(c, last, bytes);
    while (x > c->x[i + 1])
        i++;
    double h = c->x[i + 1] - c->x[i], t = (x - c->x[i]) / h, u = 1 - t;
    return exp((1 + 2 * t) * u * u * c->y[i] + t * u * u * h * c->slope[i] +
               t * t * (3 - 2 * t) * c->y[i + 1] - t * t * u * h * c->slope[i + 1]);
}

double ks_least_scatter(size_t n)
{
    return least_scatter + scatter_of_few / (double)(n ? n : 1);
}

double ks_curve_scatter(ks_arena *arena, const ks_curve_point *points, size_t n,
                        ks_curve_model *model, const void *context)
{
    double *off = KS_NEW_ARRAY(arena, double, n + 1);
    size_t kept = 0, counted = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_spike(points, n, i))
            continue;
        kept++;
        if (i == 0 || i + 1 == n)
            continue;
        ks_curve others = curve_without(arena, points, n, i, model, context);
        off[counted++] = fabs(log(points[i].time / ks_curve_time(&others, points[i].bytes)));
    }
    double least = ks_least_scatter(kept);
    return counted ? fmax(least, ks_quantile(off, counted, scatter_share)) : least;
}

/* ---- The table. ---------------------------------------------------------------------------------------- */

typedef struct table {
    ks_arena *arena;
    const ks_curve *curve;
    ks_curve_point *items;
    size_t n, capacity;
} table;

static ks_curve_point ratio_at(const table *t, double bytes)
{
    const ks_curve *c = t->curve;
    return (ks_curve_point){bytes, ks_curve_time(c, bytes) / c->model(c->context, bytes)};
}

/* Adds rows between two points until straight lines are close enough to the ratio; where the model has a
 * step, down to neighbouring sizes. */
static void add_between(table *t, ks_curve_point low, ks_curve_point high, int depth)
{
    double middle = floor((low.bytes + high.bytes) / 2);
    if (depth == 0 || !(middle > low.bytes) || !(middle < high.bytes))
        return;
    ks_curve_point real = ratio_at(t, middle);
    double line = low.time +
                  (high.time - low.time) * (middle - low.bytes) / (high.bytes - low.bytes);
    bool far = high.bytes > low.bytes * exp2(1.0 / STEPS_AN_OCTAVE);
    if (fabs(line / real.time - 1) <= table_tolerance && !far)
        return;
    add_between(t, low, real, depth - 1);
    *KS_PUSH(t->arena, t) = real;
    add_between(t, real, high, depth - 1);
}

/* True if all rows behind `from` and before `to` lie on the line between these two. */
static bool is_straight(const ks_curve_point *from, const ks_curve_point *to)
{
    for (const ks_curve_point *p = from + 1; p < to; p++) {
        double share = (p->bytes - from->bytes) / (to->bytes - from->bytes);
        if (fabs((from->time + (to->time - from->time) * share) / p->time - 1) > table_tolerance)
            return false;
    }
    return true;
}

/* Keeps the fewest rows that a walk from the first finds needed. */
static void thin_out(table *t)
{
    size_t kept = 1, from = 0;
    for (size_t i = 1; i < t->n; i++) {
        if (i + 1 < t->n && is_straight(&t->items[from], &t->items[i + 1]))
            continue;
        from = i;
        t->items[kept++] = t->items[i];
    }
    t->n = kept;
}

ks_curve_point *ks_curve_table(ks_arena *arena, const ks_curve *curve, size_t *n)
{
    table t = {.arena = arena, .curve = curve};
    ks_curve_point last = {0, 0};
    for (size_t i = 0; i < curve->n; i++) {
        ks_curve_point knot = ratio_at(&t, round(exp(curve->x[i])));
        if (i)
            add_between(&t, last, knot, BISECTIONS);
        *KS_PUSH(arena, &t) = knot;
        last = knot;
    }
    if (t.n > 2)
        thin_out(&t);
    *n = t.n;
    return t.items;
}
