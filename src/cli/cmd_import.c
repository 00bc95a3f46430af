#include "cmd.h"

#include <string.h>

static int import_command(session *s, const char *path)
{
    const options *o = s->o;
    kvsim_launch launch = {.machine = o->machine, .engine = o->engine, .llm = o->llm};
    return kvsim_import_command(s->k, path, &launch, write_stream, s->out) ? EXIT_FITS
                                                                           : EXIT_BAD_INPUT;
}

static int import_log(session *s, const char *path)
{
    const options *o = s->o;
    kvsim_launch launch = {.machine = o->machine, .engine = o->engine, .llm = o->llm};
    return kvsim_import_log(s->k, path, &launch, o->restart, write_stream, s->out) ? EXIT_FITS
                                                                                  : EXIT_BAD_INPUT;
}

static int import_topo(session *s, const char *path)
{
    return kvsim_import_topo(s->k, path, s->o->machine, write_stream, s->out) ? EXIT_FITS
                                                                             : EXIT_BAD_INPUT;
}

int cmd_import(session *s)
{
    static const struct {
        const char *kind;
        int (*import)(session *s, const char *path);
    } kinds[] = {{"command", import_command}, {"log", import_log}, {"topo", import_topo}};
    if (s->o->operands.n != 2) {
        complain("`import` needs what to import and a file; see `kvsim import --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(s->o->operands.items[0], kinds[i].kind) == 0)
            return kinds[i].import(s, s->o->operands.items[1]);
    complain("can import a command, a log or a topo, not \"%s\"", s->o->operands.items[0]);
    return EXIT_BAD_INPUT;
}
