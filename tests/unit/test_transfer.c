/* What machines' links carry: figures worked out by hand or with an independent program, within 0.1
 * %. Measured values of like machines stand beside some. */
#include "fabric_support.h"

static const double allowance = 1e-3;

typedef bool question(ks_diags *diags, const ks_group *group, ks_transfer *result);

static ks_transfer answer(world *w, const ks_group *group, question *asked)
{
    ks_transfer t;
    assert_true(asked(&w->diags, group, &t));
    check_silent(w);
    return t;
}

/* Two switches of four, the loss by peers left out: the mean over GPUs at each distance. Measured
 * 50.1 38.2 25.7 12.75 25.6 38.0 50.0 GB/s. */
static void distances_on_two_switches(void **state)
{
    static const double want[] = {51.5145, 38.6359, 25.7573, 12.8786, 25.7573, 38.6359, 51.5145};
    world *w = *state;
    ks_topology t = one_socket(w, 2, 4);
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    for (size_t i = 0; i < routes.wires.n; i++)
        routes.wires.items[i].flow.loss = 0;
    for (size_t d = 1; d < 8; d++) {
        ks_transfer got;
        char row[32];
        snprintf(row, sizeof row, "distance %zu", d);
        assert_true(ks_shift(&w->diags, &group, d, &got));
        CHECK_REAL(row, got.mean / 1e9, want[d - 1], allowance);
    }
}

static void all_to_all(void **state)
{
    static const struct {
        const char *row;
        int switches, each;
        double aggregate, per_rank; /* GB/s */
        const char *held;
    } rows[] = {
        {"2x4 (measured 168 to 179)", 2, 4, 180.301, 22.5376, "s0 -> cpu0, shared by 16 transfers"},
        {"4 on a switch (measured 149 to 153)", 1, 4, 149.736, 37.4339,
         "gpu0 -> s0, shared by 3 transfers"},
        {"8 on a switch", 1, 8, 267.287, 33.4109, "gpu0 -> s0, shared by 7 transfers"},
        {"4x2", 4, 2, 240.401, 30.0501, "s0 -> cpu0, shared by 12 transfers"},
        {"8 direct (measured 173 to 190)", 0, 8, 186.041, 23.2551,
         "gpu0 -> cpu0, shared by 7 transfers"},
        {"4 direct (measured 121)", 0, 4, 118.140, 29.5350, "gpu0 -> cpu0, shared by 3 transfers"},
    };
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_topology t = one_socket(w, rows[i].switches, rows[i].each);
        ks_routes routes = find_routes(w, &t);
        ks_group group = all_gpus(&routes);
        ks_transfer got = answer(w, &group, ks_all_to_all);
        CHECK_REAL(rows[i].row, got.aggregate / 1e9, rows[i].aggregate, allowance);
        CHECK_REAL(rows[i].row, got.per_rank / 1e9, rows[i].per_rank, allowance);
        CHECK_TEXT(rows[i].row, got.held_text, rows[i].held);
        CHECK(rows[i].row, got.held_by != NULL && got.n_busiest == KS_BUSIEST);
        CHECK_REAL(rows[i].row, got.busiest[0].use, 1, 1e-6);
    }
}

/* A ring crosses each link once in each direction. Measured: NCCL 44.6 to 48.2, copies 49.6 to
 * 52.3. */
static void rings(void **state)
{
    static const int machines[][2] = {{2, 4}, {1, 4}, {1, 8}, {4, 2}, {0, 8}, {0, 4}};
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(machines); i++) {
        char row[32];
        snprintf(row, sizeof row, "%d switches, %d each", machines[i][0], machines[i][1]);
        ks_topology t = one_socket(w, machines[i][0], machines[i][1]);
        ks_routes routes = find_routes(w, &t);
        ks_group group = all_gpus(&routes);
        ks_transfer got = answer(w, &group, ks_ring);
        CHECK_REAL(row, got.slowest / 1e9, 51.5145, allowance);
        CHECK_REAL(row, got.aggregate / 1e9, 51.5145 * (double)group.n, allowance);
        group.kind = KS_FLOW_NCCL;
        got = answer(w, &group, ks_ring);
        CHECK_REAL(row, got.slowest / 1e9, 48, allowance);
        CHECK_TEXT(row, got.held_text, "what NCCL's kernels get over one edge");
        CHECK(row, got.held_by == NULL);
    }
}

/* A bad order crosses the switches' uplinks four times. */
static void order_matters(void **state)
{
    static const int bad[] = {0, 4, 1, 5, 2, 6, 3, 7};
    world *w = *state;
    ks_topology t = one_socket(w, 2, 4);
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    group.gpus = bad;
    ks_transfer got = answer(w, &group, ks_ring);
    CHECK_REAL("zigzag", got.slowest / 1e9, 51.5145 / 4, allowance);
    CHECK_TEXT("zigzag", got.held_text, "s0 -> cpu0, shared by 4 transfers");
}

/* ---- Sockets, ACS, host memory, NVLink ------------------------------------------------------- */

static void pairs(void **state)
{
    world *w = *state;
    double m[64];
    ks_topology genoa = two_sockets(w, KS_CPU_AMD, "genoa", 2);
    ks_routes routes = find_routes(w, &genoa);
    ks_group group = all_gpus(&routes);
    assert_true(ks_pair_matrix(&w->diags, &group, false, m));
    CHECK_REAL("one way, one socket", m[1] / 1e9, 56.3, allowance);
    CHECK_REAL("one way, across", m[2] / 1e9, 39, allowance);
    CHECK_REAL("itself", m[5], 0, 0);
    assert_true(ks_pair_matrix(&w->diags, &group, true, m));
    CHECK_REAL("both ways, one socket", m[1] / 1e9, 109.222, allowance);
    CHECK_REAL("both ways, across", m[2] / 1e9, 63.96, allowance);

    ks_topology intel = two_sockets(w, KS_CPU_INTEL, "sapphire-rapids", 2);
    routes = find_routes(w, &intel);
    assert_true(ks_pair_matrix(&w->diags, &group, false, m));
    CHECK_REAL("Intel, one socket", m[1] / 1e9, 23, allowance);
    CHECK_REAL("Intel, across", m[2] / 1e9, 20, allowance);
    ks_transfer got = answer(w, &group, ks_ring);
    CHECK_TEXT("Intel", got.held_text, "what one transfer gets across sockets");

    ks_topology staged = one_socket(w, 0, 2);
    staged.p2p = KS_NO;
    routes = find_routes(w, &staged);
    group = all_gpus(&routes);
    assert_true(ks_pair_matrix(&w->diags, &group, false, m));
    CHECK_REAL("staged, one way (measured 42.7 to 43.9)", m[1] / 1e9, 43, allowance);
    assert_true(ks_pair_matrix(&w->diags, &group, true, m));
    CHECK_REAL("staged, both ways (measured 56.3 to 57.5)", m[1] / 1e9, 55.9, allowance);
}

/* A switch that redirects makes its GPUs share the uplink with themselves: measured 50 GB/s both
 * ways where it was 103. */
static void acs(void **state)
{
    world *w = *state;
    double m[4];
    ks_topology t = one_socket(w, 1, 2);
    t.devices.items[0].acs = KS_YES;
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    assert_true(ks_pair_matrix(&w->diags, &group, true, m));
    CHECK_REAL("both ways", m[1] / 1e9, 56.3 * 0.97, allowance);
    t.devices.items[0].acs = KS_UNTOLD;
    routes = find_routes(w, &t);
    assert_true(ks_pair_matrix(&w->diags, &group, true, m));
    CHECK_REAL("not told", m[1] / 1e9, 2 * 56.3 * 0.97, allowance);
    CHECK_WHOLE("it is said what was assumed", routes.assumed.n, 1);
}

static void nvlink(void **state)
{
    world *w = *state;
    ks_topology t = two_sockets(w, KS_CPU_INTEL, "sapphire-rapids", 4);
    for (int64_t gpu = 0; gpu < 8; gpu++) {
        t.devices.items[gpu].capability = 9.0;
        *KS_PUSH(w->arena, &t.nvlinks) = (ks_nvlink){.gpu = gpu, .peer = -1, .links = 18};
    }
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    ks_transfer got = answer(w, &group, ks_ring);
    CHECK_REAL("ring", got.slowest / 1e9, 370.8, allowance);
    CHECK_TEXT("ring", got.held_text, "gpu0 -> nvswitch");
    got = answer(w, &group, ks_all_to_all);
    CHECK_REAL("all", got.per_rank / 1e9, 370.8, allowance);
}

/* ---- Schedules ------------------------------------------------------------------------------- */

/* By hand, from the rates and latencies of models/fabric/. */
static void schedules(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 2, 4);
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    const double near = 0.36e-6, far = 0.62e-6, poll = 0.3e-6, size = 9437184;
    ks_transfer got;
    CHECK_REAL("farthest", ks_farthest(&group), far, 1e-9);
    assert_true(ks_one_stage(&w->diags, &group, size, &got));
    CHECK_REAL("one stage", got.seconds, far + 16 * size / 51.5145e9, 2e-3);
    assert_true(ks_two_stage(&w->diags, &group, size, &got));
    CHECK_REAL("two stages", got.seconds, 2 * (far + 16 * size / 8 / 51.5145e9) + far + poll, 2e-3);
    CHECK_TEXT("two stages", got.held_text, "s0 -> cpu0, shared by 16 transfers");
    /* In an island 3 peers at 37.434 GB/s in all; across, 4 pairs on one uplink. */
    assert_true(ks_island_stages(&w->diags, &group, 0, size, &got));
    CHECK_REAL("islands", got.seconds,
               2 * (near + 3 * size / 4 / 37.434e9) + far + 4 * size / 4 / 51.5145e9 +
                   2 * (far + poll),
               2e-3);
    ks_transfer same;
    assert_true(ks_island_stages(&w->diags, &group, 4, size, &same));
    CHECK_REAL("islands of four", same.seconds, got.seconds, 0);
    group.kind = KS_FLOW_LOAD;
    assert_true(ks_one_stage(&w->diags, &group, 1024, &got));
    CHECK("a load's request goes first", got.seconds > 2 * far);
}

static void larger_never_takes_less(void **state)
{
    static const int machines[][2] = {{2, 4}, {1, 4}, {4, 2}, {0, 8}, {3, 3}, {0, 2}};
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(machines); i++) {
        ks_topology t = one_socket(w, machines[i][0], machines[i][1]);
        ks_routes routes = find_routes(w, &t);
        ks_group group = all_gpus(&routes);
        double before[3] = {0, 0, 0};
        for (double bytes = 3; bytes < 3e9; bytes *= 7.3) {
            ks_transfer got[3];
            group.kind = i % 2 ? KS_FLOW_STORE : KS_FLOW_LOAD;
            assert_true(ks_one_stage(&w->diags, &group, bytes, &got[0]));
            assert_true(ks_two_stage(&w->diags, &group, bytes, &got[1]));
            assert_true(ks_island_stages(&w->diags, &group, 0, bytes, &got[2]));
            for (int k = 0; k < 3; k++) {
                CHECK("a larger message", got[k].seconds >= before[k]);
                before[k] = got[k].seconds;
            }
        }
    }
}

/* Giving the GPUs other ranks gives each question about all of them the same answer. */
static void ranks_can_be_permuted(void **state)
{
    int order[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    world *w = *state;
    ks_topology t = one_socket(w, 2, 4);
    t.devices.items[3].width = 8; /* one GPU is slower */
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes), other = group;
    ks_transfer all = answer(w, &group, ks_all_to_all), got;
    double m[64], n[64];
    assert_true(ks_pair_matrix(&w->diags, &group, false, m));
    other.gpus = order;
    unsigned random = 12345;
    for (int round = 0; round < 20; round++) {
        for (size_t i = 7; i > 0; i--) {
            random = random * 1103515245u + 12345u;
            size_t k = (random >> 16) % (i + 1);
            int kept = order[i];
            order[i] = order[k];
            order[k] = kept;
        }
        got = answer(w, &other, ks_all_to_all);
        CHECK_REAL("all to all", got.aggregate, all.aggregate, 1e-9);
        CHECK_REAL("all to all", got.slowest, all.slowest, 1e-9);
        assert_true(ks_pair_matrix(&w->diags, &other, false, n));
        for (size_t i = 0; i < 8; i++)
            for (size_t k = 0; k < 8; k++)
                CHECK_REAL("pair", n[i * 8 + k], m[order[i] * 8 + order[k]], 1e-12);
    }
}

static void plain_has_no_losses(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 0, 8);
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    group.kind = KS_FLOW_STORE;
    group.plain = true;
    ks_transfer got = answer(w, &group, ks_all_to_all);
    CHECK_REAL("all", got.per_rank / 1e9, 56.3, 1e-9);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void refusals(void **state)
{
    static const int twice[] = {0, 1, 1, 2}, beyond[] = {0, 9};
    world *w = *state;
    ks_topology t = one_socket(w, 0, 6);
    ks_routes routes = find_routes(w, &t);
    ks_group group = all_gpus(&routes);
    ks_transfer got;
    group.gpus = twice;
    group.n = 4;
    CHECK("one GPU twice", !ks_ring(&w->diags, &group, &got));
    group.gpus = beyond;
    group.n = 2;
    CHECK("a GPU that is not there", !ks_all_to_all(&w->diags, &group, &got));
    group = all_gpus(&routes);
    CHECK("islands of four of six", !ks_island_stages(&w->diags, &group, 4, 1e6, &got));
    CHECK("no bytes", !ks_one_stage(&w->diags, &group, 0, &got));
    CHECK("no number", !ks_two_stage(&w->diags, &group, (double)NAN, &got));
    CHECK_TEXT("codes", summary(w), "M003; M003; M008; S006; S006");
    forget_diags(w);
    group.n = 1;
    assert_true(ks_ring(&w->diags, &group, &got));
    CHECK_REAL("one rank", got.slowest, 0, 0);
    assert_true(ks_two_stage(&w->diags, &group, 1e6, &got));
    CHECK_REAL("one rank", got.seconds, 0, 0);
    check_silent(w);
}

/* flow.* in a program: the ends of the constants' ranges give the ends of the answers'. */
static void answers_in_a_program(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 2, 4);
    ks_fabric fabrics[KS_FABRIC_ENDS];
    ks_routes routes[KS_FABRIC_ENDS];
    ks_program *program = ks_program_new(&w->diags, 1);
    load_fabric(w, fabrics);
    for (int end = 0; end < KS_FABRIC_ENDS; end++)
        assert_true(ks_find_routes(&w->diags, &t, &fabrics[end], &routes[end]));
    assert_true(ks_define_transfers(program, routes, in_order, 8, KS_FLOW_NCCL, KS_FLOW_LOAD));
    const ks_def *ring = &program->defs.items[ks_find(program, KS_STR("flow.ring_edge"))];
    const ks_def *all = &program->defs.items[ks_find(program, KS_STR("flow.all_to_all"))];
    CHECK_REAL("ring", ring->values->f / 1e9, 48, allowance);
    CHECK_REAL("ring, low", ring->low.f / 1e9, 44.6, allowance);
    CHECK_REAL("ring, high", ring->high.f / 1e9, 48.3, allowance);
    CHECK_REAL("all", all->values->f / 1e9, 180.301, allowance);
    CHECK_REAL("all, low", all->low.f / 1e9, 56.0 / 16 * 52.7 * 0.89, allowance);
    CHECK_TEXT("all", all->note, "held back by s0 -> cpu0, shared by 16 transfers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(distances_on_two_switches),
        IN_WORLD(all_to_all),
        IN_WORLD(rings),
        IN_WORLD(order_matters),
        IN_WORLD(pairs),
        IN_WORLD(acs),
        IN_WORLD(nvlink),
        IN_WORLD(schedules),
        IN_WORLD(larger_never_takes_less),
        IN_WORLD(ranks_can_be_permuted),
        IN_WORLD(plain_has_no_losses),
        IN_WORLD(refusals),
        IN_WORLD(answers_in_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
