#include "engine/explain.h"

#include "engine/contrast.h"

#include <math.h>

static void add_tree(ks_replay *replay, const char *title, int node)
{
    ks_section *section = ks_add_section(replay->report, title);
    ks_block *block = ks_add_block(replay->report, section, KS_BLOCK_TREE, "");
    block->node = node;
    block->rank_class = replay->outcome.check >= 0 ? replay->outcome.rank_class : 0;
}

bool ks_report_explanation(ks_replay *replay, ks_str quantity)
{
    ks_model *model = replay->model;
    int node = ks_deciding_node(replay);
    if (!quantity.n) {
        ks_report_verdict(replay);
        ks_report_sum(replay, node);
        ks_report_suspects(replay);
        ks_report_what_ifs(replay);
        add_tree(replay, "Where each number comes from", node);
        return true;
    }
    const ks_flag *flag = ks_find_flag(&model->engine, quantity);
    node = ks_find_node(replay->report, flag ? flag->name : quantity);
    if (node < 0) {
        ks_error(model->diags, KS_M005, (ks_span){0}, "\"%.*s\" is not a quantity",
                 KS_ARG(quantity));
        ks_suggest_name(model->program, quantity);
        ks_add_note(model->diags, (ks_span){0}, "`kvsim list quantities` shows all");
        return false;
    }
    const ks_node *n = &replay->report->nodes.items[node];
    if (n->note.n)
        ks_add_text(replay->report, ks_add_section(replay->report, ""), KS_BLOCK_TEXT, n->note);
    add_tree(replay, "Where it comes from", node);
    return true;
}

/* What the run gave for an expectation, as text; *holds says whether that is it. */
static ks_str outcome_of(const ks_replay *replay, const ks_expectation *e, int *node, bool *holds)
{
    const ks_report *report = replay->report;
    ks_str got = {NULL, 0};
    *node = -1;
    switch (e->what) {
    case KS_EXPECT_VERDICT:
        got = ks_from_c(ks_verdict_word(report->verdict));
        *holds = ks_equal(got, e->text);
        break;
    case KS_EXPECT_FAILS:
        got = report->failed_check.n ? report->failed_check : KS_STR("nothing fails");
        *holds = ks_equal(got, e->text);
        break;
    case KS_EXPECT_QUANTITY:
        *node = e->def;
        *holds = fabs(ks_node_real(&report->nodes.items[e->def], report->failed_class) - e->value) <=
                 e->tolerance;
        break;
    }
    return got;
}

size_t ks_report_expectations(ks_replay *replay)
{
    static const ks_column columns[] = {
        {{"", 0}, false}, {{"what", 4}, false}, {{"expected", 8}, true}, {{"got", 3}, true}};
    ks_report *report = replay->report;
    size_t failed = 0;
    ks_section *section = ks_add_section(report, "");
    if (replay->model->expectations.n == 0) {
        ks_add_block(report, section, KS_BLOCK_TEXT, "This scenario expects nothing.");
        return 0;
    }
    ks_block *table = ks_add_table(report, section, columns, KS_COUNT(columns));
    table->rank_class = report->failed_class;
    for (size_t i = 0; i < replay->model->expectations.n; i++) {
        const ks_expectation *e = &replay->model->expectations.items[i];
        int node;
        bool holds = false;
        ks_str got = outcome_of(replay, e, &node, &holds);
        ks_str what = e->what == KS_EXPECT_VERDICT ? KS_STR("verdict")
                      : e->what == KS_EXPECT_FAILS ? KS_STR("fails")
                                                   : e->text;
        ks_str expected = e->what == KS_EXPECT_QUANTITY ? e->value_text : e->text;
        ks_row *row = ks_add_row(report, table);
        ks_set_text(report, row, 0, holds ? KS_STR("ok") : KS_STR("FAILED"));
        ks_set_text(report, row, 1, what);
        ks_set_text(report, row, 2, expected);
        *KS_PUSH(report->arena, &report->expected) =
            (ks_expected_row){what, expected, got, node, holds};
        if (node >= 0)
            ks_set_cell(report, row, 3, "{}", node);
        else
            ks_set_text(report, row, 3, got);
        row->tone = holds ? KS_TONE_PLAIN : KS_TONE_BAD;
        failed += holds ? 0 : 1;
    }
    return failed;
}
