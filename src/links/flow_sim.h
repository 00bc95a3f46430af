/* Inside of engine/flow.c and engine/flow_share.c. Flows are kept as sets of bits, and flows that
 * have the same rate and as much left to send are one item, a batch: a collective of many like
 * flows costs little more than one of a few. */
#ifndef KS_LINKS_FLOW_SIM_H
#define KS_LINKS_FLOW_SIM_H

#include "links/flow.h"

enum { KS_WORD = 64 };

/* What differs by less than this part of itself is equal; the least rate, and the most of
 * anything. */
#define KS_FLOW_EPSILON 1e-9
#define KS_FLOW_SLOWEST 1.0
#define KS_FLOW_MOST 1e18

/* 64 bits; a type of its own, so that the compiler knows that writing one changes no size_t. */
typedef unsigned long long ks_bits;

/* Flows that began together with as many bytes, and had the same rate ever since. */
typedef struct ks_flow_batch {
    double begin, bytes; /* seconds, bytes of each flow */
    double left, rate;   /* bytes, bytes/s */
    int round;           /* of the last sharing: in which their rate was found */
    ks_bits *flows;
} ks_flow_batch;

/* Flows with one cap. */
typedef struct ks_flow_limit {
    double cap;
    ks_bits *flows;
} ks_flow_limit;

/* What is kept of a flow. */
typedef struct ks_flow_way {
    const int *links;
    size_t n_links;
    int from, to, via;
} ks_flow_way;

/* What a round of filling found. */
typedef struct ks_flow_round {
    double rate;
    bool capped; /* by the flows' caps, not by links */
} ks_flow_round;

struct ks_flow_sim {
    ks_flow_link *links;
    size_t n_links, n_ends, most_flows;
    size_t stride, end_stride; /* words of a set of flows, of ends */
    bool even;                 /* no link loses by duplex or peers */
    ks_flow_way *flows;
    size_t n;
    ks_bits *over;  /* by link: the flows on it */
    ks_bits *peers; /* by link with a loss: ends at the other side */
    bool *repeated; /* by link with a loss: two of its flows have the same peer */
    int *used;      /* links that some flow uses, in the order of first use */
    size_t n_used;
    bool *is_used;
    ks_flow_batch *waiting; /* as added */
    size_t n_waiting;
    ks_flow_limit *limits;
    size_t n_limits;
    /* of a run */
    ks_flow_batch *order, *active;
    size_t n_active;
    ks_bits *alive, *open, *frozen;
    double *able;  /* by link: capacity as things are */
    int *load;     /* by link: active flows */
    int *full;     /* by link: the round that filled it, or -1 */
    ks_bits *on;   /* by used link, in its order: active flows; sets lie close */
    double *room;  /* by used link: what is not given away yet */
    int *unshared; /* by used link: active flows without a rate yet */
    ks_flow_round *rounds; /* at most one a link and one a limit */
    size_t n_rounds;
};

/* Gives every active flow its rate: afterwards each batch has one, and `rounds` and `full` tell
 * what holds it. May split batches. False if a flow would get next to nothing. */
bool ks_flow_share(ks_flow_sim *sim);

static inline size_t ks_bits_words(size_t n)
{
    return (n + KS_WORD - 1) / KS_WORD;
}

static inline int ks_count_bits(ks_bits x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((x * 0x0101010101010101u) >> 56);
}

static inline void ks_put_bit(ks_bits *set, size_t i)
{
    set[i / KS_WORD] |= (ks_bits)1 << (i % KS_WORD);
}

static inline bool ks_has_bit(const ks_bits *set, size_t i)
{
    return (set[i / KS_WORD] >> (i % KS_WORD)) & 1;
}

static inline int ks_count_common(const ks_bits *a, const ks_bits *b, size_t words)
{
    int n = 0;
    for (size_t w = 0; w < words; w++)
        n += ks_count_bits(a[w] & b[w]);
    return n;
}

static inline bool ks_bits_meet(const ks_bits *a, const ks_bits *b, size_t words)
{
    ks_bits common = 0;
    for (size_t w = 0; w < words; w++)
        common |= a[w] & b[w];
    return common != 0;
}

static inline bool ks_bits_empty(const ks_bits *a, size_t words)
{
    return !ks_bits_meet(a, a, words);
}

/* Whom a port at one end of a flow talks to. */
static inline size_t ks_flow_peer(int from, int to, int via, int port)
{
    if (via >= 0)
        return (size_t)via;
    return (size_t)(port == from ? to : from);
}

#endif
