/* For unit tests: a world of their own (an arena and diagnostics), comparisons that name the row
 * of the table that failed, diagnostics as one line of text, and programs from a few lines.
 *
 * cmocka's assert_float_equal() compares as float and is not used: CHECK_REAL() compares doubles,
 * exactly or with the row's relative tolerance. */
#ifndef KS_TESTS_SUPPORT_H
#define KS_TESTS_SUPPORT_H

#include "base/diag.h"
#include "expl/program.h"
#include "read/doc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- Comparisons. `row` is what names the row in a message: its input, as a rule. ------------ */

#define CHECK(row, condition) check_true((condition), #condition, (row), __FILE__, __LINE__)
#define CHECK_WHOLE(row, got, want)                                                                \
    check_whole((int64_t)(got), (int64_t)(want), (row), __FILE__, __LINE__)
/* tolerance 0: the same bits (NaN is NaN); else relative to `want`. */
#define CHECK_REAL(row, got, want, tolerance)                                                      \
    check_real((got), (want), (tolerance), (row), __FILE__, __LINE__)
#define CHECK_TEXT(row, got, want) check_text((got), (want), (row), __FILE__, __LINE__)

static inline void check_true(bool holds, const char *condition, const char *row, const char *file,
                              int line)
{
    if (holds)
        return;
    print_error("%s: does not hold: %s\n", row, condition);
    _fail(file, line);
}

static inline void check_whole(int64_t got, int64_t want, const char *row, const char *file,
                               int line)
{
    if (got == want)
        return;
    print_error("%s: %lld, expected %lld\n", row, (long long)got, (long long)want);
    _fail(file, line);
}

static inline bool close_to(double got, double want, double tolerance)
{
    if (isnan(want) || isnan(got))
        return isnan(want) && isnan(got);
    return memcmp(&got, &want, sizeof got) == 0 || fabs(got - want) <= tolerance * fabs(want);
}

static inline void check_real(double got, double want, double tolerance, const char *row,
                              const char *file, int line)
{
    bool good = tolerance > 0 ? close_to(got, want, tolerance)
                              : memcmp(&got, &want, sizeof got) == 0 || (isnan(got) && isnan(want));
    if (good)
        return;
    print_error("%s: %.17g, expected %.17g (tolerance %g)\n", row, got, want, tolerance);
    _fail(file, line);
}

static inline void check_text(ks_str got, const char *want, const char *row, const char *file,
                              int line)
{
    if (ks_equal_c(got, want))
        return;
    print_error("%s:\n  got      \"%.*s\"\n  expected \"%s\"\n", row, KS_ARG(got), want);
    _fail(file, line);
}

/* ---- A world: an arena and diagnostics. ------------------------------------------------------ */

typedef struct world {
    ks_arena *arena;
    ks_diags diags;
} world;

static inline void no_memory(void *context)
{
    (void)context;
    print_error("the test's arena is full\n");
    abort();
}

static inline world world_new(void)
{
    world w = {.arena = ks_arena_new(0, no_memory, NULL)};
    assert_non_null(w.arena);
    w.diags.arena = w.arena;
    return w;
}

static inline int world_open(void **state)
{
    world *w = test_malloc(sizeof *w);
    *w = world_new();
    *state = w;
    return 0;
}

static inline int world_close(void **state)
{
    world *w = *state;
    ks_arena_free(w->arena);
    test_free(w);
    return 0;
}

/* A test whose *state is a fresh world. */
#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, world_open, world_close)

static inline void forget_diags(world *w)
{
    w->diags = (ks_diags){.arena = w->arena};
}

/* ---- Diagnostics as text. -------------------------------------------------------------------- */

/* " file:line:column [the bytes that the carets are under]" */
static inline void add_place(ks_builder *b, ks_span span)
{
    if (!span.source)
        return;
    ks_str where = ks_where(b->arena, span);
    ks_str part = ks_slice(span.source->text, span.at, (size_t)span.at + span.n);
    ks_addf(b, " %.*s [%.*s]", KS_ARG(where), KS_ARG(part));
}

/* All diagnostics: "F002 t:3:9 [foo] ?food; Y003 t:9:1 [a] <- t:2:1 [a]". A note with a place
 * follows as "<-", the word that a note without one quotes as "?". */
static inline ks_str summary(const world *w)
{
    ks_builder b = {.arena = w->arena};
    for (size_t i = 0; i < w->diags.n; i++) {
        const ks_diag *d = &w->diags.items[i];
        ks_addf(&b, "%s%s%s", i ? "; " : "", d->severity == KS_WARNING ? "warning " : "",
                ks_code_name(d->code));
        add_place(&b, d->span);
        for (const ks_note *note = d->notes; note; note = note->next) {
            ks_str rest, word;
            ks_cut(note->text, '"', &rest);
            word = ks_cut(rest, '"', &rest);
            if (note->span.source) {
                ks_add(&b, KS_STR(" <-"));
                add_place(&b, note->span);
            } else if (word.n) {
                ks_addf(&b, " ?%.*s", KS_ARG(word));
            }
        }
    }
    if (w->diags.dropped)
        ks_addf(&b, "; %zu dropped", w->diags.dropped);
    return ks_built(&b);
}

/* All diagnostics as a user sees them. */
static inline ks_str written(const world *w)
{
    ks_builder b = {.arena = w->arena};
    ks_write_diags(&w->diags, 0, false, ks_sink_to(&b));
    return ks_built(&b);
}

/* ---- Documents as text. ---------------------------------------------------------------------- */

/* A tree as one line: scalars as `text@line:column+length`, with ' after the text if it was a text
 * (in quotes, or a block) and, if asked, ? if its bytes are not the value; {key@place=value, ...};
 * [value, ...]. */
static inline void add_tree(ks_builder *b, const ks_doc *doc, bool marks_inexact)
{
    ks_position p = ks_position_of(doc->span);
    if (doc->kind == KS_SCALAR) {
        ks_addf(b, "%.*s%s%s@%u:%u+%u", KS_ARG(doc->text), doc->quoted ? "'" : "",
                marks_inexact && !doc->exact ? "?" : "", p.line, p.column, doc->span.n);
        return;
    }
    ks_add(b, doc->kind == KS_MAP ? KS_STR("{") : KS_STR("["));
    for (size_t i = 0; i < doc->n; i++) {
        const ks_member *m = &doc->items[i];
        ks_position at = ks_position_of(m->key_span);
        if (i)
            ks_add(b, KS_STR(", "));
        if (doc->kind == KS_MAP)
            ks_addf(b, "%.*s@%u:%u=", KS_ARG(m->key), at.line, at.column);
        add_tree(b, m->value, marks_inexact);
    }
    ks_add(b, doc->kind == KS_MAP ? KS_STR("}") : KS_STR("]"));
}

/* ---- Programs from a few lines of text. ------------------------------------------------------ */

/*   name [words] = formula        a formula
 *   name [words] : value | value  an input, one value or one a rank
 * words (optional): real, whole, truth, word: the declared base; a unit or 1: the declared
 * dimension; strict: the formula may hold no bare numbers; default: the kind of an input. */
static inline void declare(ks_def *d, ks_str words)
{
    ks_str rest = words;
    for (ks_str word = ks_cut(rest, ' ', &rest); word.n; word = ks_cut(rest, ' ', &rest)) {
        double scale;
        static const char *const bases[] = {"whole", "real", "truth", "word"};
        bool base = false;
        for (size_t i = 0; i < KS_COUNT(bases); i++)
            if (ks_equal_c(word, bases[i])) {
                d->type.base = (enum ks_base)i;
                d->has_base = base = true;
            }
        if (base)
            continue;
        if (ks_equal_c(word, "strict"))
            d->may_be_literal = false;
        else if (ks_equal_c(word, "default"))
            d->kind = KS_DEFAULT;
        else if (ks_equal_c(word, "1") || ks_parse_unit(word, &scale, &d->type.dim) == word.n)
            d->has_dim = true;
        else
            fail_msg("[%.*s]: not a word of the tests' language", KS_ARG(words));
    }
}

/* A value as it is written; the type's base and dimension are set if they are not declared. */
static inline ks_cell read_cell(ks_program *program, ks_def *d, ks_str text)
{
    ks_quantity q;
    text = ks_trim(text);
    if (d->type.base == KS_TRUTH)
        return (ks_cell){.i = ks_equal_c(text, "true")};
    if (d->type.base == KS_WORD)
        return (ks_cell){.i = ks_word(program, text)};
    if (ks_parse_quantity(text, &q) != KS_QUANTITY_OK)
        fail_msg("%.*s: not a quantity", KS_ARG(text));
    d->type.dim = q.dim;
    bool whole = ks_dim_is_whole(q.dim) || (!q.has_unit && ks_find_byte(text, '.', 0) == text.n);
    if (!d->has_base)
        d->type.base = whole ? KS_WHOLE : KS_REAL;
    return ks_from_real(d->type, q.value);
}

static inline void define_line(ks_program *program, const ks_source *source, size_t from, size_t to)
{
    ks_str line = ks_slice(source->text, from, to);
    ks_def d = {.kind = KS_DERIVED, .may_be_literal = true};
    size_t n = 0;
    while (n < line.n && line.s[n] != ' ')
        n++;
    d.name = ks_slice(line, 0, n);
    d.at = (ks_span){source, (uint32_t)from, (uint32_t)n};
    size_t mark = n + 1;
    if (mark < line.n && line.s[mark] == '[') {
        size_t close = ks_find_byte(line, ']', mark);
        declare(&d, ks_slice(line, mark + 1, close));
        mark = close + 2;
    }
    ks_str value = ks_slice(line, mark + 2, line.n);
    if (line.s[mark] == '=') {
        d.formula = (ks_formula){.text = value, .exact = true};
        d.formula.span = (ks_span){source, (uint32_t)(from + mark + 2), (uint32_t)value.n};
    } else {
        ks_cell *cells = KS_NEW_ARRAY(program->arena, ks_cell, program->n_ranks);
        ks_str rest = value;
        d.kind = d.kind == KS_DEFAULT ? KS_DEFAULT : KS_GIVEN;
        while (rest.n && d.n_values < program->n_ranks)
            cells[d.n_values++] = read_cell(program, &d, ks_cut(rest, '|', &rest));
        d.values = cells;
    }
    ks_define(program, &d);
}

/* Adds the lines of `text`, as a source called "p". */
static inline void define_lines(ks_program *program, ks_str text)
{
    const ks_source *source = ks_source_new(program->arena, KS_STR("p"), text);
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = ks_find_byte(text, '\n', at);
        if (end > at)
            define_line(program, source, at, end);
    }
}

static inline ks_program *program_of(world *w, size_t n_ranks, const char *text)
{
    ks_program *program = ks_program_new(&w->diags, n_ranks);
    define_lines(program, ks_copy(w->arena, ks_from_c(text)));
    return program;
}

/* The number of a definition that must be there. */
static inline int def_of(const ks_program *program, const char *name)
{
    int def = ks_find(program, ks_from_c(name));
    CHECK(name, def >= 0);
    return def;
}

#endif
