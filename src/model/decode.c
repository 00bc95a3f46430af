#include "model/decode.h"

#include "model/allreduce.h"
#include "model/machine.h"
#include "model/tables.h"
#include "read/schema.h"

typedef struct decode_file {
    const ks_doc *kvsim, *title, *sources, *assume, *constants, *tables, *reads, *entries, *steps,
        *step, *terms, *results, *findings, *candidates;
    ks_str decode;
} decode_file;

static const ks_field file_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(decode_file, kvsim)},
    {"decode", KS_FIELD_TEXT, 0, offsetof(decode_file, decode)},
    {"title", KS_FIELD_DOC, 0, offsetof(decode_file, title)},
    {"sources", KS_FIELD_MAP, 0, offsetof(decode_file, sources)},
    {"assume", KS_FIELD_MAP, 0, offsetof(decode_file, assume)},
    {"constants", KS_FIELD_MAP, 0, offsetof(decode_file, constants)},
    {"tables", KS_FIELD_MAP, 0, offsetof(decode_file, tables)},
    {"reads", KS_FIELD_MAP, KS_REQUIRED, offsetof(decode_file, reads)},
    {"entries", KS_FIELD_MAP, 0, offsetof(decode_file, entries)},
    {"steps", KS_FIELD_MAP, KS_REQUIRED, offsetof(decode_file, steps)},
    {"step", KS_FIELD_MAP, KS_REQUIRED, offsetof(decode_file, step)},
    {"terms", KS_FIELD_LIST, KS_REQUIRED, offsetof(decode_file, terms)},
    {"results", KS_FIELD_MAP, 0, offsetof(decode_file, results)},
    {"findings", KS_FIELD_MAP, 0, offsetof(decode_file, findings)},
    {"candidates", KS_FIELD_LIST, 0, offsetof(decode_file, candidates)},
};

typedef struct step_row {
    const ks_doc *when, *tokens, *graph, *rest;
    ks_str title;
} step_row;

static const ks_field step_fields[] = {
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(step_row, title)},
    {"when", KS_FIELD_SCALAR, 0, offsetof(step_row, when)},
    {"tokens", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(step_row, tokens)},
    {"graph", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(step_row, graph)},
    {"rest", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(step_row, rest)},
};

typedef struct term_row {
    const ks_doc *detail, *when;
    ks_str name, title;
} term_row;

static const ks_field term_fields[] = {
    {"name", KS_FIELD_TEXT, KS_REQUIRED, offsetof(term_row, name)},
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(term_row, title)},
    {"detail", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(term_row, detail)},
    {"when", KS_FIELD_SCALAR, 0, offsetof(term_row, when)},
};

typedef struct finding_row {
    const ks_doc *when, *text;
} finding_row;

static const ks_field finding_fields[] = {
    {"when", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(finding_row, when)},
    {"text", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(finding_row, text)},
};

typedef struct definer {
    ks_program *program;
    ks_decode *decode;
    decode_file file;
    const ks_catalog *catalog;
    ks_model *model;
    const ks_machine *machine;
    const ks_doc *tensors;
    ks_scope scope; /* of the step that is being defined */
} definer;

const char *const ks_regimes[] = {"healthy", "sysmem-staged", "write-collapse", "nccl-fallback",
                                  NULL};

static const ks_type truth = {KS_TRUTH, {0, 0, 0}};

static ks_formula composed(const definer *d, ks_str text, ks_span at)
{
    return (ks_formula){text, at, false, d->scope.prefix};
}

static int define_formula(definer *d, ks_str name, ks_formula formula, ks_type type, ks_str meaning)
{
    ks_def def = {.name = ks_concat(d->program->arena, d->scope.prefix, name),
                  .kind = KS_DERIVED,
                  .type = type,
                  .has_base = true,
                  .has_dim = type.base <= KS_REAL,
                  .formula = formula,
                  .at = formula.span,
                  .hidden = type.base == KS_TRUTH,
                  .meaning = meaning};
    return ks_define(d->program, &def);
}

static bool define_when(definer *d, const char *name, ks_str id, const ks_doc *when, int *number)
{
    if (!when)
        return true;
    *number = define_formula(d, ks_format(d->program->arena, "%s.%.*s", name, KS_ARG(id)),
                             ks_formula_of(&d->scope, when), truth, (ks_str){NULL, 0});
    return *number >= 0;
}

/* What a step reads of a role's tensors: all of each, unless the role's rule gives a share. */
static bool define_role(definer *d, ks_str role, ks_builder *sum)
{
    ks_arena *arena = d->program->arena;
    const ks_doc *rule = ks_member_of(d->file.reads, ks_to_c(arena, role));
    ks_builder rows = {.arena = arena};
    for (size_t i = 0; i < d->tensors->n; i++) {
        const ks_member *row = &d->tensors->items[i];
        const ks_doc *own = ks_member_of(row->value, "role"),
                     *read = ks_member_of(row->value, "read");
        if (!own || !ks_equal(own->text, role))
            continue;
        if (read && !ks_equal_c(read->text, "never")) {
            ks_error(d->program->diags, KS_S005, read->span,
                     "\"read\" is \"never\", or is left out");
            return false;
        }
        if (!read)
            ks_addf(&rows, "%sllm.weights.%.*s", rows.n ? " + " : "", KS_ARG(row->key));
    }
    if (!rows.n)
        return true;
    ks_str formula = ks_built(&rows), name = ks_concat(arena, KS_STR("read."), role);
    if (rule)
        formula = ks_format(arena, "ceil((%.*s) * (%.*s))", KS_ARG(formula),
                            KS_ARG(ks_one_line(rule)));
    ks_addf(sum, "%s%.*s", sum->n ? " + " : "", KS_ARG(name));
    ks_span at = rule ? rule->span : d->tensors->span;
    return define_formula(d, name, composed(d, formula, at), (ks_type){KS_WHOLE, KS_BYTE},
                          ks_format(arena, "weights of the role \"%.*s\" that the step reads",
                                    KS_ARG(role))) >= 0;
}

/* The weights that one rank reads in a step, role by role. */
static bool define_reads(definer *d)
{
    ks_builder sum = {.arena = d->program->arena};
    bool good = true;
    for (size_t i = 0; i < d->tensors->n; i++) {
        const ks_doc *role = ks_member_of(d->tensors->items[i].value, "role");
        bool first = role != NULL;
        for (size_t k = 0; k < i && first; k++) {
            const ks_doc *other = ks_member_of(d->tensors->items[k].value, "role");
            first = !other || !ks_equal(other->text, role->text);
        }
        if (first)
            good &= define_role(d, role->text, &sum);
    }
    return good &&
           define_formula(d, KS_STR("weights_read"), composed(d, ks_built(&sum), d->tensors->span),
                          (ks_type){KS_WHOLE, KS_BYTE},
                          KS_STR("weights that the step reads on one rank")) >= 0;
}

static bool define_term(definer *d, ks_decode_step *step, const ks_doc *doc)
{
    term_row row = {0};
    ks_arena *arena = d->program->arena;
    if (!ks_read_fields(d->program->diags, doc, "a term", term_fields, KS_COUNT(term_fields), &row))
        return false;
    ks_decode_term *term = KS_PUSH(arena, &step->terms);
    *term = (ks_decode_term){.title = row.title, .time = -1, .share = -1, .when = -1};
    term->text = ks_formula_of(&d->scope, row.detail);
    term->time = ks_find(d->program, ks_concat(arena, d->scope.prefix, row.name));
    if (term->time < 0) {
        ks_error(d->program->diags, KS_F002, doc->span, "\"%.*s\" is not known here",
                 KS_ARG(row.name));
        return false;
    }
    term->share = define_formula(
        d, ks_concat(arena, KS_STR("share."), row.name),
        composed(d, ks_format(arena, "%.*s / step", KS_ARG(row.name)), doc->span),
        (ks_type){KS_REAL, KS_NO_DIM}, KS_STR("share of the step"));
    return term->share >= 0 && define_when(d, "shown", row.name, row.when, &term->when);
}

/* What one all-reduce takes by the kernel that really runs: a chain of if() over all kernels that are
 * timed. */
static bool define_each(definer *d)
{
    ks_arena *arena = d->program->arena;
    const ks_flag *kernel = ks_find_flag(&d->model->engine, KS_STR("decode.kernel"));
    ks_builder formula = {.arena = arena}, ends = {.arena = arena};
    for (size_t i = 0; kernel && kernel->choices && i < kernel->choices->n; i++) {
        ks_str name = kernel->choices->items[i].value->text;
        ks_str time = ks_format(arena, "time.%.*s", KS_ARG(ks_replace(arena, name, '-', '_')));
        if (ks_find(d->program, ks_concat(arena, d->scope.prefix, time)) < 0)
            continue;
        ks_addf(&formula, "if(decode.kernel == '%.*s', %.*s, ", KS_ARG(name), KS_ARG(time));
        ks_addf(&ends, ")");
    }
    ks_addf(&formula, "allreduce.time%.*s", KS_ARG(ks_built(&ends)));
    ks_type seconds = {KS_REAL, {0, 1, 0}};
    ks_str simple = ks_concat(arena, d->scope.prefix, KS_STR("time.nccl_ring_simple"));
    /* What a fallback of NCCL's search does to small messages; where the search itself falls back, its
     * pick is that already. */
    ks_str each = ks_find(d->program, simple) < 0
                      ? KS_STR("allreduce_usual")
                      : KS_STR(
                            "if(machine.regime == 'nccl-fallback' and (kernel == 'nccl-ring-ll' or "
                            "kernel == 'nccl'), time.nccl_ring_simple, allreduce_usual)");
    return define_formula(d, KS_STR("allreduce_usual"),
                          composed(d, ks_built(&formula), d->file.step->span), seconds,
                          KS_STR("one all-reduce by what runs")) >= 0 &&
           define_formula(d, KS_STR("allreduce_each"), composed(d, each, d->file.step->span),
                          seconds, KS_STR("one all-reduce")) >= 0;
}

/* Everything that exists once for each step, under the step's prefix. */
static bool define_step(definer *d, const ks_member *m)
{
    step_row row = {0};
    ks_arena *arena = d->program->arena;
    if (!ks_read_fields(d->program->diags, m->value, "a step", step_fields, KS_COUNT(step_fields),
                        &row))
        return false;
    d->scope.prefix = ks_format(arena, "%.*s.", KS_ARG(m->key));
    ks_decode_step *step = KS_PUSH(arena, &d->decode->steps);
    *step = (ks_decode_step){
        .prefix = d->scope.prefix, .title = row.title, .row = m->value, .when = -1};
    int tokens = define_formula(d, KS_STR("tokens"), ks_formula_of(&d->scope, row.tokens),
                                (ks_type){KS_WHOLE, KS_NO_DIM}, KS_STR("tokens of the step"));
    step->graph = define_formula(d, KS_STR("graph"), ks_formula_of(&d->scope, row.graph), truth,
                                 KS_STR("the step is replayed from a CUDA graph"));
    int rest = define_formula(d, KS_STR("rest"), ks_formula_of(&d->scope, row.rest),
                              (ks_type){KS_REAL, {0, 1, 0}},
                              KS_STR("what measuring the other step left unexplained"));
    if (rest < 0 || tokens < 0 || step->graph < 0 ||
        !define_when(d, "shown", m->key, row.when, &step->when) || !define_reads(d) ||
        !ks_define_section(&d->scope, d->file.step) ||
        !d->decode->links(d->decode, d->catalog, d->model, d->machine, d->scope.prefix) ||
        !define_each(d))
        return false;
    step->step = ks_find(d->program, ks_concat(arena, d->scope.prefix, KS_STR("step")));
    bool good = step->step >= 0;
    for (size_t i = 0; i < d->file.terms->n; i++)
        good &= define_term(d, step, d->file.terms->items[i].value);
    return good;
}

static bool define_findings(definer *d)
{
    bool good = true;
    for (size_t i = 0; d->file.findings && i < d->file.findings->n; i++) {
        const ks_member *m = &d->file.findings->items[i];
        finding_row row = {0};
        if (!ks_read_fields(d->program->diags, m->value, "a finding", finding_fields,
                            KS_COUNT(finding_fields), &row)) {
            good = false;
            continue;
        }
        ks_decode_finding *finding = KS_PUSH(d->program->arena, &d->decode->findings);
        *finding = (ks_decode_finding){.id = m->key, .when = -1};
        finding->text = ks_formula_of(&d->scope, row.text);
        good &= define_when(d, "finding", m->key, row.when, &finding->when);
    }
    return good;
}

/* A result that only a comparison of several runs can give. */
static int define_verdict(definer *d, const char *name, ks_type type, ks_cell value,
                          const char *meaning)
{
    return ks_define_input(d->program, ks_from_c(name), KS_CHECKED, type, value,
                           d->decode->doc->span, ks_from_c(meaning));
}

static bool define_verdicts(definer *d)
{
    ks_type word = {KS_WORD, KS_NO_DIM};
    d->decode->consistent = define_verdict(
        d, "decode.consistent", truth, (ks_cell){.i = 1},
        "what was measured lies inside what the model says, in the regime that is said");
    d->decode->regimes = define_verdict(d, "decode.regimes", word,
                                        (ks_cell){.i = ks_word(d->program, KS_STR("none"))},
                                        "regimes of the links that agree with what was measured");
    d->decode->regime = ks_find(d->program, KS_STR("machine.regime"));
    return d->decode->consistent >= 0 && d->decode->regimes >= 0;
}

/* The engine's file, or the one for all engines. */
static const ks_doc *load_file(const ks_catalog *catalog, const ks_model *model)
{
    const ks_doc *doc = ks_catalog_find(catalog, "decode", model->engine.name, model->engine.at);
    return doc ? doc : ks_catalog_load(catalog, "decode", KS_STR("common"), model->engine.at);
}

static bool read(const ks_extra *extra, const ks_catalog *catalog, ks_model *model)
{
    ks_decode *decode = extra->context;
    *decode = (ks_decode){.doc = load_file(catalog, model), .links = decode->links, .regime = -1};
    return decode->doc && ks_read_assumptions(model->arena, model->diags,
                                              ks_member_of(decode->doc, "assume"), &model->engine);
}

static const ks_doc *load_tensors(const ks_catalog *catalog, const ks_model *model)
{
    const ks_doc *arch = ks_member_of(model->llm, "arch");
    const ks_doc *file = arch ? ks_catalog_load(catalog, "arch", arch->text, arch->span) : NULL;
    return file ? ks_member_of(file, "tensors") : NULL;
}

static bool define(const ks_extra *extra, const ks_catalog *catalog, ks_model *model,
                   const ks_machine *machine)
{
    ks_decode *decode = extra->context;
    definer d = {.program = model->program,
                 .decode = decode,
                 .catalog = catalog,
                 .model = model,
                 .machine = machine};
    if (!ks_read_fields(model->diags, decode->doc, "a decode model", file_fields,
                        KS_COUNT(file_fields), &d.file))
        return false;
    d.tensors = load_tensors(catalog, model);
    d.scope = (ks_scope){model->program, {NULL, 0}, d.file.sources};
    if (!d.tensors)
        return false;
    bool good = ks_define_section(&d.scope, d.file.constants);
    good &= ks_define_tables(&d.scope, d.file.tables);
    good &= ks_define_section(&d.scope, d.file.entries);
    for (size_t i = 0; good && i < d.file.steps->n;
         i++) /* the next one's errors would be the same */
        good = define_step(&d, &d.file.steps->items[i]);
    d.scope.prefix = (ks_str){NULL, 0};
    good &= ks_define_section(&d.scope, d.file.results);
    good &= define_findings(&d) && define_verdicts(&d);
    decode->defined = good;
    return good;
}

static bool finish(const ks_extra *extra, ks_model *model)
{
    ks_decode *decode = extra->context;
    bool good = true;
    for (size_t i = 0; i < decode->allreduces.n; i++)
        good &= ks_finish_allreduce(model->program, decode->allreduces.items[i]);
    for (size_t i = 0; i < decode->steps.n; i++)
        for (size_t k = 0; k < decode->steps.items[i].terms.n; k++) {
            ks_decode_term *term = &decode->steps.items[i].terms.items[k];
            good &= ks_read_template(model->program, term->text, &term->detail);
        }
    for (size_t i = 0; i < decode->findings.n; i++)
        good &= ks_read_template(model->program, decode->findings.items[i].text,
                                 &decode->findings.items[i].parsed);
    return good;
}

bool ks_decode_no_links(ks_decode *decode, const ks_catalog *catalog, ks_model *model,
                        const ks_machine *machine, ks_str prefix)
{
    ks_cell *none = KS_NEW(model->arena, ks_cell);
    (void)decode;
    (void)catalog;
    none->f = 0;
    ks_def def = {.name = ks_concat(model->arena, prefix, KS_STR("allreduce.time")),
                  .kind = KS_DEFAULT,
                  .type = {KS_REAL, {0, 1, 0}},
                  .values = none,
                  .n_values = 1,
                  .at = machine->at,
                  .meaning = KS_STR("one GPU alone has nothing to add up")};
    ks_cell word = {.i = ks_word(model->program, KS_STR("none"))};
    return ks_define(model->program, &def) >= 0 &&
           ks_define_input(model->program,
                           ks_concat(model->arena, prefix, KS_STR("allreduce.chosen")), KS_DEFAULT,
                           (ks_type){KS_WORD, KS_NO_DIM}, word, machine->at, def.meaning) >= 0 &&
           ks_define_input(model->program,
                           ks_concat(model->arena, prefix, KS_STR("nccl.fallback")), KS_DEFAULT,
                           (ks_type){KS_TRUTH, KS_NO_DIM}, (ks_cell){.i = 0}, machine->at,
                           def.meaning) >= 0;
}

static const char *const names[] = {"decode.", "plain.", "verify.", NULL};

bool ks_is_of_decode(ks_str name)
{
    for (size_t i = 0; names[i]; i++)
        if (ks_starts_with(name, ks_from_c(names[i])))
            return true;
    return false;
}

ks_extra ks_decode_extra(ks_decode *decode, ks_decode_links *links)
{
    decode->links = links;
    return (ks_extra){names, read, define, finish, decode};
}
