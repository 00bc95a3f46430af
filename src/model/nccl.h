/* A version of NCCL as data: what it takes links to carry, which speeds its search tries, its rules,
 * and the formulas of its tuning. Read from models/nccl/nccl-VERSION.yaml; nothing is computed here. */
#ifndef KS_MODEL_NCCL_H
#define KS_MODEL_NCCL_H

#include "model/catalog.h"
#include "model/topology.h"

/* Types of paths in NCCL's order: the smaller, the closer. */
#define KS_NCCL_PATH_TYPES(X)                                                                      \
    X(LOC) X(NVL) X(NVB) X(C2C) X(PIX) X(PXB) X(P2C) X(PXN) X(PHB) X(SYS) X(NET) X(DIS)

enum ks_nccl_path {
#define X(name) KS_PATH_##name,
    KS_NCCL_PATH_TYPES(X)
#undef X
};

enum { KS_NCCL_MOST_SPEEDS = 32, KS_NCCL_MOST_STEPS = 16, KS_NCCL_MOST_RINGS = 64 };

/* GB/s from some number on: a compute capability, a model of CPU. `only`: for that number alone. */
typedef struct ks_nccl_step {
    double from;
    bool only;
    float gbps;
} ks_nccl_step;

typedef struct ks_nccl_steps {
    ks_nccl_step items[KS_NCCL_MOST_STEPS];
    size_t n;
} ks_nccl_steps;

/* GB/s of a channel that the search tries, falling, from some compute capability on. */
typedef struct ks_nccl_speeds {
    double from;
    float gbps[KS_NCCL_MOST_SPEEDS];
    size_t n;
} ks_nccl_speeds;

typedef struct ks_nccl_model {
    ks_str version; /* as asked for */
    const ks_doc *doc;
    bool checked;                 /* this very version's answers were compared with NCCL's own */
    ks_nccl_steps nvlink;         /* of one NVLink, by compute capability */
    ks_nccl_steps lane;           /* of one PCIe lane, by 10^9 transfers/s; from 0: not told */
    ks_nccl_steps intel, zhaoxin; /* between NUMA nodes, by the CPU's model */
    float local, amd, arm, power; /* GB/s: inside a device (or unknown); between NUMA nodes */
    int64_t lanes;                /* where a width is not told */
    ks_nccl_speeds speeds[4];
    size_t n_speeds;
    enum ks_nccl_path p2p_level, p2p_amd, p2p_intel, p2p_arm, p2p_zhaoxin;
    int64_t p2p_amd_gpus; /* p2p_amd holds for at most so many GPUs */
    bool paths_by_type;   /* a path of a lower type is better, whatever its length */
    int64_t intel_numerator, intel_denominator; /* what P2P through an Intel root complex costs */
    int64_t budget, budget_same, budget_all;    /* steps of the search */
    int64_t most_rings, most_channels;
    double simple_tree_from; /* compute capability from which other trees are tried */
    double nvls_from;
    int64_t nvls_least_gpus;
    float fallback; /* GB/s of the order of ranks */
    int64_t threads_ll, threads_ll128, threads_simple, threads_narrow, threads_nvls;
    float narrow; /* rings of at most so many GB/s use threads_narrow with Simple */
    int64_t work_ll, work_ll128, work_simple;       /* bytes a thread at least */
    int64_t ll_buffer, ll128_buffer, simple_buffer; /* bytes */
} ks_nccl_model;

/* The constants of a version ("2.30.7"), or NULL after an error: M002, S..., N001. A version newer than
 * any that was read gets the newest's, with a warning; so does one that was never compared. */
const ks_nccl_model *ks_nccl_load(const ks_catalog *catalog, ks_str version, ks_span at);

/* The newest version whose answers were compared with NCCL's own. */
#define KS_NCCL_DEFAULT_VERSION "2.30.7"

/* GB/s of the step that `at` falls on. */
float ks_nccl_step_at(const ks_nccl_steps *steps, double at);
/* The speeds for a least compute capability. */
const ks_nccl_speeds *ks_nccl_speeds_for(const ks_nccl_model *model, double capability);

#endif
