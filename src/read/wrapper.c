#include "read/wrapper.h"

#include <string.h>

typedef struct wrapper {
    const char *name;
    const char *second; /* words of which one must follow, as " run "; NULL: none */
    ks_option_style options;
    size_t operands; /* words of its own behind the options */
} wrapper;

static const wrapper wrappers[] = {
    {"do", NULL, {"", "", false}, 0},
    {"then", NULL, {"", "", false}, 0},
    {"else", NULL, {"", "", false}, 0},
    {"{", NULL, {"", "", false}, 0},
    {"sudo",
     NULL,
     {"ugphCcrtTDRU",
      " user group prompt host close-from chdir role type other-user command-timeout chroot ",
      false},
     0},
    {"doas", NULL, {"uC", "", false}, 0},
    {"env", NULL, {"uC", " unset chdir ", false}, 0},
    {"exec", NULL, {"a", "", false}, 0},
    {"command", NULL, {"", "", false}, 0},
    {"nohup", NULL, {"", "", false}, 0},
    {"setsid", NULL, {"", "", false}, 0},
    {"unbuffer", NULL, {"", "", false}, 0},
    {"tini", NULL, {"pe", "", false}, 0},
    {"dumb-init", NULL, {"r", " rewrite ", false}, 0},
    {"time", NULL, {"fo", " format output ", false}, 0},
    {"timeout", NULL, {"ks", " kill-after signal ", false}, 1},
    {"nice", NULL, {"n", " adjustment ", false}, 0},
    {"ionice", NULL, {"cn", " class classdata ", false}, 0},
    {"taskset", NULL, {"", "", false}, 1},
    {"numactl",
     NULL,
     {"CNmipPw",
      " physcpubind cpunodebind cpubind membind interleave preferred preferred-many "
      "weighted-interleave ",
      false},
     0},
    {"stdbuf", NULL, {"ioe", " input output error ", false}, 0},
    {"screen", NULL, {"cehpsSTt", "", false}, 0},
    {"tmux", " new-session new new-window ", {"cefFnstxy", "", false}, 0},
    {"ssh", NULL, {"BbcDEeFIiJLlmOoPpQRSWw", "", false}, 1},
    {"srun",
     NULL,
     {"AbcdDeGiIJkmnNopqtTwx",
      " nodes ntasks ntasks-per-node gpus gpus-per-node gpus-per-task cpus-per-task partition time "
      "job-name nodelist account output error mem qos constraint gres container-image "
      "container-mounts container-name container-workdir export mpi chdir cpu-bind jobid ",
      false},
     0},
    {"mpirun", NULL, {"", " np n c host hostfile machinefile x map-by bind-to ", false}, 0},
    {"uv",
     " run ",
     {"pw",
      " with with-requirements with-editable python extra group env-file index index-url project "
      "directory package ",
      false},
     0},
    {"uvx", NULL, {"p", " from with python index index-url ", false}, 0},
    {"conda", " run ", {"np", " name prefix cwd ", false}, 0},
    {"mamba", " run ", {"np", " name prefix cwd ", false}, 0},
    {"micromamba", " run ", {"npr", " name prefix root-prefix cwd ", false}, 0},
    {"poetry", " run ", {"CP", " directory project ", false}, 0},
    {"pipenv", " run ", {"", "", false}, 0},
    {"pdm", " run ", {"p", " project ", false}, 0},
    {"pixi", " run ", {"e", " environment manifest-path ", false}, 0},
    {"nsys",
     " profile launch start ",
     {"bcdefnopstwxy",
      " trace output sample backtrace delay duration capture-range capture-range-end "
      "cuda-graph-trace cuda-memory-usage trace-fork-before-exec force-overwrite stats session-new "
      "session gpu-metrics-devices python-sampling ",
      false},
     0},
    {"compute-sanitizer", NULL, {"", " tool log-file ", false}, 0},
    {"gdb", NULL, {"", " ex ", false}, 0},
    {"strace", NULL, {"eopsuE", "", false}, 0},
    {"proxychains", NULL, {"f", "", false}, 0},
    {"proxychains4", NULL, {"f", "", false}, 0},
};

const ks_option_style ks_container_options = {
    "ditPq",
    " detach interactive tty rm init privileged publish-all quiet read-only no-healthcheck "
    "oom-kill-disable sig-proxy disable-content-trust help use-api-socket replace rmi tls-verify "
    "env-host http-proxy no-hosts no-hostname rootfs passwd read-only-tmpfs unsetenv-all ",
    true};

const ks_shell_word *ks_next_word(const ks_words *words)
{
    return words->at < words->n ? words->items[words->at] : NULL;
}

ks_str ks_program_name(ks_str path)
{
    for (size_t i = path.n; i > 0; i--)
        if (path.s[i - 1] == '/')
            return ks_slice(path, i, path.n);
    return path;
}

bool ks_is_listed(const char *list, ks_str word)
{
    ks_str rest = ks_from_c(list);
    while (rest.n) {
        ks_str one = ks_cut(rest, ' ', &rest);
        if (one.n && ks_equal(one, word))
            return true;
    }
    return false;
}

/* `-abc`: the first letter that takes a value takes what is behind it, or the next word. */
static void take_letters(ks_words *words, const ks_option_style *style, ks_option *option)
{
    const ks_shell_word *word = words->items[words->at - 1];
    for (size_t i = 1; i < word->text.n; i++) {
        bool listed = word->text.s[i] && strchr(style->letters, word->text.s[i]);
        option->name = ks_slice(word->text, i, i + 1);
        if (listed == style->inverted)
            continue;
        option->value = word;
        option->from = i + 1;
        if (i + 1 == word->text.n) {
            option->value = ks_next_word(words);
            option->from = 0;
            words->at += option->value != NULL;
        }
        return;
    }
}

bool ks_take_option(ks_words *words, const ks_option_style *style, ks_option *option)
{
    const ks_shell_word *word = ks_next_word(words);
    if (!word || word->text.n < 2 || word->text.s[0] != '-')
        return false;
    words->at++;
    if (ks_equal_c(word->text, "--"))
        return false;
    size_t dashes = word->text.s[1] == '-' ? 2 : 1;
    size_t end = ks_find_byte(word->text, '=', 0);
    *option = (ks_option){.name = ks_slice(word->text, dashes, end)};
    bool listed = ks_is_listed(style->names, option->name);
    if (dashes == 1 && (style->inverted || !listed)) {
        take_letters(words, style, option);
    } else if (end < word->text.n) {
        option->value = word;
        option->from = end + 1;
    } else if (listed != style->inverted) {
        option->value = ks_next_word(words);
        words->at += option->value != NULL;
    }
    return true;
}

/* The next word is in the list; it is taken. */
static bool take_one_of(ks_words *words, const char *list)
{
    const ks_shell_word *word = ks_next_word(words);
    if (!word || !ks_is_listed(list, word->text))
        return false;
    words->at++;
    return true;
}

bool ks_take_wrapper(ks_words *words)
{
    ks_option option;
    size_t begin = words->at;
    ks_str name = ks_program_name(words->items[begin]->text);
    for (size_t i = 0; i < KS_COUNT(wrappers); i++) {
        const wrapper *w = &wrappers[i];
        if (!ks_equal_c(name, w->name))
            continue;
        words->at++;
        if (w->second && !take_one_of(words, w->second)) {
            words->at = begin;
            return false;
        }
        while (ks_take_option(words, &w->options, &option))
            continue;
        for (size_t k = 0; k < w->operands && words->at < words->n; k++)
            words->at++;
        return true;
    }
    return false;
}

bool ks_take_container(ks_words *words)
{
    size_t begin = words->at;
    if (!take_one_of(words, " docker podman nerdctl ") &&
        !take_one_of(words, " /usr/bin/docker /usr/bin/podman nvidia-docker "))
        return false;
    take_one_of(words, " container ");
    if (take_one_of(words, " run exec create "))
        return true;
    words->at = begin;
    return false;
}
