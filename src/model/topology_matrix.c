#include "model/topology_matrix.h"

#include "read/matrix.h"

/* More NVLinks than any GPU has; more links to peers than this go through switches. */
enum { MOST_NVLINKS = 18 };

/* Devices that hang together: each knows a representative, the first of its group. */
typedef struct groups {
    size_t *of;
    size_t n;
} groups;

typedef struct reader {
    ks_diags *diags;
    ks_arena *arena;
    const ks_matrix *m;
    ks_topology *topology;
    groups switches;          /* below one switch */
    groups roots;             /* below one root port */
    groups nodes;             /* of one NUMA node */
    int *node_of;             /* a node group's index in numas */
    int *root_of, *switch_of; /* a group's switch, or -1 */
} reader;

static const ks_matrix_cell *cell_of(const reader *r, size_t i, size_t k)
{
    return &r->m->cells[i * r->m->n + k];
}

/* ---- Groups. ------------------------------------------------------------------------------------------ */

static groups new_groups(const reader *r)
{
    groups g = {KS_NEW_ARRAY(r->arena, size_t, r->m->n), r->m->n};
    for (size_t i = 0; i < g.n; i++)
        g.of[i] = i;
    return g;
}

static void join(groups *g, size_t a, size_t b)
{
    size_t low = g->of[a] < g->of[b] ? g->of[a] : g->of[b];
    size_t high = g->of[a] < g->of[b] ? g->of[b] : g->of[a];
    for (size_t i = 0; i < g->n && low < high; i++)
        if (g->of[i] == high)
            g->of[i] = low;
}

static void join_by_words(const reader *r, groups *g, enum ks_nearness near, enum ks_nearness far)
{
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < i; k++)
            if (cell_of(r, i, k)->nearness >= near && cell_of(r, i, k)->nearness <= far)
                join(g, i, k);
}

/* Pairs of one group must not be farther apart than `far`. */
static bool check_groups(const reader *r, const groups *g, enum ks_nearness far, const char *what)
{
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < i; k++) {
            if (g->of[i] != g->of[k] || cell_of(r, i, k)->nearness <= far)
                continue;
            ks_error(r->diags, KS_T005, cell_of(r, i, k)->at,
                     "%.*s and %.*s share %s with a third device, but not with each other",
                     KS_ARG(r->m->devices[i].name), KS_ARG(r->m->devices[k].name), what);
            return false;
        }
    return true;
}

/* Joins the groups of two devices, unless that would put a pair into one node that words part (SYS). */
static void join_unless_far(const reader *r, groups *g, size_t a, size_t b)
{
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->n; k++)
            if (g->of[i] == g->of[a] && g->of[k] == g->of[b] &&
                cell_of(r, i, k)->nearness == KS_NEAR_SYS)
                return;
    join(g, a, b);
}

/* NUMA nodes: by words first, then by their numbers, then by equal CPUs where NVLinks hide the words. */
static void find_nodes(reader *r)
{
    bool hidden = false;
    size_t n = r->m->n;
    r->nodes = new_groups(r);
    for (int round = 0; round < 4; round++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < i; k++) {
                const ks_matrix_device *a = &r->m->devices[i], *b = &r->m->devices[k];
                enum ks_nearness near = cell_of(r, i, k)->nearness;
                bool numbers = a->numa >= 0 && b->numa >= 0, cpus = a->cpus.n && b->cpus.n;
                bool words = near >= KS_NEAR_PIX && near <= KS_NEAR_NODE;
                bool open = near == KS_NEAR_NVLINK && !numbers;
                const bool same[] = {words, numbers && a->numa == b->numa,
                                     open && cpus && ks_equal(a->cpus, b->cpus), open && !cpus};
                if (!same[round] || r->nodes.of[i] == r->nodes.of[k])
                    continue;
                if (round == 1) /* NCCL reads these numbers, not the words */
                    join(&r->nodes, i, k);
                else
                    join_unless_far(r, &r->nodes, i, k);
                hidden |= round == 3;
            }
    if (hidden)
        ks_add_unknown(
            r->arena, r->topology,
            "which GPUs with NVLink are on which NUMA node: the same is taken where nothing says "
            "otherwise");
}

/* Devices whose words and numbers do not agree on what is one node. */
static void say_odd_nodes(const reader *r)
{
    for (size_t i = 0; i < r->m->n; i++)
        for (size_t k = 0; k < i; k++) {
            if (cell_of(r, i, k)->nearness != KS_NEAR_SYS || r->nodes.of[i] != r->nodes.of[k])
                continue;
            ks_add_unknown(r->arena, r->topology,
                           "whether %.*s and %.*s are of one NUMA node: their numbers say so, the "
                           "matrix says SYS. NCCL reads the numbers, and so does kvsim",
                           KS_ARG(r->m->devices[k].name), KS_ARG(r->m->devices[i].name));
            i = r->m->n - 1;
            break;
        }
    for (size_t i = 0; i < r->m->n; i++)
        for (size_t k = 0; k < i; k++) {
            const ks_matrix_device *a = &r->m->devices[i], *b = &r->m->devices[k];
            if (a->numa < 0 || b->numa < 0 || a->numa == b->numa ||
                r->nodes.of[i] != r->nodes.of[k])
                continue;
            ks_add_unknown(
                r->arena, r->topology,
                "the NUMA node of %.*s and %.*s: their numbers differ, but they are joined "
                "within one",
                KS_ARG(a->name), KS_ARG(b->name));
            return;
        }
}

/* ---- The tree. ---------------------------------------------------------------------------------------- */

static size_t count_group(const groups *g, size_t of, const ks_matrix *m, bool gpus_only)
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        n += g->of[i] == of && (!gpus_only || m->devices[i].is_gpu);
    return n;
}

/* Groups that are told a number first, so that the others get numbers that are left. */
static void add_nodes(reader *r)
{
    r->node_of = KS_NEW_ARRAY(r->arena, int, r->m->n + 1);
    for (int told = 1; told >= 0; told--)
        for (size_t of = 0; of < r->m->n; of++) {
            int64_t id = -1, next = 0;
            if (r->nodes.of[of] != of || !count_group(&r->nodes, of, r->m, true))
                continue;
            for (size_t i = r->m->n; i-- > 0;)
                if (r->nodes.of[i] == of && r->m->devices[i].numa >= 0)
                    id = r->m->devices[i].numa;
            if ((id >= 0) != told)
                continue;
            while (id < 0 && ks_find_numa(r->topology, next) >= 0)
                next++;
            ks_add_numa(r->arena, r->topology, id >= 0 ? id : next, r->m->devices[of].at);
            r->node_of[of] = (int)r->topology->numas.n - 1;
        }
}

static int numa_of(const reader *r, size_t device)
{
    return r->node_of[r->nodes.of[device]];
}

/* A switch for a group; named in the order of making. */
static int add_switch(const reader *r, int parent, size_t device)
{
    ks_str name = ks_format(r->arena, "s%zu", r->topology->devices.n);
    int made = ks_add_device(r->arena, r->topology, KS_DEVICE_SWITCH, name, parent,
                             numa_of(r, device));
    r->topology->devices.items[made].at = r->m->devices[device].at;
    return made;
}

/* A root switch where devices of several bridges meet below one root port; a switch for each group of PIX
 * with a GPU; a bridge of its own for a GPU that is alone but meets others further up. */
static void add_switches(reader *r)
{
    const ks_matrix *m = r->m;
    r->root_of = KS_NEW_ARRAY(r->arena, int, m->n + 1);
    r->switch_of = KS_NEW_ARRAY(r->arena, int, m->n + 1);
    for (size_t i = 0; i < m->n; i++) {
        size_t root = r->roots.of[i];
        r->root_of[i] = r->switch_of[i] = -1;
        bool several = root == i && count_group(&r->roots, i, m, true) &&
                       count_group(&r->roots, i, m, false) > count_group(&r->switches, i, m, false);
        if (several)
            r->root_of[i] = add_switch(r, -1, i);
    }
    for (size_t i = 0; i < m->n; i++) {
        int root = r->root_of[r->roots.of[i]];
        bool group = r->switches.of[i] == i && count_group(&r->switches, i, m, true) &&
                     (count_group(&r->switches, i, m, false) > 1 || root >= 0);
        if (group)
            r->switch_of[i] = add_switch(r, root, i);
    }
}

/* Network cards of a node without GPUs hang on the first node: the matrix tells no more. */
static void add_devices(const reader *r)
{
    const ks_matrix *m = r->m;
    for (size_t i = 0; i < m->n; i++) {
        int parent = r->switch_of[r->switches.of[i]];
        parent = parent >= 0 ? parent : r->root_of[r->roots.of[i]];
        int numa = numa_of(r, i);
        int made = m->devices[i].is_gpu ? ks_add_gpu(r->arena, r->topology, parent, numa)
                                        : ks_add_device(r->arena, r->topology, KS_DEVICE_NIC,
                                                        m->devices[i].name, parent, numa);
        r->topology->devices.items[made].at = m->devices[i].at;
    }
}

/* ---- NVLinks. -------------------------------------------------------------------------------------------- */

/* All pairs have the same number, and more than a GPU has for so many peers: the number is that of links to
 * switches. */
static bool go_through_switches(const reader *r, int64_t *links)
{
    *links = 0;
    for (size_t i = 0; i < r->m->n; i++)
        for (size_t k = 0; k < i; k++) {
            const ks_matrix_cell *cell = cell_of(r, i, k);
            if (!r->m->devices[i].is_gpu || !r->m->devices[k].is_gpu)
                continue;
            if (cell->nearness != KS_NEAR_NVLINK || (*links && cell->links != *links))
                return false;
            *links = cell->links;
        }
    return *links * (int64_t)(r->m->n_gpus - 1) > MOST_NVLINKS || *links == MOST_NVLINKS;
}

static void add_nvlinks(const reader *r)
{
    int64_t links = 0, gpu = -1;
    bool through_switches = r->m->n_gpus > 1 && go_through_switches(r, &links);
    for (size_t i = 0; i < r->m->n; i++) {
        int64_t peer = -1;
        gpu += r->m->devices[i].is_gpu;
        if (r->m->devices[i].is_gpu && through_switches)
            ks_add_nvlink(r->arena, r->topology, gpu, -1, links, r->m->devices[i].at);
        for (size_t k = 0; k < i; k++) {
            const ks_matrix_cell *cell = cell_of(r, i, k);
            peer += r->m->devices[k].is_gpu;
            if (!through_switches && r->m->devices[i].is_gpu && r->m->devices[k].is_gpu &&
                cell->nearness == KS_NEAR_NVLINK)
                ks_add_nvlink(r->arena, r->topology, peer, gpu, cell->links, cell->at);
        }
    }
    if (r->topology->nvlinks.n)
        ks_add_unknown(r->arena, r->topology,
                       "the PCIe links between GPUs that have NVLink%s: the matrix "
                       "shows the NVLinks instead",
                       through_switches
                           ? ", and that NVSwitches join them is concluded from their number"
                           : "");
}

/* ---- All together. -------------------------------------------------------------------------------------- */

static void say_unknown(const reader *r)
{
    bool switches = false;
    for (size_t i = 0; i < r->topology->devices.n; i++)
        switches |= r->topology->devices.items[i].kind == KS_DEVICE_SWITCH;
    if (switches)
        ks_add_unknown(r->arena, r->topology,
                       "how a switch is partitioned: GPUs that share one (PIX) may have "
                       "several uplinks, and several switches may be one chip");
    ks_add_unknown(r->arena, r->topology,
                   "CUDA's order of the GPUs: taken as that of the bus, which "
                   "CUDA_DEVICE_ORDER=PCI_BUS_ID makes sure");
}

ks_topology *ks_topology_from_matrix(ks_diags *diags, const ks_source *source)
{
    const ks_matrix *m = ks_read_matrix(diags, source);
    if (!m)
        return NULL;
    if (m->n_gpus > KS_MAX_TOPOLOGY_GPUS) {
        ks_error(diags, KS_T006, m->at, "%zu GPUs: kvsim takes %d", m->n_gpus,
                 KS_MAX_TOPOLOGY_GPUS);
        return NULL;
    }
    reader r = {.diags = diags, .arena = diags->arena, .m = m};
    r.topology = KS_NEW(r.arena, ks_topology);
    r.topology->at = m->at;
    r.topology->name = source->name;
    r.switches = new_groups(&r);
    join_by_words(&r, &r.switches, KS_NEAR_PIX, KS_NEAR_PIX);
    r.roots = new_groups(&r);
    join_by_words(&r, &r.roots, KS_NEAR_PIX, KS_NEAR_PXB);
    if (!check_groups(&r, &r.switches, KS_NEAR_PIX, "a switch (PIX)") ||
        !check_groups(&r, &r.roots, KS_NEAR_PXB, "a root port (PXB)"))
        return NULL;
    find_nodes(&r);
    say_odd_nodes(&r);
    add_nodes(&r);
    add_switches(&r);
    add_devices(&r);
    add_nvlinks(&r);
    say_unknown(&r);
    if (m->peers_told && m->peers_differ)
        ks_add_unknown(r.arena, r.topology,
                       "which pairs of GPUs may reach each other: the driver lets some and refuses "
                       "others; taken as refused for all");
    if (m->peers_told)
        r.topology->p2p = m->peers_refused.source ? KS_NO : KS_YES;
    r.topology->p2p_at = m->peers_refused;
    return r.topology;
}
