/* Types and values of formulas. */
#ifndef KS_EXPL_VALUE_H
#define KS_EXPL_VALUE_H

#include "base/unit.h"

enum ks_base {
    KS_WHOLE, /* int64_t, exact, overflow is an error */
    KS_REAL,  /* double */
    KS_TRUTH, /* true or false */
    KS_WORD   /* one of a set of names, as an index into the program's words */
};

typedef struct ks_type {
    enum ks_base base;
    ks_dim dim;
} ks_type;

/* Which member holds the value follows from the type: f for KS_REAL, else i. */
typedef union ks_cell {
    int64_t i;
    double f;
} ks_cell;

/* A whole number that could not be computed (overflow, division by zero) is this value, as NaN is for
 * reals. It is never shown as a number. */
#define KS_POISON INT64_MIN

#endif
