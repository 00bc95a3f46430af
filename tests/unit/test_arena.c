/* The arena: alignment, zeroes, limits, and cleanups in their order. */
#include "support.h"

/* ---- Memory ---------------------------------------------------------------------------------- */

static void memory_is_zero_aligned_and_apart(void **state)
{
    world *w = *state;
    unsigned char *before = NULL;
    size_t sum = 0, last = 0;
    for (size_t i = 1; i < 900; i++) {
        size_t size = i * 37 % 4099 + 1;
        unsigned char *p = ks_alloc(w->arena, size, 1);
        CHECK_WHOLE("alignment", (uintptr_t)p % 16, 0);
        for (size_t k = 0; k < size; k++)
            CHECK_WHOLE("zero", p[k], 0);
        memset(p, 0xa5, size);
        if (before)
            CHECK_WHOLE("the one before is whole", before[last - 1], 0xa5);
        before = p;
        last = size;
        sum += size;
    }
    CHECK("used", ks_arena_used(w->arena) >= sum && ks_arena_used(w->arena) < sum + 900 * 16);
    assert_non_null(ks_alloc(w->arena, 0, 48));
    assert_non_null(ks_alloc(w->arena, 3, 5 << 20)); /* more than any block */
}

static void arrays_grow(void **state)
{
    world *w = *state;
    struct {
        int64_t *items;
        size_t n, capacity;
    } list = {0};
    for (int64_t i = 0; i < 10007; i++)
        *KS_PUSH(w->arena, &list) = i * i - 7;
    CHECK_WHOLE("n", list.n, 10007);
    for (int64_t i = 0; i < 10007; i++)
        CHECK_WHOLE("item", list.items[i], i * i - 7);
    CHECK("the next one is zeroed", *KS_PUSH(w->arena, &list) == 0);
}

/* ---- The limit ------------------------------------------------------------------------------- */

static jmp_buf full;

static void jump_out(void *context)
{
    *(int *)context += 1;
    longjmp(full, 1);
}

/* Takes pieces until the arena is full; how many bytes it gave. */
static size_t fill(ks_arena *arena, size_t piece)
{
    volatile size_t given = 0;
    if (setjmp(full))
        return given;
    for (;;) {
        memset(ks_alloc(arena, piece, 1), 1, piece);
        given += piece;
    }
}

static void the_limit_holds(void **state)
{
    (void)state;
    static const struct {
        size_t limit, piece;
    } rows[] = {
        {48, 48},        {1000, 16},       {65536, 48},   {65536, 65536},      {131072, 4096},
        {200000, 70000}, {3000000, 12352}, {7 << 20, 96}, {10 << 20, 5 << 20},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        char row[64];
        int calls = 0;
        ks_arena *arena = ks_arena_new(rows[i].limit, jump_out, &calls);
        size_t given = fill(arena, rows[i].piece);
        snprintf(row, sizeof row, "limit %zu, pieces of %zu", rows[i].limit, rows[i].piece);
        CHECK(row, given <= rows[i].limit);
        /* What is lost to the ends of blocks is less than a piece for each block. */
        CHECK(row, given + 8 * rows[i].piece > rows[i].limit);
        CHECK_WHOLE(row, calls, 1);
        CHECK_WHOLE(row, ks_arena_used(arena), given);
        /* Full once is not full for ever: something small may still fit, and nothing breaks. */
        fill(arena, 16);
        CHECK(row, ks_arena_used(arena) <= rows[i].limit);
        CHECK_WHOLE(row, calls, 2);
        ks_arena_free(arena);
    }
}

/* True if there is room for so many objects of this size. */
static bool has_room(ks_arena *arena, size_t count, size_t size)
{
    if (setjmp(full))
        return false;
    ks_alloc(arena, count, size);
    return true;
}

static void sizes_do_not_overflow(void **state)
{
    (void)state;
    static const size_t rows[][2] = {
        {SIZE_MAX, 1},        {1, SIZE_MAX},       {SIZE_MAX / 3, 5}, {(SIZE_MAX >> 4) + 2, 16},
        {SIZE_MAX, SIZE_MAX}, {(1u << 30) + 1, 1},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        char row[64];
        int calls = 0;
        ks_arena *arena = ks_arena_new(0, jump_out, &calls);
        snprintf(row, sizeof row, "%zu of %zu", rows[i][0], rows[i][1]);
        CHECK(row, !has_room(arena, rows[i][0], rows[i][1]));
        CHECK_WHOLE(row, calls, 1);
        CHECK(row, has_room(arena, 397, 12));
        ks_arena_free(arena);
    }
    ks_arena_free(NULL);
}

/* ---- Cleanups -------------------------------------------------------------------------------- */

static char order[64];

static void note_letter(void *object)
{
    size_t n = strlen(order);
    order[n] = *(const char *)object;
    order[n + 1] = '\0';
}

/* Each letter is a cleanup that was registered in this order; `done` are finished early, in that
 * order; then all since `mark` are unwound ('-': none), then the arena is freed. */
static void cleanups_run_newest_first_and_once(void **state)
{
    (void)state;
    static const struct {
        const char *registered, *done;
        char mark;
        const char *want;
    } rows[] = {
        {"abcde", "", '-', "|edcba"},
        {"abcde", "", 'c', "ed|cba"},
        {"abcde", "e", '-', "e|dcba"},
        {"abcde", "b", '-', "b|edca"},
        {"abcde", "bd", 'a', "bdec|a"},
        {"abcde", "edcba", '-', "edcba|"},
        {"abcde", "abcde", '-', "abcde|"},
        {"abcde", "ca", 'b', "caed|b"},
        {"", "", '-', "|"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_arena *arena = ks_arena_new(0, no_memory, NULL);
        ks_cleanup *cleanups[8] = {0};
        char letters[8];
        size_t n = strlen(rows[i].registered);
        const ks_cleanup *mark = NULL;
        memcpy(letters, rows[i].registered, n + 1);
        order[0] = '\0';
        for (size_t k = 0; k < n; k++) {
            cleanups[k] = ks_defer(arena, note_letter, &letters[k]);
            if (letters[k] == rows[i].mark)
                mark = ks_arena_mark(arena);
        }
        for (const char *c = rows[i].done; *c; c++)
            ks_finish(arena, cleanups[strchr(letters, *c) - letters]);
        if (mark)
            ks_arena_unwind(arena, mark);
        char bar = '|';
        note_letter(&bar);
        ks_arena_free(arena);
        CHECK_TEXT(rows[i].registered, ks_from_c(order), rows[i].want);
    }
}

static void unwinding_leaves_memory_alone(void **state)
{
    world *w = *state;
    static char letters[] = "xy";
    order[0] = '\0';
    const ks_cleanup *mark = ks_arena_mark(w->arena);
    ks_str kept = ks_copy(w->arena, KS_STR("70,272 B/token"));
    ks_defer(w->arena, note_letter, &letters[0]);
    ks_defer(w->arena, note_letter, &letters[1]);
    ks_arena_unwind(w->arena, mark);
    CHECK_TEXT("order", ks_from_c(order), "yx");
    CHECK_TEXT("memory", kept, "70,272 B/token");
    CHECK("none is left", ks_arena_mark(w->arena) == NULL);
    ks_arena_unwind(w->arena, NULL);
    CHECK_TEXT("once", ks_from_c(order), "yx");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(memory_is_zero_aligned_and_apart),
        IN_WORLD(arrays_grow),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(sizes_do_not_overflow),
        cmocka_unit_test(cleanups_run_newest_first_and_once),
        IN_WORLD(unwinding_leaves_memory_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
