#include "nccl/select.h"

#include "base/num.h"
#include "nccl/graph.h"
#include "nccl/graph_file.h"
#include "nccl/search.h"
#include "nccl/trace.h"
#include "read/file.h"
#include "read/xml.h"

#include <math.h>

typedef struct selector {
    ks_arena *arena;
    ks_diags *diags;
    const ks_nccl_model *model;
    const ks_nccl_ask *ask;
    ks_nccl_net *net;
    ks_nccl_result *result;
    bool p2p_disabled, shm_disabled, nvls_disabled;
    bool level_set;
    int64_t least_channels, most_channels;
    const ks_nccl_setting *graph_file; /* or NULL */
    ks_nccl_graphs graphs;             /* what stands in it */
    bool failed;
} selector;

/* ---- P2P and transports ---------------------------------------------------------------------------- */

static void choose_level(selector *s)
{
    const ks_nccl_model *m = s->model;
    ks_nccl_result *r = s->result;
    enum ks_nccl_path level = m->p2p_level;
    if (s->p2p_disabled) {
        r->p2p_level = KS_PATH_LOC;
        r->p2p_why = KS_STR("NCCL_P2P_DISABLE=1");
        return;
    }
    if (s->level_set) {
        r->p2p_why = KS_STR("NCCL_P2P_LEVEL");
        return;
    }
    if (s->net->vendor == KS_CPU_AMD && s->net->n_gpus <= m->p2p_amd_gpus)
        level = m->p2p_amd;
    else if (s->net->vendor == KS_CPU_INTEL)
        level = m->p2p_intel;
    else if (s->net->vendor == KS_CPU_ARM)
        level = m->p2p_arm;
    else if (s->net->vendor == KS_CPU_ZHAOXIN)
        level = m->p2p_zhaoxin;
    r->p2p_level = level;
    r->p2p_why = ks_format(s->arena, "NCCL %.*s's default here", KS_ARG(m->version));
}

/* True if two GPUs reach each other's memory. Where the driver refuses it, NVLink still does. */
static bool is_p2p(const selector *s, enum ks_nccl_path direct)
{
    return direct <= s->result->p2p_level &&
           (s->result->topology->p2p != KS_NO || direct <= KS_PATH_NVB);
}

static void divert(selector *s)
{
    size_t n = (size_t)s->net->n_gpus;
    bool *p2p = KS_NEW_ARRAY(s->arena, bool, n *n + 1);
    for (size_t i = 0; i < n * n; i++)
        p2p[i] = is_p2p(s, s->net->direct[i].type);
    ks_nccl_divert(s->arena, s->net, p2p);
}

static enum ks_nccl_transport transport_of(const selector *s, enum ks_nccl_path direct)
{
    if (is_p2p(s, direct))
        return direct <= KS_PATH_NVB ? KS_NCCL_BY_NVLINK : KS_NCCL_BY_P2P;
    return s->shm_disabled ? KS_NCCL_BY_NONE : KS_NCCL_BY_SHM;
}

static ks_str why_transport(const selector *s, enum ks_nccl_path direct)
{
    const ks_nccl_result *r = s->result;
    const char *path = ks_nccl_path_word(direct), *level = ks_nccl_path_word(r->p2p_level);
    if (r->topology->p2p == KS_NO && direct > KS_PATH_NVB)
        return KS_STR("the driver refuses P2P over PCIe");
    if (!is_p2p(s, direct))
        return ks_format(s->arena, "the path is %s, and P2P goes up to %s (%.*s)", path, level,
                         KS_ARG(r->p2p_why));
    return ks_format(s->arena, "the path is %s, within %s (%.*s)", path, level, KS_ARG(r->p2p_why));
}

static void find_edges(selector *s)
{
    ks_nccl_result *r = s->result;
    int n = s->net->n_gpus, place[KS_MAX_TOPOLOGY_GPUS] = {0};
    ks_nccl_edge *edges = KS_NEW_ARRAY(s->arena, ks_nccl_edge, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        place[s->net->gpus[i]] = i;
    r->transport = n > 1 ? KS_NCCL_BY_NVLINK : KS_NCCL_BY_NONE;
    for (int i = 0; i < n && n > 1; i++) {
        int from = r->ring.order[i], to = r->ring.order[(i + 1) % n];
        enum ks_nccl_path direct = s->net->direct[place[from] * n + place[to]].type;
        edges[i] = (ks_nccl_edge){from, to, direct, transport_of(s, direct),
                                  why_transport(s, direct)};
        if (edges[i].transport > r->transport)
            r->transport = edges[i].transport;
    }
    r->edges = edges;
    if (n > 1 && r->transport == KS_NCCL_BY_NONE) {
        ks_error(s->diags, KS_N005, s->ask->at,
                 "with NCCL_SHM_DISABLE=1 some GPUs can only reach each other over the network");
        s->failed = true;
    }
}

/* ---- Results --------------------------------------------------------------------------------------- */

/* GB/s as NCCL's 32-bit numbers have it, in B/s: 0.1 is 100000001.49 without rounding. */
static double bytes_a_second(float gbps)
{
    return round((double)gbps * 1e6) * 1e3;
}

static ks_nccl_found found_of(const selector *s, const ks_nccl_graph *graph)
{
    ks_nccl_found found = {.pattern = graph->pattern,
                           .channels = graph->channels,
                           .bandwidth = bytes_a_second(graph->inner),
                           .outer_bandwidth = bytes_a_second(graph->outer),
                           .type = graph->type,
                           .same_channels = graph->same_channels,
                           .fallback = graph->fallback};
    size_t row = graph->pattern == KS_NCCL_NVLS ? 1 : (size_t)s->net->n_gpus;
    int *order = KS_NEW_ARRAY(s->arena, int, (size_t)graph->channels *row + 1);
    for (size_t c = 0; c < (size_t)graph->channels; c++)
        for (size_t i = 0; i < row; i++)
            order[c * row + i] = s->net->gpus[graph->order[c * (size_t)s->net->n_gpus + i]];
    found.order = order;
    return found;
}

static const ks_nccl_pair *pairs_of(const selector *s, const ks_nccl_way *ways)
{
    int n = s->net->n_gpus;
    ks_nccl_pair *pairs = KS_NEW_ARRAY(s->arena, ks_nccl_pair, (size_t)(n * n) + 1);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            pairs[s->net->gpus[i] * n + s->net->gpus[k]] = (ks_nccl_pair){
                ways[i * n + k].type, (double)ways[i * n + k].gbps * 1e9};
    return pairs;
}

static bool searches_nvls(const selector *s)
{
    return s->net->switch_node >= 0 && s->net->least_capability >= s->model->nvls_from &&
           s->net->n_gpus >= s->model->nvls_least_gpus && !s->nvls_disabled;
}

/* The ring's slowest speed is above what NCCL takes a link between NUMA nodes to carry. */
static bool is_numa_fallback(const selector *s)
{
    const ks_nccl_speeds *speeds = ks_nccl_speeds_for(s->model, s->net->least_capability);
    bool crosses = false;
    for (size_t i = 0; i < s->net->n_links; i++)
        crosses |= s->net->links[i].type == KS_PATH_SYS &&
                   s->net->links[i].gbps < speeds->gbps[speeds->n - 1];
    return s->result->ring.fallback && crosses;
}

static void count_channels(selector *s)
{
    ks_nccl_result *r = s->result;
    int64_t n = r->ring.channels < r->tree.channels ? r->ring.channels : r->tree.channels;
    n = 2 * n < s->model->most_channels ? 2 * n : s->model->most_channels;
    n = n < s->most_channels ? n : s->most_channels;
    r->channels = n > s->least_channels ? n : s->least_channels;
}

/* A graph that stands in NCCL_GRAPH_FILE is not searched for. */
static bool take_from_file(const ks_nccl_graph *told, ks_nccl_graph *graph, ks_nccl_trace *trace,
                           const char *what)
{
    if (!told->channels)
        return false;
    *graph = *told;
    ks_nccl_trace_say(trace, ks_format(trace->arena, "the %s is that of NCCL_GRAPH_FILE", what));
    return true;
}

static void run_searches(selector *s)
{
    ks_nccl_result *r = s->result;
    ks_nccl_trace trace = ks_nccl_trace_new(s->arena, s->net);
    ks_nccl_search *search = ks_nccl_search_new(s->arena, s->net, ks_nccl_trace_listener(&trace));
    ks_nccl_graph ring = {
        .pattern = KS_NCCL_RING, .least_channels = 1, .most_channels = (int)s->model->most_rings};
    ks_nccl_trace_say(&trace, ks_format(s->arena,
                                        "the fastest path between two GPUs: %g GB/s; out of a "
                                        "GPU: %g GB/s",
                                        (double)s->net->largest, (double)s->net->total));
    if (!take_from_file(&s->graphs.ring, &ring, &trace, "ring"))
        ks_nccl_search_run(search, &ring);
    r->ring = found_of(s, &ring);
    ks_nccl_trace_say(&trace, KS_STR("trees, with as many channels as the rings:"));
    ks_nccl_graph tree = {.pattern = KS_NCCL_BALANCED_TREE,
                          .least_channels = ring.channels,
                          .most_channels = ring.channels};
    if (!take_from_file(&s->graphs.tree, &tree, &trace, "tree"))
        ks_nccl_search_run(search, &tree);
    r->tree = found_of(s, &tree);
    if (searches_nvls(s)) {
        int heads = s->net->n_gpus < 32 ? s->net->n_gpus : 32;
        ks_nccl_graph nvls = {
            .pattern = KS_NCCL_NVLS, .least_channels = heads, .most_channels = heads};
        ks_nccl_trace_say(&trace, KS_STR("NVLink SHARP, with one channel a GPU:"));
        if (!take_from_file(&s->graphs.nvls, &nvls, &trace, "nvls"))
            ks_nccl_search_run(search, &nvls);
        r->nvls = found_of(s, &nvls);
    }
    ks_nccl_trace_say(&trace, r->ring.fallback
                                  ? KS_STR("no ring was found: the order of the GPUs is taken")
                                  : KS_STR("done"));
    r->trace = trace.lines;
    r->n_trace = trace.n;
    r->fallback = r->ring.fallback || r->tree.fallback;
    r->numa_fallback = is_numa_fallback(s);
    count_channels(s);
}

/* ---- Settings -------------------------------------------------------------------------------------- */

static void refuse(selector *s, const ks_nccl_setting *set, const char *wanted)
{
    ks_error(s->diags, KS_N004, set->at, "%.*s cannot be \"%.*s\": wanted %s", KS_ARG(set->name),
             KS_ARG(set->value), wanted);
    s->failed = true;
}

static int64_t number_of(selector *s, const ks_nccl_setting *set, int64_t most)
{
    double value;
    int64_t n = 0;
    if (ks_parse_decimal(set->value, &value) == set->value.n && set->value.n &&
        ks_to_whole(value, &n) && n >= 0 && n <= most)
        return n;
    refuse(
        s, set,
        ks_to_c(s->arena, ks_format(s->arena, "a whole number from 0 to %lld", (long long)most)));
    return 0;
}

static void read_level(selector *s, const ks_nccl_setting *set)
{
    static const enum ks_nccl_path old[] = {KS_PATH_LOC, KS_PATH_PIX, KS_PATH_PXB,
                                            KS_PATH_PHB, KS_PATH_SYS, KS_PATH_SYS};
    for (int i = 0; i <= KS_PATH_SYS; i++)
        if (ks_equal_c(set->value, ks_nccl_path_word((enum ks_nccl_path)i))) {
            s->result->p2p_level = (enum ks_nccl_path)i;
            s->level_set = true;
            return;
        }
    if (set->value.n && set->value.s[0] >= '0' && set->value.s[0] <= '9') {
        int64_t level = number_of(s, set, 1000);
        s->result->p2p_level = old[level < 5 ? level : 5];
        s->level_set = true;
        return;
    }
    refuse(s, set, "LOC, NVL, PIX, PXB, PHB or SYS");
}

/* One list of NCCL_ALGO or NCCL_PROTO, "Ring,Tree" or "^Tree": sets `on` by word. */
static void read_list(selector *s, const ks_nccl_setting *set, ks_str list,
                      const char *const *words, size_t n, bool *on, const char *wanted)
{
    bool except = ks_starts_with(list, KS_STR("^"));
    list = except ? ks_slice(list, 1, list.n) : list;
    for (size_t i = 0; i < n; i++)
        on[i] = except;
    while (list.n) {
        ks_str rest, word = ks_trim(ks_cut(list, ',', &rest));
        size_t i = 0;
        while (i < n && !ks_same_letters(word, ks_from_c(words[i])))
            i++;
        if (i == n) {
            refuse(s, set, wanted);
            return;
        }
        on[i] = !except;
        list = rest;
    }
}

/* "LIST", "LIST;allreduce:LIST": what holds for all-reduce. */
static bool read_lists(selector *s, const ks_nccl_setting *set, const char *const *words, size_t n,
                       bool *on, const char *wanted)
{
    bool any = false;
    for (ks_str rest = set->value; rest.n;) {
        ks_str list, part = ks_cut(rest, ';', &rest);
        bool has_name = ks_find_byte(part, ':', 0) < part.n;
        ks_str name = ks_trim(ks_cut(part, ':', &list));
        if (has_name && !ks_same_letters(name, ks_from_c("allreduce")))
            continue;
        read_list(s, set, has_name ? list : part, words, n, on, wanted);
        any = true;
    }
    return any;
}

static void read_algorithms(selector *s, const ks_nccl_setting *set)
{
    static const char *const words[] = {"tree", "ring",     "collnetdirect", "collnetchain",
                                        "nvls", "nvlstree", "pat",           "collnet"};
    bool on[KS_COUNT(words)] = {false};
    if (!read_lists(s, set, words, KS_COUNT(words), on, "a list of Ring, Tree, NVLS, ..."))
        return;
    s->result->allows_tree = on[0];
    s->result->allows_ring = on[1];
    s->result->allows_nvls = on[4];
}

static void read_protocols(selector *s, const ks_nccl_setting *set)
{
    static const char *const words[] = {"ll", "ll128", "simple"};
    bool on[KS_COUNT(words)] = {false};
    if (!read_lists(s, set, words, KS_COUNT(words), on, "a list of LL, LL128, Simple"))
        return;
    s->result->allows_ll = on[0];
    s->result->allows_ll128 = on[1] ? KS_YES : KS_NO;
    s->result->allows_simple = on[2];
}

/* True if two names differ by one letter, or by two that stand side by side: variables of NCCL that
 * kvsim need not read lie further from those that it does. */
static bool is_slip(ks_str a, ks_str b)
{
    size_t least = a.n < b.n ? a.n : b.n, most = a.n < b.n ? b.n : a.n, same = 0, from_end = 0;
    while (same < least && a.s[same] == b.s[same])
        same++;
    while (from_end < least - same && a.s[a.n - 1 - from_end] == b.s[b.n - 1 - from_end])
        from_end++;
    return same + from_end + 2 >= most;
}

/* A name that is not read: said where it is a slip, or where it would change the answer. */
static void tell_unread(selector *s, const ks_nccl_setting *set)
{
    static const char *const read[] = {
        "NCCL_P2P_DISABLE",    "NCCL_P2P_LEVEL",     "NCCL_SHM_DISABLE",   "NCCL_NVLS_ENABLE",
        "NCCL_ALGO",           "NCCL_PROTO",         "NCCL_BUFFSIZE",      "NCCL_LL_BUFFSIZE",
        "NCCL_LL128_BUFFSIZE", "NCCL_MIN_NCHANNELS", "NCCL_MAX_NCHANNELS", "NCCL_GRAPH_FILE"};
    static const char *const matter[] = {"NCCL_TOPO_FILE", "NCCL_NTHREADS"};
    ks_str names[KS_COUNT(read)];
    for (size_t i = 0; i < KS_COUNT(read); i++)
        names[i] = ks_from_c(read[i]);
    ks_str nearest = ks_nearest(set->name, names, KS_COUNT(read));
    if (nearest.n && is_slip(nearest, set->name)) {
        ks_warning(s->diags, KS_N004, set->at, "%.*s is no variable that kvsim reads",
                   KS_ARG(set->name));
        ks_suggest(s->diags, set->name, names, KS_COUNT(read));
        return;
    }
    for (size_t i = 0; i < KS_COUNT(matter); i++)
        if (ks_equal_c(set->name, matter[i]))
            ks_warning(s->diags, KS_N004, set->at,
                       "%.*s is not read: NCCL's choice may be another one than told here",
                       KS_ARG(set->name));
}

static void read_setting(selector *s, const ks_nccl_setting *set)
{
    ks_nccl_result *r = s->result;
    const struct {
        const char *name;
        int64_t most, *to;
    } numbers[] = {
        {"NCCL_MIN_NRINGS", 1024, &s->least_channels},
        {"NCCL_MIN_NCHANNELS", 1024, &s->least_channels},
        {"NCCL_MIN_CTAS", 1024, &s->least_channels},
        {"NCCL_MAX_NRINGS", 1024, &s->most_channels},
        {"NCCL_MAX_NCHANNELS", 1024, &s->most_channels},
        {"NCCL_MAX_CTAS", 1024, &s->most_channels},
        {"NCCL_BUFFSIZE", (int64_t)1 << 36, &r->simple_buffer},
        {"NCCL_LL_BUFFSIZE", (int64_t)1 << 36, &r->ll_buffer},
        {"NCCL_LL128_BUFFSIZE", (int64_t)1 << 36, &r->ll128_buffer},
    };
    for (size_t i = 0; i < KS_COUNT(numbers); i++)
        if (ks_equal_c(set->name, numbers[i].name)) {
            *numbers[i].to = number_of(s, set, numbers[i].most);
            return;
        }
    if (ks_equal_c(set->name, "NCCL_P2P_DISABLE"))
        s->p2p_disabled = number_of(s, set, 1000) == 1;
    else if (ks_equal_c(set->name, "NCCL_P2P_LEVEL"))
        read_level(s, set);
    else if (ks_equal_c(set->name, "NCCL_GRAPH_FILE"))
        s->graph_file = set->value.n ? set : NULL;
    else if (ks_equal_c(set->name, "NCCL_SHM_DISABLE"))
        s->shm_disabled = number_of(s, set, 1000) == 1;
    else if (ks_equal_c(set->name, "NCCL_NVLS_ENABLE"))
        s->nvls_disabled = number_of(s, set, 1000) == 0;
    else if (ks_equal_c(set->name, "NCCL_ALGO"))
        read_algorithms(s, set);
    else if (ks_equal_c(set->name, "NCCL_PROTO"))
        read_protocols(s, set);
    else
        tell_unread(s, set);
}

static void read_settings(selector *s)
{
    ks_nccl_result *r = s->result;
    r->allows_ring = r->allows_tree = r->allows_nvls = r->allows_ll = r->allows_simple = true;
    r->ll_buffer = s->model->ll_buffer;
    r->ll128_buffer = s->model->ll128_buffer;
    r->simple_buffer = s->model->simple_buffer;
    s->most_channels = s->model->most_channels;
    for (size_t i = 0; i < s->ask->n_env; i++)
        read_setting(s, &s->ask->env[i]);
    if (s->most_channels > s->model->most_channels)
        s->most_channels = s->model->most_channels;
    if (s->least_channels > s->model->most_channels)
        s->least_channels = s->model->most_channels;
    if (s->most_channels < 1)
        s->most_channels = 1;
}

/* After the net is built: the file names its GPUs. */
static void read_graph_file(selector *s)
{
    const ks_nccl_setting *set = s->graph_file;
    if (!set)
        return;
    const ks_source *source = set->file ? set->file
                                        : ks_read_file(s->diags, set->value, KS_XML_MOST_BYTES,
                                                       set->at, true);
    if (!source || !ks_nccl_read_graphs(s->diags, source, s->net, &s->graphs))
        s->failed = true;
}

/* ---- The whole ------------------------------------------------------------------------------------- */

const ks_nccl_result *ks_nccl_select(ks_diags *diags, const ks_nccl_model *model,
                                     const ks_topology *topology, const ks_nccl_ask *ask)
{
    ks_nccl_result *r = KS_NEW(diags->arena, ks_nccl_result);
    selector s = {.arena = diags->arena, .diags = diags, .model = model, .ask = ask, .result = r};
    int64_t ranks = ask->ranks > 0 ? ask->ranks : (int64_t)topology->gpus.n;
    if (ranks > (int64_t)topology->gpus.n || ranks > KS_MAX_TOPOLOGY_GPUS || ranks < 1) {
        ks_error(diags, KS_N002, ask->at, "%lld ranks, but the machine has %zu GPUs",
                 (long long)ranks, topology->gpus.n);
        return NULL;
    }
    r->model = model;
    r->topology = topology;
    r->ranks = (size_t)ranks;
    read_settings(&s);
    s.net = s.failed ? NULL : ks_nccl_build(diags, model, topology, r->ranks);
    if (!s.net)
        return NULL;
    if (ask->capability > 0)
        s.net->least_capability = s.net->most_capability = ask->capability;
    read_graph_file(&s);
    if (s.failed)
        return NULL;
    r->least_capability = s.net->least_capability;
    r->most_capability = s.net->most_capability;
    choose_level(&s);
    divert(&s);
    r->paths = pairs_of(&s, s.net->ways);
    run_searches(&s);
    find_edges(&s);
    return s.failed ? NULL : r;
}
