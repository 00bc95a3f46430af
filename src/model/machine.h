/* The machine: how many GPUs of which kind, and what of its links matters for memory. Defines
 * gpu.NAME and machine.NAME. */
#ifndef KS_MODEL_MACHINE_H
#define KS_MODEL_MACHINE_H

#include "model/catalog.h"
#include "model/facts.h"

typedef struct ks_machine {
    ks_str name, gpu_name;
    int64_t count;         /* 0: as many as the launch needs */
    const ks_doc *gpu;     /* merged facts of the GPU */
    const ks_doc *nvlink;  /* or NULL: not said */
    const ks_doc *p2p;     /* or NULL: not said */
    bool from_file;        /* a machine file says all; a mapping leaves things out */
    ks_span at;
} ks_machine;

/* From the scenario's `machine:`: a name, a mapping, the short form "GPU socket:1 switch:2 gpu:4",
 * "8 x GPU", or a GPU alone, whose count stays open. */
bool ks_read_machine(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine);
/* Sets a count that is open. */
void ks_set_gpu_count(ks_arena *arena, ks_machine *machine, int64_t count);

bool ks_define_machine(ks_program *program, const ks_machine *machine);

#endif
