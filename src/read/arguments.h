/* The second half of command.h: the flags behind the name of a server, and what both halves need. */
#ifndef KS_READ_ARGUMENTS_H
#define KS_READ_ARGUMENTS_H

#include "read/command.h"
#include "read/wrapper.h"

/* Warns (C003) that a part of the text is left out. `why` goes behind it. */
void ks_leave_out(ks_diags *diags, ks_span span, const char *why);
/* A word's text from byte `from` on as a scalar; what a shell would have replaced in it is noted in
 * the command. */
ks_doc *ks_rest_of_word(ks_diags *diags, const ks_shell *shell, const ks_shell_word *word,
                        size_t from, ks_command *command);
/* Reads the words that are left as flags into `command->launch` and `command->model`. positional: a
 * model may stand without a flag. */
void ks_read_arguments(ks_diags *diags, const ks_shell *shell, ks_words *words, bool positional,
                       ks_command *command);

#endif
