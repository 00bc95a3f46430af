/* Splits a text into words as a shell does: quotes, backslashes, comments, `&&`, `;`, `|`, redirections.
 * Every byte of a word has its place in the text. Nothing is expanded: `$NAME`, `$(...)` and the like
 * stay as they are and are noted. What the words mean is not known here. */
#ifndef KS_READ_SHELL_H
#define KS_READ_SHELL_H

#include "read/doc.h"

typedef struct ks_shell_word {
    ks_str text;      /* without its quotes */
    size_t at;        /* of its first byte in `places` */
    ks_span span;     /* as it is written, with its quotes */
    ks_span variable; /* the first part that a shell would replace; else without a source */
    bool quoted;      /* quotes are in it */
} ks_shell_word;

/* Words up to a line's end, `&&`, `||`, `;`, `|`, `&` or a round bracket. */
typedef struct ks_shell_command {
    size_t first, n; /* words */
    ks_span span;    /* with the operator in front of it */
} ks_shell_command;

typedef struct ks_shell {
    ks_arena *arena;
    const ks_source *source;
    struct {
        ks_shell_word *items;
        size_t n, capacity;
    } words;
    struct {
        ks_shell_command *items;
        size_t n, capacity;
    } commands;
    uint32_t *places; /* in the source, of each byte of each word's text */
} ks_shell;

enum { KS_MAX_COMMAND = 64 << 10, KS_MAX_WORDS = 4096 };

/* Splits the text at `text`. by_lines: a line's end ends a command unless a backslash stands before
 * it; else it is a blank. False after an error (C002). */
bool ks_split_words(ks_diags *diags, ks_span text, bool by_lines, ks_shell *shell);

/* Bytes [from, to) of a word's text as a scalar with its place. */
ks_doc *ks_word_part(const ks_shell *shell, const ks_shell_word *word, size_t from, size_t to);

/* The words as one line that splits into them again. */
ks_str ks_join_words(ks_arena *arena, const char *const *words, size_t n);

#endif
