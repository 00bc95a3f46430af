#include "cmd.h"

int cmd_solve(session *s)
{
    const words *operands = &s->o->operands;
    if (operands->n != 2) {
        complain("`solve` needs a scenario and an unknown; see `kvsim solve --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_scenario *scenario = load_scenario(s, operands->items[0]);
    kvsim_report *report =
        scenario ? kvsim_solve(s->k, scenario, operands->items[1], s->o->goal) : NULL;
    show(s, report);
    if (!report)
        return EXIT_BAD_INPUT;
    return kvsim_is_solved(report) ? EXIT_FITS : EXIT_DOES_NOT_FIT;
}
