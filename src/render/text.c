#include "render/text.h"

#include "render/derivation.h"

enum { DEFAULT_WIDTH = 100 };

typedef struct writer {
    const ks_report *report;
    ks_sink sink;
    bool colour;
    size_t width;
} writer;

static const char *const tone_codes[] = {[KS_TONE_PLAIN] = "", [KS_TONE_GOOD] = "\033[32m",
                                         [KS_TONE_BAD] = "\033[1;31m", [KS_TONE_DOUBT] = "\033[1;33m",
                                         [KS_TONE_FAINT] = "\033[2m"};

static void tone_on(const writer *w, enum ks_tone tone)
{
    if (w->colour)
        ks_put_c(w->sink, tone_codes[tone]);
}

static void tone_off(const writer *w, enum ks_tone tone)
{
    if (w->colour && tone != KS_TONE_PLAIN)
        ks_put_c(w->sink, "\033[0m");
}

/* Columns that a text takes: characters, not bytes. */
static size_t columns_of(ks_str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.s[i] & 0xc0) != 0x80;
    return n;
}

/* A paragraph, broken between words, that begins in column `at`; `indent` blanks begin each further
 * line. */
static void write_from(const writer *w, size_t at, size_t indent, ks_str text)
{
    bool fresh = true;
    while (text.n) {
        ks_str word = ks_cut(text, ' ', &text);
        size_t n = columns_of(word);
        if (!n)
            continue;
        if (!fresh && at + 1 + n > w->width) {
            ks_put_c(w->sink, "\n");
            ks_put_fill(w->sink, ' ', indent);
            at = indent;
            fresh = true;
        }
        if (!fresh)
            ks_put_c(w->sink, " ");
        ks_put(w->sink, word);
        at += n + (fresh ? 0 : 1);
        fresh = false;
    }
    ks_put_c(w->sink, "\n");
}

/* The same with `first` before its first line, which is as wide as the indentation. */
static void write_wrapped(const writer *w, const char *first, size_t indent, ks_str text)
{
    ks_put_c(w->sink, first);
    write_from(w, indent, indent, text);
}

static ks_str cell_text(const writer *w, const ks_block *table, const ks_row *row, size_t column)
{
    return ks_fill(w->report, &row->cells[column],
                   row->has_class ? row->rank_class : table->rank_class);
}

static size_t *column_widths(const writer *w, const ks_block *table)
{
    size_t *widths = KS_NEW_ARRAY(w->report->arena, size_t, table->n_columns + 1);
    for (size_t c = 0; c < table->n_columns; c++) {
        widths[c] = columns_of(table->columns[c].title);
        for (size_t r = 0; r < table->rows.n; r++) {
            size_t n = columns_of(cell_text(w, table, &table->rows.items[r], c));
            widths[c] = n > widths[c] ? n : widths[c];
        }
    }
    return widths;
}

static void write_cell(const writer *w, ks_str text, size_t width, bool right, bool last)
{
    size_t pad = width - columns_of(text);
    if (right)
        ks_put_fill(w->sink, ' ', pad);
    ks_put(w->sink, text);
    if (!right && !last)
        ks_put_fill(w->sink, ' ', pad);
}

/* The last column with something in it, so that lines have no blanks at their ends. */
static size_t last_filled(const writer *w, const ks_block *table, const ks_row *row)
{
    size_t last = table->n_columns;
    while (last > 1 && cell_text(w, table, row, last - 1).n == 0)
        last--;
    return last;
}

static void write_table(const writer *w, const ks_block *table)
{
    const size_t *widths = column_widths(w, table);
    size_t last = table->n_columns;
    while (last > 1 && table->columns[last - 1].title.n == 0)
        last--;
    tone_on(w, KS_TONE_FAINT);
    for (size_t c = 0; c < last; c++) {
        ks_put_c(w->sink, "  ");
        write_cell(w, table->columns[c].title, widths[c], table->columns[c].right, c + 1 == last);
    }
    tone_off(w, KS_TONE_FAINT);
    ks_put_c(w->sink, "\n");
    for (size_t r = 0; r < table->rows.n; r++) {
        const ks_row *row = &table->rows.items[r];
        last = last_filled(w, table, row);
        tone_on(w, row->tone);
        for (size_t c = 0; c < last; c++) {
            ks_put_c(w->sink, "  ");
            write_cell(w, cell_text(w, table, row, c), widths[c], table->columns[c].right,
                       c + 1 == last);
        }
        tone_off(w, row->tone);
        ks_put_c(w->sink, "\n");
    }
}

static void write_sum(const writer *w, const ks_block *block)
{
    const ks_node *node = &w->report->nodes.items[block->node];
    ks_str name = node->name;
    ks_put_c(w->sink, "  ");
    ks_put(w->sink, name);
    if (node->formula.text.n) {
        ks_put_c(w->sink, " = ");
        write_wrapped(w, "", name.n + 5, ks_formula_words(w->report, node));
    }
    ks_str numbers = ks_formula_numbers(w->report, node, block->rank_class);
    if (node->expr && !ks_equal(numbers, ks_show_node(w->report, node, block->rank_class))) {
        ks_put_fill(w->sink, ' ', name.n + 2);
        ks_put_c(w->sink, " = ");
        write_wrapped(w, "", name.n + 5, numbers);
    }
    if (node->formula.text.n)
        ks_put_fill(w->sink, ' ', name.n + 2);
    ks_put_c(w->sink, " = ");
    tone_on(w, ks_node_real(node, block->rank_class) < 0 ? KS_TONE_BAD : KS_TONE_PLAIN);
    ks_put(w->sink, ks_show_node(w->report, node, block->rank_class));
    tone_off(w, KS_TONE_BAD);
    ks_put_c(w->sink, node->kind == KS_MEASURED ? ", measured\n" : "\n");
}

static void write_tree_line(void *context, const ks_tree_line *line)
{
    const writer *w = context;
    size_t indent = 2 * line->depth + 4;
    size_t at = 2 * line->depth + columns_of(line->name) + 3;
    ks_str value = line->value;
    ks_put_fill(w->sink, ' ', 2 * line->depth);
    ks_put(w->sink, line->name);
    ks_put_c(w->sink, " = ");
    if (at + columns_of(value) > w->width && !line->formula.n) {
        write_from(w, at, indent + 1, value);
        ks_put_fill(w->sink, ' ', indent - 1);
        at = indent - 1;
    } else {
        ks_put(w->sink, value);
        at += columns_of(value);
    }
    if (line->formula.n) {
        ks_put_c(w->sink, "\n");
        ks_put_fill(w->sink, ' ', indent);
        ks_put_c(w->sink, "= ");
        write_from(w, indent + 2, indent + 2, line->formula);
        ks_put_fill(w->sink, ' ', indent);
        at = indent;
    } else if (line->origin.n) {
        ks_put_c(w->sink, "  ");
        at += 2;
    }
    tone_on(w, KS_TONE_FAINT);
    if (line->origin.n)
        write_from(w, at, indent + 1, ks_format(w->report->arena, "[%.*s]", KS_ARG(line->origin)));
    else
        ks_put_c(w->sink, "\n");
    tone_off(w, KS_TONE_FAINT);
}

static void write_block(const writer *w, const ks_block *block)
{
    ks_str text = ks_fill(w->report, &block->text, block->rank_class);
    switch (block->kind) {
    case KS_BLOCK_TEXT:
        if (text.n)
            write_wrapped(w, "", 0, text);
        break;
    case KS_BLOCK_QUOTE:
        tone_on(w, KS_TONE_FAINT);
        write_wrapped(w, "  | ", 4, text);
        tone_off(w, KS_TONE_FAINT);
        break;
    case KS_BLOCK_BULLET:
        write_wrapped(w, "  - ", 4, text);
        break;
    case KS_BLOCK_TABLE:
        write_table(w, block);
        break;
    case KS_BLOCK_SUM:
        write_sum(w, block);
        break;
    case KS_BLOCK_TREE:
        ks_walk_derivation(w->report, block->node, block->rank_class, write_tree_line,
                           (void *)(uintptr_t)w);
        break;
    }
}

static void write_section(const writer *w, const ks_section *section)
{
    if (section->blocks.n == 0)
        return;
    ks_put_c(w->sink, "\n");
    if (section->title.n) {
        if (w->colour)
            ks_put_c(w->sink, "\033[1m");
        ks_put(w->sink, section->title);
        if (w->colour)
            ks_put_c(w->sink, "\033[0m");
        ks_put_c(w->sink, "\n");
    }
    for (size_t i = 0; i < section->blocks.n; i++)
        write_block(w, &section->blocks.items[i]);
}

/* "DOES NOT FIT at kv.pool, short by 20.64 GiB on ranks 0-7". */
static void write_verdict(const writer *w)
{
    static const enum ks_tone tones[] = {[KS_FITS] = KS_TONE_GOOD, [KS_DOES_NOT_FIT] = KS_TONE_BAD,
                                         [KS_UNSUPPORTED] = KS_TONE_BAD,
                                         [KS_UNCERTAIN] = KS_TONE_DOUBT};
    const ks_report *report = w->report;
    tone_on(w, tones[report->verdict]);
    ks_put_c(w->sink, ks_verdict_heading(report->verdict));
    tone_off(w, tones[report->verdict]);
    if (report->failed_slack >= 0) {
        const ks_node *slack = &report->nodes.items[report->failed_slack];
        ks_cell cell = {.i = -ks_node_cell(slack, report->failed_class).i};
        ks_put_c(w->sink, report->verdict == KS_UNCERTAIN ? "; most likely it fails at " : " at ");
        ks_put(w->sink, report->failed_check);
        ks_put_c(w->sink, ", short by ");
        ks_put(w->sink, ks_show_cell(report->program, slack->type, cell));
        ks_put_c(w->sink, " on ");
        ks_put(w->sink, ks_ranks_of(report->arena, report->program, report->failed_class));
    } else if (report->verdict == KS_UNCERTAIN) {
        ks_put_c(w->sink, "; most likely it fits");
    }
    ks_put_c(w->sink, "\n");
}

void ks_render_text(const ks_report *report, ks_text_options options, ks_sink sink)
{
    writer w = {report, sink, options.colour, options.width ? options.width : DEFAULT_WIDTH};
    if (report->title.n) {
        ks_put(sink, report->title);
        ks_put_c(sink, "\n");
    }
    if (report->subtitle.n)
        ks_put(sink, ks_format(report->arena, "%.*s\n\n", KS_ARG(report->subtitle)));
    else
        ks_put(sink, ks_format(report->arena, "%.*s, %.*s, %.*s, %zu rank%s\n\n",
                           KS_ARG(report->engine), KS_ARG(report->llm), KS_ARG(report->machine),
                           report->program->n_ranks, report->program->n_ranks == 1 ? "" : "s"));
    if (report->headline.n) {
        tone_on(&w, report->headline_tone);
        ks_put(sink, report->headline);
        tone_off(&w, report->headline_tone);
        ks_put_c(sink, "\n");
    } else
        write_verdict(&w);
    for (size_t i = 0; i < report->sections.n; i++)
        write_section(&w, &report->sections.items[i]);
}
