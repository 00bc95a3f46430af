/* For fuzz programs of one reader that takes a text: the text as a source, an arena of its own, and what
 * must hold of all diagnostics. */
#ifndef KVSIM_FUZZ_READER_H
#define KVSIM_FUZZ_READER_H

#include "arena_limit.h"
#include "base/diag.h"

static inline void write_nothing(void *context, const char *bytes, size_t n)
{
    (void)context;
    must(bytes != NULL && n > 0);
}

/* Each diagnostic begins inside its text, and can be written. */
static inline void check_diags(const ks_diags *diags)
{
    for (size_t i = 0; i < diags->n; i++) {
        ks_span at = diags->items[i].span;
        must(at.at <= (at.source ? at.source->text.n : 0));
    }
    ks_write_diags(diags, 0, true, (ks_sink){write_nothing, NULL});
}

/* Reads up to 64 KiB in an arena of `memory` bytes. */
static inline int read_text(const uint8_t *data, size_t size, size_t memory,
                            void (*read)(ks_diags *diags, const ks_source *source))
{
    if (size > (size_t)64 << 10)
        return 0;
    ks_arena *arena = ks_arena_new(memory, jump_out, NULL);
    if (!setjmp(full)) {
        ks_diags diags = {.arena = arena};
        read(&diags, ks_source_new(arena, KS_STR("s"), (ks_str){(const char *)data, size}));
        check_diags(&diags);
    }
    ks_arena_free(arena);
    return 0;
}

#endif
