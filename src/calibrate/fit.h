/* Fits times to sums of terms: T = sum of p[j] * x[j], where the p are positive and unknown (a latency,
 * the inverse of a bandwidth) and the x are known (1, hops, bytes a hop). All closed forms of an
 * all-reduce are such sums. The error that counts is the relative one, and outliers count little.
 *
 * The fit: a robust linear start (bisquare), then a trust region on the logarithms of times and
 * parameters, reweighted three times. It knows nothing of all-reduces; see calibrate.h. With quasi.c the
 * only file that uses GSL. */
#ifndef KS_CALIBRATE_FIT_H
#define KS_CALIBRATE_FIT_H

#include "base/arena.h"

#include <stdint.h>

enum {
    KS_FIT_TERMS = 4,
    KS_FIT_LEAST = 2
}; /* points needed beyond the number of free parameters */

typedef struct ks_fit_point {
    double x[KS_FIT_TERMS]; /* >= 0 */
    double time;            /* seconds, above 0 */
    double bytes;           /* for the caller: where the point is from */
    int64_t ranks;
} ks_fit_point;

typedef struct ks_fit_parameter {
    bool fixed;        /* (given) not fitted: `value` stays */
    double value;      /* (given) if fixed, and as the default; (computed) above 0 */
    double low, high;  /* (computed) 68 % interval */
    bool identifiable; /* (computed) false: these points do not tell it, `value` is the default */
} ks_fit_parameter;

typedef struct ks_fit {
    size_t n_terms;                       /* (given) */
    ks_fit_parameter terms[KS_FIT_TERMS]; /* (given), (computed) */
    /* (computed) */
    double scatter;     /* standard deviation of log residuals, robust */
    double mean_error;  /* mean |relative error| over all points */
    double worst_error; /* signed, model over measured less 1 */
    size_t worst;       /* that point */
    double condition;   /* of the scaled Jacobian; infinite if it is singular */
} ks_fit;

/* The model's time at a point; its logarithm's derivatives with respect to the logarithms of the
 * parameters go to slope[], unless that is NULL. */
double ks_fit_model(const ks_fit *fit, const double *x, double *slope);

/* Fits the free parameters. What cannot be told from the points (an interval wider than a factor 2
 * either way, or a condition number above 1e8) keeps its default, and the rest is fitted again.
 * False if nothing could be fitted at all: too few points, or arguments that are no times; all free
 * parameters then keep their defaults, and residuals are of those. */
bool ks_fit_terms(ks_arena *arena, ks_fit *fit, const ks_fit_point *points, size_t n);

/* The median of n >= 1 numbers, which are put in order. */
double ks_median(double *values, size_t n);
/* The number that a share of the n >= 1 numbers does not exceed; they are put in order. */
double ks_quantile(double *values, size_t n, double share);

#endif
