/* Transfers that share links: who gets how much, and when each is done. A flow waits for its
 * latency, then takes its max-min fair share of every link on its way; shares are worked out anew
 * whenever a flow begins or ends (bounded max-min with progressive filling).
 *
 * Pure machinery: it knows no machine. engine/route.h makes links and ways from one, and
 * engine/transfer.h asks the questions. Results are the same on every host: sums run in the order
 * in which flows were added, and what differs by less than 1e-9 of itself is equal. */
#ifndef KS_LINKS_FLOW_H
#define KS_LINKS_FLOW_H

#include "base/arena.h"

#include <stdint.h>

/* One direction of a link. With duplex = duplex_pair = 1 and loss = 0, this is plain max-min. */
typedef struct ks_flow_link {
    double capacity;    /* bytes/s while the other direction is idle; > 0 */
    double duplex;      /* times capacity while the reverse link has an active flow; in (0, 1] */
    double duplex_pair; /* the same while all active flows run between one pair of ends */
    double loss;        /* capacity falls by loss * (1 - 1/k) with k peers at the port; [0, 1) */
    int reverse;        /* link, or -1 */
    int port;           /* end whose port it is, for `loss`; -1: none */
} ks_flow_link;

typedef struct ks_flow {
    const int *links; /* in the order of the way; each at most once; kept, not copied */
    size_t n_links;
    int from, to; /* ends, less than the simulation's `n_ends` */
    int via;      /* end that both ports have as their peer, such as host memory; -1: each other */
    double bytes; /* > 0 */
    double start; /* seconds */
    double latency; /* seconds between start and the first byte */
    double cap;     /* bytes/s that it never exceeds; 0: none */
} ks_flow;

/* What held a flow back, besides a link (>= 0). */
enum { KS_HELD_BY_CAP = -1, KS_HELD_BY_NOTHING = -2 };

typedef struct ks_flow_result {
    double start;  /* seconds: the first byte, latency is over */
    double finish; /* seconds: the last byte */
    double rate;   /* bytes/s between the two, on average */
    int held_by;   /* link that held its rate down at the end, or KS_HELD_BY_CAP */
} ks_flow_result;

/* A flow between two events. */
typedef struct ks_flow_span {
    size_t flow;
    double from, to; /* seconds */
    double rate;     /* bytes/s */
    int held_by;
} ks_flow_span;

typedef struct ks_flow_trace {
    ks_flow_span *items;
    size_t n, capacity;
    double *carried; /* by link: bytes */
    double *possible; /* by link: bytes that it could have carried in all that time */
    size_t n_links;
} ks_flow_trace;

enum ks_flow_error {
    KS_FLOW_OK,
    KS_FLOW_STUCK /* a flow would get less than 1 byte/s */
};

typedef struct ks_flow_sim ks_flow_sim;

/* A simulation with room for `most_flows` over these links, between ends 0 to n_ends - 1. The
 * links are copied. Everything is allocated here, in the arena; nothing later, but for a trace.
 * NULL if a link is faulty: a capacity that is not above 0, a factor out of range, a wrong
 * reverse or port. */
ks_flow_sim *ks_flow_sim_new(ks_arena *arena, const ks_flow_link *links, size_t n_links,
                             size_t n_ends, size_t most_flows);

/* Adds a flow. Its number, 0 for the first, or -1 if there is no room left or the flow is faulty: no
 * number, a negative or too large one, a link or an end that does not exist, neither link nor cap. */
int ks_flow_add(ks_flow_sim *sim, const ks_flow *flow);

/* Adds flows one after the other, up to the first that is faulty. How many were added. */
size_t ks_flow_add_all(ks_flow_sim *sim, const ks_flow *flows, size_t n);

/* Takes all flows away. */
void ks_flow_clear(ks_flow_sim *sim);

size_t ks_flow_count(const ks_flow_sim *sim);

/* Runs all flows that were added, to the last byte. `results` has one entry a flow. The flows stay,
 * and may be run again. */
enum ks_flow_error ks_flow_run(ks_flow_sim *sim, ks_flow_result *results);

/* The same, writing down each flow between each two events, and what links carried. */
enum ks_flow_error ks_flow_run_traced(ks_flow_sim *sim, ks_arena *arena, ks_flow_result *results,
                                      ks_flow_trace *trace);

/* When everybody has passed a barrier that the last of them reaches at `reached` (seconds): a flag
 * goes to the farthest one (`latency`) and is seen there at the next look (`poll`). */
double ks_flow_barrier(double reached, double latency, double poll);

#endif
