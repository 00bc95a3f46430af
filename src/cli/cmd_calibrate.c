#include "cmd.h"

int cmd_calibrate(session *s)
{
    const options *o = s->o;
    if (o->operands.n < 2) {
        complain(
            "`calibrate` needs a machine and files of measurements; see `kvsim calibrate --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_measurements measured = {.machine = o->operands.items[0],
                                   .files = o->operands.items + 1,
                                   .n_files = o->operands.n - 1,
                                   .ranks = o->ranks,
                                   .algorithm = o->algorithm};
    s->scenario = o->operands.items[0];
    kvsim_report *report = kvsim_calibrate(s->k, &measured);
    show(s, report);
    if (!report)
        return EXIT_BAD_INPUT;
    /* Written only now: it may be one of those that were read. */
    return o->output ? write_part(o->output, report, kvsim_write_machine,
                                  "the files hold no time of an all-reduce")
                     : EXIT_FITS;
}
