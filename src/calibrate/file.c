#include "calibrate/file.h"

#include "read/yaml.h"

#include <math.h>
#include <string.h>

/* What the model adds to a fixed time is taken off it, but no more than this share. */
static const double least_share = 0.9;

typedef struct writer {
    const ks_calibration *c;
    ks_builder text;
    const char *indent;
} writer;

/* "a.txt, b.txt", without folders. */
static ks_str file_names(const ks_calibration *c, const ks_names *names)
{
    ks_builder b = {.arena = c->arena};
    for (size_t i = 0; i < names->n && i < 4; i++) {
        ks_str path = names->items[i];
        size_t at = path.n;
        while (at > 0 && path.s[at - 1] != '/')
            at--;
        ks_addf(&b, "%s%.*s", i ? ", " : "", KS_ARG(ks_slice(path, at, path.n)));
    }
    if (names->n > 4)
        ks_addf(&b, " and %zu more", names->n - 4);
    return ks_built(&b);
}

/* ---- The machine's own part. ------------------------------------------------------------------------------ */

static size_t line_of(ks_str text, size_t at)
{
    while (at > 0 && text.s[at - 1] != '\n')
        at--;
    return at;
}

/* The file's text as it is, but for a `calibration:` at its top level. */
static void add_own_text(writer *w, const ks_doc *doc)
{
    ks_str text = doc->span.source->text;
    size_t from = text.n, to = text.n;
    for (size_t i = 0; i < doc->n; i++) {
        const ks_member *m = &doc->items[i];
        if (m->key_span.source != doc->span.source)
            continue; /* of the file that this one extends */
        size_t at = line_of(text, m->key_span.at);
        if (ks_equal_c(m->key, "calibration"))
            from = at;
        else if (from < text.n && at > from && at < to)
            to = at;
    }
    ks_add(&w->text, ks_slice(text, 0, from));
    if (w->text.n && w->text.items[w->text.n - 1] != '\n')
        ks_add(&w->text, KS_STR("\n"));
    if (from < text.n)
        ks_add(&w->text, ks_slice(text, to, text.n));
}

/* A machine that was named in the short form or as so many GPUs. */
static void add_short_form(writer *w)
{
    const ks_calibration *c = w->c;
    ks_arena *arena = c->arena;
    ks_str form;
    ks_str name = ks_cut(c->machine_as_asked, ' ', &form);
    ks_addf(&w->text, "kvsim: 1\nmachine: calibrated\ntitle: %.*s\n",
            KS_ARG(ks_yaml_quoted(
                arena, ks_format(arena, "%.*s, calibrated", KS_ARG(c->machine_as_asked)))));
    if (ks_find_byte(form, ':', 0) < form.n)
        ks_addf(&w->text, "gpu: %.*s\ncount: %lld\ntopology: %.*s\n", KS_ARG(name),
                (long long)c->machine.count, KS_ARG(ks_yaml_quoted(arena, ks_trim(form))));
    else
        ks_addf(&w->text, "gpu: %.*s\ncount: %lld\n", KS_ARG(c->machine.gpu_name),
                (long long)(c->machine.count ? c->machine.count : c->ranks[c->n_ranks - 1]));
}

/* ---- Constants. ---------------------------------------------------------------------------------------------- */

static const char *unit_of(enum ks_form form, size_t term, double *scale)
{
    bool rate = term + 1 == ks_form_terms(form);
    *scale = rate ? 1e-9 : 1e6;
    return rate ? "GB/s" : "us";
}

/* "value: 1.04 us, range: [1.01 us, 1.08 us]"; of a rate, whose inverse was fitted, the ends change
 * places. */
static ks_str value_text(ks_arena *arena, enum ks_form form, size_t term, double value, double low,
                         double high)
{
    double scale;
    const char *unit = unit_of(form, term, &scale);
    if (term + 1 == ks_form_terms(form)) {
        double inverse = 1 / low;
        low = 1 / high;
        high = inverse;
        value = 1 / value;
    }
    return ks_format(arena, "value: %.6g %s, range: [%.6g %s, %.6g %s]", value * scale, unit,
                     low * scale, unit, high * scale, unit);
}

static void add_constant(writer *w, ks_str name, ks_str value, ks_str source)
{
    ks_addf(&w->text, "%s    %.*s: {%.*s, source: %.*s}\n", w->indent, KS_ARG(name), KS_ARG(value),
            KS_ARG(ks_yaml_quoted(w->c->arena, source)));
}

/* The ring's parameters, one range each: how far they are known. */
static void add_ring(writer *w, enum ks_form form)
{
    const ks_fitted *f = &w->c->forms[form];
    ks_arena *arena = w->c->arena;
    for (size_t j = 0; j < ks_form_terms(form); j++) {
        const ks_fit_parameter *p = &f->fit.terms[j];
        bool borrowed = j == 2 && f->borrowed;
        if (!p->identifiable && !borrowed)
            continue;
        ks_str from = borrowed ? KS_STR("as of the other protocol on the same link")
                               : ks_format(arena, "kvsim calibrate: %zu times of %.*s", f->n,
                                           KS_ARG(file_names(w->c, &f->files)));
        add_constant(w, ks_format(arena, "%s.%s", ks_form_prefix(form), ks_form_term_name(form, j)),
                     value_text(arena, form, j, p->value, p->low, p->high), from);
    }
}

/* What the model adds by itself to a kernel's fixed time. */
static double added_by_model(const ks_calibration *c, const ks_fitted *f)
{
    if (!f->less || (ks_equal_c(ks_from_c(f->less), "one_stage_barrier") &&
                     ks_model_value(c->base, "machine.nvlink", 1) > 0))
        return 0;
    return ks_model_value(c->base, f->less, 1);
}

/* A kernel's parameters, with ranges in which its times lie. */
static void add_kernel(writer *w, enum ks_form form)
{
    const ks_fitted *f = &w->c->forms[form];
    ks_arena *arena = w->c->arena;
    double factor = exp(f->half_width);
    for (size_t j = 0; j < ks_form_terms(form); j++) {
        const ks_fit_parameter *p = &f->fit.terms[j];
        if (!p->identifiable)
            continue;
        double low = fmin(p->low, p->value / factor), high = fmax(p->high, p->value * factor);
        double less = j == 0 ? fmin(added_by_model(w->c, f), least_share * low) : 0;
        add_constant(w, ks_from_c(j == 0 ? f->t0 : f->rate),
                     value_text(arena, form, j, p->value - less, low - less, high - less),
                     ks_format(arena, "kvsim calibrate: %zu times of %.*s, %.*s", f->n,
                               KS_ARG(f->algorithm), KS_ARG(file_names(w->c, &f->files))));
    }
}

static bool has_ranks(const ks_fitted *f, int64_t ranks)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->items[i].ranks == ranks)
            return true;
    return false;
}

static const ks_nccl_series *series_of(const ks_calibration *c, int64_t ranks)
{
    for (size_t i = 0; i < c->series.n; i++)
        if (c->series.items[i].ranks == ranks)
            return &c->series.items[i];
    return NULL;
}

static void add_correction(writer *w, const ks_nccl_series *s)
{
    const char *indent = w->indent;
    ks_addf(&w->text, "%s  tables:\n%s    nccl.correction:\n%s      rows:\n", indent, indent,
            indent);
    for (size_t i = 0; i < s->n_rows; i++)
        ks_addf(&w->text, "%s        - [%.0f B, %#.6g]\n", indent, s->table[i].bytes,
                s->table[i].time);
    ks_addf(&w->text, "%s      else: %#.6g\n%s      source: %.*s\n", indent,
            s->table[s->n_rows - 1].time, indent,
            KS_ARG(ks_yaml_quoted(
                w->c->arena,
                ks_format(w->c->arena,
                          "kvsim calibrate: measured over modelled time of %zu sizes, %.*s", s->n,
                          KS_ARG(file_names(w->c, &s->files))))));
}

const ks_doc *ks_fitted_constants(const ks_calibration *c)
{
    writer w = {.c = c, .text = {.arena = c->arena}, .indent = ""};
    ks_add(&w.text, KS_STR("constants:\n    nccl_spread: {value: 1.0, source: \"none\"}\n"));
    for (int form = 0; form < KS_N_RING_FORMS; form++)
        add_ring(&w, (enum ks_form)form);
    return ks_read_yaml(c->diags,
                        ks_source_new(c->arena, KS_STR("<calibration>"), ks_built(&w.text)));
}

/* One number of ranks. */
static void add_overlay(writer *w, int64_t ranks)
{
    const ks_calibration *c = w->c;
    const ks_nccl_series *s = series_of(c, ranks);
    const char *indent = w->indent;
    ks_str name = c->machine.name;
    ks_addf(&w->text, "%skvsim: 1\n%s  calibration: %.*s\n%s  machine: %.*s\n%s  ranks: %lld\n",
            *indent ? "  - " : "  ", indent,
            KS_ARG(ks_yaml_quoted(c->arena, file_names(c, &c->measured))), indent,
            KS_ARG(ks_yaml_quoted(c->arena, name)), indent, (long long)ranks);
    size_t before = w->text.n, head;
    ks_addf(&w->text, "%s  constants:\n", indent);
    head = w->text.n;
    for (int form = 0; form < KS_N_FORMS; form++) {
        if (form < KS_N_RING_FORMS)
            add_ring(w, (enum ks_form)form);
        else if (has_ranks(&c->forms[form], ranks))
            add_kernel(w, (enum ks_form)form);
    }
    if (!s) {
        w->text.n = w->text.n == head ? before : w->text.n;
        return;
    }
    add_constant(
        w, KS_STR("nccl_spread"),
        ks_format(c->arena, "value: 1.0, range: [%.4f, %.4f]", exp(-s->scatter), exp(s->scatter)),
        ks_format(c->arena,
                  "kvsim calibrate: how far single sizes were from the curve through the "
                  "others, %zu sizes",
                  s->n));
    add_correction(w, s);
}

ks_str ks_calibrated_machine(const ks_calibration *c)
{
    if (c->n_ranks == 0)
        return (ks_str){NULL, 0};
    writer w = {.c = c, .text = {.arena = c->arena}, .indent = c->n_ranks > 1 ? "  " : ""};
    if (c->machine_doc)
        add_own_text(&w, c->machine_doc);
    else
        add_short_form(&w);
    ks_add(&w.text, KS_STR("calibration:\n"));
    for (size_t i = 0; i < c->n_ranks; i++)
        add_overlay(&w, c->ranks[i]);
    return ks_built(&w.text);
}
