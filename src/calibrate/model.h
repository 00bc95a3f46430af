/* The all-reduce model of a machine for one number of ranks, with constants of its own or without: what
 * calibration starts from, and what its correction is the ratio to. */
#ifndef KS_CALIBRATE_MODEL_H
#define KS_CALIBRATE_MODEL_H

#include "expl/eval.h"
#include "model/allreduce.h"
#include "model/machine.h"

typedef struct ks_ring_model {
    ks_program *program;
    ks_allreduce allreduce;
    ks_plan *plan; /* one lane, in which the message varies */
    int pick;      /* definition: NCCL's pick by name, or -1 */
} ks_ring_model;

/* calibration: {constants: ...}, or NULL. NULL after an error: a machine whose links cannot be told, more
 * ranks than GPUs, what NCCL cannot run on. */
ks_ring_model *ks_ring_model_of(const ks_catalog *catalog, const ks_machine *machine, int64_t ranks,
                                const ks_doc *calibration);

/* The quantity of this name for a message, in base units; NaN if there is none. */
double ks_model_value(ks_ring_model *model, const char *name, double bytes);
/* The time of what NCCL picks, seconds; and the name of that: "nccl-ring-ll". */
double ks_model_nccl(ks_ring_model *model, double bytes);
ks_str ks_model_pick(ks_ring_model *model, double bytes);

#endif
