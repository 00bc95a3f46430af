/* A machine of which only the links are known, from a topology that NCCL wrote: its GPUs have the
 * compute capability that stands there, and of everything else what the file of the card with their PCI
 * ids says, or gpu/common.yaml. */
#ifndef KS_MODEL_BARE_MACHINE_H
#define KS_MODEL_BARE_MACHINE_H

#include "model/machine.h"
#include "model/topology.h"

/* True if `name` is a file that holds a topology as XML. *topology is NULL if it is faulty. */
bool ks_names_topology(const ks_catalog *catalog, const ks_doc *name, ks_topology **topology);

/* The machine around it. What the topology does not tell of its links is taken as NCCL takes it, and
 * listed as unknown. False after an error. */
bool ks_bare_machine(const ks_catalog *catalog, ks_topology *topology, const ks_doc *name,
                     ks_machine *machine);

#endif
