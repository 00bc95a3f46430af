#include "engine/memory.h"

#include "engine/advice.h"
#include "engine/contrast.h"

#include <math.h>

/* What the ranges of estimates do to the slack of the check in question, as a node. */
static int influence_node(ks_replay *replay, const ks_influence *influence, int slack)
{
    ks_report *report = replay->report;
    ks_type bytes = {KS_WHOLE, KS_BYTE};
    ks_str name = report->nodes.items[influence->def].name;
    int inputs[] = {influence->def, slack};
    return ks_add_node(report, ks_format(report->arena, "influence.%.*s", KS_ARG(name)),
                       KS_DERIVED, bytes, ks_from_real(bytes, influence->swing),
                       KS_STR("what the range of the first does to the second"), inputs, 2);
}

/* Points at the estimates on which the answer hangs. */
static void say_what_to_measure(ks_replay *replay, ks_section *section)
{
    ks_report *report = replay->report;
    ks_arena *arena = report->arena;
    const ks_ranges *ranges = replay->ranges;
    const ks_check *check = &replay->model->engine.checks.items[ranges->check];
    ks_str format = ks_format(arena,
                              "Inside the ranges of the estimated inputs the answer changes. With "
                              "the middle values the check %.*s has {} to spare. Measure first:",
                              KS_ARG(ks_safe(arena, check->id)));
    ks_add_block(report, section, KS_BLOCK_TEXT, format.s, check->slack)->rank_class =
        ks_class_shown(replay);
    for (size_t i = 0; i < ranges->estimates.n && i < 3; i++) {
        const ks_influence *influence = &ranges->influences[i];
        if (influence->swing <= 0)
            break;
        int swing = influence_node(replay, influence, check->slack);
        const ks_node *node = &report->nodes.items[influence->def];
        ks_str settled = replay->model->program->defs.items[influence->def].settled_by;
        format = ks_format(arena, "%.*s (%.*s), taken as {}: its range moves that by {}%s%s%.*s",
                           KS_ARG(ks_safe(arena, node->name)), KS_ARG(ks_safe(arena, node->meaning)),
                           influence->flips ? ", enough to change the answer" : "",
                           settled.n ? "; settled by measuring " : "", KS_ARG(ks_safe(arena, settled)));
        ks_add_block(report, section, KS_BLOCK_BULLET, format.s, influence->def, swing);
    }
}

void ks_report_verdict(ks_replay *replay)
{
    ks_report *report = replay->report;
    const ks_engine *engine = &replay->model->engine;
    ks_section *section = ks_add_section(report, "");
    if (replay->outcome.check < 0) {
        ks_block *block = ks_add_block(report, section, KS_BLOCK_TEXT, "");
        block->text = engine->summary;
    } else {
        const ks_check *check = &engine->checks.items[replay->outcome.check];
        ks_block *block = ks_add_block(report, section, KS_BLOCK_TEXT, "");
        block->text = check->why;
        block->rank_class = report->failed_class;
        ks_add_block(report, section, KS_BLOCK_TEXT, "The engine itself says:");
        block = ks_add_block(report, section, KS_BLOCK_QUOTE, "");
        block->text = check->message;
        block->rank_class = report->failed_class;
    }
    if (report->verdict == KS_UNCERTAIN)
        say_what_to_measure(replay, section);
}

static void add_ledger_row(ks_replay *replay, ks_block *table, const ks_ledger_row *row, size_t class)
{
    ks_report *report = replay->report;
    const ks_node *free = &report->nodes.items[row->free];
    ks_row *out = ks_add_row(report, table);
    ks_set_text(report, out, 0, row->title);
    ks_set_cell(report, out, 1, "{:GiB:.2f}", row->bytes);
    if (fabs(ks_node_real(&report->nodes.items[row->unexplained], class)) >= 1)
        ks_set_cell(report, out, 2, "{:GiB:.2f}", row->unexplained);
    ks_set_cell(report, out, 3, "{:GiB:.2f}", row->free);
    if (free->kind == KS_MEASURED)
        ks_set_cell(report, out, 4, "measured");
}

/* The row of the phase that fails: what is left is what its check decides on. */
static void add_failing_row(ks_replay *replay, ks_block *table, const ks_ledger_row *row, size_t class)
{
    ks_report *report = replay->report;
    const ks_check *check = &replay->model->engine.checks.items[replay->outcome.check];
    ks_row *out = ks_add_row(report, table);
    ks_set_text(report, out, 0, row->title);
    out->tone = KS_TONE_BAD;
    if (check->decides == check->slack)
        ks_set_cell(report, out, 1, "{:GiB:.2f}", row->bytes);
    ks_set_cell(report, out, 3, "{:GiB:.2f}", check->decides);
    ks_set_cell(report, out, 4, class == report->failed_class ? "fails here" : "not reached");
}

static void add_first_rows(ks_replay *replay, ks_block *table, size_t class)
{
    ks_report *report = replay->report;
    const ks_program *program = replay->model->program;
    int occupied = ks_find(program, KS_STR("occupied"));
    ks_row *first = ks_add_row(report, table);
    ks_set_cell(report, first, 0, "memory as CUDA reports it");
    ks_set_cell(report, first, 3, "{:GiB:.2f}", ks_find(program, KS_STR("gpu.memory")));
    if (!(ks_node_real(&report->nodes.items[occupied], class) > 0))
        return;
    ks_row *other = ks_add_row(report, table);
    ks_set_cell(report, other, 0, "held by other processes");
    ks_set_cell(report, other, 1, "{:GiB:.2f}", occupied);
    ks_set_cell(report, other, 3, "{:GiB:.2f}", ks_find(program, KS_STR("ledger.start")));
}

/* The ledger of one class of ranks. Phases behind the one that fails are not reached. */
static void report_ledger(ks_replay *replay, size_t class)
{
    static const ks_column columns[] = {{{"GiB", 3}, false},
                                        {{"takes", 5}, true},
                                        {{"unexplained", 11}, true},
                                        {{"left", 4}, true},
                                        {{"", 0}, false}};
    ks_report *report = replay->report;
    ks_str ranks = ks_ranks_of(report->arena, replay->model->program, class);
    ks_str title = ks_format(report->arena, "Memory of one GPU, phase by phase (%.*s)", KS_ARG(ranks));
    ks_section *section = ks_add_section(report, ks_to_c(report->arena, title));
    ks_block *table = ks_add_table(report, section, columns, KS_COUNT(columns));
    table->rank_class = class;
    add_first_rows(replay, table, class);
    for (size_t i = 0; i < report->ledger.n; i++) {
        const ks_ledger_row *row = &report->ledger.items[i];
        if (ks_equal(row->id, report->failed_phase)) {
            add_failing_row(replay, table, row, class);
            break;
        }
        add_ledger_row(replay, table, row, class);
    }
}

void ks_report_sum(ks_replay *replay, int node)
{
    ks_report *report = replay->report;
    const ks_node *n = &report->nodes.items[node];
    ks_section *section = ks_add_section(
        report, replay->outcome.check >= 0 || replay->ranges->uncertain ? "The sum that decides"
                                                                        : "The sum behind it");
    ks_block *block = ks_add_block(report, section, KS_BLOCK_SUM, "");
    block->node = node;
    block->rank_class = ks_class_shown(replay);
    for (size_t i = 0; i < n->n_inputs; i++) {
        const ks_node *input = &report->nodes.items[n->inputs[i]];
        if (!input->note.n)
            continue;
        ks_add_text(report, section, KS_BLOCK_BULLET,
                    ks_format(report->arena, "%.*s: %.*s", KS_ARG(input->name),
                              KS_ARG(input->note)));
    }
}

/* Remarks of the profile that apply. */
static void report_remarks(ks_replay *replay)
{
    ks_report *report = replay->report;
    ks_section *section = NULL;
    for (size_t i = 0; i < replay->model->engine.remarks.n; i++) {
        const ks_remark *remark = &replay->model->engine.remarks.items[i];
        if (ks_plan_get(replay->base, remark->when, 0, 0).i != 1)
            continue;
        section = section ? section : ks_add_section(report, "Remarks");
        ks_add_block(report, section, KS_BLOCK_BULLET, "")->text = remark->parsed;
    }
}

/* True if the settings move it from what was measured. */
static bool has_moved(const ks_replay *replay, const ks_carried *carried)
{
    const ks_program *program = replay->model->program;
    for (size_t rank = 0; rank < carried->n; rank++)
        if (fabs(ks_plan_real(replay->base, carried->def, program->class_of_rank[rank], 0) -
                 carried->measured[rank]) >= 1)
            return true;
    return false;
}

/* Settings change what was measured: it follows the model then, which must not go unsaid. */
static void say_carried_over(ks_replay *replay, ks_section **section)
{
    ks_report *report = replay->report;
    const ks_model *model = replay->model;
    ks_builder names = {.arena = report->arena};
    for (size_t i = 0; i < model->carried.n; i++)
        if (model->replaced.n || has_moved(replay, &model->carried.items[i]))
            ks_addf(&names, "%s%.*s", names.n ? ", " : "", KS_ARG(model->carried.items[i].name));
    if (!names.n)
        return;
    ks_str end = model->replaced.n
                     ? ks_format(report->arena, " From another %.*s that says little: better leave "
                                 "`measured:` out.", KS_ARG(model->replaced))
                     : KS_STR("");
    *section = ks_add_section(report, "Measured against the model");
    ks_add_text(report, *section, KS_BLOCK_BULLET,
                ks_format(report->arena, "%.*s: measured without what is set here, so carried over: what "
                          "the model says now, and what was unexplained in the measurement.%.*s",
                          KS_ARG(ks_built(&names)), KS_ARG(end)));
}

/* Where a measurement replaces the model, what the model would have said. */
static void report_unexplained(ks_replay *replay)
{
    ks_report *report = replay->report;
    ks_section *section = NULL;
    say_carried_over(replay, &section);
    for (size_t i = 0; i < replay->model->program->defs.n; i++) {
        const ks_def *d = &replay->model->program->defs.items[i];
        if (d->kind != KS_MEASURED || d->modelled < 0)
            continue;
        ks_str name = ks_format(report->arena, "%.*s.unexplained", KS_ARG(d->name));
        ks_str format = ks_format(report->arena,
                                  "%.*s is measured, {}; the model says {}; {} is unexplained",
                                  KS_ARG(ks_safe(report->arena, d->pin_name)));
        section = section ? section : ks_add_section(report, "Measured against the model");
        ks_add_block(report, section, KS_BLOCK_BULLET, format.s, (int)i, d->modelled,
                     ks_find_node(report, name))
            ->rank_class = ks_class_shown(replay);
    }
}

void ks_report_log(ks_replay *replay)
{
    ks_report *report = replay->report;
    const ks_engine *engine = &replay->model->engine;
    size_t failed = engine->phases.n;
    ks_section *section = ks_add_section(report, "What the log says");
    if (replay->outcome.check >= 0)
        failed = engine->checks.items[replay->outcome.check].phase;
    for (size_t i = 0; i < engine->log.n; i++) {
        const ks_log_line *line = &engine->log.items[i];
        if (line->phase >= failed || line->tells != KS_TELLS_MEMORY ||
            (line->when >= 0 && ks_plan_get(replay->base, line->when, 0, 0).i != 1))
            continue;
        ks_block *block = ks_add_block(report, section, KS_BLOCK_QUOTE, "");
        block->text = line->parsed;
        block->rank_class = ks_class_shown(replay);
        *KS_PUSH(report->arena, &report->log) = ks_fill(report, &block->text, block->rank_class);
    }
    if (report->failed_message.n) {
        ks_add_text(report, section, KS_BLOCK_QUOTE, report->failed_message);
        *KS_PUSH(report->arena, &report->log) = report->failed_message;
    }
}

void ks_report_run(ks_replay *replay)
{
    ks_report_verdict(replay);
    for (size_t class = 0; class < replay->model->program->n_classes && class < 4; class++)
        report_ledger(replay, class);
    ks_report_sum(replay, ks_deciding_node(replay));
    ks_report_advice(replay);
    ks_report_suspects(replay);
    ks_report_what_ifs(replay);
    report_unexplained(replay);
    report_remarks(replay);
}
