/* Named things in model files, turned into definitions of a program: facts and constants with a
 * value, a range and a source, and quantities with a formula. */
#ifndef KS_MODEL_FACTS_H
#define KS_MODEL_FACTS_H

#include "expl/program.h"
#include "read/doc.h"

/* Where definitions go and how their names begin. */
typedef struct ks_scope {
    ks_program *program;
    ks_str prefix;         /* "gpu.", "llm.", or empty */
    const ks_doc *sources; /* the file's `sources:`, or NULL */
} ks_scope;

/* A value of whatever type it is written in: a number with or without a unit, true, false, or a
 * word. Bytes, tokens and bytes per token are whole; so are plain numbers without a point. */
bool ks_read_value(ks_program *program, const ks_doc *doc, ks_type *type, ks_cell *value);
/* A value of a type that is given. Where `unit_implied`, a plain number is in the type's base
 * units, as flags of engines are written. An expression of numbers is taken too. */
bool ks_read_typed(ks_program *program, const ks_doc *doc, ks_type type, bool unit_implied,
                   ks_cell *value);
/* [low, high] in the type of `value`, which must lie inside. */
bool ks_read_range(ks_program *program, const ks_doc *doc, ks_type type, ks_cell value,
                   ks_cell *low, ks_cell *high);
/* "model_runner.py, v0.5.3: profile_max_num_token" from `{runner: profile_max_num_token}`, or the
 * text as it is. */
ks_str ks_read_source(const ks_scope *scope, const ks_doc *doc);
/* The unit that `unit:` names, as a dimension. */
bool ks_read_unit(ks_program *program, const ks_doc *doc, ks_dim *dim);

/* Defines each member of a section: {value, range, source, meaning, note} is a constant, {formula,
 * unit, type, source, meaning, note} or a formula alone is a quantity. NULL is no section. */
bool ks_define_section(const ks_scope *scope, const ks_doc *section);
/* Defines what one member says. The number of the definition, or -1. */
int ks_define_fact(const ks_scope *scope, const ks_member *member);
/* A formula from a scalar. */
ks_formula ks_formula_of(const ks_scope *scope, const ks_doc *doc);

/* Defines each name of a `config:` section (`{default, unit, meaning, keys, count, element, word}`)
 * with the value that `values` gives, else by its default. `source` is where the values come from. */
bool ks_define_names(const ks_scope *scope, const ks_doc *names, const ks_doc *values,
                     ks_str source);

/* Defines a plain input. */
int ks_define_input(ks_program *program, ks_str name, enum ks_kind kind, ks_type type,
                    ks_cell value, ks_span at, ks_str meaning);

/* A given truth without a unit; false after an error. */
bool ks_define_truth(ks_program *program, const char *name, bool value, ks_span at,
                     const char *meaning);

#endif
