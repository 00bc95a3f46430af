#include "model/topology_xml.h"

#include "base/num.h"
#include "read/xml.h"

#include <string.h>

static const char shipped[] = "a file that cloud providers ship (NCCL_TOPO_FILE) holds a part of "
                              "the machine, and NCCL adds the "
                              "rest: let it write the whole with NCCL_TOPO_DUMP_FILE=FILE";

typedef struct maker {
    ks_arena *arena;
    ks_diags *diags;
    ks_topology *topology;
    int numa; /* the node whose devices are read */
    size_t switches, nics;
    bool left_out; /* the warning was given */
    bool failed;
} maker;

static void fail(maker *m, enum ks_code code, ks_span span, const char *text)
{
    ks_error(m->diags, code, span, "%s", text);
    m->failed = true;
}

/* The attribute, or NULL after an error. */
static const ks_xml_attribute *need(maker *m, const ks_xml *element, const char *name)
{
    const ks_xml_attribute *a = ks_xml_need(m->diags, element, name);
    m->failed = m->failed || !a;
    return a;
}

static void wrong(maker *m, const ks_xml_attribute *a, const char *wanted)
{
    ks_error(m->diags, KS_X006, a->span, "\"%.*s\" cannot be %.*s: wanted %s", KS_ARG(a->name),
             KS_ARG(a->value), wanted);
    m->failed = true;
}

static int64_t whole_of(maker *m, const ks_xml_attribute *a, int64_t low, int64_t high)
{
    uint64_t value;
    bool negative = low < 0 && ks_starts_with(a->value, KS_STR("-"));
    ks_str digits = ks_slice(a->value, negative, a->value.n);
    if (ks_parse_digits(digits, 10, &value) && value <= (uint64_t)high &&
        (negative ? -(int64_t)value : (int64_t)value) >= low)
        return negative ? -(int64_t)value : (int64_t)value;
    wrong(m, a,
          ks_to_c(m->arena, ks_format(m->arena, "a number from %lld to %lld", (long long)low,
                                      (long long)high)));
    return low;
}

static int64_t need_whole(maker *m, const ks_xml *element, const char *name, int64_t low,
                          int64_t high)
{
    const ks_xml_attribute *a = need(m, element, name);
    return a ? whole_of(m, a, low, high) : low;
}

static int64_t whole_or(maker *m, const ks_xml *element, const char *name, int64_t low,
                        int64_t high, int64_t otherwise)
{
    const ks_xml_attribute *a = ks_xml_find(element, name);
    return a ? whole_of(m, a, low, high) : otherwise;
}

/* ---- CPUs ---------------------------------------------------------------------------------------- */

static enum ks_cpu_vendor vendor_of(maker *m, const ks_xml *cpu)
{
    static const struct {
        const char *arch, *vendor;
        enum ks_cpu_vendor is;
    } rows[] = {
        {"x86_64", "GenuineIntel", KS_CPU_INTEL},
        {"x86_64", "AuthenticAMD", KS_CPU_AMD},
        {"x86_64", "CentaurHauls", KS_CPU_ZHAOXIN},
        {"x86_64", "  Shanghai  ", KS_CPU_ZHAOXIN},
        {"arm64", NULL, KS_CPU_ARM},
        {"ppc64", NULL, KS_CPU_POWER},
    };
    const ks_xml_attribute *arch = need(m, cpu, "arch");
    if (!arch)
        ks_add_note(m->diags, (ks_span){0}, "%s", shipped);
    const ks_xml_attribute *vendor = arch && ks_equal_c(arch->value, "x86_64")
                                         ? need(m, cpu, "vendor")
                                         : NULL;
    for (size_t i = 0; arch && i < KS_COUNT(rows); i++)
        if (ks_equal_c(arch->value, rows[i].arch) &&
            (!rows[i].vendor || (vendor && ks_equal_c(vendor->value, rows[i].vendor))))
            return rows[i].is;
    return KS_CPU_UNKNOWN;
}

static void read_cpu(maker *m, const ks_xml *cpu)
{
    ks_numa numa = {.package = -1, .family = -1, .model = -1, .at = cpu->span};
    if (m->topology->numas.n == KS_MAX_NUMA) {
        fail(m, KS_X002, cpu->span, "more NUMA nodes than a machine can have");
        return;
    }
    numa.id = need_whole(m, cpu, "numaid", -1, 65535);
    if (numa.id < 0) /* what Linux says where the firmware names no node, as in virtual machines */
        numa.id = 0;
    numa.vendor = vendor_of(m, cpu);
    if (numa.vendor == KS_CPU_INTEL || numa.vendor == KS_CPU_ZHAOXIN) {
        numa.family = need_whole(m, cpu, "familyid", 0, 65535);
        numa.model = need_whole(m, cpu, "modelid", 0, 65535);
    } else {
        numa.family = whole_or(m, cpu, "familyid", 0, 65535, -1);
        numa.model = whole_or(m, cpu, "modelid", 0, 65535, -1);
    }
    for (size_t i = 0; i < m->topology->numas.n; i++)
        if (m->topology->numas.items[i].id == numa.id) {
            fail(m, KS_X006, cpu->span, "this NUMA node is there twice");
            ks_add_note(m->diags, m->topology->numas.items[i].at, "first here");
        }
    *KS_PUSH(m->arena, &m->topology->numas) = numa;
}

/* ---- PCI devices --------------------------------------------------------------------------------- */

/* Transfers a second of one lane, 0 if the text is none that NCCL knows: it compares beginnings. */
static double lane_rate_of(ks_str text)
{
    static const struct {
        const char *begin;
        double rate;
    } rows[] = {
        {"2.5 GT/s", 2.5e9},      {"5 GT/s", 5e9},          {"8 GT/s", 8e9},
        {"16 GT/s", 16e9},        {"32 GT/s", 32e9},        {"5.0 GT/s PCIe", 5e9},
        {"8.0 GT/s PCIe", 8e9},   {"16.0 GT/s PCIe", 16e9}, {"32.0 GT/s PCIe", 32e9},
        {"64.0 GT/s PCIe", 64e9},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        if (ks_starts_with(text, ks_from_c(rows[i].begin)))
            return rows[i].rate;
    return 0;
}

/* "0000:16:00.0": hexadecimal digits, colons and a point. */
static bool is_bus_id(ks_str text)
{
    bool any = false;
    for (size_t i = 0; i < text.n; i++) {
        if (ks_hex_digit(text.s[i]) < 16)
            any = true;
        else if (text.s[i] != ':' && text.s[i] != '.')
            return false;
    }
    return any && text.n <= 16;
}

static int64_t id_of(maker *m, const ks_xml *pci, const char *name)
{
    return whole_or(m, pci, name, 0, 0xffff, -1);
}

static const ks_xml *child_named(const ks_xml *element, const char *name)
{
    const ks_xml *child = element->first;
    while (child && !ks_xml_is(child, name))
        child = child->next;
    return child;
}

static ks_device *add_device(maker *m, enum ks_device_kind kind, const ks_xml *element, int parent)
{
    if (m->topology->devices.n == KS_MAX_DEVICES) {
        fail(m, KS_X002, element->span, "more devices than a machine can have");
        return NULL;
    }
    ks_device *device = KS_PUSH(m->arena, &m->topology->devices);
    *device = (ks_device){.kind = kind,
                          .parent = parent,
                          .numa = m->numa,
                          .gpu = -1,
                          .vendor_id = -1,
                          .device_id = -1,
                          .subvendor_id = -1,
                          .subdevice_id = -1,
                          .at = element->span};
    return device;
}

static void read_pci_facts(maker *m, ks_device *device, const ks_xml *pci)
{
    const ks_xml_attribute *bus = need(m, pci, "busid"), *speed = need(m, pci, "link_speed");
    if (bus && !is_bus_id(bus->value))
        wrong(m, bus, "an address such as 0000:16:00.0");
    device->bus_id = bus ? bus->value : KS_STR("");
    device->lane_rate = speed ? lane_rate_of(speed->value) : 0;
    device->width = need_whole(m, pci, "link_width", 0, 64);
    device->vendor_id = id_of(m, pci, "vendor");
    device->device_id = id_of(m, pci, "device");
    device->subvendor_id = id_of(m, pci, "subsystem_vendor");
    device->subdevice_id = id_of(m, pci, "subsystem_device");
}

/* `number` is the dev of the file until number_gpus() has sorted them. */
static void read_gpu(maker *m, const ks_xml *pci, const ks_xml *gpu, int parent)
{
    ks_device *device = add_device(m, KS_DEVICE_GPU, pci, parent);
    if (!device)
        return;
    read_pci_facts(m, device, pci);
    device->gpu = need_whole(m, gpu, "dev", 0, 65535);
    device->capability = (double)need_whole(m, gpu, "sm", 0, 999) / 10;
    device->name = ks_format(m->arena, "gpu%lld", (long long)device->gpu);
    if (m->topology->gpus.n == KS_MAX_TOPOLOGY_GPUS) {
        fail(m, KS_X002, gpu->span, "more GPUs than a machine can have");
        return;
    }
    *KS_PUSH(m->arena, &m->topology->gpus) = (int)(m->topology->devices.n - 1);
}

static void read_net(maker *m, const ks_xml *net, int device)
{
    const ks_xml_attribute *name = ks_xml_find(net, "name"), *speed = ks_xml_find(net, "speed");
    uint64_t asic = 0;
    const ks_xml_attribute *guid = ks_xml_find(net, "guid");
    double mbits = 0;
    if (!ks_xml_find(net, "dev"))
        return; /* as NCCL does */
    if (m->topology->nets.n == KS_MAX_NETS) {
        fail(m, KS_X002, net->span, "more network ports than a machine can have");
        return;
    }
    if (guid && !ks_parse_digits(guid->value, 16, &asic))
        wrong(m, guid, "a number of at most 16 hexadecimal digits");
    if (speed && (ks_parse_decimal(speed->value, &mbits) != speed->value.n || mbits > 1e8))
        wrong(m, speed, "a number of Mbit/s");
    *KS_PUSH(m->arena,
             &m->topology->nets) = (ks_net){.device = device,
                                            .name = name ? name->value : KS_STR(""),
                                            .number = need_whole(m, net, "dev", 0, 65535),
                                            .rate = mbits > 0 ? mbits * 1e6 / 8 : 0,
                                            .port = whole_or(m, net, "port", 0, 65535, 0),
                                            .asic = asic,
                                            .gpu_direct = whole_or(m, net, "gdr", 0, 1, 0) == 1,
                                            .at = net->span};
}

/* pci: the NIC's own device, or NULL for one without a place in the tree. */
static void read_nic(maker *m, const ks_xml *pci, const ks_xml *nic, int parent)
{
    ks_device *device = add_device(m, KS_DEVICE_NIC, pci ? pci : nic, parent);
    if (!device)
        return;
    int index = (int)(m->topology->devices.n - 1);
    if (pci)
        read_pci_facts(m, device, pci);
    device->name = ks_format(m->arena, "nic%zu", m->nics++);
    for (const ks_xml *net = nic->first; net; net = net->next)
        if (ks_xml_is(net, "net"))
            read_net(m, net, index);
    for (size_t i = 0; i < m->topology->nets.n; i++)
        if (m->topology->nets.items[i].device == index)
            m->topology->devices.items[index].nic_rate += m->topology->nets.items[i].rate;
}

static bool has_class(const ks_xml_attribute *class_id, const char *begin)
{
    return class_id && ks_starts_with(class_id->value, ks_from_c(begin));
}

/* The tree is not deeper than the XML may be. */
static void read_pci(maker *m, const ks_xml *pci, int parent)
{
    const ks_xml *gpu = child_named(pci, "gpu"), *nic = child_named(pci, "nic");
    const ks_xml_attribute *class_id = need(m, pci, "class");
    if (m->failed)
        return;
    if (gpu || nic) {
        if (gpu)
            read_gpu(m, pci, gpu, parent);
        else
            read_nic(m, pci, nic, parent);
        return;
    }
    if (has_class(class_id, "0x03") || has_class(class_id, "0x02"))
        return; /* a device that NCCL did not use */
    ks_device *device = add_device(m, KS_DEVICE_SWITCH, pci, parent);
    if (!device)
        return;
    int index = (int)(m->topology->devices.n - 1);
    read_pci_facts(m, device, pci);
    device->name = ks_format(m->arena, "s%zu", m->switches++);
    for (const ks_xml *child = pci->first; child && !m->failed; child = child->next)
        if (ks_xml_is(child, "pci"))
            read_pci(m, child, index);
}

/* ---- NVLinks ------------------------------------------------------------------------------------- */

static void leave_out(maker *m, const ks_xml *element, const char *what)
{
    if (!m->left_out)
        ks_warning(m->diags, KS_X007, element->span, "%s are left out: NCCL's answers may differ",
                   what);
    m->left_out = true;
}

/* Bus ids are alike if their digits are, whatever their case. */
static bool same_bus(ks_str a, ks_str b)
{
    for (size_t i = 0; i < a.n && a.n == b.n; i++)
        if (a.s[i] != b.s[i] &&
            (ks_hex_digit(a.s[i]) > 15 || ks_hex_digit(a.s[i]) != ks_hex_digit(b.s[i])))
            return false;
    return a.n == b.n;
}

/* The GPU with this bus id, by its number, or -1. */
static int64_t gpu_at(const ks_topology *topology, ks_str bus_id)
{
    for (size_t i = 0; i < topology->gpus.n; i++)
        if (same_bus(topology->devices.items[topology->gpus.items[i]].bus_id, bus_id))
            return (int64_t)i;
    return -1;
}

/* Adds to the NVLinks of one GPU to one peer. */
static void add_listed(maker *m, int64_t gpu, int64_t peer, int64_t links, ks_span at)
{
    for (size_t i = 0; i < m->topology->listed.n; i++) {
        ks_nvlink *known = &m->topology->listed.items[i];
        if (known->gpu == gpu && known->peer == peer) {
            known->links += links;
            return;
        }
    }
    if (m->topology->listed.n == 2 * KS_MAX_NVLINKS) {
        fail(m, KS_X002, at, "more NVLinks than a machine can have");
        return;
    }
    *KS_PUSH(m->arena, &m->topology->listed) = (ks_nvlink){gpu, peer, links, at};
}

static void read_nvlink(maker *m, const ks_xml *nvlink, int64_t gpu)
{
    const ks_xml_attribute *class_id = need(m, nvlink, "tclass");
    int64_t links = need_whole(m, nvlink, "count", 1, 64);
    if (m->failed)
        return;
    if (has_class(class_id, "0x068001")) {
        leave_out(m, nvlink, "NVLinks to a CPU");
        return;
    }
    if (!has_class(class_id, "0x03")) {
        add_listed(m, gpu, -1, links, nvlink->span);
        return;
    }
    const ks_xml_attribute *target = need(m, nvlink, "target");
    int64_t peer = target ? gpu_at(m->topology, target->value) : -1;
    if (target && peer == gpu)
        wrong(m, target, "another GPU");
    else if (peer >= 0) /* else a GPU that is not used: NCCL passes it over */
        add_listed(m, gpu, peer, links, nvlink->span);
}

static void read_links_below(maker *m, const ks_xml *element)
{
    for (const ks_xml *child = element->first; child && !m->failed; child = child->next) {
        const ks_xml_attribute *bus = ks_xml_find(element, "busid");
        if (ks_xml_is(child, "pcilink"))
            leave_out(m, child, "links between PCI switches");
        read_links_below(m, child);
        if (!ks_xml_is(child, "gpu") || !bus)
            continue;
        for (const ks_xml *link = child->first; link && !m->failed; link = link->next) {
            if (ks_xml_is(link, "nvlink"))
                read_nvlink(m, link, gpu_at(m->topology, bus->value));
            else if (ks_xml_is(link, "c2c"))
                leave_out(m, link, "the coherent links of a Grace CPU");
        }
    }
}

static const ks_nvlink *seen_from(const ks_topology *topology, int64_t gpu, int64_t peer)
{
    for (size_t i = 0; i < topology->listed.n; i++)
        if (topology->listed.items[i].gpu == gpu && topology->listed.items[i].peer == peer)
            return &topology->listed.items[i];
    return NULL;
}

/* Each pair once; the file has it at both ends. */
static void pair_nvlinks(maker *m)
{
    for (size_t i = 0; i < m->topology->listed.n && !m->failed; i++) {
        const ks_nvlink *link = &m->topology->listed.items[i];
        const ks_nvlink *back = link->peer < 0 ? link
                                               : seen_from(m->topology, link->peer, link->gpu);
        if (!back || back->links != link->links) {
            fail(m, KS_X008, link->at, "these NVLinks are not the same at their other end");
            if (back)
                ks_add_note(m->diags, back->at, "the other end");
        } else if (link->peer < 0 || link->gpu < link->peer)
            *KS_PUSH(m->arena, &m->topology->nvlinks) = *link;
    }
}

/* ---- The whole ----------------------------------------------------------------------------------- */

/* Sorts the GPUs by `dev` and numbers them from 0. */
static void number_gpus(maker *m)
{
    ks_topology *t = m->topology;
    for (size_t i = 1; i < t->gpus.n; i++)
        for (size_t k = i; k > 0; k--) {
            const ks_device *one = &t->devices.items[t->gpus.items[k - 1]];
            const ks_device *two = &t->devices.items[t->gpus.items[k]];
            int swap = t->gpus.items[k];
            if (one->gpu == two->gpu) {
                fail(m, KS_X006, two->at, "two GPUs have the same \"dev\"");
                ks_add_note(m->diags, one->at, "the other one");
                return;
            }
            if (one->gpu < two->gpu)
                break;
            t->gpus.items[k] = t->gpus.items[k - 1];
            t->gpus.items[k - 1] = swap;
        }
    for (size_t i = 0; i < t->gpus.n; i++)
        t->devices.items[t->gpus.items[i]].gpu = (int64_t)i;
}

/* A GPU that does nothing slows its link down, and NCCL writes what it finds. */
static void say_idle_links(maker *m)
{
    ks_builder names = {.arena = m->arena};
    for (size_t i = 0; i < m->topology->gpus.n; i++) {
        const ks_device *gpu = &m->topology->devices.items[m->topology->gpus.items[i]];
        if (ks_generation(gpu->lane_rate) == 1)
            ks_addf(&names, "%s%.*s", names.n ? ", " : "", KS_ARG(gpu->name));
    }
    if (names.n)
        ks_add_unknown(m->arena, m->topology,
                       "the real speed of the links of %.*s: 2.5 GT/s is that of an idle GPU; let "
                       "NCCL write the file while the GPUs work, or look at the slot",
                       KS_ARG(ks_built(&names)));
}

static bool same_host(const ks_xml_attribute *a, const ks_xml_attribute *b)
{
    return (!a && !b) || (a && b && ks_equal(a->value, b->value));
}

static void read_system(maker *m, const ks_xml *system)
{
    const ks_xml *first = child_named(system, "cpu");
    for (const ks_xml *cpu = first; cpu && !m->failed; cpu = cpu->next) {
        if (!ks_xml_is(cpu, "cpu"))
            continue;
        if (!same_host(ks_xml_find(first, "host_hash"), ks_xml_find(cpu, "host_hash"))) {
            fail(m, KS_X004, cpu->span, "this is the topology of several machines");
            return;
        }
        read_cpu(m, cpu);
        m->numa = (int)m->topology->numas.n - 1;
        for (const ks_xml *child = cpu->first; child && !m->failed; child = child->next) {
            if (ks_xml_is(child, "pci"))
                read_pci(m, child, -1);
            else if (ks_xml_is(child, "nic"))
                read_nic(m, NULL, child, -1);
        }
    }
    if (!m->failed && m->topology->gpus.n == 0) {
        fail(m, KS_X004, system->span, "this topology has no GPU");
        ks_add_note(m->diags, (ks_span){0}, "%s", shipped);
    }
    if (!m->failed)
        number_gpus(m);
    if (!m->failed)
        say_idle_links(m);
    if (!m->failed)
        read_links_below(m, system);
    pair_nvlinks(m);
}

bool ks_looks_like_xml(ks_str text)
{
    size_t i = ks_starts_with(text, KS_STR("\xef\xbb\xbf")) ? 3 : 0;
    while (i < text.n && strchr(" \t\r\n", text.s[i]) && text.s[i])
        i++;
    return i < text.n && text.s[i] == '<';
}

ks_topology *ks_topology_from_xml(ks_diags *diags, const ks_source *source)
{
    maker m = {.arena = diags->arena, .diags = diags};
    const ks_xml *root = ks_read_xml(diags, source);
    if (!root)
        return NULL;
    m.topology = KS_NEW(m.arena, ks_topology);
    m.topology->name = source->name;
    m.topology->at = root->span;
    if (ks_xml_is(root, "system"))
        read_system(&m, root);
    else {
        fail(&m, KS_X004, root->span, "a topology begins with <system>");
        if (ks_xml_is(root, "graphs"))
            ks_add_note(diags, (ks_span){0},
                        "this is a graph (NCCL_GRAPH_FILE); a topology is written by "
                        "NCCL_TOPO_DUMP_FILE");
    }
    return m.failed ? NULL : m.topology;
}
