/* Sets of definitions beyond memory (how long a decode step takes, what an all-reduce costs): they are
 * put into a scenario's program only where somebody wants them, so that a plain run stays what it is.
 *
 * A set is wanted if it is asked for, or if the scenario, a setting or the question names something
 * that begins as the set's names do. */
#ifndef KS_MODEL_EXTRA_H
#define KS_MODEL_EXTRA_H

#include "model/scenario.h"

struct ks_machine;

struct ks_extra {
    const char *const *names; /* how its names begin ("decode."); the last is NULL */
    /* Before the scenario's assumptions are read: adds the set's own, with ks_read_assumptions().
     * NULL: it has none. False after an error, as below. */
    bool (*read)(const ks_extra *extra, const ks_catalog *catalog, ks_model *model);
    /* Behind the engine's definitions, before settings and measured values are looked up. */
    bool (*define)(const ks_extra *extra, const ks_catalog *catalog, ks_model *model,
                   const struct ks_machine *machine);
    /* After ks_link(): reads texts that name quantities. NULL: nothing to do. */
    bool (*finish)(const ks_extra *extra, ks_model *model);
    void *context; /* for these three */
};

/* What of a scenario may name a quantity. Documents may be NULL. */
typedef struct ks_mentions {
    const ks_doc *assume, *measured, *expect, *what_if;
    const ks_settings *settings;
} ks_mentions;

/* The sets of `ask`, or else of the catalog, that are wanted, in their order. */
ks_extras ks_wanted_extras(const ks_catalog *catalog, const ks_ask *ask, const ks_mentions *mentions);

/* A scenario, a map, without its what-ifs and without what it assumes, measured and expects of the
 * catalog's sets: for a report in which those sets have no part. */
ks_doc *ks_without_extras(const ks_catalog *catalog, const ks_doc *scenario);

/* The three steps, for all of them. False after an error. */
bool ks_read_extras(const ks_extras *extras, const ks_catalog *catalog, ks_model *model);
bool ks_define_extras(const ks_extras *extras, const ks_catalog *catalog, ks_model *model,
                      const struct ks_machine *machine);
bool ks_finish_extras(const ks_extras *extras, ks_model *model);

#endif
