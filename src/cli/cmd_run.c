#include "cmd.h"

int cmd_run(session *s)
{
    int code = EXIT_FITS;
    if (s->o->operands.n == 0) {
        complain("`run` needs a scenario; see `kvsim run --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < s->o->operands.n; i++) {
        kvsim_scenario *scenario = load_scenario(s, s->o->operands.items[i]);
        kvsim_report *report = scenario ? kvsim_run(s->k, scenario) : NULL;
        if (report && s->o->log)
            kvsim_add_log(s->k, report);
        show(s, report);
        code = worse(code, exit_of(kvsim_verdict(report)));
    }
    return code;
}
