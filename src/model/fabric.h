/* What a machine's links carry: the constants of models/fabric/, as plain numbers for
 * engine/route.h. Each number is also a quantity "fabric.NAME" of the program, with its source.
 *
 * It knows links by kind, generation and processor; which links a machine has is in
 * model/topology.h. */
#ifndef KS_MODEL_FABRIC_H
#define KS_MODEL_FABRIC_H

#include "model/catalog.h"
#include "model/facts.h"
#include "model/topology.h"

/* The constants that are single numbers: field and name, what kind of number it is (RATE in
 * bytes/s, TIME in seconds, PART above 0 and up to 1, LOSS from 0 to below 1), and the end of its
 * range that makes transfers slower. */
#define KS_FABRIC_NUMBERS(X)                                                                       \
    X(gen1_x16, RATE, LOW)                                                                         \
    X(gen2_x16, RATE, LOW) X(gen3_x16, RATE, LOW) X(gen4_x16, RATE, LOW) X(gen5_x16, RATE, LOW)    \
        X(gen6_x16, RATE, LOW) X(duplex, PART, LOW) X(duplex_pair, PART, LOW)                      \
            X(peers_loss_switch, LOSS, HIGH) X(peers_loss_root, LOSS, HIGH)                        \
                X(store_cap, RATE, LOW) X(load_cap, RATE, LOW) X(nccl_cap, RATE, LOW)              \
                    X(staged_rate, RATE, LOW) X(staged_duplex, PART, LOW)                          \
                        X(host_memory, RATE, LOW) X(iommu_translate, PART, LOW)                    \
                            X(latency_gpu_link, TIME, HIGH) X(latency_switch_link, TIME, HIGH)     \
                                X(latency_socket, TIME, HIGH) X(latency_staged, TIME, HIGH)        \
                                    X(poll, TIME, HIGH) X(nvlink_sm60, RATE, LOW)                  \
                                        X(nvlink_sm70, RATE, LOW) X(nvlink_sm80, RATE, LOW)        \
                                            X(nvlink_sm86, RATE, LOW) X(nvlink_sm90, RATE, LOW)    \
                                                X(nvlink_sm100, RATE, LOW)                         \
                                                    X(latency_nvlink, TIME, HIGH)

#define KS_FABRIC_CPU_NUMBERS(X)                                                                   \
    X(root_peer, RATE, LOW)                                                                        \
    X(socket, RATE, LOW) X(socket_flow, RATE, LOW) X(socket_duplex, PART, LOW)                     \
        X(latency_root, TIME, HIGH)

/* What depends on the processor: "fabric.turin.socket". */
typedef struct ks_fabric_cpu {
    ks_str name;          /* "turin", or "amd", "intel", ... for a vendor, or "unknown" */
    double root_peer;     /* bytes/s of one root port, peer to peer; 0: as fast as its link */
    double socket;        /* bytes/s between two sockets, one direction, all transfers together */
    double socket_flow;   /* bytes/s of one transfer between sockets */
    double socket_duplex; /* times `socket_flow` when both directions are busy */
    double latency_root;  /* seconds through the root complex */
} ks_fabric_cpu;

typedef struct ks_fabric {
#define X(name, dim, slow) double name;
    KS_FABRIC_NUMBERS(X)
#undef X
    ks_fabric_cpu *cpus;
    size_t n_cpus;
} ks_fabric;

/* Which numbers inside the ranges. */
enum ks_fabric_end {
    KS_FABRIC_TYPICAL,
    KS_FABRIC_SLOW, /* every constant at the end that makes transfers slower */
    KS_FABRIC_FAST,
    KS_FABRIC_ENDS
};

/* Defines fabric.* in the program from models/fabric/pcie.yaml and nvlink.yaml and fills one fabric
 * an end. `constants` (or NULL) is a section whose members named "fabric.NAME" replace those of the
 * files, as a calibration has it; other members are left alone. `at` is where the machine stands.
 * False after an error. */
bool ks_define_fabric(const ks_catalog *catalog, ks_program *program, const ks_doc *constants,
                      ks_span at, ks_fabric fabrics[KS_FABRIC_ENDS]);

/* The constants of a NUMA node's processor: by generation, else by vendor, else what is assumed of
 * an unknown one. Never NULL. */
const ks_fabric_cpu *ks_fabric_cpu_of(const ks_fabric *fabric, const ks_numa *numa);

/* Bytes/s of a link, one direction alone; 0 where `lane_rate` (transfers/s) or `width` (lanes) is
 * not told or not one that PCIe has. */
double ks_fabric_link(const ks_fabric *fabric, double lane_rate, int64_t width);

/* Bytes/s of one NVLink of a GPU, one direction, by compute capability (0: not told). */
double ks_fabric_nvlink(const ks_fabric *fabric, double capability);

#endif
