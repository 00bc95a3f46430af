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
    if (is_folder(KVSIM_BUILD_MODELS))
        add_word(models, KVSIM_BUILD_MODELS);
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
    if (o->output && !(s.out = fopen(o->output, "wb"))) {
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
    if (o->output)
        fclose(s.out);
    return code;
}

int main(int argc, char **argv)
{
    options o = {0};
    char *copy = NULL;
    int first = 1, code;
    if (argc < 2) {
        print_help();
        return EXIT_BAD_INPUT;
    }
    bool help = strcmp(argv[1], "help") == 0;
    if (help && argc == 2) {
        print_help();
        return EXIT_FITS;
    }
    enum command command = find_command(argv[help ? 2 : 1]);
    if (help && command == N_COMMANDS) {
        complain("there is no command \"%s\"; see `kvsim help`", argv[2]);
        return EXIT_BAD_INPUT;
    }
    bool named = command != N_COMMANDS;
    if (!named)
        command = COMMAND_RUN;
    first += named ? 1 : 0;
    bool good = help || parse_options(command, argc - first, argv + first, &o);
    if (!good)
        code = EXIT_BAD_INPUT;
    else if (o.version)
        code = printf("kvsim %s\n", kvsim_version()) < 0 ? EXIT_INTERNAL : EXIT_FITS;
    else if (help || o.help) {
        if (named)
            print_command_help(command);
        else
            print_help();
        code = EXIT_FITS;
    } else {
        add_model_folders(&o.models, &copy);
        code = start(command, &o);
    }
    free_options(&o);
    free(copy);
    return code;
}
