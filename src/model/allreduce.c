#include "model/allreduce.h"

#include "model/merge.h"
#include "model/tables.h"
#include "read/schema.h"

typedef struct allreduce_file {
    const ks_doc *kvsim, *versions, *sources, *inputs, *constants, *tables, *entries, *algorithms,
        *refusals, *remarks, *remedies, *regimes, *choice;
    ks_str allreduce, title, read_from, read_to;
} allreduce_file;

static const ks_field file_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(allreduce_file, kvsim)},
    {"allreduce", KS_FIELD_TEXT, KS_REQUIRED, offsetof(allreduce_file, allreduce)},
    {"title", KS_FIELD_TEXT, 0, offsetof(allreduce_file, title)},
    {"versions", KS_FIELD_SCALAR, 0, offsetof(allreduce_file, versions)},
    {"read_from", KS_FIELD_TEXT, 0, offsetof(allreduce_file, read_from)},
    {"read_to", KS_FIELD_TEXT, 0, offsetof(allreduce_file, read_to)},
    {"sources", KS_FIELD_MAP, 0, offsetof(allreduce_file, sources)},
    {"inputs", KS_FIELD_MAP, 0, offsetof(allreduce_file, inputs)},
    {"constants", KS_FIELD_MAP, KS_REQUIRED, offsetof(allreduce_file, constants)},
    {"tables", KS_FIELD_MAP, 0, offsetof(allreduce_file, tables)},
    {"entries", KS_FIELD_MAP, KS_REQUIRED, offsetof(allreduce_file, entries)},
    {"algorithms", KS_FIELD_MAP, KS_REQUIRED, offsetof(allreduce_file, algorithms)},
    {"refusals", KS_FIELD_MAP, 0, offsetof(allreduce_file, refusals)},
    {"remarks", KS_FIELD_MAP, 0, offsetof(allreduce_file, remarks)},
    {"remedies", KS_FIELD_MAP, 0, offsetof(allreduce_file, remedies)},
    {"regimes", KS_FIELD_MAP, 0, offsetof(allreduce_file, regimes)},
    {"choice", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(allreduce_file, choice)},
};

typedef struct algorithm_row {
    const ks_doc *exists, *time;
    ks_str title, pick;
} algorithm_row;

static const ks_field algorithm_fields[] = {
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(algorithm_row, title)},
    {"pick", KS_FIELD_TEXT, 0, offsetof(algorithm_row, pick)},
    {"exists", KS_FIELD_SCALAR, 0, offsetof(algorithm_row, exists)},
    {"time", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(algorithm_row, time)},
};

typedef struct refusal_row {
    const ks_doc *algorithms, *when, *why, *source;
} refusal_row;

static const ks_field refusal_fields[] = {
    {"algorithms", KS_FIELD_LIST, KS_REQUIRED, offsetof(refusal_row, algorithms)},
    {"when", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(refusal_row, when)},
    {"why", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(refusal_row, why)},
    {"source", KS_FIELD_DOC, 0, offsetof(refusal_row, source)},
};

typedef struct notice_row {
    const ks_doc *when, *text, *set;
} notice_row;

static const ks_field notice_fields[] = {
    {"when", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(notice_row, when)},
    {"text", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(notice_row, text)},
    {"set", KS_FIELD_MAP, 0, offsetof(notice_row, set)},
};

static const ks_field regime_fields[] = {
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(ks_regime_text, title)},
    {"test", KS_FIELD_TEXT, KS_REQUIRED, offsetof(ks_regime_text, test)},
    {"healthy", KS_FIELD_TEXT, KS_REQUIRED, offsetof(ks_regime_text, healthy)},
};

typedef struct input_row {
    const ks_doc *unset, *source;
    ks_str meaning;
} input_row;

static const ks_field input_fields[] = {
    {"default", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(input_row, unset)},
    {"meaning", KS_FIELD_TEXT, KS_REQUIRED, offsetof(input_row, meaning)},
    {"source", KS_FIELD_DOC, 0, offsetof(input_row, source)},
};

static ks_formula text_of(const ks_doc *doc)
{
    return (ks_formula){ks_one_line(doc), doc->span, doc->exact, {NULL, 0}};
}

static bool read_algorithms(ks_diags *diags, const ks_doc *section, ks_allreduce *result)
{
    bool good = true;
    for (size_t i = 0; i < section->n; i++) {
        const ks_member *m = &section->items[i];
        algorithm_row row = {0};
        good &= ks_read_fields(diags, m->value, "an algorithm", algorithm_fields,
                               KS_COUNT(algorithm_fields), &row);
        *KS_PUSH(diags->arena, &result->algorithms) = (ks_algorithm){
            m->key, row.title, row.pick, m->value, m->key_span, -1, -1, -1};
    }
    return good;
}

static bool read_refusals(ks_diags *diags, const ks_doc *section, ks_allreduce *result)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++) {
        const ks_member *m = &section->items[i];
        refusal_row row = {0};
        if (!ks_read_fields(diags, m->value, "a refusal", refusal_fields, KS_COUNT(refusal_fields),
                            &row)) {
            good = false;
            continue;
        }
        *KS_PUSH(diags->arena, &result->refusals) = (ks_refusal){
            m->key, m->value, row.algorithms, text_of(row.why), {NULL, 0, 0}, -1};
        for (size_t k = 0; k < row.algorithms->n; k++) {
            const ks_doc *name = row.algorithms->items[k].value;
            if (ks_find_algorithm(result, name->text))
                continue;
            ks_error(diags, KS_M001, name->span, "there is no algorithm \"%.*s\"",
                     KS_ARG(name->text));
            good = false;
        }
    }
    return good;
}

static bool read_notices(ks_diags *diags, const ks_doc *section, bool remedies,
                         ks_allreduce *result)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++) {
        const ks_member *m = &section->items[i];
        notice_row row = {0};
        if (!ks_read_fields(diags, m->value, "a remark", notice_fields, KS_COUNT(notice_fields),
                            &row)) {
            good = false;
            continue;
        }
        ks_notice notice = {m->key, m->value, row.set, text_of(row.text), {NULL, 0, 0}, -1};
        if (remedies)
            *KS_PUSH(diags->arena, &result->remedies) = notice;
        else
            *KS_PUSH(diags->arena, &result->remarks) = notice;
    }
    return good;
}

static bool read_regimes(ks_diags *diags, const ks_doc *section, ks_allreduce *result)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++) {
        ks_regime_text *regime = KS_PUSH(diags->arena, &result->regimes);
        *regime = (ks_regime_text){.name = section->items[i].key};
        good &= ks_read_fields(diags, section->items[i].value, "a regime", regime_fields,
                               KS_COUNT(regime_fields), regime);
    }
    return good;
}

bool ks_read_allreduce(const ks_catalog *catalog, ks_str engine, ks_str version,
                       const ks_doc *calibration, ks_span at, ks_allreduce *result)
{
    allreduce_file file = {0};
    ks_diags *diags = catalog->diags;
    *result = (ks_allreduce){.engine = engine,
                             .calibration = calibration,
                             .bytes = -1,
                             .nccl = -1,
                             .chosen = -1,
                             .time = -1};
    const ks_doc *doc = engine.n ? ks_catalog_versioned(catalog, "allreduce", engine, version, at)
                                 : ks_catalog_load(catalog, "allreduce", KS_STR("common"), at);
    if (!doc || !ks_read_fields(diags, doc, "an all-reduce model", file_fields,
                                KS_COUNT(file_fields), &file))
        return false;
    if (engine.n)
        ks_warn_version(diags, version, file.read_from, file.read_to, at);
    result->doc = doc;
    bool good = read_algorithms(diags, file.algorithms, result);
    good &= read_refusals(diags, file.refusals, result);
    good &= read_notices(diags, file.remarks, false, result);
    good &= read_notices(diags, file.remedies, true, result);
    return read_regimes(diags, file.regimes, result) && good;
}

const ks_algorithm *ks_find_algorithm(const ks_allreduce *allreduce, ks_str name)
{
    for (size_t i = 0; i < allreduce->algorithms.n; i++)
        if (ks_equal(allreduce->algorithms.items[i].name, name))
            return &allreduce->algorithms.items[i];
    return NULL;
}

typedef struct definer {
    ks_program *program;
    ks_allreduce *allreduce;
    ks_scope scope;
} definer;

/* "time." and the algorithm's name as formulas write it. */
static ks_str own_name(const definer *d, const char *what, ks_str algorithm)
{
    ks_arena *arena = d->program->arena;
    return ks_format(arena, "%s.%.*s", what, KS_ARG(ks_replace(arena, algorithm, '-', '_')));
}

/* Engines' flags: those of the launch, where the program has them. */
static bool define_inputs(definer *d, const ks_doc *section)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++) {
        const ks_member *m = &section->items[i];
        input_row row = {0};
        if (ks_find(d->program, m->key) >= 0)
            continue;
        if (!ks_read_fields(d->program->diags, m->value, "an input", input_fields,
                            KS_COUNT(input_fields), &row)) {
            good = false;
            continue;
        }
        ks_def def = {.name = m->key,
                      .kind = KS_DEFAULT,
                      .at = m->key_span,
                      .formula = ks_formula_of(&d->scope, row.unset),
                      .may_be_literal = true,
                      .meaning = row.meaning,
                      .source = ks_read_source(&d->scope, row.source)};
        good &= ks_define(d->program, &def) >= 0;
    }
    return good;
}

/* Members of a section that are not defined under this prefix yet: what calibration says comes
 * first. */
static bool define_rest(definer *d, const ks_doc *section)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++) {
        ks_str name = ks_concat(d->program->arena, d->scope.prefix, section->items[i].key);
        if (ks_find(d->program, name) < 0)
            good &= ks_define_fact(&d->scope, &section->items[i]) >= 0;
    }
    return good;
}

static int define_formula(definer *d, ks_str name, ks_formula formula, ks_type type, bool hidden,
                          ks_str meaning)
{
    formula.scope = d->scope.prefix;
    ks_def def = {.name = ks_concat(d->program->arena, d->scope.prefix, name),
                  .kind = KS_DERIVED,
                  .type = type,
                  .has_base = true,
                  .has_dim = type.base == KS_REAL,
                  .formula = formula,
                  .at = formula.span,
                  .hidden = hidden,
                  .meaning = meaning};
    return ks_define(d->program, &def);
}

static const ks_type seconds = {KS_REAL, {0, 1, 0}};
static const ks_type truth = {KS_TRUTH, {0, 0, 0}};
static const ks_type word = {KS_WORD, {0, 0, 0}};

/* A formula that C composes of the file's names. */
static ks_formula composed(ks_str text, ks_span at)
{
    return (ks_formula){text, at, false, {NULL, 0}};
}

static bool define_algorithm(definer *d, ks_algorithm *a)
{
    ks_arena *arena = d->program->arena;
    const ks_doc *time = ks_member_of(a->row, "time"), *exists = ks_member_of(a->row, "exists");
    ks_builder refused = {.arena = arena};
    for (size_t i = 0; i < d->allreduce->refusals.n; i++) {
        const ks_refusal *r = &d->allreduce->refusals.items[i];
        for (size_t k = 0; k < r->algorithms->n; k++)
            if (ks_equal(r->algorithms->items[k].value->text, a->name))
                ks_addf(&refused, "%srefusal.%.*s", refused.n ? " or " : "", KS_ARG(r->id));
    }
    a->exists = define_formula(d, own_name(d, "exists", a->name),
                               exists ? text_of(exists) : composed(KS_STR("true"), a->at), truth,
                               true, (ks_str){NULL, 0});
    a->time = define_formula(d, own_name(d, "time", a->name), text_of(time), seconds, false,
                             a->title);
    a->refused = define_formula(d, own_name(d, "refused", a->name),
                                composed(refused.n ? ks_built(&refused) : KS_STR("false"), a->at),
                                truth, true, (ks_str){NULL, 0});
    return a->exists >= 0 && a->time >= 0 && a->refused >= 0;
}

/* What NCCL picks, by its name here, its time, and the engine's choice with its time: chains of if()
 * over the algorithms of the file. */
static bool define_choice(definer *d, const ks_doc *choice)
{
    ks_arena *arena = d->program->arena;
    ks_builder pick = {.arena = arena}, nccl = {.arena = arena}, time = {.arena = arena},
               ends = {.arena = arena}, all_ends = {.arena = arena};
    ks_addf(&nccl, "interp(nccl.correction, bytes) * (");
    ks_str first = {NULL, 0};
    for (size_t i = 0; i < d->allreduce->algorithms.n; i++) {
        const ks_algorithm *a = &d->allreduce->algorithms.items[i];
        ks_str own = own_name(d, "time", a->name);
        ks_str taken = a->pick.n ? KS_STR("time.nccl") : own;
        ks_addf(&time, "if(allreduce.chosen == '%.*s', %.*s, ", KS_ARG(a->name), KS_ARG(taken));
        ks_addf(&all_ends, ")");
        if (!a->pick.n)
            continue;
        if (!first.n)
            first = a->name;
        ks_addf(&pick, "if(nccl.pick == '%.*s', '%.*s', ", KS_ARG(a->pick), KS_ARG(a->name));
        ks_addf(&nccl, "if(nccl.pick == '%.*s', %.*s, ", KS_ARG(a->pick), KS_ARG(own));
        ks_addf(&ends, ")");
    }
    ks_addf(&pick, "'%.*s'%.*s", KS_ARG(first), KS_ARG(ks_built(&ends)));
    ks_addf(&nccl, "%.*s%.*s)", KS_ARG(own_name(d, "time", first)), KS_ARG(ks_built(&ends)));
    ks_addf(&time, "time.nccl%.*s", KS_ARG(ks_built(&all_ends)));
    ks_allreduce *a = d->allreduce;
    a->nccl = define_formula(d, KS_STR("time.nccl"), composed(ks_built(&nccl), choice->span),
                             seconds, false, KS_STR("what NCCL picks"));
    int name = define_formula(d, KS_STR("allreduce.nccl"), composed(ks_built(&pick), choice->span),
                              word, false, KS_STR("what NCCL picks, by its name here"));
    int own = define_formula(d, KS_STR("allreduce.choice"), text_of(choice), word, true,
                             KS_STR("what the engine runs"));
    a->chosen = define_formula(
        d, KS_STR("allreduce.chosen"),
        composed(KS_STR("if(allreduce.choice == 'nccl', allreduce.nccl, allreduce.choice)"),
                 choice->span),
        word, false, KS_STR("what runs"));
    a->time = define_formula(d, KS_STR("allreduce.time"), composed(ks_built(&time), choice->span),
                             seconds, false, KS_STR("one all-reduce, by what runs"));
    return a->nccl >= 0 && name >= 0 && own >= 0 && a->chosen >= 0 && a->time >= 0;
}

static bool define_conditions(definer *d)
{
    ks_allreduce *a = d->allreduce;
    ks_arena *arena = d->program->arena;
    ks_str none = {NULL, 0};
    bool good = true;
    for (size_t i = 0; i < a->refusals.n; i++) {
        ks_refusal *r = &a->refusals.items[i];
        r->when = define_formula(d, ks_format(arena, "refusal.%.*s", KS_ARG(r->id)),
                                 text_of(ks_member_of(r->row, "when")), truth, true, none);
        good &= r->when >= 0;
    }
    for (size_t i = 0; i < a->remarks.n; i++) {
        ks_notice *n = &a->remarks.items[i];
        n->when = define_formula(d, ks_format(arena, "notice.%.*s", KS_ARG(n->id)),
                                 text_of(ks_member_of(n->row, "when")), truth, true, none);
        good &= n->when >= 0;
    }
    for (size_t i = 0; i < a->remedies.n; i++) {
        ks_notice *n = &a->remedies.items[i];
        n->when = define_formula(d, ks_format(arena, "remedy.%.*s", KS_ARG(n->id)),
                                 text_of(ks_member_of(n->row, "when")), truth, true, none);
        good &= n->when >= 0;
    }
    return good;
}

bool ks_define_allreduce(ks_program *program, ks_allreduce *allreduce, ks_str prefix)
{
    definer d = {program, allreduce, {program, prefix, ks_member_of(allreduce->doc, "sources")}};
    const ks_doc *doc = allreduce->doc, *own = allreduce->calibration;
    allreduce->prefix = prefix;
    allreduce->bytes = ks_find(program, ks_concat(program->arena, prefix, KS_STR("bytes")));
    bool good = define_inputs(&d, ks_member_of(doc, "inputs"));
    good &= define_rest(&d, ks_member_of(own, "constants"));
    good &= ks_define_tables(&d.scope, ks_member_of(own, "tables"));
    good &= define_rest(&d, ks_member_of(doc, "constants"));
    good &= ks_define_tables(&d.scope, ks_member_of(doc, "tables"));
    good &= define_rest(&d, ks_member_of(doc, "entries"));
    for (size_t i = 0; i < allreduce->algorithms.n; i++)
        good &= define_algorithm(&d, &allreduce->algorithms.items[i]);
    return define_conditions(&d) && define_choice(&d, ks_member_of(doc, "choice")) && good;
}

bool ks_finish_allreduce(ks_program *program, ks_allreduce *allreduce)
{
    bool good = true;
    for (size_t i = 0; i < allreduce->refusals.n; i++) {
        ks_refusal *r = &allreduce->refusals.items[i];
        r->text.scope = allreduce->prefix;
        good &= ks_read_template(program, r->text, &r->why);
    }
    for (size_t i = 0; i < allreduce->remarks.n; i++) {
        ks_notice *n = &allreduce->remarks.items[i];
        n->text.scope = allreduce->prefix;
        good &= ks_read_template(program, n->text, &n->parsed);
    }
    for (size_t i = 0; i < allreduce->remedies.n; i++) {
        ks_notice *n = &allreduce->remedies.items[i];
        n->text.scope = allreduce->prefix;
        good &= ks_read_template(program, n->text, &n->parsed);
    }
    return good;
}
