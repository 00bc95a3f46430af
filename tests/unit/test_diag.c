/* Diagnostics as users see them: the place, the line, the carets, the notes, the limit. */
#include "support.h"

/* An error about bytes [at, at + n) of a text, as it is written. */
static ks_str written_about(world *w, const char *text, uint32_t at, uint32_t n)
{
    const ks_source *source = ks_source_new(w->arena, KS_STR("m.yaml"), ks_from_c(text));
    forget_diags(w);
    ks_error(&w->diags, KS_U003, (ks_span){source, at, n}, "bytes plus %s", "tokens");
    return written(w);
}

static void excerpts(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        uint32_t at, n;
        const char *want;
    } rows[] = {
        {"gpu: h200\ntokens: weights + tokens\n", 18, 16,
         "m.yaml:2:9: error[U003]: bytes plus tokens\n"
         "    tokens: weights + tokens\n"
         "            ^^^^^^^^^^^^^^^^\n"},
        /* No length is one caret; what goes on over the line's end is cut there. */
        {"a: 17", 3, 0,
         "m.yaml:1:4: error[U003]: bytes plus tokens\n"
         "    a: 17\n"
         "       ^\n"},
        {"a: >\n  x +\n  y", 3, 12,
         "m.yaml:1:4: error[U003]: bytes plus tokens\n"
         "    a: >\n"
         "       ^\n"},
        {"a: 17\n", 6, 1,
         "m.yaml:2:1: error[U003]: bytes plus tokens\n"
         "    \n"
         "    ^\n"},
        {"a: 17", 5, 1,
         "m.yaml:1:6: error[U003]: bytes plus tokens\n"
         "    a: 17\n"
         "         ^\n"},
        {"x\r\na: 17\r\nb", 6, 2,
         "m.yaml:2:4: error[U003]: bytes plus tokens\n"
         "    a: 17\n"
         "       ^^\n"},
        /* Tabs are kept in both lines; other control bytes would upset a terminal. */
        {"\ta:\t17 \x1b[31m\x7f", 4, 2,
         "m.yaml:1:5: error[U003]: bytes plus tokens\n"
         "    \ta:\t17 ?[31m?\n"
         "    \t  \t^^\n"},
        /* Columns count bytes, carets count characters. */
        {"\xc3\xa9t\xc3\xa9: \xe2\x82\xac\xe2\x82\xac x", 7, 6,
         "m.yaml:1:8: error[U003]: bytes plus tokens\n"
         "    \xc3\xa9t\xc3\xa9: \xe2\x82\xac\xe2\x82\xac x\n"
         "         ^^\n"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i].text, written_about(w, rows[i].text, rows[i].at, rows[i].n),
                   rows[i].want);
}

/* Of a long line 160 bytes are shown, about 80 before the place; a character is never cut. */
static void long_lines(void **state)
{
    world *w = *state;
    static const struct {
        const char *unit; /* repeated */
        uint32_t at, n;
        const char *begin;
        size_t column, shown, before, carets;
    } rows[] = {
        {"0123456789", 7, 3, "0123", 8, 160, 7, 3},
        {"0123456789", 80, 3, "0123", 81, 160, 80, 3},
        {"0123456789", 313, 5, "3456", 314, 160, 80, 5},
        {"0123456789", 313, 500, "3456", 314, 160, 80, 80},
        {"0123456789", 995, 40, "5678", 996, 85, 80, 5},
        {"\xe2\x82\xac", 600, 9, "\xe2\x82\xac", 601, 159, 27, 3},
        {"\xe2\x82\xac", 750, 3, "\xe2\x82\xac", 751, 159, 27, 1},
        {"\x82", 500, 3, "\x82", 501, 157, 0, 1}, /* not UTF-8 */
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        while (b.n < 1000)
            ks_add(&b, ks_from_c(rows[i].unit));
        ks_str rest = written_about(w, ks_to_c(w->arena, ks_built(&b)), rows[i].at, rows[i].n);
        const char *row = ks_format(w->arena, "%s at %u", rows[i].unit, rows[i].at).s;
        ks_str head = ks_cut(rest, '\n', &rest);
        CHECK(row, ks_starts_with(head, ks_format(w->arena, "m.yaml:1:%zu: ", rows[i].column)));
        ks_str line = ks_cut(rest, '\n', &rest);
        CHECK_WHOLE(row, line.n, 4 + rows[i].shown);
        CHECK(row, ks_starts_with(ks_slice(line, 4, line.n), ks_from_c(rows[i].begin)));
        ks_str carets = ks_cut(rest, '\n', &rest);
        CHECK_WHOLE(row, ks_find_byte(carets, '^', 0), 4 + rows[i].before);
        CHECK_WHOLE(row, carets.n, 4 + rows[i].before + rows[i].carets);
        CHECK_WHOLE(row, rest.n, 0);
    }
}

static void notes_follow_in_order(void **state)
{
    world *w = *state;
    const ks_source *first = ks_source_new(w->arena, KS_STR("a.yaml"),
                                           KS_STR("x: 1\nkv.cell: 17 B"));
    const ks_source *second = ks_source_new(w->arena, KS_STR("<--set>"), KS_STR("kv.cell=31 B"));
    ks_add_note(&w->diags, (ks_span){0}, "there is nothing yet that this could be a note on");
    ks_error(&w->diags, KS_F010, (ks_span){second, 0, 7}, "\"%s\" is defined twice", "kv.cell");
    ks_add_note(&w->diags, (ks_span){first, 5, 7}, "first defined here");
    ks_add_note(&w->diags, (ks_span){0}, "at most %d%% of %s", 85, "it");
    ks_warning(&w->diags, KS_M009, (ks_span){0}, "no effect");
    CHECK_TEXT("written", written(w),
               "<--set>:1:1: error[F010]: \"kv.cell\" is defined twice\n"
               "    kv.cell=31 B\n"
               "    ^^^^^^^\n"
               "a.yaml:2:1: note: first defined here\n"
               "    kv.cell: 17 B\n"
               "    ^^^^^^^\n"
               "  note: at most 85% of it\n"
               "kvsim: warning[M009]: no effect\n");
    CHECK_WHOLE("errors", w->diags.errors, 1);
    CHECK_WHOLE("all", w->diags.n, 2);
    ks_builder b = {.arena = w->arena};
    ks_write_diags(&w->diags, 1, true, ks_sink_to(&b));
    CHECK_TEXT("from 1, in colour", ks_built(&b),
               "kvsim: \033[1;35mwarning[M009]\033[0m: no effect\n");
}

static void an_empty_file_has_a_name_only(void **state)
{
    world *w = *state;
    const ks_source *empty = ks_source_new(w->arena, KS_STR("e.yaml"), KS_STR(""));
    ks_error(&w->diags, KS_Y006, (ks_span){empty, 0, 1}, "the file is empty");
    CHECK_TEXT("written", written(w), "e.yaml: error[Y006]: the file is empty\n");
}

/* Twenty errors and twenty warnings are kept, all errors are counted, and a note on one that is dropped
 * is dropped. */
static void the_limit_is_twenty(void **state)
{
    world *w = *state;
    for (int i = 0; i < 63; i++) {
        if (i % 3 == 1)
            ks_warning(&w->diags, KS_M009, (ks_span){0}, "warning %d", i);
        else
            ks_error(&w->diags, KS_S001, (ks_span){0}, "error %d", i);
        ks_add_note(&w->diags, (ks_span){0}, "note %d", i);
    }
    CHECK_WHOLE("kept", w->diags.n, 40);
    CHECK_WHOLE("dropped", w->diags.dropped, 23);
    CHECK_WHOLE("errors", w->diags.errors, 42);
    CHECK_TEXT("the last", w->diags.items[39].text, "warning 58");
    CHECK_TEXT("its note", w->diags.items[39].notes->text, "note 58");
    CHECK("its only note", w->diags.items[39].notes->next == NULL);
    CHECK("the end", ks_ends_with(written(w), KS_STR("kvsim: warning[M009]: warning 58\n"
                                                     "  note: note 58\n"
                                                     "kvsim: more messages of this kind are not "
                                                     "shown\n")));
}

static void suggestions(void **state)
{
    world *w = *state;
    const ks_str names[] = {KS_STR("context_length"), KS_STR("weights"), KS_STR("cell")};
    static const char *const rows[][2] = {
        {"context_lenght", "S001 ?context_length"},
        {"wieghts", "S001 ?weights"},
        {"sell", "S001 ?cell"},
        {"graph_pool", "S001"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        ks_error(&w->diags, KS_S001, (ks_span){0}, "unknown");
        ks_suggest(&w->diags, ks_from_c(rows[i][0]), names, KS_COUNT(names));
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
}

/* Names are the enumerators'; meanings are there and differ. */
static void codes(void **state)
{
    (void)state;
    static const struct {
        enum ks_code code;
        const char *name, *meaning;
    } rows[] = {
#define X(code, meaning) {KS_##code, #code, meaning},
        KS_CODES(X)
#undef X
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK_TEXT(rows[i].name, ks_from_c(ks_code_name(rows[i].code)), rows[i].name);
        CHECK_TEXT(rows[i].name, ks_from_c(ks_code_meaning(rows[i].code)), rows[i].meaning);
        for (size_t k = 0; k < i; k++)
            CHECK(rows[i].name, strcmp(rows[k].meaning, rows[i].meaning) != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(excerpts),
        IN_WORLD(long_lines),
        IN_WORLD(notes_follow_in_order),
        IN_WORLD(an_empty_file_has_a_name_only),
        IN_WORLD(the_limit_is_twenty),
        IN_WORLD(suggestions),
        cmocka_unit_test(codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
