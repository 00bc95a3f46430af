#include "links/route_build.h"

#include <string.h>

/* A way goes up one tree and down another, with the root complex, the sockets, and host memory
 * between. */
enum { LONGEST = 2 * KS_DEEPEST + 12, MOST_GPUS = KS_MAX_TOPOLOGY_GPUS };

/* ---- Ways ------------------------------------------------------------------------------------ */

typedef struct path {
    int wires[LONGEST];
    size_t n;
} path;

static void step(path *p, int wire)
{
    if (wire >= 0 && p->n < LONGEST)
        p->wires[p->n++] = wire;
}

/* The links up from a device to the one below which `stop` is the parent. */
static void climb(const ks_route_build *b, path *p, int device, int stop)
{
    for (; device != stop; device = b->topology->devices.items[device].parent)
        step(p, b->places[device].up);
}

static void descend(const ks_route_build *b, path *p, int device, int stop)
{
    int down[KS_DEEPEST];
    size_t n = 0;
    for (; device != stop && n < KS_DEEPEST; device = b->topology->devices.items[device].parent)
        down[n++] = b->places[device].down;
    while (n > 0)
        step(p, down[--n]);
}

static void store(ks_route_build *b, ks_route *route, const path *p)
{
    route->wires = KS_NEW_ARRAY(b->arena, int, p->n);
    route->n_wires = p->n;
    memcpy(route->wires, p->wires, p->n * sizeof *p->wires);
    for (size_t i = 0; i < p->n; i++) {
        const ks_wire *wire = ks_wire_at(b, p->wires[i]);
        route->latency += wire->latency;
        if (wire->kind == KS_WIRE_PCIE)
            route->narrowest = ks_tighter(route->narrowest, wire->flow.capacity);
    }
}

/* The switch that joins two devices, or -1: the root complex. */
static int meeting_point(const ks_route_build *b, int x, int y)
{
    const ks_device *d = b->topology->devices.items;
    while (x >= 0 && y >= 0 && d[x].parent != d[y].parent) {
        if (b->places[x].depth >= b->places[y].depth)
            x = d[x].parent;
        else
            y = d[y].parent;
    }
    return x >= 0 && y >= 0 ? d[x].parent : -1;
}

static bool redirects(const ks_route_build *b, int device)
{
    const ks_device *d = &b->topology->devices.items[device];
    return d->acs == KS_YES || (d->acs == KS_UNTOLD && b->topology->iommu == KS_IOMMU_TRANSLATE);
}

/* The wire between the sockets of two NUMA nodes; -1 within one. */
static int socket_between(const ks_route_build *b, int from, int to)
{
    size_t x = (size_t)b->packages[from], y = (size_t)b->packages[to];
    return x == y ? -1 : b->sockets[x * b->n_packages + y];
}

static void find_peer_way(ks_route_build *b, size_t from, size_t to, ks_route *route)
{
    path p = {.n = 0};
    int x = b->topology->gpus.items[from], y = b->topology->gpus.items[to];
    int meet = meeting_point(b, x, y);
    if (meet >= 0 && !redirects(b, meet)) {
        route->way = KS_WAY_SWITCH;
        climb(b, &p, x, meet);
        descend(b, &p, y, meet);
        store(b, route, &p);
        return;
    }
    int a = ks_build_numa(b, from), z = ks_build_numa(b, to), socket = socket_between(b, a, z);
    climb(b, &p, x, -1);
    step(&p, ks_wire_at(b, b->places[b->places[x].top].up)->root_peer);
    step(&p, socket);
    step(&p, ks_wire_at(b, b->places[b->places[y].top].down)->root_peer);
    descend(b, &p, y, -1);
    route->way = socket >= 0 ? KS_WAY_SOCKET : KS_WAY_ROOT;
    store(b, route, &p);
    if (socket < 0)
        return;
    const ks_fabric_cpu *here = ks_build_cpu(b, a), *there = ks_build_cpu(b, z);
    route->flow_cap = ks_tighter(here->socket_flow, there->socket_flow);
    route->flow_cap_duplex = route->flow_cap *
                             ks_tighter(here->socket_duplex, there->socket_duplex);
}

/* NCCL and the driver put the buffer on the receiver's side. */
static void find_staged_way(ks_route_build *b, size_t from, size_t to, ks_route *route)
{
    path p = {.n = 0};
    int a = ks_build_numa(b, from), z = ks_build_numa(b, to);
    climb(b, &p, b->topology->gpus.items[from], -1);
    step(&p, b->staging_out[from]);
    step(&p, socket_between(b, a, z));
    step(&p, b->memory_in[z]);
    step(&p, b->memory_out[z]);
    step(&p, b->staging_in[to]);
    descend(b, &p, b->topology->gpus.items[to], -1);
    route->way = KS_WAY_STAGED;
    store(b, route, &p);
    route->latency += b->fabric->latency_staged;
}

static bool find_nvlink_way(ks_route_build *b, size_t from, size_t to, ks_route *route)
{
    path p = {.n = 0};
    int pair = b->nvlink_pairs[from * b->topology->gpus.n + to];
    if (pair < 0 && (b->nvlink_out[from] < 0 || b->nvlink_in[to] < 0))
        return false;
    step(&p, pair >= 0 ? pair : b->nvlink_out[from]);
    step(&p, pair >= 0 ? -1 : b->nvlink_in[to]);
    route->way = KS_WAY_NVLINK;
    store(b, route, &p);
    return true;
}

static void find_ways(ks_route_build *b)
{
    size_t n = b->topology->gpus.n;
    ks_routes *r = b->routes;
    r->n_gpus = n;
    r->peer = KS_NEW_ARRAY(b->arena, ks_route, n * n);
    r->staged = KS_NEW_ARRAY(b->arena, ks_route, n * n);
    for (size_t from = 0; from < n; from++)
        for (size_t to = 0; to < n; to++) {
            if (from == to)
                continue;
            ks_route *peer = &r->peer[from * n + to];
            find_staged_way(b, from, to, &r->staged[from * n + to]);
            if (find_nvlink_way(b, from, to, peer))
                continue;
            if (b->topology->p2p == KS_NO)
                *peer = r->staged[from * n + to];
            else
                find_peer_way(b, from, to, peer);
        }
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool check_counts(ks_diags *diags, const ks_topology *t)
{
    bool good = t->gpus.n <= MOST_GPUS && t->devices.n <= KS_MAX_DEVICES &&
                t->numas.n <= KS_MAX_NUMA && t->nvlinks.n <= KS_MAX_NVLINKS;
    if (!good)
        ks_error(diags, KS_S006, t->at, "a machine has at most %d GPUs and %d devices", MOST_GPUS,
                 KS_MAX_DEVICES);
    for (size_t i = 0; good && i < t->gpus.n; i++) {
        int device = t->gpus.items[i];
        good = device >= 0 && (size_t)device < t->devices.n &&
               t->devices.items[device].kind == KS_DEVICE_GPU;
        for (size_t k = 0; k < i; k++)
            good = good && t->gpus.items[k] != device;
        if (!good)
            ks_error(diags, KS_M008, t->at, "GPU %zu is no device of its own", i);
    }
    return good;
}

static int *no_wires(ks_arena *arena, size_t n)
{
    int *wires = KS_NEW_ARRAY(arena, int, n);
    for (size_t i = 0; i < n; i++)
        wires[i] = -1;
    return wires;
}

static ks_route_build start(ks_diags *diags, const ks_topology *t, const ks_fabric *fabric,
                            ks_routes *routes)
{
    ks_arena *arena = diags->arena;
    size_t gpus = t->gpus.n, numas = t->numas.n;
    ks_route_build b = {
        .diags = diags, .arena = arena, .topology = t, .fabric = fabric, .routes = routes};
    b.places = KS_NEW_ARRAY(arena, ks_place, t->devices.n);
    for (size_t i = 0; i < t->devices.n; i++)
        b.places[i] = (ks_place){.up = -1, .down = -1, .gpu = -1};
    for (size_t i = 0; i < gpus; i++)
        b.places[t->gpus.items[i]].gpu = (int)i;
    b.packages = KS_NEW_ARRAY(arena, int, numas);
    b.memory_in = no_wires(arena, numas);
    b.memory_out = no_wires(arena, numas);
    b.staging_out = no_wires(arena, gpus);
    b.staging_in = no_wires(arena, gpus);
    b.nvlink_out = no_wires(arena, gpus);
    b.nvlink_in = no_wires(arena, gpus);
    b.nvlink_pairs = no_wires(arena, gpus * gpus);
    return b;
}

bool ks_find_routes(ks_diags *diags, const ks_topology *topology, const ks_fabric *fabric,
                    ks_routes *routes)
{
    *routes = (ks_routes){.topology = topology, .fabric = *fabric};
    if (!check_counts(diags, topology))
        return false;
    ks_route_build b = start(diags, topology, fabric, routes);
    if (!ks_build_wires(&b))
        return false;
    find_ways(&b);
    return true;
}

const ks_route *ks_route_of(const ks_routes *routes, size_t from, size_t to, enum ks_flow_kind kind)
{
    const ks_route *all = kind == KS_FLOW_STAGED ? routes->staged : routes->peer;
    return &all[from * routes->n_gpus + to];
}

double ks_route_cap(const ks_routes *routes, const ks_route *route, enum ks_flow_kind kind,
                    bool both_ways)
{
    const ks_fabric *f = &routes->fabric;
    const double caps[KS_FLOW_KINDS] = {
        [KS_FLOW_STORE] = f->store_cap, [KS_FLOW_LOAD] = f->load_cap, [KS_FLOW_NCCL] = f->nccl_cap};
    double cap = 0;
    if (route->narrowest > 0 && route->way != KS_WAY_STAGED)
        cap = caps[kind] * route->narrowest / f->gen5_x16;
    return ks_tighter(cap, both_ways ? route->flow_cap_duplex : route->flow_cap);
}

double ks_route_latency(const ks_route *route, enum ks_flow_kind kind)
{
    return kind == KS_FLOW_LOAD ? 2 * route->latency : route->latency;
}

ks_str ks_route_text(ks_arena *arena, const ks_routes *routes, const ks_route *route)
{
    ks_builder text = {.arena = arena};
    for (size_t i = 0; i < route->n_wires; i++) {
        const ks_wire *wire = &routes->wires.items[route->wires[i]];
        if (wire->kind == KS_WIRE_ROOT || wire->kind == KS_WIRE_STAGING)
            continue;
        if (text.n == 0)
            ks_add(&text, wire->from);
        ks_addf(&text, " -> %.*s", KS_ARG(wire->to));
    }
    return ks_built(&text);
}
