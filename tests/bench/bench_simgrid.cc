/* The flow simulation beside SimGrid (3.32), in one process: on many random platforms both give every
 * flow the same finish, and how long each takes for an all-to-all of eight GPUs on two switches.
 * Plain max-min in both: no efficiency factors, none of SimGrid's for TCP.
 * usage: bench_simgrid          exit code 1 if any finish differs by more than 1e-6 of itself */
extern "C" {
#include "links/flow.h"
}

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

enum { PLATFORMS = 300, ROUNDS = 400, BLOCKS = 15 };
const double allowance = 1e-6;

struct Flow {
    int from, to;
    std::vector<int> way;
    uint64_t bytes;
};

struct Platform {
    std::vector<double> capacities;
    size_t n_ends;
    std::vector<Flow> flows;
    std::vector<sg4::Host *> hosts;
};

struct Random {
    uint64_t state;
    uint64_t next()
    {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state >> 11;
    }
    size_t below(size_t n)
    {
        return next() % n;
    }
};

double now_s()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

[[noreturn]] void stop(void *)
{
    std::fputs("bench_simgrid: out of memory\n", stderr);
    std::exit(1);
}

double random_capacity(Random &r)
{
    static const double usual[] = {56.3e9, 26.3e9, 12.5e9};
    return r.below(2) ? usual[r.below(3)] : 1e9 + 1e5 * static_cast<double>(r.below(550000));
}

/* Ends below switches below one root: links 2i and 2i + 1 of end i, then two a switch. */
std::vector<int> way_in_tree(const std::vector<int> &below, int from, int to)
{
    int n = static_cast<int>(below.size());
    std::vector<int> way = {2 * from};
    if (below[from] != below[to]) {
        way.push_back(2 * (n + below[from]));
        way.push_back(2 * (n + below[to]) + 1);
    }
    way.push_back(2 * to + 1);
    return way;
}

Platform two_switches()
{
    Platform p;
    p.n_ends = 8;
    p.capacities.assign(20, 56.3e9);
    std::vector<int> below = {0, 0, 0, 0, 1, 1, 1, 1};
    for (int from = 0; from < 8; from++)
        for (int to = 0; to < 8; to++)
            if (from != to)
                p.flows.push_back({from, to, way_in_tree(below, from, to), 1000000000});
    return p;
}

/* A tree, or any links in any order. The way between two ends is always the same one. */
Platform random_platform(Random &r)
{
    Platform p;
    p.n_ends = 2 + r.below(9);
    size_t n_switches = 1 + r.below(4);
    bool tree = r.below(3) != 0;
    std::vector<int> below(p.n_ends);
    std::vector<std::vector<int>> ways(p.n_ends * p.n_ends);
    for (auto &s : below)
        s = static_cast<int>(r.below(n_switches));
    size_t n_links = 2 * (p.n_ends + n_switches);
    for (size_t i = 0; i < n_links; i++)
        p.capacities.push_back(random_capacity(r));
    for (size_t i = 0; i < ways.size(); i++) {
        int from = static_cast<int>(i / p.n_ends), to = static_cast<int>(i % p.n_ends);
        if (from == to)
            continue;
        ways[i] = way_in_tree(below, from, to);
        if (!tree) {
            std::vector<int> all(n_links);
            for (size_t k = 0; k < n_links; k++)
                all[k] = static_cast<int>(k);
            for (size_t k = n_links - 1; k > 0; k--)
                std::swap(all[k], all[r.below(k + 1)]);
            all.resize(1 + r.below(6));
            ways[i] = all;
        }
        if (r.below(4) == 0)
            continue;
        uint64_t bytes = r.below(2) ? 1000000000 : 1000 + r.below(3000000000u);
        p.flows.push_back({from, to, ways[i], bytes});
    }
    return p;
}

void build(Platform &p, sg4::NetZone *root, const std::string &name)
{
    sg4::NetZone *zone = sg4::create_full_zone(name);
    std::vector<sg4::Link *> links;
    zone->set_parent(root);
    for (size_t i = 0; i < p.capacities.size(); i++)
        links.push_back(zone->create_link(name + "l" + std::to_string(i), p.capacities[i])
                            ->set_latency(0.0)
                            ->seal());
    for (size_t i = 0; i < p.n_ends; i++)
        p.hosts.push_back(zone->create_host(name + "h" + std::to_string(i), 1e9)->seal());
    for (const Flow &f : p.flows) {
        std::vector<sg4::LinkInRoute> way;
        for (int link : f.way)
            way.emplace_back(links[link]);
        zone->add_route(p.hosts[f.from]->get_netpoint(), p.hosts[f.to]->get_netpoint(), nullptr,
                        nullptr, way, false);
    }
    zone->seal();
}

/* ---- Each simulator's answer ------------------------------------------------------------------------- */

struct Ours {
    ks_flow_sim *sim;
    std::vector<ks_flow> flows;
    std::vector<ks_flow_result> results;
};

Ours prepare(ks_arena *arena, const Platform &p)
{
    std::vector<ks_flow_link> links(p.capacities.size());
    Ours o;
    for (size_t i = 0; i < links.size(); i++)
        links[i] = {p.capacities[i], 1, 1, 0, -1, -1};
    o.sim = ks_flow_sim_new(arena, links.data(), links.size(), p.n_ends, p.flows.size());
    for (const Flow &f : p.flows)
        o.flows.push_back(
            {f.way.data(), f.way.size(), f.from, f.to, -1, static_cast<double>(f.bytes), 0, 0, 0});
    o.results.resize(p.flows.size());
    return o;
}

bool run_ours(Ours &o)
{
    ks_flow_clear(o.sim);
    return ks_flow_add_all(o.sim, o.flows.data(), o.flows.size()) == o.flows.size() &&
           ks_flow_run(o.sim, o.results.data()) == KS_FLOW_OK;
}

std::vector<sg4::CommPtr> begin_theirs(const Platform &p)
{
    std::vector<sg4::CommPtr> comms;
    comms.reserve(p.flows.size());
    for (const Flow &f : p.flows)
        comms.push_back(sg4::Comm::sendto_async(p.hosts[f.from], p.hosts[f.to], f.bytes));
    return comms;
}

std::vector<double> finishes(const Platform &p)
{
    std::vector<double> finish(p.flows.size());
    std::vector<sg4::CommPtr> comms = begin_theirs(p);
    std::vector<size_t> left(comms.size());
    double start = sg4::Engine::get_clock();
    for (size_t i = 0; i < left.size(); i++)
        left[i] = i;
    while (!comms.empty()) {
        size_t i = static_cast<size_t>(sg4::Comm::wait_any(comms));
        finish[left[i]] = sg4::Engine::get_clock() - start;
        comms.erase(comms.begin() + static_cast<std::ptrdiff_t>(i));
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return finish;
}

/* ---- Comparison ---------------------------------------------------------------------------------------- */

struct Outcome {
    double worst = 0;
    size_t flows = 0;
    bool good = true;
    double theirs = 1, ours = 1, ours_again = 1; /* seconds a collective, the best block */
};

void compare(ks_arena *arena, const std::vector<Platform> &platforms, Outcome &outcome)
{
    for (const Platform &p : platforms) {
        Ours o = prepare(arena, p);
        outcome.good = outcome.good && run_ours(o);
        std::vector<double> theirs = finishes(p);
        for (size_t i = 0; i < theirs.size(); i++) {
            double off = std::fabs(o.results[i].finish - theirs[i]) / theirs[i];
            outcome.worst = std::max(outcome.worst, off);
        }
        outcome.flows += theirs.size();
    }
    outcome.good = outcome.good && outcome.worst <= allowance;
}

/* In turns, so that both see the machine in the same state. */
void measure(ks_arena *arena, const Platform &p, Outcome &outcome)
{
    Ours o = prepare(arena, p);
    for (int block = 0; block < BLOCKS; block++) {
        double start = now_s();
        for (int i = 0; i < ROUNDS / 10; i++)
            sg4::Comm::wait_all(begin_theirs(p));
        outcome.theirs = std::min(outcome.theirs, (now_s() - start) / (ROUNDS / 10));
        start = now_s();
        for (int i = 0; i < ROUNDS; i++)
            run_ours(o);
        outcome.ours = std::min(outcome.ours, (now_s() - start) / ROUNDS);
        start = now_s();
        for (int i = 0; i < ROUNDS; i++)
            ks_flow_run(o.sim, o.results.data());
        outcome.ours_again = std::min(outcome.ours_again, (now_s() - start) / ROUNDS);
    }
}

} // namespace

int main(int argc, char **argv)
{
    static const char *const settings[] = {
        "network/model:CM02",       "network/crosstraffic:0",     "network/weight-S:0",
        "network/latency-factor:1", "network/bandwidth-factor:1", "network/TCP-gamma:0",
        "surf/precision:1e-9",      "maxmin/precision:1e-9",
    };
    std::vector<std::string> words = {argv[0], "--log=root.thresh:critical"};
    for (const char *setting : settings)
        words.push_back(std::string("--cfg=") + setting);
    std::vector<char *> arguments;
    for (std::string &word : words)
        arguments.push_back(&word[0]);
    argc = static_cast<int>(arguments.size());
    arguments.push_back(nullptr);
    sg4::Engine engine(&argc, arguments.data());
    ks_arena *arena = ks_arena_new(0, stop, nullptr);
    Random random = {88172645463325252u};
    Outcome outcome;
    sg4::NetZone *root = sg4::create_full_zone("root");
    std::vector<Platform> platforms;
    for (int i = 0; i < PLATFORMS; i++)
        platforms.push_back(random_platform(random));
    platforms.push_back(two_switches());
    for (size_t i = 0; i < platforms.size(); i++)
        build(platforms[i], root, "p" + std::to_string(i));
    root->seal();
    sg4::Actor::create("compare", platforms.back().hosts[0], [&]() {
        compare(arena, platforms, outcome);
        measure(arena, platforms.back(), outcome);
    });
    engine.run();
    std::printf("flows: %zu platforms, %zu flows: finishes differ from SimGrid's by at most %.1e\n",
                platforms.size(), outcome.flows, outcome.worst);
    std::printf("all-to-all of 8 GPUs, 56 flows (best of %d): SimGrid %.1f us, here %.3f us, ratio "
                "%.0f; run again without adding flows %.3f us, ratio %.0f\n",
                BLOCKS, outcome.theirs * 1e6, outcome.ours * 1e6, outcome.theirs / outcome.ours,
                outcome.ours_again * 1e6, outcome.theirs / outcome.ours_again);
    ks_arena_free(arena);
    return outcome.good ? 0 : 1;
}
