#include "read/arguments.h"

#include "base/table.h"

enum { LONGEST_SHOWN = 60 };

typedef struct reader {
    ks_diags *diags;
    const ks_shell *shell;
    ks_words *words;
    ks_command *command;
    bool positional;
    ks_table known; /* flags so far, with '-' for '_' */
} reader;

void ks_leave_out(ks_diags *diags, ks_span span, const char *why)
{
    ks_str text = ks_slice(span.source->text, span.at, (size_t)span.at + span.n);
    ks_str line = ks_slice(text, 0, ks_find_byte(text, '\n', 0));
    size_t shown = line.n < LONGEST_SHOWN ? line.n : LONGEST_SHOWN;
    while (shown && shown < line.n && ((unsigned char)line.s[shown] & 0xc0) == 0x80)
        shown--;
    ks_warning(diags, KS_C003, span, "left out: %.*s%s%s", KS_ARG(ks_trim(ks_slice(line, 0, shown))),
               shown < text.n ? " ..." : "", why);
}

ks_doc *ks_rest_of_word(ks_diags *diags, const ks_shell *shell, const ks_shell_word *word,
                        size_t from, ks_command *command)
{
    ks_doc *doc = ks_word_part(shell, word, from, word->text.n);
    ks_span at = word->variable;
    if (at.source && at.at >= doc->span.at && at.at < doc->span.at + doc->span.n)
        *KS_PUSH(diags->arena, &command->variables) = (ks_variable){doc, at};
    return doc;
}

void ks_warn_of_variables(ks_diags *diags, const ks_command *command, const ks_doc *value)
{
    for (size_t i = 0; i < command->variables.n; i++) {
        const ks_variable *v = &command->variables.items[i];
        bool holds = v->value == value;
        for (size_t k = 0; value->kind == KS_LIST && k < value->n; k++)
            holds |= v->value == value->items[k].value;
        if (holds)
            ks_warning(diags, KS_C004, v->at, "this has no value here: it is left as it is");
    }
}

static ks_doc *rest_of(reader *r, const ks_shell_word *word, size_t from)
{
    return ks_rest_of_word(r->diags, r->shell, word, from, r->command);
}

/* Flags are the same with '_' for '-'. */
static bool same_key(ks_str a, ks_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if ((a.s[i] == '_' ? '-' : a.s[i]) != (b.s[i] == '_' ? '-' : b.s[i]))
            return false;
    return true;
}

/* A word that begins with a dash and is no negative number. */
static bool is_flag(const ks_shell_word *word)
{
    ks_str text = word->text;
    return text.n > 1 && text.s[0] == '-' && !(text.s[1] >= '0' && text.s[1] <= '9') &&
           text.s[1] != '.';
}

/* By its name, a flag that stands alone. */
static bool is_switch(ks_str name)
{
    static const char *const begins[] = {"enable-", "disable-", "no-",
                                         "skip-",   "enforce-", "trust-"};
    for (size_t i = 0; i < KS_COUNT(begins); i++) {
        ks_str begin = ks_from_c(begins[i]);
        if (name.n > begin.n && same_key(ks_slice(name, 0, begin.n), begin))
            return true;
    }
    return false;
}

static bool is_truth(ks_str text)
{
    return ks_is_listed(" true false True False 0 1 ", text);
}

static void put_flag(reader *r, ks_member m)
{
    ks_doc *launch = r->command->launch;
    ks_str key = ks_replace(r->diags->arena, m.key, '_', '-');
    int before = ks_table_get(&r->known, key);
    if (before == KS_ABSENT) {
        ks_table_put(&r->known, key, (int)launch->n);
        *KS_PUSH(r->diags->arena, launch) = m;
        return;
    }
    ks_leave_out(r->diags, launch->items[before].key_span, " (given again; the last one counts)");
    launch->items[before] = m;
}

static bool wants_model(const reader *r)
{
    return r->positional && !r->command->model;
}

/* The words behind a flag that belong to it. */
static ks_doc *read_values(reader *r, ks_str name, ks_span at)
{
    ks_doc *list = KS_NEW(r->diags->arena, ks_doc);
    *list = (ks_doc){.kind = KS_LIST, .span = at};
    bool alone = is_switch(name);
    const ks_shell_word *word;
    while ((word = ks_next_word(r->words)) && !is_flag(word)) {
        if ((alone && (list->n || !is_truth(word->text))) || (list->n && wants_model(r)))
            break;
        ks_doc *value = rest_of(r, word, 0);
        *KS_PUSH(r->diags->arena, list) = (ks_member){.key_span = value->span, .value = value};
        r->words->at++;
    }
    if (list->n > 1) {
        list->span = list->items[0].value->span;
        return list;
    }
    if (list->n == 1)
        return list->items[0].value;
    *list = (ks_doc){.kind = KS_SCALAR, .span = at, .text = KS_STR("true")};
    return list;
}

static void read_flag(reader *r)
{
    const ks_shell_word *word = ks_next_word(r->words);
    size_t dashes = 0, end = ks_find_byte(word->text, '=', 0);
    r->words->at++;
    while (dashes < end && word->text.s[dashes] == '-')
        dashes++;
    ks_doc *name = ks_word_part(r->shell, word, dashes, end);
    ks_span at = ks_word_part(r->shell, word, 0, end)->span;
    if (!name->text.n) {
        if (dashes != 2 || end < word->text.n)
            ks_leave_out(r->diags, word->span, "");
        return;
    }
    ks_doc *value = end < word->text.n ? rest_of(r, word, end + 1) : read_values(r, name->text, at);
    put_flag(r, (ks_member){name->text, at, value});
}

/* The model that `--model-path` or `--model` names. */
static const ks_doc *find_model(const ks_doc *launch)
{
    static const char *const names[] = {"model-path", "model"};
    for (size_t i = 0; i < KS_COUNT(names); i++)
        for (size_t k = 0; k < launch->n; k++)
            if (same_key(launch->items[k].key, ks_from_c(names[i])) &&
                launch->items[k].value->kind == KS_SCALAR)
                return launch->items[k].value;
    return NULL;
}

void ks_read_arguments(ks_diags *diags, const ks_shell *shell, ks_words *words, bool positional,
                       ks_command *command)
{
    reader r = {diags, shell, words, command, positional, {.arena = diags->arena}};
    const ks_shell_word *word;
    command->launch = KS_NEW(diags->arena, ks_doc);
    *command->launch = (ks_doc){.kind = KS_MAP, .span = command->at};
    while ((word = ks_next_word(words))) {
        if (is_flag(word)) {
            read_flag(&r);
            continue;
        }
        if (wants_model(&r))
            command->model = rest_of(&r, word, 0);
        else
            ks_leave_out(diags, word->span, " (it belongs to no flag)");
        words->at++;
    }
    if (!command->model)
        command->model = find_model(command->launch);
}
