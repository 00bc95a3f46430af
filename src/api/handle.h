/* What the files behind kvsim.h share: the handle, its things, and calls across the boundary. */
#ifndef KS_API_HANDLE_H
#define KS_API_HANDLE_H

#include "kvsim.h"

#include "base/sink.h"
#include "decode/decode.h"
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
    ks_str graph_file;   /* of all-reduces, where NCCL needs one */
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

/* A report with the diagnostics that belong to it: those since the report before. */
kvsim_report *ks_new_report(kvsim *k, ks_report *report);

/* Everything that a program may hold beyond memory. */
enum { KS_N_EXTRAS = 1 };

typedef struct ks_api_extras {
    ks_decode decode;
    ks_extra decode_set;
    ks_extra_ask asked[KS_N_EXTRAS];
} ks_api_extras;

/* decode: decode steps are asked for, whether anything names them or not. */
ks_api_extras *ks_new_extras(kvsim *k, bool decode);

/* A scenario from its file; NULL for NULL, and after an error. */
kvsim_scenario *ks_new_scenario(kvsim *k, const ks_source *source);

/* Replays the call's scenario. `unknown` and `goal` as in kvsim_solve(), or NULL. */
ks_replay *ks_replay_call(call *c, const char *unknown, const char *goal);

/* A text from outside as a document of its own, so that messages can point into it; NULL for NULL. */
ks_doc *ks_doc_of(kvsim *k, const char *name, const char *text);

/* NAME=VALUE as a setting. False after an error. */
bool ks_read_setting(kvsim *k, const char *from, ks_setting *setting);

#endif
