/* Reads times of custom kernels from CSV, and what p2pBandwidthLatencyTest prints.
 *
 * CSV: a header of `bytes` and `time_us` (or time_ns, time_ms, time_s), in any order, perhaps with
 * `algorithm` (a name of kvsim's: custom-1stage) and `ranks`; one size a row. Lines that begin with #
 * and empty lines are skipped; fields may stand in double quotes. Further columns are an error, since
 * they may say that rows are not alike. */
#ifndef KS_READ_BENCHCSV_H
#define KS_READ_BENCHCSV_H

#include "read/timings.h"

/* Adds a run for each algorithm and number of ranks. ranks: for rows that do not say, or 0. False after
 * an error: B001 a header or row that cannot be read, B003 ranks are not told, B004 no row. */
bool ks_read_benchcsv(ks_diags *diags, const ks_source *source, int64_t ranks, ks_runs *runs);

/* What a matrix of p2pBandwidthLatencyTest holds. */
enum ks_p2p_kind { KS_P2P_CONNECTIVITY, KS_P2P_ONE_WAY, KS_P2P_BOTH_WAYS, KS_P2P_LATENCY };

enum { KS_MAX_P2P = 64 }; /* GPUs of a matrix */

typedef struct ks_p2p_matrix {
    enum ks_p2p_kind kind;
    bool enabled; /* with peer access */
    size_t n;
    double
        *cells; /* n rows of n: bytes/s, seconds, or 0 and 1; NaN for N/A. The diagonal is local */
    ks_span at;
} ks_p2p_matrix;

typedef struct ks_p2p_matrices {
    ks_p2p_matrix *items;
    size_t n, capacity;
} ks_p2p_matrices;

/* True if the text looks like the output of p2pBandwidthLatencyTest. */
bool ks_is_p2p(const ks_source *source);
/* Adds the source's matrices. False after an error: B001 a row that cannot be read. */
bool ks_read_p2p(ks_diags *diags, const ks_source *source, ks_p2p_matrices *matrices);
/* The median over pairs of different GPUs; NaN if there is none. */
double ks_p2p_median(ks_arena *arena, const ks_p2p_matrix *matrix);

#endif
