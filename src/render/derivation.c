#include "render/derivation.h"

enum { MAX_TREE_DEPTH = 60 };

/* Blanks and line breaks become single blanks. */
static ks_str one_line(ks_arena *arena, ks_str text)
{
    ks_builder b = {.arena = arena};
    bool gap = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.s[i];
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
            gap = b.n > 0;
            continue;
        }
        if (gap)
            ks_add(&b, KS_STR(" "));
        gap = false;
        ks_add(&b, (ks_str){&text.s[i], 1});
    }
    return ks_built(&b);
}

ks_str ks_formula_words(const ks_report *report, const ks_node *node)
{
    return one_line(report->arena, node->formula.text);
}

/* Places of names in a formula, in the order of the text. */
typedef struct places {
    const ks_expr **items;
    size_t n, capacity;
} places;

static void collect(ks_arena *arena, const ks_expr *e, places *found)
{
    bool special = e->kind == KS_E_CALL &&
                   (e->function == KS_FN_table || e->function == KS_FN_interp ||
                    e->function == KS_FN_count_up_to || e->function == KS_FN_largest_up_to);
    if (e->kind == KS_E_NAME && e->ref >= 0)
        *KS_PUSH(arena, found) = e;
    for (size_t i = special ? 1 : 0; i < e->n_args; i++)
        collect(arena, e->args[i], found);
}

ks_str ks_formula_numbers(const ks_report *report, const ks_node *node, size_t rank_class)
{
    places found = {NULL, 0, 0};
    ks_builder b = {.arena = report->arena};
    ks_str text = node->formula.text;
    size_t from = 0;
    if (!node->expr)
        return ks_formula_words(report, node);
    collect(report->arena, node->expr, &found);
    for (size_t i = 0; i < found.n; i++) {
        const ks_expr *e = found.items[i];
        if (e->at < from || (size_t)e->at + e->n > text.n)
            continue;
        ks_add(&b, ks_slice(text, from, e->at));
        ks_add(&b, ks_show_node(report, &report->nodes.items[e->ref], rank_class));
        from = (size_t)e->at + e->n;
    }
    ks_add(&b, ks_slice(text, from, text.n));
    return one_line(report->arena, ks_built(&b));
}

ks_str ks_origin_words(const ks_report *report, const ks_node *node)
{
    ks_str where = ks_where(report->arena, node->at);
    ks_builder b = {.arena = report->arena};
    ks_add(&b, ks_from_c(ks_kind_word(node->kind)));
    if (node->meaning.n)
        ks_addf(&b, ": %.*s", KS_ARG(node->meaning));
    if (where.n)
        ks_addf(&b, "; %.*s", KS_ARG(where));
    if (node->source.n)
        ks_addf(&b, "; %.*s", KS_ARG(node->source));
    return one_line(report->arena, ks_built(&b));
}

typedef struct walk {
    const ks_report *report;
    size_t rank_class;
    bool *seen;
    void (*line)(void *context, const ks_tree_line *line);
    void *context;
} walk;

/* The value, with exact bytes behind a rounded one, and the range where there is one. */
static ks_str value_words(const walk *w, const ks_node *node)
{
    ks_arena *arena = w->report->arena;
    ks_cell cell = ks_node_cell(node, w->rank_class);
    ks_builder b = {.arena = arena};
    ks_add(&b, ks_show_node(w->report, node, w->rank_class));
    bool whole = node->type.base == KS_WHOLE;
    double size = ks_node_real(node, w->rank_class);
    if (whole && ks_same_dim(node->type.dim, KS_BYTE) && (size >= 1048576.0 || size <= -1048576.0))
        ks_addf(&b, " (%.*s B)", KS_ARG(ks_show_whole(arena, cell.i)));
    if (node->has_range)
        ks_addf(&b, ", between %.*s and %.*s",
                KS_ARG(ks_show(arena, node->low, node->type.dim, whole)),
                KS_ARG(ks_show(arena, node->high, node->type.dim, whole)));
    return ks_built(&b);
}

/* "below 35 GiB: 2,048 tokens; below 60 GiB: 4,096 tokens; else 16,384 tokens" */
static ks_str table_words(const walk *w, const ks_step_table *table)
{
    ks_builder b = {.arena = w->report->arena};
    for (size_t i = 0; i < table->n_rows; i++) {
        ks_str value = ks_show_cell(w->report->program, table->value, table->rows[i].value);
        if (i + 1 < table->n_rows)
            ks_addf(&b, "below %.*s: %.*s; ",
                    KS_ARG(ks_show(w->report->arena, table->rows[i].bound, table->key.dim,
                                   table->key.base == KS_WHOLE)),
                    KS_ARG(value));
        else
            ks_addf(&b, "else %.*s", KS_ARG(value));
    }
    return ks_built(&b);
}

/* "1 to 8, 10 to 32 in steps of 2, from 512 in steps of 32" */
static ks_str list_words(const walk *w, const ks_number_list *list)
{
    ks_builder b = {.arena = w->report->arena};
    for (size_t i = 0; i < list->n_runs; i++) {
        const ks_run_of *run = &list->runs[i];
        ks_addf(&b, "%s%s%lld", i ? ", " : "", run->endless ? "from " : "", (long long)run->from);
        if (run->to > run->from && !run->endless)
            ks_addf(&b, " to %lld", (long long)run->to);
        if (run->step > 1)
            ks_addf(&b, " in steps of %lld", (long long)run->step);
    }
    return ks_built(&b);
}

/* The tables and lists that a formula looks things up in. */
static void visit_data(const walk *w, const ks_expr *e, size_t depth)
{
    const ks_program *program = w->report->program;
    bool table = e->kind == KS_E_CALL && (e->function == KS_FN_table || e->function == KS_FN_interp);
    bool list = e->kind == KS_E_CALL &&
                (e->function == KS_FN_count_up_to || e->function == KS_FN_largest_up_to);
    if (table || list) {
        int number = e->args[0]->ref;
        const ks_step_table *t = table ? &program->tables[number] : NULL;
        const ks_number_list *l = list ? &program->lists[number] : NULL;
        ks_str where = ks_where(w->report->arena, table ? t->at : l->at);
        ks_str source = table ? t->source : l->source;
        ks_tree_line line = {.name = e->args[0]->text, .depth = depth,
                             .value = table ? table_words(w, t) : list_words(w, l)};
        line.origin = ks_format(w->report->arena, "%s; %.*s; %.*s", table ? "table" : "list",
                                KS_ARG(where), KS_ARG(source));
        w->line(w->context, &line);
    }
    for (size_t i = table || list ? 1 : 0; i < e->n_args; i++)
        visit_data(w, e->args[i], depth);
}

/* Under a measured quantity, what the model says instead: named, not derived, since it is not
 * used. */
static void name_model(const walk *w, const ks_node *measured, size_t depth)
{
    for (size_t i = 0; i < measured->n_inputs; i++) {
        const ks_node *node = &w->report->nodes.items[measured->inputs[i]];
        ks_tree_line line = {.name = node->name, .depth = depth, .value = value_words(w, node),
                             .origin = KS_STR("what the model says instead: not used; explain it by "
                                              "its name")};
        w->line(w->context, &line);
    }
}

static void visit(const walk *w, int number, size_t depth)
{
    const ks_node *node = &w->report->nodes.items[number];
    ks_tree_line line = {.name = node->name, .depth = depth, .value = value_words(w, node)};
    bool again = w->seen[number];
    w->seen[number] = true;
    if (again) {
        bool more = node->n_inputs > 0 || node->formula.text.n > 0;
        line.origin = more ? KS_STR("see above") : KS_STR("");
        w->line(w->context, &line);
        return;
    }
    if (node->formula.text.n)
        line.formula = ks_formula_words(w->report, node);
    line.origin = ks_origin_words(w->report, node);
    w->line(w->context, &line);
    if (depth + 1 >= MAX_TREE_DEPTH)
        return;
    if (node->kind == KS_MEASURED) {
        name_model(w, node, depth + 1);
        return;
    }
    if (node->expr)
        visit_data(w, node->expr, depth + 1);
    for (size_t i = 0; i < node->n_inputs; i++)
        visit(w, node->inputs[i], depth + 1);
}

void ks_walk_derivation(const ks_report *report, int node, size_t rank_class,
                        void (*line)(void *context, const ks_tree_line *line), void *context)
{
    walk w = {report, rank_class, KS_NEW_ARRAY(report->arena, bool, report->nodes.n), line, context};
    visit(&w, node, 0);
}
