#include "model/machine.h"

#include "model/merge.h"
#include "model/topology_file.h"
#include "model/topology_machine.h"
#include "read/file.h"
#include "read/schema.h"
#include "read/yaml.h"

typedef struct machine_file {
    const ks_doc *kvsim, *machine, *gpu, *count, *topology, *sockets, *switches, *gpus, *nics,
        *links, *nvlink, *p2p, *iommu, *regime, *nccl, *calibration;
    ks_str title;
} machine_file;

static const ks_field machine_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(machine_file, kvsim)},
    {"machine", KS_FIELD_SCALAR, 0, offsetof(machine_file, machine)},
    {"title", KS_FIELD_TEXT, 0, offsetof(machine_file, title)},
    {"gpu", KS_FIELD_DOC, 0, offsetof(machine_file, gpu)},
    {"count", KS_FIELD_SCALAR, 0, offsetof(machine_file, count)},
    {"topology", KS_FIELD_SCALAR, 0, offsetof(machine_file, topology)},
    {"sockets", KS_FIELD_LIST, 0, offsetof(machine_file, sockets)},
    {"switches", KS_FIELD_LIST, 0, offsetof(machine_file, switches)},
    {"gpus", KS_FIELD_LIST, 0, offsetof(machine_file, gpus)},
    {"nics", KS_FIELD_LIST, 0, offsetof(machine_file, nics)},
    {"links", KS_FIELD_LIST, 0, offsetof(machine_file, links)},
    {"nvlink", KS_FIELD_MAP, 0, offsetof(machine_file, nvlink)},
    {"p2p", KS_FIELD_SCALAR, 0, offsetof(machine_file, p2p)},
    {"iommu", KS_FIELD_SCALAR, 0, offsetof(machine_file, iommu)},
    {"regime", KS_FIELD_SCALAR, 0, offsetof(machine_file, regime)},
    {"nccl", KS_FIELD_MAP, 0, offsetof(machine_file, nccl)},
    {"calibration", KS_FIELD_DOC, 0, offsetof(machine_file, calibration)},
};

static ks_doc *new_scalar(ks_arena *arena, ks_str text, ks_span span)
{
    ks_doc *doc = KS_NEW(arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .span = span, .text = text, .quoted = true};
    return doc;
}

static void add_member(ks_arena *arena, ks_doc *map, ks_str key, ks_span span, ks_doc *value)
{
    *KS_PUSH(arena, map) = (ks_member){key, span, value};
}

/* A GPU that the scenario describes itself: each value becomes a fact. */
static const ks_doc *gpu_from_mapping(ks_diags *diags, const ks_doc *doc, const ks_doc *common)
{
    ks_arena *arena = diags->arena;
    ks_doc *facts = KS_NEW(arena, ks_doc), *file = KS_NEW(arena, ks_doc);
    const ks_doc *known = ks_member_of(common, "facts");
    ks_str *names = KS_NEW_ARRAY(arena, ks_str, known->n + 1);
    bool good = true;
    for (size_t i = 0; i < known->n; i++)
        names[i] = known->items[i].key;
    *facts = (ks_doc){.kind = KS_MAP, .span = doc->span};
    *file = *facts;
    for (size_t i = 0; i < doc->n; i++) {
        const ks_member *m = &doc->items[i];
        ks_doc *fact = KS_NEW(arena, ks_doc);
        *fact = (ks_doc){.kind = KS_MAP, .span = m->value->span};
        if (!ks_member_of(known, ks_to_c(arena, m->key))) {
            ks_error(diags, KS_S001, m->key_span, "a GPU has no key \"%.*s\"", KS_ARG(m->key));
            ks_suggest(diags, m->key, names, known->n);
            good = false;
            continue;
        }
        add_member(arena, fact, KS_STR("value"), m->key_span, m->value);
        add_member(arena, fact, KS_STR("source"), m->key_span,
                   new_scalar(arena, KS_STR("given with the machine"), m->key_span));
        add_member(arena, facts, m->key, m->key_span, fact);
    }
    add_member(arena, file, KS_STR("facts"), doc->span, facts);
    if (!ks_member_of(doc, "memory")) {
        ks_error(diags, KS_S002, doc->span, "a GPU needs the key \"memory\"");
        ks_add_note(diags, (ks_span){0}, "its memory as CUDA reports it, such as 79.19 GiB");
        return NULL;
    }
    return good ? file : NULL;
}

/* Sizes must be sizes, and a file's facts known ones. */
static bool check_facts(ks_diags *diags, const ks_doc *own, const ks_doc *common)
{
    static const char *const sizes[] = {"memory", "smi_memory", "nominal", "context", "bar1"};
    const ks_doc *facts = ks_member_of(own, "facts"), *known = ks_member_of(common, "facts");
    ks_str *names = KS_NEW_ARRAY(diags->arena, ks_str, known->n + 1);
    bool good = true;
    for (size_t i = 0; i < known->n; i++)
        names[i] = known->items[i].key;
    for (size_t i = 0; facts && i < facts->n; i++) {
        const ks_member *m = &facts->items[i];
        const ks_doc *value = ks_member_of(m->value, "value");
        ks_quantity size;
        if (!ks_member_of(known, ks_to_c(diags->arena, m->key))) {
            ks_error(diags, KS_S001, m->key_span, "a GPU has no fact \"%.*s\"", KS_ARG(m->key));
            ks_suggest(diags, m->key, names, known->n);
            good = false;
        }
        for (size_t k = 0; k < KS_COUNT(sizes) && value && value->kind == KS_SCALAR; k++) {
            if (!ks_equal_c(m->key, sizes[k]) ||
                ks_parse_quantity(value->text, &size) != KS_QUANTITY_OK ||
                ks_same_dim(size.dim, KS_BYTE))
                continue;
            ks_wrong_dimension(diags, value->span, size, KS_BYTE);
            good = false;
        }
    }
    return good;
}

static bool read_gpu(const ks_catalog *catalog, const ks_doc *doc, ks_gpu_kind *kind)
{
    const ks_doc *common = ks_catalog_load(catalog, "gpu", KS_STR("common"), doc->span);
    if (!common || !ks_member_of(common, "facts"))
        return false;
    if (doc->kind == KS_MAP) {
        kind->own = gpu_from_mapping(catalog->diags, doc, common);
        kind->name = KS_STR("GPU");
    } else {
        if (!ks_expect(catalog->diags, doc, KS_SCALAR, "a GPU's name"))
            return false;
        kind->own = ks_catalog_load(catalog, "gpu", doc->text, doc->span);
        const ks_doc *name = kind->own ? ks_member_of(kind->own, "gpu") : NULL;
        kind->name = name ? name->text : doc->text;
    }
    if (!kind->own || !check_facts(catalog->diags, kind->own, common))
        return false;
    kind->facts = ks_merge(catalog->diags, common, kind->own);
    if (ks_member_of(ks_member_of(kind->own, "facts"), "memory"))
        return true;
    ks_error(catalog->diags, KS_S002, kind->own->span, "this GPU file has no fact \"memory\"");
    return false;
}

static void set_gpu(ks_machine *machine, ks_gpu_kind kind)
{
    machine->kind = kind;
    machine->gpu_name = kind.name;
    machine->gpu = kind.facts;
}

static double memory_of(const ks_gpu_kind *kind)
{
    ks_quantity memory = {0};
    const ks_doc *fact = ks_member_of(ks_member_of(kind->own, "facts"), "memory");
    const ks_doc *value = fact && fact->kind == KS_MAP ? ks_member_of(fact, "value") : NULL;
    if (value && value->kind == KS_SCALAR)
        ks_parse_quantity(value->text, &memory);
    return memory.value;
}

/* The kind of each entry of `gpus`; the machine's own is that with the least memory. */
static bool read_kinds(const ks_catalog *catalog, const machine_file *file, const ks_doc *at,
                       ks_machine *machine)
{
    size_t n = file->gpus ? file->gpus->n : 0, named = 0;
    bool good = !file->gpu || read_gpu(catalog, file->gpu, &machine->kind);
    ks_gpu_kind *kinds = KS_NEW_ARRAY(catalog->diags->arena, ks_gpu_kind, n + 1);
    for (size_t i = 0; i < n && good; i++) {
        const ks_doc *gpu = ks_member_of(file->gpus->items[i].value, "gpu");
        kinds[i] = machine->kind;
        named += gpu != NULL;
        if (gpu)
            good = read_gpu(catalog, gpu, &kinds[i]);
        else if (!file->gpu)
            named = n + 1; /* of this one nothing is said */
    }
    if (!good)
        return false;
    if (!file->gpu && (n == 0 || named != n)) {
        ks_error(catalog->diags, KS_S002, at->span, "a machine needs the key \"gpu\"");
        ks_add_note(catalog->diags, (ks_span){0}, "or each entry of \"gpus\" does");
        return false;
    }
    for (size_t i = 0; i < n && named; i++)
        if ((i == 0 && !file->gpu) || memory_of(&kinds[i]) < memory_of(&machine->kind))
            machine->kind = kinds[i];
    machine->kinds = named ? kinds : NULL;
    set_gpu(machine, machine->kind);
    return true;
}

/* `nccl: {version: 2.30.7, env: {NAME: VALUE}}` */
static bool read_nccl(ks_diags *diags, const ks_doc *doc, ks_machine *machine)
{
    typedef struct nccl_keys {
        ks_str version;
        const ks_doc *env;
    } nccl_keys;
    static const ks_field fields[] = {{"version", KS_FIELD_TEXT, 0, offsetof(nccl_keys, version)},
                                      {"env", KS_FIELD_MAP, 0, offsetof(nccl_keys, env)}};
    nccl_keys keys = {{NULL, 0}, NULL};
    ks_version version;
    if (!ks_read_fields(diags, doc, "\"nccl\"", fields, KS_COUNT(fields), &keys))
        return false;
    if (keys.version.n && !ks_parse_version(keys.version, &version)) {
        ks_error(diags, KS_S004, ks_member_of(doc, "version")->span,
                 "\"%.*s\" is not a version such as 2.30.7", KS_ARG(keys.version));
        return false;
    }
    for (size_t i = 0; keys.env && i < keys.env->n; i++)
        if (!ks_expect(diags, keys.env->items[i].value, KS_SCALAR, "a variable's value"))
            return false;
    machine->nccl_version = keys.version;
    machine->nccl_env = keys.env;
    return true;
}

static bool read_mapping(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    machine_file file = {0};
    if (!ks_read_fields(catalog->diags, doc, "a machine", machine_fields, KS_COUNT(machine_fields),
                        &file) ||
        !read_kinds(catalog, &file, doc, machine) ||
        (file.nccl && !read_nccl(catalog->diags, file.nccl, machine)))
        return false;
    machine->topology = file.topology;
    machine->sockets = file.sockets;
    machine->switches = file.switches;
    machine->gpus = file.gpus;
    machine->nics = file.nics;
    machine->links = file.links;
    machine->nvlink = file.nvlink;
    machine->p2p = file.p2p;
    machine->iommu = file.iommu;
    machine->regime = file.regime;
    machine->calibration = file.calibration;
    machine->count = file.gpus ? (int64_t)file.gpus->n : 1;
    if (file.topology && !file.gpus && !file.count) {
        const ks_topology *told = ks_topology_from_file(
            catalog->diags, ks_path_beside(catalog->diags->arena, file.topology),
            file.topology->span);
        if (!told)
            return false;
        machine->count = (int64_t)told->gpus.n;
    }
    if (file.count &&
        !ks_read_whole(catalog->diags, file.count, 1, KS_MAX_MACHINE_GPUS, &machine->count))
        return false;
    if (file.gpus && file.count && machine->count != (int64_t)file.gpus->n) {
        ks_error(catalog->diags, KS_S006, file.count->span, "\"gpus\" lists %zu GPUs",
                 file.gpus->n);
        return false;
    }
    if (!machine->name.n)
        ks_set_gpu_count(catalog->diags->arena, machine, machine->count);
    return true;
}

void ks_set_gpu_count(ks_arena *arena, ks_machine *machine, int64_t count)
{
    machine->count = count;
    machine->name = ks_format(arena, "%lld x %.*s", (long long)count, KS_ARG(machine->gpu_name));
}

/* Length of "8 x ", "8x", "8x-" at the start of text, or 0. */
static size_t read_count(ks_str text, int64_t *count)
{
    size_t n = 0, digits;
    *count = 0;
    for (; n < text.n && n < 4 && text.s[n] >= '0' && text.s[n] <= '9'; n++)
        *count = 10 * *count + (text.s[n] - '0');
    digits = n;
    while (n < text.n && text.s[n] == ' ')
        n++;
    if (digits == 0 || n == text.n || text.s[n] != 'x')
        return 0;
    for (n++; n < text.n && (text.s[n] == ' ' || text.s[n] == '-');)
        n++;
    return n;
}

/* "8 x h100-sxm", or "h100-sxm" for as many as the launch needs. *known: the GPU is known. */
static bool read_gpus(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine,
                      bool *known)
{
    int64_t count;
    size_t from = read_count(doc->text, &count);
    ks_str name = ks_slice(doc->text, from, doc->text.n);
    const ks_doc *found = ks_catalog_find(catalog, "gpu", name, doc->span);
    const ks_doc *own = found ? ks_member_of(found, "gpu") : NULL;
    ks_doc gpu = {.kind = KS_SCALAR, .span = doc->span, .text = own ? own->text : name};
    *known = found != NULL;
    if (!found)
        return false;
    if (from && (count < 1 || count > KS_MAX_MACHINE_GPUS)) {
        ks_error(catalog->diags, KS_S006, doc->span, "a machine has 1 to %d GPUs",
                 KS_MAX_MACHINE_GPUS);
        return false;
    }
    ks_gpu_kind kind = {.name = name};
    if (!read_gpu(catalog, &gpu, &kind))
        return false;
    set_gpu(machine, kind);
    if (from)
        ks_set_gpu_count(catalog->diags->arena, machine, count);
    return true;
}

/* ---- The short form. ----------------------------------------------------------------------------- */

static bool short_form_error(ks_diags *diags, ks_span at, ks_str part)
{
    ks_error(diags, KS_S005, at, "a short machine is \"GPU socket:N switch:N gpu:N\", not \"%.*s\"",
             KS_ARG(part));
    ks_add_note(
        diags, (ks_span){0},
        "from the outside in: socket, numa (nodes of each socket), switch (of each node or of "
        "the switch before), gpu last; \"cpu:turin\" tells the processor");
    return false;
}

/* One part, "switch:2", whose kind may not come before that of the last level. */
static bool read_level(ks_diags *diags, ks_str part, ks_span at, ks_machine *machine)
{
    static const char *const kinds[] = {[KS_LEVEL_SOCKET] = "socket",
                                        [KS_LEVEL_NUMA] = "numa",
                                        [KS_LEVEL_SWITCH] = "switch",
                                        [KS_LEVEL_GPU] = "gpu"};
    ks_str number, kind = ks_cut(part, ':', &number);
    ks_doc count = {
        .kind = KS_SCALAR, .span = ks_span_part(at, kind.n + 1, number.n), .text = number};
    size_t n = machine->levels.n, k = 0;
    while (k < KS_COUNT(kinds) && !ks_equal_c(kind, kinds[k]))
        k++;
    if (ks_equal_c(kind, "cpu") && number.n && !machine->levels.cpu.n) {
        machine->levels.cpu = number;
        return true;
    }
    if (k == KS_COUNT(kinds))
        return short_form_error(diags, at, part);
    if (n && (k < (size_t)machine->levels.items[n - 1].kind ||
              (k == (size_t)machine->levels.items[n - 1].kind && k != KS_LEVEL_SWITCH)))
        return short_form_error(diags, at, part);
    ks_level *level = KS_PUSH(diags->arena, &machine->levels);
    *level = (ks_level){.kind = (enum ks_level_kind)k, .at = at};
    if (!ks_read_whole(diags, &count, 1, KS_MAX_MACHINE_GPUS, &level->n))
        return false;
    machine->count *= level->n;
    if (machine->count <= KS_MAX_MACHINE_GPUS)
        return true;
    ks_error(diags, KS_S006, at, "more than %d GPUs", KS_MAX_MACHINE_GPUS);
    return false;
}

/* Where the first part with a colon begins: the name before it may hold blanks. */
static size_t find_levels(ks_str text)
{
    size_t at = ks_find_byte(text, ':', 0);
    while (at > 0 && text.s[at - 1] != ' ')
        at--;
    return at;
}

/* "rtx-pro-6000 socket:1 switch:2 gpu:4": the counts multiply. */
static bool read_short_form(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    size_t from = find_levels(doc->text);
    ks_str name = ks_trim(ks_slice(doc->text, 0, from));
    ks_doc gpu = {.kind = KS_SCALAR, .span = ks_span_part(doc->span, 0, name.n), .text = name};
    ks_gpu_kind kind = {.name = name};
    machine->name = doc->text;
    machine->count = 1;
    while (from < doc->text.n) {
        size_t to = ks_find_byte(doc->text, ' ', from);
        ks_str part = ks_slice(doc->text, from, to);
        ks_span at = doc->exact ? ks_span_part(doc->span, from, part.n) : doc->span;
        if (part.n && !read_level(catalog->diags, part, at, machine))
            return false;
        from = to + 1;
    }
    if (!read_gpu(catalog, &gpu, &kind))
        return false;
    set_gpu(machine, kind);
    if (machine->levels.n && machine->levels.items[machine->levels.n - 1].kind == KS_LEVEL_GPU)
        return true;
    return short_form_error(catalog->diags, doc->span, doc->text);
}

/* ---- A machine as it is named. --------------------------------------------------------------------- */

/* True if the name holds each part of the word: a100-80gb-pcie those of a100-pcie. */
static bool holds_parts(ks_str name, ks_str word)
{
    bool all = word.n > 2;
    while (word.n && all)
        all = ks_has_part(name, ks_cut(word, '-', &word));
    return all;
}

/* GPUs whose names are near: by the whole name, by its first part, as h100 is of h100-sxm, or because they
 * hold its parts, as rtx-4090 holds 4090. */
static void suggest_gpus(const ks_catalog *catalog, ks_str name)
{
    ks_arena *arena = catalog->diags->arena;
    size_t n;
    ks_str rest, *names = ks_catalog_names(catalog, "gpu", &n);
    ks_str *both = KS_NEW_ARRAY(arena, ks_str, 2 * n + 1);
    ks_builder list = {.arena = arena};
    for (size_t i = 0; i < n; i++) {
        both[i] = names[i];
        both[n + i] = ks_cut(names[i], '-', &rest);
    }
    ks_str nearest = ks_nearest(name, both, 2 * n);
    for (size_t i = 0; i < n; i++)
        if ((nearest.n && (ks_equal(names[i], nearest) || ks_equal(both[n + i], nearest))) ||
            holds_parts(names[i], name))
            ks_addf(&list, "%s\"%.*s\"", list.n ? " or " : "", KS_ARG(names[i]));
    if (list.n)
        ks_add_note(catalog->diags, (ks_span){0}, "did you mean %.*s?", KS_ARG(ks_built(&list)));
}

/* "8x-h1000": the number is plain, the GPU is not known. */
static bool is_unknown_gpu(const ks_catalog *catalog, const ks_doc *doc)
{
    int64_t count;
    size_t from = read_count(doc->text, &count);
    ks_str name = ks_slice(doc->text, from, doc->text.n);
    if (!from)
        return false;
    ks_error(catalog->diags, KS_M001, doc->span, "no GPU \"%.*s\" is known", KS_ARG(name));
    suggest_gpus(catalog, name);
    ks_add_note(catalog->diags, (ks_span){0}, "`kvsim list gpu` shows all");
    return true;
}

ks_str ks_path_beside(ks_arena *arena, const ks_doc *doc)
{
    ks_str from = doc->span.source ? doc->span.source->name : KS_STR("");
    size_t folder = from.n;
    while (folder && from.s[folder - 1] != '/')
        folder--;
    if (doc->text.n && doc->text.s[0] == '/')
        return doc->text;
    return ks_concat(arena, ks_slice(from, 0, folder), doc->text);
}

/* The path of a machine file: it ends in ".yaml", or ".yml". */
static bool is_machine_path(ks_str text)
{
    return ks_ends_with(text, KS_STR(".yaml")) || ks_ends_with(text, KS_STR(".yml"));
}

/* A machine file's whole document; `name` is used if it has none of its own. */
static bool read_whole(const ks_catalog *catalog, const ks_doc *file, ks_str name,
                       ks_machine *machine)
{
    const ks_doc *own = ks_member_of(file, "machine");
    machine->name = own && own->kind == KS_SCALAR ? own->text : name;
    machine->from_file = true;
    return ks_check_format(catalog->diags, file) && read_mapping(catalog, file, machine);
}

static bool read_path(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    ks_str path = ks_path_beside(catalog->diags->arena, doc);
    const ks_source *source = ks_read_file(catalog->diags, path, KS_MAX_FILE, doc->span, true);
    const ks_doc *file = source ? ks_read_yaml(catalog->diags, source) : NULL;
    return file && read_whole(catalog, file, doc->text, machine);
}

static bool read_any(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    if (doc->kind == KS_MAP)
        return ks_member_of(doc, "kvsim")
                   ? read_whole(catalog, doc, doc->span.source->name, machine)
                   : read_mapping(catalog, doc, machine);
    if (!ks_expect(catalog->diags, doc, KS_SCALAR, "\"machine\""))
        return false;
    if (is_machine_path(doc->text))
        return read_path(catalog, doc, machine);
    if (ks_find_byte(doc->text, ':', 0) < doc->text.n)
        return read_short_form(catalog, doc, machine);
    size_t errors = catalog->diags->errors;
    const ks_doc *file = ks_catalog_find(catalog, "machine", doc->text, doc->span);
    if (file) {
        machine->name = doc->text;
        machine->from_file = true;
        return read_mapping(catalog, file, machine);
    }
    bool known = false, good = read_gpus(catalog, doc, machine, &known);
    if (known || catalog->diags->errors > errors)
        return good;
    if (is_unknown_gpu(catalog, doc))
        return false;
    ks_catalog_load(catalog, "machine", doc->text, doc->span); /* says that it is not known */
    suggest_gpus(catalog, doc->text);
    ks_add_note(
        catalog->diags, (ks_span){0},
        "or name a GPU of `kvsim list gpu`: \"GPU\", \"8 x GPU\", \"GPU socket:1 switch:2 gpu:4\"");
    if (ks_ends_with(doc->text, KS_STR(".txt")))
        ks_add_note(
            catalog->diags, (ks_span){0},
            "if it is the text of `nvidia-smi topo -m`: `kvsim import topo FILE --machine GPU` "
            "makes a machine file of it");
    return false;
}

bool ks_read_machine(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    machine->at = doc->span;
    if (!read_any(catalog, doc, machine))
        return false;
    /* What is said of the links must hold, whether this run uses them or not. */
    if (!machine->topology && !machine->sockets && !machine->levels.n)
        return true;
    machine->told = ks_topology_of_machine(catalog, machine);
    return machine->told != NULL;
}

static bool define_formula(ks_program *program, const char *name, const char *formula, ks_span at,
                           const char *meaning)
{
    ks_def def = {.name = ks_from_c(name),
                  .kind = KS_DERIVED,
                  .at = at,
                  .formula = {ks_from_c(formula), at, false, {NULL, 0}},
                  .meaning = ks_from_c(meaning)};
    return ks_define(program, &def) >= 0;
}

bool ks_define_machine(ks_program *program, const ks_machine *machine)
{
    static const char nvlink[] = "every pair of GPUs has NVLink";
    static const char p2p[] = "GPUs reach each other's memory";
    ks_scope scope = {program, KS_STR("gpu."), ks_member_of(machine->gpu, "sources")};
    bool value, good = ks_define_section(&scope, ks_member_of(machine->gpu, "facts"));
    good &= ks_define_input(program, KS_STR("machine.count"), KS_GIVEN,
                            (ks_type){KS_WHOLE, KS_NO_DIM}, (ks_cell){.i = machine->count},
                            machine->at, KS_STR("GPUs of the machine")) >= 0;
    /* Of links that are told it is said once they are wired. */
    if (machine->topology || machine->nvlink || machine->from_file)
        good &= ks_define_truth(program, "machine.nvlink", false,
                                machine->topology ? machine->topology->span : machine->at, nvlink);
    else
        good &= define_formula(program, "machine.nvlink", "gpu.nvlink > 0", machine->at, nvlink);
    if (!machine->p2p)
        return define_formula(program, "machine.p2p", "gpu.p2p or machine.nvlink", machine->at,
                              p2p) &&
               good;
    return ks_read_bool(program->diags, machine->p2p, &value) &&
           ks_define_truth(program, "machine.p2p", value, machine->p2p->span, p2p) && good;
}
