/* The time of a collective as a curve through measured points, and what it says of the model: the ratio
 * of measured to modelled time at any size between them.
 *
 * In between the curve is monotone cubic in the logarithms of size and time; beyond its ends the model
 * goes on, scaled to meet it. How this was chosen, against straight lines and against curves of the
 * ratio, stands in tests/unit/test_calibrate.c. */
#ifndef KS_CALIBRATE_CORRECTION_H
#define KS_CALIBRATE_CORRECTION_H

#include "base/arena.h"

typedef struct ks_curve_point {
    double bytes, time; /* above 0; seconds */
} ks_curve_point;

/* The model's time for a size, in seconds, above 0. */
typedef double ks_curve_model(const void *context, double bytes);

typedef struct ks_curve {
    size_t n;              /* knots */
    double *x, *y, *slope; /* logarithms of size and time, derivative */
    ks_curve_model *model;
    const void *context;
    size_t n_spikes; /* points that were left out */
    double *spikes;  /* their sizes */
} ks_curve;

/* Sorts points by size and joins those of one size to their median; the number that is left. */
size_t ks_join_points(ks_arena *arena, ks_curve_point *points, size_t n);

/* The curve through n >= 1 joined points. A point that takes much longer than both its neighbours is
 * left out; where a larger size takes a little less time, both get the mean. */
ks_curve ks_curve_of(ks_arena *arena, const ks_curve_point *points, size_t n, ks_curve_model *model,
                     const void *context);
double ks_curve_time(const ks_curve *curve, double bytes);

/* How far the truth may be from the curve: a share of the time, for nine of ten sizes between the points.
 * From what each point says of the curve through the others, and never less than what such few points
 * can promise. */
double ks_curve_scatter(ks_arena *arena, const ks_curve_point *points, size_t n,
                        ks_curve_model *model, const void *context);

/* The least half-width that n points promise: a share of the time. */
double ks_least_scatter(size_t n);

/* The ratio of curve to model as a table for straight lines in the size, each within 0.4 % of it where
 * the model has no step, from the smallest point to the largest. *n rows. */
ks_curve_point *ks_curve_table(ks_arena *arena, const ks_curve *curve, size_t *n);

#endif
