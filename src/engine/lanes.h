/* Runs a model for many variations at once: each lane is the scenario with some changes.
 *
 * A change keeps what measurement left unexplained: a measured quantity becomes what the model says
 * under the change plus the residual of the scenario as it stands. Only where a measured quantity
 * itself is set, the measurements beside it stay as they are. */
#ifndef KS_ENGINE_LANES_H
#define KS_ENGINE_LANES_H

#include "expl/eval.h"
#include "model/scenario.h"

typedef struct ks_lanes {
    ks_model *model;
    ks_plan *plan;
    const ks_plan *base; /* the scenario as it stands */
    size_t n;
    bool *shifted; /* by lane: measured quantities follow the model there */
    int *measured; /* definitions of measured quantities */
    size_t n_measured;
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
/* Applies a change to a lane; a later value for the same definition replaces the earlier. */
void ks_apply(ks_lanes *lanes, size_t lane, const ks_change *change);
/* Sets an estimated input in a lane; measurements stay as they are. */
void ks_set_estimate(ks_lanes *lanes, size_t lane, int def, double value);

#endif
