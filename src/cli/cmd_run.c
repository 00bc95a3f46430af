#include "cmd.h"

static int run(session *s, kvsim_scenario *scenario)
{
    kvsim_report *report = scenario ? kvsim_run(s->k, scenario) : NULL;
    if (report && s->o->log)
        kvsim_add_log(s->k, report);
    show(s, report);
    return exit_of(kvsim_verdict(report));
}

int cmd_run(session *s)
{
    const options *o = s->o;
    int code = EXIT_FITS;
    if (is_command_given(s) && o->machine && o->dashed > 0) {
        complain("either a scenario or a command line; to change a scenario's machine, write "
                 "--set machine=%s", o->machine);
        return EXIT_BAD_INPUT;
    }
    if (is_command_given(s))
        return run(s, load_command(s));
    if (o->operands.n == 0) {
        complain("`run` needs a scenario; see `kvsim run --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < o->operands.n; i++)
        code = worse(code, run(s, load_scenario(s, o->operands.items[i])));
    return code;
}
