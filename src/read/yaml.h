/* Reads YAML into a document. Only what configuration needs: mappings with plain keys, lists and
 * scalars. Duplicate keys, anchors, aliases, tags, several documents, and texts deeper or larger
 * than the limits of doc.h are errors with a place. Scalars stay texts: `yes`, `010` and `1:30`
 * mean nothing by themselves. */
#ifndef KS_READ_YAML_H
#define KS_READ_YAML_H

#include "read/doc.h"

/* The document, or NULL after an error. The source must outlive it. */
ks_doc *ks_read_yaml(ks_diags *diags, const ks_source *source);

/* A text as a scalar in double quotes, to be written to a file; "?" for each byte that is not printable
 * ASCII. */
ks_str ks_yaml_quoted(ks_arena *arena, ks_str text);

#endif
