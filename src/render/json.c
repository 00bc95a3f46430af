#include "render/json.h"

#include <jansson.h>
#include <math.h>

static json_t *text_json(ks_str text)
{
    json_t *value = json_stringn(text.s ? text.s : "", text.n);
    return value ? value : json_string("(not valid UTF-8)");
}

static json_t *number_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Whole numbers stay whole. */
static json_t *amount_json(ks_type type, double value)
{
    if (type.base == KS_REAL || !isfinite(value))
        return number_json(value);
    return json_integer((json_int_t)value);
}

static json_t *value_json(const ks_report *report, const ks_node *node, size_t rank_class)
{
    ks_cell cell = ks_node_cell(node, rank_class);
    switch (node->type.base) {
    case KS_TRUTH:
        return json_boolean(cell.i == 1);
    case KS_WORD:
        return text_json(ks_word_text(report->program, cell.i));
    case KS_REAL:
        return number_json(cell.f);
    case KS_WHOLE:
        break;
    }
    return isnan(ks_node_real(node, rank_class)) ? json_null() : json_integer(cell.i);
}

/* The class of ranks on which the smallest value stands: the binding one. */
static size_t binding_class(const ks_report *report, const ks_node *node)
{
    size_t binding = report->failed_slack >= 0 ? report->failed_class : 0;
    if (report->failed_slack >= 0 || node->type.base > KS_REAL)
        return binding;
    for (size_t i = 1; i < node->n_values; i++)
        if (ks_node_real(node, i) < ks_node_real(node, binding))
            binding = i;
    return binding;
}

static void fill_ranks(json_t *ranks, const ks_report *report, const ks_node *node)
{
    for (size_t rank = 0; rank < report->program->n_ranks; rank++)
        json_array_append_new(ranks,
                              value_json(report, node, report->program->class_of_rank[rank]));
}

/* A new member of an object: in its place before it is filled, so that nothing is lost if memory
 * runs out on the way. */
static json_t *member(json_t *parent, const char *key, json_t *value)
{
    json_object_set_new(parent, key, value);
    return value;
}

static json_t *element(json_t *parent, json_t *value)
{
    json_array_append_new(parent, value);
    return value;
}

static void fill_node(json_t *o, const ks_report *report, const ks_node *node)
{
    json_object_set_new(o, "value", value_json(report, node, binding_class(report, node)));
    if (ks_node_differs(node))
        fill_ranks(member(o, "ranks", json_array()), report, node);
    json_object_set_new(o, "unit", text_json(ks_dim_symbol(report->arena, node->type.dim)));
    if (node->has_range) {
        json_object_set_new(o, "low", amount_json(node->type, node->low));
        json_object_set_new(o, "high", amount_json(node->type, node->high));
    }
    json_object_set_new(o, "kind", json_string(ks_kind_word(node->kind)));
    if (node->formula.text.n)
        json_object_set_new(o, "formula", text_json(node->formula.text));
    json_t *inputs = member(o, "inputs", json_array());
    for (size_t i = 0; i < node->n_inputs; i++)
        json_array_append_new(inputs, text_json(report->nodes.items[node->inputs[i]].name));
    ks_str where = ks_where(report->arena, node->at);
    if (where.n)
        json_object_set_new(o, "at", text_json(where));
    if (node->source.n)
        json_object_set_new(o, "source", text_json(node->source));
    if (node->meaning.n)
        json_object_set_new(o, "meaning", text_json(node->meaning));
}

static void fill_quantities(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->nodes.n; i++) {
        const ks_node *node = &report->nodes.items[i];
        if (!ks_ends_with(node->name, KS_STR(".computed")))
            fill_node(member(all, ks_to_c(report->arena, node->name), json_object()), report, node);
    }
}

static void fill_phases(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->ledger.n; i++)
        for (size_t rank = 0; rank < report->program->n_ranks; rank++) {
            const ks_ledger_row *row = &report->ledger.items[i];
            size_t class = report->program->class_of_rank[rank];
            json_t *o = element(all, json_object());
            json_object_set_new(o, "id", text_json(row->id));
            json_object_set_new(o, "rank", json_integer((json_int_t)rank));
            json_object_set_new(o, "bytes",
                                value_json(report, &report->nodes.items[row->bytes], class));
            json_object_set_new(o, "free",
                                value_json(report, &report->nodes.items[row->free], class));
            json_object_set_new(o, "unexplained",
                                value_json(report, &report->nodes.items[row->unexplained], class));
        }
}

static void fill_failure(json_t *o, const ks_report *report)
{
    size_t rank = report->program->class_first[report->failed_class];
    json_object_set_new(o, "phase", text_json(report->failed_phase));
    json_object_set_new(o, "check", text_json(report->failed_check));
    json_object_set_new(o, "rank", json_integer((json_int_t)rank));
    json_object_set_new(o, "slack", value_json(report, &report->nodes.items[report->failed_slack],
                                               report->failed_class));
    json_object_set_new(o, "message", text_json(report->failed_message));
}

static void fill_advice(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->advice.n; i++) {
        const ks_advice *advice = &report->advice.items[i];
        json_t *o = element(all, json_object());
        json_object_set_new(o, "set", text_json(advice->set));
        json_object_set_new(o, "low", value_json(report, &report->nodes.items[advice->low], 0));
        json_object_set_new(o, "high", value_json(report, &report->nodes.items[advice->high], 0));
        json_object_set_new(o, "low_why", text_json(report->nodes.items[advice->low].formula.text));
        json_object_set_new(o, "high_why",
                            text_json(report->nodes.items[advice->high].formula.text));
        if (advice->with.n) {
            json_t *with = member(o, "with", json_object());
            json_object_set_new(with, "set", text_json(advice->with));
            json_object_set_new(with, "value",
                                value_json(report, &report->nodes.items[advice->value], 0));
        }
        if (advice->why.n)
            json_object_set_new(o, "why", text_json(advice->why));
    }
    for (size_t i = 0; i < report->choices.n; i++) {
        const ks_choice *choice = &report->choices.items[i];
        json_t *o = element(all, json_object());
        json_object_set_new(o, "set", text_json(choice->set));
        json_object_set_new(o, "value", value_json(report, &report->nodes.items[choice->value], 0));
        if (choice->gpus)
            json_object_set_new(o, "gpus", json_integer((json_int_t)choice->gpus));
        json_object_set_new(o, "why", text_json(choice->why));
    }
}

static void fill_head(json_t *o, const ks_report *report)
{
    json_object_set_new(o, "scenario", text_json(report->scenario));
    if (report->title.n)
        json_object_set_new(o, "title", text_json(report->title));
    if (report->engine.n) {
        json_object_set_new(o, "engine", text_json(report->engine));
        json_object_set_new(o, "llm", text_json(report->llm));
    }
    json_object_set_new(o, "machine", text_json(report->machine));
    if (report->engine.n)
        json_object_set_new(o, "verdict", json_string(ks_verdict_word(report->verdict)));
}

static void set_node(json_t *o, const char *key, const ks_report *report, int node, size_t class)
{
    if (node >= 0)
        json_object_set_new(o, key, value_json(report, &report->nodes.items[node], class));
}

static void fill_compared(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->compared.n; i++) {
        const ks_compared *c = &report->compared.items[i];
        json_t *o = element(all, json_object());
        json_object_set_new(o, "quantity", text_json(c->name));
        if (c->phase.n)
            json_object_set_new(o, "phase", text_json(c->phase));
        if (c->phase.n || report->second)
            json_object_set_new(o, "rank", json_integer((json_int_t)c->rank));
        set_node(o, report->ours, report, c->ours, c->rank_class);
        set_node(o, report->theirs, report, c->theirs, c->rank_class);
        set_node(o, "difference", report, c->difference, c->rank_class);
        if (c->has_range) {
            json_object_set_new(o, "rounding", number_json(c->rounding));
            json_object_set_new(o, "low", number_json(c->low));
            json_object_set_new(o, "high", number_json(c->high));
        }
        json_object_set_new(o, "status", text_json(c->status));
    }
}

static json_t *record_json(const ks_report *report, const ks_record *record)
{
    const ks_node *node = &report->nodes.items[0];
    switch (record->kind) {
    case KS_RECORD_OBJECT:
        return json_object();
    case KS_RECORD_LIST:
        return json_array();
    case KS_RECORD_NODE:
        return value_json(report, &report->nodes.items[record->count], 0);
    case KS_RECORD_LOW:
    case KS_RECORD_HIGH:
        node = &report->nodes.items[record->count];
        if (!node->has_range)
            return value_json(report, node, 0);
        return amount_json(node->type, record->kind == KS_RECORD_LOW ? node->low : node->high);
    case KS_RECORD_TEXT:
        return text_json(record->text);
    case KS_RECORD_TRUTH:
        return json_boolean(record->count);
    case KS_RECORD_COUNT:
        return json_integer((json_int_t)record->count);
    }
    return json_null();
}

/* Parents come into the tree before their children, so that nothing is lost if memory runs out. */
static void fill_record(json_t *parent, const ks_report *report, const ks_record *record)
{
    for (const ks_record *r = record->first; r; r = r->next) {
        json_t *value = record_json(report, r);
        if (record->kind == KS_RECORD_OBJECT)
            json_object_setn_new(parent, r->key.s, r->key.n, value);
        else
            json_array_append_new(parent, value);
        fill_record(value, report, r);
    }
}

static void fill_tried(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->tried.n; i++) {
        const ks_tried *t = &report->tried.items[i];
        json_t *o = element(all, json_object());
        json_object_set_new(o, "title", text_json(t->title));
        json_object_set_new(o, "set", text_json(t->set));
        json_object_set_new(o, "verdict", text_json(t->then));
        if (t->check.n)
            json_object_set_new(o, "check", text_json(t->check));
        json_t *quantities = member(o, "quantities", json_object());
        const int nodes[] = {t->decides, t->yields};
        for (size_t k = 0; k < KS_COUNT(nodes); k++) {
            const ks_node *node = &report->nodes.items[nodes[k]];
            set_node(quantities, ks_to_c(report->arena, report->nodes.items[node->inputs[0]].name),
                     report, nodes[k], 0);
        }
    }
}

static void fill_expected(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->expected.n; i++) {
        const ks_expected_row *e = &report->expected.items[i];
        json_t *o = element(all, json_object());
        json_object_set_new(o, "what", text_json(e->what));
        json_object_set_new(o, "expected", text_json(e->expected));
        if (e->node >= 0)
            set_node(o, "got", report, e->node, report->failed_class);
        else
            json_object_set_new(o, "got", text_json(e->got));
        json_object_set_new(o, "holds", json_boolean(e->holds));
    }
}

static void fill_log(json_t *all, const ks_report *report)
{
    for (size_t i = 0; i < report->log.n; i++)
        json_array_append_new(all, text_json(report->log.items[i]));
}

static void set_place(json_t *o, ks_arena *arena, ks_span span)
{
    ks_str where = ks_where(arena, span);
    if (!where.n)
        return;
    json_object_set_new(o, "at", text_json(where));
    json_object_set_new(o, "length", json_integer((json_int_t)span.n));
}

static void fill_diagnostics(json_t *all, const ks_diags *diags, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < diags->n; i++) {
        const ks_diag *d = &diags->items[i];
        json_t *o = element(all, json_object());
        json_object_set_new(o, "severity", json_string(d->severity == KS_ERROR ? "error" : "warning"));
        json_object_set_new(o, "code", json_string(ks_code_name(d->code)));
        set_place(o, diags->arena, d->span);
        json_object_set_new(o, "text", text_json(d->text));
        json_t *notes = member(o, "notes", json_array());
        for (const ks_note *note = d->notes; note; note = note->next) {
            json_t *n = element(notes, json_object());
            set_place(n, diags->arena, note->span);
            json_object_set_new(n, "text", text_json(note->text));
        }
    }
}

static int write_json(const char *buffer, size_t size, void *context)
{
    const ks_sink *sink = context;
    sink->write(sink->context, buffer, size);
    return 0;
}

static void free_json(void *value)
{
    json_decref(value);
}

/* Begins the object, which is freed with the cleanup, also if memory runs out on the way. */
static json_t *begin(ks_arena *arena, const char *version, ks_cleanup **cleanup)
{
    json_t *o = json_object();
    if (!o)
        return NULL;
    *cleanup = ks_defer(arena, free_json, o);
    json_object_set_new(o, "kvsim", json_string(version));
    json_object_set_new(o, "format", json_integer(1));
    return o;
}

static bool finish(ks_arena *arena, json_t *o, ks_cleanup *cleanup, ks_sink sink)
{
    bool good = json_dump_callback(o, write_json, &sink, JSON_REAL_PRECISION(17)) == 0;
    ks_finish(arena, cleanup);
    ks_put_c(sink, "\n");
    return good;
}

/* A replayed start-up. */
static void fill_run(json_t *o, const ks_report *report)
{
    fill_head(o, report);
    if (report->failed_slack >= 0)
        fill_failure(member(o, "fails", json_object()), report);
    fill_phases(member(o, "phases", json_array()), report);
    fill_quantities(member(o, "quantities", json_object()), report);
    fill_advice(member(o, "advice", json_array()), report);
    if (report->tried.n)
        fill_tried(member(o, "what_if", json_array()), report);
    if (report->expected.n)
        fill_expected(member(o, "expectations", json_array()), report);
    if (report->log.n)
        fill_log(member(o, "log", json_array()), report);
    if (report->against.n) {
        json_object_set_new(o, "against", text_json(report->against));
        if (report->second)
            fill_head(member(o, "second", json_object()), report->second);
        fill_compared(member(o, "compared", json_array()), report);
    }
}

bool ks_render_json(const ks_report *report, const char *version, ks_sink sink)
{
    ks_cleanup *cleanup;
    json_t *o = begin(report->arena, version, &cleanup);
    if (!o)
        return false;
    if (report->record)
        fill_record(o, report, report->record);
    else
        fill_run(o, report);
    if (report->said_from < report->said_to)
        fill_diagnostics(member(o, "diagnostics", json_array()), report->diags, report->said_from,
                         report->said_to);
    return finish(report->arena, o, cleanup, sink);
}

bool ks_render_json_failure(const ks_diags *diags, size_t from, ks_str scenario, const char *version,
                            ks_sink sink)
{
    ks_cleanup *cleanup;
    json_t *o = begin(diags->arena, version, &cleanup);
    if (!o)
        return false;
    json_object_set_new(o, "scenario", text_json(scenario));
    json_object_set_new(o, "verdict", json_string("bad-input"));
    fill_diagnostics(member(o, "diagnostics", json_array()), diags, from, diags->n);
    return finish(diags->arena, o, cleanup, sink);
}
