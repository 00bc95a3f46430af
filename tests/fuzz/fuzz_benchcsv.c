/* Fuzz program for CSV of kernels' times and for matrices of p2pBandwidthLatencyTest. */
#include "read/benchcsv.h"
#include "reader.h"

#include <math.h>

enum { MEMORY = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static void read(ks_diags *diags, const ks_source *source)
{
    if (ks_is_p2p(source))
        read_matrices(diags, source);
    else
        read_tables(diags, source, source->text.n % 3 ? 0 : 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_text(data, size, MEMORY, read);
}
