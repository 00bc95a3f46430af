/* How a model file extends another one. */
#ifndef KS_MODEL_MERGE_H
#define KS_MODEL_MERGE_H

#include "read/doc.h"

/* `over` laid on `base`. Sections merge key by key; so do phases and their entries. A named thing
 * (a quantity, flag, table, check ...) is replaced as a whole, but for a `meaning` that it does not
 * say anew; `~` takes it away. The list `ignored` is continued. A phase that
 * is new is put behind the one that its `after:` names, or at the end. What `base` extends is what
 * the result extends. */
ks_doc *ks_merge(ks_diags *diags, const ks_doc *base, const ks_doc *over);

#endif
