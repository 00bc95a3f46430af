/* What the readers of benchmarks give: how long an all-reduce of so many bytes took, run by run.
 * Facts as they were printed; nothing is fitted or judged here (engine/calibrate.h does). */
#ifndef KS_READ_TIMINGS_H
#define KS_READ_TIMINGS_H

#include "base/diag.h"
#include "base/unit.h"

/* Bounds for hostile input: of a benchmark's file, its rows, and its runs. */
enum {
    KS_MAX_BENCHMARK = 32 << 20,
    KS_MAX_TIMINGS = 20000,
    KS_MAX_RUNS = 500,
    KS_MAX_RANKS = 1024
};

#define KS_PROTOCOLS(X) X(ANY, "") X(LL, "ll") X(LL128, "ll128") X(SIMPLE, "simple")

/* NCCL's protocol, where the run forced one. */
enum ks_protocol {
#define X(name, word) KS_PROTOCOL_##name,
    KS_PROTOCOLS(X)
#undef X
};

typedef struct ks_timing {
    int64_t bytes; /* per rank */
    double time;   /* seconds */
    ks_span at;    /* of the time */
} ks_timing;

/* One run of a benchmark: sizes in the order of the file. */
typedef struct ks_run {
    ks_str algorithm; /* "nccl", "custom-1stage": as the file names it; empty: not told */
    enum ks_protocol protocol;
    bool tree;     /* NCCL_ALGO forced trees */
    bool in_graph; /* the run says that it used CUDA graphs */
    bool eager;    /* the run says that it used none */
    int64_t ranks; /* 0: not told */
    int64_t wrong; /* results that the benchmark found wrong */
    ks_span at;
    struct {
        ks_timing *items;
        size_t n, capacity;
    } timings;
} ks_run;

typedef struct ks_runs {
    ks_run *items;
    size_t n, capacity;
} ks_runs;

/* Words of one line, parted by blanks; places of them are known. */
typedef struct ks_line {
    const ks_source *source;
    ks_str text; /* of the line */
    size_t at;   /* of the line in the source */
    ks_str words[24];
    size_t n; /* words; one more than fit where there are more */
} ks_line;

/* The next line of the source from *at on, which moves behind it. False at the end. */
bool ks_next_line(const ks_source *source, size_t *at, ks_line *line);
/* The place of a part of the line's text. */
ks_span ks_line_span(const ks_line *line, ks_str part);
/* Where `part` begins in text, in whatever case; text.n if it does not. */
size_t ks_find_letters(ks_str text, const char *part);
/* A whole number >= 0 of at most 18 digits, and nothing else. */
bool ks_read_count(ks_str text, int64_t *value);
/* A finite number, and nothing else. */
bool ks_read_number(ks_str text, double *value);

#endif
