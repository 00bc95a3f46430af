/* Machines made by hand for tests of routes and transfers, with the constants of models/fabric/. */
#ifndef KS_TESTS_FABRIC_SUPPORT_H
#define KS_TESTS_FABRIC_SUPPORT_H

#include "links/transfer.h"
#include "support.h"

enum { NO_SWITCH = -1 };

static inline ks_topology new_machine(void)
{
    return (ks_topology){.name = KS_STR("test"), .p2p = KS_YES, .iommu = KS_IOMMU_OFF};
}

static inline void add_numa(world *w, ks_topology *t, int package, enum ks_cpu_vendor vendor,
                            const char *cpu)
{
    ks_numa *numa = KS_PUSH(w->arena, &t->numas);
    *numa = (ks_numa){.id = (int64_t)t->numas.n - 1,
                      .package = package,
                      .vendor = vendor,
                      .cpu = ks_from_c(cpu),
                      .family = -1,
                      .model = -1};
}

static inline ks_device *add_device(world *w, ks_topology *t, ks_str name, int parent, int numa)
{
    ks_device *d = KS_PUSH(w->arena, &t->devices);
    *d = (ks_device){.kind = KS_DEVICE_SWITCH,
                     .name = name,
                     .parent = parent,
                     .numa = numa,
                     .lane_rate = 32e9,
                     .width = 16,
                     .acs = KS_NO,
                     .gpu = -1};
    return d;
}

/* The number of the new device. */
static inline int add_switch(world *w, ks_topology *t, int parent, int numa)
{
    int switches = 0;
    for (size_t i = 0; i < t->devices.n; i++)
        switches += t->devices.items[i].kind == KS_DEVICE_SWITCH;
    add_device(w, t, ks_format(w->arena, "s%d", switches), parent, numa);
    return (int)t->devices.n - 1;
}

static inline int add_gpu(world *w, ks_topology *t, int parent, int numa)
{
    ks_device *d = add_device(w, t, ks_format(w->arena, "gpu%zu", t->gpus.n), parent, numa);
    int device = (int)t->devices.n - 1;
    d->kind = KS_DEVICE_GPU;
    d->gpu = (int64_t)t->gpus.n;
    d->capability = 12.0;
    *KS_PUSH(w->arena, &t->gpus) = device;
    return device;
}

/* `switches` of `each` GPUs below one Turin socket; 0 switches: each GPU on a root port. */
static inline ks_topology one_socket(world *w, int switches, int each)
{
    ks_topology t = new_machine();
    add_numa(w, &t, 0, KS_CPU_AMD, "turin");
    for (int s = 0; s < (switches ? switches : 1); s++) {
        int parent = switches ? add_switch(w, &t, NO_SWITCH, 0) : NO_SWITCH;
        for (int i = 0; i < each; i++)
            add_gpu(w, &t, parent, 0);
    }
    return t;
}

/* Two sockets, `each` GPUs on root ports of each. */
static inline ks_topology two_sockets(world *w, enum ks_cpu_vendor vendor, const char *cpu,
                                      int each)
{
    ks_topology t = new_machine();
    for (int s = 0; s < 2; s++)
        add_numa(w, &t, s, vendor, cpu);
    for (int i = 0; i < 2 * each; i++)
        add_gpu(w, &t, NO_SWITCH, i / each);
    return t;
}

static inline ks_catalog test_catalog(world *w)
{
    const char *top = getenv("top_srcdir");
    const char **folders = KS_NEW_ARRAY(w->arena, const char *, 1);
    folders[0] = ks_to_c(w->arena, ks_format(w->arena, "%s/models", top ? top : "."));
    return (ks_catalog){.diags = &w->diags, .folders = folders, .n_folders = 1};
}

static inline void check_silent(const world *w)
{
    if (w->diags.n == 0)
        return;
    ks_str text = written(w);
    print_error("%.*s", KS_ARG(text));
    assert_int_equal(w->diags.n, 0);
}

static inline void load_fabric(world *w, ks_fabric fabrics[KS_FABRIC_ENDS])
{
    ks_catalog catalog = test_catalog(w);
    ks_program *program = ks_program_new(&w->diags, 1);
    bool good = ks_define_fabric(&catalog, program, NULL, (ks_span){0}, fabrics);
    check_silent(w);
    assert_true(good);
}

static inline ks_routes find_routes(world *w, const ks_topology *t)
{
    ks_fabric fabrics[KS_FABRIC_ENDS];
    ks_routes routes;
    load_fabric(w, fabrics);
    bool good = ks_find_routes(&w->diags, t, &fabrics[KS_FABRIC_TYPICAL], &routes);
    check_silent(w);
    assert_true(good);
    return routes;
}

static const int in_order[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
                                 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

/* All GPUs of the machine, by copies. */
static inline ks_group all_gpus(const ks_routes *routes)
{
    return (ks_group){
        .routes = routes, .gpus = in_order, .n = routes->n_gpus, .kind = KS_FLOW_COPY};
}

#endif
