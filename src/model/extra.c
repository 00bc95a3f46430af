#include "model/extra.h"

static bool begins(const ks_extra *extra, ks_str name)
{
    for (size_t i = 0; extra->names[i]; i++)
        if (ks_starts_with(name, ks_from_c(extra->names[i])))
            return true;
    return false;
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

/* True if some name in a formula is the set's. */
static bool begins_in(const ks_extra *extra, ks_str formula)
{
    for (size_t i = 0; i < formula.n; i++)
        if (is_name_byte(formula.s[i]) && (i == 0 || !is_name_byte(formula.s[i - 1])) &&
            begins(extra, ks_slice(formula, i, formula.n)))
            return true;
    return false;
}

static bool has_key(const ks_extra *extra, const ks_doc *map)
{
    for (size_t i = 0; map && map->kind == KS_MAP && i < map->n; i++)
        if (begins(extra, map->items[i].key))
            return true;
    return false;
}

static bool is_wanted(const ks_extra *extra, const ks_ask *ask, const ks_mentions *m)
{
    if (begins(extra, ask->quantity) || begins(extra, ask->unknown) ||
        begins_in(extra, ask->goal) || has_key(extra, m->assume) || has_key(extra, m->measured) ||
        has_key(extra, m->expect))
        return true;
    for (size_t i = 0; i < m->settings->n; i++)
        if (begins(extra, m->settings->items[i].name))
            return true;
    for (size_t i = 0; m->what_if && i < m->what_if->n; i++)
        if (has_key(extra, ks_member_of(m->what_if->items[i].value, "set")))
            return true;
    return false;
}

ks_extras ks_wanted_extras(const ks_catalog *catalog, const ks_ask *ask,
                           const ks_mentions *mentions)
{
    ks_extras wanted = {NULL, 0, 0};
    const ks_extra_ask *all = ask->n_extras ? ask->extras : catalog->extras;
    size_t n = ask->n_extras ? ask->n_extras : catalog->n_extras;
    for (size_t i = 0; i < n; i++)
        if (all[i].asked || is_wanted(all[i].extra, ask, mentions))
            *KS_PUSH(catalog->diags->arena, &wanted) = all[i].extra;
    return wanted;
}

/* A map without the keys that the catalog's sets own. */
static ks_doc *without_keys(const ks_catalog *catalog, const ks_doc *map)
{
    ks_arena *arena = catalog->diags->arena;
    ks_doc *copy = KS_NEW(arena, ks_doc);
    *copy = *map;
    copy->items = KS_NEW_ARRAY(arena, ks_member, map->n + 1);
    copy->n = 0;
    for (size_t i = 0; i < map->n; i++) {
        bool owned = false;
        for (size_t k = 0; k < catalog->n_extras; k++)
            owned |= begins(catalog->extras[k].extra, map->items[i].key);
        if (!owned)
            copy->items[copy->n++] = map->items[i];
    }
    return copy;
}

ks_doc *ks_without_extras(const ks_catalog *catalog, const ks_doc *scenario)
{
    static const char *const parts[] = {"assume", "measured", "expect"};
    ks_arena *arena = catalog->diags->arena;
    ks_doc *copy = KS_NEW(arena, ks_doc);
    *copy = *scenario;
    copy->items = KS_NEW_ARRAY(arena, ks_member, scenario->n + 1);
    copy->n = 0;
    for (size_t i = 0; i < scenario->n; i++) {
        ks_member m = scenario->items[i];
        if (ks_equal_c(m.key, "what_if"))
            continue;
        for (size_t k = 0; k < KS_COUNT(parts); k++)
            if (ks_equal_c(m.key, parts[k]) && m.value->kind == KS_MAP)
                m.value = without_keys(catalog, m.value);
        copy->items[copy->n++] = m;
    }
    return copy;
}

bool ks_read_extras(const ks_extras *extras, const ks_catalog *catalog, ks_model *model)
{
    bool good = true;
    for (size_t i = 0; i < extras->n; i++)
        good &= !extras->items[i]->read || extras->items[i]->read(extras->items[i], catalog, model);
    return good;
}

bool ks_define_extras(const ks_extras *extras, const ks_catalog *catalog, ks_model *model,
                      const struct ks_machine *machine)
{
    bool good = true;
    for (size_t i = 0; i < extras->n; i++)
        good &= extras->items[i]->define(extras->items[i], catalog, model, machine);
    return good;
}

bool ks_finish_extras(const ks_extras *extras, ks_model *model)
{
    bool good = true;
    for (size_t i = 0; i < extras->n; i++)
        good &= !extras->items[i]->finish || extras->items[i]->finish(extras->items[i], model);
    return good;
}
