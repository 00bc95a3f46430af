/* Fuzz program for CSV of kernels' times and for matrices of p2pBandwidthLatencyTest. */
#include "arena_limit.h"
#include "read/benchcsv.h"

#include <math.h>

enum { LONGEST = 64 << 10, MEMORY = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_nothing(void *context, const char *bytes, size_t n)
{
    (void)context;
    must(bytes != NULL && n > 0);
}

static void read_tables(ks_diags *diags, const ks_source *source, int64_t ranks)
{
    ks_runs runs = {NULL, 0, 0};
    bool good = ks_read_benchcsv(diags, source, ranks, &runs);
    must(good == (diags->errors == 0));
    for (size_t i = 0; good && i < runs.n; i++) {
        must(runs.items[i].ranks >= 2 && runs.items[i].timings.n > 0);
        for (size_t k = 0; k < runs.items[i].timings.n; k++) {
            const ks_timing *t = &runs.items[i].timings.items[k];
            must(t->bytes > 0 && t->time > 0 && t->time < 1e4);
            must((size_t)t->at.at + t->at.n <= source->text.n);
        }
    }
}

static void read_matrices(ks_diags *diags, const ks_source *source)
{
    ks_p2p_matrices all = {NULL, 0, 0};
    bool good = ks_read_p2p(diags, source, &all);
    must(good == (diags->errors == 0) && all.n <= KS_MAX_P2P);
    for (size_t i = 0; good && i < all.n; i++) {
        const ks_p2p_matrix *m = &all.items[i];
        double median = ks_p2p_median(diags->arena, m);
        must(m->n > 0 && m->n <= KS_MAX_P2P && (isnan(median) || median >= 0));
        for (size_t k = 0; k < m->n * m->n; k++)
            must(isnan(m->cells[k]) || m->cells[k] >= 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > LONGEST)
        return 0;
    ks_arena *arena = ks_arena_new(MEMORY, jump_out, NULL);
    if (!setjmp(full)) {
        ks_diags diags = {.arena = arena};
        const ks_source *source = ks_source_new(arena, KS_STR("s.txt"),
                                                (ks_str){(const char *)data, size});
        if (ks_is_p2p(source))
            read_matrices(&diags, source);
        else
            read_tables(&diags, source, size % 3 ? 0 : 8);
        for (size_t i = 0; i < diags.n; i++)
            must(diags.items[i].span.at <= size);
        ks_write_diags(&diags, 0, true, (ks_sink){write_nothing, NULL});
    }
    ks_arena_free(arena);
    return 0;
}
