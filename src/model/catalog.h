/* The model files: where they lie, how a name becomes a file, and how files extend each other.
 *
 * A folder of models holds engine/, gpu/, llm/, arch/, format/ and machine/, with one YAML file a
 * name. Folders are searched in order; a name may also be one of a file's `aliases:`. */
#ifndef KS_MODEL_CATALOG_H
#define KS_MODEL_CATALOG_H

#include "model/version.h"
#include "read/doc.h"

typedef struct ks_catalog {
    ks_diags *diags;
    const char *const *folders;
    size_t n_folders;
    struct ks_catalog_cache *cache; /* or NULL: each file is read whenever it is asked for */
    const struct ks_extra *standing; /* definitions that every scenario's program gets; or NULL */
    const struct ks_extra_ask *extras; /* sets that a scenario may name, where its asker brings none */
    size_t n_extras;
} ks_catalog;

/* The same catalog for a while in which no file changes: each is read once. */
ks_catalog ks_catalog_cached(const ks_catalog *catalog);

/* The names of one kind ("gpu", "llm", ...) in all folders, sorted, without doubles. */
ks_str *ks_catalog_names(const ks_catalog *catalog, const char *kind, size_t *n);

/* The document of a file of this kind, what it extends already merged in; NULL after an error.
 * `at` is where the name stands. */
const ks_doc *ks_catalog_load(const ks_catalog *catalog, const char *kind, ks_str name,
                              ks_span at);

/* The same, but NULL without an error if nothing has this name. */
const ks_doc *ks_catalog_find(const ks_catalog *catalog, const char *kind, ks_str name,
                              ks_span at);

/* Warns of a version outside of what a profile was read from and to (either may be empty). */
void ks_warn_version(ks_diags *diags, ks_str version, ks_str read_from, ks_str read_to, ks_span at);

/* The newest version of an engine that a profile of this kind was read to; empty after an error. */
ks_str ks_catalog_newest(const ks_catalog *catalog, const char *kind, ks_str engine, ks_span at);

/* The file of this kind that has one of `names` as its name or alias; earlier names count more. Where
 * none has, one with an alias that ends in "/" and one of the names. Empty if there is none; that is
 * no error. */
ks_str ks_catalog_search(const ks_catalog *catalog, const char *kind, const ks_str *names, size_t n);

/* The engine profile for a version: the file engine/ENGINE-V.yaml with the largest V that is not
 * above it, if its `versions:` takes it; else an error that names the nearest profile. */
const ks_doc *ks_catalog_engine(const ks_catalog *catalog, ks_str engine, ks_str version,
                                ks_span at);
/* The same for files KIND/NAME-V.yaml of another kind. */
const ks_doc *ks_catalog_versioned(const ks_catalog *catalog, const char *kind, ks_str name,
                                   ks_str version, ks_span at);

#endif
