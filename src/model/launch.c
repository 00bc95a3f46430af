#include "model/launch.h"

#include "base/num.h"
#include "model/hf.h"
#include "read/schema.h"

/* The text of a scalar as a span that the command reader can take: as it stands in the file, or, where
 * YAML's quotes have changed it, as a text of its own. *by_lines: its lines are lines of a script. */
static ks_span text_of_scalar(ks_arena *arena, const ks_doc *doc, bool *by_lines)
{
    ks_span span = doc->span;
    ks_str file = span.source->text;
    *by_lines = span.at == 0 && span.n == file.n; /* a text of its own, as from the command */
    if (doc->exact)
        return span;
    char sign = span.at < file.n ? file.s[span.at] : '\0';
    char before = span.at ? file.s[span.at - 1] : '\0';
    if ((sign == '|' || sign == '>') && before != '"' && before != '\'') {
        size_t begin = ks_find_byte(file, '\n', span.at) + 1 - span.at;
        *by_lines = sign == '|';
        return ks_span_part(span, begin, span.n);
    }
    *by_lines = true;
    ks_str name = ks_format(arena, "%.*s: launch", KS_ARG(span.source->name));
    return (ks_span){ks_source_new(arena, name, doc->text), 0, (uint32_t)doc->text.n};
}

bool ks_read_launch(ks_diags *diags, const ks_doc *doc, ks_launch *launch)
{
    bool by_lines;
    *launch = (ks_launch){.flags = NULL};
    if (!doc)
        return true;
    if (doc->kind == KS_MAP) {
        launch->flags = doc;
        return true;
    }
    if (doc->kind == KS_LIST) {
        ks_error(diags, KS_S003, doc->span,
                 "\"launch\" must be a mapping or a command line, not %s", ks_doc_kind_words(doc));
        return false;
    }
    launch->pasted = true;
    ks_span text = text_of_scalar(diags->arena, doc, &by_lines);
    return ks_read_command(diags, text, by_lines, &launch->command);
}

/* ---- The engine. ------------------------------------------------------------------------------- */

typedef struct wanted {
    ks_str name, version;
    ks_span at;
} wanted;

/* Always false. */
static bool need_key(ks_diags *diags, const ks_doc *root, const char *key)
{
    ks_error(diags, KS_S002, root->span, "a scenario needs the key \"%s\"", key);
    return false;
}

static void split_engine(ks_arena *arena, const ks_doc *doc, const ks_launch *launch, wanted *w)
{
    w->at = doc->span;
    ks_split_engine(arena, doc->text, &w->name, &w->version);
    if (launch->pasted && !w->name.n)
        w->name = launch->command.engine;
}

/* The newest version that some profile was read to. */
static bool take_newest(const ks_catalog *catalog, wanted *w)
{
    w->version = ks_catalog_newest(catalog, "engine", w->name, w->at);
    if (!w->version.n)
        return false;
    ks_warning(catalog->diags, KS_M012, w->at,
               "no version is given: taken as %.*s %.*s, the newest that kvsim knows",
               KS_ARG(w->name), KS_ARG(w->version));
    return true;
}

static bool complete_engine(const ks_catalog *catalog, const ks_launch *launch, wanted *w)
{
    const ks_command *c = &launch->command;
    if (!launch->pasted)
        return true;
    if (!w->name.n) {
        w->name = c->engine;
        w->at = c->at;
    }
    if (!ks_equal(w->name, c->engine)) {
        ks_error(catalog->diags, KS_M013, w->at, "the command line starts %.*s, not %.*s",
                 KS_ARG(c->engine), KS_ARG(w->name));
        ks_add_note(catalog->diags, c->at, "here");
        return false;
    }
    if (!w->version.n && c->version) {
        w->version = c->version->text;
        w->at = c->version->span;
    }
    return w->version.n || take_newest(catalog, w);
}

bool ks_find_engine(const ks_catalog *catalog, const ks_doc *root, const ks_doc *doc,
                    const ks_launch *launch, ks_engine *engine)
{
    ks_diags *diags = catalog->diags;
    wanted w = {.name = {NULL, 0}};
    if (!doc && !launch->pasted)
        return need_key(diags, root, "engine");
    if (doc)
        split_engine(diags->arena, doc, launch, &w);
    if (!complete_engine(catalog, launch, &w))
        return false;
    const ks_doc *profile = ks_catalog_engine(catalog, w.name, w.version, w.at);
    if (!profile || !ks_read_engine(diags->arena, diags, profile, engine))
        return false;
    engine->version = w.version;
    engine->at = w.at;
    ks_warn_version(diags, w.version, engine->read_from, engine->read_to, w.at);
    return true;
}

/* ---- The model. -------------------------------------------------------------------------------- */

/* The model's name as a document in the place of `model`, or NULL. */
static const ks_doc *find_by_name(const ks_catalog *catalog, const ks_doc *model, ks_str name)
{
    const ks_doc *file = ks_catalog_find(catalog, "llm", name, model->span);
    const ks_doc *own = file ? ks_member_of(file, "llm") : NULL;
    if (!file)
        return NULL;
    ks_doc *doc = KS_NEW(catalog->diags->arena, ks_doc);
    *doc = *model;
    doc->text = own ? own->text : name;
    return doc;
}

/* Of a path: a folder is often called after the model that it holds. */
static ks_str last_part(ks_str path)
{
    while (path.n && path.s[path.n - 1] == '/')
        path = ks_slice(path, 0, path.n - 1);
    size_t at = path.n;
    while (at > 0 && path.s[at - 1] != '/')
        at--;
    return ks_slice(path, at, path.n);
}

const ks_doc *ks_look_up_llm(const ks_catalog *catalog, const ks_doc *model)
{
    ks_diags *diags = catalog->diags;
    size_t errors = diags->errors;
    const ks_doc *known = find_by_name(catalog, model, model->text);
    if (known || ks_is_config_path(diags->arena, model->text))
        return known ? known : model;
    ks_str last = last_part(model->text);
    if (last.n < model->text.n && diags->errors == errors)
        known = find_by_name(catalog, model, last);
    if (known)
        ks_warning(diags, KS_M008, model->span, "this is taken as the model %.*s",
                   KS_ARG(known->text));
    return known;
}

const ks_doc *ks_find_llm(const ks_catalog *catalog, const ks_launch *launch, const ks_doc *root)
{
    ks_diags *diags = catalog->diags;
    const ks_doc *model = launch->pasted ? launch->command.model : NULL;
    size_t errors = diags->errors;
    if (!model) {
        need_key(diags, root, "llm");
        if (launch->pasted)
            ks_add_note(diags, launch->command.at, "this command line names no model either");
        return NULL;
    }
    ks_warn_of_variables(diags, &launch->command, model);
    const ks_doc *known = ks_look_up_llm(catalog, model);
    if (!known && diags->errors == errors && ks_is_path(model->text))
        ks_no_such_path(diags, model->text, model->span);
    else if (!known && diags->errors == errors) {
        ks_error(diags, KS_M001, model->span, "no llm \"%.*s\" is known", KS_ARG(model->text));
        ks_add_note(
            diags, (ks_span){0},
            "say which one it is with `llm:` (or --llm): a name of `kvsim list llm`, or the "
            "path of a config.json");
    }
    return known;
}

/* ---- Flags and environment. -------------------------------------------------------------------- */

bool ks_collect_flags(ks_diags *diags, const ks_engine *engine, const ks_doc *map,
                      enum ks_flag_origin origin, const ks_doc **given)
{
    bool good = true;
    for (size_t i = 0; map && i < map->n; i++) {
        const ks_member *m = &map->items[i];
        const ks_flag *flag = ks_find_flag(engine, m->key);
        if (flag && flag->origin == origin) {
            const ks_doc **slot = &given[flag - engine->flags.items];
            if (*slot) {
                ks_error(diags, KS_Y003, m->key_span, "%.*s is given twice",
                         KS_ARG(flag->spelling));
                ks_add_note(diags, (*slot)->span, "first given here");
                good = false;
            }
            *slot = m->value;
        } else if (origin == KS_ENVIRONMENT) {
            ks_unknown_environment(diags, engine, m->key, m->key_span);
        } else if (origin == KS_ASSUMPTION || !ks_flag_is_ignored(engine, m->key)) {
            ks_unknown_flag(diags, engine, m->key, m->key_span);
            good = false;
        }
    }
    return good;
}

enum ks_flag_use ks_use_of_flag(const ks_engine *engine, ks_str spelling, const ks_flag **flag)
{
    *flag = ks_find_flag(engine, spelling);
    if (*flag && (*flag)->origin == KS_FLAG)
        return KS_FLAG_TAKEN;
    if (ks_flag_is_ignored(engine, spelling))
        return KS_FLAG_IGNORED;
    bool ignored;
    *flag = ks_find_begun_flag(engine, spelling, &ignored);
    return *flag ? KS_FLAG_TAKEN : ignored ? KS_FLAG_IGNORED : KS_FLAG_UNKNOWN;
}

/* What stands in the text as `true` for a switch may be Python's True or 1. */
static const ks_doc *as_switch(ks_diags *diags, const ks_doc *value)
{
    static const char *const yes[] = {"True", "TRUE", "1"}, *const no[] = {"False", "FALSE", "0"};
    ks_doc *copy = KS_NEW(diags->arena, ks_doc);
    *copy = *value;
    for (size_t i = 0; i < KS_COUNT(yes) && value->kind == KS_SCALAR; i++) {
        if (ks_equal_c(value->text, yes[i]))
            copy->text = KS_STR("true");
        if (ks_equal_c(value->text, no[i]))
            copy->text = KS_STR("false");
    }
    return copy;
}

/* A whole number as engines take it beside plain digits: 1_000, 32k and 25.6k (thousands), 32K (1024
 * each), m, M, g, G. */
static const ks_doc *as_whole(ks_diags *diags, const ks_doc *value)
{
    static const char letters[] = "kKmMgG";
    static const double factors[] = {1e3, 1024, 1e6, 1048576, 1e9, 1073741824};
    ks_builder digits = {.arena = diags->arena};
    double number;
    int64_t whole;
    if (value->kind != KS_SCALAR || !value->text.n)
        return value;
    for (size_t i = 0; i < value->text.n; i++)
        if (value->text.s[i] != '_')
            ks_add(&digits, ks_slice(value->text, i, i + 1));
    ks_str text = ks_built(&digits);
    size_t used = ks_parse_decimal(text, &number), letter = KS_COUNT(factors);
    if (used + 1 == text.n)
        letter = ks_find_byte(ks_from_c(letters), text.s[used], 0);
    bool scaled = used && letter < KS_COUNT(factors) &&
                  ks_to_whole(number * factors[letter], &whole);
    if (!scaled && !(used && used == text.n))
        return value;
    ks_doc *copy = KS_NEW(diags->arena, ks_doc);
    *copy = *value;
    copy->text = scaled ? ks_format(diags->arena, "%lld", (long long)whole) : text;
    return copy;
}

/* The reader of command lines gives a flag that stands alone the value true, in the flag's place. */
static bool stands_alone(const ks_member *m)
{
    return m->value->kind == KS_SCALAR && m->value->span.source == m->key_span.source &&
           m->value->span.at == m->key_span.at;
}

static bool take_flag(ks_diags *diags, const ks_engine *engine, const ks_command *command,
                      const ks_member *m, const ks_doc **given)
{
    const ks_flag *flag;
    switch (ks_use_of_flag(engine, m->key, &flag)) {
    case KS_FLAG_IGNORED:
        return true;
    case KS_FLAG_UNKNOWN:
        ks_warning(diags, KS_M006, m->key_span, "not known to kvsim: %.*s; it is left out",
                   KS_ARG(ks_slice(m->key_span.source->text, m->key_span.at,
                                   (size_t)m->key_span.at + m->key_span.n)));
        ks_suggest_flag(diags, engine, m->key);
        ks_add_note(diags, (ks_span){0},
                    "if the engine does not know it either, the server does not start");
        return true;
    case KS_FLAG_TAKEN:
        break;
    }
    if (flag->type.base != KS_TRUTH && stands_alone(m)) {
        ks_error(diags, KS_S002, m->key_span, "%.*s needs a value", KS_ARG(flag->spelling));
        return false;
    }
    const ks_doc **slot = &given[flag - engine->flags.items];
    if (*slot) {
        ks_warning(diags, KS_C003, (*slot)->span,
                   "left out: %.*s is given again, the last one counts", KS_ARG(flag->spelling));
        ks_add_note(diags, m->key_span, "here");
    }
    ks_warn_of_variables(diags, command, m->value);
    *slot = flag->type.base == KS_TRUTH   ? as_switch(diags, m->value)
            : flag->type.base == KS_WHOLE ? as_whole(diags, m->value)
                                          : m->value;
    return true;
}

bool ks_collect_command(ks_diags *diags, const ks_engine *engine, const ks_command *command,
                        const ks_doc **given)
{
    for (size_t i = 0; i < command->env->n; i++) {
        const ks_flag *flag = ks_find_flag(engine, command->env->items[i].key);
        if (flag && flag->origin == KS_ENVIRONMENT)
            ks_warn_of_variables(diags, command, command->env->items[i].value);
    }
    bool good = true;
    for (size_t i = 0; i < command->launch->n; i++)
        good &= take_flag(diags, engine, command, &command->launch->items[i], given);
    return ks_collect_flags(diags, engine, command->env, KS_ENVIRONMENT, given) && good;
}
