/* Runs a model for many variations at once: each lane is the scenario with some changes.
 *
 * A change of a flag or of an input keeps what measurement left unexplained: a measured quantity
 * becomes what the model says under the change plus the residual of the scenario as it stands. A
 * quantity that is set outright is taken as it is, and so are the measurements beside it. */
#ifndef KS_ENGINE_LANES_H
#define KS_ENGINE_LANES_H

#include "expl/eval.h"
#include "model/scenario.h"

typedef struct ks_lanes {
    ks_model *model;
    ks_plan *plan;
    const ks_plan *base; /* the scenario as it stands */
    size_t n;
} ks_lanes;

/* The scenario as it stands, computed. */
ks_plan *ks_run_base(ks_model *model);

/* Definitions that can be varied: a set that grows. */
typedef struct ks_varying {
    int *items;
    size_t n, capacity;
} ks_varying;

void ks_vary(ks_model *model, ks_varying *varying, int def);
/* What a change of this kind touches: the definition, its NAME.given, and measured quantities. */
void ks_vary_change(ks_model *model, ks_varying *varying, const ks_change *change);
/* All inputs with a range that are not set. */
void ks_vary_estimates(ks_model *model, ks_varying *varying);

ks_lanes *ks_lanes_new(ks_model *model, const ks_plan *base, const ks_varying *varying, size_t n);
/* Lane `lane` becomes the scenario as it stands again. */
void ks_reset_lane(ks_lanes *lanes, const ks_varying *varying, size_t lane);
/* Applies a change to a lane. */
void ks_apply(ks_lanes *lanes, size_t lane, const ks_change *change);
/* Sets an estimated input in a lane; measurements stay as they are. */
void ks_set_estimate(ks_lanes *lanes, size_t lane, int def, double value);

#endif
