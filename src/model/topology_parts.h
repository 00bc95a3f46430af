/* Parts of topology_machine.c: reads the lists of a machine file into a topology. */
#ifndef KS_MODEL_TOPOLOGY_PARTS_H
#define KS_MODEL_TOPOLOGY_PARTS_H

#include "model/machine.h"
#include "model/topology.h"

/* Each reads a list or mapping of the machine file; false after an error. */
bool ks_read_sockets(const ks_catalog *catalog, const ks_doc *list, ks_topology *topology,
                     bool add);
bool ks_read_switches(ks_diags *diags, const ks_doc *list, ks_topology *topology);
bool ks_read_gpus(ks_diags *diags, const ks_doc *list, ks_topology *topology);
bool ks_read_nics(ks_diags *diags, const ks_doc *list, ks_topology *topology);
bool ks_read_links(ks_diags *diags, const ks_doc *list, ks_topology *topology);
/* `usual`: NVLinks of the GPU where `links` is not said; 0: not known. */
bool ks_read_nvlink(ks_diags *diags, const ks_doc *map, int64_t usual, ks_topology *topology);

#endif
