#include "model/merge.h"

#include <string.h>

/* Sections whose members are merged, and down to what depth: a phase's entries are two deeper. Parts of
 * an architecture that are laid on it at times have sections themselves. */
static int depth_of_section(ks_str key)
{
    static const char *const sections[] = {"sources", "flags",  "env",      "assume",  "constants",
                                           "tables",  "lists",  "entries",  "checks",  "requires",
                                           "knobs",   "remarks", "suspects", "log",    "facts",
                                           "config",  "tensors", "splits",  "formats", "inputs",
                                           "algorithms", "refusals", "remedies", "regimes",
                                           "links",   "speeds", "rules",   "memory",
                                           "memory_tables", "steps", "step",
                                           "reads",   "findings"};
    if (ks_equal_c(key, "phases"))
        return 3;
    if (ks_equal_c(key, "draft") || ks_equal_c(key, "staged"))
        return 2;
    for (size_t i = 0; i < KS_COUNT(sections); i++)
        if (ks_equal_c(key, sections[i]))
            return 1;
    return 0;
}

static ks_member *find(const ks_doc *map, ks_str key)
{
    for (size_t i = 0; i < map->n; i++)
        if (ks_equal(map->items[i].key, key))
            return &map->items[i];
    return NULL;
}

static void remove_member(ks_doc *map, const ks_member *member)
{
    size_t at = (size_t)(member - map->items);
    memmove(&map->items[at], &map->items[at + 1], (map->n - at - 1) * sizeof *map->items);
    map->n--;
}

/* Adds a member behind the one that its `after:` names, or at the end. */
static void insert(ks_arena *arena, ks_doc *map, ks_member member)
{
    const ks_doc *after = ks_member_of(member.value, "after");
    const ks_member *before = after ? find(map, after->text) : NULL;
    size_t at = before ? (size_t)(before - map->items) + 1 : map->n;
    KS_PUSH(arena, map);
    memmove(&map->items[at + 1], &map->items[at], (map->n - 1 - at) * sizeof *map->items);
    map->items[at] = member;
}

static ks_doc *copy_map(ks_arena *arena, const ks_doc *map)
{
    ks_doc *copy = KS_NEW(arena, ks_doc);
    *copy = *map;
    copy->items = KS_NEW_ARRAY(arena, ks_member, map->n + 1);
    copy->capacity = map->n + 1;
    if (map->n)
        memcpy(copy->items, map->items, map->n * sizeof *map->items);
    return copy;
}

/* A named thing that replaces another keeps that one's meaning, if it does not say its own. */
static ks_doc *with_meaning(ks_arena *arena, ks_doc *over, const ks_doc *base)
{
    const ks_member *meaning = base->kind == KS_MAP ? find(base, KS_STR("meaning")) : NULL;
    if (!meaning || over->kind != KS_MAP || find(over, KS_STR("meaning")))
        return over;
    ks_doc *copy = copy_map(arena, over);
    *KS_PUSH(arena, copy) = *meaning;
    return copy;
}

static ks_doc *merge_maps(ks_arena *arena, const ks_doc *base, const ks_doc *over, int depth)
{
    ks_doc *result = copy_map(arena, base);
    for (size_t i = 0; i < over->n; i++) {
        const ks_member *m = &over->items[i];
        ks_member *there = find(result, m->key);
        if (ks_is_null(m->value)) {
            if (there)
                remove_member(result, there);
        } else if (!there)
            insert(arena, result, *m);
        else if (depth > 1 && there->value->kind == KS_MAP && m->value->kind == KS_MAP)
            there->value = merge_maps(arena, there->value, m->value, depth - 1);
        else
            *there = (ks_member){m->key, m->key_span, with_meaning(arena, m->value, there->value)};
    }
    return result;
}

static ks_doc *join_lists(ks_arena *arena, const ks_doc *first, const ks_doc *second)
{
    ks_doc *joined = copy_map(arena, first);
    for (size_t i = 0; i < second->n; i++)
        *KS_PUSH(arena, joined) = second->items[i];
    return joined;
}

ks_doc *ks_merge(ks_diags *diags, const ks_doc *base, const ks_doc *over)
{
    ks_arena *arena = diags->arena;
    ks_doc *result = copy_map(arena, over);
    ks_member *extends = find(result, KS_STR("extends"));
    if (extends)
        remove_member(result, extends);
    for (size_t i = 0; i < base->n; i++) {
        const ks_member *m = &base->items[i];
        ks_member *there = find(result, m->key);
        int depth = depth_of_section(m->key);
        if (!there)
            *KS_PUSH(arena, result) = *m;
        else if (ks_equal_c(m->key, "ignored") && there->value->kind == KS_LIST &&
                 m->value->kind == KS_LIST)
            there->value = join_lists(arena, m->value, there->value);
        else if (depth && there->value->kind == KS_MAP && m->value->kind == KS_MAP)
            there->value = merge_maps(arena, m->value, there->value, depth);
    }
    return result;
}
