/* Fuzz program for what the library does with a pasted command line: run on a machine, imported from a
 * file, and as the `launch:` of a scenario. */
#include "whole.h"

#include <stdbool.h>

enum { LONGEST = 4 << 10 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void run_command(kvsim *k, const char *text)
{
    static const kvsim_style style = {KVSIM_JSON, false, 0};
    kvsim_launch launch = {.words = &text, .n_words = 1, .machine = "h200", .llm = "qwen3-8b"};
    size_t total = 0;
    kvsim_report *report = NULL;
    kvsim_scenario *scenario = kvsim_load_command(k, &launch);
    if (scenario)
        report = kvsim_run(k, scenario);
    if (report)
        kvsim_write(k, report, &style, drop_text, &total);
    must(report || kvsim_n_errors(k) > 0);
}

static void import_command(kvsim *k, const uint8_t *data, size_t size)
{
    char path[512];
    size_t total = 0;
    kvsim_launch launch = {.machine = "8 x h200", .llm = "qwen3-8b"};
    put_file("command", "run.sh", data, size);
    snprintf(path, sizeof path, "%s/command/run.sh", own_folder());
    must(kvsim_import_command(k, path, &launch, drop_text, &total) || kvsim_n_errors(k) > 0);
}

/* As a text in quotes: what quotes and backslashes would end is left out. */
static void run_scenario(const char *text)
{
    char scenario[LONGEST + 256];
    size_t n = (size_t)snprintf(scenario, sizeof scenario,
                                "kvsim: 1\nengine: 0.5.9\nllm: qwen3-8b\nmachine: h200\nlaunch: \"");
    for (; *text; text++)
        if (*text != '"' && *text != '\\')
            scenario[n++] = *text;
    scenario[n++] = '"';
    do_everything(scenario, n, false);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[LONGEST + 1];
    const char *models = getenv("KVSIM_MODELS");
    const char *const folders[] = {models ? models : "models"};
    kvsim_options options = {.models = folders, .n_models = 1, .memory_limit = WHOLE_MEMORY};
    if (size > LONGEST || memchr(data, 0, size))
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    kvsim *k = kvsim_open(&options);
    if (!k)
        return 0;
    run_command(k, text);
    kvsim_clear_diagnostics(k);
    import_command(k, data, size);
    kvsim_close(k);
    run_scenario(text);
    return 0;
}
