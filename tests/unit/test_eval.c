/* Values: every function, poison, ranks and lanes.
 * Programs are written in the few lines that support.h describes. */
#include "support.h"

#include "base/num.h"
#include "expl/code.h"
#include "expl/eval.h"

static ks_program *linked(world *w, size_t n_ranks, const char *text)
{
    forget_diags(w);
    ks_program *program = program_of(w, n_ranks, text);
    bool good = ks_link(program);
    CHECK_TEXT(text, summary(w), "");
    CHECK(text, good);
    return program;
}

/* ---- Functions ------------------------------------------------------------------------------- */

#define GIVEN                                                                                      \
    "free : 94083219456 B\n"                                                                       \
    "cell : 70272 B/token\n"                                                                       \
    "layers : 61\n"                                                                                \
    "minus : -391\n"                                                                               \
    "none : 0\n"                                                                                   \
    "big : 6917529027641081856\n"                                                                  \
    "part : 0.8485\n"                                                                              \
    "down : -17.625\n"                                                                             \
    "nil [real] : 0\n"                                                                             \
    "huge [real] : 1e300\n"                                                                        \
    "yes [truth] : true\n"                                                                         \
    "no [truth] : false\n"                                                                         \
    "dtype [word] : fp8\n"                                                                         \
    "tp.given [truth] : true\n"                                                                    \
    "sick = floor_div(layers, none)\n"                                                             \
    "ill [real] = layers / none\n"                                                                 \
    "unsure = sick < 3\n"

/* Poison is NaN here. A truth is 0 or 1. All values are exact but where a tolerance is given. */
typedef struct value_row {
    const char *formula;
    double want, tolerance;
} value_row;

/* clang-format off */
#define SICK(formula) {formula, (double)NAN, 0}
/* clang-format on */

static const value_row whole_rows[] = {
    {"free - 61 B", 94083219395, 0},
    {"-layers - minus", 330, 0},
    {"layers * minus", -23851, 0},
    {"cell * 159215 tokens", 11188356480, 0},
    {"floor(part * 1000)", 848, 0},
    {"floor(down)", -18, 0},
    {"floor(layers)", 61, 0},
    {"ceil(part * 1000)", 849, 0},
    {"ceil(down)", -17, 0},
    {"trunc(down)", -17, 0},
    {"trunc(-down)", 17, 0},
    {"min(layers, 17, minus)", -391, 0},
    {"max(layers, 17, minus, 62)", 62, 0},
    {"round_up(layers, 8)", 64, 0},
    {"round_up(minus, 8)", -384, 0},
    {"round_down(layers, 8)", 56, 0},
    {"round_down(minus, 8)", -392, 0},
    {"floor_div(free, cell)", 1338843, 0},
    {"floor_div(minus, layers)", -7, 0},
    {"floor_div(layers, -7)", -9, 0},
    {"floor_div(1, 0.1)", 9, 0},
    {"floor_div(down, part)", -21, 0},
    {"floor_div(real(layers), 7)", 8, 0},
    {"if(layers < 62, 17, 31)", 17, 0},
    {"if(layers > 62, 17, 31)", 31, 0},
    {"if(no or yes, minus, layers)", -391, 0},
    {"table(steps, 8191)", 17, 0},
    {"table(steps, 8192)", 31, 0},
    {"table(steps, -5)", 17, 0},
    {"table(steps, 20000.5)", 47, 0},
    {"table(steps, 1000000000)", 47, 0},
    {"count_up_to(sizes, 0)", 0, 0},
    {"count_up_to(sizes, 3)", 3, 0},
    {"count_up_to(sizes, 8)", 8, 0},
    {"count_up_to(sizes, 15)", 8, 0},
    {"count_up_to(sizes, 16)", 9, 0},
    {"count_up_to(sizes, 40)", 12, 0},
    {"count_up_to(sizes, 41)", 12, 0},
    {"count_up_to(sizes, 163)", 13, 0},
    {"count_up_to(sizes, 10000)", 167, 0},
    {"count_up_to(sizes, minus)", 0, 0},
    {"largest_up_to(sizes, 0)", 0, 0},
    {"largest_up_to(sizes, 7)", 7, 0},
    {"largest_up_to(sizes, 15)", 8, 0},
    {"largest_up_to(sizes, 39)", 32, 0},
    {"largest_up_to(sizes, 99)", 40, 0},
    {"largest_up_to(sizes, 10000)", 9956, 0},
    {"sum_over_ranks(layers)", 183, 0},
    {"min_over_ranks(minus)", -391, 0},
    {"max_over_ranks(minus)", -391, 0},
    {"floor(f32(16777217))", 16777216, 0},
    /* Poison. */
    SICK("sick"),
    SICK("-sick"),
    SICK("floor_div(minus, none)"),
    SICK("floor_div(part, nil)"),
    SICK("floor_div(huge, part)"),
    SICK("big + big"),
    SICK("-big - big"),
    SICK("big * minus"),
    SICK("big + (big + big - big)"),
    SICK("sick * 0"),
    SICK("0 - sick"),
    SICK("floor(huge)"),
    SICK("ceil(-huge)"),
    SICK("trunc(huge * huge)"),
    SICK("floor(ill)"),
    SICK("min(layers, sick)"),
    SICK("max(sick, layers, 17)"),
    SICK("round_up(layers, none)"),
    SICK("round_up(layers, minus)"),
    SICK("round_down(sick, 8)"),
    SICK("round_up(big + (big - 1), 1000)"),
    SICK("if(unsure, 17, 17)"),
    SICK("if(yes, sick, 31)"),
    SICK("table(steps, ill)"),
    SICK("count_up_to(sizes, sick)"),
    SICK("largest_up_to(sizes, sick)"),
    SICK("sum_over_ranks(sick)"),
    SICK("min_over_ranks(sick)"),
    SICK("sum_over_ranks(big)"),
    /* A branch that is not taken, or a side that does not matter, may be poison. */
    {"if(no, sick, 31)", 31, 0},
    {"if(yes, 17, floor_div(1, none))", 17, 0},
    {"if(layers == 61, layers, big * big)", 61, 0},
    {"if(no and unsure, 17, 31)", 31, 0},
    {"if(unsure and no, 17, 31)", 31, 0},
    {"if(yes or unsure, 17, 31)", 17, 0},
    {"if(unsure or yes, 17, 31)", 17, 0},
};

static const value_row real_rows[] = {
    {"part * 2", 1.697, 0},
    {"part + down", -16.7765, 0},
    {"layers - part", 60.1515, 0},
    {"-part", -0.8485, 0},
    {"layers / 8", 7.625, 0},
    {"1 / 3", 1.0 / 3.0, 0},
    {"real(layers)", 61, 0},
    {"real(part)", 0.8485, 0},
    {"f32(0.1)", 0.10000000149011612, 0},
    {"f32(part)", 0.8485000133514404, 0},
    {"f32(huge)", (double)INFINITY, 0},
    {"py_round(part, 3)", 0.849, 0},
    {"py_round(2.675, 2)", 2.67, 0},
    {"py_round(2.5, 0)", 2, 0},
    {"py_round(down, -3)", -18, 0},
    {"py_round(1234.56789, 400)", 1234.56789, 0},
    {"pow(part, 3)", 0.8485 * 0.8485 * 0.8485, 1e-15},
    {"pow(layers, part)", 32.7229436895883, 1e-11},
    {"pow(down, 3)", -17.625 * 17.625 * 17.625, 1e-12},
    {"pow(part, none)", 1, 0},
    {"min(part, down, 3)", -17.625, 0},
    {"max(down, layers, part)", 61, 0},
    {"if(yes, layers, part)", 61, 0},
    {"if(no, layers, part)", 0.8485, 0},
    {"table(shares, 100)", 0.125, 0},
    {"table(shares, 4097)", 0.625, 0},
    {"interp(shares, 100)", 0.125, 0},
    {"interp(shares, 1024)", 0.125, 0},
    {"interp(shares, 2560)", 0.375, 0},
    {"interp(shares, 4096)", 0.625, 0},
    {"interp(shares, 1500)", 0.125 + 0.5 * (1500.0 - 1024.0) / 3072.0, 1e-15},
    {"interp(shares, 9999)", 0.625, 0},
    {"interp(steps, 8192)", 17, 0},
    {"interp(steps, 14096)", 24, 0},
    {"sum_over_ranks(part)", 3 * 0.8485, 1e-15},
    {"max_over_ranks(down)", -17.625, 0},
    {"min_over_ranks(part)", 0.8485, 0},
    {"1.5 GiB / 2 s", 805306368, 0},
    {"free / 64.3 GB/s", 94083219456.0 / 64.3e9, 0},
    SICK("ill"),
    SICK("-ill"),
    SICK("part / none"),
    SICK("part / nil"),
    SICK("nil / nil"),
    SICK("sick / 2"),
    SICK("real(sick)"),
    SICK("sick + part"),
    SICK("min(part, ill)"),
    SICK("max(ill, part)"),
    SICK("min(part, sick)"),
    SICK("f32(ill)"),
    SICK("py_round(ill, 3)"),
    SICK("py_round(part, sick)"),
    SICK("pow(ill, 2)"),
    SICK("pow(1, ill)"),
    SICK("pow(part, sick)"),
    SICK("pow(down, part)"),
    SICK("pow(none, down)"),
    SICK("pow(layers, huge)"),
    SICK("if(unsure, part, part)"),
    SICK("if(yes, ill, part)"),
    SICK("table(shares, ill)"),
    SICK("table(shares, sick)"),
    SICK("interp(shares, ill)"),
    SICK("sum_over_ranks(ill)"),
    SICK("max_over_ranks(ill)"),
    {"if(no, ill, part)", 0.8485, 0},
    {"if(yes, part, 1 / none)", 0.8485, 0},
};

static const value_row truth_rows[] = {
    {"layers < 62", 1, 0},
    {"layers < 61", 0, 0},
    {"layers <= 61", 1, 0},
    {"layers > 60", 1, 0},
    {"layers >= 62", 0, 0},
    {"layers == 61", 1, 0},
    {"layers != 61", 0, 0},
    {"part < 0.8486", 1, 0},
    {"part <= down", 0, 0},
    {"part > 0.8485", 0, 0},
    {"part >= 0.8485", 1, 0},
    {"part == 0.8485", 1, 0},
    {"part != 0.8485", 0, 0},
    {"layers == 61.0", 1, 0},
    {"layers < 61.5", 1, 0},
    {"real(layers) > minus", 1, 0},
    {"nil == -nil", 1, 0},
    {"dtype == 'fp8'", 1, 0},
    {"dtype != 'fp8'", 0, 0},
    {"dtype == 'bf16'", 0, 0},
    {"yes == no", 0, 0},
    {"yes != no", 1, 0},
    {"true", 1, 0},
    {"not yes", 0, 0},
    {"not no", 1, 0},
    {"yes and no", 0, 0},
    {"yes or no", 1, 0},
    {"no or no", 0, 0},
    {"yes and not no", 1, 0},
    {"given(tp)", 1, 0},
    {"if(no, yes, layers < 3)", 0, 0},
    SICK("unsure"),
    SICK("not unsure"),
    SICK("sick <= sick"),
    SICK("3 > sick"),
    SICK("sick == sick"),
    SICK("sick != 3"),
    SICK("ill < 1.5"),
    SICK("ill >= ill"),
    SICK("ill == ill"),
    SICK("ill != 2.5"),
    SICK("sick == part"),
    SICK("unsure and yes"),
    SICK("yes and unsure"),
    SICK("unsure or no"),
    SICK("no or unsure"),
    SICK("unsure == yes"),
    SICK("if(unsure, yes, yes)"),
    {"unsure and no", 0, 0},
    {"no and unsure", 0, 0},
    {"unsure or yes", 1, 0},
    {"yes or unsure", 1, 0},
};

static void define_tables(ks_program *program)
{
    static ks_table_row steps[] = {
        {8192, {.i = 17}}, {20000, {.i = 31}}, {(double)INFINITY, {.i = 47}}};
    static ks_table_row shares[] = {{1024, {.f = 0.125}}, {4096, {.f = 0.625}}};
    /* 1 to 8; 16, 24, ... 40; 100, 164, 228, ... */
    static ks_run_of sizes[] = {
        {.from = 1, .to = 8, .step = 1},
        {.from = 16, .to = 40, .step = 8},
        {.from = 100, .to = INT64_MAX, .step = 64},
    };
    ks_define_table(program, (ks_step_table){.name = KS_STR("steps"), .rows = steps, .n_rows = 3});
    ks_define_table(program, (ks_step_table){.name = KS_STR("shares"),
                                             .rows = shares,
                                             .n_rows = 2,
                                             .value = {KS_REAL, {0, 0, 0}}});
    ks_define_list(program, (ks_number_list){.name = KS_STR("sizes"), .runs = sizes, .n_runs = 3});
}

/* The rows' formulas are quantities x0, x1, ... of one program for three ranks. */
static void check_values(world *w, const value_row *rows, size_t n, const char *words)
{
    ks_builder b = {.arena = w->arena};
    ks_add(&b, KS_STR(GIVEN));
    for (size_t i = 0; i < n; i++)
        ks_addf(&b, "x%zu %s= %s\n", i, words, rows[i].formula);
    ks_program *program = program_of(w, 3, ks_to_c(w->arena, ks_built(&b)));
    define_tables(program);
    ks_link(program);
    CHECK_TEXT("diagnostics", summary(w), "");
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    CHECK_WHOLE("nothing varies", ks_plan_cost(plan), 0);
    ks_plan_run(plan);
    for (size_t i = 0; i < n; i++) {
        int x = def_of(program, ks_format(w->arena, "x%zu", i).s);
        CHECK_REAL(rows[i].formula, ks_plan_real(plan, x, 0, 0), rows[i].want, rows[i].tolerance);
    }
}

static void whole_values(void **state)
{
    check_values(*state, whole_rows, KS_COUNT(whole_rows), "");
}

static void real_values(void **state)
{
    check_values(*state, real_rows, KS_COUNT(real_rows), "[real] ");
}

static void truth_values(void **state)
{
    check_values(*state, truth_rows, KS_COUNT(truth_rows), "[truth] ");
}

/* Bytes are exact where doubles are not. */
static void whole_numbers_are_exact(void **state)
{
    world *w = *state;
    ks_program *program = linked(w, 1,
                                 "a : 4503599627370497\nb = a * 2047 + 1\nc = b - a * 2047\n"
                                 "d = -9223372036854774784 + 17\ne = 4503599627370497 B\n");
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    ks_plan_run(plan);
    static const struct {
        const char *name;
        int64_t want;
    } rows[] = {
        {"b", 9218868437227407360}, {"c", 1}, {"d", -9223372036854774767}, {"e", 4503599627370497}};
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_WHOLE(rows[i].name, ks_plan_get(plan, def_of(program, rows[i].name), 0, 0).i,
                    rows[i].want);
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Over eight ranks with values that are partly equal: what a loop over the ranks gives. */
static void over_ranks(void **state)
{
    world *w = *state;
    uint64_t seed = 20240607;
    for (int round = 0; round < 60; round++) {
        int class[8];
        int64_t a[8], sum = 0, least = INT64_MAX, most = INT64_MIN;
        double r[8], sum_r = 0, size_r = 0, least_r = 1e300, most_r = -1e300;
        ks_builder b = {.arena = w->arena};
        ks_add(&b, KS_STR("a : "));
        for (size_t i = 0; i < 8; i++) {
            class[i] = (int)(next_random(&seed) % 5);
            a[i] = class[i] * class[i] * 1000003 - 5000017;
            ks_addf(&b, "%s%lld", i ? " | " : "", (long long)a[i]);
        }
        ks_add(&b, KS_STR("\nr [real] : "));
        for (size_t i = 0; i < 8; i++) {
            r[i] = (double)(class[i] % 3) * 0.37 - 0.41;
            ks_addf(&b, "%s%.17g", i ? " | " : "", r[i]);
        }
        for (size_t i = 0; i < 8; i++) {
            int64_t x = a[i] * 3 + 17;
            double y = r[i] * (double)a[i];
            sum += x;
            least = x < least ? x : least;
            most = x > most ? x : most;
            sum_r += y;
            size_r += fabs(y);
            least_r = y < least_r ? y : least_r;
            most_r = y > most_r ? y : most_r;
        }
        ks_add(&b, KS_STR("\nx = a * 3 + 17\ny = r * a\nsum = sum_over_ranks(x)\n"
                          "least = min_over_ranks(x)\nmost = max_over_ranks(a * 3 + 17)\n"
                          "sum_r = sum_over_ranks(y)\nleast_r = min_over_ranks(r * a)\n"
                          "most_r = max_over_ranks(y)\nspread = x - min_over_ranks(x)\n"));
        ks_program *program = linked(w, 8, ks_to_c(w->arena, ks_built(&b)));
        ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
        ks_plan_run(plan);
        const char *row = ks_to_c(w->arena, ks_built(&b));
        CHECK(row, program->n_classes <= 5);
        CHECK_WHOLE(row, ks_plan_get(plan, def_of(program, "sum"), 0, 0).i, sum);
        CHECK_WHOLE(row, ks_plan_get(plan, def_of(program, "least"), 0, 0).i, least);
        CHECK_WHOLE(row, ks_plan_get(plan, def_of(program, "most"), 0, 0).i, most);
        /* Equal ranks are multiplied, not added one by one; what cancels leaves rounding. */
        double sum_here = ks_plan_real(plan, def_of(program, "sum_r"), 0, 0);
        CHECK(row, fabs(sum_here - sum_r) <= 1e-15 * size_r);
        CHECK_REAL(row, ks_plan_real(plan, def_of(program, "least_r"), 0, 0), least_r, 0);
        CHECK_REAL(row, ks_plan_real(plan, def_of(program, "most_r"), 0, 0), most_r, 0);
        for (size_t i = 0; i < 8; i++) {
            size_t k = program->class_of_rank[i];
            CHECK_WHOLE(row, ks_plan_get(plan, def_of(program, "x"), k, 0).i, a[i] * 3 + 17);
            CHECK_WHOLE(row, ks_plan_get(plan, def_of(program, "spread"), k, 0).i,
                        a[i] * 3 + 17 - least);
        }
    }
}

static void ranks_and_poison(void **state)
{
    world *w = *state;
    ks_program *program = linked(w, 3,
                                 "a : 17 | 0 | 31\nx = floor_div(527, a)\ny [real] = 1 / a\n"
                                 "s = sum_over_ranks(x)\nm = min_over_ranks(y)\n"
                                 "t = sum_over_ranks(if(a == 0, 0, floor_div(527, a)))\n");
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    ks_plan_run(plan);
    static const struct {
        const char *name;
        size_t rank;
        double want;
    } rows[] = {
        {"x", 0, 31},          {"x", 1, (double)NAN}, {"x", 2, 17},          {"y", 0, 1.0 / 17.0},
        {"y", 1, (double)NAN}, {"s", 0, (double)NAN}, {"m", 0, (double)NAN}, {"t", 0, 48},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_REAL(rows[i].name,
                   ks_plan_real(plan, def_of(program, rows[i].name),
                                program->class_of_rank[rows[i].rank], 0),
                   rows[i].want, 0);
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

/* A formula of a base (W whole, R real, T truth) over a0 to a3, r0 to r3, t0, t1 and x0 to x(n-1),
 * whose bases go round: x0 whole, x1 real, x2 truth, x3 whole ... */
static void add_formula(ks_builder *b, uint64_t *seed, int base, int depth, int n)
{
    static const char *const shapes[3][9] = {
        {"(W + W)", "(W - W)", "W * W", "floor_div(W, W)", "max(W, W)", "if(T, W, W)", "floor(R)",
         "round_up(W, W)", "sum_over_ranks(W)"},
        {"(R + W)", "(R - R)", "R * R", "(R / R)", "min(R, W)", "if(T, R, W)", "f32(R)",
         "py_round(R, W)", "max_over_ranks(R)"},
        {"W < W", "R <= R", "W == W", "not (T)", "(T and T)", "(T or T)", "R > W", "(T) != (T)",
         "if(T, T, T)"},
    };
    uint64_t choice = next_random(seed);
    if (depth == 0) {
        int earlier = n > base ? (int)(choice / 16 % (uint64_t)((n - base + 2) / 3)) * 3 + base
                               : -1;
        if (choice % 4 == 0 && earlier >= 0)
            ks_addf(b, "x%d", earlier);
        else
            ks_addf(b, "%c%d", "art"[base], (int)(choice / 4 % (base == 2 ? 2 : 4)));
        return;
    }
    for (const char *c = shapes[base][choice % 9]; *c; c++) {
        int part = *c == 'W' ? 0 : *c == 'R' ? 1 : *c == 'T' ? 2 : -1;
        if (part >= 0)
            add_formula(b, seed, part, depth - 1 - (int)(next_random(seed) % (uint64_t)depth), n);
        else
            ks_addf(b, "%c", *c);
    }
}

/* High-entropy values; some are zero, equal, or so large that products overflow. */
static ks_cell random_cell(uint64_t *seed, int base)
{
    uint64_t r = next_random(seed);
    int64_t whole = (int64_t)(r % 100003) - 50021;
    if (r % 7 == 0)
        whole = 0;
    else if (r % 11 == 0)
        whole *= 70368744177664;
    if (base == 0)
        return (ks_cell){.i = whole};
    if (base == 1)
        return (ks_cell){.f = (double)whole / 389.0};
    return (ks_cell){.i = (int64_t)(r % 2)};
}

enum { INPUTS = 10, FORMULAS = 12, LANES = 5, RANKS = 3 };

/* The inputs' names and bases. */
static int base_of_input(int i)
{
    return i < 4 ? 0 : i < 8 ? 1 : 2;
}

/* A program of random formulas, whose inputs have one value a rank (or one for all). */
static ks_program *random_program(world *w, uint64_t *seed, size_t n_ranks)
{
    static const char *const bases[] = {"[whole] ", "[real] ", "[truth] "};
    ks_builder b = {.arena = w->arena};
    for (int i = 0; i < FORMULAS; i++) {
        ks_addf(&b, "x%d %s= ", i, bases[i % 3]);
        add_formula(&b, seed, i % 3, 3, i);
        ks_add(&b, KS_STR("\n"));
    }
    ks_program *program = ks_program_new(&w->diags, n_ranks);
    for (int i = 0; i < INPUTS; i++) {
        int base = base_of_input(i);
        size_t n = next_random(seed) % 2 ? n_ranks : 1;
        ks_cell *values = KS_NEW_ARRAY(w->arena, ks_cell, n);
        for (size_t k = 0; k < n; k++)
            values[k] = random_cell(seed, base);
        ks_def d = {.kind = KS_GIVEN,
                    .type = {(enum ks_base)base, {0, 0, 0}},
                    .values = values,
                    .n_values = n};
        d.name = ks_format(w->arena, "%c%d", "art"[base], i < 8 ? i % 4 : i - 8);
        ks_define(program, &d);
    }
    define_lines(program, ks_built(&b));
    return program;
}

static bool same_value(ks_type type, ks_cell a, ks_cell b)
{
    if (type.base == KS_REAL)
        return (isnan(a.f) && isnan(b.f)) || memcmp(&a, &b, sizeof a) == 0;
    return a.i == b.i;
}

/* Lanes of one plan against a plan for each of them, for some inputs varying. */
static void compare_lanes(ks_program *program, uint64_t *seed, size_t n_varying, const char *row)
{
    int varying[INPUTS];
    ks_cell values[LANES][INPUTS];
    for (size_t i = 0; i < n_varying; i++)
        varying[i] = (int)i;
    ks_plan *all = ks_plan_new(program, varying, n_varying, LANES);
    for (size_t lane = 0; lane < LANES; lane++)
        for (size_t i = 0; i < n_varying; i++) {
            values[lane][i] = random_cell(seed, base_of_input((int)i));
            ks_plan_set(all, (int)i, lane, values[lane][i]);
        }
    ks_plan_run(all);
    ks_plan_run(all); /* a second time changes nothing */
    ks_plan *one = ks_plan_new(program, varying, n_varying, 1);
    CHECK(row, ks_plan_cost(one) == ks_plan_cost(all));
    for (size_t lane = 0; lane < LANES; lane++) {
        for (size_t i = 0; i < n_varying; i++)
            ks_plan_set(one, (int)i, 0, values[lane][i]);
        ks_plan_run(one);
        for (int d = 0; d < (int)program->defs.n; d++)
            for (size_t k = 0; k < program->n_classes; k++)
                CHECK(row, same_value(program->defs.items[d].type, ks_plan_get(all, d, k, lane),
                                      ks_plan_get(one, d, k, 0)));
    }
}

static void lanes_are_like_single_runs(void **state)
{
    world *w = *state;
    uint64_t seed = 4711;
    int sick = 0, well = 0;
    for (int round = 0; round < 300; round++) {
        const char *row = ks_format(w->arena, "program %d", round).s;
        ks_program *program = random_program(w, &seed, RANKS);
        ks_link(program);
        CHECK_TEXT(row, summary(w), "");
        compare_lanes(program, &seed, INPUTS, row);
        compare_lanes(program, &seed, (size_t)round % INPUTS, row);
        ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
        ks_plan_run(plan);
        for (int d = INPUTS; d < INPUTS + FORMULAS; d++)
            *(isnan(ks_plan_real(plan, d, 0, 0)) ? &sick : &well) += 1;
    }
    /* The programs are worth comparing: there is poison, and there is more than poison. */
    CHECK("poison", sick > 300);
    CHECK("values", well > 1500);
}

/* Classes of ranks against the same program with all ranks made to differ. */
static void classes_are_like_single_ranks(void **state)
{
    world *w = *state;
    uint64_t seed = 90001;
    for (int round = 0; round < 200; round++) {
        const char *row = ks_format(w->arena, "program %d", round).s;
        uint64_t same_seed = seed;
        ks_program *folded = random_program(w, &seed, 4);
        ks_program *apart = random_program(w, &same_seed, 4);
        static const ks_cell ranks[] = {{.i = 3}, {.i = 5}, {.i = 7}, {.i = 11}};
        ks_def which = {.name = KS_STR("which"), .values = ranks, .n_values = 4};
        /* Ranks 2 and 3 are like 1 and 0: half as many classes. */
        for (int i = 0; i < INPUTS; i++)
            for (int p = 0; p < 2; p++) {
                ks_def *d = &(p ? apart : folded)->defs.items[i];
                if (d->n_values < 4)
                    continue;
                ks_cell *values = KS_NEW_ARRAY(w->arena, ks_cell, 4);
                for (size_t k = 0; k < 4; k++)
                    values[k] = d->values[k < 2 ? k : 3 - k];
                d->values = values;
            }
        ks_define(apart, &which);
        ks_link(folded);
        ks_link(apart);
        CHECK_TEXT(row, summary(w), "");
        CHECK(row, folded->n_classes <= 2);
        CHECK_WHOLE(row, apart->n_classes, 4);
        ks_plan *few = ks_plan_new(folded, NULL, 0, 1), *many = ks_plan_new(apart, NULL, 0, 1);
        ks_plan_run(few);
        ks_plan_run(many);
        for (int d = 0; d < INPUTS + FORMULAS; d++)
            for (size_t rank = 0; rank < 4; rank++) {
                ks_type type = folded->defs.items[d].type;
                ks_cell a = ks_plan_get(few, d, folded->class_of_rank[rank], 0);
                ks_cell b = ks_plan_get(many, d, apart->class_of_rank[rank], 0);
                CHECK(row, same_value(type, a, b));
            }
    }
}

/* ---- What is computed when ------------------------------------------------------------------- */

static void constants_are_computed_once(void **state)
{
    world *w = *state;
    ks_program *program = linked(w, 2,
                                 "a : 17\nb : 31\nc = a * a + 3\nd = c - b\n"
                                 "e : 5 | 7\nf = e * c\ng = sum_over_ranks(f) + b\n"
                                 "h = f * b\n");
    int a = def_of(program, "a"), b = def_of(program, "b"), e = def_of(program, "e");
    static const struct {
        const char *varying;
        size_t cost;
    } rows[] = {
        {"", 0},
        {"b", 1 + 1 + 2},             /* c - b; + b; f * b for two classes */
        {"a", 2 + 1 + 2 + 1 + 1 + 2}, /* c: two; d; f, for two; the sum; + b; h, for two */
        {"e", 2 + 1 + 1 + 2},
        {"ab", 2 + 1 + 2 + 1 + 1 + 2},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        int varying[3];
        size_t n = 0;
        for (const char *v = rows[i].varying; *v; v++)
            varying[n++] = *v == 'a' ? a : *v == 'b' ? b : e;
        ks_plan *plan = ks_plan_new(program, varying, n, 3);
        CHECK_WHOLE(rows[i].varying, ks_plan_cost(plan), rows[i].cost);
    }
    ks_plan *which = ks_plan_new(program, &a, 1, 2);
    static const char *const varies[] = {"a", "c", "d", "f", "g", "h"};
    for (size_t i = 0; i < KS_COUNT(varies); i++)
        CHECK(varies[i], ks_plan_varies(which, def_of(program, varies[i])));
    CHECK("b", !ks_plan_varies(which, b) && !ks_plan_varies(which, e));
    /* A constant that is tampered with after the first run stays: it is not computed again. */
    ks_plan *plan = ks_plan_new(program, &b, 1, 1);
    ks_plan_run(plan);
    CHECK_WHOLE("d", ks_plan_get(plan, def_of(program, "d"), 0, 0).i, 292 - 31);
    ks_plan_set(plan, def_of(program, "c"), 0, (ks_cell){.i = 1000});
    ks_plan_set(plan, b, 0, (ks_cell){.i = 41});
    ks_plan_run(plan);
    CHECK_WHOLE("c", ks_plan_get(plan, def_of(program, "c"), 0, 0).i, 1000);
    CHECK_WHOLE("d", ks_plan_get(plan, def_of(program, "d"), 0, 0).i, 959);
    CHECK_WHOLE("f", ks_plan_get(plan, def_of(program, "f"), 1, 0).i, 7 * 292);
}

/* What was not set has its nominal value in every lane; a set value holds for all ranks. */
static void nominal_values(void **state)
{
    world *w = *state;
    ks_program *program = linked(w, 2, "a : 17 | 19\nb : 0.8485\nx = a * 3\ny [real] = b * a\n");
    int a = def_of(program, "a"), x = def_of(program, "x"), y = def_of(program, "y");
    ks_plan *plan = ks_plan_new(program, &a, 1, 3);
    ks_plan_set(plan, a, 1, (ks_cell){.i = -23});
    ks_plan_run(plan);
    static const int64_t want[2][3] = {{51, -69, 51}, {57, -69, 57}};
    for (size_t rank = 0; rank < 2; rank++)
        for (size_t lane = 0; lane < 3; lane++) {
            CHECK_WHOLE("x", ks_plan_get(plan, x, rank, lane).i, want[rank][lane]);
            CHECK_REAL("y", ks_plan_real(plan, y, rank, lane),
                       0.8485 * (double)want[rank][lane] / 3, 1e-15);
        }
    /* An input that nothing says a value of is zero. */
    program = ks_program_new(&w->diags, 1);
    ks_def nothing = {.name = KS_STR("nothing"), .type = {KS_REAL, {0, 0, 0}}};
    int def = ks_define(program, &nothing);
    CHECK("linked", ks_link(program));
    plan = ks_plan_new(program, NULL, 0, 1);
    CHECK_REAL("nothing", ks_plan_real(plan, def, 0, 0), 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(whole_values),
        IN_WORLD(real_values),
        IN_WORLD(truth_values),
        IN_WORLD(whole_numbers_are_exact),
        IN_WORLD(over_ranks),
        IN_WORLD(ranks_and_poison),
        IN_WORLD(lanes_are_like_single_runs),
        IN_WORLD(classes_are_like_single_ranks),
        IN_WORLD(constants_are_computed_once),
        IN_WORLD(nominal_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
