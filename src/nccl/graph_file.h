/* NCCL_GRAPH_FILE: graphs that NCCL takes in place of a search, as XML in the form of NCCL_GRAPH_DUMP_FILE.
 * Source: NVIDIA/nccl src/graph/search.cc, ncclTopoGetGraphFromXml and ncclTopoGetXmlFromGraph. */
#ifndef KS_NCCL_GRAPH_FILE_H
#define KS_NCCL_GRAPH_FILE_H

#include "nccl/graph.h"
#include "nccl/search.h"

/* channels 0: the file has none of this kind, and NCCL searches. */
typedef struct ks_nccl_graphs {
    ks_nccl_graph ring, tree, nvls;
} ks_nccl_graphs;

/* The file's graphs for these GPUs, by the machine's own numbers (`dev`, hexadecimal): the driver's, which
 * CUDA_VISIBLE_DEVICES does not change. False after an error: X001 to X003 no XML, X004 no graphs, X005 and X006 what is missing or cannot be. */
bool ks_nccl_read_graphs(ks_diags *diags, const ks_source *source, const ks_nccl_net *net,
                         ks_nccl_graphs *graphs);

/* A file of rings and chains: `channels` times the GPUs in this order, each with so many GB/s. */
ks_str ks_nccl_write_graphs(ks_arena *arena, const ks_topology *topology, const int *gpus, size_t n,
                            int64_t channels, int64_t gbps);

#endif
