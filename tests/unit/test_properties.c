/* What must hold for every scenario, whatever its numbers are. Runs through the public interface on
 * many combinations of model, GPU, ranks and version. */
#include "library.h"

static const char *const versions[] = {"0.5.3", "0.5.6", "0.5.9", "0.5.12", "0.5.14", "0.5.16"};
static const char *const llms[] = {"llama-3.1-8b", "llama-3.1-70b", "qwen3-8b", "deepseek-v3",
                                   "kimi-k2.5-int4"};
static const char *const gpus[] = {"rtx-4090", "l40s", "h100-sxm", "rtx-pro-6000", "h200", "b200"};
static const int counts[] = {1, 2, 4, 8};

typedef struct setup {
    const char *version, *llm, *gpu, *more;
    int count;
} setup;

static kvsim_scenario *load(kvsim *k, setup s)
{
    char text[1024];
    int n = snprintf(text, sizeof text,
                     "kvsim: 1\nengine: sglang %s\nllm: %s\nmachine: {gpu: %s, count: %d}\n"
                     "launch:\n  tp-size: %d\n%s",
                     s.version, s.llm, s.gpu, s.count, s.count, s.more ? s.more : "");
    kvsim_scenario *scenario = kvsim_load_text(k, "property", text, (size_t)n);
    assert_non_null(scenario);
    return scenario;
}

static kvsim_report *run(kvsim *k, const kvsim_scenario *scenario)
{
    kvsim_report *report = kvsim_run(k, scenario);
    if (!report)
        kvsim_write_diagnostics(k, false, complain, NULL);
    assert_non_null(report);
    return report;
}

static double value_of(const kvsim_report *report, const char *name)
{
    kvsim_value value;
    if (!kvsim_quantity(report, name, &value)) {
        print_error("no quantity %s\n", name);
        fail();
    }
    return value.value;
}

static kvsim_report *run_with(kvsim *k, const kvsim_scenario *scenario, const char *setting)
{
    kvsim_scenario *changed = kvsim_set(k, scenario, setting);
    assert_non_null(changed);
    return run(k, changed);
}

/* Calls `property` for every version and model, on two counts of GPUs each; a handle of its own for each
 * keeps memory flat. */
static void for_all(void (*property)(kvsim *k, setup s))
{
    for (size_t v = 0; v < KS_COUNT(versions); v++)
        for (size_t l = 0; l < KS_COUNT(llms); l++) {
            size_t g = (v * 5 + l * 7) % KS_COUNT(gpus);
            kvsim *k = open_handle();
            for (size_t c = (v + l) % 2; c < KS_COUNT(counts); c += 2)
                property(k, (setup){versions[v], llms[l], gpus[(g + c) % KS_COUNT(gpus)], NULL,
                                    counts[c]});
            kvsim_close(k);
        }
}

/* What phases take, what is unexplained and what is left add up to the GPU's memory. */
static void ledger_adds_up(kvsim *k, setup s)
{
    static const char *const phases[] = {"context",        "dist_init", "weights",      "kv_pool",
                                         "draft_shares",   "workspace", "first_graphs", "graphs",
                                         "prefill_graphs", "up",        "serving"};
    kvsim_report *report = run(k, load(k, s));
    double left = value_of(report, "gpu.memory") - value_of(report, "occupied");
    for (size_t i = 0; i < KS_COUNT(phases); i++) {
        char name[64];
        kvsim_value value;
        snprintf(name, sizeof name, "phase.%s.bytes", phases[i]);
        if (!kvsim_quantity(report, name, &value))
            continue; /* not every version has it */
        left -= value_of(report, name);
        snprintf(name, sizeof name, "phase.%s.unexplained", phases[i]);
        left -= value_of(report, name);
        CHECK_REAL(name, value_of(report, name), 0, 0); /* nothing was measured */
    }
    CHECK_REAL(s.llm, left, value_of(report, "run.headroom"), 0);
}

static void ledger_of_draft_adds_up(kvsim *k, setup s)
{
    s.llm = "llama-3.1-8b";
    s.more = "  speculative-algorithm: EAGLE3\n"
             "  speculative-draft-model-path: lmsys/sglang-EAGLE3-LLaMA3.1-Instruct-8B\n";
    ledger_adds_up(k, s);
}

static void test_ledger(void **state)
{
    (void)state;
    for_all(ledger_adds_up);
    for_all(ledger_of_draft_adds_up);
}

/* More memory never gives fewer tokens, nor does a larger fraction. */
static void tokens_rise(kvsim *k, setup s)
{
    char setting[64];
    s.more = "assume: {}\n";
    kvsim_scenario *scenario = kvsim_set(k, load(k, s), "mem-fraction-static=0.83");
    double memory = value_of(run(k, scenario), "gpu.memory");
    double tokens = value_of(run(k, scenario), "kv.tokens");
    for (int i = 1; i <= 3; i++) {
        snprintf(setting, sizeof setting, "gpu.memory=%.0fB", memory + 777777777.0 * i);
        double more = value_of(run_with(k, scenario, setting), "kv.tokens");
        CHECK(s.llm, more >= tokens);
        tokens = more;
    }
    double last = -HUGE_VAL;
    for (int i = 0; i < 5; i++) {
        snprintf(setting, sizeof setting, "mem-fraction-static=%.3f", 0.61 + 0.077 * i);
        double now = value_of(run_with(k, scenario, setting), "kv.tokens");
        CHECK(s.llm, now >= last);
        last = now;
    }
}

static void test_tokens_rise(void **state)
{
    (void)state;
    for_all(tokens_rise);
}

/* True if a check has no room left. The verdict may still be `uncertain`; the checks themselves must
 * say what the solver said. */
static bool any_check_fails(const kvsim_report *report)
{
    static const char *const checks[] = {"kv.pool",        "kv.states",    "pool.fits",
                                         "graph.fits",     "run.fits",     "weights.fit",
                                         "workspace.fits", "prefill.fits", "draft.fits"};
    for (size_t i = 0; i < KS_COUNT(checks); i++) {
        char check[64], when[64];
        kvsim_value room, applies;
        snprintf(check, sizeof check, "check.%s", checks[i]);
        snprintf(when, sizeof when, "check.%s.when", checks[i]);
        if (!kvsim_quantity(report, check, &room) || room.value >= 0)
            continue;
        if (!kvsim_quantity(report, when, &applies) || applies.value != 0)
            return true;
    }
    return false;
}

/* Both ends of a solved interval fit, and the next grid points do not. */
static void ends_are_ends(kvsim *k, setup s)
{
    kvsim_scenario *scenario = load(k, s);
    kvsim_report *solved = kvsim_solve(k, scenario, "mem-fraction-static", NULL);
    kvsim_value low, high;
    char setting[64];
    assert_non_null(solved);
    if (!kvsim_is_solved(solved))
        return;
    assert_true(kvsim_quantity(solved, "solved.mem-fraction-static.low", &low));
    assert_true(kvsim_quantity(solved, "solved.mem-fraction-static.high", &high));
    const struct {
        double fraction;
        bool fits;
    } rows[] = {{low.value, true},
                {high.value, true},
                {low.value - 0.001, false},
                {high.value + 0.001, false}};
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        if (rows[i].fraction < 0.0009 || rows[i].fraction > 0.9991)
            continue;
        snprintf(setting, sizeof setting, "mem-fraction-static=%.3f", rows[i].fraction);
        kvsim_report *report = run_with(k, scenario, setting);
        CHECK_WHOLE(setting, !any_check_fails(report), rows[i].fits);
    }
}

static void test_solved_ends(void **state)
{
    (void)state;
    for_all(ends_are_ends);
}

/* Which rank is the busy one does not matter, only how busy it is. */
static void test_permuted_ranks(void **state)
{
    (void)state;
    static const char *const busy[] = {"occupied: {0: 1.7 GiB, 3: 0.4 GiB}\n",
                                       "occupied: {7: 1.7 GiB, 1: 0.4 GiB}\n",
                                       "occupied: {2: 0.4 GiB, 5: 1.7 GiB}\n"};
    static const char *const names[] = {"kv.tokens", "start.free", "kv.budget", "graph.bytes"};
    double first[KS_COUNT(names)];
    for (size_t i = 0; i < KS_COUNT(busy); i++) {
        kvsim *k = open_handle();
        setup s = {"0.5.9", "llama-3.1-70b", "h100-sxm", busy[i], 8};
        kvsim_report *report = run(k, load(k, s));
        for (size_t n = 0; n < KS_COUNT(names); n++) {
            double value = value_of(report, names[n]);
            if (i == 0)
                first[n] = value;
            CHECK_REAL(names[n], value, first[n], 0);
        }
        kvsim_close(k);
    }
}

/* The low end of a range is not above the value, the high end not below it. */
static void ranges_hold(kvsim *k, setup s)
{
    static const char *const names[] = {"kv.tokens",  "kv.budget",  "graph.bytes",   "run.peak",
                                        "start.free", "dist.bytes", "context.bytes", "load.free"};
    kvsim_report *report = run(k, load(k, s));
    for (size_t i = 0; i < KS_COUNT(names); i++) {
        kvsim_value value;
        assert_true(kvsim_quantity(report, names[i], &value));
        CHECK(names[i], value.low <= value.value && value.value <= value.high);
    }
}

static void test_ranges(void **state)
{
    (void)state;
    for_all(ranges_hold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ledger),      cmocka_unit_test(test_tokens_rise),
        cmocka_unit_test(test_solved_ends), cmocka_unit_test(test_permuted_ranks),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
