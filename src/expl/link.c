/* The last steps of making a program, as program.h tells them: pinned quantities get their formula's
 * value beside them, types are checked, ranks that are alike are found, code is made. */
#include "expl/check.h"
#include "expl/code.h"

static ks_def formula_def(ks_str name, ks_str formula, ks_span at, const char *meaning)
{
    return (ks_def){.name = name, .kind = KS_DERIVED, .formula = {.text = formula, .span = at},
                    .at = at, .meaning = ks_from_c(meaning)};
}

/* A measured quantity of a scenario with settings: what the model says, plus the residual that
 * measurement left without them. */
static void split_shifted(ks_program *program, int number, ks_str modelled, ks_str unexplained)
{
    ks_def *d = &program->defs.items[number];
    ks_def rest = {.name = unexplained, .kind = KS_MEASURED, .type = d->type,
                   .values = d->pin_values, .n_values = d->n_pin_values, .at = d->pin_at,
                   .meaning = KS_STR("what measurement left unexplained, without the settings")};
    ks_def sum = formula_def(d->name,
                             ks_format(program->arena, "%.*s + %.*s", KS_ARG(modelled),
                                       KS_ARG(unexplained)),
                             d->pin_at, "what the model says, plus what measurement left unexplained");
    d->kind = KS_DERIVED;
    d->formula = sum.formula;
    d->at = d->pin_at;
    d->pinned = d->settable;
    d->pin_mode = KS_PIN_FREE;
    d->pin_values = NULL;
    d->n_pin_values = 0;
    rest.is_signed = true;
    ks_define(program, &rest);
}

/* The formula of a pinned quantity moves to a definition of its own, "X.modelled"; what was
 * measured minus that is "X.unexplained". */
static void split_pinned(ks_program *program, int number)
{
    ks_def model = program->defs.items[number];
    bool shown = model.pin_mode != KS_PIN_FREE;
    if (!model.formula.text.n && !model.n_values)
        return;
    ks_str name = model.name;
    ks_str unexplained = ks_concat(program->arena, name, KS_STR(".unexplained"));
    model.name = ks_concat(program->arena, name, shown ? KS_STR(".modelled") : KS_STR(".computed"));
    model.pinned = false;
    model.hidden = model.hidden || !shown;
    int modelled = ks_define(program, &model);
    if (model.pin_mode == KS_PIN_SHIFT) {
        split_shifted(program, number, model.name, unexplained);
        if (program->defs.items[number].pinned)
            split_pinned(program, number);
        return;
    }
    ks_def *d = &program->defs.items[number];
    d->modelled = modelled;
    if (!shown)
        return;
    d->kind = KS_MEASURED;
    ks_def rest = formula_def(unexplained,
                              ks_format(program->arena, "%.*s - %.*s", KS_ARG(name),
                                        KS_ARG(model.name)),
                              d->pin_at, "what was measured, less what the model says");
    if (model.has_base && model.type.base == KS_REAL) {
        rest.has_base = true; /* a real quantity may be off by a fraction of a byte */
        rest.type.base = KS_REAL;
    }
    ks_define(program, &rest);
}

static bool same_cells(const ks_cell *cells, size_t n, size_t a, size_t b)
{
    return n <= 1 || !cells || cells[a].i == cells[b].i;
}

/* Two ranks are alike when no input tells them apart. */
static bool alike(const ks_program *program, size_t a, size_t b)
{
    for (size_t i = 0; i < program->defs.n; i++) {
        const ks_def *d = &program->defs.items[i];
        if (!same_cells(d->values, d->n_values, a, b) ||
            !same_cells(d->pin_values, d->n_pin_values, a, b))
            return false;
    }
    return true;
}

static void find_classes(ks_program *program)
{
    size_t n = program->n_ranks;
    program->class_of_rank = KS_NEW_ARRAY(program->arena, size_t, n);
    program->class_size = KS_NEW_ARRAY(program->arena, size_t, n);
    program->class_first = KS_NEW_ARRAY(program->arena, size_t, n);
    for (size_t rank = 0; rank < n; rank++) {
        size_t c = 0;
        while (c < program->n_classes && !alike(program, program->class_first[c], rank))
            c++;
        if (c == program->n_classes)
            program->class_first[program->n_classes++] = rank;
        program->class_of_rank[rank] = c;
        program->class_size[c]++;
    }
}

bool ks_resolve(ks_program *program)
{
    size_t errors = program->diags->errors;
    size_t n = program->defs.n;
    for (size_t i = 0; i < n; i++)
        if (program->defs.items[i].pinned)
            split_pinned(program, (int)i);
    program->checked = ks_check_program(program) && program->diags->errors == errors;
    return program->checked;
}

bool ks_link(ks_program *program)
{
    if (!program->checked && !ks_resolve(program))
        return false;
    find_classes(program);
    program->code = ks_compile(program);
    return true;
}
