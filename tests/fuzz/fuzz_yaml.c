/* Fuzz program for YAML: any text as a document, and each of its values as a quantity. */
#include "base/unit.h"
#include "read/yaml.h"
#include "reader.h"

#include <math.h>
#include <stdlib.h>

enum { MEMORY = 64 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_inside(ks_span span)
{
    return span.source && (size_t)span.at + span.n <= span.source->text.n;
}

static void check_scalar(ks_arena *arena, const ks_doc *doc)
{
    ks_quantity q;
    must(is_inside(doc->span));
    /* Where the bytes are the value, they differ from it in white space only. */
    ks_str line = ks_one_line(doc);
    must(!doc->exact || (doc->text.n <= line.n && line.n == doc->span.n));
    if (ks_parse_quantity(doc->text, &q) != KS_QUANTITY_OK)
        return;
    must(isfinite(q.value));
    must(ks_show(arena, q.value, q.dim, ks_dim_is_whole(q.dim)).n > 0);
}

static void walk(ks_arena *arena, const ks_doc *doc, int depth)
{
    must(depth <= KS_MAX_DEPTH);
    if (doc->kind == KS_SCALAR)
        check_scalar(arena, doc);
    for (size_t i = 0; i < doc->n; i++) {
        const ks_member *m = &doc->items[i];
        must(doc->kind != KS_MAP || is_inside(m->key_span));
        walk(arena, m->value, depth + 1);
    }
    /* A key is there once: it is found at its own place. */
    for (size_t i = 0; doc->kind == KS_MAP && i < doc->n && i < 50; i++) {
        ks_str key = doc->items[i].key;
        if (ks_find_byte(key, '\0', 0) == key.n)
            must(ks_member_of(doc, ks_to_c(arena, key)) == doc->items[i].value);
    }
}

static void read(ks_diags *diags, const ks_source *source)
{
    const ks_doc *doc = ks_read_yaml(diags, source);
    must((doc != NULL) == (diags->errors == 0));
    if (doc)
        walk(diags->arena, doc, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return read_text(data, size, MEMORY, read);
}
