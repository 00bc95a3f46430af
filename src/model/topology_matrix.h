/* The links that a matrix of `nvidia-smi topo -m` lets one conclude: NUMA nodes, switches and what hangs below
 * them, NVLinks. It does not tell generations, lanes, partitions of switches, ACS or the processor; NVLinks hide
 * what the PCIe links of a pair are. What is left open is listed in the topology's `unknown`. */
#ifndef KS_MODEL_TOPOLOGY_MATRIX_H
#define KS_MODEL_TOPOLOGY_MATRIX_H

#include "model/topology.h"

/* NULL after an error: no matrix (T007), too many GPUs (T006), or words that contradict each other, as where two
 * GPUs are below the same switch as a third but not below one with each other (T005). */
ks_topology *ks_topology_from_matrix(ks_diags *diags, const ks_source *source);

#endif
