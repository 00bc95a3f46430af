/* Which values of one input work: the interval, and what binds at each end. The check functions are
 * staircases, so no root is sought: grid points are tried, and the two runs that bracket each end
 * are the proof. */
#ifndef KS_ENGINE_SOLVE_H
#define KS_ENGINE_SOLVE_H

#include "engine/lanes.h"
#include "engine/verdict.h"

typedef struct ks_trial {
    double value;
    bool works;
    int broken;         /* the requirement that keeps the engine from starting, or -1 */
    ks_outcome outcome; /* of a trial that does not work: what fails (check -1: the goal) */
    int tight;          /* of one that works: the check with the least room */
    double room;        /* and how much that is; bytes */
    double yield;       /* the engine's yield: what users want much of */
} ks_trial;

typedef struct ks_solution {
    bool solvable;          /* the unknown is a number with a grid */
    bool found;             /* some value works */
    double first, last, step; /* the grid */
    bool doubling;            /* it is first, 2 first, 4 first ... */
    ks_trial low, below;    /* the lowest value that works, and the grid point under it */
    ks_trial high, above;   /* the highest, and the grid point over it */
    bool has_below, has_above;
    bool has_sure;          /* values that work everywhere inside the ranges of estimates */
    double sure_low, sure_high;
    ks_trial nearest;       /* nothing works: the trial that fails by least */
} ks_solution;

/* Solves for a change's definition. goal: a condition that must hold too, or -1. `sure`: look for
 * the values that work for all estimates as well. */
ks_solution ks_solve(ks_model *model, const ks_plan *base, const ks_change *unknown, int goal,
                     bool sure);
/* The same with other changes that hold in all trials, without a goal and without looking for what is
 * sure. */
ks_solution ks_solve_with(ks_model *model, const ks_plan *base, const ks_change *unknown,
                          const ks_change *also, size_t n_also);

#endif
