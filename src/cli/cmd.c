#include "cmd.h"

#include <string.h>

void write_stream(void *stream, const char *bytes, size_t n)
{
    fwrite(bytes, 1, n, stream);
}

static void discard(void *context, const char *bytes, size_t n)
{
    (void)context;
    (void)bytes;
    (void)n;
}

int write_part(const char *path, const kvsim_report *report,
               bool (*write)(const kvsim_report *report, kvsim_write_fn *to, void *context),
               const char *none)
{
    if (!write(report, discard, NULL)) {
        complain("%s: there is nothing to write to \"%s\"", none, path);
        return EXIT_BAD_INPUT;
    }
    FILE *file = fopen(path, "wb");
    if (!file) {
        complain("cannot write \"%s\"", path);
        return EXIT_BAD_INPUT;
    }
    write(report, write_stream, file);
    bool written = fflush(file) == 0 && !ferror(file);
    if (fclose(file) == 0 && written)
        return EXIT_FITS;
    complain("\"%s\" could not be written", path);
    return EXIT_INTERNAL;
}

kvsim_scenario *apply_settings(session *s, kvsim_scenario *scenario)
{
    for (size_t i = 0; scenario && i < s->o->settings.n; i++)
        scenario = kvsim_set(s->k, scenario, s->o->settings.items[i]);
    return scenario;
}

kvsim_scenario *load_scenario(session *s, const char *path)
{
    s->scenario = path;
    kvsim_scenario *scenario = kvsim_load(s->k, path);
    if (!scenario && strspn(path, "abcdefghijklmnopqrstuvwxyz") == strlen(path))
        complain("\"%s\" is no command either; see `kvsim help`", path);
    return apply_settings(s, scenario);
}

bool is_command_given(const session *s)
{
    const options *o = s->o;
    for (size_t i = o->dashed + 1; i < o->operands.n; i++)
        if (o->operands.items[i][0] == '-')
            return true;
    return o->machine || o->engine || o->llm;
}

kvsim_scenario *load_command(session *s)
{
    const options *o = s->o;
    kvsim_launch launch = {.words = o->operands.n ? o->operands.items + o->dashed : NULL,
                           .n_words = o->operands.n - o->dashed,
                           .machine = o->machine,
                           .engine = o->engine,
                           .llm = o->llm};
    s->scenario = "<command>";
    if (!o->machine) {
        complain("a command line needs --machine: on what is it started?");
        return NULL;
    }
    if (launch.n_words == 0) {
        complain("--machine goes with a command line behind a word --; "
                 "for a scenario, write --set machine=%s",
                 o->machine);
        return NULL;
    }
    return apply_settings(s, kvsim_load_command(s->k, &launch));
}

void show(session *s, const kvsim_report *report)
{
    if (s->o->quiet)
        return;
    if (!report) {
        if (s->o->style.format == KVSIM_JSON)
            kvsim_write_failure(s->k, s->scenario, write_stream, s->out);
        return;
    }
    if (s->shown && s->o->style.format == KVSIM_TEXT)
        fputs("\n\n", s->out);
    kvsim_write(s->k, report, &s->o->style, write_stream, s->out);
    s->shown = true;
}

int exit_of(kvsim_verdict_code verdict)
{
    switch (verdict) {
    case KVSIM_FITS:
        return EXIT_FITS;
    case KVSIM_DOES_NOT_FIT:
    case KVSIM_UNSUPPORTED:
        return EXIT_DOES_NOT_FIT;
    case KVSIM_UNCERTAIN:
        return EXIT_UNCERTAIN;
    case KVSIM_BAD_INPUT:
        break;
    }
    return EXIT_BAD_INPUT;
}

static int weight(int code)
{
    return code == EXIT_FITS           ? 0
           : code == EXIT_UNCERTAIN    ? 1
           : code == EXIT_DOES_NOT_FIT ? 2
                                       : code + 1;
}

int worse(int a, int b)
{
    return weight(a) >= weight(b) ? a : b;
}
