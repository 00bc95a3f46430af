/* Replays an engine's start-up for every rank and reports: the verdict, why, the ledger of memory
 * by phase, the sum that decides, what would make it fit, and what is not the cause. */
#ifndef KS_ENGINE_MEMORY_H
#define KS_ENGINE_MEMORY_H

#include "engine/range.h"
#include "engine/verdict.h"
#include "expl/report.h"
#include "model/scenario.h"

/* A replay of the scenario: the report is complete but for its sections. */
typedef struct ks_replay {
    ks_model *model;
    ks_plan *base;
    ks_ranges *ranges;
    ks_outcome outcome;
    ks_report *report;
} ks_replay;

/* NULL after an error: a quantity that decides cannot be computed. */
ks_replay *ks_replay_scenario(ks_model *model);

/* The sections of `kvsim run`. */
void ks_report_run(ks_replay *replay);

/* The section of `kvsim run --log`: the lines of the engine's log that tell memory, as this run would
 * print them, up to where it fails. */
void ks_report_log(ks_replay *replay);

/* The verdict, what the engine says, and why: the head of each report. */
void ks_report_verdict(ks_replay *replay);
/* The sum that decides, with what is easily misread in it. */
void ks_report_sum(ks_replay *replay, int node);
/* The node that decides: of the check that fails or is in question; where it fits, the sum that the
 * profile wants shown. */
int ks_deciding_node(const ks_replay *replay);

#endif
