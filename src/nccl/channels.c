#include "nccl/channels.h"

#include <stdlib.h>
#include <string.h>

/* How a channel's order is chosen: by the rules, in the order of the bus, or as the last channel's. */
enum forced { FREELY, BUS_ORDER, REPLAY };

/* Single precision makes errors, which NCCL rounds away with roundf(x * 1000) / 1000. Never negative
 * here, where adding a half in double precision and cutting is the same, and much faster. */
static void take(ks_nccl_search *s, int link, float gbps)
{
    float thousands = (s->left[link] - gbps) * 1000;
    s->left[link] = (float)(int64_t)((double)thousands + 0.5) / 1000;
    s->rounded[link] = s->left[link] < 1000;
}

static void note_refusal(ks_nccl_search *s, int link)
{
    if (s->refused < 0)
        s->refused = link;
}

/* Takes gbps (negative: gives it back) from the first `most` links of a way; how many had enough. */
static int follow(ks_nccl_search *s, const ks_nccl_way *way, bool from_gpu, int most, float gbps)
{
    const ks_nccl_model *model = s->net->model;
    float pci = gbps;
    if (from_gpu && way->through_intel)
        pci = gbps * (float)model->intel_numerator / (float)model->intel_denominator;
    for (int i = 0; i < most; i++) {
        int link = way->links[i];
        float wanted = s->net->links[link].type == KS_PATH_PIX ? pci : gbps;
        if (s->left[link] < wanted) {
            note_refusal(s, link);
            return i;
        }
        take(s, link, wanted);
    }
    return most;
}

/* True if a link of the way has too little left even without what Intel's root complex costs, and
 * following the way that far would leave all links as they are. */
static bool is_full(ks_nccl_search *s, const ks_nccl_way *way, float gbps)
{
    for (int i = 0; i < way->n; i++) {
        int link = way->links[i];
        if (s->left[link] < gbps) {
            note_refusal(s, link);
            return true;
        }
        if (!s->rounded[link])
            return false;
    }
    return false;
}

static bool is_tree(enum ks_nccl_pattern pattern)
{
    return pattern == KS_NCCL_TREE || pattern == KS_NCCL_BALANCED_TREE;
}

/* Adds a way to the channel, `times` as strong; false if it cannot be. */
static bool go(ks_nccl_search *s, const ks_nccl_way *way, const ks_nccl_way *back, bool from_gpu,
               int times)
{
    float gbps = s->trial.inner * (float)times;
    if (way->type >= KS_PATH_DIS || (times == 1 && way->type > s->trial.type))
        return false;
    if (times == 1 && is_tree(s->trial.pattern) && back->type > s->trial.type)
        return false;
    if (is_full(s, way, gbps))
        return false;
    int done = follow(s, way, from_gpu, way->n, gbps);
    if (done == way->n) {
        s->trial.hops += times * way->n;
        return true;
    }
    follow(s, way, from_gpu, done, -gbps);
    return false;
}

static void undo(ks_nccl_search *s, const ks_nccl_way *way, bool from_gpu, int times)
{
    follow(s, way, from_gpu, way->n, -s->trial.inner * (float)times);
    s->trial.hops -= times * way->n;
}

/* ---- Order of trying ------------------------------------------------------------------------------- */

typedef struct score {
    int gpu, distance, hops, gbps;
} score;

static int by_score(const void *a, const void *b)
{
    const score *one = a, *two = b;
    if (one->gbps != two->gbps)
        return two->gbps - one->gbps;
    if (one->hops != two->hops)
        return one->hops - two->hops;
    return one->distance - two->distance;
}

/* Where there are NVSwitches, only neighbours are tried, since few peers suit them better. */
static int neighbours_first(const ks_nccl_search *s, int gpu, uint8_t *next, int count)
{
    int after = (gpu + 1) % s->n, before = (gpu - 1 + s->n) % s->n;
    int first[2] = {after, before}, n_first = 2, found = 0;
    if (s->trial.pattern == KS_NCCL_BALANCED_TREE) {
        first[0] = before;
        first[1] = after;
    } else if (s->trial.pattern != KS_NCCL_RING)
        n_first = 1;
    if (after == before)
        n_first = 1;
    for (int k = 0; k < n_first; k++) {
        int i = 0;
        while (i < count && next[i] != first[k])
            i++;
        if (i == count)
            continue;
        for (; i > 0; i--)
            next[i] = next[i - 1];
        next[0] = (uint8_t)first[k];
        found++;
    }
    return found;
}

static int next_gpus(const ks_nccl_search *s, int gpu, uint8_t *next)
{
    const uint64_t flag = (uint64_t)1 << s->trial.channels;
    const uint8_t *all = s->nearest + gpu * (s->n - 1);
    int count = 0;
    for (int i = 0; i < s->n - 1; i++)
        if (!(s->used[all[i]] & flag) && ks_nccl_way_between(s, gpu, all[i])->n > 0)
            next[count++] = all[i];
    return s->net->switch_node >= 0 ? neighbours_first(s, gpu, next, count) : count;
}

/* The order in which GPUs are tried does not change, so it is found once. */
static void sort_gpus(ks_nccl_search *s)
{
    for (int gpu = 0; gpu < s->n; gpu++) {
        score scores[KS_MAX_TOPOLOGY_GPUS];
        for (int i = 1; i < s->n; i++) {
            int other = (gpu + i) % s->n;
            const ks_nccl_way *way = ks_nccl_way_between(s, gpu, other);
            scores[i - 1] = (score){other, i, way->n, (int)way->gbps};
        }
        if (s->n > 2)
            qsort(scores, (size_t)s->n - 1, sizeof *scores, by_score);
        for (int i = 0; i < s->n - 1; i++)
            s->nearest[gpu * (s->n - 1) + i] = (uint8_t)scores[i].gpu;
    }
}

static void find_first_links(ks_nccl_search *s)
{
    for (int gpu = 0; gpu < s->n; gpu++) {
        int *links = s->first_links + gpu * (s->n + 1), n = 0;
        for (int other = 0; other < s->n; other++) {
            const ks_nccl_way *way = ks_nccl_way_between(s, gpu, other);
            int k = 0;
            while (way->n > 0 && k < n && links[k] != way->links[0])
                k++;
            if (way->n > 0 && k == n)
                links[n++] = way->links[0];
        }
        links[n] = -1;
    }
}

/* True if no GPU has enough left for another channel to leave it. */
static bool all_are_full(const ks_nccl_search *s)
{
    for (int gpu = 0; gpu < s->n; gpu++)
        for (const int *link = s->first_links + gpu * (s->n + 1); *link >= 0; link++)
            if (!(s->left[*link] < s->trial.inner))
                return false;
    return true;
}

/* ---- Depth first ----------------------------------------------------------------------------------- */

static bool is_better(const ks_nccl_search *s)
{
    const ks_nccl_graph *trial = &s->trial, *best = s->best;
    if (trial->channels < trial->least_channels)
        return false;
    if (trial->pattern == KS_NCCL_NVLS)
        return (trial->channels > best->channels && trial->channels <= s->n) ||
               (float)trial->channels * trial->outer > (float)best->channels * best->outer;
    float found = (float)trial->channels * trial->inner;
    float known = (float)best->channels * best->inner;
    return found > known ||
           (!(found < known) && trial->pattern == best->pattern && trial->hops < best->hops);
}

void ks_nccl_copy_graph(const ks_nccl_search *s, ks_nccl_graph *to, const ks_nccl_graph *from)
{
    uint8_t *order = to->order;
    memcpy(order, from->order, (size_t)(from->channels * s->n));
    *to = *from;
    to->order = order;
}

/* A channel is complete: keep it if it is better, then look for one more. */
static void finish_channel(ks_nccl_search *s)
{
    s->trial.channels++;
    if (is_better(s)) {
        ks_nccl_copy_graph(s, s->best, &s->trial);
        if (s->trial.channels == s->trial.most_channels)
            s->steps = -1;
    }
    if (s->trial.channels < s->trial.most_channels)
        ks_nccl_channels_search(s);
    s->trial.channels--;
}

/* Takes or gives back what GPU `head` as the head of a channel costs, for each GPU but those from
 * `most` on; into the GPUs or out of them. How many GPUs had enough. */
static int follow_heads(ks_nccl_search *s, int head, bool into, int most)
{
    const ks_nccl_way *ways = into ? s->net->from_switch : s->net->to_switch;
    for (int gpu = 0; gpu < most; gpu++)
        if (!go(s, &ways[gpu], &ways[gpu], !into, gpu == head ? 2 : 1))
            return gpu;
    return most;
}

static void undo_heads(ks_nccl_search *s, int head, bool into, int n)
{
    const ks_nccl_way *ways = into ? s->net->from_switch : s->net->to_switch;
    for (int gpu = n - 1; gpu >= 0; gpu--)
        undo(s, &ways[gpu], !into, gpu == head ? 2 : 1);
}

static void try_head(ks_nccl_search *s, int head)
{
    int into = follow_heads(s, head, true, s->n);
    int out = into == s->n ? follow_heads(s, head, false, s->n) : 0;
    if (into == s->n && out == s->n && s->steps > 0) {
        s->steps--;
        finish_channel(s);
    }
    if (into == s->n)
        undo_heads(s, head, false, out);
    undo_heads(s, head, true, into);
}

static void search_from(ks_nccl_search *s, int gpu, int step, enum forced forced);

static void close_ring(ks_nccl_search *s, int gpu)
{
    int first = s->trial.order[s->trial.channels * s->n];
    const ks_nccl_way *way = ks_nccl_way_between(s, gpu, first);
    if (!go(s, way, ks_nccl_way_between(s, first, gpu), true, 1))
        return;
    if (s->steps > 0) {
        s->steps--;
        finish_channel(s);
    }
    undo(s, way, true, 1);
}

static void try_next(ks_nccl_search *s, int gpu, int step, enum forced forced)
{
    uint8_t next[KS_MAX_TOPOLOGY_GPUS];
    const uint64_t flag = (uint64_t)1 << s->trial.channels;
    int count = 1;
    if (forced == BUS_ORDER)
        next[0] = (uint8_t)(step + 1);
    else if (forced == REPLAY)
        next[0] = s->trial.order[(s->trial.channels - 1) * s->n + step + 1];
    else
        count = next_gpus(s, gpu, next);
    for (int i = 0; i < count; i++) {
        const ks_nccl_way *way = ks_nccl_way_between(s, gpu, next[i]);
        if (!go(s, way, ks_nccl_way_between(s, next[i], gpu), true, 1))
            continue;
        s->used[next[i]] ^= flag;
        search_from(s, next[i], step + 1, forced);
        s->used[next[i]] ^= flag;
        undo(s, way, true, 1);
    }
}

/* Goes on from a GPU that is the channel's `step`-th. */
static void search_from(ks_nccl_search *s, int gpu, int step, enum forced forced)
{
    if (s->steps <= 0)
        return;
    s->steps--;
    s->trial.order[s->trial.channels * s->n + step] = (uint8_t)gpu;
    if (s->trial.pattern == KS_NCCL_NVLS)
        try_head(s, gpu);
    else if (step < s->n - 1)
        try_next(s, gpu, step, forced);
    else if (s->trial.pattern == KS_NCCL_RING)
        close_ring(s, gpu);
    else if (s->steps > 0) {
        s->steps--;
        finish_channel(s);
    }
}

static void begin_at(ks_nccl_search *s, int gpu, enum forced forced)
{
    const uint64_t flag = (uint64_t)1 << s->trial.channels;
    s->used[gpu] ^= flag;
    search_from(s, gpu, 0, forced);
    s->used[gpu] ^= flag;
}

void ks_nccl_channels_search(ks_nccl_search *s)
{
    if (s->trial.pattern == KS_NCCL_NVLS) {
        begin_at(s, s->trial.channels, FREELY);
        return;
    }
    if (s->trial.channels > 0 && s->n > 1 && all_are_full(s)) {
        /* Each beginning takes a step and ends there. */
        int64_t steps = s->trial.same_channels ? 1 : 1 + s->n;
        note_refusal(s, s->first_links[0]);
        s->steps -= steps < s->steps ? steps : s->steps > 0 ? s->steps : 0;
        return;
    }
    if (s->trial.channels == 0)
        begin_at(s, 0, BUS_ORDER);
    else
        begin_at(s, s->trial.order[(s->trial.channels - 1) * s->n], REPLAY);
    for (int gpu = 0; gpu < s->n && (!s->trial.same_channels || s->trial.channels == 0); gpu++)
        begin_at(s, gpu, FREELY);
}

/* ---- The whole ------------------------------------------------------------------------------------ */

ks_nccl_search *ks_nccl_channels_new(ks_arena *arena, const ks_nccl_net *net)
{
    ks_nccl_search *s = KS_NEW(arena, ks_nccl_search);
    s->arena = arena;
    s->net = net;
    s->n = net->n_gpus;
    s->left = KS_NEW_ARRAY(arena, float, net->n_links + 1);
    for (size_t i = 0; i < net->n_links; i++)
        s->left[i] = net->links[i].gbps;
    s->rounded = KS_NEW_ARRAY(arena, bool, net->n_links + 1);
    s->used = KS_NEW_ARRAY(arena, uint64_t, (size_t)s->n + 1);
    s->nearest = KS_NEW_ARRAY(arena, uint8_t, (size_t)(s->n * s->n) + 1);
    s->first_links = KS_NEW_ARRAY(arena, int, (size_t)(s->n * (s->n + 1)) + 1);
    sort_gpus(s);
    find_first_links(s);
    s->trial.order = KS_NEW_ARRAY(arena, uint8_t, KS_NCCL_MOST_RINGS * KS_MAX_TOPOLOGY_GPUS);
    return s;
}
