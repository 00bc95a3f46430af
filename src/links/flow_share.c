#include "links/flow_sim.h"

#include <math.h>
#include <string.h>

/* ---- Capacities while the set of active flows stays the same --------------------------------- */

/* All active flows run between two ends. */
static bool is_one_pair(const ks_flow_sim *sim, size_t words)
{
    const ks_flow_way *first = NULL;
    for (size_t w = 0; w < words; w++)
        for (ks_bits set = sim->alive[w]; set; set &= set - 1) {
            const ks_flow_way *f = &sim->flows[w * KS_WORD + (size_t)__builtin_ctzll(set)];
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
    ks_bits *peers = sim->peers + link * sim->end_stride;
    memset(peers, 0, sim->end_stride * sizeof(ks_bits));
    for (size_t w = 0; w < words; w++)
        for (ks_bits set = sim->alive[w] & sim->over[link * sim->stride + w]; set; set &= set - 1) {
            const ks_flow_way *f = &sim->flows[w * KS_WORD + (size_t)__builtin_ctzll(set)];
            size_t peer = ks_flow_peer(f->from, f->to, f->via, sim->links[link].port);
            n += !ks_has_bit(peers, peer);
            ks_put_bit(peers, peer);
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
        sim->room[i] = sim->able[l];
    }
}

static inline void find_capacities(ks_flow_sim *sim, size_t words)
{
    const size_t n = sim->n_used, stride = sim->stride;
    const ks_flow_link *const links = sim->links;
    const ks_bits *const all = sim->over, *const alive = sim->alive;
    for (size_t i = 0; i < n; i++) {
        const size_t l = (size_t)sim->used[i];
        const ks_bits *over = all + l * stride;
        ks_bits *on = sim->on + i * words;
        int load = 0;
        for (size_t w = 0; w < words; w++) {
            on[w] = over[w] & alive[w];
            load += ks_count_bits(on[w]);
        }
        sim->load[l] = sim->unshared[i] = load;
        sim->full[l] = -1;
        sim->room[i] = sim->able[l] = links[l].capacity;
    }
    if (!sim->even)
        take_losses(sim, words);
}

/* ---- Progressive filling --------------------------------------------------------------------- */

/* The smallest equal share of a link that has flows without a rate. */
static inline double least_share(const ks_flow_sim *sim)
{
    const double *const room = sim->room;
    const int *const unshared = sim->unshared;
    double least = HUGE_VAL;
    for (size_t i = 0, n = sim->n_used; i < n; i++) {
        if (unshared[i] == 0)
            continue;
        double share = room[i] / unshared[i];
        least = share < least ? share : least;
    }
    return least;
}

/* Into `frozen`: the flows whose cap is within a hair of the smallest one up to `share`. That
 * cap. */
static double freeze_capped(ks_flow_sim *sim, double share)
{
    double least = share;
    bool any = false;
    for (size_t i = 0; i < sim->n_limits; i++)
        if (sim->limits[i].cap <= least &&
            ks_bits_meet(sim->limits[i].flows, sim->open, ks_bits_words(sim->n))) {
            least = sim->limits[i].cap;
            any = true;
        }
    for (size_t i = 0; any && i < sim->n_limits; i++)
        if (sim->limits[i].cap <= least * (1 + KS_FLOW_EPSILON))
            for (size_t w = 0; w < ks_bits_words(sim->n); w++)
                sim->frozen[w] |= sim->limits[i].flows[w] & sim->open[w];
    return least;
}

/* Into `frozen`: the flows on links that are full at this share. */
static inline void freeze_full(ks_flow_sim *sim, double share, int round, size_t words)
{
    const double most_share = share * (1 + KS_FLOW_EPSILON), *const room = sim->room;
    const int *const unshared = sim->unshared;
    for (size_t i = 0, n = sim->n_used; i < n; i++) {
        if (unshared[i] == 0 || room[i] > most_share * unshared[i])
            continue;
        sim->full[sim->used[i]] = round;
        for (size_t w = 0; w < words; w++)
            sim->frozen[w] |= sim->on[i * words + w] & sim->open[w];
    }
}

/* Takes what the frozen flows have from the links. */
static inline void take_room(ks_flow_sim *sim, double rate, size_t words)
{
    double *const room = sim->room;
    int *const unshared = sim->unshared;
    for (size_t i = 0, n = sim->n_used; i < n; i++) {
        if (unshared[i] == 0)
            continue;
        int taken = ks_count_common(sim->on + i * words, sim->frozen, words);
        double left = room[i] - taken * rate;
        unshared[i] -= taken;
        room[i] = left > 0 ? left : 0;
    }
}

/* Splits active batches by the flows that are frozen now, with their rate. */
static inline void settle_round(ks_flow_sim *sim, double rate, int round, size_t words)
{
    for (size_t i = 0, n = sim->n_active; i < n; i++) {
        ks_flow_batch *b = &sim->active[i];
        ks_bits in = 0, out = 0;
        if (b->round >= 0)
            continue;
        for (size_t w = 0; w < words; w++) {
            in |= b->flows[w] & sim->frozen[w];
            out |= b->flows[w] & ~sim->frozen[w];
        }
        if (!in)
            continue;
        if (out) {
            ks_flow_batch *rest = &sim->active[sim->n_active++];
            ks_bits *flows = rest->flows;
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
    while (!ks_bits_empty(sim->open, words)) {
        int round = (int)sim->n_rounds;
        ks_flow_round *r = &sim->rounds[sim->n_rounds++];
        for (size_t w = 0; w < words; w++)
            sim->frozen[w] = 0;
        r->rate = least_share(sim);
        double cap = sim->n_limits ? freeze_capped(sim, r->rate) : r->rate;
        r->capped = !ks_bits_empty(sim->frozen, words);
        if (r->capped)
            r->rate = cap;
        else
            freeze_full(sim, r->rate, round, words);
        if (!(r->rate >= KS_FLOW_SLOWEST))
            return false;
        settle_round(sim, r->rate, round, words);
        for (size_t w = 0; w < words; w++)
            sim->open[w] &= ~sim->frozen[w];
        if (!ks_bits_empty(sim->open, words))
            take_room(sim, r->rate, words);
    }
    return true;
}

bool ks_flow_share(ks_flow_sim *sim)
{
    return sim->n <= KS_WORD ? share_links_of(sim, 1) : share_links_of(sim, ks_bits_words(sim->n));
}
