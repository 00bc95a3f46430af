#include "option.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPTION_SET,
    OPTION_GOAL,
    OPTION_LOG,
    OPTION_LOG_FILE,
    OPTION_RESTART,
    OPTION_MACHINE,
    OPTION_ENGINE,
    OPTION_LLM,
    OPTION_BYTES,
    OPTION_RANKS,
    OPTION_ALGORITHM,
    OPTION_NCCL,
    OPTION_GRAPH,
    OPTION_EXPLAIN,
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_COLOR,
    OPTION_MODELS,
    OPTION_OUTPUT,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION
};

#define BIT(command) (1u << (command))
enum {
    EVERY = (1u << N_COMMANDS) - 1,
    /* take a command line in place of a scenario, or read one */
    LAUNCHING = EVERY & ~BIT(COMMAND_CHECK) & ~BIT(COMMAND_LIST) & ~BIT(COMMAND_ALLREDUCE) & ~BIT(COMMAND_CALIBRATE)
};

typedef struct option {
    enum option_id id;
    char letter; /* 0: none */
    const char *name;
    const char *argument; /* NULL: takes none */
    unsigned commands;
    const char *help;
} option;

static const option table[] = {
    {OPTION_SET, 's', "set", "NAME=VALUE",
     EVERY & ~BIT(COMMAND_LIST) & ~BIT(COMMAND_IMPORT) & ~BIT(COMMAND_CALIBRATE),
     "what if: sets a flag, a quantity or a field of a model; may be repeated"},
    {OPTION_GOAL, 0, "goal", "CONDITION", BIT(COMMAND_SOLVE),
     "must hold as well, such as 'kv.tokens >= 200000 tokens'"},
    {OPTION_LOG, 0, "log", NULL, BIT(COMMAND_RUN),
     "also shows the lines of the engine's log that this run would print"},
    {OPTION_LOG_FILE, 0, "log", "FILE", BIT(COMMAND_COMPARE),
     "a server's log to compare with; - for standard input"},
    {OPTION_RESTART, 0, "restart", "N", BIT(COMMAND_IMPORT) | BIT(COMMAND_COMPARE),
     "which start of the server, if a log holds several; the last that is complete by default"},
    {OPTION_MACHINE, 0, "machine", "MACHINE", LAUNCHING,
     "what a command line is started on: 8x-h200, '8 x h200', or h200 for as many as it needs"},
    {OPTION_ENGINE, 0, "engine", "ENGINE", LAUNCHING,
     "the engine's version, if a command line does not say it"},
    {OPTION_ENGINE, 0, "engine", "ENGINE", BIT(COMMAND_ALLREDUCE),
     "whose rules hold on a machine, such as 'sglang 0.5.9'; NCCL's alone by default"},
    {OPTION_LLM, 0, "llm", "LLM", LAUNCHING, "the model, if a command line does not say it"},
    {OPTION_BYTES, 0, "bytes", "SIZES", BIT(COMMAND_ALLREDUCE),
     "message of one rank: 4096,16KiB,1MiB or 4KiB:64MiB (by default)"},
    {OPTION_RANKS, 0, "ranks", "N", BIT(COMMAND_ALLREDUCE),
     "the first N GPUs take part; all, or those of the launch, by default"},
    {OPTION_ALGORITHM, 0, "algorithm", "NAME", BIT(COMMAND_ALLREDUCE),
     "beside NCCL's pick, only this one, such as nccl-ring-ll or custom-1stage"},
    {OPTION_NCCL, 0, "nccl", "VERSION", BIT(COMMAND_ALLREDUCE),
     "NCCL's version; the machine's, or the newest whose answers were checked, by default"},
    {OPTION_GRAPH, 0, "graph", "FILE", BIT(COMMAND_ALLREDUCE),
     "writes a graph file for NCCL (NCCL_GRAPH_FILE) there, if its search finds no rings"},
    {OPTION_EXPLAIN, 0, "explain", "QUANTITY", BIT(COMMAND_ALLREDUCE),
     "derives a number at the first size: an algorithm's name, or a quantity such as "
     "flow.ring_edge"},
    {OPTION_RANKS, 0, "ranks", "N", BIT(COMMAND_CALIBRATE),
     "how many ranks took part, if a file does not tell"},
    {OPTION_ALGORITHM, 0, "algorithm", "NAME", BIT(COMMAND_CALIBRATE),
     "what was measured, if a file does not tell: custom-1stage, nccl-ring-ll"},
    {OPTION_JSON, 0, "json", NULL, EVERY & ~BIT(COMMAND_IMPORT), "the same as --format json"},
    {OPTION_FORMAT, 0, "format", "FORMAT", EVERY & ~BIT(COMMAND_IMPORT), "text (default) or json"},
    {OPTION_COLOR, 0, "color", "WHEN", EVERY,
     "auto (default), always or never; NO_COLOR turns auto off"},
    {OPTION_MODELS, 0, "models", "DIR", EVERY,
     "a folder of model files, searched before others; may be repeated (see KVSIM_MODELS)"},
    {OPTION_OUTPUT, 'o', "output", "FILE", EVERY, "writes there instead of to the terminal"},
    {OPTION_QUIET, 'q', "quiet", NULL, EVERY, "writes nothing; the exit code tells"},
    {OPTION_HELP, 'h', "help", NULL, EVERY, "this help"},
    {OPTION_VERSION, 0, "version", NULL, EVERY, "the version"},
};

enum { N_OPTIONS = sizeof table / sizeof *table };

static const struct {
    const char *name, *operands, *help;
    const char *more;
} commands[N_COMMANDS] = {
    {"run", "SCENARIO... | --machine MACHINE -- COMMAND LINE",
     "replays the start-up: does it fit, why, what would make it fit",
     "Replays the engine's start-up for every rank and tells the verdict, why, the ledger of memory\n"
     "by phase, the sum that decides, and what would make it fit. `kvsim SCENARIO` is the same.\n"
     "SCENARIO is a YAML file (see kvsim-scenario(5)), or - for standard input. In place of it, the\n"
     "words behind -- may be a command line that starts an engine, such as\n"
     "`kvsim run --machine 8x-h200 -- python -m sglang.launch_server --model-path ... --tp 8`.\n"},
    {"explain", "SCENARIO [QUANTITY] | [QUANTITY] --machine MACHINE -- COMMAND LINE", "derives a number down to its inputs and their sources",
     "Derives one quantity (default: the one that decides the verdict) down to what was given,\n"
     "measured or assumed, each with the place where it is written and its source. A command line\n"
     "behind -- may stand for the scenario, as in `kvsim run`.\n"},
    {"solve", "SCENARIO UNKNOWN | UNKNOWN --machine MACHINE -- COMMAND LINE", "the interval of an input in which the scenario fits",
     "UNKNOWN is a flag of the engine (mem-fraction-static), or a quantity (load.free). Tells both\n"
     "ends of the interval, what binds at each, and the runs that bracket it. A command line behind\n"
     "-- may stand for the scenario, as in `kvsim run`.\n"},
    {"check", "SCENARIO...", "compares a run with what the scenario expects",
     "Asserts the scenario's `expect:`. Exit code 1 if something does not hold.\n"},
    {"list", "gpu|cpu|llm|engine|machine|quantities [SCENARIO]", "what is known",
     "Lists names that scenarios may use; quantities are those of SCENARIO, or of a typical one.\n"},
    {"import", "command|log|topo FILE", "writes a scenario or machine from something real",
     "Reads a command line that starts an engine, as it was pasted into FILE (- for standard input),\n"
     "or a server's log, and writes a scenario that says where each value comes from. A topo is NCCL's\n"
     "topology XML or the text of `nvidia-smi topo -m`: a machine file is made of it, for the GPU that\n"
     "--machine names.\n"},
    {"compare", "SCENARIO SCENARIO | SCENARIO --log FILE", "why two scenarios differ, or one and a log",
     "Tells what differs between two scenarios, from what is given to what follows from it; or\n"
     "between a scenario and a server's log, phase by phase, with what is unexplained. Exit code 1 if\n"
     "a reading of the log is neither what the model says nor inside the ranges of its estimates.\n"
     "A command line behind --, with --machine, may stand for the last scenario.\n"},
    {"allreduce", "SCENARIO | MACHINE", "the time of an all-reduce by algorithm and size",
     "What runs at each size, what NCCL would pick and why, what every other algorithm would take, who\n"
     "is refused and why, which links bind, and what would help. MACHINE is a name of\n"
     "`kvsim list machine`, a machine file, the short form 'GPU socket:1 switch:2 gpu:4', or a topology\n"
     "that NCCL wrote (NCCL_TOPO_DUMP_FILE).\n"},
    {"decode", "SCENARIO... | --machine MACHINE -- COMMAND LINE", "how long a decode step takes, tokens per second, speculative decoding",
     "Takes a decode step apart: weights, KV cache, all-reduces, the rest; tells tokens per second,\n"
     "what drafts must achieve to pay, and what each way of the links' behaving would make of it.\n"
     "Where the scenario measured something (decode.rate, plain.step, verify.allreduce_time ...), tells\n"
     "whether that is consistent. Exit code 1 if it is not.\n"},
    {"calibrate", "MACHINE FILE... [-o OUT.yaml]", "fits the all-reduce times of a machine to measurements",
     "FILE is what all_reduce_perf of nccl-tests prints, a CSV table of a custom kernel's times (its first\n"
     "line is bytes,time_us), or what p2pBandwidthLatencyTest prints. Tells parameters and how well other\n"
     "sizes are predicted; with -o, writes MACHINE's file with its calibration inside.\n"},
};

void complain(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("kvsim: ", stderr);
    vfprintf(stderr, format, args);
    fputs("\n", stderr);
    va_end(args);
}

void add_word(words *list, const char *word)
{
    if (list->n == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 8;
        const char **wider = realloc((void *)list->items, capacity * sizeof *wider);
        if (!wider) {
            complain("out of memory");
            exit(EXIT_INTERNAL);
        }
        list->items = wider;
        list->capacity = capacity;
    }
    list->items[list->n++] = word;
}

void free_options(options *o)
{
    free((void *)o->operands.items);
    free((void *)o->settings.items);
    free((void *)o->models.items);
}

enum command find_command(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return (enum command)i;
    return N_COMMANDS;
}

static const option *find_long(enum command command, const char *name, size_t n)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (strlen(table[i].name) == n && strncmp(table[i].name, name, n) == 0 &&
            (table[i].commands & BIT(command)))
            return &table[i];
    return NULL;
}

static const option *find_letter(enum command command, char letter)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (table[i].letter && table[i].letter == letter && (table[i].commands & BIT(command)))
            return &table[i];
    return NULL;
}

/* The option that begins with most of the same letters. */
static void complain_unknown(enum command command, const char *word)
{
    size_t best = 0;
    const char *nearest = NULL;
    const char *bare = word + strspn(word, "-");
    for (size_t i = 0; i < N_OPTIONS; i++) {
        size_t n = 0;
        while (bare[n] && bare[n] == table[i].name[n])
            n++;
        if (n > best && (table[i].commands & BIT(command))) {
            best = n;
            nearest = table[i].name;
        }
    }
    if (best >= 2)
        complain("`%s` has no option %s; did you mean --%s?", commands[command].name, word, nearest);
    else
        complain("`%s` has no option %s; see `kvsim %s --help`", commands[command].name, word,
                 commands[command].name);
}

static bool apply_format(options *o, const char *value)
{
    if (strcmp(value, "json") == 0)
        o->style.format = KVSIM_JSON;
    else if (strcmp(value, "text") == 0)
        o->style.format = KVSIM_TEXT;
    else {
        complain("a format is text or json, not \"%s\"", value);
        return false;
    }
    return true;
}

static bool apply_color(options *o, const char *value)
{
    static const char *const when[] = {"auto", "always", "never"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, when[i]) == 0) {
            o->colour = i == 0 ? COLOUR_AUTO : i == 1 ? COLOUR_ALWAYS : COLOUR_NEVER;
            return true;
        }
    complain("--color is auto, always or never, not \"%s\"", value);
    return false;
}

/* A whole number from `least` on. */
static bool apply_number(size_t *number, const char *name, size_t least, const char *value)
{
    char *end;
    size_t n = strspn(value, "0123456789");
    *number = (size_t)strtoul(value, &end, 10);
    if (n > 0 && n < 10 && !value[n] && *number >= least)
        return true;
    complain("--%s takes a number from %zu, not \"%s\"", name, least, value);
    return false;
}

/* The text that an option sets, or NULL if it sets something else. */
static const char **text_of(options *o, enum option_id id)
{
    const struct {
        enum option_id id;
        const char **text;
    } rows[] = {{OPTION_GOAL, &o->goal},       {OPTION_LOG_FILE, &o->log_file},
                {OPTION_MACHINE, &o->machine}, {OPTION_ENGINE, &o->engine},
                {OPTION_LLM, &o->llm},         {OPTION_BYTES, &o->bytes},
                {OPTION_RANKS, &o->ranks},     {OPTION_ALGORITHM, &o->algorithm},
                {OPTION_NCCL, &o->nccl},       {OPTION_EXPLAIN, &o->quantity},
                {OPTION_OUTPUT, &o->output},   {OPTION_GRAPH, &o->graph}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id)
            return rows[i].text;
    return NULL;
}

/* The switch that an option turns on, or NULL. */
static bool *switch_of(options *o, enum option_id id)
{
    return id == OPTION_LOG     ? &o->log
           : id == OPTION_QUIET ? &o->quiet
           : id == OPTION_HELP  ? &o->help
           : id == OPTION_VERSION ? &o->version
                                  : NULL;
}

static bool apply(options *o, const option *found, const char *value)
{
    const char **text = text_of(o, found->id);
    bool *on = switch_of(o, found->id);
    if (text)
        *text = value;
    if (on)
        *on = true;
    if (found->id == OPTION_SET)
        add_word(&o->settings, value);
    if (found->id == OPTION_MODELS)
        add_word(&o->models, value);
    if (found->id == OPTION_JSON)
        o->style.format = KVSIM_JSON;
    if (found->id == OPTION_RESTART)
        return apply_number(&o->restart, "restart", 1, value);
    if (found->id == OPTION_FORMAT)
        return apply_format(o, value);
    return found->id != OPTION_COLOR || apply_color(o, value);
}

/* One option word; *i moves on if its value is the next word. */
static bool parse_option(enum command command, int argc, char **argv, int *i, options *o)
{
    const char *word = argv[*i], *value = NULL;
    const option *found;
    if (word[1] == '-') {
        size_t n = strcspn(word + 2, "=");
        found = find_long(command, word + 2, n);
        value = word[2 + n] == '=' ? word + 3 + n : NULL;
    } else {
        found = find_letter(command, word[1]);
        value = found && word[2] ? word + 2 : NULL;
    }
    if (!found) {
        complain_unknown(command, word);
        return false;
    }
    if (!found->argument && value) {
        complain("--%s takes no value", found->name);
        return false;
    }
    if (found->argument && !value) {
        if (*i + 1 >= argc) {
            complain("--%s needs a value: --%s %s", found->name, found->name, found->argument);
            return false;
        }
        value = argv[++*i];
    }
    return apply(o, found, value);
}

/* True if an option of any command by this word wants its value in the next word. */
static bool wants_next(const char *word)
{
    for (size_t i = 0; i < N_OPTIONS; i++) {
        bool by_name = word[1] == '-' && strcmp(word + 2, table[i].name) == 0;
        bool by_letter = table[i].letter && word[1] == table[i].letter && !word[2];
        if (by_name || by_letter)
            return table[i].argument != NULL;
    }
    return false;
}

int find_operand(int argc, char **argv)
{
    int i = 1;
    while (i < argc && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--") != 0)
        i += wants_next(argv[i]) ? 2 : 1;
    return i < argc ? i : argc;
}

bool parse_options(enum command command, int argc, char **argv, options *o)
{
    bool only_operands = false;
    for (int i = 0; i < argc; i++) {
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
            o->dashed = o->operands.n;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            if (!parse_option(command, argc, argv, &i, o))
                return false;
        } else
            add_word(&o->operands, argv[i]);
    }
    if (!only_operands)
        o->dashed = o->operands.n;
    return true;
}

static void print_option(const option *o)
{
    char left[64];
    if (o->letter)
        snprintf(left, sizeof left, "-%c, --%s%s%s", o->letter, o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
    else
        snprintf(left, sizeof left, "    --%s%s%s", o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
    printf("  %-26s %s\n", left, o->help);
}

void print_help(void)
{
    puts("kvsim: does this LLM server fit into GPU memory, why (not), and what would make it fit?\n");
    puts("usage: kvsim SCENARIO...");
    puts("       kvsim COMMAND [OPTION]... ARGUMENT...\n\ncommands:");
    for (int i = 0; i < N_COMMANDS; i++)
        printf("  %-8s %s\n", commands[i].name, commands[i].help);
    puts("\noptions (`kvsim COMMAND --help` tells which command takes which):");
    for (size_t i = 0; i < N_OPTIONS; i++)
        print_option(&table[i]);
    puts("\nexit codes: 0 fits, or done; 1 does not fit, unsupported, or an expectation failed;\n"
         "2 wrong use or bad input; 3 uncertain; 70 internal error");
    puts("\nmore: kvsim(1), kvsim-scenario(5), kvsim-models(5), kvsim-formula(7)");
}

void print_command_help(enum command command)
{
    printf("usage: kvsim %s [OPTION]... %s\n\n%s\noptions:\n", commands[command].name,
           commands[command].operands, commands[command].more);
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (table[i].commands & BIT(command))
            print_option(&table[i]);
}
