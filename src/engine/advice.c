#include "engine/advice.h"

#include "engine/ways.h"

#include <math.h>

typedef struct told {
    ks_replay *replay;
    ks_str name; /* of the unknown */
    ks_str with; /* the flag that is changed with it, or empty */
    ks_cell with_value;
    const ks_flag *with_flag;
    ks_type type;
    ks_solution s;
} told;

static const ks_type bytes = {KS_WHOLE, {1, 0, 0}};

/* What a trial fails or is tight at: a requirement, a check, or the goal. */
static ks_str check_id(const told *t, const ks_trial *trial)
{
    const ks_engine *engine = &t->replay->model->engine;
    int check = trial->works ? trial->tight : trial->outcome.check;
    if (!trial->works && trial->broken >= 0)
        return engine->requirements.items[trial->broken].id;
    if (check < 0)
        return KS_STR("the goal");
    return engine->checks.items[check].id;
}

/* A bracketing run as words: "0.77 fits, kv.pool has 57 MiB to spare". */
static ks_str trial_words(const told *t, const ks_trial *trial)
{
    ks_arena *arena = t->replay->report->arena;
    ks_str value = ks_show(arena, trial->value, t->type.dim, t->type.base == KS_WHOLE);
    double room = trial->works ? trial->room : trial->outcome.slack;
    ks_str amount = ks_show(arena, room, KS_BYTE, true);
    if (!trial->works && trial->broken >= 0)
        return ks_format(arena, "%.*s does not start: %.*s", KS_ARG(value),
                         KS_ARG(check_id(t, trial)));
    if (!trial->works && trial->outcome.check < 0)
        return ks_format(arena, "%.*s fits, but the goal does not hold", KS_ARG(value));
    return ks_format(arena, trial->works ? "%.*s fits, least room %.*s at %.*s"
                                         : "%.*s does not, %.*s at %.*s",
                     KS_ARG(value), KS_ARG(amount), KS_ARG(check_id(t, trial)));
}

/* One end of the interval, as a node: its formula is the two runs that bracket it. */
static int end_node(const told *t, const char *end, const ks_trial *in, const ks_trial *out)
{
    ks_report *report = t->replay->report;
    ks_str why = ks_format(report->arena, "%.*s%s%.*s", KS_ARG(trial_words(t, in)),
                           out ? "; " : "; end of what can be given",
                           KS_ARG(out ? trial_words(t, out) : KS_STR("")));
    ks_str name = ks_format(report->arena, "solved.%.*s.%s", KS_ARG(t->name), end);
    return ks_add_node(report, name, KS_SOLVED, t->type, ks_from_real(t->type, in->value), why, NULL,
                       0);
}

static int yield_node(const told *t, const char *end, const ks_trial *trial, int at)
{
    ks_report *report = t->replay->report;
    int yields = t->replay->model->engine.yields;
    const ks_node *node = &report->nodes.items[yields];
    ks_str name = ks_format(report->arena, "solved.%.*s.%s.%.*s", KS_ARG(t->name), end,
                            KS_ARG(node->name));
    int inputs[] = {at, yields};
    return ks_add_node(report, name, KS_DERIVED, node->type, ks_from_real(node->type, trial->yield),
                       KS_STR("the scenario run again with the first"), inputs, 2);
}

static int sure_node(const told *t, const char *end, double value)
{
    ks_report *report = t->replay->report;
    ks_str name = ks_format(report->arena, "solved.%.*s.sure_%s", KS_ARG(t->name), end);
    return ks_add_node(report, name, KS_SOLVED, t->type, ks_from_real(t->type, value),
                       KS_STR("works at both ends of each estimate's range, and in the joint samples"),
                       NULL, 0);
}

/* What fails beyond an end, for a cell. */
static ks_str beyond(const told *t, bool bound, const ks_trial *out)
{
    ks_arena *arena = t->replay->report->arena;
    if (!bound)
        return KS_STR("no limit");
    return ks_format(arena, "%.*s fails", KS_ARG(check_id(t, out)));
}

/* "{:.3f}" for a grid of thousandths, else "{}". */
static const char *style_of(const told *t)
{
    static const char *const styles[] = {"{}", "{:.1f}", "{:.2f}", "{:.3f}", "{:.4f}"};
    size_t decimals = 0;
    for (double step = t->s.step; step < 0.999 && decimals + 1 < KS_COUNT(styles); step *= 10)
        decimals++;
    return t->type.base == KS_REAL && ks_same_dim(t->type.dim, KS_NO_DIM) ? styles[decimals] : "{}";
}

static ks_block *add_interval_table(ks_replay *replay, ks_section *section)
{
    ks_report *report = replay->report;
    ks_column *columns = KS_NEW_ARRAY(report->arena, ks_column, 8);
    ks_str yields = report->nodes.items[replay->model->engine.yields].name;
    columns[0] = (ks_column){KS_STR("change"), false};
    columns[1] = (ks_column){KS_STR("now"), true};
    columns[2] = (ks_column){KS_STR("from"), true};
    columns[3] = (ks_column){KS_STR("to"), true};
    columns[4] = (ks_column){yields, true};
    columns[5] = (ks_column){KS_STR("to"), true};
    columns[6] = (ks_column){KS_STR("below that"), false};
    columns[7] = (ks_column){KS_STR("above that"), false};
    return ks_add_table(report, section, columns, 8);
}

/* The first cell of a row: the flag, or two. */
static void set_label(const told *t, ks_row *row, ks_advice *advice)
{
    ks_report *report = t->replay->report;
    if (!t->with_flag) {
        ks_set_text(report, row, 0, t->name);
        return;
    }
    advice->set = ks_slice(t->name, 0, ks_find_byte(t->name, '+', 0));
    advice->with = t->with_flag->spelling;
    advice->value = ks_add_node(report, ks_format(report->arena, "solved.%.*s.with", KS_ARG(t->name)),
                                KS_SOLVED, t->with_flag->type, t->with_value,
                                KS_STR("the value nearest to what it is now with which there is an "
                                       "interval"), NULL, 0);
    ks_str format = ks_format(report->arena, "%.*s, with %.*s {}", KS_ARG(advice->set),
                              KS_ARG(advice->with));
    ks_set_cell(report, row, 0, format.s, advice->value);
}

/* A row for what works: the interval, the yield at both ends, and what fails beyond them. */
static void add_interval(told *t, ks_block *table, ks_str why)
{
    ks_report *report = t->replay->report;
    const ks_solution *s = &t->s;
    int low = end_node(t, "low", &s->low, s->has_below ? &s->below : NULL);
    int high = end_node(t, "high", &s->high, s->has_above ? &s->above : NULL);
    ks_str flag = ks_slice(t->name, 0, ks_find_byte(t->name, '+', 0));
    int now = ks_find_node(report, ks_replace(report->arena, flag, '-', '_'));
    ks_row *row = ks_add_row(report, table);
    ks_advice advice = {.set = t->name, .why = why, .low = low, .high = high, .value = -1};
    set_label(t, row, &advice);
    if (now >= 0)
        ks_set_cell(report, row, 1, "{}", now);
    ks_set_cell(report, row, 2, style_of(t), low);
    ks_set_cell(report, row, 3, style_of(t), high);
    ks_set_cell(report, row, 4, "{}", yield_node(t, "low", &s->low, low));
    ks_set_cell(report, row, 5, "{}", yield_node(t, "high", &s->high, high));
    ks_set_text(report, row, 6, beyond(t, s->has_below, &s->below));
    ks_set_text(report, row, 7, beyond(t, s->has_above, &s->above));
    *KS_PUSH(report->arena, &report->advice) = advice;
}

/* The part of the interval that does not hang on estimates. */
static void say_sure(told *t, ks_section *section)
{
    ks_report *report = t->replay->report;
    const ks_solution *s = &t->s;
    ks_arena *arena = report->arena;
    ks_str name = ks_safe(arena, t->name);
    if (!s->has_sure) {
        ks_str text = ks_format(arena, "No value of %.*s works whatever the estimates are: the "
                                "answer hangs on them.", KS_ARG(name));
        ks_add_text(report, section, KS_BLOCK_BULLET, text);
        return;
    }
    if (s->sure_low <= s->low.value && s->sure_high >= s->high.value)
        return;
    const char *style = style_of(t);
    ks_str format = ks_format(arena, "%.*s from %s to %s works whatever the estimates are; outside "
                              "of that the answer hangs on them.", KS_ARG(name), style, style);
    ks_add_block(report, section, KS_BLOCK_BULLET, format.s, sure_node(t, "low", s->sure_low),
                 sure_node(t, "high", s->sure_high));
}

static bool applies(const ks_replay *replay, const ks_knob *knob)
{
    return knob->when < 0 || ks_plan_get(replay->base, knob->when, 0, 0).i == 1;
}

static bool solve_knob(ks_replay *replay, const ks_knob *knob, bool sure, told *t)
{
    const ks_flag *flag = ks_find_flag(&replay->model->engine, knob->flag);
    if (!flag)
        return false;
    ks_change change = {.def = flag->def, .given = flag->given};
    *t = (told){.replay = replay, .name = flag->spelling, .type = flag->type};
    t->s = ks_solve(replay->model, replay->base, &change, -1, sure);
    return t->s.found;
}

/* Rows for the first knob together with another one, where none helps alone. */
static ks_block *add_pairs(ks_replay *replay, ks_section *section)
{
    ks_report *report = replay->report;
    const ks_engine *engine = &replay->model->engine;
    const ks_knob *first = &engine->knobs.items[0];
    ks_block *table = NULL;
    for (size_t i = 1; i < engine->knobs.n; i++) {
        const ks_knob *second = &engine->knobs.items[i];
        told t = {.replay = replay};
        ks_change with, change;
        const ks_flag *flag;
        if (!applies(replay, second) || !ks_is_interval_knob(replay->model, second) ||
            !ks_find_pair(replay, first, second, &with, &t.s))
            continue;
        ks_knob_change(replay->model, first, &flag, &change);
        ks_knob_change(replay->model, second, &t.with_flag, &change);
        t.type = flag->type;
        t.with_value = with.value;
        t.name = ks_format(report->arena, "%.*s+%.*s", KS_ARG(flag->spelling),
                           KS_ARG(t.with_flag->spelling));
        table = table ? table : add_interval_table(replay, section);
        add_interval(&t, table, second->why);
    }
    return table;
}

/* A value that is no end of an interval: a word, or a number of GPUs. */
static void add_way(ks_replay *replay, ks_section *section, const ks_knob *knob, const ks_way *way)
{
    ks_report *report = replay->report;
    int yields = replay->model->engine.yields;
    const ks_flag *flag = ks_find_flag(&replay->model->engine, knob->flag);
    ks_type type = report->nodes.items[yields].type;
    ks_str base = ks_format(report->arena, "way.%.*s", KS_ARG(way->flag));
    int value = ks_add_node(report, base, KS_SOLVED, flag->type, way->cell,
                            KS_STR("a value with which the scenario fits"), NULL, 0);
    int inputs[] = {value, yields};
    int yield = ks_add_node(
        report, ks_format(report->arena, "%.*s.%.*s", KS_ARG(base), KS_ARG(report->nodes.items[yields].name)),
        KS_DERIVED, type, ks_from_real(type, way->yield),
        KS_STR("the scenario run again with the first"), inputs, 2);
    ks_str gpus = way->gpus ? ks_format(report->arena, ", on %lld GPUs", (long long)way->gpus)
                            : KS_STR("");
    ks_str format = ks_format(report->arena, "%.*s {} fits%.*s: %.*s is {} then.", KS_ARG(way->flag),
                              KS_ARG(gpus), KS_ARG(report->nodes.items[yields].name));
    ks_add_block(report, section, KS_BLOCK_BULLET, format.s, value, yield);
    *KS_PUSH(report->arena, &report->choices) =
        (ks_choice){way->flag, knob->why, value, yield, way->gpus};
}

/* Rows for the knobs that help alone; *useless lists those that do not. */
static ks_block *add_singles(ks_replay *replay, ks_section *section, told *first,
                             ks_builder *useless)
{
    const ks_engine *engine = &replay->model->engine;
    ks_block *table = NULL;
    for (size_t i = 0; i < engine->knobs.n; i++) {
        const ks_knob *knob = &engine->knobs.items[i];
        told t;
        if (!applies(replay, knob) || !ks_is_interval_knob(replay->model, knob))
            continue;
        if (solve_knob(replay, knob, i == 0, &t)) {
            table = table ? table : add_interval_table(replay, section);
            add_interval(&t, table, knob->why);
        } else {
            ks_addf(useless, "%s%.*s", useless->n ? ", " : "", KS_ARG(knob->flag));
        }
        if (i == 0)
            *first = t;
    }
    return table;
}

/* Other words, and more GPUs where nothing else helps; true if one of them does. */
static bool add_ways(ks_replay *replay, ks_section *section, bool others)
{
    const ks_engine *engine = &replay->model->engine;
    bool found = false;
    for (size_t i = 0; i < engine->knobs.n; i++) {
        const ks_knob *knob = &engine->knobs.items[i];
        ks_way way;
        if (!applies(replay, knob) || ks_is_interval_knob(replay->model, knob) ||
            (others && knob->raises.n) || !ks_find_way(replay, knob, &way))
            continue;
        add_way(replay, section, knob, &way);
        found = true;
    }
    return found;
}

static void advise_on_failure(ks_replay *replay)
{
    ks_report *report = replay->report;
    const ks_engine *engine = &replay->model->engine;
    ks_builder useless = {.arena = report->arena};
    ks_section *section = ks_add_section(report, "What would make it fit");
    told first = {.s = {.found = false}};
    const ks_check *check = &engine->checks.items[replay->outcome.check];
    ks_block *table = add_singles(replay, section, &first, &useless);
    bool alone = table != NULL;
    if (first.s.found)
        say_sure(&first, section);
    if (!table && !check->remedy.n)
        table = add_pairs(replay, section);
    bool ways = add_ways(replay, section, alone);
    if (check->remedy.n) {
        ks_block *block = ks_add_block(report, section, KS_BLOCK_BULLET, "");
        block->text = check->remedy;
        block->rank_class = report->failed_class;
    } else if (useless.n)
        ks_add_text(report, section, KS_BLOCK_BULLET,
                    ks_format(report->arena,
                              alone   ? "By itself no value of these helps: %.*s."
                              : table ? "No value of one of these helps alone: %.*s."
                              : ways  ? "No value of any of these helps by itself: %.*s."
                                      : "No value of any of these helps by itself: %.*s. It takes "
                                        "more GPUs, a smaller model, or a smaller number format.",
                              KS_ARG(ks_built(&useless))));
}

void ks_report_advice(ks_replay *replay)
{
    const ks_engine *engine = &replay->model->engine;
    told t;
    if (engine->knobs.n == 0)
        return;
    if (replay->outcome.check >= 0) {
        advise_on_failure(replay);
        return;
    }
    if (!solve_knob(replay, &engine->knobs.items[0], true, &t))
        return;
    ks_section *section = ks_add_section(replay->report, "How far it can be moved");
    add_interval(&t, add_interval_table(replay, section), engine->knobs.items[0].why);
    say_sure(&t, section);
}

static void add_trial_row(told *t, ks_block *table, const char *what, const ks_trial *trial)
{
    ks_report *report = t->replay->report;
    ks_row *row = ks_add_row(report, table);
    ks_str name = ks_format(report->arena, "trial.%.*s.%s", KS_ARG(t->name), what);
    int value = ks_add_node(report, name, KS_GIVEN, t->type, ks_from_real(t->type, trial->value),
                            KS_STR("a grid point that was tried"), NULL, 0);
    double room = trial->works ? trial->room : trial->outcome.slack;
    bool has_room = trial->works || trial->outcome.check >= 0;
    int slack = ks_add_node(report, ks_format(report->arena, "%.*s.slack", KS_ARG(name)), KS_CHECKED,
                            bytes, ks_from_real(bytes, room), KS_STR("the scenario run again with it"),
                            &value, 1);
    bool bytes_grid = ks_same_dim(t->type.dim, KS_BYTE);
    ks_set_cell(report, row, 0, bytes_grid ? "{:MiB:.0f}" : style_of(t), value);
    ks_set_cell(report, row, 1, trial->works ? "fits" : "does not");
    ks_set_text(report, row, 2, check_id(t, trial));
    if (has_room)
        ks_set_cell(report, row, 3, "{}", slack);
    ks_set_cell(report, row, 4, "{}", yield_node(t, what, trial, value));
    row->tone = trial->works ? KS_TONE_GOOD : KS_TONE_BAD;
}

/* The runs that prove the interval: the grid points on both sides of both ends. */
static void report_proof(told *t)
{
    ks_report *report = t->replay->report;
    ks_column *columns = KS_NEW_ARRAY(report->arena, ks_column, 5);
    bool bytes_grid = ks_same_dim(t->type.dim, KS_BYTE);
    columns[0] = (ks_column){bytes_grid ? ks_concat(report->arena, t->name, KS_STR(", MiB")) : t->name,
                             true};
    columns[1] = (ks_column){KS_STR(""), false};
    columns[2] = (ks_column){KS_STR("least room at"), false};
    columns[3] = (ks_column){KS_STR("room"), true};
    columns[4] = (ks_column){report->nodes.items[t->replay->model->engine.yields].name, true};
    ks_section *section = ks_add_section(report, "The runs that bracket it");
    ks_block *table = ks_add_table(report, section, columns, 5);
    if (t->s.has_below)
        add_trial_row(t, table, "below", &t->s.below);
    add_trial_row(t, table, "lowest", &t->s.low);
    add_trial_row(t, table, "highest", &t->s.high);
    if (t->s.has_above)
        add_trial_row(t, table, "above", &t->s.above);
}

void ks_report_solution(ks_replay *replay, ks_str name)
{
    const ks_change *unknown = &replay->model->unknown;
    ks_report *report = replay->report;
    const ks_flag *flag = ks_find_flag(&replay->model->engine, name);
    told t = {.replay = replay, .name = flag ? flag->spelling : name,
              .type = replay->model->program->defs.items[unknown->def].type};
    t.s = ks_solve(replay->model, replay->base, unknown, replay->model->goal, true);
    ks_section *section = ks_add_section(report, "");
    if (!t.s.solvable) {
        ks_add_block(report, section, KS_BLOCK_TEXT, "This is not a number; there is nothing to solve for.");
        return;
    }
    if (t.s.found) {
        add_interval(&t, add_interval_table(replay, section), (ks_str){NULL, 0});
        say_sure(&t, section);
        report_proof(&t);
        return;
    }
    ks_str text = ks_format(report->arena, "No value of %.*s works. Nearest: %.*s.", KS_ARG(t.name),
                            KS_ARG(trial_words(&t, &t.s.nearest)));
    ks_add_text(report, section, KS_BLOCK_TEXT, text);
}
