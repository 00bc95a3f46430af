/* Formulas to trees: precedence, units, every function's arguments, errors with their places. */
#include "support.h"

#include "base/num.h"

/* ---- Trees as text --------------------------------------------------------------------------- */

static const char *const operators[] = {
    [KS_E_NEGATE] = "neg", [KS_E_NOT] = "not", [KS_E_ADD] = "+", [KS_E_SUB] = "-",
    [KS_E_MUL] = "*",      [KS_E_DIV] = "/",   [KS_E_LT] = "<",  [KS_E_LE] = "<=",
    [KS_E_GT] = ">",       [KS_E_GE] = ">=",   [KS_E_EQ] = "==", [KS_E_NE] = "!=",
    [KS_E_AND] = "and",    [KS_E_OR] = "or",
};

/* 17 whole, 17.0 real; ":byte" a dimension; "!" wants a name and a source; "~" of any dimension. */
static void dump_number(ks_builder *b, const ks_expr *e)
{
    ks_str symbol = ks_dim_symbol(b->arena, e->type.dim);
    ks_str value = ks_shortest(b->arena, e->value);
    if (e->whole)
        value = ks_format(b->arena, "%lld", (long long)e->value);
    ks_addf(b, "%.*s", KS_ARG(value));
    if (!ks_equal_c(symbol, "1"))
        ks_addf(b, ":%.*s", KS_ARG(symbol));
    ks_addf(b, "%s%s", e->literal ? "!" : "", e->any_dim ? "~" : "");
    CHECK("base", e->type.base == (e->whole ? KS_WHOLE : KS_REAL));
}

static void dump(ks_builder *b, const ks_expr *e)
{
    switch (e->kind) {
    case KS_E_NUMBER:
        dump_number(b, e);
        return;
    case KS_E_NAME:
        ks_add(b, e->text);
        return;
    case KS_E_WORD:
        ks_addf(b, "'%.*s'", KS_ARG(e->text));
        return;
    case KS_E_TRUTH:
        ks_add(b, e->value != 0 ? KS_STR("TRUE") : KS_STR("FALSE"));
        return;
    case KS_E_CALL:
    case KS_E_NEGATE:
    case KS_E_NOT:
    case KS_E_ADD:
    case KS_E_SUB:
    case KS_E_MUL:
    case KS_E_DIV:
    case KS_E_LT:
    case KS_E_LE:
    case KS_E_GT:
    case KS_E_GE:
    case KS_E_EQ:
    case KS_E_NE:
    case KS_E_AND:
    case KS_E_OR:
        break;
    }
    ks_addf(b, "(%s", e->kind == KS_E_CALL ? ks_function_name(e->function) : operators[e->kind]);
    for (size_t i = 0; i < e->n_args; i++) {
        ks_add(b, KS_STR(" "));
        dump(b, e->args[i]);
    }
    ks_add(b, KS_STR(")"));
}

/* The text of each part that has parts, inner ones first. */
static void dump_places(ks_builder *b, ks_formula formula, const ks_expr *e)
{
    for (size_t i = 0; i < e->n_args; i++)
        dump_places(b, formula, e->args[i]);
    if (e->n_args)
        ks_addf(b, "[%.*s]", KS_ARG(ks_slice(formula.text, e->at, (size_t)e->at + e->n)));
}

/* The formula stands in a text after some other bytes. */
static ks_formula formula_in(world *w, ks_str text)
{
    ks_str line = ks_format(w->arena, "x: 1\ny: \"%.*s\"\n", KS_ARG(text));
    const ks_source *source = ks_source_new(w->arena, KS_STR("f"), line);
    return (ks_formula){.text = ks_slice(line, 9, 9 + text.n),
                        .exact = true,
                        .span = {source, 9, (uint32_t)text.n}};
}

static ks_expr *parse(world *w, const char *text)
{
    forget_diags(w);
    return ks_parse_formula(&w->diags, formula_in(w, ks_from_c(text)));
}

static void check_trees(world *w, const char *const (*rows)[2], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ks_builder b = {.arena = w->arena};
        const ks_expr *e = parse(w, rows[i][0]);
        CHECK_TEXT(rows[i][0], summary(w), "");
        assert_non_null(e);
        dump(&b, e);
        CHECK_TEXT(rows[i][0], ks_built(&b), rows[i][1]);
    }
}

static void precedence(void **state)
{
    static const char *const rows[][2] = {
        {"a + b * c", "(+ a (* b c))"},
        {"a * b + c", "(+ (* a b) c)"},
        {"(a + b) * c", "(* (+ a b) c)"},
        {"a - b - c", "(- (- a b) c)"},
        {"a - (b - c)", "(- a (- b c))"},
        {"a / b / c * d", "(* (/ (/ a b) c) d)"},
        {"a + b - c + d", "(+ (- (+ a b) c) d)"},
        {"-a * b", "(* (neg a) b)"},
        {"a * -b", "(* a (neg b))"},
        {"- - a", "(neg (neg a))"},
        {"--a", "(neg (neg a))"},
        {"a - -b", "(- a (neg b))"},
        {"a + b < c * d", "(< (+ a b) (* c d))"},
        {"a <= b", "(<= a b)"},
        {"a<b", "(< a b)"},
        {"a >= b", "(>= a b)"},
        {"a > b", "(> a b)"},
        {"a == b", "(== a b)"},
        {"a != b", "(!= a b)"},
        {"a < b == c", "(== (< a b) c)"},
        {"not a < b", "(not (< a b))"},
        {"not a and b", "(and (not a) b)"},
        {"not not a", "(not (not a))"},
        {"not(a or b)", "(not (or a b))"},
        {"a or b and c or d", "(or (or a (and b c)) d)"},
        {"(a or b) and c", "(and (or a b) c)"},
        {"a < b and c > d or not e == f", "(or (and (< a b) (> c d)) (not (== e f)))"},
        {"min(a, b + c, max(d, e))", "(min a (+ b c) (max d e))"},
        {"if(a < b, c, d)", "(if (< a b) c d)"},
        {"  a\t+\r\n b ", "(+ a b)"},
        {"((a))", "a"},
    };
    check_trees(*state, rows, KS_COUNT(rows));
}

static void operands(void **state)
{
    static const char *const rows[][2] = {
        {"17", "17!"},
        {"17.0", "17.0!"},
        {"17e2", "1700.0!"},
        {"17E2", "1700.0!"},
        {".625", "0.625!"},
        {"0", "0~"},
        {"0.0", "0.0~"},
        {"1", "1"},
        {"2", "2"},
        {"2.0", "2.0"},
        {"3", "3!"},
        {"9007199254740991", "9007199254740991!"},
        {"4503599627370497 B", "4503599627370497:byte!"},
        {"94.08 GiB", "101017630802:byte!"},
        {"94.08GiB", "101017630802:byte!"},
        {"2.5 MiB + a", "(+ 2621440:byte! a)"},
        {"0 B", "0:byte!"},
        {"1 token", "1:token!"},
        {"70272 B/token", "70272:byte/token!"},
        {"64.3 GB/s", "64300000000.0:byte/s!"},
        /* Real is real, also where the value happens to be whole. */
        {"3 s", "3.0:s!"},
        {"9 ms", "0.009:s!"},
        {"35 %", "0.35!"},
        {"200 %", "2.0!"},
        {"5 GB/x", "(/ 5000000000:byte! x)"},
        {"5 GB / s", "(/ 5000000000:byte! s)"},
        {"4 GiB/token.size", "(/ 4294967296:byte! token.size)"},
        {"3 * s", "(* 3! s)"},
        {"kv.cell", "kv.cell"},
        {"rank.0.free", "rank.0.free"},
        {"_x9", "_x9"},
        {"Az.ZA_a0 + zZ9.9", "(+ Az.ZA_a0 zZ9.9)"},
        {"true", "TRUE"},
        {"false or true_one", "(or FALSE true_one)"},
        {"dtype == 'fp8_e4m3'", "(== dtype 'fp8_e4m3')"},
        {"dtype == ''", "(== dtype '')"},
        {"not_a and android or orbit", "(or (and not_a android) orbit)"},
    };
    check_trees(*state, rows, KS_COUNT(rows));
}

static void double_quotes(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    ks_formula formula = {.text = KS_STR("a == \"it's\"")};
    dump(&b, ks_parse_formula(&w->diags, formula));
    CHECK_TEXT("double quotes", ks_built(&b), "(== a 'it's')");
}

static void places(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"a + b * c", "[b * c][a + b * c]"},
        {" a  +  b  - c ", "[a  +  b][a  +  b  - c]"},
        {"(a + b) * c", "[a + b][(a + b) * c]"},
        {"a * (b + c )", "[b + c][a * (b + c )]"},
        {"( (a - b)/c ) - d", "[a - b][(a - b)/c][( (a - b)/c ) - d]"},
        {"- (a) < b", "[- (a)][- (a) < b]"},
        {"not  a or b", "[not  a][not  a or b]"},
        {"a + floor( b / c ) * d", "[b / c][floor( b / c )][floor( b / c ) * d]"
                                   "[a + floor( b / c ) * d]"},
        {"a\n + b\n", "[a\n + b]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_builder b = {.arena = w->arena};
        ks_formula formula = formula_in(w, ks_from_c(rows[i][0]));
        dump_places(&b, formula, ks_parse_formula(&w->diags, formula));
        CHECK_TEXT(rows[i][0], ks_built(&b), rows[i][1]);
    }
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* Each takes as many arguments as its row says, no fewer and no more. */
static void functions(void **state)
{
    world *w = *state;
    static const struct {
        const char *name;
        size_t least, most;
    } rows[] = {
#define X(name, least, most, meaning) {#name, least, most},
        KS_FUNCTIONS(X)
#undef X
    };
    assert_int_equal(KS_COUNT(rows), KS_N_FUNCTIONS);
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK_TEXT(rows[i].name, ks_from_c(ks_function_name((enum ks_function)i)), rows[i].name);
        for (size_t n = 1; n <= 9; n++) {
            ks_builder b = {.arena = w->arena};
            ks_addf(&b, "%s(", rows[i].name);
            for (size_t k = 0; k < n; k++)
                ks_addf(&b, "%sx%zu", k ? ", " : "", k);
            ks_add(&b, KS_STR(")"));
            const char *text = ks_to_c(w->arena, ks_built(&b));
            const ks_expr *e = parse(w, text);
            bool takes = n >= rows[i].least && n <= rows[i].most;
            CHECK_WHOLE(text, e != NULL, takes);
            if (!takes) {
                CHECK_WHOLE(text, w->diags.items[0].code, KS_F003);
                continue;
            }
            CHECK_WHOLE(text, e->function, i);
            CHECK_WHOLE(text, e->n_args, n);
            for (size_t k = 0; k < n; k++)
                CHECK_TEXT(text, e->args[k]->text, ks_format(w->arena, "x%zu", k).s);
        }
    }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static void errors(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"", "F001 f:2:5 []"},
        {"   ", "F001 f:2:8 []"},
        {"a +", "F001 f:2:8 []"},
        {"a + + b", "F001 f:2:9 [+]"},
        {"a b", "F001 f:2:7 [b]"},
        {"a * (b + c", "F001 f:2:9 [(]"},
        {"(a b)", "F001 f:2:5 [(]"},
        {"a)", "F001 f:2:6 [)]"},
        {"()", "F001 f:2:6 [)]"},
        {"min(a, )", "F001 f:2:12 [)]"},
        {"min()", "F001 f:2:9 [)]"},
        {"min(a b)", "F001 f:2:11 [b]"},
        {"min(a, b", "F001 f:2:13 []"},
        {"min (a, b)", "F001 f:2:9 [(]"},
        {"a, b", "F001 f:2:6 [,]"},
        {"a ^ b", "F001 f:2:7 [^]"},
        {"a % b", "F001 f:2:7 [%]"},
        {"a // b", "F001 f:2:8 [/]"},
        {"a = b", "F001 f:2:7 [=]"},
        {"a ! b", "F001 f:2:7 [!]"},
        {"a. + b", "F001 f:2:6 [.]"},
        {"a..b", "F001 f:2:6 [.]"},
        {".", "F001 f:2:5 [.]"},
        {"a + .x", "F001 f:2:9 [.]"},
        {"1.2.3", "F001 f:2:8 [.]"},
        {"2 gib", "F001 f:2:7 [g]"},
        {"2x", "F001 f:2:6 [x]"},
        {"0x1F", "F001 f:2:6 [x]"},
        {"1e999", "F001 f:2:5 [1e999]"},
        {"1e300 TB/ns", "F001 f:2:5 [1e300]"},
        {"a == 'fp8", "F001 f:2:10 [']"},
        {"\xc3\xa9 + a", "F001 f:2:5 [\xc3]"},
        {"a + \xc3\xa9", "F001 f:2:9 [\xc3]"},
        {"flor(a / b)", "F001 f:2:5 [flor] ?floor"},
        {"a + cieling(b)", "F001 f:2:9 [cieling]"},
        {"sum_over_rank(a)", "F001 f:2:5 [sum_over_rank] ?sum_over_ranks"},
        {"and(a, b)", "F001 f:2:5 [and]"},
        {"a == not b", "F001 f:2:14 [b]"},
        {"floor(a, b)", "F003 f:2:5 [floor(a, b)]"},
        {"a * if( b , c )", "F003 f:2:9 [if( b , c )]"},
        {"max(a)", "F003 f:2:5 [max(a)]"},
        {"min(a,b,c,d,e,f,g,h,i)", "F003 f:2:5 [min]"},
        /* One error, the first. */
        {"(a b) + flor(c", "F001 f:2:5 [(]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        CHECK(rows[i][0], parse(w, rows[i][0]) == NULL);
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
}

static void errors_as_written(void **state)
{
    world *w = *state;
    parse(w, "real(f32(flor(free)) - start.free)");
    CHECK_TEXT("function", written(w),
               "f:2:14: error[F001]: there is no such function\n"
               "    y: \"real(f32(flor(free)) - start.free)\"\n"
               "                 ^^^^\n"
               "  note: did you mean \"floor\"?\n");
    parse(w, "free * (1 - mem_fraction_static");
    CHECK_TEXT("parenthesis", written(w),
               "f:2:12: error[F001]: this parenthesis is never closed\n"
               "    y: \"free * (1 - mem_fraction_static\"\n"
               "               ^\n");
}

/* Where the bytes are not known, the place is the whole text. */
static void places_that_are_not_known(void **state)
{
    world *w = *state;
    ks_formula formula = formula_in(w, KS_STR("a + flor(b)"));
    formula.exact = false;
    CHECK("error", ks_parse_formula(&w->diags, formula) == NULL);
    CHECK_TEXT("error", summary(w), "F001 f:2:5 [a + flor(b)] ?floor");
    forget_diags(w);
    formula = (ks_formula){.text = KS_STR("a +")};
    CHECK("error", ks_parse_formula(&w->diags, formula) == NULL);
    CHECK_TEXT("no place", summary(w), "F001");
    forget_diags(w);
    formula.text = KS_STR("a\0+ b");
    CHECK("NUL", ks_parse_formula(&w->diags, formula) == NULL);
    CHECK_TEXT("NUL", summary(w), "F001");
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static ks_str repeated(world *w, const char *before, size_t n, const char *inside,
                       const char *after)
{
    ks_builder b = {.arena = w->arena};
    for (size_t i = 0; i < n; i++)
        ks_add(&b, ks_from_c(before));
    ks_add(&b, ks_from_c(inside));
    for (size_t i = 0; i < n; i++)
        ks_add(&b, ks_from_c(after));
    return ks_copy(w->arena, ks_built(&b));
}

static void limits(void **state)
{
    world *w = *state;
    static const struct {
        const char *before;
        size_t n;
        const char *inside, *after, *want;
    } rows[] = {
        {"(", 40, "a", ")", ""},
        {"(", 70, "a", ")", "F009 f:2:53 [(]"},
        {"min(a,", 40, "a", ")", ""},
        {"min(a,", 70, "a", ")", "F009 f:2:291 [a]"},
        {"-", 40, "a", "", ""},
        {"- ", 70, "a", "", "F009 f:2:99 [-]"},
        {"not ", 40, "a", "", ""},
        {"not ", 70, "a", "", "F009 f:2:197 [n]"},
        {"-(", 30, "a", ")", "F009 f:2:53 [-]"},
        {"(", 4000, "a", "", "F009 f:2:53 [(]"},
        {"a+", 4095, "a", "", ""},
        {"a+", 4096, "a", "", "F009 f:2:5 [a]"},
        {"a or not ", 900, "a", "", ""},
        {"7", 255, "", "", ""},
        {"7", 256, "", "", "F001 f:2:5 [7]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str text = repeated(w, rows[i].before, rows[i].n, rows[i].inside, rows[i].after);
        bool good = parse(w, text.s) != NULL;
        const char *row = ks_format(w->arena, "%zu times %s", rows[i].n, rows[i].before).s;
        CHECK_TEXT(row, summary(w), rows[i].want);
        CHECK_WHOLE(row, good, rows[i].want[0] == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(precedence),
        IN_WORLD(operands),
        IN_WORLD(double_quotes),
        IN_WORLD(places),
        IN_WORLD(functions),
        IN_WORLD(errors),
        IN_WORLD(errors_as_written),
        IN_WORLD(places_that_are_not_known),
        IN_WORLD(limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
