#include "calibrate/report.h"

#include <math.h>

typedef struct writer {
    const ks_calibration *c;
    ks_report *report;
} writer;

static const ks_type seconds = {KS_REAL, {0, 1, 0}}, rate = {KS_REAL, {1, -1, 0}},
                     plain = {KS_REAL, {0, 0, 0}}, bytes = {KS_WHOLE, {1, 0, 0}},
                     count = {KS_WHOLE, {0, 0, 0}};

/* A number of the report, as a node of its own. */
static int number(writer *w, ks_str name, ks_type type, double value, const char *how)
{
    ks_cell cell = type.base == KS_WHOLE ? (ks_cell){.i = (int64_t)value} : (ks_cell){.f = value};
    return ks_add_node(w->report, name, KS_SOLVED, type, cell, ks_from_c(how), NULL, 0);
}

static ks_str name_of(const writer *w, const char *prefix, const char *what)
{
    return ks_format(w->c->arena, "%s.%s", prefix, what);
}

/* ---- Sizes. -------------------------------------------------------------------------------------------------- */

static ks_str list_sizes(const writer *w, const double *sizes, size_t n)
{
    ks_builder b = {.arena = w->c->arena};
    for (size_t i = 0; i < n && i < 3; i++)
        ks_addf(&b, "%s%.*s", i ? ", " : "", KS_ARG(ks_show(w->c->arena, sizes[i], KS_BYTE, true)));
    if (n > 3)
        ks_addf(&b, " and %zu more", n - 3);
    return ks_built(&b);
}

static void add_series_row(writer *w, ks_block *table, const ks_nccl_series *s)
{
    ks_arena *arena = w->c->arena;
    const char *prefix = ks_to_c(arena, ks_format(arena, "nccl.%lld", (long long)s->ranks));
    ks_row *row = ks_add_row(w->report, table);
    const ks_held_out *h = &s->held_out;
    ks_set_cell(w->report, row, 0, "{}",
                number(w, name_of(w, prefix, "ranks"), count, (double)s->ranks, "measured"));
    ks_set_cell(w->report, row, 1, "{}",
                number(w, name_of(w, prefix, "sizes"), count, (double)s->n, "measured"));
    ks_set_cell(w->report, row, 2, "{}",
                number(w, name_of(w, prefix, "smallest"), bytes, s->points[0].bytes, "measured"));
    ks_set_cell(
        w->report, row, 3, "{}",
        number(w, name_of(w, prefix, "largest"), bytes, s->points[s->n - 1].bytes, "measured"));
    if (h->n) {
        ks_set_cell(w->report, row, 4, "{:%:.1f} %",
                    number(w, name_of(w, prefix, "held_out.median"), plain, h->median,
                           "median error of every other size, predicted from the rest"));
        int worst = number(w, name_of(w, prefix, "held_out.worst"), plain, h->worst,
                           "largest error of them");
        int at = number(w, name_of(w, prefix, "held_out.worst_at"), bytes, h->worst_bytes,
                        "its size");
        ks_set_cell(w->report, row, 5, "{:%:.1f} % at {}", worst, at);
    }
    int low = number(w, name_of(w, prefix, "low"), plain, -expm1(-s->scatter),
                     "range that holds nine of ten sizes");
    int high = number(w, name_of(w, prefix, "high"), plain, expm1(s->scatter),
                      "range that holds nine of ten sizes");
    ks_set_cell(w->report, row, 6, "-{:%:.1f} to +{:%:.1f} %", low, high);
    if (s->curve.n_spikes)
        ks_set_text(w->report, row, 7, list_sizes(w, s->curve.spikes, s->curve.n_spikes));
}

static void add_series(writer *w)
{
    static const ks_column columns[] = {{{"ranks", 5}, true},    {{"sizes", 5}, true},
                                        {{"from", 4}, true},     {{"to", 2}, true},
                                        {{"held out", 8}, true}, {{"worst", 5}, true},
                                        {{"range", 5}, true},    {{"outliers", 8}, false}};
    if (w->c->series.n == 0)
        return;
    ks_section *section = ks_add_section(w->report, "NCCL, sizes between the measured ones");
    ks_block *table = ks_add_table(w->report, section, columns, KS_COUNT(columns));
    for (size_t i = 0; i < w->c->series.n; i++)
        add_series_row(w, table, &w->c->series.items[i]);
    ks_add_text(w->report, section, KS_BLOCK_TEXT,
                KS_STR("held out: error of every other size when only the rest is fitted; the file "
                       "is fitted to "
                       "all. range: holds nine of ten sizes."));
}

/* ---- Parameters. --------------------------------------------------------------------------------------------- */

static int parameter(writer *w, enum ks_form form, size_t term, const char *what, double value)
{
    bool is_rate = term + 1 == ks_form_terms(form);
    ks_str name = ks_format(w->c->arena, "%s.%s%s", ks_form_prefix(form),
                            ks_form_term_name(form, term), what);
    return number(w, name, is_rate ? rate : seconds, is_rate ? 1 / value : value, "fitted");
}

static const char *verdict_on(const ks_fitted *f, size_t term)
{
    if (f->fit.terms[term].identifiable)
        return "";
    if (term + 1 == f->fit.n_terms && f->too_fast)
        return "kept: the times hardly rise with the size";
    if (term == 2 && f->borrowed)
        return "the other protocol's: the same link";
    if (term == 0 && f->fit.n_terms == 3 && !f->base_free)
        return "kept: one number of ranks does not tell it from alpha";
    return "kept: not identifiable from these sizes";
}

static void add_parameter_rows(writer *w, ks_block *table, enum ks_form form)
{
    const ks_fitted *f = &w->c->forms[form];
    for (size_t j = 0; j < f->fit.n_terms; j++) {
        const ks_fit_parameter *p = &f->fit.terms[j];
        bool is_rate = j + 1 == f->fit.n_terms;
        ks_row *row = ks_add_row(w->report, table);
        ks_set_text(w->report, row, 0,
                    name_of(w, ks_form_prefix(form), ks_form_term_name(form, j)));
        int node = parameter(w, form, j, "", p->value);
        ks_set_cell(w->report, row, 1, "{}", node);
        if (p->identifiable) {
            ks_node *n = &w->report->nodes.items[node];
            n->has_range = p->high > p->low;
            n->low = is_rate ? 1 / p->high : p->low;
            n->high = is_rate ? 1 / p->low : p->high;
            double low = is_rate ? p->high : p->low, high = is_rate ? p->low : p->high;
            int from = parameter(w, form, j, ".low", low);
            int to = parameter(w, form, j, ".high", high);
            ks_set_cell(w->report, row, 2, "{} to {}", from, to);
        }
        if (f->has_defaults)
            ks_set_cell(w->report, row, 3, "{}", parameter(w, form, j, ".default", f->defaults[j]));
        ks_set_text(w->report, row, 4, ks_from_c(verdict_on(f, j)));
        row->tone = p->identifiable ? KS_TONE_PLAIN : KS_TONE_FAINT;
    }
}

/* A table with rows for each form that was measured; none, if none was. */
static void add_forms(writer *w, const char *title, const ks_column *columns, size_t n,
                      void (*add_rows)(writer *w, ks_block *table, enum ks_form form))
{
    ks_block *table = NULL;
    for (int form = 0; form < KS_N_FORMS; form++) {
        if (w->c->forms[form].n == 0)
            continue;
        if (!table)
            table = ks_add_table(w->report, ks_add_section(w->report, title), columns, n);
        add_rows(w, table, (enum ks_form)form);
    }
}

static void add_parameters(writer *w)
{
    static const ks_column columns[] = {{{"parameter", 9}, false},
                                        {{"value", 5}, true},
                                        {{"68 % interval", 13}, true},
                                        {{"default", 7}, true},
                                        {{"", 0}, false}};
    add_forms(w, "parameters", columns, KS_COUNT(columns), add_parameter_rows);
}

static void add_fit_row(writer *w, ks_block *table, enum ks_form form)
{
    const ks_fitted *f = &w->c->forms[form];
    const char *prefix = ks_form_prefix(form);
    ks_row *row = ks_add_row(w->report, table);
    ks_set_text(w->report, row, 0, ks_from_c(ks_form_title(form)));
    ks_set_cell(w->report, row, 1, "{}",
                number(w, name_of(w, prefix, "times"), count, (double)f->n, "measured"));
    ks_set_cell(w->report, row, 2, "{:%:.1f} %",
                number(w, name_of(w, prefix, "mean_error"), plain, f->fit.mean_error,
                       "mean error of the form alone"));
    const ks_fit_point *worst = &f->items[f->fit.worst];
    int error = number(w, name_of(w, prefix, "worst_error"), plain, f->fit.worst_error,
                       "model over measured less 1");
    int at = number(w, name_of(w, prefix, "worst_at"), bytes, worst->bytes, "its size");
    int ranks = number(w, name_of(w, prefix, "worst_ranks"), count, (double)worst->ranks,
                       "its number of ranks");
    ks_set_cell(w->report, row, 3, "{:%:.1f} % at {}, {} ranks", error, at, ranks);
}

static void add_fits(writer *w)
{
    static const ks_column columns[] = {{{"form", 4}, false},
                                        {{"times", 5}, true},
                                        {{"mean error", 10}, true},
                                        {{"worst", 5}, false}};
    add_forms(w, "how well the forms alone describe the times", columns, KS_COUNT(columns),
              add_fit_row);
}

/* ---- Findings. -------------------------------------------------------------------------------------------------- */

static void say_ring(writer *w, ks_section *section)
{
    if (ks_ring_finding(w->c) != KS_FINDING_SHARED_MEMORY)
        return;
    ks_add_text(
        w->report, section, KS_BLOCK_BULLET,
        KS_STR(
            "NCCL's ring is far below what the links carry: it goes through host memory, or NCCL's "
            "search fell back. NCCL_DEBUG=INFO says \"via SHM\" or \"via P2P\"; with P2P allowed, "
            "NCCL_P2P_LEVEL=SYS is what to try."));
}

static void say_kernels(writer *w, ks_section *section)
{
    for (int form = KS_N_RING_FORMS; form < KS_N_FORMS; form++)
        if (ks_kernel_finding(w->c, (enum ks_form)form) == KS_FINDING_COLLAPSE)
            ks_add_text(
                w->report, section, KS_BLOCK_BULLET,
                ks_format(
                    w->c->arena,
                    "the %s moves so little that peer memory is staged through the "
                    "host, or posted writes collapse in a switch: see p2pBandwidthLatencyTest, and "
                    "set `regime: sysmem-staged` or `regime: write-collapse` in the machine file.",
                    ks_form_title((enum ks_form)form)));
}

static const char *const p2p_titles[] = {[KS_P2P_CONNECTIVITY] = "peer access",
                                         [KS_P2P_ONE_WAY] = "one way",
                                         [KS_P2P_BOTH_WAYS] = "both ways",
                                         [KS_P2P_LATENCY] = "latency"};

static void say_matrices(writer *w, ks_section *section)
{
    for (size_t i = 0; i < w->c->matrices.n; i++) {
        const ks_p2p_matrix *m = &w->c->matrices.items[i];
        double median = ks_p2p_median(w->c->arena, m);
        if (m->kind == KS_P2P_CONNECTIVITY && median <= 0)
            ks_add_text(
                w->report, section, KS_BLOCK_BULLET,
                KS_STR("the driver refuses peer access between most pairs: what is measured "
                       "with it on goes through host memory all the same (`p2p: false`)."));
        if (isnan(median) || m->kind == KS_P2P_CONNECTIVITY)
            continue;
        ks_str name = ks_format(w->c->arena, "p2p.%zu", i);
        ks_add_block(
            w->report, section, KS_BLOCK_BULLET,
            ks_to_c(w->c->arena,
                    ks_format(w->c->arena, "pairs of GPUs, %s, peer access %s: {} (median)",
                              p2p_titles[m->kind], m->enabled ? "on" : "off")),
            number(w, name, m->kind == KS_P2P_LATENCY ? seconds : rate, median, "measured"));
    }
}

/* Peer access that brings nothing: the driver stages it through the host. */
static void say_staged(writer *w, ks_section *section)
{
    double value[2] = {(double)NAN, (double)NAN};
    for (size_t i = 0; i < w->c->matrices.n; i++) {
        const ks_p2p_matrix *m = &w->c->matrices.items[i];
        if (m->kind == KS_P2P_LATENCY && isnan(value[m->enabled]))
            value[m->enabled] = ks_p2p_median(w->c->arena, m);
    }
    if (value[1] > 0.7 * value[0])
        ks_add_text(w->report, section, KS_BLOCK_BULLET,
                    KS_STR("peer access does not shorten the latency: the driver stages it through "
                           "host memory, "
                           "and kernels that read their peers' memory are slow here (`regime: "
                           "sysmem-staged`)."));
}

static void say_next(writer *w, ks_section *section)
{
    const ks_calibration *c = w->c;
    if (c->series.n && !c->forced)
        ks_add_text(
            w->report, section, KS_BLOCK_BULLET,
            KS_STR(
                "which times are LL and which Simple was found by where the times bend: runs with "
                "NCCL_PROTO=LL and NCCL_PROTO=Simple, both with NCCL_ALGO=Ring, tell for sure."));
    if (c->series.n && c->n_ranks == 1)
        ks_add_text(w->report, section, KS_BLOCK_BULLET,
                    KS_STR("one number of ranks was measured: another one tells the fixed part of "
                           "a time from the "
                           "part of each step, which other numbers of ranks need."));
}

static void add_findings(writer *w)
{
    ks_section *section = ks_add_section(w->report, "what this says");
    say_matrices(w, section);
    say_staged(w, section);
    say_ring(w, section);
    say_kernels(w, section);
    say_next(w, section);
}

static ks_str headline_of(const ks_calibration *c)
{
    ks_builder b = {.arena = c->arena};
    if (c->runs.n)
        ks_addf(&b, "%zu run%s of all-reduces", c->runs.n, c->runs.n == 1 ? "" : "s");
    if (c->matrices.n)
        ks_addf(&b, "%s%zu matri%s of pairs", b.n ? ", " : "", c->matrices.n,
                c->matrices.n == 1 ? "x" : "ces");
    return ks_built(&b);
}

ks_report *ks_report_calibration(const ks_calibration *c)
{
    ks_program *program = ks_program_new(c->diags, 1);
    if (!ks_link(program))
        return NULL;
    writer w = {c, ks_report_new(program, ks_plan_new(program, NULL, 0, 1), 0)};
    w.report->machine = c->machine.name;
    w.report->subtitle = ks_format(c->arena, "All-reduces on %.*s, calibrated",
                                   KS_ARG(c->machine.name));
    w.report->headline = headline_of(c);
    add_series(&w);
    add_parameters(&w);
    add_fits(&w);
    add_findings(&w);
    return w.report;
}
