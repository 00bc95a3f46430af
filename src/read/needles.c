#include "read/needles.h"

enum { ROOT = 0, NONE = -1 };

/* States are prefixes of the texts; state 0 is the empty one. */
struct ks_needles {
    uint16_t (*next)[256];
    int *needle;       /* the text that ends in a state, or NONE */
    unsigned *shorter; /* the longest other state that ends a text and is its suffix, or ROOT */
    size_t n;
};

static void add_text(ks_needles *k, ks_str text, int number)
{
    unsigned state = ROOT;
    for (size_t i = 0; i < text.n; i++) {
        uint16_t *next = &k->next[state][(unsigned char)text.s[i]];
        if (*next == ROOT)
            *next = (uint16_t)k->n++;
        state = *next;
    }
    k->needle[state] = number;
}

/* Breadth first: a state's longest proper suffix is known before what follows it is filled in. */
static void add_suffixes(ks_arena *arena, ks_needles *k)
{
    unsigned *queue = KS_NEW_ARRAY(arena, unsigned, k->n);
    unsigned *suffix = KS_NEW_ARRAY(arena, unsigned, k->n);
    size_t first = 0, last = 1;
    while (first < last) {
        unsigned state = queue[first++];
        for (unsigned c = 0; c < 256; c++) {
            unsigned next = k->next[state][c];
            unsigned other = state == ROOT ? ROOT : k->next[suffix[state]][c];
            if (next == ROOT) {
                k->next[state][c] = (uint16_t)other;
                continue;
            }
            suffix[next] = other;
            k->shorter[next] = k->needle[other] != NONE ? other : k->shorter[other];
            queue[last++] = next;
        }
    }
}

ks_needles *ks_needles_new(ks_arena *arena, const ks_str *texts, size_t n)
{
    ks_needles *k = KS_NEW(arena, ks_needles);
    size_t most = 1;
    for (size_t i = 0; i < n; i++)
        most += texts[i].n;
    k->next = ks_alloc(arena, most, sizeof *k->next);
    k->needle = KS_NEW_ARRAY(arena, int, most);
    k->shorter = KS_NEW_ARRAY(arena, unsigned, most);
    k->n = 1;
    for (size_t i = 0; i < most; i++)
        k->needle[i] = NONE;
    for (size_t i = 0; i < n; i++)
        add_text(k, texts[i], (int)i);
    add_suffixes(arena, k);
    return k;
}

bool ks_next_needle(ks_search *search, size_t *needle, size_t *end)
{
    const ks_needles *k = search->needles;
    unsigned state = search->state, hit = search->more;
    size_t at = search->at;
    while (hit == ROOT && at < search->text.n) {
        state = k->next[state][(unsigned char)search->text.s[at++]];
        hit = k->needle[state] != NONE ? state : k->shorter[state];
    }
    search->at = at;
    search->state = state;
    search->more = hit == ROOT ? ROOT : k->shorter[hit];
    if (hit == ROOT)
        return false;
    *needle = (size_t)k->needle[hit];
    *end = at;
    return true;
}
