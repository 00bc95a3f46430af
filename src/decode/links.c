#include "decode/links.h"

#include "allreduce/wiring.h"
#include "model/allreduce.h"
#include "model/calibration.h"
#include "model/topology_machine.h"

/* The ranks that share a layer: the first of the flags whose product are all ranks; the others are
 * pipeline stages. */
static int64_t sharing_ranks(const ks_model *model)
{
    const ks_doc *factors = ks_member_of(model->engine.doc, "ranks");
    const ks_flag *flag = factors && factors->n
                              ? ks_find_flag(&model->engine, factors->items[0].value->text)
                              : NULL;
    const ks_def *d = flag && flag->def >= 0 ? &model->program->defs.items[flag->def] : NULL;
    return d && d->kind == KS_GIVEN && d->n_values ? d->values[0].i : 1;
}

/* True if there are rules for this engine. */
static bool has_rules(const ks_catalog *catalog, ks_str engine)
{
    size_t n;
    const ks_str *names = ks_catalog_names(catalog, "allreduce", &n);
    ks_str begin = ks_format(catalog->diags->arena, "%.*s-", KS_ARG(engine));
    for (size_t i = 0; i < n; i++)
        if (ks_starts_with(names[i], begin))
            return true;
    return false;
}

static const ks_wiring *wire(const ks_catalog *catalog, const ks_model *model,
                             const ks_machine *machine, int64_t ranks)
{
    ks_machine own;
    if (!ks_has_link_model(model->diags, machine) ||
        !ks_calibrated_for(catalog, machine, ranks, &own))
        return NULL;
    const ks_topology *topology = ks_topology_of_machine(catalog, &own);
    return topology ? ks_wire_machine(catalog, topology,
                                      ks_ask_of_machine(model->arena, &own, model, ranks))
                    : NULL;
}

bool ks_decode_machine_links(ks_decode *decode, const ks_catalog *catalog, ks_model *model,
                             const ks_machine *machine, ks_str prefix)
{
    int64_t ranks = sharing_ranks(model);
    if (ranks < 2)
        return ks_decode_no_links(decode, catalog, model, machine, prefix);
    if (!decode->wiring && !(decode->wiring = wire(catalog, model, machine, ranks)))
        return false;
    ks_allreduce *allreduce = KS_NEW(model->arena, ks_allreduce);
    bool rules = has_rules(catalog, model->engine.name);
    *KS_PUSH(model->arena, &decode->allreduces) = allreduce;
    return ks_read_allreduce(catalog, rules ? model->engine.name : (ks_str){NULL, 0},
                             model->engine.version, decode->wiring->ask.calibration,
                             model->engine.at, allreduce) &&
           ks_define_wiring(catalog, model->program, decode->wiring, prefix) &&
           ks_define_allreduce(model->program, allreduce, prefix);
}
