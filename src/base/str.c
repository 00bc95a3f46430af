#include "base/str.h"

#include <ctype.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

ks_str ks_from_c(const char *s)
{
    return (ks_str){s, s ? strlen(s) : 0};
}

bool ks_equal(ks_str a, ks_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

bool ks_equal_c(ks_str a, const char *b)
{
    return ks_equal(a, ks_from_c(b));
}

bool ks_same_letters(ks_str a, ks_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (tolower((unsigned char)a.s[i]) != tolower((unsigned char)b.s[i]))
            return false;
    return true;
}

bool ks_starts_with(ks_str text, ks_str prefix)
{
    return text.n >= prefix.n && ks_equal(ks_slice(text, 0, prefix.n), prefix);
}

bool ks_ends_with(ks_str text, ks_str suffix)
{
    return text.n >= suffix.n && ks_equal(ks_slice(text, text.n - suffix.n, text.n), suffix);
}

int ks_compare(ks_str a, ks_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.s, b.s, n) : 0;
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

ks_str ks_slice(ks_str text, size_t from, size_t to)
{
    if (to > text.n)
        to = text.n;
    if (from > to)
        from = to;
    return (ks_str){text.s ? text.s + from : NULL, to - from};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

ks_str ks_trim(ks_str text)
{
    size_t from = 0, to = text.n;
    while (from < to && is_blank(text.s[from]))
        from++;
    while (to > from && is_blank(text.s[to - 1]))
        to--;
    return ks_slice(text, from, to);
}

size_t ks_find_byte(ks_str text, char c, size_t from)
{
    if (from >= text.n)
        return text.n;
    const char *hit = memchr(text.s + from, c, text.n - from);
    return hit ? (size_t)(hit - text.s) : text.n;
}

bool ks_has_part(ks_str text, ks_str word)
{
    for (size_t i = 0; word.n && i + word.n <= text.n; i++)
        if (ks_starts_with(ks_slice(text, i, text.n), word))
            return true;
    return false;
}

ks_str ks_cut(ks_str text, char c, ks_str *rest)
{
    size_t at = ks_find_byte(text, c, 0);
    *rest = ks_slice(text, at + 1, text.n);
    return ks_slice(text, 0, at);
}

ks_str ks_copy(ks_arena *arena, ks_str text)
{
    char *copy = ks_alloc(arena, text.n + 1, 1);
    if (text.n)
        memcpy(copy, text.s, text.n);
    return (ks_str){copy, text.n};
}

ks_str ks_concat(ks_arena *arena, ks_str a, ks_str b)
{
    char *text = ks_alloc(arena, a.n + b.n + 1, 1);
    if (a.n)
        memcpy(text, a.s, a.n);
    if (b.n)
        memcpy(text + a.n, b.s, b.n);
    return (ks_str){text, a.n + b.n};
}

const char *ks_to_c(ks_arena *arena, ks_str text)
{
    return ks_copy(arena, text).s;
}

/* vsnprintf in the C locale: a decimal point is a point, whatever the host program has set. */
static int __attribute__((format(printf, 3, 0)))
print(char *text, size_t size, const char *format, va_list args)
{
    locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t host = uselocale(own);
    int n = vsnprintf(text, size, format, args);
    uselocale(host);
    if (own)
        freelocale(own);
    return n;
}

ks_str ks_vformat(ks_arena *arena, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = print(NULL, 0, format, args);
    size_t size = n < 0 ? 0 : (size_t)n;
    char *text = ks_alloc(arena, size + 1, 1);
    if (n > 0)
        print(text, size + 1, format, again);
    va_end(again);
    return (ks_str){text, size};
}

ks_str ks_format(ks_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ks_str text = ks_vformat(arena, format, args);
    va_end(args);
    return text;
}

ks_str ks_replace(ks_arena *arena, ks_str text, char from, char to)
{
    char *copy = ks_alloc(arena, text.n + 1, 1);
    for (size_t i = 0; i < text.n; i++)
        copy[i] = text.s[i] == from ? to : text.s[i];
    return (ks_str){copy, text.n};
}

enum { LONGEST_NAME = 64 };

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

/* Edit distance, a swap of neighbours counting as one. */
static size_t distance(ks_str a, ks_str b)
{
    size_t rows[3][LONGEST_NAME + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b.n; j++)
        last[j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        row[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            size_t other = a.s[i - 1] == b.s[j - 1] ? 0 : 1;
            row[j] = smallest(last[j] + 1, row[j - 1] + 1, last[j - 1] + other);
            if (i > 1 && j > 1 && a.s[i - 1] == b.s[j - 2] && a.s[i - 2] == b.s[j - 1] &&
                before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        size_t *spare = before;
        before = last;
        last = row;
        row = spare;
    }
    return last[b.n];
}

ks_str ks_nearest(ks_str text, const ks_str *candidates, size_t n)
{
    ks_str best = {NULL, 0};
    text = ks_slice(text, 0, LONGEST_NAME);
    size_t best_distance = 1 + text.n / 3;
    for (size_t i = 0; i < n; i++) {
        if (candidates[i].n > LONGEST_NAME || candidates[i].n == 0)
            continue;
        /* A name that is not finished counts as near: "mem-fraction" for "mem-fraction-static". */
        bool begun = text.n >= 4 && ks_starts_with(candidates[i], text);
        size_t d = begun ? 1 : distance(text, candidates[i]);
        if (d < best_distance || (d == best_distance && best.n == 0)) {
            best = candidates[i];
            best_distance = d;
        }
    }
    return best;
}

void ks_add(ks_builder *b, ks_str text)
{
    if (b->capacity - b->n < text.n) {
        size_t capacity = 2 * b->capacity + text.n;
        char *wider = ks_alloc(b->arena, capacity, 1);
        if (b->n)
            memcpy(wider, b->items, b->n);
        b->items = wider;
        b->capacity = capacity;
    }
    if (text.n)
        memcpy(b->items + b->n, text.s, text.n);
    b->n += text.n;
}

void ks_addf(ks_builder *b, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ks_add(b, ks_vformat(b->arena, format, args));
    va_end(args);
}

ks_str ks_built(const ks_builder *b)
{
    return (ks_str){b->items, b->n};
}
