#include "model/bare_machine.h"

#include "model/merge.h"
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

/* Every GPU has NVLinks to the switches, or every pair has some. */
static bool has_full_nvlink(const ks_topology *topology)
{
    size_t n = topology->gpus.n, switched = 0, pairs = 0;
    for (size_t i = 0; i < topology->nvlinks.n; i++) {
        switched += topology->nvlinks.items[i].peer < 0;
        pairs += topology->nvlinks.items[i].peer >= 0;
    }
    return n > 1 && (switched >= n || pairs >= n * (n - 1) / 2);
}

/* `nvlink: {kind: switch}`, which stands for any full mesh. */
static const ks_doc *switches(ks_arena *arena, const ks_topology *topology)
{
    ks_doc *map = KS_NEW(arena, ks_doc), *kind = KS_NEW(arena, ks_doc);
    *map = (ks_doc){.kind = KS_MAP, .span = topology->at};
    *kind = (ks_doc){.kind = KS_SCALAR, .span = topology->at, .text = KS_STR("switch")};
    *KS_PUSH(arena, map) = (ks_member){KS_STR("kind"), topology->at, kind};
    return map;
}

bool ks_bare_machine(const ks_catalog *catalog, const ks_topology *topology, const ks_doc *name,
                     ks_machine *machine)
{
    ks_arena *arena = catalog->diags->arena;
    const ks_doc *common = ks_catalog_load(catalog, "gpu", KS_STR("common"), name->span);
    if (!common || !ks_member_of(common, "facts"))
        return false;
    double capability = 0;
    for (size_t i = 0; i < topology->gpus.n; i++) {
        double own = topology->devices.items[topology->gpus.items[i]].capability;
        capability = i == 0 || own < capability ? own : capability;
    }
    ks_doc *facts = KS_NEW(arena, ks_doc), *own = KS_NEW(arena, ks_doc);
    *facts = *own = (ks_doc){.kind = KS_MAP, .span = topology->at};
    /* Nobody asks for the memory here; formulas of common facts need a number. */
    add_fact(arena, facts, "memory", KS_STR("0 B"), topology->at);
    add_fact(arena, facts, "capability", ks_format(arena, "%.1f", capability), topology->at);
    *KS_PUSH(arena, own) = (ks_member){KS_STR("facts"), topology->at, facts};
    *machine = (ks_machine){.name = name->text,
                            .gpu_name = KS_STR("GPU"),
                            .at = name->span,
                            .count = (int64_t)topology->gpus.n,
                            .gpu = ks_merge(catalog->diags, common, own),
                            .nvlink = has_full_nvlink(topology) ? switches(arena, topology) : NULL,
                            .from_file = true};
    return true;
}
