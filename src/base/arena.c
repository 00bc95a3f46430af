/* For anonymous mappings, where the system has them. */
#define _DEFAULT_SOURCE

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Blocks come from the system with their pages in place: faulting them in one by one took a fifth
 * of a short run's time. Under the address sanitizer they come from the heap, which it watches. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED_BY_SANITIZER 1
#endif
#endif
#if defined(MAP_POPULATE) && defined(MAP_ANONYMOUS) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(WATCHED_BY_SANITIZER)
#define HAS_POPULATED_MAPPINGS 1
#else
#define HAS_POPULATED_MAPPINGS 0
#endif

enum { FIRST_BLOCK = 64 * 1024, ALIGNMENT = 16 };

typedef struct block {
    struct block *next;
    size_t size, used;
} block;

struct ks_cleanup {
    ks_cleanup *older;
    void (*run)(void *object); /* NULL once it has run */
    void *object;
};

struct ks_arena {
    block *blocks; /* newest first */
    ks_cleanup *cleanups;
    size_t limit, total, handed_out;
    void (*oom)(void *context);
    void *context;
};

static size_t round_to_alignment(size_t n)
{
    return (n + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

/* Zeroed memory for a block, or NULL. */
static block *new_block(size_t bytes)
{
#if HAS_POPULATED_MAPPINGS
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
#else
    return calloc(1, bytes);
#endif
}

static void free_block(block *b, size_t bytes)
{
#if HAS_POPULATED_MAPPINGS
    munmap(b, bytes);
#else
    (void)bytes;
    free(b);
#endif
}

ks_arena *ks_arena_new(size_t limit, void (*oom)(void *context), void *context)
{
    ks_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        return NULL;
    arena->limit = limit ? limit : (size_t)1 << 30;
    arena->oom = oom;
    arena->context = context;
    return arena;
}

void ks_arena_free(ks_arena *arena)
{
    if (!arena)
        return;
    ks_arena_unwind(arena, NULL);
    for (block *b = arena->blocks, *next; b; b = next) {
        next = b->next;
        free_block(b, round_to_alignment(sizeof *b) + b->size);
    }
    free(arena);
}

const ks_cleanup *ks_arena_mark(const ks_arena *arena)
{
    return arena->cleanups;
}

void ks_arena_unwind(ks_arena *arena, const ks_cleanup *mark)
{
    while (arena->cleanups && arena->cleanups != mark) {
        ks_cleanup *newest = arena->cleanups;
        arena->cleanups = newest->older;
        if (newest->run)
            newest->run(newest->object);
    }
}

/* Calls the hook; a hook that returns would be a bug of the caller's, so end the process. */
static void out_of_memory(ks_arena *arena)
{
    arena->oom(arena->context);
    abort();
}

static void add_block(ks_arena *arena, size_t need)
{
    size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
    if (size > (size_t)4 << 20)
        size = (size_t)4 << 20;
    if (size < need)
        size = need;
    if (size > arena->limit - arena->total)
        size = need;
    if (size > arena->limit - arena->total)
        out_of_memory(arena);
    block *b = new_block(round_to_alignment(sizeof *b) + size);
    if (!b)
        out_of_memory(arena);
    b->size = size;
    b->next = arena->blocks;
    arena->blocks = b;
    arena->total += size;
}

void *ks_alloc(ks_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 2 - ALIGNMENT) / size)
        out_of_memory(arena);
    size_t need = round_to_alignment(count * size);
    if (!arena->blocks || need > arena->blocks->size - arena->blocks->used)
        add_block(arena, need);
    block *b = arena->blocks;
    void *result = (char *)b + round_to_alignment(sizeof *b) + b->used;
    b->used += need;
    arena->handed_out += need;
    return result;
}

ks_cleanup *ks_defer(ks_arena *arena, void (*run)(void *object), void *object)
{
    ks_cleanup *cleanup = KS_NEW(arena, ks_cleanup);
    cleanup->older = arena->cleanups;
    cleanup->run = run;
    cleanup->object = object;
    arena->cleanups = cleanup;
    return cleanup;
}

void ks_finish(ks_arena *arena, ks_cleanup *cleanup)
{
    void (*run)(void *object) = cleanup->run;
    cleanup->run = NULL;
    if (arena->cleanups == cleanup)
        arena->cleanups = cleanup->older;
    if (run)
        run(cleanup->object);
}

size_t ks_arena_used(const ks_arena *arena)
{
    return arena->handed_out;
}

void *ks_grow(ks_arena *arena, void *items, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return items;
    size_t wider = *capacity ? *capacity * 2 : 4;
    void *moved = ks_alloc(arena, wider, size);
    if (n)
        memcpy(moved, items, n * size);
    *capacity = wider;
    return moved;
}
