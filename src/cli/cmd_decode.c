#include "cmd.h"

static int decode(session *s, kvsim_scenario *scenario)
{
    bool consistent = true;
    kvsim_report *report = scenario ? kvsim_decode(s->k, scenario, &consistent) : NULL;
    show(s, report);
    return !report ? EXIT_BAD_INPUT : !consistent ? EXIT_DOES_NOT_FIT : EXIT_FITS;
}

int cmd_decode(session *s)
{
    int code = EXIT_FITS;
    if (is_command_given(s))
        return decode(s, load_command(s));
    if (s->o->operands.n == 0) {
        complain("`decode` needs a scenario; see `kvsim decode --help`");
        return EXIT_BAD_INPUT;
    }
    for (size_t i = 0; i < s->o->operands.n; i++)
        code = worse(code, decode(s, load_scenario(s, s->o->operands.items[i])));
    return code;
}
