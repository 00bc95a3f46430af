/* What an all-reduce costs on a machine: every algorithm at every size, what the engine runs and what
 * NCCL picks, why others are not taken, where one beats another, what limits it, and what would help.
 *
 * The formulas are data (models/allreduce, models/nccl); here they are put together, run, and told. */
#ifndef KS_ALLREDUCE_ALLREDUCE_H
#define KS_ALLREDUCE_ALLREDUCE_H

#include "allreduce/timing.h"
#include "allreduce/wiring.h"
#include "expl/report.h"
#include "model/scenario.h"

/* What is asked. Texts stand in sources of their own, so that messages can point into them. */
typedef struct ks_allreduce_ask {
    const ks_doc *bytes;     /* "4096,16KiB", "4KiB:64MiB", or NULL: the usual sizes */
    const ks_doc *ranks;     /* or NULL: the launch's, all GPUs */
    const ks_doc *algorithm; /* only this one; or NULL */
    const ks_doc *nccl;      /* its version; or NULL: the machine's, else the newest known */
    const ks_doc *engine;    /* "sglang 0.5.9": whose rules, for a machine alone; or NULL */
    const ks_doc *explain;   /* derive this quantity, at the first size; or NULL */
    const ks_settings *settings;
    ks_str *
        graph; /* (out) a graph file for NCCL where its search finds nothing, else empty; or NULL */
} ks_allreduce_ask;

/* `what`: a scenario's document, or a machine: a name, the short form, a mapping, the document of a
 * machine file. NULL after an error. */
ks_report *ks_report_allreduce(const ks_catalog *catalog, const ks_doc *what,
                               const ks_allreduce_ask *ask);

#endif
