#include "engine/flow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Flows are kept as sets of bits, and flows that have the same rate and as much left to send are one
 * item, a batch: a collective of many like flows costs little more than one of a few. */

enum { WORD = 64, MOST_LINKS = 65536, MOST_ENDS = 4096, MOST_FLOWS = 4096 };

static const double epsilon = 1e-9, slowest = 1.0, most = 1e18;

typedef uint64_t bits;

/* Flows that began together with as many bytes, and had the same rate ever since. */
typedef struct batch {
    double begin, bytes; /* seconds, bytes of each flow */
    double left, rate;   /* bytes, bytes/s */
    int round;           /* of the last sharing: in which their rate was found */
    bits *flows;
} batch;

/* Flows with one cap. */
typedef struct limit {
    double cap;
    bits *flows;
} limit;

/* What a round of filling found. */
typedef struct sharing {
    double rate;
    bool capped; /* by the flows' caps, not by links */
} sharing;

struct ks_flow_sim {
    ks_flow_link *links;
    size_t n_links, n_ends, most_flows;
    size_t stride, end_stride; /* words of a set of flows, of ends */
    bool even;                 /* no link loses by duplex or peers */
    ks_flow *flows;
    size_t n;
    bits *over;     /* by link: the flows on it */
    bits *peers;    /* by link with a loss: ends at the other side */
    bool *repeated; /* by link with a loss: two of its flows have the same peer */
    int *used;      /* links that some flow uses, in the order of first use */
    size_t n_used;
    bool *is_used;
    batch *waiting; /* as added */
    size_t n_waiting;
    limit *limits;
    size_t n_limits;
    /* of a run */
    batch *order, *active;
    size_t n_active;
    bits *alive, *open, *frozen;
    double *able;  /* by link: capacity as things are */
    double *room;  /* by link: what is not given away yet */
    int *load;     /* by link: active flows */
    int *unshared; /* by link: active flows without a rate yet */
    int *full;     /* by link: the round that filled it, or -1 */
    sharing *rounds; /* at most one a link and one a limit */
    size_t n_rounds;
};

/* ---- Sets ---------------------------------------------------------------------------------------- */

static inline int count_bits(bits x)
{
    x -= (x >> 1) & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + ((x >> 2) & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)((x * 0x0101010101010101u) >> 56);
}

static inline void put_bit(bits *set, size_t i)
{
    set[i / WORD] |= (bits)1 << (i % WORD);
}

static inline bool has_bit(const bits *set, size_t i)
{
    return (set[i / WORD] >> (i % WORD)) & 1;
}

static inline int count_common(const bits *a, const bits *b, size_t words)
{
    int n = 0;
    for (size_t w = 0; w < words; w++)
        n += count_bits(a[w] & b[w]);
    return n;
}

static inline bool meet(const bits *a, const bits *b, size_t words)
{
    bits common = 0;
    for (size_t w = 0; w < words; w++)
        common |= a[w] & b[w];
    return common != 0;
}

static inline bool is_empty(const bits *a, size_t words)
{
    return !meet(a, a, words);
}

/* ---- Links and flows ----------------------------------------------------------------------------- */

static bool is_factor(double x)
{
    return x > 0 && x <= 1;
}

static bool is_good_link(const ks_flow_link *link, size_t i, size_t n, size_t n_ends)
{
    return link->capacity >= slowest && link->capacity <= most && is_factor(link->duplex) &&
           is_factor(link->duplex_pair) && link->loss >= 0 && link->loss < 1 &&
           link->reverse >= -1 && link->reverse < (int)n && link->reverse != (int)i &&
           link->port >= -1 && link->port < (int)n_ends;
}

static size_t words_for(size_t n)
{
    return (n + WORD - 1) / WORD;
}

static void alloc_run(ks_arena *arena, ks_flow_sim *sim)
{
    size_t flows = sim->most_flows, n = sim->n_links;
    sim->order = KS_NEW_ARRAY(arena, batch, flows);
    sim->active = KS_NEW_ARRAY(arena, batch, flows);
    bits *sets = KS_NEW_ARRAY(arena, bits, flows * sim->stride);
    for (size_t i = 0; i < flows; i++)
        sim->active[i].flows = sets + i * sim->stride;
    sim->alive = KS_NEW_ARRAY(arena, bits, sim->stride);
    sim->open = KS_NEW_ARRAY(arena, bits, sim->stride);
    sim->frozen = KS_NEW_ARRAY(arena, bits, sim->stride);
    sim->able = KS_NEW_ARRAY(arena, double, n);
    sim->room = KS_NEW_ARRAY(arena, double, n);
    sim->load = KS_NEW_ARRAY(arena, int, n);
    sim->unshared = KS_NEW_ARRAY(arena, int, n);
    sim->full = KS_NEW_ARRAY(arena, int, n);
    sim->rounds = KS_NEW_ARRAY(arena, sharing, n + flows);
}

ks_flow_sim *ks_flow_sim_new(ks_arena *arena, const ks_flow_link *links, size_t n_links,
                             size_t n_ends, size_t most_flows)
{
    bool good = n_links <= MOST_LINKS && n_ends <= MOST_ENDS && most_flows <= MOST_FLOWS;
    bool even = true;
    for (size_t i = 0; good && i < n_links; i++) {
        good = is_good_link(&links[i], i, n_links, n_ends);
        even = even && links[i].duplex >= 1 && links[i].duplex_pair >= 1 && links[i].loss <= 0;
    }
    if (!good)
        return NULL;
    ks_flow_sim *sim = KS_NEW(arena, ks_flow_sim);
    *sim = (ks_flow_sim){.n_links = n_links, .n_ends = n_ends, .most_flows = most_flows,
                         .stride = words_for(most_flows), .end_stride = words_for(n_ends),
                         .even = even};
    sim->links = KS_NEW_ARRAY(arena, ks_flow_link, n_links);
    if (n_links)
        memcpy(sim->links, links, n_links * sizeof *links);
    sim->flows = KS_NEW_ARRAY(arena, ks_flow, most_flows);
    sim->over = KS_NEW_ARRAY(arena, bits, n_links * sim->stride);
    sim->peers = KS_NEW_ARRAY(arena, bits, n_links * sim->end_stride);
    sim->repeated = KS_NEW_ARRAY(arena, bool, n_links);
    sim->used = KS_NEW_ARRAY(arena, int, n_links);
    sim->is_used = KS_NEW_ARRAY(arena, bool, n_links);
    sim->waiting = KS_NEW_ARRAY(arena, batch, most_flows);
    sim->limits = KS_NEW_ARRAY(arena, limit, most_flows);
    bits *sets = KS_NEW_ARRAY(arena, bits, 2 * most_flows * sim->stride);
    for (size_t i = 0; i < most_flows; i++) {
        sim->waiting[i].flows = sets + 2 * i * sim->stride;
        sim->limits[i].flows = sets + (2 * i + 1) * sim->stride;
    }
    alloc_run(arena, sim);
    return sim;
}

void ks_flow_clear(ks_flow_sim *sim)
{
    size_t set = words_for(sim->n) * sizeof(bits);
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        memset(sim->over + l * sim->stride, 0, set);
        memset(sim->peers + l * sim->end_stride, 0, sim->end_stride * sizeof(bits));
        sim->repeated[l] = sim->is_used[l] = false;
    }
    for (size_t i = 0; i < sim->n_waiting; i++)
        memset(sim->waiting[i].flows, 0, set);
    for (size_t i = 0; i < sim->n_limits; i++)
        memset(sim->limits[i].flows, 0, set);
    sim->n = sim->n_used = sim->n_waiting = sim->n_limits = 0;
}

size_t ks_flow_count(const ks_flow_sim *sim)
{
    return sim->n;
}

static bool is_time(double x)
{
    return x >= 0 && x <= 1e9;
}

static bool is_good_flow(const ks_flow_sim *sim, const ks_flow *flow)
{
    return flow->bytes > 0 && flow->bytes <= most && is_time(flow->start) &&
           is_time(flow->latency) && flow->cap >= 0 && flow->cap <= most &&
           (flow->n_links || flow->cap > 0) && (size_t)flow->from < sim->n_ends &&
           (size_t)flow->to < sim->n_ends;
}

static void note_peer(ks_flow_sim *sim, size_t link, const ks_flow *flow)
{
    bits *peers = sim->peers + link * sim->end_stride;
    size_t peer = (size_t)(sim->links[link].port == flow->from ? flow->to : flow->from);
    sim->repeated[link] |= has_bit(peers, peer);
    put_bit(peers, peer);
}

/* Notes the flow on its links. False if one does not exist. */
static bool put_on_links(ks_flow_sim *sim, const ks_flow *flow, size_t f)
{
    bits *over = sim->over + f / WORD, bit = (bits)1 << f % WORD;
    for (size_t i = 0; i < flow->n_links; i++) {
        size_t link = (size_t)flow->links[i];
        if (link >= sim->n_links) {
            while (i-- > 0)
                over[(size_t)flow->links[i] * sim->stride] &= ~bit;
            return false;
        }
        over[link * sim->stride] |= bit;
        if (!sim->is_used[link]) {
            sim->is_used[link] = true;
            sim->used[sim->n_used++] = (int)link;
        }
        if (!sim->even && sim->links[link].loss > 0)
            note_peer(sim, link, flow);
    }
    return true;
}

static bool is_same(double a, double b)
{
    return a <= b && a >= b;
}

/* The flows that begin with this one and have as many bytes; the newest are looked at first. */
static batch *batch_of(ks_flow_sim *sim, const ks_flow *flow)
{
    double begin = flow->start + flow->latency;
    for (size_t i = sim->n_waiting; i-- > 0;)
        if (is_same(sim->waiting[i].begin, begin) && is_same(sim->waiting[i].bytes, flow->bytes))
            return &sim->waiting[i];
    batch *b = &sim->waiting[sim->n_waiting++];
    b->begin = begin;
    b->bytes = b->left = flow->bytes;
    return b;
}

static limit *limit_of(ks_flow_sim *sim, double cap)
{
    for (size_t i = sim->n_limits; i-- > 0;)
        if (is_same(sim->limits[i].cap, cap))
            return &sim->limits[i];
    limit *l = &sim->limits[sim->n_limits++];
    l->cap = cap;
    return l;
}

int ks_flow_add(ks_flow_sim *sim, const ks_flow *flow)
{
    size_t f = sim->n;
    if (f == sim->most_flows || !is_good_flow(sim, flow) || !put_on_links(sim, flow, f))
        return -1;
    sim->flows[f] = *flow;
    put_bit(batch_of(sim, flow)->flows, f);
    if (flow->cap > 0)
        put_bit(limit_of(sim, flow->cap)->flows, f);
    sim->n++;
    return (int)f;
}

/* ---- Capacities while the set of active flows stays the same --------------------------------------- */

/* All active flows run between two ends. */
static bool is_one_pair(const ks_flow_sim *sim, size_t words)
{
    const ks_flow *first = NULL;
    for (size_t w = 0; w < words; w++)
        for (bits set = sim->alive[w]; set; set &= set - 1) {
            const ks_flow *f = &sim->flows[w * WORD + (size_t)__builtin_ctzll(set)];
            if (!first)
                first = f;
            if ((f->from != first->from || f->to != first->to) &&
                (f->from != first->to || f->to != first->from))
                return false;
        }
    return true;
}

/* Peers at a port that has active flows. */
static int count_peers(ks_flow_sim *sim, size_t link, size_t words)
{
    if (!sim->repeated[link])
        return sim->load[link];
    int n = 0;
    bits *peers = sim->peers + link * sim->end_stride;
    memset(peers, 0, sim->end_stride * sizeof(bits));
    for (size_t w = 0; w < words; w++)
        for (bits set = sim->alive[w] & sim->over[link * sim->stride + w]; set; set &= set - 1) {
            const ks_flow *f = &sim->flows[w * WORD + (size_t)__builtin_ctzll(set)];
            size_t peer = (size_t)(sim->links[link].port == f->from ? f->to : f->from);
            n += !has_bit(peers, peer);
            put_bit(peers, peer);
        }
    return n;
}

/* Takes off what busy reverse links and many peers cost. */
static void take_losses(ks_flow_sim *sim, size_t words)
{
    bool pair = is_one_pair(sim, words);
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        const ks_flow_link *link = &sim->links[l];
        if (sim->load[l] == 0)
            continue;
        if (link->reverse >= 0 && sim->is_used[link->reverse] && sim->load[link->reverse] > 0)
            sim->able[l] *= pair ? link->duplex_pair : link->duplex;
        if (link->loss > 0)
            sim->able[l] *= 1 - link->loss * (1 - 1.0 / count_peers(sim, l, words));
        sim->room[l] = sim->able[l];
    }
}

static inline void find_capacities(ks_flow_sim *sim, size_t words)
{
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        sim->load[l] = sim->unshared[l] =
            count_common(sim->over + l * sim->stride, sim->alive, words);
        sim->full[l] = -1;
        sim->room[l] = sim->able[l] = sim->links[l].capacity;
    }
    if (!sim->even)
        take_losses(sim, words);
}

/* ---- Progressive filling ------------------------------------------------------------------------- */

/* The smallest equal share of a link that has flows without a rate. */
static inline double least_share(const ks_flow_sim *sim)
{
    double least = INFINITY;
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        if (sim->unshared[l] == 0)
            continue;
        double share = sim->room[l] / sim->unshared[l];
        least = share < least ? share : least;
    }
    return least;
}

/* Into `frozen`: the flows whose cap is within a hair of the smallest one up to `share`. That cap. */
static double freeze_capped(ks_flow_sim *sim, double share)
{
    double least = share;
    bool any = false;
    for (size_t i = 0; i < sim->n_limits; i++)
        if (sim->limits[i].cap <= least && meet(sim->limits[i].flows, sim->open, words_for(sim->n))) {
            least = sim->limits[i].cap;
            any = true;
        }
    for (size_t i = 0; any && i < sim->n_limits; i++)
        if (sim->limits[i].cap <= least * (1 + epsilon))
            for (size_t w = 0; w < words_for(sim->n); w++)
                sim->frozen[w] |= sim->limits[i].flows[w] & sim->open[w];
    return least;
}

/* Into `frozen`: the flows on links that are full at this share. */
static inline void freeze_full(ks_flow_sim *sim, double share, int round, size_t words)
{
    double most_share = share * (1 + epsilon);
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        if (sim->unshared[l] == 0 || sim->room[l] > most_share * sim->unshared[l])
            continue;
        sim->full[l] = round;
        for (size_t w = 0; w < words; w++)
            sim->frozen[w] |= sim->over[l * sim->stride + w] & sim->open[w];
    }
}

/* Takes what the frozen flows have from the links. */
static inline void take_room(ks_flow_sim *sim, double rate, size_t words)
{
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        if (sim->unshared[l] == 0)
            continue;
        int n = count_common(sim->over + l * sim->stride, sim->frozen, words);
        double room = sim->room[l] - n * rate;
        sim->unshared[l] -= n;
        sim->room[l] = room > 0 ? room : 0;
    }
}

/* Splits active batches by the flows that are frozen now, with their rate. */
static inline void settle_round(ks_flow_sim *sim, double rate, int round, size_t words)
{
    for (size_t i = 0, n = sim->n_active; i < n; i++) {
        batch *b = &sim->active[i];
        bits in = 0, out = 0;
        if (b->round >= 0)
            continue;
        for (size_t w = 0; w < words; w++) {
            in |= b->flows[w] & sim->frozen[w];
            out |= b->flows[w] & ~sim->frozen[w];
        }
        if (!in)
            continue;
        if (out) {
            batch *rest = &sim->active[sim->n_active++];
            bits *flows = rest->flows;
            *rest = *b;
            rest->flows = flows;
            for (size_t w = 0; w < words; w++) {
                flows[w] = b->flows[w] & ~sim->frozen[w];
                b->flows[w] &= sim->frozen[w];
            }
        }
        b->round = round;
        b->rate = rate;
    }
}

/* Gives every active flow its rate. False if one would get next to nothing. `words` is that of the
 * sets: known to the compiler, it makes the common case of at most 64 flows three times as fast. */
static inline __attribute__((always_inline)) bool share_links_of(ks_flow_sim *sim, size_t words)
{
    find_capacities(sim, words);
    sim->n_rounds = 0;
    for (size_t w = 0; w < words; w++)
        sim->open[w] = sim->alive[w];
    for (size_t i = 0; i < sim->n_active; i++)
        sim->active[i].round = -1;
    while (!is_empty(sim->open, words)) {
        int round = (int)sim->n_rounds;
        sharing *r = &sim->rounds[sim->n_rounds++];
        for (size_t w = 0; w < words; w++)
            sim->frozen[w] = 0;
        r->rate = least_share(sim);
        double cap = sim->n_limits ? freeze_capped(sim, r->rate) : r->rate;
        r->capped = !is_empty(sim->frozen, words);
        if (r->capped)
            r->rate = cap;
        else
            freeze_full(sim, r->rate, round, words);
        if (!(r->rate >= slowest))
            return false;
        settle_round(sim, r->rate, round, words);
        for (size_t w = 0; w < words; w++)
            sim->open[w] &= ~sim->frozen[w];
        if (!is_empty(sim->open, words))
            take_room(sim, r->rate, words);
    }
    return true;
}

static bool share_links(ks_flow_sim *sim)
{
    return sim->n <= WORD ? share_links_of(sim, 1) : share_links_of(sim, words_for(sim->n));
}

/* ---- Events -------------------------------------------------------------------------------------- */

static int what_holds(const ks_flow_sim *sim, const ks_flow *flow, int round)
{
    if (sim->rounds[round].capped)
        return KS_HELD_BY_CAP;
    for (size_t i = 0; i < flow->n_links; i++)
        if (sim->full[flow->links[i]] == round)
            return flow->links[i];
    return KS_HELD_BY_NOTHING;
}

static void write_results(const ks_flow_sim *sim, const batch *b, double finish,
                          ks_flow_result *results)
{
    double took = finish - b->begin;
    ks_flow_result result = {b->begin, finish, took > 0 ? b->bytes / took : b->rate, 0};
    for (size_t w = 0; w < words_for(sim->n); w++)
        for (bits set = b->flows[w]; set; set &= set - 1) {
            size_t f = w * WORD + (size_t)__builtin_ctzll(set);
            result.held_by = what_holds(sim, &sim->flows[f], b->round);
            results[f] = result;
        }
}

static void write_spans(const ks_flow_sim *sim, ks_arena *arena, double from, double to,
                        ks_flow_trace *trace)
{
    for (size_t i = 0; i < sim->n_used; i++)
        trace->possible[sim->used[i]] += sim->able[sim->used[i]] * (to - from);
    for (size_t i = 0; i < sim->n_active; i++)
        for (size_t f = 0; f < sim->n; f++) {
            const batch *b = &sim->active[i];
            const ks_flow *flow = &sim->flows[f];
            if (!has_bit(b->flows, f))
                continue;
            *KS_PUSH(arena, trace) =
                (ks_flow_span){f, from, to, b->rate, what_holds(sim, flow, b->round)};
            for (size_t l = 0; l < flow->n_links; l++)
                trace->carried[flow->links[l]] += b->rate * (to - from);
        }
}

/* Seconds until the first batch is done. */
static double next_finish(const ks_flow_sim *sim)
{
    double least = INFINITY;
    for (size_t i = 0; i < sim->n_active; i++) {
        double takes = sim->active[i].left / sim->active[i].rate;
        least = takes < least ? takes : least;
    }
    return least;
}

/* Lets `dt` seconds pass: batches that are done leave. `now` is the time then. */
static void advance(ks_flow_sim *sim, double dt, double now, ks_flow_result *results)
{
    size_t kept = 0;
    for (size_t i = 0; i < sim->n_active; i++) {
        batch *b = &sim->active[i];
        if (b->left <= b->rate * dt * (1 + epsilon)) {
            for (size_t w = 0; w < words_for(sim->n); w++)
                sim->alive[w] &= ~b->flows[w];
            write_results(sim, b, now, results);
            continue;
        }
        b->left -= b->rate * dt;
        if (kept != i) {
            batch other = sim->active[kept];
            sim->active[kept] = *b;
            *b = other;
        }
        kept++;
    }
    sim->n_active = kept;
}

/* Begins all batches that are due. */
static size_t begin_due(ks_flow_sim *sim, size_t next, double now)
{
    for (; next < sim->n_waiting && sim->order[next].begin <= now * (1 + epsilon); next++) {
        batch *b = &sim->active[sim->n_active++];
        bits *flows = b->flows;
        *b = sim->order[next];
        memcpy(flows, b->flows, words_for(sim->n) * sizeof(bits));
        b->flows = flows;
        for (size_t w = 0; w < words_for(sim->n); w++)
            sim->alive[w] |= flows[w];
    }
    return next;
}

static int by_begin(const void *a, const void *b)
{
    const batch *x = a, *y = b;
    if (x->begin < y->begin || x->begin > y->begin)
        return x->begin < y->begin ? -1 : 1;
    return x->flows < y->flows ? -1 : x->flows > y->flows;
}

static enum ks_flow_error run(ks_flow_sim *sim, ks_arena *arena, ks_flow_result *results,
                              ks_flow_trace *trace)
{
    if (sim->n == 0)
        return KS_FLOW_OK;
    memcpy(sim->order, sim->waiting, sim->n_waiting * sizeof *sim->order);
    if (sim->n_waiting > 1)
        qsort(sim->order, sim->n_waiting, sizeof *sim->order, by_begin);
    memset(sim->alive, 0, words_for(sim->n) * sizeof(bits));
    sim->n_active = 0;
    double now = sim->order[0].begin;
    for (size_t next = begin_due(sim, 0, now); sim->n_active > 0;) {
        if (!share_links(sim))
            return KS_FLOW_STUCK;
        double dt = next_finish(sim), then = now + dt;
        if (next < sim->n_waiting && sim->order[next].begin < then) {
            then = sim->order[next].begin;
            dt = then - now;
        }
        if (trace)
            write_spans(sim, arena, now, then, trace);
        advance(sim, dt, then, results);
        now = then;
        if (sim->n_active == 0 && next < sim->n_waiting && sim->order[next].begin > now)
            now = sim->order[next].begin;
        next = begin_due(sim, next, now);
    }
    return KS_FLOW_OK;
}

enum ks_flow_error ks_flow_run(ks_flow_sim *sim, ks_flow_result *results)
{
    return run(sim, NULL, results, NULL);
}

enum ks_flow_error ks_flow_run_traced(ks_flow_sim *sim, ks_arena *arena, ks_flow_result *results,
                                      ks_flow_trace *trace)
{
    *trace = (ks_flow_trace){.n_links = sim->n_links};
    trace->carried = KS_NEW_ARRAY(arena, double, sim->n_links);
    trace->possible = KS_NEW_ARRAY(arena, double, sim->n_links);
    return run(sim, arena, results, trace);
}

double ks_flow_barrier(double reached, double latency, double poll)
{
    return reached + latency + poll;
}
