/* Flags in a text that is no full list of them: a command, or a part of a list as Python prints it,
 * with anything between. It takes --name VALUE, --name=VALUE, --name alone, and name=VALUE. */
#ifndef KS_READ_FLAGTEXT_H
#define KS_READ_FLAGTEXT_H

#include "read/python.h"

/* The flags in their order; names have '_' where they may have '-'. All texts are copied into the
 * arena. A list in brackets is no value. */
ks_python_items ks_read_flag_text(ks_arena *arena, ks_str text);

#endif
