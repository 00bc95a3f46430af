/* Fuzz program for servers' logs: any text as the log of a small engine with three versions. What is
 * imported from it must be a scenario that loads and runs; and the log is compared with one. */
#include "whole.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An engine with few formulas, so that a run takes no time: the reading of logs is what is tried. */
static const char toy_1[] =
    "kvsim: 1\nengine: toy\nversions: \">=1.0 <2.0\"\nranks: [tp-size, pp-size]\nyields: kv.tokens\n"
    "explains: pool.free\nsummary: \"{pool.free} are left\"\n"
    "flags:\n"
    "  tp-size: {type: whole, default: \"1\", range: [1, 64], aliases: [tp], meaning: ranks}\n"
    "  pp-size: {type: whole, default: \"1\", range: [1, 64], meaning: stages}\n"
    "  share: {type: real, default: \"0.5\", range: [0, 1], meaning: share}\n"
    "  page: {type: whole, unit: token, default: \"1 token\", aliases: [pool.page], meaning: page}\n"
    "  kind: {type: word, choices: [auto, fast], default: \"'auto'\", meaning: kind}\n"
    "  quiet: {type: truth, default: \"false\", meaning: quiet}\n"
    "constants:\n"
    "  base: {value: 1 GiB, range: [0 GiB, 2 GiB], settled_by: start.free, source: s}\n"
    "  cell: {value: 70272 B/token, source: s}\n"
    "  pad: {value: 64, source: s}\n"
    "phases:\n"
    "  launch:\n    title: launch\n    entries:\n"
    "      attn_tp: {formula: tp_size}\n      dense_tp: {formula: tp_size}\n"
    "      moe_tp: {formula: tp_size}\n      moe_ep: {formula: \"1\"}\n"
    "      embed_tp: {formula: tp_size}\n      head_tp: {formula: tp_size}\n"
    "      vocab_pad: {formula: pad}\n"
    "  begin:\n    title: begin\n    takes: [begin.bytes]\n    free: init.free\n    entries:\n"
    "      begin.bytes: {formula: base}\n"
    "      init.free: {formula: \"gpu.memory - occupied - begin.bytes\", sum_in_log: [load.free, weights.bytes]}\n"
    "      start.free: {formula: \"min_over_ranks(init.free)\", measure: init.free}\n"
    "  load:\n    title: load\n    takes: [weights.bytes]\n    free: load.free\n    entries:\n"
    "      weights.bytes: {formula: gpu.context}\n"
    "      load.free: {formula: \"init.free - weights.bytes\"}\n"
    "  pool:\n    title: pool\n    takes: [kv.bytes]\n    free: pool.free\n    entries:\n"
    "      kv.budget: {formula: \"trunc(share * min_over_ranks(load.free))\"}\n"
    "      kv.tokens: {formula: \"round_down(floor_div(kv.budget, cell), page)\"}\n"
    "      kv.bytes: {formula: \"kv.tokens * cell\"}\n"
    "      pool.free: {formula: \"load.free - kv.bytes\", signed: true}\n"
    "checks:\n"
    "  load.fits: {phase: load, slack: load.free, message: out of memory, why: w}\n"
    "  pool.fits: {phase: pool, slack: pool.free, message: \"no room, {share:repr}\", why: w}\n"
    "log:\n"
    "  flags: {phase: launch, tells: flags, line: \"args=Args({*}\"}\n"
    "  some: {phase: launch, tells: some_flags, line: \"serve{*}\"}\n"
    "  begin: {phase: launch, line: \"begin.\"}\n"
    "  loaded: {phase: load, tells: step, line: \"loaded\"}\n"
    "  init: {phase: begin, line: \"before: {init.free:GiB:.2f} GB\"}\n"
    "  load: {phase: load, line: \"loaded {*}, {load.free:GiB:.2f} GB left, {weights.bytes:MiB:.1f} MB\"}\n"
    "  pool: {phase: pool, line: \"pool of {kv.tokens:.0f}, {pool.free:GiB:.2f} GB left, {kind}\"}\n"
    "  up: {phase: pool, tells: end, line: \"ready\"}\n";
static const char toy_2[] =
    "kvsim: 1\nengine: toy\nversions: \">=2.0 <3.0\"\nextends: toy-1.0\n"
    "log: {load: {phase: load, line: \"loaded in {*} s, {load.free:GiB:.2f} GB left\"}}\n";
static const char toy_3[] = "kvsim: 1\nengine: toy\nversions: \">=3.0\"\nextends: toy-2.0\n";

/* A folder of models that holds no more than is needed: each file is read for each input. */
static const char *model_folder(void)
{
    static const char *const needed[] = {"gpu/common.yaml", "gpu/h200.yaml", "arch/common.yaml",
                                         "arch/llama.yaml", "llm/llama-3.1-8b.yaml",
                                         "format/weights.yaml", "machine/8x-h200.yaml",
                                         "cpu", "nccl", "fabric", "allreduce"};
    static const char *const kinds[] = {"gpu", "arch", "llm", "format", "machine", "engine"};
    static char path[512];
    const char *models = getenv("KVSIM_MODELS");
    char from[8192], to[256], here[4096];
    if (path[0])
        return path;
    snprintf(path, sizeof path, "%s", own_folder());
    put_file("engine", "toy-1.0.yaml", (const uint8_t *)toy_1, sizeof toy_1 - 1);
    put_file("engine", "toy-2.0.yaml", (const uint8_t *)toy_2, sizeof toy_2 - 1);
    put_file("engine", "toy-3.0.yaml", (const uint8_t *)toy_3, sizeof toy_3 - 1);
    models = models ? models : "models";
    if (!getcwd(here, sizeof here))
        abort();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        snprintf(to, sizeof to, "%s/%s", path, kinds[i]);
        mkdir(to, 0700);
    }
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        snprintf(from, sizeof from, "%.4095s/%.2000s/%s", models[0] == '/' ? "" : here, models,
                 needed[i]);
        snprintf(to, sizeof to, "%s/%s", path, needed[i]);
        if (symlink(from, to) != 0)
            abort();
    }
    return path;
}

typedef struct text {
    char bytes[256 << 10];
    size_t n;
} text;

static void keep_text(void *context, const char *bytes, size_t n)
{
    text *t = context;
    if (t->n + n > sizeof t->bytes)
        abort(); /* a scenario is small, whatever the log is */
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
}

static void print_text(void *context, const char *bytes, size_t n)
{
    (void)context;
    fwrite(bytes, 1, n, stderr);
}

static void must_say_why(const kvsim *k)
{
    if (kvsim_n_errors(k) == 0)
        abort();
}

/* What was imported is read again, and run. */
static void import_log(kvsim *k, const char *path, size_t start)
{
    static text imported;
    kvsim_launch launch = {.machine = "8x-h200", .llm = "llama-3.1-8b"};
    imported.n = 0;
    if (!kvsim_import_log(k, path, &launch, start, keep_text, &imported)) {
        must_say_why(k);
        return;
    }
    kvsim_clear_diagnostics(k);
    size_t failed;
    kvsim_scenario *scenario = kvsim_load_text(k, "imported", imported.bytes, imported.n);
    if (!scenario || !kvsim_check(k, scenario, &failed)) {
        fwrite(imported.bytes, 1, imported.n, stderr);
        abort();
    }
}

static void compare_log(kvsim *k, const char *path, size_t start)
{
    static const char scenario_text[] =
        "kvsim: 1\nengine: toy 2.0\nllm: llama-3.1-8b\nmachine: 8x-h200\nlaunch: {tp-size: 4}\n"
        "measured: {load.free: 100 GiB}\n";
    static const kvsim_style styles[] = {{KVSIM_TEXT, true, 40}, {KVSIM_JSON, false, 0}};
    size_t total = 0, n_off = 0;
    kvsim_scenario *scenario = kvsim_load_text(k, "s", scenario_text, sizeof scenario_text - 1);
    kvsim_report *report = scenario ? kvsim_compare_log(k, scenario, path, start, &n_off) : NULL;
    if (!report)
        must_say_why(k);
    for (size_t i = 0; report && i < 2; i++)
        kvsim_write(k, report, &styles[i], drop_text, &total);
    kvsim_write_diagnostics(k, true, drop_text, &total);
}

/* Nothing would be tried if the engine above were not one: a plain log must be taken. */
static void try_plain(void)
{
    static const char plain[] = "xbegin.\nbefore: 139.30 GB\nloaded in 3 s, 120.00 GB left\nready\n";
    static bool done;
    size_t total = 0;
    if (done)
        return;
    done = true;
    const char *const folders[] = {model_folder()};
    kvsim_options options = {.models = folders, .n_models = 1};
    kvsim *k = kvsim_open(&options);
    kvsim_launch launch = {.machine = "8x-h200", .llm = "llama-3.1-8b"};
    char path[512];
    put_file("log", "server.log", (const uint8_t *)plain, sizeof plain - 1);
    snprintf(path, sizeof path, "%s/log/server.log", own_folder());
    if (!k || !kvsim_import_log(k, path, &launch, 1, drop_text, &total)) {
        kvsim_write_diagnostics(k, false, print_text, NULL);
        abort();
    }
    kvsim_close(k);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { LONGEST = 160 << 10 };
    char path[512];
    const char *const folders[] = {model_folder()};
    kvsim_options options = {.models = folders, .n_models = 1, .memory_limit = WHOLE_MEMORY};
    try_plain();
    if (size < 1 || size > LONGEST)
        return 0;
    put_file("log", "server.log", data + 1, size - 1);
    snprintf(path, sizeof path, "%s/log/server.log", own_folder());
    kvsim *k = kvsim_open(&options);
    if (!k)
        return 0;
    import_log(k, path, data[0] % 3);
    kvsim_clear_diagnostics(k);
    compare_log(k, path, data[0] % 3);
    kvsim_close(k);
    return 0;
}
