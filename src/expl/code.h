/* Compiled programs: a flat list of instructions over registers, one register a quantity and some
 * for what is in between. Made by ks_link(), run by eval.h. */
#ifndef KS_EXPL_CODE_H
#define KS_EXPL_CODE_H

#include "expl/program.h"

/* Operations on cells a, b, c. _I: whole, _F: real. */
#define KS_OPS(X)                                                                                  \
    X(COPY) X(TO_REAL) X(ADD_I) X(SUB_I) X(MUL_I) X(NEGATE_I) X(MIN_I) X(MAX_I) X(FLOOR_DIV_I)     \
    X(ROUND_UP_I) X(ROUND_DOWN_I) X(ADD_F) X(SUB_F) X(MUL_F) X(DIV_F) X(POW_F) X(NEGATE_F) X(MIN_F) \
    X(MAX_F) X(FLOOR_DIV_F) X(FLOOR) X(CEIL) X(TRUNC) X(F32) X(PY_ROUND) X(LT_I) X(LE_I) X(EQ_I)   \
    X(LT_F) X(LE_F) X(EQ_F) X(NOT) X(AND) X(OR) X(SELECT_I) X(SELECT_F) X(TABLE_I) X(TABLE_F)      \
    X(INTERP) X(COUNT_UP_TO) X(LARGEST_UP_TO) X(PIN_I) X(PIN_F) X(SUM_RANKS_I) X(MIN_RANKS_I)      \
    X(MAX_RANKS_I) X(SUM_RANKS_F) X(MIN_RANKS_F) X(MAX_RANKS_F)

enum ks_op {
#define X(name) KS_OP_##name,
    KS_OPS(X)
#undef X
        KS_N_OPS
};

typedef struct ks_instruction {
    enum ks_op op;
    int dst, a, b, c; /* registers; -1: none */
    int aux;          /* table or list */
} ks_instruction;

typedef struct ks_constant {
    int reg;
    ks_cell value;
} ks_constant;

typedef struct ks_bytecode {
    ks_instruction *items;
    size_t n, capacity;
    struct {
        ks_constant *items;
        size_t n, capacity;
    } constants;
    struct {
        bool *items; /* by register: differs between ranks */
        size_t n, capacity;
    } per_rank;
} ks_bytecode;

/* Compiles a checked program. */
ks_bytecode *ks_compile(ks_program *program);

#endif
