/* Reports a replay: the verdict, why, the ledger of memory by phase, the sum that decides, what would
 * make it fit, and what is not the cause. */
#ifndef KS_ENGINE_MEMORY_H
#define KS_ENGINE_MEMORY_H

#include "engine/replay.h"

/* The sections of `kvsim run`. */
void ks_report_run(ks_replay *replay);

/* The section of `kvsim run --log`: the lines of the engine's log that tell memory, as this run would
 * print them, up to where it fails. */
void ks_report_log(ks_replay *replay);

/* The verdict, what the engine says, and why: the head of each report. */
void ks_report_verdict(ks_replay *replay);
/* The sum that decides, with what is easily misread in it. */
void ks_report_sum(ks_replay *replay, int node);
#endif
