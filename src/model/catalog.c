#include "model/catalog.h"

#include "base/table.h"
#include "model/merge.h"
#include "read/file.h"
#include "read/schema.h"
#include "read/yaml.h"

#include <ctype.h>
#include <stdlib.h>

enum { LONGEST_CHAIN = 40, MAX_ALIASES = 200 };

static ks_str folder_of(const ks_catalog *catalog, size_t i, const char *kind)
{
    return ks_format(catalog->diags->arena, "%s/%s", catalog->folders[i], kind);
}

static int by_bytes(const void *a, const void *b)
{
    return ks_compare(*(const ks_str *)a, *(const ks_str *)b);
}

ks_str *ks_catalog_names(const ks_catalog *catalog, const char *kind, size_t *n)
{
    struct {
        ks_str *items;
        size_t n, capacity;
    } all = {NULL, 0, 0};
    ks_arena *arena = catalog->diags->arena;
    for (size_t i = 0; i < catalog->n_folders; i++) {
        size_t found;
        ks_str *names = ks_list_folder(arena, folder_of(catalog, i, kind), ".yaml", &found);
        for (size_t k = 0; k < found; k++)
            *KS_PUSH(arena, &all) = names[k];
    }
    if (all.n)
        qsort(all.items, all.n, sizeof *all.items, by_bytes);
    *n = 0;
    for (size_t i = 0; i < all.n; i++)
        if (*n == 0 || !ks_equal(all.items[i], all.items[*n - 1]))
            all.items[(*n)++] = all.items[i];
    return all.items;
}

/* A name becomes part of a path, so it may hold no separator. */
static bool is_plain_name(ks_str name)
{
    return name.n && name.n < 128 && name.s[0] != '.' &&
           ks_find_byte(name, '/', 0) == name.n && ks_find_byte(name, '\0', 0) == name.n;
}

static const ks_source *open_one(const ks_catalog *catalog, const char *kind, ks_str name,
                                 ks_span at)
{
    const ks_source *source = NULL;
    for (size_t i = 0; i < catalog->n_folders && !source && is_plain_name(name); i++) {
        ks_str path = ks_format(catalog->diags->arena, "%.*s/%.*s.yaml",
                                KS_ARG(folder_of(catalog, i, kind)), KS_ARG(name));
        source = ks_read_file(catalog->diags, path, KS_MAX_FILE, at, false);
    }
    return source;
}

static ks_doc *read_source(const ks_catalog *catalog, const ks_source *source)
{
    ks_doc *doc = source ? ks_read_yaml(catalog->diags, source) : NULL;
    return doc && ks_check_format(catalog->diags, doc) ? doc : NULL;
}

/* Documents by "kind/name". */
struct ks_catalog_cache {
    ks_table names;
    ks_doc **items;
    size_t n, capacity;
};

ks_catalog ks_catalog_cached(const ks_catalog *catalog)
{
    ks_catalog cached = *catalog;
    cached.cache = KS_NEW(catalog->diags->arena, struct ks_catalog_cache);
    cached.cache->names.arena = catalog->diags->arena;
    return cached;
}

static ks_doc *read_one(const ks_catalog *catalog, const char *kind, ks_str name, ks_span at)
{
    struct ks_catalog_cache *cache = catalog->cache;
    if (!cache)
        return read_source(catalog, open_one(catalog, kind, name, at));
    ks_str key = ks_format(catalog->diags->arena, "%s/%.*s", kind, KS_ARG(name));
    int known = ks_table_get(&cache->names, key);
    if (known >= 0)
        return cache->items[known];
    ks_doc *doc = read_source(catalog, open_one(catalog, kind, name, at));
    if (doc) {
        ks_table_put(&cache->names, key, (int)cache->n);
        *KS_PUSH(catalog->diags->arena, cache) = doc;
    }
    return doc;
}

static bool has_alias(const ks_doc *doc, ks_str alias)
{
    const ks_doc *aliases = ks_member_of(doc, "aliases");
    for (size_t i = 0; aliases && aliases->kind == KS_LIST && i < aliases->n; i++)
        if (ks_same_letters(aliases->items[i].value->text, alias))
            return true;
    return false;
}

/* True if the word stands anywhere in the text. */
static bool mentions(ks_str text, ks_str word)
{
    for (size_t i = 0; i + word.n <= text.n; i++)
        if (tolower((unsigned char)text.s[i]) == tolower((unsigned char)word.s[0]) &&
            ks_same_letters(ks_slice(text, i, i + word.n), word))
            return true;
    return false;
}

/* The file whose name or alias this is. Only files that mention it are read as YAML. */
static ks_doc *find_by_alias(const ks_catalog *catalog, const char *kind, ks_str name, ks_span at)
{
    size_t n;
    ks_str *names = ks_catalog_names(catalog, kind, &n);
    for (size_t i = 0; i < n && name.n; i++) {
        bool named = ks_same_letters(names[i], name);
        const ks_source *source = open_one(catalog, kind, names[i], at);
        if (!source || (!named && !mentions(source->text, name)))
            continue;
        ks_doc *doc = read_source(catalog, source);
        if (!doc || named || has_alias(doc, name))
            return doc;
    }
    return NULL;
}

static const ks_doc *unknown(const ks_catalog *catalog, const char *kind, ks_str name, ks_span at)
{
    size_t n;
    ks_str *names = ks_catalog_names(catalog, kind, &n);
    ks_error(catalog->diags, KS_M001, at, "no %s \"%.*s\" is known", kind, KS_ARG(name));
    ks_suggest(catalog->diags, name, names, n);
    if (n == 0)
        ks_add_note(catalog->diags, (ks_span){0}, "no model files were found: see --models");
    else
        ks_add_note(catalog->diags, (ks_span){0}, "`kvsim list %s` shows all", kind);
    return NULL;
}

/* Lays a file on what it extends, from the bottom up: what one file takes away stays away. */
static const ks_doc *extend(const ks_catalog *catalog, const char *kind, ks_doc *doc)
{
    ks_doc *chain[LONGEST_CHAIN + 1] = {doc};
    int length = 1;
    for (const ks_doc *name; (name = ks_member_of(chain[length - 1], "extends")); length++) {
        if (!ks_expect(catalog->diags, name, KS_SCALAR, "\"extends\""))
            return NULL;
        if (length > LONGEST_CHAIN) {
            ks_error(catalog->diags, KS_M007, name->span, "these files extend each other");
            return NULL;
        }
        size_t errors = catalog->diags->errors;
        chain[length] = read_one(catalog, kind, name->text, name->span);
        if (!chain[length])
            return catalog->diags->errors > errors ? NULL
                                                   : unknown(catalog, kind, name->text, name->span);
    }
    const ks_doc *merged = chain[length - 1];
    for (int i = length - 2; i >= 0; i--)
        merged = ks_merge(catalog->diags, merged, chain[i]);
    return merged;
}

const ks_doc *ks_catalog_find(const ks_catalog *catalog, const char *kind, ks_str name, ks_span at)
{
    size_t errors = catalog->diags->errors;
    ks_doc *doc = read_one(catalog, kind, name, at);
    if (!doc && catalog->diags->errors == errors)
        doc = find_by_alias(catalog, kind, name, at);
    return doc ? extend(catalog, kind, doc) : NULL;
}

const ks_doc *ks_catalog_load(const ks_catalog *catalog, const char *kind, ks_str name, ks_span at)
{
    size_t errors = catalog->diags->errors;
    const ks_doc *doc = ks_catalog_find(catalog, kind, name, at);
    return doc || catalog->diags->errors > errors ? doc : unknown(catalog, kind, name, at);
}

/* How well a file's document fits a name: 2 by its name or an alias, 1 by the end of an alias. */
static int fits_name(const ks_doc *doc, ks_str file, ks_str name)
{
    const ks_doc *aliases = ks_member_of(doc, "aliases");
    int best = ks_same_letters(file, name) || has_alias(doc, name) ? 2 : 0;
    for (size_t i = 0; aliases && aliases->kind == KS_LIST && i < aliases->n && !best; i++) {
        ks_str rest;
        ks_cut(aliases->items[i].value->text, '/', &rest);
        best = rest.n && ks_same_letters(rest, name) ? 1 : 0;
    }
    return best;
}

ks_str ks_catalog_search(const ks_catalog *catalog, const char *kind, const ks_str *names,
                         size_t n)
{
    size_t n_files, best = 2 * n;
    ks_str *files = ks_catalog_names(catalog, kind, &n_files), found = {NULL, 0};
    for (size_t i = 0; i < n_files && best > 0; i++) {
        const ks_doc *doc = read_one(catalog, kind, files[i], (ks_span){0});
        for (size_t k = 0; doc && k < n; k++) {
            int fit = fits_name(doc, files[i], names[k]);
            size_t rank = fit == 2 ? k : n + k;
            if (fit == 0 || rank >= best)
                continue;
            best = rank;
            found = files[i];
        }
    }
    return found;
}

/* The profiles of one engine: file names, and the version in each. */
typedef struct profiles {
    ks_str *names;
    ks_version *versions;
    size_t n;
} profiles;

static profiles profiles_of(const ks_catalog *catalog, const char *kind, ks_str engine)
{
    size_t n;
    ks_arena *arena = catalog->diags->arena;
    ks_str *names = ks_catalog_names(catalog, kind, &n);
    ks_str prefix = ks_format(arena, "%.*s-", KS_ARG(engine));
    profiles found = {KS_NEW_ARRAY(arena, ks_str, n + 1), KS_NEW_ARRAY(arena, ks_version, n + 1), 0};
    for (size_t i = 0; i < n; i++) {
        ks_str version = ks_slice(names[i], prefix.n, names[i].n);
        if (ks_starts_with(names[i], prefix) &&
            ks_parse_version(version, &found.versions[found.n]))
            found.names[found.n++] = names[i];
    }
    return found;
}

static const ks_doc *no_profile(const ks_catalog *catalog, ks_str engine, ks_str version,
                                ks_span at, ks_str nearest)
{
    ks_error(catalog->diags, KS_M002, at, "no profile for %.*s \"%.*s\"", KS_ARG(engine),
             KS_ARG(version));
    if (nearest.n)
        ks_add_note(catalog->diags, (ks_span){0}, "the nearest profile is %.*s", KS_ARG(nearest));
    else
        ks_add_note(catalog->diags, (ks_span){0},
                    "write the engine and its version, as in \"sglang 0.5.9\"; `kvsim list engine` "
                    "shows all");
    return NULL;
}

void ks_warn_version(ks_diags *diags, ks_str version, ks_str read_from, ks_str read_to, ks_span at)
{
    ks_version wanted, newest, oldest;
    if (!ks_parse_version(version, &wanted))
        return;
    if (ks_parse_version(read_to, &newest) && ks_compare_versions(wanted, newest) > 0)
        ks_warning(diags, KS_M008, at, "%.*s is newer than what kvsim knows; it is taken as %.*s",
                   KS_ARG(version), KS_ARG(read_to));
    if (ks_parse_version(read_from, &oldest) && ks_compare_versions(wanted, oldest) < 0)
        ks_warning(diags, KS_M008, at, "%.*s is older than what kvsim knows; it is taken as %.*s",
                   KS_ARG(version), KS_ARG(read_from));
}

ks_str ks_catalog_newest(const ks_catalog *catalog, const char *kind, ks_str engine, ks_span at)
{
    ks_version read_to;
    profiles all = profiles_of(catalog, kind, engine);
    size_t newest = 0;
    if (all.n == 0) {
        ks_error(catalog->diags, KS_M002, at, "there is no profile for %.*s", KS_ARG(engine));
        ks_add_note(catalog->diags, (ks_span){0}, "`kvsim list engine` shows all");
        return (ks_str){NULL, 0};
    }
    for (size_t i = 1; i < all.n; i++)
        if (ks_compare_versions(all.versions[i], all.versions[newest]) > 0)
            newest = i;
    const ks_doc *doc = ks_catalog_load(catalog, kind, all.names[newest], at);
    const ks_doc *to = doc ? ks_member_of(doc, "read_to") : NULL;
    if (to && to->kind == KS_SCALAR && ks_parse_version(to->text, &read_to) &&
        ks_compare_versions(read_to, all.versions[newest]) >= 0)
        return to->text;
    return doc ? ks_slice(all.names[newest], engine.n + 1, all.names[newest].n)
               : (ks_str){NULL, 0};
}

/* A profile's document; *inside: it takes the version. NULL after an error. */
static const ks_doc *load_profile(const ks_catalog *catalog, const char *kind, ks_str name,
                                  ks_version wanted, ks_span at, bool *inside)
{
    const ks_doc *doc = ks_catalog_load(catalog, kind, name, at);
    const ks_doc *range = doc ? ks_member_of(doc, "versions") : NULL;
    bool good = true;
    *inside = range && range->kind == KS_SCALAR && ks_version_in(wanted, range->text, &good);
    if (!doc || (range && good))
        return doc;
    ks_error(catalog->diags, KS_S004, range ? range->span : doc->span,
             "\"versions\" must be a range such as \">=0.5.3 <0.5.4\"");
    *inside = false;
    return NULL;
}

const ks_doc *ks_catalog_versioned(const ks_catalog *catalog, const char *kind, ks_str engine,
                                   ks_str version, ks_span at)
{
    ks_version wanted;
    profiles all = profiles_of(catalog, kind, engine);
    if (!ks_parse_version(version, &wanted))
        return no_profile(catalog, engine, version, at, (ks_str){NULL, 0});
    size_t below = all.n, above = all.n;
    for (size_t i = 0; i < all.n; i++) {
        int order = ks_compare_versions(all.versions[i], wanted);
        if (order <= 0 &&
            (below == all.n || ks_compare_versions(all.versions[i], all.versions[below]) > 0))
            below = i;
        if (order > 0 &&
            (above == all.n || ks_compare_versions(all.versions[i], all.versions[above]) < 0))
            above = i;
    }
    /* The one above may begin with release candidates of its version. */
    const size_t tries[2] = {below, above};
    for (int i = 0; i < 2; i++) {
        bool inside = false;
        const ks_doc *doc =
            tries[i] < all.n ? load_profile(catalog, kind, all.names[tries[i]], wanted, at, &inside)
                             : NULL;
        if (inside || (tries[i] < all.n && !doc))
            return doc;
    }
    size_t nearest = below < all.n ? below : above;
    return no_profile(catalog, engine, version, at,
                      nearest < all.n ? all.names[nearest] : (ks_str){NULL, 0});
}

const ks_doc *ks_catalog_engine(const ks_catalog *catalog, ks_str engine, ks_str version,
                                ks_span at)
{
    return ks_catalog_versioned(catalog, "engine", engine, version, at);
}
