#include "expl/report.h"

#include "base/num.h"

#include <math.h>

static const char *const verdict_words[] = {
#define X(name, word, heading) word,
    KS_VERDICTS(X)
#undef X
};

static const char *const verdict_headings[] = {
#define X(name, word, heading) heading,
    KS_VERDICTS(X)
#undef X
};

const char *ks_verdict_word(enum ks_verdict verdict)
{
    return verdict_words[verdict];
}

const char *ks_verdict_heading(enum ks_verdict verdict)
{
    return verdict_headings[verdict];
}

static ks_node node_of(const ks_program *program, const ks_plan *plan, size_t lane, int number)
{
    const ks_def *d = &program->defs.items[number];
    size_t n = d->per_rank ? program->n_classes : 1;
    ks_node node = {.name = d->name, .kind = d->kind, .type = d->type, .formula = d->formula,
                    .expr = d->expr, .inputs = d->inputs, .n_inputs = d->n_inputs, .at = d->at,
                    .source = d->source, .meaning = d->meaning, .note = d->note,
                    .hidden = d->hidden, .n_values = n};
    node.values = KS_NEW_ARRAY(program->arena, ks_cell, n);
    for (size_t class = 0; class < n; class++)
        node.values[class] = ks_plan_get(plan, number, class, lane);
    if (d->kind == KS_MEASURED) {
        node.at = d->pin_at;
        node.expr = NULL;
        node.formula = (ks_formula){0};
    }
    if (d->has_range) {
        node.has_range = true;
        node.low = ks_as_real(d->type, d->low);
        node.high = ks_as_real(d->type, d->high);
    }
    return node;
}

ks_report *ks_report_new(const ks_program *program, const ks_plan *plan, size_t lane)
{
    ks_report *report = KS_NEW(program->arena, ks_report);
    report->arena = program->arena;
    report->program = program;
    report->names.arena = program->arena;
    report->failed_slack = -1;
    for (size_t i = 0; i < program->defs.n; i++) {
        *KS_PUSH(report->arena, &report->nodes) = node_of(program, plan, lane, (int)i);
        ks_table_put(&report->names, program->defs.items[i].name, (int)i);
    }
    return report;
}

int ks_add_node(ks_report *report, ks_str name, enum ks_kind kind, ks_type type, ks_cell value,
                ks_str formula, const int *inputs, size_t n_inputs)
{
    int number = (int)report->nodes.n;
    int *copy = KS_NEW_ARRAY(report->arena, int, n_inputs + 1);
    for (size_t i = 0; i < n_inputs; i++)
        copy[i] = inputs[i];
    ks_node *node = KS_PUSH(report->arena, &report->nodes);
    *node = (ks_node){.name = name, .kind = kind, .type = type, .inputs = copy,
                      .n_inputs = n_inputs, .n_values = 1};
    node->formula.text = formula;
    node->values = KS_NEW(report->arena, ks_cell);
    node->values[0] = value;
    ks_table_put(&report->names, name, number);
    return number;
}

int ks_find_node(const ks_report *report, ks_str name)
{
    return ks_table_get(&report->names, name);
}

ks_cell ks_node_cell(const ks_node *node, size_t rank_class)
{
    return node->values[rank_class < node->n_values ? rank_class : 0];
}

double ks_node_real(const ks_node *node, size_t rank_class)
{
    return ks_as_real(node->type, ks_node_cell(node, rank_class));
}

ks_str ks_show_node(const ks_report *report, const ks_node *node, size_t rank_class)
{
    return ks_show_cell(report->program, node->type, ks_node_cell(node, rank_class));
}

bool ks_node_differs(const ks_node *node)
{
    for (size_t i = 1; i < node->n_values; i++)
        if (node->values[i].i != node->values[0].i)
            return true;
    return false;
}

ks_section *ks_add_section(ks_report *report, const char *title)
{
    ks_section *section = KS_PUSH(report->arena, &report->sections);
    *section = (ks_section){.title = ks_from_c(title)};
    return section;
}

ks_str ks_safe(ks_arena *arena, ks_str text)
{
    return ks_replace(arena, ks_replace(arena, text, '{', '('), '}', ')');
}

static void add_piece(ks_report *report, ks_template *result, ks_str text)
{
    if (text.n)
        *KS_PUSH(report->arena, result) = (ks_piece){KS_PIECE_TEXT, text, -1, 0};
}

/* A text with holes, as a template over the nodes that follow, up to -1. */
static ks_template say(ks_report *report, const char *format, va_list nodes)
{
    ks_template result = {NULL, 0, 0};
    ks_str text = ks_copy(report->arena, ks_from_c(format));
    size_t from = 0;
    int node = 0;
    while (from < text.n) {
        size_t open = ks_find_byte(text, '{', from);
        node = open < text.n && node >= 0 ? va_arg(nodes, int) : -1;
        if (node < 0)
            open = text.n;
        add_piece(report, &result, ks_slice(text, from, open));
        if (open == text.n)
            break;
        size_t close = ks_find_byte(text, '}', open);
        ks_piece piece = {KS_PIECE_SHOWN, {NULL, 0}, node, 0};
        if (!ks_read_style(ks_slice(text, open + 2, close), &piece))
            piece.style = KS_PIECE_SHOWN;
        *KS_PUSH(report->arena, &result) = piece;
        from = close + 1;
    }
    return result;
}

ks_block *ks_add_block_of(ks_report *report, ks_section *section, enum ks_block_kind kind,
                          const char *format, ...)
{
    va_list nodes;
    ks_block *block = KS_PUSH(report->arena, &section->blocks);
    *block = (ks_block){.kind = kind, .node = -1};
    va_start(nodes, format);
    block->text = say(report, format, nodes);
    va_end(nodes);
    return block;
}

ks_block *ks_add_text(ks_report *report, ks_section *section, enum ks_block_kind kind, ks_str text)
{
    ks_block *block = ks_add_block(report, section, kind, "");
    add_piece(report, &block->text, text);
    return block;
}

ks_block *ks_add_table(ks_report *report, ks_section *section, const ks_column *columns, size_t n)
{
    ks_block *block = KS_PUSH(report->arena, &section->blocks);
    *block = (ks_block){.kind = KS_BLOCK_TABLE, .node = -1, .columns = columns, .n_columns = n};
    return block;
}

ks_row *ks_add_row(ks_report *report, ks_block *table)
{
    ks_row *row = KS_PUSH(report->arena, &table->rows);
    *row = (ks_row){.cells = KS_NEW_ARRAY(report->arena, ks_template, table->n_columns)};
    return row;
}

void ks_set_cell_of(ks_report *report, ks_row *row, size_t column, const char *format, ...)
{
    va_list nodes;
    va_start(nodes, format);
    row->cells[column] = say(report, format, nodes);
    va_end(nodes);
}

void ks_set_text(ks_report *report, ks_row *row, size_t column, ks_str text)
{
    row->cells[column] = (ks_template){NULL, 0, 0};
    add_piece(report, &row->cells[column], text);
}

ks_str ks_fill(const ks_report *report, const ks_template *text, size_t rank_class)
{
    ks_builder b = {.arena = report->arena};
    for (size_t i = 0; i < text->n; i++) {
        const ks_piece *piece = &text->items[i];
        if (piece->style == KS_PIECE_TEXT) {
            ks_add(&b, piece->text);
            continue;
        }
        const ks_node *node = &report->nodes.items[piece->def];
        ks_add(&b, ks_show_piece(report->program, piece, node->type,
                                 ks_node_cell(node, rank_class)));
    }
    return ks_built(&b);
}

ks_str ks_ranks_of(ks_arena *arena, const ks_program *program, size_t rank_class)
{
    ks_builder b = {.arena = arena};
    size_t n = 0, last = 0;
    for (size_t rank = 0; rank < program->n_ranks; rank++) {
        if (program->class_of_rank[rank] != rank_class)
            continue;
        bool starts = rank == 0 || program->class_of_rank[rank - 1] != rank_class;
        bool ends = rank + 1 == program->n_ranks || program->class_of_rank[rank + 1] != rank_class;
        if (starts)
            ks_addf(&b, "%s%zu", b.n ? ", " : "", rank);
        if (starts)
            last = rank;
        if (ends && rank > last)
            ks_addf(&b, "-%zu", rank);
        n++;
    }
    return ks_format(arena, "rank%s %.*s", n == 1 ? "" : "s", KS_ARG(ks_built(&b)));
}
