#include "model/bare_machine.h"

#include "model/merge.h"
#include "model/processor.h"
#include "model/topology_xml.h"
#include "read/file.h"

bool ks_names_topology(const ks_catalog *catalog, const ks_doc *name, ks_topology **topology)
{
    if (name->kind != KS_SCALAR || !ks_ends_with(name->text, KS_STR(".xml")))
        return false;
    const ks_source *source = ks_read_file(catalog->diags, name->text, KS_MAX_FILE, name->span,
                                           true);
    *topology = source ? ks_topology_from_xml(catalog->diags, source) : NULL;
    return true;
}

static void add_fact(ks_arena *arena, ks_doc *facts, const char *key, ks_str value, ks_span at)
{
    const struct {
        const char *key;
        ks_str text;
    } rows[] = {{"value", value}, {"source", KS_STR("the topology's file")}};
    ks_doc *fact = KS_NEW(arena, ks_doc);
    *fact = (ks_doc){.kind = KS_MAP, .span = at};
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_doc *scalar = KS_NEW(arena, ks_doc);
        *scalar = (ks_doc){.kind = KS_SCALAR, .span = at, .text = rows[i].text};
        *KS_PUSH(arena, fact) = (ks_member){ks_from_c(rows[i].key), at, scalar};
    }
    *KS_PUSH(arena, facts) = (ks_member){ks_from_c(key), at, fact};
}

/* Links of unknown speed or width, as virtual machines have them: NCCL counts 8 GT/s and 16 lanes. */
static void complete_links(ks_arena *arena, ks_topology *topology)
{
    enum { GENERATION = 3, LANES = 16 };
    ks_builder names = {.arena = arena};
    for (size_t i = 0; i < topology->devices.n; i++) {
        ks_device *device = &topology->devices.items[i];
        if (device->kind == KS_DEVICE_NIC || (device->lane_rate > 0 && device->width > 0))
            continue;
        device->lane_rate = device->lane_rate > 0 ? device->lane_rate : ks_lane_rate(GENERATION);
        device->width = device->width > 0 ? device->width : LANES;
        ks_addf(&names, "%s%.*s", names.n ? ", " : "", KS_ARG(device->name));
    }
    if (names.n)
        ks_add_unknown(arena, topology,
                       "speed and lanes of the links of %.*s: taken as NCCL takes them, 8 GT/s and "
                       "16 lanes",
                       KS_ARG(ks_built(&names)));
}

/* The file of the cards, where their PCI ids name one and the same; NULL for other cards. */
static const ks_doc *find_cards(const ks_catalog *catalog, const ks_topology *topology,
                                ks_str *name)
{
    for (size_t i = 0; i < topology->gpus.n; i++) {
        ks_str own = ks_find_gpu(catalog, &topology->devices.items[topology->gpus.items[i]]);
        if (!own.n || (i > 0 && !ks_equal(own, *name)))
            return NULL;
        *name = own;
    }
    return ks_catalog_find(catalog, "gpu", *name, topology->at);
}

/* Whether the cards' driver lets them reach each other. */
static void tell_p2p(ks_arena *arena, ks_topology *topology, const ks_gpu_kind *kind)
{
    if (!kind->own)
        ks_add_unknown(arena, topology,
                       "which GPUs these are: P2P is taken to work, which the driver of GeForce "
                       "cards refuses; a machine file (`kvsim import topo`) says");
    else if (!ks_gpu_link_of(kind).p2p)
        topology->p2p = KS_NO;
}

bool ks_bare_machine(const ks_catalog *catalog, ks_topology *topology, const ks_doc *name,
                     ks_machine *machine)
{
    ks_arena *arena = catalog->diags->arena;
    ks_gpu_kind kind = {KS_STR("GPU"), NULL, NULL};
    const ks_doc *common = ks_catalog_load(catalog, "gpu", KS_STR("common"), name->span);
    if (!common || !ks_member_of(common, "facts"))
        return false;
    kind.own = find_cards(catalog, topology, &kind.name);
    if (!kind.own)
        kind.name = KS_STR("GPU");
    kind.facts = kind.own ? ks_merge(catalog->diags, common, kind.own) : common;
    tell_p2p(arena, topology, &kind);
    complete_links(arena, topology);
    double capability = 0;
    for (size_t i = 0; i < topology->gpus.n; i++) {
        double own = topology->devices.items[topology->gpus.items[i]].capability;
        capability = i == 0 || own < capability ? own : capability;
    }
    ks_doc *facts = KS_NEW(arena, ks_doc), *own = KS_NEW(arena, ks_doc);
    *facts = *own = (ks_doc){.kind = KS_MAP, .span = topology->at};
    if (!kind.own) /* nobody asks for the memory here; formulas of common facts need a number */
        add_fact(arena, facts, "memory", KS_STR("0 B"), topology->at);
    add_fact(arena, facts, "capability", ks_format(arena, "%.1f", capability), topology->at);
    *KS_PUSH(arena, own) = (ks_member){KS_STR("facts"), topology->at, facts};
    *machine = (ks_machine){.name = name->text,
                            .gpu_name = kind.name,
                            .at = name->span,
                            .count = (int64_t)topology->gpus.n,
                            .gpu = ks_merge(catalog->diags, kind.facts, own),
                            .from_file = true};
    return true;
}
