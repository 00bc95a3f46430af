#include "engine/nccl_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a channel's order is chosen: by the rules, in the order of the bus, or as the last channel's. */
enum forced { FREELY, BUS_ORDER, REPLAY };

struct ks_nccl_search {
    ks_arena *arena;
    const ks_nccl_net *net;
    ks_nccl_listener listener;
    float *left;    /* GB/s of each link that no channel has taken */
    uint64_t *used; /* by GPU: a bit for each channel that it is in */
    int n;          /* GPUs */
    ks_nccl_graph trial; /* what is being tried */
    ks_nccl_graph *best;
    int64_t steps;  /* left of this attempt; -1: the best that can be was found */
    int refused;
};

/* Single precision makes errors, which NCCL rounds away. */
static void take(float *left, float gbps)
{
    *left = roundf((*left - gbps) * 1000) / 1000;
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
            s->refused = link;
            return i;
        }
        take(&s->left[link], wanted);
    }
    return most;
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

static const ks_nccl_way *way_between(const ks_nccl_search *s, int from, int to)
{
    return &s->net->ways[from * s->n + to];
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
    score scores[KS_MAX_TOPOLOGY_GPUS];
    const uint64_t flag = (uint64_t)1 << s->trial.channels;
    int count = 0;
    for (int i = 1; i < s->n; i++) {
        int other = (gpu + i) % s->n;
        const ks_nccl_way *way = way_between(s, gpu, other);
        if (way->n == 0 || s->used[other] & flag)
            continue;
        scores[count++] = (score){other, i, way->n, (int)way->gbps};
    }
    if (count > 1)
        qsort(scores, (size_t)count, sizeof *scores, by_score);
    for (int i = 0; i < count; i++)
        next[i] = (uint8_t)scores[i].gpu;
    return s->net->switch_node >= 0 ? neighbours_first(s, gpu, next, count) : count;
}

/* ---- Depth first ----------------------------------------------------------------------------------- */

static void search_channel(ks_nccl_search *s);

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

static void copy_graph(const ks_nccl_search *s, ks_nccl_graph *to, const ks_nccl_graph *from)
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
        copy_graph(s, s->best, &s->trial);
        if (s->trial.channels == s->trial.most_channels)
            s->steps = -1;
    }
    if (s->trial.channels < s->trial.most_channels)
        search_channel(s);
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
    const ks_nccl_way *way = way_between(s, gpu, first);
    if (!go(s, way, way_between(s, first, gpu), true, 1))
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
        const ks_nccl_way *way = way_between(s, gpu, next[i]);
        if (!go(s, way, way_between(s, next[i], gpu), true, 1))
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

static void search_channel(ks_nccl_search *s)
{
    if (s->trial.pattern == KS_NCCL_NVLS) {
        begin_at(s, s->trial.channels, FREELY);
        return;
    }
    if (s->trial.channels == 0)
        begin_at(s, 0, BUS_ORDER);
    else
        begin_at(s, s->trial.order[(s->trial.channels - 1) * s->n], REPLAY);
    for (int gpu = 0; gpu < s->n && (!s->trial.same_channels || s->trial.channels == 0); gpu++)
        begin_at(s, gpu, FREELY);
}

/* ---- Passes ---------------------------------------------------------------------------------------- */

typedef struct course {
    ks_nccl_search *s;
    const ks_nccl_speeds *speeds;
    size_t speed;
    int pass;
    bool try_same;
    enum ks_nccl_pattern pattern; /* as asked for */
    enum ks_nccl_path least, most; /* types of paths between GPUs */
    int64_t budget;
    float largest;
} course;

static float speed_of(const course *c)
{
    return c->speeds->gbps[c->speed];
}

static void set_speed(course *c)
{
    c->s->trial.inner = c->s->trial.outer = speed_of(c);
}

static void start_speeds_below(course *c, float gbps)
{
    c->speed = 0;
    while (speed_of(c) > gbps && c->speed + 1 < c->speeds->n)
        c->speed++;
    set_speed(c);
}

static void attempt(course *c)
{
    ks_nccl_search *s = c->s;
    const ks_nccl_model *model = s->net->model;
    s->steps = s->trial.same_channels ? model->budget_same : model->budget;
    s->trial.channels = 0;
    c->budget -= s->steps;
    s->refused = -1;
    search_channel(s);
    ks_nccl_attempt told = {&s->trial, s->best, c->pass, s->refused, s->steps == 0};
    s->listener.hear(s->listener.context, &told);
}

/* Sets up the next attempt of the first pass; false if there is none. */
static bool next_in_first_pass(course *c)
{
    ks_nccl_search *s = c->s;
    ks_nccl_graph *trial = &s->trial;
    const ks_nccl_graph *best = s->best;
    if (trial->same_channels &&
        !(s->net->vendor == KS_CPU_AMD && trial->type == KS_PATH_SYS)) {
        trial->same_channels = false;
        return true;
    }
    trial->same_channels = c->try_same;
    c->budget += s->steps;
    if (c->budget < 0 && best->channels > 0)
        return false;
    if (s->net->least_capability >= s->net->model->simple_tree_from &&
        trial->pattern == KS_NCCL_BALANCED_TREE) {
        trial->pattern = KS_NCCL_TREE;
        return true;
    }
    trial->pattern = c->pattern;
    if (trial->type < c->most && (best->channels == 0 || trial->type < best->type) &&
        trial->type + 1 < KS_PATH_DIS) {
        trial->type++;
        return true;
    }
    trial->type = c->least;
    if (c->speed + 1 < c->speeds->n &&
        (best->channels == 0 ||
         (double)(c->speeds->gbps[c->speed + 1] / best->outer) > .49)) {
        c->speed++;
        set_speed(c);
        return true;
    }
    return false;
}

static bool is_done(const course *c)
{
    const ks_nccl_graph *best = c->s->best;
    return c->s->steps == -1 || (float)best->channels * best->outer >= c->s->net->total;
}

/* Halves the channels' speed and doubles their number, where one is too fast for one GPU block. */
static void double_channels(const ks_nccl_search *s, ks_nccl_graph *graph)
{
    if (graph->channels == 0 || graph->pattern == KS_NCCL_NVLS || graph->inner < 25.0F ||
        (s->net->least_capability > 8.0 && graph->inner < 50.0F && graph->channels > 4))
        return;
    int doubled = 2 * graph->channels < graph->most_channels ? 2 * graph->channels
                                                             : graph->most_channels;
    int times = (doubled + graph->channels - 1) / graph->channels;
    memmove(graph->order + graph->channels * s->n, graph->order,
            (size_t)((doubled - graph->channels) * s->n));
    graph->inner /= (float)times;
    graph->outer /= (float)times;
    graph->channels = doubled;
}

/* Sets up the next attempt of the second pass, which raises the speed; false if there is none. */
static bool next_in_second_pass(course *c)
{
    ks_nccl_graph *trial = &c->s->trial;
    const ks_nccl_graph *best = c->s->best;
    if (c->s->steps == 0 || c->speed == 0)
        return false;
    if (best->pattern == KS_NCCL_RING) {
        c->speed--;
        set_speed(c);
        return true;
    }
    bool outer_rose = !(trial->outer < best->outer) && !(trial->outer > best->outer);
    bool inner_rose = !(trial->inner < best->inner) && !(trial->inner > best->inner);
    if (best->pattern == KS_NCCL_NVLS && outer_rose && trial->outer < trial->inner * 2) {
        trial->least_channels = trial->most_channels = best->channels;
        c->speed--;
        trial->outer = speed_of(c);
        return true;
    }
    if (inner_rose && trial->inner < trial->outer * 2) {
        c->speed--;
        trial->inner = speed_of(c);
        return true;
    }
    return false;
}

static void begin_second_pass(course *c)
{
    ks_nccl_search *s = c->s;
    s->steps = -1;
    double_channels(s, s->best);
    copy_graph(s, &s->trial, s->best);
    start_speeds_below(c, s->best->outer);
    s->trial.least_channels = s->best->channels;
    c->pass = 2;
}

static void fall_back(const ks_nccl_search *s, ks_nccl_graph *graph)
{
    for (int i = 0; i < s->n; i++)
        graph->order[i] = (uint8_t)i;
    graph->inner = graph->outer = s->net->model->fallback;
    graph->type = KS_PATH_SYS;
    graph->channels = 1;
    graph->fallback = true;
}

static void find_types(course *c)
{
    const ks_nccl_search *s = c->s;
    c->least = s->n > 1 ? KS_PATH_SYS : KS_PATH_LOC;
    c->most = s->n > 1 ? KS_PATH_LOC : KS_PATH_SYS;
    for (int i = 0; i < s->n * s->n && s->n > 1; i++) {
        enum ks_nccl_path type = s->net->ways[i].type;
        if (i / s->n == i % s->n)
            continue;
        c->least = type < c->least ? type : c->least;
        c->most = type > c->most ? type : c->most;
    }
}

/* Two groups of GPUs, each joined by NVLink, and none of it between them. */
static bool is_split(const ks_nccl_search *s)
{
    int group[KS_MAX_TOPOLOGY_GPUS], size[KS_MAX_TOPOLOGY_GPUS] = {0}, groups = 0;
    for (int i = 0; i < s->n; i++)
        group[i] = i;
    for (int i = 0; i < s->n; i++)
        for (int k = i + 1; k < s->n; k++)
            if (way_between(s, i, k)->type == KS_PATH_NVL)
                group[k] = group[i];
    for (int i = 0; i < s->n; i++)
        size[group[i]]++;
    for (int i = 0; i < s->n; i++)
        groups += size[i] > 1;
    return groups == 2;
}

static void set_up(course *c, ks_nccl_graph *graph)
{
    ks_nccl_search *s = c->s;
    find_types(c);
    graph->inner = graph->outer = 0;
    graph->type = c->least;
    graph->channels = graph->hops = 0;
    graph->fallback = false;
    c->try_same = graph->same_channels = graph->pattern != KS_NCCL_NVLS;
    if (s->n == 1 && graph->pattern != KS_NCCL_RING)
        graph->pattern = KS_NCCL_TREE;
    if (graph->pattern == KS_NCCL_RING && is_split(s) && graph->most_channels >= 2 &&
        graph->least_channels == 1)
        graph->least_channels = 2;
    c->pattern = graph->pattern;
    c->largest = s->net->largest;
    c->budget = s->net->model->budget_all;
    copy_graph(s, &s->trial, graph);
    float total = s->net->total;
    if (s->n > 1 && graph->pattern != KS_NCCL_RING)
        total = (float)((double)total * (s->n * 1.0 / (s->n - 1)));
    while ((speed_of(c) > c->largest || speed_of(c) * (float)graph->least_channels > total) &&
           c->speed + 1 < c->speeds->n)
        c->speed++;
    set_speed(c);
}

void ks_nccl_search_run(ks_nccl_search *s, ks_nccl_graph *graph)
{
    course c = {.s = s, .pass = 1,
                .speeds = ks_nccl_speeds_for(s->net->model, s->net->least_capability)};
    graph->order = KS_NEW_ARRAY(s->arena, uint8_t, KS_NCCL_MOST_RINGS * KS_MAX_TOPOLOGY_GPUS);
    s->best = graph;
    set_up(&c, graph);
    do
        attempt(&c);
    while (!is_done(&c) && next_in_first_pass(&c));
    begin_second_pass(&c);
    /* What stops the first pass stops an attempt of the second, but not the pass. */
    while (next_in_second_pass(&c))
        attempt(&c);
    if (graph->channels == 0 && graph->pattern != KS_NCCL_NVLS)
        fall_back(s, graph);
}

ks_nccl_search *ks_nccl_search_new(ks_arena *arena, const ks_nccl_net *net,
                                   ks_nccl_listener listener)
{
    ks_nccl_search *s = KS_NEW(arena, ks_nccl_search);
    s->arena = arena;
    s->net = net;
    s->listener = listener;
    s->n = net->n_gpus;
    s->left = KS_NEW_ARRAY(arena, float, net->n_links + 1);
    for (size_t i = 0; i < net->n_links; i++)
        s->left[i] = net->links[i].gbps;
    s->used = KS_NEW_ARRAY(arena, uint64_t, (size_t)s->n + 1);
    s->trial.order = KS_NEW_ARRAY(arena, uint8_t, KS_NCCL_MOST_RINGS * KS_MAX_TOPOLOGY_GPUS);
    return s;
}
