/* Guesses how many ranks a server had, of whose log only some lines are there. */
#ifndef KS_ENGINE_GUESS_RANKS_H
#define KS_ENGINE_GUESS_RANKS_H

#include "model/runlog.h"

typedef struct ks_guessed_ranks {
    size_t ranks; /* 0: no number is possible */
    size_t gpus;  /* of the machine */
} ks_guessed_ranks;

/* The first of the flags whose product is the number of ranks, or empty. */
ks_str ks_rank_flag(const ks_engine *engine);

/* The least number that the log names or an even one above it, that the model's heads and the machine's GPUs allow. `llm`
 * and `machine` are as a scenario writes them; `machine` empty: as many as there are ranks of `gpu`. Tells
 * nothing of what is not possible. */
ks_guessed_ranks ks_guess_ranks(const ks_catalog *catalog, const ks_run_log *log, ks_str llm,
                                ks_str machine, ks_str gpu);

#endif
