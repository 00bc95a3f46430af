/* Reads the matrix that `nvidia-smi topo -m` prints, in all layouts that drivers have had: with and without
 * network cards, rows for them, CPU and NUMA columns, the legends, colours and underlines of a terminal, the
 * marks of quotes and of tables in Markdown, and whatever a shell printed in front. Those of `nvidia-smi topo
 * -p2p r`, `w` or `rw` in the same text tell whether the driver lets GPUs reach each other. What the matrix means for links is model/topology_matrix.h. */
#ifndef KS_READ_MATRIX_H
#define KS_READ_MATRIX_H

#include "base/diag.h"

enum { KS_MAX_MATRIX = 1 << 20, KS_MAX_MATRIX_DEVICES = 160, KS_MAX_MATRIX_NAME = 32 };

/* From near to far. SOC is an older word for SYS. */
enum ks_nearness {
    KS_NEAR_UNTOLD, /* there is no such row */
    KS_NEAR_SELF,
    KS_NEAR_NVLINK,
    KS_NEAR_PIX,
    KS_NEAR_PXB,
    KS_NEAR_PHB,
    KS_NEAR_NODE,
    KS_NEAR_SYS
};

typedef struct ks_matrix_cell {
    enum ks_nearness nearness;
    int64_t links; /* NVLinks; else 0 */
    ks_span at;
} ks_matrix_cell;

typedef struct ks_matrix_device {
    ks_str name;   /* "GPU0", "NIC0", "mlx5_0"; a network card's own name where the legend tells it */
    bool is_gpu;
    int64_t numa;  /* by "NUMA Affinity"; -1: not told, or several */
    ks_str cpus;   /* by "CPU Affinity"; may be empty */
    ks_span at;    /* of its row, else of its column */
} ks_matrix_device;

typedef struct ks_matrix {
    ks_matrix_device *devices; /* in the order of the columns */
    size_t n, n_gpus;
    ks_matrix_cell *cells; /* n by n, by rows; both triangles agree */
    bool peers_told;       /* there is a matrix of `-p2p` */
    ks_span peers_refused; /* its first pair that is not OK; no place: all are */
    bool peers_differ;     /* others are OK */
    size_t n_peers;        /* its GPUs */
    ks_span at;
} ks_matrix;

/* True if the text looks like such a matrix: a line names GPU0 as a column. */
bool ks_is_matrix(ks_str text);

/* NULL after an error: no matrix in the text, a row with too few cells, an unknown word, a row that is
 * missing or there twice, triangles that do not agree (all T007). */
const ks_matrix *ks_read_matrix(ks_diags *diags, const ks_source *source);

#endif
