#include "expl/code.h"

typedef struct compiler {
    ks_program *program;
    ks_bytecode *code;
} compiler;

static int compile(compiler *k, const ks_expr *e);

static int new_reg(compiler *k, bool per_rank)
{
    *KS_PUSH(k->program->arena, &k->code->per_rank) = per_rank;
    return (int)k->code->per_rank.n - 1;
}

static int constant(compiler *k, ks_cell value)
{
    int reg = new_reg(k, false);
    *KS_PUSH(k->program->arena, &k->code->constants) = (ks_constant){reg, value};
    return reg;
}

static int emit(compiler *k, ks_instruction instruction, bool per_rank)
{
    instruction.dst = instruction.dst < 0 ? new_reg(k, per_rank) : instruction.dst;
    *KS_PUSH(k->program->arena, k->code) = instruction;
    return instruction.dst;
}

static int emit3(compiler *k, enum ks_op op, int a, int b, int c, bool per_rank)
{
    return emit(k, (ks_instruction){op, -1, a, b, c, -1}, per_rank);
}

static int as_real(compiler *k, const ks_expr *e)
{
    int reg = compile(k, e);
    if (e->type.base != KS_WHOLE)
        return reg;
    return emit3(k, KS_OP_TO_REAL, reg, -1, -1, e->per_rank);
}

static int as(compiler *k, const ks_expr *e, enum ks_base base)
{
    return base == KS_REAL ? as_real(k, e) : compile(k, e);
}

/* op_i or op_f by the type of the result; arguments are converted to it. */
static int numeric(compiler *k, const ks_expr *e, enum ks_op op_i, enum ks_op op_f)
{
    enum ks_base base = e->type.base;
    int reg = as(k, e->args[0], base);
    enum ks_op op = base == KS_REAL ? op_f : op_i;
    if (e->n_args == 1)
        return emit3(k, op, reg, -1, -1, e->per_rank);
    for (size_t i = 1; i < e->n_args; i++)
        reg = emit3(k, op, reg, as(k, e->args[i], base), -1, e->per_rank);
    return reg;
}

static int comparison(compiler *k, const ks_expr *e)
{
    const ks_expr *a = e->args[0], *b = e->args[1];
    bool real = a->type.base == KS_REAL || b->type.base == KS_REAL;
    enum ks_base base = real ? KS_REAL : KS_WHOLE;
    int left = as(k, a, base), right = as(k, b, base);
    if (e->kind == KS_E_GT || e->kind == KS_E_GE) {
        int swap = left;
        left = right;
        right = swap;
    }
    if (e->kind == KS_E_EQ || e->kind == KS_E_NE) {
        int equal = emit3(k, real ? KS_OP_EQ_F : KS_OP_EQ_I, left, right, -1, e->per_rank);
        return e->kind == KS_E_EQ ? equal : emit3(k, KS_OP_NOT, equal, -1, -1, e->per_rank);
    }
    bool strict = e->kind == KS_E_LT || e->kind == KS_E_GT;
    enum ks_op op = strict ? (real ? KS_OP_LT_F : KS_OP_LT_I) : (real ? KS_OP_LE_F : KS_OP_LE_I);
    return emit3(k, op, left, right, -1, e->per_rank);
}

/* Rounding of what is whole already is nothing. */
static int rounding(compiler *k, const ks_expr *e, enum ks_op op)
{
    int reg = compile(k, e->args[0]);
    if (e->args[0]->type.base == KS_WHOLE)
        return reg;
    return emit3(k, op, reg, -1, -1, e->per_rank);
}

static int lookup(compiler *k, const ks_expr *e, enum ks_op op)
{
    bool list = op == KS_OP_COUNT_UP_TO || op == KS_OP_LARGEST_UP_TO;
    int key = as(k, e->args[1], list ? KS_WHOLE : KS_REAL);
    return emit(k, (ks_instruction){op, -1, key, -1, -1, e->args[0]->ref}, e->per_rank);
}

static int floor_division(compiler *k, const ks_expr *e)
{
    bool whole = e->args[0]->type.base == KS_WHOLE && e->args[1]->type.base == KS_WHOLE;
    enum ks_base base = whole ? KS_WHOLE : KS_REAL;
    int a = as(k, e->args[0], base), b = as(k, e->args[1], base);
    return emit3(k, whole ? KS_OP_FLOOR_DIV_I : KS_OP_FLOOR_DIV_F, a, b, -1, e->per_rank);
}

static int selection(compiler *k, const ks_expr *e)
{
    int condition = compile(k, e->args[0]);
    int yes = as(k, e->args[1], e->type.base), no = as(k, e->args[2], e->type.base);
    enum ks_op op = e->type.base == KS_REAL ? KS_OP_SELECT_F : KS_OP_SELECT_I;
    return emit3(k, op, condition, yes, no, e->per_rank);
}

static int call(compiler *k, const ks_expr *e)
{
    int a;
    switch (e->function) {
    case KS_FN_floor:
        return rounding(k, e, KS_OP_FLOOR);
    case KS_FN_ceil:
        return rounding(k, e, KS_OP_CEIL);
    case KS_FN_trunc:
        return rounding(k, e, KS_OP_TRUNC);
    case KS_FN_real:
        return as_real(k, e->args[0]);
    case KS_FN_f32:
        return emit3(k, KS_OP_F32, as_real(k, e->args[0]), -1, -1, e->per_rank);
    case KS_FN_py_round:
        a = as_real(k, e->args[0]);
        return emit3(k, KS_OP_PY_ROUND, a, compile(k, e->args[1]), -1, e->per_rank);
    case KS_FN_pow:
        a = as_real(k, e->args[0]);
        return emit3(k, KS_OP_POW_F, a, as_real(k, e->args[1]), -1, e->per_rank);
    case KS_FN_round_up:
        return numeric(k, e, KS_OP_ROUND_UP_I, KS_OP_ROUND_UP_I);
    case KS_FN_round_down:
        return numeric(k, e, KS_OP_ROUND_DOWN_I, KS_OP_ROUND_DOWN_I);
    case KS_FN_min:
        return numeric(k, e, KS_OP_MIN_I, KS_OP_MIN_F);
    case KS_FN_max:
        return numeric(k, e, KS_OP_MAX_I, KS_OP_MAX_F);
    case KS_FN_floor_div:
        return floor_division(k, e);
    case KS_FN_if:
        return selection(k, e);
    case KS_FN_table:
        return lookup(k, e, e->type.base == KS_REAL ? KS_OP_TABLE_F : KS_OP_TABLE_I);
    case KS_FN_interp:
        return lookup(k, e, KS_OP_INTERP);
    case KS_FN_count_up_to:
        return lookup(k, e, KS_OP_COUNT_UP_TO);
    case KS_FN_largest_up_to:
        return lookup(k, e, KS_OP_LARGEST_UP_TO);
    case KS_FN_sum_over_ranks:
        return numeric(k, e, KS_OP_SUM_RANKS_I, KS_OP_SUM_RANKS_F);
    case KS_FN_min_over_ranks:
        return numeric(k, e, KS_OP_MIN_RANKS_I, KS_OP_MIN_RANKS_F);
    case KS_FN_max_over_ranks:
        return numeric(k, e, KS_OP_MAX_RANKS_I, KS_OP_MAX_RANKS_F);
    case KS_FN_given:
        return k->program->defs.items[e->args[0]->ref].reg;
    case KS_N_FUNCTIONS:
        break;
    }
    return -1;
}

static int logic(compiler *k, const ks_expr *e, enum ks_op op)
{
    int a = compile(k, e->args[0]);
    int b = e->n_args > 1 ? compile(k, e->args[1]) : -1;
    return emit3(k, op, a, b, -1, e->per_rank);
}

static int compile(compiler *k, const ks_expr *e)
{
    switch (e->kind) {
    case KS_E_NUMBER:
        return constant(k, ks_from_real(e->type, e->value));
    case KS_E_TRUTH:
        return constant(k, (ks_cell){.i = e->value != 0});
    case KS_E_WORD:
        return constant(k, (ks_cell){.i = e->ref});
    case KS_E_NAME:
        return k->program->defs.items[e->ref].reg;
    case KS_E_NOT:
        return logic(k, e, KS_OP_NOT);
    case KS_E_AND:
        return logic(k, e, KS_OP_AND);
    case KS_E_OR:
        return logic(k, e, KS_OP_OR);
    case KS_E_NEGATE:
        return numeric(k, e, KS_OP_NEGATE_I, KS_OP_NEGATE_F);
    case KS_E_ADD:
        return numeric(k, e, KS_OP_ADD_I, KS_OP_ADD_F);
    case KS_E_SUB:
        return numeric(k, e, KS_OP_SUB_I, KS_OP_SUB_F);
    case KS_E_MUL:
        return numeric(k, e, KS_OP_MUL_I, KS_OP_MUL_F);
    case KS_E_DIV:
        return numeric(k, e, KS_OP_DIV_F, KS_OP_DIV_F);
    case KS_E_LT:
    case KS_E_LE:
    case KS_E_GT:
    case KS_E_GE:
    case KS_E_EQ:
    case KS_E_NE:
        return comparison(k, e);
    case KS_E_CALL:
        return call(k, e);
    }
    return -1;
}

static void compile_def(compiler *k, ks_def *d)
{
    if (d->modelled >= 0) {
        const ks_def *modelled = &k->program->defs.items[d->modelled];
        enum ks_op op = d->type.base == KS_REAL ? KS_OP_PIN_F : KS_OP_PIN_I;
        d->pin_reg = new_reg(k, d->n_pin_values > 1);
        d->mode_reg = new_reg(k, false);
        d->reg = emit3(k, op, modelled->reg, d->pin_reg, d->mode_reg, d->per_rank);
        return;
    }
    if (!d->expr) {
        d->reg = new_reg(k, d->per_rank);
        return;
    }
    int first = (int)k->code->per_rank.n;
    int reg = as(k, d->expr, d->type.base);
    /* A register of its own: a name for another quantity must not share that one's. */
    d->reg = reg < first ? emit3(k, KS_OP_COPY, reg, -1, -1, d->per_rank) : reg;
}

ks_bytecode *ks_compile(ks_program *program)
{
    compiler k = {program, KS_NEW(program->arena, ks_bytecode)};
    for (size_t i = 0; i < program->n_order; i++)
        compile_def(&k, &program->defs.items[program->order[i]]);
    return k.code;
}
