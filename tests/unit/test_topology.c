/* The links of a machine, from machine files, the short form and a count of GPUs: what is told, what is
 * taken as usual, and what is refused. With the models of the source tree. */
#include "topologies.h"

#include "model/topology_machine.h"
#include "read/yaml.h"

static const char *models;

static ks_catalog catalog_of(world *w)
{
    return (ks_catalog){.diags = &w->diags, .folders = &models, .n_folders = 1};
}

/* The topology of a machine as a scenario's `machine:` has it, or NULL. */
static const ks_topology *topology_of(world *w, const char *text)
{
    ks_catalog catalog = catalog_of(w);
    const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_from_c(text));
    const ks_doc *doc = ks_read_yaml(&w->diags, source);
    ks_machine *machine = KS_NEW(w->arena, ks_machine);
    return doc && ks_read_machine(&catalog, doc, machine)
               ? ks_topology_of_machine(&catalog, machine)
               : NULL;
}

typedef struct row {
    const char *text, *want;
} row;

static void check_rows(world *w, const row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        forget_diags(w);
        const ks_topology *t = topology_of(w, rows[i].text);
        CHECK_TEXT(rows[i].text, shown(w, t), rows[i].want);
    }
}

static void machine_files_are_read(void **state)
{
    static const row rows[] = {
        {"{gpu: rtx-pro-6000, sockets: [{id: 0, cpu: turin, package: 0}], switches: [{id: s0, at: "
         "0, gen: 5, "
         "width: 16, acs: off, collapse: off}], gpus: [{id: 0, at: s0}, {id: 1, at: 0, gen: 4, "
         "width: 8}], p2p: false, "
         "iommu: translate, regime: write-collapse}",
         "0:p0:turin:1/26/2 | s0<0 5x16-acs gpu0<s0 5x16/12.0 gpu1<0 4x8/12.0 | p2p no, iommu "
         "3, regime 3, 1 unknown"},
        /* A switch may come before the one that it hangs on; GPUs count by id. */
        {"{gpu: h100-sxm, sockets: [{id: 0, vendor: intel, cpu: sapphire-rapids}, {id: 3}], "
         "switches: [{id: b, "
         "at: a, pci: '1000:c030', acs: on, collapse: on}, {id: a, at: 3, gen: 6, width: 8}], "
         "gpus: [{id: 1, at: b, bus: '0000:17:00.0'}, {id: 0, at: a}], nics: [{id: mlx5_0, at: b, "
         "rate: 50 GB/s}], "
         "links: [{from: a, to: 3, up: 20 GB/s, down: 21.5 GB/s, latency: 0.35 us}, {from: gpu1, "
         "to: b, up: 1 GB/s}], "
         "nvlink: {pairs: [[0, 1, 4]]}, regime: healthy, iommu: off}",
         "0:p-1:sapphire-rapids:2/6/143 3:p-1 | a<3 6x8=2e+10,2.15e+10,3.5e-07 b<a 5x16(1000:c"
         "030)+acs+collapse gpu0<a 5x16/9.0 gpu1<b 5x16/9.0@0000:17:00.0=1e+09,0,0 mlx5_0<b 0x"
         "0=5e+10 | 0-1:4 | p2p yes, iommu 1, regime 1, 5 unknown"},
        {"{gpu: h200, sockets: [{id: 0}], gpus: [{id: 0, at: 0}, {id: 1, at: 0}], nvlink: {kind: "
         "switch}}",
         "0:p-1 | gpu0<0 5x16/9.0 gpu1<0 5x16/9.0 | 0--1:18 1--1:18 | p2p yes, iommu 0, regime"
         " 0, 1 unknown"},
        /* Two kinds of GPU: each has its own link and capability. */
        {"{sockets: [{id: 0}], gpus: [{id: 0, at: 0, gpu: rtx-4090}, {id: 1, at: 0, gpu: "
         "rtx-5090}]}",
         "0:p-1 | gpu0<0 4x16/8.9 gpu1<0 5x16/12.0 | p2p no, iommu 0, regime 0, 2 unknown"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

static void the_short_form_is_read(void **state)
{
    static const row rows[] = {
        {"rtx-pro-6000 socket:1 switch:2 gpu:2",
         "0:p0 | s0<0 5x16 s1<0 5x16 gpu0<s0 5x16/12.0 gpu1<s0 5x16/12.0 gpu2<s1 5x16/12.0 gpu"
         "3<s1 5x16/12.0 | p2p yes, iommu 0, regime 0, 5 unknown"},
        {"rtx-pro-6000 cpu:turin socket:2 numa:2 gpu:1",
         "0:p0:turin:1/26/2 1:p0:turin:1/26/2 2:p1:turin:1/26/2 3:p1:turin:1/26/2 | gpu0<0 5x1"
         "6/12.0 gpu1<1 5x16/12.0 gpu2<2 5x16/12.0 gpu3<3 5x16/12.0 | p2p yes, iommu 0, regime"
         " 0, 1 unknown"},
        {"rtx-4090 gpu:2",
         "0:p0 | gpu0<0 4x16/8.9 gpu1<0 4x16/8.9 | p2p no, iommu 0, regime 0, 2 unknown"},
        {"RTX PRO 6000 switch:1 switch:2 gpu:1",
         "0:p0 | s0<0 5x16 s1<s0 5x16 s2<s0 5x16 gpu0<s1 5x16/12.0 gpu1<s2 5x16/12.0 | p2p yes"
         ", iommu 0, regime 0, 5 unknown"},
        {"rtx-4090 gpu:2 socket:1", "S005 t:1:16 [socket:1] ?cpu:turin"},
        {"rtx-4090 socket:2", "S005 t:1:1 [rtx-4090 socket:2] ?cpu:turin"},
        {"rtx-4090 socket:1 socket:2 gpu:1", "S005 t:1:19 [socket:2] ?cpu:turin"},
        {"rtx-4090 numa:65 gpu:1", "T006 t:1:10 [numa:65]"},
        {"rtx-4090 switch:4 gpu:32", "T006 t:1:19 [gpu:32]"},
        {"rtx-4090 cpu:torin gpu:1", "M001 t:1:1 [rtx-4090 cpu:torin gpu:1] ?turin"},
        {"rtx-4090 switch:0 gpu:1", "S006 t:1:17 [0]"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

static void a_count_is_guessed(void **state)
{
    static const row rows[] = {
        {"2 x rtx-4090",
         "0:p0 | gpu0<0 4x16/8.9 gpu1<0 4x16/8.9 | p2p no, iommu 0, regime 0, guessed, 3 unkno"
         "wn"},
        {"2 x h200",
         "0:p0 | gpu0<0 5x16/9.0 gpu1<0 5x16/9.0 | 0--1:18 1--1:18 | p2p yes, iommu 0, regime "
         "0, guessed, 2 unknown"},
        {"1 x h200", "0:p0 | gpu0<0 5x16/9.0 | p2p yes, iommu 0, regime 0, guessed, 3 unknown"},
        {"3 x v100-32gb",
         "0:p0 | gpu0<0 3x16/7.0 gpu1<0 3x16/7.0 gpu2<0 3x16/7.0 | 0-1:3 0-2:3 1-2:3 | p2p yes"
         ", iommu 0, regime 0, guessed, 2 unknown"},
        {"{gpu: h200, count: 2, nvlink: {pairs: [[0, 1, 6]]}}",
         "0:p0 | gpu0<0 5x16/9.0 gpu1<0 5x16/9.0 | 0-1:6 | p2p yes, iommu 0, regime 0, guessed"
         ", 2 unknown"},
        {"{gpu: {memory: 24 GiB}, count: 1}",
         "0:p0 | gpu0<0 4x16/9.0 | p2p yes, iommu 0, regime 0, guessed, 3 unknown"},
        {"65 x h200", "T006 t:1:1 [65 x h200]"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

static void what_does_not_fit_is_refused(void **state)
{
#define ONE "gpu: h200, sockets: [{id: 0}], "
    static const row rows[] = {
        {"{" ONE "gpus: [{id: 0, at: 1}]}", "T001 t:1:52 [1] ?at"},
        {"{" ONE "switches: [{id: s0, at: 0}], gpus: [{id: 0, at: s1}]}",
         "T001 t:1:81 [s1] ?s0 ?at"},
        {"{" ONE "switches: [{id: s0, at: s1}, {id: s1, at: s0}], gpus: [{id: 0, at: s0}]}",
         "T002 t:1:57 [s1] ?at"},
        {"{" ONE "switches: [{id: s0, at: s0}], gpus: [{id: 0, at: 0}]}", "T002 t:1:57 [s0] ?at"},
        {"{" ONE "switches: [{id: s0, at: 0}, {id: s0, at: 0}], gpus: [{id: 0, at: 0}]}",
         "T003 t:1:66 [s0] <- t:1:49 [s0]"},
        {"{" ONE "switches: [{id: '7', at: 0}], gpus: [{id: 0, at: 0}]}", "S006 t:1:50 [7]"},
        {"{" ONE "switches: [{id: gpu7, at: 0}], gpus: [{id: 0, at: 0}]}", "S006 t:1:49 [gpu7]"},
        {"{" ONE "switches: [{id: s0, at: 0, width: 0}], gpus: [{id: 0, at: s0}]}",
         "S006 t:1:67 [0]"},
        {"{" ONE "switches: [{id: s0, at: 0, width: 5}], gpus: [{id: 0, at: s0}]}",
         "S006 t:1:67 [5]"},
        {"{" ONE "switches: [{id: s0, at: 0, gen: 7}], gpus: [{id: 0, at: s0}]}",
         "S006 t:1:65 [7]"},
        {"{" ONE "switches: [{id: s0, at: 0, acs: maybe}], gpus: [{id: 0, at: s0}]}",
         "S005 t:1:65 [maybe]"},
        {"{" ONE "switches: [{id: s0, at: 0, pci: 10de}], gpus: [{id: 0, at: s0}]}",
         "S004 t:1:65 [10de]"},
        {"{" ONE "switches: [{id: s0, at: 0, bus: 'x'}], gpus: [{id: 0, at: s0}]}",
         "S004 t:1:66 [x]"},
        {"{" ONE "gpus: [{id: 0, at: 0}, {id: 0, at: 0}]}", "T003 t:1:61 [0] <- t:1:45 [0]"},
        {"{" ONE "gpus: [{id: 0, at: 0}, {id: 2, at: 0}]}", "S006 t:1:61 [2]"},
        {"{gpu: h200, sockets: [{id: 0}, {id: 0}], gpus: [{id: 0, at: 0}]}",
         "T003 t:1:37 [0] <- t:1:28 [0]"},
        {"{gpu: h200, sockets: [{id: 0, vendor: intel, cpu: turin}], gpus: [{id: 0, at: 0}]}",
         "T005 t:1:51 [turin]"},
        {"{gpu: h200, sockets: [{id: 0, vendor: via}], gpus: [{id: 0, at: 0}]}",
         "S005 t:1:39 [via]"},
        {"{gpu: h200, sockets: [{id: 0, cpu: turing}], gpus: [{id: 0, at: 0}]}",
         "M001 t:1:36 [turing] ?turin"},
        {"{gpu: h200, sockets: [], gpus: [{id: 0, at: 0}]}", "S002 t:1:22 [[]"},
        {"{gpu: h200, sockets: [{id: 0}]}", "S002 t:1:22 [[]"},
        {"{gpu: h200, gpus: [{id: 0, at: 0}]}", "S002 t:1:1 [{]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], links: [{from: s0, to: 0}]}", "T001 t:1:72 [s0] ?from"},
        {"{" ONE "gpus: [{id: 0, at: 0}], links: [{from: gpu0, to: 1}]}",
         "T004 t:1:82 [1] <- t:1:45 [0]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], links: [{from: gpu0, to: 0, up: 0 GB/s}]}",
         "S006 t:1:89 [0 GB/s]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], links: [{from: gpu0, to: 0, up: 1}]}", "U001 t:1:89 [1]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], nvlink: {pairs: [[0, 0, 1]]}}", "T004 t:1:74 [[]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], nvlink: {pairs: [[0, 1, 1]]}}", "S006 t:1:78 [1]"},
        {"{" ONE "gpus: [{id: 0, at: 0}, {id: 1, at: 0}], nvlink: {pairs: [[0, 1, 1], [1, 0, 1]]}}",
         "T003 t:1:101 [[] <- t:1:90 [[]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], nvlink: {pairs: [[0, 1]]}}", "S003 t:1:74 [[]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], nvlink: {kind: mesh}}", "S005 t:1:72 [mesh]"},
        {"{gpu: rtx-4090, sockets: [{id: 0}], gpus: [{id: 0, at: 0}], nvlink: {kind: switch}}",
         "S002 t:1:69 [{]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], iommu: soft}", "S005 t:1:64 [soft]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], regime: nccl-fallback}", "S005 t:1:65 [nccl-fallback]"},
        {"{" ONE "gpus: [{id: 0, at: 0}], nccl: {version: new}}", "S004 t:1:73 [new]"},
        {"{sockets: [{id: 0}], gpus: [{id: 0, at: 0, gpu: h200}, {id: 1, at: 0}]}",
         "S002 t:1:1 [{] ?gpus"},
        {"{count: 2}", "S002 t:1:1 [{] ?gpus"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

static void the_summary_is_one_line(void **state)
{
    world *w = *state;
    static const row rows[] = {
        {"rtx-pro-6000 cpu:turin socket:1 switch:2 gpu:4",
         "2 PCIe 5 x16 switches of 4 GPUs, 1 socket (turin)"},
        {"rtx-pro-6000 cpu:turin socket:2 numa:2 gpu:1",
         "4 root ports, 2 sockets with 4 NUMA nodes (turin)"},
        {"rtx-pro-6000 switch:1 switch:2 gpu:1",
         "1 PCIe 5 x16 switch, 2 PCIe 5 x16 switches of 1 GPU below another, 1 socket"},
        {"8 x h200", "NVSwitch (18 links), 8 root ports, 1 socket, guessed"},
        {"{gpu: rtx-3090, sockets: [{id: 0}], gpus: [{id: 0, at: 0}, {id: 1, at: 0}], nvlink: "
         "{pairs: [[0, 1, 4]]}}",
         "NVLink between 1 pair, 2 root ports, 1 NUMA node"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        const ks_topology *t = topology_of(w, rows[i].text);
        CHECK_TEXT(rows[i].text, t ? ks_topology_summary(w->arena, t) : summary(w), rows[i].want);
    }
}

static void every_machine_file_has_links(void **state)
{
    world *w = *state;
    size_t n;
    ks_catalog catalog = catalog_of(w);
    ks_str *names = ks_catalog_names(&catalog, "machine", &n);
    CHECK("machine files", n >= 6);
    for (size_t i = 0; i < n; i++) {
        const ks_topology *t = topology_of(w, ks_to_c(w->arena, names[i]));
        CHECK_TEXT(ks_to_c(w->arena, names[i]), summary(w), "");
        CHECK(ks_to_c(w->arena, names[i]), t && t->gpus.n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(machine_files_are_read),  IN_WORLD(the_short_form_is_read),
        IN_WORLD(a_count_is_guessed),      IN_WORLD(what_does_not_fit_is_refused),
        IN_WORLD(the_summary_is_one_line), IN_WORLD(every_machine_file_has_links),
    };
    const char *top = getenv("top_srcdir");
    char path[4096];
    snprintf(path, sizeof path, "%s/models", top ? top : ".");
    models = path;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
