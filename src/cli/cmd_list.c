#include "cmd.h"

int cmd_list(session *s)
{
    const words *operands = &s->o->operands;
    if (operands->n < 1 || operands->n > 2) {
        complain("`list` needs one of gpu, cpu, llm, engine, machine, quantities; see `kvsim list --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_scenario *scenario = NULL;
    if (operands->n == 2 && !(scenario = load_scenario(s, operands->items[1])))
        return EXIT_BAD_INPUT;
    if (s->o->quiet)
        return EXIT_FITS;
    return kvsim_list(s->k, operands->items[0], scenario, &s->o->style, write_stream, s->out)
               ? EXIT_FITS
               : EXIT_BAD_INPUT;
}
