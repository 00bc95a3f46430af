/* What a server's log tells of one of its starts: the engine and its version, the flags, readings of
 * quantities by rank, how far it came, and the check that failed.
 *
 * Which version it was is found out from the lines: each profile knows what its versions print. */
#ifndef KS_MODEL_RUNLOG_H
#define KS_MODEL_RUNLOG_H

#include "expl/eval.h"
#include "model/starts.h"
#include "read/python.h"

typedef struct ks_log_ask {
    ks_str engine; /* "sglang 0.5.9", "0.5.9"; "sglang": some version; empty: whatever fits */
    size_t start;  /* the number of the start that is wanted; 0: the last that is complete */
} ks_log_ask;

/* A number in a line, for one rank. */
typedef struct ks_reading {
    ks_str quantity; /* as the profile's line names it */
    const ks_log_line *from;
    size_t phase; /* of that line; of a sum, that of the quantity */
    size_t rank, line;
    double value, half; /* it lies between value - half and value + half */
    int decimals;
    ks_str unit; /* as the profile's line writes it; may be empty */
    bool again;  /* the same quantity was read on this rank before, and that one counts */
    bool sum;    /* no line tells it: it is the sum of two numbers of one line */
} ks_reading;

/* A flag that a single line tells: a command, a part of a list, a message. */
typedef struct ks_told_flag {
    ks_python_item item;
    size_t line;
} ks_told_flag;

typedef KS_LIST_OF(size_t) ks_check_numbers;

typedef struct ks_run_log {
    ks_str name; /* the file's */
    size_t n_lines, n_starts, start; /* lines and starts of the file; which start this is, from 1 */
    size_t first_line, last_line;
    bool complete;
    const ks_log_profile *profile;
    ks_str version;       /* for a scenario: "0.5.8" */
    bool version_asked;   /* it is the one that was asked for */
    size_t version_line;  /* where the log itself tells the version; 0: it does not */
    ks_str oldest;        /* the oldest version whose lines fit as well */
    size_t n_fit, n_known; /* lines that fit the profile, and lines that fit any */
    ks_str better;         /* a version was asked for, but the lines fit this one better */
    ks_str by_date;        /* the newest whose lines fit as well; it was not out when the log was written */
    int date;              /* the first in front of a line, 20260131; 0: none is */
    ks_str gpu;           /* as models/gpu names it; empty: the log tells of none */
    size_t gpu_line;
    ks_python_items flags; /* as printed */
    size_t flags_line;     /* 0: the log does not tell them */
    KS_LIST_OF(ks_told_flag) told; /* flags that are not in `flags`, if those are not complete */
    size_t n_ranks;        /* of the launch, as far as the log tells */
    bool ranks_told;       /* flags tell it; else it is one more than the highest that a line names */
    size_t n_stages;       /* stages of the pipeline that lines name, at least one */
    size_t n_seen;         /* ranks that printed a reading */
    bool tagged;           /* lines tell their rank */
    KS_LIST_OF(ks_reading) readings; /* of the main model, in the order of the log */
    size_t n_draft;        /* lines of draft models, which are left out */
    bool draft_counts;     /* but for what one left free in front of the pool */
    int failed;            /* the check of the profile that fails, or -1 */
    ks_check_numbers failures; /* all that have its message, in their order */
    size_t failed_line;
} ks_run_log;

/* Reads the log at `path` ("-": standard input). NULL after an error: it cannot be read, holds no
 * line that is known (L001), or has no such start (L002). */
ks_run_log *ks_read_run_log(const ks_catalog *catalog, ks_str path, ks_log_ask ask);

/* Phases whose readings go into what the engine works out: those in front of the one in which the
 * quantity stands that users want much of. */
size_t ks_phases_before_pool(const ks_engine *engine);

/* The value that the log's flags give to a flag of the profile, by whatever of its names; or NULL. */
const ks_python_item *ks_logged_flag(const ks_run_log *log, const ks_flag *flag);
/* The same for a name that need not be one of the profile's. */
const ks_python_item *ks_logged_item(const ks_run_log *log, const char *name);
/* The line that tells such a value. */
size_t ks_line_of_item(const ks_run_log *log, const ks_python_item *item);

/* Of the checks with the message that the log holds, chooses the first whose condition holds in a run
 * of a scenario with this engine. */
void ks_settle_failure(ks_run_log *log, const ks_engine *engine, const ks_plan *plan);

/* All readings of one quantity: the smallest and largest value over the ranks, how far they were
 * rounded, and their lines. */
typedef struct ks_readings_of {
    size_t n; /* ranks that printed it */
    double low, high, half;
    size_t first_line, last_line;
    const ks_reading *first;
} ks_readings_of;

ks_readings_of ks_gather_readings(const ks_run_log *log, ks_str quantity);
/* The reading of a quantity on a rank, or NULL. */
const ks_reading *ks_reading_on(const ks_run_log *log, ks_str quantity, size_t rank);

#endif
