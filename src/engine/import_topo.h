/* Writes a machine file from NCCL's topology XML or the text of `nvidia-smi topo -m`: each part with the line
 * that it comes from, and what the file cannot know as comments. */
#ifndef KS_ENGINE_IMPORT_TOPO_H
#define KS_ENGINE_IMPORT_TOPO_H

#include "model/catalog.h"

/* The text of a machine file, or an empty one after an error: the file is no topology, or does not tell which
 * GPU it is of and `machine` does not either (L003). `machine`: a GPU, a machine whose GPU it is, or empty. */
ks_str ks_machine_of_topology(const ks_catalog *catalog, ks_str path, ks_str machine);

#endif
