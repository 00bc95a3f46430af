#include "expl/program.h"

#include "base/num.h"
#include "expl/check.h"
#include "expl/code.h"

#include <math.h>
#include <string.h>

static const char *const kind_words[] = {
#define X(name, word) word,
    KS_KINDS(X)
#undef X
};

const char *ks_kind_word(enum ks_kind kind)
{
    return kind_words[kind];
}

double ks_as_real(ks_type type, ks_cell cell)
{
    if (type.base == KS_REAL)
        return cell.f;
    return cell.i == KS_POISON ? (double)NAN : (double)cell.i;
}

ks_cell ks_from_real(ks_type type, double value)
{
    if (type.base == KS_REAL)
        return (ks_cell){.f = value};
    double down = floor(value); /* value + 0.5 would not be exact for large values */
    int64_t nearest;
    bool fits = ks_to_whole(value - down < 0.5 ? down : down + 1, &nearest);
    return (ks_cell){.i = fits ? nearest : KS_POISON};
}

ks_program *ks_program_new(ks_diags *diags, size_t n_ranks)
{
    ks_program *program = KS_NEW(diags->arena, ks_program);
    program->arena = diags->arena;
    program->diags = diags;
    program->names.arena = diags->arena;
    program->word_names.arena = diags->arena;
    program->n_ranks = n_ranks;
    return program;
}

int ks_find(const ks_program *program, ks_str name)
{
    return ks_table_get(&program->names, name);
}

int ks_find_in(const ks_program *program, ks_str scope, ks_str name)
{
    int def = scope.n ? ks_find(program, ks_concat(program->arena, scope, name)) : -1;
    return def >= 0 ? def : ks_find(program, name);
}

int ks_define(ks_program *program, const ks_def *def)
{
    int before = ks_find(program, def->name);
    if (before >= 0) {
        ks_error(program->diags, KS_F010, def->at, "\"%.*s\" is defined twice",
                 KS_ARG(def->name));
        ks_add_note(program->diags, program->defs.items[before].at, "first defined here");
        return -1;
    }
    int number = (int)program->defs.n;
    ks_def *slot = KS_PUSH(program->arena, &program->defs);
    *slot = *def;
    slot->modelled = -1;
    ks_table_put(&program->names, def->name, number);
    return number;
}

void ks_suggest_name(ks_program *program, ks_str name)
{
    size_t n = program->defs.n;
    if (program->diags->dropped)
        return; /* the message is not kept */
    ks_str *names = KS_NEW_ARRAY(program->arena, ks_str, n + 1);
    for (size_t i = 0; i < n; i++)
        if (!program->defs.items[i].hidden)
            names[i] = program->defs.items[i].name;
    ks_suggest(program->diags, name, names, n);
}

ks_step_table *ks_define_table(ks_program *program, ks_step_table table)
{
    program->tables = ks_grow(program->arena, program->tables, program->n_tables,
                              &program->cap_tables, sizeof table);
    program->tables[program->n_tables] = table;
    return &program->tables[program->n_tables++];
}

ks_number_list *ks_define_list(ks_program *program, ks_number_list list)
{
    program->lists = ks_grow(program->arena, program->lists, program->n_lists,
                             &program->cap_lists, sizeof list);
    program->lists[program->n_lists] = list;
    return &program->lists[program->n_lists++];
}

int ks_find_table(const ks_program *program, ks_str name)
{
    for (size_t i = 0; i < program->n_tables; i++)
        if (ks_equal(program->tables[i].name, name))
            return (int)i;
    return -1;
}

int ks_find_list(const ks_program *program, ks_str name)
{
    for (size_t i = 0; i < program->n_lists; i++)
        if (ks_equal(program->lists[i].name, name))
            return (int)i;
    return -1;
}

int64_t ks_word(ks_program *program, ks_str word)
{
    int known = ks_table_get(&program->word_names, word);
    if (known >= 0)
        return known;
    program->words = ks_grow(program->arena, program->words, program->n_words,
                             &program->cap_words, sizeof word);
    program->words[program->n_words] = word;
    ks_table_put(&program->word_names, word, (int)program->n_words);
    return (int64_t)program->n_words++;
}

ks_str ks_word_text(const ks_program *program, int64_t word)
{
    if (word < 0 || (size_t)word >= program->n_words)
        return KS_STR("unknown");
    return program->words[word];
}

void ks_pin(ks_program *program, int def, enum ks_pin_mode mode, const ks_cell *values, size_t n,
            ks_span at)
{
    ks_def *d = &program->defs.items[def];
    d->settable = d->settable || mode == KS_PIN_FREE;
    if (d->pinned && mode == KS_PIN_FREE)
        return;
    d->pinned = true;
    d->pin_mode = mode;
    d->pin_values = values;
    d->n_pin_values = n;
    d->pin_at = at;
}

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

void ks_set_pin_values(ks_program *program, int def, const ks_cell *values)
{
    program->defs.items[def].pin_values = values;
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
