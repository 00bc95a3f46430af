/* Reads documents into C values by tables of keys, with a message for everything that does not
 * fit: unknown and missing keys ("did you mean"), wrong kinds, missing or wrong units, ranges. */
#ifndef KS_READ_SCHEMA_H
#define KS_READ_SCHEMA_H

#include "base/unit.h"
#include "read/doc.h"

#include <stddef.h>

enum ks_field_type {
    KS_FIELD_DOC,    /* const ks_doc *: anything */
    KS_FIELD_MAP,    /* const ks_doc *: a mapping */
    KS_FIELD_LIST,   /* const ks_doc *: a list */
    KS_FIELD_SCALAR, /* const ks_doc *: a single value */
    KS_FIELD_TEXT,   /* ks_str */
    KS_FIELD_BOOL    /* bool */
};

enum { KS_REQUIRED = 1 };

typedef struct ks_field {
    const char *key;
    enum ks_field_type type;
    unsigned flags;
    size_t offset; /* of the value in the struct that is filled */
} ks_field;

/* Fills `out` from a mapping: each key must be one of the fields. False after an error. `what`
 * names the mapping in messages ("a scenario", "a constant"). */
bool ks_read_fields(ks_diags *diags, const ks_doc *doc, const char *what, const ks_field *fields,
                    size_t n, void *out);

/* True if doc is of the kind; else an error. `what` names it. */
bool ks_expect(ks_diags *diags, const ks_doc *doc, enum ks_doc_kind kind, const char *what);
/* `true` or `false`, nothing else. */
bool ks_read_bool(ks_diags *diags, const ks_doc *doc, bool *value);
/* A number with its unit, any dimension. */
bool ks_read_quantity(ks_diags *diags, const ks_doc *doc, ks_quantity *value);
/* Reports that a number has not the dimension that is wanted, saying what unit is missing. */
void ks_wrong_dimension(ks_diags *diags, ks_span span, ks_quantity got, ks_dim want);
/* A whole number without a unit, in [low, high]. */
bool ks_read_whole(ks_diags *diags, const ks_doc *doc, int64_t low, int64_t high, int64_t *value);
/* Checks the `kvsim: 1` that every file begins with. */
bool ks_check_format(ks_diags *diags, const ks_doc *root);

#endif
