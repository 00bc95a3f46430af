/* One attempt of NCCL's search: channels, depth first, at a given speed and up to a given type of path,
 * in NCCL's order and within its budget of steps. search.c decides what is attempted. */
#ifndef KS_NCCL_CHANNELS_H
#define KS_NCCL_CHANNELS_H

#include "nccl/search.h"

struct ks_nccl_search {
    ks_arena *arena;
    const ks_nccl_net *net;
    ks_nccl_listener listener;
    float *left;         /* GB/s of each link that no channel has taken */
    bool *rounded;       /* by link: `left` is what taking and giving back leaves as it is */
    uint8_t *nearest;    /* n x (n - 1): by GPU, all others in the order in which they are tried */
    int *first_links;    /* n x (n + 1): by GPU, the links that its ways begin with; -1 ends them */
    uint64_t *used;      /* by GPU: a bit for each channel that it is in */
    int n;               /* GPUs */
    ks_nccl_graph trial; /* what is being tried */
    ks_nccl_graph *best;
    int64_t steps; /* left of this attempt; -1: the best that can be was found */
    int refused;
};

/* Memory for a search, all links free. */
ks_nccl_search *ks_nccl_channels_new(ks_arena *arena, const ks_nccl_net *net);
/* Adds channels to s->trial as far as s->steps allow, and keeps what is better than s->best there. */
void ks_nccl_channels_search(ks_nccl_search *s);
void ks_nccl_copy_graph(const ks_nccl_search *s, ks_nccl_graph *to, const ks_nccl_graph *from);

static inline const ks_nccl_way *ks_nccl_way_between(const ks_nccl_search *s, int from, int to)
{
    return &s->net->ways[from * s->n + to];
}

#endif
