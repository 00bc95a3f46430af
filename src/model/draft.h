/* The draft model of speculative decoding, as a second language model whose names begin with
 * "draft.llm.". It is a model of its own, named by a flag, or the layers for multi-token prediction
 * in the checkpoint of the target: then the target's architecture says under `draft:` what of it
 * they are made of. Whether and when it is loaded is for the engine's formulas. */
#ifndef KS_MODEL_DRAFT_H
#define KS_MODEL_DRAFT_H

#include "model/engine.h"

/* Defines the draft model of a launch, if the engine's profile has a `draft:`. `given` holds the values
 * of flags, `llm` is the target's document. Where none is `asked` for or none is known (which is
 * told, but is no error), it is one without layers. False after an error. */
bool ks_define_draft(ks_program *program, const ks_catalog *catalog, const ks_engine *engine,
                     const ks_doc *const *given, bool asked, const ks_doc *llm);

#endif
