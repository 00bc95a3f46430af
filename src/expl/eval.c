#include "expl/eval.h"

#include "base/num.h"
#include "expl/code.h"

#include <math.h>

struct ks_plan {
    ks_program *program;
    size_t lanes;
    ks_cell *cells;
    size_t *first;  /* by register: its first cell */
    bool *varies;   /* by register: has a cell for each lane */
    bool started;   /* what is the same in all lanes has been computed */
};

/* What an operation works on: `n` lanes of dst; a stride of 0 repeats one cell. */
typedef struct operands {
    ks_cell *dst;
    const ks_cell *a, *b, *c;
    size_t sa, sb, sc, n;
    const ks_program *program;
    int aux;
} operands;

typedef void (*lanes_fn)(const operands *o);

static bool sick(int64_t x)
{
    return x == KS_POISON;
}

/* A checked operation's result, or poison. */
#define CHECKED(function)                                                                          \
    static int64_t function##_or_poison(int64_t a, int64_t b)                                      \
    {                                                                                              \
        int64_t result;                                                                            \
        return sick(a) || sick(b) || !ks_##function(a, b, &result) ? KS_POISON : result;           \
    }
CHECKED(add64)
CHECKED(sub64)
CHECKED(mul64)
CHECKED(floor_div64)
CHECKED(round_up64)
CHECKED(round_down64)

static int64_t whole_of(double x)
{
    int64_t result;
    return ks_to_whole(x, &result) ? result : KS_POISON;
}

static int64_t least(int64_t a, int64_t b)
{
    return sick(a) || sick(b) ? KS_POISON : a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return sick(a) || sick(b) ? KS_POISON : a > b ? a : b;
}

static double least_real(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b ? a : b;
}

static double greatest_real(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a > b ? a : b;
}

static double quotient(double a, double b)
{
    return b != 0 ? a / b : (double)NAN;
}

/* NaN where it is no number, or none that a double holds. C's pow() makes 1 of pow(1, NaN). */
static double power(double a, double b)
{
    double result = isnan(a) || isnan(b) ? (double)NAN : pow(a, b);
    return isfinite(result) ? result : (double)NAN;
}

static double real_of(int64_t x)
{
    return sick(x) ? (double)NAN : (double)x;
}

static int64_t truth(bool known, bool value)
{
    return known ? value : KS_POISON;
}

static int64_t both(int64_t a, int64_t b)
{
    return a == 0 || b == 0 ? 0 : sick(a) || sick(b) ? KS_POISON : 1;
}

static int64_t either(int64_t a, int64_t b)
{
    return a == 1 || b == 1 ? 1 : sick(a) || sick(b) ? KS_POISON : 0;
}

static ks_cell chosen(ks_cell condition, ks_cell yes, ks_cell no, ks_cell none)
{
    return sick(condition.i) ? none : condition.i ? yes : no;
}

static ks_cell table_row(const ks_step_table *table, double key)
{
    size_t i = 0;
    while (i + 1 < table->n_rows && !(key < table->rows[i].bound))
        i++;
    return table->rows[i].value;
}

static double interpolated(const ks_step_table *table, double key)
{
    const ks_table_row *rows = table->rows;
    size_t i = 0, last = table->n_rows - 1;
    while (i < last && !(key < rows[i].bound))
        i++;
    double high = ks_as_real(table->value, rows[i].value);
    if (i == 0 || !(key < rows[i].bound))
        return high;
    double low = ks_as_real(table->value, rows[i - 1].value);
    double share = (key - rows[i - 1].bound) / (rows[i].bound - rows[i - 1].bound);
    return low + (high - low) * share;
}

static int64_t count_up_to(const ks_number_list *list, int64_t most)
{
    int64_t n = 0;
    for (size_t i = 0; i < list->n_runs && most >= list->runs[i].from; i++) {
        const ks_run_of *run = &list->runs[i];
        int64_t to = most < run->to ? most : run->to;
        n += (to - run->from) / run->step + 1;
    }
    return n;
}

static int64_t largest_up_to(const ks_number_list *list, int64_t most)
{
    int64_t largest = 0;
    for (size_t i = 0; i < list->n_runs && most >= list->runs[i].from; i++) {
        const ks_run_of *run = &list->runs[i];
        int64_t to = most < run->to ? most : run->to;
        largest = run->from + (to - run->from) / run->step * run->step;
    }
    return largest;
}

static int64_t pinned_whole(int64_t modelled, int64_t pin, int64_t mode)
{
    return mode == KS_PIN_VALUE ? pin
           : mode == KS_PIN_SHIFT ? add64_or_poison(modelled, pin)
                                  : modelled;
}

static double pinned_real(double modelled, double pin, int64_t mode)
{
    return mode == KS_PIN_VALUE ? pin : mode == KS_PIN_SHIFT ? modelled + pin : modelled;
}

#define TABLE_OF(o) (&(o)->program->tables[(o)->aux])
#define LIST_OF(o) (&(o)->program->lists[(o)->aux])

/* One function an operation, over all lanes. */
#define LANES(name, member, expression)                                                            \
    static void lanes_##name(const operands *o)                                                    \
    {                                                                                              \
        for (size_t l = 0; l < o->n; l++) {                                                        \
            const ks_cell a = o->a[l * o->sa], b = o->b[l * o->sb], c = o->c[l * o->sc];           \
            (void)a, (void)b, (void)c;                                                             \
            o->dst[l].member = expression;                                                         \
        }                                                                                          \
    }

LANES(COPY, i, a.i)
LANES(TO_REAL, f, real_of(a.i))
LANES(ADD_I, i, add64_or_poison(a.i, b.i))
LANES(SUB_I, i, sub64_or_poison(a.i, b.i))
LANES(MUL_I, i, mul64_or_poison(a.i, b.i))
LANES(NEGATE_I, i, sub64_or_poison(0, a.i))
LANES(MIN_I, i, least(a.i, b.i))
LANES(MAX_I, i, greatest(a.i, b.i))
LANES(FLOOR_DIV_I, i, floor_div64_or_poison(a.i, b.i))
LANES(ROUND_UP_I, i, round_up64_or_poison(a.i, b.i))
LANES(ROUND_DOWN_I, i, round_down64_or_poison(a.i, b.i))
LANES(ADD_F, f, a.f + b.f)
LANES(SUB_F, f, a.f - b.f)
LANES(MUL_F, f, a.f *b.f)
LANES(DIV_F, f, quotient(a.f, b.f))
LANES(POW_F, f, power(a.f, b.f))
LANES(NEGATE_F, f, -a.f)
LANES(MIN_F, f, least_real(a.f, b.f))
LANES(MAX_F, f, greatest_real(a.f, b.f))
LANES(FLOOR_DIV_F, i, b.f != 0 ? whole_of(ks_py_floor_div(a.f, b.f)) : KS_POISON)
LANES(FLOOR, i, whole_of(floor(a.f)))
LANES(CEIL, i, whole_of(ceil(a.f)))
LANES(TRUNC, i, whole_of(trunc(a.f)))
LANES(F32, f, (double)(float)a.f)
LANES(PY_ROUND, f, sick(b.i) ? (double)NAN : ks_py_round(a.f, (int)(b.i < 0 ? 0 : b.i > 15 ? 15 : b.i)))
LANES(LT_I, i, truth(!sick(a.i) && !sick(b.i), a.i < b.i))
LANES(LE_I, i, truth(!sick(a.i) && !sick(b.i), a.i <= b.i))
LANES(EQ_I, i, truth(!sick(a.i) && !sick(b.i), a.i == b.i))
LANES(LT_F, i, truth(!isnan(a.f) && !isnan(b.f), a.f < b.f))
LANES(LE_F, i, truth(!isnan(a.f) && !isnan(b.f), a.f <= b.f))
LANES(EQ_F, i, truth(!isnan(a.f) && !isnan(b.f), a.f <= b.f && a.f >= b.f))
LANES(NOT, i, sick(a.i) ? KS_POISON : !a.i)
LANES(AND, i, both(a.i, b.i))
LANES(OR, i, either(a.i, b.i))
LANES(SELECT_I, i, chosen(a, b, c, (ks_cell){.i = KS_POISON}).i)
LANES(SELECT_F, f, chosen(a, b, c, (ks_cell){.f = (double)NAN}).f)
LANES(TABLE_I, i, isnan(a.f) ? KS_POISON : table_row(TABLE_OF(o), a.f).i)
LANES(TABLE_F, f, isnan(a.f) ? (double)NAN : table_row(TABLE_OF(o), a.f).f)
LANES(INTERP, f, isnan(a.f) ? (double)NAN : interpolated(TABLE_OF(o), a.f))
LANES(COUNT_UP_TO, i, sick(a.i) ? KS_POISON : count_up_to(LIST_OF(o), a.i))
LANES(LARGEST_UP_TO, i, sick(a.i) ? KS_POISON : largest_up_to(LIST_OF(o), a.i))
LANES(PIN_I, i, pinned_whole(a.i, b.i, c.i))
LANES(PIN_F, f, pinned_real(a.f, b.f, c.i))

/* Over ranks, a holds what has been summed so far, b a class's value, c the size of the class. */
LANES(SUM_RANKS_I, i, add64_or_poison(a.i, mul64_or_poison(b.i, c.i)))
LANES(MIN_RANKS_I, i, least(a.i, b.i))
LANES(MAX_RANKS_I, i, greatest(a.i, b.i))
LANES(SUM_RANKS_F, f, a.f + b.f * (double)c.i)
LANES(MIN_RANKS_F, f, least_real(a.f, b.f))
LANES(MAX_RANKS_F, f, greatest_real(a.f, b.f))

static const lanes_fn operations[KS_N_OPS] = {
#define X(name) lanes_##name,
    KS_OPS(X)
#undef X
};

static const ks_cell zero = {.i = 0};

static bool per_rank(const ks_plan *plan, int reg)
{
    return plan->program->code->per_rank.items[reg];
}

static ks_cell *cells_of(const ks_plan *plan, int reg, size_t rank_class)
{
    size_t width = plan->varies[reg] ? plan->lanes : 1;
    return plan->cells + plan->first[reg] + (per_rank(plan, reg) ? rank_class * width : 0);
}

static void take(const ks_plan *plan, int reg, size_t rank_class, const ks_cell **cells,
                 size_t *stride)
{
    *cells = reg < 0 ? &zero : cells_of(plan, reg, rank_class);
    *stride = reg >= 0 && plan->varies[reg] ? 1 : 0;
}

static void reduce_ranks(const ks_plan *plan, const ks_instruction *in)
{
    const ks_program *program = plan->program;
    bool sum = in->op == KS_OP_SUM_RANKS_I || in->op == KS_OP_SUM_RANKS_F;
    operands o = {.dst = cells_of(plan, in->dst, 0), .program = program};
    o.n = plan->varies[in->dst] ? plan->lanes : 1;
    take(plan, in->a, 0, &o.b, &o.sb);
    for (size_t l = 0; l < o.n; l++)
        o.dst[l] = sum ? zero : o.b[l * o.sb];
    if (sum && in->op == KS_OP_SUM_RANKS_F)
        for (size_t l = 0; l < o.n; l++)
            o.dst[l].f = 0;
    o.a = o.dst;
    o.sa = 1;
    for (size_t class = 0; class < program->n_classes; class++) {
        ks_cell size = {.i = (int64_t)program->class_size[class]};
        take(plan, in->a, class, &o.b, &o.sb);
        o.c = &size;
        operations[in->op](&o);
    }
}

static void run_one(const ks_plan *plan, const ks_instruction *in)
{
    if (in->op >= KS_OP_SUM_RANKS_I) {
        reduce_ranks(plan, in);
        return;
    }
    size_t classes = per_rank(plan, in->dst) ? plan->program->n_classes : 1;
    for (size_t class = 0; class < classes; class++) {
        operands o = {.dst = cells_of(plan, in->dst, class), .program = plan->program,
                      .aux = in->aux};
        o.n = plan->varies[in->dst] ? plan->lanes : 1;
        take(plan, in->a, class, &o.a, &o.sa);
        take(plan, in->b, class, &o.b, &o.sb);
        take(plan, in->c, class, &o.c, &o.sc);
        operations[in->op](&o);
    }
}

void ks_plan_run(ks_plan *plan)
{
    const ks_bytecode *code = plan->program->code;
    for (size_t i = 0; i < code->n; i++)
        if (!plan->started || plan->varies[code->items[i].dst])
            run_one(plan, &code->items[i]);
    plan->started = true;
}

static void fill(ks_plan *plan, int reg, const ks_cell *values, size_t n)
{
    const ks_program *program = plan->program;
    size_t classes = per_rank(plan, reg) ? program->n_classes : 1;
    size_t width = plan->varies[reg] ? plan->lanes : 1;
    for (size_t class = 0; class < classes; class++)
        for (size_t l = 0; l < width; l++)
            cells_of(plan, reg, class)[l] =
                n == 0 || !values ? zero : values[n > 1 ? program->class_first[class] : 0];
}

static void fill_inputs(ks_plan *plan)
{
    const ks_program *program = plan->program;
    for (size_t i = 0; i < program->n_order; i++) {
        const ks_def *d = &program->defs.items[program->order[i]];
        if (d->modelled >= 0) {
            ks_cell mode = {.i = d->pin_mode};
            fill(plan, d->pin_reg, d->pin_values, d->n_pin_values);
            fill(plan, d->mode_reg, &mode, 1);
        } else if (!d->expr) {
            fill(plan, d->reg, d->values, d->n_values);
        }
    }
    for (size_t i = 0; i < program->code->constants.n; i++)
        fill(plan, program->code->constants.items[i].reg,
             &program->code->constants.items[i].value, 1);
}

static bool any_varies(const ks_plan *plan, const ks_instruction *in)
{
    return (in->a >= 0 && plan->varies[in->a]) || (in->b >= 0 && plan->varies[in->b]) ||
           (in->c >= 0 && plan->varies[in->c]);
}

ks_plan *ks_plan_new(ks_program *program, const int *varying, size_t n_varying, size_t lanes)
{
    const ks_bytecode *code = program->code;
    size_t n_regs = code->per_rank.n, total = 0;
    ks_plan *plan = KS_NEW(program->arena, ks_plan);
    plan->program = program;
    plan->lanes = lanes;
    plan->varies = KS_NEW_ARRAY(program->arena, bool, n_regs);
    plan->first = KS_NEW_ARRAY(program->arena, size_t, n_regs);
    for (size_t i = 0; i < n_varying; i++) {
        const ks_def *d = &program->defs.items[varying[i]];
        plan->varies[d->modelled >= 0 ? d->pin_reg : d->reg] = true;
        if (d->modelled >= 0)
            plan->varies[d->mode_reg] = true;
    }
    for (size_t i = 0; i < code->n; i++)
        if (any_varies(plan, &code->items[i]))
            plan->varies[code->items[i].dst] = true;
    for (size_t reg = 0; reg < n_regs; reg++) {
        plan->first[reg] = total;
        total += (plan->varies[reg] ? lanes : 1) *
                 (code->per_rank.items[reg] ? program->n_classes : 1);
    }
    plan->cells = KS_NEW_ARRAY(program->arena, ks_cell, total);
    fill_inputs(plan);
    return plan;
}

static void set_reg(ks_plan *plan, int reg, size_t lane, ks_cell value)
{
    size_t classes = per_rank(plan, reg) ? plan->program->n_classes : 1;
    for (size_t class = 0; class < classes; class++)
        cells_of(plan, reg, class)[plan->varies[reg] ? lane : 0] = value;
}

void ks_plan_set(ks_plan *plan, int def, size_t lane, ks_cell value)
{
    set_reg(plan, plan->program->defs.items[def].reg, lane, value);
}

void ks_plan_pin(ks_plan *plan, int def, size_t lane, enum ks_pin_mode mode, ks_cell value)
{
    const ks_def *d = &plan->program->defs.items[def];
    set_reg(plan, d->pin_reg, lane, value);
    set_reg(plan, d->mode_reg, lane, (ks_cell){.i = mode});
}

void ks_plan_pin_class(ks_plan *plan, int def, size_t lane, size_t rank_class, ks_cell value)
{
    const ks_def *d = &plan->program->defs.items[def];
    cells_of(plan, d->pin_reg, rank_class)[plan->varies[d->pin_reg] ? lane : 0] = value;
}

ks_cell ks_plan_get(const ks_plan *plan, int def, size_t rank_class, size_t lane)
{
    int reg = plan->program->defs.items[def].reg;
    return cells_of(plan, reg, rank_class)[plan->varies[reg] ? lane : 0];
}

double ks_plan_real(const ks_plan *plan, int def, size_t rank_class, size_t lane)
{
    return ks_as_real(plan->program->defs.items[def].type,
                      ks_plan_get(plan, def, rank_class, lane));
}

bool ks_plan_varies(const ks_plan *plan, int def)
{
    return plan->varies[plan->program->defs.items[def].reg];
}

size_t ks_plan_cost(const ks_plan *plan)
{
    const ks_bytecode *code = plan->program->code;
    size_t n = 0;
    for (size_t i = 0; i < code->n; i++)
        if (plan->varies[code->items[i].dst])
            n += code->per_rank.items[code->items[i].dst] ? plan->program->n_classes : 1;
    return n;
}
