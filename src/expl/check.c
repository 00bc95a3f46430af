#include "expl/check.h"

enum state { FRESH, OPEN, GOOD, BAD };

/* How many formulas may stand on one another, and how many parts of them may be open at once: a
 * chain "a + a + ..." is as deep as it is long. Bounds on the stack that checking takes. */
enum { DEEPEST = 1000, MOST_PARTS = 2500 };

typedef struct checker {
    ks_program *program;
    size_t depth, parts;
    ks_formula formula; /* the one at hand */
    bool may_be_literal;
    int *inputs;
    size_t n_inputs, cap_inputs;
} checker;

static bool check_def(ks_program *program, int number, size_t depth, size_t parts);
static bool check_expr(checker *c, ks_expr *e);

static bool fail(checker *c, enum ks_code code, const ks_expr *e, const char *message)
{
    ks_error(c->program->diags, code, ks_formula_span(c->formula, e), "%s", message);
    return false;
}

static bool is_number(const ks_expr *e)
{
    return e->type.base == KS_WHOLE || e->type.base == KS_REAL;
}

static bool want_numbers(checker *c, const ks_expr *e)
{
    for (size_t i = 0; i < e->n_args; i++)
        if (!is_number(e->args[i]))
            return fail(c, KS_F008, e->args[i], "a number is wanted here");
    return true;
}

static bool want_truth(checker *c, const ks_expr *e)
{
    return e->type.base == KS_TRUTH || fail(c, KS_F008, e, "a condition is wanted here");
}

static bool want_whole(checker *c, const ks_expr *e)
{
    return e->type.base == KS_WHOLE ||
           fail(c, KS_F004, e, "a whole number is wanted here: say floor() or ceil()");
}

static bool fail_dims(checker *c, const ks_expr *place, const ks_expr *a, const ks_expr *b,
                      const char *between)
{
    ks_arena *arena = c->program->arena;
    ks_error(c->program->diags, KS_U003, ks_formula_span(c->formula, place), "%.*s %s %.*s",
             KS_ARG(ks_dim_words(arena, a->type.dim)), between,
             KS_ARG(ks_dim_words(arena, b->type.dim)));
    return false;
}

/* Both must be of one dimension; a bare zero agrees with any. The result takes it. */
static bool unify(checker *c, ks_expr *e, const ks_expr *a, const ks_expr *b, const char *between)
{
    if (!a->any_dim && !b->any_dim && !ks_same_dim(a->type.dim, b->type.dim)) {
        const ks_expr *number = a->kind == KS_E_NUMBER ? a : b;
        fail_dims(c, e, a, b, between);
        if (number->kind == KS_E_NUMBER && ks_same_dim(number->type.dim, KS_NO_DIM))
            ks_add_note(c->program->diags, (ks_span){0}, "the number lacks its unit, as in 3 GiB or 200000 tokens");
        return false;
    }
    e->type.dim = a->any_dim ? b->type.dim : a->type.dim;
    e->any_dim = a->any_dim && b->any_dim;
    return true;
}

static enum ks_base wider(const ks_expr *a, const ks_expr *b)
{
    return a->type.base == KS_REAL || b->type.base == KS_REAL ? KS_REAL : KS_WHOLE;
}

static bool check_arithmetic(checker *c, ks_expr *e)
{
    const ks_expr *a = e->args[0], *b = e->n_args > 1 ? e->args[1] : NULL;
    if (!want_numbers(c, e))
        return false;
    if (!b) {
        e->type = a->type;
        e->any_dim = a->any_dim;
        return true;
    }
    e->type.base = wider(a, b);
    if (e->kind == KS_E_MUL) {
        e->type.dim = ks_dim_times(a->type.dim, b->type.dim);
        return true;
    }
    if (e->kind == KS_E_DIV) {
        e->type = (ks_type){KS_REAL, ks_dim_over(a->type.dim, b->type.dim)};
        return true;
    }
    return unify(c, e, a, b, e->kind == KS_E_ADD ? "plus" : "minus");
}

static bool check_comparison(checker *c, ks_expr *e)
{
    ks_expr *a = e->args[0], *b = e->args[1];
    bool equality = e->kind == KS_E_EQ || e->kind == KS_E_NE;
    if (equality && a->type.base == b->type.base && !is_number(a)) {
        e->type = (ks_type){KS_TRUTH, KS_NO_DIM};
        return true;
    }
    if (!want_numbers(c, e) || !unify(c, e, a, b, "against"))
        return false;
    e->type = (ks_type){KS_TRUTH, KS_NO_DIM};
    e->any_dim = false;
    return true;
}

static bool check_if(checker *c, ks_expr *e)
{
    const ks_expr *yes = e->args[1], *no = e->args[2];
    if (!want_truth(c, e->args[0]))
        return false;
    if (is_number(yes) != is_number(no) || (!is_number(yes) && yes->type.base != no->type.base))
        return fail(c, KS_F008, e, "both branches must be of one kind");
    if (!is_number(yes)) {
        e->type = yes->type;
        return true;
    }
    e->type.base = wider(yes, no);
    return unify(c, e, yes, no, "or");
}

static bool check_extremum(checker *c, ks_expr *e)
{
    if (!want_numbers(c, e))
        return false;
    e->type = e->args[0]->type;
    e->any_dim = e->args[0]->any_dim;
    for (size_t i = 1; i < e->n_args; i++) {
        ks_expr so_far = *e;
        if (!unify(c, e, &so_far, e->args[i], "against"))
            return false;
        e->type.base = wider(&so_far, e->args[i]);
    }
    return true;
}

static bool check_table(checker *c, ks_expr *e)
{
    ks_expr *name = e->args[0], *key = e->args[1];
    if (name->ref < 0)
        return fail(c, KS_F002, name, "there is no table of this name");
    const ks_step_table *table = &c->program->tables[name->ref];
    bool points = e->function == KS_FN_interp;
    if (!is_number(key))
        return fail(c, KS_F008, key, "a number is wanted here");
    if (points && table->value.base > KS_REAL)
        return fail(c, KS_F008, name, "a table of numbers is wanted here");
    if (!key->any_dim && !ks_same_dim(table->key.dim, key->type.dim)) {
        ks_expr bound = {.type = table->key};
        return fail_dims(c, key, key, &bound, "against a table's");
    }
    e->type = (ks_type){points ? KS_REAL : table->value.base, table->value.dim};
    return true;
}

static bool check_list(checker *c, ks_expr *e)
{
    ks_expr *name = e->args[0], *most = e->args[1];
    if (name->ref < 0)
        return fail(c, KS_F002, name, "there is no list of this name");
    if (!is_number(most))
        return fail(c, KS_F008, most, "a number is wanted here");
    if (!want_whole(c, most))
        return false;
    /* A list is of plain numbers; the result is a count or one of them. */
    e->type = (ks_type){KS_WHOLE, e->function == KS_FN_largest_up_to ? most->type.dim : KS_NO_DIM};
    return true;
}

static bool check_over_ranks(checker *c, ks_expr *e)
{
    (void)c;
    e->type = e->args[0]->type;
    e->per_rank = false;
    return want_numbers(c, e);
}

static bool check_rounding(checker *c, ks_expr *e)
{
    if (!want_numbers(c, e))
        return false;
    e->type = (ks_type){KS_WHOLE, e->args[0]->type.dim};
    if (e->n_args == 1)
        return true;
    return want_whole(c, e->args[0]) && want_whole(c, e->args[1]) &&
           unify(c, e, e->args[0], e->args[1], "in steps of");
}

static bool check_py_round(checker *c, ks_expr *e)
{
    const ks_expr *digits = e->args[1], plain = {.type = {KS_WHOLE, KS_NO_DIM}};
    e->type = (ks_type){KS_REAL, e->args[0]->type.dim};
    if (!want_numbers(c, e) || !want_whole(c, digits))
        return false;
    return ks_same_dim(digits->type.dim, KS_NO_DIM) ||
           fail_dims(c, digits, digits, &plain, "instead of");
}

/* Exponents of a dimension are small whole numbers; so only plain numbers are raised. */
static bool check_power(checker *c, ks_expr *e)
{
    const ks_expr plain = {.type = {KS_REAL, KS_NO_DIM}};
    e->type = (ks_type){KS_REAL, KS_NO_DIM};
    if (!want_numbers(c, e))
        return false;
    for (size_t i = 0; i < e->n_args; i++)
        if (!ks_same_dim(e->args[i]->type.dim, KS_NO_DIM))
            return fail_dims(c, e->args[i], e->args[i], &plain, "instead of");
    return true;
}

static bool check_call(checker *c, ks_expr *e)
{
    switch (e->function) {
    case KS_FN_floor:
    case KS_FN_ceil:
    case KS_FN_trunc:
    case KS_FN_round_up:
    case KS_FN_round_down:
        return check_rounding(c, e);
    case KS_FN_real:
    case KS_FN_f32:
        e->type = (ks_type){KS_REAL, e->args[0]->type.dim};
        return want_numbers(c, e);
    case KS_FN_py_round:
        return check_py_round(c, e);
    case KS_FN_pow:
        return check_power(c, e);
    case KS_FN_min:
    case KS_FN_max:
        return check_extremum(c, e);
    case KS_FN_floor_div:
        e->type = (ks_type){KS_WHOLE, ks_dim_over(e->args[0]->type.dim, e->args[1]->type.dim)};
        return want_numbers(c, e);
    case KS_FN_if:
        return check_if(c, e);
    case KS_FN_table:
    case KS_FN_interp:
        return check_table(c, e);
    case KS_FN_sum_over_ranks:
    case KS_FN_min_over_ranks:
    case KS_FN_max_over_ranks:
        return check_over_ranks(c, e);
    case KS_FN_given:
        e->type = (ks_type){KS_TRUTH, KS_NO_DIM};
        return want_truth(c, e->args[0]);
    case KS_FN_count_up_to:
    case KS_FN_largest_up_to:
        return check_list(c, e);
    case KS_N_FUNCTIONS:
        break;
    }
    return false;
}

static void add_input(checker *c, int number)
{
    for (size_t i = 0; i < c->n_inputs; i++)
        if (c->inputs[i] == number)
            return;
    c->inputs = ks_grow(c->program->arena, c->inputs, c->n_inputs, &c->cap_inputs, sizeof(int));
    c->inputs[c->n_inputs++] = number;
}

static bool fail_circle(checker *c, const ks_expr *e, const ks_def *d)
{
    ks_error(c->program->diags, KS_F005, ks_formula_span(c->formula, e),
             "\"%.*s\" needs itself: its formula leads back to it", KS_ARG(d->name));
    ks_add_note(c->program->diags, d->formula.span, "it is defined here");
    return false;
}

/* Looks a name up; the quantity it names is checked first. */
static bool resolve(checker *c, ks_expr *e, ks_str name)
{
    e->ref = ks_find_in(c->program, c->formula.scope, name);
    if (e->ref < 0) {
        ks_error(c->program->diags, KS_F002, ks_formula_span(c->formula, e),
                 "\"%.*s\" is not known here", KS_ARG(name));
        ks_suggest_name(c->program, name);
        return false;
    }
    add_input(c, e->ref);
    if (c->depth >= DEEPEST)
        return fail(c, KS_F009, e, "too many formulas stand on one another");
    bool good = check_def(c->program, e->ref, c->depth + 1, c->parts);
    const ks_def *d = &c->program->defs.items[e->ref];
    if (d->state == OPEN)
        return fail_circle(c, e, d);
    e->type = d->type;
    e->per_rank = d->per_rank;
    return good;
}

/* Arguments that are names of tables, lists or flags are not values. */
static bool check_special_argument(checker *c, ks_expr *call)
{
    ks_expr *name = call->args[0];
    if (name->kind != KS_E_NAME)
        return fail(c, KS_F003, name, "a name is wanted here");
    if (call->function == KS_FN_given) {
        ks_str flag = ks_concat(c->program->arena, name->text, KS_STR(".given"));
        if (ks_find_in(c->program, c->formula.scope, flag) < 0)
            return fail(c, KS_F002, name, "there is no flag of this name");
        return resolve(c, name, flag);
    }
    bool table = call->function == KS_FN_table || call->function == KS_FN_interp;
    name->ref = table ? ks_find_table(c->program, name->text)
                      : ks_find_list(c->program, name->text);
    return true;
}

static bool takes_special(const ks_expr *e)
{
    return e->kind == KS_E_CALL &&
           (e->function == KS_FN_table || e->function == KS_FN_interp ||
            e->function == KS_FN_given || e->function == KS_FN_count_up_to ||
            e->function == KS_FN_largest_up_to);
}

static bool check_args(checker *c, ks_expr *e)
{
    bool good = true;
    bool special = takes_special(e);
    if (special)
        good = check_special_argument(c, e);
    for (size_t i = 0; i < e->n_args; i++) {
        if (i > 0 || !special)
            good &= check_expr(c, e->args[i]);
        e->per_rank = e->per_rank || e->args[i]->per_rank;
    }
    return good;
}

/* The type of an expression whose parts are checked. */
static bool check_kind(checker *c, ks_expr *e)
{
    switch (e->kind) {
    case KS_E_NUMBER:
        return !e->literal || c->may_be_literal ||
               fail(c, KS_F007, e, "give this number a name and a source (only 0, 1, 2 are bare)");
    case KS_E_NAME:
        return resolve(c, e, e->text);
    case KS_E_WORD:
        e->type = (ks_type){KS_WORD, KS_NO_DIM};
        e->ref = (int)ks_word(c->program, e->text);
        return true;
    case KS_E_TRUTH:
        e->type = (ks_type){KS_TRUTH, KS_NO_DIM};
        return true;
    case KS_E_NOT:
    case KS_E_AND:
    case KS_E_OR:
        e->type = (ks_type){KS_TRUTH, KS_NO_DIM};
        return want_truth(c, e->args[0]) && (e->n_args < 2 || want_truth(c, e->args[1]));
    case KS_E_LT:
    case KS_E_LE:
    case KS_E_GT:
    case KS_E_GE:
    case KS_E_EQ:
    case KS_E_NE:
        return check_comparison(c, e);
    case KS_E_NEGATE:
    case KS_E_ADD:
    case KS_E_SUB:
    case KS_E_MUL:
    case KS_E_DIV:
        return check_arithmetic(c, e);
    case KS_E_CALL:
        return check_call(c, e);
    }
    return false;
}

static bool check_expr(checker *c, ks_expr *e)
{
    if (c->parts >= MOST_PARTS)
        return fail(c, KS_F009, e, "too deep, with the formulas that stand on this one");
    c->parts++;
    bool good = check_args(c, e) && check_kind(c, e);
    c->parts--;
    return good;
}

/* The formula's type against what is declared. */
static bool check_declared(checker *c, ks_def *d)
{
    const ks_expr *e = d->expr;
    ks_arena *arena = c->program->arena;
    ks_dim dim = d->has_dim || e->any_dim ? d->type.dim : e->type.dim;
    if (d->has_dim && !e->any_dim && is_number(e) && !ks_same_dim(d->type.dim, e->type.dim)) {
        ks_error(c->program->diags, KS_U003, d->formula.span,
                 "\"%.*s\" is declared in %.*s, its formula gives %.*s", KS_ARG(d->name),
                 KS_ARG(ks_dim_words(arena, d->type.dim)),
                 KS_ARG(ks_dim_words(arena, e->type.dim)));
        return false;
    }
    bool want_real = d->has_base && d->type.base == KS_REAL;
    bool want_whole_number = d->has_base ? d->type.base == KS_WHOLE : ks_dim_is_whole(dim);
    if (e->type.base == KS_REAL && want_whole_number) {
        ks_error(c->program->diags, KS_F004, d->formula.span, "a fraction of a %s: %s",
                 dim.byte ? "byte" : dim.token ? "token" : "whole number",
                 "say floor() or ceil(), or declare it real");
        return false;
    }
    bool other_kind = d->has_base && d->type.base != e->type.base;
    bool no_number = d->has_dim && !ks_same_dim(dim, KS_NO_DIM);
    if (is_number(e) ? other_kind && d->type.base > KS_REAL : other_kind || no_number) {
        fail(c, KS_F008, e,
             d->type.base == KS_TRUTH ? "a condition is wanted here, such as a >= b"
                                      : "the formula is not of the declared kind");
        return false;
    }
    d->type = (ks_type){want_real ? KS_REAL : e->type.base, dim};
    d->per_rank = e->per_rank;
    return true;
}

static bool check_formula(checker *c, ks_def *d)
{
    c->formula = d->formula;
    c->may_be_literal = d->may_be_literal;
    d->expr = ks_parse_formula(c->program->diags, d->formula);
    return d->expr && check_expr(c, d->expr) && check_declared(c, d);
}

/* A pinned quantity takes the type of its own formula, which lives in another definition. */
static bool check_pinned(checker *c, ks_def *d)
{
    add_input(c, d->modelled);
    bool good = check_def(c->program, d->modelled, c->depth + 1, c->parts);
    const ks_def *modelled = &c->program->defs.items[d->modelled];
    if (modelled->state == OPEN) {
        c->formula.span = d->formula.span;
        return fail_circle(c, &(ks_expr){.n = 0}, modelled);
    }
    d->type = modelled->type;
    d->per_rank = modelled->per_rank || d->n_pin_values > 1;
    if (d->kind == KS_MEASURED)
        return good;
    d->expr = modelled->expr;
    c->inputs = modelled->inputs;
    c->n_inputs = modelled->n_inputs;
    return good;
}

static bool check_def(ks_program *program, int number, size_t depth, size_t parts)
{
    ks_def *d = &program->defs.items[number];
    checker c = {.program = program, .depth = depth, .parts = parts};
    if (d->state != FRESH)
        return d->state != BAD;
    d->state = OPEN;
    bool good = true;
    if (d->modelled >= 0)
        good = check_pinned(&c, d);
    else if (d->formula.text.n)
        good = check_formula(&c, d);
    else
        d->per_rank = d->n_values > 1;
    d->inputs = c.inputs;
    d->n_inputs = c.n_inputs;
    d->state = good ? GOOD : BAD;
    if (good)
        program->order[program->n_order++] = number;
    return good;
}

bool ks_check_program(ks_program *program)
{
    bool good = true;
    program->order = KS_NEW_ARRAY(program->arena, int, program->defs.n);
    for (size_t i = 0; i < program->defs.n; i++)
        good &= check_def(program, (int)i, 0, 0);
    return good;
}
