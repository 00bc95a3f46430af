#include "engine/flow_sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINKS = 65536, MOST_ENDS = 4096, MOST_FLOWS = 4096 };

/* ---- Links and flows ----------------------------------------------------------------------------- */

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
    sim->flows = KS_NEW_ARRAY(arena, ks_flow, most_flows);
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

void ks_flow_clear(ks_flow_sim *sim)
{
    size_t set = ks_bits_words(sim->n) * sizeof(ks_bits);
    for (size_t i = 0; i < sim->n_used; i++) {
        size_t l = (size_t)sim->used[i];
        memset(sim->over + l * sim->stride, 0, set);
        memset(sim->peers + l * sim->end_stride, 0, sim->end_stride * sizeof(ks_bits));
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
    return flow->bytes > 0 && flow->bytes <= KS_FLOW_MOST && is_time(flow->start) &&
           is_time(flow->latency) && flow->cap >= 0 && flow->cap <= KS_FLOW_MOST &&
           (flow->n_links || flow->cap > 0) && (size_t)flow->from < sim->n_ends &&
           (size_t)flow->to < sim->n_ends && flow->via >= -1 && flow->via < (int)sim->n_ends;
}

static void note_peer(ks_flow_sim *sim, size_t link, const ks_flow *flow)
{
    ks_bits *peers = sim->peers + link * sim->end_stride;
    size_t peer = ks_flow_peer(flow, sim->links[link].port);
    sim->repeated[link] |= ks_has_bit(peers, peer);
    ks_put_bit(peers, peer);
}

/* Notes the flow on its links. False if one does not exist. */
static bool put_on_links(ks_flow_sim *sim, const ks_flow *flow, size_t f)
{
    ks_bits *over = sim->over + f / KS_WORD, bit = (ks_bits)1 << f % KS_WORD;
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
static ks_flow_batch *batch_of(ks_flow_sim *sim, const ks_flow *flow)
{
    double begin = flow->start + flow->latency;
    for (size_t i = sim->n_waiting; i-- > 0;)
        if (is_same(sim->waiting[i].begin, begin) && is_same(sim->waiting[i].bytes, flow->bytes))
            return &sim->waiting[i];
    ks_flow_batch *b = &sim->waiting[sim->n_waiting++];
    b->begin = begin;
    b->bytes = b->left = flow->bytes;
    return b;
}

static ks_flow_limit *limit_of(ks_flow_sim *sim, double cap)
{
    for (size_t i = sim->n_limits; i-- > 0;)
        if (is_same(sim->limits[i].cap, cap))
            return &sim->limits[i];
    ks_flow_limit *l = &sim->limits[sim->n_limits++];
    l->cap = cap;
    return l;
}

int ks_flow_add(ks_flow_sim *sim, const ks_flow *flow)
{
    size_t f = sim->n;
    if (f == sim->most_flows || !is_good_flow(sim, flow) || !put_on_links(sim, flow, f))
        return -1;
    sim->flows[f] = *flow;
    ks_put_bit(batch_of(sim, flow)->flows, f);
    if (flow->cap > 0)
        ks_put_bit(limit_of(sim, flow->cap)->flows, f);
    sim->n++;
    return (int)f;
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

static void write_results(const ks_flow_sim *sim, const ks_flow_batch *b, double finish,
                          ks_flow_result *results)
{
    double took = finish - b->begin;
    ks_flow_result result = {b->begin, finish, took > 0 ? b->bytes / took : b->rate, 0};
    for (size_t w = 0; w < ks_bits_words(sim->n); w++)
        for (ks_bits set = b->flows[w]; set; set &= set - 1) {
            size_t f = w * KS_WORD + (size_t)__builtin_ctzll(set);
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
            const ks_flow_batch *b = &sim->active[i];
            const ks_flow *flow = &sim->flows[f];
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
        memcpy(flows, b->flows, ks_bits_words(sim->n) * sizeof(ks_bits));
        b->flows = flows;
        for (size_t w = 0; w < ks_bits_words(sim->n); w++)
            sim->alive[w] |= flows[w];
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
    memset(sim->alive, 0, ks_bits_words(sim->n) * sizeof(ks_bits));
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
