/* A model from its Hugging Face config.json: which architecture it is, what the architecture's names
 * are called in it, and which number formats its quantisation means. What the names are called is
 * data: `matches:` and `keys:` of models/arch/, `config:` and `schemes:` of models/format/. */
#ifndef KS_MODEL_HF_H
#define KS_MODEL_HF_H

#include "model/catalog.h"

/* True if text names a file or folder that is there. */
bool ks_is_config_path(ks_arena *arena, ks_str text);
/* True if text can only be a path, whether it is there or not: /x, ./x, ../x, ~x, x.json. */
bool ks_is_path(ks_str text);
/* Reports why nothing is at such a path. */
void ks_no_such_path(ks_diags *diags, ks_str path, ks_span at);

/* The document of an `llm` file, made from a config.json or from the folder that holds one (and
 * perhaps hf_quant_config.json). NULL after an error. */
const ks_doc *ks_llm_from_config(const ks_catalog *catalog, ks_str path, ks_span at);

#endif
