/* Arenas that are too small for what is asked, at every size: reading YAML, linking a program and
 * running it either succeeds with the right result or ends at the out-of-memory hook, with nothing
 * left behind (a build with sanitizers sees leaks) and the cleanups run newest first. */
#include "support.h"

#include "expl/eval.h"
#include "read/yaml.h"

static jmp_buf full;
static char order[8];

static void jump_out(void *context)
{
    *(int *)context += 1;
    longjmp(full, 1);
}

static void note_letter(void *object)
{
    size_t n = strlen(order);
    order[n] = *(const char *)object;
    order[n + 1] = '\0';
}

/* Quantities as a mapping from names to formulas; q0 is 17, each other stands on the one before. */
static char *quantities(int n)
{
    size_t size = 64 + (size_t)n * 80, at = 0;
    char *text = test_malloc(size);
    at += (size_t)snprintf(text, size, "q0: \"17\"\n");
    for (int i = 1; i < n; i++)
        at += (size_t)snprintf(text + at, size - at,
                               "q%d: {formula: \"max(q%d + 3, 2 * 3, -1)\"} # comment\n", i, i - 1);
    return text;
}

static void define_all(ks_program *program, const ks_doc *doc)
{
    for (size_t i = 0; i < doc->n; i++) {
        const ks_doc *value = doc->items[i].value;
        const ks_doc *formula = value->kind == KS_MAP ? ks_member_of(value, "formula") : value;
        ks_def d = {.kind = KS_DERIVED,
                    .name = doc->items[i].key,
                    .at = doc->items[i].key_span,
                    .may_be_literal = true};
        d.formula = (ks_formula){
            .text = ks_one_line(formula), .span = formula->span, .exact = formula->exact};
        ks_define(program, &d);
    }
}

/* Reads, links and runs; the last quantity's value, or -1 after an error. */
static int64_t work(ks_arena *arena, const char *text)
{
    static char letters[] = "ab";
    ks_diags diags = {.arena = arena};
    ks_defer(arena, note_letter, &letters[0]);
    const ks_doc *doc = ks_read_yaml(&diags, ks_source_new(arena, KS_STR("y"), ks_from_c(text)));
    ks_defer(arena, note_letter, &letters[1]);
    ks_program *program = ks_program_new(&diags, 4);
    if (!doc || diags.errors)
        return -1;
    define_all(program, doc);
    if (!ks_link(program))
        return -1;
    ks_plan *plan = ks_plan_new(program, NULL, 0, 3);
    ks_plan_run(plan);
    return ks_plan_get(plan, (int)doc->n - 1, 0, 0).i;
}

/* True if the limit was enough. */
static bool try_limit(size_t limit, const char *text, int64_t want)
{
    char row[32];
    int calls = 0;
    volatile bool enough = false;
    order[0] = '\0';
    ks_arena *arena = ks_arena_new(limit, jump_out, &calls);
    snprintf(row, sizeof row, "limit %zu", limit);
    if (!setjmp(full)) {
        CHECK_WHOLE(row, work(arena, text), want);
        enough = true;
    }
    CHECK_WHOLE(row, calls, !enough);
    CHECK(row, ks_arena_used(arena) <= limit);
    ks_arena_free(arena);
    /* Which cleanups there were depends on how far it came; the newer one runs first. */
    CHECK(row,
          strcmp(order, "ba") == 0 || (!enough && (order[0] == '\0' || strcmp(order, "a") == 0)));
    return enough;
}

/* Every 16 bytes, so that each single allocation is the one that fails. */
static void small_limits(void **state)
{
    (void)state;
    char *text = quantities(6);
    size_t limit = 16;
    while (!try_limit(limit, text, 17 + 3 * 5))
        limit += 16;
    CHECK("not all at once", limit > 8192);
    for (size_t more = 1; more < 200; more++)
        CHECK("more is enough too", try_limit(limit + 16 * more, text, 17 + 3 * 5));
    test_free(text);
}

static void large_limits(void **state)
{
    (void)state;
    char *text = quantities(800);
    size_t limit = 64 * 1024;
    int failures = 0;
    while (!try_limit(limit, text, 17 + 3 * 799)) {
        failures++;
        limit *= 2;
    }
    CHECK("some are too small", failures >= 3);
    CHECK("some are enough", limit <= (size_t)16 << 20);
    test_free(text);
}

/* Diagnostics need memory too. */
static void errors_at_small_limits(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "a: 17\nb: {c: 1}\na: 3\n",
        "a: \"b +\"\nb: \"flor(a)\"\nc: \"d + e\"\ndd: \"17 * 'x'\"\n",
        "a: &x [1]\n",
        "a: \"a + 3\"\n",
        "a: [1, 2\n",
    };
    for (size_t i = 0; i < KS_COUNT(texts); i++) {
        size_t limit = 16;
        while (!try_limit(limit, texts[i], -1))
            limit += 16;
        CHECK(texts[i], limit > 1024);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_limits),
        cmocka_unit_test(large_limits),
        cmocka_unit_test(errors_at_small_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
