/* What NCCL makes of a machine: the rings and trees that its search finds, how many channels, which
 * transport each edge of the ring uses, and the memory of a communicator. All ranks on one machine.
 *
 * It follows NCCL's own algorithm with its constants (models/nccl) and its single-precision arithmetic,
 * so that it gives NCCL's own answers; it does not measure, and NCCL's estimate of a time is not a
 * prediction. The choice of algorithm and protocol by size is a set of formulas: ks_define_nccl(). */
#ifndef KS_NCCL_SELECT_H
#define KS_NCCL_SELECT_H

#include "expl/program.h"
#include "model/nccl.h"
#include "model/topology.h"
#include "nccl/words.h"

/* What a search found. channels 0: it was not made, or (NVLS) found nothing. */
typedef struct ks_nccl_found {
    enum ks_nccl_pattern pattern;
    int64_t channels;
    double bandwidth;       /* bytes/s of one channel */
    double outer_bandwidth; /* NVLS: between the GPUs and the switches */
    enum ks_nccl_path type; /* the largest type of path that it allows itself */
    bool same_channels;     /* all channels in one order */
    bool fallback;          /* nothing was found: order of the ranks, 0.1 GB/s */
    const int *order; /* channels x ranks: GPUs by their number; NVLS: one a channel, its head */
} ks_nccl_found;

typedef struct ks_nccl_pair {
    enum ks_nccl_path type;
    double bandwidth; /* bytes/s */
} ks_nccl_pair;

/* An edge of the first channel's ring. */
typedef struct ks_nccl_edge {
    int from, to;             /* GPUs */
    enum ks_nccl_path direct; /* the direct way, before NCCL leads it past host memory */
    enum ks_nccl_transport transport;
    ks_str why; /* in words */
} ks_nccl_edge;

typedef struct ks_nccl_setting {
    ks_str name, value; /* NCCL_P2P_LEVEL, SYS */
    ks_span at;
    const ks_source *file; /* what stands in the file that the value names; NULL: it is read */
} ks_nccl_setting;

typedef struct ks_nccl_ask {
    int64_t ranks;              /* the first so many GPUs; 0: all */
    const ks_nccl_setting *env; /* names that are not known here are passed over */
    size_t n_env;
    double capability; /* searched for as for GPUs of this one; 0: of their own */
    ks_span at;
} ks_nccl_ask;

typedef struct ks_nccl_result {
    const ks_nccl_model *model;
    const ks_topology *topology;
    size_t ranks;
    double least_capability, most_capability;
    ks_nccl_found ring, tree, nvls;
    int64_t channels; /* of the communicator */
    bool fallback;    /* ring or tree */
    /* The fallback of GPUs whose slowest speed is above what the links between NUMA nodes are thought
     * to carry (compute capability 10.0 and later on AMD). */
    bool numa_fallback;
    const ks_nccl_pair *paths;  /* ranks x ranks, from -> to, as the search sees them */
    enum ks_nccl_path p2p_level;
    ks_str p2p_why;                                 /* who said so */
    const ks_nccl_edge *edges;                      /* ranks of them */
    enum ks_nccl_transport transport;               /* the slowest kind among the edges */
    int64_t ll_buffer, ll128_buffer, simple_buffer; /* bytes */
    bool allows_ring, allows_tree, allows_nvls, allows_ll,
        allows_simple;         /* NCCL_ALGO, NCCL_PROTO */
    enum ks_told allows_ll128; /* KS_UNTOLD: by the rule */
    const ks_str *trace;       /* what was tried, in words; at most KS_NCCL_MOST_TRACE lines */
    size_t n_trace;
} ks_nccl_result;

/* NCCL's answers for the first `ask->ranks` GPUs of a machine, or NULL after an error: N002 more ranks
 * than GPUs, N003 a GPU of unknown compute capability, N004 a variable with a value that NCCL refuses,
 * N005 GPUs that NCCL cannot reach. The result is in the diags' arena. */
const ks_nccl_result *ks_nccl_select(ks_diags *diags, const ks_nccl_model *model,
                                     const ks_topology *topology, const ks_nccl_ask *ask);

/* Channels and threads that NCCL uses for a message of so many bytes with this algorithm ("ring",
 * "tree", "nvls") and protocol ("ll", "ll128", "simple"). */
typedef struct ks_nccl_width {
    int64_t channels, threads;
} ks_nccl_width;
ks_nccl_width ks_nccl_width_for(const ks_nccl_result *result, ks_str algorithm, ks_str protocol,
                                int64_t bytes);

/* Defines PREFIXnccl.*: the results as inputs, and the formulas of the version's file over them and over
 * `bytes` and `ranks` (looked for as PREFIXbytes first). Tables are there once, whatever the prefix. */
bool ks_define_nccl(ks_program *program, const ks_nccl_result *result, ks_str prefix);

/* Of these only what a communicator's memory hangs on: nccl.communicator_bytes and its inputs. */
bool ks_define_nccl_memory(ks_program *program, const ks_nccl_result *result);

#endif
