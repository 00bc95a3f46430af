/* A record: what a report says as data, beside its text: objects and lists of nodes, words and whole
 * numbers that were given. Written as JSON in the order in which it was made. As in texts, a number
 * that was computed gets in only as a node. */
#ifndef KS_EXPL_RECORD_H
#define KS_EXPL_RECORD_H

#include "base/arena.h"
#include "base/str.h"

#include <stdint.h>

enum ks_record_kind {
    KS_RECORD_OBJECT,
    KS_RECORD_LIST,
    KS_RECORD_NODE, /* a node's value */
    KS_RECORD_LOW,  /* the low end of a node's range; its value if it has none */
    KS_RECORD_HIGH,
    KS_RECORD_TEXT,
    KS_RECORD_TRUTH,
    KS_RECORD_COUNT /* a whole number that was given, or a count of what is shown */
};

typedef struct ks_record ks_record;

struct ks_record {
    enum ks_record_kind kind;
    ks_str key; /* in an object */
    ks_str text;
    int64_t count; /* KS_RECORD_COUNT, KS_RECORD_TRUTH; KS_RECORD_NODE, _LOW, _HIGH: the node */
    ks_record *first, *last, *next;
};

ks_record *ks_record_new(ks_arena *arena, enum ks_record_kind kind);

/* Each adds a member to an object, or an element to a list (an empty key), and returns it. */
ks_record *ks_record_add(ks_arena *arena, ks_record *parent, const char *key,
                         enum ks_record_kind kind);
ks_record *ks_record_node(ks_arena *arena, ks_record *parent, ks_str key, int node);
ks_record *ks_record_text(ks_arena *arena, ks_record *parent, const char *key, ks_str text);
ks_record *ks_record_truth(ks_arena *arena, ks_record *parent, const char *key, bool truth);
ks_record *ks_record_count(ks_arena *arena, ks_record *parent, const char *key, int64_t count);
/* [low, high] of a node. */
ks_record *ks_record_range(ks_arena *arena, ks_record *parent, ks_str key, int node);

#endif
