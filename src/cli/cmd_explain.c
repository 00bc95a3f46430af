#include "cmd.h"

int cmd_explain(session *s)
{
    const words *operands = &s->o->operands;
    if (operands->n < 1 || operands->n > 2) {
        complain("`explain` needs a scenario and perhaps a quantity; see `kvsim explain --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_scenario *scenario = load_scenario(s, operands->items[0]);
    kvsim_report *report =
        scenario ? kvsim_explain(s->k, scenario, operands->n > 1 ? operands->items[1] : NULL) : NULL;
    show(s, report);
    return report ? EXIT_FITS : EXIT_BAD_INPUT;
}
