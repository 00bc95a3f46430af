/* The handle: opened and closed, calls across its boundary, and its diagnostics. */
#include "api/handle.h"

#include "decode/links.h"
#include "allreduce/wiring.h"

#include <stdlib.h>

ks_api_extras *ks_new_extras(kvsim *k, bool decode)
{
    ks_api_extras *e = KS_NEW(k->arena, ks_api_extras);
    e->decode_set = ks_decode_extra(&e->decode, ks_decode_machine_links);
    e->asked[0] = (ks_extra_ask){&e->decode_set, decode};
    return e;
}

static void out_of_memory(void *context)
{
    kvsim *k = context;
    k->exhausted = true;
    if (k->boundary)
        longjmp(*k->boundary, 1);
    abort();
}

void *ks_guard(call *c, void *(*work)(call *c))
{
    jmp_buf boundary;
    kvsim *k = c->k;
    const ks_cleanup *mark = ks_arena_mark(k->arena);
    void *result = NULL;
    if (k->exhausted)
        return NULL;
    k->boundary = &boundary;
    if (setjmp(boundary) == 0) {
        k->catalog = ks_catalog_cached(&k->catalog);
        k->catalog.extras = ks_new_extras(k, false)->asked;
        k->catalog.n_extras = KS_N_EXTRAS;
        k->diags.once_from = k->said;
        result = work(c);
    } else
        ks_arena_unwind(k->arena, mark);
    k->boundary = NULL;
    return result;
}

kvsim_report *ks_new_report(kvsim *k, ks_report *made)
{
    kvsim_report *report = KS_NEW(k->arena, kvsim_report);
    report->report = made;
    made->diags = &k->diags;
    made->said_from = k->said;
    made->said_to = k->said = k->diags.n;
    return report;
}

const char *kvsim_version(void)
{
    return PACKAGE_VERSION;
}

kvsim *kvsim_open(const kvsim_options *options)
{
    kvsim *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->arena = ks_arena_new(options->memory_limit, out_of_memory, k);
    if (!k->arena) {
        free(k);
        return NULL;
    }
    k->diags.arena = k->arena;
    k->catalog = (ks_catalog){
        .diags = &k->diags, .folders = options->models, .n_folders = options->n_models,
        .standing = &ks_communicator_set};
    return k;
}

void kvsim_close(kvsim *k)
{
    if (!k)
        return;
    ks_arena_free(k->arena);
    free(k);
}

ks_doc *ks_doc_of(kvsim *k, const char *name, const char *text)
{
    if (!text)
        return NULL;
    ks_str copy = ks_copy(k->arena, ks_from_c(text));
    const ks_source *source = ks_source_new(k->arena, ks_from_c(name), copy);
    ks_doc *doc = KS_NEW(k->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .text = copy, .exact = true,
                    .span = {source, 0, (uint32_t)copy.n}};
    return doc;
}

bool ks_read_setting(kvsim *k, const char *from, ks_setting *setting)
{
    ks_str text = ks_copy(k->arena, ks_from_c(from));
    const ks_source *source = ks_source_new(k->arena, KS_STR("--set"), text);
    ks_str value;
    ks_str name = ks_cut(text, '=', &value);
    if (name.n == 0 || name.n == text.n || value.n == 0) {
        ks_error(&k->diags, KS_C001, (ks_span){source, 0, (uint32_t)text.n},
                 "a setting is NAME=VALUE");
        return false;
    }
    ks_doc *doc = KS_NEW(k->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_SCALAR, .text = value, .exact = true,
                    .span = {source, (uint32_t)(name.n + 1), (uint32_t)value.n}};
    *setting = (ks_setting){ks_trim(name), {source, 0, (uint32_t)name.n}, doc};
    return true;
}

size_t kvsim_n_errors(const kvsim *k)
{
    return k->diags.errors + (k->exhausted ? 1 : 0);
}

void kvsim_write_diagnostics(const kvsim *k, bool colour, kvsim_write_fn *write, void *context)
{
    ks_sink sink = {write, context};
    ks_write_diags(&k->diags, 0, colour, sink);
    if (k->exhausted)
        ks_put_c(sink, "kvsim: error: out of memory: the input asks for more than the limit\n");
}

void kvsim_clear_diagnostics(kvsim *k)
{
    k->diags.n = k->diags.errors = k->diags.dropped = k->said = k->diags.once_from = 0;
}
