#include "expl/program.h"

#include "base/num.h"
#include "expl/value.h"

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
    if (program->diags->silent)
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

void ks_set_pin_values(ks_program *program, int def, const ks_cell *values)
{
    program->defs.items[def].pin_values = values;
}
