/* Places in texts: lines, columns, spans. */
#include "support.h"

static void positions(void **state)
{
    world *w = *state;
    static const char text[] = "kvsim: 1\r\n\tgpu: h200\n\nname: \"\xc3\xa9t\xc3\xa9\" # x\nlast";
    static const struct {
        uint32_t at;
        unsigned line, column;
        const char *whole_line;
    } rows[] = {
        {0, 1, 1, "kvsim: 1"},
        {7, 1, 8, "kvsim: 1"},
        {8, 1, 9, "kvsim: 1"},  /* the carriage return is on the line, but not shown */
        {9, 1, 10, "kvsim: 1"}, /* so is the line feed */
        {10, 2, 1, "\tgpu: h200"},
        {16, 2, 7, "\tgpu: h200"},
        {21, 3, 1, ""},
        {29, 4, 8, "name: \"\xc3\xa9t\xc3\xa9\" # x"},
        {32, 4, 11, "name: \"\xc3\xa9t\xc3\xa9\" # x"}, /* columns count bytes */
        {40, 5, 1, "last"},
        {44, 5, 5, "last"}, /* the end of the text */
    };
    const ks_source *source = ks_source_new(w->arena, KS_STR("s.yaml"), KS_STR(text));
    CHECK_WHOLE("lines", source->n_lines, 5);
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_span span = {source, rows[i].at, 1};
        ks_position p = ks_position_of(span);
        const char *row = ks_format(w->arena, "at %u", rows[i].at).s;
        CHECK_WHOLE(row, p.line, rows[i].line);
        CHECK_WHOLE(row, p.column, rows[i].column);
        CHECK_TEXT(row, ks_line_of(span), rows[i].whole_line);
        CHECK_TEXT(row, ks_where(w->arena, span),
                   ks_format(w->arena, "s.yaml:%u:%u", rows[i].line, rows[i].column).s);
    }
}

static void places_that_are_none(void **state)
{
    world *w = *state;
    const ks_source *empty = ks_source_new(w->arena, KS_STR("empty.yaml"), (ks_str){NULL, 0});
    CHECK_WHOLE("lines", empty->n_lines, 1);
    CHECK_TEXT("empty", ks_where(w->arena, (ks_span){empty, 0, 1}), "empty.yaml");
    CHECK_TEXT("empty", ks_line_of((ks_span){empty, 0, 1}), "");
    CHECK_TEXT("no place", ks_where(w->arena, (ks_span){0}), "");
    CHECK_TEXT("no place", ks_line_of((ks_span){0}), "");
    CHECK_WHOLE("no place", ks_position_of((ks_span){0}).line, 0);
}

static void line_ends(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        size_t lines;
        const char *first;
    } rows[] = {
        {"tp: 8", 1, "tp: 8"},
        {"tp: 8\n", 2, "tp: 8"},
        {"\n\n\n", 4, ""},
        {"tp: 8\r\n\r\n", 3, "tp: 8"},
        {"tp\r: 8\n", 2, "tp\r: 8"},
        {"\r\n", 2, ""},
        {"\r", 1, ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        const ks_source *s = ks_source_new(w->arena, KS_STR("s"), ks_from_c(rows[i].text));
        CHECK_WHOLE(rows[i].text, s->n_lines, rows[i].lines);
        CHECK_TEXT(rows[i].text, ks_line_of((ks_span){s, 0, 1}), rows[i].first);
    }
}

/* The line of each byte of a long text, against counting. */
static void many_lines(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    for (int i = 0; i < 1361; i++) {
        ks_add(&b, ks_slice(KS_STR("abcdefghijklmnopq"), 0, (size_t)(i * 7 % 17)));
        ks_add(&b, KS_STR("\n"));
    }
    ks_str text = ks_built(&b);
    const ks_source *source = ks_source_new(w->arena, KS_STR("s"), text);
    unsigned line = 1, column = 1;
    for (uint32_t at = 0; at < text.n; at++) {
        ks_position p = ks_position_of((ks_span){source, at, 1});
        CHECK_WHOLE("line", p.line, line);
        CHECK_WHOLE("column", p.column, column);
        column = text.s[at] == '\n' ? 1 : column + 1;
        line += text.s[at] == '\n' ? 1 : 0;
    }
}

static void parts_of_spans(void **state)
{
    world *w = *state;
    static const struct {
        size_t from, n;
        uint32_t at, length;
    } rows[] = {
        {0, 11, 13, 11}, {3, 5, 16, 5},  {3, 80, 16, 8},
        {11, 2, 24, 0},  {90, 2, 24, 0}, {0, SIZE_MAX, 13, 11},
    };
    const ks_source *source = ks_source_new(w->arena, KS_STR("s"),
                                            KS_STR("y: {formula: a * frac + b}"));
    ks_span whole = {source, 13, 11};
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_span part = ks_span_part(whole, rows[i].from, rows[i].n);
        const char *row = ks_format(w->arena, "%zu+%zu", rows[i].from, rows[i].n).s;
        CHECK_WHOLE(row, part.at, rows[i].at);
        CHECK_WHOLE(row, part.n, rows[i].length);
        CHECK(row, part.source == source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(positions),  IN_WORLD(places_that_are_none), IN_WORLD(line_ends),
        IN_WORLD(many_lines), IN_WORLD(parts_of_spans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
