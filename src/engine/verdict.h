/* Does it fit? Goes through an engine's checks in the order of its start-up. */
#ifndef KS_ENGINE_VERDICT_H
#define KS_ENGINE_VERDICT_H

#include "expl/eval.h"
#include "model/scenario.h"

typedef struct ks_outcome {
    int check;         /* the first check that fails, or -1 */
    size_t rank_class; /* on which it fails worst */
    double slack;      /* of that check there; bytes, negative */
} ks_outcome;

/* The outcome in one lane. A check whose slack cannot be computed fails. */
ks_outcome ks_judge(const ks_model *model, const ks_plan *plan, size_t lane);
/* The requirement of the profile that a lane breaks, so that the engine would not start; or -1. */
int ks_broken_requirement(const ks_model *model, const ks_plan *plan, size_t lane);
/* True if the check applies in this lane. */
bool ks_check_applies(const ks_model *model, const ks_check *check, const ks_plan *plan,
                      size_t lane);
/* A check's smallest slack over all ranks, and where. */
double ks_worst_slack(const ks_model *model, const ks_check *check, const ks_plan *plan,
                      size_t lane, size_t *rank_class);
/* The check with the least room among those that hold, or -1; its slack. */
int ks_tightest(const ks_model *model, const ks_plan *plan, size_t lane, double *slack);

#endif
