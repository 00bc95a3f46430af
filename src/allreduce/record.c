/* What JSON says of an all-reduce. */
#include "allreduce/tell.h"

#include "nccl/select.h"

#include <math.h>

static void record_found(ks_teller *t, ks_record *nccl, const char *what,
                         const ks_nccl_found *found)
{
    ks_str prefix = ks_format(t->arena, "nccl.%s.", what);
    static const char *const parts[] = {"channels", "bandwidth"};
    if (!found->channels)
        return;
    ks_record *o = ks_record_add(t->arena, nccl, what, KS_RECORD_OBJECT);
    for (size_t i = 0; i < KS_COUNT(parts); i++)
        ks_record_node(t->arena, o, ks_from_c(parts[i]),
                       ks_find_node(t->report, ks_concat(t->arena, prefix, ks_from_c(parts[i]))));
    ks_record_text(t->arena, o, "type", ks_from_c(ks_nccl_path_word(found->type)));
}

static void record_nccl(ks_teller *t, ks_record *root)
{
    const ks_nccl_result *nccl = t->f->set->wiring->nccl;
    ks_record *o = ks_record_add(t->arena, root, "nccl", KS_RECORD_OBJECT);
    ks_record_text(t->arena, o, "version", nccl->model->version);
    record_found(t, o, "ring", &nccl->ring);
    record_found(t, o, "tree", &nccl->tree);
    record_found(t, o, "nvls", &nccl->nvls);
    ks_record_node(t->arena, o, KS_STR("channels"), ks_told_node(t, "nccl.channels"));
    ks_record_node(t->arena, o, KS_STR("communicator_bytes"),
                   ks_told_node(t, "nccl.communicator_bytes"));
    ks_record_node(t->arena, o, KS_STR("transport"), ks_told_node(t, "nccl.transport"));
    ks_record_truth(t->arena, o, "fallback", nccl->fallback);
    ks_record *paths = ks_record_add(t->arena, o, "paths", KS_RECORD_LIST);
    for (size_t i = 0; i < nccl->ranks; i++) {
        ks_record *row = ks_record_add(t->arena, paths, "", KS_RECORD_LIST);
        for (size_t k = 0; k < nccl->ranks; k++) {
            const ks_nccl_pair *pair = &nccl->paths[i * nccl->ranks + k];
            ks_record *cell = ks_record_add(t->arena, row, "", KS_RECORD_OBJECT);
            ks_record_text(t->arena, cell, "type", ks_from_c(ks_nccl_path_word(pair->type)));
            ks_record_count(t->arena, cell, "bandwidth", (int64_t)llround(pair->bandwidth));
        }
    }
}

static void record_choice(ks_teller *t, ks_record *point, const ks_timing_point *p)
{
    if (!p->nccl_as)
        return;
    ks_record *o = ks_record_add(t->arena, point, "nccl_choice", KS_RECORD_OBJECT);
    ks_str protocol, algorithm;
    algorithm = ks_cut(p->nccl_as->pick, '-', &protocol);
    ks_nccl_width width = ks_nccl_width_for(t->f->set->wiring->nccl, algorithm, protocol, p->bytes);
    ks_record_text(t->arena, o, "algorithm", algorithm);
    ks_record_text(t->arena, o, "protocol", protocol);
    ks_record_count(t->arena, o, "channels", width.channels);
    ks_record_count(t->arena, o, "threads", width.threads);
}

static void record_binding(ks_teller *t, ks_record *point, const ks_timing_point *p)
{
    ks_record *list = ks_record_add(t->arena, point, "binding", KS_RECORD_LIST);
    bool ring = !p->chosen_as || ks_is_nccl_way(p->chosen_as) ||
                ks_equal_c(p->chosen_as->name, "dma-ring");
    int node = ks_told_node(t, ring ? "flow.ring_edge" : "flow.all_to_all");
    if (node >= 0 && t->report->nodes.items[node].note.n)
        ks_record_text(t->arena, list, "", t->report->nodes.items[node].note);
}

static void record_point(ks_teller *t, ks_record *points, size_t i)
{
    const ks_timing *timing = t->f->timing;
    const ks_allreduce *a = timing->allreduce;
    const ks_timing_point *p = &timing->points[i];
    ks_record *o = ks_record_add(t->arena, points, "", KS_RECORD_OBJECT);
    ks_record_count(t->arena, o, "bytes", p->bytes);
    ks_record_text(t->arena, o, "chosen", p->chosen_as ? p->chosen_as->name : KS_STR("nccl"));
    ks_record *times = ks_record_add(t->arena, o, "times", KS_RECORD_OBJECT);
    ks_record *ranges = ks_record_add(t->arena, o, "ranges", KS_RECORD_OBJECT);
    ks_record_node(t->arena, times, KS_STR("nccl"), t->nccl[i]);
    ks_record_range(t->arena, ranges, KS_STR("nccl"), t->nccl[i]);
    for (size_t k = 0; k < a->algorithms.n; k++) {
        const ks_algorithm *one = &a->algorithms.items[k];
        int node = t->times[i * a->algorithms.n + k];
        if (node < 0 || (t->f->only && t->f->only != one))
            continue;
        ks_record_node(t->arena, times, one->name, node);
        ks_record_range(t->arena, ranges, one->name, node);
    }
    ks_record_add(t->arena, o, "low", KS_RECORD_LOW)->count = t->chosen[i];
    ks_record_add(t->arena, o, "high", KS_RECORD_HIGH)->count = t->chosen[i];
    if (t->estimates[i] >= 0)
        ks_record_node(t->arena, o, KS_STR("nccl_own_estimate"), t->estimates[i]);
    record_choice(t, o, p);
    record_binding(t, o, p);
}

static void record_refusals(ks_teller *t, ks_record *root)
{
    const ks_allreduce *a = t->f->timing->allreduce;
    ks_record *list = ks_record_add(t->arena, root, "ineligible", KS_RECORD_LIST);
    for (size_t k = 0; k < a->algorithms.n; k++) {
        int refusal = ks_told_refusal(t, k, true);
        if (refusal < 0)
            refusal = ks_told_refusal(t, k, false);
        if (refusal < 0)
            continue;
        ks_record *o = ks_record_add(t->arena, list, "", KS_RECORD_OBJECT);
        ks_record_text(t->arena, o, "algorithm", a->algorithms.items[k].name);
        ks_record_text(t->arena, o, "why", ks_fill(t->report, &a->refusals.items[refusal].why, 0));
    }
}

static void record_notices(ks_teller *t, ks_record *root)
{
    const ks_allreduce *a = t->f->timing->allreduce;
    ks_record *list = ks_record_add(t->arena, root, "warnings", KS_RECORD_LIST);
    for (size_t i = 0; i < a->remarks.n; i++)
        if (ks_notice_holds(t, &a->remarks.items[i]))
            ks_record_text(t->arena, list, "", ks_fill(t->report, &a->remarks.items[i].parsed, 0));
    list = ks_record_add(t->arena, root, "remedies", KS_RECORD_LIST);
    for (size_t i = 0; i < t->f->n_remedied; i++) {
        const ks_remedied *r = &t->f->remedied[i];
        ks_record *o = ks_record_add(t->arena, list, "", KS_RECORD_OBJECT);
        ks_record_text(t->arena, o, "id", r->remedy->id);
        ks_record_text(t->arena, o, "set", r->set);
        ks_record_text(t->arena, o, "text", ks_fill(t->report, &r->remedy->parsed, 0));
        int gain = ks_find_node(t->report,
                                ks_format(t->arena, "remedy.%.*s.gain", KS_ARG(r->remedy->id)));
        if (gain >= 0)
            ks_record_node(t->arena, o, KS_STR("gain"), gain);
    }
}

void ks_record_allreduce(ks_teller *t)
{
    ks_record *root = ks_record_new(t->arena, KS_RECORD_OBJECT);
    ks_record_text(t->arena, root, "machine", t->f->set->machine);
    if (t->f->set->engine.n)
        ks_record_text(t->arena, root, "engine", t->f->set->engine);
    ks_record_node(t->arena, root, KS_STR("ranks"), ks_told_node(t, "ranks"));
    if (t->f->set->wiring->nccl->fallback)
        ks_record_text(t->arena, root, "regime", KS_STR("nccl-fallback"));
    else
        ks_record_node(t->arena, root, KS_STR("regime"), ks_told_node(t, "machine.regime"));
    record_nccl(t, root);
    ks_record *points = ks_record_add(t->arena, root, "points", KS_RECORD_LIST);
    for (size_t i = 0; i < t->f->timing->n; i++)
        record_point(t, points, i);
    record_refusals(t, root);
    record_notices(t, root);
    t->report->record = root;
}
