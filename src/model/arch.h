/* A language model as a program: its configuration's names, and its tensors, summed up one by one
 * for one rank. */
#ifndef KS_MODEL_ARCH_H
#define KS_MODEL_ARCH_H

#include "model/catalog.h"
#include "model/facts.h"

/* How ranks are parted into pipeline stages: rank r is of stage r / stride % n. */
typedef struct ks_stage {
    size_t n, stride;
} ks_stage;

/* Defines the quantities of an `llm` file's document; all names begin with `prefix`, such as "llm.":
 *   llm.NAME for each name of the architecture's configuration and each of its entries,
 *   llm.stage and llm.stages, this rank's pipeline stage and their number,
 *   llm.weights.ROW and llm.parameters.ROW for each row of its tensor table (bytes of one rank;
 *   parameters of all ranks of its stage), and their sums llm.weights and llm.parameters.
 * own_draft: not the model, but the draft that is inside its checkpoint (see draft.h).
 * False after an error. */
bool ks_define_llm(ks_program *program, const ks_catalog *catalog, const ks_doc *llm, ks_str prefix,
                   const ks_stage *stage, bool own_draft);

#endif
