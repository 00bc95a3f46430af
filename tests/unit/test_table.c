/* The hash table from names to small integers. */
#include "support.h"

#include "base/table.h"

static void puts_and_gets(void **state)
{
    world *w = *state;
    ks_table table = {.arena = w->arena};
    CHECK_WHOLE("empty", ks_table_get(&table, KS_STR("kv.cell")), KS_ABSENT);
    ks_table_put(&table, KS_STR("kv.cell"), 3917);
    ks_table_put(&table, KS_STR(""), 271);
    ks_table_put(&table, KS_STR("a\0b"), 828);
    CHECK_WHOLE("kv.cell", ks_table_get(&table, KS_STR("kv.cell")), 3917);
    CHECK_WHOLE("kv.cel", ks_table_get(&table, KS_STR("kv.cel")), KS_ABSENT);
    CHECK_WHOLE("empty key", ks_table_get(&table, (ks_str){NULL, 0}), 271);
    CHECK_WHOLE("NUL inside", ks_table_get(&table, KS_STR("a\0b")), 828);
    CHECK_WHOLE("NUL inside", ks_table_get(&table, KS_STR("a\0c")), KS_ABSENT);
    ks_table_put(&table, KS_STR("kv.cell"), 46);
    CHECK_WHOLE("set anew", ks_table_get(&table, KS_STR("kv.cell")), 46);
    CHECK_WHOLE("count", table.n, 3);
}

/* Twenty thousand keys, put in two orders: found all, and nothing else. */
static void many_keys(void **state)
{
    world *w = *state;
    enum { KEYS = 20011 };
    ks_table table = {.arena = w->arena};
    for (int i = 0; i < KEYS; i++) {
        int k = (int)(((int64_t)i * 7919) % KEYS);
        ks_table_put(&table, ks_format(w->arena, "layer.%d.weight", k), k * 3);
    }
    CHECK_WHOLE("count", table.n, KEYS);
    for (int k = 0; k < KEYS; k++) {
        const char *row = ks_format(w->arena, "layer.%d.weight", k).s;
        CHECK_WHOLE(row, ks_table_get(&table, ks_from_c(row)), k * 3);
        row = ks_format(w->arena, "layer.%d.bias", k).s;
        CHECK_WHOLE(row, ks_table_get(&table, ks_from_c(row)), KS_ABSENT);
    }
}

/* The hash that table.c uses, so that keys can be made to fall on one slot. */
static uint64_t hash(ks_str key)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < key.n; i++)
        h = (h ^ (unsigned char)key.s[i]) * 1099511628211u;
    return h ^ (h >> 29);
}

/* Keys that all want the last of 4,096 slots: the search goes round the end of the table. */
static void collisions(void **state)
{
    world *w = *state;
    enum { WANTED = 150 };
    ks_table table = {.arena = w->arena};
    ks_str keys[WANTED + 1];
    int n = 0;
    for (int i = 0; n <= WANTED; i++) {
        ks_str key = ks_format(w->arena, "c%d", i);
        if ((hash(key) & 4095) == 4095)
            keys[n++] = key;
    }
    for (int i = 0; i < WANTED; i++)
        ks_table_put(&table, keys[i], 5 * i + 2);
    for (int i = 0; i < WANTED; i++)
        CHECK_WHOLE(keys[i].s, ks_table_get(&table, keys[i]), 5 * i + 2);
    CHECK_WHOLE("one that is not there", ks_table_get(&table, keys[WANTED]), KS_ABSENT);
    CHECK_WHOLE("count", table.n, WANTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(puts_and_gets),
        IN_WORLD(many_keys),
        IN_WORLD(collisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
