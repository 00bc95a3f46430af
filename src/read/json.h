/* Reads JSON into a document, with a span on each part. jansson decides what is JSON and decodes
 * the texts; the places come from a walk beside it. Duplicate keys, and texts deeper or larger than
 * the limits, are errors with a place. */
#ifndef KS_READ_JSON_H
#define KS_READ_JSON_H

#include "read/doc.h"

enum { KS_MAX_JSON = 32 << 20 };

/* The document, or NULL after an error. Numbers, true, false and null are unquoted scalars; texts
 * are quoted ones. The source must outlive it. */
ks_doc *ks_read_json(ks_diags *diags, const ks_source *source);

#endif
