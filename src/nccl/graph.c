#include "nccl/graph.h"

#include <string.h>

typedef struct builder {
    ks_arena *arena;
    ks_diags *diags;
    ks_nccl_net *net;
    const ks_topology *topology;
    bool *used;   /* by device: a GPU of the ranks, or above one */
    int *node_of; /* by device */
    int *cpu_of;  /* by NUMA node */
} builder;

static ks_nccl_node *node_at(const builder *b, int node)
{
    return &b->net->nodes.items[node];
}

static int add_node(builder *b, enum ks_nccl_kind kind, int device, int numa)
{
    int index = 0;
    for (size_t i = 0; i < b->net->nodes.n; i++)
        index += b->net->nodes.items[i].kind == kind;
    *KS_PUSH(b->arena, &b->net->nodes) = (ks_nccl_node){
        .kind = kind, .device = device, .numa = numa, .index = index};
    return (int)b->net->nodes.n - 1;
}

/* Adds to a link that is there, and keeps a node's links sorted: the widest first. */
static void connect_to(builder *b, int from, int to, enum ks_nccl_path type, float gbps)
{
    ks_nccl_links *links = &node_at(b, from)->links;
    size_t at = 0;
    while (at < links->n && (links->items[at].to != to || links->items[at].type != type))
        at++;
    if (at == links->n)
        *KS_PUSH(b->arena, links) = (ks_nccl_link){.type = type, .from = from, .to = to};
    ks_nccl_link link = links->items[at];
    link.gbps += gbps;
    for (; at > 0 && links->items[at - 1].gbps < link.gbps; at--)
        links->items[at] = links->items[at - 1];
    links->items[at] = link;
}

static void connect_both(builder *b, int one, int two, enum ks_nccl_path type, float gbps)
{
    connect_to(b, one, two, type, gbps);
    connect_to(b, two, one, type, gbps);
}

/* ---- PCI ----------------------------------------------------------------------------------------- */

static void mark_used(builder *b, size_t ranks)
{
    for (size_t i = 0; i < ranks; i++)
        for (int d = b->topology->gpus.items[i]; d >= 0 && !b->used[d];
             d = b->topology->devices.items[d].parent)
            b->used[d] = true;
}

/* NCCL keeps the NUMA nodes below which it uses something. */
static void add_cpus(builder *b)
{
    for (size_t i = 0; i < b->topology->numas.n; i++) {
        bool keep = false;
        for (size_t d = 0; d < b->topology->devices.n && !keep; d++) {
            const ks_device *device = &b->topology->devices.items[d];
            keep = device->numa == (int)i && (b->used[d] || device->kind == KS_DEVICE_NIC);
        }
        b->cpu_of[i] = keep ? add_node(b, KS_NCCL_CPU, -1, (int)i) : -1;
    }
}

static float pci_gbps(const builder *b, const ks_device *device)
{
    int64_t lanes = device->width > 0 ? device->width : b->net->model->lanes;
    return (float)lanes * ks_nccl_step_at(&b->net->model->lane, device->lane_rate / 1e9);
}

static uint64_t chip_of(const ks_device *device)
{
    const int64_t parts[] = {device->vendor_id, device->device_id, device->subvendor_id,
                             device->subdevice_id};
    uint64_t chip = 0;
    for (size_t i = 0; i < KS_COUNT(parts); i++)
        chip = (chip << 16) | (parts[i] > 0 ? (uint64_t)parts[i] & 0xffff : 0);
    return chip;
}

/* NCCL adds a node before what is below it and connects it after, so a switch's links stand in the
 * order in which its children were finished. */
static void add_below(builder *b, int parent_device, int parent_node, int numa)
{
    for (size_t d = 0; d < b->topology->devices.n; d++) {
        const ks_device *device = &b->topology->devices.items[d];
        if (!b->used[d] || device->parent != parent_device || device->numa != numa)
            continue;
        bool gpu = device->kind == KS_DEVICE_GPU;
        int node = add_node(b, gpu ? KS_NCCL_GPU : KS_NCCL_SWITCH, (int)d, numa);
        b->node_of[d] = node;
        node_at(b, node)->chip = chip_of(device);
        if (!gpu)
            add_below(b, (int)d, node, numa);
        connect_both(b, node, parent_node, KS_PATH_PIX, pci_gbps(b, device));
    }
}

/* ---- NVLink -------------------------------------------------------------------------------------- */

static int gpu_node(const builder *b, int64_t gpu)
{
    return gpu >= 0 && (size_t)gpu < b->topology->gpus.n ? b->node_of[b->topology->gpus.items[gpu]]
                                                         : -1;
}

static void add_nvlink(builder *b, int64_t gpu, int64_t peer, int64_t links)
{
    int from = gpu_node(b, gpu);
    if (from < 0)
        return;
    const ks_device *device = &b->topology->devices.items[b->topology->gpus.items[gpu]];
    float gbps = (float)links * ks_nccl_step_at(&b->net->model->nvlink, device->capability);
    if (peer >= 0) {
        if (gpu_node(b, peer) >= 0)
            connect_to(b, from, gpu_node(b, peer), KS_PATH_NVL, gbps);
        return;
    }
    if (b->net->switch_node < 0)
        b->net->switch_node = add_node(b, KS_NCCL_NVSWITCH, -1, -1);
    connect_both(b, from, b->net->switch_node, KS_PATH_NVL, gbps);
}

/* In the order of the file; without one, each GPU's peers in their order. */
static void add_nvlinks(builder *b)
{
    const ks_topology *t = b->topology;
    for (size_t i = 0; i < t->listed.n; i++)
        add_nvlink(b, t->listed.items[i].gpu, t->listed.items[i].peer, t->listed.items[i].links);
    for (size_t gpu = 0; gpu < t->gpus.n && t->listed.n == 0; gpu++)
        for (size_t i = 0; i < t->nvlinks.n; i++) {
            const ks_nvlink *link = &t->nvlinks.items[i];
            if (link->gpu == (int64_t)gpu)
                add_nvlink(b, link->gpu, link->peer, link->links);
            else if (link->peer == (int64_t)gpu)
                add_nvlink(b, link->peer, link->gpu, link->links);
        }
}

/* ---- Switches that show themselves as two levels ---------------------------------------------------- */

/* The generation (4, 5) of a Broadcom switch that does, at its upper (0) or lower (1) level; else 0. */
static int generation_of(uint64_t chip, int level)
{
    uint64_t model = chip & 0xfffffffffffff000;
    if (model == 0x1000c0101000a000)
        return 4;
    return model == (0x1000c03010000000 | (uint64_t)level << 12) ? 5 : 0;
}

static void remove_link(ks_nccl_links *links, size_t at)
{
    memmove(&links->items[at], &links->items[at + 1], (links->n - at - 1) * sizeof *links->items);
    links->n--;
}

/* Hangs all that is below the lower switch on the upper one. */
static void swallow(builder *b, int upper, int lower)
{
    for (size_t l = 0; l < node_at(b, lower)->links.n; l++) {
        ks_nccl_link link = node_at(b, lower)->links.items[l];
        if (link.to == upper)
            continue;
        ks_nccl_links *back = &node_at(b, link.to)->links;
        link.from = upper;
        *KS_PUSH(b->arena, &node_at(b, upper)->links) = link;
        for (size_t i = 0; i < back->n; i++)
            if (back->items[i].to == lower) {
                back->items[i].to = upper;
                break;
            }
    }
    node_at(b, lower)->removed = true;
    node_at(b, lower)->links.n = 0;
}

static void flatten_one(builder *b, int upper)
{
    int generation = generation_of(node_at(b, upper)->chip, 0);
    int *lower = KS_NEW_ARRAY(b->arena, int, node_at(b, upper)->links.n + 1);
    size_t n = 0;
    ks_nccl_links *links = &node_at(b, upper)->links;
    for (size_t l = 0; l < links->n;) {
        const ks_nccl_node *below = node_at(b, links->items[l].to);
        if (below->kind != KS_NCCL_SWITCH || generation_of(below->chip, 1) != generation) {
            l++;
            continue;
        }
        lower[n++] = links->items[l].to;
        remove_link(links, l);
    }
    for (size_t i = 0; i < n; i++)
        swallow(b, upper, lower[i]);
    node_at(b, upper)->chip |= 0xffff; /* so that it is not merged again */
}

static void flatten(builder *b)
{
    for (size_t i = 0; i < b->net->nodes.n; i++) {
        const ks_nccl_node *node = &b->net->nodes.items[i];
        if (node->kind != KS_NCCL_SWITCH || node->removed || !generation_of(node->chip, 0))
            continue;
        flatten_one(b, (int)i);
        i = (size_t)-1; /* from the start, as NCCL does */
    }
}

/* ---- NUMA nodes ------------------------------------------------------------------------------------ */

/* The model that CPUID gives for a generation, where only its name is told. */
static double intel_model(const ks_numa *numa)
{
    static const struct {
        const char *cpu;
        double model;
    } known[] = {{"skylake", 85},
                 {"cascade-lake", 85},
                 {"ice-lake", 106},
                 {"sapphire-rapids", 143},
                 {"emerald-rapids", 207}};
    for (size_t i = 0; i < KS_COUNT(known) && numa->model < 0; i++)
        if (ks_equal_c(numa->cpu, known[i].cpu))
            return known[i].model;
    return numa->family == 6 || numa->family < 0 ? (double)numa->model : 0;
}

static float numa_gbps(const builder *b, const ks_numa *numa)
{
    const ks_nccl_model *model = b->net->model;
    switch (numa->vendor) {
    case KS_CPU_AMD:
        return model->amd;
    case KS_CPU_INTEL:
        return ks_nccl_step_at(&model->intel, intel_model(numa));
    case KS_CPU_ZHAOXIN:
        return ks_nccl_step_at(&model->zhaoxin, (double)numa->model);
    case KS_CPU_ARM:
        return model->arm;
    case KS_CPU_POWER:
        return model->power;
    case KS_CPU_UNKNOWN:
        break;
    }
    return model->local;
}

static void connect_cpus(builder *b)
{
    size_t n = b->topology->numas.n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (i != k && b->cpu_of[i] >= 0 && b->cpu_of[k] >= 0)
                connect_to(b, b->cpu_of[i], b->cpu_of[k], KS_PATH_SYS,
                           numa_gbps(b, &b->topology->numas.items[i]));
}

/* Puts the link upwards behind all others, in the whole tree. */
static void sort_below(builder *b, int node, int above)
{
    ks_nccl_links *links = &node_at(b, node)->links;
    for (size_t l = 0; above >= 0 && l < links->n; l++)
        if (links->items[l].to == above) {
            ks_nccl_link up = links->items[l];
            remove_link(links, l);
            links->items[links->n++] = up;
            break;
        }
    for (size_t l = 0; l < links->n; l++)
        if (links->items[l].type == KS_PATH_PIX && links->items[l].to != above)
            sort_below(b, links->items[l].to, node);
}

/* ---- The whole ------------------------------------------------------------------------------------- */

static void number_links(builder *b)
{
    ks_nccl_net *net = b->net;
    for (size_t i = 0; i < net->nodes.n; i++) {
        net->nodes.items[i].first_link = (int)net->n_links;
        net->n_links += net->nodes.items[i].links.n;
    }
    ks_nccl_link *all = KS_NEW_ARRAY(b->arena, ks_nccl_link, net->n_links + 1);
    for (size_t i = 0, at = 0; i < net->nodes.n; i++)
        for (size_t l = 0; l < net->nodes.items[i].links.n; l++)
            all[at++] = net->nodes.items[i].links.items[l];
    net->links = all;
}

static void number_gpus(builder *b, size_t ranks)
{
    int *nodes = KS_NEW_ARRAY(b->arena, int, ranks + 1);
    int *gpus = KS_NEW_ARRAY(b->arena, int, ranks + 1);
    ks_nccl_net *net = b->net;
    for (size_t i = 0; i < net->nodes.n; i++) {
        const ks_nccl_node *node = &net->nodes.items[i];
        net->n_cpus += node->kind == KS_NCCL_CPU;
        if (node->kind != KS_NCCL_GPU)
            continue;
        nodes[net->n_gpus] = (int)i;
        gpus[net->n_gpus++] = (int)b->topology->devices.items[node->device].gpu;
    }
    net->gpu_nodes = nodes;
    net->gpus = gpus;
}

static bool read_capabilities(builder *b, size_t ranks)
{
    for (size_t i = 0; i < ranks; i++) {
        const ks_device *gpu = &b->topology->devices.items[b->topology->gpus.items[i]];
        double capability = gpu->capability;
        if (!(capability > 0)) {
            ks_error(b->diags, KS_N003, gpu->at, "the compute capability of %.*s is not told",
                     KS_ARG(gpu->name));
            return false;
        }
        if (i == 0 || capability < b->net->least_capability)
            b->net->least_capability = capability;
        if (i == 0 || capability > b->net->most_capability)
            b->net->most_capability = capability;
    }
    return true;
}

ks_nccl_net *ks_nccl_build(ks_diags *diags, const ks_nccl_model *model, const ks_topology *topology,
                           size_t ranks)
{
    ks_arena *arena = diags->arena;
    ks_nccl_net *net = KS_NEW(arena, ks_nccl_net);
    builder b = {arena,
                 diags,
                 net,
                 topology,
                 KS_NEW_ARRAY(arena, bool, topology->devices.n + 1),
                 KS_NEW_ARRAY(arena, int, topology->devices.n + 1),
                 KS_NEW_ARRAY(arena, int, topology->numas.n + 1)};
    net->model = model;
    net->topology = topology;
    net->switch_node = -1;
    if (!read_capabilities(&b, ranks))
        return NULL;
    for (size_t d = 0; d < topology->devices.n; d++)
        b.node_of[d] = -1;
    mark_used(&b, ranks);
    add_cpus(&b);
    for (size_t i = 0; i < topology->numas.n; i++)
        if (b.cpu_of[i] >= 0)
            add_below(&b, -1, b.cpu_of[i], (int)i);
    add_nvlinks(&b);
    flatten(&b);
    connect_cpus(&b);
    for (size_t i = 0; i < net->nodes.n; i++)
        if (net->nodes.items[i].kind == KS_NCCL_CPU)
            sort_below(&b, (int)i, -1);
    number_links(&b);
    number_gpus(&b, ranks);
    for (size_t i = topology->numas.n; i-- > 0;)
        if (b.cpu_of[i] >= 0)
            net->vendor = topology->numas.items[i].vendor;
    return ks_nccl_find_ways(diags, net) ? net : NULL;
}
