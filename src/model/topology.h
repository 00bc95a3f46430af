/* The links of a machine: NUMA nodes, the tree of PCI devices below each, and NVLinks. Facts only:
 * NCCL's idea of them is made in engine/nccl_graph.h, capacities of transfers in engine/route.h.
 *
 * The same structure is made from a machine file, the short form, NCCL's topology XML and the text of
 * `nvidia-smi topo -m`; what a source does not tell stays unknown (0, -1, KS_..._UNKNOWN, empty). */
#ifndef KS_MODEL_TOPOLOGY_H
#define KS_MODEL_TOPOLOGY_H

#include "base/diag.h"

/* Most nodes of each kind that any reader takes: bounds for hostile input. */
enum { KS_MAX_NUMA = 64, KS_MAX_DEVICES = 1024, KS_MAX_NVLINKS = 1024, KS_MAX_TOPOLOGY_GPUS = 64,
       KS_MAX_NETS = 256 };

/* Yes, no, or not told. */
enum ks_told { KS_UNTOLD, KS_NO, KS_YES };

#define KS_CPU_VENDORS(X)                                                                          \
    X(UNKNOWN, "unknown") X(AMD, "amd") X(INTEL, "intel") X(ZHAOXIN, "zhaoxin") X(ARM, "arm")      \
    X(POWER, "power")

enum ks_cpu_vendor {
#define X(name, word) KS_CPU_##name,
    KS_CPU_VENDORS(X)
#undef X
};

/* A NUMA node: NCCL calls it a CPU. One socket in NPS4 is four of them with the same package. */
typedef struct ks_numa {
    int64_t id;      /* as the machine numbers it */
    int64_t package; /* socket; -1: not told */
    enum ks_cpu_vendor vendor;
    ks_str cpu;      /* generation: "turin", "sapphire-rapids"; may be empty */
    int64_t family, model; /* as CPUID gives them, extensions added; -1: not told */
    ks_span at;
} ks_numa;

enum ks_device_kind { KS_DEVICE_SWITCH, KS_DEVICE_GPU, KS_DEVICE_NIC };

/* A PCI device and the link above it. Parents come before children. */
typedef struct ks_device {
    enum ks_device_kind kind;
    ks_str name;      /* "s0", "gpu3": as messages and tables call it */
    ks_str bus_id;    /* "0000:16:00.0", or empty */
    int parent;       /* device (a switch), or -1: it hangs on a root port of its NUMA node */
    int numa;         /* index into numas */
    double lane_rate; /* transfers a second on one lane: 32e9 is generation 5; 0: not told */
    int64_t width;    /* lanes; 0: not told */
    double up, down;  /* bytes/s that were told for this link, towards the NUMA node and from it; 0 */
    double latency;   /* seconds, one way, told; 0 */
    int64_t vendor_id, device_id, subvendor_id, subdevice_id; /* PCI's numbers; -1: not told */
    enum ks_told acs;      /* switch: requests between its ports go up to the root */
    ks_str chip;           /* switch: virtual switches of one chip pass traffic to each other inside it */
    enum ks_told collapse; /* switch: posted writes to several root ports break down */
    int64_t gpu;      /* GPU: its number in CUDA's order; else -1 */
    double capability; /* GPU: 12.0; 0: not told */
    double nic_rate;  /* NIC: bytes/s; 0 */
    ks_span at;
} ks_device;

/* A port of a NIC. */
typedef struct ks_net {
    int device;     /* the NIC */
    ks_str name;    /* "mlx5_0" */
    int64_t number; /* as NCCL counts its devices */
    double rate;    /* bytes/s; 0: not told */
    int64_t port;
    uint64_t asic;  /* ports of one chip have the same; 0: not told */
    bool gpu_direct; /* it reaches GPU memory itself */
    ks_span at;
} ks_net;

/* NVLinks between two GPUs, or a GPU and the NVSwitches. */
typedef struct ks_nvlink {
    int64_t gpu, peer; /* in CUDA's order; peer -1: the switches */
    int64_t links;
    ks_span at;
} ks_nvlink;

#define KS_TOPOLOGY_LIST_OF(type)                                                                  \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t n, capacity;                                                                        \
    }

#define KS_REGIMES(X)                                                                              \
    X(UNKNOWN, "unknown") X(HEALTHY, "healthy") X(SYSMEM_STAGED, "sysmem-staged")                  \
    X(WRITE_COLLAPSE, "write-collapse") X(NCCL_FALLBACK, "nccl-fallback")

enum ks_regime {
#define X(name, word) KS_REGIME_##name,
    KS_REGIMES(X)
#undef X
};

enum ks_iommu { KS_IOMMU_UNTOLD, KS_IOMMU_OFF, KS_IOMMU_PASSTHROUGH, KS_IOMMU_TRANSLATE };

typedef struct ks_topology {
    ks_str name;
    KS_TOPOLOGY_LIST_OF(ks_numa) numas;
    KS_TOPOLOGY_LIST_OF(ks_device) devices;
    KS_TOPOLOGY_LIST_OF(ks_nvlink) nvlinks;
    /* The NVLinks in the order in which the source lists them, each seen from both its ends: what
     * NCCL takes first of equals hangs on it. Empty: in the order of the GPUs. */
    KS_TOPOLOGY_LIST_OF(ks_nvlink) listed;
    KS_TOPOLOGY_LIST_OF(ks_net) nets;
    KS_TOPOLOGY_LIST_OF(int) gpus; /* devices of the GPUs, in CUDA's order */
    const int64_t *numbers;        /* the machine's own numbers of them; NULL: 0, 1, 2, ... */
    enum ks_told p2p;              /* the driver lets GPUs reach each other's memory over PCIe */
    ks_span p2p_at;                /* where the source refuses it; may be no place */
    enum ks_iommu iommu;
    enum ks_regime regime;
    bool guessed;                  /* no source told the links: the usual ones were taken */
    KS_TOPOLOGY_LIST_OF(ks_str) unknown; /* in words: what the source could not tell and matters */
    ks_span at;
} ks_topology;

/* The NUMA node (index) of a GPU, by its number in CUDA's order. */
int ks_numa_of_gpu(const ks_topology *topology, size_t gpu);
/* The NUMA node (index) that the machine numbers so, or -1. */
int ks_find_numa(const ks_topology *topology, int64_t id);
/* The device (index) of this name, or -1. */
int ks_find_device(const ks_topology *topology, ks_str name);

/* The number that the machine's driver has for a GPU, whatever CUDA's order. */
int64_t ks_gpu_number(const ks_topology *topology, size_t gpu);
/* The same links with these GPUs, which are different ones, first in CUDA's order; the others follow. */
ks_topology *ks_topology_with_first(ks_arena *arena, const ks_topology *topology,
                                    const int64_t *gpus, size_t n);

/* Adds a NUMA node of which only the number is told. */
ks_numa *ks_add_numa(ks_arena *arena, ks_topology *topology, int64_t id, ks_span at);
/* Adds a device below `parent` (or -1, at a root port) of which no more is told; its number. The pointer
 * to it does not outlive the next call. */
int ks_add_device(ks_arena *arena, ks_topology *topology, enum ks_device_kind kind, ks_str name,
                  int parent, int numa);
/* Adds GPU number `gpus.n` in CUDA's order, named "gpuN"; the number of its device. */
int ks_add_gpu(ks_arena *arena, ks_topology *topology, int parent, int numa);
void ks_add_nvlink(ks_arena *arena, ks_topology *topology, int64_t gpu, int64_t peer, int64_t links,
                   ks_span at);
/* Adds a line to what the source could not tell. */
void ks_add_unknown(ks_arena *arena, ks_topology *topology, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Transfers a second on one lane of a generation 1 to 6, or 0; and back (0: none of them). */
double ks_lane_rate(int64_t generation);
int64_t ks_generation(double lane_rate);

/* "two PCIe 5 x16 switches of 4 GPUs, one NUMA node (amd turin)": the links in a line. */
ks_str ks_topology_summary(ks_arena *arena, const ks_topology *topology);

#endif
