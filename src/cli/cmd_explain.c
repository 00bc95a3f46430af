#include "cmd.h"

int cmd_explain(session *s)
{
    const words *operands = &s->o->operands;
    bool command = is_command_given(s);
    size_t at = command ? 0 : 1; /* where the quantity stands */
    size_t n = command ? s->o->dashed : operands->n;
    if (n < at || n > at + 1) {
        complain("`explain` needs a scenario and perhaps a quantity; see `kvsim explain --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_scenario *scenario = command ? load_command(s) : load_scenario(s, operands->items[0]);
    kvsim_report *report =
        scenario ? kvsim_explain(s->k, scenario, n > at ? operands->items[at] : NULL) : NULL;
    show(s, report);
    return report ? EXIT_FITS : EXIT_BAD_INPUT;
}
