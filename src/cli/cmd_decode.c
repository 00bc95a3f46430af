#include "cmd.h"

int cmd_decode(session *s)
{
    int code = EXIT_FITS;
    if (s->o->operands.n == 0) {
        complain("`decode` needs a scenario; see `kvsim decode --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < s->o->operands.n; i++) {
        bool consistent = true;
        kvsim_scenario *scenario = load_scenario(s, s->o->operands.items[i]);
        kvsim_report *report = scenario ? kvsim_decode(s->k, scenario, &consistent) : NULL;
        show(s, report);
        code = worse(code, !report       ? EXIT_BAD_INPUT
                           : !consistent ? EXIT_DOES_NOT_FIT
                                         : EXIT_FITS);
    }
    return code;
}
