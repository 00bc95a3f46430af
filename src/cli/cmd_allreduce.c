#include "cmd.h"

int cmd_allreduce(session *s)
{
    const options *o = s->o;
    kvsim_allreduce_ask ask = {.bytes = o->bytes,
                               .ranks = o->ranks,
                               .algorithm = o->algorithm,
                               .nccl = o->nccl,
                               .engine = o->engine,
                               .quantity = o->quantity,
                               .settings = o->settings.items,
                               .n_settings = o->settings.n};
    if (o->operands.n != 1) {
        complain("`allreduce` needs a scenario or a machine; see `kvsim allreduce --help`");
        return EXIT_BAD_INPUT;
    }
    s->scenario = o->operands.items[0];
    kvsim_report *report = kvsim_allreduce(s->k, o->operands.items[0], &ask);
    show(s, report);
    if (!report)
        return EXIT_BAD_INPUT;
    return o->graph ? write_part(o->graph, report, kvsim_write_graph,
                                 "NCCL's search finds rings on these links, or there are none")
                    : EXIT_FITS;
}
