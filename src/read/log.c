#include "read/log.h"

#include "base/num.h"
#include "read/needles.h"

#include <math.h>
#include <string.h>

/* A pattern is tried at this many places of a line at most: else a hostile line could cost the
 * square of its length. */
enum { MOST_TRIES = 4, LONGEST_PREFIX = 400 };

static const double most = 1e18; /* larger numbers are noise */

struct ks_log_reader {
    const ks_log_pattern *patterns;
    size_t n;
    ks_log_found *found;
    void *context;
    ks_needles *needles;
    int *first; /* by needle: the first pattern that begins with it */
    int *next;  /* by pattern: the next with the same needle, or -1 */
    unsigned char *tries; /* by pattern, in this line */
    size_t line;
    size_t length;  /* bytes in `buffer` */
    bool cut, begun; /* `begun`: something of the line was seen */
    char buffer[KS_LOG_LINE];
};

/* ---- Patterns. ----------------------------------------------------------------------------------- */

/* "repr", ".2f" or "GiB:.2f"; false if it is none. */
static bool read_style(ks_str style, ks_log_piece *piece)
{
    ks_dim dim;
    ks_str decimals = style;
    piece->scale = 1;
    piece->exact = ks_equal_c(style, "repr");
    if (piece->exact)
        return true;
    if (style.n && style.s[0] != '.')
        piece->unit = ks_cut(style, ':', &decimals);
    if (decimals.n != 3 || decimals.s[0] != '.' || decimals.s[2] != 'f')
        return false;
    return !piece->unit.n || ks_parse_unit(piece->unit, &piece->scale, &dim) == piece->unit.n;
}

static void add_literal(ks_arena *arena, ks_log_pattern *p, ks_str text)
{
    if (!text.n)
        return;
    p->n_literal += text.n;
    if (p->n && p->items[p->n - 1].kind == KS_LOG_TEXT) /* behind a doubled brace */
        p->items[p->n - 1].text = ks_concat(arena, p->items[p->n - 1].text, text);
    else
        *KS_PUSH(arena, p) = (ks_log_piece){.kind = KS_LOG_TEXT, .text = text};
}

static void add_hole(ks_arena *arena, ks_log_pattern *p, ks_str inside)
{
    ks_log_piece piece = {.kind = KS_LOG_ANYTHING};
    ks_str style;
    piece.text = ks_cut(inside, ':', &style);
    if (style.n && p->n_numbers < KS_LOG_NUMBERS && read_style(style, &piece)) {
        piece.kind = KS_LOG_NUMBER;
        p->n_numbers++;
    }
    *KS_PUSH(arena, p) = piece;
}

bool ks_log_pattern_of(ks_arena *arena, ks_str text, ks_log_pattern *pattern)
{
    size_t from = 0, i = 0;
    *pattern = (ks_log_pattern){.text = text};
    while (i < text.n) {
        char c = text.s[i];
        bool doubled = i + 1 < text.n && text.s[i + 1] == c;
        size_t close = c == '{' && !doubled ? ks_find_byte(text, '}', i) : text.n;
        if ((c != '{' && c != '}') || (!doubled && close == text.n)) {
            i++;
            continue;
        }
        add_literal(arena, pattern, ks_slice(text, from, doubled ? i + 1 : i));
        if (!doubled)
            add_hole(arena, pattern, ks_slice(text, i + 1, close));
        from = i = doubled ? i + 2 : close + 1;
    }
    add_literal(arena, pattern, ks_slice(text, from, text.n));
    while (pattern->anchor < pattern->n && pattern->items[pattern->anchor].kind != KS_LOG_TEXT)
        pattern->anchor++;
    return pattern->anchor < pattern->n;
}

/* ---- The rank that wrote a line. ------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The number at the start of text; -1 if there is none, or a long one. */
static int small_number(ks_str text)
{
    int value = 0;
    size_t n = 0;
    while (n < text.n && text.s[n] >= '0' && text.s[n] <= '9' && n < 6)
        value = 10 * value + (text.s[n++] - '0');
    bool more = n < text.n && (is_letter(text.s[n]) || (text.s[n] >= '0' && text.s[n] <= '9'));
    return n == 0 || more ? -1 : value;
}

/* True where a tag may begin: behind a blank or a bracket, or as in "Worker_TP0" (but "MOE_DP0" is
 * another thing than "DP0"). */
static bool begins_tag(ks_str prefix, size_t at)
{
    if (at == 0)
        return true;
    char before = prefix.s[at - 1];
    if (before == '_')
        return at > 1 && prefix.s[at - 2] >= 'a' && prefix.s[at - 2] <= 'z';
    return before == ' ' || before == '[' || before == '(' || before == ',';
}

static ks_log_rank rank_in(ks_str prefix)
{
    static const char *const tags[] = {"TP", "PP", "DP", "rank=", "Rank "};
    ks_log_rank rank = {-1, -1, -1};
    int *const slots[] = {&rank.tp, &rank.pp, &rank.dp, &rank.tp, &rank.tp};
    if (prefix.n > LONGEST_PREFIX)
        prefix = ks_slice(prefix, prefix.n - LONGEST_PREFIX, prefix.n);
    for (size_t i = 0; i < prefix.n; i++) {
        if (!begins_tag(prefix, i))
            continue;
        ks_str rest = ks_slice(prefix, i, prefix.n);
        for (size_t k = 0; k < KS_COUNT(tags); k++) {
            ks_str tag = ks_from_c(tags[k]);
            int number = ks_starts_with(rest, tag) ? small_number(ks_slice(rest, tag.n, rest.n)) : -1;
            if (number >= 0)
                *slots[k] = number;
        }
    }
    return rank;
}

/* ---- Lines. ---------------------------------------------------------------------------------------- */

/* Reads a number; the bytes it takes, or 0. */
static size_t take_number(ks_str text, const ks_log_piece *piece, ks_log_number *number)
{
    double value;
    size_t n = ks_parse_decimal(text, &value);
    ks_str digits = ks_slice(text, 0, n);
    size_t point = ks_find_byte(digits, '.', 0);
    bool power = ks_find_byte(digits, 'e', 0) < n || ks_find_byte(digits, 'E', 0) < n;
    if (n == 0 || (power && !piece->exact) || !(fabs(value * piece->scale) <= most))
        return 0;
    /* In "159221." the point ends a sentence. */
    if (point + 1 == n)
        n--;
    number->decimals = point < n ? (int)(n - point - 1) : 0;
    number->value = value * piece->scale;
    number->half = piece->exact ? 0 : 0.5 * pow(10, -number->decimals) * piece->scale;
    return n;
}

/* Where `part` begins in text, or text.n. */
static size_t find_text(ks_str text, ks_str part)
{
    for (size_t at = 0; at + part.n <= text.n; at++) {
        at = ks_find_byte(text, part.s[0], at);
        if (at + part.n <= text.n && memcmp(text.s + at, part.s, part.n) == 0)
            return at;
    }
    return text.n;
}

/* Matches the pieces behind the anchor, which ends before byte `at` of the line. */
static bool matches(const ks_log_pattern *p, ks_str line, size_t at, ks_log_number *numbers,
                    ks_str *rest)
{
    size_t n = 0;
    for (size_t i = p->anchor + 1; i < p->n; i++) {
        const ks_log_piece *piece = &p->items[i];
        ks_str left = ks_slice(line, at, line.n);
        if (piece->kind == KS_LOG_NUMBER) {
            size_t used = take_number(left, piece, &numbers[n++]);
            if (!used)
                return false;
            at += used;
        } else if (piece->kind == KS_LOG_TEXT) {
            bool anything = p->items[i - 1].kind == KS_LOG_ANYTHING;
            size_t gap = anything ? find_text(left, piece->text) : 0;
            if (!ks_starts_with(ks_slice(left, gap, left.n), piece->text))
                return false;
            at += gap + piece->text.n;
        } else if (!rest->s) {
            *rest = left;
        }
    }
    return true;
}

/* Tries all patterns that begin with the needle which ends before byte `end`. */
static void try_patterns(ks_log_reader *r, ks_str line, int pattern, size_t needle_n, size_t end)
{
    for (; pattern >= 0; pattern = r->next[pattern]) {
        const ks_log_pattern *p = &r->patterns[pattern];
        ks_str anchor = p->items[p->anchor].text, left = ks_slice(line, end - needle_n, line.n);
        ks_log_number numbers[KS_LOG_NUMBERS] = {{0}};
        ks_str rest = {NULL, 0};
        if (r->tries[pattern] >= MOST_TRIES)
            continue;
        r->tries[pattern]++;
        if (!ks_starts_with(left, anchor) ||
            !matches(p, line, end - needle_n + anchor.n, numbers, &rest))
            continue;
        ks_log_match match = {.pattern = (size_t)pattern, .line = r->line, .numbers = numbers,
                              .rank = rank_in(ks_slice(line, 0, end - needle_n)), .text = left,
                              .rest = rest, .cut = r->cut};
        if (r->found(r->context, &match))
            r->tries[pattern] = MOST_TRIES;
    }
}

/* Takes colours and other commands to a terminal out of the line. */
static size_t strip_escapes(char *s, size_t n)
{
    size_t out = 0, i = 0;
    while (i < n) {
        if (s[i] != '\033') {
            s[out++] = s[i++];
            continue;
        }
        char kind = i + 1 < n ? s[i + 1] : '\0';
        i += 2;
        if (kind == '[')
            while (i < n && !(s[i] >= '@' && s[i] <= '~'))
                i++;
        else if (kind == ']')
            while (i < n && s[i] != '\a')
                i++;
        else
            continue;
        i++;
    }
    return out;
}

static void finish_line(ks_log_reader *r)
{
    ks_search search = {.needles = r->needles};
    size_t needle, end;
    if (r->length && memchr(r->buffer, '\033', r->length))
        r->length = strip_escapes(r->buffer, r->length);
    search.text = (ks_str){r->buffer, r->length};
    bool clean = false;
    while (ks_next_needle(&search, &needle, &end)) {
        const ks_log_pattern *p = &r->patterns[r->first[needle]];
        size_t n = p->items[p->anchor].text.n;
        if (!clean)
            memset(r->tries, 0, r->n);
        clean = true;
        try_patterns(r, search.text, r->first[needle], n < KS_MAX_NEEDLE ? n : KS_MAX_NEEDLE, end);
    }
    r->length = 0;
    r->cut = r->begun = false;
}

static void take_part(ks_log_reader *r, const char *bytes, size_t n)
{
    size_t room = KS_LOG_LINE - r->length;
    if (n == 0)
        return;
    r->begun = true;
    r->cut |= n > room;
    n = n < room ? n : room;
    memcpy(r->buffer + r->length, bytes, n);
    r->length += n;
}

void ks_log_feed(ks_log_reader *r, const char *bytes, size_t n)
{
    while (n) {
        const char *feed = memchr(bytes, '\n', n);
        size_t line_n = feed ? (size_t)(feed - bytes) : n;
        const char *end = bytes + line_n;
        while (bytes < end) {
            const char *back = memchr(bytes, '\r', (size_t)(end - bytes));
            const char *stop = back ? back : end;
            take_part(r, bytes, (size_t)(stop - bytes));
            if (back)
                finish_line(r);
            bytes = back ? back + 1 : end;
        }
        n -= line_n + (feed ? 1 : 0);
        if (feed) {
            finish_line(r);
            r->line++;
            bytes = feed + 1;
        }
    }
}

void ks_log_end(ks_log_reader *r)
{
    if (!r->begun)
        r->line--;
    finish_line(r);
}

size_t ks_log_lines(const ks_log_reader *r)
{
    return r->line;
}

/* The needle of a pattern: the beginning of its anchor. */
static ks_str needle_of(const ks_log_pattern *p)
{
    return ks_slice(p->items[p->anchor].text, 0, KS_MAX_NEEDLE);
}

ks_log_reader *ks_log_reader_new(ks_arena *arena, const ks_log_pattern *patterns, size_t n,
                                 ks_log_found *found, void *context)
{
    ks_log_reader *r = KS_NEW(arena, ks_log_reader);
    ks_str *needles = KS_NEW_ARRAY(arena, ks_str, n + 1);
    size_t n_needles = 0;
    r->patterns = patterns;
    r->n = n;
    r->found = found;
    r->context = context;
    r->line = 1;
    r->first = KS_NEW_ARRAY(arena, int, n + 1);
    r->next = KS_NEW_ARRAY(arena, int, n + 1);
    r->tries = KS_NEW_ARRAY(arena, unsigned char, n + 1);
    for (size_t i = 0; i < n; i++) {
        ks_str needle = needle_of(&patterns[i]);
        size_t k = 0;
        while (k < n_needles && !ks_equal(needles[k], needle))
            k++;
        r->next[i] = k < n_needles ? r->first[k] : -1;
        needles[k] = needle;
        r->first[k] = (int)i;
        n_needles = k < n_needles ? n_needles : k + 1;
    }
    r->needles = ks_needles_new(arena, needles, n_needles);
    return r;
}
