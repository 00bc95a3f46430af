/* The machine: how many GPUs of which kind, and what of its links matters for memory. Defines
 * gpu.NAME and machine.NAME. What it says about its links is kept as it is written; topology_machine.h
 * makes a topology of it. */
#ifndef KS_MODEL_MACHINE_H
#define KS_MODEL_MACHINE_H

#include "model/catalog.h"
#include "model/facts.h"

/* A level of the short form: "switch:2" puts two switches below each thing of the level before. */
enum ks_level_kind { KS_LEVEL_SOCKET, KS_LEVEL_NUMA, KS_LEVEL_SWITCH, KS_LEVEL_GPU };

typedef struct ks_level {
    enum ks_level_kind kind;
    int64_t n;
    ks_span at;
} ks_level;

/* The kind of one GPU. */
typedef struct ks_gpu_kind {
    ks_str name;
    const ks_doc *facts; /* the file's, laid on those of gpu/common.yaml */
    const ks_doc *own;   /* the file, or a mapping in its form */
} ks_gpu_kind;

typedef struct ks_machine {
    ks_str name, gpu_name;
    int64_t count;      /* 0: as many as the launch needs */
    const ks_doc *gpu;  /* merged facts of the GPU */
    ks_gpu_kind kind;   /* the same GPU; where they differ, the one with the least memory */
    ks_gpu_kind *kinds; /* one a GPU, if `gpus` names any; else NULL */
    const ks_doc *topology, *sockets, *switches, *gpus, *nics,
        *links; /* as written; NULL: not said */
    const ks_doc *nvlink, *p2p, *iommu, *regime, *calibration;
    ks_str nccl_version;    /* or empty: not said */
    const ks_doc *nccl_env; /* a mapping of single values, or NULL */
    struct {
        ks_level *items;
        size_t n, capacity;
        ks_str cpu;                 /* "cpu:turin", or empty */
    } levels;                       /* of the short form */
    const struct ks_topology *told; /* the links, if anything is said of them; else NULL */
    bool from_file;                 /* a machine file says all; a mapping leaves things out */
    ks_span at;
} ks_machine;

enum { KS_MAX_MACHINE_GPUS = 1024 };

/* From the scenario's `machine:`: a name, the path of a machine file, a mapping, the short form
 * "GPU socket:1 switch:2 gpu:4", "8 x GPU", or a GPU alone, whose count stays open. */
bool ks_read_machine(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine);
/* Sets a count that is open. */
void ks_set_gpu_count(ks_arena *arena, ks_machine *machine, int64_t count);

/* Path of a file that `doc` names, seen from the file that `doc` stands in. */
ks_str ks_path_beside(ks_arena *arena, const ks_doc *doc);

bool ks_define_machine(ks_program *program, const ks_machine *machine);

#endif
