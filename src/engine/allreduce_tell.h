/* The second half of allreduce.h: what was computed, as text and as a record. */
#ifndef KS_ENGINE_ALLREDUCE_TELL_H
#define KS_ENGINE_ALLREDUCE_TELL_H

#include "engine/allreduce.h"

/* An all-reduce put together: its program, linked. */
typedef struct ks_allreduce_set {
    ks_program *program;
    ks_allreduce allreduce;
    const ks_wiring *wiring;
    ks_str machine, engine; /* engine: as it was named, or empty */
} ks_allreduce_set;

/* The same set with other settings for NCCL, timed at the same sizes. */
typedef struct ks_remedied {
    const ks_notice *remedy;
    ks_str set; /* "NCCL_P2P_LEVEL=SYS" */
    const ks_timing *timing;
} ks_remedied;

typedef struct ks_allreduce_findings {
    const ks_allreduce_set *set;
    const ks_timing *timing;
    const ks_remedied *remedied;
    size_t n_remedied;
    const ks_algorithm *only; /* one algorithm is asked for, or NULL */
} ks_allreduce_findings;

ks_report *ks_tell_allreduce(const ks_allreduce_findings *findings);

#endif
