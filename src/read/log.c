#include "read/log.h"

#include "base/num.h"
#include "read/needles.h"

#include <math.h>
#include <string.h>

/* A pattern is tried at this many places of a line at most: else a hostile line could cost the
 * square of its length. */
enum { MOST_TRIES = 4, LONGEST_PREFIX = 400 };

/* A line is read on if this much of a pattern is in it, with so many lines behind it. */
enum { LEAST_BEGUN = 12, MOST_JOINED = 3, MOST_CONTINUED = 64 };

static const double largest = 1e18; /* larger numbers are noise */

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
    size_t follow;      /* 1 + the pattern whose lines go on; 0: none */
    size_t n_continued; /* line feeds in it, behind backslashes, as in a shell's command */
    char buffer[KS_LOG_LINE];
    size_t *literal;   /* by pattern: what fits of it in the line at hand, if it is only begun; else 0 */
    size_t whole;      /* the same, of the patterns that fit as a whole: the most */
    size_t n_begun;    /* patterns that are begun */
    bool known;        /* some pattern's first words are in it */
    bool *waits;       /* by pattern: it is begun in the held line */
    size_t held_n, held_line, n_joined; /* held_n 0: no line is held */
    char held[2 * KS_LOG_WRAPPED];
    char joined[2 * KS_LOG_WRAPPED];
};

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

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* True if text has the form: '0' is any digit, other bytes are themselves. */
static bool has_form(ks_str text, const char *form)
{
    size_t n = strlen(form);
    for (size_t i = 0; i < n; i++)
        if (i >= text.n || (form[i] == '0' ? !is_digit(text.s[i]) : text.s[i] != form[i]))
            return false;
    return text.n == n || !is_digit(text.s[n]);
}

/* The first date in a prefix, "2026-01-31" or "2026/01/31", as 20260131; or 0. */
static int date_in(ks_str prefix)
{
    prefix = ks_slice(prefix, 0, prefix.n < LONGEST_PREFIX ? prefix.n : LONGEST_PREFIX);
    for (size_t i = 0; i + 10 <= prefix.n; i++) {
        ks_str rest = ks_slice(prefix, i, prefix.n);
        bool inside = i > 0 && is_digit(prefix.s[i - 1]);
        if (inside || (!has_form(rest, "0000-00-00") && !has_form(rest, "0000/00/00")))
            continue;
        int year = small_number(ks_slice(rest, 0, 4)), month = small_number(ks_slice(rest, 5, 7)),
            day = small_number(ks_slice(rest, 8, 10));
        if (year >= 2000 && month >= 1 && month <= 12 && day >= 1 && day <= 31)
            return 10000 * year + 100 * month + day;
    }
    return 0;
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
    if (n == 0 || (power && !piece->exact) || !(fabs(value * piece->scale) <= largest))
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

/* What came of trying a pattern at one place. */
typedef struct attempt {
    ks_log_number numbers[KS_LOG_NUMBERS];
    size_t n_numbers, literal;
    ks_str rest;
} attempt;

enum outcome { FITS_NOT, IS_BEGUN, FITS };

/* What is left of a line without blanks, marks of a table and dots of omission at its end. */
static ks_str without_end(ks_str text)
{
    static const char dots[] = "\xe2\x80\xa6";
    size_t n = text.n;
    while (n && (text.s[n - 1] == ' ' || text.s[n - 1] == '\t' || text.s[n - 1] == '|'))
        n--;
    text = ks_slice(text, 0, n);
    if (ks_ends_with(text, ks_from_c(dots)))
        text.n -= sizeof dots - 1;
    if (ks_ends_with(text, KS_STR("...")))
        while (text.n && text.s[text.n - 1] == '.')
            text.n--;
    return text;
}

/* Takes a literal text, wherever it comes if `anywhere`; *at is moved behind it. */
static enum outcome take_text(ks_str line, ks_str piece, bool anywhere, size_t *at, attempt *a)
{
    ks_str left = ks_slice(line, *at, line.n);
    size_t gap = anywhere ? find_text(left, piece) : 0;
    if (ks_starts_with(ks_slice(left, gap, left.n), piece)) {
        *at += gap + piece.n;
        a->literal += piece.n;
        return FITS;
    }
    if (anywhere)
        return IS_BEGUN;
    left = without_end(left);
    if (left.n >= piece.n || !ks_starts_with(piece, left))
        return FITS_NOT;
    a->literal += left.n;
    return IS_BEGUN;
}

/* Matches the pieces from the anchor on, which begins at byte `at` of the line. */
static enum outcome try_pattern(const ks_log_pattern *p, ks_str line, size_t at, attempt *a)
{
    for (size_t i = p->anchor; i < p->n; i++) {
        const ks_log_piece *piece = &p->items[i];
        ks_str left = ks_slice(line, at, line.n);
        if (piece->kind == KS_LOG_NUMBER) {
            if (!without_end(left).n)
                return IS_BEGUN;
            size_t used = take_number(left, piece, &a->numbers[a->n_numbers]);
            if (!used)
                return FITS_NOT;
            a->n_numbers++;
            at += used;
        } else if (piece->kind == KS_LOG_TEXT) {
            bool anywhere = i > p->anchor && p->items[i - 1].kind == KS_LOG_ANYTHING;
            enum outcome outcome = take_text(line, piece->text, anywhere, &at, a);
            if (outcome != FITS)
                return outcome;
        } else if (!a->rest.s) {
            a->rest = left;
        }
    }
    return FITS;
}

static bool tell(ks_log_reader *r, ks_str line, size_t number, size_t pattern, size_t from,
                 const attempt *a, bool begun)
{
    ks_str prefix = ks_slice(line, 0, from);
    ks_log_match match = {.pattern = pattern, .line = number, .rank = rank_in(prefix),
                          .date = date_in(prefix), .begun = begun, .n_literal = a->literal,
                          .numbers = a->numbers, .n_numbers = a->n_numbers,
                          .text = ks_slice(line, from, line.n), .rest = a->rest, .cut = r->cut};
    return r->found(r->context, &match);
}

static void note_begun(ks_log_reader *r, int pattern, const attempt *a)
{
    r->n_begun += !r->literal[pattern];
    if (a->literal > r->literal[pattern])
        r->literal[pattern] = a->literal;
}

/* Tries all patterns that begin with the needle at byte `from`; only those that wait, if `only`. */
static void try_patterns(ks_log_reader *r, ks_str line, size_t number, int pattern, size_t from,
                         bool only)
{
    for (; pattern >= 0; pattern = r->next[pattern]) {
        attempt a = {.literal = 0};
        if (r->tries[pattern] >= MOST_TRIES || (only && !r->waits[pattern]))
            continue;
        r->tries[pattern]++;
        enum outcome outcome = try_pattern(&r->patterns[pattern], line, from, &a);
        if (outcome == IS_BEGUN && a.literal >= LEAST_BEGUN)
            note_begun(r, pattern, &a);
        if (outcome != FITS)
            continue;
        r->whole = a.literal > r->whole ? a.literal : r->whole;
        if (tell(r, line, number, (size_t)pattern, from, &a, false))
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

/* The bytes of a pattern's needle. */
static size_t needle_length(const ks_log_pattern *p)
{
    size_t n = p->items[p->anchor].text.n;
    return n < KS_MAX_NEEDLE ? n : KS_MAX_NEEDLE;
}

/* Looks for all patterns in a line, or for those that wait. */
static void search_line(ks_log_reader *r, ks_str line, size_t number, bool only)
{
    ks_search search = {.needles = r->needles, .text = line};
    size_t needle, end;
    bool clean = false;
    r->whole = r->n_begun = 0;
    r->known = false;
    while (ks_next_needle(&search, &needle, &end)) {
        int first = r->first[needle];
        if (!clean) {
            memset(r->tries, 0, r->n);
            memset(r->literal, 0, r->n * sizeof *r->literal);
        }
        clean = true;
        r->known |= needle_length(&r->patterns[first]) >= LEAST_BEGUN;
        try_patterns(r, line, number, first, end - needle_length(&r->patterns[first]), only);
    }
}

/* ---- Lines that are wrapped. ----------------------------------------------------------------------- */

/* Tells of the patterns that the held line begins, and lets it go. */
static void release_line(ks_log_reader *r)
{
    ks_str line = {r->held, r->held_n};
    ks_search search = {.needles = r->needles, .text = line};
    size_t needle, end;
    while (r->held_n && ks_next_needle(&search, &needle, &end)) {
        int pattern = r->first[needle];
        size_t from = end - needle_length(&r->patterns[pattern]);
        for (; pattern >= 0; pattern = r->next[pattern]) {
            attempt a = {.literal = 0};
            if (!r->waits[pattern] || !r->patterns[pattern].may_be_cut ||
                try_pattern(&r->patterns[pattern], line, from, &a) != IS_BEGUN)
                continue;
            r->waits[pattern] = false;
            tell(r, line, r->held_line, (size_t)pattern, from, &a, true);
        }
    }
    r->held_n = 0;
}

/* Holds a line in which more of a pattern is begun than fits of another as a whole. */
static void hold_line(ks_log_reader *r, ks_str line, size_t number)
{
    size_t n = 0;
    for (size_t i = 0; r->n_begun && i < r->n; i++) {
        r->waits[i] = r->literal[i] && r->literal[i] >= r->whole;
        n += r->waits[i];
    }
    if (!n || r->cut || line.n > KS_LOG_WRAPPED)
        return;
    memmove(r->held, line.s, line.n);
    r->held_n = line.n;
    r->held_line = number;
}

/* True if a line begins with a bracket, or has a time or a date near its beginning: it is no rest of
 * another. */
static bool has_own_time(ks_str line)
{
    if (line.n == 0 || line.s[0] == '[' || line.s[0] == '(')
        return true;
    for (size_t i = 0; i < line.n && i < 40; i++) {
        ks_str rest = ks_slice(line, i, line.n);
        if (has_form(rest, "00:00:00") || has_form(rest, "0000-00-00"))
            return true;
    }
    return false;
}

/* A line without blanks and marks of quoting in front. */
static ks_str without_marks(ks_str line)
{
    size_t at = 0;
    while (at < line.n && strchr(" \t>|", line.s[at]) && line.s[at])
        at++;
    return ks_slice(line, at, line.n);
}

/* How much of a pattern is begun in the line that was searched last. */
static size_t most_begun(const ks_log_reader *r)
{
    size_t most = 0;
    for (size_t i = 0; r->n_begun && i < r->n; i++)
        most = r->literal[i] > most ? r->literal[i] : most;
    return most;
}

/* Puts the held line and a rest together: as they are, if that makes a pattern fit, else with a blank
 * between. False if no pattern fits; r->n_begun: whether more may come. */
static bool join(ks_log_reader *r, ks_str rest, ks_str *joined)
{
    static const bool blanks[] = {false, true, false};
    size_t most[2] = {0, 0};
    for (size_t i = 0; i < KS_COUNT(blanks); i++) {
        if (i == 2 && most[0] <= most[1])
            break; /* neither fits: what begins more of a pattern stays */
        ks_str head = without_marks((ks_str){r->held, r->held_n});
        head = blanks[i] ? without_end(head) : head;
        memcpy(r->joined, head.s, head.n);
        r->joined[head.n] = ' ';
        memcpy(r->joined + head.n + blanks[i], rest.s, rest.n);
        *joined = (ks_str){r->joined, head.n + blanks[i] + rest.n};
        search_line(r, *joined, r->held_line, true);
        if (r->whole)
            return true;
        most[blanks[i]] = most_begun(r);
    }
    return false;
}

/* What stands in the line at hand may be the rest of the held one. */
static void read_on(ks_log_reader *r, ks_str line)
{
    ks_str rest = without_marks(line), joined;
    bool fits = rest.n && !has_own_time(rest) && r->held_n + rest.n + 1 <= sizeof r->joined &&
                ++r->n_joined <= MOST_JOINED;
    if (fits && join(r, rest, &joined)) {
        r->held_n = 0;
        return;
    }
    if (!fits || !r->n_begun || joined.n > KS_LOG_WRAPPED) {
        release_line(r);
        return;
    }
    for (size_t i = 0; i < r->n; i++)
        r->waits[i] = r->waits[i] && r->literal[i];
    memcpy(r->held, joined.s, joined.n);
    r->held_n = joined.n;
}

void ks_log_follow(ks_log_reader *r, size_t pattern)
{
    r->follow = pattern + 1;
}

static void follow_line(ks_log_reader *r, ks_str line, size_t number, size_t follow)
{
    ks_str rest = without_marks(line);
    ks_log_match match = {.pattern = follow - 1, .line = number, .rank = {-1, -1, -1}, .text = rest,
                          .cut = r->cut, .more = true};
    if (!has_own_time(rest) && r->found(r->context, &match))
        r->follow = follow;
}

static void finish_line(ks_log_reader *r)
{
    if (r->length && memchr(r->buffer, '\033', r->length))
        r->length = strip_escapes(r->buffer, r->length);
    ks_str line = {r->buffer, r->length};
    size_t number = r->line - r->n_continued, follow = r->follow;
    r->follow = 0;
    if (r->held_n)
        read_on(r, line);
    search_line(r, line, number, false);
    if (follow && !r->known) /* what is known itself is no part of another */
        follow_line(r, line, number, follow);
    if (r->n_begun) {
        if (r->held_n)
            release_line(r);
        r->n_joined = 0;
        hold_line(r, line, number);
    }
    r->length = r->n_continued = 0;
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

/* True if the line goes on behind its line feed; the backslash that says so becomes a blank. */
static bool is_continued(ks_log_reader *r)
{
    if (!r->length || r->buffer[r->length - 1] != '\\' || r->n_continued == MOST_CONTINUED)
        return false;
    r->buffer[r->length - 1] = ' ';
    r->n_continued++;
    return true;
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
            if (!is_continued(r))
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
    release_line(r);
}

size_t ks_log_lines(const ks_log_reader *r)
{
    return r->line;
}

/* The needle of a pattern: the beginning of its anchor. */
static ks_str needle_of(const ks_log_pattern *p)
{
    return ks_slice(p->items[p->anchor].text, 0, needle_length(p));
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
    r->literal = KS_NEW_ARRAY(arena, size_t, n + 1);
    r->waits = KS_NEW_ARRAY(arena, bool, n + 1);
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
