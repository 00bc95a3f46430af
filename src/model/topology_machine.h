/* The links of a machine as a machine file, the short form or a bare count of GPUs tells them.
 *
 * What is not told is taken as usual, so that something can be computed, and listed in `unknown`: the
 * generation of links as the GPU's own, 16 lanes, and for a bare count the usual board of that GPU (then
 * `guessed` is set). What a machine lets its links do (p2p, iommu, regime) comes from the machine as well,
 * else from the GPU's facts; NCCL's settings and the calibration stay with ks_machine. */
#ifndef KS_MODEL_TOPOLOGY_MACHINE_H
#define KS_MODEL_TOPOLOGY_MACHINE_H

#include "model/machine.h"
#include "model/topology.h"

/* What ks_read_machine() made of them already (`told`), else made here. NULL after an error: a part that hangs
 * on nothing or in a circle, two parts of one name, a value out of range, more GPUs than a machine has. A count
 * that is open must be set before. */
const ks_topology *ks_topology_of_machine(const ks_catalog *catalog, const ks_machine *machine);

#endif
