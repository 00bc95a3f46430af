/* Evaluates a program for a block of lanes at once: each lane is one set of inputs.
 *
 * A plan says which inputs may differ between lanes; what does not depend on them is computed once,
 * not once a lane. Values of a quantity that differs between ranks are kept once for each class of
 * ranks that are alike. */
#ifndef KS_EXPL_EVAL_H
#define KS_EXPL_EVAL_H

#include "expl/program.h"

typedef struct ks_plan ks_plan;

/* A plan for `lanes` lanes (>= 1) in which the given definitions (inputs, or pinned quantities)
 * vary. All inputs have their nominal values until they are set. */
ks_plan *ks_plan_new(ks_program *program, const int *varying, size_t n_varying, size_t lanes);

/* Sets an input for all ranks in one lane. The definition must be among the varying ones. */
void ks_plan_set(ks_plan *plan, int def, size_t lane, ks_cell value);
/* Sets how a pinned quantity gets its value in one lane; see enum ks_pin_mode. */
void ks_plan_pin(ks_plan *plan, int def, size_t lane, enum ks_pin_mode mode, ks_cell value);
/* The same with a value for one class of ranks. */
void ks_plan_pin_class(ks_plan *plan, int def, size_t lane, size_t rank_class, ks_cell value);

void ks_plan_run(ks_plan *plan);

/* A quantity's value for a class of ranks (0 where all ranks share it). */
ks_cell ks_plan_get(const ks_plan *plan, int def, size_t rank_class, size_t lane);
/* The same as a double; NaN if it could not be computed. */
double ks_plan_real(const ks_plan *plan, int def, size_t rank_class, size_t lane);
/* True if the quantity may differ between lanes. */
bool ks_plan_varies(const ks_plan *plan, int def);
/* Instructions that run once a lane: what a configuration costs. */
size_t ks_plan_cost(const ks_plan *plan);

#endif
