#include "links/route_build.h"

#include <math.h>

static const double generation_4 = 16e9;
enum { USUAL_WIDTH = 16 };

static void assume(ks_route_build *b, ks_str text)
{
    *KS_PUSH(b->arena, &b->routes->assumed) = text;
}

static ks_str numa_name(const ks_route_build *b, int numa)
{
    return ks_format(b->arena, "cpu%lld", (long long)b->topology->numas.items[numa].id);
}

/* Adds one direction of a link. `capacity` must be sensible: see check_rate(). */
static int add_wire(ks_route_build *b, enum ks_wire_kind kind, ks_str from, ks_str to,
                    double capacity, double latency)
{
    int number = (int)b->routes->wires.n;
    ks_wire *wire = KS_PUSH(b->arena, &b->routes->wires);
    wire->name = ks_format(b->arena, "%.*s -> %.*s", KS_ARG(from), KS_ARG(to));
    wire->from = from;
    wire->to = to;
    wire->kind = kind;
    wire->latency = latency;
    wire->root_peer = -1;
    wire->flow = (ks_flow_link){
        .capacity = capacity, .duplex = 1, .duplex_pair = 1, .reverse = -1, .port = -1};
    return number;
}

static void join(ks_route_build *b, int a, int c, double duplex, double duplex_pair)
{
    const int both[] = {a, c};
    for (int i = 0; i < 2; i++) {
        ks_flow_link *link = &ks_wire_at(b, both[i])->flow;
        link->reverse = both[1 - i];
        link->duplex = duplex;
        link->duplex_pair = duplex_pair;
    }
}

/* ---- PCIe ------------------------------------------------------------------------------------ */

static bool check_rate(ks_route_build *b, const ks_device *d, double rate)
{
    if (rate >= 1e6 && rate <= 1e15)
        return true;
    ks_error(b->diags, KS_S006, d->at, "the link above %.*s carries %g B/s", KS_ARG(d->name), rate);
    ks_add_note(b->diags, (ks_span){0}, "a link carries from 1 MB/s to 10^15 B/s");
    return false;
}

static double fastest_told(const ks_topology *t)
{
    double fastest = 0;
    for (size_t i = 0; i < t->devices.n; i++)
        if (t->devices.items[i].kind != KS_DEVICE_NIC && t->devices.items[i].lane_rate > fastest)
            fastest = t->devices.items[i].lane_rate;
    return fastest > 0 ? fastest : generation_4;
}

static bool is_told(double rate)
{
    return rate > 0 || rate < 0 || isnan(rate);
}

/* Bytes/s of the link above a device by generation and width. What is not told is assumed. */
static double rate_by_kind(ks_route_build *b, const ks_device *d, ks_place *p)
{
    bool known = ks_fabric_link(b->fabric, d->lane_rate, USUAL_WIDTH) > 0;
    bool wide = ks_fabric_link(b->fabric, generation_4, d->width) > 0;
    p->lane_rate = d->lane_rate;
    if (!known)
        p->lane_rate = d->parent >= 0 ? b->places[d->parent].lane_rate : fastest_told(b->topology);
    if (ks_fabric_link(b->fabric, p->lane_rate, USUAL_WIDTH) <= 0)
        p->lane_rate = generation_4;
    bool both_told = is_told(d->up) && is_told(d->down);
    if (!known && !both_told)
        assume(b,
               ks_format(b->arena, "%.*s: the generation of its link is not told; taken as %g GT/s",
                         KS_ARG(d->name), p->lane_rate / 1e9));
    if (!wide && !both_told)
        assume(b, ks_format(b->arena, "%.*s: the width of its link is not told; taken as x%d",
                            KS_ARG(d->name), USUAL_WIDTH));
    return ks_fabric_link(b->fabric, p->lane_rate, wide ? d->width : USUAL_WIDTH);
}

/* What a root port passes on from peer to peer, as a link of its own behind the real one. */
static void add_root_peer(ks_route_build *b, int number, double passes)
{
    ks_wire *wire = ks_wire_at(b, number);
    if (!(passes > 0) || passes >= wire->flow.capacity)
        return;
    int peer = add_wire(b, KS_WIRE_ROOT, wire->from, wire->to, passes, 0);
    ks_wire_at(b, peer)->name = ks_format(b->arena, "%.*s, peer to peer",
                                          KS_ARG(ks_wire_at(b, number)->name));
    ks_wire_at(b, number)->root_peer = peer;
}

static void add_pcie(ks_route_build *b, const ks_device *d, ks_place *p, const double rates[2])
{
    const ks_fabric *f = b->fabric;
    bool root = d->parent < 0;
    ks_str above = root ? numa_name(b, d->numa) : b->topology->devices.items[d->parent].name;
    double latency = d->kind == KS_DEVICE_GPU ? f->latency_gpu_link : f->latency_switch_link;
    if (root)
        latency += ks_build_cpu(b, d->numa)->latency_root / 2;
    if (d->latency > 0)
        latency = d->latency;
    p->up = add_wire(b, KS_WIRE_PCIE, d->name, above, rates[0], latency);
    p->down = add_wire(b, KS_WIRE_PCIE, above, d->name, rates[1], latency);
    join(b, p->up, p->down, f->duplex, f->duplex_pair);
    const int both[] = {p->up, p->down};
    for (int i = 0; i < 2; i++) {
        ks_wire *wire = ks_wire_at(b, both[i]);
        wire->told = is_told(i == 0 ? d->up : d->down);
        if (p->gpu >= 0) {
            wire->flow.port = p->gpu;
            wire->flow.loss = root ? f->peers_loss_root : f->peers_loss_switch;
        }
    }
    for (int i = 0; i < 2 && root; i++)
        if (!ks_wire_at(b, both[i])->told)
            add_root_peer(b, both[i], ks_build_cpu(b, d->numa)->root_peer);
}

static bool is_misplaced(const ks_topology *t, size_t i)
{
    const ks_device *d = &t->devices.items[i];
    if (d->parent >= 0)
        return d->parent >= (int)i || t->devices.items[d->parent].kind != KS_DEVICE_SWITCH;
    return d->numa < 0 || (size_t)d->numa >= t->numas.n;
}

static bool add_device(ks_route_build *b, size_t i)
{
    const ks_device *d = &b->topology->devices.items[i];
    ks_place *p = &b->places[i];
    if (is_misplaced(b->topology, i)) {
        ks_error(b->diags, KS_M008, d->at, "%.*s hangs on nothing", KS_ARG(d->name));
        ks_add_note(b->diags, (ks_span){0}, "a device is below a switch or on a socket");
        return false;
    }
    p->top = d->parent >= 0 ? b->places[d->parent].top : (int)i;
    p->depth = d->parent >= 0 ? b->places[d->parent].depth + 1 : 1;
    if (p->depth > KS_DEEPEST) {
        ks_error(b->diags, KS_M008, d->at, "%.*s is below more than %d switches", KS_ARG(d->name),
                 KS_DEEPEST - 1);
        return false;
    }
    double rate = rate_by_kind(b, d, p), rates[2] = {rate, rate};
    if (d->parent < 0 && b->topology->iommu == KS_IOMMU_TRANSLATE)
        rates[0] = rates[1] = rate * b->fabric->iommu_translate;
    if (is_told(d->up))
        rates[0] = d->up;
    if (is_told(d->down))
        rates[1] = d->down;
    if (!check_rate(b, d, rates[0]) || !check_rate(b, d, rates[1]))
        return false;
    add_pcie(b, d, p, rates);
    return true;
}

/* ---- Sockets and host memory ----------------------------------------------------------------- */

/* Numbers the packages of NUMA nodes. A node whose package is not told is one of its own. */
static void number_packages(ks_route_build *b)
{
    const ks_topology *t = b->topology;
    bool untold = false;
    for (size_t i = 0; i < t->numas.n; i++) {
        b->packages[i] = -1;
        untold |= t->numas.items[i].package < 0;
        for (size_t k = 0; k < i && t->numas.items[i].package >= 0; k++)
            if (t->numas.items[k].package == t->numas.items[i].package)
                b->packages[i] = b->packages[k];
        if (b->packages[i] < 0)
            b->packages[i] = (int)b->n_packages++;
    }
    if (untold && t->numas.n > 1)
        assume(b, KS_STR("which NUMA nodes share a socket is not told; each is taken as one"));
}

static ks_str package_name(const ks_route_build *b, int package)
{
    for (size_t i = 0; i < b->topology->numas.n; i++)
        if (b->packages[i] == package)
            return numa_name(b, (int)i);
    return KS_STR("cpu");
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The links between the sockets of two NUMA nodes. */
static bool add_sockets(ks_route_build *b, int from, int to)
{
    int x = b->packages[from], y = b->packages[to];
    int *forth = &b->sockets[x * (int)b->n_packages + y];
    int *back = &b->sockets[y * (int)b->n_packages + x];
    if (x == y || *forth >= 0)
        return true;
    double rate = ks_tighter(ks_build_cpu(b, from)->socket, ks_build_cpu(b, to)->socket);
    if (!(rate > 0)) {
        ks_error(b->diags, KS_M008, b->topology->numas.items[from].at,
                 "nothing is known of the links between these sockets");
        return false;
    }
    ks_str a = package_name(b, x), z = package_name(b, y);
    *forth = add_wire(b, KS_WIRE_SOCKET, a, z, rate, b->fabric->latency_socket);
    *back = add_wire(b, KS_WIRE_SOCKET, z, a, rate, b->fabric->latency_socket);
    join(b, *forth, *back, 1, 1);
    return true;
}

/* Reads and writes of host memory share its rate. */
static void add_memory(ks_route_build *b, int numa)
{
    if (b->memory_in[numa] >= 0)
        return;
    ks_str cpu = numa_name(b, numa), memory = ks_format(b->arena, "memory of %.*s", KS_ARG(cpu));
    b->memory_in[numa] = add_wire(b, KS_WIRE_MEMORY, cpu, memory, b->fabric->host_memory, 0);
    b->memory_out[numa] = add_wire(b, KS_WIRE_MEMORY, memory, cpu, b->fabric->host_memory, 0);
    join(b, b->memory_in[numa], b->memory_out[numa], 0.5, 0.5);
}

/* The slowest PCIe link from a GPU to the root complex. */
static double narrowest_to_root(const ks_route_build *b, int device)
{
    double least = HUGE_VAL;
    for (; device >= 0; device = b->topology->devices.items[device].parent) {
        least = smaller(least, ks_wire_at(b, b->places[device].up)->flow.capacity);
        least = smaller(least, ks_wire_at(b, b->places[device].down)->flow.capacity);
    }
    return least;
}

static void add_staging(ks_route_build *b, size_t gpu)
{
    int device = b->topology->gpus.items[gpu];
    ks_str name = b->topology->devices.items[device].name;
    ks_str buffer = ks_format(b->arena, "host buffer of %.*s", KS_ARG(name));
    double rate = b->fabric->staged_rate * narrowest_to_root(b, device) / b->fabric->gen5_x16;
    b->staging_out[gpu] = add_wire(b, KS_WIRE_STAGING, name, buffer, rate, 0);
    b->staging_in[gpu] = add_wire(b, KS_WIRE_STAGING, buffer, name, rate, 0);
    join(b, b->staging_out[gpu], b->staging_in[gpu], b->fabric->staged_duplex,
         b->fabric->staged_duplex);
    add_memory(b, ks_build_numa(b, gpu));
}

/* ---- NVLink ---------------------------------------------------------------------------------- */

static int gpu_numbered(const ks_topology *t, int64_t number)
{
    for (size_t i = 0; i < t->gpus.n; i++)
        if (t->devices.items[t->gpus.items[i]].gpu == number)
            return (int)i;
    return -1;
}

static ks_str gpu_name(const ks_route_build *b, int gpu)
{
    return b->topology->devices.items[b->topology->gpus.items[gpu]].name;
}

static double nvlink_rate(const ks_route_build *b, int gpu)
{
    const ks_device *d = &b->topology->devices.items[b->topology->gpus.items[gpu]];
    return ks_fabric_nvlink(b->fabric, d->capability);
}

/* NVLinks between two GPUs by direction of telling: [a * n + c]. */
static bool count_nvlinks(ks_route_build *b, int64_t *pairs, int64_t *switched)
{
    const ks_topology *t = b->topology;
    for (size_t i = 0; i < t->nvlinks.n; i++) {
        const ks_nvlink *link = &t->nvlinks.items[i];
        int a = gpu_numbered(t, link->gpu);
        int c = link->peer >= 0 ? gpu_numbered(t, link->peer) : -1;
        if (link->links <= 0 || link->links > KS_MAX_NVLINKS || a < 0 || a == c ||
            (link->peer >= 0 && c < 0)) {
            ks_error(b->diags, KS_S006, link->at, "an NVLink between GPUs that are not there");
            ks_add_note(b->diags, (ks_span){0},
                        "GPUs are numbered from 0, links counted from 1 to %d", KS_MAX_NVLINKS);
            return false;
        }
        if (c < 0)
            switched[a] += link->links;
        else
            pairs[(size_t)a * t->gpus.n + (size_t)c] += link->links;
    }
    return true;
}

static void add_nvlink_pair(ks_route_build *b, size_t a, size_t c, int64_t links)
{
    size_t n = b->topology->gpus.n;
    double one = smaller(nvlink_rate(b, (int)a), nvlink_rate(b, (int)c));
    ks_str from = gpu_name(b, (int)a), to = gpu_name(b, (int)c);
    double rate = (double)links * one, latency = b->fabric->latency_nvlink;
    int forth = add_wire(b, KS_WIRE_NVLINK, from, to, rate, latency);
    int back = add_wire(b, KS_WIRE_NVLINK, to, from, rate, latency);
    join(b, forth, back, 1, 1);
    b->nvlink_pairs[a * n + c] = forth;
    b->nvlink_pairs[c * n + a] = back;
}

static bool add_nvlinks(ks_route_build *b)
{
    size_t n = b->topology->gpus.n;
    int64_t *pairs = KS_NEW_ARRAY(b->arena, int64_t, n * n);
    int64_t *switched = KS_NEW_ARRAY(b->arena, int64_t, n);
    if (!count_nvlinks(b, pairs, switched))
        return false;
    for (size_t a = 0; a < n; a++)
        for (size_t c = a + 1; c < n; c++) {
            int64_t forth = pairs[a * n + c], back = pairs[c * n + a];
            if (forth > 0 || back > 0)
                add_nvlink_pair(b, a, c, forth > back ? forth : back);
        }
    for (size_t a = 0; a < n; a++) {
        if (switched[a] == 0)
            continue;
        double rate = (double)switched[a] * nvlink_rate(b, (int)a);
        ks_str name = gpu_name(b, (int)a), nvswitch = KS_STR("nvswitch");
        double latency = b->fabric->latency_nvlink;
        b->nvlink_out[a] = add_wire(b, KS_WIRE_NVLINK, name, nvswitch, rate, latency);
        b->nvlink_in[a] = add_wire(b, KS_WIRE_NVLINK, nvswitch, name, rate, latency);
        join(b, b->nvlink_out[a], b->nvlink_in[a], 1, 1);
    }
    return true;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void note_unknown(ks_route_build *b)
{
    const ks_topology *t = b->topology;
    if (t->p2p == KS_UNTOLD && t->gpus.n > 1)
        assume(
            b,
            KS_STR("whether GPUs reach each other's memory over PCIe is not told; taken as yes"));
    for (size_t i = 0; i < t->devices.n; i++)
        if (t->devices.items[i].kind == KS_DEVICE_SWITCH && t->devices.items[i].acs == KS_UNTOLD)
            assume(b, ks_format(b->arena, "%.*s: ACS is not told; taken as %s",
                                KS_ARG(t->devices.items[i].name),
                                t->iommu == KS_IOMMU_TRANSLATE ? "on, since the IOMMU translates"
                                                               : "off"));
}

bool ks_build_wires(ks_route_build *b)
{
    const ks_topology *t = b->topology;
    number_packages(b);
    b->sockets = KS_NEW_ARRAY(b->arena, int, b->n_packages * b->n_packages);
    for (size_t i = 0; i < b->n_packages * b->n_packages; i++)
        b->sockets[i] = -1;
    for (size_t i = 0; i < t->devices.n; i++) {
        if (t->devices.items[i].kind != KS_DEVICE_NIC && !add_device(b, i))
            return false;
    }
    for (size_t i = 0; i < t->gpus.n; i++)
        for (size_t k = 0; k < i; k++)
            if (!add_sockets(b, ks_build_numa(b, k), ks_build_numa(b, i)))
                return false;
    for (size_t i = 0; i < t->gpus.n; i++)
        add_staging(b, i);
    note_unknown(b);
    return add_nvlinks(b);
}
