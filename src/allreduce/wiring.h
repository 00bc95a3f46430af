/* A machine's links as numbers of a program: what NCCL makes of them (nccl.*), what transfers get on
 * them (flow.*, fabric.*), and what is said of how they behave (machine.regime and its like).
 *
 * The inputs on which models/allreduce/ stands, and NCCL's part of what distributed init takes. */
#ifndef KS_ALLREDUCE_WIRING_H
#define KS_ALLREDUCE_WIRING_H

#include "nccl/select.h"
#include "links/transfer.h"
#include "model/extra.h"
#include "model/machine.h"

typedef KS_LIST_OF(ks_nccl_setting) ks_nccl_settings;

typedef struct ks_wiring_ask {
    ks_str nccl_version; /* empty: the newest whose answers were checked */
    ks_span version_at;
    int64_t ranks;             /* 0: all GPUs */
    double capability;         /* NCCL searches as for this one; 0: as for the GPUs' own */
    ks_nccl_settings env;      /* variables that decide; a later one of a name counts */
    const ks_doc *calibration; /* a machine's own constants, or NULL */
    bool expandable_segments;  /* PyTorch's allocator is set so: its memory has no IPC handles */
    ks_span at;
} ks_wiring_ask;

typedef struct ks_wiring {
    const ks_topology *topology;
    const ks_nccl_result *nccl;
    ks_wiring_ask ask;
    size_t ranks;
    int *ring; /* NCCL's, by its first channel: indices in topology->gpus */
} ks_wiring;

/* Adds those of a mapping (or NULL) that decide links. */
void ks_add_nccl_settings(ks_arena *arena, ks_nccl_settings *settings, const ks_doc *map);
/* Such variables that are told: by the machine, then by the scenario (`model`, or NULL); of a name the
 * last one counts. */
ks_nccl_settings ks_find_nccl_settings(ks_arena *arena, const ks_machine *machine,
                                       const ks_model *model);

/* True if the scenario's environment (model may be NULL) sets PyTorch's expandable segments. */
bool ks_expands_segments(const ks_model *model);

/* False, with an error, if there is no model of all-reduces between this vendor's GPUs. */
bool ks_has_link_model(ks_diags *diags, const ks_machine *machine);

/* What a machine and a scenario (NULL: none) say for so many ranks (0: all GPUs). */
ks_wiring_ask ks_ask_of_machine(ks_arena *arena, const ks_machine *machine, const ks_model *model,
                                int64_t ranks);

/* NCCL's answers for the machine's GPUs, in the order of CUDA_VISIBLE_DEVICES if that is set. NULL after an
 * error. */
ks_wiring *ks_wire_machine(const ks_catalog *catalog, const ks_topology *topology,
                           ks_wiring_ask ask);

/* Defines PREFIXnccl.*, and once, without a prefix, flow.*, fabric.* and what is told of the links. */
bool ks_define_wiring(const ks_catalog *catalog, ks_program *program, const ks_wiring *wiring,
                      ks_str prefix);

/* What a communicator of the tensor-parallel group takes, for every scenario's program: the memory half of
 * nccl.*, unless the program has it already. */
extern const ks_extra ks_communicator_set;

#endif
