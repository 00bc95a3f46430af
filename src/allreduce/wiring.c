#include "allreduce/wiring.h"

#include "base/num.h"
#include "model/environment.h"
#include "model/topology_machine.h"
#include "read/schema.h"

static const char visible[] = KS_VISIBLE_DEVICES;

static const char *const regimes[] = {
#define X(name, word) word,
    KS_REGIMES(X)
#undef X
};

void ks_add_nccl_settings(ks_arena *arena, ks_nccl_settings *settings, const ks_doc *map)
{
    for (size_t i = 0; map && map->kind == KS_MAP && i < map->n; i++) {
        const ks_member *m = &map->items[i];
        if (ks_decides_links(m->key) && m->value->kind == KS_SCALAR)
            *KS_PUSH(arena, settings) = (ks_nccl_setting){
                .name = m->key, .value = m->value->text, .at = m->value->span};
    }
}

ks_nccl_settings ks_find_nccl_settings(ks_arena *arena, const ks_machine *machine,
                                       const ks_model *model)
{
    ks_nccl_settings settings = {NULL, 0, 0};
    ks_add_nccl_settings(arena, &settings, machine->nccl_env);
    ks_add_nccl_settings(arena, &settings, model ? model->command_env : NULL);
    ks_add_nccl_settings(arena, &settings, model ? model->env : NULL);
    return settings;
}

bool ks_expands_segments(const ks_model *model)
{
    static const char *const names[] = {"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"};
    const ks_doc *maps[] = {model ? model->command_env : NULL, model ? model->env : NULL};
    for (size_t i = 0; i < KS_COUNT(maps); i++)
        for (size_t k = 0; k < KS_COUNT(names); k++) {
            const ks_doc *value = ks_member_of(maps[i], names[k]);
            if (value && ks_has_part(value->text, KS_STR("expandable_segments:True")))
                return true;
        }
    return false;
}

bool ks_has_link_model(ks_diags *diags, const ks_machine *machine)
{
    const ks_doc *vendor = ks_member_of(ks_member_of(ks_member_of(machine->gpu, "facts"), "vendor"),
                                        "value");
    if (!vendor || ks_equal_c(vendor->text, "nvidia"))
        return true;
    ks_error(diags, KS_M008, machine->at, "all-reduces of %.*s's GPUs are not modelled",
             KS_ARG(vendor->text));
    ks_add_note(diags, (ks_span){0}, "RCCL and HCCL have searches, links and kernels of their own");
    return false;
}

ks_wiring_ask ks_ask_of_machine(ks_arena *arena, const ks_machine *machine, const ks_model *model,
                                int64_t ranks)
{
    return (ks_wiring_ask){.nccl_version = machine->nccl_version,
                           .version_at = machine->at,
                           .ranks = ranks,
                           .env = ks_find_nccl_settings(arena, machine, model),
                           .calibration = machine->calibration,
                           .expandable_segments = ks_expands_segments(model),
                           .at = machine->at};
}

/* The GPU's number, if it is one of the machine's and none of `before`. */
static bool read_visible(ks_str text, size_t n_gpus, const int64_t *before, size_t n, int64_t *gpu)
{
    double value = -1;
    bool good = text.n > 0 && text.n < 4 && ks_parse_decimal(text, &value) == text.n &&
                value >= 0 && value < (double)n_gpus;
    *gpu = good ? (int64_t)value : -1;
    for (size_t i = 0; i < n && good; i++)
        good = before[i] != *gpu;
    return good;
}

static size_t count_names(ks_str list)
{
    size_t n = 0;
    for (; list.n; n++)
        ks_cut(list, ',', &list);
    return n;
}

/* What CUDA_VISIBLE_DEVICES leaves: its GPUs come first, and no more ranks than it names. Names
 * (GPU-1a2b...) and numbers beyond the machine's tell no links: then the machine is taken as what is
 * visible. False after an error. */
static bool show_visible(ks_diags *diags, const ks_topology **topology, const ks_nccl_setting *told,
                         int64_t *ranks)
{
    size_t n = 0, n_gpus = (*topology)->gpus.n;
    int64_t *gpus = KS_NEW_ARRAY(diags->arena, int64_t, n_gpus + 1);
    for (ks_str rest = told->value; rest.n; n++) {
        ks_str one = ks_trim(ks_cut(rest, ',', &rest));
        if (n < n_gpus && read_visible(one, n_gpus, gpus, n, &gpus[n]))
            continue;
        if (count_names(told->value) != n_gpus)
            ks_warning(
                diags, KS_N004, told->at,
                "%s=%.*s does not name GPUs 0 to %zu of this machine: the first ones are taken",
                visible, KS_ARG(told->value), n_gpus - 1);
        return true;
    }
    if (n == 0)
        return true;
    if (*ranks > (int64_t)n) {
        ks_error(diags, KS_S006, told->at, "%lld ranks, and %s names %zu of the machine's GPUs",
                 (long long)*ranks, visible, n);
        return false;
    }
    *ranks = *ranks ? *ranks : (int64_t)n;
    *topology = ks_topology_with_first(diags->arena, *topology, gpus, n);
    return true;
}

/* Takes CUDA_VISIBLE_DEVICES, the last one, out of what is set for NCCL. False after an error. */
static bool choose_gpus(ks_diags *diags, const ks_topology **topology, ks_wiring_ask *ask)
{
    ks_nccl_settings others = {NULL, 0, 0};
    const ks_nccl_setting *told = NULL;
    for (size_t i = 0; i < ask->env.n; i++)
        if (ks_equal_c(ask->env.items[i].name, visible))
            told = &ask->env.items[i];
        else
            *KS_PUSH(diags->arena, &others) = ask->env.items[i];
    ask->env = others;
    return !told || show_visible(diags, topology, told, &ask->ranks);
}

ks_wiring *ks_wire_machine(const ks_catalog *catalog, const ks_topology *topology,
                           ks_wiring_ask ask)
{
    ks_arena *arena = catalog->diags->arena;
    ks_str version = ask.nccl_version.n ? ask.nccl_version : KS_STR(KS_NCCL_DEFAULT_VERSION);
    const ks_nccl_model *nccl = ks_nccl_load(catalog, version, ask.version_at);
    if (!nccl || !choose_gpus(catalog->diags, &topology, &ask))
        return NULL;
    ks_nccl_ask asked = {ask.ranks, ask.env.items, ask.env.n, ask.capability, ask.at};
    const ks_nccl_result *found = ks_nccl_select(catalog->diags, nccl, topology, &asked);
    if (!found)
        return NULL;
    ks_wiring *w = KS_NEW(arena, ks_wiring);
    *w = (ks_wiring){.topology = topology, .ask = ask, .nccl = found, .ranks = found->ranks};
    w->ring = KS_NEW_ARRAY(arena, int, w->ranks + 1);
    for (size_t i = 0; i < w->ranks; i++)
        w->ring[i] = found->ring.order ? found->ring.order[i] : (int)i;
    return w;
}

static bool define_word(ks_program *program, const char *name, const char *value, ks_span at,
                        const char *meaning)
{
    ks_cell cell = {.i = ks_word(program, ks_from_c(value))};
    return ks_define_input(program, ks_from_c(name), KS_GIVEN, (ks_type){KS_WORD, KS_NO_DIM}, cell,
                           at, ks_from_c(meaning)) >= 0;
}

static double gpu_link(const ks_topology *t, const ks_fabric *fabric, size_t gpu)
{
    const ks_device *device = &t->devices.items[t->gpus.items[gpu]];
    return ks_fabric_link(fabric, device->lane_rate, device->width);
}

static double gpu_nvlink(const ks_topology *t, const ks_fabric *fabric, size_t gpu)
{
    int64_t links = 0;
    for (size_t i = 0; i < t->nvlinks.n; i++) {
        const ks_nvlink *link = &t->nvlinks.items[i];
        if (link->gpu == (int64_t)gpu || link->peer == (int64_t)gpu)
            links += link->links;
    }
    return (double)links *
           ks_fabric_nvlink(fabric, t->devices.items[t->gpus.items[gpu]].capability);
}

/* A rate of the slowest GPU, and the range of it. */
static bool define_slowest(ks_program *program, const ks_wiring *w, const ks_fabric *fabrics,
                           double (*rate)(const ks_topology *t, const ks_fabric *fabric,
                                          size_t gpu),
                           const char *name, const char *meaning)
{
    double rates[KS_FABRIC_ENDS];
    for (size_t end = 0; end < KS_FABRIC_ENDS; end++) {
        rates[end] = 0;
        for (size_t i = 0; i < w->ranks; i++) {
            double own = rate(w->topology, &fabrics[end], i);
            rates[end] = i == 0 || own < rates[end] ? own : rates[end];
        }
    }
    ks_cell *value = KS_NEW(program->arena, ks_cell);
    value->f = rates[KS_FABRIC_TYPICAL];
    ks_def def = {.name = ks_from_c(name),
                  .kind = KS_GIVEN,
                  .type = {KS_REAL, {1, -1, 0}},
                  .values = value,
                  .n_values = 1,
                  .at = w->topology->at,
                  .has_range = rates[KS_FABRIC_SLOW] < rates[KS_FABRIC_FAST],
                  .low = {.f = rates[KS_FABRIC_SLOW]},
                  .high = {.f = rates[KS_FABRIC_FAST]},
                  .meaning = ks_from_c(meaning),
                  .source = KS_STR("models/fabric, by the links that the machine has")};
    return ks_define(program, &def) >= 0;
}

/* Every GPU has NVLinks: then PCIe, and how peer traffic behaves on it, does not matter. */
static bool has_nvlinks(const ks_wiring *w)
{
    for (size_t i = 0; i < w->ranks; i++) {
        bool found = false;
        for (size_t k = 0; k < w->topology->nvlinks.n; k++)
            found |= w->topology->nvlinks.items[k].gpu == (int64_t)i ||
                     w->topology->nvlinks.items[k].peer == (int64_t)i;
        if (!found)
            return false;
    }
    return true;
}

static bool are_nvlinked(const ks_topology *t, int64_t a, int64_t b)
{
    bool pair = false, a_switched = false, b_switched = false;
    for (size_t i = 0; i < t->nvlinks.n; i++) {
        const ks_nvlink *link = &t->nvlinks.items[i];
        pair |= (link->gpu == a && link->peer == b) || (link->gpu == b && link->peer == a);
        a_switched |= link->peer < 0 && link->gpu == a;
        b_switched |= link->peer < 0 && link->gpu == b;
    }
    return pair || (a_switched && b_switched);
}

/* machine.nvlink by the links. Engines ask for NVLink between the GPUs of the group, not of the machine:
 * two of a machine whose cards are bridged in pairs have it. One GPU alone is told of the machine's. */
static void tell_nvlink(ks_program *program, const ks_wiring *w)
{
    int def = ks_find(program, KS_STR("machine.nvlink"));
    size_t n = w->ranks < 2 ? w->topology->gpus.n : w->ranks;
    bool all = true;
    if (def < 0 || !w->topology->nvlinks.n)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            all &= are_nvlinked(w->topology, (int64_t)k, (int64_t)i);
    ks_def *d = &program->defs.items[def];
    ks_cell *value = KS_NEW(program->arena, ks_cell);
    value->i = all;
    d->kind = KS_GIVEN;
    d->type = (ks_type){KS_TRUTH, KS_NO_DIM};
    d->formula = (ks_formula){0};
    d->values = value;
    d->n_values = 1;
    d->at = w->topology->at;
    d->meaning = KS_STR("every pair of the ranks' GPUs has NVLink");
}

static bool has_vendor(const ks_wiring *w, enum ks_cpu_vendor vendor)
{
    for (size_t i = 0; i < w->topology->numas.n; i++)
        if (w->topology->numas.items[i].vendor == vendor)
            return true;
    return false;
}

static enum ks_regime regime_of(const ks_wiring *w, bool collapse)
{
    enum ks_regime told = w->topology->regime;
    if (told != KS_REGIME_UNKNOWN)
        return told;
    return collapse         ? KS_REGIME_WRITE_COLLAPSE
           : has_nvlinks(w) ? KS_REGIME_HEALTHY
                            : KS_REGIME_UNKNOWN;
}

/* Facts of the links on which algorithms and remarks depend. */
static bool define_facts(ks_program *program, const ks_wiring *w)
{
    static const char *const iommus[] = {"untold", "off", "passthrough", "translate"};
    const ks_topology *t = w->topology;
    bool acs = false, switched = false, collapse = false;
    int64_t numas = 0;
    for (size_t i = 0; i < t->devices.n; i++) {
        const ks_device *d = &t->devices.items[i];
        acs |= d->acs == KS_YES;
        collapse |= d->collapse == KS_YES;
        switched |= d->kind == KS_DEVICE_GPU && d->parent >= 0;
    }
    int64_t staged = 0;
    for (size_t i = 0; i < w->ranks; i++) {
        bool first = true;
        staged += w->nccl->edges[i].transport == KS_NCCL_BY_SHM;
        for (size_t k = 0; k < i; k++)
            first &= ks_numa_of_gpu(t, k) != ks_numa_of_gpu(t, i);
        numas += first;
    }
    return define_word(program, "machine.regime", regimes[regime_of(w, collapse)], t->at,
                       "how peer traffic really behaves, as far as it is told") &&
           define_word(program, "machine.iommu", iommus[t->iommu], t->at, "the IOMMU's mode") &&
           ks_define_truth(program, "machine.acs", acs, t->at,
                           "switches send requests between their ports up to the root") &&
           ks_define_truth(program, "machine.switched", switched, t->at,
                           "GPUs hang on PCIe switches") &&
           ks_define_truth(program, "machine.intel", has_vendor(w, KS_CPU_INTEL), t->at,
                           "the processors are Intel's") &&
           ks_define_truth(program, "machine.cpu_untold", has_vendor(w, KS_CPU_UNKNOWN), t->at,
                           "nobody told the processors") &&
           (!w->ask.expandable_segments ||
            ks_define_truth(program, "expandable_segments", true, t->at,
                            "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True")) &&
           ks_define_truth(program, "machine.guessed", t->guessed, t->at,
                           "nobody told the links: the usual ones were taken") &&
           ks_define_input(program, KS_STR("flow.staged_edges"), KS_GIVEN,
                           (ks_type){KS_WHOLE, KS_NO_DIM}, (ks_cell){.i = staged}, t->at,
                           KS_STR("edges of NCCL's ring that go through host memory")) >= 0 &&
           ks_define_input(program, KS_STR("machine.numa_nodes"), KS_GIVEN,
                           (ks_type){KS_WHOLE, KS_NO_DIM}, (ks_cell){.i = numas}, t->at,
                           KS_STR("NUMA nodes on which the ranks' GPUs hang")) >= 0;
}

static bool define_links(const ks_catalog *catalog, ks_program *program, const ks_wiring *w)
{
    ks_fabric fabrics[KS_FABRIC_ENDS];
    ks_routes *routes = KS_NEW_ARRAY(program->arena, ks_routes, KS_FABRIC_ENDS);
    const ks_doc *own = ks_member_of(w->ask.calibration, "constants");
    if (!ks_define_fabric(catalog, program, own, w->topology->at, fabrics))
        return false;
    for (size_t end = 0; end < KS_FABRIC_ENDS; end++)
        if (!ks_find_routes(catalog->diags, w->topology, &fabrics[end], &routes[end]))
            return false;
    tell_nvlink(program, w);
    return ks_define_transfers(program, routes, w->ring, w->ranks, KS_FLOW_NCCL, KS_FLOW_LOAD) &&
           define_slowest(program, w, fabrics, gpu_link, "flow.gpu_link",
                          "what the slowest GPU's own PCIe link carries in one direction") &&
           define_slowest(program, w, fabrics, gpu_nvlink, "flow.gpu_nvlink",
                          "what all NVLinks of a GPU carry in one direction") &&
           define_facts(program, w);
}

bool ks_define_wiring(const ks_catalog *catalog, ks_program *program, const ks_wiring *wiring,
                      ks_str prefix)
{
    if (ks_find(program, KS_STR("flow.gpu_link")) < 0 && !define_links(catalog, program, wiring))
        return false;
    ks_type whole = {KS_WHOLE, KS_NO_DIM};
    ks_str ranks = ks_concat(program->arena, prefix, KS_STR("ranks"));
    return ks_define_input(program, ranks, KS_GIVEN, whole, (ks_cell){.i = (int64_t)wiring->ranks},
                           wiring->ask.at, KS_STR("GPUs that take part")) >= 0 &&
           ks_define_nccl(program, wiring->nccl, prefix);
}

static int64_t ranks_of_group(const ks_model *model)
{
    int def = ks_find(model->program, KS_STR("tp_size"));
    const ks_def *d = def < 0 ? NULL : &model->program->defs.items[def];
    return d && d->n_values ? d->values[0].i : (int64_t)model->n_ranks;
}

/* The machine as far as the group's communicator goes: of a count of GPUs whose links nobody told, no more
 * than one machine holds. */
static ks_machine first_gpus(const ks_machine *machine, int64_t ranks)
{
    ks_machine first = *machine;
    bool told = machine->sockets || machine->levels.n || machine->topology;
    if (!told && first.count > ranks && first.count > KS_MAX_TOPOLOGY_GPUS)
        first.count = ranks;
    if (!told && first.count > KS_MAX_TOPOLOGY_GPUS)
        first.count = KS_MAX_TOPOLOGY_GPUS;
    return first;
}

static bool define_communicator(const ks_extra *extra, const ks_catalog *catalog, ks_model *model,
                                const ks_machine *machine)
{
    (void)extra;
    if (ks_find(model->program, KS_STR("nccl.channels")) >= 0)
        return true;
    int64_t ranks = ranks_of_group(model);
    ks_machine first = first_gpus(machine, ranks);
    const ks_topology *topology = ks_topology_of_machine(catalog, &first);
    const ks_wiring *w = topology ? ks_wire_machine(catalog, topology,
                                                    ks_ask_of_machine(
                                                        model->arena, machine, model,
                                                        ranks < first.count ? ranks : first.count))
                                  : NULL;
    if (w)
        tell_nvlink(model->program, w);
    return w && ks_define_nccl_memory(model->program, w->nccl);
}

static const char *const no_names[] = {NULL};
const ks_extra ks_communicator_set = {no_names, NULL, define_communicator, NULL, NULL};
