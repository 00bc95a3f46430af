/* The second half of decode.h: what is told of a decode step, as text and as JSON. */
#include "decode/decode.h"

#include <math.h>
#include <string.h>

typedef struct teller {
    ks_replay *replay;
    ks_report *report;
    ks_program *program;
    ks_arena *arena;
    const ks_judgement *judgement;
    const ks_decode *decode;
} teller;

static int named(const teller *t, const char *name)
{
    return ks_find_node(t->report, ks_from_c(name));
}

static bool holds(const teller *t, int def)
{
    return def < 0 || ks_plan_get(t->replay->base, def, 0, 0).i == 1;
}

/* "9.1 to 13.4", in a unit; empty if the node has no range. */
static ks_str range_in(const teller *t, int number, const char *unit, int decimals)
{
    const ks_node *node = &t->report->nodes.items[number];
    ks_str in = ks_from_c(unit);
    if (!node->has_range)
        return (ks_str){NULL, 0};
    return ks_format(t->arena, "%.*s to %.*s",
                     KS_ARG(ks_show_in(t->arena, node->low, node->type.dim, in, decimals)),
                     KS_ARG(ks_show_in(t->arena, node->high, node->type.dim, in, decimals)));
}

/* The same with the unit that suits. */
static ks_str range_of(const teller *t, ks_dim dim, double low, double high)
{
    return ks_format(t->arena, "%.*s to %.*s", KS_ARG(ks_show(t->arena, low, dim, false)),
                     KS_ARG(ks_show(t->arena, high, dim, false)));
}

static bool is_speculative(const teller *t)
{
    return holds(t, named(t, "decode.speculative"));
}

/* ---- Head ------------------------------------------------------------------------------------ */

static void tell_headline(teller *t)
{
    const ks_judgement *j = t->judgement;
    ks_report *report = t->report;
    int rate = named(t, "decode.rate");
    const ks_node *node = &report->nodes.items[rate];
    if (j->measured.n) {
        ks_cell regimes = report->nodes.items[t->decode->regimes].values[0];
        report->headline = !j->consistent ? KS_STR("NOT CONSISTENT with what was measured")
                           : j->told || !j->regimes.n
                               ? KS_STR("CONSISTENT with what was measured")
                               : ks_format(
                                     t->arena,
                                     "CONSISTENT with what was measured, if the links are %.*s",
                                     KS_ARG(ks_word_text(t->program, regimes.i)));
        report->headline_tone = j->consistent ? KS_TONE_GOOD : KS_TONE_BAD;
        return;
    }
    ks_str range = node->has_range
                       ? ks_format(t->arena, " (%.*s)",
                                   KS_ARG(range_of(t, node->type.dim, node->low, node->high)))
                       : KS_STR("");
    report->headline = ks_format(t->arena, "%.*s%.*s", KS_ARG(ks_show_node(report, node, 0)),
                                 KS_ARG(range));
    report->headline_tone = KS_TONE_PLAIN;
}

/* The name under which a quantity was measured, and its meaning. */
static ks_str title_of(const teller *t, const ks_decode_measured *m)
{
    const ks_def *d = &t->program->defs.items[m->def];
    return ks_format(t->arena, "%.*s (%.*s)", KS_ARG(ks_safe(t->arena, d->name)),
                     KS_ARG(ks_safe(t->arena, d->meaning)));
}

/* True if a candidate is a step's, and the measured quantity is of the other step. */
static bool is_of_other_step(const teller *t, ks_str candidate, ks_str measured)
{
    for (size_t i = 0; i < t->decode->steps.n; i++) {
        ks_str prefix = t->decode->steps.items[i].prefix;
        if (ks_starts_with(candidate, prefix))
            return !ks_starts_with(measured, prefix) &&
                   !ks_starts_with(measured, KS_STR("decode."));
    }
    return false;
}

/* What else takes as long as a measured time that does not agree. */
static void tell_candidates(teller *t, ks_section *section, const ks_decode_measured *m)
{
    const ks_node *got = &t->report->nodes.items[m->def];
    double value = ks_node_real(got, 0);
    for (size_t i = 0; i < t->judgement->candidates.n; i++) {
        const ks_decode_candidate *c = &t->judgement->candidates.items[i];
        const ks_node *node = &t->report->nodes.items[c->node];
        if (node == got || !ks_same_dim(node->type.dim, got->type.dim) || value < c->low ||
            value > c->high || is_of_other_step(t, node->name, got->name))
            continue;
        ks_str format = ks_format(t->arena, "{} is about what %.*s takes (%.*s): %.*s, %.*s",
                                  KS_ARG(ks_safe(t->arena, node->name)),
                                  KS_ARG(ks_safe(t->arena, node->meaning)),
                                  KS_ARG(ks_show(t->arena, c->value, node->type.dim, false)),
                                  KS_ARG(range_of(t, node->type.dim, c->low, c->high)));
        ks_add_block(t->report, section, KS_BLOCK_BULLET, format.s, m->def);
    }
}

/* Each measured value beside what the model says. */
static void tell_measured(teller *t)
{
    ks_report *report = t->report;
    ks_section *section = ks_add_section(report, "");
    for (size_t i = 0; i < t->judgement->measured.n; i++) {
        const ks_decode_measured *m = &t->judgement->measured.items[i];
        ks_dim dim = report->nodes.items[m->def].type.dim;
        ks_str format = ks_format(t->arena, "%.*s: {} measured; the model says {}, %.*s%s",
                                  KS_ARG(title_of(t, m)), KS_ARG(range_of(t, dim, m->low, m->high)),
                                  m->agrees ? "" : ". That is outside");
        ks_add_block(report, section, KS_BLOCK_BULLET, format.s, m->def, m->modelled);
        if (!m->agrees)
            tell_candidates(t, section, m);
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void tell_term(teller *t, ks_block *table, const ks_decode_term *term)
{
    ks_row *row = ks_add_row(t->report, table);
    ks_set_text(t->report, row, 0, term->title);
    ks_set_cell(t->report, row, 1, "{:ms:.2f}", term->time);
    ks_set_text(t->report, row, 2, range_in(t, term->time, "ms", 2));
    ks_set_cell(t->report, row, 3, "{:%:.0f} %", term->share);
    row->cells[4] = term->detail;
}

static void tell_total(teller *t, ks_block *table, const char *title, int number)
{
    ks_row *row = ks_add_row(t->report, table);
    ks_set_text(t->report, row, 0, ks_from_c(title));
    ks_set_cell(t->report, row, 1, "{:ms:.2f}", number);
    ks_set_text(t->report, row, 2, range_in(t, number, "ms", 2));
}

/* What was measured of the step, and what is left of it. */
static void tell_rest(teller *t, ks_block *table)
{
    int observed = named(t, "decode.observed"), rest = named(t, "decode.unexplained");
    if (is_speculative(t) || fabs(ks_node_real(&t->report->nodes.items[rest], 0)) < 1e-9)
        return;
    ks_row *row = ks_add_row(t->report, table);
    ks_set_text(t->report, row, 0, KS_STR("unexplained"));
    ks_set_cell(t->report, row, 1, "{:ms:.2f}", rest);
    ks_set_cell(t->report, row, 4, "the rest would have to be {:ms:.2f} ms",
                named(t, "plain.fixed_implied"));
    row = ks_add_row(t->report, table);
    ks_set_text(t->report, row, 0, KS_STR("measured"));
    ks_set_cell(t->report, row, 1, "{:ms:.2f}", observed);
}

static void tell_step(teller *t, const ks_decode_step *step)
{
    static const ks_column columns[] = {{{"", 0}, false},
                                        {{"ms", 2}, true},
                                        {{"range", 5}, true},
                                        {{"share", 5}, true},
                                        {{"", 0}, false}};
    ks_str tokens = ks_concat(t->arena, step->prefix, KS_STR("tokens"));
    int number = ks_find_node(t->report, tokens);
    ks_str count = ks_show_node(t->report, &t->report->nodes.items[number], 0);
    ks_str title = ks_format(t->arena, "%.*s (%.*s token%s, %s)", KS_ARG(step->title),
                             KS_ARG(count), ks_equal_c(count, "1") ? "" : "s",
                             holds(t, step->graph) ? "in a CUDA graph" : "launched one by one");
    ks_section *section = ks_add_section(t->report, ks_to_c(t->arena, title));
    ks_block *table = ks_add_table(t->report, section, columns, KS_COUNT(columns));
    for (size_t i = 0; i < step->terms.n; i++)
        if (holds(t, step->terms.items[i].when))
            tell_term(t, table, &step->terms.items[i]);
    tell_total(t, table, "all", step->step);
    if (step == t->decode->steps.items)
        tell_rest(t, table);
}

static void tell_speculation(teller *t)
{
    static const struct {
        const char *name, *title;
        const char *style, *negative; /* what stands there in place of a negative value */
    } rows[] = {
        {"decode.draft_time", "drafting", "", NULL},
        {"decode.cycle", "draft, verification, host", "", NULL},
        {"decode.accept_length", "tokens a request gets in one step", ":.2f", NULL},
        {"decode.break_even_length", "tokens it must get so that drafts pay", ":.2f", NULL},
        {"decode.implied_length", "tokens that the rate and the step stand for", ":.2f", NULL},
        {"decode.gain", "tokens per second, of those without drafts", ":.2f", NULL},
        {"decode.break_even_allreduce", "one all-reduce beyond which drafts do not pay", "",
         "none, not even of 0 us"},
        {"decode.allreduce_share", "share of the step that all-reduces take", ":%:.0f", NULL},
        {"decode.cycle_without_allreduce", "the step if all-reduces took no time", "", NULL},
    };
    static const ks_column columns[] = {
        {{"", 0}, false}, {{"", 0}, true}, {{"range", 5}, true}, {{"", 0}, false}};
    ks_report *report = t->report;
    ks_section *section = ks_add_section(report, "Speculative decoding");
    ks_block *table = ks_add_table(report, section, columns, KS_COUNT(columns));
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        int number = named(t, rows[i].name);
        const ks_node *node = &report->nodes.items[number];
        ks_row *row = ks_add_row(report, table);
        ks_set_text(report, row, 0, ks_from_c(rows[i].title));
        bool is_percent = strchr(rows[i].style, '%') != NULL;
        bool negative = rows[i].negative && ks_node_real(node, 0) < 0;
        if (negative)
            ks_set_text(report, row, 1, ks_from_c(rows[i].negative));
        else
            ks_set_cell(report, row, 1,
                        ks_format(t->arena, "{%s}%s", rows[i].style, is_percent ? " %" : "").s,
                        number);
        if (node->has_range && !negative && is_percent)
            ks_set_text(report, row, 2, range_in(t, number, "%", 0));
        else if (node->has_range && !negative)
            ks_set_text(report, row, 2, range_of(t, node->type.dim, node->low, node->high));
        ks_set_text(report, row, 3, node->kind == KS_MEASURED ? KS_STR("measured") : KS_STR(""));
    }
}

/* ---- Regimes --------------------------------------------------------------------------------- */

static void tell_regimes(teller *t)
{
    static const ks_column columns[] = {{{"links", 5}, false},
                                        {{"token/s", 7}, true},
                                        {{"range", 5}, true},
                                        {{"one step", 8}, true},
                                        {{"", 0}, false}};
    const ks_judgement *j = t->judgement;
    const ks_node *calls = &t->report->nodes.items[named(t, "decode.allreduces")];
    if (j->regimes.n < 2 || !(ks_node_real(calls, 0) > 0))
        return;
    ks_section *section = ks_add_section(t->report, "If peer traffic behaves so");
    ks_block *table = ks_add_table(t->report, section, columns, KS_COUNT(columns));
    for (size_t i = 0; i < j->regimes.n; i++) {
        const ks_decode_regime *r = &j->regimes.items[i];
        ks_row *row = ks_add_row(t->report, table);
        ks_set_text(t->report, row, 0, r->name);
        ks_set_cell(t->report, row, 1, "{:.1f}", r->rate);
        ks_set_text(t->report, row, 2, range_in(t, r->rate, "", 1));
        ks_set_cell(t->report, row, 3, "{}", r->cycle);
        ks_str said = r->said ? KS_STR("the machine's") : KS_STR("");
        ks_str word = !j->measured.n ? KS_STR("")
                      : r->agrees    ? KS_STR("agrees")
                                     : KS_STR("does not agree");
        ks_set_text(t->report, row, 4,
                    ks_format(t->arena, "%.*s%s%.*s", KS_ARG(said), said.n && word.n ? "; " : "",
                              KS_ARG(word)));
        row->tone = j->measured.n && r->agrees ? KS_TONE_GOOD : KS_TONE_PLAIN;
    }
}

static void tell_findings(teller *t)
{
    ks_section *section = NULL;
    for (size_t i = 0; i < t->decode->findings.n; i++) {
        const ks_decode_finding *f = &t->decode->findings.items[i];
        if (!holds(t, f->when))
            continue;
        section = section ? section : ks_add_section(t->report, "Findings");
        ks_add_block(t->report, section, KS_BLOCK_BULLET, "")->text = f->parsed;
    }
}

static void tell_memory(teller *t)
{
    if (t->report->verdict == KS_FITS)
        return;
    ks_section *section = ks_add_section(t->report, "");
    ks_add_text(t->report, section, KS_BLOCK_TEXT,
                ks_format(t->arena,
                          "Memory: %s. What is told here is how fast it would be if it ran; `kvsim "
                          "run` tells why.",
                          ks_verdict_heading(t->report->verdict)));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void record_number(teller *t, ks_record *parent, const char *key, int number)
{
    ks_record *o = ks_record_add(t->arena, parent, key, KS_RECORD_OBJECT);
    const ks_node *node = &t->report->nodes.items[number];
    ks_record_node(t->arena, o, KS_STR("value"), number);
    if (node->has_range) {
        ks_record_add(t->arena, o, "low", KS_RECORD_LOW)->count = number;
        ks_record_add(t->arena, o, "high", KS_RECORD_HIGH)->count = number;
    }
    ks_record_text(t->arena, o, "unit", ks_dim_symbol(t->arena, node->type.dim));
    ks_record_text(t->arena, o, "kind", ks_from_c(ks_kind_word(node->kind)));
}

static void record_steps(teller *t, ks_record *root)
{
    ks_record *list = ks_record_add(t->arena, root, "steps", KS_RECORD_LIST);
    for (size_t i = 0; i < t->decode->steps.n; i++) {
        const ks_decode_step *step = &t->decode->steps.items[i];
        if (!holds(t, step->when))
            continue;
        ks_record *o = ks_record_add(t->arena, list, "", KS_RECORD_OBJECT);
        ks_record_text(t->arena, o, "step", ks_slice(step->prefix, 0, step->prefix.n - 1));
        ks_record_truth(t->arena, o, "graph", holds(t, step->graph));
        record_number(t, o, "tokens",
                      ks_find_node(t->report, ks_concat(t->arena, step->prefix, KS_STR("tokens"))));
        record_number(t, o, "time", step->step);
        ks_record *terms = ks_record_add(t->arena, o, "terms", KS_RECORD_OBJECT);
        for (size_t k = 0; k < step->terms.n; k++) {
            const ks_decode_term *term = &step->terms.items[k];
            ks_str name = t->report->nodes.items[term->time].name;
            record_number(t, terms, ks_to_c(t->arena, ks_slice(name, step->prefix.n, name.n)),
                          term->time);
        }
    }
}

static void record_regimes(teller *t, ks_record *root)
{
    const ks_judgement *j = t->judgement;
    ks_record *measured = ks_record_add(t->arena, root, "measured", KS_RECORD_LIST);
    for (size_t i = 0; i < j->measured.n; i++) {
        const ks_decode_measured *m = &j->measured.items[i];
        ks_record *o = ks_record_add(t->arena, measured, "", KS_RECORD_OBJECT);
        ks_record_text(t->arena, o, "quantity", t->report->nodes.items[m->def].name);
        ks_record_node(t->arena, o, KS_STR("value"), m->def);
        ks_record_node(t->arena, o, KS_STR("model"), m->modelled);
        ks_record_add(t->arena, o, "low", KS_RECORD_LOW)->count = m->modelled;
        ks_record_add(t->arena, o, "high", KS_RECORD_HIGH)->count = m->modelled;
        ks_record_truth(t->arena, o, "agrees", m->agrees);
    }
    ks_record *list = ks_record_add(t->arena, root, "regimes", KS_RECORD_LIST);
    for (size_t i = 0; i < j->regimes.n; i++) {
        const ks_decode_regime *r = &j->regimes.items[i];
        ks_record *o = ks_record_add(t->arena, list, "", KS_RECORD_OBJECT);
        ks_record_text(t->arena, o, "regime", r->name);
        ks_record_truth(t->arena, o, "said", r->said);
        record_number(t, o, "rate", r->rate);
        record_number(t, o, "step", r->cycle);
        if (j->measured.n)
            ks_record_truth(t->arena, o, "agrees", r->agrees);
    }
}

static void record_findings(teller *t, ks_record *root)
{
    ks_record *list = ks_record_add(t->arena, root, "findings", KS_RECORD_LIST);
    for (size_t i = 0; i < t->decode->findings.n; i++) {
        const ks_decode_finding *f = &t->decode->findings.items[i];
        if (!holds(t, f->when))
            continue;
        ks_record *o = ks_record_add(t->arena, list, "", KS_RECORD_OBJECT);
        ks_record_text(t->arena, o, "id", f->id);
        ks_record_text(t->arena, o, "text", ks_fill(t->report, &f->parsed, 0));
    }
}

/* Every quantity of the set. */
static void record_quantities(teller *t, ks_record *root)
{
    ks_record *o = ks_record_add(t->arena, root, "quantities", KS_RECORD_OBJECT);
    for (size_t i = 0; i < t->program->defs.n; i++) {
        const ks_node *node = &t->report->nodes.items[i];
        if (ks_is_of_decode(node->name) && !node->hidden)
            record_number(t, o, ks_to_c(t->arena, node->name), (int)i);
    }
}

static void record_all(teller *t)
{
    ks_report *report = t->report;
    ks_record *root = ks_record_new(t->arena, KS_RECORD_OBJECT);
    ks_record_text(t->arena, root, "scenario", report->scenario);
    if (report->title.n)
        ks_record_text(t->arena, root, "title", report->title);
    ks_record_text(t->arena, root, "engine", report->engine);
    ks_record_text(t->arena, root, "llm", report->llm);
    ks_record_text(t->arena, root, "machine", report->machine);
    ks_record_text(t->arena, root, "memory", ks_from_c(ks_verdict_word(report->verdict)));
    if (t->judgement->measured.n)
        ks_record_node(t->arena, root, KS_STR("consistent"), t->decode->consistent);
    record_number(t, root, "rate", named(t, "decode.rate"));
    record_number(t, root, "step", named(t, "decode.cycle"));
    record_number(t, root, "allreduce_share", named(t, "decode.allreduce_share"));
    record_number(t, root, "unexplained", named(t, "decode.unexplained"));
    record_steps(t, root);
    if (is_speculative(t)) {
        ks_record *o = ks_record_add(t->arena, root, "speculative", KS_RECORD_OBJECT);
        record_number(t, o, "draft_time", named(t, "decode.draft_time"));
        record_number(t, o, "accept_length", named(t, "decode.accept_length"));
        record_number(t, o, "implied_length", named(t, "decode.implied_length"));
        record_number(t, o, "break_even_length", named(t, "decode.break_even_length"));
        record_number(t, o, "break_even_allreduce", named(t, "decode.break_even_allreduce"));
        record_number(t, o, "gain", named(t, "decode.gain"));
        record_number(t, o, "plain_rate", named(t, "plain.rate"));
    }
    record_regimes(t, root);
    record_findings(t, root);
    record_quantities(t, root);
    report->record = root;
}

void ks_report_decode(ks_replay *replay, const ks_judgement *judgement)
{
    teller t = {.replay = replay,
                .report = replay->report,
                .program = replay->model->program,
                .arena = replay->report->arena,
                .judgement = judgement,
                .decode = judgement->decode};
    tell_headline(&t);
    if (judgement->measured.n)
        tell_measured(&t);
    for (size_t i = 0; i < t.decode->steps.n; i++)
        if (holds(&t, t.decode->steps.items[i].when))
            tell_step(&t, &t.decode->steps.items[i]);
    if (is_speculative(&t))
        tell_speculation(&t);
    tell_regimes(&t);
    tell_findings(&t);
    tell_memory(&t);
    record_all(&t);
}
