/* A decode step as a program: how long it takes, term by term, and what speculative decoding makes of
 * it. All formulas are in models/decode/; what is here sums up the weights that a step reads, tensor by
 * tensor, and puts the two steps (one token a request; drafts and one more) side by side.
 *
 * It judges nothing: see engine/decode.h. */
#ifndef KS_MODEL_DECODE_H
#define KS_MODEL_DECODE_H

#include "model/extra.h"

/* A row of a step's table. Definitions; when: -1 is always. */
typedef struct ks_decode_term {
    ks_str title;
    ks_formula text;
    ks_template detail;
    int time, share, when;
} ks_decode_term;

typedef struct ks_decode_step {
    ks_str prefix, title; /* "plain." */
    const ks_doc *row;
    KS_LIST_OF(ks_decode_term) terms;
    int when, step, graph; /* definitions; when: -1 is always */
} ks_decode_step;

/* A text that is shown under a condition. */
typedef struct ks_decode_finding {
    ks_str id;
    ks_formula text;
    ks_template parsed;
    int when;
} ks_decode_finding;

struct ks_decode;

/* Defines under a prefix what one all-reduce of PREFIXbytes takes: PREFIXallreduce.time, PREFIXtime.NAME.
 * False after an error. */
typedef bool ks_decode_links(struct ks_decode *decode, const ks_catalog *catalog, ks_model *model,
                             const struct ks_machine *machine, ks_str prefix);

typedef struct ks_decode {
    ks_decode_links *links; /* (given) */
    const struct ks_wiring *wiring; /* what `links` keeps from one step to the next */
    KS_LIST_OF(struct ks_allreduce *) allreduces; /* by step; none without links */
    bool defined; /* it is in the scenario's program */
    const ks_doc *doc;
    KS_LIST_OF(ks_decode_step) steps;
    KS_LIST_OF(ks_decode_finding) findings;
    /* Definitions. consistent and regimes have no value until engine/decode.h judges. */
    int regime, consistent, regimes;
} ks_decode;

/* The set, to be asked for with a scenario; `decode` is filled while the scenario is built. `links` is
 * what all-reduces are timed by. */
ks_extra ks_decode_extra(ks_decode *decode, ks_decode_links *links);

/* For a single GPU: an all-reduce takes no time. */
ks_decode_links ks_decode_no_links;

/* True for the name of a quantity of the set. */
bool ks_is_of_decode(ks_str name);

/* The names of regimes that are told apart; the last is NULL. */
extern const char *const ks_regimes[];

#endif
