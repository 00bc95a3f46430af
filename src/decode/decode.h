/* A decode step against what was measured: which regime of the links agrees, what is left unexplained,
 * and the report of `kvsim decode`.
 *
 * A measured value agrees with the model if it lies inside the range that the estimates leave. No
 * constant is ever moved to make it so. */
#ifndef KS_DECODE_DECODE_H
#define KS_DECODE_DECODE_H

#include "engine/replay.h"
#include "model/decode.h"

/* One measured quantity of the set. */
typedef struct ks_decode_measured {
    int def, modelled;
    double low, high; /* of what the model says, in the regime that is said */
    bool agrees;
} ks_decode_measured;

/* What the model says if peer traffic behaves so. */
typedef struct ks_decode_regime {
    ks_str name;
    int rate, cycle; /* nodes: tokens per second and time of a step, with their ranges */
    bool said;       /* it is the machine's own */
    bool agrees;     /* with all that was measured */
} ks_decode_regime;

/* A quantity that a measured time may really be, with nothing measured. */
typedef struct ks_decode_candidate {
    int node;
    double value, low, high;
} ks_decode_candidate;

typedef struct ks_judgement {
    const ks_decode *decode;
    KS_LIST_OF(ks_decode_measured) measured;
    KS_LIST_OF(ks_decode_regime) regimes;
    KS_LIST_OF(ks_decode_candidate) candidates;
    bool told; /* the machine says how its links behave */
    bool consistent;
} ks_judgement;

/* Compares; fills the nodes decode.consistent and decode.regimes of the replay's report. NULL after an
 * error: a result cannot be computed. */
ks_judgement *ks_judge_decode(ks_replay *replay, const ks_decode *decode);

/* The sections of `kvsim decode`, and its JSON. */
void ks_report_decode(ks_replay *replay, const ks_judgement *judgement);

#endif
