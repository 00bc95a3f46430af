/* A document: the tree that every structured text is read into, with a span on each part. */
#ifndef KS_READ_DOC_H
#define KS_READ_DOC_H

#include "base/diag.h"

enum ks_doc_kind { KS_SCALAR, KS_LIST, KS_MAP };

typedef struct ks_doc ks_doc;

typedef struct ks_member {
    ks_str key; /* empty in a list */
    ks_span key_span;
    ks_doc *value;
} ks_member;

struct ks_doc {
    enum ks_doc_kind kind;
    ks_span span;  /* a scalar's text without its quotes; else the place where it begins */
    ks_str text;   /* scalar: its value */
    bool quoted;   /* scalar: was written in quotes or as a block, so it is a text */
    bool exact;    /* scalar: the bytes at `span` are the value (line breaks count as blanks) */
    ks_member *items; /* list, map */
    size_t n, capacity;
};

enum { KS_MAX_FILE = 4 << 20, KS_MAX_DEPTH = 64, KS_MAX_NODES = 400000 };

/* The value of `key` in a map, or NULL. `doc` may be NULL. */
ks_doc *ks_member_of(const ks_doc *doc, const char *key);
/* "a mapping", "a list", "a single value". */
const char *ks_doc_kind_words(const ks_doc *doc);
/* True for an unquoted empty value, `~` or `null`. */
bool ks_is_null(const ks_doc *doc);
/* The scalar as one line: what a formula is read from, with its span; line breaks are blanks. */
ks_str ks_one_line(const ks_doc *doc);

#endif
