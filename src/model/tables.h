/* Step tables and lists of numbers of a model file, as parts of a program. */
#ifndef KS_MODEL_TABLES_H
#define KS_MODEL_TABLES_H

#include "model/facts.h"

/* Defines each member of a section (NULL is none): {rows: [[bound, value], ...], else, source} is a
 * table, {runs: [[from, to, step], ...], source} a list. Their names have no prefix; one that is
 * there already stays as it is. False after an error. */
bool ks_define_tables(const ks_scope *scope, const ks_doc *section);
bool ks_define_lists(const ks_scope *scope, const ks_doc *section);

#endif
