/* Fuzz program for the formula language. Each line of the input is the formula of a quantity q0,
 * q1, ... in a program with inputs, a table, a list, words and four ranks. The first byte says how
 * the quantities are declared. What links is run; lanes must agree with a single run. */
#include "base/diag.h"
#include "expl/code.h"
#include "expl/eval.h"
#include "expl/program.h"
#include "reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096, MOST_FORMULAS = 64, MEMORY = 64 << 20, RANKS = 4, LANES = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void define_input(ks_program *program, const char *name, ks_type type, const ks_cell *values,
                         size_t n)
{
    ks_def d = {
        .name = ks_from_c(name), .kind = KS_GIVEN, .type = type, .values = values, .n_values = n};
    ks_define(program, &d);
}

static void define_inputs(ks_program *program)
{
    static const ks_cell wholes[] = {{.i = 94083219456}, {.i = 17}, {.i = 94083219456}, {.i = -3}};
    static const ks_cell large = {.i = 4611686018427387904}, layers = {.i = 61}, yes = {.i = 1};
    static const ks_cell reals[] = {{.f = 0.8485}, {.f = -1e300}, {.f = 0}, {.f = 0.8485}};
    static ks_table_row rows[] = {{17, {.i = 3}}, {4096, {.i = 5}}, {(double)INFINITY, {.i = 7}}};
    static ks_run_of runs[] = {
        {.from = 1, .to = 8, .step = 1},
        {.from = 16, .to = INT64_MAX, .step = 8},
    };
    static const ks_type plain = {KS_WHOLE, {0, 0, 0}}, bytes = {KS_WHOLE, {1, 0, 0}},
                         real = {KS_REAL, {0, 0, 0}}, time = {KS_REAL, {0, 1, 0}},
                         truth = {KS_TRUTH, {0, 0, 0}}, word = {KS_WORD, {0, 0, 0}};
    ks_cell fp8 = {.i = ks_word(program, KS_STR("fp8"))};
    ks_cell *words = KS_NEW_ARRAY(program->arena, ks_cell, 1);
    *words = fp8;
    define_input(program, "free", bytes, wholes, RANKS);
    define_input(program, "n", plain, &layers, 1);
    define_input(program, "large", plain, &large, 1);
    define_input(program, "r", real, reals, RANKS);
    define_input(program, "t", time, reals, 1);
    define_input(program, "yes", truth, &yes, 1);
    define_input(program, "f.given", truth, &yes, 1);
    define_input(program, "dtype", word, words, 1);
    ks_define_table(program, (ks_step_table){.name = KS_STR("steps"), .rows = rows, .n_rows = 3});
    ks_define_list(program, (ks_number_list){.name = KS_STR("sizes"), .runs = runs, .n_runs = 2});
}

static void define_formulas(ks_program *program, const ks_source *source, unsigned flags)
{
    ks_str text = source->text;
    size_t at = 0;
    for (int i = 0; i < MOST_FORMULAS && at < text.n; i++) {
        size_t end = ks_find_byte(text, '\n', at);
        ks_def d = {.kind = KS_DERIVED, .name = ks_format(program->arena, "q%d", i)};
        d.formula = (ks_formula){.text = ks_slice(text, at, end), .exact = (flags & 1) != 0};
        d.formula.span = d.at = (ks_span){source, (uint32_t)at, (uint32_t)(end - at)};
        d.may_be_literal = (flags & 2) == 0;
        d.has_base = (flags & 4) != 0;
        d.type.base = flags & 8 ? KS_REAL : KS_WHOLE;
        d.has_dim = (flags & 16) != 0;
        if (d.formula.text.n)
            ks_define(program, &d);
        at = end + 1;
    }
}

static void pin_some(ks_program *program, unsigned flags)
{
    static const ks_cell value = {.i = 4617315517961601024}; /* a large whole, 5.0 as a real */
    int q0 = ks_find(program, KS_STR("q0")), q1 = ks_find(program, KS_STR("q1"));
    if ((flags & 32) && q0 >= 0)
        ks_pin(program, q0, flags & 64 ? KS_PIN_VALUE : KS_PIN_FREE, &value, 1, (ks_span){0});
    if ((flags & 128) && q1 >= 0)
        ks_pin(program, q1, flags & 64 ? KS_PIN_SHIFT : KS_PIN_VALUE, &value, 1, (ks_span){0});
}

static void check_ends(const ks_diags *diags)
{
    for (size_t i = 0; i < diags->n; i++) {
        ks_span span = diags->items[i].span;
        must(!span.source || (size_t)span.at + span.n <= span.source->text.n);
    }
}

static bool same_value(ks_type type, ks_cell a, ks_cell b)
{
    if (type.base == KS_REAL)
        return (isnan(a.f) && isnan(b.f)) || memcmp(&a, &b, sizeof a) == 0;
    return a.i == b.i;
}

static void run(ks_program *program)
{
    static const int varying[] = {1, 3}; /* n and r */
    ks_plan *nominal = ks_plan_new(program, NULL, 0, 1);
    ks_plan *lanes = ks_plan_new(program, varying, 2, LANES);
    ks_plan_set(lanes, 1, 1, (ks_cell){.i = 0});
    ks_plan_set(lanes, 3, 1, (ks_cell){.f = 17.25});
    ks_plan_run(nominal);
    ks_plan_run(lanes);
    for (int d = 0; d < (int)program->defs.n; d++)
        for (size_t k = 0; k < program->n_classes; k++) {
            ks_type type = program->defs.items[d].type;
            ks_cell value = ks_plan_get(nominal, d, k, 0);
            must(same_value(type, value, ks_plan_get(lanes, d, k, 0)));
            must(same_value(type, value, ks_plan_get(lanes, d, k, 2)));
            must(type.base != KS_TRUTH || value.i == 0 || value.i == 1 || value.i == KS_POISON);
            ks_show(program->arena, ks_plan_real(lanes, d, k, 1), type.dim, type.base != KS_REAL);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2 || size > LONGEST)
        return 0;
    ks_arena *arena = ks_arena_new(MEMORY, jump_out, NULL);
    if (!setjmp(full)) {
        ks_diags diags = {.arena = arena};
        ks_str text = {(const char *)data + 1, size - 1};
        const ks_source *source = ks_source_new(arena, KS_STR("f"), text);
        ks_program *program = ks_program_new(&diags, RANKS);
        define_inputs(program);
        define_formulas(program, source, data[0]);
        pin_some(program, data[0]);
        bool good = ks_link(program);
        must(good == (diags.errors == 0));
        check_diags(&diags);
        check_ends(&diags);
        if (good)
            run(program);
    }
    ks_arena_free(arena);
    return 0;
}
