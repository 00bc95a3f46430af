#include "links/transfer.h"

#include <math.h>
#include <string.h>

/* Rates do not depend on it where latency does not count. */
static const double any_bytes = 1e9;
static const double most_bytes = 1e15;

typedef struct demand {
    size_t from, to; /* ranks */
} demand;

/* What runs at once, and what came of it. */
typedef struct job {
    ks_diags *diags;
    const ks_group *group;
    ks_flow_sim *sim;
    demand *demands;
    size_t n, room;
    ks_flow_result *results;
    double *carried, *possible; /* by wire, of all runs so far */
} job;

static job new_job(ks_diags *diags, const ks_group *group, size_t room)
{
    ks_arena *arena = diags->arena;
    const ks_routes *routes = group->routes;
    ks_flow_link *links = KS_NEW_ARRAY(arena, ks_flow_link, routes->wires.n);
    job j = {.diags = diags, .group = group, .room = room};
    for (size_t i = 0; i < routes->wires.n; i++) {
        links[i] = routes->wires.items[i].flow;
        if (group->plain) {
            links[i].duplex = links[i].duplex_pair = 1;
            links[i].loss = 0;
        }
    }
    /* One end more than GPUs: host memory. */
    j.sim = ks_flow_sim_new(arena, links, routes->wires.n, routes->n_gpus + 1, room);
    j.demands = KS_NEW_ARRAY(arena, demand, room);
    j.results = KS_NEW_ARRAY(arena, ks_flow_result, room);
    j.carried = KS_NEW_ARRAY(arena, double, routes->wires.n);
    j.possible = KS_NEW_ARRAY(arena, double, routes->wires.n);
    return j;
}

static void ask(job *j, size_t from, size_t to)
{
    if (from != to && j->n < j->room)
        j->demands[j->n++] = (demand){from, to};
}

static const ks_route *route_between(const ks_group *g, const demand *d)
{
    return ks_route_of(g->routes, (size_t)g->gpus[d->from], (size_t)g->gpus[d->to], g->kind);
}

static bool is_opposed(const job *j, const demand *d)
{
    for (size_t i = 0; i < j->n; i++) {
        const ks_route *other = route_between(j->group, &j->demands[i]);
        const ks_route *own = route_between(j->group, d);
        if (other->way == own->way && other->flow_cap > 0 && own->n_wires && other->n_wires)
            for (size_t a = 0; a < own->n_wires; a++)
                for (size_t b = 0; b < other->n_wires; b++)
                    if (j->group->routes->wires.items[own->wires[a]].flow.reverse ==
                        other->wires[b])
                        return true;
    }
    return false;
}

static bool add_flow(job *j, const demand *d, double bytes, bool with_latency)
{
    const ks_group *g = j->group;
    const ks_route *route = route_between(g, d);
    bool opposed = route->flow_cap > 0 && is_opposed(j, d);
    ks_flow flow = {.links = route->wires,
                    .n_links = route->n_wires,
                    .from = g->gpus[d->from],
                    .to = g->gpus[d->to],
                    .via = -1,
                    .bytes = bytes};
    if (route->way == KS_WAY_STAGED)
        flow.via = (int)g->routes->n_gpus;
    if (with_latency)
        flow.latency = ks_route_latency(route, g->kind);
    if (!g->plain)
        flow.cap = ks_route_cap(g->routes, route, g->kind, opposed);
    return ks_flow_add(j->sim, &flow) >= 0;
}

/* Runs all demands at once. False after an error. */
static bool run(job *j, double bytes, bool with_latency, ks_flow_trace *trace)
{
    const ks_topology *t = j->group->routes->topology;
    bool good = j->sim != NULL;
    if (good)
        ks_flow_clear(j->sim);
    for (size_t i = 0; good && i < j->n; i++)
        good = add_flow(j, &j->demands[i], bytes, with_latency);
    if (!good) {
        ks_error(j->diags, KS_M008, t->at, "the links between these GPUs cannot be simulated");
        return false;
    }
    if (ks_flow_run_traced(j->sim, j->diags->arena, j->results, trace) != KS_FLOW_OK) {
        ks_error(j->diags, KS_E001, t->at, "a transfer between these GPUs would never end");
        return false;
    }
    for (size_t i = 0; i < trace->n_links; i++) {
        j->carried[i] += trace->carried[i];
        j->possible[i] += trace->possible[i];
    }
    return true;
}

/* ---- What holds it back ---------------------------------------------------------------------- */

static bool is_clearly_less(double a, double b)
{
    return a < b * (1 - 1e-9);
}

/* The link that held a flow for most of its time; or KS_HELD_BY_CAP. */
static int held_longest(const ks_flow_trace *trace, size_t flow)
{
    int best = KS_HELD_BY_NOTHING;
    double longest = 0;
    for (size_t i = 0; i < trace->n; i++) {
        double time = 0;
        if (trace->items[i].flow != flow)
            continue;
        for (size_t k = 0; k < trace->n; k++)
            if (trace->items[k].flow == flow && trace->items[k].held_by == trace->items[i].held_by)
                time += trace->items[k].to - trace->items[k].from;
        if (best == KS_HELD_BY_NOTHING || is_clearly_less(longest, time)) {
            best = trace->items[i].held_by;
            longest = time;
        }
    }
    return best;
}

static size_t count_over(const job *j, int wire)
{
    size_t n = 0;
    for (size_t i = 0; i < j->n; i++) {
        const ks_route *route = route_between(j->group, &j->demands[i]);
        for (size_t k = 0; k < route->n_wires; k++)
            n += route->wires[k] == wire;
    }
    return n;
}

static ks_str cap_words(const job *j, const demand *d)
{
    const ks_route *route = route_between(j->group, d);
    double own = ks_route_cap(j->group->routes, route, j->group->kind, true);
    if (route->flow_cap > 0 && !(own < route->flow_cap_duplex))
        return KS_STR("what one transfer gets across sockets");
    switch (j->group->kind) {
    case KS_FLOW_STORE:
        return KS_STR("what one kernel's writes to a peer get");
    case KS_FLOW_LOAD:
        return KS_STR("what one kernel's reads from a peer get");
    case KS_FLOW_NCCL:
        return KS_STR("what NCCL's kernels get over one edge");
    case KS_FLOW_COPY:
    case KS_FLOW_STAGED:
    case KS_FLOW_KINDS:
        break;
    }
    return KS_STR("what one transfer gets");
}

static void tell_holder(const job *j, size_t flow, int held_by, ks_transfer *result)
{
    result->held_by = NULL;
    result->held_text = cap_words(j, &j->demands[flow]);
    if (held_by < 0)
        return;
    size_t n = count_over(j, held_by);
    result->held_by = &j->group->routes->wires.items[held_by];
    result->held_text = result->held_by->name;
    if (n > 1)
        result->held_text = ks_format(j->diags->arena, "%.*s, shared by %zu transfers",
                                      KS_ARG(result->held_by->name), n);
}

static void find_busiest(const job *j, ks_transfer *result)
{
    result->n_busiest = 0;
    for (size_t i = 0; i < j->group->routes->wires.n; i++) {
        double use = j->possible[i] > 0 ? j->carried[i] / j->possible[i] : 0;
        size_t at = result->n_busiest;
        if (use <= 0)
            continue;
        while (at > 0 && is_clearly_less(result->busiest[at - 1].use, use))
            at--;
        if (at == KS_BUSIEST)
            continue;
        if (result->n_busiest < KS_BUSIEST)
            result->n_busiest++;
        for (size_t k = result->n_busiest - 1; k > at; k--)
            result->busiest[k] = result->busiest[k - 1];
        result->busiest[at] = (ks_busy_wire){&j->group->routes->wires.items[i], use > 1 ? 1 : use};
    }
}

/* ---- Rates without latency ------------------------------------------------------------------- */

static bool check_group(ks_diags *diags, const ks_group *g, ks_transfer *result)
{
    bool good = g->n <= g->routes->n_gpus;
    *result = (ks_transfer){0};
    for (size_t i = 0; good && i < g->n; i++) {
        good = g->gpus[i] >= 0 && (size_t)g->gpus[i] < g->routes->n_gpus;
        for (size_t k = 0; good && k < i; k++)
            good = g->gpus[k] != g->gpus[i];
    }
    if (!good)
        ks_error(diags, KS_M003, g->routes->topology->at,
                 "ranks and GPUs do not match: the machine has %zu GPUs, each for one rank",
                 g->routes->n_gpus);
    return good;
}

/* The slowest flow's number by the rates of `results`. */
static size_t find_slowest(const job *j)
{
    size_t slowest = 0;
    for (size_t i = 1; i < j->n; i++)
        if (is_clearly_less(j->results[i].rate, j->results[slowest].rate))
            slowest = i;
    return slowest;
}

static void sum_up(const job *j, const ks_flow_trace *trace, double bytes, ks_transfer *result)
{
    double last = 0, sum = 0;
    for (size_t i = 0; i < j->n; i++) {
        last = j->results[i].finish > last ? j->results[i].finish : last;
        sum += j->results[i].rate;
    }
    size_t slowest = find_slowest(j);
    result->slowest = j->results[slowest].rate;
    result->mean = sum / (double)j->n;
    result->seconds = last;
    result->aggregate = (double)j->n * bytes / last;
    result->per_rank = result->aggregate / (double)j->group->n;
    tell_holder(j, slowest, held_longest(trace, slowest), result);
    find_busiest(j, result);
}

static bool run_rates(job *j, ks_transfer *result)
{
    ks_flow_trace trace;
    if (j->n == 0)
        return true;
    if (!run(j, any_bytes, false, &trace))
        return false;
    sum_up(j, &trace, any_bytes, result);
    result->seconds = 0;
    return true;
}

bool ks_shift(ks_diags *diags, const ks_group *group, size_t distance, ks_transfer *result)
{
    if (!check_group(diags, group, result))
        return false;
    job j = new_job(diags, group, group->n);
    for (size_t i = 0; i < group->n; i++)
        ask(&j, i, (i + distance % group->n) % group->n);
    return run_rates(&j, result);
}

/* The rates while all flows are still at it: those of the first span of each. */
static void take_first_rates(job *j, ks_flow_trace *trace)
{
    size_t n = 0;
    for (size_t i = 0; i < trace->n && trace->items[i].from <= 0; i++) {
        j->results[trace->items[i].flow].rate = trace->items[i].rate;
        n++;
    }
    trace->n = n;
}

bool ks_ring(ks_diags *diags, const ks_group *group, ks_transfer *result)
{
    ks_flow_trace trace;
    double sum = 0;
    if (!check_group(diags, group, result))
        return false;
    job j = new_job(diags, group, group->n);
    for (size_t i = 0; i < group->n; i++)
        ask(&j, i, (i + 1) % group->n);
    if (j.n == 0)
        return true;
    if (!run(&j, any_bytes, false, &trace))
        return false;
    take_first_rates(&j, &trace);
    sum_up(&j, &trace, any_bytes, result);
    for (size_t i = 0; i < j.n; i++)
        sum += j.results[i].rate;
    result->aggregate = sum;
    result->per_rank = sum / (double)group->n;
    result->seconds = 0;
    return true;
}

/* Every rank of [from, from + n) to every other of them. */
static void ask_all(job *j, size_t from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            ask(j, from + i, from + k);
}

bool ks_all_to_all(ks_diags *diags, const ks_group *group, ks_transfer *result)
{
    if (!check_group(diags, group, result))
        return false;
    job j = new_job(diags, group, group->n * group->n);
    ask_all(&j, 0, group->n);
    return run_rates(&j, result);
}

bool ks_pair_matrix(ks_diags *diags, const ks_group *group, bool both_ways, double *matrix)
{
    ks_transfer ignored;
    size_t n = group->n;
    if (!check_group(diags, group, &ignored))
        return false;
    job j = new_job(diags, group, 2);
    for (size_t from = 0; from < n; from++)
        for (size_t to = 0; to < n; to++) {
            ks_flow_trace trace;
            matrix[from * n + to] = 0;
            if (from == to)
                continue;
            j.n = 0;
            ask(&j, from, to);
            if (both_ways)
                ask(&j, to, from);
            if (!run(&j, any_bytes, false, &trace))
                return false;
            take_first_rates(&j, &trace);
            for (size_t i = 0; i < j.n; i++)
                matrix[from * n + to] += j.results[i].rate;
        }
    return true;
}

/* ---- Schedules ------------------------------------------------------------------------------- */

double ks_farthest(const ks_group *group)
{
    double farthest = 0;
    for (size_t from = 0; from < group->n; from++)
        for (size_t to = 0; to < group->n; to++) {
            double latency = route_between(group, &(demand){from, to})->latency;
            farthest = latency > farthest ? latency : farthest;
        }
    return farthest;
}

/* A schedule of phases with barriers between them, as far as it has gone. */
typedef struct schedule {
    job job;
    double seconds, bytes, longest;
    bool begun;
} schedule;

static bool run_phase(schedule *s, double bytes, ks_transfer *result)
{
    ks_flow_trace trace;
    ks_transfer phase = {0};
    if (s->job.n == 0)
        return true;
    if (s->begun)
        s->seconds = ks_flow_barrier(s->seconds, ks_farthest(s->job.group),
                                     s->job.group->routes->fabric.poll);
    if (!run(&s->job, bytes, true, &trace))
        return false;
    sum_up(&s->job, &trace, bytes, &phase);
    s->begun = true;
    s->seconds += phase.seconds;
    s->bytes += (double)s->job.n * bytes;
    if (phase.seconds > s->longest) {
        s->longest = phase.seconds;
        *result = phase;
    }
    s->job.n = 0;
    return true;
}

static bool end_schedule(schedule *s, ks_transfer *result)
{
    find_busiest(&s->job, result);
    result->seconds = s->seconds;
    if (s->seconds > 0)
        result->aggregate = s->bytes / s->seconds;
    result->per_rank = result->aggregate / (double)s->job.group->n;
    return true;
}

static bool check_bytes(ks_diags *diags, const ks_group *group, double bytes, ks_transfer *result)
{
    if (!check_group(diags, group, result))
        return false;
    if (bytes > 0 && bytes <= most_bytes)
        return true;
    ks_error(diags, KS_S006, group->routes->topology->at, "a message of %g bytes", bytes);
    ks_add_note(diags, (ks_span){0}, "a message has from 1 to 10^15 bytes");
    return false;
}

bool ks_one_stage(ks_diags *diags, const ks_group *group, double bytes, ks_transfer *result)
{
    if (!check_bytes(diags, group, bytes, result))
        return false;
    schedule s = {.job = new_job(diags, group, group->n * group->n)};
    ask_all(&s.job, 0, group->n);
    return run_phase(&s, bytes, result) && (group->n < 2 || end_schedule(&s, result));
}

bool ks_two_stage(ks_diags *diags, const ks_group *group, double bytes, ks_transfer *result)
{
    return ks_island_stages(diags, group, group->n, bytes, result);
}

/* The size of islands of consecutive ranks between which the way is not above `widest`; 0: they
 * differ in size. */
static size_t find_islands(const ks_group *g, enum ks_way widest)
{
    size_t size = 0, from = 0;
    for (size_t i = 1; i <= g->n; i++) {
        if (i < g->n && route_between(g, &(demand){from, i})->way <= widest)
            continue;
        if (size && size != i - from)
            return 0;
        size = i - from;
        from = i;
    }
    return size;
}

static bool choose_islands(ks_diags *diags, const ks_group *g, size_t *island)
{
    if (*island == 0) {
        *island = find_islands(g, KS_WAY_SWITCH);
        if (*island == 1)
            *island = find_islands(g, KS_WAY_ROOT);
        if (*island == 1)
            *island = g->n;
    }
    if (*island && g->n % *island == 0)
        return true;
    ks_error(diags, KS_M008, g->routes->topology->at,
             "these %zu ranks do not fall into islands of one size", g->n);
    ks_add_note(diags, (ks_span){0}, "an island is a run of ranks below one switch or socket");
    return false;
}

bool ks_island_stages(ks_diags *diags, const ks_group *group, size_t island, double bytes,
                      ks_transfer *result)
{
    if (!check_bytes(diags, group, bytes, result))
        return false;
    if (group->n < 2)
        return true;
    if (!choose_islands(diags, group, &island))
        return false;
    double part = bytes / (double)island;
    schedule s = {.job = new_job(diags, group, group->n * group->n)};
    for (int stage = 0; stage < 3; stage++) {
        for (size_t i = 0; i < group->n; i++)
            for (size_t k = 0; k < group->n; k++)
                if (stage == 1 ? i % island == k % island : i / island == k / island)
                    ask(&s.job, i, k);
        if (!run_phase(&s, part, result))
            return false;
    }
    return end_schedule(&s, result);
}

/* ---- Into a program -------------------------------------------------------------------------- */

typedef bool question(ks_diags *diags, const ks_group *group, ks_transfer *result);

/* Defines one answer with the ends of its range. */
static bool define_answer(ks_program *program, const ks_routes routes[KS_FABRIC_ENDS],
                          ks_group group, question *asked, bool total, ks_def *def)
{
    double values[KS_FABRIC_ENDS], low = HUGE_VAL, high = 0;
    ks_transfer answer, typical = {0};
    for (int end = 0; end < KS_FABRIC_ENDS; end++) {
        group.routes = &routes[end];
        if (!asked(program->diags, &group, &answer))
            return false;
        values[end] = total ? answer.aggregate : answer.slowest;
        low = values[end] < low ? values[end] : low;
        high = values[end] > high ? values[end] : high;
        if (end == KS_FABRIC_TYPICAL)
            typical = answer;
    }
    ks_cell *value = KS_NEW(program->arena, ks_cell);
    value->f = values[KS_FABRIC_TYPICAL];
    def->kind = KS_CONSTANT;
    def->type = (ks_type){KS_REAL, {1, -1, 0}};
    def->values = value;
    def->n_values = 1;
    def->has_range = low < high;
    def->low.f = low;
    def->high.f = high;
    def->at = routes->topology->at;
    def->source = KS_STR("max-min simulation over the machine's links, with fabric.*");
    if (typical.held_text.n)
        def->note = ks_format(program->arena, "held back by %.*s", KS_ARG(typical.held_text));
    return ks_define(program, def) >= 0;
}

bool ks_define_transfers(ks_program *program, const ks_routes routes[KS_FABRIC_ENDS],
                         const int *gpus, size_t n, enum ks_flow_kind ring_kind,
                         enum ks_flow_kind all_kind)
{
    ks_group group = {.gpus = gpus, .n = n, .kind = ring_kind};
    ks_def ring = {.name = KS_STR("flow.ring_edge"),
                   .meaning = KS_STR("rate of the slowest edge of the ring")};
    ks_def all = {.name = KS_STR("flow.all_to_all"),
                  .meaning = KS_STR("all GPUs together, each sending to all others")};
    bool good = define_answer(program, routes, group, ks_ring, false, &ring);
    group.kind = all_kind;
    return define_answer(program, routes, group, ks_all_to_all, true, &all) && good;
}
