/* NCCL's search, paths, tuning and memory, against NCCL's own answers (nccl_answers.h) and against
 * machines whose answers can be said by hand. */
#include "nccl_machine.h"

#include "nccl/select.h"
#include "nccl/trace.h"
#include "expl/eval.h"
#include "model/facts.h"
#include "nccl_answers.h"

/* A machine's answers, with the program that prices message sizes. */
typedef struct asked {
    const ks_nccl_result *result;
    ks_program *program;
    ks_plan *plan;
    int bytes;
} asked;

static const ks_nccl_model *load(world *w, const char *version)
{
    static const char *folders[1];
    const char *source = getenv("top_srcdir");
    folders[0] = ks_to_c(w->arena, ks_format(w->arena, "%s/models", source ? source : "."));
    ks_catalog catalog = {.diags = &w->diags, .folders = folders, .n_folders = 1};
    return ks_nccl_load(&catalog, ks_from_c(version), (ks_span){0});
}

static const ks_nccl_result *select_with(world *w, const char *machine, const char *version,
                                         int64_t ranks, const char *name, const char *value)
{
    ks_nccl_setting setting = {
        .name = ks_from_c(name ? name : ""), .value = ks_from_c(value ? value : "")};
    ks_nccl_ask ask = {.ranks = ranks, .env = &setting, .n_env = name ? 1 : 0};
    const ks_nccl_model *model = load(w, version);
    assert_non_null(model);
    return ks_nccl_select(&w->diags, model, machine_from(w, machine), &ask);
}

static asked ask_with(world *w, const char *machine, const char *version, const char *name,
                      const char *value)
{
    forget_diags(w);
    asked a = {.result = select_with(w, machine, version, 0, name, value)};
    if (!a.result)
        print_error("%s\n%.*s\n", machine, KS_ARG(written(w)));
    assert_non_null(a.result);
    a.program = ks_program_new(&w->diags, 1);
    a.bytes = ks_define_input(a.program, KS_STR("x.bytes"), KS_GIVEN, (ks_type){KS_WHOLE, KS_BYTE},
                              (ks_cell){.i = 4096}, (ks_span){0}, KS_STR("message"));
    ks_define_input(a.program, KS_STR("ranks"), KS_GIVEN, (ks_type){KS_WHOLE, KS_NO_DIM},
                    (ks_cell){.i = (int64_t)a.result->ranks}, (ks_span){0}, KS_STR("ranks"));
    bool good = ks_define_nccl(a.program, a.result, KS_STR("x.")) && ks_link(a.program);
    if (!good)
        print_error("%s\n%.*s\n", machine, KS_ARG(written(w)));
    assert_true(good);
    a.plan = ks_plan_new(a.program, &a.bytes, 1, 1);
    ks_plan_run(a.plan);
    return a;
}

static asked ask(world *w, const char *machine, const char *version)
{
    return ask_with(w, machine, version, NULL, NULL);
}

static void set_bytes(asked *a, int64_t bytes)
{
    ks_plan_set(a->plan, a->bytes, 0, (ks_cell){.i = bytes});
    ks_plan_run(a->plan);
}

static double value(const asked *a, const char *name)
{
    ks_str full = ks_format(a->program->arena, "x.nccl.%s", name);
    int def = ks_find(a->program, full);
    if (def < 0)
        print_error("no quantity %.*s\n", KS_ARG(full));
    assert_true(def >= 0);
    return ks_plan_real(a->plan, def, 0, 0);
}

static ks_str word(const asked *a, const char *name)
{
    int def = ks_find(a->program, ks_format(a->program->arena, "x.nccl.%s", name));
    assert_true(def >= 0);
    return ks_word_text(a->program, ks_plan_get(a->plan, def, 0, 0).i);
}

/* ---- NCCL's own answers ---------------------------------------------------------------------------- */

static void add_found(ks_builder *b, const ks_nccl_found *f, size_t ranks, bool with_order)
{
    static const int numbers[] = {4, 1, 3, 5};
    ks_addf(b, "%lldx%g %s %d%d", (long long)f->channels, f->bandwidth / 1e9,
            ks_nccl_path_word(f->type), f->same_channels, numbers[f->pattern]);
    for (size_t i = 0; with_order && i < ranks; i++)
        ks_addf(b, "%c%d", i ? ',' : ' ', f->order[i]);
}

static ks_str found_text(ks_arena *arena, const ks_nccl_result *r)
{
    ks_builder b = {.arena = arena};
    ks_addf(&b, "ring ");
    add_found(&b, &r->ring, r->ranks, true);
    ks_addf(&b, "; tree ");
    add_found(&b, &r->tree, r->ranks, true);
    if (r->nvls.channels) {
        ks_addf(&b, "; nvls ");
        add_found(&b, &r->nvls, r->ranks, false);
    }
    ks_addf(&b, "; channels %lld", (long long)r->channels);
    return ks_built(&b);
}

/* Times are given to a tenth of a microsecond, large ones to six digits. */
static void check_pick(asked *a, const char *row, ks_str pick)
{
    ks_str rest, protocol;
    int64_t bytes = strtoll(ks_to_c(a->program->arena, ks_cut(pick, ':', &rest)), NULL, 10);
    ks_str choice = ks_cut(rest, ':', &rest);
    double us = strtod(ks_to_c(a->program->arena, ks_cut(rest, ':', &rest)), NULL);
    set_bytes(a, bytes);
    CHECK_TEXT(row, word(a, "pick"), ks_to_c(a->program->arena, choice));
    CHECK(row, fabs(value(a, "estimate") * 1e6 - us) <= 0.0501 + us * 1e-5);
    ks_str algorithm = ks_cut(choice, '-', &protocol);
    ks_nccl_width width = ks_nccl_width_for(a->result, algorithm, protocol, bytes);
    ks_str got = ks_format(a->program->arena, "%lld/%lld", (long long)width.channels,
                           (long long)width.threads);
    CHECK_TEXT(row, got, ks_to_c(a->program->arena, rest));
}

static void own_answers(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(nccl_answers); i++) {
        const nccl_answer *row = &nccl_answers[i];
        asked a = ask(w, row->machine, row->version);
        CHECK_TEXT(row->machine, found_text(w->arena, a.result), row->found);
        CHECK(row->machine, a.result->model->checked);
        for (ks_str rest = ks_from_c(row->picks); rest.n;)
            check_pick(&a, row->machine, ks_cut(rest, ' ', &rest));
    }
}

/* ---- Machines as people have them -------------------------------------------------------------------- */

#define DIRECT4 "g5x16/120 g5x16/120 g5x16/120 g5x16/120"
#define SWITCH4 "[5x16 " DIRECT4 "]"
#define H100 "g5x16/90 g5x16/90 g5x16/90 g5x16/90"
#define B200 "g5x16/100 g5x16/100 g5x16/100 g5x16/100"
#define EIGHT_DIRECT "turin " DIRECT4 " " DIRECT4
#define TWO_SOCKETS "turin " DIRECT4 " | turin " DIRECT4
#define L40S "g4x16/89 g4x16/89 g4x16/89 g4x16/89"

static void usual_machines(void **state)
{
    world *w = *state;
    static const struct {
        const char *machine;
        int64_t rings;
        double ring;
        const char *type;
        double tree;
        int64_t channels;
        bool fallback;
    } rows[] = {
        {"turin g5x16/120 g5x16/120", 2, 24, "PHB", 45, 4, false},
        {"turin " DIRECT4, 2, 24, "PHB", 24, 4, false},
        {"turin " SWITCH4, 2, 24, "PIX", 24, 4, false},
        {EIGHT_DIRECT, 2, 24, "PHB", 24, 4, false},
        {"turin " SWITCH4 " " SWITCH4, 2, 24, "PHB", 24, 4, false},
        {"turin [5x16 " DIRECT4 " " DIRECT4 "]", 2, 24, "PIX", 24, 4, false},
        {TWO_SOCKETS, 1, 0.1, "SYS", 0.1, 2, true},
        {"turin g5x16/120 g5x16/120 | turin g5x16/120 g5x16/120", 1, 0.1, "SYS", 0.1, 2, true},
        {"spr " DIRECT4 " | spr " DIRECT4, 1, 20, "SYS", 20, 2, false},
        {"genoa " L40S " | genoa " L40S, 1, 15, "SYS", 15, 2, false},
        {"spr " H100, 2, 20, "PHB", 20, 4, false},
        {"spr " H100 " | spr " H100 " ; all*18", 12, 30, "NVL", 30, 24, false},
        {"emr " B200 " | emr " B200 " ; all*18", 16, 45, "NVL", 45, 32, false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        const ks_nccl_result *r = ask(w, rows[i].machine, "2.30.7").result;
        CHECK_WHOLE(rows[i].machine, r->ring.channels, rows[i].rings);
        CHECK_REAL(rows[i].machine, r->ring.bandwidth, rows[i].ring * 1e9, 1e-6);
        CHECK_TEXT(rows[i].machine, ks_from_c(ks_nccl_path_word(r->ring.type)), rows[i].type);
        CHECK_REAL(rows[i].machine, r->tree.bandwidth, rows[i].tree * 1e9, 1e-6);
        CHECK_WHOLE(rows[i].machine, r->channels, rows[i].channels);
        CHECK_WHOLE(rows[i].machine, r->fallback, rows[i].fallback);
        CHECK_WHOLE(rows[i].machine, r->numa_fallback, rows[i].fallback);
    }
}

/* Latency in us and bandwidth in GB/s: ring LL, ring Simple, tree LL, tree Simple. */
static void tuning(void **state)
{
    world *w = *state;
    static const char *const names[] = {"ring_ll", "ring_simple", "tree_ll", "tree_simple"};
    static const struct {
        const char *machine;
        double expected[4][2];
    } rows[] = {
        {"turin g5x16/120 g5x16/120", {{8.6, 24}, {19.8, 48}, {8.8, 10.894736842}, {16.4, 41.4}}},
        {"turin " DIRECT4, {{12.6, 16}, {42.6, 32}, {12.8, 5.810526316}, {32.4, 22.08}}},
        {EIGHT_DIRECT,
         {{20.6, 13.714285714}, {88.2, 27.428571429}, {20.8, 5.810526316}, {64.4, 22.08}}},
        {TWO_SOCKETS,
         {{20.6, 0.0285714286}, {88.2, 0.0571428571}, {20.8, 0.0121052632}, {64.4, 0.046}}},
        {"spr " H100 " | spr " H100 " ; all*18",
         {{15, 80.571428571}, {56, 205.714285714}, {15.2, 43.578947368}, {64.4, 165.6}}},
        {"emr " B200 " | emr " B200 " ; all*18",
         {{15, 161.142857143}, {56, 411.428571429}, {15.2, 87.157894737}, {64.4, 331.2}}},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        asked a = ask(w, rows[i].machine, "2.30.7");
        for (size_t k = 0; k < KS_COUNT(names); k++) {
            const char *latency = ks_to_c(w->arena, ks_format(w->arena, "%s.latency", names[k]));
            const char *rate = ks_to_c(w->arena, ks_format(w->arena, "%s.bandwidth", names[k]));
            CHECK_REAL(latency, value(&a, latency) * 1e6, rows[i].expected[k][0], 1e-9);
            CHECK_REAL(rate, value(&a, rate) / 1e9, rows[i].expected[k][1], 1e-6);
        }
    }
    asked h100 = ask(w, rows[4].machine, "2.30.7"), b200 = ask(w, rows[5].machine, "2.30.7");
    CHECK_REAL("H100 NVLS", value(&h100, "nvls_simple.bandwidth") / 1e9, 272, 1e-6);
    CHECK_REAL("B200 NVLS", value(&b200, "nvls_simple.bandwidth") / 1e9, 411.428571429, 1e-6);
    CHECK_REAL("H100 LL128", value(&h100, "ring_ll128.bandwidth") / 1e9, 189.257142857, 1e-6);
    CHECK_REAL("H100 LL128", value(&h100, "tree_ll128.latency") * 1e6, 31.5, 1e-9);
}

/* ---- Paths, switches, NVLink ------------------------------------------------------------------------- */

static ks_str path_text(ks_arena *arena, const ks_nccl_result *r, size_t from, size_t to)
{
    ks_nccl_pair p = r->paths[from * r->ranks + to];
    return ks_format(arena, "%s/%g", ks_nccl_path_word(p.type), p.bandwidth / 1e9);
}

static void paths(void **state)
{
    world *w = *state;
    static const struct {
        const char *machine, *version;
        size_t from, to;
        const char *path;
    } rows[] = {
        {"turin " SWITCH4 " " SWITCH4, "2.30.7", 0, 3, "PIX/48"},
        {"turin " SWITCH4 " " SWITCH4, "2.30.7", 3, 4, "PHB/48"},
        {"turin [5x16 [4x8 g4x16/89 g3x4/89] g4x16/89]", "2.28.9", 0, 1, "PIX/3"},
        {"turin [5x16 [4x8 g4x16/89 g3x4/89] g4x16/89]", "2.28.9", 0, 2, "PXB/12"},
        {TWO_SOCKETS, "2.30.7", 0, 4, "SYS/16"},
        {"icx g4x16/80 | icx g4x16/80", "2.30.7", 1, 0, "SYS/10"},
        {"bdw g4x16/80 | bdw g4x16/80", "2.30.7", 1, 0, "SYS/6"},
        {"spr g4x16/80 | spr g4x16/80", "2.30.7", 1, 0, "SYS/22"},
        {"spr g4x16/80 | spr g4x16/80", "2.25.1", 1, 0, "SYS/10"},
        {"emr g6x16/80 | emr g6x16/80", "2.30.7", 1, 0, "SYS/40"},
        {"yongfeng g4x16/80 | yongfeng g4x16/80", "2.30.7", 1, 0, "SYS/9"},
        {"arm g4x16/80 | arm g4x16/80", "2.30.7", 1, 0, "SYS/6"},
        {"emr g2x16/70 g1x16/70", "2.30.7", 0, 1, "PHB/3"},
        {"turin g5x16/86 g5x16/86 ; 0-1*4", "2.30.7", 0, 1, "NVL/48"},
        {"turin g5x16/89 g5x16/89 ; 0-1*4", "2.30.7", 0, 1, "NVL/80"},
        {"turin g5x16/90 g5x16/90 ; 0-1*2 0-1*4", "2.30.7", 0, 1, "NVL/123.6"},
        /* Past one GPU, not past two. */
        {"spr g3x16/70 g3x16/70 g3x16/70 g3x16/70 ; 0-1*2 1-2*1 2-3*2", "2.28.9", 0, 2, "NVB/20"},
        {"spr g3x16/70 g3x16/70 g3x16/70 g3x16/70 ; 0-1*2 1-2*1 2-3*2", "2.28.9", 0, 3, "PHB/12"},
        /* Before 2.30 the wider of two paths of one length wins, since then the nearer kind. */
        {"spr [4x16 g5x16/80 g5x16/80 g5x16/80] ; 0-1*2 1-2*2", "2.28.9", 0, 2, "PIX/48"},
        {"spr [4x16 g5x16/80 g5x16/80 g5x16/80] ; 0-1*2 1-2*2", "2.30.7", 0, 2, "NVB/40"},
        /* A Broadcom switch that shows itself as two levels is one; its sister is not. */
        {"spr [4x16@1000c0101000a000 [4x16@1000c0101000a001 g4x16/80] [4x16@1000c0101000a002 "
         "g4x16/80]]",
         "2.30.7", 0, 1, "PIX/24"},
        {"spr [5x16@1000c03010000000 [5x16@1000c03010001000 g5x16/80] [5x16@1000c03010001000 "
         "g5x16/80]]",
         "2.30.7", 0, 1, "PIX/48"},
        {"spr [5x16@1000c03010001000 [5x16@1000c03010001000 g5x16/80] [5x16@1000c03010001000 "
         "g5x16/80]]",
         "2.30.7", 0, 1, "PXB/48"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        const ks_nccl_result *r = ask(w, rows[i].machine, rows[i].version).result;
        CHECK_TEXT(rows[i].machine, path_text(w->arena, r, rows[i].from, rows[i].to), rows[i].path);
    }
}

/* ---- Settings ---------------------------------------------------------------------------------------- */

static void transports(void **state)
{
    world *w = *state;
    static const struct {
        const char *machine, *version, *name, *value, *transport, *level;
    } rows[] = {
        {EIGHT_DIRECT, "2.30.7", NULL, NULL, "shm", "PXB"},
        {EIGHT_DIRECT, "2.22.3", NULL, NULL, "p2p", "SYS"},
        {"spr " DIRECT4, "2.22.3", NULL, NULL, "shm", "PXB"},
        {"turin g5x16/120 g5x16/120", "2.30.7", NULL, NULL, "p2p", "SYS"},
        {"spr g5x16/120 g5x16/120", "2.30.7", NULL, NULL, "shm", "PXB"},
        {EIGHT_DIRECT, "2.30.7", "NCCL_P2P_LEVEL", "PHB", "p2p", "PHB"},
        {TWO_SOCKETS, "2.30.7", "NCCL_P2P_LEVEL", "PHB", "shm", "PHB"},
        {TWO_SOCKETS, "2.30.7", "NCCL_P2P_LEVEL", "4", "p2p", "SYS"},
        {TWO_SOCKETS, "2.30.7", "NCCL_P2P_LEVEL", "99", "p2p", "SYS"},
        {"turin " SWITCH4, "2.30.7", NULL, NULL, "p2p", "PXB"},
        {"turin " SWITCH4, "2.30.7", "NCCL_P2P_DISABLE", "1", "shm", "LOC"},
        {"turin " SWITCH4, "2.30.7", "NCCL_P2P_DISABLE", "0", "p2p", "PXB"},
        {"spr " H100 " ; all*18", "2.30.7", NULL, NULL, "nvlink", "PXB"},
        {"spr " H100 " ; all*18", "2.30.7", "NCCL_P2P_LEVEL", "LOC", "shm", "LOC"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        asked a = ask_with(w, rows[i].machine, rows[i].version, rows[i].name, rows[i].value);
        CHECK_TEXT(rows[i].machine, word(&a, "transport"), rows[i].transport);
        CHECK_TEXT(rows[i].machine, word(&a, "p2p_level"), rows[i].level);
    }
    /* The driver's refusal leaves NVLink alone. */
    ks_topology *t = machine_from(w, "turin " SWITCH4 " ; 0-1*4 2-3*4");
    t->p2p = KS_NO;
    ks_nccl_ask plain = {.ranks = 4};
    const ks_nccl_result *r = ks_nccl_select(&w->diags, load(w, "2.30.7"), t, &plain);
    assert_non_null(r);
    CHECK_WHOLE("0-1", r->edges[0].transport, KS_NCCL_BY_NVLINK);
    CHECK_WHOLE("1-2", r->edges[1].transport, KS_NCCL_BY_SHM);
}

static void settings(void **state)
{
    world *w = *state;
    static const struct {
        const char *name, *value, *pick;
        int64_t channels;
    } rows[] = {
        {NULL, NULL, "ring-ll", 4},
        {"NCCL_PROTO", "Simple", "tree-simple", 4},
        {"NCCL_PROTO", "^LL", "tree-ll128", 4},
        {"NCCL_PROTO", "LL128", "tree-ll128", 4},
        {"NCCL_PROTO", "LL,simple", "ring-ll", 4},
        {"NCCL_ALGO", "Tree", "tree-ll", 4},
        {"NCCL_ALGO", "^ring", "tree-ll", 4},
        {"NCCL_ALGO", "broadcast:Tree", "ring-ll", 4},
        {"NCCL_ALGO", "Ring;allreduce:tree", "tree-ll", 4},
        {"NCCL_MIN_NCHANNELS", "8", "ring-ll", 8},
        {"NCCL_MAX_NCHANNELS", "2", "ring-ll", 2},
        {"NCCL_MAX_CTAS", "1", "ring-ll", 1},
        {"NCCL_MIN_NCHANNELS", "999", "ring-ll", 64},
        {"NCCL_IGNORE_CPU_AFFINITY", "1", "ring-ll", 4},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        asked a = ask_with(w, EIGHT_DIRECT, "2.30.7", rows[i].name, rows[i].value);
        set_bytes(&a, 16384);
        CHECK_TEXT(rows[i].value ? rows[i].value : "plain", word(&a, "pick"), rows[i].pick);
        CHECK_WHOLE(rows[i].value ? rows[i].value : "plain", a.result->channels, rows[i].channels);
    }
    const ks_nccl_result *nvls = select_with(w, "spr " H100 " ; all*18", "2.30.7", 0,
                                             "NCCL_NVLS_ENABLE", "0");
    CHECK_WHOLE("NVLS off", nvls->nvls.channels, 0);
}

static void refusals(void **state)
{
    world *w = *state;
    static const struct {
        const char *machine;
        int64_t ranks;
        const char *name, *value, *code;
    } rows[] = {
        {"turin " DIRECT4, 5, NULL, NULL, "N002"},
        {"turin g5x16/120 g5x16/0", 0, NULL, NULL, "N003"},
        {"turin " DIRECT4, 0, "NCCL_P2P_LEVEL", "PHBX", "N004"},
        {"turin " DIRECT4, 0, "NCCL_ALGO", "Ring,Star", "N004"},
        {"turin " DIRECT4, 0, "NCCL_PROTO", "LL256", "N004"},
        {"turin " DIRECT4, 0, "NCCL_BUFFSIZE", "4M", "N004"},
        {"turin " DIRECT4, 0, "NCCL_SHM_DISABLE", "1", "N005"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        forget_diags(w);
        CHECK(rows[i].code, !select_with(w, rows[i].machine, "2.30.7", rows[i].ranks, rows[i].name,
                                         rows[i].value));
        ks_str got = ks_slice(summary(w), 0, 4);
        CHECK_TEXT(rows[i].name ? rows[i].value : rows[i].machine, got, rows[i].code);
    }
}

/* ---- Versions ---------------------------------------------------------------------------------------- */

static void versions(void **state)
{
    world *w = *state;
    static const struct {
        const char *version, *said;
        double ring; /* GB/s of a channel of eight GPUs on two Turin sockets */
    } rows[] = {
        {"2.21.5", "warning N001", 15},  {"2.22.3", "warning N001", 15},
        {"2.23.4", "warning N001", 15},
        {"2.24.3", "warning N001", 15},
        {"2.25.1", "warning N001", 0.1},
        {"2.26.2", "warning N001", 0.1},
        {"2.27.7", "warning N001", 0.1},
        {"2.28.9", "", 0.1},
        {"2.28.3", "warning N001", 0.1},
        {"2.29.2", "warning N001", 0.1},
        {"2.30.7", "", 0.1},
        {"2.99.1", "warning N001", 0.1},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        asked a = ask(w, TWO_SOCKETS, rows[i].version);
        CHECK_TEXT(rows[i].version, summary(w), rows[i].said);
        CHECK_REAL(rows[i].version, a.result->ring.bandwidth, rows[i].ring * 1e9, 1e-6);
        CHECK_WHOLE(rows[i].version, a.result->numa_fallback, rows[i].ring < 1);
    }
    forget_diags(w);
    CHECK("2.10.3", !load(w, "2.10.3"));
    CHECK_TEXT("2.10.3", ks_slice(summary(w), 0, 4), "M002");
}

/* ---- Memory ------------------------------------------------------------------------------------------ */

static void memory(void **state)
{
    world *w = *state;
    const double MIB = 1 << 20;
    asked p2p = ask(w, "turin " SWITCH4, "2.30.7");
    CHECK_REAL("4 channels", value(&p2p, "ring_bytes"), 48 * MIB, 0);
    CHECK_REAL("4 channels", value(&p2p, "communicator_bytes"), 58 * MIB, 0);
    CHECK_REAL("no host memory", value(&p2p, "host_bytes"), 0, 0);
    asked old = ask(w, "turin " SWITCH4, "2.21.5");
    CHECK_REAL("trees from the start", value(&old, "communicator_bytes"),
               2 * value(&old, "ring_bytes") + 10 * MIB, 0);
    asked h100 = ask(w, "spr " H100 " | spr " H100 " ; all*18", "2.30.7");
    CHECK_REAL("24 channels", value(&h100, "ring_bytes"), 288 * MIB, 0);
    CHECK_REAL("24 channels", value(&h100, "nvls_bytes"), 256 * MIB, 0);
    asked b200 = ask(w, "emr " B200 " | emr " B200 " ; all*18", "2.30.7");
    CHECK_REAL("32 channels", value(&b200, "nvls_bytes"), 384 * MIB, 0);
    asked shm = ask(w, EIGHT_DIRECT, "2.30.7");
    CHECK_REAL("in host memory", value(&shm, "ring_bytes"), 0, 0);
    CHECK_REAL("a segment", value(&shm, "segment_bytes"), 9637888, 0);
    CHECK_REAL("8 edges, 4 channels", value(&shm, "host_bytes"), 32 * (9637888 + 4096), 0);
    asked small = ask_with(w, "turin " SWITCH4, "2.30.7", "NCCL_BUFFSIZE", "1048576");
    /* 4096 + 524288 + 4915200 + 1048576 B need four pages of 2 MiB. */
    CHECK_REAL("1 MiB buffers", value(&small, "ring_bytes"), 4 * (8 + 2) * MIB, 0);
}

/* ---- Properties -------------------------------------------------------------------------------------- */

static const char *const some_machines[] = {
    EIGHT_DIRECT,
    "turin " SWITCH4 " " SWITCH4,
    "spr " H100 " | spr " H100 " ; all*18",
    "icx [4x16 g4x16/86 g4x8/86] | icx [4x16 g4x16/86 g4x16/86] ; 0-1*4 2-3*4",
    "spr g3x16/70 g3x16/70 g3x16/70 g3x16/70 ; 0-1*2 1-2*1 2-3*2 0-3*1",
};

/* Other numbers for the GPUs give the same answers with other numbers. */
static void numbers_do_not_matter(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(some_machines); i++) {
        const char *row = some_machines[i];
        const ks_nccl_result *r = ask(w, row, "2.30.7").result;
        ks_str text = machine_xml(w->arena, row, true);
        ks_topology *t = ks_topology_from_xml(&w->diags,
                                              ks_source_new(w->arena, KS_STR("m"), text));
        ks_nccl_ask plain = {0};
        const ks_nccl_result *other = ks_nccl_select(&w->diags, r->model, t, &plain);
        assert_non_null(other);
        CHECK_WHOLE(row, other->ring.channels, r->ring.channels);
        CHECK_REAL(row, other->ring.bandwidth, r->ring.bandwidth, 0);
        CHECK_REAL(row, other->tree.bandwidth, r->tree.bandwidth, 0);
        CHECK_WHOLE(row, other->channels, r->channels);
        for (size_t k = 0; k < r->ranks; k++)
            CHECK_WHOLE(row, other->ring.order[k], (int)r->ranks - 1 - r->ring.order[k]);
        CHECK_TEXT(row, path_text(w->arena, other, r->ranks - 1, 0),
                   ks_to_c(w->arena, path_text(w->arena, r, 0, r->ranks - 1)));
    }
}

/* The first ranks of a machine are a machine without the others. */
static void fewer_ranks(void **state)
{
    world *w = *state;
    static const char *const rows[][2] = {
        {EIGHT_DIRECT, "turin " DIRECT4},
        {TWO_SOCKETS, "turin " DIRECT4},
        {"turin " SWITCH4 " " SWITCH4, "turin " SWITCH4},
        {"spr " H100 " | spr " H100 " ; all*18", "spr " H100 " ; all*18"},
        {"icx [4x16 g4x16/86 g4x8/86] | icx [4x16 g4x16/86 g4x16/86] | icx g4x16/86 ; 0-1*4 3-4*4",
         "icx [4x16 g4x16/86 g4x8/86] | icx [4x16 g4x16/86 g4x16/86] ; 0-1*4"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        const ks_nccl_result *few = select_with(w, rows[i][0], "2.30.7", 4, NULL, NULL);
        const ks_nccl_result *all = select_with(w, rows[i][1], "2.30.7", 0, NULL, NULL);
        CHECK_TEXT(rows[i][0], found_text(w->arena, few),
                   ks_to_c(w->arena, found_text(w->arena, all)));
    }
    const ks_nccl_result *one = select_with(w, EIGHT_DIRECT, "2.30.7", 1, NULL, NULL);
    CHECK_WHOLE("one rank", one->ranks, 1);
    CHECK_WHOLE("one rank", one->transport, KS_NCCL_BY_NONE);
}

/* A larger message never takes less time by one choice, nor fewer channels and threads. */
static void larger_is_longer(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(some_machines); i++) {
        asked a = ask(w, some_machines[i], "2.28.9");
        double before = 0;
        ks_nccl_width narrow = {0, 0};
        for (int64_t bytes = 64; bytes < (int64_t)1 << 30; bytes += bytes / 3 + 1) {
            set_bytes(&a, bytes);
            double now = value(&a, "ring_ll.estimate");
            ks_nccl_width width = ks_nccl_width_for(a.result, KS_STR("ring"), KS_STR("ll"), bytes);
            CHECK(some_machines[i], now > before && value(&a, "estimate") <= now);
            CHECK(some_machines[i],
                  width.channels >= narrow.channels && width.threads >= narrow.threads);
            before = now;
            narrow = width;
        }
    }
}

/* What was tried is told, in a bounded number of lines. */
static void traces(void **state)
{
    world *w = *state;
    const ks_nccl_result *r = ask(w, TWO_SOCKETS, "2.30.7").result;
    bool told = false;
    for (size_t i = 0; i < r->n_trace; i++)
        told |= ks_equal_c(r->trace[i],
                           "ring, 18 GB/s a channel, paths PHB to SYS: nothing: more than the link "
                           "NUMA node 0 -> NUMA node 1, 16 GB/s");
    for (size_t i = 0; !told && i < r->n_trace; i++)
        print_error("%.*s\n", KS_ARG(r->trace[i]));
    CHECK("the link between the sockets", told);
    for (size_t i = 0; i < KS_COUNT(some_machines); i++) {
        r = ask(w, some_machines[i], "2.30.7").result;
        CHECK(some_machines[i], r->n_trace > 3 && r->n_trace <= KS_NCCL_MOST_TRACE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(own_answers), IN_WORLD(usual_machines),
        IN_WORLD(tuning),      IN_WORLD(paths),
        IN_WORLD(transports),  IN_WORLD(settings),
        IN_WORLD(refusals),    IN_WORLD(versions),
        IN_WORLD(memory),      IN_WORLD(numbers_do_not_matter),
        IN_WORLD(fewer_ranks), IN_WORLD(larger_is_longer),
        IN_WORLD(traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
