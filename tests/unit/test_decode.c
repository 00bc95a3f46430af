/* What a decode step reads and takes, against values worked out by hand; and what must hold between
 * results whatever the numbers are. Runs through the public interface. */
#include "library.h"

#include <math.h>

static const char kimi[] = "kvsim: 1\nengine: sglang 0.5.9\nllm: kimi-k2.5-int4\n"
                           "machine: {gpu: rtx-pro-6000-workstation, sockets: [{id: 0, vendor: amd, cpu: turin}],\n"
                           "  switches: [{id: s0, at: 0, gen: 5, width: 16}, {id: s1, at: 0, gen: 5, width: 16}],\n"
                           "  gpus: [{id: 0, at: s0}, {id: 1, at: s0}, {id: 2, at: s0}, {id: 3, at: s0},\n"
                           "         {id: 4, at: s1}, {id: 5, at: s1}, {id: 6, at: s1}, {id: 7, at: s1}],\n"
                           "  regime: healthy, nccl: {env: {NCCL_P2P_LEVEL: SYS}}}\n"
                           "launch: {tp-size: 8}\n";
static const char drafts[] = "assume: {decode.drafted: 3, decode.acceptance: 0.61}\n";

/* A decode report of Kimi with more lines and up to two settings (NULL: none). */
static kvsim_report *decode(kvsim *k, const char *more, const char *set, const char *also,
                            bool *consistent)
{
    char text[2048];
    bool ignored;
    int n = snprintf(text, sizeof text, "%s%s", kimi, more);
    kvsim_scenario *s = kvsim_load_text(k, "decode", text, (size_t)n);
    s = s && set ? kvsim_set(k, s, set) : s;
    s = s && also ? kvsim_set(k, s, also) : s;
    kvsim_report *report = s ? kvsim_decode(k, s, consistent ? consistent : &ignored) : NULL;
    if (!report)
        kvsim_write_diagnostics(k, false, complain, NULL);
    assert_non_null(report);
    return report;
}

static double value_of(const kvsim_report *report, const char *name)
{
    kvsim_value value;
    if (!kvsim_quantity(report, name, &value))
        fail_msg("no quantity %s", name);
    return value.value;
}

/* ---- Weights --------------------------------------------------------------------------------- */

/* Of 384 experts each token draws 8: 384 (1 - (1 - 8/384)^M). */
static const struct {
    int tokens;
    double experts;
} draws[] = {
    {1, 8.0}, {2, 15.833333333333}, {4, 31.013816550926}, {8, 59.522797640773}, {32, 188.231378711510},
};

static void test_experts(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    for (size_t i = 0; i < sizeof draws / sizeof *draws; i++) {
        char set[64];
        snprintf(set, sizeof set, "workload.concurrent=%d", draws[i].tokens);
        const kvsim_report *report = decode(k, "", set, NULL, NULL);
        double even = 384 * (1 - pow(1 - 8.0 / 384, draws[i].tokens));
        CHECK_REAL(set, value_of(report, "plain.experts"), even, 1e-12);
        CHECK_REAL(set, value_of(report, "plain.experts"), draws[i].experts, 1e-12);
        CHECK_REAL(set, value_of(report, "plain.bytes"), 14336.0 * draws[i].tokens, 0);
    }
    kvsim_close(k);
}

/* Bytes of one rank of eight for one token, from the shapes in config.json. */
static void test_weights(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    const kvsim_report *report = decode(k, "", NULL, NULL, NULL);
    const double hidden = 7168, expert = 2048 * hidden, layers = 61;
    const struct {
        const char *name;
        double bytes;
    } rows[] = {
        /* INT4 by groups of 32: half a byte and a 16-bit scale for 32 */
        {"plain.read.experts", 60 * 8 * 3 * expert * (0.5 + 2.0 / 32) / 8},
        {"plain.read.shared", 60 * 3 * expert * 2 / 8},
        {"plain.read.mlp", 3 * 18432 * hidden * 2 / 8},
        {"plain.read.head", 163840 * hidden * 2 / 8},
        {"plain.read.router", 60 * 384 * hidden * 2},
        {"plain.read.attention", layers * 2 * ((1536 + 512 + 64) * hidden + 64 * 192 * 1536 / 8)},
        {"plain.read.attention_out", layers * 2 * hidden * 64 * 128 / 8},
        {"plain.read.absorbed", layers * 2 * 64 * 256 * 512 / 8},
        {"plain.read.vision", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        CHECK_REAL(rows[i].name, value_of(report, rows[i].name), rows[i].bytes, 1e-9); /* a share, rounded up */
    /* 33.0 GB in all GPUs but for what each of them holds; 6.03 GB and 3.96 ms on one */
    CHECK_REAL("weights", value_of(report, "plain.weights_read"), 6.03e9, 0.01);
    CHECK_REAL("time", value_of(report, "plain.weights_time"), 3.96e-3, 0.01);
    CHECK_REAL("four tokens", value_of(decode(k, "", "workload.concurrent=4", NULL, NULL),
                                       "plain.weights_time"), 6.77e-3, 0.01);
    CHECK_REAL("eight tokens", value_of(decode(k, "", "workload.concurrent=8", NULL, NULL),
                                        "plain.weights_time"), 10.25e-3, 0.01);
    kvsim_close(k);
}

static void test_cache(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    const char *more = "workload: {context: 12345, concurrent: 7}\n";
    const kvsim_report *report = decode(k, more, NULL, NULL, NULL);
    /* one compressed row a token and layer, the same on every rank */
    CHECK_REAL("rows", value_of(report, "decode.kv_bytes"), 7.0 * 12345 * 61 * 576 * 2, 0);
    report = decode(k, more, "kv-cache-dtype=fp8_e4m3", NULL, NULL);
    CHECK_REAL("fp8", value_of(report, "decode.kv_bytes"), 7.0 * 12345 * 61 * 576, 0);
    CHECK_REAL("calls", value_of(report, "decode.allreduces"), 122, 0);
    kvsim_close(k);
}

/* ---- Speculative decoding -------------------------------------------------------------------- */

static void test_accept_length(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    const kvsim_report *report = decode(k, drafts, NULL, NULL, NULL);
    CHECK_REAL("0.61", value_of(report, "decode.accept_length"),
               1 + 0.61 + 0.61 * 0.61 + 0.61 * 0.61 * 0.61, 1e-12);
    report = decode(k, drafts, "decode.acceptance=1", NULL, NULL);
    CHECK_REAL("all", value_of(report, "decode.accept_length"), 4, 0);
    report = decode(k, drafts, "decode.acceptance=0", NULL, NULL);
    CHECK_REAL("none", value_of(report, "decode.accept_length"), 1, 1e-12);
    report = decode(k, "", NULL, NULL, NULL);
    CHECK_REAL("no drafts", value_of(report, "decode.accept_length"), 1, 0);
    CHECK_REAL("no drafts", value_of(report, "decode.gain"), 1, 1e-12);
    kvsim_close(k);
}

/* With the length at which drafts pay, and with the all-reduce at which they do, nothing is gained. */
static void test_break_even(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    char set[96];
    const kvsim_report *report = decode(k, drafts, NULL, NULL, NULL);
    double gain = value_of(report, "decode.gain");
    snprintf(set, sizeof set, "decode.accept_length=%.17g",
             value_of(report, "decode.break_even_length"));
    CHECK_REAL("length", value_of(decode(k, drafts, set, NULL, NULL), "decode.gain"), 1, 1e-9);
    snprintf(set, sizeof set, "verify.allreduce_each=%.17g us",
             1e6 * value_of(report, "decode.break_even_allreduce"));
    CHECK_REAL("all-reduce", value_of(decode(k, drafts, set, NULL, NULL), "decode.gain"), 1, 1e-9);
    CHECK_REAL("implied", value_of(report, "decode.implied_length"),
               value_of(report, "decode.accept_length"), 1e-12);
    CHECK_REAL("gain", gain, value_of(report, "decode.accept_length") /
                                 value_of(report, "decode.break_even_length"), 1e-12);
    kvsim_close(k);
}

/* A public account: 89.5 tokens/s leave 4.57 ms, which the verification then has as well. */
static void test_anchor(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    const char *measured = "assume: {decode.drafted: 3}\nmeasured: {plain.rate: 89.5 token/s}\n";
    const kvsim_report *report = decode(k, measured, NULL, NULL, NULL);
    CHECK_REAL("rest", value_of(report, "plain.fixed_implied"), 4.57e-3, 0.01);
    CHECK_REAL("observed", value_of(report, "plain.observed"), 1 / 89.5, 1e-12);
    CHECK_REAL("four tokens", value_of(report, "verify.graph_step"), 14.4e-3, 0.01);
    report = decode(k, measured, "decode.drafted=7", NULL, NULL);
    CHECK_REAL("eight tokens", value_of(report, "verify.graph_step"), 18.4e-3, 0.01);
    kvsim_close(k);
}

/* ---- What was measured ----------------------------------------------------------------------- */

static const struct {
    const char *measured;
    bool consistent;
} claims[] = {
    {"measured: {decode.rate: 89.5 token/s}\n", true},
    {"measured: {decode.rate: 38 token/s}\n", false},
    {"measured: {plain.step: 11.17 ms}\n", true},
    {"measured: {plain.step: 1.117 ms}\n", false},
    {"measured: {plain.allreduce_each: 21.6 us, decode.rate: 89.5 token/s}\n", true},
    {"measured: {plain.allreduce_each: 246 us}\n", false},
    {"workload: {context: 4, concurrent: 1}\n", true},
};

static void test_claims(void **state)
{
    (void)state;
    kvsim *k = open_handle();
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        bool consistent;
        decode(k, claims[i].measured, NULL, NULL, &consistent);
        if (consistent != claims[i].consistent)
            fail_msg("%s is%s consistent", claims[i].measured, consistent ? "" : " not");
    }
    kvsim_close(k);
}

/* ---- Whatever the numbers are ---------------------------------------------------------------- */

/* A quantity may not fall while an input rises. */
static void test_rising(void **state)
{
    (void)state;
    static const struct {
        const char *input, *values[5], *output;
    } rows[] = {
        {"workload.context", {"0", "1", "1000", "65536", "1000000"}, "decode.cycle"},
        {"workload.concurrent", {"1", "2", "9", "64", "500"}, "decode.cycle"},
        {"workload.concurrent", {"1", "2", "9", "64", "500"}, "plain.weights_read"},
        {"workload.concurrent", {"1", "2", "9", "64", "500"}, "decode.rate"},
        {"decode.drafted", {"0", "1", "3", "7", "15"}, "verify.step"},
        {"decode.acceptance", {"0", "0.3", "0.61", "0.99", "1"}, "decode.rate"},
        {"decode.draft_layers", {"0", "1", "2", "5", "61"}, "decode.cycle"},
        {"decode.fixed_layer", {"0 us", "1 us", "80 us", "90 us", "1 ms"}, "decode.cycle"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        kvsim *k = open_handle(); /* one for each row keeps memory flat */
        double before = -1;
        for (size_t v = 0; v < 5; v++) {
            char set[64];
            snprintf(set, sizeof set, "%s=%s", rows[i].input, rows[i].values[v]);
            double now = value_of(decode(k, "assume: {decode.drafted: 3}\n", set, NULL, NULL),
                                  rows[i].output);
            if (!(now >= before))
                fail_msg("%s falls to %.17g at %s", rows[i].output, now, set);
            before = now;
        }
        kvsim_close(k);
    }
}

/* The terms of a step are all of it. */
static void test_terms(void **state)
{
    (void)state;
    static const char *const mores[] = {
        "", "assume: {decode.graph: false}\n", "measured: {plain.rate: 71 token/s}\n",
        "workload: {context: 30000, concurrent: 33}\nassume: {decode.drafted: 4}\n"};
    static const char *const terms[] = {"weights_time", "kv_time", "allreduce_time",
                                        "fixed_time",   "rest",    "eager_time"};
    kvsim *k = open_handle();
    for (size_t i = 0; i < sizeof mores / sizeof *mores; i++)
        for (int step = 0; step < 2; step++) {
            const char *prefix = step ? "verify" : "plain";
            const kvsim_report *report = decode(k, mores[i], NULL, NULL, NULL);
            char name[64];
            double sum = 0;
            for (size_t t = 0; t < sizeof terms / sizeof *terms; t++) {
                snprintf(name, sizeof name, "%s.%s", prefix, terms[t]);
                sum += value_of(report, name);
            }
            snprintf(name, sizeof name, "%s.predicted", prefix);
            CHECK_REAL(name, sum, value_of(report, name), 1e-12);
        }
    kvsim_close(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_experts),       cmocka_unit_test(test_weights),
        cmocka_unit_test(test_cache),         cmocka_unit_test(test_accept_length),
        cmocka_unit_test(test_break_even),    cmocka_unit_test(test_anchor),
        cmocka_unit_test(test_claims),        cmocka_unit_test(test_rising),
        cmocka_unit_test(test_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
