/* NCCL's search for rings, trees and NVLS heads in its graph: depth first, with NCCL's order of trying,
 * budgets of steps, speeds, and two passes. Bandwidth that channels take is taken from the links and
 * given back with NCCL's rounding, so one search leaves its traces for the next, as in NCCL. */
#ifndef KS_NCCL_SEARCH_H
#define KS_NCCL_SEARCH_H

#include "nccl/graph.h"

typedef struct ks_nccl_graph {
    enum ks_nccl_pattern pattern;
    int least_channels, most_channels, channels;
    float inner, outer; /* GB/s of a channel: between GPUs; NVLS: into and out of the switches */
    enum ks_nccl_path type;
    bool same_channels;
    int hops;
    bool fallback;
    uint8_t *order; /* channels x GPUs: NCCL's indices of the GPUs */
} ks_nccl_graph;

/* One attempt of a search, as the trace tells it. */
typedef struct ks_nccl_attempt {
    const ks_nccl_graph *tried; /* what was asked for */
    const ks_nccl_graph *best;  /* what has been found up to now */
    int pass;
    int refused; /* the first link that had too little left, or -1 */
    bool out_of_steps;
} ks_nccl_attempt;

typedef struct ks_nccl_listener {
    void (*hear)(void *context, const ks_nccl_attempt *attempt);
    void *context;
} ks_nccl_listener;

typedef struct ks_nccl_search ks_nccl_search;

ks_nccl_search *ks_nccl_search_new(ks_arena *arena, const ks_nccl_net *net,
                                   ks_nccl_listener listener);
/* Searches for graph->pattern with at least and at most so many channels, and fills in the rest. */
void ks_nccl_search_run(ks_nccl_search *search, ks_nccl_graph *graph);

#endif
