/* The scenario's `launch:`: the engine's flags as a mapping, or a pasted command line. A command line
 * also says which engine it starts, with which environment, and perhaps the model and the version. */
#ifndef KS_MODEL_LAUNCH_H
#define KS_MODEL_LAUNCH_H

#include "model/engine.h"
#include "read/command.h"

typedef struct ks_launch {
    const ks_doc *flags; /* a mapping, or NULL */
    bool pasted;
    ks_command command; /* if pasted */
} ks_launch;

/* From the value of `launch:`, which may be NULL. False after an error. */
bool ks_read_launch(ks_diags *diags, const ks_doc *doc, ks_launch *launch);

/* Name and version of the engine: from `engine:`, which with a command line may be NULL, or a name or
 * a version alone, else from the command line; the newest version, with a warning, if neither says
 * it. Reads the profile. False after an error, which may be at `root`, the scenario. */
bool ks_find_engine(const ks_catalog *catalog, const ks_doc *root, const ks_doc *doc,
                    const ks_launch *launch, ks_engine *engine);

/* The name of the model that a path or name stands for, as a document in its place: by name or alias,
 * by the last part of a path (with a warning), or the path of a config.json. NULL if none is known. */
const ks_doc *ks_look_up_llm(const ks_catalog *catalog, const ks_doc *model);
/* The model that the command line names, as the value of `llm:`; NULL after an error. */
const ks_doc *ks_find_llm(const ks_catalog *catalog, const ks_launch *launch, const ks_doc *root);

/* Puts the values that a mapping gives into `given`, by flag. False after an error. */
bool ks_collect_flags(ks_diags *diags, const ks_engine *engine, const ks_doc *map,
                      enum ks_flag_origin origin, const ks_doc **given);
/* The same of a command line and its environment. A flag that is not known is left out with a
 * warning; of one that is given twice the last one counts. */
bool ks_collect_command(ks_diags *diags, const ks_engine *engine, const ks_command *command,
                        const ks_doc **given);

enum ks_flag_use { KS_FLAG_TAKEN, KS_FLAG_IGNORED, KS_FLAG_UNKNOWN };

/* What a flag of a command line is to the engine, a beginning that fits one flag only included. *flag
 * is set if it is taken. */
enum ks_flag_use ks_use_of_flag(const ks_engine *engine, ks_str spelling, const ks_flag **flag);

#endif
