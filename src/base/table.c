#include "base/table.h"

typedef struct ks_table_slot {
    ks_str key;
    int value;
    bool taken;
} ks_table_slot;

/* FNV-1a. An attacker who can choose all keys gets collisions; the readers' limits on the number
 * of nodes bound what that costs. */
static uint64_t hash(ks_str key)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < key.n; i++)
        h = (h ^ (unsigned char)key.s[i]) * 1099511628211u;
    return h ^ (h >> 29);
}

static ks_table_slot *find(const ks_table *table, ks_str key)
{
    size_t mask = table->n_slots - 1;
    for (size_t at = (size_t)hash(key) & mask;; at = (at + 1) & mask)
        if (!table->slots[at].taken || ks_equal(table->slots[at].key, key))
            return &table->slots[at];
}

int ks_table_get(const ks_table *table, ks_str key)
{
    if (table->n == 0)
        return KS_ABSENT;
    const ks_table_slot *slot = find(table, key);
    return slot->taken ? slot->value : KS_ABSENT;
}

static void widen(ks_table *table)
{
    ks_table old = *table;
    table->n_slots = old.n_slots ? old.n_slots * 2 : 16;
    table->slots = KS_NEW_ARRAY(table->arena, ks_table_slot, table->n_slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].taken)
            *find(table, old.slots[i].key) = old.slots[i];
}

void ks_table_put(ks_table *table, ks_str key, int value)
{
    if (2 * (table->n + 1) > table->n_slots)
        widen(table);
    ks_table_slot *slot = find(table, key);
    if (!slot->taken)
        table->n++;
    *slot = (ks_table_slot){key, value, true};
}
