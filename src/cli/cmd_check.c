#include "cmd.h"

int cmd_check(session *s)
{
    int code = EXIT_FITS;
    if (s->o->operands.n == 0) {
        complain("`check` needs a scenario; see `kvsim check --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < s->o->operands.n; i++) {
        size_t failed = 0;
        kvsim_scenario *scenario = load_scenario(s, s->o->operands.items[i]);
        kvsim_report *report = scenario ? kvsim_check(s->k, scenario, &failed) : NULL;
        show(s, report);
        code = worse(code, !report ? EXIT_BAD_INPUT : failed ? EXIT_DOES_NOT_FIT : EXIT_FITS);
    }
    return code;
}
