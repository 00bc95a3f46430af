#include "model/guess_gpu.h"

#include "base/unit.h"

#include <stdlib.h>

typedef struct candidate {
    ks_str name;
    double rest; /* what is taken of its memory; bytes */
} candidate;

enum { MOST_SHOWN = 4 };

/* A context and communicators take up to 4 GiB on the largest machines, and hardly a tenth of any. */
static const double most_taken = 4.0 * 1073741824.0, share_taken = 0.1;

static int by_rest(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->rest < y->rest ? -1 : x->rest > y->rest ? 1 : ks_compare(x->name, y->name);
}

ks_str ks_guess_gpus(const ks_catalog *catalog, double free_bytes)
{
    ks_arena *arena = catalog->diags->arena;
    size_t n, found = 0;
    ks_str *names = ks_catalog_names(catalog, "gpu", &n);
    candidate *candidates = KS_NEW_ARRAY(arena, candidate, n + 1);
    ks_builder list = {.arena = arena};
    for (size_t i = 0; i < n; i++) {
        const ks_doc *gpu = ks_catalog_find(catalog, "gpu", names[i], (ks_span){0});
        const ks_doc *facts = gpu ? ks_member_of(gpu, "facts") : NULL;
        const ks_doc *fact = facts ? ks_member_of(facts, "memory") : NULL;
        const ks_doc *value = fact ? ks_member_of(fact, "value") : NULL;
        ks_quantity memory;
        if (!value || ks_parse_quantity(value->text, &memory) != KS_QUANTITY_OK)
            continue;
        double rest = memory.value - free_bytes;
        if (rest > 0 && rest < most_taken && rest < share_taken * memory.value)
            candidates[found++] = (candidate){names[i], rest};
    }
    if (found)
        qsort(candidates, found, sizeof *candidates, by_rest);
    for (size_t i = 0; i < found && i < MOST_SHOWN; i++)
        ks_addf(&list, "%s%.*s", i ? ", " : "", KS_ARG(candidates[i].name));
    return ks_built(&list);
}
