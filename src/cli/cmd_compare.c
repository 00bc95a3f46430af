#include "cmd.h"

static int compare_log(session *s, kvsim_scenario *scenario)
{
    size_t n_off = 0;
    kvsim_report *report =
        scenario ? kvsim_compare_log(s->k, scenario, s->o->log_file, s->o->restart, &n_off) : NULL;
    show(s, report);
    return !report ? EXIT_BAD_INPUT : n_off ? EXIT_DOES_NOT_FIT : EXIT_FITS;
}

/* Two scenarios are never wrong: that they differ is what is asked about. */
static int compare_scenarios(session *s, kvsim_scenario *first, kvsim_scenario *second)
{
    size_t n_differ = 0;
    kvsim_report *report =
        first && second ? kvsim_compare(s->k, first, second, &n_differ) : NULL;
    show(s, report);
    return report ? EXIT_FITS : EXIT_BAD_INPUT;
}

/* A command line stands for the last of the scenarios. */
int cmd_compare(session *s)
{
    const options *o = s->o;
    bool command = is_command_given(s);
    size_t n_files = command ? o->dashed : o->operands.n;
    size_t wanted = o->log_file ? 1 : 2;
    if (n_files + (command ? 1 : 0) != wanted) {
        complain("`compare` needs two scenarios, or one and --log FILE; see `kvsim compare --help`");
        return EXIT_BAD_INPUT;
    }
    kvsim_scenario *sides[2] = {NULL, NULL};
    for (size_t i = 0; i < wanted; i++) {
        sides[i] = i < n_files ? load_scenario(s, o->operands.items[i]) : load_command(s);
        if (!sides[i]) {
            show(s, NULL);
            return EXIT_BAD_INPUT;
        }
    }
    return o->log_file ? compare_log(s, sides[0]) : compare_scenarios(s, sides[0], sides[1]);
}
