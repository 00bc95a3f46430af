/* Message sizes as they are asked for. */
#include "support.h"

#include "model/sizes.h"

static ks_doc doc_of(world *w, const char *text)
{
    ks_str copy = ks_from_c(text);
    ks_span span = {ks_source_new(w->arena, KS_STR("t"), copy), 0, (uint32_t)copy.n};
    return (ks_doc){.kind = KS_SCALAR, .text = copy, .exact = true, .span = span};
}

static void sizes_are_read(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"37", "37"},
        {"4097, 17KiB,3 MiB", "4097 17408 3145728"},
        {"1MB,5.5 KiB", "1000000 5632"},
        {"3KiB:13KiB", "3072 6144 12288"},
        {"7KiB:7KiB,1", "7168 1"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        world *w = *state;
        ks_doc doc = doc_of(w, rows[i].text);
        ks_sizes sizes;
        ks_builder b = {.arena = w->arena};
        CHECK(rows[i].text, ks_read_sizes(&w->diags, &doc, &sizes));
        for (size_t k = 0; k < sizes.n; k++)
            ks_addf(&b, "%s%lld", k ? " " : "", (long long)sizes.items[k]);
        CHECK_TEXT(rows[i].text, ks_built(&b), rows[i].want);
    }
}

static void what_is_no_size(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", "S004 t []"},
        {"4KiB,,1MiB", "S004 t:1:6 []"},
        {"4KiB, many", "S004 t:1:7 [many]"},
        {"5 foo", "U002 t:1:1 [5 foo]"},
        {"3 us", "S004 t:1:1 [3 us]"},
        {"0", "S006 t:1:1 [0]"},
        {"-4096", "S006 t:1:1 [-4096]"},
        {"17.5", "S006 t:1:1 [17.5]"},
        {"2 TiB", "S006 t:1:1 [2 TiB]"},
        {"1,8KiB:4KiB", "S006 t:1:3 [8KiB:4KiB]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        world *w = *state;
        ks_doc doc = doc_of(w, rows[i].text);
        ks_sizes sizes;
        forget_diags(w);
        CHECK(rows[i].text, !ks_read_sizes(&w->diags, &doc, &sizes));
        CHECK_TEXT(rows[i].text, summary(w), rows[i].want);
    }
}

static void too_many_sizes(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    ks_sizes sizes;
    for (int i = 0; i < 1100; i++)
        ks_addf(&b, "%s%d", i ? "," : "", 4096 + i);
    ks_doc doc = doc_of(w, ks_to_c(w->arena, ks_built(&b)));
    CHECK("many", !ks_read_sizes(&w->diags, &doc, &sizes));
    CHECK_WHOLE("many", sizes.n, KS_MAX_SIZES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(sizes_are_read),
        IN_WORLD(what_is_no_size),
        IN_WORLD(too_many_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
