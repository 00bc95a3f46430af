/* What the ranges of estimated inputs do to the answer: each end one at a time, then joint samples.
 * Not interval arithmetic: terms that move together would make every verdict unsure. */
#ifndef KS_ENGINE_RANGE_H
#define KS_ENGINE_RANGE_H

#include "engine/lanes.h"
#include "engine/verdict.h"

/* One estimated input's hold on the answer. */
typedef struct ks_influence {
    int def;
    bool flips;   /* at one of its ends alone, the answer changes */
    double swing; /* bytes by which it moves the slack of the check in question */
} ks_influence;

typedef struct ks_ranges {
    ks_varying estimates;
    ks_lanes *lanes;      /* lane 0 nominal; then low and high end of each estimate; then joint */
    size_t n_joint;
    bool uncertain;       /* some lane fits and some other doesn't */
    size_t flipped_joint; /* joint lanes with another answer than the nominal one */
    int check;            /* the check in question: the one that flips, or the tightest */
    ks_influence *influences; /* largest swing first */
} ks_ranges;

ks_ranges *ks_explore_ranges(ks_model *model, const ks_plan *base);

/* Smallest and largest value of a quantity over all lanes and ranks. */
void ks_range_of(const ks_ranges *ranges, int def, double *low, double *high);

/* The same on one class of ranks. */
void ks_range_on(const ks_ranges *ranges, int def, size_t rank_class, double *low, double *high);

/* Fills lanes [first, first + ks_n_range_lanes()) with the ends and the joint samples. */
size_t ks_n_range_lanes(const ks_varying *estimates);
void ks_fill_range_lanes(ks_lanes *lanes, const ks_varying *estimates, size_t first);

#endif
