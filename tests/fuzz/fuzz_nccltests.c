/* Fuzz program for nccl-tests output: whatever is read lies inside the limits and the text. */
#include "read/nccltests.h"
#include "reader.h"

enum { MEMORY = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

static void read(ks_diags *diags, const ks_source *source)
{
    ks_runs runs = {NULL, 0, 0};
    bool good = ks_read_nccltests(diags, source, source->text.n % 3 ? 0 : 8, &runs);
    must(good == (diags->errors == 0));
    for (size_t i = 0; good && i < runs.n; i++)
        check_run(&runs.items[i], source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_text(data, size, MEMORY, read);
}
