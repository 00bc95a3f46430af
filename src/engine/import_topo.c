#include "engine/import_topo.h"

#include "model/processor.h"
#include "model/topology_file.h"
#include "model/topology_machine.h"
#include "read/yaml.h"

#include <ctype.h>

enum { LONGEST_NAME = 40, MOST_KINDS = 12 };

typedef struct draft {
    const ks_catalog *catalog;
    ks_arena *arena;
    const ks_topology *told;
    ks_str path, gpu, gpu_from;
    ks_builder body;
} draft;

/* ---- Names. --------------------------------------------------------------------------------------------- */

static ks_str base_name(ks_str path)
{
    size_t at = path.n, end;
    while (at > 0 && path.s[at - 1] != '/')
        at--;
    path = ks_slice(path, at, path.n);
    for (end = path.n; end > 1 && path.s[end - 1] != '.';)
        end--;
    return end > 1 ? ks_slice(path, 0, end - 1) : path;
}

/* A name of lower-case letters, digits and "-", as machine files have. */
static ks_str plain_name(ks_arena *arena, ks_str text)
{
    ks_builder b = {.arena = arena};
    for (size_t i = 0; i < text.n && b.n < LONGEST_NAME; i++) {
        int c = tolower((unsigned char)text.s[i]);
        bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.';
        if (plain)
            ks_addf(&b, "%c", c);
        else if (b.n && b.items[b.n - 1] != '-')
            ks_add(&b, KS_STR("-"));
    }
    while (b.n && b.items[b.n - 1] == '-')
        b.n--;
    return b.n ? ks_built(&b) : KS_STR("machine");
}

/* A name from the file, without what YAML or a comment could take amiss. */
static ks_str clean(ks_arena *arena, ks_str text)
{
    ks_builder b = {.arena = arena};
    for (size_t i = 0; i < text.n; i++) {
        char c = text.s[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '-' || c == '.' || c == '/' || c == ':';
        ks_addf(&b, "%c", plain ? c : '_');
    }
    return ks_built(&b);
}

/* ---- Which GPU. ----------------------------------------------------------------------------------------- */

static double capability_of(const ks_catalog *catalog, ks_str name)
{
    const ks_doc *file = ks_catalog_find(catalog, "gpu", name, (ks_span){0});
    ks_gpu_kind kind = {name, file, file};
    return file ? ks_gpu_link_of(&kind).capability : 0;
}

/* "h100-sxm, h200": the GPUs that have the capability which the file tells. */
static ks_str kinds_of(const draft *d, double capability, size_t *n)
{
    size_t n_names;
    ks_builder b = {.arena = d->arena};
    ks_str *names = ks_catalog_names(d->catalog, "gpu", &n_names);
    *n = 0;
    for (size_t i = 0; i < n_names; i++) {
        double own = ks_equal_c(names[i], "common") ? 0 : capability_of(d->catalog, names[i]);
        if (own < capability || own > capability || (*n)++ >= MOST_KINDS)
            continue;
        ks_addf(&b, "%s%.*s", b.n ? ", " : "", KS_ARG(names[i]));
    }
    return ks_built(&b);
}

static double told_capability(const ks_topology *told)
{
    return told->gpus.n ? told->devices.items[told->gpus.items[0]].capability : 0;
}

static bool find_gpu(draft *d, ks_str asked)
{
    double capability = told_capability(d->told);
    size_t n = 0;
    ks_str kinds = capability > 0 ? kinds_of(d, capability, &n) : KS_STR("");
    if (asked.n) {
        const ks_source *source = ks_source_new(d->arena, KS_STR("--machine"), asked);
        ks_doc doc = {.kind = KS_SCALAR,
                      .text = asked,
                      .span = {source, 0, (uint32_t)asked.n},
                      .exact = true};
        ks_machine machine = {.count = 0};
        if (!ks_read_machine(d->catalog, &doc, &machine))
            return false;
        d->gpu = machine.gpu_name;
        d->gpu_from = KS_STR("--machine");
        return true;
    }
    if (d->told->gpus.n) {
        d->gpu = ks_find_gpu(d->catalog, &d->told->devices.items[d->told->gpus.items[0]]);
        d->gpu_from = KS_STR("by its PCI ids");
        if (d->gpu.n)
            return true;
    }
    if (n == 1) {
        d->gpu = kinds;
        d->gpu_from = ks_format(
            d->arena, "the one GPU with compute capability %.1f that kvsim knows", capability);
        return true;
    }
    ks_error(d->catalog->diags, KS_L003, (ks_span){0}, "%.*s does not tell the GPU: say --machine",
             KS_ARG(d->path));
    if (n)
        ks_add_note(d->catalog->diags, (ks_span){0}, "with compute capability %.1f: %.*s%s",
                    capability, KS_ARG(kinds), n > MOST_KINDS ? ", ..." : "");
    else
        ks_add_note(d->catalog->diags, (ks_span){0}, "--machine takes a name of `kvsim list gpu`");
    return false;
}

/* ---- Lines. --------------------------------------------------------------------------------------------- */

/* "  # box.xml:12" */
static void end_line(draft *d, ks_span at)
{
    if (at.source)
        ks_addf(&d->body, "  # line %u", ks_position_of(at).line);
    ks_add(&d->body, KS_STR("\n"));
}

static ks_str above(const draft *d, const ks_device *device)
{
    if (device->parent >= 0)
        return clean(d->arena, d->told->devices.items[device->parent].name);
    return ks_format(d->arena, "%lld", (long long)d->told->numas.items[device->numa].id);
}

static void add_sockets(draft *d)
{
    ks_add(&d->body, KS_STR("sockets:\n"));
    for (size_t i = 0; i < d->told->numas.n; i++) {
        const ks_numa *numa = &d->told->numas.items[i];
        ks_str cpu = numa->cpu.n ? numa->cpu : ks_find_cpu(d->catalog, numa);
        ks_addf(&d->body, "  - {id: %lld", (long long)numa->id);
        if (numa->vendor != KS_CPU_UNKNOWN)
            ks_addf(&d->body, ", vendor: %s", ks_cpu_vendor_word(numa->vendor));
        if (cpu.n)
            ks_addf(&d->body, ", cpu: %.*s", KS_ARG(cpu));
        else if (numa->family >= 0 && numa->model >= 0)
            ks_addf(&d->body, ", family: %lld, model: %lld", (long long)numa->family,
                    (long long)numa->model);
        if (numa->package >= 0)
            ks_addf(&d->body, ", package: %lld", (long long)numa->package);
        ks_add(&d->body, KS_STR("}"));
        end_line(d, numa->at);
    }
}

/* ", gen: 5, width: 16, bus: 0000:16:00.0, pci: 1000:c030": what is told of a device and its link. */
static void add_link(draft *d, const ks_device *device)
{
    int64_t generation = ks_generation(device->lane_rate);
    if (generation)
        ks_addf(&d->body, ", gen: %lld", (long long)generation);
    if (device->width)
        ks_addf(&d->body, ", width: %lld", (long long)device->width);
    if (device->bus_id.n)
        ks_addf(&d->body, ", bus: \"%.*s\"", KS_ARG(clean(d->arena, device->bus_id)));
    if (device->vendor_id < 0 || device->device_id < 0)
        return;
    ks_addf(&d->body, ", pci: \"%04llx:%04llx", (unsigned long long)device->vendor_id,
            (unsigned long long)device->device_id);
    if (device->subvendor_id >= 0 && device->subdevice_id >= 0)
        ks_addf(&d->body, ":%04llx:%04llx", (unsigned long long)device->subvendor_id,
                (unsigned long long)device->subdevice_id);
    ks_add(&d->body, KS_STR("\""));
}

/* The port that counts for a card: its fastest. */
static const ks_net *fastest_port(const ks_topology *told, size_t nic)
{
    const ks_net *fastest = NULL;
    for (size_t i = 0; i < told->nets.n; i++) {
        const ks_net *net = &told->nets.items[i];
        if ((size_t)net->device == nic && (!fastest || net->rate > fastest->rate))
            fastest = net;
    }
    return fastest;
}

static void add_devices(draft *d, enum ks_device_kind kind, const char *section)
{
    bool begun = false;
    for (size_t i = 0; i < d->told->devices.n; i++) {
        const ks_device *device = &d->told->devices.items[i];
        if (device->kind != kind)
            continue;
        if (!begun)
            ks_addf(&d->body, "%s:\n", section);
        begun = true;
        ks_add(&d->body, KS_STR("  - {id: "));
        if (kind == KS_DEVICE_GPU)
            ks_addf(&d->body, "%lld", (long long)device->gpu);
        else
            ks_add(&d->body, clean(d->arena, device->name));
        ks_addf(&d->body, ", at: %.*s", KS_ARG(above(d, device)));
        add_link(d, device);
        const ks_net *port = kind == KS_DEVICE_NIC ? fastest_port(d->told, i) : NULL;
        if (port && port->rate > 0)
            ks_addf(&d->body, ", rate: %.10g GB/s", port->rate / 1e9);
        if (port && port->gpu_direct)
            ks_add(&d->body, KS_STR(", gpu_direct: true"));
        ks_add(&d->body, KS_STR("}"));
        end_line(d, device->at);
    }
}

static void add_p2p(draft *d)
{
    if (d->told->p2p == KS_UNTOLD)
        return;
    ks_addf(&d->body, "p2p: %s", d->told->p2p == KS_YES ? "true" : "false");
    end_line(d, d->told->p2p_at);
}

static void add_nvlinks(draft *d)
{
    const ks_topology *t = d->told;
    if (!t->nvlinks.n)
        return;
    if (t->nvlinks.items[0].peer < 0) {
        ks_addf(&d->body, "nvlink: {kind: switch, links: %lld}",
                (long long)t->nvlinks.items[0].links);
        end_line(d, t->nvlinks.items[0].at);
        return;
    }
    ks_add(&d->body, KS_STR("nvlink:\n  pairs:\n"));
    for (size_t i = 0; i < t->nvlinks.n; i++) {
        const ks_nvlink *n = &t->nvlinks.items[i];
        if (n->peer < 0)
            continue;
        ks_addf(&d->body, "    - [%lld, %lld, %lld]", (long long)n->gpu, (long long)n->peer,
                (long long)n->links);
        end_line(d, n->at);
    }
}

/* ---- The whole file. -------------------------------------------------------------------------------------- */

/* The links as kvsim will take them: what was written must load again. */
static const ks_topology *read_again(const draft *d, ks_str text)
{
    ks_diags *diags = d->catalog->diags;
    ks_str name = ks_format(d->arena, "<machine from %.*s>", KS_ARG(d->path));
    const ks_doc *doc = ks_read_yaml(diags, ks_source_new(d->arena, name, text));
    ks_machine machine = {.count = 0};
    return doc && ks_read_machine(d->catalog, doc, &machine)
               ? ks_topology_of_machine(d->catalog, &machine)
               : NULL;
}

static void add_unknown(ks_builder *b, const ks_topology *topology)
{
    for (size_t i = 0; i < topology->unknown.n; i++)
        ks_addf(b, "# - %.*s\n", KS_ARG(topology->unknown.items[i]));
}

/* In front: where it comes from, and what it cannot know. */
static ks_str with_head(const draft *d, const ks_topology *taken)
{
    ks_builder b = {.arena = d->arena};
    ks_addf(&b,
            "# Written by `kvsim import topo` from %.*s; \"line\" is a line of it.\n# It does not "
            "tell:\n",
            KS_ARG(clean(d->arena, d->path)));
    add_unknown(&b, d->told);
    add_unknown(&b, taken);
    if (d->told->p2p == KS_UNTOLD)
        ks_addf(&b,
                "# - whether GPUs may reach each other over PCIe: taken as the GPU's driver allows "
                "(%s); p2p: says otherwise, and `nvidia-smi topo -p2p rw` tells\n",
                taken->p2p == KS_YES ? "yes" : "no");
    ks_add(&b, KS_STR("# - how peer traffic really behaves: set regime: to what you measured, and "
                      "iommu: if it is on\n"));
    ks_add(&b, ks_built(&d->body));
    return ks_built(&b);
}

ks_str ks_machine_of_topology(const ks_catalog *catalog, ks_str path, ks_str machine)
{
    draft d = {.catalog = catalog, .arena = catalog->diags->arena, .path = path};
    const ks_str nothing = {NULL, 0};
    d.body.arena = d.arena;
    d.told = ks_topology_from_file(catalog->diags, path, (ks_span){0});
    if (!d.told || !find_gpu(&d, machine))
        return nothing;
    ks_addf(&d.body, "kvsim: 1\nmachine: %.*s\n", KS_ARG(plain_name(d.arena, base_name(path))));
    ks_addf(&d.body, "title: \"%zu x %.*s: %.*s\"\n", d.told->gpus.n, KS_ARG(d.gpu),
            KS_ARG(ks_topology_summary(d.arena, d.told)));
    ks_addf(&d.body, "gpu: %.*s  # %.*s\n", KS_ARG(d.gpu), KS_ARG(d.gpu_from));
    add_sockets(&d);
    add_devices(&d, KS_DEVICE_SWITCH, "switches");
    add_devices(&d, KS_DEVICE_GPU, "gpus");
    add_devices(&d, KS_DEVICE_NIC, "nics");
    add_nvlinks(&d);
    add_p2p(&d);
    const ks_topology *taken = read_again(&d, ks_copy(d.arena, ks_built(&d.body)));
    return taken ? with_head(&d, taken) : nothing;
}
