/* What all-reduce algorithms ask of a machine's links: the slowest edge of a ring, how much all
 * GPUs can exchange at once, how long a schedule of transfers takes. Each answer names what holds
 * it back and the busiest links.
 *
 * Only data on links is counted: launches, reductions and protocols are in models/allreduce/. */
#ifndef KS_LINKS_TRANSFER_H
#define KS_LINKS_TRANSFER_H

#include "links/route.h"

enum { KS_BUSIEST = 5 };

typedef struct ks_busy_wire {
    const ks_wire *wire;
    double use; /* 0 to 1: carried over what duplex and peers leave possible */
} ks_busy_wire;

typedef struct ks_transfer {
    double seconds;   /* to the last byte, latencies and barriers included; 0: no size given */
    double slowest;   /* bytes/s of the slowest flow, on average */
    double mean;      /* bytes/s, mean over flows of each one's average */
    double aggregate; /* bytes/s of all flows together, to the last byte */
    double per_rank;  /* aggregate / ranks */
    const ks_wire *held_by; /* holds the slowest flow back; NULL: a limit of one transfer */
    ks_str held_text; /* in words: "s0 -> cpu0, shared by 16 transfers", "one transfer's limit" */
    ks_busy_wire busiest[KS_BUSIEST];
    size_t n_busiest;
} ks_transfer;

/* Which GPUs take part, in the order of their ranks, and how they transfer. */
typedef struct ks_group {
    const ks_routes *routes;
    const int *gpus; /* index in topology->gpus, by rank; each once */
    size_t n;
    enum ks_flow_kind kind;
    bool plain; /* plain max-min, all efficiencies 1, no limits of one transfer */
} ks_group;

/* All functions: memory from `diags->arena`; false after an error, which is reported. Rates are of
 * the bandwidth term alone: latencies count only where a size is given. A group of fewer than two
 * GPUs transfers nothing: all rates 0. */

/* The ring in the order of the group: every rank sends to the next one at once, for ever. `slowest`
 * is the rate of the slowest edge, `flow.ring_edge`. */
bool ks_ring(ks_diags *diags, const ks_group *group, ks_transfer *result);

/* Every rank sends to the one `distance` further on, at once. */
bool ks_shift(ks_diags *diags, const ks_group *group, size_t distance, ks_transfer *result);

/* Every rank sends the same amount to every other at once. `aggregate` is `flow.all_to_all`,
 * `per_rank` the B of a one-stage kernel. */
bool ks_all_to_all(ks_diags *diags, const ks_group *group, ks_transfer *result);

/* A message of `bytes` per rank, each rank sending all of it to every other, latency first. */
bool ks_one_stage(ks_diags *diags, const ks_group *group, double bytes, ks_transfer *result);

/* Reduce-scatter, barrier, all-gather: bytes / n to every other rank, twice. */
bool ks_two_stage(ks_diags *diags, const ks_group *group, double bytes, ks_transfer *result);

/* Islands of G ranks each: reduce-scatter inside each, then every rank sends its part (bytes / G)
 * to its counterpart in each other island, then all-gather inside each; barriers between the three.
 * `island` is G, in consecutive ranks; 0: ranks that reach each other without leaving their switch
 * (or by NVLink) or, where there are none, their socket. An error if islands differ in size. */
bool ks_island_stages(ks_diags *diags, const ks_group *group, size_t island, double bytes,
                      ks_transfer *result);

/* One pair at a time: matrix[from * n + to] in bytes/s; 0 on the diagonal. both_ways: the pair
 * sends in both directions at once, and the entry is the sum of the two. */
bool ks_pair_matrix(ks_diags *diags, const ks_group *group, bool both_ways, double *matrix);

/* Seconds, one way, between the two GPUs of the group that are farthest apart. */
double ks_farthest(const ks_group *group);

/* Defines flow.ring_edge and flow.all_to_all (bytes/s) with their ranges and, as notes, what holds
 * them back; `routes` one an end of the fabric's ranges. `gpus`, `n`: the group; the ring in this
 * order. */
bool ks_define_transfers(ks_program *program, const ks_routes routes[KS_FABRIC_ENDS],
                         const int *gpus, size_t n, enum ks_flow_kind ring_kind,
                         enum ks_flow_kind all_kind);

#endif
