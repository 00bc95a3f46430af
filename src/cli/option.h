/* The command line: one table of options, from which parsing and help come. */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "kvsim.h"

#include <stdbool.h>
#include <stddef.h>

enum command { COMMAND_RUN, COMMAND_EXPLAIN, COMMAND_SOLVE, COMMAND_CHECK, COMMAND_LIST, COMMAND_IMPORT, COMMAND_COMPARE, COMMAND_ALLREDUCE,
               COMMAND_DECODE, COMMAND_CALIBRATE,
               N_COMMANDS };

/* A growing list of arguments. */
typedef struct words {
    const char **items;
    size_t n, capacity;
} words;

typedef struct options {
    words operands, settings, models;
    size_t dashed; /* the first operand behind a word `--`, or the number of operands */
    const char *goal, *output;
    const char *machine, *engine, *llm; /* of a command line or a log */
    const char *log_file;
    const char *bytes, *ranks, *algorithm, *nccl, *quantity,
        *graph;     /* of an all-reduce, or measured ones */
    size_t restart; /* which start of a log; 0: the last that is complete */
    kvsim_style style;
    enum { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour;
    bool log, quiet, help, version;
} options;

/* Exit codes of the program. */
enum { EXIT_FITS = 0, EXIT_DOES_NOT_FIT = 1, EXIT_BAD_INPUT = 2, EXIT_UNCERTAIN = 3, EXIT_INTERNAL = 70 };

/* The command of this name, or N_COMMANDS. */
enum command find_command(const char *name);
/* Index of the first word that is neither an option nor an option's value, or argc. */
int find_operand(int argc, char **argv);
/* Reads arguments into `o`. False after an error, which has been told. */
bool parse_options(enum command command, int argc, char **argv, options *o);
void free_options(options *o);
void add_word(words *list, const char *word);
/* The general help, or that of a command. */
void print_help(void);
void print_command_help(enum command command);
/* Tells a wrong use of the program. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
