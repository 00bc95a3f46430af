/* What leaves: values, written reports, lists. */
#include "api/handle.h"

#include "engine/explain.h"
#include "model/topology_machine.h"
#include "read/yaml.h"
#include "render/json.h"
#include "render/listing.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

kvsim_verdict_code kvsim_verdict(const kvsim_report *report)
{
    static const kvsim_verdict_code codes[] = {[KS_FITS] = KVSIM_FITS,
                                               [KS_DOES_NOT_FIT] = KVSIM_DOES_NOT_FIT,
                                               [KS_UNSUPPORTED] = KVSIM_UNSUPPORTED,
                                               [KS_UNCERTAIN] = KVSIM_UNCERTAIN};
    return report ? codes[report->report->verdict] : KVSIM_BAD_INPUT;
}

bool kvsim_is_solved(const kvsim_report *report)
{
    return report && report->report->advice.n > 0;
}

bool kvsim_quantity(const kvsim_report *report, const char *name, kvsim_value *value)
{
    int number = ks_find_node(report->report, ks_from_c(name));
    if (number < 0 || report->report->nodes.items[number].hidden)
        return false;
    const ks_node *node = &report->report->nodes.items[number];
    bool is_number = node->type.base == KS_WHOLE || node->type.base == KS_REAL;
    size_t class = report->report->failed_class;
    *value = (kvsim_value){.value = is_number ? ks_node_real(node, class) : (double)NAN,
                           .is_whole = node->type.base == KS_WHOLE,
                           .kind = ks_kind_word(node->kind)};
    value->whole = value->is_whole ? ks_node_cell(node, class).i : 0;
    value->low = node->has_range ? node->low : value->value;
    value->high = node->has_range ? node->high : value->value;
    value->unit = ks_dim_name(node->type.dim);
    return true;
}

static void *write_report(call *c)
{
    const ks_report *report = c->report->report;
    if (c->style->format == KVSIM_JSON)
        return ks_render_json(report, PACKAGE_VERSION, c->sink) ? c->k : NULL;
    ks_render_text(report, (ks_text_options){c->style->colour, c->style->width}, c->sink);
    return c->k;
}

bool kvsim_write(kvsim *k, const kvsim_report *report, const kvsim_style *style,
                 kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .report = report, .style = style, .sink = {write, context}};
    return ks_guard(&c, write_report) != NULL;
}

/* The links of a machine in a line. */
static ks_str links_of(kvsim *k, ks_str name)
{
    ks_doc doc = {.kind = KS_SCALAR, .text = name};
    ks_machine machine = {.count = 0};
    const ks_topology *topology = ks_read_machine(&k->catalog, &doc, &machine)
                                      ? ks_topology_of_machine(&k->catalog, &machine)
                                      : NULL;
    return topology ? ks_topology_summary(k->arena, topology) : KS_STR("");
}

static void *write_failure(call *c)
{
    kvsim *k = c->k;
    size_t from = k->said;
    k->said = k->diags.n;
    return ks_render_json_failure(&k->diags, from, ks_from_c(c->text), PACKAGE_VERSION, c->sink) ? k
                                                                                          : NULL;
}

bool kvsim_write_failure(kvsim *k, const char *scenario, kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = scenario, .sink = {write, context}};
    return ks_guard(&c, write_failure) != NULL;
}

static void *list_files(call *c)
{
    kvsim *k = c->k;
    size_t n, shown = 0;
    bool is_machine = strcmp(c->text, "machine") == 0;
    ks_str *names = ks_catalog_names(&k->catalog, c->text, &n);
    ks_listed *items = KS_NEW_ARRAY(k->arena, ks_listed, n + 1);
    for (size_t i = 0; i < n; i++) {
        const ks_doc *doc = ks_catalog_load(&k->catalog, c->text, names[i], (ks_span){0});
        const ks_doc *title = doc ? ks_member_of(doc, "title") : NULL;
        const ks_doc *versions = doc ? ks_member_of(doc, "versions") : NULL;
        if (!doc)
            return NULL;
        if (ks_equal_c(names[i], "common"))
            continue;
        size_t errors = k->diags.errors;
        ks_str links = is_machine ? links_of(k, names[i]) : KS_STR("");
        if (k->diags.errors > errors)
            return NULL;
        items[shown++] = (ks_listed){names[i], versions ? versions->text : links,
                                     title ? title->text : KS_STR("")};
    }
    ks_render_listing(k->arena, items, shown, c->style->format == KVSIM_JSON,
                      strcmp(c->text, "engine") == 0 ? "versions" : is_machine ? "links" : NULL,
                      c->sink);
    return k;
}

static void *list_quantities(call *c)
{
    static const char typical[] = "kvsim: 1\nengine: sglang 0.5.9\nllm: llama-3.1-8b\n"
                                  "machine: {gpu: h100-sxm, count: 1}\n";
    kvsim *k = c->k;
    if (!c->scenario) {
        const ks_source *source = ks_source_new(k->arena, KS_STR("<typical>"), KS_STR(typical));
        c->scenario = ks_new_scenario(k, source);
    }
    ks_replay *replayed = c->scenario ? ks_replay_call(c, NULL, NULL) : NULL;
    if (!replayed)
        return NULL;
    const ks_report *report = replayed->report;
    ks_listed *items = KS_NEW_ARRAY(k->arena, ks_listed, report->nodes.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < report->nodes.n; i++) {
        const ks_node *node = &report->nodes.items[i];
        if (!node->hidden)
            items[n++] = (ks_listed){node->name, ks_dim_symbol(k->arena, node->type.dim),
                                     node->meaning};
    }
    ks_render_listing(k->arena, items, n, c->style->format == KVSIM_JSON, "unit", c->sink);
    return k;
}

static void *list(call *c)
{
    static const char *const kinds[] = {"gpu", "llm", "engine", "machine", "cpu"};
    ks_str names[] = {KS_STR("gpu"), KS_STR("llm"), KS_STR("engine"), KS_STR("machine"),
                      KS_STR("cpu"), KS_STR("quantities")};
    if (strcmp(c->text, "quantities") == 0)
        return list_quantities(c);
    for (size_t i = 0; i < KS_COUNT(kinds); i++)
        if (strcmp(c->text, kinds[i]) == 0)
            return list_files(c);
    ks_error(&c->k->diags, KS_C001, (ks_span){0},
             "can list gpu, cpu, llm, engine, machine or quantities, not \"%s\"", c->text);
    ks_suggest(&c->k->diags, ks_from_c(c->text), names, KS_COUNT(names));
    return NULL;
}

bool kvsim_list(kvsim *k, const char *kind, const kvsim_scenario *scenario,
                const kvsim_style *style, kvsim_write_fn *write, void *context)
{
    call c = {.k = k, .text = kind, .scenario = scenario, .style = style, .sink = {write, context}};
    return ks_guard(&c, list) != NULL;
}
