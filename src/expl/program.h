/* A program: named quantities, each an input or a formula over others, compiled once and evaluated
 * for many sets of inputs at a time (see eval.h).
 *
 * Build it with ks_define(), ks_define_table() and ks_define_list(), pin what has been measured,
 * then call ks_link(): it resolves names, checks types and dimensions, finds circles, orders the
 * definitions so that inputs come before what uses them, and finds out which ranks are alike.
 */
#ifndef KS_EXPL_PROGRAM_H
#define KS_EXPL_PROGRAM_H

#include "base/table.h"
#include "expl/formula.h"

#define KS_KINDS(X)                                                                                \
    X(GIVEN, "given")                                                                              \
    X(DEFAULT, "default")                                                                          \
    X(CONSTANT, "constant")                                                                        \
    X(MEASURED, "measured")                                                                        \
    X(DERIVED, "derived")                                                                          \
    X(SOLVED, "solved")                                                                            \
    X(CHECKED, "checked")

enum ks_kind {
#define X(name, word) KS_##name,
    KS_KINDS(X)
#undef X
};

/* How a pinned quantity gets its value. */
enum ks_pin_mode {
    KS_PIN_VALUE, /* the pinned value itself */
    KS_PIN_SHIFT, /* the formula's value plus the pinned one: a residual that is kept */
    KS_PIN_FREE   /* the formula's value */
};

typedef struct ks_def {
    /* (given) */
    ks_str name;
    enum ks_kind kind;
    ks_type type;          /* inputs: its type; formulas: declared, else (computed) */
    bool has_dim;          /* formula: the dimension is declared */
    bool has_base;         /* formula: whole or real is declared */
    ks_formula formula;    /* empty text: an input */
    bool may_be_literal;   /* the formula may hold bare numbers (a scenario's, not a model's) */
    const ks_cell *values; /* input: one, or one a rank */
    size_t n_values;
    bool has_range; /* input: an estimate; low <= value <= high */
    ks_cell low, high;
    ks_span at;      /* where it is written */
    ks_str source;   /* where the number or rule comes from, in words */
    ks_str meaning;  /* one line */
    ks_str note;     /* what is easily misread about it */
    bool hidden;     /* not shown to users as a quantity */
    ks_str settled_by;  /* an estimate: the quantity whose measurement makes it needless */
    ks_str measured_as; /* the quantity that a measured value of this one really is, or empty */
    bool is_signed;  /* may be negative where it is given or measured */
    /* (given) by ks_pin() */
    bool pinned;
    bool settable; /* some lane will set it */
    enum ks_pin_mode pin_mode;
    const ks_cell *pin_values;
    size_t n_pin_values;
    ks_span pin_at;
    ks_str pin_name; /* the name under which the user measured it, if another */
    int modelled; /* (computed) definition that keeps the formula of a pinned quantity, or -1 */
    /* (computed) */
    ks_expr *expr;
    bool per_rank;
    int *inputs; /* definitions that the formula names, in the order of the text */
    size_t n_inputs;
    int state; /* of ks_link()'s walk */
    int reg, pin_reg, mode_reg;
} ks_def;

typedef struct ks_table_row {
    double bound; /* in base units: the row is for keys below it; last row: infinity */
    ks_cell value;
} ks_table_row;

typedef struct ks_step_table {
    ks_str name;
    ks_type key, value;
    ks_table_row *rows;
    size_t n_rows;
    ks_span at;
    ks_str source;
} ks_step_table;

/* Numbers from, from + step, ... up to `to`. */
typedef struct ks_run_of {
    int64_t from, to, step;
    bool endless; /* `to` is only as far as anybody counts */
} ks_run_of;

typedef struct ks_number_list {
    ks_str name;
    ks_run_of *runs; /* ascending, not overlapping; the last may go on for ever */
    size_t n_runs;
    ks_span at;
    ks_str source;
} ks_number_list;

typedef struct ks_defs {
    ks_def *items;
    size_t n, capacity;
} ks_defs;

typedef struct ks_program {
    ks_arena *arena;
    ks_diags *diags;
    ks_defs defs;
    ks_table names;  /* definitions */
    ks_step_table *tables;
    size_t n_tables, cap_tables;
    ks_number_list *lists;
    size_t n_lists, cap_lists;
    ks_str *words;
    size_t n_words, cap_words;
    ks_table word_names;
    size_t n_ranks;
    bool checked;
    /* (computed) by ks_link() */
    size_t n_classes;
    size_t *class_of_rank, *class_size, *class_first;
    int *order; /* definitions, inputs first */
    size_t n_order;
    struct ks_bytecode *code;
} ks_program;

ks_program *ks_program_new(ks_diags *diags, size_t n_ranks);

/* Adds a definition; its number, or -1 after an error (a name that is there already). */
int ks_define(ks_program *program, const ks_def *def);
/* The definition's number, or -1. */
int ks_find(const ks_program *program, ks_str name);
/* The same for a name inside a scope ("llm."): the scope's own first, then the plain name. */
int ks_find_in(const ks_program *program, ks_str scope, ks_str name);
/* Where a definition is added to a name that is not known yet, the nearest known one is told. */
void ks_suggest_name(ks_program *program, ks_str name);
ks_step_table *ks_define_table(ks_program *program, ks_step_table table);
ks_number_list *ks_define_list(ks_program *program, ks_number_list list);
int ks_find_table(const ks_program *program, ks_str name);
int ks_find_list(const ks_program *program, ks_str name);
/* The number of a word, which is made if need be. */
int64_t ks_word(ks_program *program, ks_str word);
ks_str ks_word_text(const ks_program *program, int64_t word);

/* Lets the quantity's value be set from outside, before ks_resolve(). values: one or one a rank, in
 * the quantity's own type; NULL with KS_PIN_FREE, or if ks_set_pin_values() follows. Pinning as
 * KS_PIN_FREE what is pinned already changes nothing. */
void ks_pin(ks_program *program, int def, enum ks_pin_mode mode, const ks_cell *values, size_t n,
            ks_span at);

/* The values of a pinned quantity, once ks_resolve() has found out its type. */
void ks_set_pin_values(ks_program *program, int def, const ks_cell *values);

/* Resolves names, checks types and dimensions, and orders. False after an error. */
bool ks_resolve(ks_program *program);

/* ks_resolve(), unless that has been done; then classes of ranks, and code. False after an error. */
bool ks_link(ks_program *program);

const char *ks_kind_word(enum ks_kind kind);
/* A value as a double, whatever its type. NaN if it could not be computed. */
double ks_as_real(ks_type type, ks_cell cell);
ks_cell ks_from_real(ks_type type, double value);

#endif
