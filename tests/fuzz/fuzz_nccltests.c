/* Fuzz program for nccl-tests output: whatever is read lies inside the limits and the text. */
#include "arena_limit.h"
#include "read/nccltests.h"

enum { LONGEST = 64 << 10, MEMORY = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_nothing(void *context, const char *bytes, size_t n)
{
    (void)context;
    must(bytes != NULL && n > 0);
}

static void check_run(const ks_run *run, const ks_source *source)
{
    must(run->ranks >= 2 && run->ranks <= KS_MAX_RANKS);
    must(run->timings.n > 0 && run->timings.n <= KS_MAX_TIMINGS && run->wrong >= 0);
    for (size_t i = 0; i < run->timings.n; i++) {
        const ks_timing *t = &run->timings.items[i];
        must(t->bytes > 0 && t->time > 0 && t->time < 1e4);
        must((size_t)t->at.at + t->at.n <= source->text.n && t->at.n > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > LONGEST)
        return 0;
    ks_arena *arena = ks_arena_new(MEMORY, jump_out, NULL);
    if (!setjmp(full)) {
        ks_diags diags = {.arena = arena};
        ks_runs runs = {NULL, 0, 0};
        const ks_source *source = ks_source_new(arena, KS_STR("s.txt"),
                                                (ks_str){(const char *)data, size});
        bool good = ks_read_nccltests(&diags, source, size % 3 ? 0 : 8, &runs);
        must(good == (diags.errors == 0));
        for (size_t i = 0; good && i < runs.n; i++)
            check_run(&runs.items[i], source);
        for (size_t i = 0; i < diags.n; i++)
            must(diags.items[i].span.at <= size);
        ks_write_diags(&diags, 0, true, (ks_sink){write_nothing, NULL});
    }
    ks_arena_free(arena);
    return 0;
}
