/* What a log tells of a server's starts: where one ends and the next begins, draft models, ranks, the
 * version whose lines fit, flags, failures. With profiles of a toy engine. */
#include "support.h"

#include "kvsim.h"
#include "model/runlog.h"

#include <sys/stat.h>
#include <unistd.h>

/* Version 2 tells how long loading took, has another flag, and another message. */
static const char toy_1[] =
    "kvsim: 1\nengine: toy\nversions: \">=1.0 <2.0\"\nranks: [tp, pp]\nyields: kv.tokens\n"
    "released: {\"1.0\": 2025-01-31, \"1.9\": 2025-04-30, \"2.0\": 2025-06-30, \"3.0\": 2026-02-28}\n"
    "explains: kv.tokens\nsummary: fine\n"
    "flags:\n"
    "  tp: {type: whole, default: \"1\", meaning: ranks}\n"
    "  pp: {type: whole, default: \"1\", meaning: stages}\n"
    "  share: {type: real, default: \"0.5\", meaning: share}\n"
    "  old-flag: {type: truth, default: \"false\", meaning: old}\n"
    "phases:\n"
    "  launch: {title: launch}\n"
    "  begin: {title: begin, free: init.free, entries: {init.free: {formula: \"1\","
    " sum_in_log: [load.free, load.used]}}}\n"
    "  load: {title: load, free: load.free}\n"
    "  pool: {title: pool, free: pool.free, entries: {kv.tokens: {formula: \"1\"}}}\n"
    "checks:\n"
    "  begin.fits: {phase: begin, slack: \"1\", message: out of memory, why: w}\n"
    "  load.fits: {phase: load, slack: \"1\", message: out of memory, why: w}\n"
    "  pool.states: {phase: pool, slack: \"1\", when: \"false\", message: \"no room for the pool\", why: w}\n"
    "  pool.fits: {phase: pool, slack: \"1\", message: \"no room for the pool\", why: w}\n"
    "  pool.share: {phase: pool, slack: \"1\", message: \"the pool has no room for that, share={share:repr}."
    " More is needed for a pool.\", why: w}\n"
    "log:\n"
    "  command: {phase: launch, tells: some_flags, line: \"toy serve{*}\"}\n"
    "  some: {phase: launch, tells: some_flags, line: \"Args{*}\"}\n"
    "  loaded: {phase: load, tells: step, line: \"loaded\"}\n"
    "  used: {phase: load, line: \"loaded all, {load.free:GiB:.2f} GB left, {load.used:GiB:.2f} GB used\"}\n"
    "  flags: {phase: launch, tells: flags, line: \"args=Args({*}\"}\n"
    "  begin: {phase: launch, line: \"begin.\"}\n"
    "  init: {phase: begin, line: \"before: {init.free:GiB:.2f} GB\"}\n"
    "  load: {phase: load, line: \"loaded, {load.free:GiB:.2f} GB left\"}\n"
    "  pool: {phase: pool, line: \"pool of {kv.tokens:.0f}, {pool.free:GiB:.2f} GB left\"}\n";
static const char toy_2[] =
    "kvsim: 1\nengine: toy\nversions: \">=2.0\"\nextends: toy-1.0\n"
    "flags: {old-flag: ~, new-flag: {type: truth, default: \"false\", meaning: new}}\n"
    "checks:\n"
    "  pool.states: ~\n"
    "  pool.fits: {phase: pool, slack: \"1\", message: \"no room for the pool of {*}\", why: w}\n"
    "log:\n"
    "  load: {phase: load, line: \"loaded in {*} s, {load.free:GiB:.2f} GB left\"}\n"
    "  draft: {phase: load, line: \"loaded in {*} s, {draft.free:GiB:.2f} GB left\"}\n";
static const char toy_3[] = "kvsim: 1\nengine: toy\nversions: \">=3.0\"\nextends: toy-2.0\n";

static char folder[64];

static void put_file(const char *name, const char *text, size_t n)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, n, file), n);
    fclose(file);
}

static int make_folder(void **state)
{
    char path[256];
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/kvsim-runlog-%ld", (long)getpid());
    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/engine", folder);
    mkdir(path, 0700);
    put_file("engine/toy-1.0.yaml", toy_1, sizeof toy_1 - 1);
    put_file("engine/toy-2.0.yaml", toy_2, sizeof toy_2 - 1);
    put_file("engine/toy-3.0.yaml", toy_3, sizeof toy_3 - 1);
    return 0;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"engine/toy-1.0.yaml", "engine/toy-2.0.yaml",
                                        "engine/toy-3.0.yaml", "log"};
    char path[256];
    (void)state;
    for (size_t i = 0; i < KS_COUNT(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/engine", folder);
    rmdir(path);
    rmdir(folder);
    return 0;
}

/* Reads a log of this text; `ask` is the engine, or empty. */
static ks_run_log *read_text(world *w, const char *text, const char *ask, size_t start)
{
    const char *folders[] = {folder};
    ks_catalog catalog = {.diags = &w->diags, .folders = folders, .n_folders = 1};
    forget_diags(w);
    put_file("log", text, strlen(text));
    ks_str path = ks_format(w->arena, "%s/log", folder);
    return ks_read_run_log(&catalog, path, (ks_log_ask){ks_from_c(ask), start});
}

/* "2/3 lines 4-9 complete 1.0..2.0: load.free@0=21.71 ... draft 1; fails pool.fits:7" */
static ks_str told(world *w, const ks_run_log *log)
{
    ks_builder b = {.arena = w->arena};
    if (!log)
        return summary(w);
    ks_addf(&b, "%zu/%zu lines %zu-%zu %s %.*s..%.*s:", log->start, log->n_starts, log->first_line,
            log->last_line, log->complete ? "whole" : "part", KS_ARG(log->oldest),
            KS_ARG(log->version));
    for (size_t i = 0; i < log->readings.n; i++) {
        const ks_reading *r = &log->readings.items[i];
        ks_addf(&b, " %.*s@%zu=%.2f", KS_ARG(r->quantity), r->rank,
                r->unit.n ? r->value / 1073741824.0 : r->value);
    }
    if (log->n_draft)
        ks_addf(&b, " draft %zu", log->n_draft);
    if (log->failed >= 0)
        ks_addf(&b, " fails %.*s:%zu", KS_ARG(log->profile->read.checks.items[log->failed].id),
                log->failed_line);
    return ks_built(&b);
}

#define FLAGS "args=Args(tp=1, pp=1, share=0.5)\n"
#define GOOD "begin.\nbefore: 80.00 GB\nloaded, 60.00 GB left\npool of 17, 10.00 GB left\n"

static void starts(void **state)
{
    world *w = *state;
    static const struct {
        const char *text;
        size_t start;
        const char *want;
    } rows[] = {
        {FLAGS GOOD, 0,
         "1/1 lines 1-5 whole 1.0..1.0: init.free@0=80.00 load.free@0=60.00 kv.tokens@0=17.00 "
         "pool.free@0=10.00"},
        /* The last that is whole; another one if asked for. */
        {FLAGS GOOD FLAGS "begin.\nbefore: 79.00 GB\nloaded, 59.00 GB left\npool of 23, 9.00 GB left\n"
         FLAGS "begin.\nbefore: 78.00 GB\n", 0,
         "2/3 lines 6-10 whole 1.0..1.0: init.free@0=79.00 load.free@0=59.00 kv.tokens@0=23.00 "
         "pool.free@0=9.00"},
        {FLAGS GOOD FLAGS "begin.\nbefore: 78.00 GB\n", 2,
         "2/2 lines 6-8 part 1.0..3.0: init.free@0=78.00"},
        {FLAGS GOOD, 3, "L002"},
        {"hello\nworld\n", 0, "L001"},
        {"", 0, "L001"},
        /* Without flags: memory that is given back begins another start ... */
        {GOOD "begin.\nbefore: 79.90 GB\nloaded, 59.00 GB left\n", 2,
         "2/2 lines 5-7 part 1.0..1.0: init.free@0=79.90 load.free@0=59.00"},
        /* ... as does the first line again with nothing between, or a line after a failure. */
        {"begin.\nbefore: 80.00 GB\nbegin.\nbefore: 80.00 GB\nloaded, 60.00 GB left\n", 2,
         "2/2 lines 3-5 part 1.0..1.0: init.free@0=80.00 load.free@0=60.00"},
        {"begin.\nbefore: 80.00 GB\nout of memory\nbegin.\nbefore: 20.00 GB\n", 2,
         "2/2 lines 4-5 part 1.0..3.0: init.free@0=20.00"},
        /* A draft model: memory goes on getting less. */
        {GOOD "begin.\nbefore: 9.50 GB\nloaded, 8.00 GB left\npool of 17, 7.90 GB left\n", 0,
         "1/1 lines 1-8 whole 1.0..1.0: init.free@0=80.00 load.free@0=60.00 kv.tokens@0=17.00 "
         "pool.free@0=10.00 draft 3"},
        /* One that is loaded in front of the pool: what it leaves free sizes the pool, and what is free
         * behind the pools is free behind its own. */
        {"args=Args(tp=1, pp=1, share=0.5)\nbegin.\nbefore: 80.00 GB\nloaded, 60.00 GB left\n"
         "before: 60.00 GB\nloaded, 57.00 GB left\npool of 17, 10.00 GB left\n"
         "pool of 17, 9.00 GB left\n", 0,
         "1/1 lines 1-8 whole 1.0..1.0: init.free@0=80.00 load.free@0=57.00 kv.tokens@0=17.00 "
         "pool.free@0=9.00 draft 3"},
        /* A profile that has a second line of the same shape says what the draft's line means. */
        {"begin.\nbefore: 80.00 GB\nloaded in 3 s, 60.00 GB left\nbefore: 60.00 GB\n"
         "loaded in 1 s, 58.00 GB left\npool of 17, 10.00 GB left\npool of 17, 9.00 GB left\n", 0,
         "1/1 lines 1-7 whole 2.0..3.0: init.free@0=80.00 load.free@0=60.00 draft.free@0=58.00 "
         "kv.tokens@0=17.00 pool.free@0=10.00 draft 2"},
        /* Two starts on two ranks, lines mixed. */
        {"[TP0] begin.\n[TP1] begin.\n[TP0] before: 80.00 GB\n[TP1] before: 81.00 GB\n"
         "[TP0] loaded, 60.00 GB left\n[TP1] loaded, 61.00 GB left\n"
         "[TP1] begin.\n[TP0] begin.\n[TP0] before: 80.50 GB\n[TP1] before: 81.50 GB\n", 2,
         "2/2 lines 7-10 part 1.0..3.0: init.free@0=80.50 init.free@1=81.50"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_TEXT(rows[i].text, told(w, read_text(w, rows[i].text, "", rows[i].start)),
                   rows[i].want);
}

static void versions(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *ask, *want, *better;
    } rows[] = {
        {"begin.\nloaded, 60.00 GB left\n", "", "1.0..1.0", ""},
        {"begin.\nloaded in 3 s, 60.00 GB left\n", "", "2.0..3.0", ""},
        {"begin.\nbefore: 80.00 GB\n", "", "1.0..3.0", ""},
        {"begin.\nno room for the pool of 3\n", "", "2.0..3.0", ""},
        {"begin.\nno room for the pool\n", "", "1.0..1.0", ""},
        /* Of those that fit alike the newest that was out; or else the oldest of them. */
        {"[2025-07-01 00:00:00] begin.\nloaded in 3 s, 60.00 GB left\n", "", "2.0..2.0", ""},
        {"[2026-02-28 00:00:00] begin.\nloaded in 3 s, 60.00 GB left\n", "", "2.0..3.0", ""},
        {"[2025-05-01 00:00:00] begin.\nloaded in 3 s, 60.00 GB left\n", "", "2.0..2.0", ""},
        {"[2025-05-01 00:00:00] begin.\nbefore: 80.00 GB\n", "", "1.0..1.0", ""},
        {"[2025-05-01 00:00:00] begin.\nloaded in 3 s, 60.00 GB left\n", "toy 3.0", "3.0..3.0", ""},
        /* What was asked for is taken, but what fits better is told. */
        {"begin.\nloaded, 60.00 GB left\n", "toy 2.1", "2.1..2.1", "1.0"},
        {"begin.\nloaded, 60.00 GB left\n", "1.5", "1.5..1.5", ""},
        {"begin.\nloaded, 60.00 GB left\n", "toy", "1.0..1.0", ""},
        /* What the log names, if its lines do not say otherwise. */
        {"toy==2.0.1\nbegin.\nloaded in 3 s, 60.00 GB left\n", "", "2.0.1..2.0.1", ""},
        {"toy-kernel==1.0.1 toy-1.0.1.post2-cp312\nbegin.\nloaded, 60.00 GB left\n", "",
         "1.0.1.post2..1.0.1.post2", ""},
        {"toy==2.0.1\nbegin.\nloaded, 60.00 GB left\n", "", "1.0..1.0", ""},
        {"toy==0.1.0\nbegin.\nloaded, 60.00 GB left\n", "", "1.0..1.0", ""},
        {"toy==2\nbegin.\nbefore: 80.00 GB\n", "", "1.0..3.0", ""},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_run_log *log = read_text(w, rows[i].text, rows[i].ask, 0);
        CHECK(rows[i].text, log != NULL);
        CHECK_TEXT(rows[i].text,
                   ks_format(w->arena, "%.*s..%.*s", KS_ARG(log->oldest), KS_ARG(log->version)),
                   rows[i].want);
        CHECK_TEXT(rows[i].text, log->better, rows[i].better);
    }
    CHECK("no such version", !read_text(w, "begin.\n", "toy 0.3", 0));
    CHECK_TEXT("no such version", summary(w), "M002");
    CHECK("no such engine", !read_text(w, "begin.\n", "toi", 0));
    CHECK_TEXT("no such engine", summary(w), "M001");
}

static void ranks(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *want;
        size_t n_ranks, n_seen;
    } rows[] = {
        {"[TP1] before: 17.00 GB\n[TP0] before: 23.00 GB\n",
         " init.free@1=17.00 init.free@0=23.00", 2, 2},
        /* Stages of the pipeline stand one behind the other. */
        {"args=Args(tp=2, pp=2, share=0.5)\n[PP0 TP0] before: 1.00 GB\n[PP1 TP0] before: 2.00 GB\n"
         "[PP1 TP1] before: 3.00 GB\n",
         " init.free@0=1.00 init.free@2=2.00 init.free@3=3.00", 4, 3},
        /* Replicas are left out; data-parallel attention has TP ranks of its own. */
        {"[DP0 TP0] before: 1.00 GB\n[DP1 TP0] before: 2.00 GB\n", " init.free@0=1.00", 1, 1},
        {"[DP0 TP0] before: 1.00 GB\n[DP1 TP1] before: 2.00 GB\n",
         " init.free@0=1.00 init.free@1=2.00", 2, 2},
        /* A rank beyond what the flags say, and a line without one among those that have one. */
        {"args=Args(tp=2, pp=1, share=0.5)\n[TP5] before: 1.00 GB\n[TP1] before: 2.00 GB\n"
         "before: 3.00 GB\n", " init.free@1=2.00", 2, 1},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_run_log *log = read_text(w, rows[i].text, "", 0);
        CHECK(rows[i].text, log != NULL);
        ks_str rest, text = told(w, log);
        ks_cut(text, ':', &rest);
        CHECK_TEXT(rows[i].text, rest, rows[i].want);
        CHECK_WHOLE(rows[i].text, log->n_ranks, rows[i].n_ranks);
        CHECK_WHOLE(rows[i].text, log->n_seen, rows[i].n_seen);
    }
}

/* What is not there is taken from the sum of what is left and what was taken. */
static void sums(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"loaded all, 60.00 GB left, 17.50 GB used\n",
         " init.free@0=77.50 load.free@0=60.00 load.used@0=17.50"},
        {"before: 77.25 GB\nloaded all, 60.00 GB left, 17.50 GB used\n",
         " init.free@0=77.25 load.free@0=60.00 load.used@0=17.50"},
        {"[TP1] before: 77.25 GB\n[TP0] loaded all, 60.00 GB left, 17.50 GB used\n",
         " init.free@1=77.25 init.free@0=77.50 load.free@0=60.00 load.used@0=17.50"},
        {"loaded, 60.00 GB left\n", " load.free@0=60.00"},
        /* A draft's line is no sum, nor its first line a reading of the main model's. */
        {"loaded all, 60.00 GB left, 17.50 GB used\nbefore: 60.00 GB\n"
         "loaded all, 57.00 GB left, 3.00 GB used\n",
         " init.free@0=77.50 load.free@0=57.00 load.used@0=17.50 init.free@0=60.00 draft 1"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_run_log *log = read_text(w, rows[i].text, "toy 1.0", 0);
        CHECK(rows[i].text, log != NULL);
        ks_str rest;
        ks_cut(told(w, log), ':', &rest);
        CHECK_TEXT(rows[i].text, rest, rows[i].want);
        ks_readings_of used = ks_gather_readings(log, KS_STR("load.used"));
        ks_readings_of init = ks_gather_readings(log, KS_STR("init.free"));
        CHECK("what went into a sum counts no more", used.n + (init.n && init.first->sum) <= 1 || i == 2);
        CHECK("both roundings", !init.n || init.half < 0.0101 * 1073741824);
    }
}

/* Flags that single lines tell. */
static void told_flags(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *want;
        size_t n_ranks;
    } rows[] = {
        {"toy serve --tp 4 --share 0.25 --old-flag\nbegin.\nbefore: 80.00 GB\n",
         "tp=4:1 share=0.25:1 old-flag=True:1", 4},
        {"$ toy serve --tp 4 \\\n  --share 0.25\nbegin.\n", "tp=4:1 share=0.25:1", 4},
        {"Args ... tp=2 ... share=0.75 ...\nbegin.\n", "tp=2:1 share=0.75:1", 2},
        /* A list that is cut off, and one that is whole. */
        {"args=Args(tp=2, share=0.75, model='x', pp=\nbegin.\n", "tp=2:1 share=0.75:1", 2},
        {"toy serve --tp 4\nargs=Args(tp=2, share=0.75)\nbegin.\n", "tp=2:2 share=0.75:2", 2},
        {"args=Args(share=0.75\n[TP3] begin.\n", "", 4},
        /* One that was wrapped. */
        {"args=Args(tp=2, sha\n  re=0.75, x='(', \n> old-flag=\nTrue)\nbegin.\n",
         "tp=2:1 share=0.75:1 old-flag=True:1", 2},
        {"args=Args(tp=2,\n[00:00:00] share=0.75)\nbegin.\n", "tp=2:1", 2},
        {"begin.\nthe pool has no room for that, share=0.45. More is needed for a pool.\n", "share=0.45:2", 1},
        {"begin.\nthe pool has no room for that, share=0.45. More is\n", "share=0.45:2", 1},
        {"begin.\nthe pool has no room for that, share=\n0.45. More is needed\nfor a pool.\n", "share=0.45:2", 1},
        /* A command counts for the starts behind it, a message for its own. */
        {"toy serve --tp 4\nbegin.\nbefore: 80.00 GB\nthe pool has no room for that, share=0.45. More\n"
         "begin.\nbefore: 80.00 GB\n", "tp=4:1", 4},
        {"begin.\nbefore: 80.00 GB\nout of memory\ntoy serve --tp 4\nbegin.\nbefore: 80.00 GB\n",
         "tp=4:4", 4},
    };
    static const char *const names[] = {"tp", "share", "old-flag"};
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        size_t start = i + 2 >= KS_COUNT(rows) ? 2 : 0;
        ks_run_log *log = read_text(w, rows[i].text, "toy 1.0", start);
        ks_builder b = {.arena = w->arena};
        CHECK(rows[i].text, log != NULL);
        for (size_t k = 0; k < KS_COUNT(names); k++) {
            const ks_flag *flag = ks_find_flag(&log->profile->read, ks_from_c(names[k]));
            const ks_python_item *item = ks_logged_flag(log, flag);
            if (item)
                ks_addf(&b, "%s%s=%.*s:%zu", b.n ? " " : "", names[k], KS_ARG(item->text),
                        ks_line_of_item(log, item));
        }
        CHECK_TEXT(rows[i].text, ks_built(&b), rows[i].want);
        CHECK_WHOLE(rows[i].text, log->n_ranks, rows[i].n_ranks);
    }
}

static void failures(void **state)
{
    world *w = *state;
    static const struct {
        const char *text, *want;
    } rows[] = {
        /* The message is that of several checks: the first in a phase that was not gone through. */
        {"begin.\nout of memory\n", "begin.fits:2"},
        {"begin.\nbefore: 80.00 GB\nRuntimeError: out of memory, tried 3\n", "load.fits:3"},
        {"[TP0] begin.\n[TP0] before: 80.00 GB\n[TP0] loaded, 1.00 GB left\n[TP1] before: 80.00 GB\n"
         "out of memory\n", "load.fits:5"},
        /* A line that a phase has gone well, in whatever form. */
        {"begin.\nloaded, by another version\nout of memory\n", "load.fits:3"},
        /* The beginning of a message is enough; what has a condition is not taken before what has none. */
        {"begin.\nthe pool has no room for that, share=0.5\n", "pool.share:2"},
        {"begin.\nno room for the pool\n", "pool.fits:2"},
        /* A message of one check says more. */
        {"begin.\nbefore: 80.00 GB\nout of memory\nno room for the pool\n", "pool.fits:4"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_run_log *log = read_text(w, rows[i].text, "toy 1.0", 0);
        CHECK(rows[i].text, log && log->failed >= 0);
        CHECK_TEXT(rows[i].text,
                   ks_format(w->arena, "%.*s:%zu",
                             KS_ARG(log->profile->read.checks.items[log->failed].id),
                             log->failed_line),
                   rows[i].want);
    }
}

/* However many starts there are, no more than three are in memory. */
static void many_starts(void **state)
{
    world *w = *state;
    size_t used[2];
    for (int i = 0; i < 2; i++) {
        ks_builder b = {.arena = w->arena};
        for (int k = 0; k < (i ? 4000 : 40); k++)
            ks_add(&b, KS_STR(FLAGS GOOD));
        const char *text = ks_to_c(w->arena, ks_built(&b));
        size_t before = ks_arena_used(w->arena);
        ks_run_log *log = read_text(w, text, "", 0);
        used[i] = ks_arena_used(w->arena) - before;
        CHECK_WHOLE("many starts", log->n_starts, i ? 4000 : 40);
        CHECK_WHOLE("many starts", log->start, log->n_starts);
    }
    CHECK("memory does not grow", used[1] < used[0] + 4096);
}

static void count(void *context, const char *bytes, size_t n)
{
    (void)bytes;
    *(size_t *)context += n;
}

/* The same through the public interface with little memory: it says so, and leaves nothing behind. */
static void little_memory(void **state)
{
    (void)state;
    static const char text[] = "kvsim: 1\nengine: sglang 0.5.9\nllm: kimi-k2.5-int4\n"
                               "machine: 8x-rtx-pro-6000\nlaunch: {tp-size: 8}\n";
    const char *top = getenv("top_srcdir");
    char models[4096], log[4096];
    snprintf(models, sizeof models, "%s/models", top ? top : ".");
    snprintf(log, sizeof log, "%s/tests/data/logs/sglang-0.5.9-restarts.log", top ? top : ".");
    const char *const folders[] = {models};
    kvsim_launch launch = {.machine = "8x-rtx-pro-6000"};
    int failed = 0, good = 0;
    for (size_t limit = (size_t)48 << 10; limit <= (size_t)256 << 20; limit = limit * 3 / 2) {
        kvsim_options options = {.models = folders, .n_models = 1, .memory_limit = limit};
        kvsim *k = kvsim_open(&options);
        size_t total = 0, n_off = 0;
        if (!k)
            continue;
        bool imported = kvsim_import_log(k, log, &launch, 0, count, &total);
        kvsim_scenario *scenario = kvsim_load_text(k, "s", text, sizeof text - 1);
        kvsim_report *report = scenario ? kvsim_compare_log(k, scenario, log, 0, &n_off) : NULL;
        CHECK("it says so", (imported && report) || kvsim_n_errors(k) > 0);
        failed += !imported || !report;
        good += imported && report != NULL;
        kvsim_close(k);
    }
    CHECK("some are too small", failed >= 3);
    CHECK("some are enough", good >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_WORLD(starts), IN_WORLD(versions), IN_WORLD(ranks),
                                       IN_WORLD(sums),     IN_WORLD(told_flags),
                                       IN_WORLD(failures), IN_WORLD(many_starts),
                                       cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
