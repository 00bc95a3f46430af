/* What is known of all-reduce algorithms: the time of each as a formula over the message, the links and
 * NCCL's choice; which of them an engine takes, and why it refuses others. Data: models/allreduce/.
 *
 * Puts definitions into a program, under a prefix if need be, so that two messages have room in one
 * program. The numbers of the links and of NCCL are computed elsewhere (engine/allreduce.h) and must be
 * defined before: nccl.*, flow.*, machine.*, gpu.*, `ranks`, and `bytes` with the prefix. */
#ifndef KS_MODEL_ALLREDUCE_H
#define KS_MODEL_ALLREDUCE_H

#include "expl/template.h"
#include "model/catalog.h"
#include "model/facts.h"

/* Why an algorithm is not taken, and when. */
typedef struct ks_refusal {
    ks_str id;
    const ks_doc *row, *algorithms;
    ks_formula text;
    ks_template why;
    int when; /* definition: a condition */
} ks_refusal;

typedef struct ks_algorithm {
    ks_str name, title; /* "nccl-ring-ll" */
    ks_str pick;        /* NCCL's own: the word of nccl.pick that means it; else empty */
    const ks_doc *row;
    ks_span at;
    int exists, time, refused; /* definitions: conditions, and seconds */
} ks_algorithm;

/* A text that is shown under a condition. */
typedef struct ks_notice {
    ks_str id;
    const ks_doc *row, *sets; /* a remedy: environment that is tried */
    ks_formula text;
    ks_template parsed;
    int when;
} ks_notice;

typedef struct ks_regime_text {
    ks_str name, title, test, healthy;
} ks_regime_text;

#define KS_ALLREDUCE_LIST_OF(type)                                                                 \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t n, capacity;                                                                        \
    }

typedef struct ks_allreduce {
    ks_str prefix, engine; /* engine: whose rules; empty: none */
    const ks_doc *doc, *calibration;
    KS_ALLREDUCE_LIST_OF(ks_algorithm) algorithms;
    KS_ALLREDUCE_LIST_OF(ks_refusal) refusals;
    KS_ALLREDUCE_LIST_OF(ks_notice) remarks;
    KS_ALLREDUCE_LIST_OF(ks_notice) remedies;
    KS_ALLREDUCE_LIST_OF(ks_regime_text) regimes;
    int bytes, nccl, chosen,
        time; /* definitions: time of NCCL's pick; the engine's choice, its time */
} ks_allreduce;

/* Reads the rules of an engine's version ("sglang", "0.5.9"), or those without an engine if its name is
 * empty. `calibration` (or NULL) is what a machine's own measurements say: {constants, tables}. */
bool ks_read_allreduce(const ks_catalog *catalog, ks_str engine, ks_str version,
                       const ks_doc *calibration, ks_span at, ks_allreduce *result);

/* Defines everything under the prefix. An engine's flag that the program does not know takes its
 * default. False after an error. */
bool ks_define_allreduce(ks_program *program, ks_allreduce *allreduce, ks_str prefix);

/* After ks_link(): reads the texts that name quantities. */
bool ks_finish_allreduce(ks_program *program, ks_allreduce *allreduce);

/* The algorithm of this name, or NULL. */
const ks_algorithm *ks_find_algorithm(const ks_allreduce *allreduce, ks_str name);

#endif
