/* Fits of sums of terms: parameters that went in come back, with noise and outliers too; what points do
 * not tell is said not to be identifiable, and keeps its default. */
#include "support.h"

#include "calibrate/calibrate.h"
#include "calibrate/fit.h"

#include <gsl/gsl_errno.h>

/* ---- Made-up measurements. ------------------------------------------------------------------------------ */

/* Numbers in (0, 1) from a seed: the same everywhere. */
typedef struct dice {
    uint64_t state;
} dice;

static double roll(dice *d)
{
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(d->state >> 11) + 0.5) / 9007199254740992.0;
}

static double roll_normal(dice *d)
{
    return sqrt(-2 * log(roll(d))) * cos(6.283185307179586 * roll(d));
}

typedef struct truth {
    enum ks_form form;
    double terms[KS_FIT_TERMS]; /* the last is a bandwidth */
} truth;

/* Sizes 1 KiB to 64 MiB; noise and outliers as spec'd: 3 %, and 5 % of the times twice as long. */
static size_t measure(const truth *t, const int64_t *ranks, size_t n_ranks, bool noisy,
                      uint64_t seed, ks_fit_point *points)
{
    dice d = {seed};
    size_t n = 0;
    for (size_t r = 0; r < n_ranks; r++)
        for (int i = 10; i <= 26; i++) {
            ks_fit_point *p = &points[n++];
            *p = (ks_fit_point){.bytes = exp2(i), .ranks = ranks[r]};
            ks_form_fill(t->form, ranks[r], p->bytes, p->x);
            for (size_t j = 0; j < ks_form_terms(t->form); j++)
                p->time += p->x[j] *
                           (j + 1 == ks_form_terms(t->form) ? 1 / t->terms[j] : t->terms[j]);
            if (noisy)
                p->time *= exp(0.03 * roll_normal(&d)) * (roll(&d) < 0.05 ? 2 : 1);
        }
    return n;
}

static ks_fit start_of(enum ks_form form, const double *start, bool base_fixed)
{
    ks_fit fit = {.n_terms = ks_form_terms(form)};
    for (size_t j = 0; j < fit.n_terms; j++)
        fit.terms[j].value = j + 1 == fit.n_terms ? 1 / start[j] : start[j];
    fit.terms[0].fixed = base_fixed;
    return fit;
}

static const int64_t counts[] = {2, 4, 8};
static const truth rows[] = {
    {KS_FORM_RING_LL, {6.6e-6, 1.3173e-6, 41.73e9}},
    {KS_FORM_RING_SIMPLE, {8.4e-6, 3.141e-6, 27.18e9}},
    {KS_FORM_RING_LL128, {14.0e-6, 1.9377e-6, 173.1e9}},
    {KS_FORM_ONE_STAGE, {7.257e-6, 23.71e9}},
    {KS_FORM_TWO_STAGE, {10.31e-6, 24.93e9}},
    {KS_FORM_DMA, {339.7e-6, 53.71e9}},
};
static const double ring_start[] = {0, 2.0e-6, 20e9}, kernel_start[] = {3e-6, 50e9};

static const double *start_values(const truth *t, double *own)
{
    bool ring = t->form < (enum ks_form)KS_N_RING_FORMS;
    for (size_t j = 0; j < ks_form_terms(t->form); j++)
        own[j] = ring ? ring_start[j] : kernel_start[j];
    if (ring)
        own[0] = t->terms[0];
    return own;
}

static void check_back(const char *row, const truth *t, const ks_fit *fit, size_t first,
                       double tolerance)
{
    for (size_t j = first; j < fit->n_terms; j++) {
        double value = j + 1 == fit->n_terms ? 1 / fit->terms[j].value : fit->terms[j].value;
        CHECK(row, fit->terms[j].identifiable);
        CHECK(row, fit->terms[j].low <= fit->terms[j].value &&
                       fit->terms[j].value <= fit->terms[j].high);
        CHECK_REAL(row, value, t->terms[j], tolerance);
    }
}

/* Without noise the parameters are those that went in. */
static void exact(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        bool ring = rows[i].form < (enum ks_form)KS_N_RING_FORMS;
        double own[KS_FIT_TERMS];
        ks_fit fit = start_of(rows[i].form, start_values(&rows[i], own), ring);
        size_t n = measure(&rows[i], &counts[2], 1, false, 0, points);
        CHECK(ks_form_prefix(rows[i].form), ks_fit_terms(w->arena, &fit, points, n));
        check_back(ks_form_prefix(rows[i].form), &rows[i], &fit, ring ? 1 : 0, 1e-7);
        CHECK(ks_form_prefix(rows[i].form), fit.mean_error < 1e-7);
    }
}

/* 3 % of noise and outliers: within 10 %, for every one of 40 seeds. */
static void noisy(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            bool ring = rows[i].form < (enum ks_form)KS_N_RING_FORMS;
            double own[KS_FIT_TERMS];
            ks_fit fit = start_of(rows[i].form, start_values(&rows[i], own), ring);
            size_t n = measure(&rows[i], &counts[2], 1, true, seed * 7919, points);
            CHECK(ks_form_prefix(rows[i].form), ks_fit_terms(w->arena, &fit, points, n));
            check_back(ks_form_prefix(rows[i].form), &rows[i], &fit, ring ? 1 : 0, 0.1);
            CHECK(ks_form_prefix(rows[i].form), fit.scatter > 0.01 && fit.scatter < 0.08);
        }
}

/* Three numbers of ranks tell base and alpha apart. */
static void several_ranks(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    const double start[] = {3e-6, 3e-6, 20e9};
    ks_fit fit = start_of(KS_FORM_RING_LL, start, false);
    size_t n = measure(&rows[0], counts, 3, false, 0, points);
    CHECK("exact", ks_fit_terms(w->arena, &fit, points, n));
    check_back("exact", &rows[0], &fit, 0, 1e-7);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        fit = start_of(KS_FORM_RING_LL, start, false);
        n = measure(&rows[0], counts, 3, true, seed * 104729, points);
        CHECK("noisy", ks_fit_terms(w->arena, &fit, points, n));
        check_back("noisy", &rows[0], &fit, 0, 0.1);
    }
}

/* One number of ranks does not: the base is found not to be identifiable, or alpha. */
static void one_rank_count(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    const double start[] = {6.6e-6, 1e-6, 20e9};
    ks_fit fit = start_of(KS_FORM_RING_LL, start, false);
    size_t n = measure(&rows[0], &counts[2], 1, true, 12345, points);
    CHECK("one", ks_fit_terms(w->arena, &fit, points, n));
    CHECK("one", !fit.terms[0].identifiable);
    CHECK_REAL("base kept", fit.terms[0].value, 6.6e-6, 0);
    check_back("rest", &rows[0], &fit, 1, 0.1);
}

/* Small sizes alone say nothing of a bandwidth. */
static void small_sizes(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    double own[KS_FIT_TERMS];
    ks_fit fit = start_of(KS_FORM_RING_LL, start_values(&rows[0], own), true);
    measure(&rows[0], &counts[2], 1, true, 777, points);
    CHECK("small", ks_fit_terms(w->arena, &fit, points, 5));
    CHECK("small", fit.terms[1].identifiable && !fit.terms[2].identifiable);
    CHECK_REAL("bandwidth kept", fit.terms[2].value, 1 / 20e9, 0);
    CHECK_REAL("alpha", fit.terms[1].value, 1.3173e-6, 0.1);
}

static void refused(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    double own[KS_FIT_TERMS];
    ks_fit fit = start_of(KS_FORM_ONE_STAGE, start_values(&rows[3], own), false);
    size_t n = measure(&rows[3], &counts[2], 1, false, 0, points);
    CHECK("two points", !ks_fit_terms(w->arena, &fit, points, 2));
    CHECK_REAL("two points", fit.terms[0].value, 3e-6, 0);
    CHECK("none", !ks_fit_terms(w->arena, &fit, points, 0));
    static const double bad[] = {0, -1e-6, (double)NAN, HUGE_VAL};
    for (size_t i = 0; i < KS_COUNT(bad); i++) {
        points[3].time = bad[i];
        CHECK("no time", !ks_fit_terms(w->arena, &fit, points, n));
    }
    points[3].time = 1e-5;
    points[3].x[1] = -1;
    CHECK("negative term", !ks_fit_terms(w->arena, &fit, points, n));
}

static void own_handler(const char *reason, const char *file, int line, int code)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)code;
}

static void handler_is_put_back(void **state)
{
    world *w = *state;
    ks_fit_point points[64];
    double own[KS_FIT_TERMS];
    gsl_error_handler_t *before = gsl_set_error_handler(own_handler);
    ks_fit fit = start_of(KS_FORM_ONE_STAGE, start_values(&rows[3], own), false);
    size_t n = measure(&rows[3], &counts[2], 1, true, 5, points);
    ks_fit_terms(w->arena, &fit, points, n);
    CHECK("handler", gsl_set_error_handler(before) == own_handler);
}

static void order_statistics(void **state)
{
    double odd[] = {5.25, -1.5, 3.125}, even[] = {9.75, 1.25, 4.5, 2.75}, ten[10];
    (void)state;
    CHECK_REAL("odd", ks_median(odd, 3), 3.125, 0);
    CHECK_REAL("even", ks_median(even, 4), 3.625, 0);
    for (int i = 0; i < 10; i++)
        ten[i] = 10.5 - i;
    CHECK_REAL("0.9", ks_quantile(ten, 10, 0.9), 10.5, 0);
    CHECK_REAL("0.25", ks_quantile(ten, 10, 0.25), 3.5, 0);
    CHECK_REAL("1", ks_quantile(ten, 10, 1), 10.5, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(exact),
        IN_WORLD(noisy),
        IN_WORLD(several_ranks),
        IN_WORLD(one_rank_count),
        IN_WORLD(small_sizes),
        IN_WORLD(refused),
        IN_WORLD(handler_is_put_back),
        IN_WORLD(order_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
