/* Ways out where no interval of one knob is the answer: two knobs at once, other words for a flag, and
 * more GPUs. */
#ifndef KS_ENGINE_WAYS_H
#define KS_ENGINE_WAYS_H

#include "engine/replay.h"
#include "engine/solve.h"

/* The knob's change as a what-if, its value not set yet; *flag is its flag. False if the profile has no
 * such flag. */
bool ks_knob_change(const ks_model *model, const ks_knob *knob, const ks_flag **flag,
                    ks_change *change);

/* True if the knob takes an interval of numbers: it is no word, and costs no GPUs. */
bool ks_is_interval_knob(const ks_model *model, const ks_knob *knob);

/* The value of `second` nearest to what it is now with which `first` has values that work: *with is
 * that change, *solution the interval of `first`. False if there is none. */
bool ks_find_pair(const ks_replay *replay, const ks_knob *first, const ks_knob *second,
                  ks_change *with, ks_solution *solution);

/* A value of a knob that takes no interval, by which the scenario fits. */
typedef struct ks_way {
    ks_str flag, value; /* as a user writes them */
    ks_cell cell;
    double yield;       /* the engine's yield with it */
    int64_t gpus;       /* how many it takes, or 0: as many as before */
} ks_way;

/* Other words of a flag (the one that yields most), or more ranks (the fewest). False if none works. */
bool ks_find_way(const ks_replay *replay, const ks_knob *knob, ks_way *way);

#endif
