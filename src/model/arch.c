#include "model/arch.h"

#include "model/merge.h"
#include "read/schema.h"

typedef struct llm_file {
    const ks_doc *kvsim, *aliases, *config, *formats, *source;
    ks_str llm, title, arch, note;
} llm_file;

static const ks_field llm_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(llm_file, kvsim)},
    {"llm", KS_FIELD_TEXT, 0, offsetof(llm_file, llm)},
    {"title", KS_FIELD_TEXT, 0, offsetof(llm_file, title)},
    {"aliases", KS_FIELD_LIST, 0, offsetof(llm_file, aliases)},
    {"arch", KS_FIELD_TEXT, KS_REQUIRED, offsetof(llm_file, arch)},
    {"source", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(llm_file, source)},
    {"config", KS_FIELD_MAP, KS_REQUIRED, offsetof(llm_file, config)},
    {"formats", KS_FIELD_MAP, KS_REQUIRED, offsetof(llm_file, formats)},
    {"note", KS_FIELD_TEXT, 0, offsetof(llm_file, note)},
};

typedef struct arch_file {
    const ks_doc *kvsim, *sources, *config, *constants, *entries, *splits, *tensors, *matches, *roles,
        *formats, *draft, *staged, *instead;
    ks_str arch, title;
} arch_file;

static const ks_field arch_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(arch_file, kvsim)},
    {"arch", KS_FIELD_TEXT, 0, offsetof(arch_file, arch)},
    {"title", KS_FIELD_TEXT, 0, offsetof(arch_file, title)},
    {"sources", KS_FIELD_MAP, 0, offsetof(arch_file, sources)},
    {"config", KS_FIELD_MAP, KS_REQUIRED, offsetof(arch_file, config)},
    {"constants", KS_FIELD_MAP, 0, offsetof(arch_file, constants)},
    {"entries", KS_FIELD_MAP, 0, offsetof(arch_file, entries)},
    {"splits", KS_FIELD_MAP, KS_REQUIRED, offsetof(arch_file, splits)},
    {"tensors", KS_FIELD_MAP, KS_REQUIRED, offsetof(arch_file, tensors)},
    {"matches", KS_FIELD_LIST, 0, offsetof(arch_file, matches)},
    {"roles", KS_FIELD_MAP, 0, offsetof(arch_file, roles)},
    {"formats", KS_FIELD_MAP, 0, offsetof(arch_file, formats)},
    {"draft", KS_FIELD_DOC, 0, offsetof(arch_file, draft)}, /* see draft.h */
    {"staged", KS_FIELD_MAP, 0, offsetof(arch_file, staged)},
    {"instead", KS_FIELD_MAP, 0, offsetof(arch_file, instead)},
};

typedef struct tensor_row {
    const ks_doc *count, *shape, *source;
    ks_str role, split, kind, meaning, read; /* read: by decode.c */
} tensor_row;

static const ks_field tensor_fields[] = {
    {"count", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(tensor_row, count)},
    {"shape", KS_FIELD_LIST, KS_REQUIRED, offsetof(tensor_row, shape)},
    {"role", KS_FIELD_TEXT, KS_REQUIRED, offsetof(tensor_row, role)},
    {"split", KS_FIELD_TEXT, KS_REQUIRED, offsetof(tensor_row, split)},
    {"kind", KS_FIELD_TEXT, 0, offsetof(tensor_row, kind)},
    {"meaning", KS_FIELD_TEXT, 0, offsetof(tensor_row, meaning)},
    {"read", KS_FIELD_TEXT, 0, offsetof(tensor_row, read)},
    {"source", KS_FIELD_DOC, 0, offsetof(tensor_row, source)},
};

/* What a split does to a row: formulas over `rows`, `cols` and `count`. */
typedef struct split_row {
    ks_str rows, cols, count, meaning;
} split_row;

static const ks_field split_fields[] = {
    {"rows", KS_FIELD_TEXT, 0, offsetof(split_row, rows)},
    {"cols", KS_FIELD_TEXT, 0, offsetof(split_row, cols)},
    {"count", KS_FIELD_TEXT, 0, offsetof(split_row, count)},
    {"meaning", KS_FIELD_TEXT, 0, offsetof(split_row, meaning)},
};

typedef struct llm_builder {
    ks_scope scope;
    llm_file llm;
    arch_file arch;
    const ks_doc *formats; /* of the format file */
    ks_builder weights, parameters;
} llm_builder;

/* The names that the architecture and the number formats know, with the values of the llm file. */
static bool define_config(llm_builder *b, const ks_doc *format_names)
{
    const ks_doc *names = b->arch.config;
    ks_program *program = b->scope.program;
    size_t n = names->n + (format_names ? format_names->n : 0);
    ks_str *known = KS_NEW_ARRAY(program->arena, ks_str, n + 1);
    bool good = ks_define_names(&b->scope, names, b->llm.config, b->llm.source->text) &&
                ks_define_names(&b->scope, format_names, b->llm.config, b->llm.source->text);
    for (size_t i = 0; i < n; i++)
        known[i] = i < names->n ? names->items[i].key : format_names->items[i - names->n].key;
    for (size_t i = 0; i < b->llm.config->n; i++) {
        const ks_member *m = &b->llm.config->items[i];
        const char *key = ks_to_c(program->arena, m->key);
        if (ks_member_of(names, key) || ks_member_of(format_names, key))
            continue;
        ks_error(program->diags, KS_S001, m->key_span,
                 "the architecture has no configuration name \"%.*s\"", KS_ARG(m->key));
        ks_suggest(program->diags, m->key, known, n);
        good = false;
    }
    return good;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '.';
}

/* `text` with the whole words rows, cols and count replaced by what is in parts. */
static ks_str substitute(ks_arena *arena, ks_str text, const ks_str parts[3])
{
    static const char *const words[3] = {"rows", "cols", "count"};
    ks_builder b = {.arena = arena};
    for (size_t i = 0; i < text.n;) {
        size_t n = 0;
        while (i + n < text.n && is_name_byte(text.s[i + n]))
            n++;
        ks_str word = ks_slice(text, i, i + (n ? n : 1));
        for (int k = 0; n && k < 3; k++)
            if (ks_equal_c(word, words[k])) {
                word = parts[k];
                break;
            }
        ks_add(&b, word);
        i += n ? n : 1;
    }
    return ks_built(&b);
}

/* True if the whole text stands in one pair of parentheses. */
static bool is_enclosed(ks_str text)
{
    size_t depth = 0;
    if (text.n < 2 || text.s[0] != '(' || text.s[text.n - 1] != ')')
        return false;
    for (size_t i = 0; i < text.n; i++) {
        depth += text.s[i] == '(';
        depth -= text.s[i] == ')';
        if (depth == 0 && i + 1 < text.n)
            return false;
    }
    return true;
}

/* In parentheses, unless it is a single name, number or call, or stands in them already. */
static ks_str as_operand(ks_arena *arena, ks_str text)
{
    size_t name = 0;
    text = ks_trim(text);
    while (name < text.n && is_name_byte(text.s[name]))
        name++;
    if (name == text.n || is_enclosed(ks_slice(text, name, text.n)))
        return text;
    return ks_format(arena, "(%.*s)", KS_ARG(text));
}

static const ks_doc *named(ks_diags *diags, const ks_doc *map, ks_str name, ks_span at,
                           const char *what)
{
    const ks_doc *found = ks_member_of(map, ks_to_c(diags->arena, name));
    if (found)
        return found;
    ks_error(diags, KS_M001, at, "there is no %s \"%.*s\"", what, KS_ARG(name));
    return NULL;
}

/* The format in which the llm keeps tensors of a role: by role, else its default. An architecture may
 * have some formats replaced. */
static ks_str format_of(const llm_builder *b, ks_str role, ks_span at)
{
    ks_diags *diags = b->scope.program->diags;
    const ks_doc *own = ks_member_of(b->llm.formats, ks_to_c(diags->arena, role));
    const ks_doc *name = own ? own : ks_member_of(b->llm.formats, "default");
    if (!name) {
        ks_error(diags, KS_S002, b->llm.formats->span, "\"formats\" has no \"default\"");
        return (ks_str){NULL, 0};
    }
    const ks_doc *other = ks_member_of(b->arch.instead, ks_to_c(diags->arena, name->text));
    if (other)
        name = other;
    const ks_doc *format = named(diags, b->formats, name->text, own ? own->span : at, "format");
    const ks_doc *formula = format ? ks_member_of(format, "formula") : NULL;
    return formula ? formula->text : (ks_str){NULL, 0};
}

static bool add_row(llm_builder *b, const char *group, const ks_member *row, ks_str formula,
                    ks_dim dim, const tensor_row *fields)
{
    ks_arena *arena = b->scope.program->arena;
    ks_def def = {
        .name = ks_format(arena, "%.*s%s.%.*s", KS_ARG(b->scope.prefix), group, KS_ARG(row->key)),
        .kind = KS_DERIVED,
        .type = {KS_WHOLE, dim},
        .has_dim = true,
        .has_base = true,
        .formula = {formula, row->key_span, false, b->scope.prefix},
        .may_be_literal = false,
        .at = row->key_span,
        .meaning = fields->meaning,
        .source = ks_read_source(&b->scope, fields->source),
    };
    return ks_define(b->scope.program, &def) >= 0;
}

static void add_term(ks_builder *sum, const char *group, ks_str name)
{
    ks_addf(sum, "%s%s.%.*s", sum->n ? " + " : "", group, KS_ARG(name));
}

/* One row of the tensor table. kind: parameter (default); copy, made at loading; or buffer. */
static bool define_tensor(llm_builder *b, const ks_member *row)
{
    tensor_row fields = {.kind = KS_STR("parameter")};
    split_row split = {.rows = KS_STR("rows"), .cols = KS_STR("cols"), .count = KS_STR("count")};
    ks_diags *diags = b->scope.program->diags;
    ks_arena *arena = diags->arena;
    if (!ks_read_fields(diags, row->value, "a tensor", tensor_fields, KS_COUNT(tensor_fields),
                        &fields))
        return false;
    if (fields.shape->n != 2) {
        ks_error(diags, KS_S003, fields.shape->span, "a shape is [rows, columns]");
        return false;
    }
    const ks_doc *how = named(diags, b->arch.splits, fields.split, row->value->span, "split");
    if (!how || !ks_read_fields(diags, how, "a split", split_fields, KS_COUNT(split_fields), &split))
        return false;
    ks_str format = format_of(b, fields.role, row->value->span);
    if (!format.n)
        return false;
    const ks_str whole[3] = {as_operand(arena, ks_one_line(fields.shape->items[0].value)),
                             as_operand(arena, ks_one_line(fields.shape->items[1].value)),
                             as_operand(arena, ks_one_line(fields.count))};
    const ks_str local[3] = {as_operand(arena, substitute(arena, split.rows, whole)),
                             as_operand(arena, substitute(arena, split.cols, whole)),
                             as_operand(arena, substitute(arena, split.count, whole))};
    ks_str bytes = ks_format(arena, "%.*s * %.*s", KS_ARG(local[2]),
                             KS_ARG(as_operand(arena, substitute(arena, format, local))));
    add_term(&b->weights, "weights", row->key);
    if (!add_row(b, "weights", row, bytes, KS_BYTE, &fields))
        return false;
    if (!ks_equal_c(fields.kind, "parameter"))
        return true;
    ks_str number = ks_format(arena, "%.*s * %.*s * %.*s", KS_ARG(whole[2]), KS_ARG(whole[0]),
                              KS_ARG(whole[1]));
    add_term(&b->parameters, "parameters", row->key);
    return add_row(b, "parameters", row, number, KS_NO_DIM, &fields);
}

static bool define_sum(llm_builder *b, const char *name, const ks_builder *sum, ks_dim dim,
                       ks_str meaning)
{
    ks_str full = ks_concat(b->scope.program->arena, b->scope.prefix, ks_from_c(name));
    ks_def def = {.name = full, .kind = KS_DERIVED, .type = {KS_WHOLE, dim}, .has_dim = true,
                  .has_base = true, .at = b->arch.tensors->span,
                  .meaning = meaning};
    def.formula = (ks_formula){ks_built(sum), b->arch.tensors->span, false, b->scope.prefix};
    return ks_define(b->scope.program, &def) >= 0;
}

static bool define_tensors(llm_builder *b)
{
    bool good = true;
    const ks_doc *tensors = b->arch.tensors;
    b->weights.arena = b->parameters.arena = b->scope.program->arena;
    for (size_t i = 0; i < tensors->n; i++)
        good &= define_tensor(b, &tensors->items[i]);
    return good &&
           define_sum(b, "weights", &b->weights, KS_BYTE,
                      KS_STR("weights of one rank, tensor by tensor")) &&
           define_sum(b, "parameters", &b->parameters, KS_NO_DIM,
                      KS_STR("parameters of the model; of one stage, if it has several"));
}

/* Loads the number formats; *names are the configuration's names that they use. */
static bool load_formats(llm_builder *b, const ks_catalog *catalog, const ks_doc **names)
{
    const ks_doc *file = ks_catalog_load(catalog, "format", KS_STR("weights"), (ks_span){0});
    if (!file)
        return false;
    ks_scope scope = {b->scope.program, b->scope.prefix, ks_member_of(file, "sources")};
    b->formats = ks_member_of(file, "formats");
    *names = ks_member_of(file, "config");
    return ks_define_section(&scope, ks_member_of(file, "constants"));
}

/* What `stage:` of the profile says of each rank's place in the pipeline. */
static bool define_stage(const llm_builder *b, const ks_stage *stage, ks_span at)
{
    ks_program *program = b->scope.program;
    ks_arena *arena = program->arena;
    ks_cell *values = KS_NEW_ARRAY(arena, ks_cell, program->n_ranks);
    for (size_t rank = 0; rank < program->n_ranks && stage->n > 1; rank++)
        values[rank].i = (int64_t)(rank / stage->stride % stage->n);
    ks_def def = {.name = ks_concat(arena, b->scope.prefix, KS_STR("stage")), .kind = KS_DEFAULT,
                  .type = {KS_WHOLE, KS_NO_DIM}, .values = values, .at = at,
                  .n_values = stage->n > 1 ? program->n_ranks : 1,
                  .meaning = KS_STR("pipeline stage of this rank, from 0")};
    ks_cell n = {.i = (int64_t)stage->n};
    return ks_define(program, &def) >= 0 &&
           ks_define_input(program, ks_concat(arena, b->scope.prefix, KS_STR("stages")), KS_DEFAULT,
                           def.type, n, at, KS_STR("pipeline stages")) >= 0;
}

bool ks_define_llm(ks_program *program, const ks_catalog *catalog, const ks_doc *llm, ks_str prefix,
                   const ks_stage *stage, bool own_draft)
{
    llm_builder b = {.scope = {program, prefix, NULL}};
    ks_diags *diags = program->diags;
    if (!ks_read_fields(diags, llm, "an llm file", llm_fields, KS_COUNT(llm_fields), &b.llm))
        return false;
    const ks_doc *name = ks_member_of(llm, "arch");
    const ks_doc *arch = ks_catalog_load(catalog, "arch", b.llm.arch, name->span);
    const ks_doc *over = arch ? ks_member_of(arch, own_draft ? "draft" : "staged") : NULL;
    if (over && (own_draft || stage->n > 1))
        arch = ks_merge(diags, arch, over);
    if (!arch || !ks_read_fields(diags, arch, "an architecture file", arch_fields,
                                 KS_COUNT(arch_fields), &b.arch))
        return false;
    b.scope.sources = b.arch.sources;
    const ks_doc *format_names = NULL;
    return define_stage(&b, stage, name->span) && load_formats(&b, catalog, &format_names) &&
           define_config(&b, format_names) && ks_define_section(&b.scope, b.arch.constants) &&
           ks_define_section(&b.scope, b.arch.entries) && define_tensors(&b);
}
