#include "nccl/graph_file.h"

#include "base/num.h"
#include "nccl/words.h"
#include "read/xml.h"

enum { RING = 0, TREE = 1, NVLS = 3, MOST_GBPS = 10000 };

static const float least_gbps = 0.01F;

typedef struct reader {
    ks_diags *diags;
    const ks_nccl_net *net;
    bool failed;
} reader;

static void wrong(reader *r, const ks_xml_attribute *a, const char *wanted)
{
    ks_error(r->diags, KS_X006, a->span, "\"%.*s\" cannot be \"%.*s\": wanted %s", KS_ARG(a->name),
             KS_ARG(a->value), wanted);
    r->failed = true;
}

/* The attribute, or NULL after an error. */
static const ks_xml_attribute *need(reader *r, const ks_xml *element, const char *name)
{
    const ks_xml_attribute *a = ks_xml_need(r->diags, element, name);
    r->failed = r->failed || !a;
    return a;
}

static double need_number(reader *r, const ks_xml *element, const char *name, double high)
{
    const ks_xml_attribute *a = need(r, element, name);
    double value = 0;
    if (!a)
        return 0;
    if (ks_parse_decimal(a->value, &value) != a->value.n || !a->value.n || value < 0 ||
        value > high)
        wrong(r, a, "a number that is not too large");
    return r->failed ? 0 : value;
}

static int64_t need_whole(reader *r, const ks_xml *element, const char *name, int64_t high)
{
    int64_t whole = 0;
    double value = need_number(r, element, name, (double)high);
    if (!r->failed && !ks_to_whole(value, &whole))
        wrong(r, ks_xml_find(element, name), "a whole number");
    return whole;
}

static enum ks_nccl_path need_path(reader *r, const ks_xml *element, const char *name)
{
    const ks_xml_attribute *a = need(r, element, name);
    for (int i = 0; a && i <= KS_PATH_SYS; i++)
        if (ks_equal_c(a->value, ks_nccl_path_word((enum ks_nccl_path)i)))
            return (enum ks_nccl_path)i;
    if (a)
        wrong(r, a, "a type of path, such as NVL, PIX, PXB, PHB or SYS");
    return KS_PATH_LOC;
}

/* `dev`, hexadecimal, as NCCL's own index of the GPU; -1 after an error. */
static int gpu_of(reader *r, const ks_xml *gpu)
{
    const ks_xml_attribute *dev = need(r, gpu, "dev");
    uint64_t number;
    bool good = dev && ks_parse_digits(dev->value, 16, &number);
    for (int i = 0; good && i < r->net->n_gpus; i++)
        if ((uint64_t)ks_gpu_number(r->net->topology, (size_t)r->net->gpus[i]) == number)
            return i;
    if (dev)
        wrong(r, dev, "the number of one of the GPUs that take part");
    return -1;
}

static void read_channel(reader *r, const ks_xml *channel, uint8_t *order, size_t wanted)
{
    size_t n = 0;
    bool seen[KS_MAX_TOPOLOGY_GPUS] = {false};
    for (const ks_xml *gpu = channel->first; gpu && !r->failed; gpu = gpu->next) {
        if (!ks_xml_is(gpu, "gpu"))
            continue;
        int index = gpu_of(r, gpu);
        if (index < 0)
            return;
        if (n == wanted || seen[index]) {
            n = 0; /* too many, or one twice */
            break;
        }
        seen[index] = true;
        order[n++] = (uint8_t)index;
    }
    if (r->failed || n == wanted)
        return;
    ks_error(r->diags, KS_X006, channel->span, "a channel passes each of the %zu GPUs once",
             wanted);
    r->failed = true;
}

static void read_graph(reader *r, const ks_xml *element, enum ks_nccl_pattern pattern,
                       ks_nccl_graph *graph)
{
    int most = (int)r->net->model->most_channels, n = 0;
    size_t row = (size_t)r->net->n_gpus, wanted = pattern == KS_NCCL_NVLS ? 1 : row;
    *graph = (ks_nccl_graph){.pattern = pattern};
    int channels = (int)need_whole(r, element, "nchannels", most);
    graph->inner = (float)need_number(r, element, "speedintra", MOST_GBPS);
    graph->outer = (float)need_number(r, element, "speedinter", MOST_GBPS);
    graph->type = need_path(r, element, "typeintra");
    graph->same_channels = need_whole(r, element, "samechannels", 1) == 1;
    if (!r->failed && channels < 1)
        wrong(r, ks_xml_find(element, "nchannels"), "1 or more");
    if (!r->failed && graph->inner < least_gbps)
        wrong(r, ks_xml_find(element, "speedintra"), "0.01 GB/s or more");
    if (r->failed)
        return;
    graph->order = KS_NEW_ARRAY(r->diags->arena, uint8_t, (size_t)channels * row + 1);
    for (const ks_xml *child = element->first; child && !r->failed; child = child->next)
        if (ks_xml_is(child, "channel") && n++ < channels)
            read_channel(r, child, graph->order + (size_t)(n - 1) * row, wanted);
    if (!r->failed && n != channels)
        wrong(r, ks_xml_find(element, "nchannels"), "the number of its channels");
    graph->channels = channels;
}

bool ks_nccl_read_graphs(ks_diags *diags, const ks_source *source, const ks_nccl_net *net,
                         ks_nccl_graphs *graphs)
{
    reader r = {diags, net, false};
    const ks_xml *root = ks_read_xml(diags, source);
    *graphs = (ks_nccl_graphs){.ring = {.channels = 0}};
    if (!root)
        return false;
    if (!ks_xml_is(root, "graphs")) {
        ks_error(diags, KS_X004, root->span, "a graph file begins with <graphs>");
        ks_add_note(diags, (ks_span){0},
                    "NCCL writes one with NCCL_GRAPH_DUMP_FILE, and kvsim with --graph");
        return false;
    }
    const ks_xml_attribute *version = need(&r, root, "version");
    if (version && !ks_equal_c(version->value, "1"))
        wrong(&r, version, "1, as NCCL does");
    for (const ks_xml *graph = root->first; graph && !r.failed; graph = graph->next) {
        int64_t id = ks_xml_is(graph, "graph") ? need_whole(&r, graph, "id", 100) : -1;
        if (r.failed || id < 0)
            continue;
        if (id == RING)
            read_graph(&r, graph, KS_NCCL_RING, &graphs->ring);
        else if (id == TREE)
            read_graph(&r, graph, KS_NCCL_BALANCED_TREE, &graphs->tree);
        else if (id == NVLS)
            read_graph(&r, graph, KS_NCCL_NVLS, &graphs->nvls);
    }
    return !r.failed;
}

ks_str ks_nccl_write_graphs(ks_arena *arena, const ks_topology *topology, const int *gpus, size_t n,
                            int64_t channels, int64_t gbps)
{
    static const struct {
        int id, pattern;
    } graphs[] = {{RING, 4}, {TREE, 1}};
    ks_builder b = {.arena = arena};
    ks_add(&b, KS_STR("<graphs version=\"1\">\n"));
    for (size_t g = 0; g < KS_COUNT(graphs); g++) {
        ks_addf(&b,
                "  <graph id=\"%d\" pattern=\"%d\" crossnic=\"0\" nchannels=\"%lld\" "
                "speedintra=\"%lld\" speedinter=\"%lld\" latencyinter=\"0\" typeintra=\"PHB\" "
                "typeinter=\"PIX\" samechannels=\"1\">\n",
                graphs[g].id, graphs[g].pattern, (long long)channels, (long long)gbps,
                (long long)gbps);
        for (int64_t c = 0; c < channels; c++) {
            ks_add(&b, KS_STR("    <channel>"));
            for (size_t i = 0; i < n; i++)
                ks_addf(&b, "<gpu dev=\"%llx\"/>",
                        (unsigned long long)ks_gpu_number(topology, (size_t)gpus[i]));
            ks_add(&b, KS_STR("</channel>\n"));
        }
        ks_add(&b, KS_STR("  </graph>\n"));
    }
    ks_add(&b, KS_STR("</graphs>\n"));
    return ks_built(&b);
}
