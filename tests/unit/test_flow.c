/* Flows that share links: examples by hand, and what must hold for any of them: the max-min
 * certificate (what holds a flow back is full, and nobody on it is faster), nothing lost, no
 * dependence on the order. */
#include "links/flow.h"
#include "support.h"

enum { LINKS = 24, ENDS = 9, FLOWS = 70, WAY = 5 };

static const ks_flow_link plain = {
    .capacity = 1, .duplex = 1, .duplex_pair = 1, .loss = 0, .reverse = -1, .port = -1};

typedef struct random_numbers {
    uint64_t state;
} random_numbers;

static uint64_t next_number(random_numbers *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return r->state >> 11;
}

static double between(random_numbers *r, double low, double high)
{
    return low + (high - low) * (double)(next_number(r) % 1000003) / 1000003;
}

/* ---- By hand --------------------------------------------------------------------------------- */

/* The textbook's: a long flow over both links, a short one on each. 10 and 4 GB/s. */
static void two_links(void **state)
{
    static const int both[] = {0, 1}, first[] = {0}, second[] = {1};
    world *w = *state;
    ks_flow_link links[2] = {plain, plain};
    links[0].capacity = 10e9;
    links[1].capacity = 4e9;
    ks_flow_sim *sim = ks_flow_sim_new(w->arena, links, 2, 2, 3);
    const ks_flow flows[] = {
        {.links = both, .n_links = 2, .from = 0, .to = 1, .via = -1, .bytes = 6e9},
        {.links = first, .n_links = 1, .from = 0, .to = 1, .via = -1, .bytes = 16e9},
        {.links = second,
         .n_links = 1,
         .from = 0,
         .to = 1,
         .via = -1,
         .bytes = 2e9,
         .start = 0.5,
         .latency = 0.25},
    };
    ks_flow_result r[3];
    for (int i = 0; i < 3; i++)
        CHECK_WHOLE("number", ks_flow_add(sim, &flows[i]), i);
    CHECK_WHOLE("count", ks_flow_count(sim), 3);
    CHECK("no room", ks_flow_add(sim, &flows[0]) < 0);
    CHECK_WHOLE("run", ks_flow_run(sim, r), KS_FLOW_OK);
    /* 4 and 6 GB/s until 0.75 s; 2, 8 and 2 until the third is done at 1.75; 4 and 6 until the
     * first has its last GB at 2 s; then 10. */
    CHECK_REAL("first", r[0].finish, 2, 1e-12);
    CHECK_REAL("first", r[0].rate / 1e9, 3, 1e-12);
    CHECK_REAL("second", r[1].finish, 2 + (16 - 4.5 - 8 - 1.5) / 10, 1e-12);
    CHECK_REAL("third", r[2].start, 0.75, 1e-12);
    CHECK_REAL("third", r[2].finish, 1.75, 1e-12);
    CHECK_WHOLE("first is held by", r[0].held_by, 1);
    CHECK_WHOLE("second is held by", r[1].held_by, 0);
    CHECK_WHOLE("third is held by", r[2].held_by, 1);
}

/* Rates of flows on one link, both of whose directions are used. */
static void losses(void **state)
{
    static const struct {
        const char *row;
        int n;
        int flows[4][4]; /* link, from, to, via */
        double cap;
        double rate; /* of the first, GB/s */
    } rows[] = {
        {"alone", 1, {{0, 0, 1, -1}}, 0, 50},
        {"both ways, one pair", 2, {{0, 0, 1, -1}, {1, 1, 0, -1}}, 0, 47.5},
        {"both ways, two pairs", 2, {{0, 0, 1, -1}, {1, 2, 0, -1}}, 0, 45},
        {"two peers", 2, {{0, 0, 1, -1}, {0, 0, 2, -1}}, 0, 50 * 0.8 / 2},
        {"one peer twice", 2, {{0, 0, 1, -1}, {0, 0, 1, -1}}, 0, 25},
        {"one of three peers twice",
         4,
         {{0, 0, 1, -1}, {0, 0, 2, -1}, {0, 0, 1, -1}, {0, 0, 3, -1}},
         0,
         50 * (1 - 0.4 * 2 / 3) / 4},
        {"host memory is one peer", 2, {{0, 0, 1, 4}, {0, 0, 2, 4}}, 0, 25},
        {"both ways, two peers", 3, {{0, 0, 1, -1}, {0, 0, 2, -1}, {1, 2, 0, -1}}, 0, 45 * 0.8 / 2},
        {"capped", 1, {{0, 0, 1, -1}}, 11.3e9, 11.3},
        {"not capped", 2, {{0, 0, 1, -1}, {0, 0, 2, -1}}, 20.1e9, 20},
    };
    world *w = *state;
    static const int numbers[] = {0, 1};
    ks_flow_link links[2] = {{50e9, 0.9, 0.95, 0.4, 1, 0}, {50e9, 0.9, 0.95, 0.4, 0, 0}};
    ks_flow_sim *sim = ks_flow_sim_new(w->arena, links, 2, 5, 4);
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_flow_result r[4];
        ks_flow_trace trace;
        ks_flow_clear(sim);
        for (int k = 0; k < rows[i].n; k++) {
            const int *f = rows[i].flows[k];
            ks_flow flow = {.links = &numbers[f[0]],
                            .n_links = 1,
                            .from = f[1],
                            .to = f[2],
                            .via = f[3],
                            .bytes = 7e9,
                            .cap = rows[i].cap};
            CHECK_WHOLE(rows[i].row, ks_flow_add(sim, &flow), k);
        }
        CHECK_WHOLE(rows[i].row, ks_flow_run_traced(sim, w->arena, r, &trace), KS_FLOW_OK);
        CHECK_REAL(rows[i].row, trace.items[0].rate / 1e9, rows[i].rate, 1e-12);
        bool capped = rows[i].rate > 11.2 && rows[i].rate < 11.4;
        CHECK_WHOLE(rows[i].row, trace.items[0].held_by, capped ? KS_HELD_BY_CAP : 0);
    }
    CHECK_REAL("barrier", ks_flow_barrier(3.25, 0.5, 0.125), 3.875, 0);
}

/* ---- Random links and flows ------------------------------------------------------------------ */

typedef struct network {
    ks_flow_link links[LINKS];
    size_t n_links;
    ks_flow flows[FLOWS];
    int ways[FLOWS][WAY];
    size_t n;
} network;

static network *random_network(world *w, random_numbers *r, bool plainly)
{
    network *net = KS_NEW(w->arena, network);
    net->n_links = 2 * (1 + next_number(r) % (LINKS / 2));
    net->n = 1 + next_number(r) % FLOWS;
    for (size_t i = 0; i < net->n_links; i++) {
        net->links[i] = plain;
        net->links[i].capacity = between(r, 1e9, 60e9);
        if (next_number(r) % 2)
            net->links[i].capacity = 20e9; /* ties */
        if (plainly)
            continue;
        net->links[i].reverse = (int)(i ^ 1);
        net->links[i].duplex = between(r, 0.5, 1);
        net->links[i].duplex_pair = between(r, 0.5, 1);
        if (next_number(r) % 2) {
            net->links[i].loss = between(r, 0, 0.7);
            net->links[i].port = (int)(next_number(r) % ENDS);
        }
    }
    for (size_t f = 0; f < net->n; f++) {
        ks_flow *flow = &net->flows[f];
        *flow = (ks_flow){.links = net->ways[f],
                          .from = (int)(next_number(r) % ENDS),
                          .to = (int)(next_number(r) % ENDS),
                          .via = -1,
                          .bytes = 1e9};
        size_t want = 1 + next_number(r) % WAY;
        for (size_t i = 0; i < want; i++) {
            int link = (int)(next_number(r) % net->n_links);
            bool there = false;
            for (size_t k = 0; k < flow->n_links; k++)
                there |= net->ways[f][k] == link;
            if (!there)
                net->ways[f][flow->n_links++] = link;
        }
        if (next_number(r) % 3 == 0)
            flow->bytes = between(r, 1, 3e9);
        if (next_number(r) % 3 == 0)
            flow->start = between(r, 0, 0.3);
        if (next_number(r) % 4 == 0)
            flow->latency = between(r, 0, 1e-5);
        if (!plainly && next_number(r) % 5 == 0)
            flow->cap = between(r, 1e8, 20e9);
    }
    return net;
}

static ks_flow_sim *sim_of(world *w, const network *net)
{
    ks_flow_sim *sim = ks_flow_sim_new(w->arena, net->links, net->n_links, ENDS, FLOWS);
    assert_non_null(sim);
    for (size_t f = 0; f < net->n; f++)
        CHECK_WHOLE("added", ks_flow_add(sim, &net->flows[f]), f);
    return sim;
}

static bool passes(const ks_flow *flow, int link)
{
    for (size_t i = 0; i < flow->n_links; i++)
        if (flow->links[i] == link)
            return true;
    return false;
}

/* What a link can carry while the flows of items [from, to) are active, worked out anew. */
static double able_to_carry(const network *net, const ks_flow_trace *trace, size_t from, size_t to,
                            int link)
{
    const ks_flow_link *l = &net->links[link];
    const ks_flow *first = &net->flows[trace->items[from].flow];
    bool pair = true, back = false, peers[ENDS] = {false};
    int n = 0;
    for (size_t i = from; i < to; i++) {
        const ks_flow *f = &net->flows[trace->items[i].flow];
        pair = pair && ((f->from == first->from && f->to == first->to) ||
                        (f->from == first->to && f->to == first->from));
        back = back || (l->reverse >= 0 && passes(f, l->reverse));
        if (passes(f, link))
            peers[l->port == f->from ? f->to : f->from] = true;
    }
    for (int i = 0; i < ENDS; i++)
        n += peers[i];
    double able = l->capacity * (back ? (pair ? l->duplex_pair : l->duplex) : 1);
    return n && l->loss > 0 ? able * (1 - l->loss + l->loss / n) : able;
}

/* The rates of one interval, items [from, to) of a trace, are max-min fair. */
static void check_certificate(const network *net, const ks_flow_trace *trace, size_t from,
                              size_t to)
{
    for (size_t i = from; i < to; i++) {
        const ks_flow_span *s = &trace->items[i];
        const ks_flow *flow = &net->flows[s->flow];
        double sum = 0, fastest = 0;
        if (s->held_by == KS_HELD_BY_CAP) {
            CHECK_REAL("capped", s->rate, flow->cap, 1e-8);
            continue;
        }
        CHECK("held by a link on its way", s->held_by >= 0 && passes(flow, s->held_by));
        for (size_t k = from; k < to; k++) {
            const ks_flow_span *other = &trace->items[k];
            if (!passes(&net->flows[other->flow], s->held_by))
                continue;
            sum += other->rate;
            fastest = other->rate > fastest ? other->rate : fastest;
        }
        CHECK("nobody on it is faster", fastest <= s->rate * (1 + 1e-7));
        CHECK_REAL("it is full", sum, able_to_carry(net, trace, from, to, s->held_by), 1e-7);
    }
    for (size_t l = 0; l < net->n_links; l++) {
        double sum = 0;
        for (size_t k = from; k < to; k++)
            if (passes(&net->flows[trace->items[k].flow], (int)l))
                sum += trace->items[k].rate;
        CHECK("no link carries too much",
              sum <= able_to_carry(net, trace, from, to, (int)l) * (1 + 1e-7));
    }
}

static void check_network(world *w, const network *net)
{
    ks_flow_result r[FLOWS], again[FLOWS];
    ks_flow_trace trace;
    double sent[FLOWS] = {0};
    ks_flow_sim *sim = sim_of(w, net);
    CHECK_WHOLE("run", ks_flow_run_traced(sim, w->arena, r, &trace), KS_FLOW_OK);
    for (size_t i = 0, next; i < trace.n; i = next) {
        for (next = i; next < trace.n && trace.items[next].from <= trace.items[i].from; next++)
            sent[trace.items[next].flow] += trace.items[next].rate *
                                            (trace.items[next].to - trace.items[next].from);
        check_certificate(net, &trace, i, next);
    }
    for (size_t f = 0; f < net->n; f++) {
        const ks_flow *flow = &net->flows[f];
        CHECK("sent", fabs(sent[f] - flow->bytes) <= 1e-6 * flow->bytes + 1);
        CHECK_REAL("start", r[f].start, flow->start + flow->latency, 1e-12);
        CHECK("finish", r[f].finish > r[f].start);
    }
    for (size_t l = 0; l < net->n_links; l++)
        CHECK("carried", trace.carried[l] <= trace.possible[l] * (1 + 1e-6) + 1);
    CHECK_WHOLE("run", ks_flow_run(sim, again), KS_FLOW_OK);
    for (size_t f = 0; f < net->n; f++) {
        CHECK_REAL("again", again[f].finish, r[f].finish, 0);
        CHECK_WHOLE("again", again[f].held_by, r[f].held_by);
    }
}

static void rates_are_max_min_fair(void **state)
{
    world *w = *state;
    random_numbers r = {88172645463325252u};
    for (int i = 0; i < 400; i++)
        check_network(w, random_network(w, &r, i % 2 == 0));
}

static void order_does_not_matter(void **state)
{
    world *w = *state;
    random_numbers r = {1234567891011u};
    for (int i = 0; i < 100; i++) {
        network *net = random_network(w, &r, i % 2 == 0);
        network *other = KS_NEW(w->arena, network);
        ks_flow_result a[FLOWS], b[FLOWS];
        *other = *net;
        for (size_t f = 0; f < net->n; f++)
            other->flows[f] = net->flows[net->n - 1 - f];
        assert_int_equal(ks_flow_run(sim_of(w, net), a), KS_FLOW_OK);
        assert_int_equal(ks_flow_run(sim_of(w, other), b), KS_FLOW_OK);
        for (size_t f = 0; f < net->n; f++)
            CHECK_REAL("backwards", b[net->n - 1 - f].finish, a[f].finish, 1e-6);
    }
}

/* A simulation that was used before gives what a new one gives. */
static void clearing_leaves_nothing(void **state)
{
    world *w = *state;
    random_numbers r = {424242424242u};
    for (int i = 0; i < 100; i++) {
        network *net = random_network(w, &r, i % 2 == 0);
        ks_flow_result a[FLOWS], b[FLOWS];
        ks_flow_sim *sim = sim_of(w, net);
        static const int nowhere[] = {0, 99};
        ks_flow bad = net->flows[0];
        bad.links = nowhere;
        bad.n_links = 2;
        assert_int_equal(ks_flow_run(sim, a), KS_FLOW_OK);
        ks_flow_clear(sim);
        for (size_t f = 0; f < net->n; f += 2)
            ks_flow_add(sim, &net->flows[f]);
        assert_int_equal(ks_flow_run(sim, b), KS_FLOW_OK);
        ks_flow_clear(sim);
        CHECK("a link that is not there", ks_flow_add(sim, &bad) < 0);
        for (size_t f = 0; f < net->n; f++)
            ks_flow_add(sim, &net->flows[f]);
        assert_int_equal(ks_flow_run(sim, b), KS_FLOW_OK);
        for (size_t f = 0; f < net->n; f++)
            CHECK_REAL("once more", b[f].finish, a[f].finish, 1e-9);
    }
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void bad_links(void **state)
{
    static const struct {
        const char *row;
        ks_flow_link link;
    } rows[] = {
        {"no capacity", {0, 1, 1, 0, -1, -1}},
        {"negative", {-5e9, 1, 1, 0, -1, -1}},
        {"no number", {(double)NAN, 1, 1, 0, -1, -1}},
        {"infinite", {HUGE_VAL, 1, 1, 0, -1, -1}},
        {"duplex 0", {5e9, 0, 1, 0, -1, -1}},
        {"duplex above 1", {5e9, 1, 1.25, 0, -1, -1}},
        {"loss of all", {5e9, 1, 1, 1, -1, -1}},
        {"its own reverse", {5e9, 1, 1, 0, 0, -1}},
        {"reverse of nothing", {5e9, 1, 1, 0, 7, -1}},
        {"port of nothing", {5e9, 1, 1, 0, -1, 3}},
    };
    world *w = *state;
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK(rows[i].row, ks_flow_sim_new(w->arena, &rows[i].link, 1, 3, 4) == NULL);
    CHECK("too many flows", ks_flow_sim_new(w->arena, NULL, 0, 3, 1000000) == NULL);
    CHECK("too many links", ks_flow_sim_new(w->arena, NULL, SIZE_MAX / 2, 3, 4) == NULL);
    CHECK("nothing at all", ks_flow_sim_new(w->arena, NULL, 0, 0, 0) != NULL);
}

static void bad_flows(void **state)
{
    static const int way[] = {0}, beyond[] = {1}, negative[] = {-1};
    const ks_flow good = {.links = way, .n_links = 1, .from = 0, .to = 1, .via = -1, .bytes = 5e6};
    world *w = *state;
    ks_flow_link link = plain;
    link.capacity = 1.5;
    ks_flow_sim *sim = ks_flow_sim_new(w->arena, &link, 1, 2, 2);
    ks_flow_result r[2];
    ks_flow bad[12];
    for (size_t i = 0; i < KS_COUNT(bad); i++)
        bad[i] = good;
    bad[0].links = beyond;
    bad[1].links = negative;
    bad[2].bytes = 0;
    bad[3].bytes = (double)NAN;
    bad[4].bytes = -7;
    bad[5].start = HUGE_VAL;
    bad[6].latency = -0.5;
    bad[7].cap = (double)NAN;
    bad[8].from = 2;
    bad[9].to = -1;
    bad[10].n_links = 0; /* no limit at all */
    bad[11].via = 2;
    for (size_t i = 0; i < KS_COUNT(bad); i++)
        CHECK_WHOLE("refused", ks_flow_add(sim, &bad[i]), -1);
    CHECK_WHOLE("none", ks_flow_run(sim, r), KS_FLOW_OK);
    CHECK_WHOLE("one", ks_flow_add(sim, &good), 0);
    CHECK_WHOLE("slow, but it ends", ks_flow_run(sim, r), KS_FLOW_OK);
    CHECK_REAL("slow, but it ends", r[0].finish, 5e6 / 1.5, 1e-12);
    CHECK_WHOLE("two", ks_flow_add(sim, &good), 1);
    CHECK_WHOLE("less than a byte a second", ks_flow_run(sim, r), KS_FLOW_STUCK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(two_links),
        IN_WORLD(losses),
        IN_WORLD(rates_are_max_min_fair),
        IN_WORLD(order_does_not_matter),
        IN_WORLD(clearing_leaves_nothing),
        IN_WORLD(bad_links),
        IN_WORLD(bad_flows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
