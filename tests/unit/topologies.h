/* For unit tests: a topology as one line. */
#ifndef KS_TESTS_TOPOLOGIES_H
#define KS_TESTS_TOPOLOGIES_H

#include "support.h"

#include "model/topology.h"

/* "s0<0 5x16": a device, what it hangs on, its link. */
static inline void add_device(ks_builder *b, const ks_topology *t, const ks_device *d)
{
    ks_addf(b, " %.*s<", KS_ARG(d->name));
    if (d->parent >= 0)
        ks_add(b, t->devices.items[d->parent].name);
    else
        ks_addf(b, "%lld", (long long)t->numas.items[d->numa].id);
    ks_addf(b, " %lldx%lld", (long long)ks_generation(d->lane_rate), (long long)d->width);
    if (d->capability > 0)
        ks_addf(b, "/%.1f", d->capability);
    if (d->bus_id.n)
        ks_addf(b, "@%.*s", KS_ARG(d->bus_id));
    if (d->vendor_id >= 0)
        ks_addf(b, "(%llx:%llx)", (unsigned long long)d->vendor_id,
                (unsigned long long)d->device_id);
    if (d->up > 0 || d->down > 0 || d->latency > 0)
        ks_addf(b, "=%.4g,%.4g,%.3g", d->up, d->down, d->latency);
    if (d->nic_rate > 0)
        ks_addf(b, "=%.4g", d->nic_rate);
    ks_add(b, d->acs == KS_YES ? KS_STR("+acs") : d->acs == KS_NO ? KS_STR("-acs") : KS_STR(""));
    ks_add(b, d->collapse == KS_YES ? KS_STR("+collapse") : KS_STR(""));
}

/* A topology as one line. */
static inline ks_str shown(world *w, const ks_topology *t)
{
    static const char *const words[] = {"?", "no", "yes"};
    ks_builder b = {.arena = w->arena};
    if (!t)
        return summary(w);
    for (size_t i = 0; i < t->numas.n; i++) {
        const ks_numa *n = &t->numas.items[i];
        ks_addf(&b, "%s%lld:p%lld", i ? " " : "", (long long)n->id, (long long)n->package);
        if (n->cpu.n)
            ks_addf(&b, ":%.*s:%d/%lld/%lld", KS_ARG(n->cpu), (int)n->vendor, (long long)n->family,
                    (long long)n->model);
    }
    ks_add(&b, KS_STR(" |"));
    for (size_t i = 0; i < t->devices.n; i++)
        add_device(&b, t, &t->devices.items[i]);
    for (size_t i = 0; i < t->nvlinks.n; i++)
        ks_addf(&b, "%s%lld-%lld:%lld", i ? " " : " | ", (long long)t->nvlinks.items[i].gpu,
                (long long)t->nvlinks.items[i].peer, (long long)t->nvlinks.items[i].links);
    ks_addf(&b, " | p2p %s, iommu %d, regime %d%s, %zu unknown", words[t->p2p], (int)t->iommu,
            (int)t->regime, t->guessed ? ", guessed" : "", t->unknown.n);
    return ks_built(&b);
}

#endif
