#include "decode/decode.h"

#include <math.h>

/* What a measured quantity is by its formula, and which they are. */
static void find_measured(const ks_replay *replay, ks_judgement *j)
{
    const ks_program *program = replay->model->program;
    for (size_t i = 0; i < program->defs.n; i++) {
        const ks_def *d = &program->defs.items[i];
        if (!ks_is_of_decode(d->name) || d->modelled < 0 || d->kind != KS_MEASURED)
            continue;
        ks_decode_measured *m = KS_PUSH(program->arena, &j->measured);
        *m = (ks_decode_measured){.def = (int)i, .modelled = d->modelled};
        ks_range_of(replay->ranges, d->modelled, &m->low, &m->high);
    }
}

/* True if a value lies in a range, but for what doubles lose. */
static bool lies_in(double value, double low, double high)
{
    double slip = 1e-9 * fabs(value);
    return low - slip <= value && value <= high + slip;
}

typedef struct explorer {
    ks_replay *replay;
    ks_judgement *judgement;
    ks_lanes *lanes;
    size_t first, n; /* lanes of the regime that is looked at */
} explorer;

static void range_in(const explorer *e, int def, double *low, double *high)
{
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (size_t lane = e->first; lane < e->first + e->n; lane++) {
        double value = ks_plan_real(e->lanes->plan, def, 0, lane);
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
}

/* What the formula of a quantity says, measured or not. */
static int formula_of(const ks_program *program, const char *name)
{
    int def = ks_find(program, ks_from_c(name));
    int modelled = def < 0 ? -1 : program->defs.items[def].modelled;
    return modelled >= 0 ? modelled : def;
}

/* A quantity under a regime, as a node. */
static int regime_node(const explorer *e, ks_str regime, const char *name, const char *what)
{
    ks_report *report = e->replay->report;
    int def = formula_of(e->replay->model->program, name);
    int inputs[] = {def, e->judgement->decode->regime};
    ks_type type = report->nodes.items[def].type;
    ks_cell value = ks_plan_get(e->lanes->plan, def, 0, e->first);
    int number = ks_add_node(
        report,
        ks_format(report->arena, "regime.%.*s.%s",
                  KS_ARG(ks_replace(report->arena, regime, '-', '_')), what),
        KS_DERIVED, type, value,
        ks_format(report->arena, "%s if the links were %.*s", name, KS_ARG(regime)), inputs, 2);
    ks_node *node = &report->nodes.items[number];
    range_in(e, def, &node->low, &node->high);
    node->has_range = node->low < node->high;
    return number;
}

static void look_at(explorer *e, ks_str name)
{
    ks_judgement *j = e->judgement;
    const ks_replay *replay = e->replay;
    ks_decode_regime *regime = KS_PUSH(replay->report->arena, &j->regimes);
    ks_cell said = ks_plan_get(replay->base, j->decode->regime, 0, 0);
    *regime = (ks_decode_regime){.name = name, .agrees = true};
    regime->said = ks_equal(ks_word_text(replay->model->program, said.i), name);
    regime->rate = regime_node(e, name, "decode.rate", "rate");
    regime->cycle = regime_node(e, name, "decode.cycle", "cycle");
    for (size_t i = 0; i < j->measured.n; i++) {
        ks_decode_measured *m = &j->measured.items[i];
        double low, high, value = ks_plan_real(replay->base, m->def, 0, 0);
        range_in(e, m->modelled, &low, &high);
        regime->agrees &= lies_in(value, low, high);
    }
}

/* What the profile's candidates take if nothing is measured. */
static void find_candidates(explorer *e)
{
    ks_judgement *j = e->judgement;
    const ks_program *program = e->replay->model->program;
    const ks_doc *names = ks_member_of(j->decode->doc, "candidates");
    for (size_t i = 0; names && i < names->n; i++) {
        int def = ks_find(program, names->items[i].value->text);
        if (def < 0)
            continue;
        ks_decode_candidate *c = KS_PUSH(program->arena, &j->candidates);
        c->node = def;
        c->value = ks_plan_real(e->lanes->plan, def, 0, e->first);
        range_in(e, def, &c->low, &c->high);
    }
}

static void free_measured(const explorer *e, size_t lane)
{
    for (size_t i = 0; i < e->judgement->measured.n; i++)
        ks_plan_pin(e->lanes->plan, e->judgement->measured.items[i].def, lane, KS_PIN_FREE,
                    (ks_cell){.i = 0});
}

/* All regimes side by side, each over all the ranges of the estimates; then the machine's own once
 * more, with nothing measured. */
static void explore(ks_replay *replay, ks_judgement *j)
{
    ks_model *model = replay->model;
    ks_varying varying = {NULL, 0, 0};
    const ks_varying *estimates = &replay->ranges->estimates;
    size_t n = ks_n_range_lanes(estimates), regimes = 0;
    int nvlink = ks_find(model->program, KS_STR("machine.nvlink"));
    while (ks_regimes[regimes])
        regimes++;
    if (nvlink >= 0 && ks_plan_get(replay->base, nvlink, 0, 0).i == 1)
        regimes = 1; /* the others are ways in which PCIe breaks */
    for (size_t i = 0; i < estimates->n; i++)
        ks_vary(model, &varying, estimates->items[i]);
    ks_vary(model, &varying, j->decode->regime);
    for (size_t i = 0; i < j->measured.n; i++)
        ks_vary(model, &varying, j->measured.items[i].def);
    explorer e = {replay, j, ks_lanes_new(model, replay->base, &varying, n * (regimes + 1)), 0, n};
    for (size_t k = 0; k < regimes; k++) {
        ks_cell word = {.i = ks_word(model->program, ks_from_c(ks_regimes[k]))};
        ks_fill_range_lanes(e.lanes, estimates, k * n);
        for (size_t lane = k * n; lane < (k + 1) * n; lane++)
            ks_plan_set(e.lanes->plan, j->decode->regime, lane, word);
    }
    ks_fill_range_lanes(e.lanes, estimates, regimes * n);
    for (size_t lane = regimes * n; lane < (regimes + 1) * n; lane++)
        free_measured(&e, lane);
    ks_plan_run(e.lanes->plan);
    for (size_t k = 0; k < regimes; k++) {
        e.first = k * n;
        look_at(&e, ks_from_c(ks_regimes[k]));
    }
    e.first = regimes * n;
    find_candidates(&e);
}

/* A verdict's node: its value, and what it stands on. */
static void set_verdict(ks_replay *replay, const ks_judgement *j, int number, ks_cell value,
                        const char *how)
{
    ks_report *report = replay->report;
    ks_node *node = &report->nodes.items[number];
    int *inputs = KS_NEW_ARRAY(report->arena, int, 2 * j->measured.n + 1);
    for (size_t i = 0; i < j->measured.n; i++) {
        inputs[2 * i] = j->measured.items[i].def;
        inputs[2 * i + 1] = j->measured.items[i].modelled;
    }
    node->values[0] = value;
    node->inputs = inputs;
    node->n_inputs = 2 * j->measured.n;
    node->formula.text = ks_from_c(how);
}

static bool is_computed(const ks_replay *replay)
{
    static const char *const results[] = {"decode.cycle",
                                          "decode.rate",
                                          "decode.observed",
                                          "plain.observed",
                                          "decode.implied_length",
                                          "decode.break_even_length",
                                          "decode.break_even_allreduce"};
    for (size_t i = 0; i < KS_COUNT(results); i++) {
        int def = ks_find(replay->model->program, ks_from_c(results[i]));
        if (def >= 0 && !ks_is_computed(replay->model, replay->base, def))
            return false;
    }
    return true;
}

/* Ranks of unequal pipeline stages have unequal values: a quantity's range covers them all. */
static void set_ranges_of_stages(ks_replay *replay)
{
    for (size_t i = 0; i < replay->model->program->defs.n; i++) {
        ks_node *node = &replay->report->nodes.items[i];
        if (ks_is_of_decode(node->name) &&
            (node->type.base == KS_WHOLE || node->type.base == KS_REAL))
            node->has_range = node->low < node->high;
    }
}

ks_judgement *ks_judge_decode(ks_replay *replay, const ks_decode *decode)
{
    if (!is_computed(replay))
        return NULL;
    set_ranges_of_stages(replay);
    ks_arena *arena = replay->report->arena;
    ks_judgement *j = KS_NEW(arena, ks_judgement);
    ks_builder names = {.arena = arena};
    bool said = false, any = false;
    *j = (ks_judgement){.decode = decode, .consistent = true};
    find_measured(replay, j);
    if (decode->regime >= 0)
        explore(replay, j);
    for (size_t i = 0; i < j->regimes.n; i++) {
        const ks_decode_regime *r = &j->regimes.items[i];
        said |= r->said;
        any |= r->agrees;
        if (r->agrees && j->measured.n)
            ks_addf(&names, "%s%.*s", names.n ? " or " : "", KS_ARG(r->name));
    }
    for (size_t i = 0; i < j->measured.n; i++) {
        ks_decode_measured *m = &j->measured.items[i];
        m->agrees = lies_in(ks_plan_real(replay->base, m->def, 0, 0), m->low, m->high);
        j->consistent &= m->agrees;
    }
    j->told = said;
    if (j->regimes.n && !said) /* the machine's regime is not known: any will do */
        j->consistent = any;
    if (!names.n)
        ks_addf(&names, j->measured.n ? "none" : "not measured");
    set_verdict(replay, j, decode->consistent, (ks_cell){.i = j->consistent},
                "each measured value lies inside the range of what the model says");
    set_verdict(replay, j, decode->regimes,
                (ks_cell){.i = ks_word(replay->model->program, ks_built(&names))},
                "the regimes under which each measured value lies inside the range");
    return j;
}
