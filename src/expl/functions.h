/* The closed list of functions of the formula language: name, number of arguments, what it does.
 * kvsim-formula(7) documents the same list. */
#ifndef KS_EXPL_FUNCTIONS_H
#define KS_EXPL_FUNCTIONS_H

#define KS_FUNCTIONS(X)                                                                            \
    X(floor, 1, 1, "largest whole number not above x")                                             \
    X(ceil, 1, 1, "smallest whole number not below x")                                             \
    X(trunc, 1, 1, "x without its fraction, as Python's int()")                                    \
    X(real, 1, 1, "a whole number as a real one")                                                  \
    X(min, 2, 8, "the smallest")                                                                   \
    X(max, 2, 8, "the largest")                                                                    \
    X(round_up, 2, 2, "smallest multiple of the second that is not below the first")               \
    X(round_down, 2, 2, "largest multiple of the second that is not above the first")              \
    X(floor_div, 2, 2, "Python's a // b, as a whole number")                                       \
    X(if, 3, 3, "the second where the first holds, else the third")                                \
    X(table, 2, 2, "the row of a table whose bound is the first above x")                          \
    X(interp, 2, 2, "a table's value at x, on straight lines between its points")                  \
    X(sum_over_ranks, 1, 1, "sum over all ranks")                                                  \
    X(min_over_ranks, 1, 1, "smallest over all ranks")                                             \
    X(max_over_ranks, 1, 1, "largest over all ranks")                                              \
    X(f32, 1, 1, "x rounded to a 32-bit float")                                                    \
    X(py_round, 2, 2, "Python's round(x, digits)")                                                 \
    X(pow, 2, 2, "the first to the power of the second, both plain numbers")                       \
    X(given, 1, 1, "true if the user gave the flag")                                               \
    X(count_up_to, 2, 2, "how many numbers of a list are not above x")                             \
    X(largest_up_to, 2, 2, "the largest number of a list that is not above x, or 0")

enum ks_function {
#define X(name, least, most, meaning) KS_FN_##name,
    KS_FUNCTIONS(X)
#undef X
        KS_N_FUNCTIONS
};

#endif
