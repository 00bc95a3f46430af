/* Writes a scenario from a server's log: the launch from the flags that the log tells, what was
 * measured from its first readings, what is expected from the rest, each with the line it comes
 * from. */
#ifndef KS_ENGINE_IMPORT_H
#define KS_ENGINE_IMPORT_H

#include "model/runlog.h"

/* What the log need not tell; empty: take it from the log. */
typedef struct ks_import_ask {
    ks_str llm, machine; /* a machine, or a GPU, of which there are as many as ranks */
} ks_import_ask;

/* The text of a scenario, or an empty one after an error: the log does not tell enough (L003), or what
 * it tells is no scenario. */
ks_str ks_scenario_of_log(const ks_catalog *catalog, ks_run_log *log, ks_import_ask ask);

#endif
