#include "cmd.h"

static void discard(void *context, const char *bytes, size_t n)
{
    (void)context;
    (void)bytes;
    (void)n;
}

/* Writes the machine file only now: it may be one of those that were read. */
static int write_file(const session *s, const kvsim_report *report)
{
    const char *path = s->o->output;
    FILE *file = fopen(path, "wb");
    if (!file) {
        complain("cannot write \"%s\"", path);
        return EXIT_BAD_INPUT;
    }
    bool good = kvsim_write_machine(report, write_stream, file);
    bool written = fflush(file) == 0 && !ferror(file);
    if (fclose(file) != 0 || !written) {
        complain("\"%s\" could not be written", path);
        return EXIT_INTERNAL;
    }
    return good ? EXIT_FITS : EXIT_BAD_INPUT;
}

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
    if (!o->output)
        return EXIT_FITS;
    if (!kvsim_write_machine(report, discard, NULL)) {
        complain("the files hold no time of an all-reduce: there is nothing to write to \"%s\"",
                 o->output);
        return EXIT_BAD_INPUT;
    }
    return write_file(s, report);
}
