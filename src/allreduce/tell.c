#include "allreduce/tell.h"

#include "nccl/select.h"

#include <math.h>

static const ks_type seconds = {KS_REAL, {0, 1, 0}};
static const ks_type bytes = {KS_WHOLE, {1, 0, 0}};
static const ks_type plain = {KS_REAL, {0, 0, 0}};

static ks_str size_text(const ks_teller *t, int64_t n)
{
    if (n >= 1024 && n < 1048576 && n % 1024 == 0)
        return ks_format(t->arena, "%lld KiB", (long long)(n / 1024));
    return ks_show(t->arena, (double)n, KS_BYTE, true);
}

/* A time at one size, with its range, as a node on the program's definition. */
static int time_node(ks_teller *t, const ks_timing_point *p, ks_str what, int def,
                     const ks_timed *timed)
{
    ks_str name = ks_format(t->arena, "at.%lld.%.*s", (long long)p->bytes, KS_ARG(what));
    ks_str formula = ks_format(t->arena, "%.*s with %.*s", KS_ARG(t->report->nodes.items[def].name),
                               KS_ARG(size_text(t, p->bytes)));
    int node = ks_add_node(t->report, name, KS_DERIVED, seconds, (ks_cell){.f = timed->seconds},
                           formula, &def, 1);
    ks_node *n = &t->report->nodes.items[node];
    n->has_range = timed->low < timed->high;
    n->low = timed->low;
    n->high = timed->high;
    return node;
}

static void add_nodes(ks_teller *t)
{
    const ks_timing *timing = t->f->timing;
    const ks_allreduce *a = timing->allreduce;
    size_t n = a->algorithms.n;
    int estimate = ks_find_node(t->report, KS_STR("nccl.estimate"));
    t->times = KS_NEW_ARRAY(t->arena, int, timing->n *n + 1);
    t->nccl = KS_NEW_ARRAY(t->arena, int, timing->n + 1);
    t->chosen = KS_NEW_ARRAY(t->arena, int, timing->n + 1);
    t->sizes = KS_NEW_ARRAY(t->arena, int, timing->n + 1);
    t->estimates = KS_NEW_ARRAY(t->arena, int, timing->n + 1);
    for (size_t i = 0; i < timing->n; i++) {
        const ks_timing_point *p = &timing->points[i];
        ks_timed own = {
            .seconds = p->nccl_estimate, .low = p->nccl_estimate, .high = p->nccl_estimate};
        t->sizes[i] = ks_add_node(t->report, ks_format(t->arena, "at.%lld", (long long)p->bytes),
                                  KS_GIVEN, bytes, (ks_cell){.i = p->bytes}, (ks_str){NULL, 0},
                                  NULL, 0);
        t->nccl[i] = time_node(t, p, KS_STR("nccl"), a->nccl, &p->nccl);
        t->chosen[i] = time_node(t, p, KS_STR("chosen"), a->time, &p->chosen);
        t->estimates[i] = estimate < 0 ? -1 : time_node(t, p, KS_STR("estimate"), estimate, &own);
        for (size_t k = 0; k < n; k++) {
            const ks_timed *timed = &p->algorithms[k];
            t->times[i * n + k] = timed->exists ? time_node(t, p, a->algorithms.items[k].name,
                                                            a->algorithms.items[k].time, timed)
                                                : -1;
        }
    }
}

bool ks_is_nccl_way(const ks_algorithm *a)
{
    return ks_starts_with(a->name, KS_STR("nccl-"));
}

static bool is_shown(const ks_teller *t, size_t algorithm)
{
    const ks_algorithm *a = &t->f->timing->allreduce->algorithms.items[algorithm];
    if (t->f->only)
        return a == t->f->only;
    return !ks_is_nccl_way(a) && t->times[algorithm] >= 0;
}

/* "custom-1stage" with a star where it is not taken. */
static ks_str column_title(const ks_teller *t, size_t algorithm)
{
    const ks_timing *timing = t->f->timing;
    const ks_algorithm *a = &timing->allreduce->algorithms.items[algorithm];
    bool refused = true;
    for (size_t i = 0; i < timing->n; i++)
        refused &= timing->points[i].algorithms[algorithm].refused;
    return ks_format(t->arena, "%.*s%s", KS_ARG(a->name), refused ? " *" : "");
}

static void tell_table(ks_teller *t)
{
    const ks_timing *timing = t->f->timing;
    const ks_allreduce *a = timing->allreduce;
    size_t n = 0, columns_most = a->algorithms.n + 6;
    ks_column *columns = KS_NEW_ARRAY(t->arena, ks_column, columns_most);
    columns[n++] = (ks_column){KS_STR("message"), true};
    columns[n++] = (ks_column){KS_STR("runs"), false};
    columns[n++] = (ks_column){KS_STR("us"), true};
    columns[n++] = (ks_column){KS_STR("low"), true};
    columns[n++] = (ks_column){KS_STR("high"), true};
    columns[n++] = (ks_column){KS_STR("NCCL thinks"), true};
    for (size_t k = 0; k < a->algorithms.n && n < columns_most; k++)
        if (is_shown(t, k))
            columns[n++] = (ks_column){column_title(t, k), true};
    ks_block *table = ks_add_table(
        t->report, ks_add_section(t->report, "Time of one all-reduce, in us"), columns, n);
    for (size_t i = 0; i < timing->n; i++) {
        const ks_timing_point *p = &timing->points[i];
        ks_row *row = ks_add_row(t->report, table);
        size_t column = 0;
        ks_set_text(t->report, row, column++, size_text(t, p->bytes));
        ks_set_text(t->report, row, column++, p->chosen_as ? p->chosen_as->name : KS_STR("nccl"));
        ks_set_cell(t->report, row, column++, "{:us:.1f}", t->chosen[i]);
        const ks_node *node = &t->report->nodes.items[t->chosen[i]];
        double ends[] = {node->has_range ? node->low : p->chosen.seconds,
                         node->has_range ? node->high : p->chosen.seconds};
        for (size_t k = 0; k < 2; k++) {
            ks_str name = ks_format(t->arena, "at.%lld.chosen.%s", (long long)p->bytes,
                                    k ? "high" : "low");
            int end = ks_add_node(t->report, name, KS_DERIVED, seconds, (ks_cell){.f = ends[k]},
                                  KS_STR("the end of its range"), &t->chosen[i], 1);
            ks_set_cell(t->report, row, column++, "{:us:.1f}", end);
        }
        if (t->estimates[i] >= 0)
            ks_set_cell(t->report, row, column, "{:us:.1f}", t->estimates[i]);
        column++;
        for (size_t k = 0; k < a->algorithms.n; k++) {
            if (!is_shown(t, k))
                continue;
            int time = t->times[i * a->algorithms.n + k];
            if (time >= 0)
                ks_set_cell(t->report, row, column, "{:us:.1f}", time);
            column++;
        }
    }
}

/* Runs of sizes for which the same algorithm runs: "nccl-ring-ll to 1 MiB, then nccl-ring-simple". */
static ks_str headline(const ks_teller *t)
{
    const ks_timing *timing = t->f->timing;
    ks_builder b = {.arena = t->arena};
    const ks_algorithm *last = NULL;
    for (size_t i = 0; i < timing->n; i++) {
        const ks_algorithm *now = timing->points[i].chosen_as;
        if (now == last || !now)
            continue;
        if (last)
            ks_addf(&b, " to %.*s, then ", KS_ARG(size_text(t, timing->points[i - 1].bytes)));
        ks_addf(&b, "%.*s", KS_ARG(now->name));
        last = now;
    }
    ks_str who = t->f->set->engine.n ? t->f->set->engine : KS_STR("NCCL");
    return ks_format(t->arena, "%.*s runs %.*s", KS_ARG(who), KS_ARG(ks_built(&b)));
}

int ks_told_node(const ks_teller *t, const char *name)
{
    return ks_find_node(t->report, ks_from_c(name));
}

static void tell_regime(ks_teller *t)
{
    const ks_allreduce *a = t->f->timing->allreduce;
    ks_str word = ks_show_node(t->report,
                               &t->report->nodes.items[ks_told_node(t, "machine.regime")], 0);
    if (t->f->set->wiring->nccl->fallback)
        word = KS_STR("nccl-fallback");
    ks_section *section = ks_add_section(t->report, "Regime");
    for (size_t i = 0; i < a->regimes.n; i++) {
        const ks_regime_text *regime = &a->regimes.items[i];
        if (!ks_equal(regime->name, word))
            continue;
        ks_add_text(t->report, section, KS_BLOCK_TEXT,
                    ks_format(t->arena, "%.*s: %.*s", KS_ARG(regime->name), KS_ARG(regime->title)));
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_format(t->arena, "to find out: %.*s", KS_ARG(regime->test)));
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_format(t->arena, "healthy is: %.*s", KS_ARG(regime->healthy)));
        return;
    }
    ks_add_text(t->report, section, KS_BLOCK_TEXT, word);
}

static void tell_found(ks_teller *t, ks_section *section, const char *what,
                       const ks_nccl_found *found)
{
    ks_str prefix = ks_format(t->arena, "nccl.%s.", what);
    if (!found->channels)
        return;
    ks_str format = ks_format(t->arena, "%s: {} channel%s of {}, paths up to %s%s", what,
                              found->channels == 1 ? "" : "s", ks_nccl_path_word(found->type),
                              found->fallback ? ". Nothing was found: this is its fallback" : "");
    ks_add_block(t->report, section, KS_BLOCK_BULLET, format.s,
                 ks_find_node(t->report, ks_concat(t->arena, prefix, KS_STR("channels"))),
                 ks_find_node(t->report, ks_concat(t->arena, prefix, KS_STR("bandwidth"))));
}

/* By what the machine calls it, whatever its rank. */
static ks_str gpu_name(const ks_nccl_result *nccl, int gpu)
{
    return nccl->topology->devices.items[nccl->topology->gpus.items[gpu]].name;
}

static void tell_nccl(ks_teller *t)
{
    const ks_nccl_result *nccl = t->f->set->wiring->nccl;
    ks_str title = ks_format(t->arena, "What NCCL %.*s makes of these links",
                             KS_ARG(nccl->model->version));
    ks_section *section = ks_add_section(t->report, title.s);
    tell_found(t, section, "ring", &nccl->ring);
    tell_found(t, section, "tree", &nccl->tree);
    tell_found(t, section, "nvls", &nccl->nvls);
    ks_add_block(t->report, section, KS_BLOCK_BULLET,
                 "communicator: {} channels, {} of each GPU's memory; data go by {}",
                 ks_told_node(t, "nccl.channels"), ks_told_node(t, "nccl.communicator_bytes"),
                 ks_told_node(t, "nccl.transport"));
    for (size_t i = 0; i < nccl->ranks; i++) {
        const ks_nccl_edge *edge = &nccl->edges[i];
        if (edge->transport != nccl->transport || !edge->why.n)
            continue;
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_format(t->arena, "%.*s to %.*s: %.*s", KS_ARG(gpu_name(nccl, edge->from)),
                              KS_ARG(gpu_name(nccl, edge->to)), KS_ARG(edge->why)));
        break;
    }
}

int ks_told_refusal(const ks_teller *t, size_t algorithm, bool everywhere)
{
    const ks_timing *timing = t->f->timing;
    const ks_allreduce *a = timing->allreduce;
    ks_str name = a->algorithms.items[algorithm].name;
    for (size_t r = 0; r < a->refusals.n; r++) {
        const ks_refusal *refusal = &a->refusals.items[r];
        bool its = false, all = true, any = false;
        for (size_t k = 0; k < refusal->algorithms->n; k++)
            its |= ks_equal(refusal->algorithms->items[k].value->text, name);
        for (size_t i = 0; i < timing->n; i++) {
            all &= timing->points[i].refusals[r];
            any |= timing->points[i].refusals[r];
        }
        if (its && (everywhere ? all : any && !all))
            return (int)r;
    }
    return -1;
}

static void tell_refusals(ks_teller *t)
{
    const ks_allreduce *a = t->f->timing->allreduce;
    ks_section *section = NULL;
    for (size_t r = 0; r < a->refusals.n; r++) {
        ks_builder names = {.arena = t->arena};
        for (size_t k = 0; k < a->algorithms.n; k++)
            if (ks_told_refusal(t, k, true) == (int)r ||
                (ks_told_refusal(t, k, true) < 0 && ks_told_refusal(t, k, false) == (int)r))
                ks_addf(&names, "%s%.*s", names.n ? ", " : "", KS_ARG(a->algorithms.items[k].name));
        if (!names.n)
            continue;
        section = section ? section : ks_add_section(t->report, "Not taken (marked * above)");
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_format(t->arena, "%.*s: %.*s", KS_ARG(ks_built(&names)),
                              KS_ARG(ks_fill(t->report, &a->refusals.items[r].why, 0))));
    }
}

static void tell_crossovers(ks_teller *t)
{
    const ks_timing *timing = t->f->timing;
    const ks_allreduce *a = timing->allreduce;
    ks_section *section = NULL;
    for (size_t k = 0; k < a->algorithms.n; k++) {
        const ks_algorithm *one = &a->algorithms.items[k];
        ks_crossover x;
        if (ks_is_nccl_way(one) || t->times[k] < 0 || (t->f->only && t->f->only != one))
            continue;
        section = section ? section : ks_add_section(t->report, "Against NCCL");
        bool crosses = ks_find_crossover(timing->program, a, one->time, a->nccl, &x);
        if (!crosses) {
            ks_add_text(t->report, section, KS_BLOCK_BULLET,
                        ks_format(t->arena, "%.*s is %s at every size from 256 B to 256 MiB",
                                  KS_ARG(one->name), x.a_wins ? "faster" : "slower"));
            continue;
        }
        int inputs[] = {one->time, a->nccl};
        int node = ks_add_node(
            t->report, ks_format(t->arena, "crossover.%.*s", KS_ARG(one->name)), KS_SOLVED, bytes,
            (ks_cell){.i = x.first},
            ks_format(t->arena, "at %.*s the %s is faster, at %.*s the other one",
                      KS_ARG(size_text(t, x.last)), x.a_wins ? "first" : "second",
                      KS_ARG(size_text(t, x.first))),
            inputs, 2);
        ks_str format = ks_format(t->arena, "%.*s is %s below {}", KS_ARG(one->name),
                                  x.a_wins ? "faster" : "slower");
        ks_add_block(t->report, section, KS_BLOCK_BULLET, format.s, node);
    }
}

static void tell_limits(ks_teller *t)
{
    static const struct {
        const char *node, *format;
    } rows[] = {{"flow.ring_edge", "a ring's slowest edge: {}"},
                {"flow.all_to_all", "all to all at once: {} in all"}};
    ks_section *section = ks_add_section(t->report, "What the links carry");
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        int node = ks_told_node(t, rows[i].node);
        if (node < 0)
            continue;
        ks_str note = ks_safe(t->arena, t->report->nodes.items[node].note);
        ks_str format = ks_format(t->arena, "%s%s%.*s", rows[i].format, note.n ? "; " : "",
                                  KS_ARG(note));
        ks_add_block(t->report, section, KS_BLOCK_BULLET, format.s, node);
    }
}

/* The point at which a remedy helps most, by time over time. */
static size_t best_point(const ks_timing *before, const ks_timing *after, double *gain)
{
    size_t best = 0;
    *gain = 0;
    for (size_t i = 0; i < before->n; i++) {
        double here = before->points[i].nccl.seconds / after->points[i].nccl.seconds;
        if (here > *gain) {
            *gain = here;
            best = i;
        }
    }
    return best;
}

static void tell_remedy(ks_teller *t, ks_section *section, const ks_remedied *r)
{
    ks_str text = ks_fill(t->report, &r->remedy->parsed, 0), id = r->remedy->id;
    if (!r->after) {
        ks_add_text(t->report, section, KS_BLOCK_BULLET, text);
        return;
    }
    double gain;
    size_t at = best_point(r->before, r->after, &gain);
    const ks_timing_point *p = &r->after->points[at];
    int before = t->nccl[at];
    bool calibrated = r->before != t->f->timing;
    if (calibrated)
        before = ks_add_node(t->report, ks_format(t->arena, "remedy.%.*s.before", KS_ARG(id)),
                             KS_DERIVED, seconds,
                             (ks_cell){.f = r->before->points[at].nccl.seconds},
                             KS_STR("NCCL's time without the calibration"), &t->nccl[at], 1);
    int after = ks_add_node(t->report, ks_format(t->arena, "remedy.%.*s.time", KS_ARG(id)),
                            KS_DERIVED, seconds, (ks_cell){.f = p->nccl.seconds},
                            ks_format(t->arena, "the first with %.*s", KS_ARG(r->set)), &before, 1);
    int inputs[] = {before, after};
    int ratio = ks_add_node(t->report, ks_format(t->arena, "remedy.%.*s.gain", KS_ARG(id)),
                            KS_DERIVED, plain, (ks_cell){.f = gain},
                            KS_STR("the first over the second"), inputs, 2);
    if (gain < 1.02) {
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_format(t->arena, "%.*s %.*s would change nothing here.", KS_ARG(text),
                              KS_ARG(r->set)));
        return;
    }
    ks_str format = ks_format(t->arena,
                              "%.*s With %.*s NCCL would take {:us:.1f} us in place of "
                              "{:us:.1f} us at %.*s: {:.1f} times as fast%s.",
                              KS_ARG(ks_safe(t->arena, text)), KS_ARG(ks_safe(t->arena, r->set)),
                              KS_ARG(size_text(t, p->bytes)),
                              calibrated ? ", both by the model, for the calibration was measured "
                                           "without it"
                                         : "");
    ks_add_block(t->report, section, KS_BLOCK_BULLET, format.s, after, before, ratio);
}

bool ks_notice_holds(const ks_teller *t, const ks_notice *notice)
{
    return t->report->nodes.items[notice->when].values[0].i == 1;
}

/* The remedies by what they bring, the best first; those that are not tried come before. */
static const ks_remedied **by_gain(const ks_teller *t)
{
    size_t n = t->f->n_remedied;
    const ks_remedied **sorted = KS_NEW_ARRAY(t->arena, const ks_remedied *, n + 1);
    double *gains = KS_NEW_ARRAY(t->arena, double, n + 1);
    for (size_t i = 0; i < n; i++) {
        const ks_remedied *r = &t->f->remedied[i];
        double gain = HUGE_VAL;
        size_t k = i;
        if (r->after)
            best_point(r->before, r->after, &gain);
        for (; k > 0 && gains[k - 1] < gain; k--) {
            gains[k] = gains[k - 1];
            sorted[k] = sorted[k - 1];
        }
        gains[k] = gain;
        sorted[k] = r;
    }
    return sorted;
}

static void tell_notices(ks_teller *t)
{
    const ks_allreduce *a = t->f->timing->allreduce;
    const ks_remedied **remedied = by_gain(t);
    ks_section *section = NULL;
    for (size_t i = 0; i < t->f->n_remedied; i++) {
        section = section ? section : ks_add_section(t->report, "What would help");
        tell_remedy(t, section, remedied[i]);
    }
    section = NULL;
    for (size_t i = 0; i < a->remarks.n; i++) {
        if (!ks_notice_holds(t, &a->remarks.items[i]))
            continue;
        section = section ? section : ks_add_section(t->report, "To know");
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_fill(t->report, &a->remarks.items[i].parsed, 0));
    }
    const ks_topology *topology = t->f->set->wiring->topology;
    for (size_t i = 0; i < topology->unknown.n; i++) {
        section = section ? section : ks_add_section(t->report, "To know");
        ks_add_text(t->report, section, KS_BLOCK_BULLET,
                    ks_format(t->arena, "not told: %.*s", KS_ARG(topology->unknown.items[i])));
    }
}

ks_report *ks_tell_allreduce(const ks_allreduce_findings *findings)
{
    const ks_allreduce_set *set = findings->set;
    ks_plan *plan = ks_plan_at(set->program, &set->allreduce, findings->timing->points[0].bytes);
    ks_teller t = {.f = findings,
                   .report = ks_report_new(set->program, plan, 0),
                   .arena = set->program->arena};
    t.report->subtitle = ks_format(t.arena, "All-reduce on %.*s, %zu ranks", KS_ARG(set->machine),
                                   set->wiring->ranks);
    add_nodes(&t);
    t.report->headline = headline(&t);
    tell_table(&t);
    tell_crossovers(&t);
    tell_refusals(&t);
    tell_regime(&t);
    tell_nccl(&t);
    tell_limits(&t);
    tell_notices(&t);
    ks_record_allreduce(&t);
    return t.report;
}
