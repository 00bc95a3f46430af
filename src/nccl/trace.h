/* What NCCL's search tried, in words: a line for each speed, with the types of paths that were allowed
 * and what stood in the way. */
#ifndef KS_NCCL_TRACE_H
#define KS_NCCL_TRACE_H

#include "nccl/search.h"

enum { KS_NCCL_MOST_TRACE = 48 }; /* lines */

typedef struct ks_nccl_trace {
    ks_arena *arena;
    const ks_nccl_net *net;
    ks_str *lines; /* KS_NCCL_MOST_TRACE of them */
    size_t n;
    bool full;
    /* of the line that is being written */
    bool open;
    int pass;
    enum ks_nccl_pattern pattern;
    enum ks_nccl_path first, last;
    float gbps;
    float before; /* GB/s of all channels before this line */
    int channels, refused;
    float best;
    bool out_of_steps;
    int in_vain; /* speeds of the second pass that brought nothing */
} ks_nccl_trace;

ks_nccl_trace ks_nccl_trace_new(ks_arena *arena, const ks_nccl_net *net);
/* A listener for a search. */
ks_nccl_listener ks_nccl_trace_listener(ks_nccl_trace *trace);
/* A line of its own, before what the search tells next. */
void ks_nccl_trace_say(ks_nccl_trace *trace, ks_str line);
/* "gpu3", "s0", "NUMA node 1", "the NVSwitches". */
ks_str ks_nccl_node_words(ks_arena *arena, const ks_nccl_net *net, int node);

#endif
