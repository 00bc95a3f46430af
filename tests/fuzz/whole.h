/* For fuzz programs that run the whole library on one hostile file among good ones. */
#ifndef KVSIM_FUZZ_WHOLE_H
#define KVSIM_FUZZ_WHOLE_H

#include "kvsim.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHOLE_MEMORY = 96 << 20 };

static inline void drop_text(void *context, const char *bytes, size_t n)
{
    size_t *total = context;
    (void)bytes;
    *total += n;
}

/* A folder of this process's own below $TMPDIR, made at the first call, and anew if somebody cleaned up. */
static inline const char *own_folder(void)
{
    static char path[256];
    const char *parent = getenv("TMPDIR");
    if (path[0] && access(path, W_OK) == 0)
        return path;
    snprintf(path, sizeof path, "%s/kvsim-fuzz-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(path))
        abort();
    return path;
}

/* Writes `n` bytes to FOLDER/KIND/NAME; the folder of the kind is made if need be. */
static inline void put_file(const char *kind, const char *name, const uint8_t *bytes, size_t n)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", own_folder(), kind);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/%s/%s", own_folder(), kind, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        abort();
    fwrite(bytes, 1, n, file);
    fclose(file);
}

static inline void remove_file(const char *kind, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s/%s", own_folder(), kind, name);
    unlink(path);
}

/* Loads the scenario and does with it all that the library can do. */
static inline void do_everything(const char *text, size_t n, bool with_own)
{
    static const kvsim_style text_style = {KVSIM_TEXT, true, 40}, json_style = {KVSIM_JSON, false, 0};
    const char *models = getenv("KVSIM_MODELS");
    const char *const folders[] = {with_own ? own_folder() : "models", models ? models : "models"};
    kvsim_options options = {.models = folders, .n_models = 2, .memory_limit = WHOLE_MEMORY};
    kvsim *k = kvsim_open(&options);
    size_t total = 0, failed = 0;
    if (!k)
        return;
    kvsim_scenario *scenario = kvsim_load_text(k, "fuzz", text, n);
    kvsim_report *report = scenario ? kvsim_run(k, scenario) : NULL;
    if (report) {
        kvsim_add_log(k, report);
        kvsim_write(k, report, &text_style, drop_text, &total);
        kvsim_write(k, report, &json_style, drop_text, &total);
        report = kvsim_explain(k, scenario, NULL);
        if (report)
            kvsim_write(k, report, &text_style, drop_text, &total);
        report = kvsim_check(k, scenario, &failed);
        if (report)
            kvsim_write(k, report, &text_style, drop_text, &total);
    } else if (kvsim_n_errors(k) == 0) {
        abort(); /* a failure must say why */
    }
    kvsim_write_diagnostics(k, true, drop_text, &total);
    kvsim_close(k);
}

#endif
