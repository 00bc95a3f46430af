/* Dimensions, units, and quantities as they are read and printed. */
#include "support.h"

#include "base/unit.h"

typedef struct quantity_row {
    const char *text;
    enum ks_quantity_error error;
    double value; /* exact */
    ks_dim dim;
    bool has_unit;
} quantity_row;

static const quantity_row quantities[] = {
    {"94.08 GiB", KS_QUANTITY_OK, 94.08 * 1073741824.0, {1, 0, 0}, true},
    {"94.08 GB", KS_QUANTITY_OK, 94080000000.0, {1, 0, 0}, true},
    {"94.08GiB", KS_QUANTITY_OK, 94.08 * 1073741824.0, {1, 0, 0}, true},
    {" \t70272  B/token\n", KS_QUANTITY_OK, 70272, {1, 0, -1}, true},
    {"37 KiB", KS_QUANTITY_OK, 37888, {1, 0, 0}, true},
    {"37 kB", KS_QUANTITY_OK, 37000, {1, 0, 0}, true},
    {"37 KB", KS_QUANTITY_OK, 37000, {1, 0, 0}, true},
    {"37 MB", KS_QUANTITY_OK, 37000000, {1, 0, 0}, true},
    {"0.37 TB", KS_QUANTITY_OK, 370000000000, {1, 0, 0}, true},
    {"37 B", KS_QUANTITY_OK, 37, {1, 0, 0}, true},
    {"1 token", KS_QUANTITY_OK, 1, {0, 0, 1}, true},
    {"2.5 s", KS_QUANTITY_OK, 2.5, {0, 1, 0}, true},
    {"2.91 MiB", KS_QUANTITY_OK, 2.91 * 1048576.0, {1, 0, 0}, true},
    {"1.5 TiB", KS_QUANTITY_OK, 1649267441664.0, {1, 0, 0}, true},
    {"3.35 TB/s", KS_QUANTITY_OK, 3350000000000.0, {1, -1, 0}, true},
    {"64.3 GB/s", KS_QUANTITY_OK, 64300000000.0, {1, -1, 0}, true},
    {"17 bytes", KS_QUANTITY_OK, 17, {1, 0, 0}, true},
    {"1 byte", KS_QUANTITY_OK, 1, {1, 0, 0}, true},
    {"159215 tokens", KS_QUANTITY_OK, 159215, {0, 0, 1}, true},
    {"-20.64 GiB", KS_QUANTITY_OK, -20.64 * 1073741824.0, {1, 0, 0}, true},
    /* Fractions of a unit are what the decimal says, not a product with an inexact 0.001. */
    {"35 %", KS_QUANTITY_OK, 0.35, {0, 0, 0}, true},
    {"94%", KS_QUANTITY_OK, 0.94, {0, 0, 0}, true},
    {"9 ms", KS_QUANTITY_OK, 0.009, {0, 1, 0}, true},
    {"5 us", KS_QUANTITY_OK, 5e-6, {0, 1, 0}, true},
    {"7 ns", KS_QUANTITY_OK, 7e-9, {0, 1, 0}, true},
    {"5 B/ns", KS_QUANTITY_OK, 5e9, {1, -1, 0}, true},
    {"3 us/token", KS_QUANTITY_OK, 3e-6, {0, 1, -1}, true},
    {"13 tokens/s", KS_QUANTITY_OK, 13, {0, -1, 1}, true},
    {"6 B/token/s", KS_QUANTITY_OK, 6, {1, -1, -1}, true},
    {"7 MiB/KiB", KS_QUANTITY_OK, 7168, {0, 0, 0}, true},
    {"0.55", KS_QUANTITY_OK, 0.55, {0, 0, 0}, false},
    {"1e9", KS_QUANTITY_OK, 1e9, {0, 0, 0}, false},
    {"010", KS_QUANTITY_OK, 10, {0, 0, 0}, false},
    {"", KS_NOT_A_NUMBER, 0, {0, 0, 0}, false},
    {"GiB", KS_NOT_A_NUMBER, 0, {0, 0, 0}, false},
    {"yes", KS_NOT_A_NUMBER, 0, {0, 0, 0}, false},
    {"nan", KS_NOT_A_NUMBER, 0, {0, 0, 0}, false},
    {"1e400", KS_NOT_A_NUMBER, 0, {0, 0, 0}, false},
    {"1.7e308 GiB", KS_NOT_A_NUMBER, 0, {0, 0, 0}, false},
    {"1:30", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"0x1F", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 gib", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 Gb", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 GiBs", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 GiB/", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 GiB/x", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 /s", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"5 GiB 3", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"3,7 GiB", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
    {"85 %%", KS_UNKNOWN_UNIT, 0, {0, 0, 0}, false},
};

static void reading(void **state)
{
    (void)state;
    for (size_t i = 0; i < KS_COUNT(quantities); i++) {
        const quantity_row *r = &quantities[i];
        ks_quantity q = {.value = -271.5, .has_unit = true};
        CHECK_WHOLE(r->text, ks_parse_quantity(ks_from_c(r->text), &q), r->error);
        if (r->error != KS_QUANTITY_OK)
            continue;
        CHECK_REAL(r->text, q.value, r->value, 0);
        CHECK(r->text, ks_same_dim(q.dim, r->dim));
        CHECK_WHOLE(r->text, q.has_unit, r->has_unit);
    }
}

/* A unit at the start of a text: how far it goes. */
static void units_in_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        double scale;
    } rows[] = {
        {"GiB + x", 3, 1073741824.0},
        {"GB/s * 2", 4, 1e9},
        {"GB/x", 2, 1e9},
        {"GB / s", 2, 1e9},
        {"B/token)", 7, 1},
        {"ms", 2, 1e-3},
        {"%", 1, 0.01},
        {"% of", 1, 0.01},
        {"tokens.", 6, 1},
        /* Names that begin as a unit does are no units. */
        {"tokens_max", 0, 0},
        {"s2", 0, 0},
        {"token.size", 0, 0},
        {"GiB/token.size", 3, 1073741824.0},
        {"GB/s_max", 2, 1e9},
        {"and x", 0, 0},
        {"", 0, 0},
        {"/s", 0, 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        double scale = 0;
        ks_dim dim;
        CHECK_WHOLE(rows[i].text, ks_parse_unit(ks_from_c(rows[i].text), &scale, &dim), rows[i].n);
        if (rows[i].n)
            CHECK_REAL(rows[i].text, scale, rows[i].scale, 0);
    }
}

static void dimensions(void **state)
{
    world *w = *state;
    static const struct {
        ks_dim dim;
        const char *words, *symbol;
        bool whole, named;
    } rows[] = {
        {{0, 0, 0}, "plain numbers", "1", false, true},
        {{1, 0, 0}, "bytes", "byte", true, true},
        {{0, 0, 1}, "tokens", "token", true, true},
        {{1, 0, -1}, "bytes/token", "byte/token", true, true},
        {{0, 1, 0}, "seconds", "s", false, true},
        {{1, -1, 0}, "bytes/second", "byte/s", false, true},
        {{2, 0, 0}, "bytes^2", "byte^2", false, false},
        {{1, -1, -2}, "bytes/second/token^2", "byte/s/token^2", false, false},
        {{1, 1, 1}, "bytes*seconds*tokens", "byte*s*token", false, false},
        {{0, -1, 0}, "1/seconds", "1/s", false, false},
        {{-1, 0, 1}, "tokens/bytes", "token/byte", false, false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK_TEXT(rows[i].symbol, ks_dim_words(w->arena, rows[i].dim), rows[i].words);
        CHECK_TEXT(rows[i].symbol, ks_dim_symbol(w->arena, rows[i].dim), rows[i].symbol);
        CHECK_WHOLE(rows[i].symbol, ks_dim_is_whole(rows[i].dim), rows[i].whole);
        CHECK_TEXT(rows[i].symbol, ks_from_c(ks_dim_name(rows[i].dim)),
                   rows[i].named ? rows[i].symbol : "?");
        for (size_t k = 0; k < KS_COUNT(rows); k++) {
            ks_dim back = ks_dim_over(ks_dim_times(rows[i].dim, rows[k].dim), rows[k].dim);
            CHECK(rows[i].symbol, ks_same_dim(back, rows[i].dim));
            CHECK_WHOLE(rows[i].symbol, ks_same_dim(rows[i].dim, rows[k].dim), i == k);
        }
    }
    ks_dim high = {1, 0, 0};
    for (int i = 0; i < 9; i++)
        high = ks_dim_times(high, high); /* 2^9 does not fit an exponent */
    CHECK("exponents do not wrap", high.byte == 100);
}

static void showing(void **state)
{
    world *w = *state;
    static const struct {
        double value;
        ks_dim dim;
        bool whole;
        const char *want;
    } rows[] = {
        {101015343104.0, {1, 0, 0}, true, "94.078 GiB"},
        {170848406805.0, {1, 0, 0}, true, "159.11 GiB"},
        {1325607081423.0, {1, 0, 0}, true, "1234.6 GiB"},
        {1048575, {1, 0, 0}, true, "1,048,575 B"},
        {1048576, {1, 0, 0}, true, "1 MiB"},
        {3051356, {1, 0, 0}, true, "2.91 MiB"},
        {-22162193367.0, {1, 0, 0}, true, "-20.64 GiB"},
        {10995116277760.0, {1, 0, 0}, true, "10 TiB"},
        {13574207717685.0, {1, 0, 0}, true, "12.346 TiB"},
        {10485718.05696, {1, 0, 0}, false, "10 MiB"},
        {17, {1, 0, 0}, true, "17 B"},
        {-391.5, {1, 0, 0}, false, "-391 B"},
        /* Whole KiB, if there are more than a few. */
        {71680, {1, 0, 0}, true, "70 KiB"},
        {1047552, {1, 0, 0}, true, "1023 KiB"},
        {-16384, {1, 0, 0}, true, "-16 KiB"},
        {15360, {1, 0, 0}, true, "15,360 B"},
        {71681, {1, 0, 0}, true, "71,681 B"},
        {70272, {1, 0, -1}, true, "70,272 B/token"},
        {159215, {0, 0, 1}, true, "159,215 tokens"},
        {1, {0, 0, 1}, true, "1 token"},
        {2.5, {0, 0, 1}, false, "2.5 tokens"},
        {0.55, {0, 0, 0}, false, "0.55"},
        {0.8485, {0, 0, 0}, false, "0.8485"},
        {0.123456789, {0, 0, 0}, false, "0.1235"},
        {0.000123456789, {0, 0, 0}, false, "0.0001235"},
        {-0.00001, {0, 0, 0}, false, "-1e-05"},
        {-0.0, {0, 0, 0}, false, "0"},
        {31.0078125, {0, 0, 0}, false, "31.008"},
        {1234567, {0, 0, 0}, true, "1,234,567"},
        {1234567.8, {0, 0, 0}, false, "1234568"},
        {1234567.8, {0, 0, 0}, true, "1234568"}, /* not whole, whatever is said */
        {3.7, {0, 1, 0}, false, "3.7 s"},
        {0.0371, {0, 1, 0}, false, "37.1 ms"},
        {0.00000371, {0, 1, 0}, false, "3.71 us"},
        {-0.0371, {0, 1, 0}, false, "-37.1 ms"},
        {0, {0, 1, 0}, false, "0 s"},
        {64.3e9, {1, -1, 0}, false, "64.3 GB/s"},
        {13.5, {0, -1, 1}, false, "13.5 token/s"},
        {(double)NAN, {1, 0, 0}, true, "unknown"},
        {(double)INFINITY, {0, 0, 1}, true, "unknown"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i].want, ks_show(w->arena, rows[i].value, rows[i].dim, rows[i].whole),
                   rows[i].want);
}

static void showing_in_a_unit(void **state)
{
    world *w = *state;
    static const struct {
        double value;
        ks_dim dim;
        const char *unit;
        int decimals;
        const char *want;
    } rows[] = {
        {101015343104.0, {1, 0, 0}, "GiB", 2, "94.08"},
        {101015343104.0, {1, 0, 0}, "GB", 2, "101.02"},
        {-22162193367.0, {1, 0, 0}, "GiB", 3, "-20.640"},
        {-1000000.0, {1, 0, 0}, "GiB", 2, "0.00"}, /* no minus zero */
        {-10000000.0, {1, 0, 0}, "GiB", 2, "-0.01"},
        {0.0371, {0, 1, 0}, "ms", 1, "37.1"},
        {0.8485, {0, 0, 0}, "%", 1, "84.9"},
        {0.8485, {0, 0, 0}, "", 2, "0.85"},
        {159215, {0, 0, 1}, "tokens", 0, "159215"},
        {64.3e9, {1, -1, 0}, "GB/s", 1, "64.3"},
        {101015343104.0, {1, 0, 0}, "tokens", 2, "94.078 GiB"}, /* another dimension */
        {101015343104.0, {1, 0, 0}, "Gb", 2, "94.078 GiB"},
        {101015343104.0, {1, 0, 0}, "GiB ", 2, "94.078 GiB"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i].want,
                   ks_show_in(w->arena, rows[i].value, rows[i].dim, ks_from_c(rows[i].unit),
                              rows[i].decimals),
                   rows[i].want);
}

static void showing_whole_numbers(void **state)
{
    world *w = *state;
    static const struct {
        int64_t value;
        const char *want;
    } rows[] = {
        {0, "0"},
        {17, "17"},
        {-391, "-391"},
        {1000, "1,000"},
        {-159215, "-159,215"},
        {101015343104, "101,015,343,104"},
        {INT64_MAX, "9,223,372,036,854,775,807"},
        {INT64_MIN, "-9,223,372,036,854,775,808"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i].want, ks_show_whole(w->arena, rows[i].value), rows[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading),   cmocka_unit_test(units_in_texts),
        IN_WORLD(dimensions),        IN_WORLD(showing),
        IN_WORLD(showing_in_a_unit), IN_WORLD(showing_whole_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
