#include "cmd.h"

int cmd_solve(session *s)
{
    const words *operands = &s->o->operands;
    bool command = is_command_given(s);
    size_t at = command ? 0 : 1; /* where the unknown stands */
    if ((command ? s->o->dashed : operands->n) != at + 1) {
        complain("`solve` needs a scenario and an unknown; see `kvsim solve --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_scenario *scenario = command ? load_command(s) : load_scenario(s, operands->items[0]);
    kvsim_report *report =
        scenario ? kvsim_solve(s->k, scenario, operands->items[at], s->o->goal) : NULL;
    show(s, report);
    if (!report)
        return EXIT_BAD_INPUT;
    return kvsim_is_solved(report) ? EXIT_FITS : EXIT_DOES_NOT_FIT;
}
