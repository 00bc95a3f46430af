/* Paths in NCCL's graph: breadth first from each GPU, NUMA node and the NVSwitches, in NCCL's order. */
#include "nccl/graph.h"

/* A path from a node to the base, as its first link and the path from there on. Never changed once it
 * is made: a node that gets a better path gets another one. */
typedef struct path {
    int link;
    const struct path *rest; /* NULL: the base is next */
    int n;
    float gbps;
    enum ks_nccl_path type;
} path;

typedef struct finder {
    ks_arena *arena;
    const ks_nccl_net *net;
    int base;
    const path **paths; /* by node; NULL: none yet */
    int *now, *next;    /* nodes whose neighbours are looked at */
    size_t n_now, n_next;
    size_t steps;
} finder;

static enum ks_nccl_kind kind_of(const finder *f, int node)
{
    return f->net->nodes.items[node].kind;
}

static enum ks_nccl_path larger(enum ks_nccl_path a, enum ks_nccl_path b)
{
    return a > b ? a : b;
}

/* The type of a path that comes to `node` by `so_far` and goes on by this link. */
static enum ks_nccl_path type_with(const finder *f, const path *so_far, int node, ks_nccl_link link)
{
    enum ks_nccl_kind here = kind_of(f, node), there = kind_of(f, link.to);
    enum ks_nccl_path type = link.type;
    if (here == KS_NCCL_SWITCH && there == KS_NCCL_SWITCH)
        type = KS_PATH_PXB;
    if (link.type == KS_PATH_PIX && (here == KS_NCCL_CPU || there == KS_NCCL_CPU))
        type = KS_PATH_PHB;
    if (here == KS_NCCL_GPU && so_far->type == KS_PATH_NVL && type == KS_PATH_NVL && so_far->n >= 1)
        type = KS_PATH_NVB;
    return larger(so_far->type, type);
}

/* Through a GPU only by NVLink, to a GPU next to it, and only once. */
static bool may_pass(const finder *f, const path *so_far, int node, ks_nccl_link link)
{
    return node == f->base || kind_of(f, node) != KS_NCCL_GPU ||
           (link.type == KS_PATH_NVL && kind_of(f, link.to) == KS_NCCL_GPU && so_far->n <= 1);
}

static bool is_better(const finder *f, const path *old, const path *so_far, float gbps,
                      enum ks_nccl_path type)
{
    float old_gbps = old ? old->gbps : 0;
    int old_n = old ? old->n : 0;
    enum ks_nccl_path old_type = old ? old->type : KS_PATH_DIS;
    if (f->net->model->paths_by_type)
        return type < old_type || (type == old_type && old_gbps < gbps) ||
               (type == old_type && !(old_gbps < gbps) && !(gbps < old_gbps) &&
                old_n > so_far->n + 1);
    return (!old || old_n > so_far->n) && old_gbps < gbps;
}

static int reverse_of(const ks_nccl_net *net, const ks_nccl_node *there, ks_nccl_link link)
{
    for (size_t l = 0; l < there->links.n; l++)
        if (net->links[there->first_link + (int)l].to == link.from &&
            net->links[there->first_link + (int)l].type == link.type)
            return there->first_link + (int)l;
    return -1;
}

static void enqueue(finder *f, int node)
{
    for (size_t i = 0; i < f->n_next; i++)
        if (f->next[i] == node)
            return;
    f->next[f->n_next++] = node;
}

static void look_from(finder *f, int node)
{
    const ks_nccl_net *net = f->net;
    const ks_nccl_node *here = &net->nodes.items[node];
    const path *so_far = f->paths[node];
    for (size_t l = 0; l < here->links.n; l++) {
        ks_nccl_link link = net->links[here->first_link + (int)l];
        so_far = f->paths[node];
        float gbps = so_far->gbps < link.gbps ? so_far->gbps : link.gbps;
        if (!may_pass(f, so_far, node, link))
            continue;
        enum ks_nccl_path type = type_with(f, so_far, node, link);
        int back = reverse_of(net, &net->nodes.items[link.to], link);
        if (back < 0 || !is_better(f, f->paths[link.to], so_far, gbps, type))
            continue;
        path *made = KS_NEW(f->arena, path);
        *made = (path){back, node == f->base ? NULL : so_far, so_far->n + 1, gbps, type};
        f->paths[link.to] = made;
        enqueue(f, link.to);
    }
}

/* Fills f->paths with the paths to the base. NCCL's own loop ends, since paths only get better; the
 * bound is for what cannot happen. */
static void find_paths(finder *f, int base)
{
    size_t n = f->net->nodes.n;
    path *own = KS_NEW(f->arena, path);
    *own = (path){-1, NULL, 0, f->net->model->local, KS_PATH_LOC};
    for (size_t i = 0; i < n; i++)
        f->paths[i] = NULL;
    f->base = base;
    f->paths[base] = own;
    f->now[0] = base;
    f->n_now = 1;
    for (size_t round = 0; f->n_now > 0 && round < 4 * n; round++) {
        f->n_next = 0;
        for (size_t i = 0; i < f->n_now; i++)
            look_from(f, f->now[i]);
        int *swap = f->now;
        f->now = f->next;
        f->next = swap;
        f->n_now = f->n_next;
    }
}

static ks_nccl_way way_of(ks_arena *arena, const path *p)
{
    ks_nccl_way way = {.type = KS_PATH_DIS};
    if (!p)
        return way;
    int *links = KS_NEW_ARRAY(arena, int, (size_t)p->n + 1);
    way = (ks_nccl_way){p->type, p->gbps, p->n, links, false};
    for (int i = 0; i < way.n; i++, p = p->rest)
        links[i] = p->link;
    return way;
}

static void keep_ways(finder *f, ks_nccl_net *net, int to)
{
    for (int from = 0; from < net->n_gpus; from++)
        net->direct[from * net->n_gpus + to] = way_of(f->arena, f->paths[net->gpu_nodes[from]]);
    if (net->switch_node >= 0)
        net->from_switch[to] = way_of(f->arena, f->paths[net->switch_node]);
}

static finder finder_for(ks_arena *arena, const ks_nccl_net *net)
{
    size_t n = net->nodes.n + 1;
    return (finder){.arena = arena,
                    .net = net,
                    .paths = KS_NEW_ARRAY(arena, const path *, n),
                    .now = KS_NEW_ARRAY(arena, int, n),
                    .next = KS_NEW_ARRAY(arena, int, n)};
}

bool ks_nccl_find_ways(ks_diags *diags, ks_nccl_net *net)
{
    size_t n = (size_t)net->n_gpus;
    finder f = finder_for(diags->arena, net);
    net->direct = KS_NEW_ARRAY(diags->arena, ks_nccl_way, n * n + 1);
    net->ways = KS_NEW_ARRAY(diags->arena, ks_nccl_way, n * n + 1);
    net->to_switch = KS_NEW_ARRAY(diags->arena, ks_nccl_way, n + 1);
    net->from_switch = KS_NEW_ARRAY(diags->arena, ks_nccl_way, n + 1);
    for (int to = 0; to < net->n_gpus; to++) {
        find_paths(&f, net->gpu_nodes[to]);
        keep_ways(&f, net, to);
    }
    if (net->switch_node >= 0) {
        find_paths(&f, net->switch_node);
        for (int from = 0; from < net->n_gpus; from++)
            net->to_switch[from] = way_of(diags->arena, f.paths[net->gpu_nodes[from]]);
    }
    for (size_t i = 0; i < n * n; i++)
        if (net->direct[i].type == KS_PATH_DIS) {
            const ks_device *gpu = &net->topology->devices
                                        .items[net->topology->gpus.items[net->gpus[i / n]]];
            ks_error(diags, KS_N005, gpu->at, "no path leads from %.*s to gpu%d", KS_ARG(gpu->name),
                     net->gpus[i % n]);
            return false;
        }
    return true;
}

/* The NUMA node with the fewest hops from a GPU; the first of equals. */
static int nearest_cpu(finder *f, int gpu_node, const path **there)
{
    int best = -1;
    *there = NULL;
    for (size_t i = 0; i < f->net->nodes.n; i++) {
        if (f->net->nodes.items[i].kind != KS_NCCL_CPU)
            continue;
        find_paths(f, (int)i);
        const path *p = f->paths[gpu_node];
        if (p && (!*there || p->n < (*there)->n)) {
            *there = p;
            best = (int)i;
        }
    }
    return best;
}

/* From one GPU to the other past the other's NUMA node. */
static ks_nccl_way past_cpu(finder *f, const path *to_cpu, const path *from_cpu)
{
    ks_nccl_way one = way_of(f->arena, to_cpu), two = way_of(f->arena, from_cpu);
    int *links = KS_NEW_ARRAY(f->arena, int, (size_t)(one.n + two.n) + 1);
    for (int i = 0; i < one.n; i++)
        links[i] = one.links[i];
    for (int i = 0; i < two.n; i++)
        links[one.n + i] = two.links[i];
    return (ks_nccl_way){larger(one.type, two.type), one.gbps < two.gbps ? one.gbps : two.gbps,
                         one.n + two.n, links, false};
}

static void divert_to(finder *f, ks_nccl_net *net, int to, const bool *p2p)
{
    const path *near;
    size_t n = (size_t)net->n_gpus;
    int cpu = nearest_cpu(f, net->gpu_nodes[to], &near);
    if (cpu < 0)
        return;
    const path **to_cpu = KS_NEW_ARRAY(f->arena, const path *, n + 1);
    find_paths(f, cpu);
    for (size_t from = 0; from < n; from++)
        to_cpu[from] = f->paths[net->gpu_nodes[from]];
    find_paths(f, net->gpu_nodes[to]);
    const path *from_cpu = f->paths[cpu];
    for (size_t from = 0; from < n; from++)
        if (!p2p[from * n + (size_t)to] && to_cpu[from] && from_cpu)
            net->ways[from * n + (size_t)to] = past_cpu(f, to_cpu[from], from_cpu);
}

static float out_of(const ks_nccl_net *net, int node)
{
    float nvlink = 0, pci = 0;
    const ks_nccl_node *gpu = &net->nodes.items[node];
    for (size_t l = 0; l < gpu->links.n; l++) {
        ks_nccl_link link = gpu->links.items[l];
        if (link.type == KS_PATH_NVL)
            nvlink += link.gbps;
        else if (link.type == KS_PATH_PIX)
            pci = link.gbps;
    }
    return pci > nvlink ? pci : nvlink;
}

static bool crosses_intel(const ks_nccl_net *net, const ks_nccl_way *way)
{
    for (int i = 0; i < way->n && way->type == KS_PATH_PHB; i++) {
        const ks_nccl_node *node = &net->nodes.items[net->links[way->links[i]].to];
        if (node->kind == KS_NCCL_CPU &&
            net->topology->numas.items[node->numa].vendor == KS_CPU_INTEL)
            return true;
    }
    return false;
}

void ks_nccl_divert(ks_arena *arena, ks_nccl_net *net, const bool *p2p)
{
    size_t n = (size_t)net->n_gpus;
    finder f = finder_for(arena, net);
    for (size_t i = 0; i < n * n; i++)
        net->ways[i] = net->direct[i];
    for (size_t to = 0; to < n; to++) {
        bool any = false;
        for (size_t from = 0; from < n; from++)
            any |= from != to && !p2p[from * n + to];
        if (any)
            divert_to(&f, net, (int)to, p2p);
    }
    for (size_t i = 0; i < n * n; i++)
        net->ways[i].through_intel = crosses_intel(net, &net->ways[i]);
    net->largest = net->total = n == 1 ? net->model->local : 0;
    for (size_t i = 0; i < n * n && n > 1; i++)
        if (net->ways[i].n > 0 && net->ways[i].gbps > net->largest)
            net->largest = net->ways[i].gbps;
    for (size_t i = 0; i < n && n > 1; i++)
        if (out_of(net, net->gpu_nodes[i]) > net->total)
            net->total = out_of(net, net->gpu_nodes[i]);
}
