/* The formula language: text to tree. Names are resolved and types checked in check.h.
 *
 *   formula  = disjunction
 *   operators, loosest first: or; and; not; < <= > >= == !=; + -; * /; unary -
 *   operand  = number [unit] | name | 'word' | true | false | function(formula, ...) | (formula)
 *   name     = part {"." part}, a part is letters, digits and underscores
 */
#ifndef KS_EXPL_FORMULA_H
#define KS_EXPL_FORMULA_H

#include "base/diag.h"
#include "expl/functions.h"
#include "expl/value.h"

enum ks_expr_kind {
    KS_E_NUMBER,
    KS_E_NAME,
    KS_E_WORD,
    KS_E_TRUTH,
    KS_E_NEGATE,
    KS_E_NOT,
    KS_E_ADD,
    KS_E_SUB,
    KS_E_MUL,
    KS_E_DIV,
    KS_E_LT,
    KS_E_LE,
    KS_E_GT,
    KS_E_GE,
    KS_E_EQ,
    KS_E_NE,
    KS_E_AND,
    KS_E_OR,
    KS_E_CALL
};

typedef struct ks_expr ks_expr;

struct ks_expr {
    enum ks_expr_kind kind;
    enum ks_function function; /* KS_E_CALL */
    uint32_t at, n;            /* place in the formula's text */
    ks_str text;               /* name or word */
    double value;              /* number (in base units), truth as 0 or 1 */
    bool whole;                /* number: has no fraction and no point */
    bool literal;              /* number other than 0, 1, 2: wants a name and a source in a model */
    ks_type type;              /* number: its dimension; others (computed by check) */
    bool any_dim;              /* (computed) a zero, which agrees with any dimension */
    bool per_rank;             /* (computed) differs between ranks */
    int ref;                   /* (computed) definition, table, list or word; -1 if none */
    ks_expr *args[8];
    size_t n_args;
};

/* A formula and where it was written. */
typedef struct ks_formula {
    ks_str text;
    ks_span span; /* of the whole text */
    bool exact;   /* the bytes at span are the text, so that places inside it are known */
    ks_str scope; /* a name is looked for with this in front first, as "llm." */
} ks_formula;

enum { KS_MAX_FORMULA = 8192 };

/* The tree, in the diags' arena, or NULL after an error. */
ks_expr *ks_parse_formula(ks_diags *diags, ks_formula formula);
/* The place of a part of the formula. */
ks_span ks_formula_span(ks_formula formula, const ks_expr *part);
const char *ks_function_name(enum ks_function function);

#endif
