/* Finds many short texts in one pass over a long one (Aho and Corasick): the time grows with the
 * long text, not with the number of short ones. */
#ifndef KS_READ_NEEDLES_H
#define KS_READ_NEEDLES_H

#include "base/str.h"

#include <stdint.h>

typedef struct ks_needles ks_needles;

enum { KS_MAX_NEEDLE = 24 };

/* What looks for `texts`, which must differ and hold 1 to KS_MAX_NEEDLE bytes each; all of them
 * together at most 65,000 bytes. Owned by the arena. */
ks_needles *ks_needles_new(ks_arena *arena, const ks_str *texts, size_t n);

/* A search that is under way: set needles and text, the rest zero. */
typedef struct ks_search {
    const ks_needles *needles;
    ks_str text;
    size_t at;      /* bytes that have been looked at */
    unsigned state; /* what they end in */
    unsigned more;  /* a shorter text that ends at the same place */
} ks_search;

/* The next occurrence: *needle is the text's number, and it ends before byte *end. False at the end
 * of the text. Occurrences come in the order of their ends; they may overlap. */
bool ks_next_needle(ks_search *search, size_t *needle, size_t *end);

#endif
