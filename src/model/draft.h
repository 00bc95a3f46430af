/* The language models of a launch: the target, and the draft model of speculative decoding, a second one
 * whose names begin with "draft.llm.". The draft is a model of its own, named by a flag, or the layers for
 * multi-token prediction in the checkpoint of the target: then the target's architecture says under
 * `draft:` what of it they are made of. Whether and when it is loaded is for the engine's formulas. */
#ifndef KS_MODEL_DRAFT_H
#define KS_MODEL_DRAFT_H

#include "model/engine.h"

/* The document of a model, by its name in models/llm or from the path of a config.json. NULL after an
 * error. */
const ks_doc *ks_load_llm(const ks_catalog *catalog, const ks_doc *name);

/* Defines the target, `llm`, for the stages of `ranks`, and the draft model, if the engine's profile has a
 * `draft:`. `given` holds the values of flags, `what_if` is the scenario's list or NULL. Where nothing
 * asks for a draft or it is not known (which is told, but is no error), it is a model without layers.
 * False after an error. */
bool ks_define_llms(ks_program *program, const ks_catalog *catalog, const ks_engine *engine,
                    const ks_doc *const *given, const ks_doc *what_if, const ks_doc *llm,
                    const ks_rank_count *ranks);

#endif
