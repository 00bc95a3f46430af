/* NCCL's results and its tuning formulas, as part of a program. */
#include "nccl/select.h"

#include "model/tables.h"

static const ks_dim RATE = {1, -1, 0};

typedef struct definer {
    ks_scope scope;
    const ks_nccl_result *r;
    bool failed;
} definer;

static void define(definer *d, const char *name, ks_type type, ks_cell value, const char *meaning)
{
    ks_program *program = d->scope.program;
    ks_cell *values = KS_NEW(program->arena, ks_cell);
    *values = value;
    ks_def def = {.name = ks_format(program->arena, "%.*s%s", KS_ARG(d->scope.prefix), name),
                  .kind = KS_DERIVED,
                  .type = type,
                  .values = values,
                  .n_values = 1,
                  .at = d->r->topology->at,
                  .source = ks_format(program->arena,
                                      "NCCL %.*s's graph search, followed step by "
                                      "step",
                                      KS_ARG(d->r->model->version)),
                  .meaning = ks_from_c(meaning)};
    d->failed |= ks_define(program, &def) < 0;
}

static void whole(definer *d, const char *name, int64_t value, const char *meaning)
{
    define(d, name, (ks_type){KS_WHOLE, KS_NO_DIM}, (ks_cell){.i = value}, meaning);
}

static void in_bytes(definer *d, const char *name, int64_t value, const char *meaning)
{
    define(d, name, (ks_type){KS_WHOLE, KS_BYTE}, (ks_cell){.i = value}, meaning);
}

static void rate(definer *d, const char *name, double value, const char *meaning)
{
    define(d, name, (ks_type){KS_REAL, RATE}, (ks_cell){.f = value}, meaning);
}

static void real(definer *d, const char *name, double value, const char *meaning)
{
    define(d, name, (ks_type){KS_REAL, KS_NO_DIM}, (ks_cell){.f = value}, meaning);
}

static void truth(definer *d, const char *name, bool value, const char *meaning)
{
    define(d, name, (ks_type){KS_TRUTH, KS_NO_DIM}, (ks_cell){.i = value}, meaning);
}

static void word(definer *d, const char *name, const char *value, const char *meaning)
{
    int64_t number = ks_word(d->scope.program, ks_from_c(value));
    define(d, name, (ks_type){KS_WORD, KS_NO_DIM}, (ks_cell){.i = number}, meaning);
}

static void define_found(definer *d)
{
    const ks_nccl_result *r = d->r;
    whole(d, "nccl.ring.channels", r->ring.channels, "rings that the search found");
    rate(d, "nccl.ring.bandwidth", r->ring.bandwidth, "of one ring, as NCCL thinks");
    word(d, "nccl.ring.type", ks_nccl_path_word(r->ring.type), "farthest path of the rings");
    whole(d, "nccl.tree.channels", r->tree.channels, "trees that the search found");
    rate(d, "nccl.tree.bandwidth", r->tree.bandwidth, "of one tree, as NCCL thinks");
    word(d, "nccl.tree.type", ks_nccl_path_word(r->tree.type), "farthest path of the trees");
    truth(d, "nccl.tree.balanced", r->tree.pattern == KS_NCCL_BALANCED_TREE,
          "the trees are of the balanced kind");
    rate(d, "nccl.nvls.bandwidth", r->nvls.bandwidth, "of one head, as NCCL thinks");
    rate(d, "nccl.nvls.outer_bandwidth", r->nvls.outer_bandwidth,
         "of one head into and out of the switches");
    truth(d, "nccl.fallback", r->fallback,
          "the search found nothing, and NCCL takes the order of the ranks");
    real(d, "nccl.most_capability", r->most_capability, "largest compute capability");
}

static void define_transport(definer *d)
{
    const ks_nccl_result *r = d->r;
    size_t shm = 0;
    for (size_t i = 0; i < r->ranks && r->ranks > 1; i++)
        shm += r->edges[i].transport == KS_NCCL_BY_SHM;
    word(d, "nccl.transport", ks_nccl_transport_word(r->transport),
         "slowest kind of transport between neighbours in the ring");
    word(d, "nccl.p2p_level", ks_nccl_path_word(r->p2p_level), "farthest path with P2P");
    whole(d, "nccl.shm_edges", (int64_t)shm, "neighbours in the ring that go through host memory");
    truth(d, "nccl.receives_by_p2p", r->ranks > 1 && shm < r->ranks,
          "some rank receives into buffers in its own GPU's memory");
    truth(d, "nccl.sends_by_p2p", r->ranks > 1 && shm < r->ranks,
          "some rank sends into another GPU's memory");
    in_bytes(d, "nccl.ll_buffer", r->ll_buffer, "NCCL_LL_BUFFSIZE");
    in_bytes(d, "nccl.ll128_buffer", r->ll128_buffer, "NCCL_LL128_BUFFSIZE");
    in_bytes(d, "nccl.simple_buffer", r->simple_buffer, "NCCL_BUFFSIZE");
}

static void define_settings(definer *d)
{
    static const char *const told[] = {"auto", "no", "yes"};
    const ks_nccl_result *r = d->r;
    truth(d, "nccl.allows.ring", r->allows_ring, "NCCL_ALGO");
    truth(d, "nccl.allows.tree", r->allows_tree, "NCCL_ALGO");
    truth(d, "nccl.allows.nvls", r->allows_nvls, "NCCL_ALGO");
    truth(d, "nccl.allows.ll", r->allows_ll, "NCCL_PROTO");
    truth(d, "nccl.allows.simple", r->allows_simple, "NCCL_PROTO");
    word(d, "nccl.allows.ll128", told[r->allows_ll128], "NCCL_PROTO; auto: by NCCL's rule");
}

/* What the memory of a communicator hangs on, and its formulas. */
static bool define_memory(definer *d)
{
    const ks_nccl_result *r = d->r;
    const ks_doc *doc = r->model->doc;
    whole(d, "nccl.nvls.channels", r->nvls.channels, "NVLink SHARP heads; 0: not used");
    whole(d, "nccl.channels", r->channels, "channels of the communicator");
    real(d, "nccl.capability", r->least_capability, "least compute capability");
    define_transport(d);
    return ks_define_tables(&d->scope, ks_member_of(doc, "memory_tables")) &&
           ks_define_section(&d->scope, ks_member_of(doc, "memory")) && !d->failed;
}

bool ks_define_nccl_memory(ks_program *program, const ks_nccl_result *result)
{
    const ks_doc *doc = result->model->doc;
    definer d = {{program, {NULL, 0}, ks_member_of(doc, "sources")}, result, false};
    return define_memory(&d);
}

bool ks_define_nccl(ks_program *program, const ks_nccl_result *result, ks_str prefix)
{
    const ks_doc *doc = result->model->doc;
    definer d = {{program, prefix, ks_member_of(doc, "sources")}, result, false};
    define_found(&d);
    define_settings(&d);
    bool good = define_memory(&d);
    good &= ks_define_section(&d.scope, ks_member_of(doc, "constants"));
    good &= ks_define_tables(&d.scope, ks_member_of(doc, "tables"));
    good &= ks_define_section(&d.scope, ks_member_of(doc, "entries"));
    return good;
}

static int64_t most_threads(const ks_nccl_result *r, bool ring, bool nvls, ks_str protocol)
{
    const ks_nccl_model *m = r->model;
    if (nvls)
        return m->threads_nvls;
    if (ks_equal_c(protocol, "ll"))
        return m->threads_ll;
    if (ks_equal_c(protocol, "ll128"))
        return m->threads_ll128;
    double rings = (double)r->ring.channels * r->ring.bandwidth;
    return ring && rings <= (double)m->narrow * 1e9 ? m->threads_narrow : m->threads_simple;
}

ks_nccl_width ks_nccl_width_for(const ks_nccl_result *r, ks_str algorithm, ks_str protocol,
                                int64_t bytes)
{
    const ks_nccl_model *m = r->model;
    bool ring = ks_equal_c(algorithm, "ring"), nvls = ks_equal_c(algorithm, "nvls");
    int64_t work = ks_equal_c(protocol, "ll")      ? m->work_ll * (ring ? (int64_t)r->ranks : 1)
                   : ks_equal_c(protocol, "ll128") ? m->work_ll128
                                                   : m->work_simple;
    ks_nccl_width width = {r->channels, most_threads(r, ring, nvls, protocol)};
    while (bytes < width.channels * width.threads * work && width.channels > 1)
        width.channels--;
    while (bytes < width.channels * width.threads * work && width.threads % 128 == 0)
        width.threads /= 2;
    return width;
}
