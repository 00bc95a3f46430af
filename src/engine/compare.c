#include "engine/compare.h"

#include "base/num.h"
#include "engine/rounding.h"

#include <math.h>

typedef struct comparison {
    const ks_catalog *catalog;
    ks_arena *arena;
    ks_run_log *log;
    ks_replay *plain; /* the scenario as it is */
    ks_replay *with;  /* the same with what the log shows in place of the model's values */
    ks_report *report; /* of the latter */
    ks_rounding *rounding;
    size_t n_off;
} comparison;

/* ---- What the log shows, as settings. --------------------------------------------------------------------- */

/* True for the first reading of each quantity. */
static bool is_first(const ks_run_log *log, size_t i)
{
    if (log->readings.items[i].again)
        return false;
    for (size_t k = 0; k < i; k++)
        if (ks_equal(log->readings.items[k].quantity, log->readings.items[i].quantity))
            return false;
    return true;
}

/* The quantity's definition if the log's value can take its place, or -1. */
static int settable(const ks_model *model, ks_str quantity)
{
    int def = ks_find(model->program, quantity);
    if (def < 0 || ks_find_flag(&model->engine, quantity))
        return -1;
    const ks_def *d = &model->program->defs.items[def];
    return d->formula.text.n && !d->hidden && d->type.base <= KS_REAL ? def : -1;
}

static ks_doc *amount_doc(const comparison *c, const ks_reading *r, double value, ks_dim dim)
{
    ks_doc *doc = KS_NEW(c->arena, ks_doc);
    ks_str unit = r->unit.n ? r->unit : ks_dim_symbol(c->arena, dim);
    unit = ks_equal_c(unit, "1") ? KS_STR("") : ks_equal_c(unit, "byte") ? KS_STR("B") : unit;
    ks_str where = ks_format(c->arena, "%.*s:%zu", KS_ARG(c->log->name), r->line);
    *doc = (ks_doc){.kind = KS_SCALAR, .span = {ks_source_new(c->arena, where, KS_STR("")), 0, 0}};
    doc->text = ks_format(c->arena, "%.*s %.*s",
                          KS_ARG(ks_show_in(c->arena, value, dim, r->unit, r->decimals)), KS_ARG(unit));
    doc->text = ks_trim(doc->text);
    return doc;
}

/* One value, or one a rank; ranks that the log has no reading of take the smallest. */
static ks_doc *value_doc(const comparison *c, ks_str quantity, ks_dim dim)
{
    ks_readings_of all = ks_gather_readings(c->log, quantity);
    size_t n = c->plain->model->n_ranks;
    ks_doc *one = amount_doc(c, all.first, all.low, dim);
    if (n == 1 || !(all.high > all.low))
        return one;
    ks_doc *list = KS_NEW(c->arena, ks_doc);
    *list = (ks_doc){.kind = KS_LIST, .span = one->span};
    for (size_t rank = 0; rank < n; rank++) {
        const ks_reading *r = ks_reading_on(c->log, quantity, rank);
        KS_PUSH(c->arena, list)->value = r ? amount_doc(c, r, r->value, dim) : one;
    }
    return list;
}

static ks_settings settings_of(const comparison *c, const ks_settings *settings)
{
    ks_settings all = {NULL, 0, 0};
    for (size_t i = 0; i < settings->n; i++)
        *KS_PUSH(c->arena, &all) = settings->items[i];
    for (size_t i = 0; i < c->log->readings.n; i++) {
        ks_str quantity = c->log->readings.items[i].quantity;
        int def = is_first(c->log, i) ? settable(c->plain->model, quantity) : -1;
        if (def < 0)
            continue;
        ks_dim dim = c->plain->model->program->defs.items[def].type.dim;
        ks_doc *value = value_doc(c, quantity, dim);
        *KS_PUSH(c->arena, &all) = (ks_setting){quantity, value->span, value};
    }
    return all;
}

/* How exact a reading is: a count of whole things is what it says. */
static double half_of(const comparison *c, ks_str quantity, ks_type type)
{
    ks_readings_of all = ks_gather_readings(c->log, quantity);
    return type.base == KS_WHOLE && all.first->decimals == 0 && !all.first->unit.n ? 0 : all.half;
}

static void explore_rounding(comparison *c)
{
    const ks_program *program = c->with->model->program;
    ks_rounded *items = KS_NEW_ARRAY(c->arena, ks_rounded, c->log->readings.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < c->log->readings.n; i++) {
        ks_str quantity = c->log->readings.items[i].quantity;
        int def = is_first(c->log, i) ? ks_find(program, quantity) : -1;
        if (def < 0 || program->defs.items[def].kind != KS_MEASURED)
            continue;
        double half = half_of(c, quantity, program->defs.items[def].type);
        if (half > 0)
            items[n++] = (ks_rounded){def, half};
    }
    c->rounding = ks_explore_rounding(c->with->model, c->with->base, items, n);
}

/* ---- Quantities. ---------------------------------------------------------------------------------------------- */

enum status { SAME, INSIDE, OFF };

static const char *const status_words[] = {[SAME] = "same", [INSIDE] = "inside", [OFF] = "off"};

/* The two sides on one class of ranks. */
typedef struct sides {
    double ours, theirs, rounding, low, high;
    enum status status;
} sides;

static enum status judge(const sides *s)
{
    double apart = fabs(s->theirs - s->ours), slip = s->rounding + 1e-9 * fabs(s->theirs);
    if (apart <= slip)
        return SAME;
    return s->theirs >= s->low - slip && s->theirs <= s->high + slip ? INSIDE : OFF;
}

static bool class_has_reading(const comparison *c, ks_str quantity, size_t class)
{
    const ks_program *program = c->with->model->program;
    for (size_t rank = 0; rank < program->n_ranks; rank++)
        if (program->class_of_rank[rank] == class && ks_reading_on(c->log, quantity, rank))
            return true;
    return false;
}

/* What the scenario measured itself is compared as it is; else the model's value for this class. */
static sides sides_of(const comparison *c, int def, bool measured, size_t class)
{
    const ks_program *program = c->with->model->program;
    const ks_def *d = &program->defs.items[def];
    const ks_program *plain = c->plain->model->program;
    int model = d->modelled >= 0 ? d->modelled : def;
    sides s = {.theirs = ks_plan_real(c->with->base, def, class, 0)};
    s.rounding = half_of(c, d->name, d->type);
    if (measured) {
        size_t other = plain->class_of_rank[program->class_first[class]];
        s.ours = s.low = s.high = ks_plan_real(c->plain->base, def, other, 0);
    } else {
        s.ours = s.low = s.high = ks_plan_real(c->with->base, model, class, 0);
        s.rounding += ks_rounding_of(c->rounding, model, class);
        ks_range_on(c->with->ranges, model, class, &s.low, &s.high);
    }
    s.status = judge(&s);
    return s;
}

static void compare_quantity(comparison *c, const ks_reading *r)
{
    ks_report *report = c->report;
    int def = ks_find(c->with->model->program, r->quantity), plain = ks_find(c->plain->model->program, r->quantity);
    if (def < 0 || c->with->model->program->defs.items[def].kind != KS_MEASURED)
        return;
    const ks_def *d = &c->with->model->program->defs.items[def];
    bool measured = c->plain->model->program->defs.items[plain].kind == KS_MEASURED, any = false;
    sides worst = {0};
    size_t where = 0;
    for (size_t class = 0; class < c->with->model->program->n_classes; class++) {
        sides s = sides_of(c, def, measured, class);
        if (!class_has_reading(c, r->quantity, class) ||
            (any && (s.status < worst.status || (s.status == worst.status &&
                     fabs(s.theirs - s.ours) <= fabs(worst.theirs - worst.ours)))))
            continue;
        any = true;
        worst = s;
        where = class;
    }
    if (!any)
        return;
    ks_phase *phases = c->with->model->engine.phases.items;
    ks_compared row = {.name = r->quantity, .phase = phases[r->phase].id, .theirs = def,
                       .ours = d->modelled, .difference = -1, .rank_class = where, .has_range = true,
                       .rank = c->with->model->program->class_first[where],
                       .rounding = worst.rounding, .low = worst.low, .high = worst.high,
                       .status = ks_from_c(status_words[worst.status])};
    if (measured)
        row.ours = ks_add_node(report, ks_concat(c->arena, KS_STR("scenario."), d->name), KS_MEASURED,
                               d->type, ks_from_real(d->type, worst.ours),
                               KS_STR("what the scenario has measured"), NULL, 0);
    int inputs[] = {row.theirs, row.ours};
    row.difference = ks_add_node(report, ks_concat(c->arena, KS_STR("difference."), d->name),
                                 KS_DERIVED, d->type, ks_from_real(d->type, worst.theirs - worst.ours),
                                 KS_STR("the first less the second"), inputs, 2);
    *KS_PUSH(c->arena, &report->compared) = row;
    c->n_off += worst.status == OFF;
}

/* ---- Flags. ---------------------------------------------------------------------------------------------------- */

static bool logged_value(ks_program *program, const ks_flag *flag, const ks_python_item *item,
                         ks_cell *value)
{
    double number;
    switch (flag->type.base) {
    case KS_TRUTH:
        value->i = ks_equal_c(item->text, "True");
        return item->kind == KS_PY_TRUTH;
    case KS_WORD:
        value->i = ks_word(program, item->text);
        return item->text.n > 0;
    case KS_WHOLE:
    case KS_REAL:
        break;
    }
    *value = (ks_cell){0};
    if (item->kind != KS_PY_NUMBER || ks_parse_decimal(item->text, &number) != item->text.n)
        return false;
    *value = ks_from_real(flag->type, number);
    return true;
}

static bool same_value(ks_type type, ks_cell a, ks_cell b)
{
    if (type.base != KS_REAL)
        return a.i == b.i;
    return fabs(a.f - b.f) <= 1e-9 * (1 + fabs(b.f));
}

static void compare_flag(comparison *c, const ks_flag *flag)
{
    const ks_flag *of_log = ks_find_flag(&c->log->profile->read, flag->spelling);
    const ks_python_item *item = of_log ? ks_logged_flag(c->log, of_log) : NULL;
    const ks_plan *plan = c->plain->base;
    ks_cell theirs, ours;
    if (!item)
        return;
    bool given = ks_plan_get(plan, flag->given, 0, 0).i == 1;
    int def = ks_find(c->with->model->program, flag->name);
    ks_compared row = {.name = flag->spelling, .ours = def, .theirs = -1, .difference = -1,
                       .status = ks_from_c(status_words[OFF])};
    if (item->kind == KS_PY_NONE ? !given
                                 : !logged_value(c->with->model->program, flag, item, &theirs))
        return;
    if (item->kind != KS_PY_NONE) {
        ours = ks_plan_get(plan, flag->def, 0, 0);
        if (flag->type.base == KS_WORD)
            ours.i = ks_word(c->with->model->program, ks_word_text(c->plain->model->program, ours.i));
        row.theirs = ks_add_node(c->report, ks_concat(c->arena, KS_STR("log."), flag->name), KS_GIVEN,
                                 flag->type, theirs,
                                 ks_format(c->arena, "%.*s:%zu", KS_ARG(c->log->name),
                                           ks_line_of_item(c->log, item)), NULL, 0);
        row.status = ks_from_c(status_words[same_value(flag->type, ours, theirs) ? SAME : OFF]);
    }
    c->n_off += ks_equal_c(row.status, "off");
    *KS_PUSH(c->arena, &c->report->compared) = row;
}

/* ---- The report. ------------------------------------------------------------------------------------------------ */

static const ks_column flag_columns[] = {
    {{"flag", 4}, false}, {{"scenario", 8}, true}, {{"log", 3}, true}};

static const ks_column quantity_columns[] = {{{"phase", 5}, false},     {{"quantity", 8}, false},
                                             {{"model", 5}, true},      {{"log", 3}, true},
                                             {{"difference", 10}, true}, {{"", 0}, false}};

static bool is_off(const ks_compared *row)
{
    return ks_equal_c(row->status, "off");
}

static void report_flags(const comparison *c)
{
    ks_report *report = c->report;
    ks_block *table = NULL;
    for (size_t i = 0; i < report->compared.n; i++) {
        const ks_compared *row = &report->compared.items[i];
        if (row->phase.n || !is_off(row))
            continue;
        if (!table)
            table = ks_add_table(report, ks_add_section(report, "Flags that differ"), flag_columns,
                                 KS_COUNT(flag_columns));
        ks_row *out = ks_add_row(report, table);
        out->tone = KS_TONE_BAD;
        ks_set_text(report, out, 0, row->name);
        ks_set_cell(report, out, 1, "{}", row->ours);
        if (row->theirs >= 0)
            ks_set_cell(report, out, 2, "{}", row->theirs);
        else
            ks_set_cell(report, out, 2, "not given");
    }
}

/* "OFF on rank 3" */
static ks_str status_text(const comparison *c, const ks_compared *row)
{
    const ks_program *program = c->with->model->program;
    ks_str text = is_off(row)                            ? KS_STR("OFF")
                  : ks_equal_c(row->status, "inside") ? KS_STR("inside the estimates")
                                                         : KS_STR("same");
    bool differs = ks_node_differs(&c->report->nodes.items[row->theirs]);
    if (program->n_classes == 1 || !differs || ks_equal_c(row->status, "same"))
        return text;
    return ks_format(c->arena, "%.*s, worst on %.*s", KS_ARG(text),
                     KS_ARG(ks_ranks_of(c->arena, program, row->rank_class)));
}

static void report_quantities(const comparison *c)
{
    ks_report *report = c->report;
    ks_str phase = {NULL, 0};
    ks_section *section = ks_add_section(report, "Phase by phase, given what the log shows before");
    ks_block *table = NULL;
    for (size_t i = 0; i < report->compared.n; i++) {
        const ks_compared *row = &report->compared.items[i];
        if (!row->phase.n)
            continue;
        if (!table)
            table = ks_add_table(report, section, quantity_columns, KS_COUNT(quantity_columns));
        ks_row *out = ks_add_row(report, table);
        out->tone = is_off(row) ? KS_TONE_BAD : KS_TONE_PLAIN;
        out->has_class = true;
        out->rank_class = row->rank_class;
        ks_set_text(report, out, 0, ks_equal(phase, row->phase) ? KS_STR("") : row->phase);
        ks_set_text(report, out, 1, row->name);
        ks_set_cell(report, out, 2, "{}", row->ours);
        ks_set_cell(report, out, 3, "{}", row->theirs);
        if (!ks_equal_c(row->status, "same"))
            ks_set_cell(report, out, 4, "{}", row->difference);
        ks_set_text(report, out, 5, status_text(c, row));
        phase = row->phase;
    }
}

static bool is_measured_by_scenario(const comparison *c, ks_str quantity)
{
    const ks_program *program = c->plain->model->program;
    int def = ks_find(program, quantity);
    return def >= 0 && program->defs.items[def].kind == KS_MEASURED;
}

/* What a compared quantity's difference does to free memory that the model does not explain: 1 for a
 * reading of free memory, -1 for what a phase takes, if nothing tells what is free behind it. */
static int sign_of(const comparison *c, ks_str quantity)
{
    const ks_engine *engine = &c->with->model->engine;
    for (size_t i = 0; i < engine->phases.n; i++) {
        const ks_phase *phase = &engine->phases.items[i];
        if (ks_equal(phase->free_name, quantity))
            return 1;
        for (size_t k = 0; phase->takes && k < phase->takes->n; k++)
            if (ks_equal(phase->takes->items[k].value->text, quantity))
                return is_measured_by_scenario(c, phase->free_name) ? 0 : -1;
    }
    return 0;
}

/* What of the memory the phases do not explain, all in all. */
static void report_unexplained(const comparison *c, ks_section *section)
{
    ks_report *report = c->report;
    int *inputs = KS_NEW_ARRAY(c->arena, int, report->compared.n + 1);
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < report->compared.n; i++) {
        const ks_compared *row = &report->compared.items[i];
        int sign = row->difference < 0 ? 0 : sign_of(c, row->name);
        if (sign == 0 || ks_equal_c(row->status, status_words[SAME]))
            continue;
        inputs[n++] = row->difference;
        sum += sign * ks_node_real(&report->nodes.items[row->difference], 0);
    }
    if (n == 0)
        return;
    ks_type bytes = {KS_WHOLE, KS_BYTE};
    int node = ks_add_node(report, KS_STR("difference.all"), KS_DERIVED, bytes,
                           ks_from_real(bytes, fabs(sum)),
                           KS_STR("readings of free memory, less what phases take"), inputs, n);
    ks_add_block(report, section, KS_BLOCK_BULLET,
                 sum < 0 ? "all in all the server takes {} more than the model explains"
                         : "all in all the server takes {} less than the model says", node);
}

/* The largest difference among those that are off and of this dimension, or NULL. */
static const ks_compared *largest_off(const comparison *c, ks_dim dim)
{
    const ks_compared *largest = NULL;
    double size = 0;
    for (size_t i = 0; i < c->report->compared.n; i++) {
        const ks_compared *row = &c->report->compared.items[i];
        if (!is_off(row) || row->difference < 0)
            continue;
        const ks_node *node = &c->report->nodes.items[row->difference];
        double own = fabs(ks_node_real(node, row->rank_class));
        if (ks_same_dim(node->type.dim, dim) && own > size) {
            largest = row;
            size = own;
        }
    }
    return largest;
}

static void say_off(const comparison *c, ks_section *section, const ks_compared *row, const char *how)
{
    ks_str format = ks_format(c->arena, "%.*s %s {}", KS_ARG(row->name), how);
    ks_add_block(c->report, section, KS_BLOCK_BULLET, format.s, row->difference)->rank_class =
        row->rank_class;
}

static void report_off(const comparison *c, const ks_compared *first)
{
    ks_report *report = c->report;
    const ks_compared *largest = largest_off(c, KS_BYTE);
    ks_section *section = ks_add_section(report, "What is unexplained");
    if (first && first->difference >= 0)
        say_off(c, section, first, "is the first that is off, by");
    else if (first)
        ks_add_text(report, section, KS_BLOCK_BULLET,
                    ks_format(c->arena, "the flag %.*s is the first that is off: what follows from it "
                              "is off with it", KS_ARG(first->name)));
    if (largest && largest != first)
        say_off(c, section, largest, "is off by the most memory,");
    report_unexplained(c, section);
    if (!first || first->difference < 0 || report->nodes.items[first->ours].kind == KS_MEASURED)
        return;
    ks_section *sum = ks_add_section(report, "How the model comes to the first");
    ks_block *block = ks_add_block(report, sum, KS_BLOCK_SUM, "");
    block->node = first->ours;
    block->rank_class = first->rank_class;
}

/* How the two ends go together. */
enum ends { ONE_END, UNSURE_END, OTHER_END };

/* A log that breaks off tells of a failure only that it came later. */
static enum ends judge_broken_off(comparison *c, ks_section *section)
{
    const ks_run_log *log = c->log;
    int failed = c->plain->outcome.check;
    const ks_check *check = failed >= 0 ? &c->plain->model->engine.checks.items[failed] : NULL;
    bool passed = false;
    for (size_t i = 0; check && i < log->readings.n; i++)
        passed |= log->readings.items[i].phase >= check->phase;
    ks_str text = KS_STR("The log ends before the start does.");
    if (passed)
        text = ks_format(c->arena, "The log ends before the start does, but the start came further than "
                         "by the model, which fails at %.*s.", KS_ARG(check->id));
    ks_add_text(c->report, section, KS_BLOCK_TEXT, text);
    return !passed ? ONE_END : c->plain->report->verdict == KS_UNCERTAIN ? UNSURE_END : OTHER_END;
}

/* The check that fails at some ends of the estimates, if the verdict is not sure; else empty. */
static ks_str check_in_question(const ks_replay *replay)
{
    int check = replay->report->verdict == KS_UNCERTAIN ? replay->ranges->check : -1;
    return check >= 0 ? replay->model->engine.checks.items[check].id : (ks_str){NULL, 0};
}

static ks_str end_text(const comparison *c, ks_str failed)
{
    return failed.n ? ks_format(c->arena, "fails at %.*s", KS_ARG(failed)) : KS_STR("goes to its end");
}

/* What the log says of the end, against the verdict. */
static enum ends report_verdicts(comparison *c, ks_section *section)
{
    const ks_run_log *log = c->log;
    ks_str ours = c->plain->report->failed_check, question = check_in_question(c->plain);
    ks_str theirs = {NULL, 0}, line = {NULL, 0};
    if (log->failed < 0 && !log->complete)
        return judge_broken_off(c, section);
    if (log->failed >= 0) {
        theirs = log->profile->read.checks.items[log->failed].id;
        line = ks_format(c->arena, " (line %zu)", log->failed_line);
    }
    bool unsure = question.n && (!theirs.n || ks_equal(theirs, question));
    if (ks_equal(theirs, ours)) {
        ks_add_text(c->report, section, KS_BLOCK_TEXT,
                    ks_format(c->arena, "In the log, as by the model, the start %.*s%.*s.",
                              KS_ARG(end_text(c, theirs)), KS_ARG(line)));
        return ONE_END;
    }
    ks_add_text(c->report, section, KS_BLOCK_TEXT,
                ks_format(c->arena, "In the log the start %.*s%.*s; by the model it %.*s%s.",
                          KS_ARG(end_text(c, theirs)), KS_ARG(line), KS_ARG(end_text(c, ours)),
                          question.n ? ", but not for sure" : ""));
    return unsure ? UNSURE_END : OTHER_END;
}

/* What the report is about, in a line. */
static ks_str headline_of(const comparison *c, const ks_compared *first, enum ends ends)
{
    if (!c->n_off)
        return ends == UNSURE_END ? KS_STR("AGREES WITH THE LOG, BUT NOT FOR SURE IN ITS OUTCOME")
                                  : KS_STR("AGREES WITH THE LOG");
    if (!first)
        return KS_STR("ANOTHER OUTCOME THAN IN THE LOG");
    return ks_format(c->arena, "%sOFF AT %.*s",
                     ends == OTHER_END ? "ANOTHER OUTCOME THAN IN THE LOG, " : "", KS_ARG(first->name));
}

static void report_head(comparison *c)
{
    const ks_run_log *log = c->log;
    size_t n[3] = {0, 0, 0}, flags = 0;
    ks_section *section = ks_add_section(c->report, "");
    for (size_t i = 0; i < c->report->compared.n; i++) {
        const ks_compared *row = &c->report->compared.items[i];
        flags += !row->phase.n && is_off(row);
        for (size_t k = 0; k < KS_COUNT(n) && row->phase.n; k++)
            n[k] += ks_equal_c(row->status, status_words[k]);
    }
    enum ends ends = report_verdicts(c, section);
    c->n_off += ends == OTHER_END;
    ks_add_text(c->report, section, KS_BLOCK_TEXT,
                ks_format(c->arena, "Of the readings in lines %zu to %zu of %.*s %zu are what the model "
                          "says, to the last printed digit; inside the ranges of the estimates: %zu; "
                          "off: %zu. Flags that differ: %zu.", log->first_line, log->last_line,
                          KS_ARG(log->name), n[SAME], n[INSIDE], n[OFF], flags));
    if (log->n_starts > 1)
        ks_add_text(c->report, section, KS_BLOCK_TEXT,
                    ks_format(c->arena, "The file holds %zu starts; this is number %zu.",
                              log->n_starts, log->start));
    if (log->better.n)
        ks_add_text(c->report, section, KS_BLOCK_TEXT,
                    ks_format(c->arena, "The log's lines fit %.*s %.*s better: %zu of %zu fit the "
                              "scenario's version.", KS_ARG(log->profile->engine),
                              KS_ARG(log->better), log->n_fit, log->n_known));
    const ks_compared *first = NULL;
    for (size_t i = 0; i < c->report->compared.n && !first; i++)
        first = is_off(&c->report->compared.items[i]) ? &c->report->compared.items[i] : NULL;
    c->report->headline = headline_of(c, first, ends);
    c->report->headline_tone = c->n_off ? KS_TONE_BAD : KS_TONE_GOOD;
    report_flags(c);
    report_quantities(c);
    report_off(c, first);
}

ks_replay *ks_compare_log(const ks_catalog *catalog, const ks_doc *scenario,
                          const ks_settings *settings, ks_str path, size_t start, size_t *n_off)
{
    comparison c = {.catalog = catalog, .arena = catalog->diags->arena};
    ks_model *plain = ks_build_model(catalog, scenario, settings, (ks_ask){0});
    c.plain = plain ? ks_replay_scenario(plain) : NULL;
    if (!c.plain)
        return NULL;
    ks_run_log *log = ks_read_run_log(catalog, path, (ks_log_ask){plain->engine_text, start});
    if (!log)
        return NULL;
    c.log = log;
    ks_settings all = settings_of(&c, settings);
    size_t warnings = catalog->diags->n;
    ks_model *with = ks_build_model(catalog, scenario, &all, (ks_ask){.vary_measured = true});
    catalog->diags->n = with ? warnings : catalog->diags->n; /* what was told once is told */
    c.with = with ? ks_replay_scenario(with) : NULL;
    if (!c.with)
        return NULL;
    c.report = c.with->report;
    c.report->against = log->name;
    c.report->ours = "model";
    c.report->theirs = "log";
    c.report->verdict = c.plain->report->verdict;
    c.report->failed_slack = -1;
    ks_settle_failure(log, &with->engine, c.with->base);
    explore_rounding(&c);
    for (size_t i = 0; i < with->engine.flags.n; i++)
        if (with->engine.flags.items[i].origin == KS_FLAG)
            compare_flag(&c, &with->engine.flags.items[i]);
    for (size_t i = 0; i < log->readings.n; i++)
        if (is_first(log, i))
            compare_quantity(&c, &log->readings.items[i]);
    report_head(&c);
    *n_off = c.n_off;
    return c.with;
}
