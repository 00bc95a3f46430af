/* Memory: one bump arena per library handle, freed in one go.
 *
 * Allocation never returns NULL: when the limit or the machine is exhausted, the arena's
 * out-of-memory hook is called, which must not return (api.c jumps to the API boundary).
 * What is not memory (a libyaml parser, an open file) registers a cleanup, which runs when it is
 * done, when the arena is freed, or when the out-of-memory hook unwinds.
 */
#ifndef KS_BASE_ARENA_H
#define KS_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ks_arena ks_arena;
typedef struct ks_cleanup ks_cleanup;

/* A new arena that holds at most `limit` bytes (0: 1 GiB). `oom(context)` is called when it is
 * full and must not return. NULL if not even the arena itself can be had. Free it with
 * ks_arena_free(). */
ks_arena *ks_arena_new(size_t limit, void (*oom)(void *context), void *context);

/* Runs all pending cleanups, newest first, and frees everything. NULL is allowed. */
void ks_arena_free(ks_arena *arena);

/* Runs all cleanups registered since `mark` was pending (NULL: all of them), newest first. */
void ks_arena_unwind(ks_arena *arena, const ks_cleanup *mark);

/* The newest pending cleanup, to be handed to ks_arena_unwind(). */
const ks_cleanup *ks_arena_mark(const ks_arena *arena);

/* `count` zeroed objects of `size` bytes; owned by the arena. Never NULL. */
void *ks_alloc(ks_arena *arena, size_t count, size_t size);

/* Registers `run(object)` to be called once; see above. */
ks_cleanup *ks_defer(ks_arena *arena, void (*run)(void *object), void *object);

/* Runs a pending cleanup now and forgets it. */
void ks_finish(ks_arena *arena, ks_cleanup *cleanup);

/* Bytes handed out so far. */
size_t ks_arena_used(const ks_arena *arena);

/* A growing array in an arena: `items` points to `n` objects of one type. */
void *ks_grow(ks_arena *arena, void *items, size_t n, size_t *capacity, size_t size);

/* Appends a zeroed element to {items, n, capacity} of a struct and yields a pointer to it. */
#define KS_PUSH(arena, list)                                                                       \
    ((list)->items = ks_grow((arena), (list)->items, (list)->n, &(list)->capacity,                 \
                             sizeof *(list)->items),                                               \
     &(list)->items[(list)->n++])

#define KS_NEW(arena, type) ((type *)ks_alloc((arena), 1, sizeof(type)))
#define KS_NEW_ARRAY(arena, type, count) ((type *)ks_alloc((arena), (count), sizeof(type)))
#define KS_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
