/* Message sizes as they are asked for. */
#ifndef KS_MODEL_SIZES_H
#define KS_MODEL_SIZES_H

#include "read/doc.h"

#include <stdint.h>

typedef struct ks_sizes {
    int64_t *items; /* bytes, rising where a range was asked for, else as written */
    size_t n, capacity;
} ks_sizes;

enum { KS_MAX_SIZES = 1024 };

/* "4096,16KiB,1MiB": sizes; "4KiB:64MiB": each the double of the one before. A number without a unit
 * is bytes. False after an error (S003, S004, S006, U002). */
bool ks_read_sizes(ks_diags *diags, const ks_doc *doc, ks_sizes *sizes);

#endif
