/* A file that tells the links of a machine: NCCL's topology XML, or the text of `nvidia-smi topo -m`. */
#ifndef KS_MODEL_TOPOLOGY_FILE_H
#define KS_MODEL_TOPOLOGY_FILE_H

#include "model/topology.h"

enum { KS_MAX_TOPOLOGY_FILE = 4 << 20 };

/* By its first letter: XML begins with "<". NULL after an error. `at` is where the file was asked for, or no
 * place. */
ks_topology *ks_topology_from_file(ks_diags *diags, ks_str path, ks_span at);

#endif
