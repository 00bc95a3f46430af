#include "calibrate/forms.h"

#include "calibrate/file.h"

#include <math.h>

/* A series is split where that leaves less than this share of what one segment leaves, and where one
 * segment leaves more than the second number per point: else noise would be split. */
static const double split_gain = 0.7, split_least = 0.02;
/* NCCL's own picks are taken where they leave no more than so much of what the best split leaves. */
static const double pick_loss = 1.3;
/* What a point off by more than this adds to a split's cost: so much and no more. */
static const double most_cost = 0.5;
/* NCCL takes Simple for sizes from here on, whatever the machine. */
static const double surely_simple = 4 << 20;
enum { SPLIT_SIDE = 4, MOST_SPLITS = 64 };

/* ---- Forms. ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *prefix, *title;
    size_t n_terms;
    const char *terms[KS_FIT_TERMS];
    double wire; /* rings: bytes on the wire for one of the message */
} forms[KS_N_FORMS] = {
    [KS_FORM_RING_LL] = {"ring.ll", "NCCL ring, LL", 3, {"base", "alpha", "bandwidth"}, 2},
    [KS_FORM_RING_LL128] =
        {"ring.ll128", "NCCL ring, LL128", 3, {"base", "alpha", "bandwidth"}, 128.0 / 120},
    [KS_FORM_RING_SIMPLE] =
        {"ring.simple", "NCCL ring, Simple", 3, {"base", "alpha", "bandwidth"}, 1},
    [KS_FORM_ONE_STAGE] = {"one_stage", "kernel of 1 stage", 2, {"t0", "bandwidth"}, 1},
    [KS_FORM_TWO_STAGE] = {"two_stage", "kernel of 2 stages", 2, {"t0", "bandwidth"}, 1},
    [KS_FORM_DMA] = {"dma", "copy-engine ring", 2, {"t0", "bandwidth"}, 1},
};

const char *ks_form_prefix(enum ks_form form)
{
    return forms[form].prefix;
}

const char *ks_form_title(enum ks_form form)
{
    return forms[form].title;
}

size_t ks_form_terms(enum ks_form form)
{
    return forms[form].n_terms;
}

const char *ks_form_term_name(enum ks_form form, size_t term)
{
    return forms[form].terms[term];
}

void ks_form_fill(enum ks_form form, int64_t ranks, double bytes, double *x)
{
    double n = (double)ranks, steps = 2 * (n - 1);
    x[0] = 1;
    if (form < (enum ks_form)KS_N_RING_FORMS) {
        x[1] = steps;
        x[2] = steps * forms[form].wire * bytes / n;
    } else {
        x[1] = form == KS_FORM_ONE_STAGE ? (n - 1) * bytes : steps * bytes / n;
    }
}

void ks_add_fit_point(ks_calibration *c, enum ks_form form, int64_t ranks, double bytes,
                      double time)
{
    ks_fit_point *point = KS_PUSH(c->arena, &c->forms[form]);
    ks_form_fill(form, ranks, bytes, point->x);
    point->time = time;
    point->bytes = bytes;
    point->ranks = ranks;
}

/* A bandwidth of so many times its default is none that these links have: times that hardly rise with the
 * size say nothing of it. Peers' memory in place of host memory is worth a factor of 2. */
static const double most_of_default = 3;

static void start_terms(ks_fitted *f)
{
    for (size_t j = 0; j < f->fit.n_terms; j++)
        f->fit.terms[j] = (ks_fit_parameter){.value = f->defaults[j],
                                             .low = f->defaults[j],
                                             .high = f->defaults[j],
                                             .fixed = j == 0 && f->fit.n_terms == 3 &&
                                                      !f->base_free};
}

/* Fits a form's own points from its defaults on. */
static void fit_form(ks_calibration *c, enum ks_form form)
{
    ks_fitted *f = &c->forms[form];
    bool several = false;
    for (size_t i = 1; i < f->n; i++)
        several |= f->items[i].ranks != f->items[0].ranks;
    f->fit.n_terms = forms[form].n_terms;
    f->base_free = several;
    size_t last = f->fit.n_terms - 1;
    f->too_fast = false;
    start_terms(f);
    if (f->n)
        ks_fit_terms(c->arena, &f->fit, f->items, f->n);
    if (!f->has_defaults || !f->fit.terms[last].identifiable ||
        f->fit.terms[last].value * most_of_default > f->defaults[last])
        return;
    f->too_fast = true;
    start_terms(f);
    f->fit.terms[last].fixed = true;
    ks_fit_terms(c->arena, &f->fit, f->items, f->n);
}

/* ---- Rings. ------------------------------------------------------------------------------------------------ */

static double form_time(const ks_calibration *c, enum ks_form form, int64_t ranks, double bytes)
{
    double x[KS_FIT_TERMS] = {0};
    ks_form_fill(form, ranks, bytes, x);
    return ks_fit_model(&c->forms[form].fit, x, NULL);
}

/* What remains of a series' ring points if they are of these forms, each fitted to its own alone. */
static double cost_of(const ks_calibration *c, const ks_nccl_series *s, const int *as)
{
    ks_calibration own = *c;
    double cost = 0;
    for (int form = 0; form < KS_N_RING_FORMS; form++) {
        own.forms[form].n = own.forms[form].capacity = 0;
        for (size_t i = 0; i < s->n; i++)
            if (as[i] == form)
                ks_add_fit_point(&own, (enum ks_form)form, s->ranks, s->points[i].bytes,
                                 s->points[i].time);
        fit_form(&own, (enum ks_form)form);
    }
    for (size_t i = 0; i < s->n; i++)
        if (as[i] >= 0)
            cost += fmin(most_cost, fabs(log(form_time(&own, (enum ks_form)as[i], s->ranks,
                                                       s->points[i].bytes) /
                                             s->points[i].time)));
    return cost;
}

/* The form of what NCCL picks for a size, by its own tuning; -1: no ring. */
static int picked_form(ks_ring_model *model, double bytes)
{
    ks_str pick = ks_model_pick(model, bytes), protocol = {NULL, 0};
    if (ks_starts_with(pick, KS_STR("nccl-ring-")))
        protocol = ks_slice(pick, 10, pick.n);
    for (int form = 0; form < KS_N_RING_FORMS && protocol.n; form++)
        if (ks_equal(protocol, ks_slice(ks_from_c(ks_form_prefix((enum ks_form)form)), 5, 32)))
            return form;
    return -1;
}

/* The protocol of a series that one form describes. Any fits; the floor tells. */
static bool is_ll(const ks_calibration *c, const ks_nccl_series *s)
{
    double ll = form_time(c, KS_FORM_RING_LL, s->ranks, 0), floor = s->points[0].time;
    double simple = form_time(c, KS_FORM_RING_SIMPLE, s->ranks, 0);
    return s->points[s->n - 1].bytes < surely_simple && floor < sqrt(ll * simple);
}

/* LL before `split`, Simple from it on, where NCCL takes a ring. */
static int *split_at(ks_calibration *c, const ks_nccl_series *s, const int *picked, size_t split)
{
    int *as = KS_NEW_ARRAY(c->arena, int, s->n + 1);
    for (size_t i = 0; i < s->n; i++)
        as[i] = picked[i] < 0 ? -1 : i < split ? KS_FORM_RING_LL : KS_FORM_RING_SIMPLE;
    return as;
}

/* What each point is taken for: NCCL's own picks, where they describe the times as well as the best
 * split does. */
static void find_forms(ks_calibration *c, ks_nccl_series *s, ks_ring_model *model)
{
    size_t tries = s->n >= 2 * SPLIT_SIDE ? s->n - 2 * SPLIT_SIDE + 1 : 0;
    size_t step = tries / MOST_SPLITS + 1;
    int *picked = KS_NEW_ARRAY(c->arena, int, s->n + 1);
    for (size_t i = 0; i < s->n; i++)
        picked[i] = picked_form(model, s->points[i].bytes);
    s->forms = split_at(c, s, picked, is_ll(c, s) ? s->n : 0);
    double best = cost_of(c, s, s->forms);
    for (size_t i = 0; i < tries && best >= split_least * (double)s->n; i += step) {
        int *as = split_at(c, s, picked, SPLIT_SIDE + i);
        double cost = cost_of(c, s, as);
        if (cost < best * (s->forms[0] == s->forms[s->n - 1] ? split_gain : 1)) {
            best = cost;
            s->forms = as;
        }
    }
    if (cost_of(c, s, picked) <= pick_loss * best)
        s->forms = picked;
}

/* One link carries both protocols: where only one tells its bandwidth, the other has the same. */
static void share_bandwidth(ks_calibration *c)
{
    ks_fitted *ll = &c->forms[KS_FORM_RING_LL], *simple = &c->forms[KS_FORM_RING_SIMPLE];
    bool told[2] = {ll->fit.terms[2].identifiable, simple->fit.terms[2].identifiable};
    if (told[0] == told[1])
        return;
    ks_fitted *from = told[0] ? ll : simple, *to = told[0] ? simple : ll;
    to->borrowed = true;
    double own = to->defaults[2];
    to->defaults[2] = from->fit.terms[2].value;
    fit_form(c, to == ll ? KS_FORM_RING_LL : KS_FORM_RING_SIMPLE);
    to->defaults[2] = own;
    to->borrowed = !to->fit.terms[2].identifiable;
}

/* The series' files are the form's too; NULL is no series. */
static void add_files(ks_calibration *c, ks_fitted *f, const ks_nccl_series *s)
{
    for (size_t i = 0; s && i < s->files.n; i++) {
        bool known = false;
        for (size_t k = 0; k < f->files.n; k++)
            known |= ks_equal(f->files.items[k], s->files.items[i]);
        if (!known)
            *KS_PUSH(c->arena, &f->files) = s->files.items[i];
    }
}

/* The rings' fits; then each series has the model with what they found. */
static bool fit_rings(ks_calibration *c)
{
    for (size_t i = 0; i < KS_N_RING_FORMS; i++)
        fit_form(c, (enum ks_form)i);
    for (size_t i = 0; i < c->series.n; i++) {
        ks_nccl_series *s = &c->series.items[i];
        ks_ring_model *model = ks_ring_model_of(c->catalog, &c->machine, s->ranks, NULL);
        if (!model)
            return false;
        find_forms(c, s, model);
        for (size_t k = 0; k < s->n; k++) {
            if (s->forms[k] < 0)
                continue;
            ks_add_fit_point(c, (enum ks_form)s->forms[k], s->ranks, s->points[k].bytes,
                             s->points[k].time);
            add_files(c, &c->forms[s->forms[k]], s);
        }
    }
    for (size_t i = 0; i < KS_N_RING_FORMS; i++)
        fit_form(c, (enum ks_form)i);
    share_bandwidth(c);
    const ks_doc *fitted = ks_fitted_constants(c);
    for (size_t i = 0; i < c->series.n && fitted; i++) {
        ks_nccl_series *s = &c->series.items[i];
        s->model = ks_ring_model_of(c->catalog, &c->machine, s->ranks, fitted);
        if (!s->model)
            return false;
    }
    return fitted != NULL;
}

/* ---- Curves. ----------------------------------------------------------------------------------------------- */

static double model_time(const void *context, double bytes)
{
    return ks_model_nccl((ks_ring_model *)(uintptr_t)context, bytes);
}

static void make_curve(ks_calibration *c, ks_nccl_series *s)
{
    s->curve = ks_curve_of(c->arena, s->points, s->n, model_time, s->model);
    s->scatter = ks_curve_scatter(c->arena, s->points, s->n, model_time, s->model);
}

/* Points [first], [first + 2] ... of a series. */
static ks_curve_point *every_other(ks_arena *arena, const ks_nccl_series *s, size_t first,
                                   size_t *n)
{
    ks_curve_point *some = KS_NEW_ARRAY(arena, ks_curve_point, s->n + 1);
    *n = 0;
    for (size_t i = first; i < s->n; i += 2)
        some[(*n)++] = s->points[i];
    return some;
}

static void hold_out(const ks_calibration *half, ks_nccl_series *whole,
                     const ks_nccl_series *fitted)
{
    ks_held_out *h = &whole->held_out;
    size_t n;
    const ks_curve_point *held = every_other(half->arena, whole, 1, &n);
    double *errors = KS_NEW_ARRAY(half->arena, double, n + 1);
    for (size_t i = 0; i < n; i++) {
        double off = log(ks_curve_time(&fitted->curve, held[i].bytes) / held[i].time);
        errors[i] = fabs(expm1(off));
        h->inside += fabs(off) <= log1p(fitted->scatter);
        if (errors[i] >= h->worst) {
            h->worst = errors[i];
            h->worst_bytes = held[i].bytes;
        }
    }
    h->n = n;
    h->median = n ? ks_median(errors, n) : 0;
}

/* Does it all again with half the sizes, and predicts the others. */
static bool predict_other_half(ks_calibration *c, const ks_calibration *forced_only)
{
    ks_calibration half = *forced_only;
    for (size_t i = 0; i < KS_N_FORMS; i++)
        half.forms[i].capacity = half.forms[i].n; /* what is added goes elsewhere than c's */
    half.series.items = KS_NEW_ARRAY(c->arena, ks_nccl_series, c->series.n + 1);
    half.series.n = half.series.capacity = c->series.n;
    for (size_t i = 0; i < c->series.n; i++) {
        ks_nccl_series *s = &half.series.items[i];
        s->ranks = c->series.items[i].ranks;
        s->points = every_other(c->arena, &c->series.items[i], 0, &s->n);
    }
    if (!fit_rings(&half))
        return false;
    for (size_t i = 0; i < c->series.n; i++) {
        make_curve(&half, &half.series.items[i]);
        if (half.series.items[i].n > 1)
            hold_out(&half, &c->series.items[i], &half.series.items[i]);
    }
    return true;
}

bool ks_fit_nccl(ks_calibration *c)
{
    ks_calibration forced_only = *c;
    if (!fit_rings(c))
        return false;
    for (size_t i = 0; i < c->series.n; i++) {
        ks_nccl_series *s = &c->series.items[i];
        make_curve(c, s);
        s->table = ks_curve_table(c->arena, &s->curve, &s->n_rows);
    }
    return predict_other_half(c, &forced_only);
}

/* ---- Kernels. ----------------------------------------------------------------------------------------------- */

/* How far a form is from its own points: nine of ten are not further, and never less than so few points
 * can promise. */
static double half_width_of(ks_calibration *c, enum ks_form form)
{
    const ks_fitted *f = &c->forms[form];
    double *off = KS_NEW_ARRAY(c->arena, double, f->n + 1);
    for (size_t i = 0; i < f->n; i++)
        off[i] = fabs(log(ks_fit_model(&f->fit, f->items[i].x, NULL) / f->items[i].time));
    return fmax(ks_least_scatter(f->n), ks_quantile(off, f->n, 0.9));
}

/* Where the parameters begin that have no default: from the fastest and the largest point. */
static void guess_defaults(ks_fitted *f)
{
    size_t largest = 0;
    f->defaults[0] = f->items[0].time;
    for (size_t i = 0; i < f->n; i++) {
        f->defaults[0] = fmin(f->defaults[0], f->items[i].time);
        if (f->items[i].bytes > f->items[largest].bytes)
            largest = i;
    }
    f->defaults[1] = f->items[largest].time / f->items[largest].x[1];
}

void ks_fit_kernels(ks_calibration *c)
{
    for (int form = 0; form < KS_N_FORMS; form++) {
        ks_fitted *f = &c->forms[form];
        if (f->n == 0)
            continue;
        if (form >= KS_N_RING_FORMS) {
            if (!f->has_defaults)
                guess_defaults(f);
            fit_form(c, (enum ks_form)form);
        }
        f->half_width = half_width_of(c, (enum ks_form)form);
    }
}
