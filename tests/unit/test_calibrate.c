/* Curves through measured times, and calibration as a whole: how well sizes that were held out are
 * predicted, over all public NCCL series with six points and more. */
#include "support.h"

#include "calibrate/calibrate.h"
#include "calibrate/correction.h"
#include "read/file.h"
#include "read/nccltests.h"

/* ---- Curves. --------------------------------------------------------------------------------------------------- */

static double flat_model(const void *context, double bytes)
{
    return *(const double *)context * (1 + bytes / 100000);
}

static void joined(void **state)
{
    world *w = *state;
    ks_curve_point p[] = {
        {4096, 13e-6}, {1024, 11e-6}, {4096, 15e-6}, {4096, 12e-6}, {1024, 12e-6}};
    CHECK_WHOLE("sizes", ks_join_points(w->arena, p, KS_COUNT(p)), 2);
    CHECK_REAL("median of two", p[0].time, 11.5e-6, 1e-15);
    CHECK_REAL("median of three", p[1].time, 13e-6, 0);
}

/* Through its points, monotone between them, the model's shape beyond; a spike pulls nobody. */
static void curve(void **state)
{
    world *w = *state;
    const ks_curve_point p[] = {{1024, 13.5e-6},   {4096, 13.2e-6},   {16384, 14.7e-6},
                                {65536, 71.2e-6},  {131072, 24.7e-6}, {262144, 40.9e-6},
                                {1048576, 85.2e-6}};
    const double scale = 3.7e-6;
    ks_curve c = ks_curve_of(w->arena, p, KS_COUNT(p), flat_model, &scale);
    CHECK_WHOLE("spikes", c.n_spikes, 1);
    CHECK_REAL("spike", c.spikes[0], 65536, 0);
    CHECK_REAL("pooled", ks_curve_time(&c, 1024), sqrt(13.5e-6 * 13.2e-6), 1e-12);
    for (size_t i = 2; i < KS_COUNT(p); i++)
        if (i != 3)
            CHECK_REAL("knot", ks_curve_time(&c, p[i].bytes), p[i].time, 1e-12);
    CHECK("between neighbours",
          ks_curve_time(&c, 65536) > 14.7e-6 && ks_curve_time(&c, 65536) < 24.7e-6);
    CHECK_REAL("beyond", ks_curve_time(&c, 4194304) / ks_curve_time(&c, 1048576),
               flat_model(&scale, 4194304) / flat_model(&scale, 1048576), 1e-12);
    double last = 0;
    for (double bytes = 8; bytes < 1e10; bytes *= 1.03) {
        double time = ks_curve_time(&c, bytes);
        CHECK("rises", time >= last * (1 - 1e-12));
        last = time;
    }
}

/* A hand-made vector of the monotone cubic: three points, harmonic slope in the middle. */
static void cubic(void **state)
{
    world *w = *state;
    const ks_curve_point p[] = {{1000, 10e-6}, {10000, 20e-6}, {100000, 80e-6}};
    const double scale = 1e-6;
    ks_curve c = ks_curve_of(w->arena, p, 3, flat_model, &scale);
    double d0 = log(2) / log(10), d1 = log(4) / log(10);
    CHECK_REAL("middle", c.slope[1], 2 * d0 * d1 / (d0 + d1), 1e-12);
    CHECK_REAL("first", c.slope[0], (3 * d0 - d1) / 2, 1e-12);
    CHECK_REAL("last", c.slope[2], (3 * d1 - d0) / 2, 1e-12);
    double h = log(10), half = (log(10e-6) + log(20e-6)) / 2 + h * (c.slope[0] - c.slope[1]) / 8;
    CHECK_REAL("half-way", ks_curve_time(&c, sqrt(1000.0 * 10000.0)), exp(half), 1e-12);
}

static double stepped_model(const void *context, double bytes)
{
    return *(const double *)context * (bytes < 20001 ? 1 + bytes / 50000 : 3 + bytes / 200000);
}

static double looked_up(const ks_curve_point *rows, size_t n, double bytes)
{
    size_t i = 0;
    while (i + 1 < n && !(bytes < rows[i].bytes))
        i++;
    if (i == 0 || !(bytes < rows[i].bytes))
        return rows[i].time;
    double share = (bytes - rows[i - 1].bytes) / (rows[i].bytes - rows[i - 1].bytes);
    return rows[i - 1].time + (rows[i].time - rows[i - 1].time) * share;
}

/* Straight lines between the table's rows give the curve back, across a step of the model too. */
static void table(void **state)
{
    world *w = *state;
    const ks_curve_point p[] = {
        {1000, 13.1e-6}, {8000, 14.7e-6}, {64000, 41.3e-6}, {1024000, 277e-6}};
    const double scale = 7.3e-6;
    size_t n;
    ks_curve c = ks_curve_of(w->arena, p, 4, stepped_model, &scale);
    const ks_curve_point *rows = ks_curve_table(w->arena, &c, &n);
    CHECK("few rows", n > 8 && n < 60);
    for (size_t i = 1; i < n; i++)
        CHECK("rising", rows[i].bytes > rows[i - 1].bytes);
    for (double bytes = 1000; bytes <= 1024000; bytes = floor(bytes * 1.01) + 1) {
        double want = ks_curve_time(&c, bytes) / stepped_model(&scale, bytes);
        CHECK_REAL("ratio", looked_up(rows, n, bytes), want, 0.01);
    }
    CHECK_REAL("below the step", looked_up(rows, n, 20000),
               ks_curve_time(&c, 20000) / stepped_model(&scale, 20000), 0.005);
    CHECK_REAL("above it", looked_up(rows, n, 20001),
               ks_curve_time(&c, 20001) / stepped_model(&scale, 20001), 0.005);
}

/* ---- All public series. ---------------------------------------------------------------------------------------- */

static const char *const series[] = {"4090-2-docker",
                                     "4090-2-k8s",
                                     "4090-4-docker",
                                     "4090-4-mc62",
                                     "5090-4-genoa",
                                     "a100-8-nv",
                                     "gh200-2-simllm",
                                     "gh200-4-simllm",
                                     "h100-6-24111-2",
                                     "nv-4-24532-2",
                                     "nv-4-24532-3",
                                     "rtx6k-4-asus-nccl-bf16",
                                     "rtx6k-4-wrx3sw-nccl",
                                     "rtx6k-8-3sw-nccl",
                                     "rtx6k-8-local-pynccl",
                                     "rtx6k-8-local-torch-nccl",
                                     "rtx6k-8-wrx-grpA-nccl-small",
                                     "rtx6k-8of16-adj-nccl",
                                     "v100-4-nccl"};

static ks_str path_of(const world *w, const char *part, const char *name)
{
    const char *top = getenv("top_srcdir");
    return ks_format(w->arena, "%s/%s%s", top ? top : ".", part, name);
}

static size_t load(world *w, const char *name, ks_curve_point *points)
{
    ks_runs runs = {NULL, 0, 0};
    ks_str path = ks_concat(w->arena, path_of(w, "tests/data/benchmarks/", name), KS_STR(".txt"));
    const ks_source *source = ks_read_file(&w->diags, path, KS_MAX_BENCHMARK, (ks_span){0}, true);
    CHECK(name, source && ks_read_nccltests(&w->diags, source, 0, &runs) && runs.n == 1);
    size_t n = runs.items[0].timings.n;
    for (size_t i = 0; i < n; i++)
        points[i] = (ks_curve_point){(double)runs.items[0].timings.items[i].bytes,
                                     runs.items[0].timings.items[i].time};
    return ks_join_points(w->arena, points, n);
}

/* Straight lines: in size and time, or in their logarithms. */
static double straight(const ks_curve_point *p, size_t n, double bytes, bool logs)
{
    size_t i = 0;
    while (i + 2 < n && bytes > p[i + 1].bytes)
        i++;
    double share = logs ? log(bytes / p[i].bytes) / log(p[i + 1].bytes / p[i].bytes)
                        : (bytes - p[i].bytes) / (p[i + 1].bytes - p[i].bytes);
    return logs ? p[i].time * pow(p[i + 1].time / p[i].time, share)
                : p[i].time + share * (p[i + 1].time - p[i].time);
}

/* Why the curve is what it is: every other size of all series is held out, those between others only. In
 * the mean, lines in size and time are as good; the cubic is better at the worst tenth. */
static void against_lines(void **state)
{
    world *w = *state;
    double errors[3][256], mean[3] = {0}, tail[3];
    size_t n = 0;
    const double scale = 1e-6;
    for (size_t s = 0; s < KS_COUNT(series); s++) {
        ks_curve_point all[64], half[64];
        size_t n_all = load(w, series[s], all), n_half = 0;
        for (size_t i = 0; i < n_all; i += 2)
            half[n_half++] = all[i];
        ks_curve c = ks_curve_of(w->arena, half, n_half, flat_model, &scale);
        for (size_t i = 1; i + 1 < n_all; i += 2, n++) {
            errors[0][n] = fabs(ks_curve_time(&c, all[i].bytes) / all[i].time - 1);
            errors[1][n] = fabs(straight(half, n_half, all[i].bytes, false) / all[i].time - 1);
            errors[2][n] = fabs(straight(half, n_half, all[i].bytes, true) / all[i].time - 1);
        }
    }
    for (int k = 0; k < 3; k++) {
        for (size_t i = 0; i < n; i++)
            mean[k] += errors[k][i] / (double)n;
        tail[k] = ks_quantile(errors[k], n, 0.9);
    }
    print_message(
        "%zu held-out sizes, mean error and that of the worst tenth: cubic %.1f %% %.1f %%, lines "
        "%.1f %% %.1f %%, lines in logarithms %.1f %% %.1f %%\n",
        n, 100 * mean[0], 100 * tail[0], 100 * mean[1], 100 * tail[1], 100 * mean[2],
        100 * tail[2]);
    CHECK("mean", mean[0] < 1.05 * mean[1] && mean[0] < mean[2]);
    CHECK("tail", tail[0] < tail[1] && tail[0] < tail[2]);
}

/* The whole: parameters, curve and range from half the sizes. */
static void held_out(void **state)
{
    world *w = *state;
    ks_str models = path_of(w, "models", ""), path;
    const char *const folders[] = {ks_to_c(w->arena, models)};
    const ks_catalog catalog = {.diags = &w->diags, .folders = folders, .n_folders = 1};
    double medians[KS_COUNT(series)];
    size_t n = 0, inside = 0;
    for (size_t s = 0; s < KS_COUNT(series); s++) {
        path = ks_concat(w->arena, path_of(w, "tests/data/benchmarks/", series[s]), KS_STR(".txt"));
        ks_calibrate_ask ask = {
            .machine = KS_STR("8 x rtx-pro-6000"), .files = &path, .n_files = 1};
        const ks_calibration *c = ks_calibrate(&catalog, &ask);
        CHECK(series[s], c && c->series.n == 1);
        const ks_held_out *h = &c->series.items[0].held_out;
        medians[s] = h->median;
        n += h->n;
        inside += h->inside;
        print_message("%-28s %2zu held out: median %4.1f %%, worst %5.1f %%, %2zu in range\n",
                      series[s], h->n, 100 * h->median, 100 * h->worst, h->inside);
    }
    double median = ks_median(medians, KS_COUNT(series));
    print_message("median of medians %.2f %%, in range %.1f %%\n", 100 * median,
                  100.0 * (double)inside / (double)n);
    CHECK("median", median <= 0.05);
    CHECK("in range", (double)inside >= 0.9 * (double)n);
}

/* The forms that are fitted are the formulas of models/allreduce: the same times from the same
 * parameters. */
static void forms_are_formulas(void **state)
{
    world *w = *state;
    ks_str models = path_of(w, "models", "");
    const char *const folders[] = {ks_to_c(w->arena, models)};
    const ks_catalog catalog = {.diags = &w->diags, .folders = folders, .n_folders = 1};
    static const struct {
        enum ks_form form;
        const char *time, *terms[3];
    } rows[] = {
        {KS_FORM_RING_LL, "time.nccl_ring_ll", {"ring.ll.base", "ring.ll.alpha", "ring.ll.bandwidth"}},
        {KS_FORM_RING_SIMPLE, "time.nccl_ring_simple", {"ring.simple.base", "ring.simple.alpha", "ring.simple.bandwidth"}},
        {KS_FORM_RING_LL128, "time.nccl_ring_ll128", {"ring.ll128.base", "ring.ll128.alpha", "ring.ll128.bandwidth"}},
        {KS_FORM_ONE_STAGE, "time.b12x_1stage", {"one_stage.t0", "one_stage.bandwidth"}},
        {KS_FORM_TWO_STAGE, "time.custom_2stage", {"two_stage.t0", "two_stage.bandwidth"}},
        {KS_FORM_DMA, "time.dma_ring", {"dma.t0", "dma.bandwidth"}},
    };
    ks_doc name = {.kind = KS_SCALAR, .text = KS_STR("8x-rtx-pro-6000"), .exact = true};
    ks_machine machine = {0};
    assert_true(ks_read_machine(&catalog, &name, &machine));
    for (int64_t ranks = 2; ranks <= 8; ranks += 3) {
        ks_ring_model *m = ks_ring_model_of(&catalog, &machine, ranks, NULL);
        assert_non_null(m);
        for (size_t i = 0; i < KS_COUNT(rows); i++)
            for (double bytes = 777; bytes < 1e8; bytes = floor(bytes * 7.3)) {
                double x[KS_FIT_TERMS] = {0}, sum = 0;
                size_t n = ks_form_terms(rows[i].form);
                ks_form_fill(rows[i].form, ranks, bytes, x);
                for (size_t j = 0; j < n; j++) {
                    double value = ks_model_value(m, rows[i].terms[j], bytes);
                    sum += x[j] * (j + 1 == n ? 1 / value : value);
                }
                /* The model's wire factor of LL128 has five digits. */
                CHECK_REAL(rows[i].time, sum, ks_model_value(m, rows[i].time, bytes), 1e-4);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(joined),        IN_WORLD(curve),
                                       IN_WORLD(cubic),         IN_WORLD(table),
                                       IN_WORLD(against_lines), IN_WORLD(held_out), IN_WORLD(forms_are_formulas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
