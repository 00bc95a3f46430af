#include "model/topology_machine.h"

#include "base/num.h"
#include "model/processor.h"
#include "model/topology_file.h"
#include "model/topology_parts.h"
#include "read/schema.h"

enum { USUAL_LANES = 16 };

typedef struct reader {
    const ks_catalog *catalog;
    ks_diags *diags;
    ks_arena *arena;
    const ks_machine *machine;
    ks_topology *topology;
} reader;

static const ks_gpu_kind *kind_of(const reader *r, size_t gpu)
{
    return r->machine->kinds ? &r->machine->kinds[gpu] : &r->machine->kind;
}

/* ---- What is not told is taken as usual. ------------------------------------------------------------ */

/* What the GPUs' own files tell of GPU devices. */
static void complete_gpus(const reader *r)
{
    bool told = true, slots = true;
    int64_t generation = 0;
    for (size_t i = 0; i < r->topology->gpus.n; i++) {
        ks_device *device = &r->topology->devices.items[r->topology->gpus.items[i]];
        ks_gpu_link link = ks_gpu_link_of(kind_of(r, i));
        if (link.capability > 0)
            device->capability = link.capability;
        slots = slots && device->width > 0 && device->lane_rate > 0;
        if (device->width == 0)
            device->width = USUAL_LANES;
        if (device->lane_rate > 0)
            continue;
        device->lane_rate = ks_lane_rate(link.generation);
        told = told && link.told;
        generation = link.generation;
    }
    if (!slots && generation && !r->topology->nvlinks.n)
        ks_add_unknown(
            r->arena, r->topology,
            "generation and lanes of the GPUs' slots: taken as PCIe %lld x%d%s; lspci -vv "
            "(LnkSta) tells, while a GPU works",
            (long long)generation, USUAL_LANES,
            told ? ", the card's own" : ", where the card's own is not known either");
}

/* The fastest link of a GPU at or below a device. */
static const ks_device *fastest_below(const ks_topology *topology, int device)
{
    const ks_device *fastest = NULL;
    for (size_t i = 0; i < topology->gpus.n; i++) {
        int at = topology->gpus.items[i];
        const ks_device *gpu = &topology->devices.items[at];
        while (at >= 0 && at != device)
            at = topology->devices.items[at].parent;
        if (at >= 0 && (!fastest || gpu->lane_rate > fastest->lane_rate))
            fastest = gpu;
    }
    return fastest;
}

/* A switch whose uplink is not told has one like its GPUs', with 16 lanes. */
static void complete_switches(const reader *r)
{
    ks_topology *topology = r->topology;
    ks_builder names = {.arena = r->arena};
    for (size_t i = 0; i < topology->devices.n; i++) {
        ks_device *device = &topology->devices.items[i];
        const ks_device *gpu = device->kind == KS_DEVICE_SWITCH ? fastest_below(topology, (int)i)
                                                                : NULL;
        bool told = device->lane_rate > 0 && device->width > 0;
        if (!gpu || told)
            continue;
        device->lane_rate = device->lane_rate > 0 ? device->lane_rate : gpu->lane_rate;
        device->width = device->width ? device->width : USUAL_LANES;
        ks_addf(&names, "%s%.*s", names.n ? ", " : "", KS_ARG(device->name));
    }
    if (names.n)
        ks_add_unknown(r->arena, topology,
                       "generation and lanes of the uplink of %.*s: taken as the "
                       "GPUs' own, 16 lanes",
                       KS_ARG(ks_built(&names)));
}

/* What switches do that only measuring tells. */
static void say_unknown_switches(const reader *r)
{
    size_t acs = 0, collapse = 0;
    for (size_t i = 0; i < r->topology->devices.n; i++) {
        const ks_device *device = &r->topology->devices.items[i];
        acs += device->kind == KS_DEVICE_SWITCH && device->acs == KS_UNTOLD;
        collapse += device->kind == KS_DEVICE_SWITCH && device->collapse == KS_UNTOLD;
    }
    if (acs)
        ks_add_unknown(r->arena, r->topology,
                       "whether ACS sends traffic between ports of a switch up to the "
                       "root: taken as off");
    if (collapse)
        ks_add_unknown(r->arena, r->topology,
                       "whether posted writes through a switch to several root ports break down");
}

static void say_unknown_sockets(const reader *r)
{
    const ks_topology *topology = r->topology;
    bool packages = true, processors = true;
    for (size_t i = 0; i < topology->numas.n; i++) {
        processors &= topology->numas.items[i].vendor != KS_CPU_UNKNOWN;
        packages &= topology->numas.items[i].package >= 0;
    }
    if (!processors)
        ks_add_unknown(r->arena, r->topology,
                       "the processor, on which NCCL's search depends (with AMD's it may fall back "
                       "to few, slow channels, and P2P may reach further): say \"cpu\" in "
                       "\"sockets\"");
    if (!packages && topology->numas.n > 1)
        ks_add_unknown(r->arena, r->topology, "which NUMA nodes are of one socket");
}

/* ---- What the machine lets its links do. -------------------------------------------------------------- */

static bool read_p2p(const reader *r)
{
    bool p2p = true;
    if (r->machine->p2p && !ks_read_bool(r->diags, r->machine->p2p, &p2p))
        return false;
    for (size_t i = 0; i < r->topology->gpus.n && !r->machine->p2p; i++)
        p2p &= ks_gpu_link_of(kind_of(r, i)).p2p;
    r->topology->p2p = p2p ? KS_YES : KS_NO;
    return true;
}

static bool read_iommu(const reader *r)
{
    static const char *const words[] = {[KS_IOMMU_UNTOLD] = "unknown",
                                        [KS_IOMMU_OFF] = "off",
                                        [KS_IOMMU_PASSTHROUGH] = "passthrough",
                                        [KS_IOMMU_TRANSLATE] = "translate"};
    const ks_doc *doc = r->machine->iommu;
    for (size_t i = 0; i < KS_COUNT(words); i++)
        if (!doc || ks_equal_c(doc->text, words[i])) {
            r->topology->iommu = (enum ks_iommu)i;
            return true;
        }
    ks_error(r->diags, KS_S005, doc->span,
             "\"iommu\" is off, passthrough, translate or unknown, not "
             "\"%.*s\"",
             KS_ARG(doc->text));
    return false;
}

static bool read_regime(const reader *r)
{
    static const char *const words[] = {
#define X(name, word) word,
        KS_REGIMES(X)
#undef X
    };
    const ks_doc *doc = r->machine->regime;
    for (size_t i = 0; i < KS_COUNT(words); i++)
        if (!doc || (ks_equal_c(doc->text, words[i]) && i != KS_REGIME_NCCL_FALLBACK)) {
            r->topology->regime = (enum ks_regime)i;
            return true;
        }
    ks_error(r->diags, KS_S005, doc->span,
             "\"regime\" is healthy, sysmem-staged, write-collapse or unknown, not \"%.*s\"",
             KS_ARG(doc->text));
    if (ks_equal_c(doc->text, "nccl-fallback"))
        ks_add_note(r->diags, (ks_span){0}, "kvsim finds out by itself where NCCL falls back");
    return false;
}

/* ---- A machine that tells its sockets. -------------------------------------------------------------------- */

static bool read_parts(const reader *r)
{
    const ks_machine *m = r->machine;
    bool through_switches;
    if (!m->gpus) {
        ks_error(r->diags, KS_S002, m->sockets->span,
                 "a machine with \"sockets\" needs the key \"gpus\"");
        ks_add_note(r->diags, (ks_span){0}, "such as {id: 0, at: 0}: where each GPU hangs");
        return false;
    }
    return ks_read_sockets(r->catalog, m->sockets, r->topology, true) &&
           (!m->switches || ks_read_switches(r->diags, m->switches, r->topology)) &&
           ks_read_gpus(r->diags, m->gpus, r->topology) &&
           (!m->nics || ks_read_nics(r->diags, m->nics, r->topology)) &&
           (!m->links || ks_read_links(r->diags, m->links, r->topology)) &&
           (!m->nvlink ||
            ks_read_nvlink(r->diags, m->nvlink, ks_usual_nvlinks(&m->kind, &through_switches),
                           r->topology));
}

/* ---- The short form. ------------------------------------------------------------------------------------------ */

/* Where the things of one level hang. */
typedef struct place {
    int parent, numa;
    int64_t package;
} place;

typedef struct places {
    place *items;
    size_t n, capacity;
} places;

/* A thing of the level below a place; false if there are too many. */
static bool add_below(const reader *r, const ks_level *level, const place *above, places *next,
                      int64_t *packages)
{
    ks_topology *topology = r->topology;
    place below = *above;
    if (topology->devices.n >= KS_MAX_DEVICES || topology->numas.n >= KS_MAX_NUMA ||
        topology->gpus.n >= KS_MAX_TOPOLOGY_GPUS) {
        ks_error(r->diags, KS_T006, level->at,
                 "a machine has at most %d GPUs, %d NUMA nodes and %d switches",
                 KS_MAX_TOPOLOGY_GPUS, KS_MAX_NUMA, KS_MAX_DEVICES - KS_MAX_TOPOLOGY_GPUS);
        return false;
    }
    if (level->kind == KS_LEVEL_SOCKET)
        below.package = (*packages)++;
    if (level->kind == KS_LEVEL_NUMA) {
        ks_numa *numa = ks_add_numa(r->arena, topology, (int64_t)topology->numas.n, level->at);
        numa->package = below.package;
        below.numa = (int)topology->numas.n - 1;
    }
    if (level->kind == KS_LEVEL_SWITCH) {
        ks_str name = ks_format(r->arena, "s%zu", topology->devices.n);
        below.parent = ks_add_device(r->arena, topology, KS_DEVICE_SWITCH, name, below.parent,
                                     below.numa);
        topology->devices.items[below.parent].at = level->at;
    }
    if (level->kind == KS_LEVEL_GPU)
        ks_add_gpu(r->arena, topology, below.parent, below.numa);
    *KS_PUSH(r->arena, next) = below;
    return true;
}

/* Things of a level below each of the places. */
static bool add_level(const reader *r, const ks_level *level, places *here, int64_t *packages)
{
    places next = {NULL, 0, 0};
    for (size_t i = 0; i < here->n; i++)
        for (int64_t k = 0; k < level->n; k++)
            if (!add_below(r, level, &here->items[i], &next, packages))
                return false;
    *here = next;
    return true;
}

/* A level that is not written is one thing: one socket, one NUMA node in each. */
static bool read_levels(const reader *r)
{
    const ks_machine *m = r->machine;
    int64_t packages = 0;
    places here = {NULL, 0, 0};
    size_t next = 0;
    *KS_PUSH(r->arena, &here) = (place){.parent = -1, .numa = -1, .package = -1};
    for (enum ks_level_kind kind = KS_LEVEL_SOCKET; kind <= KS_LEVEL_NUMA; kind++) {
        ks_level implied = {kind, 1, m->at};
        bool written = m->levels.items[next].kind == kind;
        if (!add_level(r, written ? &m->levels.items[next] : &implied, &here, &packages))
            return false;
        next += written;
    }
    for (; next < m->levels.n; next++)
        if (!add_level(r, &m->levels.items[next], &here, &packages))
            return false;
    for (size_t i = 0; m->levels.cpu.n && i < r->topology->numas.n; i++)
        if (!ks_set_cpu(r->catalog, &r->topology->numas.items[i], m->levels.cpu, m->at))
            return false;
    return true;
}

/* ---- A count of GPUs alone. ------------------------------------------------------------------------------------- */

/* NVLinks as the usual board has them: through switches, else an equal number to each other GPU. */
static bool add_usual_nvlinks(const reader *r)
{
    bool through_switches;
    size_t n = r->topology->gpus.n;
    int64_t links = ks_usual_nvlinks(&r->machine->kind, &through_switches);
    int64_t each = n > 1 ? links / (int64_t)(n - 1) : 0;
    for (size_t i = 0; i < n && n > 1 && through_switches; i++)
        ks_add_nvlink(r->arena, r->topology, (int64_t)i, -1, links, r->machine->at);
    for (size_t i = 0; i < n && each && !through_switches; i++)
        for (size_t k = i + 1; k < n; k++)
            ks_add_nvlink(r->arena, r->topology, (int64_t)i, (int64_t)k, each, r->machine->at);
    return r->topology->nvlinks.n > 0;
}

static bool guess(const reader *r)
{
    ks_topology *topology = r->topology;
    int64_t count = r->machine->count;
    if (count > KS_MAX_TOPOLOGY_GPUS) {
        ks_error(r->diags, KS_T006, r->machine->at,
                 "the links of %lld GPUs in one machine: kvsim takes %d", (long long)count,
                 KS_MAX_TOPOLOGY_GPUS);
        return false;
    }
    ks_add_numa(r->arena, topology, 0, r->machine->at)->package = 0;
    for (int64_t i = 0; i < count; i++)
        ks_add_gpu(r->arena, topology, -1, 0);
    topology->guessed = true;
    if (r->machine->nvlink) {
        bool through_switches;
        ks_add_unknown(r->arena, topology,
                       "sockets and PCIe switches: each GPU taken as on a root port of "
                       "one socket");
        return ks_read_nvlink(r->diags, r->machine->nvlink,
                              ks_usual_nvlinks(&r->machine->kind, &through_switches), topology);
    }
    bool nvlinks = add_usual_nvlinks(r);
    ks_add_unknown(r->arena, topology,
                   "sockets, PCIe switches and NVLinks: %s, each GPU taken as on a root "
                   "port of one socket",
                   nvlinks ? "NVLinks taken as on the usual board" : "no NVLink");
    return true;
}

/* ---- A file that tells the links. -------------------------------------------------------------------------------- */

/* What `topology:` names must tell as many GPUs as the machine has, and the machine nothing else of where they
 * hang; `sockets` may say what processors its NUMA nodes are. */
static bool check_file(const reader *r)
{
    const ks_machine *m = r->machine;
    const ks_doc *others[] = {m->switches, m->nics, m->links, m->nvlink};
    for (size_t i = 0; i < KS_COUNT(others); i++) {
        if (!others[i])
            continue;
        ks_error(r->diags, KS_T005, others[i]->span, "\"topology\" tells this already");
        ks_add_note(r->diags, m->topology->span,
                    "this file; `kvsim import topo` makes a machine of it that "
                    "can be changed");
        return false;
    }
    if ((int64_t)r->topology->gpus.n == m->count)
        return true;
    ks_error(r->diags, KS_T005, m->topology->span,
             "this file tells of %zu GPUs, the machine has %lld", r->topology->gpus.n,
             (long long)m->count);
    ks_add_note(r->diags, (ks_span){0}, "say \"count: %zu\"", r->topology->gpus.n);
    return false;
}

static bool read_file(reader *r)
{
    const ks_doc *named = r->machine->topology;
    ks_topology *told = ks_topology_from_file(r->diags, ks_path_beside(r->arena, named),
                                              named->span);
    if (!told)
        return false;
    told->name = r->topology->name;
    r->topology = told;
    return check_file(r) &&
           (!r->machine->sockets || ks_read_sockets(r->catalog, r->machine->sockets, told, false));
}

static bool has_places(const ks_machine *machine)
{
    for (size_t i = 0; machine->gpus && i < machine->gpus->n; i++)
        if (ks_member_of(machine->gpus->items[i].value, "at"))
            return true;
    return machine->switches || machine->nics || machine->links;
}

static bool read_topology(reader *r)
{
    const ks_machine *m = r->machine;
    if (m->topology)
        return read_file(r);
    if (m->sockets)
        return read_parts(r);
    if (has_places(m)) {
        ks_error(r->diags, KS_S002, m->at,
                 "a machine that says where its GPUs hang needs the key "
                 "\"sockets\"");
        return false;
    }
    return m->levels.n ? read_levels(r) : guess(r);
}

const ks_topology *ks_topology_of_machine(const ks_catalog *catalog, const ks_machine *machine)
{
    if (machine->told)
        return machine->told;
    ks_arena *arena = catalog->diags->arena;
    reader r = {catalog, catalog->diags, arena, machine, KS_NEW(arena, ks_topology)};
    r.topology->name = machine->name;
    r.topology->at = machine->at;
    if (!read_topology(&r) || !read_p2p(&r) || !read_iommu(&r) || !read_regime(&r))
        return NULL;
    complete_gpus(&r);
    complete_switches(&r);
    say_unknown_sockets(&r);
    say_unknown_switches(&r);
    return r.topology;
}
