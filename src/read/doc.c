#include "read/doc.h"

ks_doc *ks_member_of(const ks_doc *doc, const char *key)
{
    if (!doc || doc->kind != KS_MAP)
        return NULL;
    for (size_t i = 0; i < doc->n; i++)
        if (ks_equal_c(doc->items[i].key, key))
            return doc->items[i].value;
    return NULL;
}

const char *ks_doc_kind_words(const ks_doc *doc)
{
    return doc->kind == KS_MAP ? "a mapping" : doc->kind == KS_LIST ? "a list" : "a single value";
}

bool ks_is_null(const ks_doc *doc)
{
    return doc->kind == KS_SCALAR && !doc->quoted &&
           (doc->text.n == 0 || ks_equal_c(doc->text, "~") || ks_equal_c(doc->text, "null"));
}

ks_str ks_one_line(const ks_doc *doc)
{
    if (!doc->exact)
        return doc->text;
    return ks_slice(doc->span.source->text, doc->span.at, (size_t)doc->span.at + doc->span.n);
}
