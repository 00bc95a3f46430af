/* Fuzz program for pasted command lines. The first byte says whether a line's end ends a command. */
#include "read/command.h"
#include "read/shell.h"
#include "reader.h"

#include <stdlib.h>

enum { LONGEST = 70 << 10, MEMORY = 64 << 20, MOST_WORDS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_span(ks_span span)
{
    must(span.source && (size_t)span.at + span.n <= span.source->text.n);
}

static void check_value(const ks_doc *doc)
{
    must(doc->kind != KS_MAP && (doc->kind == KS_SCALAR || doc->n > 1));
    check_span(doc->span);
    ks_str raw = ks_slice(doc->span.source->text, doc->span.at, (size_t)doc->span.at + doc->span.n);
    must(doc->kind == KS_LIST || !doc->exact || ks_equal(raw, doc->text));
    for (size_t i = 0; i < doc->n; i++)
        check_value(doc->items[i].value);
}

/* Each key is there once, in its place. */
static void check_map(const ks_doc *map)
{
    must(map->kind == KS_MAP);
    for (size_t i = 0; i < map->n; i++) {
        must(map->items[i].key.n > 0);
        check_span(map->items[i].key_span);
        check_value(map->items[i].value);
        for (size_t k = 0; k < i && i < 100; k++)
            must(!ks_equal(map->items[i].key, map->items[k].key));
    }
}

static void check_command(ks_diags *diags, const ks_command *c)
{
    const ks_doc *parts[] = {c->version, c->model, c->image, c->gpus, c->ipc, c->shm_size};
    must(c->engine.n > 0);
    check_span(c->at);
    check_map(c->env);
    check_map(c->launch);
    for (size_t i = 0; i < KS_COUNT(parts); i++)
        if (parts[i])
            check_value(parts[i]);
    for (size_t i = 0; i < c->variables.n; i++) {
        check_span(c->variables.items[i].at);
        ks_warn_of_variables(diags, c, c->variables.items[i].value);
    }
}

/* The words, joined, split into themselves. */
static void check_words(ks_diags *diags, const ks_shell *shell)
{
    const char *words[MOST_WORDS];
    ks_shell again;
    size_t n = shell->words.n < MOST_WORDS ? shell->words.n : MOST_WORDS;
    for (size_t i = 0; i < n; i++)
        words[i] = ks_to_c(diags->arena, shell->words.items[i].text);
    ks_str text = ks_join_words(diags->arena, words, n);
    const ks_source *source = ks_source_new(diags->arena, KS_STR("j"), text);
    must(text.n > KS_MAX_COMMAND ||
         ks_split_words(diags, (ks_span){source, 0, (uint32_t)text.n}, true, &again));
    must(text.n > KS_MAX_COMMAND || again.words.n == n);
    for (size_t i = 0; i < n && text.n <= KS_MAX_COMMAND; i++)
        must(ks_equal(again.words.items[i].text, shell->words.items[i].text));
}

static void read_alone(const char *bytes, size_t size, bool by_lines)
{
    ks_arena *arena = ks_arena_new(MEMORY, jump_out, NULL);
    if (!setjmp(full)) {
        ks_diags diags = {.arena = arena};
        ks_command command;
        ks_shell shell;
        const ks_source *source = ks_source_new(arena, KS_STR("c"), (ks_str){bytes, size});
        ks_span text = {source, 0, (uint32_t)size};
        bool good = ks_read_command(&diags, text, by_lines, &command);
        must(good == (diags.errors == 0));
        check_diags(&diags);
        if (good)
            check_command(&diags, &command);
        if (ks_split_words(&diags, text, by_lines, &shell))
            check_words(&diags, &shell);
    }
    ks_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 0 && size <= LONGEST)
        read_alone((const char *)data + 1, size - 1, data[0] & 1);
    return 0;
}
