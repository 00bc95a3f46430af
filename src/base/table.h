/* A hash table from names to small integers. Nothing is ever removed. */
#ifndef KS_BASE_TABLE_H
#define KS_BASE_TABLE_H

#include "base/str.h"

#include <stdint.h>

typedef struct ks_table {
    ks_arena *arena;
    struct ks_table_slot *slots;
    size_t n, n_slots;
} ks_table;

enum { KS_ABSENT = -1 };

/* The integer of `key`, or KS_ABSENT. */
int ks_table_get(const ks_table *table, ks_str key);
/* Sets the integer (>= 0) of `key`; the key's bytes are not copied. */
void ks_table_put(ks_table *table, ks_str key, int value);

#endif
