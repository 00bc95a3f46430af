#include "engine/differ.h"

#include <math.h>

typedef struct differ {
    ks_replay *first;
    const ks_replay *second;
    ks_report *report; /* the first's */
    ks_arena *arena;
} differ;

/* The other's value, in words and numbers of the first program. */
static ks_cell other_cell(const differ *d, const ks_node *node, size_t rank)
{
    const ks_program *program = d->second->report->program;
    size_t class = program->class_of_rank[rank < program->n_ranks ? rank : 0];
    ks_cell cell = ks_node_cell(node, class);
    if (node->type.base == KS_WORD)
        cell.i = ks_word(d->first->model->program, ks_word_text(program, cell.i));
    return cell;
}

static bool same_type(ks_type a, ks_type b)
{
    return a.base == b.base && ks_same_dim(a.dim, b.dim);
}

static bool same_cell(ks_type type, ks_cell a, ks_cell b)
{
    if (type.base == KS_REAL)
        return a.f >= b.f && a.f <= b.f;
    return a.i == b.i;
}

/* The first rank on which the two differ, of those that both have; their number if there is none. */
static size_t rank_that_differs(const differ *d, const ks_node *ours, const ks_node *theirs)
{
    const ks_program *a = d->report->program, *b = d->second->report->program;
    size_t n = a->n_ranks < b->n_ranks ? a->n_ranks : b->n_ranks;
    size_t rank = 0;
    while (rank < n && same_cell(ours->type, ks_node_cell(ours, a->class_of_rank[rank]),
                                 other_cell(d, theirs, rank)))
        rank++;
    return rank == n ? SIZE_MAX : rank;
}

/* What only adds up, or tells by another name, what is listed already. */
static bool is_repeated(const ks_node *node)
{
    return node->hidden || ks_starts_with(node->name, KS_STR("phase.")) ||
           ks_ends_with(node->name, KS_STR(".computed"));
}

/* A check is worth telling of where it fails. */
static bool is_idle_check(const ks_node *ours, const ks_node *theirs)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < ours->n_values; i++)
        least = fmin(least, ks_node_real(ours, i));
    for (size_t i = 0; i < theirs->n_values; i++)
        least = fmin(least, ks_node_real(theirs, i));
    return ks_starts_with(ours->name, KS_STR("check.")) && least >= 0;
}

static void compare_node(differ *d, int number)
{
    const ks_node *ours = &d->report->nodes.items[number];
    int other = ks_find_node(d->second->report, ours->name);
    if (is_repeated(ours) || other < 0)
        return;
    const ks_node *theirs = &d->second->report->nodes.items[other];
    if (!same_type(ours->type, theirs->type) || is_idle_check(ours, theirs))
        return;
    size_t rank = rank_that_differs(d, ours, theirs);
    if (rank == SIZE_MAX)
        return;
    ks_type type = ours->type;
    ks_str name = ours->name;
    ks_compared row = {.name = name, .ours = number, .difference = -1, .status = KS_STR("differs"),
                       .rank = rank, .rank_class = d->report->program->class_of_rank[rank]};
    ks_cell cell = other_cell(d, theirs, rank);
    double mine = ks_node_real(ours, row.rank_class);
    /* Adding a node may move the others: `ours` is not used behind this. */
    row.theirs = ks_add_node(d->report, ks_concat(d->arena, KS_STR("second."), name), theirs->kind,
                             type, cell, theirs->formula.text, NULL, 0);
    d->report->nodes.items[row.theirs].at = theirs->at;
    d->report->nodes.items[row.theirs].source = theirs->source;
    int inputs[] = {row.theirs, number};
    double apart = ks_as_real(type, cell) - mine;
    if ((type.base == KS_WHOLE || type.base == KS_REAL) && !isnan(apart))
        row.difference = ks_add_node(d->report, ks_concat(d->arena, KS_STR("difference."), name),
                                     KS_DERIVED, type, ks_from_real(type, apart),
                                     KS_STR("the first less the second"), inputs, 2);
    *KS_PUSH(d->arena, &d->report->compared) = row;
}

/* True for what a scenario or a model file says, in either of the two. */
static bool is_input(const differ *d, const ks_compared *row)
{
    const ks_node *a = &d->report->nodes.items[row->ours];
    const ks_node *b = &d->report->nodes.items[row->theirs];
    return a->kind == KS_GIVEN || a->kind == KS_MEASURED || a->kind == KS_CONSTANT ||
           b->kind == KS_GIVEN || b->kind == KS_MEASURED;
}

/* True if the quantity differs between the ranks of one of the two. */
static bool is_uneven(const differ *d, const ks_compared *row)
{
    int other = ks_find_node(d->second->report, row->name);
    return ks_node_differs(&d->report->nodes.items[row->ours]) ||
           (other >= 0 && ks_node_differs(&d->second->report->nodes.items[other]));
}

/* "measured, rank 3" */
static ks_str last_cell(const differ *d, const ks_compared *row, bool inputs)
{
    const char *kind = inputs ? ks_kind_word(d->report->nodes.items[row->theirs].kind) : "";
    if (!is_uneven(d, row))
        return ks_from_c(kind);
    return ks_format(d->arena, "%s%srank %zu", kind, inputs ? ", " : "", row->rank);
}

static void report_rows(differ *d, const char *title, bool inputs)
{
    static const ks_column columns[] = {{{"quantity", 8}, false},
                                        {{"first", 5}, true},
                                        {{"second", 6}, true},
                                        {{"difference", 10}, true},
                                        {{"", 0}, false}};
    ks_block *table = NULL;
    for (size_t i = 0; i < d->report->compared.n; i++) {
        const ks_compared *row = &d->report->compared.items[i];
        if (is_input(d, row) != inputs)
            continue;
        if (!table)
            table = ks_add_table(d->report, ks_add_section(d->report, title), columns,
                                 KS_COUNT(columns));
        ks_row *out = ks_add_row(d->report, table);
        out->has_class = true;
        out->rank_class = row->rank_class;
        ks_set_text(d->report, out, 0, row->name);
        ks_set_cell(d->report, out, 1, "{}", row->ours);
        ks_set_cell(d->report, out, 2, "{}", row->theirs);
        if (row->difference >= 0)
            ks_set_cell(d->report, out, 3, "{}", row->difference);
        ks_set_text(d->report, out, 4, last_cell(d, row, inputs));
    }
}

/* Quantities that only one of the two has, as other versions of an engine do. */
static void report_missing(differ *d, const ks_report *has, const ks_report *lacks, const char *which)
{
    ks_builder b = {.arena = d->arena};
    size_t n = 0, n_defs = has->program->defs.n;
    for (size_t i = 0; i < n_defs; i++) {
        const ks_node *node = &has->nodes.items[i];
        if (is_repeated(node) || ks_find_node(lacks, node->name) >= 0 ||
            ks_ends_with(node->name, KS_STR(".modelled")) ||
            ks_ends_with(node->name, KS_STR(".unexplained")))
            continue;
        ks_addf(&b, "%s%.*s", n++ ? ", " : "", KS_ARG(node->name));
    }
    if (n)
        ks_add_text(d->report, ks_add_section(d->report, ""), KS_BLOCK_TEXT,
                    ks_format(d->arena, "Only the %s has %.*s.", which, KS_ARG(ks_built(&b))));
}

static ks_str outcome_of(ks_arena *arena, const ks_report *report)
{
    ks_str verdict = ks_from_c(ks_verdict_word(report->verdict));
    return report->failed_check.n
               ? ks_format(arena, "%.*s, at %.*s", KS_ARG(verdict), KS_ARG(report->failed_check))
               : verdict;
}

static void name_scenario(differ *d, ks_section *section, const char *which, const ks_report *r)
{
    ks_add_text(d->report, section, KS_BLOCK_BULLET,
                ks_format(d->arena, "the %s, %.*s: %.*s%s%.*s, %.*s, %.*s, %zu ranks: %.*s", which,
                          KS_ARG(r->scenario), KS_ARG(r->title), r->title.n ? "; " : "",
                          KS_ARG(r->engine), KS_ARG(r->llm), KS_ARG(r->machine),
                          r->program->n_ranks, KS_ARG(outcome_of(d->arena, r))));
}

/* The quantity that users want much of, and by how much it differs. */
static void report_yield(differ *d, ks_section *section)
{
    ks_str yields = d->report->nodes.items[d->first->model->engine.yields].name;
    for (size_t i = 0; i < d->report->compared.n; i++) {
        const ks_compared *row = &d->report->compared.items[i];
        if (!ks_equal(row->name, yields) || row->difference < 0)
            continue;
        ks_str format = ks_format(d->arena, "%.*s is {} in the first and {} in the second, a difference "
                                  "of {}", KS_ARG(ks_safe(d->arena, yields)));
        ks_add_block(d->report, section, KS_BLOCK_BULLET, format.s, row->ours, row->theirs,
                     row->difference)->rank_class = row->rank_class;
    }
}

size_t ks_report_differences(ks_replay *first, const ks_replay *second)
{
    differ d = {first, second, first->report, first->report->arena};
    const ks_program *program = first->model->program;
    ks_report *report = d.report;
    report->against = second->report->scenario;
    report->ours = "first";
    report->theirs = "second";
    report->second = second->report;
    for (size_t i = 0; i < program->n_order; i++)
        compare_node(&d, program->order[i]);
    size_t n = report->compared.n;
    report->headline = n == 0   ? KS_STR("NOTHING DIFFERS")
                       : n == 1 ? KS_STR("ONE QUANTITY DIFFERS")
                                : ks_format(d.arena, "%zu QUANTITIES DIFFER", n);
    ks_section *section = ks_add_section(report, "");
    name_scenario(&d, section, "first", report);
    name_scenario(&d, section, "second", second->report);
    report_yield(&d, section);
    report_rows(&d, "What is given, measured or known", true);
    report_rows(&d, "What follows, each from those above it", false);
    report_missing(&d, report, second->report, "first");
    report_missing(&d, second->report, report, "second");
    return n;
}
