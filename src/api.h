/* What the files behind kvsim.h share: the handle, its things, and calls across the boundary. */
#ifndef KS_API_H
#define KS_API_H

#include "kvsim.h"

#include "base/sink.h"
#include "engine/decode.h"
#include "engine/replay.h"
#include "expl/report.h"
#include "model/catalog.h"
#include "model/scenario.h"

#include <setjmp.h>

struct kvsim {
    ks_arena *arena;
    ks_diags diags;
    ks_catalog catalog;
    size_t said; /* diagnostics that belong to a report, or to the lack of one */
    jmp_buf *boundary; /* of the call that is under way */
    bool exhausted;
};

struct kvsim_scenario {
    ks_doc *doc;
    ks_settings settings;
};

struct kvsim_report {
    ks_report *report;
    ks_replay *replay;
    ks_str machine_file; /* of a calibration */
};

/* A call across the boundary: its arguments, and what it returns. */
typedef struct call {
    kvsim *k;
    const kvsim_scenario *scenario, *second;
    const kvsim_report *report;
    const kvsim_launch *launch;
    const kvsim_allreduce_ask *allreduce;
    const kvsim_measurements *measured;
    const char *text, *more, *quantity; /* quantity: one that will be looked at */
    bool decode;                        /* decode steps are asked for */
    bool *consistent;
    ks_judgement *judgement;            /* (computed) by replay() */
    size_t n;
    size_t *count;
    const kvsim_style *style;
    ks_sink sink;
} call;

/* Runs `work`, which reads each model file once; NULL if memory runs out, whatever was open then is
 * closed. */
void *ks_guard(call *c, void *(*work)(call *c));

#endif
