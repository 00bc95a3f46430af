#include "cmd.h"

static int run(session *s, kvsim_scenario *scenario)
{
    kvsim_report *report = scenario ? kvsim_run(s->k, scenario) : NULL;
    if (report && s->o->log)
        kvsim_add_log(s->k, report);
    show(s, report);
    return exit_of(kvsim_verdict(report));
}

/* `--machine M -- COMMAND LINE` */
static int run_command_line(session *s)
{
    const options *o = s->o;
    kvsim_launch launch = {.words = o->operands.items,
                           .n_words = o->operands.n,
                           .machine = o->machine,
                           .engine = o->engine,
                           .llm = o->llm};
    if (o->dashed > 0 || o->operands.n == 0) {
        complain("--machine goes with a command line behind a word --; "
                 "for a scenario, write --set machine=%s",
                 o->machine);
        return EXIT_BAD_INPUT;
    }
    return run(s, apply_settings(s, kvsim_load_command(s->k, &launch)));
}

/* True if the words behind `--` look like a command line. */
static bool has_flags(const options *o)
{
    for (size_t i = o->dashed + 1; i < o->operands.n; i++)
        if (o->operands.items[i][0] == '-')
            return true;
    return false;
}

int cmd_run(session *s)
{
    const options *o = s->o;
    int code = EXIT_FITS;
    if (o->machine)
        return run_command_line(s);
    if (o->engine || o->llm || has_flags(o)) {
        complain("a command line needs --machine: on what is it started?");
        return EXIT_BAD_INPUT;
    }
    if (o->operands.n == 0) {
        complain("`run` needs a scenario; see `kvsim run --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < o->operands.n; i++)
        code = worse(code, run(s, load_scenario(s, o->operands.items[i])));
    return code;
}
