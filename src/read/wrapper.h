/* Programs that start another program: sudo, nohup, numactl, uv run, docker run ... Which of their
 * options take a value decides where the other program's words begin. */
#ifndef KS_READ_WRAPPER_H
#define KS_READ_WRAPPER_H

#include "read/shell.h"

/* The words of one command, taken from the front. */
typedef struct ks_words {
    const ks_shell_word **items;
    size_t n, at;
} ks_words;

/* How a program's options are told from its operands. */
typedef struct ks_option_style {
    const char *letters; /* short options that take a value */
    const char *names;   /* long options that take a value, each between blanks */
    bool inverted;       /* those listed take none, all others take one */
} ks_option_style;

typedef struct ks_option {
    ks_str name;                /* without dashes */
    const ks_shell_word *value; /* the word that holds its value, from byte `from` on; or NULL */
    size_t from;
} ks_option;

/* The next word, or NULL. */
const ks_shell_word *ks_next_word(const ks_words *words);
/* The part of a program's path behind the last slash. */
ks_str ks_program_name(ks_str path);
/* True if `word` is in a list such as " a bc ". */
bool ks_is_listed(const char *list, ks_str word);
/* Takes an option with its value. False, and nothing taken, if the next word is none; a word `--`
 * is taken and ends the options. */
bool ks_take_option(ks_words *words, const ks_option_style *style, ks_option *option);

/* Takes a wrapper with its options and operands. False if the next word is none that is known. */
bool ks_take_wrapper(ks_words *words);
/* True if the next words are `docker run`, `podman exec` or their kin, which are taken. */
bool ks_take_container(ks_words *words);
extern const ks_option_style ks_container_options;

#endif
