/* Texts with holes for quantities: "{kv.budget:GiB:.2f} GB are left". What stands in a hole is a
 * quantity of the program, so that no number gets into a text without one.
 *
 *   {name}            as kvsim prints it: "10.42 GiB"
 *   {name:GiB:.2f}    in a unit, with decimals, without the unit's name: "10.42"
 *   {name:.4f}        the plain number with decimals
 *   {name:repr}       as Python prints it: "0.55"
 *   {*}               something that the program does not know: "..."
 *   {{ and }}         braces
 */
#ifndef KS_EXPL_TEMPLATE_H
#define KS_EXPL_TEMPLATE_H

#include "expl/eval.h"

enum ks_piece_style { KS_PIECE_TEXT, KS_PIECE_SHOWN, KS_PIECE_DECIMALS, KS_PIECE_REPR };

typedef struct ks_piece {
    enum ks_piece_style style;
    ks_str text; /* KS_PIECE_TEXT: the text; KS_PIECE_DECIMALS: the unit or empty */
    int def;
    int decimals;
} ks_piece;

typedef struct ks_template {
    ks_piece *items;
    size_t n, capacity;
} ks_template;

/* A value as text, whatever its type: "10.42 GiB", "true", "triton". */
ks_str ks_show_cell(const ks_program *program, ks_type type, ks_cell value);

/* A hole's style as it is written: "repr", ".4f" or "GiB:.2f". False if it is none. */
bool ks_read_style(ks_str style, ks_piece *piece);
/* A value in a hole's style. */
ks_str ks_show_piece(const ks_program *program, const ks_piece *piece, ks_type type,
                     ks_cell value);

/* The text with its holes filled from one lane of a plan, for one class of ranks. */
ks_str ks_fill_template(const ks_program *program, const ks_template *text, const ks_plan *plan,
                        size_t rank_class, size_t lane);

/* Reads a template; names are looked up in a linked program. False after an error. */
bool ks_read_template(ks_program *program, ks_formula text, ks_template *result);

#endif
