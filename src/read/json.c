#include "read/json.h"

#include <jansson.h>
#include <string.h>

typedef struct walker {
    ks_arena *arena;
    ks_diags *diags;
    const ks_source *source;
    size_t at, nodes;
    bool failed;
} walker;

static ks_doc *walk(walker *w, const json_t *value, size_t depth);

static void fail(walker *w, const char *text)
{
    ks_span span = {w->source, (uint32_t)w->at, 1};
    if (!w->failed)
        ks_error(w->diags, KS_Y005, span, "%s", text);
    w->failed = true;
}

static char byte_at(const walker *w)
{
    return w->at < w->source->text.n ? w->source->text.s[w->at] : '\0';
}

/* Blanks, and the commas and colons between parts. */
static void skip_between(walker *w)
{
    while (byte_at(w) && strchr(" \t\r\n,:", byte_at(w)))
        w->at++;
}

/* The span of the text or the plain word at the cursor, which moves behind it. */
static ks_span take_token(walker *w)
{
    size_t from = w->at;
    if (byte_at(w) != '"') {
        while (byte_at(w) && !strchr(" \t\r\n,:]}", byte_at(w)))
            w->at++;
        return (ks_span){w->source, (uint32_t)from, (uint32_t)(w->at - from)};
    }
    for (w->at++; w->at < w->source->text.n && byte_at(w) != '"'; w->at++)
        w->at += byte_at(w) == '\\' ? 1 : 0;
    w->at++;
    return (ks_span){w->source, (uint32_t)(from + 1), (uint32_t)(w->at - from - 2)};
}

static ks_doc *new_doc(walker *w, enum ks_doc_kind kind)
{
    ks_doc *doc = KS_NEW(w->arena, ks_doc);
    doc->kind = kind;
    doc->span = (ks_span){w->source, (uint32_t)w->at, 1};
    if (++w->nodes > KS_MAX_NODES)
        fail(w, "more values than a file of this kind can need");
    return doc;
}

static ks_doc *walk_object(walker *w, json_t *value, size_t depth)
{
    ks_doc *doc = new_doc(w, KS_MAP);
    const char *key;
    json_t *member;
    w->at++;
    json_object_foreach(value, key, member)
    {
        skip_between(w);
        ks_span key_span = take_token(w);
        skip_between(w);
        ks_doc *inner = walk(w, member, depth + 1);
        if (w->failed)
            break;
        *KS_PUSH(w->arena, doc) =
            (ks_member){ks_copy(w->arena, ks_from_c(key)), key_span, inner};
    }
    skip_between(w);
    w->at++;
    return doc;
}

static ks_doc *walk_array(walker *w, const json_t *value, size_t depth)
{
    ks_doc *doc = new_doc(w, KS_LIST);
    w->at++;
    for (size_t i = 0; i < json_array_size(value) && !w->failed; i++) {
        skip_between(w);
        ks_doc *inner = walk(w, json_array_get(value, i), depth + 1);
        *KS_PUSH(w->arena, doc) = (ks_member){{NULL, 0}, inner->span, inner};
    }
    skip_between(w);
    w->at++;
    return doc;
}

static ks_doc *walk(walker *w, const json_t *value, size_t depth)
{
    skip_between(w);
    if (depth > KS_MAX_DEPTH)
        fail(w, "nested too deeply");
    if (!w->failed && json_is_object(value))
        return walk_object(w, (json_t *)(uintptr_t)value, depth);
    if (!w->failed && json_is_array(value))
        return walk_array(w, value, depth);
    ks_doc *doc = new_doc(w, KS_SCALAR);
    doc->span = take_token(w);
    doc->quoted = json_is_string(value);
    ks_str raw = ks_slice(w->source->text, doc->span.at, (size_t)doc->span.at + doc->span.n);
    doc->text = doc->quoted ? ks_copy(w->arena, (ks_str){json_string_value(value),
                                                         json_string_length(value)})
               : json_is_null(value) ? KS_STR("null")
                                     : raw;
    doc->exact = ks_equal(doc->text, raw);
    return doc;
}

/* Python writes Infinity, which is not JSON; real configurations hold it. It is read as null, in the
 * same place and as long. NULL if the text has none. */
static char *without_infinity(ks_arena *arena, ks_str text)
{
    static const char word[] = "Infinity", null[] = "null    ";
    const size_t n = sizeof word - 1;
    char *copy = NULL;
    bool inside = false;
    for (size_t i = 0; i + n <= text.n; i++) {
        if (text.s[i] == '"' && (i == 0 || text.s[i - 1] != '\\'))
            inside = !inside;
        if (inside || text.s[i] != 'I' || memcmp(text.s + i, word, n) != 0)
            continue;
        copy = copy ? copy : (char *)(uintptr_t)ks_copy(arena, text).s;
        memcpy(copy + i, null, n);
        if (i > 0 && copy[i - 1] == '-')
            copy[i - 1] = ' ';
    }
    return copy;
}

static void free_value(void *value)
{
    json_decref(value);
}

ks_doc *ks_read_json(ks_diags *diags, const ks_source *source)
{
    json_error_t error;
    walker w = {.arena = diags->arena, .diags = diags, .source = source};
    ks_str text = source->text;
    const char *cleaned = without_infinity(diags->arena, text);
    const char *bytes = cleaned ? cleaned : text.s ? text.s : "";
    json_t *root = json_loadb(bytes, text.n,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!root) {
        size_t at = error.position > 0 ? (size_t)error.position - 1 : 0;
        ks_span span = {source, (uint32_t)(at < text.n ? at : 0), 1};
        ks_error(diags, KS_Y002, span, "not JSON: %s", error.text);
        return NULL;
    }
    ks_cleanup *cleanup = ks_defer(diags->arena, free_value, root);
    ks_doc *doc = walk(&w, root, 0);
    ks_finish(diags->arena, cleanup);
    return w.failed ? NULL : doc;
}
