/* The links of a machine as transfers use them, and the way between each two GPUs: through
 * switches, the root complex, sockets, NVLink, or host memory.
 *
 * What a link carries comes from model/fabric.h, or from the machine file where it tells. How NCCL
 * sees the machine is another matter: engine/nccl_graph.h. How transfers share the links:
 * engine/flow.h. */
#ifndef KS_LINKS_ROUTE_H
#define KS_LINKS_ROUTE_H

#include "links/flow.h"
#include "model/fabric.h"

enum ks_wire_kind {
    KS_WIRE_PCIE,    /* one direction of a PCIe link */
    KS_WIRE_ROOT,    /* what a root port passes on from peer to peer, if less than its link */
    KS_WIRE_SOCKET,  /* between two sockets */
    KS_WIRE_STAGING, /* what one GPU writes to or reads from host memory for others */
    KS_WIRE_MEMORY,  /* host memory of a NUMA node, writes or reads */
    KS_WIRE_NVLINK
};

/* One direction of a link. */
typedef struct ks_wire {
    ks_str name;     /* "gpu3 -> s0", "s0 -> cpu0", "cpu0 -> cpu1" */
    ks_str from, to; /* its ends, in words */
    enum ks_wire_kind kind;
    double latency; /* seconds, one crossing */
    bool told;      /* the machine file tells its rate */
    int root_peer;  /* on a root port: the KS_WIRE_ROOT for this direction, or -1 */
    ks_flow_link flow;
} ks_wire;

/* How a transfer is made; each kind has its own speed limit. */
enum ks_flow_kind {
    KS_FLOW_COPY,   /* copy engine */
    KS_FLOW_STORE,  /* a kernel writes into the peer's memory */
    KS_FLOW_LOAD,   /* a kernel reads from the peer's memory */
    KS_FLOW_NCCL,   /* NCCL's kernels, several channels */
    KS_FLOW_STAGED, /* through a buffer in host memory, whatever P2P would allow */
    KS_FLOW_KINDS
};

enum ks_way {
    KS_WAY_NONE,
    KS_WAY_NVLINK,
    KS_WAY_SWITCH, /* below one PCIe switch, or a tree of them */
    KS_WAY_ROOT,   /* through the root complex of a NUMA node, or of several in one package */
    KS_WAY_SOCKET, /* across sockets */
    KS_WAY_STAGED  /* through host memory */
};

/* The way from one GPU to another. */
typedef struct ks_route {
    enum ks_way way;
    int *wires;
    size_t n_wires;
    double latency;   /* seconds: sum of the links', and of staging */
    double narrowest; /* bytes/s of its slowest PCIe link; 0: none on it */
    double flow_cap;  /* bytes/s that one transfer gets on it, of whatever kind; 0: no limit */
    double flow_cap_duplex; /* the same while another one goes the opposite way */
} ks_route;

typedef struct ks_routes {
    const ks_topology *topology;
    ks_fabric fabric; /* the constants that were used */
    KS_TOPOLOGY_LIST_OF(ks_wire) wires;
    size_t n_gpus;
    ks_route *peer;   /* [from * n_gpus + to]: as the hardware and the driver let it go */
    ks_route *staged; /* the same, through host memory on the receiver's side */
    KS_TOPOLOGY_LIST_OF(ks_str) assumed; /* in words: what was not told, and what was taken */
} ks_routes;

/* Makes links and ways. The topology is kept, not copied. False after an error: a GPU that hangs on
 * nothing, a link without rate, more GPUs or deeper trees than are taken. */
bool ks_find_routes(ks_diags *diags, const ks_topology *topology, const ks_fabric *fabric,
                    ks_routes *routes);

/* The way of a transfer of this kind; way is KS_WAY_NONE from a GPU to itself. GPUs by their index
 * in topology->gpus, which is CUDA's order. */
const ks_route *ks_route_of(const ks_routes *routes, size_t from, size_t to,
                            enum ks_flow_kind kind);

/* Bytes/s that a transfer of this kind does not exceed on this way; 0: no limit but the links'.
 * both_ways: others go the opposite way at the same time. */
double ks_route_cap(const ks_routes *routes, const ks_route *route, enum ks_flow_kind kind,
                    bool both_ways);

/* The links' one-way latency, twice for a load: its request goes before the data. Seconds. */
double ks_route_latency(const ks_route *route, enum ks_flow_kind kind);

/* "gpu0 -> s0 -> gpu1": the way in words, for messages and explanations. */
ks_str ks_route_text(ks_arena *arena, const ks_routes *routes, const ks_route *route);

#endif
