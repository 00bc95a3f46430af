#include "expl/record.h"

ks_record *ks_record_new(ks_arena *arena, enum ks_record_kind kind)
{
    ks_record *record = KS_NEW(arena, ks_record);
    record->kind = kind;
    return record;
}

static ks_record *add(ks_arena *arena, ks_record *parent, ks_str key, enum ks_record_kind kind)
{
    ks_record *record = ks_record_new(arena, kind);
    record->key = key;
    if (parent->last)
        parent->last->next = record;
    else
        parent->first = record;
    parent->last = record;
    return record;
}

ks_record *ks_record_add(ks_arena *arena, ks_record *parent, const char *key,
                         enum ks_record_kind kind)
{
    return add(arena, parent, ks_from_c(key), kind);
}

ks_record *ks_record_node(ks_arena *arena, ks_record *parent, ks_str key, int node)
{
    ks_record *record = add(arena, parent, key, KS_RECORD_NODE);
    record->count = node;
    return record;
}

ks_record *ks_record_text(ks_arena *arena, ks_record *parent, const char *key, ks_str text)
{
    ks_record *record = ks_record_add(arena, parent, key, KS_RECORD_TEXT);
    record->text = text;
    return record;
}

ks_record *ks_record_truth(ks_arena *arena, ks_record *parent, const char *key, bool truth)
{
    ks_record *record = ks_record_add(arena, parent, key, KS_RECORD_TRUTH);
    record->count = truth;
    return record;
}

ks_record *ks_record_count(ks_arena *arena, ks_record *parent, const char *key, int64_t count)
{
    ks_record *record = ks_record_add(arena, parent, key, KS_RECORD_COUNT);
    record->count = count;
    return record;
}

ks_record *ks_record_range(ks_arena *arena, ks_record *parent, ks_str key, int node)
{
    ks_record *list = add(arena, parent, key, KS_RECORD_LIST);
    add(arena, list, (ks_str){NULL, 0}, KS_RECORD_LOW)->count = node;
    add(arena, list, (ks_str){NULL, 0}, KS_RECORD_HIGH)->count = node;
    return list;
}
