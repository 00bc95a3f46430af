/* Whole numbers, roundings and decimal texts. The expected values of ks_py_floor_div(),
 * ks_py_round() and ks_shortest() are what Python prints for a // b, round(x, n) and repr(x). */
#include "support.h"

#include "base/num.h"
#include "base/unit.h"

#include <locale.h>

typedef bool (*whole_fn)(int64_t a, int64_t b, int64_t *result);

typedef struct whole_row {
    const char *name;
    whole_fn run;
    int64_t a, b;
    bool fits;
    int64_t want;
} whole_row;

/* clang-format off */
#define ROW(run, a, b, want) {#run "(" #a ", " #b ")", run, a, b, true, want}
#define OVER(run, a, b) {#run "(" #a ", " #b ")", run, a, b, false, 0}
/* clang-format on */

static const whole_row whole_rows[] = {
    ROW(ks_add64, 94083219456, -101015343104, -6932123648),
    ROW(ks_add64, INT64_MAX - 70272, 70272, INT64_MAX),
    ROW(ks_add64, INT64_MIN + 17, -17, INT64_MIN),
    OVER(ks_add64, INT64_MAX - 70271, 70272),
    OVER(ks_add64, INT64_MIN + 16, -17),
    ROW(ks_sub64, 21715353600, 48318382081, -26603028481),
    ROW(ks_sub64, -1, INT64_MAX, INT64_MIN),
    OVER(ks_sub64, -2, INT64_MAX),
    OVER(ks_sub64, 0, INT64_MIN),
    ROW(ks_mul64, 159215, 70272, 11188356480),
    ROW(ks_mul64, -3037000499, 3037000499, -9223372030926249001),
    OVER(ks_mul64, 3037000500, 3037000500),
    OVER(ks_mul64, INT64_MIN, -1),
    ROW(ks_floor_div64, 102174212669, 70272, 1453981),
    ROW(ks_floor_div64, -102174212669, 70272, -1453982),
    ROW(ks_floor_div64, 102174212669, -70272, -1453982),
    ROW(ks_floor_div64, -102174212669, -70272, 1453981),
    ROW(ks_floor_div64, -491904, 70272, -7),
    ROW(ks_floor_div64, -3, 5, -1),
    ROW(ks_floor_div64, 3, -5, -1),
    ROW(ks_floor_div64, 0, -5, 0),
    ROW(ks_floor_div64, INT64_MIN, 1, INT64_MIN),
    ROW(ks_floor_div64, INT64_MIN, 3, -3074457345618258603),
    ROW(ks_floor_div64, INT64_MAX, INT64_MIN, -1),
    OVER(ks_floor_div64, 70272, 0),
    OVER(ks_floor_div64, INT64_MIN, -1),
    ROW(ks_round_down64, 159215, 64, 159168),
    ROW(ks_round_down64, -159215, 64, -159232),
    ROW(ks_round_down64, 159232, 64, 159232),
    ROW(ks_round_down64, INT64_MAX, 1000, 9223372036854775000),
    ROW(ks_round_down64, -9223372036854775000, 1000, -9223372036854775000),
    OVER(ks_round_down64, INT64_MIN, 1000),
    OVER(ks_round_down64, 159215, 0),
    OVER(ks_round_down64, 159215, -64),
    ROW(ks_round_up64, 159215, 64, 159232),
    ROW(ks_round_up64, -159215, 64, -159168),
    ROW(ks_round_up64, -159232, 64, -159232),
    ROW(ks_round_up64, -3, 5, 0),
    /* The result fits though the multiple below does not. */
    ROW(ks_round_up64, INT64_MIN, 1000, -9223372036854775000),
    ROW(ks_round_up64, INT64_MIN + 1, INT64_MAX, -INT64_MAX),
    OVER(ks_round_up64, INT64_MAX, 1000),
    OVER(ks_round_up64, 159215, 0),
};

static void whole_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < KS_COUNT(whole_rows); i++) {
        const whole_row *r = &whole_rows[i];
        int64_t result = 7919;
        CHECK_WHOLE(r->name, r->run(r->a, r->b, &result), r->fits);
        if (r->fits)
            CHECK_WHOLE(r->name, result, r->want);
    }
}

/* a = q * step + r holds for all four roundings of pseudo-random pairs. */
static void roundings_agree_with_division(void **state)
{
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (int i = 0; i < 5000; i++) {
        int64_t a, step, q, down, up;
        char row[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        a = (int64_t)seed >> (seed % 40);
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        step = (int64_t)(seed >> (17 + seed % 45)) + 1;
        snprintf(row, sizeof row, "%lld, %lld", (long long)a, (long long)step);
        if (!ks_round_down64(a, step, &down) || !ks_round_up64(a, step, &up))
            continue; /* near the ends */
        CHECK(row, ks_floor_div64(a, step, &q));
        CHECK_WHOLE(row, down, q * step);
        CHECK(row, down <= a && a - down < step);
        CHECK_WHOLE(row, up, down == a ? a : down + step);
    }
}

static void exact_conversion(void **state)
{
    (void)state;
    static const struct {
        double x;
        bool whole;
        int64_t want;
    } rows[] = {
        {101015343104.0, true, 101015343104},
        {-17.0, true, -17},
        {-17.25, false, 0},
        {0.9999999999999999, false, 0},
        {4503599627370497.0, true, 4503599627370497},
        {-9223372036854775808.0, true, INT64_MIN},
        {9223372036854774784.0, true, 9223372036854774784},
        {9223372036854775808.0, false, 0},
        {-9223372036854777856.0, false, 0},
        {(double)INFINITY, false, 0},
        {(double)NAN, false, 0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        char row[32];
        int64_t result = 7919;
        snprintf(row, sizeof row, "%.17g", rows[i].x);
        CHECK_WHOLE(row, ks_to_whole(rows[i].x, &result), rows[i].whole);
        if (rows[i].whole)
            CHECK_WHOLE(row, result, rows[i].want);
    }
}

static void python_floor_division(void **state)
{
    (void)state;
    static const struct {
        double a, b, want;
    } rows[] = {
        {94.08, 0.1, 940.0},
        {1.0, 0.1, 9.0},
        {0.3, 0.1, 2.0},
        {-0.3, 0.1, -3.0},
        {0.3, -0.1, -3.0},
        {7.5, -2.5, -3.0},
        {-7.5, 2.5, -3.0},
        {1e+17, 3.0, 3.3333333333333332e+16},
        {6.02e+23, 7.7, 7.818181818181818e+22},
        {-6.02e+23, 7.7, -7.818181818181818e+22},
        {5.25, (double)INFINITY, 0.0},
        {-5.25, (double)INFINITY, -1.0},
        {17.0, -5.0, -4.0},
        {-17.0, -5.0, 3.0},
        {9007199254740994.0, 3.0, 3002399751580330.0},
        {102174212669.0, 70272.0, 1453981.0},
        {84850000000.0, 70272.0, 1207451.0},
        {1e-300, 1e+300, 0.0},
        {-1e-300, 1e+300, -1.0},
        {123456.789, 0.001, 123456789.0},
        {12574664403592.273, 5.10160400107178e-05, 2.46484525277746e+17},
        {215830687427775.12, 0.005890900527548029, 3.663797859401479e+16},
        {4.816002449778393, 4.6083589318162967e-05, 104505.0},
        {817523057179551.1, 771.643022472992, 1059457590323.0},
        {8320732669157096.0, -5.267502836588945e-07, -1.5796351567881298e+22},
        {-39191699722496.25, -0.0005688438091853685, 6.889711919098146e+16},
        {-0.005463084105111304, -0.1656380124365564, 0.0},
        {7.564464839699136e+16, -0.38590166717109464, -1.960205275906551e+17},
        {-17344.040928413797, 0.4126972725400937, -42027.0},
        {-2093139340.054928, -80773.32102322544, 25913.0},
        {2716208432.726663, 0.09322000213635812, 29137613929.0},
        {-3204147.1302560987, 356479.475833984, -9.0},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        char row[64];
        snprintf(row, sizeof row, "%.17g // %.17g", rows[i].a, rows[i].b);
        CHECK_REAL(row, ks_py_floor_div(rows[i].a, rows[i].b), rows[i].want, 0);
    }
    /* Not what floor(a / b) gives. */
    CHECK_REAL("floor(1 / 0.1)", floor(1.0 / 0.1), 10.0, 0);
}

typedef struct round_row {
    double x;
    int digits;
    double want;
} round_row;

static const round_row round_rows[] = {
    {0.8485, 3, 0.849},
    {2.675, 2, 2.67},
    {0.5, 0, 0.0},
    {1.5, 0, 2.0},
    {2.5, 0, 2.0},
    {-0.5, 0, -0.0},
    {-1.5, 0, -2.0},
    {0.0005, 3, 0.001},
    {0.0015, 3, 0.002},
    {1.005, 2, 1.0},
    {8.5e-16, 15, 1e-15},
    {0.30000000000000004, 15, 0.3},
    {0.125, 2, 0.12},
    {0.375, 2, 0.38},
    {-2.675, 2, -2.67},
    {1234567.8951, 3, 1234567.895},
    {5000000000000000.0, 0, 5000000000000000.0},
    {4503599627370498.0, 0, 4503599627370498.0},
    {9007199254740992.0, 0, 9007199254740992.0},
    {1e+22, 5, 1e+22},
    {1.7976931348623157e+308, 15, 1.7976931348623157e+308},
    {5e-324, 15, 0.0},
    {3.0000000000000004, 15, 3.0},
    {6.7399999999999975, 15, 6.739999999999998},
    {0.9995, 3, 1.0},
    {99.995, 2, 100.0},
    {0.285, 2, 0.28},
    {1.115, 2, 1.11},
    {0.0025, 3, 0.003},
    {-103.083186585, 8, -103.08318659},
    {411.560986075, 8, 411.56098608},
    {-53.5635, 3, -53.563},
    {966.8421715, 6, 966.842171},
    {-38.8833365, 6, -38.883336},
    {614.9117365, 6, 614.911736},
    {-314.182425, 5, -314.18243},
    {-755.0, 0, -755.0},
    {-870.85, 1, -870.9},
    {-5935.0, 0, -5935.0},
};

static void check_python_round(void)
{
    for (size_t i = 0; i < KS_COUNT(round_rows); i++) {
        const round_row *r = &round_rows[i];
        char row[64];
        snprintf(row, sizeof row, "round(%.17g, %d)", r->x, r->digits);
        CHECK_REAL(row, ks_py_round(r->x, r->digits), r->want, 0);
    }
}

static void python_round(void **state)
{
    (void)state;
    check_python_round();
    CHECK_REAL("NaN", ks_py_round((double)NAN, 3), (double)NAN, 0);
    CHECK_REAL("-1 digits", ks_py_round(1234.5678, -1), 1234.5678, 0);
    CHECK_REAL("16 digits", ks_py_round(0.12345678901234567, 16), 0.12345678901234567, 0);
    CHECK_REAL("inf", ks_py_round(-(double)INFINITY, 3), -(double)INFINITY, 0);
}

typedef struct repr_row {
    double x;
    const char *want;
} repr_row;

static const repr_row repr_rows[] = {
    {100.0, "100.0"},
    {120000.0, "120000.0"},
    {0.55, "0.55"},
    {1e-07, "1e-07"},
    {94.08, "94.08"},
    {123456789.0, "123456789.0"},
    {1000000000000000.0, "1000000000000000.0"},
    {1e+16, "1e+16"},
    {1.2345678901234568e+17, "1.2345678901234568e+17"},
    {9999999999999998.0, "9999999999999998.0"},
    {1e+22, "1e+22"},
    {0.0001, "0.0001"},
    {0.0001234, "0.0001234"},
    {1e-05, "1e-05"},
    {1.234e-05, "1.234e-05"},
    {-0.0, "-0.0"},
    {0.0, "0.0"},
    {-17.25, "-17.25"},
    {5e-324, "5e-324"},
    {1.7976931348623157e+308, "1.7976931348623157e+308"},
    {2.2250738585072014e-308, "2.2250738585072014e-308"},
    {0.30000000000000004, "0.30000000000000004"},
    {0.3333333333333333, "0.3333333333333333"},
    {-6.666666666666667e-06, "-6.666666666666667e-06"},
    {101015343104.0, "101015343104.0"},
    {4503599627370498.0, "4503599627370498.0"},
    {9007199254740992.0, "9007199254740992.0"},
    {0.8485, "0.8485"},
    {1e+100, "1e+100"},
    {1.5e+300, "1.5e+300"},
    {(double)INFINITY, "inf"},
    {-(double)INFINITY, "-inf"},
    {(double)NAN, "nan"},
    {2500000000000000.0, "2500000000000000.0"},
    {1234567890123456.8, "1234567890123456.8"},
    {3.4714532447235435e-69, "3.4714532447235435e-69"},
    {2.659674978641585e+174, "2.659674978641585e+174"},
    {3.4431998735915213e+21, "3.4431998735915213e+21"},
    {6.24770261764833e+193, "6.24770261764833e+193"},
    {3.628445760235195e+218, "3.628445760235195e+218"},
    {2.597803375623814e+164, "2.597803375623814e+164"},
    {5.601287815293236e+102, "5.601287815293236e+102"},
    {3.654305474894529e+16, "3.654305474894529e+16"},
    {4.754049204063801e-154, "4.754049204063801e-154"},
    {1.1528014412254445e-278, "1.1528014412254445e-278"},
    {3.0234511884271645e+147, "3.0234511884271645e+147"},
    {2.0314652114525158e+111, "2.0314652114525158e+111"},
    {1054.6312057748564, "1054.6312057748564"},
    {10238547540.89628, "10238547540.89628"},
    {0.0006239052954354474, "0.0006239052954354474"},
    {6792266.394329258, "6792266.394329258"},
    {-4881469.390599831, "-4881469.390599831"},
    {-54566038767.972145, "-54566038767.972145"},
    {-259186.16070416922, "-259186.16070416922"},
    {6.570425938752773e+17, "6.570425938752773e+17"},
};

static void check_shortest(ks_arena *arena)
{
    for (size_t i = 0; i < KS_COUNT(repr_rows); i++)
        CHECK_TEXT(repr_rows[i].want, ks_shortest(arena, repr_rows[i].x), repr_rows[i].want);
}

static void shortest_text(void **state)
{
    world *w = *state;
    check_shortest(w->arena);
}

/* What is printed reads back as the same bits. */
static void shortest_reads_back(void **state)
{
    world *w = *state;
    uint64_t seed = 2463534242u;
    for (int i = 0; i < 3000; i++) {
        double x, back = 0;
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t bits = seed ^ (seed >> 29);
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        ks_str text = ks_shortest(w->arena, x);
        const char *row = ks_to_c(w->arena, text);
        CHECK_WHOLE(row, ks_parse_decimal(text, &back), text.n);
        CHECK_REAL(row, back, x, 0);
    }
}

typedef struct decimal_row {
    const char *text;
    size_t n;
    double want;
} decimal_row;

static const decimal_row decimal_rows[] = {
    {"94.08 GiB", 5, 94.08},
    {"-3", 2, -3},
    {"+17.25x", 6, 17.25},
    {"1e9", 3, 1e9},
    {"2.5E-3s", 6, 0.0025},
    {"7e", 1, 7},
    {"7e+", 1, 7},
    {"7e+2", 4, 700},
    {".625", 4, 0.625},
    {"31.", 3, 31},
    {"0x1F", 1, 0},
    {"010", 3, 10},
    {"1:30", 1, 1},
    {"1_000", 1, 1},
    {"3,7", 1, 3},
    {"0.8485", 6, 0.8485},
    {"9007199254740993", 16, 9007199254740992.0},
    {"1e400", 5, (double)INFINITY},
    {"", 0, 0},
    {"-", 0, 0},
    {".", 0, 0},
    {"-.e5", 0, 0},
    {"inf", 0, 0},
    {"nan", 0, 0},
    {"e9", 0, 0},
    {" 5", 0, 0},
    {"--5", 0, 0},
};

static void check_decimals(void)
{
    for (size_t i = 0; i < KS_COUNT(decimal_rows); i++) {
        const decimal_row *r = &decimal_rows[i];
        double value = -271.5;
        CHECK_WHOLE(r->text, ks_parse_decimal(ks_from_c(r->text), &value), r->n);
        if (r->n)
            CHECK_REAL(r->text, value, r->want, 0);
    }
}

static void decimals(void **state)
{
    (void)state;
    check_decimals();
}

/* The text need not end in a NUL, and a number of any length is a number or nothing. */
static void decimals_end_where_the_text_ends(void **state)
{
    (void)state;
    char many[300];
    double value = 0;
    CHECK_WHOLE("cut", ks_parse_decimal((ks_str){"123456", 3}, &value), 3);
    CHECK_REAL("cut", value, 123, 0);
    memset(many, '7', sizeof many);
    CHECK_WHOLE("255 digits", ks_parse_decimal((ks_str){many, 255}, &value), 255);
    CHECK_REAL("255 digits", value, 7.7777777777777778e254, 1e-15);
    CHECK_WHOLE("256 digits", ks_parse_decimal((ks_str){many, 256}, &value), 0);
}

/* A host program may have called setlocale(); numbers must not care. */
static void numbers_ignore_the_locale(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8",
                                        "pt_BR.UTF-8"};
    world *w = *state;
    size_t i = 0;
    while (i < KS_COUNT(names) && !setlocale(LC_ALL, names[i]))
        i++;
    if (i == KS_COUNT(names) || strcmp(localeconv()->decimal_point, ",") != 0)
        skip();
    check_decimals();
    check_python_round();
    check_shortest(w->arena);
    CHECK_TEXT("GiB", ks_show(w->arena, 101015343104.0, KS_BYTE, true), "94.078 GiB");
    CHECK_TEXT("plain", ks_show(w->arena, 0.00012345678, KS_NO_DIM, false), "0.0001235");
    CHECK_TEXT("GB", ks_show_in(w->arena, -1e6, KS_BYTE, KS_STR("GB"), 2), "0.00");
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(roundings_agree_with_division),
        cmocka_unit_test(exact_conversion),
        cmocka_unit_test(python_floor_division),
        cmocka_unit_test(python_round),
        IN_WORLD(shortest_text),
        IN_WORLD(shortest_reads_back),
        cmocka_unit_test(decimals),
        cmocka_unit_test(decimals_end_where_the_text_ends),
        IN_WORLD(numbers_ignore_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
