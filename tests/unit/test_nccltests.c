/* The reader of nccl-tests output: layouts, ranks, protocols, other collectives, broken rows. */
#include "support.h"

#include "read/nccltests.h"

#define HEAD(threads, gpus) "# nThread " threads " nGpus " gpus " minBytes 1024 maxBytes 4096 graph: 0\n"
#define COLUMNS "#  size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"

/* "8 ranks ll graph wrong 0: 1024=1.5e-05@2:40 ..." for each run. */
static ks_str runs_text(const world *w, const ks_runs *runs)
{
    static const char *const protocols[] = {
#define X(name, word) word,
        KS_PROTOCOLS(X)
#undef X
    };
    ks_builder b = {.arena = w->arena};
    for (size_t i = 0; i < runs->n; i++) {
        const ks_run *run = &runs->items[i];
        ks_addf(&b, "%s%lld", i ? " | " : "", (long long)run->ranks);
        if (run->protocol)
            ks_addf(&b, " %s", protocols[run->protocol]);
        ks_addf(&b, "%s%s%s", run->tree ? " tree" : "", run->in_graph ? " graph" : "",
                run->eager ? " eager" : "");
        if (run->wrong)
            ks_addf(&b, " wrong %lld", (long long)run->wrong);
        for (size_t k = 0; k < run->timings.n; k++) {
            const ks_timing *t = &run->timings.items[k];
            ks_position p = ks_position_of(t->at);
            ks_addf(&b, " %lld=%.10g@%u:%u", (long long)t->bytes, t->time * 1e6, p.line, p.column);
        }
    }
    return ks_built(&b);
}

typedef struct row {
    const char *name, *text;
    int64_t ranks;
    const char *want, *diags;
} row;

static const row rows[] = {
    {"both groups, the shorter time",
     HEAD("1", "8") COLUMNS
     "  1024  256  float  sum  -1  15.33  0.07  0.12  0  15.19  0.07  0.12  0\n"
     "  4096 1024  float  sum  -1  16.25  0.25  0.44  0  17.50  0.23  0.41  0\n",
     0, "8 eager 1024=15.19@3:52 4096=16.25@4:30", ""},
    {"one group, no root, integers",
     HEAD("2", "4") "8192 2048 half sum 31 0.26 0.46 0\n1048576 524288 half sum 100 10.49 18.35 0\n", 0,
     "8 eager 8192=31@2:20 1048576=100@3:25", ""},
    {"N/A for the time of one group, and for wrong",
     HEAD("1", "4") "65536 16384 bfloat16 sum -1 N/A N/A N/A N/A 25.5 2.57 3.86 N/A\n", 0,
     "4 eager 65536=25.5@2:45", ""},
    {"N/A for all: the row tells nothing; size 0 too",
     HEAD("1", "4") "0 0 float sum -1 0.20 0.00 0.00 0\n65536 16384 float sum -1 N/A N/A N/A N/A\n"
                    "131072 32768 float sum -1 42.44 3.09 4.63 0\n",
     0, "4 eager 131072=42.44@4:27", ""},
    {"Rank lines count more than nGpus",
     HEAD("1", "1") "#  Rank  0 Group  0 Pid 11 on a device 0\n#  Rank  5 Group  0 Pid 12 on a device 5\n"
                    "1048576 262144 float sum -1 25.00 41.94 69.90 0\n",
     0, "6 eager 1048576=25@4:29", ""},
    {"ranks from the ratio", "1048576 262144 float sum -1 25.00 41.94 69.90 0\n", 0,
     "6 1048576=25@1:29", ""},
    {"the user's ranks", HEAD("1", "1") "1024 256 float sum -1 25.00 0.04 0.07 0\n", 8,
     "8 eager 1024=25@2:23", ""},
    {"several runs, protocols and graphs",
     "$ NCCL_PROTO=LL NCCL_ALGO=Ring ./all_reduce_perf -g 2\n"
     "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 graph: 20\n1024 256 float sum -1 7.25 0.14 0.14 0\n"
     "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 graph: 0\n"
     "host:1:1 [0] NCCL INFO NCCL_PROTO set by environment to Simple\n1024 256 float sum -1 9.5 0.11 0.11 0\n"
     COLUMNS "1024 256 float sum -1 8.5 0.12 0.12 0\n",
     2, "2 ll graph 1024=7.25@3:23 | 2 simple eager 1024=9.5@6:23 | 2 1024=8.5@8:23", ""},
    {"trees; lists of protocols force none",
     "NCCL_ALGO=Tree NCCL_PROTO=LL,Simple\n" HEAD("1", "2") "1024 256 float sum -1 7.25 0.14 0.14 0\n", 0,
     "2 tree eager 1024=7.25@3:23", ""},
    {"tags of mpirun, carriage returns, other lines",
     "[1,0]<stdout>:# nThread 1 nGpus 4 minBytes 8 maxBytes 8\r\n[1,0]<stdout>: 1024 256 float sum -1 12.5 "
     "0.08 0.12 0\r\n2024-05-01 12:00:00 hello\n99 bottles of beer\n",
     0, "4 1024=12.5@2:38", ""},
    {"wrong results", HEAD("1", "2") "1024 256 float sum -1 7.25 0.14 0.14 3 7.5 0.14 0.14 4\n", 0,
     "2 eager wrong 7 1024=7.25@2:23",
     "warning B006 t:1:1 [# nThread 1 nGpus 2 minBytes 1024 maxBytes 4096 graph: 0]"},
    {"cut off", HEAD("1", "2") "1024 256 float sum -1 7.25 0.14 0.14 0\n2048 512 float sum -1 7.5 0.2\n\n", 0,
     "2 eager 1024=7.25@2:23", "warning B007 t:3:1 [2048 512 float sum -1 7.5 0.2]"},
    {"cut off, and rows behind it", HEAD("1", "2") "2048 512 float sum -1 7.5 0.2\n1024 256 float sum -1 7 0 0 0\n",
     0, "", "B001 t:2:1 [2048 512 float sum -1 7.5 0.2]"},
    {"a word for a number", HEAD("1", "2") "1024 256 float sum -1 7.2x 0.14 0.14 0\n", 0, "",
     "B001 t:2:23 [7.2x]"},
    {"no time at all", HEAD("1", "2") "1024 256 float sum -1 0.00 0.14 0.14 0\n", 0, "", "B001 t:2:23 [0.00]"},
    {"milliseconds", HEAD("1", "8") "1048576 262144 float sum -1 0.085 12.34 21.59 0\n", 0, "",
     "B001 t:2:35 [12.34]"},
    {"all-gather, by its bandwidths",
     HEAD("1", "8") "1048576 262144 float none -1 100.0 10.49 9.18 0\n", 0, "", "B002 t:2:42 [9.18]"},
    {"broadcast, by its bandwidths", HEAD("1", "8") "1048576 262144 float none 0 100.0 10.49 10.49 0\n", 0, "",
     "B002 t:2:41 [10.49]"},
    {"all-gather, by its name", "# Collective test starting: all_gather_perf\n", 0, "", "B002 t:1:29 [all_gather_perf]"},
    {"another number of ranks", HEAD("1", "8") "1048576 262144 float sum -1 100.0 10.49 15.73 0\n", 0, "",
     "B003 t:2:41 [15.73]"},
    {"another number than the user's", HEAD("1", "4") "1048576 262144 float sum -1 100.0 10.49 15.73 0\n", 8, "",
     "B003 t:2:41 [15.73]"},
    {"nobody tells the ranks", "1024 256 float sum -1 25.00 0.04 0.07 0\n", 0, "",
     "B003 t:1:1 [1024 256 float sum -1 25.00 0.04 0.07 0]"},
    {"nothing", "", 0, "", "B004 t []"},
    {"a header alone", HEAD("1", "8") COLUMNS, 0, "", "B004 t:1:1 []"},
};

static void tables(void **state)
{
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        world *w = *state;
        forget_diags(w);
        ks_runs runs = {NULL, 0, 0};
        const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_from_c(rows[i].text));
        bool good = ks_read_nccltests(&w->diags, source, rows[i].ranks, &runs);
        CHECK_TEXT(rows[i].name, summary(w), rows[i].diags);
        CHECK(rows[i].name, good == (rows[i].want[0] != '\0'));
        if (good)
            CHECK_TEXT(rows[i].name, runs_text(w, &runs), rows[i].want);
    }
}

static void recognised(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        bool is;
    } texts[] = {{HEAD("1", "8"), true},
                 {"1024 256 float sum\n", true},
                 {"[1,3]<stdout>:1024 256 half\n", true},
                 {"bytes,time_us\n1024,7.5\n", false},
                 {"1024 7.5\n", false},
                 {"", false}};
    for (size_t i = 0; i < KS_COUNT(texts); i++) {
        const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_from_c(texts[i].text));
        CHECK(texts[i].text, ks_is_nccltests(source) == texts[i].is);
    }
}

/* Many rows and runs end in a message, not in exhaustion. */
static void limits(void **state)
{
    world *w = *state;
    ks_builder b = {.arena = w->arena};
    ks_runs runs = {NULL, 0, 0};
    for (int i = 0; i <= KS_MAX_RUNS; i++)
        ks_add(&b, KS_STR("# nThread 1 nGpus 2 minBytes 8 maxBytes 8\n1024 256 float sum -1 7 0 0 0\n"));
    const ks_source *source = ks_source_new(w->arena, KS_STR("t"), ks_built(&b));
    CHECK("runs", !ks_read_nccltests(&w->diags, source, 0, &runs));
    CHECK_TEXT("runs", ks_slice(summary(w), 0, 13), "B001 t:1001:1");
    forget_diags(w);
    b.n = 0;
    ks_add(&b, KS_STR("# nThread 1 nGpus 2 minBytes 8 maxBytes 8\n"));
    for (int i = 0; i <= KS_MAX_TIMINGS; i++)
        ks_add(&b, KS_STR("1024 256 float sum -1 7 0 0 0\n"));
    source = ks_source_new(w->arena, KS_STR("t"), ks_built(&b));
    runs = (ks_runs){NULL, 0, 0};
    CHECK("rows", !ks_read_nccltests(&w->diags, source, 0, &runs));
    CHECK_TEXT("rows", ks_slice(summary(w), 0, 14), "B001 t:20002:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(tables), IN_WORLD(recognised), IN_WORLD(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
