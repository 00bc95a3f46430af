/* Source texts and places in them. Every input, formula and message carries a span. */
#ifndef KS_BASE_SOURCE_H
#define KS_BASE_SOURCE_H

#include "base/str.h"

#include <stdint.h>

typedef struct ks_source {
    ks_str name; /* the file's path as the user gave it, or "<--set>" */
    ks_str text;
    size_t *lines; /* (computed) offset of each line's first byte */
    size_t n_lines;
} ks_source;

typedef struct ks_span {
    const ks_source *source; /* NULL: no place */
    uint32_t at, n;          /* byte offset and length */
} ks_span;

typedef struct ks_position {
    unsigned line, column; /* from 1; columns count bytes */
} ks_position;

/* A source in the arena; the text is not copied. */
const ks_source *ks_source_new(ks_arena *arena, ks_str name, ks_str text);
ks_position ks_position_of(ks_span span);
/* The line that holds the span's first byte, without its end. */
ks_str ks_line_of(ks_span span);
/* "file:line:column", or the file's name alone for an empty source, or "" for no place. */
ks_str ks_where(ks_arena *arena, ks_span span);
/* Part [from, from + n) of a span's text, as a span. */
ks_span ks_span_part(ks_span span, size_t from, size_t n);

#endif
