#include "model/machine.h"

#include "model/merge.h"
#include "read/schema.h"

enum { MOST_GPUS = 1024 };

typedef struct machine_file {
    const ks_doc *kvsim, *machine, *gpu, *count, *topology, *sockets, *switches, *gpus, *links,
        *nvlink, *p2p, *iommu, *regime, *nccl, *calibration;
    ks_str title;
} machine_file;

static const ks_field machine_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(machine_file, kvsim)},
    {"machine", KS_FIELD_SCALAR, 0, offsetof(machine_file, machine)},
    {"title", KS_FIELD_TEXT, 0, offsetof(machine_file, title)},
    {"gpu", KS_FIELD_DOC, KS_REQUIRED, offsetof(machine_file, gpu)},
    {"count", KS_FIELD_SCALAR, 0, offsetof(machine_file, count)},
    {"topology", KS_FIELD_SCALAR, 0, offsetof(machine_file, topology)},
    {"sockets", KS_FIELD_LIST, 0, offsetof(machine_file, sockets)},
    {"switches", KS_FIELD_LIST, 0, offsetof(machine_file, switches)},
    {"gpus", KS_FIELD_LIST, 0, offsetof(machine_file, gpus)},
    {"links", KS_FIELD_LIST, 0, offsetof(machine_file, links)},
    {"nvlink", KS_FIELD_MAP, 0, offsetof(machine_file, nvlink)},
    {"p2p", KS_FIELD_SCALAR, 0, offsetof(machine_file, p2p)},
    {"iommu", KS_FIELD_SCALAR, 0, offsetof(machine_file, iommu)},
    {"regime", KS_FIELD_SCALAR, 0, offsetof(machine_file, regime)},
    {"nccl", KS_FIELD_MAP, 0, offsetof(machine_file, nccl)},
    {"calibration", KS_FIELD_SCALAR, 0, offsetof(machine_file, calibration)},
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

static bool read_gpu(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    const ks_doc *common = ks_catalog_load(catalog, "gpu", KS_STR("common"), doc->span);
    const ks_doc *own;
    if (!common || !ks_member_of(common, "facts"))
        return false;
    if (doc->kind == KS_MAP) {
        own = gpu_from_mapping(catalog->diags, doc, common);
        machine->gpu_name = KS_STR("GPU");
    } else {
        if (!ks_expect(catalog->diags, doc, KS_SCALAR, "a GPU's name"))
            return false;
        own = ks_catalog_load(catalog, "gpu", doc->text, doc->span);
        const ks_doc *name = own ? ks_member_of(own, "gpu") : NULL;
        machine->gpu_name = name ? name->text : doc->text;
    }
    if (!own)
        return false;
    if (!check_facts(catalog->diags, own, common))
        return false;
    machine->gpu = ks_merge(catalog->diags, common, own);
    if (ks_member_of(ks_member_of(own, "facts"), "memory"))
        return true;
    ks_error(catalog->diags, KS_S002, own->span, "this GPU file has no fact \"memory\"");
    return false;
}

static bool read_mapping(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    machine_file file = {0};
    if (!ks_read_fields(catalog->diags, doc, "a machine", machine_fields,
                        KS_COUNT(machine_fields), &file) ||
        !read_gpu(catalog, file.gpu, machine))
        return false;
    machine->nvlink = file.nvlink;
    machine->p2p = file.p2p;
    machine->count = file.gpus ? (int64_t)file.gpus->n : 1;
    if (file.count &&
        !ks_read_whole(catalog->diags, file.count, 1, MOST_GPUS, &machine->count))
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
static bool read_gpus(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine, bool *known)
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
    if (from && (count < 1 || count > MOST_GPUS)) {
        ks_error(catalog->diags, KS_S006, doc->span, "a machine has 1 to %d GPUs", MOST_GPUS);
        return false;
    }
    if (!read_gpu(catalog, &gpu, machine))
        return false;
    if (from)
        ks_set_gpu_count(catalog->diags->arena, machine, count);
    return true;
}

/* "rtx-pro-6000 socket:1 switch:2 gpu:4": the counts multiply. */
static bool read_short_form(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    ks_str rest;
    ks_str name = ks_cut(doc->text, ' ', &rest);
    ks_doc gpu = {.kind = KS_SCALAR, .span = ks_span_part(doc->span, 0, name.n), .text = name};
    machine->name = doc->text;
    machine->count = 1;
    for (rest = ks_trim(rest); rest.n; rest = ks_trim(rest)) {
        ks_str number, part = ks_cut(rest, ' ', &rest);
        ks_str kind = ks_cut(part, ':', &number);
        ks_doc count = {.kind = KS_SCALAR, .span = doc->span, .text = number};
        int64_t n;
        if (!ks_equal_c(kind, "socket") && !ks_equal_c(kind, "numa") &&
            !ks_equal_c(kind, "switch") && !ks_equal_c(kind, "gpu")) {
            ks_error(catalog->diags, KS_S005, doc->span,
                     "a short machine is \"GPU socket:N switch:N gpu:N\", not \"%.*s\"",
                     KS_ARG(part));
            return false;
        }
        if (!ks_read_whole(catalog->diags, &count, 1, MOST_GPUS, &n))
            return false;
        machine->count *= n;
        if (machine->count > MOST_GPUS) {
            ks_error(catalog->diags, KS_S006, doc->span, "more than %d GPUs", MOST_GPUS);
            return false;
        }
    }
    return read_gpu(catalog, &gpu, machine);
}

bool ks_read_machine(const ks_catalog *catalog, const ks_doc *doc, ks_machine *machine)
{
    machine->at = doc->span;
    if (doc->kind == KS_MAP)
        return read_mapping(catalog, doc, machine);
    if (!ks_expect(catalog->diags, doc, KS_SCALAR, "\"machine\""))
        return false;
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
    ks_catalog_load(catalog, "machine", doc->text, doc->span); /* says that it is not known */
    ks_add_note(catalog->diags, (ks_span){0},
                "or name a GPU of `kvsim list gpu`: \"GPU\", \"8 x GPU\", \"GPU socket:1 switch:2 gpu:4\"");
    return false;
}

static bool define_formula(ks_program *program, const char *name, const char *formula, ks_span at,
                           const char *meaning)
{
    ks_def def = {.name = ks_from_c(name), .kind = KS_DERIVED, .at = at,
                  .formula = {ks_from_c(formula), at, false, {NULL, 0}},
                  .meaning = ks_from_c(meaning)};
    return ks_define(program, &def) >= 0;
}

static bool define_truth(ks_program *program, const char *name, bool value, ks_span at,
                         const char *meaning)
{
    return ks_define_input(program, ks_from_c(name), KS_GIVEN, (ks_type){KS_TRUTH, KS_NO_DIM},
                           (ks_cell){.i = value}, at, ks_from_c(meaning)) >= 0;
}

/* All pairs of GPUs have NVLink: through switches, or pair by pair. */
static bool has_full_nvlink(const ks_machine *machine)
{
    const ks_doc *kind = ks_member_of(machine->nvlink, "kind");
    const ks_doc *pairs = ks_member_of(machine->nvlink, "pairs");
    if (kind && kind->kind == KS_SCALAR && ks_equal_c(kind->text, "switch"))
        return true;
    size_t n = (size_t)machine->count;
    return pairs && pairs->kind == KS_LIST && pairs->n >= n * (n - 1) / 2;
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
    if (machine->nvlink || machine->from_file)
        good &= define_truth(program, "machine.nvlink",
                             machine->nvlink && has_full_nvlink(machine), machine->at, nvlink);
    else
        good &= define_formula(program, "machine.nvlink", "gpu.nvlink > 0", machine->at, nvlink);
    if (!machine->p2p)
        return define_formula(program, "machine.p2p", "gpu.p2p", machine->at, p2p) && good;
    return ks_read_bool(program->diags, machine->p2p, &value) &&
           define_truth(program, "machine.p2p", value, machine->p2p->span, p2p) && good;
}
