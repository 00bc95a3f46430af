/* Tables of custom kernels' times, and matrices of p2pBandwidthLatencyTest. */
#include "support.h"

#include "read/benchcsv.h"

/* ---- CSV. -------------------------------------------------------------------------------------------------- */

static ks_str runs_text(const world *w, const ks_runs *runs)
{
    ks_builder b = {.arena = w->arena};
    for (size_t i = 0; i < runs->n; i++) {
        const ks_run *run = &runs->items[i];
        ks_addf(&b, "%s%lld %.*s:", i ? " | " : "", (long long)run->ranks, KS_ARG(run->algorithm));
        for (size_t k = 0; k < run->timings.n; k++)
            ks_addf(&b, " %lld=%.10g", (long long)run->timings.items[k].bytes, run->timings.items[k].time * 1e6);
    }
    return ks_built(&b);
}

static void csv(void **state)
{
    static const struct {
        const char *text;
        int64_t ranks;
        const char *want, *diags;
    } rows[] = {
        {"bytes,time_us\n4096,8.51\n65536,26.4\n", 8, "8 : 4096=8.51 65536=26.4", ""},
        {"# times\n\n time_ms , \"bytes\"\r\n0.0085 , 4 KiB \r\n", 4, "4 : 4096=8.5", ""},
        {"bytes,time_us,algorithm,ranks\n4096,8.5,custom-1stage,8\n4096,6.5,custom-1stage,4\n8192,9.25,"
         "custom-1stage,8\n4096,10.75,custom-2stage,8\n",
         2, "8 custom-1stage: 4096=8.5 8192=9.25 | 4 custom-1stage: 4096=6.5 | 8 custom-2stage: 4096=10.75", ""},
        {"bytes,time_ns\n1 MiB,85250\n", 8, "8 : 1048576=85.25", ""},
        {"bytes,time\n1,2\n", 8, "", "B001 t:1:7 [time] ?time_ns"},
        {"bytes,time_us,bytes\n", 8, "", "B001 t:1:15 [bytes]"},
        {"time_us\n1\n", 8, "", "B001 t:1:1 [time_us]"},
        {"bytes,time_us\n4096\n", 8, "", "B001 t:2:1 [4096]"},
        {"bytes,time_us\n4096,1,2\n", 8, "", "B001 t:2:1 [4096,1,2]"},
        {"bytes,time_us\n0,1.5\n", 8, "", "B001 t:2:1 [0]"},
        {"bytes,time_us\n-4096,1.5\n", 8, "", "B001 t:2:1 [-4096]"},
        {"bytes,time_us\n4096 us,1.5\n", 8, "", "B001 t:2:1 [4096 us]"},
        {"bytes,time_us\n99999999999999999999,1.5\n", 8, "", "B001 t:2:1 [99999999999999999999]"},
        {"bytes,time_us\n4096,nan\n", 8, "", "B001 t:2:6 [nan]"},
        {"bytes,time_us\n4096,0\n", 8, "", "B001 t:2:6 [0]"},
        {"bytes,time_us\n4096,1e99\n", 8, "", "B001 t:2:6 [1e99]"},
        {"bytes,time_us,ranks\n4096,1.5,1\n", 8, "", "B001 t:2:10 [1]"},
        {"bytes,time_us\n4096,1.5\n", 0, "", "B003 t:2:1 [4096,1.5]"},
        {"bytes,time_us\n", 8, "", "B004 t:1:1 []"},
        {"", 8, "", "B004 t []"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        world *w = *state;
        forget_diags(w);
        ks_runs runs = {NULL, 0, 0};
        const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_from_c(rows[i].text));
        bool good = ks_read_benchcsv(&w->diags, source, rows[i].ranks, &runs);
        ks_str diags = summary(w);
        size_t n = strlen(rows[i].diags);
        CHECK_TEXT(rows[i].text, ks_slice(diags, 0, n ? n : diags.n), rows[i].diags);
        CHECK(rows[i].text, good == (rows[i].want[0] != '\0'));
        if (good)
            CHECK_TEXT(rows[i].text, runs_text(w, &runs), rows[i].want);
    }
}

/* ---- Matrices. ----------------------------------------------------------------------------------------------- */

static ks_str matrices_text(const world *w, const ks_p2p_matrices *all)
{
    static const char *const kinds[] = {"access", "one", "both", "latency"};
    ks_builder b = {.arena = w->arena};
    for (size_t i = 0; i < all->n; i++) {
        const ks_p2p_matrix *m = &all->items[i];
        ks_addf(&b, "%s%s%s:", i ? " | " : "", kinds[m->kind], m->enabled ? "+" : "");
        for (size_t k = 0; k < m->n * m->n; k++)
            ks_addf(&b, " %.6g", m->cells[k]);
        ks_addf(&b, " ~%.6g", ks_p2p_median(w->arena, m));
    }
    return ks_built(&b);
}

static void p2p(void **state)
{
    static const struct {
        const char *text, *want, *diags;
    } rows[] = {
        {"[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\nDevice: 0, X\nDevice=0 CAN Access Peer Device=1\n"
         "P2P Connectivity Matrix\n     D\\D     0     1\n     0\t     1     1\n     1\t     1     1\n"
         "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1 \n     0 1550.50  18.25 \n"
         "     1  19.75 1549.00 \n"
         "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1 \n"
         "     0 1550.50  55.25 \n     1    N/A 1549.00 \n"
         "Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n   D\\D     0      1 \n     0 1 102.5\n     1 103.5 1\n"
         "P2P=Enabled Latency (P2P Writes) Matrix (us)\n   GPU     0      1 \n     0   2.07   0.75 \n"
         "     1   0.85   2.13 \n\n   CPU     0      1 \n     0   1.50   1.25 \n     1   1.25   1.50 \n",
         "access: 1 1 1 1 ~1 | one: 1.5505e+12 1.825e+10 1.975e+10 1.549e+12 ~1.9e+10 | "
         "one+: 1.5505e+12 5.525e+10 nan 1.549e+12 ~5.525e+10 | both+: 1e+09 1.025e+11 1.035e+11 1e+09 ~1.03e+11 | "
         "latency+: 2.07e-06 7.5e-07 8.5e-07 2.13e-06 ~8e-07", ""},
        {"P2P=Disabled Latency Matrix (us)\n GPU 0 1\n 0 1.5\n", "", "B001 t:3:1 [ 0 1.5]"},
        {"P2P=Disabled Latency Matrix (us)\n GPU 0 1\n 0 1.5 x\n", "", "B001 t:3:8 [x]"},
        {"P2P=Disabled Latency Matrix (us)\n GPU 0 1\n 0 1.5 2\n 2 1 1\n", "", "B001 t:4:2 [2]"},
        {"P2P=Disabled Latency Matrix (us)\n GPU 0 1\n 0 1.5 2\n", "",
         "B001 t:1:1 [P2P=Disabled Latency Matrix (us)]"},
        {"P2P=Disabled Latency Matrix (us)\n GPU 0 2\n", "", "B001 t:2:1 [ GPU 0 2]"},
        {"P2P=Disabled Latency Matrix (us)\n", "", "B004 t:1:1 []"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        world *w = *state;
        forget_diags(w);
        ks_p2p_matrices all = {NULL, 0, 0};
        const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_from_c(rows[i].text));
        CHECK(rows[i].text, ks_is_p2p(source));
        bool good = ks_read_p2p(&w->diags, source, &all);
        CHECK_TEXT(rows[i].text, summary(w), rows[i].diags);
        CHECK(rows[i].text, good == (rows[i].want[0] != '\0'));
        if (good)
            CHECK_TEXT(rows[i].text, matrices_text(w, &all), rows[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(csv), IN_WORLD(p2p)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
