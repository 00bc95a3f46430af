#include "model/hf.h"

#include "expl/eval.h"
#include "model/facts.h"
#include "model/pattern.h"
#include "read/file.h"
#include "read/json.h"
#include "read/schema.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

typedef struct hf_reader {
    const ks_catalog *catalog;
    ks_diags *diags;
    ks_arena *arena;
    const ks_doc *config; /* config.json */
    const ks_doc *quant;  /* hf_quant_config.json, or NULL */
    ks_str path;
} hf_reader;

bool ks_is_config_path(ks_arena *arena, ks_str text)
{
    struct stat status;
    bool looks = ks_find_byte(text, '/', 0) < text.n || ks_ends_with(text, KS_STR(".json"));
    return looks && stat(ks_to_c(arena, text), &status) == 0;
}

bool ks_is_path(ks_str text)
{
    static const char *const begins[] = {"/", "./", "../", "~"};
    bool path = ks_ends_with(text, KS_STR(".json"));
    for (size_t i = 0; i < KS_COUNT(begins); i++)
        path |= ks_starts_with(text, ks_from_c(begins[i]));
    return path;
}

void ks_no_such_path(ks_diags *diags, ks_str path, ks_span at)
{
    struct stat status;
    int why = stat(ks_to_c(diags->arena, path), &status) == 0 ? ENOENT : errno;
    ks_error(diags, KS_Y001, at, "cannot read \"%.*s\": %s", KS_ARG(path), strerror(why));
    ks_add_note(diags, (ks_span){0},
                "say which one it is with `llm:` (or --llm): a name of `kvsim list llm`, or the path "
                "of a config.json or of its folder");
}

static const ks_doc *read_json_file(hf_reader *r, ks_str path, ks_span at, bool must)
{
    const ks_source *source = ks_read_file(r->diags, path, KS_MAX_JSON, at, must);
    ks_doc *doc = source ? ks_read_json(r->diags, source) : NULL;
    if (!doc || ks_expect(r->diags, doc, KS_MAP, "a config.json"))
        return doc;
    return NULL;
}

/* The value behind a dotted path, or NULL. */
static const ks_doc *follow(const ks_doc *doc, ks_arena *arena, ks_str path)
{
    while (doc && path.n) {
        ks_str rest;
        ks_str part = ks_cut(path, '.', &rest);
        doc = ks_member_of(doc, ks_to_c(arena, part));
        path = rest;
    }
    return doc;
}

/* A key's value: in the text model's own configuration if there is one, else at the top, else in
 * the quantisation's file. */
static const ks_doc *find_value(const hf_reader *r, ks_str key)
{
    static const char *const inner[] = {"text_config", "llm_config", "language_config"};
    for (size_t i = 0; i < KS_COUNT(inner); i++) {
        const ks_doc *found = follow(ks_member_of(r->config, inner[i]), r->arena, key);
        if (found && !ks_is_null(found))
            return found;
    }
    const ks_doc *found = follow(r->config, r->arena, key);
    if ((!found || ks_is_null(found)) && r->quant)
        found = follow(r->quant, r->arena, key);
    return found && !ks_is_null(found) ? found : NULL;
}

static ks_doc *new_scalar(const hf_reader *r, ks_str text, ks_span span, bool quoted)
{
    ks_doc *doc = KS_NEW(r->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .span = span, .text = text, .quoted = quoted};
    return doc;
}

static void add(const hf_reader *r, ks_doc *map, ks_str key, ks_span span, const ks_doc *value)
{
    *KS_PUSH(r->arena, map) = (ks_member){key, span, (ks_doc *)(uintptr_t)value};
}

static bool is_counted(const ks_doc *words, ks_str text)
{
    for (size_t i = 0; i < words->n; i++)
        if (ks_equal(words->items[i].value->text, text))
            return true;
    return false;
}

/* How many elements of a list, or letters of a text, are among the words of `count:`. */
static ks_doc *count_value(const hf_reader *r, const ks_doc *value, const ks_doc *words)
{
    size_t n = 0;
    for (size_t i = 0; value->kind == KS_LIST && i < value->n; i++)
        n += is_counted(words, value->items[i].value->text);
    for (size_t i = 0; value->kind == KS_SCALAR && i < value->text.n; i++)
        n += is_counted(words, ks_slice(value->text, i, i + 1));
    return new_scalar(r, ks_format(r->arena, "%zu", n), value->span, false);
}

/* Resolves one name of an architecture's or format file's `config:`. */
static bool resolve_name(const hf_reader *r, const ks_member *row, ks_doc *config)
{
    const ks_doc *keys = ks_member_of(row->value, "keys"), *count = ks_member_of(row->value, "count");
    const ks_doc *element = ks_member_of(row->value, "element");
    const ks_doc *length = ks_member_of(row->value, "length");
    const ks_doc *value = NULL;
    for (size_t i = 0; keys && !value && i < keys->n; i++)
        value = find_value(r, keys->items[i].value->text);
    if (!keys)
        value = find_value(r, row->key);
    if (!value)
        return true;
    if (count) {
        add(r, config, row->key, value->span, count_value(r, value, count));
        return true;
    }
    if (length && value->kind == KS_LIST)
        value = new_scalar(r, ks_format(r->arena, "%zu", value->n), value->span, false);
    if (element && value->kind == KS_LIST && value->n)
        value = value->items[0].value;
    if (value->kind != KS_SCALAR) {
        ks_error(r->diags, KS_S003, value->span, "\"%.*s\" must be a single value, not %s",
                 KS_ARG(row->key), ks_doc_kind_words(value));
        return false;
    }
    const ks_doc *word = ks_member_of(row->value, "word");
    if (value->quoted && !word) {
        ks_error(r->diags, KS_S004, value->span, "\"%.*s\" must be a number, not a text",
                 KS_ARG(row->key));
        return false;
    }
    add(r, config, row->key, value->span, value);
    return true;
}

static bool resolve_names(const hf_reader *r, const ks_doc *names, ks_doc *config)
{
    bool good = true;
    for (size_t i = 0; names && i < names->n; i++)
        good &= resolve_name(r, &names->items[i], config);
    return good;
}

static ks_str architecture_of(const hf_reader *r)
{
    const ks_doc *list = ks_member_of(r->config, "architectures");
    if (list && list->kind == KS_LIST && list->n && list->items[0].value->kind == KS_SCALAR)
        return list->items[0].value->text;
    return (ks_str){NULL, 0};
}

/* The architecture file that takes in this model. */
static const ks_doc *find_arch(const hf_reader *r, ks_str architecture, ks_str *name)
{
    size_t n;
    ks_str *names = ks_catalog_names(r->catalog, "arch", &n);
    for (size_t i = 0; i < n; i++) {
        const ks_doc *doc = ks_catalog_load(r->catalog, "arch", names[i], (ks_span){0});
        const ks_doc *own = doc ? ks_member_of(doc, "arch") : NULL;
        const ks_doc *matches = doc ? ks_member_of(doc, "matches") : NULL;
        if (!doc)
            return NULL;
        for (size_t k = 0; matches && own && k < matches->n; k++)
            if (ks_equal(matches->items[k].value->text, architecture)) {
                *name = names[i];
                return doc;
            }
    }
    const ks_doc *list = ks_member_of(r->config, "architectures");
    ks_error(r->diags, KS_M001, list ? list->span : r->config->span,
             architecture.n ? "the architecture \"%.*s\" is not known"
                            : "the config.json names no architecture%.*s",
             KS_ARG(architecture));
    ks_add_note(r->diags, (ks_span){0},
                "its tensors have to be described in models/arch/; kvsim does not guess");
    return NULL;
}

/* The quantisation scheme that holds: the first whose condition does. */
static const ks_doc *find_scheme(const hf_reader *r, const ks_doc *formats, const ks_doc *config)
{
    const ks_doc *schemes = ks_member_of(formats, "schemes");
    const ks_doc *names = ks_member_of(formats, "config");
    ks_program *program = ks_program_new(r->diags, 1);
    ks_scope scope = {program, {NULL, 0}, NULL};
    int *conditions = KS_NEW_ARRAY(r->arena, int, schemes->n + 1);
    if (!ks_define_names(&scope, names, config, (ks_str){NULL, 0}))
        return NULL;
    for (size_t i = 0; i < schemes->n; i++) {
        const ks_doc *when = ks_member_of(schemes->items[i].value, "when");
        ks_def def = {.name = ks_concat(r->arena, KS_STR("scheme."), schemes->items[i].key),
                      .kind = KS_DERIVED, .type = {KS_TRUTH, KS_NO_DIM}, .has_base = true,
                      .may_be_literal = true, .at = schemes->items[i].key_span};
        if (!when)
            return NULL;
        def.formula = ks_formula_of(&scope, when);
        conditions[i] = ks_define(program, &def);
    }
    if (!ks_link(program))
        return NULL;
    ks_plan *plan = ks_plan_new(program, NULL, 0, 1);
    ks_plan_run(plan);
    for (size_t i = 0; i < schemes->n; i++)
        if (ks_plan_get(plan, conditions[i], 0, 0).i == 1)
            return schemes->items[i].value;
    const ks_doc *where = find_value(r, KS_STR("quantization_config"));
    ks_error(r->diags, KS_M008, where ? where->span : r->config->span,
             "this quantisation is not known to kvsim");
    return NULL;
}

/* True if the configuration leaves the role's modules as they are. */
static bool is_left_out(const hf_reader *r, ks_str module)
{
    static const char *const lists[] = {
        "quantization_config.ignore", "quantization_config.modules_to_not_convert",
        "quantization_config.exclude_modules", "quantization.exclude_modules"};
    ks_str inner = ks_concat(r->arena, KS_STR("language_model."), module);
    for (size_t i = 0; i < KS_COUNT(lists); i++) {
        const ks_doc *list = find_value(r, ks_from_c(lists[i]));
        for (size_t k = 0; list && list->kind == KS_LIST && k < list->n; k++) {
            ks_str pattern = list->items[k].value->text;
            if (ks_module_matches(pattern, module) || ks_module_matches(pattern, inner))
                return true;
        }
    }
    return false;
}

/* The word by which the configuration gives a role's module a quantisation of its own, or NULL. */
static const ks_doc *own_quantisation(const hf_reader *r, ks_str module)
{
    static const char *const maps[] = {"quantization_config.quantized_layers",
                                       "quantization.quantized_layers"};
    ks_str inner = ks_concat(r->arena, KS_STR("language_model."), module);
    for (size_t i = 0; i < KS_COUNT(maps); i++) {
        const ks_doc *map = find_value(r, ks_from_c(maps[i]));
        for (size_t k = 0; map && map->kind == KS_MAP && k < map->n; k++) {
            ks_str key = map->items[k].key;
            if (ks_module_matches(key, module) || ks_module_matches(key, inner))
                return ks_member_of(map->items[k].value, "quant_algo");
        }
    }
    return NULL;
}

/* Number formats by role from what the configuration says of single modules; false if it says a
 * word that `by_module` does not have. */
static bool choose_by_module(const hf_reader *r, const ks_doc *arch, const ks_doc *words,
                             ks_doc *formats)
{
    const ks_doc *roles = ks_member_of(arch, "roles");
    for (size_t i = 0; roles && i < roles->n; i++) {
        const ks_doc *word = own_quantisation(r, roles->items[i].value->text);
        if (!word)
            continue;
        const ks_doc *format =
            word->kind == KS_SCALAR ? ks_member_of(words, ks_to_c(r->arena, word->text)) : NULL;
        if (!format) {
            ks_error(r->diags, KS_M008, word->span, "this quantisation is not known to kvsim");
            return false;
        }
        add(r, formats, roles->items[i].key, word->span, format);
    }
    return true;
}

/* Number formats by role: the scheme's, but for roles that are left out: those have what the scheme
 * says under `left_out`, or none of their own. NULL behind an error. */
static ks_doc *choose_formats(const hf_reader *r, const ks_doc *arch, const ks_doc *scheme)
{
    const ks_doc *given = ks_member_of(scheme, "formats"), *others = ks_member_of(scheme, "left_out");
    ks_doc *formats = KS_NEW(r->arena, ks_doc);
    const ks_doc *roles = ks_member_of(arch, "roles");
    *formats = (ks_doc){.kind = KS_MAP, .span = r->config->span};
    const ks_doc *words = ks_member_of(scheme, "by_module");
    if (words && !choose_by_module(r, arch, words, formats))
        return NULL;
    for (size_t i = 0; given && i < given->n; i++) {
        const ks_member *m = &given->items[i];
        const char *role = ks_to_c(r->arena, m->key);
        const ks_doc *module = ks_member_of(roles, role), *format = m->value;
        if (module && is_left_out(r, module->text))
            format = ks_member_of(others, role);
        if (format)
            add(r, formats, m->key, m->key_span, format);
    }
    const ks_doc *fixed = ks_member_of(arch, "formats");
    for (size_t i = 0; fixed && i < fixed->n; i++)
        if (!ks_member_of(formats, ks_to_c(r->arena, fixed->items[i].key)))
            add(r, formats, fixed->items[i].key, fixed->items[i].key_span, fixed->items[i].value);
    return formats;
}

/* The path of a file in the folder of another. */
static ks_str beside(const hf_reader *r, ks_str path, const char *name)
{
    size_t folder = path.n;
    while (folder && path.s[folder - 1] != '/')
        folder--;
    return ks_concat(r->arena, ks_slice(path, 0, folder), ks_from_c(name));
}

static bool read_files(hf_reader *r, ks_str path, ks_span at)
{
    struct stat status;
    bool folder = stat(ks_to_c(r->arena, path), &status) == 0 && S_ISDIR(status.st_mode);
    size_t errors = r->diags->errors;
    r->path = folder ? ks_concat(r->arena, path, KS_STR("/config.json")) : path;
    r->config = read_json_file(r, r->path, at, true);
    if (r->config)
        r->quant = read_json_file(r, beside(r, r->path, "hf_quant_config.json"), at, false);
    return r->config && r->diags->errors == errors;
}

/* The last part of a path, without its config.json. */
static ks_str folder_name(ks_str path)
{
    size_t end = path.n;
    if (ks_ends_with(path, KS_STR("/config.json")))
        end -= KS_STR("/config.json").n;
    while (end && path.s[end - 1] == '/')
        end--;
    size_t start = end;
    while (start && path.s[start - 1] != '/')
        start--;
    return ks_slice(path, start, end);
}

/* True if `text` has `word` in it, whatever the case. `word` is in capitals. */
static bool has_word(ks_str text, ks_str word)
{
    for (size_t at = 0; at + word.n <= text.n; at++) {
        size_t n = 0;
        while (n < word.n && toupper((unsigned char)text.s[at + n]) == word.s[n])
            n++;
        if (n == word.n)
            return true;
    }
    return false;
}

/* A folder that is named after a quantisation, with a configuration that has none, is worth a word:
 * the weights are counted in 16 bits then. */
static void warn_of_name(const hf_reader *r, const ks_doc *formats, const ks_doc *scheme)
{
    static const char *const words[] = {"FP8", "FP4", "AWQ", "GPTQ", "INT4", "INT8", "W4A", "W8A"};
    ks_str name = folder_name(r->path);
    if (scheme != ks_member_of(ks_member_of(formats, "schemes"), "none"))
        return;
    for (size_t i = 0; i < KS_COUNT(words); i++)
        if (has_word(name, ks_from_c(words[i]))) {
            ks_warning(r->diags, KS_M008, r->config->span,
                       "the folder's name has %s in it, but its configuration has no quantisation",
                       words[i]);
            ks_add_note(r->diags, (ks_span){0},
                        "weights are counted in 16 bits; is the quantization_config or the "
                        "hf_quant_config.json missing?");
            return;
        }
}

const ks_doc *ks_llm_from_config(const ks_catalog *catalog, ks_str path, ks_span at)
{
    hf_reader r = {.catalog = catalog, .diags = catalog->diags, .arena = catalog->diags->arena};
    ks_str name;
    if (!read_files(&r, path, at))
        return NULL;
    ks_str architecture = architecture_of(&r);
    const ks_doc *arch = find_arch(&r, architecture, &name);
    const ks_doc *formats = ks_catalog_load(catalog, "format", KS_STR("weights"), at);
    ks_doc *config = KS_NEW(r.arena, ks_doc), *llm = KS_NEW(r.arena, ks_doc);
    ks_span start = r.config->span;
    if (!arch || !formats)
        return NULL;
    *config = (ks_doc){.kind = KS_MAP, .span = start};
    *llm = *config;
    add(&r, config, KS_STR("architecture"), start, new_scalar(&r, architecture, start, true));
    if (!resolve_names(&r, ks_member_of(arch, "config"), config) ||
        !resolve_names(&r, ks_member_of(formats, "config"), config))
        return NULL;
    const ks_doc *scheme = find_scheme(&r, formats, config);
    if (!scheme)
        return NULL;
    warn_of_name(&r, formats, scheme);
    const ks_doc *by_role = choose_formats(&r, arch, scheme);
    if (!by_role)
        return NULL;
    add(&r, llm, KS_STR("llm"), start, new_scalar(&r, path, start, true));
    add(&r, llm, KS_STR("arch"), start, new_scalar(&r, name, start, true));
    add(&r, llm, KS_STR("source"), start, new_scalar(&r, r.path, start, true));
    add(&r, llm, KS_STR("config"), start, config);
    add(&r, llm, KS_STR("formats"), start, by_role);
    return llm;
}
