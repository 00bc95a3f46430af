#include "read/schema.h"

#include "base/num.h"

enum { FORMAT = 1, MAX_FIELDS = 64 };

bool ks_expect(ks_diags *diags, const ks_doc *doc, enum ks_doc_kind kind, const char *what)
{
    if (doc->kind == kind)
        return true;
    ks_doc wanted = {.kind = kind};
    ks_error(diags, KS_S003, doc->span, "%s must be %s, not %s", what, ks_doc_kind_words(&wanted),
             ks_doc_kind_words(doc));
    return false;
}

bool ks_read_bool(ks_diags *diags, const ks_doc *doc, bool *value)
{
    if (!ks_expect(diags, doc, KS_SCALAR, "a switch"))
        return false;
    *value = ks_equal_c(doc->text, "true");
    if (*value || ks_equal_c(doc->text, "false"))
        return true;
    ks_error(diags, KS_S005, doc->span, "write true or false, not \"%.*s\"", KS_ARG(doc->text));
    return false;
}

bool ks_read_quantity(ks_diags *diags, const ks_doc *doc, ks_quantity *value)
{
    if (!ks_expect(diags, doc, KS_SCALAR, "a number"))
        return false;
    switch (ks_parse_quantity(doc->text, value)) {
    case KS_QUANTITY_OK:
        return true;
    case KS_UNKNOWN_UNIT:
        ks_error(diags, KS_U002, doc->span, "unknown unit in \"%.*s\"", KS_ARG(doc->text));
        ks_add_note(diags, (ks_span){0},
                    "known: B, KiB, MiB, GiB, TiB (powers of 2), kB, MB, GB, TB (powers of 10), "
                    "s, ms, us, ns, token, %%; and one over another, as in GB/s or B/token");
        return false;
    case KS_NOT_A_NUMBER:
        break;
    }
    ks_error(diags, KS_S004, doc->span, "\"%.*s\" is not a number", KS_ARG(doc->text));
    return false;
}

void ks_wrong_dimension(ks_diags *diags, ks_span span, ks_quantity got, ks_dim want)
{
    ks_arena *arena = diags->arena;
    if (!got.has_unit && !ks_same_dim(want, KS_NO_DIM)) {
        ks_error(diags, KS_U001, span, "the unit is missing: this is in %.*s",
                 KS_ARG(ks_dim_words(arena, want)));
        if (ks_same_dim(want, KS_BYTE))
            ks_add_note(diags, (ks_span){0},
                        "GiB is 2^30 bytes, GB is 10^9; engines print GB and mean GiB");
        return;
    }
    ks_error(diags, KS_U003, span, "this must be in %.*s, not in %.*s",
             KS_ARG(ks_dim_words(arena, want)), KS_ARG(ks_dim_words(arena, got.dim)));
}

bool ks_read_whole(ks_diags *diags, const ks_doc *doc, int64_t low, int64_t high, int64_t *value)
{
    ks_quantity quantity;
    if (!ks_read_quantity(diags, doc, &quantity))
        return false;
    if (!ks_same_dim(quantity.dim, KS_NO_DIM)) {
        ks_wrong_dimension(diags, doc->span, quantity, KS_NO_DIM);
        return false;
    }
    if (quantity.has_unit || !ks_to_whole(quantity.value, value)) {
        ks_error(diags, KS_S004, doc->span, "\"%.*s\" is not a whole number", KS_ARG(doc->text));
        return false;
    }
    if (*value < low || *value > high) {
        ks_error(diags, KS_S006, doc->span, "%.*s is not between %lld and %lld", KS_ARG(doc->text),
                 (long long)low, (long long)high);
        return false;
    }
    return true;
}

static bool store(ks_diags *diags, const ks_field *field, ks_doc *value, void *out)
{
    static const enum ks_doc_kind kinds[] = {[KS_FIELD_MAP] = KS_MAP, [KS_FIELD_LIST] = KS_LIST,
                                             [KS_FIELD_SCALAR] = KS_SCALAR,
                                             [KS_FIELD_TEXT] = KS_SCALAR,
                                             [KS_FIELD_BOOL] = KS_SCALAR};
    ks_str what = ks_format(diags->arena, "\"%s\"", field->key);
    char *target = (char *)out + field->offset;
    if (field->type != KS_FIELD_DOC && !ks_expect(diags, value, kinds[field->type], what.s))
        return false;
    if (field->type == KS_FIELD_TEXT)
        *(ks_str *)(void *)target = value->text;
    else if (field->type == KS_FIELD_BOOL)
        return ks_read_bool(diags, value, (bool *)target);
    else
        *(const ks_doc **)(void *)target = value;
    return true;
}

static const ks_field *find_field(const ks_field *fields, size_t n, ks_str key)
{
    for (size_t i = 0; i < n; i++)
        if (ks_equal_c(key, fields[i].key))
            return &fields[i];
    return NULL;
}

bool ks_read_fields(ks_diags *diags, const ks_doc *doc, const char *what, const ks_field *fields,
                    size_t n, void *out)
{
    bool good = true;
    if (!ks_expect(diags, doc, KS_MAP, what))
        return false;
    for (size_t i = 0; i < doc->n; i++) {
        const ks_member *m = &doc->items[i];
        const ks_field *field = find_field(fields, n, m->key);
        if (field) {
            good &= store(diags, field, m->value, out);
            continue;
        }
        ks_str names[MAX_FIELDS];
        size_t known = n < MAX_FIELDS ? n : MAX_FIELDS;
        for (size_t k = 0; k < known; k++)
            names[k] = ks_from_c(fields[k].key);
        ks_error(diags, KS_S001, m->key_span, "%s has no key \"%.*s\"", what, KS_ARG(m->key));
        ks_suggest(diags, m->key, names, known);
        good = false;
    }
    for (size_t i = 0; i < n; i++)
        if ((fields[i].flags & KS_REQUIRED) && !ks_member_of(doc, fields[i].key)) {
            ks_error(diags, KS_S002, doc->span, "%s needs the key \"%s\"", what, fields[i].key);
            good = false;
        }
    return good;
}

bool ks_check_format(ks_diags *diags, const ks_doc *root)
{
    if (!ks_expect(diags, root, KS_MAP, "the file"))
        return false;
    const ks_doc *version = ks_member_of(root, "kvsim");
    if (!version) {
        ks_error(diags, KS_S002, root->span, "the file does not say its format");
        ks_add_note(diags, (ks_span){0}, "write \"kvsim: 1\" as its first line");
        return false;
    }
    if (version->kind == KS_SCALAR && ks_equal_c(version->text, "1"))
        return true;
    ks_error(diags, KS_S007, version->span, "this program reads format %d only", FORMAT);
    return false;
}
