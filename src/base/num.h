/* Whole numbers with overflow checks, and the roundings that the engines name. */
#ifndef KS_BASE_NUM_H
#define KS_BASE_NUM_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Each stores the exact result and returns true, or returns false on overflow. */
static inline bool ks_add64(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_add_overflow(a, b, result);
}

static inline bool ks_sub64(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_sub_overflow(a, b, result);
}

static inline bool ks_mul64(int64_t a, int64_t b, int64_t *result)
{
    return !__builtin_mul_overflow(a, b, result);
}

/* Quotient rounded towards minus infinity; false when b is 0 or the result does not fit. */
bool ks_floor_div64(int64_t a, int64_t b, int64_t *result);
/* Largest / smallest multiple of `step` (> 0) that is not above / below a. */
bool ks_round_down64(int64_t a, int64_t step, int64_t *result);
bool ks_round_up64(int64_t a, int64_t step, int64_t *result);
/* Exact conversion of a finite, integral double; false otherwise. */
bool ks_to_whole(double x, int64_t *result);

/* Python's a // b for floats: computed from the remainder, not from the rounded quotient. */
double ks_py_floor_div(double a, double b);
/* Python's round(x, digits) for 0 <= digits <= 15: correctly rounded in decimal, ties to even as
 * the decimal expansion of the double decides. */
double ks_py_round(double x, int digits);

/* Decimal number at the start of `text` ("94.08", "-3", "1e9"; no hexadecimal, infinity or NaN),
 * whatever the locale. Returns the bytes used, 0 if there is none. */
size_t ks_parse_decimal(ks_str text, double *value);
/* 0 to 15; 99 for a character that is no digit. */
int ks_hex_digit(char c);
/* A whole number of at most 16 digits, decimal or hexadecimal as `base` says, or hexadecimal behind 0x. */
bool ks_parse_digits(ks_str text, int base, uint64_t *value);
/* Shortest decimal that reads back as x, in Python's style ("0.55", "1e-07"). */
ks_str ks_shortest(ks_arena *arena, double x);

#endif
