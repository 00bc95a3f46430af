/* What NCCL itself answers for some machines: its topology, search and tuning code, run without a
 * GPU on XML topologies that were made at random (P2P between all pairs, one node, no settings).
 *
 * A machine is its NUMA nodes, parted by "|": the CPU, then what hangs on it: "g5x16/120" is a GPU on
 * PCIe generation 5 with 16 lanes and compute capability 12.0, "[5x16 ...]" a switch; behind ";" the
 * NVLinks, "0-1*4", or "all*18" to NVSwitches. An answer is channels x GB/s, path, same channels and
 * NCCL's number of the pattern, and the order of the first channel; a pick is
 * bytes:choice:us:channels/threads. */
#ifndef KS_TESTS_NCCL_ANSWERS_H
#define KS_TESTS_NCCL_ANSWERS_H

typedef struct nccl_answer {
    const char *machine, *version, *found, *picks;
} nccl_answer;

static const nccl_answer nccl_answers[] = {
    {
        "turin [4x16 [4x16 g4x16/120 g4x16/120] [4x16 g4x16/120]]",
        "2.30.7",
        "ring 1x24 PXB 14 0,1,2; tree 1x24 PXB 11 0,1,2; channels 2",
        "256:ring-ll:10.6:1/64 512:ring-ll:10.7:1/64 1024:ring-ll:10.7:1/64 "
        "2048:ring-ll:10.8:1/64 4096:ring-ll:11.1:1/128 8192:ring-ll:11.5:1/256 "
        "16384:ring-ll:12.4:1/512 32768:ring-ll:14.2:2/512 65536:ring-ll:17.9:2/512 "
        "131072:ring-ll:25.2:2/512 262144:ring-ll:39.7:2/512 524288:ring-simple:60.3:2/512 "
        "1048576:ring-simple:89.5:2/512 2097152:ring-simple:147.7:2/512 "
        "4194304:ring-simple:264.2:2/512 8388608:ring-simple:497.2:2/512 "
        "16777216:ring-simple:963.3:2/512 33554432:ring-simple:1895.3:2/512 "
        "67108864:ring-simple:3759.5:2/512",
    },
    {
        "turin [4x16 [4x16 g4x16/120 g4x16/120] [4x16 g4x16/120]]",
        "2.28.9",
        "ring 1x24 PXB 14 0,1,2; tree 1x24 PXB 11 0,1,2; channels 2",
        "256:ring-ll:10.6:1/64 512:ring-ll:10.7:1/64 1024:ring-ll:10.7:1/64 "
        "2048:ring-ll:10.8:1/64 4096:ring-ll:11.1:1/128 8192:ring-ll:11.5:1/256 "
        "16384:ring-ll:12.4:1/512 32768:ring-ll:14.2:2/512 65536:ring-ll:17.9:2/512 "
        "131072:ring-ll:25.2:2/512 262144:ring-ll:39.7:2/512 524288:ring-simple:60.3:2/512 "
        "1048576:ring-simple:89.5:2/512 2097152:ring-simple:147.7:2/512 "
        "4194304:ring-simple:264.2:2/512 8388608:ring-simple:497.2:2/512 "
        "16777216:ring-simple:963.3:2/512 33554432:ring-simple:1895.3:2/512 "
        "67108864:ring-simple:3759.5:2/512",
    },
    {
        "skx g4x16/80 g4x16/80 g4x16/80 g4x16/80 | skx g4x16/80 g4x16/80 g4x16/80 g4x16/80 ; "
        "all*12",
        "2.30.7",
        "ring 12x20 NVL 14 0,1,2,3,4,5,6,7; tree 12x20 NVL 11 0,1,2,3,4,5,6,7; channels 24",
        "256:ring-ll:15:1/64 512:ring-ll:15:1/64 1024:ring-ll:15:1/64 2048:ring-ll:15:1/64 "
        "4096:ring-ll:15.1:1/64 8192:ring-ll:15.2:1/128 16384:ring-ll:15.3:1/256 "
        "32768:ring-ll:15.7:1/512 65536:ring-ll:16.3:2/512 131072:ring-ll:17.6:4/512 "
        "262144:ring-ll:20.2:8/512 524288:ring-ll:25.5:16/512 1048576:ring-ll:35.9:24/512 "
        "2097152:ring-ll:56.8:24/512 4194304:ring-ll128:73.8:24/640 "
        "8388608:ring-ll128:107.1:24/640 16777216:ring-ll128:173.6:24/640 "
        "33554432:ring-simple:300.7:24/512 67108864:ring-simple:545.3:24/512",
    },
    {
        "skx g4x16/80 g4x16/80 g4x16/80 g4x16/80 | skx g4x16/80 g4x16/80 g4x16/80 g4x16/80 ; "
        "all*12",
        "2.28.9",
        "ring 12x20 NVL 14 0,1,2,3,4,5,6,7; tree 12x20 NVL 11 0,1,2,3,4,5,6,7; channels 24",
        "256:ring-ll:15:1/64 512:ring-ll:15:1/64 1024:ring-ll:15:1/64 2048:ring-ll:15:1/64 "
        "4096:ring-ll:15.1:1/64 8192:ring-ll:15.2:1/128 16384:ring-ll:15.3:1/256 "
        "32768:ring-ll:15.7:1/512 65536:ring-ll:16.3:2/512 131072:ring-ll:17.6:4/512 "
        "262144:ring-ll:20.2:8/512 524288:ring-ll:25.5:16/512 1048576:ring-ll:35.9:24/512 "
        "2097152:ring-ll:56.8:24/512 4194304:ring-ll128:73.8:24/640 "
        "8388608:ring-ll128:107.1:24/640 16777216:ring-ll128:173.6:24/640 "
        "33554432:ring-simple:300.7:24/512 67108864:ring-simple:545.3:24/512",
    },
    {
        "bdw g5x16/80 g5x16/80 | bdw g5x16/80 g5x16/80 ; 0-1*1 2-3*1",
        "2.30.7",
        "ring 2x3 SYS 14 0,1,2,3; tree 2x6 SYS 01 0,1,2,3; channels 4",
        "256:ring-ll:12.7:1/64 512:ring-ll:12.9:1/64 1024:ring-ll:13.1:1/64 "
        "2048:ring-ll:13.6:1/64 4096:ring-ll:14.6:1/128 8192:ring-ll:16.7:1/256 "
        "16384:ring-ll:20.8:1/512 32768:ring-ll:29:2/512 65536:ring-ll:45.4:4/512 "
        "131072:ring-simple:75.4:4/256 262144:ring-simple:108.1:4/256 "
        "524288:ring-simple:173.7:4/256 1048576:ring-simple:304.7:4/256 "
        "2097152:ring-simple:566.9:4/256 4194304:ring-simple:1091.2:4/256 "
        "8388608:tree-simple:1932:4/512 16777216:ring-simple:4236.9:4/256 "
        "33554432:ring-simple:8431.2:4/256 67108864:tree-simple:15229.2:4/512",
    },
    {
        "bdw g5x16/80 g5x16/80 | bdw g5x16/80 g5x16/80 ; 0-1*1 2-3*1",
        "2.28.9",
        "ring 2x3 SYS 14 0,1,2,3; tree 2x6 SYS 01 0,1,2,3; channels 4",
        "256:ring-ll:12.7:1/64 512:ring-ll:12.9:1/64 1024:ring-ll:13.1:1/64 "
        "2048:ring-ll:13.6:1/64 4096:ring-ll:14.6:1/128 8192:ring-ll:16.7:1/256 "
        "16384:ring-ll:20.8:1/512 32768:ring-ll:29:2/512 65536:ring-ll:45.4:4/512 "
        "131072:ring-simple:75.4:4/256 262144:ring-simple:108.1:4/256 "
        "524288:ring-simple:173.7:4/256 1048576:ring-simple:304.7:4/256 "
        "2097152:ring-simple:566.9:4/256 4194304:ring-simple:1091.2:4/256 "
        "8388608:tree-simple:1932:4/512 16777216:ring-simple:4236.9:4/256 "
        "33554432:ring-simple:8431.2:4/256 67108864:tree-simple:15229.2:4/512",
    },
    {
        "turin g3x16/90 | turin g3x16/90",
        "2.30.7",
        "ring 1x12 SYS 14 0,1; tree 1x12 SYS 11 0,1; channels 2",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.7:1/64 1024:ring-ll:8.8:1/64 2048:ring-ll:8.9:1/128 "
        "4096:ring-ll:9.3:1/256 8192:ring-ll:10:1/512 16384:ring-ll:11.3:2/512 "
        "32768:ring-ll:14.1:2/512 65536:ring-ll:19.5:2/512 131072:ring-ll:30.4:2/512 "
        "262144:ring-simple:41.6:2/256 524288:ring-simple:63.5:2/256 "
        "1048576:ring-simple:107.2:2/256 2097152:ring-simple:194.6:2/256 "
        "4194304:ring-simple:369.3:2/256 8388608:ring-simple:718.9:2/256 "
        "16777216:ring-simple:1417.9:2/256 33554432:ring-simple:2816:2/256 "
        "67108864:ring-simple:5612.2:2/256",
    },
    {
        "turin g3x16/90 | turin g3x16/90",
        "2.28.9",
        "ring 1x12 SYS 14 0,1; tree 1x12 SYS 11 0,1; channels 2",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.7:1/64 1024:ring-ll:8.8:1/64 2048:ring-ll:8.9:1/128 "
        "4096:ring-ll:9.3:1/256 8192:ring-ll:10:1/512 16384:ring-ll:11.3:2/512 "
        "32768:ring-ll:14.1:2/512 65536:ring-ll:19.5:2/512 131072:ring-ll:30.4:2/512 "
        "262144:ring-simple:41.6:2/256 524288:ring-simple:63.5:2/256 "
        "1048576:ring-simple:107.2:2/256 2097152:ring-simple:194.6:2/256 "
        "4194304:ring-simple:369.3:2/256 8388608:ring-simple:718.9:2/256 "
        "16777216:ring-simple:1417.9:2/256 33554432:ring-simple:2816:2/256 "
        "67108864:ring-simple:5612.2:2/256",
    },
    {
        "rome g5x16/80 g5x16/80 ; 0-1*2",
        "2.30.7",
        "ring 2x20 NVL 14 0,1; tree 2x40 NVL 01 0,1; channels 4",
        "256:ring-ll:7.8:1/64 512:ring-ll:7.8:1/64 1024:ring-ll:7.9:1/64 2048:ring-ll:7.9:1/128 "
        "4096:ring-ll:8:1/256 8192:ring-ll:8.2:1/512 16384:ring-ll:8.6:2/512 "
        "32768:ring-ll:9.4:4/512 65536:ring-ll:11.1:4/512 131072:ring-ll:14.4:4/512 "
        "262144:ring-ll:20.9:4/512 524288:ring-simple:28.3:4/512 1048576:ring-simple:41.4:4/512 "
        "2097152:ring-simple:67.6:4/512 4194304:ring-simple:120.1:4/512 "
        "8388608:ring-simple:224.9:4/512 16777216:ring-simple:434.6:4/512 "
        "33554432:ring-simple:854.1:4/512 67108864:ring-simple:1692.9:4/512",
    },
    {
        "rome g5x16/80 g5x16/80 ; 0-1*2",
        "2.28.9",
        "ring 2x20 NVL 14 0,1; tree 2x40 NVL 01 0,1; channels 4",
        "256:ring-ll:7.8:1/64 512:ring-ll:7.8:1/64 1024:ring-ll:7.9:1/64 2048:ring-ll:7.9:1/128 "
        "4096:ring-ll:8:1/256 8192:ring-ll:8.2:1/512 16384:ring-ll:8.6:2/512 "
        "32768:ring-ll:9.4:4/512 65536:ring-ll:11.1:4/512 131072:ring-ll:14.4:4/512 "
        "262144:ring-ll:20.9:4/512 524288:ring-simple:28.3:4/512 1048576:ring-simple:41.4:4/512 "
        "2097152:ring-simple:67.6:4/512 4194304:ring-simple:120.1:4/512 "
        "8388608:ring-simple:224.9:4/512 16777216:ring-simple:434.6:4/512 "
        "33554432:ring-simple:854.1:4/512 67108864:ring-simple:1692.9:4/512",
    },
    {
        "genoa g5x16/90 g5x16/90 g5x16/90 g5x16/90 | genoa g5x16/90 g5x16/90 g5x16/90 g5x16/90 ; "
        "all*18",
        "2.30.7",
        "ring 12x30 NVL 14 0,1,2,3,4,5,6,7; tree 12x30 NVL 11 0,1,2,3,4,5,6,7; nvls 8x40 NVL 05; "
        "channels 24",
        "256:ring-ll:15:1/64 512:ring-ll:15:1/64 1024:ring-ll:15:1/64 2048:ring-ll:15:1/64 "
        "4096:ring-ll:15.1:1/64 8192:ring-ll:15.1:1/128 16384:ring-ll:15.2:1/256 "
        "32768:ring-ll:15.4:1/512 65536:ring-ll:15.8:2/512 131072:ring-ll:16.6:4/512 "
        "262144:ring-ll:18.3:8/512 524288:ring-ll:21.5:16/512 1048576:ring-ll:28:24/512 "
        "2097152:nvls-simple:32.7:24/640 4194304:nvls-simple:40.4:24/640 "
        "8388608:nvls-simple:55.8:24/640 16777216:nvls-simple:86.7:24/640 "
        "33554432:nvls-simple:148.4:24/640 67108864:nvls-simple:271.7:24/640",
    },
    {
        "genoa g5x16/90 g5x16/90 g5x16/90 g5x16/90 | genoa g5x16/90 g5x16/90 g5x16/90 g5x16/90 ; "
        "all*18",
        "2.28.9",
        "ring 12x30 NVL 14 0,1,2,3,4,5,6,7; tree 12x30 NVL 11 0,1,2,3,4,5,6,7; nvls 8x40 NVL 05; "
        "channels 24",
        "256:ring-ll:15:1/64 512:ring-ll:15:1/64 1024:ring-ll:15:1/64 2048:ring-ll:15:1/64 "
        "4096:ring-ll:15.1:1/64 8192:ring-ll:15.1:1/128 16384:ring-ll:15.2:1/256 "
        "32768:ring-ll:15.4:1/512 65536:ring-ll:15.8:2/512 131072:ring-ll:16.6:4/512 "
        "262144:ring-ll:18.3:8/512 524288:ring-ll:21.5:16/512 1048576:ring-ll:28:24/512 "
        "2097152:nvls-simple:32.7:24/640 4194304:nvls-simple:40.4:24/640 "
        "8388608:nvls-simple:55.8:24/640 16777216:nvls-simple:86.7:24/640 "
        "33554432:nvls-simple:148.4:24/640 67108864:nvls-simple:271.7:24/640",
    },
    {
        "rome g4x16/90 | rome g4x16/90",
        "2.30.7",
        "ring 1x15 SYS 14 0,1; tree 1x15 SYS 11 0,1; channels 2",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.7:1/64 1024:ring-ll:8.7:1/64 2048:ring-ll:8.9:1/128 "
        "4096:ring-ll:9.1:1/256 8192:ring-ll:9.7:1/512 16384:ring-ll:10.8:2/512 "
        "32768:ring-ll:13:2/512 65536:ring-ll:17.3:2/512 131072:ring-ll:26.1:2/512 "
        "262144:ring-simple:37.3:2/512 524288:ring-simple:54.8:2/512 "
        "1048576:ring-simple:89.7:2/512 2097152:ring-simple:159.6:2/512 "
        "4194304:ring-simple:299.4:2/512 8388608:ring-simple:579:2/512 "
        "16777216:ring-simple:1138.3:2/512 33554432:ring-simple:2256.8:2/512 "
        "67108864:ring-simple:4493.7:2/512",
    },
    {
        "rome g4x16/90 | rome g4x16/90",
        "2.28.9",
        "ring 1x15 SYS 14 0,1; tree 1x15 SYS 11 0,1; channels 2",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.7:1/64 1024:ring-ll:8.7:1/64 2048:ring-ll:8.9:1/128 "
        "4096:ring-ll:9.1:1/256 8192:ring-ll:9.7:1/512 16384:ring-ll:10.8:2/512 "
        "32768:ring-ll:13:2/512 65536:ring-ll:17.3:2/512 131072:ring-ll:26.1:2/512 "
        "262144:ring-simple:37.3:2/512 524288:ring-simple:54.8:2/512 "
        "1048576:ring-simple:89.7:2/512 2097152:ring-simple:159.6:2/512 "
        "4194304:ring-simple:299.4:2/512 8388608:ring-simple:579:2/512 "
        "16777216:ring-simple:1138.3:2/512 33554432:ring-simple:2256.8:2/512 "
        "67108864:ring-simple:4493.7:2/512",
    },
    {
        "rome g5x16/120 g5x16/120 g5x16/120 ; 0-1*1",
        "2.30.7",
        "ring 2x24 PHB 04 0,1,2; tree 2x40 PHB 01 0,1,2; channels 4",
        "256:ring-ll:10.6:1/64 512:ring-ll:10.6:1/64 1024:ring-ll:10.7:1/64 "
        "2048:ring-ll:10.7:1/64 4096:ring-ll:10.8:1/128 8192:ring-ll:11.1:1/256 "
        "16384:ring-ll:11.5:1/512 32768:ring-ll:12.4:2/512 65536:ring-ll:14.2:4/512 "
        "131072:ring-ll:17.9:4/512 262144:ring-ll:25.2:4/512 524288:ring-ll:39.7:4/512 "
        "1048576:ring-simple:60.3:4/512 2097152:ring-simple:89.5:4/512 "
        "4194304:ring-simple:147.7:4/512 8388608:ring-simple:264.2:4/512 "
        "16777216:ring-simple:497.2:4/512 33554432:ring-simple:963.3:4/512 "
        "67108864:ring-simple:1895.3:4/512",
    },
    {
        "rome g5x16/120 g5x16/120 g5x16/120 ; 0-1*1",
        "2.28.9",
        "ring 2x24 PHB 04 0,1,2; tree 2x40 PHB 01 0,1,2; channels 4",
        "256:ring-ll:10.6:1/64 512:ring-ll:10.6:1/64 1024:ring-ll:10.7:1/64 "
        "2048:ring-ll:10.7:1/64 4096:ring-ll:10.8:1/128 8192:ring-ll:11.1:1/256 "
        "16384:ring-ll:11.5:1/512 32768:ring-ll:12.4:2/512 65536:ring-ll:14.2:4/512 "
        "131072:ring-ll:17.9:4/512 262144:ring-ll:25.2:4/512 524288:ring-ll:39.7:4/512 "
        "1048576:ring-simple:60.3:4/512 2097152:ring-simple:89.5:4/512 "
        "4194304:ring-simple:147.7:4/512 8388608:ring-simple:264.2:4/512 "
        "16777216:ring-simple:497.2:4/512 33554432:ring-simple:963.3:4/512 "
        "67108864:ring-simple:1895.3:4/512",
    },
    {
        "icx [5x16 [5x16 g5x16/86 g5x16/86]]",
        "2.30.7",
        "ring 2x20 PIX 14 0,1; tree 2x40 PIX 01 0,1; channels 4",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.6:1/64 1024:ring-ll:8.7:1/64 2048:ring-ll:8.7:1/128 "
        "4096:ring-ll:8.8:1/256 8192:ring-ll:9:1/512 16384:ring-ll:9.4:2/512 "
        "32768:ring-ll:10.2:4/512 65536:ring-ll:11.9:4/512 131072:ring-ll:15.2:4/512 "
        "262144:ring-ll:21.7:4/512 524288:ring-simple:32.9:4/512 1048576:ring-simple:46:4/512 "
        "2097152:ring-simple:72.2:4/512 4194304:ring-simple:124.7:4/512 "
        "8388608:ring-simple:229.5:4/512 16777216:ring-simple:439.2:4/512 "
        "33554432:ring-simple:858.7:4/512 67108864:ring-simple:1697.5:4/512",
    },
    {
        "icx [5x16 [5x16 g5x16/86 g5x16/86]]",
        "2.28.9",
        "ring 2x20 PIX 14 0,1; tree 2x40 PIX 01 0,1; channels 4",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.6:1/64 1024:ring-ll:8.7:1/64 2048:ring-ll:8.7:1/128 "
        "4096:ring-ll:8.8:1/256 8192:ring-ll:9:1/512 16384:ring-ll:9.4:2/512 "
        "32768:ring-ll:10.2:4/512 65536:ring-ll:11.9:4/512 131072:ring-ll:15.2:4/512 "
        "262144:ring-ll:21.7:4/512 524288:ring-simple:32.9:4/512 1048576:ring-simple:46:4/512 "
        "2097152:ring-simple:72.2:4/512 4194304:ring-simple:124.7:4/512 "
        "8388608:ring-simple:229.5:4/512 16777216:ring-simple:439.2:4/512 "
        "33554432:ring-simple:858.7:4/512 67108864:ring-simple:1697.5:4/512",
    },
    {
        "spr [3x16 g3x16/70 g3x16/70 g3x16/70]",
        "2.30.7",
        "ring 1x12 PIX 14 0,1,2; tree 1x12 PIX 11 0,1,2; channels 2",
        "256:ring-ll:10.7:1/64 512:ring-ll:10.7:1/64 1024:ring-ll:10.8:1/64 "
        "2048:ring-ll:11.1:1/64 4096:ring-ll:11.5:1/128 8192:ring-ll:12.4:1/256 "
        "16384:ring-ll:14.2:1/512 32768:ring-ll:17.9:2/512 65536:ring-ll:25.2:2/512 "
        "131072:ring-ll:39.7:2/512 262144:ring-simple:60.3:2/256 524288:ring-simple:89.5:2/256 "
        "1048576:ring-simple:147.7:2/256 2097152:ring-simple:264.2:2/256 "
        "4194304:ring-simple:497.2:2/256 8388608:ring-simple:963.3:2/256 "
        "16777216:ring-simple:1895.3:2/256 33554432:ring-simple:3759.5:2/256 "
        "67108864:ring-simple:7487.7:2/256",
    },
    {
        "spr [3x16 g3x16/70 g3x16/70 g3x16/70]",
        "2.28.9",
        "ring 1x12 PIX 14 0,1,2; tree 1x12 PIX 11 0,1,2; channels 2",
        "256:ring-ll:10.7:1/64 512:ring-ll:10.7:1/64 1024:ring-ll:10.8:1/64 "
        "2048:ring-ll:11.1:1/64 4096:ring-ll:11.5:1/128 8192:ring-ll:12.4:1/256 "
        "16384:ring-ll:14.2:1/512 32768:ring-ll:17.9:2/512 65536:ring-ll:25.2:2/512 "
        "131072:ring-ll:39.7:2/512 262144:ring-simple:60.3:2/256 524288:ring-simple:89.5:2/256 "
        "1048576:ring-simple:147.7:2/256 2097152:ring-simple:264.2:2/256 "
        "4194304:ring-simple:497.2:2/256 8388608:ring-simple:963.3:2/256 "
        "16777216:ring-simple:1895.3:2/256 33554432:ring-simple:3759.5:2/256 "
        "67108864:ring-simple:7487.7:2/256",
    },
    {
        "icx g5x4/80 g5x4/80 | icx g5x16/80 g5x8/80",
        "2.30.7",
        "ring 1x10 SYS 14 0,1,2,3; tree 1x10 SYS 11 0,1,2,3; channels 2",
        "256:ring-ll:12.7:1/64 512:ring-ll:12.8:1/64 1024:ring-ll:12.9:1/64 "
        "2048:ring-ll:13.2:1/64 4096:ring-ll:13.8:1/128 8192:ring-ll:15.1:1/256 "
        "16384:ring-ll:17.5:1/512 32768:ring-ll:22.4:2/512 65536:ring-ll:32.3:2/512 "
        "131072:ring-ll:51.9:2/512 262144:ring-simple:81.9:2/256 524288:ring-simple:121.2:2/256 "
        "1048576:ring-simple:199.9:2/256 2097152:ring-simple:357.2:2/256 "
        "4194304:ring-simple:671.7:2/256 8388608:ring-simple:1300.9:2/256 "
        "16777216:ring-simple:2559.2:2/256 33554432:ring-simple:5075.8:2/256 "
        "67108864:ring-simple:10108.9:2/256",
    },
    {
        "icx g5x4/80 g5x4/80 | icx g5x16/80 g5x8/80",
        "2.28.9",
        "ring 1x10 SYS 14 0,1,2,3; tree 1x10 SYS 11 0,1,2,3; channels 2",
        "256:ring-ll:12.7:1/64 512:ring-ll:12.8:1/64 1024:ring-ll:12.9:1/64 "
        "2048:ring-ll:13.2:1/64 4096:ring-ll:13.8:1/128 8192:ring-ll:15.1:1/256 "
        "16384:ring-ll:17.5:1/512 32768:ring-ll:22.4:2/512 65536:ring-ll:32.3:2/512 "
        "131072:ring-ll:51.9:2/512 262144:ring-simple:81.9:2/256 524288:ring-simple:121.2:2/256 "
        "1048576:ring-simple:199.9:2/256 2097152:ring-simple:357.2:2/256 "
        "4194304:ring-simple:671.7:2/256 8388608:ring-simple:1300.9:2/256 "
        "16777216:ring-simple:2559.2:2/256 33554432:ring-simple:5075.8:2/256 "
        "67108864:ring-simple:10108.9:2/256",
    },
    {
        "icx g4x16/75 g4x16/75 g4x16/75 g4x16/75",
        "2.30.7",
        "ring 1x20 PHB 14 0,1,2,3; tree 1x20 PHB 11 0,1,2,3; channels 2",
        "256:ring-ll:12.6:1/64 512:ring-ll:12.7:1/64 1024:ring-ll:12.8:1/64 "
        "2048:ring-ll:12.9:1/64 4096:ring-ll:13.2:1/128 8192:ring-ll:13.8:1/256 "
        "16384:ring-ll:15.1:1/512 32768:ring-ll:17.5:2/512 65536:ring-ll:22.4:2/512 "
        "131072:ring-ll:32.3:2/512 262144:ring-ll:51.9:2/512 524288:ring-simple:81.9:2/512 "
        "1048576:ring-simple:121.2:2/512 2097152:ring-simple:199.9:2/512 "
        "4194304:ring-simple:357.2:2/512 8388608:ring-simple:671.7:2/512 "
        "16777216:ring-simple:1300.9:2/512 33554432:ring-simple:2559.2:2/512 "
        "67108864:ring-simple:5075.8:2/512",
    },
    {
        "icx g4x16/75 g4x16/75 g4x16/75 g4x16/75",
        "2.28.9",
        "ring 1x20 PHB 14 0,1,2,3; tree 1x20 PHB 11 0,1,2,3; channels 2",
        "256:ring-ll:12.6:1/64 512:ring-ll:12.7:1/64 1024:ring-ll:12.8:1/64 "
        "2048:ring-ll:12.9:1/64 4096:ring-ll:13.2:1/128 8192:ring-ll:13.8:1/256 "
        "16384:ring-ll:15.1:1/512 32768:ring-ll:17.5:2/512 65536:ring-ll:22.4:2/512 "
        "131072:ring-ll:32.3:2/512 262144:ring-ll:51.9:2/512 524288:ring-simple:81.9:2/512 "
        "1048576:ring-simple:121.2:2/512 2097152:ring-simple:199.9:2/512 "
        "4194304:ring-simple:357.2:2/512 8388608:ring-simple:671.7:2/512 "
        "16777216:ring-simple:1300.9:2/512 33554432:ring-simple:2559.2:2/512 "
        "67108864:ring-simple:5075.8:2/512",
    },
    {
        "turin [5x16 [5x16 g5x16/75 g5x16/75] [5x16 g5x16/75 g5x16/75]]",
        "2.30.7",
        "ring 2x20 PXB 14 0,1,2,3; tree 2x20 PXB 11 0,1,2,3; channels 4",
        "256:ring-ll:12.6:1/64 512:ring-ll:12.6:1/64 1024:ring-ll:12.7:1/64 "
        "2048:ring-ll:12.8:1/64 4096:ring-ll:12.9:1/128 8192:ring-ll:13.2:1/256 "
        "16384:ring-ll:13.8:1/512 32768:ring-ll:15.1:2/512 65536:ring-ll:17.5:4/512 "
        "131072:ring-ll:22.4:4/512 262144:ring-ll:32.3:4/512 524288:ring-ll:51.9:4/512 "
        "1048576:ring-simple:81.9:4/512 2097152:ring-simple:121.2:4/512 "
        "4194304:ring-simple:199.9:4/512 8388608:ring-simple:357.2:4/512 "
        "16777216:ring-simple:671.7:4/512 33554432:ring-simple:1300.9:4/512 "
        "67108864:ring-simple:2559.2:4/512",
    },
    {
        "turin [5x16 [5x16 g5x16/75 g5x16/75] [5x16 g5x16/75 g5x16/75]]",
        "2.28.9",
        "ring 2x20 PXB 14 0,1,2,3; tree 2x20 PXB 11 0,1,2,3; channels 4",
        "256:ring-ll:12.6:1/64 512:ring-ll:12.6:1/64 1024:ring-ll:12.7:1/64 "
        "2048:ring-ll:12.8:1/64 4096:ring-ll:12.9:1/128 8192:ring-ll:13.2:1/256 "
        "16384:ring-ll:13.8:1/512 32768:ring-ll:15.1:2/512 65536:ring-ll:17.5:4/512 "
        "131072:ring-ll:22.4:4/512 262144:ring-ll:32.3:4/512 524288:ring-ll:51.9:4/512 "
        "1048576:ring-simple:81.9:4/512 2097152:ring-simple:121.2:4/512 "
        "4194304:ring-simple:199.9:4/512 8388608:ring-simple:357.2:4/512 "
        "16777216:ring-simple:671.7:4/512 33554432:ring-simple:1300.9:4/512 "
        "67108864:ring-simple:2559.2:4/512",
    },
    {
        "emr g3x4/75 g3x4/75 | emr g3x4/75",
        "2.30.7",
        "ring 1x0.1 SYS 14 0,1,2; tree 1x3 SYS 11 0,2,1; channels 2",
        "256:tree-ll:11.5:1/64 512:tree-ll:12.2:1/64 1024:tree-ll:13.9:1/128 "
        "2048:tree-ll:17.8:1/256 4096:tree-ll:26.9:1/512 8192:tree-simple:31.8:1/128 "
        "16384:tree-simple:41.4:1/256 32768:tree-simple:64:1/512 65536:tree-simple:103.5:2/512 "
        "131072:tree-simple:214.4:2/512 262144:tree-simple:404.3:2/512 "
        "524288:tree-simple:784.2:2/512 1048576:tree-simple:1544.1:2/512 "
        "2097152:tree-simple:2557.2:2/512 4194304:tree-simple:4366.3:2/512 "
        "8388608:tree-simple:7622.8:2/512 16777216:tree-simple:17392.1:2/512 "
        "33554432:tree-simple:34759.8:2/512 67108864:tree-simple:60811.4:2/512",
    },
    {
        "emr g3x4/75 g3x4/75 | emr g3x4/75",
        "2.28.9",
        "ring 1x0.1 SYS 14 0,1,2; tree 1x3 SYS 11 0,2,1; channels 2",
        "256:tree-ll:11.5:1/64 512:tree-ll:12.2:1/64 1024:tree-ll:13.9:1/128 "
        "2048:tree-ll:17.8:1/256 4096:tree-ll:26.9:1/512 8192:tree-simple:31.8:1/128 "
        "16384:tree-simple:41.4:1/256 32768:tree-simple:64:1/512 65536:tree-simple:103.5:2/512 "
        "131072:tree-simple:214.4:2/512 262144:tree-simple:404.3:2/512 "
        "524288:tree-simple:784.2:2/512 1048576:tree-simple:1544.1:2/512 "
        "2097152:tree-simple:2557.2:2/512 4194304:tree-simple:4366.3:2/512 "
        "8388608:tree-simple:7622.8:2/512 16777216:tree-simple:17392.1:2/512 "
        "33554432:tree-simple:34759.8:2/512 67108864:tree-simple:60811.4:2/512",
    },
    {
        "spr g4x16/70 g4x16/70 | spr g4x16/70",
        "2.30.7",
        "ring 1x20 SYS 14 0,1,2; tree 1x20 SYS 11 0,1,2; channels 2",
        "256:ring-ll:10.6:1/64 512:ring-ll:10.7:1/64 1024:ring-ll:10.7:1/64 "
        "2048:ring-ll:10.9:1/64 4096:ring-ll:11.1:1/128 8192:ring-ll:11.7:1/256 "
        "16384:ring-ll:12.8:1/512 32768:ring-ll:15:2/512 65536:ring-ll:19.3:2/512 "
        "131072:ring-ll:28.1:2/512 262144:ring-ll:45.6:2/512 524288:ring-simple:66.2:2/512 "
        "1048576:ring-simple:101.1:2/512 2097152:ring-simple:171:2/512 "
        "4194304:ring-simple:310.8:2/512 8388608:ring-simple:590.4:2/512 "
        "16777216:ring-simple:1149.7:2/512 33554432:ring-simple:2268.2:2/512 "
        "67108864:ring-simple:4505.1:2/512",
    },
    {
        "spr g4x16/70 g4x16/70 | spr g4x16/70",
        "2.28.9",
        "ring 1x20 SYS 14 0,1,2; tree 1x20 SYS 11 0,1,2; channels 2",
        "256:ring-ll:10.6:1/64 512:ring-ll:10.7:1/64 1024:ring-ll:10.7:1/64 "
        "2048:ring-ll:10.9:1/64 4096:ring-ll:11.1:1/128 8192:ring-ll:11.7:1/256 "
        "16384:ring-ll:12.8:1/512 32768:ring-ll:15:2/512 65536:ring-ll:19.3:2/512 "
        "131072:ring-ll:28.1:2/512 262144:ring-ll:45.6:2/512 524288:ring-simple:66.2:2/512 "
        "1048576:ring-simple:101.1:2/512 2097152:ring-simple:171:2/512 "
        "4194304:ring-simple:310.8:2/512 8388608:ring-simple:590.4:2/512 "
        "16777216:ring-simple:1149.7:2/512 33554432:ring-simple:2268.2:2/512 "
        "67108864:ring-simple:4505.1:2/512",
    },
    {
        "genoa g5x16/120 g5x16/120",
        "2.30.7",
        "ring 2x24 PHB 14 0,1; tree 2x45 PHB 01 0,1; channels 4",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.6:1/64 1024:ring-ll:8.6:1/64 2048:ring-ll:8.7:1/128 "
        "4096:ring-ll:8.8:1/256 8192:ring-ll:8.9:1/512 16384:ring-ll:9.3:2/512 "
        "32768:ring-ll:10:4/512 65536:ring-ll:11.3:4/512 131072:ring-ll:14.1:4/512 "
        "262144:ring-ll:19.5:4/512 524288:ring-ll:30.4:4/512 1048576:ring-simple:41.6:4/512 "
        "2097152:ring-simple:63.5:4/512 4194304:ring-simple:107.2:4/512 "
        "8388608:ring-simple:194.6:4/512 16777216:ring-simple:369.3:4/512 "
        "33554432:ring-simple:718.9:4/512 67108864:ring-simple:1417.9:4/512",
    },
    {
        "genoa g5x16/120 g5x16/120",
        "2.28.9",
        "ring 2x24 PHB 14 0,1; tree 2x40 PHB 01 0,1; channels 4",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.6:1/64 1024:ring-ll:8.6:1/64 2048:ring-ll:8.7:1/128 "
        "4096:ring-ll:8.8:1/256 8192:ring-ll:8.9:1/512 16384:ring-ll:9.3:2/512 "
        "32768:ring-ll:10:4/512 65536:ring-ll:11.3:4/512 131072:ring-ll:14.1:4/512 "
        "262144:ring-ll:19.5:4/512 524288:ring-ll:30.4:4/512 1048576:ring-simple:41.6:4/512 "
        "2097152:ring-simple:63.5:4/512 4194304:ring-simple:107.2:4/512 "
        "8388608:ring-simple:194.6:4/512 16777216:ring-simple:369.3:4/512 "
        "33554432:ring-simple:718.9:4/512 67108864:ring-simple:1417.9:4/512",
    },
    {
        "icx [3x16 g3x16/70 g3x16/70 g3x16/70 g3x16/70] [3x16 g3x16/70 g3x16/70 g3x16/70] "
        "g3x16/70",
        "2.30.7",
        "ring 1x10 PHB 14 0,1,2,3,4,5,6,7; tree 1x10 PHB 11 0,1,2,3,4,5,6,7; channels 2",
        "256:ring-ll:20.7:1/64 512:ring-ll:20.8:1/64 1024:ring-ll:21:1/64 2048:ring-ll:21.3:1/64 "
        "4096:ring-ll:22:1/64 8192:ring-ll:23.5:1/128 16384:ring-ll:26.3:1/256 "
        "32768:ring-ll:32.1:1/512 65536:ring-ll:43.5:2/512 131072:ring-ll:66.5:2/512 "
        "262144:ring-ll:112.4:2/512 524288:ring-simple:180:2/256 1048576:ring-simple:271.7:2/256 "
        "2097152:ring-simple:455.2:2/256 4194304:ring-simple:822.2:2/256 "
        "8388608:ring-simple:1556.2:2/256 16777216:ring-simple:3024.2:2/256 "
        "33554432:ring-simple:5960.2:2/256 67108864:ring-simple:11832.3:2/256",
    },
    {
        "icx [3x16 g3x16/70 g3x16/70 g3x16/70 g3x16/70] [3x16 g3x16/70 g3x16/70 g3x16/70] "
        "g3x16/70",
        "2.28.9",
        "ring 1x10 PHB 14 0,1,2,3,4,5,6,7; tree 1x10 PHB 11 0,1,2,3,4,5,6,7; channels 2",
        "256:ring-ll:20.7:1/64 512:ring-ll:20.8:1/64 1024:ring-ll:21:1/64 2048:ring-ll:21.3:1/64 "
        "4096:ring-ll:22:1/64 8192:ring-ll:23.5:1/128 16384:ring-ll:26.3:1/256 "
        "32768:ring-ll:32.1:1/512 65536:ring-ll:43.5:2/512 131072:ring-ll:66.5:2/512 "
        "262144:ring-ll:112.4:2/512 524288:ring-simple:180:2/256 1048576:ring-simple:271.7:2/256 "
        "2097152:ring-simple:455.2:2/256 4194304:ring-simple:822.2:2/256 "
        "8388608:ring-simple:1556.2:2/256 16777216:ring-simple:3024.2:2/256 "
        "33554432:ring-simple:5960.2:2/256 67108864:ring-simple:11832.3:2/256",
    },
    {
        "turin [4x16 g4x16/120 g4x16/120 g4x16/120 g4x16/120 g4x16/120 g4x16/120 g4x16/120 "
        "g4x16/120]",
        "2.30.7",
        "ring 1x24 PIX 14 0,1,2,3,4,5,6,7; tree 1x24 PIX 11 0,1,2,3,4,5,6,7; channels 2",
        "256:ring-ll:20.6:1/64 512:ring-ll:20.7:1/64 1024:ring-ll:20.7:1/64 "
        "2048:ring-ll:20.9:1/64 4096:ring-ll:21.2:1/64 8192:ring-ll:21.8:1/128 "
        "16384:ring-ll:23:1/256 32768:ring-ll:25.4:1/512 65536:ring-ll:30.2:2/512 "
        "131072:ring-ll:39.7:2/512 262144:ring-ll:58.8:2/512 524288:ring-ll:97.1:2/512 "
        "1048576:ring-simple:164.7:2/512 2097152:ring-simple:241.1:2/512 "
        "4194304:ring-simple:394:2/512 8388608:ring-simple:699.9:2/512 "
        "16777216:ring-simple:1311.5:2/512 33554432:ring-simple:2534.9:2/512 "
        "67108864:ring-simple:4981.6:2/512",
    },
    {
        "turin [4x16 g4x16/120 g4x16/120 g4x16/120 g4x16/120 g4x16/120 g4x16/120 g4x16/120 "
        "g4x16/120]",
        "2.28.9",
        "ring 1x24 PIX 14 0,1,2,3,4,5,6,7; tree 1x24 PIX 11 0,1,2,3,4,5,6,7; channels 2",
        "256:ring-ll:20.6:1/64 512:ring-ll:20.7:1/64 1024:ring-ll:20.7:1/64 "
        "2048:ring-ll:20.9:1/64 4096:ring-ll:21.2:1/64 8192:ring-ll:21.8:1/128 "
        "16384:ring-ll:23:1/256 32768:ring-ll:25.4:1/512 65536:ring-ll:30.2:2/512 "
        "131072:ring-ll:39.7:2/512 262144:ring-ll:58.8:2/512 524288:ring-ll:97.1:2/512 "
        "1048576:ring-simple:164.7:2/512 2097152:ring-simple:241.1:2/512 "
        "4194304:ring-simple:394:2/512 8388608:ring-simple:699.9:2/512 "
        "16777216:ring-simple:1311.5:2/512 33554432:ring-simple:2534.9:2/512 "
        "67108864:ring-simple:4981.6:2/512",
    },
    {
        "emr [5x16 g5x16/80 g5x16/80] | emr [5x16 g5x16/80 g5x16/80]",
        "2.30.7",
        "ring 2x20 SYS 14 0,1,2,3; tree 2x20 SYS 11 0,1,2,3; channels 4",
        "256:ring-ll:12.6:1/64 512:ring-ll:12.6:1/64 1024:ring-ll:12.7:1/64 "
        "2048:ring-ll:12.8:1/64 4096:ring-ll:12.9:1/128 8192:ring-ll:13.2:1/256 "
        "16384:ring-ll:13.8:1/512 32768:ring-ll:15.1:2/512 65536:ring-ll:17.5:4/512 "
        "131072:ring-ll:22.4:4/512 262144:ring-ll:32.3:4/512 524288:ring-ll:51.9:4/512 "
        "1048576:ring-simple:81.9:4/512 2097152:ring-simple:121.2:4/512 "
        "4194304:ring-simple:199.9:4/512 8388608:ring-simple:357.2:4/512 "
        "16777216:ring-simple:671.7:4/512 33554432:ring-simple:1300.9:4/512 "
        "67108864:ring-simple:2559.2:4/512",
    },
    {
        "emr [5x16 g5x16/80 g5x16/80] | emr [5x16 g5x16/80 g5x16/80]",
        "2.28.9",
        "ring 2x20 SYS 14 0,1,2,3; tree 2x20 SYS 11 0,1,2,3; channels 4",
        "256:ring-ll:12.6:1/64 512:ring-ll:12.6:1/64 1024:ring-ll:12.7:1/64 "
        "2048:ring-ll:12.8:1/64 4096:ring-ll:12.9:1/128 8192:ring-ll:13.2:1/256 "
        "16384:ring-ll:13.8:1/512 32768:ring-ll:15.1:2/512 65536:ring-ll:17.5:4/512 "
        "131072:ring-ll:22.4:4/512 262144:ring-ll:32.3:4/512 524288:ring-ll:51.9:4/512 "
        "1048576:ring-simple:81.9:4/512 2097152:ring-simple:121.2:4/512 "
        "4194304:ring-simple:199.9:4/512 8388608:ring-simple:357.2:4/512 "
        "16777216:ring-simple:671.7:4/512 33554432:ring-simple:1300.9:4/512 "
        "67108864:ring-simple:2559.2:4/512",
    },
    {
        "emr [4x8 g4x16/86 g4x16/86]",
        "2.30.7",
        "ring 2x12 PIX 14 0,1; tree 2x20 PIX 01 0,1; channels 4",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.6:1/64 1024:ring-ll:8.7:1/64 2048:ring-ll:8.8:1/128 "
        "4096:ring-ll:8.9:1/256 8192:ring-ll:9.3:1/512 16384:ring-ll:10:2/512 "
        "32768:ring-ll:11.3:4/512 65536:ring-ll:14.1:4/512 131072:ring-ll:19.5:4/512 "
        "262144:ring-ll:30.4:4/512 524288:ring-simple:41.6:4/512 1048576:ring-simple:63.5:4/512 "
        "2097152:ring-simple:107.2:4/512 4194304:ring-simple:194.6:4/512 "
        "8388608:ring-simple:369.3:4/512 16777216:ring-simple:718.9:4/512 "
        "33554432:ring-simple:1417.9:4/512 67108864:ring-simple:2816:4/512",
    },
    {
        "emr [4x8 g4x16/86 g4x16/86]",
        "2.28.9",
        "ring 2x12 PIX 14 0,1; tree 2x20 PIX 01 0,1; channels 4",
        "256:ring-ll:8.6:1/64 512:ring-ll:8.6:1/64 1024:ring-ll:8.7:1/64 2048:ring-ll:8.8:1/128 "
        "4096:ring-ll:8.9:1/256 8192:ring-ll:9.3:1/512 16384:ring-ll:10:2/512 "
        "32768:ring-ll:11.3:4/512 65536:ring-ll:14.1:4/512 131072:ring-ll:19.5:4/512 "
        "262144:ring-ll:30.4:4/512 524288:ring-simple:41.6:4/512 1048576:ring-simple:63.5:4/512 "
        "2097152:ring-simple:107.2:4/512 4194304:ring-simple:194.6:4/512 "
        "8388608:ring-simple:369.3:4/512 16777216:ring-simple:718.9:4/512 "
        "33554432:ring-simple:1417.9:4/512 67108864:ring-simple:2816:4/512",
    },
    {
        "bdw g5x16/80 | bdw g5x16/80 | bdw | bdw",
        "2.30.7",
        "ring 1x6 SYS 14 0,1; tree 1x6 SYS 11 0,1; channels 2",
        "256:ring-ll:8.7:1/64 512:ring-ll:8.8:1/64 1024:ring-ll:8.9:1/64 2048:ring-ll:9.3:1/128 "
        "4096:ring-ll:10:1/256 8192:ring-ll:11.3:1/512 16384:ring-ll:14.1:2/512 "
        "32768:ring-ll:19.5:2/512 65536:ring-ll:30.4:2/512 131072:ring-simple:41.6:2/256 "
        "262144:ring-simple:63.5:2/256 524288:ring-simple:107.2:2/256 "
        "1048576:ring-simple:194.6:2/256 2097152:ring-simple:369.3:2/256 "
        "4194304:ring-simple:718.9:2/256 8388608:ring-simple:1417.9:2/256 "
        "16777216:ring-simple:2816:2/256 33554432:ring-simple:5612.2:2/256 "
        "67108864:ring-simple:11204.6:2/256",
    },
    {
        "bdw g5x16/80 | bdw g5x16/80 | bdw | bdw",
        "2.28.9",
        "ring 1x6 SYS 14 0,1; tree 1x6 SYS 11 0,1; channels 2",
        "256:ring-ll:8.7:1/64 512:ring-ll:8.8:1/64 1024:ring-ll:8.9:1/64 2048:ring-ll:9.3:1/128 "
        "4096:ring-ll:10:1/256 8192:ring-ll:11.3:1/512 16384:ring-ll:14.1:2/512 "
        "32768:ring-ll:19.5:2/512 65536:ring-ll:30.4:2/512 131072:ring-simple:41.6:2/256 "
        "262144:ring-simple:63.5:2/256 524288:ring-simple:107.2:2/256 "
        "1048576:ring-simple:194.6:2/256 2097152:ring-simple:369.3:2/256 "
        "4194304:ring-simple:718.9:2/256 8388608:ring-simple:1417.9:2/256 "
        "16777216:ring-simple:2816:2/256 33554432:ring-simple:5612.2:2/256 "
        "67108864:ring-simple:11204.6:2/256",
    },
    {
        "bdw [5x16 [5x16 g5x16/89 g5x16/89] [5x16 g5x16/89 g5x16/89]] [5x16 [5x16 g5x16/89 "
        "g5x16/89]]",
        "2.30.7",
        "ring 2x20 PHB 14 0,1,2,3,4,5; tree 2x20 PHB 11 0,1,2,3,4,5; channels 4",
        "256:ring-ll:16.6:1/64 512:ring-ll:16.6:1/64 1024:ring-ll:16.7:1/64 "
        "2048:ring-ll:16.8:1/64 4096:ring-ll:16.9:1/64 8192:ring-ll:17.3:1/128 "
        "16384:ring-ll:18:1/256 32768:ring-ll:19.3:1/512 65536:ring-ll:22.1:2/512 "
        "131072:ring-ll:27.5:4/512 262144:ring-ll:38.4:4/512 524288:ring-ll:60.3:4/512 "
        "1048576:ring-ll:104:4/512 2097152:ring-simple:152.8:4/512 "
        "4194304:ring-simple:240.2:4/512 8388608:ring-simple:414.9:4/512 "
        "16777216:ring-simple:764.5:4/512 33554432:ring-simple:1463.5:4/512 "
        "67108864:ring-simple:2861.6:4/512",
    },
    {
        "bdw [5x16 [5x16 g5x16/89 g5x16/89] [5x16 g5x16/89 g5x16/89]] [5x16 [5x16 g5x16/89 "
        "g5x16/89]]",
        "2.28.9",
        "ring 2x20 PHB 14 0,1,2,3,4,5; tree 2x20 PHB 11 0,1,2,3,4,5; channels 4",
        "256:ring-ll:16.6:1/64 512:ring-ll:16.6:1/64 1024:ring-ll:16.7:1/64 "
        "2048:ring-ll:16.8:1/64 4096:ring-ll:16.9:1/64 8192:ring-ll:17.3:1/128 "
        "16384:ring-ll:18:1/256 32768:ring-ll:19.3:1/512 65536:ring-ll:22.1:2/512 "
        "131072:ring-ll:27.5:4/512 262144:ring-ll:38.4:4/512 524288:ring-ll:60.3:4/512 "
        "1048576:ring-ll:104:4/512 2097152:ring-simple:152.8:4/512 "
        "4194304:ring-simple:240.2:4/512 8388608:ring-simple:414.9:4/512 "
        "16777216:ring-simple:764.5:4/512 33554432:ring-simple:1463.5:4/512 "
        "67108864:ring-simple:2861.6:4/512",
    },
    {
        "skx g3x16/90 g3x16/90 g3x16/90 g3x16/90 g3x16/90 g3x16/90 ; 0-1*2 2-3*2 4-5*2",
        "2.30.7",
        "ring 6x3 PHB 04 0,1,2,3,4,5; tree 6x3 PHB 01 0,1,2,3,4,5; channels 12",
        "256:ring-ll:16.6:1/64 512:ring-ll:16.7:1/64 1024:ring-ll:16.8:1/64 2048:ring-ll:17:1/64 "
        "4096:ring-ll:17.4:1/64 8192:ring-ll:18.1:1/128 16384:ring-ll:19.6:1/256 "
        "32768:ring-ll:22.7:1/512 65536:ring-ll:28.7:2/512 131072:ring-ll:40.9:5/512 "
        "262144:ring-ll:65.1:10/512 524288:ring-ll:113.7:12/512 1048576:ring-simple:162.5:12/512 "
        "2097152:ring-simple:259.6:12/512 4194304:ring-simple:453.8:12/512 "
        "8388608:ring-simple:842.1:12/512 16777216:ring-simple:1618.8:12/512 "
        "33554432:ring-simple:3172.3:12/512 67108864:ring-simple:6279.2:12/512",
    },
    {
        "skx g3x16/90 g3x16/90 g3x16/90 g3x16/90 g3x16/90 g3x16/90 ; 0-1*2 2-3*2 4-5*2",
        "2.28.9",
        "ring 6x3 PHB 04 0,1,2,3,4,5; tree 6x3 PHB 01 0,1,2,3,4,5; channels 12",
        "256:ring-ll:16.6:1/64 512:ring-ll:16.7:1/64 1024:ring-ll:16.8:1/64 2048:ring-ll:17:1/64 "
        "4096:ring-ll:17.4:1/64 8192:ring-ll:18.1:1/128 16384:ring-ll:19.6:1/256 "
        "32768:ring-ll:22.7:1/512 65536:ring-ll:28.7:2/512 131072:ring-ll:40.9:5/512 "
        "262144:ring-ll:65.1:10/512 524288:ring-ll:113.7:12/512 1048576:ring-simple:162.5:12/512 "
        "2097152:ring-simple:259.6:12/512 4194304:ring-simple:453.8:12/512 "
        "8388608:ring-simple:842.1:12/512 16777216:ring-simple:1618.8:12/512 "
        "33554432:ring-simple:3172.3:12/512 67108864:ring-simple:6279.2:12/512",
    },
    {
        "genoa g3x4/86 g3x4/86 g3x8/86 g3x4/86",
        "2.30.7",
        "ring 1x3 PHB 14 0,1,2,3; tree 1x3 PHB 11 0,1,2,3; channels 2",
        "256:ring-ll:12.9:1/64 512:ring-ll:13.1:1/64 1024:ring-ll:13.6:1/64 "
        "2048:ring-ll:14.6:1/64 4096:ring-ll:16.7:1/128 8192:ring-ll:20.8:1/256 "
        "16384:ring-ll:29:1/512 32768:ring-ll:45.4:2/512 65536:ring-simple:75.4:2/256 "
        "131072:ring-simple:108.1:2/256 262144:ring-simple:173.7:2/256 "
        "524288:ring-simple:304.7:2/256 1048576:ring-simple:566.9:2/256 "
        "2097152:ring-simple:1091.2:2/256 4194304:ring-simple:2139.8:2/256 "
        "8388608:ring-simple:4236.9:2/256 16777216:ring-simple:8431.2:2/256 "
        "33554432:ring-simple:16819.8:2/256 67108864:ring-simple:33597:2/256",
    },
    {
        "genoa g3x4/86 g3x4/86 g3x8/86 g3x4/86",
        "2.28.9",
        "ring 1x3 PHB 14 0,1,2,3; tree 1x3 PHB 11 0,1,2,3; channels 2",
        "256:ring-ll:12.9:1/64 512:ring-ll:13.1:1/64 1024:ring-ll:13.6:1/64 "
        "2048:ring-ll:14.6:1/64 4096:ring-ll:16.7:1/128 8192:ring-ll:20.8:1/256 "
        "16384:ring-ll:29:1/512 32768:ring-ll:45.4:2/512 65536:ring-simple:75.4:2/256 "
        "131072:ring-simple:108.1:2/256 262144:ring-simple:173.7:2/256 "
        "524288:ring-simple:304.7:2/256 1048576:ring-simple:566.9:2/256 "
        "2097152:ring-simple:1091.2:2/256 4194304:ring-simple:2139.8:2/256 "
        "8388608:ring-simple:4236.9:2/256 16777216:ring-simple:8431.2:2/256 "
        "33554432:ring-simple:16819.8:2/256 67108864:ring-simple:33597:2/256",
    },
    {
        "icx g4x16/90 g4x16/90 g4x16/90 g4x16/90 | icx g4x16/90 g4x16/90 g4x16/90 g4x16/90",
        "2.30.7",
        "ring 3x3 SYS 14 0,1,2,3,4,5,6,7; tree 3x3 SYS 11 0,1,2,3,4,5,6,7; channels 6",
        "256:ring-ll:20.7:1/64 512:ring-ll:20.8:1/64 1024:ring-ll:21:1/64 2048:ring-ll:21.4:1/64 "
        "4096:ring-ll:22.2:1/64 8192:ring-ll:23.8:1/128 16384:ring-ll:27:1/256 "
        "32768:ring-ll:33.3:1/512 65536:ring-ll:46.1:2/512 131072:ring-ll:71.6:4/512 "
        "262144:ring-ll:122.5:6/512 524288:ring-simple:190.1:6/256 "
        "1048576:ring-simple:292.1:6/256 2097152:ring-simple:496:6/256 "
        "4194304:ring-simple:903.8:6/256 8388608:ring-simple:1719.3:6/256 "
        "16777216:ring-simple:3350.4:6/256 33554432:ring-simple:6612.7:6/256 "
        "67108864:ring-simple:13137.1:6/256",
    },
    {
        "icx g4x16/90 g4x16/90 g4x16/90 g4x16/90 | icx g4x16/90 g4x16/90 g4x16/90 g4x16/90",
        "2.28.9",
        "ring 3x3 SYS 14 0,1,2,3,4,5,6,7; tree 3x3 SYS 11 0,1,2,3,4,5,6,7; channels 6",
        "256:ring-ll:20.7:1/64 512:ring-ll:20.8:1/64 1024:ring-ll:21:1/64 2048:ring-ll:21.4:1/64 "
        "4096:ring-ll:22.2:1/64 8192:ring-ll:23.8:1/128 16384:ring-ll:27:1/256 "
        "32768:ring-ll:33.3:1/512 65536:ring-ll:46.1:2/512 131072:ring-ll:71.6:4/512 "
        "262144:ring-ll:122.5:6/512 524288:ring-simple:190.1:6/256 "
        "1048576:ring-simple:292.1:6/256 2097152:ring-simple:496:6/256 "
        "4194304:ring-simple:903.8:6/256 8388608:ring-simple:1719.3:6/256 "
        "16777216:ring-simple:3350.4:6/256 33554432:ring-simple:6612.7:6/256 "
        "67108864:ring-simple:13137.1:6/256",
    },
    {
        "bdw g3x8/89 g3x16/89 g3x4/89 | bdw g3x16/89 g3x16/89 g3x16/89",
        "2.30.7",
        "ring 1x3 SYS 14 0,1,3,4,2,5; tree 1x3 SYS 11 0,1,3,4,5,2; channels 2",
        "256:ring-ll:16.9:1/64 512:ring-ll:17.2:1/64 1024:ring-ll:17.7:1/64 "
        "2048:ring-ll:18.9:1/64 4096:ring-ll:21.2:1/64 8192:ring-ll:25.7:1/128 "
        "16384:ring-ll:34.8:1/256 32768:ring-ll:53:1/512 65536:ring-ll:89.4:2/512 "
        "131072:ring-simple:138.2:2/256 262144:ring-simple:211:2/256 "
        "524288:ring-simple:356.7:2/256 1048576:ring-simple:647.9:2/256 "
        "2097152:ring-simple:1230.5:2/256 4194304:ring-simple:2395.6:2/256 "
        "8388608:ring-simple:4725.7:2/256 16777216:ring-simple:9386.1:2/256 "
        "33554432:ring-simple:18706.8:2/256 67108864:ring-simple:37348.1:2/256",
    },
    {
        "bdw g3x8/89 g3x16/89 g3x4/89 | bdw g3x16/89 g3x16/89 g3x16/89",
        "2.28.9",
        "ring 1x3 SYS 14 0,1,3,4,2,5; tree 1x3 SYS 11 0,1,3,4,5,2; channels 2",
        "256:ring-ll:16.9:1/64 512:ring-ll:17.2:1/64 1024:ring-ll:17.7:1/64 "
        "2048:ring-ll:18.9:1/64 4096:ring-ll:21.2:1/64 8192:ring-ll:25.7:1/128 "
        "16384:ring-ll:34.8:1/256 32768:ring-ll:53:1/512 65536:ring-ll:89.4:2/512 "
        "131072:ring-simple:138.2:2/256 262144:ring-simple:211:2/256 "
        "524288:ring-simple:356.7:2/256 1048576:ring-simple:647.9:2/256 "
        "2097152:ring-simple:1230.5:2/256 4194304:ring-simple:2395.6:2/256 "
        "8388608:ring-simple:4725.7:2/256 16777216:ring-simple:9386.1:2/256 "
        "33554432:ring-simple:18706.8:2/256 67108864:ring-simple:37348.1:2/256",
    },
    {
        "spr g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 ; 0-1*2 "
        "2-3*2 4-5*2 6-7*2",
        "2.30.7",
        "ring 4x20 PHB 04 0,1,2,3,4,5,6,7; tree 4x20 PHB 01 0,1,2,3,4,5,6,7; channels 8",
        "256:ring-ll:20.6:1/64 512:ring-ll:20.6:1/64 1024:ring-ll:20.6:1/64 "
        "2048:ring-ll:20.7:1/64 4096:ring-ll:20.8:1/64 8192:ring-ll:21:1/128 "
        "16384:ring-ll:21.3:1/256 32768:ring-ll:22:1/512 65536:ring-ll:23.5:2/512 "
        "131072:ring-ll:26.3:4/512 262144:ring-ll:32.1:8/512 524288:ring-ll:43.5:8/512 "
        "1048576:ring-ll:66.5:8/512 2097152:ring-ll:112.4:8/512 4194304:ring-simple:180:8/512 "
        "8388608:ring-simple:271.7:8/512 16777216:ring-simple:455.2:8/512 "
        "33554432:ring-simple:822.2:8/512 67108864:ring-simple:1556.2:8/512",
    },
    {
        "spr g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 g5x16/89 ; 0-1*2 "
        "2-3*2 4-5*2 6-7*2",
        "2.28.9",
        "ring 4x20 PHB 04 0,1,2,3,4,5,6,7; tree 4x20 PHB 01 0,1,2,3,4,5,6,7; channels 8",
        "256:ring-ll:20.6:1/64 512:ring-ll:20.6:1/64 1024:ring-ll:20.6:1/64 "
        "2048:ring-ll:20.7:1/64 4096:ring-ll:20.8:1/64 8192:ring-ll:21:1/128 "
        "16384:ring-ll:21.3:1/256 32768:ring-ll:22:1/512 65536:ring-ll:23.5:2/512 "
        "131072:ring-ll:26.3:4/512 262144:ring-ll:32.1:8/512 524288:ring-ll:43.5:8/512 "
        "1048576:ring-ll:66.5:8/512 2097152:ring-ll:112.4:8/512 4194304:ring-simple:180:8/512 "
        "8388608:ring-simple:271.7:8/512 16777216:ring-simple:455.2:8/512 "
        "33554432:ring-simple:822.2:8/512 67108864:ring-simple:1556.2:8/512",
    },
    {
        "icx [5x8 g5x16/90 g5x16/90 g5x16/90 g5x16/90 g5x16/90 g5x16/90]",
        "2.30.7",
        "ring 2x24 PIX 14 0,1,2,3,4,5; tree 2x24 PIX 11 0,1,2,3,4,5; channels 4",
        "256:ring-ll:16.6:1/64 512:ring-ll:16.6:1/64 1024:ring-ll:16.7:1/64 "
        "2048:ring-ll:16.7:1/64 4096:ring-ll:16.9:1/64 8192:ring-ll:17.2:1/128 "
        "16384:ring-ll:17.7:1/256 32768:ring-ll:18.9:1/512 65536:ring-ll:21.2:2/512 "
        "131072:ring-ll:25.7:4/512 262144:ring-ll:34.8:4/512 524288:ring-ll:53:4/512 "
        "1048576:ring-ll:89.4:4/512 2097152:ring-simple:138.2:4/512 "
        "4194304:ring-simple:211:4/512 8388608:ring-simple:356.7:4/512 "
        "16777216:ring-simple:647.9:4/512 33554432:ring-simple:1230.5:4/512 "
        "67108864:ring-simple:2395.6:4/512",
    },
    {
        "icx [5x8 g5x16/90 g5x16/90 g5x16/90 g5x16/90 g5x16/90 g5x16/90]",
        "2.28.9",
        "ring 2x24 PIX 14 0,1,2,3,4,5; tree 2x24 PIX 11 0,1,2,3,4,5; channels 4",
        "256:ring-ll:16.6:1/64 512:ring-ll:16.6:1/64 1024:ring-ll:16.7:1/64 "
        "2048:ring-ll:16.7:1/64 4096:ring-ll:16.9:1/64 8192:ring-ll:17.2:1/128 "
        "16384:ring-ll:17.7:1/256 32768:ring-ll:18.9:1/512 65536:ring-ll:21.2:2/512 "
        "131072:ring-ll:25.7:4/512 262144:ring-ll:34.8:4/512 524288:ring-ll:53:4/512 "
        "1048576:ring-ll:89.4:4/512 2097152:ring-simple:138.2:4/512 "
        "4194304:ring-simple:211:4/512 8388608:ring-simple:356.7:4/512 "
        "16777216:ring-simple:647.9:4/512 33554432:ring-simple:1230.5:4/512 "
        "67108864:ring-simple:2395.6:4/512",
    },
};

#endif
