/* Names of modules against the patterns by which quantisation configurations leave some out. */
#ifndef KS_MODEL_PATTERN_H
#define KS_MODEL_PATTERN_H

#include "base/str.h"

/* True if `pattern` takes in `module` ("model.layers.7.self_attn.q_proj"):
 *   "re:X"      X is a regular expression that must match from the start; of these, only literals,
 *               `.`, `\`, `*` behind one of them, `(a|b)` and `$` are known
 *   with a "*"  the whole module's name, "*" being anything
 *   else        the module, a module above it, or the last part(s) of its name
 * Work is bounded; a pattern that needs more matches nothing. */
bool ks_module_matches(ks_str pattern, ks_str module);

#endif
