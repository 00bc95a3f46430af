/* How long one configuration of a sweep takes: the story's scenario with two flags varied over a
 * grid, evaluated in blocks of lanes on one core. Beside it, in the same run, a loop that computes
 * only the sum of the pool's budget in plain C, as a yardstick for the machine.
 * usage: bench_eval [SCENARIO]          (KVSIM_MODELS: folder of model files) */
#include "engine/lanes.h"
#include "read/file.h"
#include "read/yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 256, ROUNDS = 400 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void stop(void *context)
{
    (void)context;
    fputs("bench_eval: out of memory\n", stderr);
    exit(1);
}

static ks_model *load(ks_diags *diags, const char *const *folders, const char *path)
{
    static const ks_settings none;
    ks_catalog *catalog = KS_NEW(diags->arena, ks_catalog);
    *catalog = (ks_catalog){.diags = diags, .folders = folders, .n_folders = 1};
    const ks_ask ask = {.unknown = KS_STR("cuda-graph-max-bs")};
    const ks_source *source =
        ks_read_file(diags, ks_from_c(path), KS_MAX_FILE, (ks_span){0}, true);
    const ks_doc *doc = source ? ks_read_yaml(diags, source) : NULL;
    return doc ? ks_build_model(catalog, doc, &none, ask) : NULL;
}

/* Seconds for one configuration: two flags on a grid, all checks judged. */
static double time_lanes(ks_model *model, const ks_plan *base, size_t *cost, double *kept)
{
    ks_varying varying = {NULL, 0, 0};
    ks_flag *fraction = ks_find_flag(&model->engine, KS_STR("mem-fraction-static"));
    ks_change a = {.def = fraction->def, .given = fraction->given}, b = model->unknown;
    ks_vary_change(model, &varying, &a);
    ks_vary_change(model, &varying, &b);
    ks_lanes *lanes = ks_lanes_new(model, base, &varying, LANES);
    double start = now_s();
    for (size_t round = 0; round < ROUNDS; round++) {
        for (size_t l = 0; l < LANES; l++) {
            a.value.f = 0.7 + 0.25 * (double)l / LANES;
            b.value.i = (int64_t)(8 + 8 * (round % 64));
            ks_apply(lanes, l, &a);
            ks_apply(lanes, l, &b);
        }
        ks_plan_run(lanes->plan);
        *kept += ks_plan_real(lanes->plan, model->engine.yields, 0, round % LANES);
    }
    *cost = ks_plan_cost(lanes->plan);
    return (now_s() - start) / (double)(LANES * ROUNDS);
}

/* The one sum by hand, for every configuration. */
static double time_by_hand(double *kept)
{
    volatile double available = 23310934999.0, total = 101017630802.0, cell = 70272.0;
    double start = now_s();
    for (size_t i = 0; i < LANES * ROUNDS; i++) {
        double fraction = 0.7 + 0.25 * (double)(i % LANES) / LANES;
        *kept += (double)(int64_t)((available - total * (1 - fraction)) / cell);
    }
    return (now_s() - start) / (double)(LANES * ROUNDS);
}

int main(int argc, char **argv)
{
    const char *models = getenv("KVSIM_MODELS");
    const char *path = argc > 1 ? argv[1] : "scenarios/8x-rtx-pro-6000-fraction-0.88.yaml";
    const char *const folders[] = {models ? models : "models"};
    ks_arena *arena = ks_arena_new(0, stop, NULL);
    ks_diags diags = {.arena = arena};
    ks_model *model = load(&diags, folders, path);
    if (!model) {
        fprintf(stderr, "bench_eval: %s cannot be built (%zu errors)\n", path, diags.errors);
        return 1;
    }
    const ks_plan *base = ks_run_base(model);
    size_t cost = 0;
    double kept = 0, best = 1, hand = 1;
    for (int i = 0; i < 9; i++) {
        double lanes = time_lanes(model, base, &cost, &kept), sum = time_by_hand(&kept);
        best = lanes < best ? lanes : best;
        hand = sum < hand ? sum : hand;
    }
    printf("one configuration: %.3f us (best of 9; %zu instructions a lane, all checks); the one sum "
           "by hand: %.4f us; ratio %.0f (checksum %.0f)\n",
           best * 1e6, cost, hand * 1e6, best / hand, kept);
    ks_arena_free(arena);
    return 0;
}
