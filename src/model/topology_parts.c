#include "model/topology_parts.h"

#include "base/num.h"
#include "model/processor.h"
#include "read/schema.h"

#include <math.h>

enum { MOST_LANES = 64, MOST_LINKS = 64, NEWEST_GENERATION = 6, LARGEST_ID = 1 << 20 };

/* ---- Entries of lists. ------------------------------------------------------------------------------ */

typedef struct entry {
    const ks_doc *id, *vendor, *cpu, *package, *family, *model, *at, *gen, *width, *acs, *collapse,
        *chip, *gpu, *bus, *pci, *rate, *gpu_direct, *from, *to, *up, *down, *latency;
} entry;

#define FIELD(key, flags)                                                                          \
    {                                                                                              \
#key, KS_FIELD_SCALAR, (flags), offsetof(entry, key)                                       \
    }

static bool read_count(ks_diags *diags, const ks_doc *list, size_t most, const char *what)
{
    if (list->n <= most)
        return true;
    ks_error(diags, KS_T006, list->span, "%zu %s: kvsim takes %zu", list->n, what, most);
    return false;
}

/* A rate or a time, above 0. */
static bool read_above_zero(ks_diags *diags, const ks_doc *doc, ks_dim dim, double *value)
{
    ks_quantity quantity;
    if (!doc)
        return true;
    if (!ks_read_quantity(diags, doc, &quantity))
        return false;
    if (!ks_same_dim(quantity.dim, dim)) {
        ks_wrong_dimension(diags, doc->span, quantity, dim);
        return false;
    }
    *value = quantity.value;
    if (quantity.value > 0 && isfinite(quantity.value))
        return true;
    ks_error(diags, KS_S006, doc->span, "\"%.*s\" must be above 0", KS_ARG(doc->text));
    return false;
}

static bool read_told(ks_diags *diags, const ks_doc *doc, enum ks_told *told)
{
    if (!doc || ks_equal_c(doc->text, "unknown"))
        return true;
    *told = ks_equal_c(doc->text, "on") || ks_equal_c(doc->text, "true") ? KS_YES : KS_NO;
    if (*told == KS_YES || ks_equal_c(doc->text, "off") || ks_equal_c(doc->text, "false"))
        return true;
    ks_error(diags, KS_S005, doc->span, "write on, off or unknown, not \"%.*s\"",
             KS_ARG(doc->text));
    return false;
}

/* Lanes: a power of 2, or 12, up to 32, as PCI Express has them. */
static bool read_width(ks_diags *diags, const ks_doc *doc, int64_t *width)
{
    if (!doc)
        return true;
    if (!ks_read_whole(diags, doc, 1, MOST_LANES, width))
        return false;
    if ((*width & (*width - 1)) == 0 || *width == 12)
        return true;
    ks_error(diags, KS_S006, doc->span, "a link has 1, 2, 4, 8, 16 or 32 lanes, not %lld",
             (long long)*width);
    return false;
}

/* The link above a device. */
static bool read_link(ks_diags *diags, const entry *e, ks_device *device)
{
    int64_t generation = 0;
    if (e->gen && !ks_read_whole(diags, e->gen, 1, NEWEST_GENERATION, &generation))
        return false;
    device->lane_rate = ks_lane_rate(generation);
    return read_width(diags, e->width, &device->width);
}

/* "1000:c030", or with the subsystem's numbers "1000:c030:1000:100b": in hexadecimal digits. */
static bool read_pci(ks_diags *diags, const ks_doc *doc, ks_device *device)
{
    int64_t *numbers[] = {&device->vendor_id, &device->device_id, &device->subvendor_id,
                          &device->subdevice_id};
    size_t n = 0, digits = 0;
    int64_t value = 0;
    for (size_t i = 0; doc && i <= doc->text.n; i++) {
        char c = i < doc->text.n ? doc->text.s[i] : ':';
        int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (c == ':' && digits && n < KS_COUNT(numbers)) {
            *numbers[n++] = value;
            value = 0;
            digits = 0;
        } else if (digit >= 0 && digits < 4) {
            value = 16 * value + digit;
            digits++;
        } else {
            n = 1; /* which is wrong */
            break;
        }
    }
    if (!doc || n == 2 || n == 4)
        return true;
    ks_error(diags, KS_S004, doc->span, "\"%.*s\" is not a pair of PCI numbers such as 1000:c030",
             KS_ARG(doc->text));
    return false;
}

/* "0000:16:00.0", as `lspci -D` and nvidia-smi print it. */
static bool read_bus(ks_diags *diags, const ks_doc *doc, ks_device *device)
{
    bool good = doc && doc->text.n >= 7 && doc->text.n <= 16;
    if (!doc)
        return true;
    for (size_t i = 0; good && i < doc->text.n; i++) {
        char c = doc->text.s[i];
        good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == ':' || c == '.';
    }
    if (!good)
        ks_error(diags, KS_S004, doc->span, "\"%.*s\" is not a bus number such as 0000:16:00.0",
                 KS_ARG(doc->text));
    device->bus_id = doc->text;
    return good;
}

/* ---- Sockets. ----------------------------------------------------------------------------------------- */

static bool read_vendor(ks_diags *diags, const ks_doc *doc, enum ks_cpu_vendor *vendor)
{
    *vendor = ks_cpu_vendor_of(doc->text);
    if (*vendor != KS_CPU_UNKNOWN)
        return true;
    ks_error(diags, KS_S005, doc->span,
             "a processor's vendor is amd, intel, arm, power or zhaoxin, not "
             "\"%.*s\"",
             KS_ARG(doc->text));
    return false;
}

static ks_numa *numa_for(ks_diags *diags, const entry *e, int64_t id, ks_topology *topology,
                         bool add)
{
    int known = ks_find_numa(topology, id);
    if (add && known < 0)
        return ks_add_numa(diags->arena, topology, id, e->id->span);
    if (!add && known >= 0)
        return &topology->numas.items[known];
    if (add) {
        ks_error(diags, KS_T003, e->id->span, "there are two sockets %lld", (long long)id);
        ks_add_note(diags, topology->numas.items[known].at, "the other one");
    } else {
        ks_error(diags, KS_T001, e->id->span, "\"topology\" has no NUMA node %lld", (long long)id);
    }
    return NULL;
}

static bool read_socket(const ks_catalog *catalog, const ks_doc *doc, ks_topology *topology,
                        bool add)
{
    static const ks_field fields[] = {FIELD(id, KS_REQUIRED), FIELD(vendor, 0), FIELD(cpu, 0),
                                      FIELD(package, 0),      FIELD(family, 0), FIELD(model, 0)};
    ks_diags *diags = catalog->diags;
    entry e = {0};
    int64_t id;
    if (!ks_read_fields(diags, doc, "a socket", fields, KS_COUNT(fields), &e) ||
        !ks_read_whole(diags, e.id, 0, LARGEST_ID, &id))
        return false;
    ks_numa *numa = numa_for(diags, &e, id, topology, add);
    if (!numa || (e.package && !ks_read_whole(diags, e.package, 0, LARGEST_ID, &numa->package)) ||
        (e.vendor && !read_vendor(diags, e.vendor, &numa->vendor)) ||
        (e.family && !ks_read_whole(diags, e.family, 0, LARGEST_ID, &numa->family)) ||
        (e.model && !ks_read_whole(diags, e.model, 0, LARGEST_ID, &numa->model)))
        return false;
    return !e.cpu || ks_set_cpu(catalog, numa, e.cpu->text, e.cpu->span);
}

bool ks_read_sockets(const ks_catalog *catalog, const ks_doc *list, ks_topology *topology, bool add)
{
    bool good = read_count(catalog->diags, list, KS_MAX_NUMA, "sockets");
    for (size_t i = 0; good && i < list->n; i++)
        good = read_socket(catalog, list->items[i].value, topology, add);
    if (!good || list->n)
        return good;
    ks_error(catalog->diags, KS_S002, list->span, "a machine has at least one socket");
    return false;
}

/* ---- Where a device hangs. ------------------------------------------------------------------------------ */

static bool is_number(ks_str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.s[i] < '0' || text.s[i] > '9')
            return false;
    return text.n > 0;
}

/* Finds what `at` names: a socket by its number, a switch by its name. False, without an error, if nothing
 * of this name is there. */
static bool find_above(const ks_topology *topology, ks_str at, int *parent, int *numa)
{
    double number = 0;
    *parent = -1;
    if (is_number(at) && at.n < 10) {
        ks_parse_decimal(at, &number);
        *numa = ks_find_numa(topology, (int64_t)number);
        return *numa >= 0;
    }
    *parent = ks_find_device(topology, at);
    if (*parent < 0 || topology->devices.items[*parent].kind != KS_DEVICE_SWITCH)
        return false;
    *numa = topology->devices.items[*parent].numa;
    return true;
}

static void say_unknown_at(ks_diags *diags, const ks_doc *at, const ks_topology *topology)
{
    ks_str *names = KS_NEW_ARRAY(diags->arena, ks_str, topology->devices.n + topology->numas.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < topology->numas.n; i++)
        names[n++] = ks_format(diags->arena, "%lld", (long long)topology->numas.items[i].id);
    for (size_t i = 0; i < topology->devices.n; i++)
        if (topology->devices.items[i].kind == KS_DEVICE_SWITCH)
            names[n++] = topology->devices.items[i].name;
    ks_error(diags, KS_T001, at->span, "there is no socket or switch \"%.*s\"", KS_ARG(at->text));
    if (!is_number(at->text))
        ks_suggest(diags, at->text, names, n);
    ks_add_note(diags, (ks_span){0},
                "\"at\" is the id of an entry of \"sockets\", or of another entry of \"switches\"");
}

/* ---- Switches. ----------------------------------------------------------------------------------------- */

static const ks_field switch_fields[] = {
    FIELD(id, KS_REQUIRED), FIELD(at, KS_REQUIRED), FIELD(gen, 0), FIELD(width, 0), FIELD(acs, 0),
    FIELD(collapse, 0),     FIELD(pci, 0),          FIELD(bus, 0), FIELD(chip, 0)};

static bool check_name(ks_diags *diags, const ks_doc *id, const ks_topology *topology)
{
    int known = ks_find_device(topology, id->text);
    if (known >= 0) {
        ks_error(diags, KS_T003, id->span, "there are two parts \"%.*s\"", KS_ARG(id->text));
        ks_add_note(diags, topology->devices.items[known].at, "the other one");
        return false;
    }
    ks_str gpu = KS_STR("gpu");
    bool like_gpu = ks_starts_with(id->text, gpu) &&
                    is_number(ks_slice(id->text, gpu.n, id->text.n));
    if (!is_number(id->text) && !like_gpu && id->text.n && id->text.n <= 64)
        return true;
    ks_error(diags, KS_S006, id->span, "\"%.*s\" is not the name of a switch", KS_ARG(id->text));
    ks_add_note(diags, (ks_span){0},
                "write one such as s0: plain numbers are sockets, gpu0 is a GPU");
    return false;
}

static bool add_switch(ks_diags *diags, const entry *e, int parent, int numa, ks_topology *topology)
{
    if (!check_name(diags, e->id, topology))
        return false;
    int added = ks_add_device(diags->arena, topology, KS_DEVICE_SWITCH, e->id->text, parent, numa);
    ks_device *device = &topology->devices.items[added];
    device->at = e->id->span;
    device->chip = e->chip ? e->chip->text : (ks_str){NULL, 0};
    return read_link(diags, e, device) && read_told(diags, e->acs, &device->acs) &&
           read_told(diags, e->collapse, &device->collapse) && read_pci(diags, e->pci, device) &&
           read_bus(diags, e->bus, device);
}

/* Which of the entries that are left, if any, has this name. */
static const entry *find_left(const entry *entries, const bool *done, size_t n, ks_str name)
{
    for (size_t i = 0; i < n; i++)
        if (!done[i] && ks_equal(entries[i].id->text, name))
            return &entries[i];
    return NULL;
}

/* Says of those that are left why: the first that hangs on nothing, else a circle. */
static bool say_left(ks_diags *diags, const entry *entries, const bool *done, size_t n,
                     const ks_topology *topology)
{
    const entry *first = NULL;
    for (size_t i = 0; i < n; i++) {
        if (done[i])
            continue;
        first = first ? first : &entries[i];
        if (!find_left(entries, done, n, entries[i].at->text)) {
            say_unknown_at(diags, entries[i].at, topology);
            return false;
        }
    }
    if (!first)
        return false;
    ks_error(diags, KS_T002, first->at->span,
             "the switch \"%.*s\" hangs on itself, by way of \"%.*s\"", KS_ARG(first->id->text),
             KS_ARG(first->at->text));
    ks_add_note(diags, (ks_span){0}, "following \"at\" upwards must end at a socket");
    return false;
}

bool ks_read_switches(ks_diags *diags, const ks_doc *list, ks_topology *topology)
{
    bool good = read_count(diags, list, KS_MAX_DEVICES / 4, "switches");
    entry *entries = KS_NEW_ARRAY(diags->arena, entry, list->n + 1);
    bool *done = KS_NEW_ARRAY(diags->arena, bool, list->n + 1);
    for (size_t i = 0; good && i < list->n; i++)
        good = ks_read_fields(diags, list->items[i].value, "a switch", switch_fields,
                              KS_COUNT(switch_fields), &entries[i]);
    /* Parents first: each round adds those whose parent is there. */
    for (size_t added = 1, left = list->n; good && left; left -= added) {
        added = 0;
        for (size_t i = 0; good && i < list->n; i++) {
            int parent, numa;
            if (done[i] || !find_above(topology, entries[i].at->text, &parent, &numa))
                continue;
            good = add_switch(diags, &entries[i], parent, numa, topology);
            done[i] = true;
            added++;
        }
        if (good && !added)
            return say_left(diags, entries, done, list->n, topology);
    }
    return good;
}

/* ---- GPUs and network cards. ------------------------------------------------------------------------------ */

static const ks_field gpu_fields[] = {FIELD(id, KS_REQUIRED),
                                      FIELD(at, KS_REQUIRED),
                                      FIELD(gen, 0),
                                      FIELD(width, 0),
                                      FIELD(bus, 0),
                                      FIELD(pci, 0),
                                      {"gpu", KS_FIELD_DOC, 0, offsetof(entry, gpu)}};

/* The entries by their ids, which must be 0, 1, 2 ... in some order. */
static bool sort_gpus(ks_diags *diags, const ks_doc *list, entry *entries, const entry **by_id)
{
    bool good = true;
    for (size_t i = 0; i < list->n && good; i++) {
        int64_t id;
        good = ks_read_fields(diags, list->items[i].value, "a GPU", gpu_fields,
                              KS_COUNT(gpu_fields), &entries[i]) &&
               ks_read_whole(diags, entries[i].id, 0, (int64_t)list->n - 1, &id);
        if (!good)
            break;
        if (by_id[id]) {
            ks_error(diags, KS_T003, entries[i].id->span, "there are two GPUs %lld", (long long)id);
            ks_add_note(diags, by_id[id]->id->span, "the other one");
            return false;
        }
        by_id[id] = &entries[i];
    }
    return good;
}

bool ks_read_gpus(ks_diags *diags, const ks_doc *list, ks_topology *topology)
{
    entry *entries = KS_NEW_ARRAY(diags->arena, entry, list->n + 1);
    const entry **by_id = KS_NEW_ARRAY(diags->arena, const entry *, list->n + 1);
    if (!read_count(diags, list, KS_MAX_TOPOLOGY_GPUS, "GPUs") ||
        !sort_gpus(diags, list, entries, by_id))
        return false;
    for (size_t i = 0; i < list->n; i++) {
        const entry *e = by_id[i];
        int parent, numa;
        if (!find_above(topology, e->at->text, &parent, &numa)) {
            say_unknown_at(diags, e->at, topology);
            return false;
        }
        int added = ks_add_gpu(diags->arena, topology, parent, numa);
        ks_device *device = &topology->devices.items[added];
        device->at = e->id->span;
        if (!read_link(diags, e, device) || !read_bus(diags, e->bus, device) ||
            !read_pci(diags, e->pci, device))
            return false;
    }
    return true;
}

/* Its one port, as NCCL counts them. */
static bool add_net(ks_diags *diags, const entry *e, int nic, ks_topology *topology)
{
    bool gpu_direct = false;
    ks_device *device = &topology->devices.items[nic];
    if ((e->gpu_direct && !ks_read_bool(diags, e->gpu_direct, &gpu_direct)) ||
        !read_above_zero(diags, e->rate, ks_dim_over(KS_BYTE, (ks_dim){0, 1, 0}),
                         &device->nic_rate))
        return false;
    size_t number = topology->nets.n;
    *KS_PUSH(diags->arena, &topology->nets) = (ks_net){.device = nic,
                                                       .name = device->name,
                                                       .number = (int64_t)number,
                                                       .rate = device->nic_rate,
                                                       .port = 1,
                                                       .gpu_direct = gpu_direct,
                                                       .at = device->at};
    return true;
}

static bool read_nic(ks_diags *diags, const ks_doc *doc, ks_topology *topology)
{
    static const ks_field fields[] = {
        FIELD(id, KS_REQUIRED), FIELD(at, KS_REQUIRED), FIELD(rate, 0), FIELD(gpu_direct, 0),
        FIELD(gen, 0),          FIELD(width, 0),        FIELD(bus, 0),  FIELD(pci, 0)};
    entry e = {0};
    int parent, numa;
    if (!ks_read_fields(diags, doc, "a network card", fields, KS_COUNT(fields), &e) ||
        !check_name(diags, e.id, topology))
        return false;
    if (!find_above(topology, e.at->text, &parent, &numa)) {
        say_unknown_at(diags, e.at, topology);
        return false;
    }
    int nic = ks_add_device(diags->arena, topology, KS_DEVICE_NIC, e.id->text, parent, numa);
    ks_device *device = &topology->devices.items[nic];
    device->at = e.id->span;
    return read_link(diags, &e, device) && read_bus(diags, e.bus, device) &&
           read_pci(diags, e.pci, device) && add_net(diags, &e, nic, topology);
}

bool ks_read_nics(ks_diags *diags, const ks_doc *list, ks_topology *topology)
{
    bool good = read_count(diags, list, KS_MAX_NETS, "network cards");
    for (size_t i = 0; good && i < list->n; i++)
        good = read_nic(diags, list->items[i].value, topology);
    return good;
}

/* ---- Links. ------------------------------------------------------------------------------------------------- */

/* The device of `from` whose link goes to `to`, or -1 after an error. */
static int find_link(ks_diags *diags, const entry *e, const ks_topology *topology)
{
    int device = ks_find_device(topology, e->from->text), parent, numa;
    if (device < 0) {
        ks_error(diags, KS_T001, e->from->span, "there is no switch or GPU \"%.*s\"",
                 KS_ARG(e->from->text));
        ks_add_note(
            diags, (ks_span){0},
            "\"from\" is the lower end of the link: a switch such as s0, or a GPU such as gpu0");
        return -1;
    }
    const ks_device *d = &topology->devices.items[device];
    if (find_above(topology, e->to->text, &parent, &numa) && parent == d->parent && numa == d->numa)
        return device;
    ks_str above = d->parent >= 0 ? topology->devices.items[d->parent].name
                                  : ks_format(diags->arena, "%lld",
                                              (long long)topology->numas.items[d->numa].id);
    ks_error(diags, KS_T004, e->to->span, "there is no link from \"%.*s\" to \"%.*s\"",
             KS_ARG(d->name), KS_ARG(e->to->text));
    ks_add_note(diags, d->at, "it hangs on %.*s", KS_ARG(above));
    return -1;
}

bool ks_read_links(ks_diags *diags, const ks_doc *list, ks_topology *topology)
{
    static const ks_field fields[] = {FIELD(from, KS_REQUIRED), FIELD(to, KS_REQUIRED),
                                      FIELD(up, 0), FIELD(down, 0), FIELD(latency, 0)};
    const ks_dim second = {0, 1, 0}, rate = ks_dim_over(KS_BYTE, second);
    bool good = read_count(diags, list, KS_MAX_DEVICES, "links");
    for (size_t i = 0; good && i < list->n; i++) {
        entry e = {0};
        if (!ks_read_fields(diags, list->items[i].value, "a link", fields, KS_COUNT(fields), &e))
            return false;
        int device = find_link(diags, &e, topology);
        if (device < 0)
            return false;
        ks_device *d = &topology->devices.items[device];
        good = read_above_zero(diags, e.up, rate, &d->up) &&
               read_above_zero(diags, e.down, rate, &d->down) &&
               read_above_zero(diags, e.latency, second, &d->latency);
    }
    return good;
}

/* ---- NVLink. ------------------------------------------------------------------------------------------------ */

typedef struct nvlink_keys {
    const ks_doc *kind, *links, *pairs;
} nvlink_keys;

/* [GPU, GPU, number of links] */
static bool read_pair(ks_diags *diags, const ks_doc *pair, ks_topology *topology)
{
    int64_t gpu, peer, links, last = (int64_t)topology->gpus.n - 1;
    if (!ks_expect(diags, pair, KS_LIST, "a pair"))
        return false;
    if (pair->n != 3) {
        ks_error(diags, KS_S003, pair->span, "a pair is [GPU, GPU, number of links]");
        return false;
    }
    if (!ks_read_whole(diags, pair->items[0].value, 0, last, &gpu) ||
        !ks_read_whole(diags, pair->items[1].value, 0, last, &peer) ||
        !ks_read_whole(diags, pair->items[2].value, 1, MOST_LINKS, &links))
        return false;
    if (gpu == peer) {
        ks_error(diags, KS_T004, pair->span, "a GPU has no NVLink to itself");
        return false;
    }
    for (size_t i = 0; i < topology->nvlinks.n; i++) {
        const ks_nvlink *known = &topology->nvlinks.items[i];
        if ((known->gpu != gpu || known->peer != peer) &&
            (known->gpu != peer || known->peer != gpu))
            continue;
        ks_error(diags, KS_T003, pair->span, "this pair of GPUs is there twice");
        ks_add_note(diags, known->at, "the other one");
        return false;
    }
    ks_add_nvlink(diags->arena, topology, gpu, peer, links, pair->span);
    return true;
}

bool ks_read_nvlink(ks_diags *diags, const ks_doc *map, int64_t usual, ks_topology *topology)
{
    static const ks_field fields[] = {{"kind", KS_FIELD_SCALAR, 0, offsetof(nvlink_keys, kind)},
                                      {"links", KS_FIELD_SCALAR, 0, offsetof(nvlink_keys, links)},
                                      {"pairs", KS_FIELD_LIST, 0, offsetof(nvlink_keys, pairs)}};
    nvlink_keys keys = {NULL, NULL, NULL};
    int64_t links = usual;
    if (!ks_read_fields(diags, map, "\"nvlink\"", fields, KS_COUNT(fields), &keys))
        return false;
    if (keys.pairs && !keys.kind && !keys.links) {
        bool good = read_count(diags, keys.pairs, KS_MAX_NVLINKS, "pairs");
        for (size_t i = 0; good && i < keys.pairs->n; i++)
            good = read_pair(diags, keys.pairs->items[i].value, topology);
        return good;
    }
    if (!keys.kind || keys.pairs || !ks_equal_c(keys.kind->text, "switch")) {
        ks_error(diags, KS_S005, keys.kind ? keys.kind->span : map->span,
                 "\"nvlink\" is {kind: switch, links: N} or {pairs: [[GPU, GPU, N], ...]}");
        return false;
    }
    if (keys.links && !ks_read_whole(diags, keys.links, 1, MOST_LINKS, &links))
        return false;
    if (links == 0) {
        ks_error(diags, KS_S002, map->span,
                 "\"nvlink\" needs the key \"links\": NVLinks of each GPU");
        return false;
    }
    for (size_t i = 0; i < topology->gpus.n; i++)
        ks_add_nvlink(diags->arena, topology, (int64_t)i, -1, links, map->span);
    return true;
}
