/* A language model as a program: its configuration's names, and its tensors, summed up one by one
 * for one rank. All names begin with "llm.". */
#ifndef KS_MODEL_ARCH_H
#define KS_MODEL_ARCH_H

#include "model/catalog.h"
#include "model/facts.h"

/* Defines the quantities of an `llm` file's document:
 *   llm.NAME for each name of the architecture's configuration and each of its entries,
 *   llm.weights.ROW and llm.parameters.ROW for each row of its tensor table (bytes of one rank;
 *   parameters of the whole model), and their sums llm.weights and llm.parameters.
 * False after an error. */
bool ks_define_llm(ks_program *program, const ks_catalog *catalog, const ks_doc *llm);

#endif
