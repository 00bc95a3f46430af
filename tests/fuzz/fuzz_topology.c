/* Fuzz program for NCCL's XML: a topology is followed through NCCL's paths and search with the oldest and
 * the newest rules; graphs are those of a small machine. */
#include "nccl/select.h"
#include "nccl/trace.h"
#include "model/topology_xml.h"
#include "reader.h"

#include <math.h>
#include <stdio.h>

enum { MEMORY = 256 << 20, MOST_GPUS = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_topology(const ks_topology *t)
{
    must(t->gpus.n > 0 && t->gpus.n <= KS_MAX_TOPOLOGY_GPUS);
    for (size_t i = 0; i < t->devices.n; i++) {
        must(t->devices.items[i].parent < (int)i);
        must(t->devices.items[i].numa >= 0 && (size_t)t->devices.items[i].numa < t->numas.n);
    }
    for (size_t i = 0; i < t->gpus.n; i++)
        must(t->devices.items[t->gpus.items[i]].gpu == (int64_t)i);
}

static void check_found(const ks_nccl_found *f, size_t ranks)
{
    must(f->channels >= 1 && f->bandwidth > 0 && isfinite(f->bandwidth));
    for (size_t c = 0; c < (size_t)f->channels; c++) {
        uint64_t seen = 0;
        for (size_t i = 0; i < ranks; i++)
            seen |= (uint64_t)1 << f->order[c * ranks + i];
        must(seen == (ranks == 64 ? UINT64_MAX : ((uint64_t)1 << ranks) - 1));
    }
}

/* graphs: what NCCL_GRAPH_FILE holds, or NULL. */
static void select_with(ks_diags *diags, const ks_topology *t, const char *version,
                        const ks_source *graphs)
{
    const ks_nccl_setting file = {.name = KS_STR("NCCL_GRAPH_FILE"),
                                  .value = KS_STR("graphs.xml"),
                                  .file = graphs};
    static const char *folders[] = {"models"};
    ks_catalog catalog = {.diags = diags, .folders = folders, .n_folders = 1};
    const ks_nccl_model *model = ks_nccl_load(&catalog, ks_from_c(version), (ks_span){0});
    ks_nccl_ask ask = {.ranks = t->gpus.n < MOST_GPUS ? (int64_t)t->gpus.n : MOST_GPUS,
                       .env = &file,
                       .n_env = graphs ? 1 : 0};
    if (!model)
        return; /* run from elsewhere */
    const ks_nccl_result *r = ks_nccl_select(diags, model, t, &ask);
    must((r != NULL) == (diags->errors == 0));
    if (!r)
        return;
    check_found(&r->ring, r->ranks);
    check_found(&r->tree, r->ranks);
    must(r->channels >= 1 && r->n_trace <= KS_NCCL_MOST_TRACE);
}

static const char machine[] =
    "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"191\" "
    "modelid=\"2\">"
    "<pci busid=\"0000:01:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">"
    "<gpu dev=\"0\" sm=\"120\" rank=\"0\" gdr=\"1\"/></pci>"
    "<pci busid=\"0000:02:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">"
    "<gpu dev=\"1\" sm=\"120\" rank=\"1\" gdr=\"1\"/></pci>"
    "<pci busid=\"0000:03:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">"
    "<gpu dev=\"2\" sm=\"120\" rank=\"2\" gdr=\"1\"/></pci></cpu></system>";

static void read_graphs(ks_diags *diags, const ks_source *source)
{
    const ks_topology *t = ks_topology_from_xml(
        diags, ks_source_new(diags->arena, KS_STR("machine"), ks_from_c(machine)));
    must(t != NULL);
    select_with(diags, t, "2.30.7", source);
}

static void read(ks_diags *diags, const ks_source *source)
{
    if (ks_has_part(source->text, KS_STR("<graphs"))) {
        read_graphs(diags, source);
        return;
    }
    const ks_topology *t = ks_topology_from_xml(diags, source);
    must((t != NULL) == (diags->errors == 0));
    if (t) {
        check_topology(t);
        select_with(diags, t, "2.22.3", NULL);
        *diags = (ks_diags){.arena = diags->arena};
        select_with(diags, t, "2.30.7", NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_text(data, size, MEMORY, read);
}
