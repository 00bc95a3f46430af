#include "expl/formula.h"

#include "base/num.h"

#include <math.h>

enum { MAX_DEPTH = 48, MAX_ARGS = 8 };

static const struct {
    const char *name;
    unsigned least, most;
} functions[] = {
#define X(name, least, most, meaning) {#name, least, most},
    KS_FUNCTIONS(X)
#undef X
};

typedef struct parser {
    ks_diags *diags;
    ks_formula formula;
    ks_str text;
    size_t at;
    size_t depth;
    bool failed;
} parser;

static ks_expr *parse_or(parser *p);

const char *ks_function_name(enum ks_function function)
{
    return functions[function].name;
}

ks_span ks_formula_span(ks_formula formula, const ks_expr *part)
{
    return formula.exact ? ks_span_part(formula.span, part->at, part->n) : formula.span;
}

static ks_expr *fail(parser *p, enum ks_code code, size_t at, size_t n, const char *message)
{
    ks_expr place = {.at = (uint32_t)at, .n = (uint32_t)(n ? n : 1)};
    if (!p->failed)
        ks_error(p->diags, code, ks_formula_span(p->formula, &place), "%s", message);
    p->failed = true;
    return NULL;
}

static void skip_blanks(parser *p)
{
    while (p->at < p->text.n && (p->text.s[p->at] == ' ' || p->text.s[p->at] == '\t' ||
                                 p->text.s[p->at] == '\n' || p->text.s[p->at] == '\r'))
        p->at++;
}

static char peek(parser *p)
{
    skip_blanks(p);
    return p->at < p->text.n ? p->text.s[p->at] : '\0';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Length of the dotted name at the cursor. */
static size_t name_length(const parser *p)
{
    size_t n = 0;
    while (p->at + n < p->text.n) {
        char c = p->text.s[p->at + n];
        char after = p->at + n + 1 < p->text.n ? p->text.s[p->at + n + 1] : '\0';
        bool dot = c == '.' && n && (is_letter(after) || is_digit(after));
        if (!is_letter(c) && !(n && is_digit(c)) && !dot)
            break;
        n++;
    }
    return n;
}

static ks_expr *new_expr(parser *p, enum ks_expr_kind kind, size_t from)
{
    ks_expr *e = KS_NEW(p->diags->arena, ks_expr);
    e->kind = kind;
    e->at = (uint32_t)from;
    e->n = (uint32_t)ks_trim(ks_slice(p->text, from, p->at)).n;
    e->ref = -1;
    return e;
}

static ks_expr *parse_number(parser *p)
{
    size_t from = p->at;
    double value, scale;
    ks_dim dim = KS_NO_DIM;
    ks_quantity quantity;
    size_t n = ks_parse_decimal(ks_slice(p->text, p->at, p->text.n), &value);
    if (n == 0)
        return fail(p, KS_F001, p->at, 1, "a number is wanted here");
    ks_str digits = ks_slice(p->text, p->at, p->at + n);
    p->at += n;
    size_t end = p->at;
    skip_blanks(p);
    size_t unit = ks_parse_unit(ks_slice(p->text, p->at, p->text.n), &scale, &dim);
    p->at = unit ? p->at + unit : end;
    if (ks_parse_quantity(ks_slice(p->text, from, p->at), &quantity) != KS_QUANTITY_OK)
        return fail(p, KS_F001, from, n, "the number is too large");
    ks_expr *e = new_expr(p, KS_E_NUMBER, from);
    e->value = quantity.value;
    int64_t exact;
    bool pointed = ks_find_byte(digits, '.', 0) < n || ks_find_byte(digits, 'e', 0) < n ||
                   ks_find_byte(digits, 'E', 0) < n;
    /* Whole or real is decided by the way a number is written, not by its value. */
    if (unit)
        pointed = !ks_dim_is_whole(dim);
    if (unit && !pointed)
        e->value = round(e->value);
    e->whole = !pointed && ks_to_whole(e->value, &exact);
    e->type = (ks_type){e->whole ? KS_WHOLE : KS_REAL, dim};
    e->any_dim = value == 0 && !unit;
    e->literal = unit || (value != 0 && value != 1 && value != 2);
    return e;
}

static ks_expr *parse_word(parser *p)
{
    char quote = p->text.s[p->at];
    size_t from = p->at, close = ks_find_byte(p->text, quote, p->at + 1);
    if (close == p->text.n)
        return fail(p, KS_F001, from, 1, "this quote is never closed");
    p->at = close + 1;
    ks_expr *e = new_expr(p, KS_E_WORD, from);
    e->text = ks_slice(p->text, from + 1, close);
    return e;
}

static int find_function(ks_str name)
{
    for (int i = 0; i < KS_N_FUNCTIONS; i++)
        if (ks_equal_c(name, functions[i].name))
            return i;
    return -1;
}

static ks_expr *fail_function(parser *p, ks_str name, size_t from)
{
    ks_str names[KS_N_FUNCTIONS];
    fail(p, KS_F001, from, name.n, "there is no such function");
    for (int i = 0; i < KS_N_FUNCTIONS; i++)
        names[i] = ks_from_c(functions[i].name);
    ks_suggest(p->diags, name, names, KS_N_FUNCTIONS);
    return NULL;
}

static ks_expr *parse_call(parser *p, ks_str name, size_t from)
{
    int function = find_function(name);
    if (function < 0)
        return fail_function(p, name, from);
    ks_expr *args[MAX_ARGS];
    size_t n = 0;
    p->at++; /* the opening parenthesis */
    do {
        if (n == MAX_ARGS)
            return fail(p, KS_F003, from, name.n, "too many arguments");
        args[n] = parse_or(p);
        if (!args[n++])
            return NULL;
    } while (peek(p) == ',' && p->at++ < p->text.n);
    if (peek(p) != ')')
        return fail(p, KS_F001, p->at, 1, "a comma or a closing parenthesis is wanted here");
    p->at++;
    if (n < functions[function].least || n > functions[function].most)
        return fail(p, KS_F003, from, p->at - from,
                    functions[function].most == 1   ? "this takes one argument"
                    : functions[function].most == 2 ? "this takes two arguments"
                    : functions[function].most == 3 ? "this takes three arguments"
                                                    : "this takes two to eight arguments");
    ks_expr *e = new_expr(p, KS_E_CALL, from);
    e->function = (enum ks_function)function;
    e->n_args = n;
    for (size_t i = 0; i < n; i++)
        e->args[i] = args[i];
    return e;
}

static ks_expr *parse_name(parser *p)
{
    size_t from = p->at;
    ks_str name = ks_slice(p->text, from, from + name_length(p));
    p->at += name.n;
    bool yes = ks_equal_c(name, "true");
    if (yes || ks_equal_c(name, "false")) {
        ks_expr *e = new_expr(p, KS_E_TRUTH, from);
        e->value = yes ? 1 : 0;
        return e;
    }
    if (p->at < p->text.n && p->text.s[p->at] == '(')
        return parse_call(p, name, from);
    ks_expr *e = new_expr(p, KS_E_NAME, from);
    e->text = name;
    return e;
}

static ks_expr *parse_operand(parser *p)
{
    char c = peek(p);
    size_t from = p->at;
    if (is_digit(c) || c == '.')
        return parse_number(p);
    if (c == '\'' || c == '"')
        return parse_word(p);
    if (is_letter(c))
        return parse_name(p);
    if (c != '(')
        return fail(p, KS_F001, p->at, 1,
                    c ? "a number, a name or ( is wanted here" : "the formula ends too early");
    p->at++;
    ks_expr *inner = parse_or(p);
    if (!inner)
        return NULL;
    if (peek(p) != ')')
        return fail(p, KS_F001, from, 1, "this parenthesis is never closed");
    p->at++;
    return inner;
}

static ks_expr *parse_unary(parser *p)
{
    if (peek(p) != '-')
        return parse_operand(p);
    size_t from = p->at++;
    if (++p->depth > MAX_DEPTH)
        return fail(p, KS_F009, from, 1, "nested too deeply");
    ks_expr *inner = parse_unary(p);
    p->depth--;
    if (!inner)
        return NULL;
    ks_expr *e = new_expr(p, KS_E_NEGATE, from);
    e->args[0] = inner;
    e->n_args = 1;
    return e;
}

/* How tightly operators bind, loosest first. */
enum rank { RANK_OR = 1, RANK_AND, RANK_NOT, RANK_COMPARE, RANK_SUM, RANK_PRODUCT };

typedef struct binary {
    const char *text;
    size_t n;
    enum ks_expr_kind kind;
    enum rank rank;
} binary;

static const binary operators[] = {
    {"+", 1, KS_E_ADD, RANK_SUM},      {"-", 1, KS_E_SUB, RANK_SUM},
    {"*", 1, KS_E_MUL, RANK_PRODUCT},  {"/", 1, KS_E_DIV, RANK_PRODUCT},
    {"<=", 2, KS_E_LE, RANK_COMPARE},  {">=", 2, KS_E_GE, RANK_COMPARE},
    {"==", 2, KS_E_EQ, RANK_COMPARE},  {"!=", 2, KS_E_NE, RANK_COMPARE},
    {"<", 1, KS_E_LT, RANK_COMPARE},   {">", 1, KS_E_GT, RANK_COMPARE},
    {"and", 3, KS_E_AND, RANK_AND},    {"or", 2, KS_E_OR, RANK_OR},
};

/* The operator at the cursor, or NULL. */
static const binary *operator_at(parser *p)
{
    char first = peek(p);
    ks_str rest = ks_slice(p->text, p->at, p->text.n);
    for (size_t i = 0; first && i < KS_COUNT(operators); i++) {
        const binary *op = &operators[i];
        if (op->text[0] != first || !ks_starts_with(rest, (ks_str){op->text, op->n}))
            continue;
        if (!is_letter(first) || name_length(p) == op->n)
            return op;
    }
    return NULL;
}

static bool at_not(parser *p)
{
    return peek(p) == 'n' && name_length(p) == 3 &&
           ks_starts_with(ks_slice(p->text, p->at, p->text.n), KS_STR("not"));
}

static ks_expr *parse_ranked(parser *p, enum rank rank);

static ks_expr *parse_not(parser *p)
{
    size_t from = p->at;
    p->at += 3;
    ks_expr *inner = parse_ranked(p, RANK_NOT);
    if (!inner)
        return NULL;
    ks_expr *e = new_expr(p, KS_E_NOT, from);
    e->args[0] = inner;
    e->n_args = 1;
    return e;
}

/* A chain of operators that bind at least as tightly as `rank`; equal ones from the left. */
static ks_expr *parse_ranked(parser *p, enum rank rank)
{
    const binary *op;
    peek(p);
    size_t from = p->at; /* not left->at: that leaves out an opening parenthesis */
    if (++p->depth > MAX_DEPTH)
        return fail(p, KS_F009, from, 1, "nested too deeply");
    ks_expr *left = rank <= RANK_NOT && at_not(p) ? parse_not(p) : parse_unary(p);
    while (left && (op = operator_at(p)) && op->rank >= rank) {
        p->at += op->n;
        ks_expr *right = parse_ranked(p, (enum rank)(op->rank + 1));
        if (!right)
            return NULL;
        ks_expr *e = new_expr(p, op->kind, from);
        e->args[0] = left;
        e->args[1] = right;
        e->n_args = 2;
        left = e;
    }
    p->depth--;
    return left;
}

static ks_expr *parse_or(parser *p)
{
    return parse_ranked(p, RANK_OR);
}

ks_expr *ks_parse_formula(ks_diags *diags, ks_formula formula)
{
    parser p = {.diags = diags, .formula = formula, .text = formula.text};
    if (formula.text.n > KS_MAX_FORMULA)
        return fail(&p, KS_F009, 0, 1, "the formula is too long");
    ks_expr *e = parse_or(&p);
    skip_blanks(&p);
    if (e && p.at < p.text.n)
        return fail(&p, KS_F001, p.at, 1, "an operator is wanted here");
    return e;
}
