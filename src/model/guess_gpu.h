/* Which GPUs a reading of free memory may come from. Only for hints: nothing is computed with a guess. */
#ifndef KS_MODEL_GUESS_GPU_H
#define KS_MODEL_GUESS_GPU_H

#include "model/catalog.h"

/* The names of GPUs that had this many bytes free before anything loaded, nearest first, as
 * "h100-sxm, h100-pcie"; empty if no GPU that is known fits. */
ks_str ks_guess_gpus(const ks_catalog *catalog, double free_bytes);

#endif
