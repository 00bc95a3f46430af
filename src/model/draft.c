#include "model/draft.h"

#include "model/arch.h"
#include "model/hf.h"
#include "model/launch.h"

/* The value that was given to a flag, or NULL. */
static const ks_doc *value_of(const ks_engine *engine, const ks_doc *const *given, ks_str spelling)
{
    const ks_flag *flag = ks_find_flag(engine, spelling);
    return flag ? given[flag - engine->flags.items] : NULL;
}

static void add(ks_arena *arena, ks_doc *map, const char *key, ks_doc *value)
{
    *KS_PUSH(arena, map) = (ks_member){ks_from_c(key), value->span, value};
}

static ks_doc *scalar(ks_arena *arena, const char *text, ks_span span)
{
    ks_doc *doc = KS_NEW(arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .span = span, .text = ks_from_c(text)};
    return doc;
}

/* A model without layers. */
static const ks_doc *no_model(ks_arena *arena, ks_span span)
{
    ks_doc *llm = KS_NEW(arena, ks_doc), *config = KS_NEW(arena, ks_doc);
    ks_doc *formats = KS_NEW(arena, ks_doc);
    *llm = *config = *formats = (ks_doc){.kind = KS_MAP, .span = span};
    add(arena, formats, "default", scalar(arena, "bf16", span));
    add(arena, llm, "llm", scalar(arena, "none", span));
    add(arena, llm, "arch", scalar(arena, "none", span));
    add(arena, llm, "source", scalar(arena, "there is no draft model", span));
    add(arena, llm, "config", config);
    add(arena, llm, "formats", formats);
    return llm;
}

static bool has_own_draft(const ks_catalog *catalog, const ks_doc *llm)
{
    const ks_doc *name = ks_member_of(llm, "arch");
    const ks_doc *arch = name ? ks_catalog_load(catalog, "arch", name->text, name->span) : NULL;
    const ks_doc *draft = arch ? ks_member_of(arch, "draft") : NULL;
    return draft && draft->kind == KS_MAP;
}

static bool is_same_model(const ks_doc *a, const ks_doc *b)
{
    const ks_doc *x = ks_member_of(a, "llm"), *y = ks_member_of(b, "llm");
    return x && y && ks_equal(x->text, y->text);
}

const ks_doc *ks_load_llm(const ks_catalog *catalog, const ks_doc *name)
{
    if (ks_is_config_path(catalog->diags->arena, name->text))
        return ks_llm_from_config(catalog, name->text, name->span);
    return ks_catalog_load(catalog, "llm", name->text, name->span);
}

/* The document of the model that a flag names; NULL if it is not known, or after an error. */
static const ks_doc *load_named(const ks_catalog *catalog, const ks_doc *name)
{
    size_t errors = catalog->diags->errors;
    const ks_doc *known = ks_look_up_llm(catalog, name);
    if (!known && catalog->diags->errors == errors) {
        ks_warning(catalog->diags, KS_M008, name->span,
                   "the draft model \"%.*s\" is not known: its memory is not counted",
                   KS_ARG(name->text));
        ks_add_note(catalog->diags, (ks_span){0},
                    "name one of `kvsim list llm`, or the path of its config.json");
    }
    return known ? ks_load_llm(catalog, known) : NULL;
}

/* True if the launch asks for a draft model, or some what-if does. */
static bool asks_for_draft(const ks_engine *engine, const ks_doc *const *given, const ks_doc *what_if)
{
    const ks_flag *flag = ks_find_flag(engine, engine->draft_asked);
    bool asked = flag && given[flag - engine->flags.items];
    for (size_t i = 0; flag && what_if && i < what_if->n; i++) {
        const ks_doc *row = what_if->items[i].value;
        const ks_doc *set = row->kind == KS_MAP ? ks_member_of(row, "set") : NULL;
        for (size_t k = 0; set && set->kind == KS_MAP && k < set->n; k++)
            asked |= ks_find_flag(engine, set->items[k].key) == flag;
    }
    return asked;
}

static bool define_draft(ks_program *program, const ks_catalog *catalog, const ks_engine *engine,
                         const ks_doc *const *given, const ks_doc *what_if, const ks_doc *llm)
{
    const ks_stage alone = {1, 1};
    const ks_str prefix = KS_STR("draft.llm.");
    if (!engine->draft_model.n)
        return true;
    size_t errors = program->diags->errors;
    bool asked = asks_for_draft(engine, given, what_if);
    const ks_doc *name = value_of(engine, given, engine->draft_model);
    const ks_doc *draft = asked && name ? load_named(catalog, name) : NULL;
    if (program->diags->errors > errors)
        return false;
    bool own = asked && (draft ? is_same_model(draft, llm) : !name) && has_own_draft(catalog, llm);
    if (own)
        draft = llm;
    if (!draft)
        draft = no_model(program->arena, llm->span);
    return ks_define_llm(program, catalog, draft, prefix, &alone, own);
}

bool ks_define_llms(ks_program *program, const ks_catalog *catalog, const ks_engine *engine,
                    const ks_doc *const *given, const ks_doc *what_if, const ks_doc *llm,
                    const ks_rank_count *ranks)
{
    const ks_stage stage = {ranks->stages, ranks->stride};
    return ks_define_llm(program, catalog, llm, KS_STR("llm."), &stage, false) &&
           define_draft(program, catalog, engine, given, what_if, llm);
}
