/* What the rounding of measured readings does to everything that is computed from them: a log prints
 * 21.71, and the reading lies anywhere between 21.705 and 21.715. */
#ifndef KS_ENGINE_ROUNDING_H
#define KS_ENGINE_ROUNDING_H

#include "engine/lanes.h"

/* A measured quantity that lies within `half` of its value. The model must have been built to vary
 * what is measured. */
typedef struct ks_rounded {
    int def;
    double half;
} ks_rounded;

typedef struct ks_rounding {
    ks_lanes *lanes; /* lane 0 as it stands; then each reading's low and high end */
    size_t n;
} ks_rounding;

ks_rounding *ks_explore_rounding(ks_model *model, const ks_plan *base, const ks_rounded *items,
                                 size_t n);

/* How far a quantity may lie from its value because of that: all readings at their worst. */
double ks_rounding_of(const ks_rounding *rounding, int def, size_t rank_class);

#endif
