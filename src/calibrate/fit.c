#include "calibrate/fit.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 3, MOST_ITERATIONS = 100, MOST_POINTS = 40000 };

static const double widest_interval = 2, worst_condition = 1e8, tolerance = 1e-8;
static const double bisquare_width = 4.685, mad_scale = 1.4826;
/* Below this the residuals are rounding only, and all points are alike. */
static const double no_scatter = 1e-9;

typedef struct problem {
    ks_fit *fit;
    const ks_fit_point *points;
    size_t n, n_free;
    size_t free[KS_FIT_TERMS]; /* terms */
} problem;

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double ks_quantile(double *values, size_t n, double share)
{
    qsort(values, n, sizeof *values, by_value);
    size_t at = (size_t)(share * (double)n);
    return values[at < n ? at : n - 1];
}

double ks_median(double *values, size_t n)
{
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

double ks_fit_model(const ks_fit *fit, const double *x, double *slope)
{
    double sum = 0;
    for (size_t j = 0; j < fit->n_terms; j++)
        sum += fit->terms[j].value * x[j];
    for (size_t j = 0; slope && j < fit->n_terms; j++)
        slope[j] = fit->terms[j].value * x[j] / sum;
    return sum;
}

/* ---- What GSL calls. ----------------------------------------------------------------------------------- */

static void take_logs(const problem *p, const gsl_vector *logs)
{
    for (size_t i = 0; i < p->n_free; i++)
        p->fit->terms[p->free[i]].value = exp(gsl_vector_get(logs, i));
}

static int residuals(const gsl_vector *logs, void *context, gsl_vector *out)
{
    const problem *p = context;
    take_logs(p, logs);
    for (size_t i = 0; i < p->n; i++) {
        double model = ks_fit_model(p->fit, p->points[i].x, NULL);
        if (!(model > 0) || !isfinite(model))
            return GSL_EDOM;
        gsl_vector_set(out, i, log(model / p->points[i].time));
    }
    return GSL_SUCCESS;
}

static int jacobian(const gsl_vector *logs, void *context, gsl_matrix *out)
{
    const problem *p = context;
    double slope[KS_FIT_TERMS];
    take_logs(p, logs);
    for (size_t i = 0; i < p->n; i++) {
        double model = ks_fit_model(p->fit, p->points[i].x, slope);
        if (!(model > 0) || !isfinite(model))
            return GSL_EDOM;
        for (size_t j = 0; j < p->n_free; j++)
            gsl_matrix_set(out, i, j, slope[p->free[j]]);
    }
    return GSL_SUCCESS;
}

/* ---- The linear start. ----------------------------------------------------------------------------------- */

static void free_matrix(void *m)
{
    gsl_matrix_free(m);
}

static void free_vector(void *v)
{
    gsl_vector_free(v);
}

static void free_robust(void *w)
{
    gsl_multifit_robust_free(w);
}

static void free_nonlinear(void *w)
{
    gsl_multifit_nlinear_free(w);
}

/* The deferred object, or NULL if there was no memory for it. */
#define KEEP(arena, release, object) keep((arena), (release), (object))

static void *keep(ks_arena *arena, void (*release)(void *), void *object)
{
    if (object)
        ks_defer(arena, release, object);
    return object;
}

/* Rows divided by their times, so that errors are relative; what is fixed is taken off the target. */
static void fill_rows(const problem *p, gsl_matrix *rows, gsl_vector *targets)
{
    for (size_t i = 0; i < p->n; i++) {
        const ks_fit_point *point = &p->points[i];
        double fixed = 0;
        for (size_t j = 0; j < p->fit->n_terms; j++)
            fixed += p->fit->terms[j].value * point->x[j];
        for (size_t j = 0; j < p->n_free; j++) {
            fixed -= p->fit->terms[p->free[j]].value * point->x[p->free[j]];
            gsl_matrix_set(rows, i, j, point->x[p->free[j]] / point->time);
        }
        gsl_vector_set(targets, i, 1 - fixed / point->time);
    }
}

/* Sets the free parameters from a robust linear fit, where that gives positive ones. */
static void start_linear(ks_arena *arena, const problem *p)
{
    gsl_matrix *rows = KEEP(arena, free_matrix, gsl_matrix_alloc(p->n, p->n_free));
    gsl_matrix *cov = KEEP(arena, free_matrix, gsl_matrix_alloc(p->n_free, p->n_free));
    gsl_vector *targets = KEEP(arena, free_vector, gsl_vector_alloc(p->n));
    gsl_vector *c = KEEP(arena, free_vector, gsl_vector_alloc(p->n_free));
    gsl_multifit_robust_workspace *w = KEEP(
        arena, free_robust,
        gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, p->n, p->n_free));
    if (!rows || !cov || !targets || !c || !w)
        return;
    fill_rows(p, rows, targets);
    int status = gsl_multifit_robust(rows, targets, c, cov, w);
    if (status != GSL_SUCCESS && status != GSL_EMAXITER)
        return;
    for (size_t j = 0; j < p->n_free; j++)
        if (gsl_vector_get(c, j) > 0 && isfinite(gsl_vector_get(c, j)))
            p->fit->terms[p->free[j]].value = gsl_vector_get(c, j);
}

/* ---- The refinement. --------------------------------------------------------------------------------------- */

/* Bisquare weights from the residuals: less for what is far off, nothing for outliers. */
static void reweight(ks_arena *arena, const gsl_vector *r, gsl_vector *weights)
{
    double *sizes = KS_NEW_ARRAY(arena, double, r->size);
    for (size_t i = 0; i < r->size; i++) {
        double weight = gsl_vector_get(weights, i);
        /* GSL's residuals are weighted already. */
        sizes[i] = weight > 0 ? fabs(gsl_vector_get(r, i)) / sqrt(weight) : HUGE_VAL;
    }
    double *sorted = KS_NEW_ARRAY(arena, double, r->size);
    for (size_t i = 0; i < r->size; i++)
        sorted[i] = sizes[i];
    double s = mad_scale * ks_median(sorted, r->size);
    for (size_t i = 0; i < r->size; i++) {
        double u = s > no_scatter ? sizes[i] / (bisquare_width * s) : 0;
        gsl_vector_set(weights, i, u < 1 ? (1 - u * u) * (1 - u * u) : 0);
    }
}

/* Intervals of the free parameters, and the condition of the problem. */
static bool judge(ks_arena *arena, const problem *p, gsl_multifit_nlinear_workspace *w,
                  const gsl_vector *weights)
{
    gsl_matrix *covariance = KEEP(arena, free_matrix, gsl_matrix_alloc(p->n_free, p->n_free));
    const gsl_vector *r = gsl_multifit_nlinear_residual(w);
    double reciprocal = 0, sum = 0, counted = 0;
    if (!covariance || gsl_multifit_nlinear_rcond(&reciprocal, w) != GSL_SUCCESS)
        return false;
    p->fit->condition = reciprocal > 0 ? 1 / reciprocal : HUGE_VAL;
    if (!(p->fit->condition <= worst_condition) ||
        gsl_multifit_nlinear_covar(gsl_multifit_nlinear_jac(w), 0, covariance) != GSL_SUCCESS)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        sum += gsl_vector_get(r, i) * gsl_vector_get(r, i);
        counted += gsl_vector_get(weights, i);
    }
    double freedom = counted - (double)p->n_free, variance = sum / (freedom > 1 ? freedom : 1);
    for (size_t j = 0; j < p->n_free; j++) {
        ks_fit_parameter *term = &p->fit->terms[p->free[j]];
        double sigma = sqrt(gsl_matrix_get(covariance, j, j) * variance);
        term->low = term->value * exp(-sigma);
        term->high = term->value * exp(sigma);
        term->identifiable = exp(sigma) <= widest_interval;
    }
    return true;
}

static bool refine(ks_arena *arena, problem *p)
{
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf fdf = {
        .f = residuals, .df = jacobian, .n = p->n, .p = p->n_free, .params = p};
    gsl_multifit_nlinear_workspace *w = KEEP(
        arena, free_nonlinear,
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, p->n, p->n_free));
    gsl_vector *logs = KEEP(arena, free_vector, gsl_vector_alloc(p->n_free));
    gsl_vector *weights = KEEP(arena, free_vector, gsl_vector_alloc(p->n));
    int info, status = GSL_SUCCESS;
    if (!w || !logs || !weights)
        return false;
    gsl_vector_set_all(weights, 1);
    for (size_t j = 0; j < p->n_free; j++)
        gsl_vector_set(logs, j, log(p->fit->terms[p->free[j]].value));
    for (int round = 0; round <= ROUNDS; round++) {
        if (round)
            reweight(arena, gsl_multifit_nlinear_residual(w), weights);
        if (gsl_multifit_nlinear_winit(logs, weights, &fdf, w) != GSL_SUCCESS)
            return false;
        status = gsl_multifit_nlinear_driver(MOST_ITERATIONS, tolerance, tolerance, 0, NULL, NULL,
                                             &info, w);
        if (status != GSL_SUCCESS && status != GSL_EMAXITER && status != GSL_ENOPROG)
            return false;
        gsl_vector_memcpy(logs, gsl_multifit_nlinear_position(w));
    }
    take_logs(p, logs);
    return judge(arena, p, w, weights);
}

/* ---- The whole. ---------------------------------------------------------------------------------------------- */

static bool are_sound(const ks_fit *fit, const ks_fit_point *points, size_t n)
{
    if (n > MOST_POINTS || fit->n_terms < 1 || fit->n_terms > KS_FIT_TERMS)
        return false;
    for (size_t j = 0; j < fit->n_terms; j++)
        if (!(fit->terms[j].value > 0) || !isfinite(fit->terms[j].value))
            return false;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < fit->n_terms; j++) {
            if (!(points[i].x[j] >= 0))
                return false;
            sum += points[i].x[j];
        }
        if (!(points[i].time > 0) || !isfinite(points[i].time) || !(sum > 0) || !isfinite(sum))
            return false;
    }
    return true;
}

static void measure_errors(ks_arena *arena, ks_fit *fit, const ks_fit_point *points, size_t n)
{
    double *sizes = KS_NEW_ARRAY(arena, double, n + 1);
    fit->mean_error = fit->worst_error = 0;
    for (size_t i = 0; i < n; i++) {
        double off = ks_fit_model(fit, points[i].x, NULL) / points[i].time - 1;
        sizes[i] = fabs(log1p(off));
        fit->mean_error += fabs(off) / (double)n;
        if (i == 0 || fabs(off) > fabs(fit->worst_error)) {
            fit->worst_error = off;
            fit->worst = i;
        }
    }
    fit->scatter = n ? mad_scale * ks_median(sizes, n) : 0;
}

/* The free term that matters least: whose largest share of any point's time is the smallest. */
static size_t find_least(const problem *p)
{
    size_t least = p->free[0];
    double lowest = HUGE_VAL, slope[KS_FIT_TERMS];
    for (size_t j = 0; j < p->n_free; j++) {
        double share = 0;
        for (size_t i = 0; i < p->n; i++) {
            ks_fit_model(p->fit, p->points[i].x, slope);
            share = fmax(share, slope[p->free[j]]);
        }
        if (share < lowest) {
            lowest = share;
            least = p->free[j];
        }
    }
    return least;
}

/* The free term with the widest interval, of those that are not identifiable; n_terms if all are. */
static size_t find_widest(const problem *p)
{
    size_t widest = p->fit->n_terms;
    double width = 0;
    for (size_t j = 0; j < p->n_free; j++) {
        const ks_fit_parameter *term = &p->fit->terms[p->free[j]];
        if (!term->identifiable && !(term->high / term->low <= width)) {
            width = term->high / term->low;
            widest = p->free[j];
        }
    }
    return widest;
}

/* One fit of all that is free. False if it failed, or a parameter is not identifiable: then one of them is
 * fixed at its default, and the others are back at theirs. */
static bool fit_once(ks_arena *arena, problem *p, const double *defaults)
{
    const ks_cleanup *mark = ks_arena_mark(arena);
    start_linear(arena, p);
    bool fitted = refine(arena, p);
    size_t widest = fitted ? find_widest(p) : p->fit->n_terms;
    ks_arena_unwind(arena, mark);
    if (fitted && widest == p->fit->n_terms)
        return true;
    for (size_t j = 0; j < p->n_free; j++)
        p->fit->terms[p->free[j]].value = defaults[p->free[j]];
    p->fit->terms[fitted ? widest : find_least(p)].fixed = true;
    return false;
}

/* GSL's own handler would end the process. It is put back whatever happens. */
typedef struct handler {
    gsl_error_handler_t *before;
} handler;

static void restore_handler(void *object)
{
    const handler *h = object;
    gsl_set_error_handler(h->before);
}

bool ks_fit_terms(ks_arena *arena, ks_fit *fit, const ks_fit_point *points, size_t n)
{
    double defaults[KS_FIT_TERMS];
    bool fixed[KS_FIT_TERMS] = {false}, done = false;
    fit->condition = HUGE_VAL;
    if (!are_sound(fit, points, n))
        return false;
    for (size_t j = 0; j < fit->n_terms; j++) {
        ks_fit_parameter *term = &fit->terms[j];
        defaults[j] = term->low = term->high = term->value;
        fixed[j] = term->fixed;
        term->identifiable = false;
    }
    handler *h = KS_NEW(arena, handler);
    ks_cleanup *cleanup = ks_defer(arena, restore_handler, h);
    h->before = gsl_set_error_handler_off();
    for (;;) {
        problem p = {.fit = fit, .points = points, .n = n};
        for (size_t j = 0; j < fit->n_terms; j++)
            if (!fit->terms[j].fixed)
                p.free[p.n_free++] = j;
        if (p.n_free == 0)
            break;
        if (n >= p.n_free + KS_FIT_LEAST && fit_once(arena, &p, defaults)) {
            done = true;
            break;
        }
        if (n < p.n_free + KS_FIT_LEAST)
            fit->terms[p.free[0]].fixed = true;
    }
    ks_finish(arena, cleanup);
    for (size_t j = 0; j < fit->n_terms; j++) {
        ks_fit_parameter *term = &fit->terms[j];
        term->identifiable = term->identifiable && !term->fixed;
        if (!term->identifiable)
            term->low = term->high = term->value;
        term->fixed = fixed[j];
    }
    measure_errors(arena, fit, points, n);
    return done;
}
