/* Calibration: from measured times of a machine to the parameters of the all-reduce model there.
 *
 * What it gives goes into a machine file (calibrate_file.h) and a report (calibrate_report.h). The forms
 * that are fitted are the formulas of models/allreduce/common.yaml written as sums of terms; a test
 * compares the two. Nothing of NCCL's choice is decided here: a free run is split where one protocol
 * stops describing it. */
#ifndef KS_CALIBRATE_CALIBRATE_H
#define KS_CALIBRATE_CALIBRATE_H

#include "calibrate/model.h"
#include "calibrate/correction.h"
#include "calibrate/fit.h"
#include "model/machine.h"
#include "read/benchcsv.h"

/* The closed forms; their names and titles stand with their terms, in forms.c. */
enum ks_form {
    KS_FORM_RING_LL,
    KS_FORM_RING_LL128,
    KS_FORM_RING_SIMPLE,
    KS_FORM_ONE_STAGE,
    KS_FORM_TWO_STAGE,
    KS_FORM_DMA,
    KS_N_FORMS
};

enum { KS_N_RING_FORMS = KS_FORM_RING_SIMPLE + 1, KS_MOST_SIZES = 400, KS_MOST_RANK_COUNTS = 16 };

const char *ks_form_prefix(enum ks_form form);
const char *ks_form_title(enum ks_form form);
/* Terms of a form, the last of which is the inverse of its bandwidth; and their names. */
size_t ks_form_terms(enum ks_form form);
const char *ks_form_term_name(enum ks_form form, size_t term);
/* What the terms are multiplied with for so many ranks and bytes per rank. */
void ks_form_fill(enum ks_form form, int64_t ranks, double bytes, double *x);

typedef struct ks_names {
    ks_str *items;
    size_t n, capacity;
} ks_names;

/* A form fitted to points. */
typedef struct ks_fitted {
    ks_fit fit;
    double defaults[KS_FIT_TERMS];
    bool has_defaults;
    bool borrowed;  /* the bandwidth is the other ring protocol's */
    bool base_free; /* several numbers of ranks tell base and alpha apart */
    bool too_fast;  /* the fitted bandwidth was none that these links have: the default is kept */
    ks_fit_point *items; /* measured points */
    size_t n, capacity;
    double half_width;     /* of predictions, as a share */
    ks_str algorithm;      /* as the files name it */
    ks_names files;        /* where the points are from */
    const char *t0, *rate; /* kernels: constants that the parameters become */
    const char *less;      /* a quantity that the model adds to t0 by itself, or NULL */
} ks_fitted;

/* How well sizes are predicted that the fit has not seen: every other one is held out. */
typedef struct ks_held_out {
    size_t n, inside;     /* inside the stated range */
    double median, worst; /* |relative error| */
    double worst_bytes;
} ks_held_out;

/* NCCL's free choice on some number of ranks. */
typedef struct ks_nccl_series {
    int64_t ranks;
    ks_curve_point *points; /* by size */
    size_t n;
    int *forms;           /* of each point: what ring protocol it is taken for; -1: no ring */
    ks_ring_model *model; /* with the fitted constants */
    bool is_flat;         /* a high floor: eager, staged, or NCCL's fallback */
    bool in_graph;
    double scatter; /* see ks_curve_scatter() */
    ks_curve curve;
    ks_curve_point *table; /* rows of nccl.correction */
    size_t n_rows;
    ks_held_out held_out;
    ks_names files;
    ks_span at;
} ks_nccl_series;

/* What measured bandwidths say. */
enum ks_finding {
    KS_FINDING_NONE,
    KS_FINDING_COLLAPSE,
    KS_FINDING_SHARED_MEMORY
};

typedef struct ks_calibration {
    ks_arena *arena;
    const ks_catalog *catalog;
    ks_diags *diags;
    ks_machine machine;
    ks_str machine_as_asked;
    const ks_doc *machine_doc; /* or NULL: the short form */
    ks_names measured;         /* files with times of all-reduces */
    ks_runs runs;
    ks_p2p_matrices matrices;
    ks_fitted forms[KS_N_FORMS];
    struct {
        ks_nccl_series *items;
        size_t n, capacity;
    } series;
    int64_t ranks[KS_MOST_RANK_COUNTS]; /* all that were measured, rising */
    size_t n_ranks;
    bool forced;         /* some run says which protocol NCCL was held to */
    ks_ring_model *base; /* for the largest of them, as the model is without calibration */
    int64_t generation;  /* of the GPUs' PCIe links; 0: not known */
} ks_calibration;

typedef struct ks_calibrate_ask {
    ks_str machine;
    const ks_str *files;
    size_t n_files;
    ks_str ranks;     /* a whole number; empty: the files tell */
    ks_str algorithm; /* of tables that do not say; may be empty */
} ks_calibrate_ask;

/* Reads, fits and judges. NULL after an error. */
ks_calibration *ks_calibrate(const ks_catalog *catalog, const ks_calibrate_ask *ask);

/* What the bandwidths mean: of NCCL's rings, and of the custom kernels. */
enum ks_finding ks_ring_finding(const ks_calibration *c);
enum ks_finding ks_kernel_finding(const ks_calibration *c, enum ks_form form);

#endif
