#include "model/engine.h"

#include "base/num.h"
#include "read/schema.h"

#include <math.h>
#include <string.h>

typedef struct engine_file {
    const ks_doc *kvsim, *versions, *ranks, *sources, *flags, *env, *assume, *ignored, *constants,
        *tables, *lists, *phases, *checks, *requires, *knobs, *suspects, *remarks, *log, *summary,
        *draft, *released;
    ks_str engine, title, read_from, read_to, yields, explains, stages;
} engine_file;

static const ks_field engine_fields[] = {
    {"kvsim", KS_FIELD_DOC, 0, offsetof(engine_file, kvsim)},
    {"engine", KS_FIELD_TEXT, KS_REQUIRED, offsetof(engine_file, engine)},
    {"title", KS_FIELD_TEXT, 0, offsetof(engine_file, title)},
    {"versions", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(engine_file, versions)},
    {"read_from", KS_FIELD_TEXT, 0, offsetof(engine_file, read_from)},
    {"read_to", KS_FIELD_TEXT, 0, offsetof(engine_file, read_to)},
    {"released", KS_FIELD_MAP, 0, offsetof(engine_file, released)},
    {"ranks", KS_FIELD_LIST, KS_REQUIRED, offsetof(engine_file, ranks)},
    {"sources", KS_FIELD_MAP, 0, offsetof(engine_file, sources)},
    {"flags", KS_FIELD_MAP, KS_REQUIRED, offsetof(engine_file, flags)},
    {"env", KS_FIELD_MAP, 0, offsetof(engine_file, env)},
    {"assume", KS_FIELD_MAP, 0, offsetof(engine_file, assume)},
    {"ignored", KS_FIELD_LIST, 0, offsetof(engine_file, ignored)},
    {"constants", KS_FIELD_MAP, 0, offsetof(engine_file, constants)},
    {"tables", KS_FIELD_MAP, 0, offsetof(engine_file, tables)},
    {"lists", KS_FIELD_MAP, 0, offsetof(engine_file, lists)},
    {"phases", KS_FIELD_MAP, KS_REQUIRED, offsetof(engine_file, phases)},
    {"checks", KS_FIELD_MAP, KS_REQUIRED, offsetof(engine_file, checks)},
    {"requires", KS_FIELD_MAP, 0, offsetof(engine_file, requires)},
    {"knobs", KS_FIELD_MAP, 0, offsetof(engine_file, knobs)},
    {"suspects", KS_FIELD_MAP, 0, offsetof(engine_file, suspects)},
    {"remarks", KS_FIELD_MAP, 0, offsetof(engine_file, remarks)},
    {"log", KS_FIELD_MAP, 0, offsetof(engine_file, log)},
    {"summary", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(engine_file, summary)},
    {"yields", KS_FIELD_TEXT, KS_REQUIRED, offsetof(engine_file, yields)},
    {"explains", KS_FIELD_TEXT, KS_REQUIRED, offsetof(engine_file, explains)},
    {"draft", KS_FIELD_MAP, 0, offsetof(engine_file, draft)},
    {"stages", KS_FIELD_TEXT, 0, offsetof(engine_file, stages)},
};

typedef struct draft_row {
    ks_str model, asked;
} draft_row;

static const ks_field draft_fields[] = {
    {"model", KS_FIELD_TEXT, KS_REQUIRED, offsetof(draft_row, model)},
    {"asked", KS_FIELD_TEXT, KS_REQUIRED, offsetof(draft_row, asked)},
};

typedef struct flag_row {
    const ks_doc *type, *unit, *range, *step, *aliases, *choices, *unset, *source;
    ks_str name, meaning;
    bool doubling;
} flag_row;

static const ks_field flag_fields[] = {
    {"name", KS_FIELD_TEXT, 0, offsetof(flag_row, name)},
    {"type", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(flag_row, type)},
    {"unit", KS_FIELD_SCALAR, 0, offsetof(flag_row, unit)},
    {"range", KS_FIELD_LIST, 0, offsetof(flag_row, range)},
    {"step", KS_FIELD_SCALAR, 0, offsetof(flag_row, step)},
    {"doubling", KS_FIELD_BOOL, 0, offsetof(flag_row, doubling)},
    {"aliases", KS_FIELD_LIST, 0, offsetof(flag_row, aliases)},
    {"choices", KS_FIELD_LIST, 0, offsetof(flag_row, choices)},
    {"default", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(flag_row, unset)},
    {"meaning", KS_FIELD_TEXT, KS_REQUIRED, offsetof(flag_row, meaning)},
    {"source", KS_FIELD_DOC, 0, offsetof(flag_row, source)},
};

typedef struct phase_row {
    const ks_doc *takes, *entries, *after, *when;
    ks_str title, free_name;
} phase_row;

static const ks_field phase_fields[] = {
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(phase_row, title)},
    {"takes", KS_FIELD_LIST, 0, offsetof(phase_row, takes)},
    {"free", KS_FIELD_TEXT, 0, offsetof(phase_row, free_name)},
    {"entries", KS_FIELD_MAP, 0, offsetof(phase_row, entries)},
    {"after", KS_FIELD_SCALAR, 0, offsetof(phase_row, after)},
    {"when", KS_FIELD_SCALAR, 0, offsetof(phase_row, when)},
};

typedef struct check_row {
    const ks_doc *phase, *when, *slack, *message, *why, *before, *remedy;
    ks_str decides, verdict;
} check_row;

static const ks_field check_fields[] = {
    {"phase", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(check_row, phase)},
    {"when", KS_FIELD_SCALAR, 0, offsetof(check_row, when)},
    {"slack", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(check_row, slack)},
    {"decides", KS_FIELD_TEXT, 0, offsetof(check_row, decides)},
    {"message", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(check_row, message)},
    {"why", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(check_row, why)},
    {"verdict", KS_FIELD_TEXT, 0, offsetof(check_row, verdict)},
    {"before", KS_FIELD_SCALAR, 0, offsetof(check_row, before)},
    {"remedy", KS_FIELD_SCALAR, 0, offsetof(check_row, remedy)},
};

typedef struct requirement_row {
    const ks_doc *that, *message, *hint;
    ks_str blames;
} requirement_row;

static const ks_field requirement_fields[] = {
    {"that", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(requirement_row, that)},
    {"blames", KS_FIELD_TEXT, KS_REQUIRED, offsetof(requirement_row, blames)},
    {"message", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(requirement_row, message)},
    {"hint", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(requirement_row, hint)},
};

typedef struct text_row {
    const ks_doc *when, *text, *phase, *tells;
    ks_str title;
    ks_str halves, raises; /* knobs */
} text_row;

static const ks_field remark_fields[] = {
    {"when", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(text_row, when)},
    {"text", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(text_row, text)},
};
static const ks_field log_fields[] = {
    {"line", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(text_row, text)},
    {"phase", KS_FIELD_SCALAR, KS_REQUIRED, offsetof(text_row, phase)},
    {"when", KS_FIELD_SCALAR, 0, offsetof(text_row, when)},
    {"tells", KS_FIELD_SCALAR, 0, offsetof(text_row, tells)},
};
static const ks_field suspect_fields[] = {
    {"title", KS_FIELD_TEXT, KS_REQUIRED, offsetof(text_row, title)},
};
static const ks_field knob_fields[] = {
    {"why", KS_FIELD_TEXT, KS_REQUIRED, offsetof(text_row, title)},
    {"when", KS_FIELD_SCALAR, 0, offsetof(text_row, when)},
    {"halves", KS_FIELD_TEXT, 0, offsetof(text_row, halves)},
    {"raises", KS_FIELD_TEXT, 0, offsetof(text_row, raises)},
};

typedef struct engine_reader {
    ks_arena *arena;
    ks_diags *diags;
    ks_engine *engine;
    engine_file file;
} engine_reader;

static ks_formula text_of(const ks_doc *doc)
{
    return (ks_formula){doc->text, doc->span, doc->exact, {NULL, 0}};
}

static bool read_flag_type(engine_reader *r, const flag_row *row, ks_flag *flag)
{
    static const char *const words[] = {"whole", "real", "truth", "word"};
    double scale;
    size_t i = 0;
    while (i < KS_COUNT(words) && !ks_equal_c(row->type->text, words[i]))
        i++;
    if (i == KS_COUNT(words)) {
        ks_error(r->diags, KS_S005, row->type->span, "a type is whole, real, truth or word");
        return false;
    }
    flag->type = (ks_type){(enum ks_base)i, KS_NO_DIM};
    if (!row->unit || ks_parse_unit(row->unit->text, &scale, &flag->type.dim))
        return true;
    ks_error(r->diags, KS_U002, row->unit->span, "unknown unit \"%.*s\"", KS_ARG(row->unit->text));
    return false;
}

static bool read_plain(engine_reader *r, const ks_doc *doc, double *value)
{
    ks_quantity quantity;
    bool good = ks_read_quantity(r->diags, doc, &quantity);
    *value = quantity.value;
    return good;
}

static bool read_flag(engine_reader *r, const ks_member *m, enum ks_flag_origin origin)
{
    flag_row row = {0};
    if (!ks_read_fields(r->diags, m->value, "a flag", flag_fields, KS_COUNT(flag_fields), &row))
        return false;
    ks_flag flag = {.origin = origin, .spelling = m->key, .row = m->value, .aliases = row.aliases,
                    .choices = row.choices, .unset = row.unset, .meaning = row.meaning,
                    .at = m->key_span, .def = -1, .given = -1};
    flag.doubling = row.doubling;
    flag.name = row.name.n ? row.name : ks_replace(r->arena, m->key, '-', '_');
    if (!read_flag_type(r, &row, &flag))
        return false;
    if (row.range) {
        flag.has_bounds = true;
        if (row.range->n != 2 || !read_plain(r, row.range->items[0].value, &flag.low) ||
            !read_plain(r, row.range->items[1].value, &flag.high)) {
            ks_error(r->diags, KS_S003, row.range->span, "a range is [low, high]");
            return false;
        }
    }
    if (row.step && (!read_plain(r, row.step, &flag.step) || !(flag.step > 0)))
        return false;
    *KS_PUSH(r->arena, &r->engine->flags) = flag;
    return true;
}

static bool read_flags(engine_reader *r, const ks_doc *section, enum ks_flag_origin origin)
{
    bool good = true;
    for (size_t i = 0; section && i < section->n; i++)
        good &= read_flag(r, &section->items[i], origin);
    return good;
}

static bool read_phases(engine_reader *r)
{
    bool good = true;
    for (size_t i = 0; i < r->file.phases->n; i++) {
        const ks_member *m = &r->file.phases->items[i];
        phase_row row = {0};
        if (!ks_read_fields(r->diags, m->value, "a phase", phase_fields, KS_COUNT(phase_fields),
                            &row)) {
            good = false;
            continue;
        }
        *KS_PUSH(r->arena, &r->engine->phases) =
            (ks_phase){m->key, row.title, row.free_name, m->value, row.takes, m->key_span, -1, -1,
                       -1, -1};
    }
    return good;
}

static bool find_phase(engine_reader *r, const ks_doc *name, size_t *phase)
{
    for (size_t i = 0; i < r->engine->phases.n; i++)
        if (ks_equal(r->engine->phases.items[i].id, name->text)) {
            *phase = i;
            return true;
        }
    ks_error(r->diags, KS_M001, name->span, "there is no phase \"%.*s\"", KS_ARG(name->text));
    return false;
}

/* Puts a check in front of the one that its `before:` names, else at the end. */
static void place_check(engine_reader *r, ks_check check, const ks_doc *before)
{
    KS_PUSH(r->arena, &r->engine->checks);
    size_t at = r->engine->checks.n - 1;
    for (size_t i = 0; before && i < r->engine->checks.n - 1; i++)
        if (ks_equal(r->engine->checks.items[i].id, before->text)) {
            at = i;
            break;
        }
    ks_check *items = r->engine->checks.items;
    memmove(&items[at + 1], &items[at], (r->engine->checks.n - 1 - at) * sizeof *items);
    items[at] = check;
}

static bool read_checks(engine_reader *r)
{
    bool good = true;
    for (size_t i = 0; i < r->file.checks->n; i++) {
        const ks_member *m = &r->file.checks->items[i];
        check_row row = {0};
        ks_check check = {.id = m->key, .row = m->value, .at = m->key_span, .slack = -1, .when = -1, .decides = -1};
        if (!ks_read_fields(r->diags, m->value, "a check", check_fields, KS_COUNT(check_fields),
                            &row) ||
            !find_phase(r, row.phase, &check.phase)) {
            good = false;
            continue;
        }
        check.unsupported = ks_equal_c(row.verdict, "unsupported");
        if (row.verdict.n && !check.unsupported && !ks_equal_c(row.verdict, "does-not-fit")) {
            ks_error(r->diags, KS_S005, m->key_span, "a check's verdict is does-not-fit or unsupported");
            good = false;
        }
        check.message_text = text_of(row.message);
        check.why_text = text_of(row.why);
        if (row.remedy)
            check.remedy_text = text_of(row.remedy);
        place_check(r, check, row.before);
    }
    return good;
}

static bool read_requirements(engine_reader *r)
{
    bool good = true;
    for (size_t i = 0; r->file.requires && i < r->file.requires->n; i++) {
        const ks_member *m = &r->file.requires->items[i];
        requirement_row row = {0};
        if (!ks_read_fields(r->diags, m->value, "a requirement", requirement_fields,
                            KS_COUNT(requirement_fields), &row)) {
            good = false;
            continue;
        }
        ks_requirement *q = KS_PUSH(r->arena, &r->engine->requirements);
        *q = (ks_requirement){.id = m->key, .row = m->value, .blames = row.blames, .at = m->key_span, .that = -1,
                              .message_text = text_of(row.message),
                              .hint_text = text_of(row.hint)};
    }
    return good;
}

static bool read_tells(engine_reader *r, const ks_doc *doc, enum ks_log_tells *tells)
{
    static const char *const words[] = {
        [KS_TELLS_FLAGS] = "flags", [KS_TELLS_END] = "end", [KS_TELLS_READING] = "reading",
        [KS_TELLS_SOME_FLAGS] = "some_flags", [KS_TELLS_STEP] = "step"};
    if (!doc)
        return true;
    for (size_t i = KS_TELLS_FLAGS; i < KS_COUNT(words); i++)
        if (ks_equal_c(doc->text, words[i])) {
            *tells = (enum ks_log_tells)i;
            return true;
        }
    ks_error(r->diags, KS_S005, doc->span,
             "a log line tells flags, some_flags, end, reading or step, or has no \"tells\"");
    return false;
}

static bool read_log_line(engine_reader *r, const ks_member *m)
{
    text_row row = {0};
    ks_log_line line = {.id = m->key, .row = m->value, .when = -1};
    if (!ks_read_fields(r->diags, m->value, "a log line", log_fields, KS_COUNT(log_fields), &row) ||
        !find_phase(r, row.phase, &line.phase) || !read_tells(r, row.tells, &line.tells))
        return false;
    line.text = text_of(row.text);
    *KS_PUSH(r->arena, &r->engine->log) = line;
    return true;
}

static bool read_texts(engine_reader *r)
{
    bool good = true;
    const engine_file *f = &r->file;
    text_row row;
    for (size_t i = 0; f->remarks && i < f->remarks->n; i++) {
        const ks_member *m = &f->remarks->items[i];
        if (ks_read_fields(r->diags, m->value, "a remark", remark_fields, 2, &row))
            *KS_PUSH(r->arena, &r->engine->remarks) =
                (ks_remark){.id = m->key, .row = m->value, .text = text_of(row.text), .when = -1};
        else
            good = false;
    }
    for (size_t i = 0; f->log && i < f->log->n; i++)
        good &= read_log_line(r, &f->log->items[i]);
    for (size_t i = 0; f->suspects && i < f->suspects->n; i++) {
        const ks_member *m = &f->suspects->items[i];
        if (ks_read_fields(r->diags, m->value, "a suspect", suspect_fields, 1, &row))
            *KS_PUSH(r->arena, &r->engine->suspects) = (ks_suspect){m->key, row.title, -1};
        else
            good = false;
    }
    for (size_t i = 0; f->knobs && i < f->knobs->n; i++) {
        const ks_member *m = &f->knobs->items[i];
        row = (text_row){0};
        if (ks_read_fields(r->diags, m->value, "a knob", knob_fields, KS_COUNT(knob_fields),
                           &row))
            *KS_PUSH(r->arena, &r->engine->knobs) =
                (ks_knob){.flag = m->key, .why = row.title, .row = m->value, .halves = row.halves,
                           .raises = row.raises, .when = -1};
        else
            good = false;
    }
    return good;
}

static bool read_draft(engine_reader *r)
{
    draft_row row = {0};
    if (r->file.draft && !ks_read_fields(r->diags, r->file.draft, "a profile's draft", draft_fields,
                                         KS_COUNT(draft_fields), &row))
        return false;
    r->engine->draft_model = row.model;
    r->engine->draft_asked = row.asked;
    r->engine->stages = r->file.stages;
    return true;
}

/* When versions came out. */
static bool read_released(engine_reader *r)
{
    static const char form[] = "0000-00-00";
    const ks_doc *doc = r->file.released;
    bool good = true;
    for (size_t i = 0; doc && i < doc->n; i++) {
        const ks_member *m = &doc->items[i];
        ks_version version;
        bool fits = ks_parse_version(m->key, &version) && m->value->kind == KS_SCALAR &&
                    m->value->text.n == sizeof form - 1;
        for (size_t k = 0; fits && k < m->value->text.n; k++)
            fits = form[k] == '0' ? m->value->text.s[k] >= '0' && m->value->text.s[k] <= '9'
                                  : m->value->text.s[k] == form[k];
        if (!fits)
            ks_error(r->diags, KS_S003, m->key_span,
                     "\"released\" tells versions and their days, as in 0.5.9: 2026-02-23");
        good &= fits;
    }
    r->engine->released = doc;
    return good;
}

bool ks_read_engine(ks_arena *arena, ks_diags *diags, const ks_doc *doc, ks_engine *engine)
{
    engine_reader r = {.arena = arena, .diags = diags, .engine = engine};
    engine->doc = doc;
    if (!ks_read_fields(diags, doc, "an engine profile", engine_fields, KS_COUNT(engine_fields),
                        &r.file))
        return false;
    engine->name = r.file.engine;
    engine->title = r.file.title;
    engine->read_from = r.file.read_from;
    engine->read_to = r.file.read_to;
    engine->sources = r.file.sources;
    engine->ignored = r.file.ignored;
    engine->summary_text = text_of(r.file.summary);
    engine->yields_name = r.file.yields;
    engine->explains_name = r.file.explains;
    bool good = read_flags(&r, r.file.flags, KS_FLAG);
    good &= read_flags(&r, r.file.env, KS_ENVIRONMENT);
    good &= read_flags(&r, r.file.assume, KS_ASSUMPTION);
    good &= read_phases(&r);
    good &= read_released(&r);
    return good && read_draft(&r) && read_checks(&r) && read_requirements(&r) && read_texts(&r);
}

bool ks_read_assumptions(ks_arena *arena, ks_diags *diags, const ks_doc *section, ks_engine *engine)
{
    engine_reader r = {.arena = arena, .diags = diags, .engine = engine};
    return read_flags(&r, section, KS_ASSUMPTION);
}

static ks_str bare_spelling(ks_str spelling)
{
    while (spelling.n && spelling.s[0] == '-')
        spelling = ks_slice(spelling, 1, spelling.n);
    return spelling;
}

static bool same_spelling(ks_str a, ks_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++) {
        char x = a.s[i] == '_' ? '-' : a.s[i], y = b.s[i] == '_' ? '-' : b.s[i];
        if (x != y)
            return false;
    }
    return true;
}

ks_flag *ks_find_flag(const ks_engine *engine, ks_str spelling)
{
    ks_str bare = bare_spelling(spelling);
    for (size_t i = 0; i < engine->flags.n; i++) {
        ks_flag *flag = &engine->flags.items[i];
        if (same_spelling(bare, flag->spelling) || same_spelling(bare, flag->name))
            return flag;
        for (size_t k = 0; flag->aliases && k < flag->aliases->n; k++)
            if (same_spelling(bare, flag->aliases->items[k].value->text))
                return flag;
    }
    return NULL;
}

bool ks_flag_is_ignored(const ks_engine *engine, ks_str spelling)
{
    for (size_t i = 0; engine->ignored && i < engine->ignored->n; i++)
        if (same_spelling(bare_spelling(spelling), engine->ignored->items[i].value->text))
            return true;
    return false;
}

static bool begins(ks_str spelling, ks_str begin)
{
    return spelling.n > begin.n && same_spelling(ks_slice(spelling, 0, begin.n), begin);
}

const ks_flag *ks_find_begun_flag(const ks_engine *engine, ks_str spelling, bool *ignored)
{
    enum { SHORTEST = 4 };
    ks_str bare = bare_spelling(spelling);
    const ks_flag *found = NULL;
    size_t n = 0;
    *ignored = false;
    if (bare.n < SHORTEST)
        return NULL;
    for (size_t i = 0; i < engine->flags.n; i++) {
        const ks_flag *flag = &engine->flags.items[i];
        bool fits = begins(flag->spelling, bare);
        for (size_t k = 0; flag->aliases && k < flag->aliases->n; k++)
            fits |= begins(flag->aliases->items[k].value->text, bare);
        if (!fits || flag->origin != KS_FLAG)
            continue;
        found = flag;
        n++;
    }
    for (size_t i = 0; engine->ignored && i < engine->ignored->n; i++)
        *ignored |= begins(engine->ignored->items[i].value->text, bare);
    const ks_flag *only = n == 1 && !*ignored ? found : NULL;
    *ignored &= n == 0;
    return only;
}

void ks_suggest_flag(ks_diags *diags, const ks_engine *engine, ks_str spelling)
{
    ks_str *names = KS_NEW_ARRAY(diags->arena, ks_str, engine->flags.n + 1);
    for (size_t i = 0; i < engine->flags.n; i++)
        names[i] = engine->flags.items[i].spelling;
    ks_suggest(diags, bare_spelling(spelling), names, engine->flags.n);
}

void ks_unknown_flag(ks_diags *diags, const ks_engine *engine, ks_str spelling, ks_span at)
{
    ks_error(diags, KS_M006, at, "%.*s %.*s has no flag \"%.*s\" that kvsim knows",
             KS_ARG(engine->name), KS_ARG(engine->version), KS_ARG(spelling));
    ks_suggest_flag(diags, engine, spelling);
}

void ks_unknown_environment(ks_diags *diags, const ks_engine *engine, ks_str name, ks_span at)
{
    ks_str known[1];
    for (size_t i = 0; i < engine->flags.n; i++) {
        known[0] = engine->flags.items[i].spelling;
        if (engine->flags.items[i].origin != KS_ENVIRONMENT || !ks_nearest(name, known, 1).n)
            continue;
        ks_warning(diags, KS_M009, at, "%.*s does nothing in %.*s %.*s", KS_ARG(name),
                   KS_ARG(engine->name), KS_ARG(engine->version));
        ks_suggest(diags, name, known, 1);
    }
}

bool ks_count_ranks(ks_diags *diags, const ks_engine *engine, const ks_doc *launch,
                    ks_rank_count *count)
{
    const ks_doc *factors = ks_member_of(engine->doc, "ranks");
    const ks_flag *stages = engine->stages.n ? ks_find_flag(engine, engine->stages) : NULL;
    size_t product = 1;
    count->stages = count->stride = 1;
    for (size_t i = 0; i < factors->n; i++) {
        const ks_flag *flag = ks_find_flag(engine, factors->items[i].value->text);
        int64_t factor = 1;
        for (size_t k = 0; flag && launch && k < launch->n; k++) {
            const ks_member *m = &launch->items[k];
            if (ks_find_flag(engine, m->key) != flag)
                continue;
            if (!ks_read_whole(diags, m->value, 1, 1024, &factor))
                return false;
            if (factor > 1)
                count->blame = m->value->span;
        }
        if (flag && flag == stages) {
            count->stages = (size_t)factor;
            count->stride = product;
        }
        product *= (size_t)factor;
    }
    count->ranks = product;
    return true;
}
