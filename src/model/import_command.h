/* A scenario file from a pasted command line: every value with the place where it comes from, and
 * what was left out and why. */
#ifndef KS_MODEL_IMPORT_COMMAND_H
#define KS_MODEL_IMPORT_COMMAND_H

#include "model/launch.h"

/* What is said beside the command line, as the values of a scenario's keys; NULL: not said. */
typedef struct ks_beside {
    const ks_doc *machine, *engine, *llm;
} ks_beside;

/* The text of the file. False after an error. */
bool ks_import_command(const ks_catalog *catalog, const ks_source *source, const ks_beside *beside,
                       ks_str *file);

#endif
