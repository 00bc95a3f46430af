#include "model/topology.h"

#include <string.h>

int ks_numa_of_gpu(const ks_topology *topology, size_t gpu)
{
    return topology->devices.items[topology->gpus.items[gpu]].numa;
}

int ks_find_numa(const ks_topology *topology, int64_t id)
{
    for (size_t i = 0; i < topology->numas.n; i++)
        if (topology->numas.items[i].id == id)
            return (int)i;
    return -1;
}

int ks_find_device(const ks_topology *topology, ks_str name)
{
    for (size_t i = 0; i < topology->devices.n; i++)
        if (ks_equal(topology->devices.items[i].name, name))
            return (int)i;
    return -1;
}

int64_t ks_gpu_number(const ks_topology *topology, size_t gpu)
{
    return topology->numbers ? topology->numbers[gpu] : (int64_t)gpu;
}

static void renumber_links(ks_arena *arena, const ks_nvlink *items, size_t n, const int64_t *number,
                           ks_nvlink **out)
{
    ks_nvlink *links = KS_NEW_ARRAY(arena, ks_nvlink, n + 1);
    for (size_t i = 0; i < n; i++) {
        links[i] = items[i];
        links[i].gpu = number[items[i].gpu];
        links[i].peer = items[i].peer < 0 ? items[i].peer : number[items[i].peer];
    }
    *out = links;
}

ks_topology *ks_topology_with_first(ks_arena *arena, const ks_topology *topology,
                                    const int64_t *gpus, size_t n)
{
    size_t total = topology->gpus.n, next = n;
    int64_t *number = KS_NEW_ARRAY(arena, int64_t, total + 1);
    int64_t *own = KS_NEW_ARRAY(arena, int64_t, total + 1);
    ks_topology *t = KS_NEW(arena, ks_topology);
    *t = *topology;
    for (size_t i = 0; i < total; i++)
        number[i] = -1;
    for (size_t i = 0; i < n; i++)
        number[gpus[i]] = (int64_t)i;
    for (size_t i = 0; i < total; i++)
        if (number[i] < 0)
            number[i] = (int64_t)next++;
    t->gpus.items = KS_NEW_ARRAY(arena, int, total + 1);
    t->devices.items = KS_NEW_ARRAY(arena, ks_device, topology->devices.n + 1);
    memcpy(t->devices.items, topology->devices.items, topology->devices.n * sizeof(ks_device));
    for (size_t i = 0; i < total; i++) {
        int device = topology->gpus.items[i];
        t->gpus.items[number[i]] = device;
        t->devices.items[device].gpu = number[i];
        own[number[i]] = ks_gpu_number(topology, i);
    }
    t->numbers = own;
    renumber_links(arena, topology->nvlinks.items, topology->nvlinks.n, number, &t->nvlinks.items);
    renumber_links(arena, topology->listed.items, topology->listed.n, number, &t->listed.items);
    return t;
}

ks_numa *ks_add_numa(ks_arena *arena, ks_topology *topology, int64_t id, ks_span at)
{
    ks_numa *numa = KS_PUSH(arena, &topology->numas);
    *numa = (ks_numa){.id = id, .package = -1, .family = -1, .model = -1, .at = at};
    return numa;
}

int ks_add_device(ks_arena *arena, ks_topology *topology, enum ks_device_kind kind, ks_str name,
                  int parent, int numa)
{
    *KS_PUSH(arena, &topology->devices) = (ks_device){.kind = kind,
                                                      .name = name,
                                                      .parent = parent,
                                                      .numa = numa,
                                                      .vendor_id = -1,
                                                      .device_id = -1,
                                                      .subvendor_id = -1,
                                                      .subdevice_id = -1,
                                                      .gpu = -1};
    return (int)topology->devices.n - 1;
}

int ks_add_gpu(ks_arena *arena, ks_topology *topology, int parent, int numa)
{
    size_t number = topology->gpus.n;
    int device = ks_add_device(arena, topology, KS_DEVICE_GPU, ks_format(arena, "gpu%zu", number),
                               parent, numa);
    topology->devices.items[device].gpu = (int64_t)number;
    *KS_PUSH(arena, &topology->gpus) = device;
    return device;
}

void ks_add_nvlink(ks_arena *arena, ks_topology *topology, int64_t gpu, int64_t peer, int64_t links,
                   ks_span at)
{
    *KS_PUSH(arena, &topology->nvlinks) = (ks_nvlink){gpu, peer, links, at};
}

void ks_add_unknown(ks_arena *arena, ks_topology *topology, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *KS_PUSH(arena, &topology->unknown) = ks_vformat(arena, format, args);
    va_end(args);
}

/* PCI Express base specifications, revisions 1.0 to 6.0. */
static const double lane_rates[] = {0, 2.5e9, 5e9, 8e9, 16e9, 32e9, 64e9};

double ks_lane_rate(int64_t generation)
{
    return generation > 0 && generation < (int64_t)KS_COUNT(lane_rates) ? lane_rates[generation]
                                                                        : 0;
}

int64_t ks_generation(double lane_rate)
{
    for (size_t i = 1; i < KS_COUNT(lane_rates); i++)
        if (lane_rate >= lane_rates[i] && lane_rate <= lane_rates[i])
            return (int64_t)i;
    return 0;
}

/* ---- The links in a line. ------------------------------------------------------------------------ */

/* "s" for more than one. */
static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

/* GPUs directly below each device, and below root ports in slot [devices.n]. */
static size_t *count_gpus(ks_arena *arena, const ks_topology *topology)
{
    size_t *below = KS_NEW_ARRAY(arena, size_t, topology->devices.n + 1);
    for (size_t i = 0; i < topology->gpus.n; i++) {
        int parent = topology->devices.items[topology->gpus.items[i]].parent;
        below[parent < 0 ? topology->devices.n : (size_t)parent]++;
    }
    return below;
}

/* "2 PCIe 5 x16 switches of 4 GPUs": the switches, from `first` on, that are alike. */
static void add_switches(ks_builder *b, const ks_topology *topology, const size_t *below,
                         size_t first)
{
    const ks_device *d = &topology->devices.items[first];
    size_t n = 0;
    for (size_t i = 0; i < topology->devices.n; i++) {
        const ks_device *other = &topology->devices.items[i];
        bool alike = other->kind == KS_DEVICE_SWITCH && below[i] == below[first] &&
                     ks_generation(other->lane_rate) == ks_generation(d->lane_rate) &&
                     other->width == d->width && (other->parent < 0) == (d->parent < 0);
        if (alike && i < first)
            return;
        n += alike;
    }
    ks_addf(b, "%s%zu PCIe", b->n ? ", " : "", n);
    if (ks_generation(d->lane_rate))
        ks_addf(b, " %lld", (long long)ks_generation(d->lane_rate));
    if (d->width)
        ks_addf(b, " x%lld", (long long)d->width);
    ks_addf(b, " switch%s", n == 1 ? "" : "es");
    if (below[first])
        ks_addf(b, " of %zu GPU%s", below[first], plural(below[first]));
    if (d->parent >= 0)
        ks_add(b, KS_STR(" below another"));
}

static void add_nvlinks(ks_builder *b, const ks_topology *topology)
{
    bool through_switches = false;
    for (size_t i = 0; i < topology->nvlinks.n; i++)
        through_switches |= topology->nvlinks.items[i].peer < 0;
    if (through_switches)
        ks_addf(b, "%sNVSwitch (%lld links)", b->n ? ", " : "",
                (long long)topology->nvlinks.items[0].links);
    else if (topology->nvlinks.n)
        ks_addf(b, "%sNVLink between %zu pair%s", b->n ? ", " : "", topology->nvlinks.n,
                plural(topology->nvlinks.n));
}

/* Sockets, or 0 where some node's is not told. */
static size_t count_packages(const ks_topology *topology)
{
    size_t n = 0;
    for (size_t i = 0; i < topology->numas.n; i++) {
        bool first = true;
        if (topology->numas.items[i].package < 0)
            return 0;
        for (size_t k = 0; k < i; k++)
            first &= topology->numas.items[k].package != topology->numas.items[i].package;
        n += first;
    }
    return n;
}

static void add_sockets(ks_builder *b, const ks_topology *topology)
{
    const ks_numa *numa = &topology->numas.items[0];
    size_t packages = count_packages(topology), nodes = topology->numas.n;
    ks_add(b, b->n ? KS_STR(", ") : KS_STR(""));
    if (packages)
        ks_addf(b, "%zu socket%s", packages, plural(packages));
    if (packages && packages < nodes)
        ks_add(b, KS_STR(" with "));
    if (packages < nodes)
        ks_addf(b, "%zu NUMA node%s", nodes, plural(nodes));
    if (numa->cpu.n)
        ks_addf(b, " (%.*s)", KS_ARG(numa->cpu));
}

ks_str ks_topology_summary(ks_arena *arena, const ks_topology *topology)
{
    ks_builder b = {.arena = arena};
    size_t *below = count_gpus(arena, topology);
    size_t on_ports = below[topology->devices.n];
    add_nvlinks(&b, topology);
    if (on_ports)
        ks_addf(&b, "%s%zu root port%s", b.n ? ", " : "", on_ports, plural(on_ports));
    for (size_t i = 0; i < topology->devices.n; i++)
        if (topology->devices.items[i].kind == KS_DEVICE_SWITCH)
            add_switches(&b, topology, below, i);
    if (topology->numas.n)
        add_sockets(&b, topology);
    if (topology->guessed)
        ks_add(&b, KS_STR(", guessed"));
    return ks_built(&b);
}
