/* Inside of engine/route.c and engine/route_links.c: what is known while links and ways are
 * made. */
#ifndef KS_LINKS_ROUTE_BUILD_H
#define KS_LINKS_ROUTE_BUILD_H

#include "links/route.h"

/* Deeper trees of switches are no machine's. */
enum { KS_DEEPEST = 16 };

/* A device, while links are made. */
typedef struct ks_place {
    int up, down;     /* wires of the link above it; -1: none */
    int gpu;          /* its index among the GPUs, or -1 */
    int top;          /* device whose link ends at the root complex */
    int depth;        /* links up to the root complex */
    double lane_rate; /* told, or taken from above */
} ks_place;

typedef struct ks_route_build {
    ks_diags *diags;
    ks_arena *arena;
    const ks_topology *topology;
    const ks_fabric *fabric;
    ks_routes *routes;
    ks_place *places; /* by device */
    int *packages;    /* by NUMA node: number of its package */
    size_t n_packages;
    int *sockets;                  /* [from * n_packages + to]: wire, or -1 */
    int *memory_in, *memory_out;   /* by NUMA node: wire, or -1 */
    int *staging_out, *staging_in; /* by GPU: wire */
    int *nvlink_out, *nvlink_in;   /* by GPU: wire to and from the switches, or -1 */
    int *nvlink_pairs;             /* [from * n_gpus + to]: wire, or -1 */
} ks_route_build;

/* Makes all wires. False after an error. */
bool ks_build_wires(ks_route_build *b);

static inline ks_wire *ks_wire_at(const ks_route_build *b, int i)
{
    return &b->routes->wires.items[i];
}

/* The NUMA node whose root complex a GPU is below. */
static inline int ks_build_numa(const ks_route_build *b, size_t gpu)
{
    int top = b->places[b->topology->gpus.items[gpu]].top;
    return b->topology->devices.items[top].numa;
}

static inline const ks_fabric_cpu *ks_build_cpu(const ks_route_build *b, int numa)
{
    return ks_fabric_cpu_of(b->fabric, &b->topology->numas.items[numa]);
}

/* The smaller of two that may be 0 for "no limit". */
static inline double ks_tighter(double a, double b)
{
    if (a > 0 && b > 0)
        return a < b ? a : b;
    return a + b;
}

#endif
