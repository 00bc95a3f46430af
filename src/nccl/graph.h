/* NCCL's graph of a machine: GPUs, PCI switches, the NVSwitches (one node for all), NUMA nodes, and
 * directed links between them with what NCCL takes them to carry; and the path of each pair of GPUs.
 *
 * Nodes and links stand in NCCL's order, since of equal paths it takes the one it meets first. The
 * device nodes of 2.30 (one between a GPU and its links) make every path two hops longer and change
 * nothing else, so they are left out. GB/s in single precision, as NCCL counts. */
#ifndef KS_NCCL_GRAPH_H
#define KS_NCCL_GRAPH_H

#include "nccl/words.h"

enum ks_nccl_kind { KS_NCCL_GPU, KS_NCCL_SWITCH, KS_NCCL_NVSWITCH, KS_NCCL_CPU };

typedef struct ks_nccl_link {
    enum ks_nccl_path type; /* LOC, NVL, PIX (PCI), SYS */
    int from, to;           /* nodes */
    float gbps;
} ks_nccl_link;

typedef KS_TOPOLOGY_LIST_OF(ks_nccl_link) ks_nccl_links;

typedef struct ks_nccl_node {
    enum ks_nccl_kind kind;
    int device;    /* in the topology, or -1 */
    int numa;      /* CPU: in the topology */
    int index;     /* among the nodes of its kind */
    uint64_t chip; /* switch: vendor, device, their subsystem's */
    bool removed;
    ks_nccl_links links; /* leaving it */
    int first_link;      /* of its links, counting all nodes' */
} ks_nccl_node;

/* How NCCL goes from one node to another. */
typedef struct ks_nccl_way {
    enum ks_nccl_path type; /* DIS: not at all */
    float gbps;
    int n;
    const int *links;   /* n of them, from the start on */
    bool through_intel; /* past the root complex of an Intel CPU and no other NUMA node's: PHB */
} ks_nccl_way;

typedef struct ks_nccl_net {
    const ks_nccl_model *model;
    const ks_topology *topology;
    KS_TOPOLOGY_LIST_OF(ks_nccl_node) nodes;
    const ks_nccl_link *links; /* of all nodes, one node's after another's */
    size_t n_links;
    int n_gpus, n_cpus;
    const int *gpu_nodes;                 /* nodes of the GPUs, in NCCL's order */
    const int *gpus;                      /* their numbers in CUDA's order */
    int switch_node;                      /* of the NVSwitches, or -1 */
    ks_nccl_way *ways;                    /* n_gpus x n_gpus, from x to: as the search goes */
    ks_nccl_way *direct;                  /* the same before P2P was refused */
    ks_nccl_way *to_switch, *from_switch; /* n_gpus, where there are NVSwitches */
    enum ks_cpu_vendor vendor;            /* of the first CPU */
    double least_capability, most_capability;
    float largest, total; /* GB/s: of a pair's path; out of a GPU */
} ks_nccl_net;

/* The graph of the first `ranks` GPUs with its direct ways; NULL after an error (N003, N005). */
ks_nccl_net *ks_nccl_build(ks_diags *diags, const ks_nccl_model *model, const ks_topology *topology,
                           size_t ranks);

/* In paths.c: fills in the direct ways. False after N005. */
bool ks_nccl_find_ways(ks_diags *diags, ks_nccl_net *net);
/* Leads the pairs for which P2P is not allowed (n_gpus x n_gpus) past the receiver's NUMA node, then
 * finds the largest and total bandwidth. */
void ks_nccl_divert(ks_arena *arena, ks_nccl_net *net, const bool *p2p);

#endif
