/* The links of a machine from the XML that NCCL writes with NCCL_TOPO_DUMP_FILE and reads with
 * NCCL_TOPO_FILE. Of what such a file may hold, the coherent links of Grace CPUs, NVLinks to CPUs
 * and links between PCI switches are left out, with a warning; several hosts are refused. */
#ifndef KS_MODEL_TOPOLOGY_XML_H
#define KS_MODEL_TOPOLOGY_XML_H

#include "model/topology.h"

/* True if the text begins as XML does. */
bool ks_looks_like_xml(ks_str text);

/* The topology, or NULL after an error: X001 to X006, X008. GPUs are numbered by their `dev`; devices
 * stand in the order of the file, which is the order of NCCL's own nodes. */
ks_topology *ks_topology_from_xml(ks_diags *diags, const ks_source *source);

#endif
