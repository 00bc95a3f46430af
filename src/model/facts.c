#include "model/facts.h"

#include "base/num.h"
#include "expl/eval.h"
#include "read/schema.h"

#include <math.h>

typedef struct fact {
    const ks_doc *value, *range, *source, *formula, *unit, *type;
    const ks_doc *sum_in_log; /* read by runlog.c */
    ks_str meaning, note, measure, settled_by;
    bool is_signed;
} fact;

static const ks_field fields[] = {
    {"value", KS_FIELD_SCALAR, 0, offsetof(fact, value)},
    {"range", KS_FIELD_LIST, 0, offsetof(fact, range)},
    {"source", KS_FIELD_DOC, 0, offsetof(fact, source)},
    {"formula", KS_FIELD_SCALAR, 0, offsetof(fact, formula)},
    {"unit", KS_FIELD_SCALAR, 0, offsetof(fact, unit)},
    {"type", KS_FIELD_SCALAR, 0, offsetof(fact, type)},
    {"meaning", KS_FIELD_TEXT, 0, offsetof(fact, meaning)},
    {"note", KS_FIELD_TEXT, 0, offsetof(fact, note)},
    {"measure", KS_FIELD_TEXT, 0, offsetof(fact, measure)},
    {"sum_in_log", KS_FIELD_LIST, 0, offsetof(fact, sum_in_log)},
    {"settled_by", KS_FIELD_TEXT, 0, offsetof(fact, settled_by)},
    {"signed", KS_FIELD_BOOL, 0, offsetof(fact, is_signed)},
};

/* No machine has a pebibyte of GPU memory. */
static const double most_bytes = 1125899906842624.0;

static ks_cell cell_of(ks_type type, double value)
{
    return ks_from_real(type, value);
}

static bool looks_like_number(const ks_doc *doc)
{
    double ignored;
    return !doc->quoted && ks_parse_decimal(ks_trim(doc->text), &ignored) > 0;
}

bool ks_read_value(ks_program *program, const ks_doc *doc, ks_type *type, ks_cell *value)
{
    ks_quantity quantity;
    int64_t exact;
    if (!ks_expect(program->diags, doc, KS_SCALAR, "a value"))
        return false;
    bool yes = !doc->quoted && ks_equal_c(doc->text, "true");
    if (yes || (!doc->quoted && ks_equal_c(doc->text, "false"))) {
        *type = (ks_type){KS_TRUTH, KS_NO_DIM};
        value->i = yes;
        return true;
    }
    if (!looks_like_number(doc)) {
        *type = (ks_type){KS_WORD, KS_NO_DIM};
        value->i = ks_word(program, doc->text);
        return true;
    }
    if (!ks_read_quantity(program->diags, doc, &quantity))
        return false;
    bool pointed = ks_find_byte(doc->text, '.', 0) < doc->text.n;
    bool whole = ks_dim_is_whole(quantity.dim) ||
                 (!quantity.has_unit && !pointed && ks_to_whole(quantity.value, &exact));
    *type = (ks_type){whole ? KS_WHOLE : KS_REAL, quantity.dim};
    *value = cell_of(*type, quantity.value);
    return true;
}

/* Evaluates an expression of numbers, such as "94.08 GiB - 100 MB". */
static bool evaluate(ks_program *program, const ks_doc *doc, ks_type type, ks_cell *value)
{
    ks_program *alone = ks_program_new(program->diags, 1);
    ks_def def = {.name = KS_STR("value"), .kind = KS_DERIVED, .may_be_literal = true, .at = doc->span,
                  .formula = {ks_one_line(doc), doc->span, doc->exact, {NULL, 0}}};
    def.has_base = true;
    def.type.base = KS_REAL;
    int number = ks_define(alone, &def);
    if (!ks_link(alone))
        return false;
    ks_plan *plan = ks_plan_new(alone, NULL, 0, 1);
    ks_plan_run(plan);
    ks_quantity got = {ks_plan_real(plan, number, 0, 0), alone->defs.items[number].type.dim, true};
    if (!ks_same_dim(got.dim, type.dim)) {
        ks_wrong_dimension(program->diags, doc->span, got, type.dim);
        return false;
    }
    *value = cell_of(type, got.value);
    return isfinite(got.value);
}

/* A number, then an operator between blanks. */
static bool is_expression(const ks_doc *doc)
{
    if (!looks_like_number(doc))
        return false;
    for (size_t i = 1; i + 1 < doc->text.n; i++)
        if (doc->text.s[i - 1] == ' ' && doc->text.s[i + 1] == ' ' &&
            ks_find_byte(KS_STR("+-*/"), doc->text.s[i], 0) < 4)
            return true;
    return false;
}

static bool read_number(ks_program *program, const ks_doc *doc, ks_type type, bool unit_implied,
                        ks_cell *value)
{
    ks_quantity quantity;
    int64_t exact;
    if (!ks_expect(program->diags, doc, KS_SCALAR, "a number"))
        return false;
    if (is_expression(doc))
        return evaluate(program, doc, type, value);
    if (!ks_read_quantity(program->diags, doc, &quantity))
        return false;
    if (unit_implied && !quantity.has_unit)
        quantity.dim = type.dim;
    if (!ks_same_dim(quantity.dim, type.dim)) {
        ks_wrong_dimension(program->diags, doc->span, quantity, type.dim);
        return false;
    }
    bool rounded = quantity.has_unit && ks_dim_is_whole(type.dim);
    if (type.base == KS_WHOLE && !rounded && !ks_to_whole(quantity.value, &exact)) {
        ks_error(program->diags, KS_S004, doc->span, "\"%.*s\" is not a whole number",
                 KS_ARG(doc->text));
        return false;
    }
    *value = cell_of(type, quantity.value);
    if (fabs(quantity.value) > (type.dim.byte > 0 ? most_bytes : 9e15)) {
        ks_error(program->diags, KS_S006, doc->span, "\"%.*s\" is beyond what any machine has",
                 KS_ARG(doc->text));
        return false;
    }
    return true;
}

bool ks_read_typed(ks_program *program, const ks_doc *doc, ks_type type, bool unit_implied,
                   ks_cell *value)
{
    bool truth;
    switch (type.base) {
    case KS_TRUTH:
        if (!ks_read_bool(program->diags, doc, &truth))
            return false;
        value->i = truth;
        return true;
    case KS_WORD:
        if (!ks_expect(program->diags, doc, KS_SCALAR, "a word"))
            return false;
        value->i = ks_word(program, doc->text);
        return true;
    case KS_WHOLE:
    case KS_REAL:
        break;
    }
    return read_number(program, doc, type, unit_implied, value);
}

bool ks_read_range(ks_program *program, const ks_doc *doc, ks_type type, ks_cell value,
                   ks_cell *low, ks_cell *high)
{
    if (doc->n != 2) {
        ks_error(program->diags, KS_S003, doc->span, "a range is [low, high]");
        return false;
    }
    if (!ks_read_typed(program, doc->items[0].value, type, false, low) ||
        !ks_read_typed(program, doc->items[1].value, type, false, high))
        return false;
    double at = ks_as_real(type, value);
    if (ks_as_real(type, *low) <= at && at <= ks_as_real(type, *high))
        return true;
    ks_error(program->diags, KS_S006, doc->span, "the value lies outside of its range");
    return false;
}

ks_str ks_read_source(const ks_scope *scope, const ks_doc *doc)
{
    ks_arena *arena = scope->program->arena;
    if (!doc)
        return (ks_str){NULL, 0};
    if (doc->kind == KS_SCALAR)
        return doc->text;
    if (doc->kind != KS_MAP || doc->n != 1) {
        ks_error(scope->program->diags, KS_S003, doc->span,
                 "a source is a text, or one of the file's sources with the place in it");
        return (ks_str){NULL, 0};
    }
    const ks_doc *file = NULL;
    for (size_t i = 0; scope->sources && i < scope->sources->n; i++)
        if (ks_equal(scope->sources->items[i].key, doc->items[0].key))
            file = scope->sources->items[i].value;
    if (!file) {
        ks_error(scope->program->diags, KS_F002, doc->items[0].key_span,
                 "\"%.*s\" is not among the file's sources", KS_ARG(doc->items[0].key));
        return (ks_str){NULL, 0};
    }
    const ks_doc *title = ks_member_of(file, "title"), *at = ks_member_of(file, "at");
    return ks_format(arena, "%.*s%s%.*s: %.*s", KS_ARG(title ? title->text : file->text),
                     at ? ", " : "", KS_ARG(at ? at->text : KS_STR("")),
                     KS_ARG(doc->items[0].value->text));
}

bool ks_read_unit(ks_program *program, const ks_doc *doc, ks_dim *dim)
{
    double scale;
    *dim = KS_NO_DIM;
    if (ks_equal_c(doc->text, "1"))
        return true;
    if (doc->text.n && ks_parse_unit(doc->text, &scale, dim) == doc->text.n)
        return true;
    ks_error(program->diags, KS_U002, doc->span, "unknown unit \"%.*s\"", KS_ARG(doc->text));
    return false;
}

static bool read_base(ks_program *program, const ks_doc *doc, enum ks_base *base)
{
    static const char *const words[] = {"whole", "real", "truth", "word"};
    for (size_t i = 0; i < KS_COUNT(words); i++)
        if (ks_equal_c(doc->text, words[i])) {
            *base = (enum ks_base)i;
            return true;
        }
    ks_error(program->diags, KS_S005, doc->span, "a type is whole, real, truth or word");
    return false;
}

ks_formula ks_formula_of(const ks_scope *scope, const ks_doc *doc)
{
    return (ks_formula){ks_one_line(doc), doc->span, doc->exact, scope->prefix};
}

static bool constant_from(const ks_scope *scope, const fact *f, ks_def *def)
{
    ks_cell *value = KS_NEW(scope->program->arena, ks_cell);
    if (!ks_read_value(scope->program, f->value, &def->type, value))
        return false;
    def->kind = KS_CONSTANT;
    def->values = value;
    def->n_values = 1;
    def->has_range = f->range != NULL;
    return !f->range || ks_read_range(scope->program, f->range, def->type, *value, &def->low,
                                      &def->high);
}

static bool quantity_from(const ks_scope *scope, const fact *f, ks_def *def)
{
    def->kind = KS_DERIVED;
    def->formula = ks_formula_of(scope, f->formula);
    def->has_dim = f->unit != NULL;
    def->has_base = f->type != NULL;
    return (!f->unit || ks_read_unit(scope->program, f->unit, &def->type.dim)) &&
           (!f->type || read_base(scope->program, f->type, &def->type.base));
}

int ks_define_fact(const ks_scope *scope, const ks_member *member)
{
    fact f = {0};
    ks_diags *diags = scope->program->diags;
    ks_def def = {.at = member->key_span};
    def.name = ks_concat(scope->program->arena, scope->prefix, member->key);
    if (member->value->kind == KS_SCALAR)
        f.formula = member->value;
    else if (!ks_read_fields(diags, member->value, "a quantity", fields, KS_COUNT(fields), &f))
        return -1;
    if (!f.formula == !f.value) {
        ks_error(diags, KS_S002, member->value->span,
                 "\"%.*s\" needs either a value or a formula", KS_ARG(member->key));
        return -1;
    }
    def.source = ks_read_source(scope, f.source);
    def.meaning = f.meaning;
    def.note = f.note;
    def.is_signed = f.is_signed;
    def.measured_as = f.measure;
    def.settled_by = f.settled_by;
    bool good = f.formula ? quantity_from(scope, &f, &def) : constant_from(scope, &f, &def);
    return good ? ks_define(scope->program, &def) : -1;
}

bool ks_define_section(const ks_scope *scope, const ks_doc *section)
{
    bool good = true;
    if (!section)
        return true;
    if (!ks_expect(scope->program->diags, section, KS_MAP, "this section"))
        return false;
    for (size_t i = 0; i < section->n; i++)
        good &= ks_define_fact(scope, &section->items[i]) >= 0;
    return good;
}

typedef struct name_row {
    const ks_doc *unset; /* `default:` */
    const ks_doc *unit;
    const ks_doc *keys, *count; /* for config.json: see hf.h */
    bool element, length, word;
    ks_str meaning;
} name_row;

static const ks_field name_fields[] = {
    {"default", KS_FIELD_SCALAR, 0, offsetof(name_row, unset)},
    {"unit", KS_FIELD_SCALAR, 0, offsetof(name_row, unit)},
    {"keys", KS_FIELD_LIST, 0, offsetof(name_row, keys)},
    {"count", KS_FIELD_LIST, 0, offsetof(name_row, count)},
    {"element", KS_FIELD_BOOL, 0, offsetof(name_row, element)},
    {"length", KS_FIELD_BOOL, 0, offsetof(name_row, length)},
    {"word", KS_FIELD_BOOL, 0, offsetof(name_row, word)},
    {"meaning", KS_FIELD_TEXT, 0, offsetof(name_row, meaning)},
};

static bool define_given_name(const ks_scope *scope, const name_row *row, const ks_doc *given,
                              ks_def *def)
{
    ks_program *program = scope->program;
    ks_cell *value = KS_NEW(program->arena, ks_cell);
    def->at = given->span;
    def->values = value;
    def->n_values = 1;
    if (!ks_read_value(program, given, &def->type, value))
        return false;
    if (row->unit && def->type.base == KS_WHOLE)
        ks_read_unit(program, row->unit, &def->type.dim);
    bool number = def->type.base == KS_WHOLE || def->type.base == KS_REAL;
    if (number && (ks_as_real(def->type, *value) < 0 || ks_as_real(def->type, *value) > 1e12)) {
        ks_error(program->diags, KS_S006, given->span, "this cannot be %s",
                 ks_as_real(def->type, *value) < 0 ? "negative" : "as large as that");
        return false;
    }
    return ks_define(program, def) >= 0;
}

static bool define_name(const ks_scope *scope, const ks_member *row, const ks_doc *values,
                        ks_str source)
{
    name_row name = {0};
    ks_program *program = scope->program;
    if (!ks_read_fields(program->diags, row->value, "a configuration name", name_fields,
                        KS_COUNT(name_fields), &name))
        return false;
    ks_def def = {.name = ks_concat(program->arena, scope->prefix, row->key),
                  .kind = KS_CONSTANT, .meaning = name.meaning, .source = source};
    const ks_doc *given = ks_member_of(values, ks_to_c(program->arena, row->key));
    if (given && !ks_is_null(given))
        return define_given_name(scope, &name, given, &def);
    if (!name.unset) {
        ks_error(program->diags, KS_S002, values->span, "the configuration lacks \"%.*s\"",
                 KS_ARG(row->key));
        ks_add_note(program->diags, row->key_span, "the architecture needs it: %.*s",
                    KS_ARG(name.meaning));
        return false;
    }
    def.at = row->key_span;
    def.source = KS_STR("the architecture's default");
    def.formula = ks_formula_of(scope, name.unset);
    def.may_be_literal = true;
    def.kind = KS_DEFAULT;
    return ks_define(program, &def) >= 0;
}

bool ks_define_names(const ks_scope *scope, const ks_doc *names, const ks_doc *values,
                     ks_str source)
{
    bool good = true;
    for (size_t i = 0; names && i < names->n; i++)
        good &= define_name(scope, &names->items[i], values, source);
    return good;
}

int ks_define_input(ks_program *program, ks_str name, enum ks_kind kind, ks_type type,
                    ks_cell value, ks_span at, ks_str meaning)
{
    ks_cell *values = KS_NEW(program->arena, ks_cell);
    *values = value;
    ks_def def = {.name = name, .kind = kind, .type = type, .values = values, .n_values = 1,
                  .at = at, .meaning = meaning};
    return ks_define(program, &def);
}

bool ks_define_truth(ks_program *program, const char *name, bool value, ks_span at,
                     const char *meaning)
{
    return ks_define_input(program, ks_from_c(name), KS_GIVEN, (ks_type){KS_TRUTH, KS_NO_DIM},
                           (ks_cell){.i = value}, at, ks_from_c(meaning)) >= 0;
}
