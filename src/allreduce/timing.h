/* Times of all algorithms of an all-reduce at many message sizes: the program of a machine's links and
 * algorithms, run once a size, with the range that the estimates' ranges leave.
 *
 * Knows nothing of how the links' numbers came about (wiring.h), nor of how they are shown. */
#ifndef KS_ALLREDUCE_TIMING_H
#define KS_ALLREDUCE_TIMING_H

#include "expl/eval.h"
#include "model/allreduce.h"

/* One algorithm at one size. */
typedef struct ks_timed {
    double seconds, low, high; /* NaN: it cannot run here */
    bool exists;               /* on this machine, whoever refuses it */
    bool refused;              /* by the engine, the driver or NCCL */
} ks_timed;

typedef struct ks_timing_point {
    int64_t bytes;
    ks_timed *algorithms;  /* by algorithm */
    ks_timed nccl, chosen; /* what NCCL picks; what runs */
    const ks_algorithm *chosen_as, *nccl_as;
    bool *refusals;       /* by refusal: it holds at this size */
    double nccl_estimate; /* NCCL's own idea of its time */
} ks_timing_point;

typedef struct ks_timing {
    ks_program *program;
    const ks_allreduce *allreduce;
    ks_timing_point *points;
    size_t n;
} ks_timing;

/* Runs a linked program at each size. NULL after an error: some size takes no time, or for ever. */
ks_timing *ks_time_allreduce(ks_program *program, const ks_allreduce *allreduce,
                             const int64_t *bytes, size_t n);

/* The program's values at one size, all estimates as they stand. */
ks_plan *ks_plan_at(ks_program *program, const ks_allreduce *allreduce, int64_t bytes);

/* Where one algorithm stops being the fastest of two: sizes on a grid of eight steps a doubling, the
 * last at which `a` is faster and the first at which `b` is. False if one wins everywhere; *a_wins
 * says which. */
typedef struct ks_crossover {
    int64_t last, first;
    bool a_wins; /* below; if there is no crossover: everywhere */
} ks_crossover;

bool ks_find_crossover(ks_program *program, const ks_allreduce *allreduce, int a, int b,
                       ks_crossover *crossover);

#endif
