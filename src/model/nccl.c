#include "model/nccl.h"

#include "base/num.h"
#include "base/unit.h"
#include "read/schema.h"

typedef struct reader {
    ks_diags *diags;
    const ks_doc *links, *speeds, *rules;
    bool failed;
} reader;

static const char *const path_words[] = {
#define X(name) #name,
    KS_NCCL_PATH_TYPES(X)
#undef X
};

static void fail(reader *r, enum ks_code code, ks_span span, const char *text)
{
    ks_error(r->diags, code, span, "%s", text);
    r->failed = true;
}

/* The `value:` of a row, or NULL after an error. */
static const ks_doc *value_of(reader *r, const ks_doc *section, const char *key)
{
    const ks_doc *row = ks_member_of(section, key),
                 *value = row ? ks_member_of(row, "value") : NULL;
    if (value && value->kind == KS_SCALAR)
        return value;
    ks_error(r->diags, KS_S002, row ? row->span : section->span, "\"%s\" has no value", key);
    r->failed = true;
    return NULL;
}

static double quantity_in(reader *r, const ks_doc *value, ks_dim dim)
{
    ks_quantity q = {0};
    if (!value || !ks_read_quantity(r->diags, value, &q)) {
        r->failed = true;
        return 0;
    }
    if (!ks_same_dim(q.dim, dim)) {
        ks_wrong_dimension(r->diags, value->span, q, dim);
        r->failed = true;
    }
    return q.value;
}

static const ks_dim RATE = {1, -1, 0};

static float gbps_of(reader *r, const ks_doc *value)
{
    return (float)(quantity_in(r, value, RATE) / 1e9);
}

static float gbps(reader *r, const ks_doc *section, const char *key)
{
    return gbps_of(r, value_of(r, section, key));
}

static int64_t bytes(reader *r, const char *key)
{
    int64_t whole = 0;
    const ks_doc *value = value_of(r, r->rules, key);
    double given = quantity_in(r, value, KS_BYTE);
    if (value && (!ks_to_whole(given, &whole) || whole < 0 || given > 1e12))
        fail(r, KS_S006, value->span, "this must be a whole number of bytes");
    return whole;
}

static int64_t whole(reader *r, const ks_doc *section, const char *key, int64_t low, int64_t high)
{
    int64_t n = low;
    const ks_doc *value = value_of(r, section, key);
    if (value && !ks_read_whole(r->diags, value, low, high, &n))
        r->failed = true;
    return n;
}

static double real(reader *r, const char *key)
{
    return quantity_in(r, value_of(r, r->rules, key), KS_NO_DIM);
}

static enum ks_nccl_path path(reader *r, const char *key)
{
    const ks_doc *value = value_of(r, r->rules, key);
    for (size_t i = 0; value && i < KS_COUNT(path_words); i++)
        if (ks_equal_c(value->text, path_words[i]))
            return (enum ks_nccl_path)i;
    if (value)
        fail(r, KS_S005, value->span, "this must be a type of path: LOC, NVL, ... PHB, SYS");
    return KS_PATH_LOC;
}

/* Rows NAME.from_N and NAME.only_N of the links. */
static void read_steps(reader *r, const char *name, ks_nccl_steps *steps)
{
    ks_str from = ks_format(r->diags->arena, "%s.from_", name);
    ks_str only = ks_format(r->diags->arena, "%s.only_", name);
    for (size_t i = 0; i < r->links->n && steps->n < KS_NCCL_MOST_STEPS; i++) {
        const ks_member *m = &r->links->items[i];
        bool is_only = ks_starts_with(m->key, only);
        if (!is_only && !ks_starts_with(m->key, from))
            continue;
        ks_nccl_step *step = &steps->items[steps->n++];
        ks_str number = ks_slice(m->key, from.n, m->key.n);
        if (ks_parse_decimal(number, &step->from) != number.n || number.n == 0)
            fail(r, KS_S004, m->key_span, "a number must follow \"from_\" or \"only_\"");
        step->only = is_only;
        step->gbps = gbps(r, r->links, ks_to_c(r->diags->arena, m->key));
    }
    if (steps->n == 0) {
        ks_error(r->diags, KS_S002, r->links->span, "no row of the links begins with \"%s.from_\"",
                 name);
        r->failed = true;
    }
}

static void read_speeds(reader *r, const ks_member *m, ks_nccl_speeds *out)
{
    const ks_doc *from = ks_member_of(m->value, "from"), *values = ks_member_of(m->value, "values");
    if (!from || !values || values->kind != KS_LIST || values->n == 0 ||
        values->n > KS_NCCL_MOST_SPEEDS) {
        fail(r, KS_S002, m->key_span, "speeds need \"from\" and a list of \"values\"");
        return;
    }
    out->from = quantity_in(r, from, KS_NO_DIM);
    for (size_t i = 0; i < values->n; i++) {
        out->gbps[i] = (float)quantity_in(r, values->items[i].value, KS_NO_DIM);
        if (!(out->gbps[i] > 0) || (i && out->gbps[i] >= out->gbps[i - 1]))
            fail(r, KS_S006, values->items[i].value->span, "the speeds must fall");
    }
    out->n = values->n;
}

static void read_links(reader *r, ks_nccl_model *model)
{
    model->local = gbps(r, r->links, "local");
    model->amd = gbps(r, r->links, "amd");
    model->arm = gbps(r, r->links, "arm");
    model->power = gbps(r, r->links, "power");
    model->lanes = whole(r, r->links, "lane.width", 1, 64);
    read_steps(r, "nvlink", &model->nvlink);
    read_steps(r, "lane", &model->lane);
    read_steps(r, "intel", &model->intel);
    read_steps(r, "zhaoxin", &model->zhaoxin);
    for (size_t i = 0; i < r->speeds->n; i++) {
        if (model->n_speeds == KS_COUNT(model->speeds)) {
            fail(r, KS_S006, r->speeds->span, "too many lists of speeds");
            return;
        }
        read_speeds(r, &r->speeds->items[i], &model->speeds[model->n_speeds++]);
    }
}

static void read_search(reader *r, ks_nccl_model *model)
{
    const ks_doc *by_type = value_of(r, r->rules, "paths.by_type");
    if (by_type && !ks_read_bool(r->diags, by_type, &model->paths_by_type))
        r->failed = true;
    model->p2p_level = path(r, "p2p.level");
    model->p2p_amd = path(r, "p2p.level.amd");
    model->p2p_intel = path(r, "p2p.level.intel");
    model->p2p_arm = path(r, "p2p.level.arm");
    model->p2p_zhaoxin = path(r, "p2p.level.zhaoxin");
    model->p2p_amd_gpus = whole(r, r->rules, "p2p.amd_gpus", 0, 1 << 20);
    model->intel_numerator = whole(r, r->rules, "intel.numerator", 1, 1000);
    model->intel_denominator = whole(r, r->rules, "intel.denominator", 1, 1000);
    model->budget = whole(r, r->rules, "search.budget", 1, 1 << 20);
    model->budget_same = whole(r, r->rules, "search.budget_same", 1, 1 << 20);
    model->budget_all = whole(r, r->rules, "search.budget_all", 1, 1 << 24);
    model->most_rings = whole(r, r->rules, "search.most_rings", 1, KS_NCCL_MOST_RINGS);
    model->most_channels = whole(r, r->rules, "channels.most", 1, 1024);
    model->simple_tree_from = real(r, "tree.simple_from");
    model->nvls_from = real(r, "nvls.from");
    model->nvls_least_gpus = whole(r, r->rules, "nvls.least_gpus", 0, 1024);
    model->fallback = gbps(r, r->rules, "fallback");
}

static void read_widths(reader *r, ks_nccl_model *model)
{
    model->threads_ll = whole(r, r->rules, "threads.ll", 32, 1024);
    model->threads_ll128 = whole(r, r->rules, "threads.ll128", 32, 1024);
    model->threads_simple = whole(r, r->rules, "threads.simple", 32, 1024);
    model->threads_narrow = whole(r, r->rules, "threads.narrow", 32, 1024);
    model->threads_nvls = whole(r, r->rules, "threads.nvls", 32, 1024);
    model->narrow = gbps(r, r->rules, "rings.narrow");
    model->work_ll = bytes(r, "work.ll");
    model->work_ll128 = bytes(r, "work.ll128");
    model->work_simple = bytes(r, "work.simple");
    model->ll_buffer = bytes(r, "buffer.ll");
    model->ll128_buffer = bytes(r, "buffer.ll128");
    model->simple_buffer = bytes(r, "buffer.simple");
}

static ks_nccl_model *read_model(ks_diags *diags, const ks_doc *doc)
{
    ks_nccl_model *model = KS_NEW(diags->arena, ks_nccl_model);
    reader r = {diags, ks_member_of(doc, "links"), ks_member_of(doc, "speeds"),
                ks_member_of(doc, "rules"), false};
    model->doc = doc;
    if (!r.links || !r.speeds || !r.rules) {
        ks_error(diags, KS_S002, doc->span, "\"links\", \"speeds\" and \"rules\" are needed");
        return NULL;
    }
    read_links(&r, model);
    read_search(&r, model);
    read_widths(&r, model);
    if (model->n_speeds == 0)
        fail(&r, KS_S002, r.speeds->span, "there must be a list of speeds");
    return r.failed ? NULL : model;
}

/* Says how far a version's answers can be trusted. */
static void tell_trust(ks_diags *diags, ks_nccl_model *model, ks_version version, ks_span at)
{
    const ks_doc *to = ks_member_of(model->doc, "read_to");
    const ks_doc *checked = ks_member_of(model->doc, "checked");
    ks_version read_to, one;
    for (size_t i = 0; checked && checked->kind == KS_LIST && i < checked->n; i++)
        if (ks_parse_version(checked->items[i].value->text, &one) &&
            ks_compare_versions(one, version) == 0)
            model->checked = true;
    if (to && ks_parse_version(to->text, &read_to) && ks_compare_versions(version, read_to) > 0)
        ks_warning(diags, KS_N001, at,
                   "NCCL %.*s is newer than any version that was read: taken as %.*s",
                   KS_ARG(model->version), KS_ARG(to->text));
    else if (!model->checked)
        ks_warning(diags, KS_N001, at,
                   "NCCL %.*s was never compared with NCCL's own answers: sizes at which it "
                   "changes over may differ",
                   KS_ARG(model->version));
}

const ks_nccl_model *ks_nccl_load(const ks_catalog *catalog, ks_str version, ks_span at)
{
    ks_version wanted, newest;
    ks_str found = version;
    static const char text[] = KS_NCCL_DEFAULT_VERSION;
    if (ks_parse_version(version, &wanted) && ks_parse_version(KS_STR(text), &newest) &&
        ks_compare_versions(wanted, newest) > 0)
        found = KS_STR(text);
    const ks_doc *doc = ks_catalog_versioned(catalog, "nccl", KS_STR("nccl"), found, at);
    ks_nccl_model *model = doc ? read_model(catalog->diags, doc) : NULL;
    if (!model)
        return NULL;
    model->version = version;
    tell_trust(catalog->diags, model, wanted, at);
    return model;
}

float ks_nccl_step_at(const ks_nccl_steps *steps, double at)
{
    float gbps = steps->items[0].gbps;
    double best = -1;
    for (size_t i = 0; i < steps->n; i++) {
        const ks_nccl_step *step = &steps->items[i];
        bool same = step->from >= at - 1e-6 && step->from <= at + 1e-6;
        if (step->only && same)
            return step->gbps;
        if (!step->only && step->from <= at + 1e-6 && step->from > best) {
            best = step->from;
            gbps = step->gbps;
        }
    }
    return gbps;
}

const ks_nccl_speeds *ks_nccl_speeds_for(const ks_nccl_model *model, double capability)
{
    const ks_nccl_speeds *best = &model->speeds[0];
    for (size_t i = 1; i < model->n_speeds; i++)
        if (model->speeds[i].from <= capability + 1e-6 && model->speeds[i].from > best->from)
            best = &model->speeds[i];
    return best;
}
