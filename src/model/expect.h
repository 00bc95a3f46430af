/* What a scenario expects of its run. */
#ifndef KS_MODEL_EXPECT_H
#define KS_MODEL_EXPECT_H

#include "model/scenario.h"

/* Reads `expect:` (may be NULL) into the model; its program must have been checked. */
bool ks_read_expectations(ks_model *model, const ks_doc *doc);

#endif
