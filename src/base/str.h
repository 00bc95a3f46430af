/* Strings with a length. Text is bytes; nothing here depends on the locale. A ks_str does not own
 * its bytes: they live in an arena, in a source text, or in the program. */
#ifndef KS_BASE_STR_H
#define KS_BASE_STR_H

#include "base/arena.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct ks_str {
    const char *s; /* not terminated; may be NULL when n is 0 */
    size_t n;
} ks_str;

#define KS_STR(literal) ((ks_str){(literal), sizeof(literal) - 1})
/* For printf's "%.*s". */
#define KS_ARG(text) (int)(text).n, (text).s ? (text).s : ""

ks_str ks_from_c(const char *s);
bool ks_equal(ks_str a, ks_str b);
bool ks_equal_c(ks_str a, const char *b);
/* Equal but for the case of ASCII letters. */
bool ks_same_letters(ks_str a, ks_str b);
bool ks_starts_with(ks_str text, ks_str prefix);
bool ks_ends_with(ks_str text, ks_str suffix);
/* Order of bytes: negative, 0, positive. */
int ks_compare(ks_str a, ks_str b);
/* Bytes [from, to) of text, clipped to it. */
ks_str ks_slice(ks_str text, size_t from, size_t to);
/* Without leading and trailing blanks. */
ks_str ks_trim(ks_str text);
/* Position of the first `c` at or after `from`, or text.n. */
size_t ks_find_byte(ks_str text, char c, size_t from);
/* True if `word`, which is not empty, is a part of the text. */
bool ks_has_part(ks_str text, ks_str word);
/* Splits at the first `c`: the part before it; *rest is what follows (empty if there is none). */
ks_str ks_cut(ks_str text, char c, ks_str *rest);

/* A copy in the arena, terminated by a NUL that the length does not count. */
ks_str ks_copy(ks_arena *arena, ks_str text);
/* As a C string in the arena. */
const char *ks_to_c(ks_arena *arena, ks_str text);
/* One behind the other, terminated by a NUL that the length does not count. */
ks_str ks_concat(ks_arena *arena, ks_str a, ks_str b);
/* printf into the arena. */
ks_str ks_format(ks_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
ks_str ks_vformat(ks_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
/* `text` with every occurrence of `from` replaced by `to`. */
ks_str ks_replace(ks_arena *arena, ks_str text, char from, char to);

/* The candidate nearest to `text` by edit distance, if one is near enough to be a typing slip;
 * else an empty string. At most 64 bytes of each are looked at. */
ks_str ks_nearest(ks_str text, const ks_str *candidates, size_t n);

/* A text being built in an arena. */
typedef struct ks_builder {
    ks_arena *arena;
    char *items;
    size_t n, capacity;
} ks_builder;

void ks_add(ks_builder *b, ks_str text);
void ks_addf(ks_builder *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
ks_str ks_built(const ks_builder *b);

#endif
