/* Strings with a length, did-you-mean, and texts that grow. */
#include "support.h"

static void comparing(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int order;
    } rows[] = {
        {"kv.cell", "kv.cell", 0},
        {"kv.cell", "kv.cells", -1},
        {"kv.tokens", "kv.cell", 1},
        {"", "", 0},
        {"", "a", -1},
        {"\xc3\xa9", "z", 1},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str a = ks_from_c(rows[i].a), b = ks_from_c(rows[i].b);
        int order = ks_compare(a, b);
        CHECK_WHOLE(rows[i].a, (order > 0) - (order < 0), rows[i].order);
        CHECK_WHOLE(rows[i].a, ks_compare(b, a) > 0, rows[i].order < 0);
        CHECK_WHOLE(rows[i].a, ks_equal(a, b), rows[i].order == 0);
        CHECK_WHOLE(rows[i].a, ks_equal_c(a, rows[i].b), rows[i].order == 0);
    }
    ks_str nothing = {NULL, 0};
    CHECK("NULL", ks_equal(nothing, KS_STR("")) && ks_equal_c(nothing, "") &&
                      ks_equal(nothing, ks_from_c(NULL)));
    CHECK("NULL", ks_compare(nothing, KS_STR("a")) < 0);
    CHECK("NUL inside", !ks_equal(KS_STR("a\0b"), KS_STR("a\0c")));
}

static void beginnings_and_ends(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        bool starts, ends;
    } rows[] = {
        {"models/gpu/h200.yaml", "models/", true, false},
        {"models/gpu/h200.yaml", ".yaml", false, true},
        {".yaml", "models.yaml", false, false},
        {"kv.kv", "kv", true, true},
        {"kv", "", true, true},
        {"", "kv", false, false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str text = ks_from_c(rows[i].text), part = ks_from_c(rows[i].part);
        CHECK_WHOLE(rows[i].text, ks_starts_with(text, part), rows[i].starts);
        CHECK_WHOLE(rows[i].text, ks_ends_with(text, part), rows[i].ends);
    }
}

static void slicing(void **state)
{
    (void)state;
    static const struct {
        size_t from, to;
        const char *want;
    } rows[] = {
        {0, 7, "kv.cell"}, {3, 7, "cell"}, {3, 5, "ce"},   {3, 900, "cell"},
        {7, 9, ""},        {8, 9, ""},     {900, 950, ""}, {5, 3, ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT("kv.cell", ks_slice(KS_STR("kv.cell"), rows[i].from, rows[i].to), rows[i].want);
    CHECK_WHOLE("NULL", ks_slice((ks_str){NULL, 0}, 3, 9).n, 0);
}

static void trimming(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {" \t\r\n94.08 GiB\n ", "94.08 GiB"},
        {"70272", "70272"},
        {" \t ", ""},
        {"", ""},
        {"\va", "\va"},
        {"a\xc2\xa0", "a\xc2\xa0"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i][0], ks_trim(ks_from_c(rows[i][0])), rows[i][1]);
}

static void cutting(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char at;
        const char *before, *rest;
    } rows[] = {
        {"sglang:0.5.3:cu128", ':', "sglang", "0.5.3:cu128"},
        {":0.5.3", ':', "", "0.5.3"},
        {"sglang:", ':', "sglang", ""},
        {"sglang", ':', "sglang", ""},
        {"", ':', "", ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str rest;
        CHECK_TEXT(rows[i].text, ks_cut(ks_from_c(rows[i].text), rows[i].at, &rest),
                   rows[i].before);
        CHECK_TEXT(rows[i].text, rest, rows[i].rest);
    }
}

static void finding_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char byte;
        size_t from, want;
    } rows[] = {
        {"load.free", '.', 0, 4}, {"load.free", 'e', 5, 7}, {"load.free", 'e', 8, 8},
        {"load.free", 'x', 3, 9}, {"load.free", 'l', 9, 9}, {"load.free", 'l', 40, 9},
        {"", 'l', 0, 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_WHOLE(rows[i].text, ks_find_byte(ks_from_c(rows[i].text), rows[i].byte, rows[i].from),
                    rows[i].want);
}

static void finding_parts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *part;
        bool want;
    } rows[] = {
        {"rtx-4090-d", "4090", true},
        {"rtx-4090-d", "rtx", true},
        {"rtx-4090-d", "-d", true},
        {"rtx-4090-d", "5090", false},
        {"rtx", "rtx-4090", false},
        {"rtx", "", false},
        {"", "r", false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_WHOLE(rows[i].part, ks_has_part(ks_from_c(rows[i].text), ks_from_c(rows[i].part)),
                    rows[i].want);
}

static void copies(void **state)
{
    world *w = *state;
    char text[] = "kv-cache-dtype";
    ks_str copy = ks_copy(w->arena, ks_from_c(text));
    ks_str replaced = ks_replace(w->arena, ks_from_c(text), '-', '_');
    text[2] = '!';
    CHECK_TEXT("copy", copy, "kv-cache-dtype");
    CHECK_WHOLE("copy ends in NUL", copy.s[copy.n], '\0');
    CHECK_TEXT("replaced", replaced, "kv_cache_dtype");
    CHECK_TEXT("concatenated", ks_concat(w->arena, KS_STR("kv.cell"), KS_STR(".modelled")),
               "kv.cell.modelled");
    CHECK_TEXT("concatenated", ks_concat(w->arena, KS_STR("llm."), (ks_str){NULL, 0}), "llm.");
    CHECK_TEXT("nothing to replace", ks_replace(w->arena, KS_STR("tp"), '-', '_'), "tp");
    assert_string_equal(ks_to_c(w->arena, ks_slice(KS_STR("rank.free"), 0, 4)), "rank");
    assert_string_equal(ks_to_c(w->arena, (ks_str){NULL, 0}), "");
    CHECK_TEXT("format", ks_format(w->arena, "%.*s=%d (%5.2f)", KS_ARG(KS_STR("tp")), 17, 3.14159),
               "tp=17 ( 3.14)");
    CHECK_TEXT("format nothing", ks_format(w->arena, "%s", ""), "");
}

static void did_you_mean(void **state)
{
    (void)state;
    const ks_str names[] = {
        KS_STR("mem_fraction_static"),
        KS_STR("tp"),
        KS_STR("kv_cache_dtype"),
        KS_STR("dtype"),
        KS_STR("value"),
        KS_STR("valve"),
        KS_STR(""),
        KS_STR("a_name_of_more_than_sixty_four_bytes_is_never_told_though_it_may_be_near"),
    };
    static const char *const rows[][2] = {
        {"mem_fraction_statc", "mem_fraction_static"},
        {"mem-fraction-static", "mem_fraction_static"},
        {"mem_fractoin_static", "mem_fraction_static"}, /* a swap counts once */
        {"memory_fraction", ""},
        {"mem_fraction", "mem_fraction_static"}, /* a beginning of four bytes is near */
        {"kv_c", "kv_cache_dtype"},
        {"kv_", ""},
        {"pt", "tp"},
        {"tpp", "tp"},
        {"dtpye", "dtype"},
        {"dtyp", "dtype"},
        {"vale", "value"}, /* as near as "valve": the first */
        {"valv", "valve"}, /* nearer than "value" */
        {"kv_cache_type", "kv_cache_dtype"},
        {"dp_size", ""},
        {"", ""},
        {"a_name_of_more_than_sixty_four_bytes_is_never_told_though_it_may_be_neat", ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i][0], ks_nearest(ks_from_c(rows[i][0]), names, KS_COUNT(names)),
                   rows[i][1]);
    CHECK_TEXT("no candidates", ks_nearest(KS_STR("tp"), NULL, 0), "");
}

static void building(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    CHECK_WHOLE("empty", ks_built(&b).n, 0);
    ks_add(&b, (ks_str){NULL, 0});
    size_t n = 0;
    for (int i = 0; i < 2711; i++) {
        ks_addf(&b, "%d,", i * 37);
        ks_add(&b, KS_STR("xyz"));
        char one[16];
        n += (size_t)snprintf(one, sizeof one, "%d,", i * 37) + 3;
    }
    ks_str built = ks_built(&b);
    CHECK_WHOLE("length", built.n, n);
    CHECK_TEXT("begin", ks_slice(built, 0, 14), "0,xyz37,xyz74,");
    CHECK_TEXT("end", ks_slice(built, built.n - 10, built.n), "100270,xyz");
    ks_add(&b, ks_slice(built, 0, 5)); /* a part of itself */
    built = ks_built(&b);
    CHECK_TEXT("end", ks_slice(built, built.n - 8, built.n), "xyz0,xyz");
}

static void sinks(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    ks_sink sink = ks_sink_to(&b);
    ks_put(sink, KS_STR("a\0b"));
    ks_put(sink, (ks_str){NULL, 0});
    ks_put_c(sink, " GiB");
    ks_put_fill(sink, '-', 3);
    ks_put_fill(sink, '-', 0);
    CHECK("sink", ks_equal(ks_built(&b), KS_STR("a\0b GiB---")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing),
        cmocka_unit_test(beginnings_and_ends),
        cmocka_unit_test(slicing),
        cmocka_unit_test(trimming),
        cmocka_unit_test(cutting),
        cmocka_unit_test(finding_bytes),
        cmocka_unit_test(finding_parts),
        IN_WORLD(copies),
        cmocka_unit_test(did_you_mean),
        IN_WORLD(building),
        IN_WORLD(sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
