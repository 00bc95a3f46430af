/* Fuzz program for matrices of `nvidia-smi topo -m`, and for the links that are concluded from them. */
#include "arena_limit.h"
#include "model/topology_matrix.h"
#include "read/matrix.h"

#include <stdlib.h>

enum { MEMORY = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Parents come before children, and all is within bounds. */
static void check_topology(const ks_topology *t)
{
    size_t gpus = 0;
    must(t->numas.n > 0 && t->numas.n <= KS_MAX_NUMA && t->gpus.n <= KS_MAX_TOPOLOGY_GPUS);
    for (size_t i = 0; i < t->devices.n; i++) {
        const ks_device *d = &t->devices.items[i];
        must(d->numa >= 0 && (size_t)d->numa < t->numas.n && d->parent < (int)i);
        must(d->parent < 0 || t->devices.items[d->parent].kind == KS_DEVICE_SWITCH);
        must(d->parent < 0 || t->devices.items[d->parent].numa == d->numa);
        gpus += d->kind == KS_DEVICE_GPU;
    }
    must(gpus == t->gpus.n);
    for (size_t i = 0; i < t->nvlinks.n; i++)
        must(t->nvlinks.items[i].gpu < (int64_t)gpus && t->nvlinks.items[i].peer < (int64_t)gpus &&
             t->nvlinks.items[i].links > 0);
}

static void read_alone(const char *bytes, size_t size)
{
    ks_arena *arena = ks_arena_new(MEMORY, jump_out, NULL);
    if (!setjmp(full)) {
        ks_diags diags = {.arena = arena};
        const ks_source *source = ks_source_new(arena, KS_STR("m"), (ks_str){bytes, size});
        const ks_topology *t = ks_topology_from_matrix(&diags, source);
        must((t != NULL) == (diags.errors == 0));
        if (t)
            check_topology(t);
        must(!t || ks_is_matrix(source->text));
    }
    ks_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1); /* of just this size: a read beyond it is seen */
    if (size <= KS_MAX_MATRIX && copy) {
        for (size_t i = 0; i < size; i++)
            copy[i] = (char)data[i];
        read_alone(copy, size);
    }
    free(copy);
    return 0;
}
