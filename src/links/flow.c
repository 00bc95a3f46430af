#include "links/flow_sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 65536, MOST_ENDS = 4096, MOST_FLOWS = 4096 };

/* ---- Links and flows ------------------------------------------------------------------------- */

static bool is_factor(double x)
{
    return x > 0 && x <= 1;
}

static bool is_good_link(const ks_flow_link *link, size_t i, size_t n, size_t n_ends)
{
    return link->capacity >= KS_FLOW_SLOWEST && link->capacity <= KS_FLOW_MOST &&
           is_factor(link->duplex) && is_factor(link->duplex_pair) && link->loss >= 0 &&
           link->loss < 1 && link->reverse >= -1 && link->reverse < (int)n &&
           link->reverse != (int)i && link->port >= -1 && link->port < (int)n_ends;
}

static void alloc_run(ks_arena *arena, ks_flow_sim *sim)
{
    size_t flows = sim->most_flows, n = sim->n_links;
    sim->order = KS_NEW_ARRAY(arena, ks_flow_batch, flows);
    sim->active = KS_NEW_ARRAY(arena, ks_flow_batch, flows);
    ks_bits *sets = KS_NEW_ARRAY(arena, ks_bits, flows * sim->stride);
    for (size_t i = 0; i < flows; i++)
        sim->active[i].flows = sets + i * sim->stride;
    sim->alive = KS_NEW_ARRAY(arena, ks_bits, sim->stride);
    sim->open = KS_NEW_ARRAY(arena, ks_bits, sim->stride);
    sim->frozen = KS_NEW_ARRAY(arena, ks_bits, sim->stride);
    sim->on = KS_NEW_ARRAY(arena, ks_bits, n * sim->stride);
    sim->able = KS_NEW_ARRAY(arena, double, n);
    sim->room = KS_NEW_ARRAY(arena, double, n);
    sim->load = KS_NEW_ARRAY(arena, int, n);
    sim->unshared = KS_NEW_ARRAY(arena, int, n);
    sim->full = KS_NEW_ARRAY(arena, int, n);
    sim->rounds = KS_NEW_ARRAY(arena, ks_flow_round, n + flows);
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
    *sim = (ks_flow_sim){.n_links = n_links,
                         .n_ends = n_ends,
                         .most_flows = most_flows,
                         .stride = ks_bits_words(most_flows),
                         .end_stride = ks_bits_words(n_ends),
                         .even = even};
    sim->links = KS_NEW_ARRAY(arena, ks_flow_link, n_links);
    if (n_links)
        memcpy(sim->links, links, n_links * sizeof *links);
    sim->flows = KS_NEW_ARRAY(arena, ks_flow_way, most_flows);
    sim->over = KS_NEW_ARRAY(arena, ks_bits, n_links * sim->stride);
    sim->peers = KS_NEW_ARRAY(arena, ks_bits, n_links * sim->end_stride);
    sim->repeated = KS_NEW_ARRAY(arena, bool, n_links);
    sim->used = KS_NEW_ARRAY(arena, int, n_links);
    sim->is_used = KS_NEW_ARRAY(arena, bool, n_links);
    sim->waiting = KS_NEW_ARRAY(arena, ks_flow_batch, most_flows);
    sim->limits = KS_NEW_ARRAY(arena, ks_flow_limit, most_flows);
    ks_bits *sets = KS_NEW_ARRAY(arena, ks_bits, 2 * most_flows * sim->stride);
    for (size_t i = 0; i < most_flows; i++) {
        sim->waiting[i].flows = sets + 2 * i * sim->stride;
        sim->limits[i].flows = sets + (2 * i + 1) * sim->stride;
    }
    alloc_run(arena, sim);
    return sim;
}

static void empty(ks_bits *set, size_t words)
{
    for (size_t w = 0; w < words; w++)
        set[w] = 0;
}

void ks_flow_clear(ks_flow_sim *sim)
{
    const size_t words = ks_bits_words(sim->n), n_used = sim->n_used;
    for (size_t i = 0; i < n_used; i++) {
        size_t l = (size_t)sim->used[i];
        sim->is_used[l] = false;
        empty(sim->over + l * sim->stride, words);
        if (sim->even)
            continue;
        empty(sim->peers + l * sim->end_stride, sim->end_stride);
        sim->repeated[l] = false;
    }
    for (size_t i = 0; i < sim->n_waiting; i++)
        empty(sim->waiting[i].flows, words);
    for (size_t i = 0; i < sim->n_limits; i++)
        empty(sim->limits[i].flows, words);
    sim->n = sim->n_used = sim->n_waiting = sim->n_limits = 0;
}

size_t ks_flow_count(const ks_flow_sim *sim)
{
    return sim->n;
}

static bool has_good_numbers(const ks_flow *flow)
{
    return flow->bytes > 0 && flow->bytes <= KS_FLOW_MOST && flow->start >= 0 &&
           flow->latency >= 0 && flow->start + flow->latency <= 1e9 && flow->cap >= 0 &&
           flow->cap <= KS_FLOW_MOST;
}

static inline bool has_good_ends(const ks_flow_sim *sim, const ks_flow *flow)
{
    return (size_t)flow->from < sim->n_ends && (size_t)flow->to < sim->n_ends &&
           (size_t)flow->via + 1 <= sim->n_ends && (flow->n_links || flow->cap > 0);
}

static inline bool has_same_numbers(const ks_flow *a, const ks_flow *b)
{
    return a->bytes == b->bytes && a->start == b->start && a->latency == b->latency &&
           a->cap == b->cap;
}

/* Out of the way of note_flow(), which is called for every flow of every collective. */
static __attribute__((noinline)) void note_peer(ks_flow_sim *sim, size_t link, const ks_flow *flow)
{
    ks_bits *peers = sim->peers + link * sim->end_stride;
    size_t peer = ks_flow_peer(flow->from, flow->to, flow->via, sim->links[link].port);
    sim->repeated[link] |= ks_has_bit(peers, peer);
    ks_put_bit(peers, peer);
}

/* Takes back what note_flow() did for the first `n` links of the way. */
static __attribute__((noinline)) bool forget_flow(ks_flow_sim *sim, const ks_flow *flow, size_t f,
                                                  size_t n)
{
    for (size_t i = 0; i < n; i++)
        sim->over[(size_t)flow->links[i] * sim->stride + f / KS_WORD] &= ~((ks_bits)1
                                                                           << f % KS_WORD);
    return false;
}

static __attribute__((noinline)) void use_link(ks_flow_sim *sim, size_t link)
{
    sim->is_used[link] = true;
    sim->used[sim->n_used++] = (int)link;
}

/* Notes the flow on its links. False if one does not exist. */
static inline bool note_flow(ks_flow_sim *sim, const ks_flow *flow, size_t f)
{
    const size_t n_links = sim->n_links, stride = sim->stride;
    const int *const end = flow->links + flow->n_links;
    ks_bits *const over = sim->over + f / KS_WORD;
    for (const int *at = flow->links; at < end; at++) {
        size_t link = (size_t)*at;
        if (link >= n_links)
            return forget_flow(sim, flow, f, (size_t)(at - flow->links));
        if (!sim->is_used[link])
            use_link(sim, link);
        over[link * stride] |= (ks_bits)1 << f % KS_WORD;
    }
    for (const int *at = flow->links; !sim->even && at < end; at++)
        if (sim->links[*at].loss > 0)
            note_peer(sim, (size_t)*at, flow);
    return true;
}

/* The flows that begin with this one and have as many bytes; the newest are looked at first. */
static ks_flow_batch *batch_of(ks_flow_sim *sim, const ks_flow *flow)
{
    double begin = flow->start + flow->latency;
    for (size_t i = sim->n_waiting; i-- > 0;)
        if (sim->waiting[i].begin == begin && sim->waiting[i].bytes == flow->bytes)
            return &sim->waiting[i];
    ks_flow_batch *b = &sim->waiting[sim->n_waiting++];
    b->begin = begin;
    b->bytes = b->left = flow->bytes;
    return b;
}

static ks_flow_limit *limit_of(ks_flow_sim *sim, double cap)
{
    for (size_t i = sim->n_limits; i-- > 0;)
        if (sim->limits[i].cap == cap)
            return &sim->limits[i];
    ks_flow_limit *l = &sim->limits[sim->n_limits++];
    l->cap = cap;
    return l;
}

/* Flows of a collective are alike: what follows from a flow's numbers is kept for the next one. */
size_t ks_flow_add_all(ks_flow_sim *sim, const ks_flow *flows, size_t n)
{
    ks_flow_batch *batch = NULL;
    ks_flow_limit *limit = NULL;
    for (size_t i = 0; i < n; i++) {
        const ks_flow *flow = &flows[i];
        const size_t f = sim->n;
        bool alike = batch && has_same_numbers(flow, flow - 1);
        if (f == sim->most_flows || !(alike || has_good_numbers(flow)) ||
            !has_good_ends(sim, flow) || !note_flow(sim, flow, f))
            return i;
        if (!alike) {
            batch = batch_of(sim, flow);
            limit = flow->cap > 0 ? limit_of(sim, flow->cap) : NULL;
        }
        ks_put_bit(batch->flows, f);
        if (limit)
            ks_put_bit(limit->flows, f);
        sim->flows[f] = (ks_flow_way){flow->links, flow->n_links, flow->from, flow->to, flow->via};
        sim->n++;
    }
    return n;
}

int ks_flow_add(ks_flow_sim *sim, const ks_flow *flow)
{
    return ks_flow_add_all(sim, flow, 1) ? (int)sim->n - 1 : -1;
}

/* ---- Events ---------------------------------------------------------------------------------- */

static inline int what_holds(const ks_flow_sim *sim, const ks_flow_way *flow, int round)
{
    const int *const links = flow->links, *const full = sim->full;
    if (sim->rounds[round].capped)
        return KS_HELD_BY_CAP;
    for (size_t i = 0, n = flow->n_links; i < n; i++)
        if (full[links[i]] == round)
            return links[i];
    return KS_HELD_BY_NOTHING;
}

static void write_results(const ks_flow_sim *sim, const ks_flow_batch *b, double finish,
                          ks_flow_result *results)
{
    const size_t words = ks_bits_words(sim->n);
    const double took = finish - b->begin, rate = took > 0 ? b->bytes / took : b->rate;
    for (size_t w = 0; w < words; w++)
        for (ks_bits set = b->flows[w]; set; set &= set - 1) {
            size_t f = w * KS_WORD + (size_t)__builtin_ctzll(set);
            results[f] = (ks_flow_result){b->begin, finish, rate,
                                          what_holds(sim, &sim->flows[f], b->round)};
        }
}

static void write_spans(const ks_flow_sim *sim, ks_arena *arena, double from, double to,
                        ks_flow_trace *trace)
{
    for (size_t i = 0; i < sim->n_used; i++)
        trace->possible[sim->used[i]] += sim->able[sim->used[i]] * (to - from);
    for (size_t i = 0; i < sim->n_active; i++)
        for (size_t f = 0; f < sim->n; f++) {
            const ks_flow_batch *b = &sim->active[i];
            const ks_flow_way *flow = &sim->flows[f];
            if (!ks_has_bit(b->flows, f))
                continue;
            *KS_PUSH(arena, trace) = (ks_flow_span){f, from, to, b->rate,
                                                    what_holds(sim, flow, b->round)};
            for (size_t l = 0; l < flow->n_links; l++)
                trace->carried[flow->links[l]] += b->rate * (to - from);
        }
}

/* Seconds until the first batch is done. */
static double next_finish(const ks_flow_sim *sim)
{
    double least = HUGE_VAL;
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
        ks_flow_batch *b = &sim->active[i];
        if (b->left <= b->rate * dt * (1 + KS_FLOW_EPSILON)) {
            for (size_t w = 0; w < ks_bits_words(sim->n); w++)
                sim->alive[w] &= ~b->flows[w];
            write_results(sim, b, now, results);
            continue;
        }
        b->left -= b->rate * dt;
        if (kept != i) {
            ks_flow_batch other = sim->active[kept];
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
    for (; next < sim->n_waiting && sim->order[next].begin <= now * (1 + KS_FLOW_EPSILON); next++) {
        ks_flow_batch *b = &sim->active[sim->n_active++];
        ks_bits *flows = b->flows;
        *b = sim->order[next];
        for (size_t w = 0; w < ks_bits_words(sim->n); w++) {
            flows[w] = b->flows[w];
            sim->alive[w] |= flows[w];
        }
        b->flows = flows;
    }
    return next;
}

static int by_begin(const void *a, const void *b)
{
    const ks_flow_batch *x = a, *y = b;
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
    empty(sim->alive, ks_bits_words(sim->n));
    sim->n_active = 0;
    double now = sim->order[0].begin;
    for (size_t next = begin_due(sim, 0, now); sim->n_active > 0;) {
        if (!ks_flow_share(sim))
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
