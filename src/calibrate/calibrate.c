#include "calibrate/calibrate.h"

#include "calibrate/forms.h"
#include "model/facts.h"
#include "read/file.h"
#include "read/nccltests.h"
#include "read/schema.h"
#include "read/yaml.h"

#include <math.h>

enum { FEWEST_SIZES = 3, MOST_FILES = 64 };

/* A bandwidth so many times off its default is worth a word: beyond what host memory in place of
 * peers' memory costs, which is a factor of 2 to 3. */
static const double far_off = 5;

/* A floor above this with up to eight ranks is no healthy launch from a CUDA graph; "flat": sizes up to
 * eight times the smallest take as long, within so much. */
static const double high_floor = 35e-6, flat_within = 1.15, flat_up_to = 8;
enum { HIGH_FLOOR_RANKS = 8 };
/* Ring bandwidths on PCIe of generation 5; half of it for each generation before. */
static const double shared_memory_below = 15e9, collapse_below = 3e9;
enum { REGIME_GENERATION = 5 };

/* ---- The machine. ----------------------------------------------------------------------------------------- */

static bool is_path(ks_str name)
{
    return ks_find_byte(name, '/', 0) < name.n || ks_ends_with(name, KS_STR(".yaml")) ||
           ks_ends_with(name, KS_STR(".yml"));
}

static ks_doc *scalar_of(ks_arena *arena, const char *name, ks_str text)
{
    ks_doc *doc = KS_NEW(arena, ks_doc);
    ks_str copy = ks_copy(arena, text);
    *doc = (ks_doc){.kind = KS_SCALAR,
                    .text = copy,
                    .exact = true,
                    .span = {ks_source_new(arena, ks_from_c(name), copy), 0, (uint32_t)copy.n}};
    return doc;
}

static bool read_machine(ks_calibration *c, const ks_catalog *catalog, ks_str asked)
{
    const ks_doc *doc = scalar_of(c->arena, "MACHINE", asked);
    c->machine_as_asked = doc->text;
    if (is_path(asked)) {
        const ks_source *source = ks_read_file(c->diags, asked, KS_MAX_FILE, (ks_span){0}, true);
        ks_doc *file = source ? ks_read_yaml(c->diags, source) : NULL;
        if (!file || !ks_check_format(c->diags, file) ||
            !ks_expect(c->diags, file, KS_MAP, "a machine file"))
            return false;
        if (file->span.source->text.s[file->span.at] == '{') {
            ks_error(c->diags, KS_S003, file->span, "a machine file in braces cannot be continued");
            ks_add_note(c->diags, (ks_span){0}, "write one key a line");
            return false;
        }
        c->machine_doc = doc = file;
    } else if (ks_find_byte(asked, ':', 0) == asked.n) {
        c->machine_doc = ks_catalog_find(catalog, "machine", asked, doc->span);
    }
    const ks_doc *name = c->machine_doc ? ks_member_of(c->machine_doc, "machine") : NULL;
    if (!ks_read_machine(catalog, doc, &c->machine))
        return false;
    c->machine.name = name && name->kind == KS_SCALAR ? name->text : c->machine.name;
    return true;
}

/* The number of a GPU's fact that is written as a number; 0 if there is none. */
static int64_t fact_of(const ks_machine *machine, const char *name)
{
    int64_t value;
    const ks_doc *fact = ks_member_of(ks_member_of(machine->gpu, "facts"), name);
    const ks_doc *text = ks_member_of(fact, "value");
    return text && text->kind == KS_SCALAR && ks_read_count(text->text, &value) ? value : 0;
}

/* ---- Defaults. -------------------------------------------------------------------------------------------- */

/* Where a ring's fit begins, and what stays of what the measurements do not tell: the model's own for
 * this machine, with the most ranks that were measured. */
static bool read_defaults(ks_calibration *c)
{
    int64_t most = c->n_ranks ? c->ranks[c->n_ranks - 1] : 2;
    if (c->machine.count == 0)
        ks_set_gpu_count(c->arena, &c->machine, most);
    if (most > c->machine.count) {
        ks_error(c->diags, KS_B003, c->runs.items[0].at,
                 "%lld ranks ran, but this machine has %lld GPU%s", (long long)most,
                 (long long)c->machine.count, c->machine.count == 1 ? "" : "s");
        return false;
    }
    c->base = ks_ring_model_of(c->catalog, &c->machine, most, NULL);
    for (int form = 0; form < KS_N_RING_FORMS && c->base; form++) {
        ks_fitted *f = &c->forms[form];
        f->has_defaults = true;
        for (size_t j = 0; j < ks_form_terms((enum ks_form)form); j++) {
            ks_str name = ks_format(c->arena, "%s.%s", ks_form_prefix((enum ks_form)form),
                                    ks_form_term_name((enum ks_form)form, j));
            double value = ks_model_value(c->base, ks_to_c(c->arena, name), 1);
            f->defaults[j] = j == 2 ? 1 / value : value;
        }
    }
    return c->base != NULL;
}

/* ---- Files. ------------------------------------------------------------------------------------------------ */

static bool read_file(ks_calibration *c, ks_str path, int64_t ranks)
{
    const ks_source *source = ks_read_file(c->diags, path, KS_MAX_BENCHMARK, (ks_span){0}, true);
    if (!source)
        return false;
    if (ks_is_nccltests(source))
        return ks_read_nccltests(c->diags, source, ranks, &c->runs);
    if (ks_is_p2p(source))
        return ks_read_p2p(c->diags, source, &c->matrices);
    return ks_read_benchcsv(c->diags, source, ranks, &c->runs);
}

/* Which form an algorithm's times are of: NCCL's by its protocol. */
static const struct {
    const char *name;
    enum ks_protocol protocol;
    bool is_nccl;
    enum ks_form form;
    /* Kernels: the model's names for the parameters, and what it adds to the first by itself. */
    const char *t0, *less, *rate;
} algorithms[] = {
    {"nccl", KS_PROTOCOL_ANY, true, KS_FORM_RING_LL, NULL, NULL, NULL},
    {"nccl-ring-ll", KS_PROTOCOL_LL, true, KS_FORM_RING_LL, NULL, NULL, NULL},
    {"nccl-ring-ll128", KS_PROTOCOL_LL128, true, KS_FORM_RING_LL128, NULL, NULL, NULL},
    {"nccl-ring-simple", KS_PROTOCOL_SIMPLE, true, KS_FORM_RING_SIMPLE, NULL, NULL, NULL},
    {"custom-1stage", KS_PROTOCOL_ANY, false, KS_FORM_ONE_STAGE, "one_stage.t0",
     "one_stage_barrier", "one_stage.bandwidth"},
    {"push-1stage", KS_PROTOCOL_ANY, false, KS_FORM_ONE_STAGE, "push.t0", NULL,
     "one_stage.bandwidth"},
    {"b12x-1stage", KS_PROTOCOL_ANY, false, KS_FORM_ONE_STAGE, "one_stage.t0", NULL,
     "one_stage.bandwidth"},
    {"custom-2stage", KS_PROTOCOL_ANY, false, KS_FORM_TWO_STAGE, "two_stage.t0", NULL,
     "two_stage.bandwidth"},
    {"push-2stage", KS_PROTOCOL_ANY, false, KS_FORM_TWO_STAGE, "push.t0", "push_extra",
     "two_stage.bandwidth"},
    {"dma-ring", KS_PROTOCOL_ANY, false, KS_FORM_DMA, "dma.t0", NULL, "dma.bandwidth"},
};

/* The row of an algorithm, or -1 after an error. */
static int find_algorithm(ks_calibration *c, ks_str name, ks_span at)
{
    ks_str names[KS_COUNT(algorithms)];
    for (size_t i = 0; i < KS_COUNT(algorithms); i++) {
        names[i] = ks_from_c(algorithms[i].name);
        if (ks_equal(names[i], name))
            return (int)i;
    }
    if (name.n == 0) {
        ks_error(c->diags, KS_B005, at, "the table does not tell which algorithm was measured");
        ks_add_note(c->diags, (ks_span){0}, "say --algorithm NAME, or add a column algorithm");
        return -1;
    }
    ks_error(c->diags, KS_B005, at, "nothing can be fitted to \"%.*s\"", KS_ARG(name));
    ks_suggest(c->diags, name, names, KS_COUNT(names));
    ks_add_note(c->diags, (ks_span){0},
                "known are nccl, nccl-ring-ll, nccl-ring-ll128, nccl-ring-simple, "
                "custom-1stage, push-1stage, b12x-1stage, custom-2stage, push-2stage and dma-ring");
    return -1;
}

static void note_file(ks_arena *arena, ks_names *names, const ks_run *run)
{
    ks_str name = run->at.source->name;
    for (size_t i = 0; i < names->n; i++)
        if (ks_equal(names->items[i], name))
            return;
    *KS_PUSH(arena, names) = name;
}

static ks_nccl_series *series_of(ks_calibration *c, int64_t ranks, ks_span at)
{
    for (size_t i = 0; i < c->series.n; i++)
        if (c->series.items[i].ranks == ranks)
            return &c->series.items[i];
    ks_nccl_series *s = KS_PUSH(c->arena, &c->series);
    *s = (ks_nccl_series){.ranks = ranks, .at = at};
    return s;
}

/* A run of NCCL's free choice joins the series of its number of ranks. */
static void add_to_series(ks_calibration *c, const ks_run *run)
{
    ks_nccl_series *s = series_of(c, run->ranks, run->at);
    ks_curve_point *points = KS_NEW_ARRAY(c->arena, ks_curve_point, s->n + run->timings.n + 1);
    for (size_t i = 0; i < s->n; i++)
        points[i] = s->points[i];
    for (size_t i = 0; i < run->timings.n; i++)
        points[s->n++] = (ks_curve_point){(double)run->timings.items[i].bytes,
                                          run->timings.items[i].time};
    s->points = points;
    note_file(c->arena, &s->files, run);
    s->in_graph |= run->in_graph;
}

static void add_to_form(ks_calibration *c, const ks_run *run, enum ks_form form)
{
    ks_curve_point *points = KS_NEW_ARRAY(c->arena, ks_curve_point, run->timings.n + 1);
    for (size_t i = 0; i < run->timings.n; i++)
        points[i] = (ks_curve_point){(double)run->timings.items[i].bytes,
                                     run->timings.items[i].time};
    size_t n = ks_join_points(c->arena, points, run->timings.n);
    note_file(c->arena, &c->forms[form].files, run);
    for (size_t i = 0; i < n; i++)
        ks_add_fit_point(c, form, run->ranks, points[i].bytes, points[i].time);
}

static bool note_ranks(ks_calibration *c, const ks_run *run)
{
    size_t at = 0;
    while (at < c->n_ranks && c->ranks[at] < run->ranks)
        at++;
    if (at < c->n_ranks && c->ranks[at] == run->ranks)
        return true;
    if (c->n_ranks == KS_MOST_RANK_COUNTS) {
        ks_error(c->diags, KS_B001, run->at, "more than %d numbers of ranks", KS_MOST_RANK_COUNTS);
        return false;
    }
    for (size_t i = c->n_ranks++; i > at; i--)
        c->ranks[i] = c->ranks[i - 1];
    c->ranks[at] = run->ranks;
    return true;
}

static void warn_of_launches(ks_calibration *c, const ks_run *run)
{
    if (!run->eager)
        return;
    ks_warning(c->diags, KS_B006, run->at, "the run was launched call by call (\"graph: 0\")");
    ks_add_note(c->diags, (ks_span){0},
                "its small messages hold up to 40 us of launching, which engines that replay CUDA "
                "graphs do not pay; they are fitted as they are. Measure with -G 20");
}

static bool sort_run(ks_calibration *c, ks_run *run, ks_str asked)
{
    ks_str name = asked.n && (run->algorithm.n == 0 || ks_equal_c(run->algorithm, "nccl"))
                      ? asked
                      : run->algorithm;
    int row = find_algorithm(c, name, run->at);
    if (row < 0 || !note_ranks(c, run))
        return false;
    note_file(c->arena, &c->measured, run);
    warn_of_launches(c, run);
    enum ks_form form = algorithms[row].form;
    enum ks_protocol protocol = algorithms[row].protocol ? algorithms[row].protocol : run->protocol;
    if (algorithms[row].is_nccl && run->tree) {
        ks_warning(c->diags, KS_B007, run->at,
                   "a run with NCCL_ALGO=Tree is left out: only rings are fitted");
        return true;
    }
    if (algorithms[row].is_nccl && protocol == KS_PROTOCOL_ANY) {
        add_to_series(c, run);
        return true;
    }
    c->forced |= algorithms[row].is_nccl;
    if (algorithms[row].is_nccl)
        form = protocol == KS_PROTOCOL_LL      ? KS_FORM_RING_LL
               : protocol == KS_PROTOCOL_LL128 ? KS_FORM_RING_LL128
                                               : KS_FORM_RING_SIMPLE;
    ks_fitted *f = &c->forms[form];
    if (f->n && !ks_equal(f->algorithm, name) && !algorithms[row].is_nccl) {
        ks_error(c->diags, KS_B005, run->at,
                 "%.*s and %.*s have the same parameters: calibrate one of them",
                 KS_ARG(f->algorithm), KS_ARG(name));
        return false;
    }
    f->algorithm = name;
    f->t0 = algorithms[row].t0;
    f->less = algorithms[row].less;
    f->rate = algorithms[row].rate;
    add_to_form(c, run, form);
    return true;
}

/* ---- What the series say of themselves. ------------------------------------------------------------------ */

static void judge_floor(ks_calibration *c, ks_nccl_series *s)
{
    double first = s->points[0].time, last_flat = 0;
    for (size_t i = 1; i < s->n && s->points[i].bytes <= flat_up_to * s->points[0].bytes; i++)
        last_flat = s->points[i].time;
    s->is_flat = s->ranks <= HIGH_FLOOR_RANKS && first > high_floor && last_flat > 0 &&
                 last_flat < flat_within * first;
    if (!s->is_flat)
        return;
    ks_warning(c->diags, KS_B006, s->at, "small messages take %.1f us, whatever their size",
               first * 1e6);
    ks_add_note(
        c->diags, (ks_span){0}, "%s",
        s->in_graph
            ? "the run used CUDA graphs, so this is no cost of launching: peer memory is "
              "staged through the host, or NCCL's search fell back to Simple"
            : "launched one by one (engines replay CUDA graphs), staged through the host, or "
              "NCCL's search fell back to Simple");
    ks_add_note(c->diags, (ks_span){0},
                "measure with CUDA graphs: all_reduce_perf -b 1K -e 64M -f 2 -n 200 "
                "-w 50 -G 20");
}

static bool finish_series(ks_calibration *c, ks_nccl_series *s)
{
    s->n = ks_join_points(c->arena, s->points, s->n);
    if (s->n < FEWEST_SIZES || s->n > KS_MOST_SIZES) {
        ks_error(c->diags, KS_B004, s->at, "%zu sizes with %lld ranks: %d to %d can be fitted",
                 s->n, (long long)s->ranks, FEWEST_SIZES, KS_MOST_SIZES);
        ks_add_note(c->diags, (ks_span){0},
                    "recommended: all_reduce_perf -b 1K -e 64M -f 2 -n 200 -w 50 -G 20");
        return false;
    }
    judge_floor(c, s);
    return true;
}

static bool check_forms(ks_calibration *c)
{
    for (int form = 0; form < KS_N_FORMS; form++) {
        const ks_fitted *f = &c->forms[form];
        if (f->n == 0 ||
            (f->n >= FEWEST_SIZES && f->n <= (size_t)KS_MOST_SIZES * KS_MOST_RANK_COUNTS))
            continue;
        ks_error(c->diags, KS_B004, (ks_span){0}, "%zu times of the %s: at least %d can be fitted",
                 f->n, ks_form_title((enum ks_form)form), FEWEST_SIZES);
        return false;
    }
    return true;
}

static bool read_all(ks_calibration *c, const ks_calibrate_ask *ask)
{
    if (ask->n_files == 0 || ask->n_files > MOST_FILES) {
        ks_error(c->diags, KS_C001, (ks_span){0}, "calibrate takes 1 to %d files of measurements",
                 MOST_FILES);
        return false;
    }
    int64_t ranks = 0;
    if (ask->ranks.n && !ks_read_whole(c->diags, scalar_of(c->arena, "--ranks", ask->ranks), 2,
                                       KS_MAX_RANKS, &ranks))
        return false;
    for (size_t i = 0; i < ask->n_files; i++)
        if (!read_file(c, ask->files[i], ranks))
            return false;
    for (size_t i = 0; i < c->runs.n; i++)
        if (!sort_run(c, &c->runs.items[i], ask->algorithm))
            return false;
    for (size_t i = 0; i < c->series.n; i++)
        if (!finish_series(c, &c->series.items[i]))
            return false;
    return check_forms(c);
}

/* ---- Findings. --------------------------------------------------------------------------------------------- */

static double generation_scale(const ks_calibration *c)
{
    return exp2((double)(c->generation ? c->generation : REGIME_GENERATION) - REGIME_GENERATION);
}

enum ks_finding ks_ring_finding(const ks_calibration *c)
{
    static const enum ks_form order[] = {KS_FORM_RING_SIMPLE, KS_FORM_RING_LL, KS_FORM_RING_LL128};
    for (size_t i = 0; i < KS_COUNT(order); i++) {
        const ks_fit_parameter *bandwidth = &c->forms[order[i]].fit.terms[2];
        if (c->forms[order[i]].n == 0 || !bandwidth->identifiable)
            continue;
        return 1 / bandwidth->value < shared_memory_below * generation_scale(c)
                   ? KS_FINDING_SHARED_MEMORY
                   : KS_FINDING_NONE;
    }
    return KS_FINDING_NONE;
}

enum ks_finding ks_kernel_finding(const ks_calibration *c, enum ks_form form)
{
    const ks_fitted *f = &c->forms[form];
    if (form < (enum ks_form)KS_N_RING_FORMS || f->n == 0 || !f->fit.terms[1].identifiable)
        return KS_FINDING_NONE;
    return 1 / f->fit.terms[1].value < collapse_below * generation_scale(c) ? KS_FINDING_COLLAPSE
                                                                            : KS_FINDING_NONE;
}

/* Says so where a fitted bandwidth is far from what these links carry. */
static void compare_with_defaults(ks_calibration *c)
{
    for (int form = 0; form < KS_N_FORMS; form++) {
        const ks_fitted *f = &c->forms[form];
        size_t last = ks_form_terms((enum ks_form)form) - 1;
        if (f->n == 0 || !f->has_defaults || !f->fit.terms[last].identifiable)
            continue;
        double ratio = f->fit.terms[last].value / f->defaults[last]; /* both: seconds a byte */
        if (ratio < far_off && ratio > 1 / far_off)
            continue;
        ks_warning(c->diags, KS_B006, c->machine.at,
                   "%s: the measured bandwidth is %.1f times %s than these links' usual one",
                   ks_form_title((enum ks_form)form), ratio > 1 ? ratio : 1 / ratio,
                   ratio > 1 ? "less" : "more");
        ks_add_note(c->diags, (ks_span){0},
                    "was it measured on this machine? If so, its traffic goes another way than the "
                    "machine file says");
    }
}

ks_calibration *ks_calibrate(const ks_catalog *catalog, const ks_calibrate_ask *ask)
{
    ks_calibration *c = KS_NEW(catalog->diags->arena, ks_calibration);
    c->arena = catalog->diags->arena;
    c->diags = catalog->diags;
    c->catalog = catalog;
    if (!read_machine(c, catalog, ask->machine) || !read_all(c, ask) ||
        (c->n_ranks && !read_defaults(c)))
        return NULL;
    c->generation = fact_of(&c->machine, "pcie_generation");
    if (c->n_ranks && !ks_fit_nccl(c))
        return NULL;
    ks_fit_kernels(c);
    compare_with_defaults(c);
    return c;
}
