/* libkvsim: does this LLM server fit into GPU memory, why (not), and what would make it fit?
 *
 * The public interface, and all of it. A handle (kvsim) owns everything that is made through it:
 * scenarios, reports and texts live until kvsim_close(), which is the only thing to free. A handle
 * is for one thread at a time; different handles do not touch each other. Nothing is printed; text
 * leaves through a callback. Nothing in the environment is read.
 *
 * Errors: a function that cannot do its work returns NULL (or false, or KVSIM_BAD_INPUT) and leaves
 * diagnostics in the handle. They add up until kvsim_clear_diagnostics().
 */
#ifndef KVSIM_H
#define KVSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KVSIM_API __attribute__((visibility("default")))
#else
#define KVSIM_API
#endif

typedef struct kvsim kvsim;
typedef struct kvsim_scenario kvsim_scenario;
typedef struct kvsim_report kvsim_report;

/* Takes `n` bytes of text; called as often as needed. */
typedef void kvsim_write_fn(void *context, const char *bytes, size_t n);

typedef struct kvsim_options {
    const char *const *models; /* folders of model files, searched in this order; must outlive the handle */
    size_t n_models;
    size_t memory_limit; /* bytes that the handle may take; 0: 1 GiB */
} kvsim_options;

typedef enum kvsim_verdict_code {
    KVSIM_FITS,
    KVSIM_DOES_NOT_FIT,
    KVSIM_UNSUPPORTED, /* hardware, engine version or CUDA version cannot do it */
    KVSIM_UNCERTAIN,   /* the answer changes inside the stated ranges of the estimates */
    KVSIM_BAD_INPUT    /* see the diagnostics */
} kvsim_verdict_code;

typedef enum kvsim_format { KVSIM_TEXT, KVSIM_JSON } kvsim_format;

typedef struct kvsim_style {
    kvsim_format format;
    bool colour;    /* ANSI colours, in text */
    unsigned width; /* columns to wrap text at; 0: 100 */
} kvsim_style;

/* A quantity of a report, in base units: bytes, tokens, seconds, bytes per second, plain ratios. */
typedef struct kvsim_value {
    double value;    /* of the binding rank; NaN if it is not a number */
    double low, high; /* inside the ranges of the estimates; equal to value if nothing is estimated */
    int64_t whole;   /* the exact value, if is_whole */
    bool is_whole;
    const char *unit; /* "byte", "token", "byte/token", "byte/s", "s", "token/s", "1" */
    const char *kind; /* "given", "default", "constant", "measured", "derived", "solved", "checked" */
} kvsim_value;

/* "1.2.3" */
KVSIM_API const char *kvsim_version(void);

/* A new handle, or NULL if there is no memory. */
KVSIM_API kvsim *kvsim_open(const kvsim_options *options);
/* Frees the handle and all that was made through it. NULL is allowed. */
KVSIM_API void kvsim_close(kvsim *k);

/* Reads a scenario file ("-": standard input). NULL after an error. */
KVSIM_API kvsim_scenario *kvsim_load(kvsim *k, const char *path);
/* The same from `n` bytes of text; `name` stands for the file in messages. */
KVSIM_API kvsim_scenario *kvsim_load_text(kvsim *k, const char *name, const char *text, size_t n);
/* A command line that starts an engine, and what it does not say. */
typedef struct kvsim_launch {
    const char *const *words; /* of the command line; one alone is taken as the text of all */
    size_t n_words;
    const char *machine; /* as in a scenario: "8x-h200", "8 x h200", "h200" (as many as it needs) */
    const char *engine;  /* "sglang 0.5.9", "0.5.9", or NULL: what the command line says */
    const char *llm;     /* or NULL: what the command line says */
} kvsim_launch;

/* The scenario of a command line on a machine, which must be given. NULL after an error. */
KVSIM_API kvsim_scenario *kvsim_load_command(kvsim *k, const kvsim_launch *launch);
/* Writes a scenario file from the file of a command line ("-": standard input). `launch` says what
 * the command line does not say; its words are not used. False after an error. */
KVSIM_API bool kvsim_import_command(kvsim *k, const char *path, const kvsim_launch *launch,
                                    kvsim_write_fn *write, void *context);
/* Writes a scenario from a server's log ("-": standard input), with the line of each value. `launch`
 * says what the log does not tell (its words are not used); `start` is the number of the server's start
 * that is wanted, from 1, or 0: the last that is complete. False after an error. */
KVSIM_API bool kvsim_import_log(kvsim *k, const char *path, const kvsim_launch *launch, size_t start,
                                kvsim_write_fn *write, void *context);

/* Writes a machine file from NCCL's topology XML or the text of `nvidia-smi topo -m`. `machine` names
 * the GPU (or a machine whose GPU it is); it may be NULL where the file tells. False after an error. */
KVSIM_API bool kvsim_import_topo(kvsim *k, const char *path, const char *machine,
                                 kvsim_write_fn *write, void *context);
/* A what-if: another scenario, in which NAME=VALUE holds. NAME is a flag of the engine, an
 * environment variable, an assumption, a quantity, a field of a model (gpu.memory), or engine, llm,
 * machine. NULL if the setting is not of that form; whether the name means anything is found out
 * when the scenario is run. */
KVSIM_API kvsim_scenario *kvsim_set(kvsim *k, const kvsim_scenario *scenario, const char *setting);

/* Replays the engine's start-up for every rank. */
KVSIM_API kvsim_report *kvsim_run(kvsim *k, const kvsim_scenario *scenario);
/* Adds to a report the lines of the engine's log that this run would print. */
KVSIM_API bool kvsim_add_log(kvsim *k, kvsim_report *report);
/* Derives a quantity down to its inputs and their sources; NULL: the one that decides. */
KVSIM_API kvsim_report *kvsim_explain(kvsim *k, const kvsim_scenario *scenario,
                                      const char *quantity);
/* The interval of an input in which the scenario fits; `goal` (may be NULL) is a condition that must
 * hold as well, such as "kv.tokens >= 200000 tokens". */
KVSIM_API kvsim_report *kvsim_solve(kvsim *k, const kvsim_scenario *scenario, const char *unknown,
                                    const char *goal);
/* How long a decode step takes and how many tokens a second that gives, with what speculative decoding
 * makes of it; and whether what the scenario measured of it (decode.rate, plain.step ...) agrees.
 * *consistent: it does, or nothing was measured. */
KVSIM_API kvsim_report *kvsim_decode(kvsim *k, const kvsim_scenario *scenario, bool *consistent);
/* Compares a run with what the scenario expects. *n_failed expectations do not hold. */
KVSIM_API kvsim_report *kvsim_check(kvsim *k, const kvsim_scenario *scenario, size_t *n_failed);
/* Compares a scenario with a server's log, phase by phase, each with what the log shows before it.
 * `start` as above. *n_off flags, readings and outcomes are neither what the log says, as exactly as
 * it is printed, nor inside the ranges of the estimates. */
KVSIM_API kvsim_report *kvsim_compare_log(kvsim *k, const kvsim_scenario *scenario, const char *path,
                                          size_t start, size_t *n_off);
/* Compares two scenarios, term by term. *n_differ quantities differ. */
KVSIM_API kvsim_report *kvsim_compare(kvsim *k, const kvsim_scenario *first,
                                      const kvsim_scenario *second, size_t *n_differ);

/* What is asked about all-reduce; each may be NULL. */
typedef struct kvsim_allreduce_ask {
    const char *bytes;     /* "4096,16KiB,1MiB" or "4KiB:64MiB" */
    const char *ranks;     /* how many GPUs take part; all, or the launch's, by default */
    const char *algorithm; /* only this one: "nccl-ring-ll" */
    const char *nccl;      /* NCCL's version; the machine's or the newest known by default */
    const char *engine;    /* "sglang 0.5.9": whose rules hold, where `what` is a machine */
    const char *quantity;  /* derive this one at the first size, in place of the table */
    const char *const *settings; /* NAME=VALUE, as kvsim_set() */
    size_t n_settings;
} kvsim_allreduce_ask;

/* The time of one all-reduce by algorithm and size. `what` is a scenario's file, a machine's file or name
 * or short form, or a topology that NCCL wrote (XML). NULL after an error. */
KVSIM_API kvsim_report *kvsim_allreduce(kvsim *k, const char *what, const kvsim_allreduce_ask *ask);

/* Writes a graph file for NCCL (NCCL_GRAPH_FILE) with the rings that its search did not find. False if the
 * report has none: it is of another kind, or the search finds rings, or there are none to be had. */
KVSIM_API bool kvsim_write_graph(const kvsim_report *report, kvsim_write_fn *write, void *context);

/* Measured times of all-reduces on a machine. */
typedef struct kvsim_measurements {
    const char *machine; /* a name of `kvsim list machine`, the path of a machine file, the short form */
    const char *const *files; /* nccl-tests output, CSV (bytes,time_us), p2pBandwidthLatencyTest output */
    size_t n_files;
    const char *ranks;     /* how many took part; NULL: the files tell */
    const char *algorithm; /* of files that do not say: "custom-1stage"; or NULL */
} kvsim_measurements;

/* Fits the parameters of all-reduces to measured times. NULL after an error. */
KVSIM_API kvsim_report *kvsim_calibrate(kvsim *k, const kvsim_measurements *measured);
/* Writes the machine file with the calibration inside. False if the report has none: it is of another
 * kind, or the files held no times of all-reduces. */
KVSIM_API bool kvsim_write_machine(const kvsim_report *report, kvsim_write_fn *write, void *context);

/* The verdict of a report; KVSIM_BAD_INPUT for NULL. */
KVSIM_API kvsim_verdict_code kvsim_verdict(const kvsim_report *report);
/* True if a report of kvsim_solve() found values that work. */
KVSIM_API bool kvsim_is_solved(const kvsim_report *report);
/* A quantity by name. False if the report has none of that name. */
KVSIM_API bool kvsim_quantity(const kvsim_report *report, const char *name, kvsim_value *value);
/* Writes a report. False if memory ran out. */
KVSIM_API bool kvsim_write(kvsim *k, const kvsim_report *report, const kvsim_style *style,
                           kvsim_write_fn *write, void *context);

/* Writes the JSON object that stands for a report that could not be made: what was said since the last
 * report, as "diagnostics". `scenario` is what the object calls the scenario. False if memory ran
 * out. */
KVSIM_API bool kvsim_write_failure(kvsim *k, const char *scenario, kvsim_write_fn *write,
                                   void *context);

/* Lists what is known: kind is "gpu", "llm", "engine", "machine" or "quantities" (of `scenario`, or
 * of a typical one if that is NULL). False after an error. */
KVSIM_API bool kvsim_list(kvsim *k, const char *kind, const kvsim_scenario *scenario,
                          const kvsim_style *style, kvsim_write_fn *write, void *context);

/* Number of errors (not warnings) so far. */
KVSIM_API size_t kvsim_n_errors(const kvsim *k);
/* Writes all diagnostics as compilers do: "file:line:column: error[code]: ...". */
KVSIM_API void kvsim_write_diagnostics(const kvsim *k, bool colour, kvsim_write_fn *write,
                                       void *context);
KVSIM_API void kvsim_clear_diagnostics(kvsim *k);

#ifdef __cplusplus
}
#endif

#endif
