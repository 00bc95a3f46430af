#include "model/fabric.h"

#include "read/schema.h"

#include <math.h>
#include <stddef.h>

enum number_kind { RATE, TIME, PART, LOSS };
enum slow_end { LOW, HIGH };
enum { WIDEST = 32 };

typedef struct number {
    const char *name;
    enum number_kind kind;
    enum slow_end slow;
    size_t offset; /* of the double in the struct that is filled */
} number;

static const number numbers[] = {
#define X(name, kind, slow) {#name, kind, slow, offsetof(ks_fabric, name)},
    KS_FABRIC_NUMBERS(X)
#undef X
};

static const number cpu_numbers[] = {
#define X(name, kind, slow) {#name, kind, slow, offsetof(ks_fabric_cpu, name)},
    KS_FABRIC_CPU_NUMBERS(X)
#undef X
};

typedef struct fabric_file {
    const ks_doc *kvsim, *fabric, *constants, *processors, *extends, *sources;
    ks_str title;
} fabric_file;

static const ks_field fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(fabric_file, kvsim)},
    {"fabric", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(fabric_file, fabric)},
    {"title", KS_FIELD_TEXT, 0, offsetof(fabric_file, title)},
    {"extends", KS_FIELD_SCALAR, 0, offsetof(fabric_file, extends)},
    {"sources", KS_FIELD_MAP, 0, offsetof(fabric_file, sources)},
    {"constants", KS_FIELD_MAP, 0, offsetof(fabric_file, constants)},
    {"processors", KS_FIELD_MAP, 0, offsetof(fabric_file, processors)},
};

static const number *find_number(const number *table, size_t n, ks_str name)
{
    for (size_t i = 0; i < n; i++)
        if (ks_equal_c(name, table[i].name))
            return &table[i];
    return NULL;
}

static void unknown_number(ks_diags *diags, const ks_member *m, const number *table, size_t n)
{
    ks_str *names = KS_NEW_ARRAY(diags->arena, ks_str, n);
    for (size_t i = 0; i < n; i++)
        names[i] = ks_from_c(table[i].name);
    ks_error(diags, KS_S001, m->key_span, "a fabric has no constant \"%.*s\"", KS_ARG(m->key));
    ks_suggest(diags, m->key, names, n);
}

static ks_dim dim_of(enum number_kind kind)
{
    if (kind == RATE)
        return (ks_dim){1, -1, 0};
    return kind == TIME ? (ks_dim){0, 1, 0} : KS_NO_DIM;
}

/* Whether it is of the right kind, and sensible. */
static bool check_number(ks_diags *diags, const number *n, const ks_def *def, double value)
{
    static const struct {
        double low, high;
        const char *words;
    } bounds[] = {
        [RATE] = {1e6, 1e15, "a rate is from 1 MB/s to 10^15 B/s"},
        [TIME] = {0, 1, "a latency is from 0 to 1 s"},
        [PART] = {1e-3, 1, "this is a part, above 0 and up to 1"},
        [LOSS] = {0, 0.999, "this is a loss, from 0 to below 1"},
    };
    bool has_unit = !ks_same_dim(def->type.dim, KS_NO_DIM);
    if (!ks_same_dim(def->type.dim, dim_of(n->kind))) {
        ks_wrong_dimension(diags, def->at, (ks_quantity){value, def->type.dim, has_unit},
                           dim_of(n->kind));
        return false;
    }
    if (value >= bounds[n->kind].low && value <= bounds[n->kind].high)
        return true;
    ks_error(diags, KS_S006, def->at, "%s", bounds[n->kind].words);
    return false;
}

/* What a scope's member says, or what `constants` has in its place, whose keys begin with
 * "fabric.". */
static ks_member replaced(const ks_scope *scope, const ks_doc *constants, const ks_member *m)
{
    ks_arena *arena = scope->program->arena;
    ks_member result = *m;
    ks_str name = ks_concat(arena, scope->prefix, m->key);
    for (size_t i = 0; constants && constants->kind == KS_MAP && i < constants->n; i++)
        if (ks_equal(constants->items[i].key, name)) {
            result.key_span = constants->items[i].key_span;
            result.value = constants->items[i].value;
        }
    return result;
}

/* Defines one constant and stores its value and ends at `offset` of three structs. */
static bool read_number(const ks_scope *scope, const ks_member *m, const number *n,
                        void *const into[KS_FABRIC_ENDS])
{
    int i = ks_define_fact(scope, m);
    if (i < 0)
        return false;
    const ks_def *def = &scope->program->defs.items[i];
    if (def->n_values != 1 || def->type.base == KS_TRUTH || def->type.base == KS_WORD) {
        ks_error(scope->program->diags, KS_S003, m->value->span, "\"%s\" is a number: {value: ...}",
                 n->name);
        return false;
    }
    double value = ks_as_real(def->type, def->values[0]);
    double low = def->has_range ? ks_as_real(def->type, def->low) : value;
    double high = def->has_range ? ks_as_real(def->type, def->high) : value;
    const double ends[KS_FABRIC_ENDS] = {value, n->slow == LOW ? low : high,
                                         n->slow == LOW ? high : low};
    bool good = true;
    for (int end = 0; good && end < KS_FABRIC_ENDS; end++) {
        good = check_number(scope->program->diags, n, def, ends[end]);
        *(double *)(void *)((char *)into[end] + n->offset) = ends[end];
    }
    return good;
}

/* A section of constants. `seen`: one flag a number. */
static bool read_section(const ks_scope *scope, const ks_doc *section, const ks_doc *constants,
                         const number *table, size_t n, void *const into[KS_FABRIC_ENDS],
                         bool *seen)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++) {
        ks_member m = replaced(scope, constants, &section->items[i]);
        const number *found = find_number(table, n, m.key);
        if (!found) {
            unknown_number(scope->program->diags, &m, table, n);
            good = false;
            continue;
        }
        seen[found - table] = true;
        good &= read_number(scope, &m, found, into);
    }
    return good;
}

static bool check_seen(ks_diags *diags, const number *table, size_t n, const bool *seen,
                       const char *optional, ks_span at)
{
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        if (seen[i] || (optional && ks_equal_c(ks_from_c(optional), table[i].name)))
            continue;
        ks_error(diags, KS_S002, at, "the fabric's constant \"%s\" is missing", table[i].name);
        good = false;
    }
    return good;
}

static bool read_processor(const ks_scope *outer, const ks_member *m, const ks_doc *constants,
                           ks_fabric fabrics[KS_FABRIC_ENDS], size_t i)
{
    ks_program *program = outer->program;
    bool seen[KS_COUNT(cpu_numbers)] = {false};
    void *into[KS_FABRIC_ENDS];
    ks_scope scope = *outer;
    if (!ks_expect(program->diags, m->value, KS_MAP, "a processor"))
        return false;
    scope.prefix = ks_format(program->arena, "%.*s%.*s.", KS_ARG(outer->prefix), KS_ARG(m->key));
    for (int end = 0; end < KS_FABRIC_ENDS; end++) {
        fabrics[end].cpus[i].name = m->key;
        into[end] = &fabrics[end].cpus[i];
    }
    return read_section(&scope, m->value, constants, cpu_numbers, KS_COUNT(cpu_numbers), into,
                        seen) &&
           check_seen(program->diags, cpu_numbers, KS_COUNT(cpu_numbers), seen, "root_peer",
                      m->key_span);
}

static bool read_processors(const ks_scope *scope, const ks_doc *section, const ks_doc *constants,
                            ks_fabric fabrics[KS_FABRIC_ENDS])
{
    bool good = true, has_unknown = false;
    for (int end = 0; end < KS_FABRIC_ENDS; end++) {
        fabrics[end].cpus = KS_NEW_ARRAY(scope->program->arena, ks_fabric_cpu, section->n);
        fabrics[end].n_cpus = section->n;
    }
    for (size_t i = 0; i < section->n; i++) {
        has_unknown |= ks_equal_c(section->items[i].key, "unknown");
        good &= read_processor(scope, &section->items[i], constants, fabrics, i);
    }
    if (has_unknown)
        return good;
    ks_error(scope->program->diags, KS_S002, section->span, "the processor \"unknown\" is missing");
    return false;
}

static const ks_doc *load(const ks_catalog *catalog, ks_str name, ks_span at, fabric_file *file)
{
    const ks_doc *doc = ks_catalog_load(catalog, "fabric", name, at);
    return doc && ks_read_fields(catalog->diags, doc, "a fabric", fields, KS_COUNT(fields), file)
               ? doc
               : NULL;
}

/* Every member of `constants` that begins with "fabric." must have replaced something. */
static bool check_replaced(ks_program *program, const ks_doc *constants)
{
    bool good = true;
    for (size_t i = 0; constants && constants->kind == KS_MAP && i < constants->n; i++) {
        const ks_member *m = &constants->items[i];
        if (!ks_starts_with(m->key, KS_STR("fabric.")) || ks_find(program, m->key) >= 0)
            continue;
        ks_error(program->diags, KS_S001, m->key_span, "there is no constant \"%.*s\"",
                 KS_ARG(m->key));
        ks_suggest_name(program, m->key);
        good = false;
    }
    return good;
}

bool ks_define_fabric(const ks_catalog *catalog, ks_program *program, const ks_doc *constants,
                      ks_span at, ks_fabric fabrics[KS_FABRIC_ENDS])
{
    fabric_file pcie = {0}, nvlink = {0};
    ks_scope scope = {program, KS_STR("fabric."), NULL};
    bool seen[KS_COUNT(numbers)] = {false};
    void *into[KS_FABRIC_ENDS];
    const ks_doc *root = load(catalog, KS_STR("pcie"), at, &pcie);
    if (!root || !load(catalog, KS_STR("nvlink"), at, &nvlink))
        return false;
    for (int end = 0; end < KS_FABRIC_ENDS; end++) {
        fabrics[end] = (ks_fabric){0};
        into[end] = &fabrics[end];
    }
    if (!pcie.processors) {
        ks_error(program->diags, KS_S002, root->span, "the fabric lacks \"processors\"");
        return false;
    }
    scope.sources = pcie.sources;
    bool good = read_section(&scope, pcie.constants, constants, numbers, KS_COUNT(numbers), into,
                             seen);
    good &= read_processors(&scope, pcie.processors, constants, fabrics);
    scope.sources = nvlink.sources;
    good &= read_section(&scope, nvlink.constants, constants, numbers, KS_COUNT(numbers), into,
                         seen);
    return good && check_seen(program->diags, numbers, KS_COUNT(numbers), seen, NULL, root->span) &&
           check_replaced(program, constants);
}

static const ks_fabric_cpu *cpu_named(const ks_fabric *fabric, ks_str name)
{
    for (size_t i = 0; i < fabric->n_cpus; i++)
        if (ks_equal(fabric->cpus[i].name, name))
            return &fabric->cpus[i];
    return NULL;
}

const ks_fabric_cpu *ks_fabric_cpu_of(const ks_fabric *fabric, const ks_numa *numa)
{
    static const char *const vendors[] = {
#define X(name, word) [KS_CPU_##name] = word,
        KS_CPU_VENDORS(X)
#undef X
    };
    static const ks_fabric_cpu nothing = {.name = {"unknown", 7}};
    const ks_fabric_cpu *cpu = numa->cpu.n ? cpu_named(fabric, numa->cpu) : NULL;
    if (!cpu)
        cpu = cpu_named(fabric, ks_from_c(vendors[numa->vendor]));
    if (!cpu)
        cpu = cpu_named(fabric, KS_STR("unknown"));
    return cpu ? cpu : &nothing;
}

double ks_fabric_link(const ks_fabric *fabric, double lane_rate, int64_t width)
{
    const struct {
        double lane_rate, x16;
    } rates[] = {
        {2.5e9, fabric->gen1_x16}, {5e9, fabric->gen2_x16},  {8e9, fabric->gen3_x16},
        {16e9, fabric->gen4_x16},  {32e9, fabric->gen5_x16}, {64e9, fabric->gen6_x16},
    };
    if (!(lane_rate > 0) || width <= 0 || width > WIDEST)
        return 0;
    for (size_t i = 0; i < KS_COUNT(rates); i++)
        if (fabs(lane_rate - rates[i].lane_rate) <= 0.02 * rates[i].lane_rate)
            return rates[i].x16 * (double)width / 16;
    return 0;
}

double ks_fabric_nvlink(const ks_fabric *fabric, double capability)
{
    if (capability >= 10 || !(capability > 0))
        return capability > 0 ? fabric->nvlink_sm100 : fabric->nvlink_sm80;
    if (capability >= 9)
        return fabric->nvlink_sm90;
    if (capability > 8.05)
        return fabric->nvlink_sm86;
    if (capability >= 8)
        return fabric->nvlink_sm80;
    return capability >= 7 ? fabric->nvlink_sm70 : fabric->nvlink_sm60;
}
