/* Quasi-random points: an even spread over a box, the same on every run. */
#ifndef KS_ENGINE_QUASI_H
#define KS_ENGINE_QUASI_H

#include "base/arena.h"

/* `n` points in [0, 1)^dimensions, point after point. Beyond the 40 dimensions of Sobol's sequence
 * the coordinates are those of earlier dimensions, turned by an irrational angle. */
double *ks_quasi_points(ks_arena *arena, size_t dimensions, size_t n);

#endif
