/* Links and ways of machines: names, what each way passes, what is assumed; and the constants of
 * models/fabric/ themselves. */
#include "fabric_support.h"

static const double exact = 1e-12;

static ks_str way_text(world *w, const ks_routes *r, size_t from, size_t to, enum ks_flow_kind kind)
{
    return ks_route_text(w->arena, r, ks_route_of(r, from, to, kind));
}

static const ks_wire *wire_named(const ks_routes *r, const char *name)
{
    for (size_t i = 0; i < r->wires.n; i++)
        if (ks_equal_c(r->wires.items[i].name, name))
            return &r->wires.items[i];
    print_error("there is no wire \"%s\"\n", name);
    assert_true(false);
    return NULL;
}

/* ---- Ways ------------------------------------------------------------------------------------ */

static void ways_through_switches(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 2, 2);
    ks_routes r = find_routes(w, &t);
    CHECK_TEXT("near", way_text(w, &r, 0, 1, KS_FLOW_COPY), "gpu0 -> s0 -> gpu1");
    CHECK_TEXT("far", way_text(w, &r, 0, 3, KS_FLOW_COPY), "gpu0 -> s0 -> cpu0 -> s1 -> gpu3");
    CHECK_TEXT("itself", way_text(w, &r, 2, 2, KS_FLOW_COPY), "");
    CHECK_TEXT("staged", way_text(w, &r, 0, 1, KS_FLOW_STAGED),
               "gpu0 -> s0 -> cpu0 -> memory of cpu0 -> cpu0 -> s0 -> gpu1");
    CHECK_WHOLE("near", ks_route_of(&r, 0, 1, KS_FLOW_LOAD)->way, KS_WAY_SWITCH);
    CHECK_WHOLE("far", ks_route_of(&r, 1, 2, KS_FLOW_LOAD)->way, KS_WAY_ROOT);
    CHECK_WHOLE("itself", ks_route_of(&r, 1, 1, KS_FLOW_LOAD)->way, KS_WAY_NONE);
    CHECK_REAL("near", ks_route_of(&r, 0, 1, KS_FLOW_COPY)->latency, 0.36e-6, exact);
    CHECK_REAL("far", ks_route_of(&r, 0, 3, KS_FLOW_COPY)->latency, 0.62e-6, exact);
    CHECK_REAL("a load", ks_route_latency(ks_route_of(&r, 0, 3, KS_FLOW_LOAD), KS_FLOW_LOAD),
               1.24e-6, exact);
    CHECK_REAL("staged", ks_route_of(&r, 0, 3, KS_FLOW_STAGED)->latency, 14.62e-6, exact);
    CHECK_REAL("store", ks_route_cap(&r, ks_route_of(&r, 0, 1, KS_FLOW_STORE), KS_FLOW_STORE, true),
               44.8e9, exact);
    CHECK_REAL("copy", ks_route_cap(&r, ks_route_of(&r, 0, 1, KS_FLOW_COPY), KS_FLOW_COPY, true), 0,
               0);
    CHECK_REAL("behind a switch", wire_named(&r, "gpu1 -> s0")->flow.loss, 0.41, 0);
    CHECK_WHOLE("its port", wire_named(&r, "gpu1 -> s0")->flow.port, 1);
    CHECK_WHOLE("an uplink is no port", wire_named(&r, "s0 -> cpu0")->flow.port, -1);
    CHECK_WHOLE("nothing assumed", r.assumed.n, 0);
}

/* A tree of three levels: the way turns at the first switch that both are below. */
static void trees_of_switches(void **state)
{
    world *w = *state;
    ks_topology t = new_machine();
    add_numa(w, &t, 0, KS_CPU_AMD, "turin");
    int root = add_switch(w, &t, NO_SWITCH, 0);
    int left = add_switch(w, &t, root, 0), right = add_switch(w, &t, root, 0);
    int leaf = add_switch(w, &t, left, 0);
    add_gpu(w, &t, leaf, 0);
    add_gpu(w, &t, right, 0);
    add_gpu(w, &t, root, 0);
    add_gpu(w, &t, NO_SWITCH, 0);
    ks_routes r = find_routes(w, &t);
    CHECK_TEXT("0-1", way_text(w, &r, 0, 1, KS_FLOW_COPY), "gpu0 -> s3 -> s1 -> s0 -> s2 -> gpu1");
    CHECK_TEXT("1-0", way_text(w, &r, 1, 0, KS_FLOW_COPY), "gpu1 -> s2 -> s0 -> s1 -> s3 -> gpu0");
    CHECK_TEXT("2-0", way_text(w, &r, 2, 0, KS_FLOW_COPY), "gpu2 -> s0 -> s1 -> s3 -> gpu0");
    CHECK_TEXT("3-1", way_text(w, &r, 3, 1, KS_FLOW_COPY), "gpu3 -> cpu0 -> s0 -> s2 -> gpu1");
    t.devices.items[root].acs = KS_YES;
    r = find_routes(w, &t);
    CHECK_TEXT("ACS", way_text(w, &r, 2, 1, KS_FLOW_COPY),
               "gpu2 -> s0 -> cpu0 -> s0 -> s2 -> gpu1");
    t.devices.items[root].acs = KS_UNTOLD;
    t.iommu = KS_IOMMU_TRANSLATE;
    r = find_routes(w, &t);
    CHECK_TEXT("translating", way_text(w, &r, 2, 1, KS_FLOW_COPY),
               "gpu2 -> s0 -> cpu0 -> s0 -> s2 -> gpu1");
    CHECK_REAL("translating", wire_named(&r, "s0 -> cpu0")->flow.capacity, 56.3e9 * 0.85, exact);
    CHECK_REAL("translating", wire_named(&r, "s1 -> s0")->flow.capacity, 56.3e9, exact);
    CHECK_TEXT("said", r.assumed.items[0],
               "s0: ACS is not told; taken as on, since the IOMMU translates");
}

static void ways_across_sockets(void **state)
{
    world *w = *state;
    ks_topology t = two_sockets(w, KS_CPU_INTEL, "sapphire-rapids", 2);
    ks_routes r = find_routes(w, &t);
    const ks_route *near = ks_route_of(&r, 0, 1, KS_FLOW_COPY);
    const ks_route *far = ks_route_of(&r, 0, 3, KS_FLOW_COPY);
    CHECK_TEXT("near", ks_route_text(w->arena, &r, near), "gpu0 -> cpu0 -> gpu1");
    CHECK_TEXT("far", ks_route_text(w->arena, &r, far), "gpu0 -> cpu0 -> cpu1 -> gpu3");
    CHECK_WHOLE("far", far->way, KS_WAY_SOCKET);
    CHECK_REAL("far", far->latency, 2 * (0.18e-6 + 0.1e-6) + 0.06e-6, exact);
    CHECK_REAL("one way", ks_route_cap(&r, far, KS_FLOW_COPY, false), 20e9, exact);
    CHECK_REAL("both ways", ks_route_cap(&r, far, KS_FLOW_COPY, true), 18e9, exact);
    CHECK_REAL("peer to peer", wire_named(&r, "gpu0 -> cpu0, peer to peer")->flow.capacity, 23e9,
               exact);
    CHECK_WHOLE("root ports' limits are passed", near->n_wires, 4);
    /* One package of two NUMA nodes is one socket. */
    t.numas.items[1].package = 0;
    r = find_routes(w, &t);
    CHECK_WHOLE("one package", ks_route_of(&r, 0, 3, KS_FLOW_COPY)->way, KS_WAY_ROOT);
    t.numas.items[0].package = t.numas.items[1].package = -1;
    r = find_routes(w, &t);
    CHECK_WHOLE("packages not told", ks_route_of(&r, 0, 3, KS_FLOW_COPY)->way, KS_WAY_SOCKET);
    CHECK_WHOLE("packages not told", r.assumed.n, 1);
}

static void ways_over_nvlink(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 0, 4);
    for (int i = 0; i < 4; i++)
        t.devices.items[i].capability = 8.0;
    *KS_PUSH(w->arena, &t.nvlinks) = (ks_nvlink){.gpu = 0, .peer = 1, .links = 4};
    *KS_PUSH(w->arena, &t.nvlinks) = (ks_nvlink){.gpu = 1, .peer = 0, .links = 4};
    *KS_PUSH(w->arena, &t.nvlinks) = (ks_nvlink){.gpu = 2, .peer = 3, .links = 3};
    t.p2p = KS_NO;
    ks_routes r = find_routes(w, &t);
    CHECK_TEXT("a pair", way_text(w, &r, 1, 0, KS_FLOW_STORE), "gpu1 -> gpu0");
    CHECK_REAL("told twice", wire_named(&r, "gpu0 -> gpu1")->flow.capacity, 80e9, exact);
    CHECK_REAL("told once", wire_named(&r, "gpu3 -> gpu2")->flow.capacity, 60e9, exact);
    CHECK_REAL("no limit",
               ks_route_cap(&r, ks_route_of(&r, 0, 1, KS_FLOW_STORE), KS_FLOW_STORE, true), 0, 0);
    CHECK_WHOLE("no P2P over PCIe", ks_route_of(&r, 1, 2, KS_FLOW_STORE)->way, KS_WAY_STAGED);
}

/* ---- Rates ----------------------------------------------------------------------------------- */

static void rates_of_links(void **state)
{
    static const struct {
        const char *row;
        double lane_rate;
        int64_t width;
        double up, down;
        double want_up, want_down; /* GB/s */
        size_t assumed;
    } rows[] = {
        {"generation 5", 32e9, 16, 0, 0, 56.3, 56.3, 0},
        {"generation 4, x8", 16e9, 8, 0, 0, 13.15, 13.15, 0},
        {"generation 3, x4", 8e9, 4, 0, 0, 3.125, 3.125, 0},
        {"generation 1, x1", 2.5e9, 1, 0, 0, 0.2125, 0.2125, 0},
        {"generation 6", 64e9, 16, 0, 0, 105, 105, 0},
        {"one direction told", 32e9, 16, 41.7e9, 0, 41.7, 56.3, 0},
        {"both told, nothing else", 0, 0, 41.7e9, 40.3e9, 41.7, 40.3, 0},
        {"width not told", 32e9, 0, 0, 0, 56.3, 56.3, 1},
        {"generation not told: as the other", 0, 16, 0, 0, 26.3, 26.3, 1},
        {"no such width", 32e9, 4000, 0, 0, 56.3, 56.3, 1},
        {"no such generation", 3e9, 16, 0, 0, 26.3, 26.3, 1},
    };
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_topology t = one_socket(w, 0, 2);
        ks_device *d = &t.devices.items[0];
        d->lane_rate = rows[i].lane_rate;
        d->width = rows[i].width;
        d->up = rows[i].up;
        d->down = rows[i].down;
        d->latency = 0.35e-6;
        t.devices.items[1].lane_rate = 16e9;
        ks_routes r = find_routes(w, &t);
        CHECK_REAL(rows[i].row, wire_named(&r, "gpu0 -> cpu0")->flow.capacity / 1e9,
                   rows[i].want_up, exact);
        CHECK_REAL(rows[i].row, wire_named(&r, "cpu0 -> gpu0")->flow.capacity / 1e9,
                   rows[i].want_down, exact);
        CHECK_REAL(rows[i].row, wire_named(&r, "cpu0 -> gpu0")->latency, 0.35e-6, 0);
        CHECK_WHOLE(rows[i].row, r.assumed.n, rows[i].assumed);
    }
}

/* ---- The constants --------------------------------------------------------------------------- */

static void constants(void **state)
{
    world *w = *state;
    ks_fabric f[KS_FABRIC_ENDS];
    load_fabric(w, f);
    CHECK_REAL("typical", f[KS_FABRIC_TYPICAL].gen5_x16, 56.3e9, exact);
    CHECK_REAL("slow", f[KS_FABRIC_SLOW].gen5_x16, 52.7e9, exact);
    CHECK_REAL("fast", f[KS_FABRIC_FAST].gen5_x16, 56.6e9, exact);
    CHECK_REAL("a loss is slow at its high end", f[KS_FABRIC_SLOW].peers_loss_root, 0.69, exact);
    CHECK_REAL("so is a latency", f[KS_FABRIC_SLOW].latency_staged, 21e-6, exact);
    ks_numa numa = {.vendor = KS_CPU_AMD, .cpu = KS_STR("genoa")};
    CHECK_REAL("by generation", ks_fabric_cpu_of(f, &numa)->socket_flow, 39e9, exact);
    numa.cpu = KS_STR("bergamo");
    CHECK_TEXT("by vendor", ks_fabric_cpu_of(f, &numa)->name, "amd");
    numa.vendor = KS_CPU_ARM;
    CHECK_TEXT("unknown", ks_fabric_cpu_of(f, &numa)->name, "unknown");
    CHECK_REAL("H100", ks_fabric_nvlink(f, 9.0), 20.6e9, exact);
    CHECK_REAL("B200", ks_fabric_nvlink(f, 10.0), 40.1e9, exact);
    CHECK_REAL("A40", ks_fabric_nvlink(f, 8.6), 12e9, exact);
    CHECK_REAL("A100", ks_fabric_nvlink(f, 8.0), 20e9, exact);
    CHECK_REAL("P100", ks_fabric_nvlink(f, 6.0), 18e9, exact);
}

/* Text of a calibration's `constants:`; a slip is told with its place. */
static void replaced_constants(void **state)
{
    static const struct {
        const char *key, *value, *want;
    } rows[] = {
        {"fabric.duplex", "0.87", ""},
        {"fabric.turin.socket_flow", "44.1 GB/s", ""},
        {"ring.ll.base", "7 us", ""}, /* another's */
        {"fabric.duplx", "0.87", "S001 t:1:1 [fabric.duplx] ?fabric.duplex"},
        {"fabric.duplex", "1.3", "S006 t:1:1 [fabric.duplex]"},
        {"fabric.duplex", "0", "S006 t:1:1 [fabric.duplex]"},
        {"fabric.gen5_x16", "56", "U001 t:1:1 [fabric.gen5_x16]"},
        {"fabric.gen5_x16", "0 GB/s", "S006 t:1:1 [fabric.gen5_x16]"},
        {"fabric.poll", "3 h", "U002 t:1:1 [3 h]"},
        {"fabric.turin.socket", "wide", "S003 t:1:1 [wide]"},
    };
    world *w = *state;
    ks_catalog catalog = test_catalog(w);
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_fabric f[KS_FABRIC_ENDS];
        const ks_source *key = ks_source_new(w->arena, KS_STR("t"), ks_from_c(rows[i].key));
        const ks_source *text = ks_source_new(w->arena, KS_STR("t"), ks_from_c(rows[i].value));
        ks_span key_span = {key, 0, (uint32_t)key->text.n};
        ks_span span = {text, 0, (uint32_t)text->text.n};
        ks_doc value = {.kind = KS_SCALAR, .span = span, .text = text->text};
        ks_member inner = {KS_STR("value"), span, &value};
        ks_doc fact = {.kind = KS_MAP, .span = span, .items = &inner, .n = 1};
        ks_member outer = {key->text, key_span, &fact};
        ks_doc section = {.kind = KS_MAP, .span = key_span, .items = &outer, .n = 1};
        bool good = ks_define_fabric(&catalog, ks_program_new(&w->diags, 1), &section, span, f);
        CHECK_TEXT(rows[i].key, summary(w), rows[i].want);
        CHECK_WHOLE(rows[i].key, good, rows[i].want[0] == '\0');
        if (i == 0)
            CHECK_REAL("replaced", f[KS_FABRIC_SLOW].duplex, 0.87, exact);
        if (i == 1)
            CHECK_REAL("replaced",
                       ks_fabric_cpu_of(f, &(ks_numa){.cpu = KS_STR("turin")})->socket_flow, 44.1e9,
                       exact);
        forget_diags(w);
    }
}

/* ---- Hostile machines ------------------------------------------------------------------------ */

static void refuse(world *w, const char *row, const ks_topology *t, const char *want)
{
    ks_fabric f[KS_FABRIC_ENDS];
    ks_routes r;
    load_fabric(w, f);
    CHECK(row, !ks_find_routes(&w->diags, t, &f[KS_FABRIC_TYPICAL], &r));
    CHECK_TEXT(row, summary(w), want);
    forget_diags(w);
}

static void hostile_machines(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 1, 3);
    t.devices.items[2].parent = -1;
    t.devices.items[2].numa = 7;
    refuse(w, "on no socket", &t, "M008");
    t.devices.items[2].parent = 3;
    refuse(w, "below a later one", &t, "M008");
    t.devices.items[2].parent = 1;
    refuse(w, "below a GPU", &t, "M008");
    t = one_socket(w, 1, 3);
    t.numas.n = 0;
    refuse(w, "no sockets", &t, "M008");
    t = one_socket(w, 0, 2);
    t.devices.items[0].up = -3e9;
    refuse(w, "negative rate", &t, "S006");
    t.devices.items[0].up = (double)NAN;
    refuse(w, "no rate", &t, "S006");
    t.devices.items[0].up = 1e-30;
    refuse(w, "next to no rate", &t, "S006");
    t.devices.items[0].up = HUGE_VAL;
    refuse(w, "infinite rate", &t, "S006");
    t = one_socket(w, 0, 2);
    t.gpus.items[1] = t.gpus.items[0];
    refuse(w, "one device is two GPUs", &t, "M008");
    t.gpus.items[1] = 999999;
    refuse(w, "no device", &t, "M008");
    t = one_socket(w, 0, 65);
    refuse(w, "too many GPUs", &t, "S006");
    t = one_socket(w, 0, 2);
    *KS_PUSH(w->arena, &t.nvlinks) = (ks_nvlink){.gpu = 0, .peer = 5, .links = 4};
    refuse(w, "NVLink to nowhere", &t, "S006");
    t.nvlinks.items[0] = (ks_nvlink){.gpu = 0, .peer = 1, .links = INT64_MAX};
    refuse(w, "very many NVLinks", &t, "S006");
    t = new_machine();
    add_numa(w, &t, 0, KS_CPU_UNKNOWN, "");
    for (int i = 0; i < 40; i++)
        add_switch(w, &t, i - 1, 0);
    add_gpu(w, &t, 39, 0);
    refuse(w, "a very deep tree", &t, "M008");
}

/* As much as is taken, and nothing at all. */
static void large_and_empty_machines(void **state)
{
    world *w = *state;
    ks_topology t = one_socket(w, 8, 8);
    ks_routes r = find_routes(w, &t);
    ks_group group = all_gpus(&r);
    ks_transfer got;
    assert_true(ks_all_to_all(&w->diags, &group, &got));
    CHECK("64 GPUs", got.per_rank > 1e9);
    t = new_machine();
    r = find_routes(w, &t);
    CHECK_WHOLE("none", r.n_gpus, 0);
    t = one_socket(w, 0, 1);
    r = find_routes(w, &t);
    CHECK_WHOLE("one", r.n_gpus, 1);
}

static unsigned next_number(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*random >> 40);
}

static double random_rate(uint64_t *random)
{
    static const double rates[] = {0, 0, 0, 0, 0, 41.7e9, 1e6, 1e15, 3, -1, (double)NAN, HUGE_VAL, 1e300};
    return rates[next_number(random) % KS_COUNT(rates)];
}

static void random_device(world *w, ks_topology *t, uint64_t *r)
{
    static const double lanes[] = {32e9, 16e9, 8e9, 0, 7e9, -1, (double)NAN, 1e300};
    static const int64_t widths[] = {16, 16, 8, 4, 1, 0, -8, INT64_MAX};
    int parent = t->devices.n ? (int)(next_number(r) % t->devices.n) : -1;
    if (next_number(r) % 4 || parent < 0 || t->devices.items[parent].kind != KS_DEVICE_SWITCH)
        parent = next_number(r) % 64 ? -1 : parent;
    int numa = (int)(next_number(r) % (next_number(r) % 16 ? t->numas.n : 5));
    add_device(w, t, KS_STR("d"), parent, numa);
    ks_device *d = &t->devices.items[t->devices.n - 1];
    d->kind = (enum ks_device_kind)(next_number(r) % 3);
    d->lane_rate = lanes[next_number(r) % (next_number(r) % 4 ? 4 : KS_COUNT(lanes))];
    d->width = widths[next_number(r) % KS_COUNT(widths)];
    d->acs = (enum ks_told)(next_number(r) % 3);
    if (next_number(r) % 16 == 0)
        d->up = random_rate(r);
    if (next_number(r) % 16 == 0)
        d->down = random_rate(r);
    if (d->kind != KS_DEVICE_GPU)
        return;
    d->gpu = (int64_t)t->gpus.n;
    d->capability = (double)(next_number(r) % 13);
    *KS_PUSH(w->arena, &t->gpus) = (int)t->devices.n - 1;
}

static ks_topology random_machine(world *w, uint64_t *r)
{
    static const char *const cpus[] = {"turin", "genoa", "sapphire-rapids", "", "none"};
    ks_topology t = new_machine();
    unsigned numas = 1 + next_number(r) % 4, devices = next_number(r) % 12;
    for (unsigned i = 0; i < numas; i++)
        add_numa(w, &t, (int)(next_number(r) % 3) - 1, (enum ks_cpu_vendor)(next_number(r) % 6),
                 cpus[next_number(r) % KS_COUNT(cpus)]);
    for (unsigned i = 0; i < devices; i++)
        random_device(w, &t, r);
    for (unsigned i = next_number(r) % 4 ? 0 : 2; i > 0; i--)
        *KS_PUSH(w->arena, &t.nvlinks) = (ks_nvlink){.gpu = (int64_t)(next_number(r) % 5),
                                                     .peer = (int64_t)(next_number(r) % 6) - 1,
                                                     .links = (int64_t)(next_number(r) % 20)};
    t.p2p = (enum ks_told)(next_number(r) % 3);
    t.iommu = (enum ks_iommu)(next_number(r) % 4);
    return t;
}

/* Whatever a machine is, it is refused with a message, or all questions have answers. */
static void random_machines(void **state)
{
    world *w = *state;
    ks_fabric f[KS_FABRIC_ENDS];
    uint64_t random = 20240607;
    size_t taken = 0;
    load_fabric(w, f);
    for (int i = 0; i < 3000; i++) {
        ks_topology t = random_machine(w, &random);
        ks_routes r;
        ks_transfer got;
        double matrix[144];
        bool good = ks_find_routes(&w->diags, &t, &f[i % KS_FABRIC_ENDS], &r);
        CHECK("an error is told", good == (w->diags.errors == 0));
        forget_diags(w);
        if (!good)
            continue;
        ks_group group = all_gpus(&r);
        group.kind = (enum ks_flow_kind)(i % KS_FLOW_KINDS);
        good = ks_ring(&w->diags, &group, &got) && ks_all_to_all(&w->diags, &group, &got) &&
               ks_pair_matrix(&w->diags, &group, i % 2, matrix) &&
               ks_two_stage(&w->diags, &group, 12345, &got);
        check_silent(w);
        CHECK("answers", good && (r.n_gpus < 2 || (got.slowest > 0 && isfinite(got.seconds))));
        taken += r.n_gpus > 1;
    }
    CHECK("many are taken", taken > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(ways_through_switches),    IN_WORLD(trees_of_switches),
        IN_WORLD(ways_across_sockets),      IN_WORLD(ways_over_nvlink),
        IN_WORLD(rates_of_links),           IN_WORLD(constants),
        IN_WORLD(replaced_constants),       IN_WORLD(hostile_machines),
        IN_WORLD(large_and_empty_machines), IN_WORLD(random_machines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
