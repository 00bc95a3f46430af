/* The second half of engine.h: a profile's numbers as definitions of a program. */
#include "base/num.h"
#include "model/engine.h"
#include "model/tables.h"
#include "read/schema.h"


typedef struct definer {
    ks_program *program;
    ks_engine *engine;
    ks_scope scope;
} definer;

static bool check_choice(ks_program *program, const ks_flag *flag, const ks_doc *value)
{
    if (!flag->choices)
        return true;
    size_t n = flag->choices->n;
    ks_str *words = KS_NEW_ARRAY(program->arena, ks_str, n + 1);
    for (size_t i = 0; i < n; i++) {
        words[i] = flag->choices->items[i].value->text;
        if (ks_equal(words[i], value->text))
            return true;
    }
    ks_error(program->diags, KS_S005, value->span, "%.*s cannot be \"%.*s\"",
             KS_ARG(flag->spelling), KS_ARG(value->text));
    ks_suggest(program->diags, value->text, words, n);
    return false;
}

/* A flag's bound as users write it: 4096, not 4096.0. */
static ks_str bound(ks_program *program, const ks_flag *flag, double value)
{
    int64_t whole;
    if (flag->type.base == KS_WHOLE && ks_to_whole(value, &whole))
        return ks_format(program->arena, "%lld", (long long)whole);
    return ks_shortest(program->arena, value);
}

bool ks_check_flag_value(ks_program *program, const ks_flag *flag, const ks_doc *doc, ks_cell value)
{
    double x = ks_as_real(flag->type, value);
    if (!check_choice(program, flag, doc))
        return false;
    if (!flag->has_bounds || (flag->low <= x && x <= flag->high))
        return true;
    ks_error(program->diags, KS_S006, doc->span,
             "%.*s is %.*s; it must be between %.*s and %.*s", KS_ARG(flag->spelling),
             KS_ARG(doc->text), KS_ARG(bound(program, flag, flag->low)),
             KS_ARG(bound(program, flag, flag->high)));
    return false;
}

/* In the environment, 1 and 0, True and False are true and false. */
static const ks_doc *as_switch(ks_arena *arena, const ks_doc *given)
{
    static const char *const words[][2] = {{"0", "1"}, {"False", "True"}, {"FALSE", "TRUE"}};
    bool on = false, off = false;
    for (size_t i = 0; i < KS_COUNT(words); i++) {
        off |= ks_equal_c(given->text, words[i][0]);
        on |= ks_equal_c(given->text, words[i][1]);
    }
    if (!on && !off)
        return given;
    ks_doc *doc = KS_NEW(arena, ks_doc);
    *doc = *given;
    doc->text = on ? KS_STR("true") : KS_STR("false");
    return doc;
}

/* A flag: the value that was given, or its default as a formula; and NAME.given. */
static bool define_flag(definer *d, ks_flag *flag, const ks_doc *given)
{
    ks_program *program = d->program;
    ks_cell value = {.i = 0};
    ks_cell was_given = {.i = given != NULL};
    ks_str given_name = ks_concat(program->arena, flag->name, KS_STR(".given"));
    flag->given = ks_define_input(program, given_name, KS_GIVEN, (ks_type){KS_TRUTH, KS_NO_DIM},
                                  was_given, given ? given->span : flag->at, flag->meaning);
    if (flag->given < 0)
        return false;
    program->defs.items[flag->given].hidden = true;
    flag->source = ks_read_source(&d->scope, ks_member_of(flag->row, "source"));
    if (given && flag->origin == KS_ENVIRONMENT && flag->type.base == KS_TRUTH)
        given = as_switch(program->arena, given);
    if (given) {
        if (!ks_read_typed(program, given, flag->type, true, &value) ||
            !ks_check_flag_value(program, flag, given, value))
            return false;
        flag->def = ks_define_input(program, flag->name, KS_GIVEN, flag->type, value, given->span,
                                    flag->meaning);
        if (flag->def >= 0)
            program->defs.items[flag->def].source = flag->source;
        return flag->def >= 0;
    }
    ks_def def = {.name = flag->name, .kind = KS_DEFAULT, .type = flag->type, .has_dim = true,
                  .has_base = true, .formula = ks_formula_of(&d->scope, flag->unset),
                  .may_be_literal = true, .at = flag->unset->span, .source = flag->source,
                  .meaning = flag->meaning};
    flag->def = ks_define(program, &def);
    return flag->def >= 0;
}

static bool define_condition(definer *d, ks_str name, const ks_doc *formula, ks_type type,
                             enum ks_kind kind, int *number)
{
    if (!formula)
        return true;
    ks_def def = {.name = name, .kind = kind, .type = type, .has_dim = type.base != KS_TRUTH,
                  .has_base = true, .formula = ks_formula_of(&d->scope, formula),
                  .at = formula->span, .hidden = type.base == KS_TRUTH};
    *number = ks_define(d->program, &def);
    return *number >= 0;
}

static bool define_checks(definer *d)
{
    const ks_type truth = {KS_TRUTH, KS_NO_DIM}, bytes = {KS_WHOLE, KS_BYTE};
    ks_arena *arena = d->program->arena;
    bool good = true;
    for (size_t i = 0; i < d->engine->checks.n; i++) {
        ks_check *check = &d->engine->checks.items[i];
        good &= define_condition(d, ks_format(arena, "check.%.*s", KS_ARG(check->id)),
                                 ks_member_of(check->row, "slack"), bytes, KS_CHECKED, &check->slack);
        good &= define_condition(d, ks_format(arena, "check.%.*s.when", KS_ARG(check->id)),
                                 ks_member_of(check->row, "when"), truth, KS_DERIVED, &check->when);
        if (check->slack >= 0)
            d->program->defs.items[check->slack].meaning =
                KS_STR("what is left over, or is short if negative");
    }
    for (size_t i = 0; i < d->engine->requirements.n; i++) {
        ks_requirement *q = &d->engine->requirements.items[i];
        good &= define_condition(d, ks_format(arena, "requires.%.*s", KS_ARG(q->id)),
                                 ks_member_of(q->row, "that"), truth, KS_CHECKED, &q->that);
    }
    for (size_t i = 0; i < d->engine->remarks.n; i++) {
        ks_remark *remark = &d->engine->remarks.items[i];
        good &= define_condition(d, ks_format(arena, "remark.%.*s", KS_ARG(remark->id)),
                                 ks_member_of(remark->row, "when"), truth, KS_DERIVED, &remark->when);
    }
    for (size_t i = 0; i < d->engine->knobs.n; i++) {
        ks_knob *knob = &d->engine->knobs.items[i];
        good &= define_condition(d, ks_format(arena, "knob.%.*s", KS_ARG(knob->flag)),
                                 ks_member_of(knob->row, "when"), truth, KS_DERIVED, &knob->when);
    }
    for (size_t i = 0; i < d->engine->log.n; i++) {
        ks_log_line *line = &d->engine->log.items[i];
        good &= define_condition(d, ks_format(arena, "log.%.*s", KS_ARG(line->id)),
                                 ks_member_of(line->row, "when"), truth, KS_DERIVED, &line->when);
    }
    return good;
}

static bool define_ledger_sum(definer *d, const ks_phase *phase, const char *what, ks_str formula,
                              int *number)
{
    ks_arena *arena = d->program->arena;
    ks_def def = {.name = ks_format(arena, "phase.%.*s.%s", KS_ARG(phase->id), what),
                  .kind = KS_DERIVED, .type = {KS_WHOLE, KS_BYTE}, .has_dim = true,
                  .has_base = true, .formula = {formula, phase->at, false, {NULL, 0}},
                  .at = phase->at, .meaning = phase->title};
    *number = ks_define(d->program, &def);
    return *number >= 0;
}

/* The ledger: what each phase takes, and what of the memory that went is not explained by it. */
static bool define_phase(definer *d, ks_phase *phase, ks_str *before)
{
    ks_arena *arena = d->program->arena;
    ks_builder sum = {.arena = arena};
    if (!ks_define_section(&d->scope, ks_member_of(phase->row, "entries")) ||
        !define_condition(d, ks_format(arena, "phase.%.*s.when", KS_ARG(phase->id)),
                          ks_member_of(phase->row, "when"), (ks_type){KS_TRUTH, KS_NO_DIM},
                          KS_DERIVED, &phase->when))
        return false;
    for (size_t i = 0; phase->takes && i < phase->takes->n; i++)
        ks_addf(&sum, "%s%.*s", i ? " + " : "", KS_ARG(phase->takes->items[i].value->text));
    if (!sum.n || !phase->free_name.n)
        return true;
    ks_str rest = ks_format(arena, "%.*s - phase.%.*s.bytes - %.*s", KS_ARG(*before),
                            KS_ARG(phase->id), KS_ARG(phase->free_name));
    *before = phase->free_name;
    return define_ledger_sum(d, phase, "bytes", ks_built(&sum), &phase->bytes) &&
           define_ledger_sum(d, phase, "unexplained", rest, &phase->unexplained);
}

bool ks_define_engine(ks_program *program, ks_engine *engine, const ks_doc *const *given)
{
    definer d = {program, engine, {program, {NULL, 0}, engine->sources}};
    ks_str before = KS_STR("ledger.start");
    bool good = ks_define_section(&d.scope, ks_member_of(engine->doc, "constants"));
    good &= ks_define_tables(&d.scope, ks_member_of(engine->doc, "tables"));
    good &= ks_define_lists(&d.scope, ks_member_of(engine->doc, "lists"));
    for (size_t i = 0; i < engine->flags.n; i++)
        good &= define_flag(&d, &engine->flags.items[i], given[i]);
    for (size_t i = 0; i < engine->phases.n; i++)
        good &= define_phase(&d, &engine->phases.items[i], &before);
    return define_checks(&d) && good;
}

static bool find_named(ks_program *program, ks_str name, ks_span at, int *number)
{
    *number = ks_find(program, name);
    if (*number >= 0)
        return true;
    ks_error(program->diags, KS_F002, at, "\"%.*s\" is not known here", KS_ARG(name));
    ks_suggest_name(program, name);
    return false;
}

static bool finish_checks(ks_program *program, ks_engine *engine)
{
    bool good = true;
    for (size_t i = 0; i < engine->checks.n; i++) {
        ks_check *check = &engine->checks.items[i];
        const ks_doc *decides = ks_member_of(check->row, "decides");
        check->decides = check->slack;
        if (decides)
            good &= find_named(program, decides->text, decides->span, &check->decides);
        good &= ks_read_template(program, check->message_text, &check->message);
        good &= ks_read_template(program, check->why_text, &check->why);
        good &= ks_read_template(program, check->remedy_text, &check->remedy);
    }
    return good;
}

bool ks_finish_engine(ks_program *program, ks_engine *engine)
{
    bool good = finish_checks(program, engine);
    good &= find_named(program, engine->yields_name, engine->doc->span, &engine->yields);
    good &= find_named(program, engine->explains_name, engine->doc->span, &engine->explains);
    good &= ks_read_template(program, engine->summary_text, &engine->summary);
    for (size_t i = 0; i < engine->phases.n; i++) {
        ks_phase *phase = &engine->phases.items[i];
        if (phase->free_name.n)
            good &= find_named(program, phase->free_name, phase->at, &phase->free);
    }
    for (size_t i = 0; i < engine->requirements.n; i++) {
        ks_requirement *q = &engine->requirements.items[i];
        good &= ks_read_template(program, q->message_text, &q->message);
        good &= ks_read_template(program, q->hint_text, &q->hint);
    }
    for (size_t i = 0; i < engine->remarks.n; i++)
        good &= ks_read_template(program, engine->remarks.items[i].text,
                                 &engine->remarks.items[i].parsed);
    for (size_t i = 0; i < engine->log.n; i++)
        good &= ks_read_template(program, engine->log.items[i].text, &engine->log.items[i].parsed);
    return good;
}
