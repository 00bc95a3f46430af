/* The matrix of `nvidia-smi topo -m`: its layouts, what links it lets one conclude, what is refused. */
#include "topologies.h"

#include "model/topology_matrix.h"
#include "read/matrix.h"

typedef struct row {
    const char *text, *want;
} row;

static void check_rows(world *w, const row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        forget_diags(w);
        const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_from_c(rows[i].text));
        const ks_topology *t = ks_topology_from_matrix(&w->diags, source);
        CHECK(rows[i].text, (t != NULL) == (w->diags.errors == 0));
        CHECK_TEXT(rows[i].text, shown(w, t), rows[i].want);
    }
}

static void layouts_are_read(void **state)
{
    static const row rows[] = {
        /* Columns of CPUs and NUMA nodes, a legend, and what a shell printed. */
        {"$ nvidia-smi topo -m\n\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
         "GPU0\t X \tPHB\t0-63\t2\t\tN/A\nGPU1\tPHB\t X \t0-63\t2\t\tN/A\n\nLegend:\n\n  X    = "
         "Self\n",
         "2:p-1 | gpu0<2 0x0 gpu1<2 0x0 | p2p ?, iommu 0, regime 0, 1 unknown"},
        /* Underlined, as a terminal gets it. */
        {"\t\033[4mGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\033[0m\nGPU0\t X "
         "\tPIX\t0-7\t0\nGPU1\tPIX\t X \t0-7\t0\n",
         "0:p-1 | s0<0 0x0 gpu0<s0 0x0 gpu1<s0 0x0 | p2p ?, iommu 0, regime 0, 2 unknown"},
        /* Network cards with rows, and their names in a second legend. */
        {"GPU0 GPU1 NIC0 NIC1\nGPU0 X NODE PIX NODE\nGPU1 NODE X NODE PXB\nNIC0 PIX NODE X NODE\n"
         "NIC1 NODE PXB NODE X\nNIC Legend:\n  NIC0: mlx5_0\n  NIC1: mlx5_bond_1\n",
         "0:p-1 | s0<0 0x0 s1<0 0x0 s2<s0 0x0 gpu0<s1 0x0 gpu1<s2 0x0 mlx5_0<s1 0x0 mlx5_bond_"
         "1<s0 0x0 | p2p ?, iommu 0, regime 0, 2 unknown"},
        /* Without rows for them, and the old word for SYS. */
        {"GPU0 GPU1 mlx5_0\nGPU0 X SOC PHB\nGPU1 SOC X SOC\n",
         "0:p-1 1:p-1 | gpu0<0 0x0 gpu1<1 0x0 mlx5_0<0 0x0 | p2p ?, iommu 0, regime 0, 1 unkno"
         "wn"},
        /* One GPU. */
        {"GPU0 CPU Affinity\nGPU0 X 0-15\n",
         "0:p-1 | gpu0<0 0x0 | p2p ?, iommu 0, regime 0, 1 unknown"},
        /* The NUMA column may be empty, or name several. */
        {"GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X NODE 0-7\nGPU1 NODE X 0-7\n",
         "0:p-1 | gpu0<0 0x0 gpu1<0 0x0 | p2p ?, iommu 0, regime 0, 1 unknown"},
        {"GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 0-7 0-1\nGPU1 SYS X 0-7 N/A\n",
         "0:p-1 1:p-1 | gpu0<0 0x0 gpu1<1 0x0 | p2p ?, iommu 0, regime 0, 1 unknown"},
        {"\r\nGPU0 GPU1\r\nGPU0 X PHB\r\nGPU1 PHB X\r\n",
         "0:p-1 | gpu0<0 0x0 gpu1<0 0x0 | p2p ?, iommu 0, regime 0, 1 unknown"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

static void links_are_concluded(void **state)
{
    static const row rows[] = {
        /* Two switches of two. */
        {"GPU0 GPU1 GPU2 GPU3\nGPU0 X PIX NODE NODE\nGPU1 PIX X NODE NODE\nGPU2 NODE NODE X PIX\n"
         "GPU3 NODE NODE PIX X\n",
         "0:p-1 | s0<0 0x0 s1<0 0x0 gpu0<s0 0x0 gpu1<s0 0x0 gpu2<s1 0x0 gpu3<s1 0x0 | p2p ?, i"
         "ommu 0, regime 0, 2 unknown"},
        /* Two leaf switches below a root switch. */
        {"GPU0 GPU1 GPU2 GPU3\nGPU0 X PIX PXB PXB\nGPU1 PIX X PXB PXB\nGPU2 PXB PXB X PIX\n"
         "GPU3 PXB PXB PIX X\n",
         "0:p-1 | s0<0 0x0 s1<s0 0x0 s2<s0 0x0 gpu0<s1 0x0 gpu1<s1 0x0 gpu2<s2 0x0 gpu3<s2 0x0"
         " | p2p ?, iommu 0, regime 0, 2 unknown"},
        /* NVLinks between all pairs, too many for a GPU: through switches. */
        {"GPU0 GPU1 GPU2 CPU Affinity NUMA Affinity\nGPU0 X NV12 NV12 0-7 0\nGPU1 NV12 X NV12 0-7 "
         "0\n"
         "GPU2 NV12 NV12 X 8-15 1\n",
         "0:p-1 1:p-1 | gpu0<0 0x0 gpu1<0 0x0 gpu2<1 0x0 | 0--1:12 1--1:12 2--1:12 | p2p ?, io"
         "mmu 0, regime 0, 2 unknown"},
        {"GPU0 GPU1\nGPU0 X NV18\nGPU1 NV18 X\n",
         "0:p-1 | gpu0<0 0x0 gpu1<0 0x0 | 0--1:18 1--1:18 | p2p ?, iommu 0, regime 0, 3 unknow"
         "n"},
        /* Few enough to be direct. */
        {"GPU0 GPU1 GPU2\nGPU0 X NV4 NV4\nGPU1 NV4 X NV4\nGPU2 NV4 NV4 X\n",
         "0:p-1 | gpu0<0 0x0 gpu1<0 0x0 gpu2<0 0x0 | 0-1:4 0-2:4 1-2:4 | p2p ?, iommu 0, regim"
         "e 0, 3 unknown"},
        /* What NVLink hides, others tell: GPU 2 is as far from GPU 0 as GPU 3. */
        {"GPU0 GPU1 GPU2 GPU3\nGPU0 X PHB SYS SYS\nGPU1 PHB X SYS SYS\nGPU2 SYS SYS X NV2\n"
         "GPU3 SYS SYS NV2 X\n",
         "0:p-1 1:p-1 | gpu0<0 0x0 gpu1<0 0x0 gpu2<1 0x0 gpu3<1 0x0 | 2-3:2 | p2p ?, iommu 0, "
         "regime 0, 3 unknown"},
        /* Nodes whose numbers are not in the order of the GPUs. */
        {"GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 24-31 3\nGPU1 SYS X 0-7 1\n",
         "3:p-1 1:p-1 | gpu0<3 0x0 gpu1<1 0x0 | p2p ?, iommu 0, regime 0, 1 unknown"},
        /* Numbers that words contradict. */
        {"GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X PIX 0-7 0\nGPU1 PIX X 8-15 1\n",
         "0:p-1 | s0<0 0x0 gpu0<s0 0x0 gpu1<s0 0x0 | p2p ?, iommu 0, regime 0, 3 unknown"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

static void what_is_no_matrix_is_refused(void **state)
{
    static const row rows[] = {
        {"", "T007 t []"},
        {"nothing of the kind\n", "T007 t:1:1 []"},
        {"GPU0 GPU1\n", "T007 t:1:1 [GPU0]"},
        {"GPU0 GPU1\nGPU0 X\n", "T007 t:2:1 [GPU0] <- t:1:1 [GPU0]"},
        {"GPU0 GPU1\nGPU0 X PIX\nGPU1 PIX\n", "T007 t:3:1 [GPU1] <- t:1:1 [GPU0]"},
        {"GPU0 GPU1\nGPU0 X PIX\n", "T007 t:1:6 [GPU1]"},
        {"GPU0 GPU1\nGPU0 X PIX\nGPU0 X PIX\n", "T007 t:3:1 [GPU0]"},
        {"GPU0 GPU1\nGPU0 X PIX\nGPU1 PXB X\n", "T007 t:3:6 [PXB] <- t:2:8 [PIX]"},
        {"GPU0 GPU1\nGPU0 X NV4\nGPU1 NV2 X\n", "T007 t:3:6 [NV2] <- t:2:8 [NV4]"},
        {"GPU0 GPU1\nGPU0 X NEAR\nGPU1 NEAR X\n", "T007 t:2:8 [NEAR]"},
        {"GPU0 GPU1\nGPU0 X NV99\nGPU1 NV99 X\n", "T007 t:2:8 [NV99]"},
        {"GPU0 GPU1\nGPU0 PIX X\nGPU1 X PIX\n", "T007 t:2:6 [PIX]"},
        {"GPU0 GPU0\nGPU0 X PIX\n", "T007 t:1:6 [GPU0]"},
        {"GPU0 GPU1 CPU Speed\nGPU0 X PIX\n", "T007 t:1:11 [CPU]"},
        {"GPU0 GPU1\nGPU0 X PIX\nGPU1 PIX X\nGPU2 PIX PIX\n", "T007 t:4:1 [GPU2]"},
        {"GPU0 GPU1 GPU2\nGPU0 X PIX PIX\nGPU1 PIX X NODE\nGPU2 PIX NODE X\n",
         "T005 t:4:10 [NODE]"},
        {"GPU0 GPU1 GPU2\nGPU0 X PXB PXB\nGPU1 PXB X SYS\nGPU2 PXB SYS X\n", "T005 t:4:10 [SYS]"},
    };
    check_rows(*state, rows, KS_COUNT(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(layouts_are_read),
        IN_WORLD(links_are_concluded),
        IN_WORLD(what_is_no_matrix_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
