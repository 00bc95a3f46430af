/* The program kvsim: reads the command line and the environment, finds the model files, and calls
 * the command. All it knows of the library is kvsim.h. */
#include "cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* A path below the current folder, as seen from it: messages are shorter then. */
static const char *from_here(const char *path)
{
    char here[4096];
    if (!getcwd(here, sizeof here))
        return path;
    size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

/* True if this program lies below the folder. */
static bool runs_from(const char *folder)
{
    char own[4096];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    if (n <= 0)
        return false;
    own[n] = '\0';
    return strncmp(own, folder, strlen(folder)) == 0;
}

/* --models first, then KVSIM_MODELS (folders parted by colons), then the folder of the build tree or
 * of the installation. `copy` receives what must be freed. */
static void add_model_folders(words *models, char **copy)
{
    const char *listed = getenv("KVSIM_MODELS");
    *copy = NULL;
    if (listed && *listed) {
        *copy = malloc(strlen(listed) + 1);
        if (!*copy)
            exit(EXIT_INTERNAL);
        memcpy(*copy, listed, strlen(listed) + 1);
        char *rest = NULL;
        for (char *one = strtok_r(*copy, ":", &rest); one; one = strtok_r(NULL, ":", &rest))
            add_word(models, one);
    }
    bool installed = is_folder(KVSIM_DATADIR "/models") && !runs_from(KVSIM_BUILD_DIR);
    if (!installed && is_folder(KVSIM_BUILD_MODELS))
        add_word(models, from_here(KVSIM_BUILD_MODELS));
    else
        add_word(models, KVSIM_DATADIR "/models");
}

static bool wants_colour(const options *o, const FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    if (o->colour != COLOUR_AUTO)
        return o->colour == COLOUR_ALWAYS;
    if ((no_color && *no_color) || (terminal && strcmp(terminal, "dumb") == 0))
        return false;
    return isatty(stream == stderr ? STDERR_FILENO : STDOUT_FILENO) && (stream == stderr || !o->output);
}

static int run_command(enum command command, session *s)
{
    switch (command) {
    case COMMAND_RUN:
        return cmd_run(s);
    case COMMAND_EXPLAIN:
        return cmd_explain(s);
    case COMMAND_SOLVE:
        return cmd_solve(s);
    case COMMAND_CHECK:
        return cmd_check(s);
    case COMMAND_LIST:
        return cmd_list(s);
    case COMMAND_IMPORT:
        return cmd_import(s);
    case COMMAND_COMPARE:
        return cmd_compare(s);
    case COMMAND_ALLREDUCE:
        return cmd_allreduce(s);
    case COMMAND_DECODE:
        return cmd_decode(s);
    case COMMAND_CALIBRATE:
        return cmd_calibrate(s);
    case N_COMMANDS:
        break;
    }
    return EXIT_INTERNAL;
}

/* Opens the handle and the output, runs the command, and tells what went wrong. */
static int start(enum command command, options *o)
{
    session s = {.o = o, .out = stdout};
    kvsim_options handle = {.models = o->models.items, .n_models = o->models.n};
    int code;
    /* calibrate writes a file beside its report, and perhaps over what it has read. */
    const char *output = command == COMMAND_CALIBRATE ? NULL : o->output;
    if (output && !(s.out = fopen(output, "wb"))) {
        complain("cannot write \"%s\"", o->output);
        return EXIT_BAD_INPUT;
    }
    o->style.colour = wants_colour(o, stdout);
    s.k = kvsim_open(&handle);
    code = s.k ? run_command(command, &s) : EXIT_INTERNAL;
    if (s.k)
        kvsim_write_diagnostics(s.k, wants_colour(o, stderr), write_stream, stderr);
    kvsim_close(s.k);
    if (fflush(s.out) != 0 || ferror(s.out)) {
        complain("the output could not be written");
        code = EXIT_INTERNAL;
    }
    if (output)
        fclose(s.out);
    return code;
}

/* Takes the word at `at` out of the arguments. */
static void remove_word(int *argc, char **argv, int at)
{
    for (int i = at; i + 1 < *argc; i++)
        argv[i] = argv[i + 1];
    --*argc;
}

/* `kvsim help [COMMAND]` */
static int show_help(int argc, char **argv)
{
    enum command command = argc > 2 ? find_command(argv[2]) : N_COMMANDS;
    if (argc > 2 && command == N_COMMANDS) {
        complain("there is no command \"%s\"; see `kvsim help`", argv[2]);
        return EXIT_BAD_INPUT;
    }
    if (command == N_COMMANDS)
        print_help();
    else
        print_command_help(command);
    return EXIT_FITS;
}

static int run_main(int argc, char **argv, options *o)
{
    int at = find_operand(argc, argv);
    enum command command = at < argc ? find_command(argv[at]) : N_COMMANDS;
    bool named = command != N_COMMANDS;
    char *copy = NULL;
    if (named)
        remove_word(&argc, argv, at);
    else
        command = COMMAND_RUN;
    if (!parse_options(command, argc - 1, argv + 1, o))
        return EXIT_BAD_INPUT;
    if (o->version)
        return printf("kvsim %s\n", kvsim_version()) < 0 ? EXIT_INTERNAL : EXIT_FITS;
    if (o->help) {
        if (named)
            print_command_help(command);
        else
            print_help();
        return EXIT_FITS;
    }
    add_model_folders(&o->models, &copy);
    int code = start(command, o);
    free(copy);
    return code;
}

int main(int argc, char **argv)
{
    options o = {0};
    if (argc < 2) {
        print_help();
        return EXIT_BAD_INPUT;
    }
    if (strcmp(argv[1], "help") == 0)
        return show_help(argc, argv);
    int code = run_main(argc, argv, &o);
    free_options(&o);
    return code;
}
