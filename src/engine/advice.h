/* Which way to move which knob, by how much, at what cost; and the report of `kvsim solve`. */
#ifndef KS_ENGINE_ADVICE_H
#define KS_ENGINE_ADVICE_H

#include "engine/replay.h"
#include "engine/solve.h"

/* For a scenario that fails: each knob of the profile that helps by itself. For one that fits: how
 * far the first knob can be moved. */
void ks_report_advice(ks_replay *replay);

/* The sections of `kvsim solve` for what the model was asked; `name` as the user wrote it. */
void ks_report_solution(ks_replay *replay, ks_str name);

#endif
