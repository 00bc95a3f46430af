/* How a node came about, for all renderers: its formula in names and in numbers, its origin, and
 * the walk down to the inputs. */
#ifndef KS_RENDER_DERIVATION_H
#define KS_RENDER_DERIVATION_H

#include "expl/report.h"

/* "load.free - start.free * (1 - mem_fraction_static)", or what stands for a formula. */
ks_str ks_formula_words(const ks_report *report, const ks_node *node);
/* The same with values in the places of names. */
ks_str ks_formula_numbers(const ks_report *report, const ks_node *node, size_t rank_class);
/* "derived; models/engine/x.yaml:88:16; model_runner.py, v0.5.3: profile_max_num_token" */
ks_str ks_origin_words(const ks_report *report, const ks_node *node);

typedef struct ks_tree_line {
    ks_str name;
    size_t depth;
    ks_str value, formula, origin; /* formula and origin may be empty */
} ks_tree_line;

/* Calls `line` for the node and all it rests on, tables and lists of numbers too, each once; where
 * one is met again it is named with the words "see above" for its origin. */
void ks_walk_derivation(const ks_report *report, int node, size_t rank_class,
                        void (*line)(void *context, const ks_tree_line *line), void *context);

#endif
