/* Dimensions, units, and quantities as they are written and printed.
 *
 * A dimension is three small exponents: byte, second, token. Everything inside kvsim is in base
 * units: bytes, seconds, tokens. GiB is 2^30 bytes, GB is 10^9, always. */
#ifndef KS_BASE_UNIT_H
#define KS_BASE_UNIT_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ks_dim {
    int8_t byte, second, token;
} ks_dim;

#define KS_NO_DIM ((ks_dim){0, 0, 0})
#define KS_BYTE ((ks_dim){1, 0, 0})
#define KS_TOKEN ((ks_dim){0, 0, 1})

bool ks_same_dim(ks_dim a, ks_dim b);
ks_dim ks_dim_times(ks_dim a, ks_dim b);
ks_dim ks_dim_over(ks_dim a, ks_dim b);
/* True for bytes, tokens and bytes per token: a fraction of one is an error until it is rounded. */
bool ks_dim_is_whole(ks_dim dim);
/* "bytes", "bytes/token", "plain numbers": for messages. */
ks_str ks_dim_words(ks_arena *arena, ks_dim dim);
/* "byte", "token", "byte/token", "byte/s", "1": for JSON. */
ks_str ks_dim_symbol(ks_arena *arena, ks_dim dim);

/* The same without an arena for the dimensions that quantities have; "?" for any other. */
const char *ks_dim_name(ks_dim dim);

/* A number with its unit as read from a text. */
typedef struct ks_quantity {
    double value; /* in base units */
    ks_dim dim;
    bool has_unit;
} ks_quantity;

enum ks_quantity_error { KS_QUANTITY_OK, KS_NOT_A_NUMBER, KS_UNKNOWN_UNIT };

/* Reads one unit at the start of text, as "GiB", "GB/s" or "B/token"; returns the bytes used (0 if
 * there is none). *scale is its size in base units. */
size_t ks_parse_unit(ks_str text, double *scale, ks_dim *dim);
/* Reads "94.08 GiB", "3 ms", "0.55", "85 %". The whole text must be used. */
enum ks_quantity_error ks_parse_quantity(ks_str text, ks_quantity *quantity);

/* 94.08 GiB, 159,215 tokens, 70,272 B/token, 0.55: bytes in binary units with at most five
 * significant digits, counts of tokens exactly. `whole`: the value is known to be integral. */
ks_str ks_show(ks_arena *arena, double value, ks_dim dim, bool whole);
/* The value in a given unit with a number of decimals: {-20.64, "GiB"}. Unknown unit: as ks_show. */
ks_str ks_show_in(ks_arena *arena, double value, ks_dim dim, ks_str unit, int decimals);
/* 1234567 as "1,234,567". */
ks_str ks_show_whole(ks_arena *arena, int64_t value);

#endif
