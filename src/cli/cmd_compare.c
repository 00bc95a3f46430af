#include "cmd.h"

static int compare_log(session *s)
{
    size_t n_off = 0;
    kvsim_scenario *scenario = load_scenario(s, s->o->operands.items[0]);
    kvsim_report *report =
        scenario ? kvsim_compare_log(s->k, scenario, s->o->log_file, s->o->restart, &n_off) : NULL;
    show(s, report);
    return !report ? EXIT_BAD_INPUT : n_off ? EXIT_DOES_NOT_FIT : EXIT_FITS;
}

/* Two scenarios are never wrong: that they differ is what is asked about. */
static int compare_scenarios(session *s)
{
    size_t n_differ = 0;
    kvsim_scenario *first = load_scenario(s, s->o->operands.items[0]);
    kvsim_scenario *second = first ? load_scenario(s, s->o->operands.items[1]) : NULL;
    kvsim_report *report = second ? kvsim_compare(s->k, first, second, &n_differ) : NULL;
    show(s, report);
    return report ? EXIT_FITS : EXIT_BAD_INPUT;
}

int cmd_compare(session *s)
{
    size_t wanted = s->o->log_file ? 1 : 2;
    if (s->o->operands.n != wanted) {
        complain("`compare` needs two scenarios, or one and --log FILE; see `kvsim compare --help`");
        return EXIT_BAD_INPUT;
    }
    return s->o->log_file ? compare_log(s) : compare_scenarios(s);
}
