/* Replays an engine's start-up for every rank: the scenario as it stands, its verdict, what the
 * ranges of its estimates do to that, and a report whose sections others fill. */
#ifndef KS_ENGINE_REPLAY_H
#define KS_ENGINE_REPLAY_H

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

/* True if a quantity could be computed on all ranks; else what cannot be is an error, told where it
 * begins. */
bool ks_is_computed(ks_model *model, const ks_plan *plan, int def);

/* The node that decides: of the check that fails or is in question; where it fits, the sum that the
 * profile wants shown. */
int ks_deciding_node(const ks_replay *replay);

/* The class of ranks that is shown where one has to be: the one that fails, else the first. */
size_t ks_class_shown(const ks_replay *replay);

#endif
