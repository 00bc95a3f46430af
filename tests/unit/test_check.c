/* Names, dimensions, ranks, circles and pinned quantities: what ks_link() finds out and refuses.
 * Programs are written in the few lines that support.h describes. */
#include "support.h"

#include "expl/code.h"
#include "expl/eval.h"

static ks_program *linked(world *w, size_t n_ranks, const char *text)
{
    forget_diags(w);
    ks_program *program = program_of(w, n_ranks, text);
    bool good = ks_link(program);
    CHECK_WHOLE(text, good, w->diags.errors == 0);
    return program;
}

/* What every program below may name. */
#define GIVEN                                                                                      \
    "free : 94.08 GiB\n"                                                                           \
    "cell : 70272 B/token\n"                                                                       \
    "length : 159215 tokens\n"                                                                     \
    "rate : 64.3 GB/s\n"                                                                           \
    "time : 3.7 ms\n"                                                                              \
    "layers : 61\n"                                                                                \
    "part : 0.8485\n"                                                                              \
    "dtype [word] : fp8\n"                                                                         \
    "graphs [truth] : true\n"

/* ---- Types ----------------------------------------------------------------------------------- */

static void define_tables(ks_program *program)
{
    static ks_table_row rows[] = {{8192, {.i = 17}}, {(double)INFINITY, {.i = 31}}};
    static ks_run_of runs[] = {{.from = 1, .to = 8, .step = 1}};
    ks_step_table steps = {.name = KS_STR("steps"), .rows = rows, .n_rows = 2};
    steps.key = (ks_type){KS_WHOLE, {0, 0, 1}};
    steps.value = (ks_type){KS_WHOLE, {1, 0, 0}};
    ks_step_table kinds = {.name = KS_STR("kinds"), .rows = rows, .n_rows = 2};
    kinds.value = (ks_type){KS_WORD, {0, 0, 0}};
    ks_define_table(program, steps);
    ks_define_table(program, kinds);
    ks_define_list(program, (ks_number_list){.name = KS_STR("sizes"), .runs = runs, .n_runs = 1});
}

/* Base and dimension of a formula's value. */
static void types(void **state)
{
    world *w = *state;
    static const struct {
        const char *formula;
        enum ks_base base;
        ks_dim dim;
    } rows[] = {
        {"free - 17 B", KS_WHOLE, {1, 0, 0}},
        {"free + 0", KS_WHOLE, {1, 0, 0}},
        {"0 - length", KS_WHOLE, {0, 0, 1}},
        {"0 + 0", KS_WHOLE, {0, 0, 0}},
        {"-0 + free", KS_WHOLE, {1, 0, 0}},
        {"if(graphs, 0, time)", KS_REAL, {0, 1, 0}},
        {"min(0, free, 0)", KS_WHOLE, {1, 0, 0}},
        {"cell * length", KS_WHOLE, {1, 0, 0}},
        {"cell * layers", KS_WHOLE, {1, 0, -1}},
        {"free / rate", KS_REAL, {0, 1, 0}},
        {"free / free", KS_REAL, {0, 0, 0}},
        {"layers / 2", KS_REAL, {0, 0, 0}},
        {"1 / time", KS_REAL, {0, -1, 0}},
        {"free * free", KS_WHOLE, {2, 0, 0}},
        {"floor(free * part)", KS_WHOLE, {1, 0, 0}},
        {"ceil(free * part)", KS_WHOLE, {1, 0, 0}},
        {"trunc(rate * time)", KS_WHOLE, {1, 0, 0}},
        {"floor_div(free, cell)", KS_WHOLE, {0, 0, 1}},
        {"floor_div(free, rate)", KS_WHOLE, {0, 1, 0}},
        {"floor_div(real(layers), part)", KS_WHOLE, {0, 0, 0}},
        {"real(layers)", KS_REAL, {0, 0, 0}},
        {"f32(part)", KS_REAL, {0, 0, 0}},
        {"f32(time)", KS_REAL, {0, 1, 0}},
        {"py_round(part, 3)", KS_REAL, {0, 0, 0}},
        {"py_round(time, 6)", KS_REAL, {0, 1, 0}},
        {"pow(part, layers)", KS_REAL, {0, 0, 0}},
        {"round_up(free, 2 MiB)", KS_WHOLE, {1, 0, 0}},
        {"round_down(length, 64 tokens)", KS_WHOLE, {0, 0, 1}},
        {"round_up(layers, 8)", KS_WHOLE, {0, 0, 0}},
        {"max(free, 17 B)", KS_WHOLE, {1, 0, 0}},
        {"min(time, 3 s, 9 ms)", KS_REAL, {0, 1, 0}},
        {"min(layers, part)", KS_REAL, {0, 0, 0}},
        {"if(graphs, layers, part)", KS_REAL, {0, 0, 0}},
        {"if(graphs, dtype, 'bf16')", KS_WORD, {0, 0, 0}},
        {"if(graphs, graphs, free < 3 B)", KS_TRUTH, {0, 0, 0}},
        {"free < 31 GiB", KS_TRUTH, {0, 0, 0}},
        {"free >= 0", KS_TRUTH, {0, 0, 0}},
        {"layers == part", KS_TRUTH, {0, 0, 0}},
        {"dtype != 'bf16'", KS_TRUTH, {0, 0, 0}},
        {"graphs == (dtype == 'fp8')", KS_TRUTH, {0, 0, 0}},
        {"not graphs or free < 3 B and true", KS_TRUTH, {0, 0, 0}},
        {"sum_over_ranks(free)", KS_WHOLE, {1, 0, 0}},
        {"max_over_ranks(time)", KS_REAL, {0, 1, 0}},
        {"dtype", KS_WORD, {0, 0, 0}},
        {"table(steps, length)", KS_WHOLE, {1, 0, 0}},
        {"table(steps, 0)", KS_WHOLE, {1, 0, 0}},
        {"interp(steps, length)", KS_REAL, {1, 0, 0}},
        {"count_up_to(sizes, layers)", KS_WHOLE, {0, 0, 0}},
        {"count_up_to(sizes, length)", KS_WHOLE, {0, 0, 0}},
        {"largest_up_to(sizes, length)", KS_WHOLE, {0, 0, 1}},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        const char *row = rows[i].formula;
        const char *real = rows[i].base == KS_REAL ? "[real] " : "";
        const char *text = ks_format(w->arena, GIVEN "x %s= %s\n", real, row).s;
        ks_program *program = program_of(w, 1, text);
        define_tables(program);
        ks_link(program);
        CHECK_TEXT(row, summary(w), "");
        const ks_def *x = &program->defs.items[def_of(program, "x")];
        CHECK_WHOLE(row, x->type.base, rows[i].base);
        CHECK_TEXT(row, ks_dim_symbol(w->arena, x->type.dim),
                   ks_to_c(w->arena, ks_dim_symbol(w->arena, rows[i].dim)));
    }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Each begins on line 10, after GIVEN. */
static void errors(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        /* Dimensions. */
        {"x = free + length", "U003 p:10:5 [free + length]"},
        {"x = (free + length) * layers", "U003 p:10:6 [free + length]"},
        {"x = layers * (free - cell )", "U003 p:10:15 [free - cell]"},
        {"x = free < length", "U003 p:10:5 [free < length]"},
        {"x = min(free, 3, length)", "U003 p:10:5 [min(free, 3, length)]"},
        {"x = if(graphs, free, time)", "U003 p:10:5 [if(graphs, free, time)]"},
        {"x = round_up(free, 64)", "U003 p:10:5 [round_up(free, 64)]"},
        {"x = free + 1", "U003 p:10:5 [free + 1]"},
        {"x = rate + time", "U003 p:10:5 [rate + time]"},
        {"x [B] = length", "U003 p:10:9 [length]"},
        {"x [token] = floor_div(free, layers)", "U003 p:10:13 [floor_div(free, layers)]"},
        {"x [1] = time", "U003 p:10:9 [time]"},
        {"x = py_round(part, 3 B)", "U003 p:10:20 [3 B]"},
        {"x = pow(free, 2)", "U003 p:10:9 [free]"},
        {"x = pow(part, time)", "U003 p:10:15 [time]"},
        {"x = table(steps, free)", "U003 p:10:18 [free]"},
        {"x = interp(steps, 17)", "U003 p:10:19 [17]"},
        /* A fraction of a byte or token. */
        {"x = free * part", "F004 p:10:5 [free * part]"},
        {"x = free / cell", "F004 p:10:5 [free / cell]"},
        {"x = cell / 2", "F004 p:10:5 [cell / 2]"},
        {"x [whole] = layers / 2", "F004 p:10:13 [layers / 2]"},
        {"x = round_up(free * part, 2 MiB)", "F004 p:10:14 [free * part]"},
        {"x = round_down(length, real(64 tokens))", "F004 p:10:24 [real(64 tokens)]"},
        {"x = py_round(part, part)", "F004 p:10:20 [part]"},
        {"x = count_up_to(sizes, part)", "F004 p:10:24 [part]"},
        {"x = interp(steps, length)", "F004 p:10:5 [interp(steps, length)]"},
        /* Names. */
        {"x = fre - 17 B", "F002 p:10:5 [fre] ?free"},
        {"x = free - nothing.near", "F002 p:10:12 [nothing.near]"},
        {"x = given(tp)", "F002 p:10:11 [tp]"},
        {"x = table(stairs, length)", "F002 p:10:11 [stairs]"},
        {"x = count_up_to(steps, layers)", "F002 p:10:17 [steps]"},
        {"x = largest_up_to(free, layers)", "F002 p:10:19 [free]"},
        {"x = x.modelled", "F002 p:10:5 [x.modelled]"},
        {"x = fre + fre", "F002 p:10:5 [fre] ?free; F002 p:10:11 [fre] ?free"},
        /* Kinds. */
        {"x = dtype + 3", "F008 p:10:5 [dtype]"},
        {"x = -graphs", "F008 p:10:6 [graphs]"},
        {"x = dtype == 3", "F008 p:10:5 [dtype]"},
        {"x = 3 == dtype", "F008 p:10:10 [dtype]"},
        {"x = dtype == graphs", "F008 p:10:5 [dtype]"},
        {"x = dtype < 'fp9'", "F008 p:10:5 [dtype]"},
        {"x = not free", "F008 p:10:9 [free]"},
        {"x = graphs and layers", "F008 p:10:16 [layers]"},
        {"x = layers or graphs", "F008 p:10:5 [layers]"},
        {"x = if(layers, 1, 2)", "F008 p:10:8 [layers]"},
        {"x = if(graphs, 1, dtype)", "F008 p:10:5 [if(graphs, 1, dtype)]"},
        {"x = if(graphs, graphs, dtype)", "F008 p:10:5 [if(graphs, graphs, dtype)]"},
        {"x = floor(dtype)", "F008 p:10:11 [dtype]"},
        {"x = real(graphs)", "F008 p:10:10 [graphs]"},
        {"x = f32('fp8')", "F008 p:10:9 ['fp8']"},
        {"x = max(layers, graphs)", "F008 p:10:17 [graphs]"},
        {"x = floor_div(layers, dtype)", "F008 p:10:23 [dtype]"},
        {"x = sum_over_ranks(graphs)", "F008 p:10:20 [graphs]"},
        {"x = table(steps, dtype)", "F008 p:10:18 [dtype]"},
        {"x = count_up_to(sizes, graphs)", "F008 p:10:24 [graphs]"},
        {"x = interp(kinds, layers)", "F008 p:10:12 [kinds]"},
        {"x [truth] = layers", "F008 p:10:13 [layers]"},
        {"x [real] = graphs", "F008 p:10:12 [graphs]"},
        {"x [word] = graphs", "F008 p:10:12 [graphs]"},
        {"x [B] = graphs", "F008 p:10:9 [graphs]"},
        {"free.given : 17 B\nx = given(free)", "F008 p:11:11 [free]"},
        /* Arguments that are names. */
        {"x = given(free + 0)", "F003 p:10:11 [free + 0]"},
        {"x = table(3, length)", "F003 p:10:11 [3]"},
        {"x = table('steps', length)", "F003 p:10:11 ['steps']"},
        {"x = largest_up_to(-sizes, layers)", "F003 p:10:19 [-sizes]"},
        /* Circles. */
        {"x = x + 1", "F005 p:10:5 [x] <- p:10:5 [x + 1]"},
        {"x = 2 * y\ny = z + 1\nz = layers * x", "F005 p:12:14 [x] <- p:10:5 [2 * y]"},
        {"x = if(false, x, 1)", "F005 p:10:15 [x] <- p:10:5 [if(false, x, 1)]"},
        {"x.given = given(x)", "F005 p:10:17 [x] <- p:10:11 [given(x)]"},
        {"x.given = y == 1\ny = if(given(x), 1, 2)", "F005 p:11:14 [x] <- p:10:11 [y == 1]"},
        /* Numbers that have no name. */
        {"x [strict] = layers * 3", "F007 p:10:23 [3]"},
        {"x [strict] = free - 17 MiB", "F007 p:10:21 [17 MiB]"},
        {"x [strict] = layers * 0.5 + 1", "F007 p:10:23 [0.5]"},
        {"x [strict] = max(0 B, free)", "F007 p:10:18 [0 B]"},
        {"x [strict] = (layers + 1) * 2 - 0", ""},
        {"x [strict] = layers * -2", ""},
        {"x = layers * 3", ""},
        /* Names that are there already. */
        {"free : 31 GiB", "F010 p:10:1 [free] <- p:1:1 [free]"},
        {"x = 3\nx = 5", "F010 p:11:1 [x] <- p:10:1 [x]"},
        /* What a formula's text is wrong in. */
        {"x = free + (layers", "F001 p:10:12 [(]"},
        {"x = flor(part)", "F001 p:10:5 [flor] ?floor"},
        {"x = floor(part, 3)", "F003 p:10:5 [floor(part, 3)]"},
        /* More than one. */
        {"x = free + time\ny = part * free\nz = lenght",
         "U003 p:10:5 [free + time]; F004 p:11:5 [part * free]; F002 p:12:5 [lenght] ?length"},
        {"x = floor(fre) + (dtype + 3)", "F002 p:10:11 [fre] ?free; F008 p:10:19 [dtype]"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        /* No quantity is both a number and a condition; where x is faulty, this is not said. */
        bool faulty = rows[i][1][0] && strncmp(rows[i][0], "x ", 2) == 0 &&
                      strncmp(rows[i][1], "F010", 4) != 0;
        const char *text = ks_format(w->arena, GIVEN "%s\n%s", rows[i][0],
                                     faulty ? "impossible = -x + 1 == 1 and x\n" : "")
                               .s;
        ks_program *program = program_of(w, 1, text);
        define_tables(program);
        bool good = ks_link(program) && w->diags.errors == 0;
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
        CHECK_WHOLE(rows[i][0], good, rows[i][1][0] == '\0');
    }
}

static void errors_as_written(void **state)
{
    world *w = *state;
    linked(w, 1, GIVEN "kv.budget [B] = free - length * (1 - part)\n");
    CHECK_TEXT("dimensions", written(w),
               "p:10:17: error[U003]: bytes minus tokens\n"
               "    kv.budget [B] = free - length * (1 - part)\n"
               "                    ^^^^^^^^^^^^^^^^^^^^^^^^^^\n");
    linked(w, 1, GIVEN "y = free * part\n");
    CHECK_TEXT(
        "fraction", written(w),
        "p:10:5: error[F004]: a fraction of a byte: say floor() or ceil(), or declare it real\n"
        "    y = free * part\n"
        "        ^^^^^^^^^^^\n");
    linked(w, 1, GIVEN "a.b = length * 2\na.c = a.d\na.d = a.b / a.c\n");
    CHECK_TEXT("circle", written(w),
               "p:12:13: error[F005]: \"a.c\" needs itself: its formula leads back to it\n"
               "    a.d = a.b / a.c\n"
               "                ^^^\n"
               "p:11:7: note: it is defined here\n"
               "    a.c = a.d\n"
               "          ^^^\n");
}

/* One slip is one message, however many quantities stand on the faulty one. */
static void poison_is_silent(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {"y = x + 1\nz = y * y\nx = lenght\nv = if(x < z, y, z)\n", "F002 p:12:5 [lenght] ?length"},
        {"x = free * part\ny = x + free\nz = floor_div(y, x) + sum_over_ranks(z0)\nz0 = x / x\n",
         "F004 p:10:5 [free * part]"},
        {"x = y\ny = z\nz = x\nu = x\nv = y + z\n", "F005 p:12:5 [x] <- p:10:5 [y]"},
        {"x = free +\ny = x - x\nx.given [truth] : true\nv = given(x)\n", "F001 p:10:11 []"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        linked(w, 1, ks_format(w->arena, GIVEN "%s", rows[i][0]).s);
        CHECK_TEXT(rows[i][0], summary(w), rows[i][1]);
    }
}

/* A program with a hundred unknown names: twenty are told, all are counted. */
static void many_errors(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    for (int i = 0; i < 100; i++)
        ks_addf(&b, "x%d = y%d\n", i, i + 17);
    linked(w, 1, ks_to_c(w->arena, ks_built(&b)));
    CHECK_WHOLE("told", w->diags.n, 20);
    CHECK_WHOLE("dropped", w->diags.dropped, 80);
    CHECK_WHOLE("errors", w->diags.errors, 100);
}

/* A name is looked for in the formula's scope first. */
static void scopes(void **state)
{
    world *w = *state;
    static const struct {
        const char *scope;
        int64_t want;
    } rows[] = {{"", 17}, {"llm.", 31}, {"gpu.", 17}};
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        ks_program *program = program_of(w, 1, "layers : 17\nllm.layers : 31\nx = layers\n");
        int x = def_of(program, "x");
        program->defs.items[x].formula.scope = ks_from_c(rows[i].scope);
        CHECK(rows[i].scope, ks_link(program));
        ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
        ks_plan_run(plan);
        CHECK_WHOLE(rows[i].scope, ks_plan_get(plan, x, 0, 0).i, rows[i].want);
    }
}

/* ---- Depth ----------------------------------------------------------------------------------- */

/* q0 stands on q1, which stands on q2, ...; each formula is FORMAT of the next one's number. */
static ks_str chain(world *w, int n, const char *before, const char *after, const char *last)
{
    ks_builder b = {.arena = w->arena};
    for (int i = 0; i < n - 1; i++)
        ks_addf(&b, "q%d = %sq%d%s\n", i, before, i + 1, after);
    ks_addf(&b, "q%d %s\n", n - 1, last);
    return ks_built(&b);
}

static void deep_chains(void **state)
{
    world *w = *state;
    ks_builder ones = {.arena = w->arena};
    for (int i = 0; i < 4080; i++)
        ks_add(&ones, KS_STR("+1"));
    const char *many = ks_to_c(w->arena, ks_built(&ones));
    const struct {
        const char *name;
        int n;
        const char *before, *after;
        bool good;
    } rows[] = {
        {"900 names", 900, "", "", true},
        {"900 sums", 900, "1 + ", "", true},
        {"900 sums from the left", 900, "", " + 1", true},
        {"5000 names", 5000, "", "", false},
        {"5000 sums", 5000, "1 + ", "", false},
        {"5000 calls", 5000, "max(1, floor(-(", ")))", false},
        {"a long sum", 2, "", many + 4080, true},
        {"a longer one", 2, "", many, false},
        {"long sums on one another", 300, "", many, false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        ks_program *program = program_of(
            w, 1, ks_to_c(w->arena, chain(w, rows[i].n, rows[i].before, rows[i].after, ": 17")));
        bool good = ks_link(program);
        CHECK_WHOLE(rows[i].name, good, rows[i].good);
        CHECK_WHOLE(rows[i].name, w->diags.n > 0, !rows[i].good);
        for (size_t k = 0; k < w->diags.n; k++)
            CHECK_WHOLE(rows[i].name, w->diags.items[k].code, KS_F009);
    }
}

/* The same the other way round: what is defined before it is used is never deep. */
static void long_chains_in_order(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    ks_add(&b, KS_STR("q0 : 17\n"));
    for (int i = 1; i < 5000; i++)
        ks_addf(&b, "q%d = q%d + 3\n", i, i - 1);
    ks_program *program = linked(w, 1, ks_to_c(w->arena, ks_built(&b)));
    CHECK_TEXT("diagnostics", summary(w), "");
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    ks_plan_run(plan);
    CHECK_WHOLE("q4999", ks_plan_get(plan, def_of(program, "q4999"), 0, 0).i, 17 + 3 * 4999);
}

/* Pinned quantities in a deep chain count too. */
static void deep_chains_of_pinned(void **state)
{
    world *w = *state;
    static const ks_cell value = {.i = 41};
    ks_program *program = program_of(w, 1, ks_to_c(w->arena, chain(w, 5000, "1 + ", "", ": 17")));
    for (int i = 0; i < 5000; i++)
        ks_pin(program, i, i % 2 ? KS_PIN_VALUE : KS_PIN_SHIFT, &value, 1, (ks_span){0});
    CHECK("deep", !ks_link(program));
    CHECK_WHOLE("deep", w->diags.items[0].code, KS_F009);
}

/* ---- Order and inputs ------------------------------------------------------------------------ */

static void inputs_come_first(void **state)
{
    world *w = *state;
    ks_program *program = linked(w, 1,
                                 "c = b * a + b\nb = a + 1\nd = floor(c / b) + given(a.x)\n"
                                 "a : 17\n");
    CHECK_TEXT("given() names a flag", summary(w), "F002 p:3:26 [a.x]");
    program = linked(w, 1,
                     "c = b * a + b\nb = a + 1\nd = if(given(f), floor(c / b), a)\n"
                     "a : 17\nf.given [truth] : true\n");
    CHECK_TEXT("diagnostics", summary(w), "");
    CHECK_WHOLE("all are there", program->n_order, program->defs.n);
    static const char *const inputs[][2] = {
        {"a", ""}, {"b", "a "}, {"c", "b a "}, {"d", "f.given c b a "}};
    for (size_t i = 0; i < KS_COUNT(inputs); i++) {
        const ks_def *d = &program->defs.items[def_of(program, inputs[i][0])];
        ks_builder b = {.arena = w->arena};
        for (size_t k = 0; k < d->n_inputs; k++)
            ks_addf(&b, "%.*s ", KS_ARG(program->defs.items[d->inputs[k]].name));
        CHECK_TEXT(inputs[i][0], ks_built(&b), inputs[i][1]);
    }
    size_t position[8] = {0};
    for (size_t i = 0; i < program->n_order; i++)
        position[program->order[i]] = i;
    for (size_t i = 0; i < program->defs.n; i++)
        for (size_t k = 0; k < program->defs.items[i].n_inputs; k++)
            CHECK("order", position[program->defs.items[i].inputs[k]] < position[i]);
}

/* Every quantity has a register of its own, also where a formula is but a name. */
static void registers_are_not_shared(void **state)
{
    world *w = *state;
    ks_program *program = linked(
        w, 1,
        "a : 17\nr : 0.625\nb = a\nc = floor(a)\nd = trunc(c)\ne = real(r)\n"
        "f.given [truth] : true\ng = given(f)\nh = -a\ni [real] = a\nj = 3\nk = r\n");
    CHECK_TEXT("diagnostics", summary(w), "");
    for (size_t i = 0; i < program->defs.n; i++)
        for (size_t k = 0; k < i; k++)
            CHECK(ks_to_c(w->arena, program->defs.items[i].name),
                  program->defs.items[i].reg != program->defs.items[k].reg);
}

/* ---- Ranks ----------------------------------------------------------------------------------- */

static void what_differs_between_ranks(void **state)
{
    world *w = *state;
    ks_program *program = linked(
        w, 4,
        "free : 17 B | 31 B | 17 B | 5 B\nsame : 3 B\ngraphs [truth] : true\n"
        "a = free + same\nb = same * 2\nc = min_over_ranks(free)\nd = c + same\n"
        "e = c + free\nf = if(graphs, free, same)\ng = if(free < c, same, same)\n"
        "h = sum_over_ranks(a) + sum_over_ranks(same)\ni = max_over_ranks(e) - a\n"
        "j = not (free == same)\nk = floor(free / free)\nl = max(same, same, free)\n");
    CHECK_TEXT("diagnostics", summary(w), "");
    static const struct {
        const char *name;
        bool per_rank;
    } rows[] = {
        {"free", true}, {"same", false}, {"a", true}, {"b", false}, {"c", false},
        {"d", false},   {"e", true},     {"f", true}, {"g", true},  {"h", false},
        {"i", true},    {"j", true},     {"k", true}, {"l", true},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_WHOLE(rows[i].name, program->defs.items[def_of(program, rows[i].name)].per_rank,
                    rows[i].per_rank);
    CHECK_WHOLE("classes", program->n_classes, 3);
    static const size_t class_of[] = {0, 1, 0, 2}, size_of_class[] = {2, 1, 1}, first[] = {0, 1, 3};
    for (size_t rank = 0; rank < 4; rank++)
        CHECK_WHOLE("class", program->class_of_rank[rank], class_of[rank]);
    for (size_t k = 0; k < 3; k++) {
        CHECK_WHOLE("size", program->class_size[k], size_of_class[k]);
        CHECK_WHOLE("first", program->class_first[k], first[k]);
    }
}

static void classes_of_ranks(void **state)
{
    world *w = *state;
    static const struct {
        size_t n_ranks;
        const char *text;
        size_t classes;
    } rows[] = {
        {8, "a : 17\n", 1},
        {8, "a : 17 | 17 | 17 | 17 | 17 | 17 | 17 | 17\n", 1},
        {8, "a : 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8\n", 8},
        {8, "a : 1 | 1 | 1 | 1 | 2 | 2 | 2 | 2\nb : 3 | 4 | 3 | 4 | 3 | 4 | 3 | 4\n", 4},
        {4, "a : 0.5 | 0.25 | 0.5 | 0.25\n", 2},
        {4, "a : 0.5 | 0.25 | 0.5 | 0.25\nb [truth] : true | true | false | false\n", 4},
        {1, "a : 17\nb = sum_over_ranks(a)\n", 1},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        const ks_program *program = linked(w, rows[i].n_ranks, rows[i].text);
        size_t ranks = 0;
        CHECK_TEXT(rows[i].text, summary(w), "");
        CHECK_WHOLE(rows[i].text, program->n_classes, rows[i].classes);
        for (size_t k = 0; k < program->n_classes; k++)
            ranks += program->class_size[k];
        CHECK_WHOLE(rows[i].text, ranks, rows[i].n_ranks);
    }
}

/* ---- Pinned quantities ----------------------------------------------------------------------- */

static const char model[] = "free : 94083219456 B\npart : 0.8485\n"
                            "budget = floor(free * part)\ncell : 70272 B/token\n"
                            "tokens = floor_div(budget, cell)\n";

/* The model with "budget" pinned. */
static ks_program *pinned(world *w, enum ks_pin_mode mode, const ks_cell *values, size_t n)
{
    static const ks_str where = {"budget: 77 GiB", 14};
    ks_program *program = program_of(w, 2, model);
    const ks_source *source = ks_source_new(w->arena, KS_STR("scenario"), where);
    ks_pin(program, def_of(program, "budget"), mode, values, n, (ks_span){source, 8, 6});
    CHECK("pinned", ks_link(program));
    CHECK_TEXT("diagnostics", summary(w), "");
    return program;
}

static int64_t value_of(ks_program *program, const char *name, size_t rank_class)
{
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    ks_plan_run(plan);
    return ks_plan_get(plan, def_of(program, name), rank_class, 0).i;
}

static void pinned_to_a_value(void **state)
{
    world *w = *state;
    static const ks_cell value = {.i = 82678120448};
    ks_program *program = pinned(w, KS_PIN_VALUE, &value, 1);
    int64_t modelled = (int64_t)floor(94083219456.0 * 0.8485);
    CHECK_WHOLE("budget", value_of(program, "budget", 0), value.i);
    CHECK_WHOLE("modelled", value_of(program, "budget.modelled", 0), modelled);
    CHECK_WHOLE("unexplained", value_of(program, "budget.unexplained", 0), value.i - modelled);
    CHECK_WHOLE("tokens", value_of(program, "tokens", 0), value.i / 70272);
    const ks_def *budget = &program->defs.items[def_of(program, "budget")];
    const ks_def *rest = &program->defs.items[def_of(program, "budget.unexplained")];
    CHECK_WHOLE("kind", budget->kind, KS_MEASURED);
    CHECK_WHOLE("type", budget->type.base, KS_WHOLE);
    CHECK_TEXT("place", ks_where(w->arena, rest->at), "scenario:1:9");
    CHECK("same dimension", ks_same_dim(rest->type.dim, KS_BYTE));
    CHECK("shown", !program->defs.items[def_of(program, "budget.modelled")].hidden);
    CHECK("its kind", program->defs.items[def_of(program, "budget.modelled")].kind == KS_DERIVED);
}

/* What measurement left unexplained, given as a number: the quantity is the formula's value and
 * that, also where lanes may set it. */
static void pinned_to_a_shift(void **state)
{
    world *w = *state;
    static const ks_cell shift = {.i = -2711};
    int64_t modelled = (int64_t)floor(94083219456.0 * 0.8485);
    for (int i = 0; i < 3; i++) {
        forget_diags(w);
        ks_program *program = program_of(w, 2, model);
        int budget = def_of(program, "budget"), tokens = def_of(program, "tokens");
        program->defs.items[budget].type = (ks_type){KS_WHOLE, {1, 0, 0}};
        if (i == 1)
            ks_pin(program, budget, KS_PIN_FREE, NULL, 0, (ks_span){0});
        ks_pin(program, budget, KS_PIN_SHIFT, &shift, 1, (ks_span){0});
        if (i == 2)
            ks_pin(program, budget, KS_PIN_FREE, NULL, 0, (ks_span){0});
        CHECK("linked", ks_link(program));
        CHECK_TEXT("diagnostics", summary(w), "");
        CHECK_WHOLE("budget", value_of(program, "budget", 0), modelled - 2711);
        CHECK_WHOLE("modelled", value_of(program, "budget.modelled", 0), modelled);
        CHECK_WHOLE("unexplained", value_of(program, "budget.unexplained", 0), -2711);
        CHECK_WHOLE("tokens", value_of(program, "tokens", 0), (modelled - 2711) / 70272);
        CHECK("shown", !program->defs.items[def_of(program, "budget.modelled")].hidden);
        const ks_def *rest = &program->defs.items[def_of(program, "budget.unexplained")];
        CHECK("kind", rest->kind == KS_MEASURED && rest->is_signed);
        CHECK_WHOLE("kind", program->defs.items[budget].kind, KS_DERIVED);
        if (i == 0)
            continue;
        ks_plan *plan = ks_plan_new(program, &budget, 1, 2);
        ks_plan_pin(plan, budget, 1, KS_PIN_VALUE, (ks_cell){.i = 7027211111});
        ks_plan_run(plan);
        CHECK_WHOLE("free", ks_plan_get(plan, tokens, 0, 0).i, (modelled - 2711) / 70272);
        CHECK_WHOLE("set", ks_plan_get(plan, tokens, 0, 1).i, 7027211111 / 70272);
    }
}

static void pinned_and_free(void **state)
{
    world *w = *state;
    ks_program *program = pinned(w, KS_PIN_FREE, NULL, 0);
    int64_t modelled = (int64_t)floor(94083219456.0 * 0.8485);
    int budget = def_of(program, "budget"), tokens = def_of(program, "tokens");
    CHECK_WHOLE("budget", value_of(program, "budget", 0), modelled);
    CHECK("nothing is unexplained", ks_find(program, KS_STR("budget.unexplained")) < 0);
    CHECK("hidden", program->defs.items[def_of(program, "budget.computed")].hidden);
    CHECK("what it stands on is still told", program->defs.items[budget].n_inputs == 2);
    /* Lane by lane it may be free, shifted or set. */
    ks_plan *plan = ks_plan_new(program, &budget, 1, 4);
    ks_plan_pin(plan, budget, 1, KS_PIN_VALUE, (ks_cell){.i = 7027211111});
    ks_plan_pin(plan, budget, 2, KS_PIN_SHIFT, (ks_cell){.i = 702720});
    ks_plan_pin(plan, budget, 3, KS_PIN_SHIFT, (ks_cell){.i = INT64_MAX});
    ks_plan_run(plan);
    CHECK_WHOLE("free", ks_plan_get(plan, tokens, 0, 0).i, modelled / 70272);
    CHECK_WHOLE("set", ks_plan_get(plan, tokens, 0, 1).i, 7027211111 / 70272);
    CHECK_WHOLE("shifted", ks_plan_get(plan, tokens, 0, 2).i, modelled / 70272 + 10);
    CHECK_REAL("too far", ks_plan_real(plan, tokens, 0, 3), (double)NAN, 0);
}

/* The type of a pinned quantity is known before its value is. */
static void values_that_come_later(void **state)
{
    world *w = *state;
    static const ks_cell values[] = {{.i = 82678120448}, {.i = 79131508736}};
    ks_program *program = program_of(w, 2, model);
    int budget = def_of(program, "budget");
    ks_pin(program, budget, KS_PIN_VALUE, NULL, 2, (ks_span){0});
    CHECK("resolved", ks_resolve(program));
    CHECK_WHOLE("base", program->defs.items[budget].type.base, KS_WHOLE);
    CHECK("dimension", ks_same_dim(program->defs.items[budget].type.dim, KS_BYTE));
    CHECK("differs", program->defs.items[budget].per_rank);
    ks_set_pin_values(program, budget, values);
    CHECK("linked", ks_link(program));
    CHECK_TEXT("diagnostics", summary(w), "");
    CHECK_WHOLE("classes", program->n_classes, 2);
    for (size_t rank = 0; rank < 2; rank++)
        CHECK_WHOLE("tokens", value_of(program, "tokens", rank), values[rank].i / 70272);
}

/* The three modes, lane by lane, of a real quantity and of a whole one. */
static void modes_of_pins(void **state)
{
    world *w = *state;
    static const struct {
        enum ks_pin_mode mode;
        double real;
        int64_t whole;
    } rows[] = {
        {KS_PIN_FREE, 0.8485 * 61, 3721},
        {KS_PIN_SHIFT, 0.8485 * 61 - 2.5, 3721 + 17},
        {KS_PIN_VALUE, -2.5, 17},
    };
    ks_program *program = program_of(w, 1, "n : 61\npart : 0.8485\nr = part * n\nm = n * n\n");
    int pinned_ones[] = {def_of(program, "r"), def_of(program, "m")};
    for (size_t i = 0; i < 2; i++)
        ks_pin(program, pinned_ones[i], KS_PIN_FREE, NULL, 0, (ks_span){0});
    CHECK("linked", ks_link(program));
    ks_plan *plan = ks_plan_new(program, pinned_ones, 2, KS_COUNT(rows));
    for (size_t lane = 0; lane < KS_COUNT(rows); lane++) {
        ks_plan_pin(plan, pinned_ones[0], lane, rows[lane].mode, (ks_cell){.f = -2.5});
        ks_plan_pin(plan, pinned_ones[1], lane, rows[lane].mode, (ks_cell){.i = 17});
    }
    ks_plan_run(plan);
    for (size_t lane = 0; lane < KS_COUNT(rows); lane++) {
        CHECK_REAL("real", ks_plan_real(plan, pinned_ones[0], 0, lane), rows[lane].real, 0);
        CHECK_WHOLE("whole", ks_plan_get(plan, pinned_ones[1], 0, lane).i, rows[lane].whole);
    }
}

/* A measured value a rank makes the quantity, and what stands on it, differ between ranks. */
static void pinned_by_rank(void **state)
{
    world *w = *state;
    static const ks_cell values[] = {{.i = 82678120448}, {.i = 79131508736}};
    ks_program *program = pinned(w, KS_PIN_VALUE, values, 2);
    int64_t modelled = (int64_t)floor(94083219456.0 * 0.8485);
    CHECK_WHOLE("classes", program->n_classes, 2);
    for (size_t rank = 0; rank < 2; rank++) {
        CHECK_WHOLE("budget", value_of(program, "budget", rank), values[rank].i);
        CHECK_WHOLE("tokens", value_of(program, "tokens", rank), values[rank].i / 70272);
        CHECK_WHOLE("modelled", value_of(program, "budget.modelled", rank), modelled);
        CHECK_WHOLE("unexplained", value_of(program, "budget.unexplained", rank),
                    values[rank].i - modelled);
    }
    int budget = def_of(program, "budget");
    ks_plan *plan = ks_plan_new(program, &budget, 1, 2);
    ks_plan_pin_class(plan, budget, 1, 1, (ks_cell){.i = 70272000});
    ks_plan_run(plan);
    CHECK_WHOLE("one class", ks_plan_get(plan, def_of(program, "tokens"), 1, 1).i, 1000);
    CHECK_WHOLE("the other", ks_plan_get(plan, def_of(program, "tokens"), 0, 1).i,
                values[0].i / 70272);
    CHECK_WHOLE("the other lane", ks_plan_get(plan, def_of(program, "tokens"), 1, 0).i,
                values[1].i / 70272);
}

/* An input can be pinned too; a later "free" leaves a value as it is; names may not clash. */
static void pinned_inputs_and_clashes(void **state)
{
    world *w = *state;
    static const ks_cell value = {.f = 0.7971};
    ks_program *program = program_of(w, 1, model);
    int part = def_of(program, "part");
    ks_pin(program, part, KS_PIN_VALUE, &value, 1, (ks_span){0});
    ks_pin(program, part, KS_PIN_FREE, NULL, 0, (ks_span){0});
    CHECK("linked", ks_link(program));
    CHECK_WHOLE("budget", value_of(program, "budget", 0), (int64_t)floor(94083219456.0 * 0.7971));
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    ks_plan_run(plan);
    CHECK_REAL("modelled", ks_plan_real(plan, def_of(program, "part.modelled"), 0, 0), 0.8485, 0);
    CHECK_REAL("unexplained", ks_plan_real(plan, def_of(program, "part.unexplained"), 0, 0),
               0.7971 - 0.8485, 0);

    /* What is modelled may not stand on what is measured, in whatever order they are met. */
    for (int i = 0; i < 2; i++) {
        forget_diags(w);
        program = program_of(w, 1, i ? "y = x.modelled\nx = z + 3\nz = x\n" : "x = z + 3\nz = x\n");
        ks_pin(program, def_of(program, "x"), KS_PIN_VALUE, &value, 1, (ks_span){0});
        CHECK("circle", !ks_link(program));
        CHECK_TEXT("circle", summary(w),
                   i ? "F005 p:2:5 [z + 3] <- p:2:5 [z + 3]" : "F005 p:2:5 [x] <- p:1:5 [z + 3]");
    }

    forget_diags(w);
    program = program_of(w, 1, ks_format(w->arena, "%spart.modelled : 0.5\n", model).s);
    ks_pin(program, def_of(program, "part"), KS_PIN_VALUE, &value, 1, (ks_span){0});
    CHECK("clash", !ks_link(program));
    CHECK_TEXT("clash", summary(w), "F010 p:2:1 [part] <- p:6:1 [part.modelled]");
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void words_and_names(void **state)
{
    world *w = *state;
    ks_program *program = ks_program_new(&w->diags, 1);
    int64_t fp8 = ks_word(program, KS_STR("fp8")), bf16 = ks_word(program, KS_STR("bf16"));
    CHECK("words differ", fp8 != bf16);
    CHECK_WHOLE("again", ks_word(program, KS_STR("fp8")), fp8);
    CHECK_TEXT("text", ks_word_text(program, fp8), "fp8");
    CHECK_TEXT("text", ks_word_text(program, bf16), "bf16");
    CHECK_TEXT("none", ks_word_text(program, bf16 + 1), "unknown");
    CHECK_TEXT("none", ks_word_text(program, 17), "unknown");
    CHECK_TEXT("none", ks_word_text(program, KS_POISON), "unknown");
    CHECK_TEXT("kind", ks_from_c(ks_kind_word(KS_MEASURED)), "measured");
    CHECK_TEXT("kind", ks_from_c(ks_kind_word(KS_CHECKED)), "checked");
    CHECK_WHOLE("no table", ks_find_table(program, KS_STR("steps")), -1);
    CHECK_WHOLE("no list", ks_find_list(program, KS_STR("sizes")), -1);
    for (int i = 0; i < 29; i++) {
        ks_str name = ks_format(w->arena, "t%d", i);
        ks_define_table(program, (ks_step_table){.name = name});
        ks_define_list(program, (ks_number_list){.name = name});
    }
    CHECK_WHOLE("table", ks_find_table(program, KS_STR("t23")), 23);
    CHECK_WHOLE("list", ks_find_list(program, KS_STR("t17")), 17);
    CHECK_WHOLE("no quantity", ks_find(program, KS_STR("t17")), -1);
}

/* What is hidden is not suggested. */
static void hidden_names_are_not_told(void **state)
{
    world *w = *state;
    ks_program *program = program_of(w, 1, "kv.budgets : 17 B\nx = kv.budget\n");
    program->defs.items[0].hidden = true;
    ks_link(program);
    CHECK_TEXT("hidden", summary(w), "F002 p:2:5 [kv.budget]");
}

static void cells_and_doubles(void **state)
{
    (void)state;
    static const ks_type whole = {KS_WHOLE, {1, 0, 0}}, real = {KS_REAL, {0, 1, 0}};
    static const struct {
        double value;
        int64_t want;
    } rows[] = {
        {17.5, 18},
        {17.49999, 17},
        {-17.5, -17},
        {-17.6, -18},
        {0.49999999999999994, 0},
        {4503599627370497.0, 4503599627370497},
        {9007199254740993.0, 9007199254740992},
        {9223372036854774784.0, 9223372036854774784},
        {9223372036854775808.0, KS_POISON},
        {-1e300, KS_POISON},
        {(double)NAN, KS_POISON},
        {(double)INFINITY, KS_POISON},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        char row[32];
        snprintf(row, sizeof row, "%.17g", rows[i].value);
        CHECK_WHOLE(row, ks_from_real(whole, rows[i].value).i, rows[i].want);
        CHECK_REAL(row, ks_from_real(real, rows[i].value).f, rows[i].value, 0);
        CHECK_REAL(row, ks_as_real(real, (ks_cell){.f = rows[i].value}), rows[i].value, 0);
    }
    CHECK_REAL("whole", ks_as_real(whole, (ks_cell){.i = -159215}), -159215, 0);
    CHECK_REAL("poison", ks_as_real(whole, (ks_cell){.i = KS_POISON}), (double)NAN, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(types),
        IN_WORLD(errors),
        IN_WORLD(errors_as_written),
        IN_WORLD(poison_is_silent),
        IN_WORLD(many_errors),
        IN_WORLD(scopes),
        IN_WORLD(deep_chains),
        IN_WORLD(long_chains_in_order),
        IN_WORLD(deep_chains_of_pinned),
        IN_WORLD(inputs_come_first),
        IN_WORLD(registers_are_not_shared),
        IN_WORLD(what_differs_between_ranks),
        IN_WORLD(classes_of_ranks),
        IN_WORLD(pinned_to_a_value),
        IN_WORLD(pinned_to_a_shift),
        IN_WORLD(pinned_and_free),
        IN_WORLD(values_that_come_later),
        IN_WORLD(modes_of_pins),
        IN_WORLD(pinned_by_rank),
        IN_WORLD(pinned_inputs_and_clashes),
        IN_WORLD(words_and_names),
        IN_WORLD(hidden_names_are_not_told),
        cmocka_unit_test(cells_and_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
