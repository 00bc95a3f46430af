/* A scenario against a real server's log, phase by phase.
 *
 * What the log shows is put in place of the model's own values, one phase after the other: so each
 * quantity is compared with what the model makes of what the log shows before it, and an error does
 * not go on to all that follows. What is left is what that quantity's own formula does not explain. */
#ifndef KS_ENGINE_COMPARE_H
#define KS_ENGINE_COMPARE_H

#include "engine/replay.h"
#include "model/runlog.h"

/* The report of a comparison with a start of the server in the log at `path` (0: the last that is
 * complete); NULL after an error. *n_off quantities, flags and verdicts are neither
 * what the log printed nor inside the ranges of the estimates. */
ks_replay *ks_compare_log(const ks_catalog *catalog, const ks_doc *scenario,
                          const ks_settings *settings, ks_str path, size_t start, size_t *n_off);

#endif
