/* How runlog.h finds out what a log tells: which version it was, what flags single lines tell, which
 * check failed. For its own files only. */
#ifndef KS_MODEL_RUNLOG_FIND_H
#define KS_MODEL_RUNLOG_FIND_H

#include "model/runlog.h"

/* A line that says that a phase has gone well on a rank. */
typedef struct ks_log_step {
    size_t rank, phase, line;
} ks_log_step;

typedef struct ks_log_finder {
    const ks_catalog *catalog;
    ks_arena *arena;
    KS_LIST_OF(ks_log_profile) profiles;
    ks_log_signs *signs;
    ks_starts starts;
    ks_run_log *log;
    KS_LIST_OF(ks_log_step) steps;
} ks_log_finder;

/* By pattern, whether the profile has a line or a message that is this pattern. */
bool *ks_patterns_of(const ks_log_finder *f, const ks_engine *engine);

/* Takes the version that was asked for; or the one that the log itself names, if no other profile fits
 * more lines; or the one that fits best. Of several that fit alike the newest, of those that were out
 * when the log was written. False after an error. */
bool ks_choose_profile(ks_log_finder *f, ks_str engine, ks_str version);

/* Fills log->told, once the profile is chosen. */
void ks_find_told_flags(ks_log_finder *f);

/* Fills log->failures and log->failed, once readings and steps are. */
void ks_find_failure(ks_log_finder *f);

#endif
