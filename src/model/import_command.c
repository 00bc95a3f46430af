#include "model/import_command.h"

#include <string.h>

enum { COMMENT_COLUMN = 40 };

typedef struct writer {
    ks_arena *arena;
    ks_diags *diags;
    const ks_engine *engine;
    const ks_command *command;
    const ks_doc **given; /* by flag */
    ks_builder file;
    size_t line; /* where the line that is being written begins */
} writer;

/* Text of a comment: it must not leave its line. */
static void add_plainly(writer *w, ks_str text)
{
    for (size_t i = 0; i < text.n; i++) {
        bool control = (unsigned char)text.s[i] < 0x20 || text.s[i] == 0x7f;
        ks_add(&w->file, control ? KS_STR(" ") : ks_slice(text, i, i + 1));
    }
}

/* A scalar in quotes where YAML or kvsim would read something else. */
static void add_scalar(writer *w, ks_str text)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-";
    bool is_plain = text.n > 0 && !ks_equal_c(text, "null") && !ks_equal_c(text, "-");
    for (size_t i = 0; i < text.n; i++)
        is_plain &= text.s[i] && strchr(plain, text.s[i]);
    if (is_plain && !ks_starts_with(text, KS_STR("---")) && !ks_starts_with(text, KS_STR("..."))) {
        ks_add(&w->file, text);
        return;
    }
    ks_add(&w->file, KS_STR("\""));
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.s[i];
        if (c == '"' || c == '\\')
            ks_addf(&w->file, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            ks_addf(&w->file, "\\x%02x", c);
        else
            ks_add(&w->file, ks_slice(text, i, i + 1));
    }
    ks_add(&w->file, KS_STR("\""));
}

static void add_value(writer *w, const ks_doc *value)
{
    if (value->kind == KS_SCALAR) {
        add_scalar(w, value->text);
        return;
    }
    ks_add(&w->file, KS_STR("["));
    for (size_t i = 0; i < value->n; i++) {
        if (i)
            ks_add(&w->file, KS_STR(", "));
        add_scalar(w, value->items[i].value->text);
    }
    ks_add(&w->file, KS_STR("]"));
}

static void end_line(writer *w)
{
    ks_add(&w->file, KS_STR("\n"));
    w->line = w->file.n;
}

static void begin_comment(writer *w)
{
    do
        ks_add(&w->file, KS_STR(" "));
    while (w->file.n - w->line < COMMENT_COLUMN);
    ks_add(&w->file, KS_STR("# "));
}

static ks_str text_at(ks_span span)
{
    return ks_slice(span.source->text, span.at, (size_t)span.at + span.n);
}

/* "run.sh:3:5 --tp 8" */
static void end_with_origin(writer *w, ks_span from, ks_span to)
{
    ks_str source = to.source->text;
    size_t end = (size_t)to.at + to.n;
    begin_comment(w);
    add_plainly(w, ks_where(w->arena, from));
    ks_span all = from;
    if (to.source == from.source && to.at + to.n > from.at)
        all.n = to.at + to.n - from.at;
    if (all.n > from.n && end < source.n && (source.s[end] == '"' || source.s[end] == '\''))
        all.n++; /* the quote that closes the value */
    ks_str text = text_at(all);
    if (ks_find_byte(text, '\n', 0) < text.n)
        text = text_at(from);
    ks_add(&w->file, KS_STR("  "));
    add_plainly(w, text);
    end_line(w);
}

static void add_key(writer *w, const char *indent, ks_str key)
{
    ks_addf(&w->file, "%s%.*s: ", indent, KS_ARG(key));
}

static void add_engine(writer *w, const ks_beside *beside)
{
    const ks_doc *version = w->command->version;
    add_key(w, "", KS_STR("engine"));
    ks_addf(&w->file, "%.*s %.*s", KS_ARG(w->engine->name), KS_ARG(w->engine->version));
    if (beside->engine)
        end_with_origin(w, beside->engine->span, beside->engine->span);
    else if (version && ks_equal(version->text, w->engine->version))
        end_with_origin(w, w->command->image->span, w->command->image->span);
    else {
        begin_comment(w);
        ks_add(&w->file, KS_STR("the version is not said: the newest that kvsim knows"));
        end_line(w);
    }
}

static void add_llm(writer *w, const ks_catalog *catalog, const ks_beside *beside)
{
    const ks_doc *model = w->command->model;
    const ks_doc *known = beside->llm;
    if (!known && model && !(known = ks_look_up_llm(catalog, model))) {
        ks_warning(w->diags, KS_M001, model->span, "no llm \"%.*s\" is known", KS_ARG(model->text));
        known = model;
    }
    if (!known) {
        ks_add(&w->file, KS_STR("# llm: is needed; the command line does not name the model"));
        end_line(w);
        return;
    }
    add_key(w, "", KS_STR("llm"));
    add_scalar(w, known->text);
    end_with_origin(w, known->span, known->span);
}

static bool add_machine(writer *w, const ks_beside *beside)
{
    const ks_engine *engine = w->engine;
    ks_doc launch = {.kind = KS_MAP};
    ks_rank_count count;
    for (size_t i = 0; i < engine->flags.n; i++)
        if (w->given[i])
            *KS_PUSH(w->arena, &launch) = (ks_member){engine->flags.items[i].spelling,
                                                      w->given[i]->span,
                                                      (ks_doc *)(uintptr_t)w->given[i]};
    if (!beside->machine && !ks_count_ranks(w->diags, engine, &launch, &count))
        return false;
    if (beside->machine) {
        add_key(w, "", KS_STR("machine"));
        add_scalar(w, beside->machine->text);
        end_with_origin(w, beside->machine->span, beside->machine->span);
        return true;
    }
    ks_addf(&w->file, "# machine: is needed, such as %zu x h200; the command line does not say it",
            count.ranks);
    end_line(w);
    return true;
}

static void add_launch(writer *w)
{
    const ks_doc *launch = w->command->launch;
    bool any = false;
    for (size_t i = 0; i < launch->n; i++) {
        const ks_member *m = &launch->items[i];
        const ks_flag *flag;
        if (ks_use_of_flag(w->engine, m->key, &flag) != KS_FLAG_TAKEN)
            continue;
        const ks_doc *value = w->given[flag - w->engine->flags.items];
        if (value->span.at != m->value->span.at) /* it is given again */
            continue;
        if (!any) {
            ks_add(&w->file, KS_STR("launch:"));
            end_line(w);
        }
        any = true;
        add_key(w, "  ", flag->spelling);
        add_value(w, value);
        const ks_doc *last = value->kind == KS_LIST ? value->items[value->n - 1].value : value;
        end_with_origin(w, m->key_span, last->span);
    }
}

/* What a file that is shown around should not hold. */
static bool is_secret(ks_str name)
{
    static const char *const parts[] = {"TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL"};
    for (size_t i = 0; i < name.n; i++)
        for (size_t k = 0; k < KS_COUNT(parts); k++)
            if (ks_starts_with(ks_slice(name, i, name.n), ks_from_c(parts[k])))
                return true;
    return false;
}

static void add_env(writer *w)
{
    const ks_doc *env = w->command->env;
    bool any = false;
    for (size_t i = 0; i < env->n; i++) {
        const ks_member *m = &env->items[i];
        if (is_secret(m->key))
            continue;
        if (!any) {
            ks_add(&w->file, KS_STR("env:"));
            end_line(w);
        }
        any = true;
        add_key(w, "  ", m->key);
        add_value(w, m->value);
        end_with_origin(w, m->key_span, m->value->span);
    }
}

static void add_flags_of(writer *w, enum ks_flag_use use, const char *title)
{
    const ks_doc *launch = w->command->launch;
    bool any = false;
    for (size_t i = 0; i < launch->n; i++) {
        const ks_flag *flag;
        if (ks_use_of_flag(w->engine, launch->items[i].key, &flag) != use)
            continue;
        ks_addf(&w->file, "%s", any ? ", " : title);
        add_plainly(w, text_at(launch->items[i].key_span));
        any = true;
    }
    if (any)
        end_line(w);
}

static void add_container(writer *w)
{
    const ks_command *c = w->command;
    const struct {
        const char *name;
        const ks_doc *value;
    } rows[] = {{"--gpus", c->gpus}, {"--ipc", c->ipc}, {"--shm-size", c->shm_size}};
    if (!c->image)
        return;
    ks_add(&w->file, KS_STR("# Of the container "));
    add_plainly(w, c->image->text);
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        if (!rows[i].value)
            continue;
        ks_addf(&w->file, ", %s ", rows[i].name);
        add_plainly(w, rows[i].value->text);
    }
    end_line(w);
}

static void add_left_out(writer *w)
{
    const ks_doc *env = w->command->env;
    bool any = false;
    add_container(w);
    add_flags_of(w, KS_FLAG_IGNORED, "# Without effect on GPU memory: ");
    add_flags_of(w, KS_FLAG_UNKNOWN, "# Not known to kvsim: ");
    for (size_t i = 0; i < env->n; i++) {
        if (!is_secret(env->items[i].key))
            continue;
        ks_addf(&w->file, "%s%.*s",
                any ? ", " : "# Secrets, left out: ", KS_ARG(env->items[i].key));
        any = true;
    }
    if (any)
        end_line(w);
}

bool ks_import_command(const ks_catalog *catalog, const ks_source *source, const ks_beside *beside,
                       ks_str *file)
{
    ks_arena *arena = catalog->diags->arena;
    ks_launch launch = {.pasted = true};
    ks_engine engine = {.name = {NULL, 0}};
    ks_span text = {source, 0, (uint32_t)source->text.n};
    writer w = {.arena = arena,
                .diags = catalog->diags,
                .engine = &engine,
                .command = &launch.command,
                .file = {.arena = arena}};
    if (!ks_read_command(catalog->diags, text, true, &launch.command) ||
        !ks_find_engine(catalog, NULL, beside->engine, &launch, &engine))
        return false;
    w.given = KS_NEW_ARRAY(arena, const ks_doc *, engine.flags.n + 1);
    if (!ks_collect_command(catalog->diags, &engine, &launch.command, w.given))
        return false;
    ks_add(&w.file, KS_STR("# Written by `kvsim import command` from "));
    add_plainly(&w, source->name);
    ks_add(&w.file, KS_STR(".\nkvsim: 1\n"));
    w.line = w.file.n;
    add_engine(&w, beside);
    add_llm(&w, catalog, beside);
    if (!add_machine(&w, beside))
        return false;
    add_launch(&w);
    add_env(&w);
    add_left_out(&w);
    *file = ks_built(&w.file);
    return true;
}
