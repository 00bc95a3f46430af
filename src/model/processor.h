/* Facts that links need of GPUs (models/gpu) and processors (models/cpu). */
#ifndef KS_MODEL_PROCESSOR_H
#define KS_MODEL_PROCESSOR_H

#include "model/machine.h"
#include "model/topology.h"

/* What a GPU's facts say of its link. */
typedef struct ks_gpu_link {
    int64_t generation; /* of PCIe; 0: not told */
    bool told;          /* by the GPU's own file */
    double capability;
    bool p2p;
} ks_gpu_link;

ks_gpu_link ks_gpu_link_of(const ks_gpu_kind *kind);

/* The file (models/gpu) of the card with a device's PCI ids, or empty. */
ks_str ks_find_gpu(const ks_catalog *catalog, const ks_device *device);

/* NVLinks of one GPU as its file tells; 0: none, or not known. *through_switches: the usual board joins
 * them by NVSwitches. */
int64_t ks_usual_nvlinks(const ks_gpu_kind *kind, bool *through_switches);

/* KS_CPU_UNKNOWN for an unknown word; and back. */
enum ks_cpu_vendor ks_cpu_vendor_of(ks_str word);
const char *ks_cpu_vendor_word(enum ks_cpu_vendor vendor);

/* Fills name, vendor, family and model of a NUMA node from models/cpu/NAME.yaml. */
bool ks_set_cpu(const ks_catalog *catalog, ks_numa *numa, ks_str name, ks_span at);

/* The name of the processor with a NUMA node's vendor, family and model, or empty. AMD's family may be as NCCL
 * writes it: the extension counts sixteenfold there (family 25 is 175). Of several with the same numbers (Skylake
 * and Cascade Lake) it is the first by name. */
ks_str ks_find_cpu(const ks_catalog *catalog, const ks_numa *numa);

#endif
