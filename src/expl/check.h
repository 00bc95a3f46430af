/* Names, types, dimensions and circles: what must hold before a program is compiled. */
#ifndef KS_EXPL_CHECK_H
#define KS_EXPL_CHECK_H

#include "expl/program.h"

/* Resolves and types every formula, and fills in program->order. False after an error; what uses a
 * faulty quantity stays silent, so that one slip gives one message. */
bool ks_check_program(ks_program *program);

#endif
