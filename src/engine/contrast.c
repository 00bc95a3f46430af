#include "engine/contrast.h"

#include "engine/lanes.h"

#include <math.h>

static const ks_type plain = {KS_REAL, {0, 0, 0}};

/* The first change of a what-if that is a quantity or an input, for the table. */
static ks_str changes_text(ks_replay *replay, const ks_what_if *what_if)
{
    const ks_program *program = replay->model->program;
    ks_builder b = {.arena = program->arena};
    for (size_t i = 0; i < what_if->changes.n; i++) {
        const ks_change *change = &what_if->changes.items[i];
        const ks_def *d = &program->defs.items[change->def];
        ks_addf(&b, "%s%.*s = %.*s", i ? ", " : "", KS_ARG(d->name),
                KS_ARG(ks_show_cell(program, d->type, change->value)));
    }
    return ks_built(&b);
}

static ks_str title_as_it_stands(const ks_replay *replay)
{
    for (size_t i = 0; i < replay->model->what_ifs.n; i++)
        if (replay->model->what_ifs.items[i].changes.n == 0)
            return replay->model->what_ifs.items[i].title;
    return KS_STR("as it stands");
}

static int lane_node(ks_replay *replay, const ks_lanes *lanes, size_t lane, int def, size_t class,
                     const char *group, ks_str formula)
{
    const ks_def *d = &replay->model->program->defs.items[def];
    ks_str name = ks_format(replay->report->arena, "%s.%.*s", group, KS_ARG(d->name));
    int existing = ks_find_node(replay->report, name);
    return existing >= 0 ? existing
                         : ks_add_node(replay->report, name, KS_DERIVED, d->type,
                                       ks_plan_get(lanes->plan, def, class, lane), formula, &def, 1);
}

/* What came of a what-if, for programs. */
static void add_tried(ks_replay *replay, const ks_what_if *what_if, ks_tried tried)
{
    ks_report *report = replay->report;
    if (!what_if)
        return;
    tried.title = what_if->title;
    tried.set = changes_text(replay, what_if);
    *KS_PUSH(report->arena, &report->tried) = tried;
}

/* One row: the changes, the deciding quantity, the yield, and what comes of it. */
static void add_contrast(ks_replay *replay, ks_block *table, const ks_lanes *lanes, size_t lane,
                         const char *group, const ks_what_if *what_if)
{
    ks_report *report = replay->report;
    const ks_engine *engine = &replay->model->engine;
    ks_outcome outcome = ks_judge(replay->model, lanes->plan, lane);
    int decides = ks_deciding_node(replay);
    ks_str formula = what_if ? ks_format(report->arena, "the scenario run again with %.*s",
                                         KS_ARG(changes_text(replay, what_if)))
                             : KS_STR("the scenario as it stands");
    ks_row *row = ks_add_row(report, table);
    ks_set_text(report, row, 0, what_if ? what_if->title : title_as_it_stands(replay));
    ks_tried tried = {.then = KS_STR("fits")};
    tried.decides = lane_node(replay, lanes, lane, decides, outcome.rank_class, group, formula);
    tried.yields = lane_node(replay, lanes, lane, engine->yields, 0, group, formula);
    ks_set_cell(report, row, 1, "{}", tried.decides);
    ks_set_cell(report, row, 2, "{}", tried.yields);
    int broken = ks_broken_requirement(replay->model, lanes->plan, lane);
    if (broken >= 0) {
        ks_set_text(report, row, 3, ks_format(report->arena, "does not start: %.*s",
                                              KS_ARG(engine->requirements.items[broken].id)));
        tried.then = KS_STR("does-not-start");
        tried.check = engine->requirements.items[broken].id;
    } else if (outcome.check < 0) {
        ks_set_cell(report, row, 3, "fits");
    } else {
        tried.then = engine->checks.items[outcome.check].unsupported ? KS_STR("unsupported")
                                                                     : KS_STR("does-not-fit");
        tried.check = engine->checks.items[outcome.check].id;
        ks_set_text(report, row, 3,
                    ks_format(report->arena, "fails: %.*s", KS_ARG(tried.check)));
    }
    row->tone = tried.check.n ? KS_TONE_BAD : KS_TONE_GOOD;
    add_tried(replay, what_if, tried);
}

static const ks_column *contrast_columns(ks_replay *replay)
{
    ks_report *report = replay->report;
    ks_column *columns = KS_NEW_ARRAY(report->arena, ks_column, 4);
    columns[0] = (ks_column){KS_STR("what if"), false};
    columns[1] = (ks_column){report->nodes.items[ks_deciding_node(replay)].name, true};
    columns[2] = (ks_column){report->nodes.items[replay->model->engine.yields].name, true};
    columns[3] = (ks_column){KS_STR("then"), false};
    return columns;
}

/* The same sum with other readings, or the same launch with other flags. A bullet says how much of
 * the deficit a change makes up. */
void ks_report_what_ifs(ks_replay *replay)
{
    ks_model *model = replay->model;
    ks_report *report = replay->report;
    size_t n = model->what_ifs.n;
    ks_varying varying = {NULL, 0, 0};
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < model->what_ifs.items[i].changes.n; k++)
            ks_vary_change(model, &varying, &model->what_ifs.items[i].changes.items[k]);
    ks_lanes *lanes = ks_lanes_new(model, replay->base, &varying, n + 1);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < model->what_ifs.items[i].changes.n; k++)
            ks_apply(lanes, i + 1, &model->what_ifs.items[i].changes.items[k]);
    ks_plan_run(lanes->plan);
    ks_section *section = ks_add_section(report, "What if");
    ks_block *table = ks_add_table(report, section, contrast_columns(replay), 4);
    add_contrast(replay, table, lanes, 0, "what_if.0", NULL);
    for (size_t i = 0; i < n; i++) {
        ks_str group = ks_format(report->arena, "what_if.%zu", i + 1);
        if (model->what_ifs.items[i].changes.n)
            add_contrast(replay, table, lanes, i + 1, group.s, &model->what_ifs.items[i]);
    }
    if (replay->outcome.check < 0)
        return;
    int decides = ks_deciding_node(replay);
    double deficit = ks_node_real(&report->nodes.items[decides], replay->outcome.rank_class);
    for (size_t i = 0; i < n; i++) {
        const ks_what_if *what_if = &model->what_ifs.items[i];
        ks_outcome outcome = ks_judge(model, lanes->plan, i + 1);
        if (outcome.check != replay->outcome.check || !(deficit < 0) || !what_if->changes.n)
            continue;
        double gain = ks_plan_real(lanes->plan, decides, outcome.rank_class, i + 1) - deficit;
        ks_type type = report->nodes.items[decides].type;
        int inputs[] = {decides, ks_find_node(report, ks_format(report->arena, "what_if.%zu.%.*s", i + 1,
                                              KS_ARG(report->nodes.items[decides].name)))};
        int share_inputs[2];
        ks_str group = ks_format(report->arena, "what_if.%zu", i + 1);
        int gained = ks_add_node(report, ks_format(report->arena, "%s.gain", group.s), KS_DERIVED,
                                 type, ks_from_real(type, gain), KS_STR("the second less the first"),
                                 inputs, 2);
        share_inputs[0] = gained;
        share_inputs[1] = decides;
        int share = ks_add_node(report, ks_format(report->arena, "%s.share", group.s), KS_DERIVED,
                                plain, (ks_cell){.f = -100 * gain / deficit},
                                KS_STR("100 times the first over what is short"), share_inputs, 2);
        ks_str format = ks_format(
            report->arena, "%.*s: it fails in the same way. The difference is {}, {:.2f} %% of "
            "what is short%s.", KS_ARG(ks_safe(report->arena, what_if->title)),
            gain < 0 ? ", to the worse" : gain < -0.05 * deficit ? ": this is not the cause" : "");
        ks_add_block(report, section, KS_BLOCK_BULLET, format.s, gained, share);
    }
}

/* Leaves a suspect's memory out. */
static ks_change without(const ks_replay *replay, const ks_suspect *suspect)
{
    const ks_def *d = &replay->model->program->defs.items[suspect->def];
    return (ks_change){.def = suspect->def, .given = -1,
                       .value = ks_from_real(d->type, 0)};
}

static void say_suspect(ks_replay *replay, ks_section *section, const ks_lanes *lanes, size_t lane,
                        const ks_suspect *suspect)
{
    ks_report *report = replay->report;
    int decides = ks_deciding_node(replay);
    ks_outcome outcome = ks_judge(replay->model, lanes->plan, lane);
    size_t class = replay->outcome.rank_class;
    double deficit = ks_node_real(&report->nodes.items[decides], class);
    double left = ks_plan_real(lanes->plan, decides, class, lane);
    ks_str name = ks_format(report->arena, "without.%.*s", KS_ARG(suspect->quantity));
    ks_type type = report->nodes.items[decides].type;
    int inputs[] = {decides, suspect->def};
    int rest = ks_add_node(report, name, KS_DERIVED, type, ks_from_real(type, left),
                           KS_STR("the first, run again with nothing for the second"), inputs, 2);
    int of[] = {decides, rest};
    int share = ks_add_node(report, ks_format(report->arena, "%.*s.share", KS_ARG(name)), KS_DERIVED,
                            plain, (ks_cell){.f = 100 * (left - deficit) / -deficit},
                            KS_STR("what the second makes up of what is short, in percent"), of, 2);
    bool helps = left > deficit;
    const char *end = outcome.check < 0                         ? ": it would fit then"
                      : (left - deficit) / -deficit < 0.05 ? ": not the cause"
                                                                : ": a part of it";
    ks_str format = ks_format(
        report->arena, "%.*s: {} of each GPU. Without that %.*s would be {}%s%s.",
        KS_ARG(ks_safe(report->arena, suspect->title)),
        KS_ARG(ks_safe(report->arena, report->nodes.items[decides].name)),
        helps ? ", which is {:.2f} % of what is short" : "", helps ? end : ": no help");
    ks_block *block = helps ? ks_add_block(report, section, KS_BLOCK_BULLET, format.s, suspect->def,
                                           rest, share)
                            : ks_add_block(report, section, KS_BLOCK_BULLET, format.s, suspect->def,
                                           rest);
    block->rank_class = class;
}

void ks_report_suspects(ks_replay *replay)
{
    ks_model *model = replay->model;
    int decides = ks_deciding_node(replay);
    size_t n = model->engine.suspects.n;
    ks_varying varying = {NULL, 0, 0};
    if (replay->outcome.check < 0 || n == 0)
        return;
    if (!(ks_node_real(&replay->report->nodes.items[decides], replay->outcome.rank_class) < 0))
        return;
    for (size_t i = 0; i < n; i++) {
        ks_change change = without(replay, &model->engine.suspects.items[i]);
        ks_vary_change(model, &varying, &change);
    }
    ks_lanes *lanes = ks_lanes_new(model, replay->base, &varying, n);
    for (size_t i = 0; i < n; i++) {
        ks_change change = without(replay, &model->engine.suspects.items[i]);
        ks_apply(lanes, i, &change);
    }
    ks_plan_run(lanes->plan);
    ks_section *section = NULL;
    for (size_t i = 0; i < n; i++) {
        const ks_suspect *suspect = &model->engine.suspects.items[i];
        if (!(ks_plan_real(replay->base, suspect->def, replay->outcome.rank_class, 0) > 0))
            continue;
        section = section ? section : ks_add_section(replay->report, "Usual suspects");
        say_suspect(replay, section, lanes, i, suspect);
    }
}
