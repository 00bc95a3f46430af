/* Variables of the environment that decide which links are used, and how. */
#ifndef KS_MODEL_ENVIRONMENT_H
#define KS_MODEL_ENVIRONMENT_H

#include "model/scenario.h"

#define KS_VISIBLE_DEVICES "CUDA_VISIBLE_DEVICES"

/* True for NCCL's variables and CUDA_VISIBLE_DEVICES. */
bool ks_decides_links(ks_str variable);

/* A scenario's `env:` (a mapping, or NULL), and over it the settings of such variables, each of which is
 * marked as used. */
const ks_doc *ks_set_env(ks_arena *arena, const ks_doc *told, const ks_settings *settings,
                         bool *used);

#endif
