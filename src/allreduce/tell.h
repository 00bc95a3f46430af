/* The second half of allreduce.h: what was computed, as text and as a record. */
#ifndef KS_ALLREDUCE_TELL_H
#define KS_ALLREDUCE_TELL_H

#include "allreduce/allreduce.h"

/* An all-reduce put together: its program, linked. */
typedef struct ks_allreduce_set {
    ks_program *program;
    ks_allreduce allreduce;
    const ks_wiring *wiring;
    ks_str machine, engine; /* engine: as it was named, or empty */
} ks_allreduce_set;

/* The same set with other settings for NCCL, timed at the same sizes. What a machine was calibrated
 * with says nothing about other settings: on a calibrated machine both times are the model's own. */
typedef struct ks_remedied {
    const ks_notice *remedy;
    ks_str set;                      /* "NCCL_P2P_LEVEL=SYS" */
    const ks_timing *before, *after; /* both NULL: nothing to set */
} ks_remedied;

typedef struct ks_allreduce_findings {
    const ks_allreduce_set *set;
    const ks_timing *timing;
    const ks_remedied *remedied;
    size_t n_remedied;
    const ks_algorithm *only; /* one algorithm is asked for, or NULL */
} ks_allreduce_findings;

/* What both halves of the telling know. */
typedef struct ks_teller {
    const ks_allreduce_findings *f;
    ks_report *report;
    ks_arena *arena;
    int *times;                             /* nodes: [point * algorithms + algorithm], or -1 */
    int *nccl, *chosen, *sizes, *estimates; /* nodes by point */
} ks_teller;

/* The node of this name, or -1. */
int ks_told_node(const ks_teller *t, const char *name);
/* True for the ways of NCCL's own that "nccl" stands for. */
bool ks_is_nccl_way(const ks_algorithm *algorithm);
/* The refusal that keeps an algorithm (its index) from all sizes, or from some but not all; -1: none. */
int ks_told_refusal(const ks_teller *t, size_t algorithm, bool everywhere);
bool ks_notice_holds(const ks_teller *t, const ks_notice *notice);

/* Fills the report's record: what JSON says. */
void ks_record_allreduce(ks_teller *t);

ks_report *ks_tell_allreduce(const ks_allreduce_findings *findings);

#endif
