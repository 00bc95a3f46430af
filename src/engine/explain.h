/* The derivation of a quantity, and of the verdict. */
#ifndef KS_ENGINE_EXPLAIN_H
#define KS_ENGINE_EXPLAIN_H

#include "engine/memory.h"

/* The sections of `kvsim explain`. With no quantity: the verdict, the sum that decides, what is not
 * the cause, and the derivation of the quantity that decides. With one: its derivation. False after
 * an error: there is no such quantity. */
bool ks_report_explanation(ks_replay *replay, ks_str quantity);

/* The sections of `kvsim check`; the number of expectations that do not hold. */
size_t ks_report_expectations(ks_replay *replay);

#endif
