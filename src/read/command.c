#include "read/command.h"

#include "read/arguments.h"

#include <string.h>

enum { MOST_DEPTH = 4, MOST_STEPS = 64 };

typedef struct reader {
    ks_diags *diags;
    ks_command *command;
    ks_shell shell;
    ks_words words; /* of the command that is being read */
    ks_words outer; /* room for them */
    ks_doc *env;
    ks_doc *exported;            /* by commands before the one that starts the server */
    const ks_shell_word *nested; /* a word that is itself a text for a shell */
    size_t behind_image;         /* the word behind an image that starts a server itself; 0: none */
    bool contained;              /* the environment is a container's */
    bool positional;             /* a model may stand without a flag */
} reader;

/* What starts an engine: `python -m MODULE`, `python .../SCRIPT`, `PROGRAM serve`. */
static const struct {
    const char *module, *script, *engine;
} modules[] = {
    {"sglang.launch_server", "sglang/launch_server.py", "sglang"},
    {"sglang.srt.entrypoints.http_server", "sglang/srt/entrypoints/http_server.py", "sglang"},
    {"sglang.bench_one_batch", "sglang/bench_one_batch.py", "sglang"},
    {"sglang.bench_offline_throughput", "sglang/bench_offline_throughput.py", "sglang"},
    {"vllm.entrypoints.openai.api_server", "vllm/entrypoints/openai/api_server.py", "vllm"},
    {"vllm.entrypoints.api_server", "vllm/entrypoints/api_server.py", "vllm"},
};

static const char *const programs[] = {"sglang", "vllm"};

static const ks_option_style python_options = {"WXQ", " check-hash-based-pycs ", false};
static const ks_option_style torchrun_options = {
    "rt",
    " nnodes nproc-per-node nproc_per_node node-rank node_rank master-addr master_addr master-port "
    "master_port rdzv-backend rdzv_backend rdzv-endpoint rdzv_endpoint rdzv-id rdzv_id rdzv-conf "
    "rdzv_conf max-restarts max_restarts monitor-interval monitor_interval start-method "
    "start_method "
    "role log-dir log_dir redirects tee local-ranks-filter local_ranks_filter local-addr "
    "local_addr "
    "numa-binding logs-specs ",
    false};

static ks_doc *new_map(reader *r, ks_span at)
{
    ks_doc *doc = KS_NEW(r->diags->arena, ks_doc);
    *doc = (ks_doc){.kind = KS_MAP, .span = at};
    return doc;
}

/* ---- The environment. -------------------------------------------------------------------------- */

/* Length of the name of `NAME=value`, or 0. */
static size_t assigned_name(const ks_shell_word *word)
{
    size_t n = 0;
    ks_str text = word->text;
    while (n < text.n &&
           ((text.s[n] >= 'a' && text.s[n] <= 'z') || text.s[n] == '_' ||
            (text.s[n] >= 'A' && text.s[n] <= 'Z') || (n && text.s[n] >= '0' && text.s[n] <= '9')))
        n++;
    return n < text.n && text.s[n] == '=' ? n : 0;
}

static void set_variable(reader *r, ks_doc *env, ks_member m)
{
    for (size_t i = 0; i < env->n; i++)
        if (ks_equal(env->items[i].key, m.key)) {
            env->items[i] = m;
            return;
        }
    *KS_PUSH(r->diags->arena, env) = m;
}

/* NAME=value in a word, from byte `from` on; false if it is none. */
static bool assign(reader *r, ks_doc *env, const ks_shell_word *word, size_t from)
{
    ks_shell_word part = *word;
    part.text = ks_slice(word->text, from, word->text.n);
    size_t n = assigned_name(&part);
    if (!n)
        return false;
    ks_doc *name = ks_word_part(&r->shell, word, from, from + n);
    set_variable(r, env,
                 (ks_member){name->text, name->span,
                             ks_rest_of_word(r->diags, &r->shell, word, from + n + 1, r->command)});
    return true;
}

static void take_assignments(reader *r)
{
    const ks_shell_word *word = ks_next_word(&r->words);
    for (; word && assign(r, r->env, word, 0); word = ks_next_word(&r->words))
        r->words.at++;
}

/* ---- Containers. ------------------------------------------------------------------------------- */

/* The tag of an image as a version: v0.5.3 of lmsysorg/sglang:v0.5.3-cu129. */
static const ks_doc *version_of(reader *r, const ks_shell_word *image)
{
    ks_str text = image->text;
    size_t at = text.n - ks_program_name(text).n;
    size_t begin = ks_find_byte(text, ':', at) + 1, end;
    if (begin < text.n && text.s[begin] == 'v')
        begin++;
    if (begin >= text.n || text.s[begin] < '0' || text.s[begin] > '9')
        return NULL;
    for (end = begin; end < text.n; end++)
        if (!strchr("0123456789.abcdefghijklmnopqrstuvwxyz", text.s[end]) || !text.s[end])
            break;
    ks_str version = ks_slice(text, begin, end);
    return ks_find_byte(version, '.', 0) < version.n ? ks_word_part(&r->shell, image, begin, end)
                                                     : NULL;
}

static bool contains(ks_str text, const char *part)
{
    ks_str wanted = ks_from_c(part);
    for (size_t i = 0; i + wanted.n <= text.n; i++)
        if (ks_equal(ks_slice(text, i, i + wanted.n), wanted))
            return true;
    return false;
}

/* What was exported before, and over it what stands in front of the command. */
static ks_doc *inherited(reader *r)
{
    ks_doc *all = new_map(r, r->env->span);
    for (size_t i = 0; i < r->exported->n; i++)
        *KS_PUSH(r->diags->arena, all) = r->exported->items[i];
    for (size_t i = 0; i < r->env->n; i++)
        set_variable(r, all, r->env->items[i]);
    return all;
}

/* A container gets what `-e` says, not what stands in front of `docker`. `-e NAME` hands it on. */
static void set_in_container(reader *r, const ks_doc *outside, const ks_option *o)
{
    if (assign(r, r->env, o->value, o->from))
        return;
    ks_str name = ks_slice(o->value->text, o->from, o->value->text.n);
    for (size_t i = 0; i < outside->n; i++)
        if (ks_equal(outside->items[i].key, name))
            set_variable(r, r->env, outside->items[i]);
}

static void tell_outside(reader *r, const ks_doc *outside)
{
    for (size_t i = 0; i < outside->n; i++) {
        ks_span at = outside->items[i].key_span;
        ks_span end = outside->items[i].value->span;
        at.n = end.at + end.n - at.at;
        if (!ks_member_of(r->env, ks_to_c(r->diags->arena, outside->items[i].key)))
            ks_leave_out(r->diags, at, " (a container does not get it; see -e)");
    }
}

/* `docker run` with its options. The entry point, if one is given, or NULL. */
static const ks_shell_word *read_container_options(reader *r, const ks_doc *outside)
{
    ks_option o;
    ks_command *c = r->command;
    const ks_shell_word *entry = NULL;
    while (ks_take_option(&r->words, &ks_container_options, &o)) {
        if (!o.value)
            continue;
        if (ks_is_listed(" e env ", o.name))
            set_in_container(r, outside, &o);
        else if (ks_equal_c(o.name, "env-file"))
            ks_leave_out(r->diags, o.value->span, " (a file of variables is not read)");
        else if (ks_equal_c(o.name, "gpus"))
            c->gpus = ks_word_part(&r->shell, o.value, o.from, o.value->text.n);
        else if (ks_equal_c(o.name, "ipc"))
            c->ipc = ks_word_part(&r->shell, o.value, o.from, o.value->text.n);
        else if (ks_equal_c(o.name, "shm-size"))
            c->shm_size = ks_word_part(&r->shell, o.value, o.from, o.value->text.n);
        else if (ks_equal_c(o.name, "entrypoint") && o.from == 0 && o.value->text.n)
            entry = o.value;
    }
    return entry;
}

/* `docker run OPTIONS IMAGE`: the words go on behind the image, or with the entry point; behind the
 * name of a running container for `docker exec`. */
static void read_container(reader *r)
{
    bool runs = !ks_equal_c(r->words.items[r->words.at - 1]->text, "exec");
    const ks_doc *outside = inherited(r);
    r->contained = true;
    r->env = new_map(r, r->words.items[r->words.at - 1]->span);
    const ks_shell_word *entry = read_container_options(r, outside);
    const ks_shell_word *image = ks_next_word(&r->words);
    tell_outside(r, outside);
    if (!image)
        return;
    if (runs) {
        r->command->image = ks_word_part(&r->shell, image, 0, image->text.n);
        r->command->version = version_of(r, image);
    }
    if (entry)
        r->words.items[r->words.at] = entry;
    else
        r->words.at++;
    if (runs && !entry && contains(image->text, "vllm-openai"))
        r->behind_image = r->words.at;
}

/* ---- What is started. -------------------------------------------------------------------------- */

static bool start(reader *r, const char *engine, ks_span at)
{
    r->command->engine = ks_from_c(engine);
    r->command->at = at;
    return true;
}

static bool is_python(ks_str program)
{
    if (!ks_starts_with(program, KS_STR("python")))
        return false;
    for (size_t i = 6; i < program.n; i++)
        if (program.s[i] != '.' && (program.s[i] < '0' || program.s[i] > '9'))
            return false;
    return true;
}

static bool start_module(reader *r, const ks_shell_word *word, bool is_script)
{
    for (size_t i = 0; i < KS_COUNT(modules); i++)
        if (is_script ? ks_ends_with(word->text, ks_from_c(modules[i].script))
                      : ks_equal_c(word->text, modules[i].module))
            return start(r, modules[i].engine, word->span);
    return false;
}

/* Behind `python` or `torchrun`: options, then `-m MODULE` or a script. */
static bool read_python(reader *r, const ks_option_style *style)
{
    ks_option o;
    for (int step = 0; step < MOST_STEPS; step++) {
        const ks_shell_word *word = ks_next_word(&r->words);
        if (word && (ks_equal_c(word->text, "-m") || ks_equal_c(word->text, "--module"))) {
            r->words.at++;
            word = ks_next_word(&r->words);
            r->words.at += word != NULL;
            if (!word || (!ks_equal_c(word->text, "torch.distributed.run") &&
                          !ks_equal_c(word->text, "torch.distributed.launch")))
                return word && start_module(r, word, false);
            style = &torchrun_options;
        } else if (!ks_take_option(&r->words, style, &o)) {
            word = ks_next_word(&r->words);
            r->words.at += word != NULL;
            return word && start_module(r, word, true);
        }
    }
    return false;
}

/* `sglang serve`, `vllm serve` */
static bool read_program(reader *r, ks_str name)
{
    const ks_shell_word *word = r->words.items[r->words.at];
    const ks_shell_word *serve = r->words.at + 1 < r->words.n ? r->words.items[r->words.at + 1]
                                                              : NULL;
    for (size_t i = 0; i < KS_COUNT(programs); i++)
        if (ks_equal_c(name, programs[i]) && serve && ks_equal_c(serve->text, "serve")) {
            r->words.at += 2;
            r->positional = true;
            return start(r, programs[i], word->span);
        }
    return false;
}

/* `bash -c TEXT`: notes the text. */
static bool read_shell(reader *r)
{
    const ks_shell_word *word;
    bool given = false;
    r->words.at++;
    while ((word = ks_next_word(&r->words)) && word->text.n > 1 && word->text.s[0] == '-') {
        given |= word->text.s[1] != '-' && ks_find_byte(word->text, 'c', 0) < word->text.n;
        r->words.at++;
        if (ks_equal_c(word->text, "-o"))
            r->words.at += r->words.at < r->words.n;
    }
    r->nested = given ? word : NULL;
    return false;
}

/* `$`, `user@host:~$`: copied with the command. */
static bool is_prompt(ks_str text)
{
    bool sign = ks_ends_with(text, KS_STR("$")) || ks_ends_with(text, KS_STR("#"));
    return sign && (text.n == 1 || ks_find_byte(text, '@', 0) < text.n);
}

/* One step towards the server; false at the end of the way. */
static bool step(reader *r, bool *started)
{
    const ks_shell_word *word = ks_next_word(&r->words);
    if (!word)
        return false;
    ks_str name = ks_program_name(word->text);
    if (ks_find_byte(word->text, ' ', 0) < word->text.n && r->words.at + 1 == r->words.n) {
        r->nested = word;
        return false;
    }
    if (ks_take_container(&r->words)) {
        read_container(r);
        return true;
    }
    if (is_prompt(word->text)) {
        r->words.at++;
        return true;
    }
    if (ks_take_wrapper(&r->words))
        return true;
    if (ks_is_listed(" bash sh zsh dash ash ", name))
        return read_shell(r);
    if (is_python(name) || ks_equal_c(name, "torchrun")) {
        r->words.at++;
        *started = read_python(r, name.s[0] == 'p' ? &python_options : &torchrun_options);
    } else
        *started = read_program(r, name);
    return false;
}

/* Finds the server that a command starts; its flags are next. */
static bool find_server(reader *r)
{
    bool started = false;
    take_assignments(r);
    for (int i = 0; i < MOST_STEPS && step(r, &started); i++)
        take_assignments(r);
    if (!started && r->behind_image && r->words.at == r->behind_image) {
        r->nested = NULL;
        r->positional = true;
        return start(r, "vllm", r->command->image->span);
    }
    return started;
}

/* ---- All commands of a text. ------------------------------------------------------------------- */

static void use_words(reader *r, const ks_shell_command *c)
{
    r->words = (ks_words){r->outer.items, c->n, 0};
    for (size_t i = 0; i < c->n; i++)
        r->words.items[i] = &r->shell.words.items[c->first + i];
}

/* `export A=b`, which later commands see. */
static bool read_export(reader *r)
{
    const ks_shell_word *word = ks_next_word(&r->words);
    if (!word || !ks_equal_c(word->text, "export"))
        return false;
    for (r->words.at++; (word = ks_next_word(&r->words)); r->words.at++)
        assign(r, r->exported, word, 0);
    return true;
}

/* Reads the commands up to the one that starts the server. */
static bool read_commands(reader *r, size_t *server)
{
    ks_command before = *r->command;
    for (size_t i = 0; i < r->shell.commands.n; i++) {
        use_words(r, &r->shell.commands.items[i]);
        if (read_export(r))
            continue;
        before.variables = r->command->variables;
        *r->command = before;
        r->contained = false;
        r->env = new_map(r, r->words.items[0]->span);
        r->nested = NULL;
        r->behind_image = 0;
        *server = i;
        if (find_server(r) || r->nested)
            return true;
    }
    return false;
}

static void tell_others(reader *r, size_t server)
{
    for (size_t i = 0; i < r->shell.commands.n; i++) {
        const ks_shell_command *c = &r->shell.commands.items[i];
        const ks_shell_word *first = &r->shell.words.items[c->first];
        bool assigns = assigned_name(first) && assigned_name(first + c->n - 1);
        if (c->n == 1 && ks_is_listed(" done fi } ", first->text))
            continue;
        if (i != server && !(i < server && ks_equal_c(first->text, "export")))
            ks_leave_out(r->diags, c->span, assigns ? " (it is not exported)" : "");
    }
}

/* The text of a word as a span: where it stands, or on its own if it was put together. */
static ks_span text_in(reader *r, const ks_shell_word *word)
{
    const ks_doc *doc = ks_word_part(&r->shell, word, 0, word->text.n);
    if (doc->exact)
        return doc->span;
    ks_str name = ks_format(r->diags->arena, "%.*s: -c", KS_ARG(r->shell.source->name));
    return (ks_span){ks_source_new(r->diags->arena, name, word->text), 0, (uint32_t)word->text.n};
}

static bool find_nothing(reader *r, ks_span text)
{
    bool empty = r->shell.words.n == 0;
    ks_span at = empty ? ks_span_part(text, 0, 1) : r->shell.commands.items[0].span;
    ks_error(r->diags, KS_C002, at,
             empty ? "there is no command" : "this starts no server that kvsim knows");
    ks_add_note(r->diags, (ks_span){0},
                "known are `python -m sglang.launch_server`, `sglang serve`, "
                "`python -m vllm.entrypoints.openai.api_server` and `vllm serve`");
    return false;
}

/* A tag is the engine's version only if the image is the engine's own. */
static void check_version(ks_command *command)
{
    const char *own = ks_equal_c(command->engine, "sglang") ? "sgl" : "vllm";
    if (command->version &&
        (!contains(command->image->text, own) || contains(command->image->text, "nvcr.io")))
        command->version = NULL;
}

bool ks_read_command(ks_diags *diags, ks_span text, bool by_lines, ks_command *command)
{
    reader r = {.diags = diags, .command = command};
    *command = (ks_command){.engine = {NULL, 0}};
    r.exported = new_map(&r, text);
    r.outer.items = KS_NEW_ARRAY(diags->arena, const ks_shell_word *, KS_MAX_WORDS);
    for (int depth = 0; depth < MOST_DEPTH; depth++) {
        size_t server;
        if (!ks_split_words(diags, text, by_lines, &r.shell))
            return false;
        if (!read_commands(&r, &server))
            return find_nothing(&r, text);
        tell_others(&r, server);
        if (!r.nested) {
            command->env = r.contained ? r.env : inherited(&r);
            ks_read_arguments(diags, &r.shell, &r.words, r.positional, command);
            check_version(command);
            return true;
        }
        text = text_in(&r, r.nested);
        by_lines = true;
        r.exported = r.contained ? r.env : inherited(&r);
    }
    return find_nothing(&r, text);
}
