#include "nccl/search.h"

#include "nccl/channels.h"

#include <string.h>

typedef struct course {
    ks_nccl_search *s;
    const ks_nccl_speeds *speeds;
    size_t speed;
    int pass;
    bool try_same;
    enum ks_nccl_pattern pattern;  /* as asked for */
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
    ks_nccl_channels_search(s);
    ks_nccl_attempt told = {&s->trial, s->best, c->pass, s->refused, s->steps == 0};
    s->listener.hear(s->listener.context, &told);
}

/* Sets up the next attempt of the first pass; false if there is none. */
static bool next_in_first_pass(course *c)
{
    ks_nccl_search *s = c->s;
    ks_nccl_graph *trial = &s->trial;
    const ks_nccl_graph *best = s->best;
    if (trial->same_channels && !(s->net->vendor == KS_CPU_AMD && trial->type == KS_PATH_SYS)) {
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
        (best->channels == 0 || (double)(c->speeds->gbps[c->speed + 1] / best->outer) > .49)) {
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
    ks_nccl_copy_graph(s, &s->trial, s->best);
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
            if (ks_nccl_way_between(s, i, k)->type == KS_PATH_NVL)
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
    ks_nccl_copy_graph(s, &s->trial, graph);
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
    course c = {
        .s = s, .pass = 1, .speeds = ks_nccl_speeds_for(s->net->model, s->net->least_capability)};
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
    ks_nccl_search *s = ks_nccl_channels_new(arena, net);
    s->listener = listener;
    return s;
}
