/* A scenario: what is launched on what, what is known of it, and what is expected. Built into a
 * program that is ready to run. */
#ifndef KS_MODEL_SCENARIO_H
#define KS_MODEL_SCENARIO_H

#include "model/engine.h"

/* NAME=VALUE from outside, as by --set. */
typedef struct ks_setting {
    ks_str name;
    ks_span name_span;
    ks_doc *value;
} ks_setting;

typedef KS_LIST_OF(ks_setting) ks_settings;

/* A setting whose name has been found in the program. */
typedef struct ks_change {
    int def;
    int given;     /* a flag's NAME.given, or -1 */
    bool measured; /* a measured quantity: setting it moves no other measurement */
    ks_cell value;
    ks_span at;
} ks_change;

/* One without changes gives the scenario as it stands a title. */
typedef struct ks_what_if {
    ks_str title;
    KS_LIST_OF(ks_change) changes;
    ks_span at;
} ks_what_if;

enum ks_expected { KS_EXPECT_VERDICT, KS_EXPECT_FAILS, KS_EXPECT_QUANTITY };

typedef struct ks_expectation {
    enum ks_expected what;
    ks_str text; /* verdict or check as written; the quantity's name */
    int def;
    double value, tolerance;
    ks_str value_text; /* of a quantity, as written, with its tolerance */
    ks_span at;
} ks_expectation;

/* A measured quantity under settings that it was measured without. */
typedef struct ks_carried {
    ks_str name; /* as the scenario has it */
    int def;
    const double *measured; /* by rank, or one for all */
    size_t n;
} ks_carried;

typedef struct ks_model {
    ks_arena *arena;
    ks_diags *diags;
    const ks_source *source;
    ks_str title, engine_text, llm_name, machine_name, gpu_name;
    const ks_doc *env, *command_env; /* what the server's environment gets: maps, or NULL */
    const ks_doc *llm; /* its file, or what a config.json says in a file's form */
    int64_t gpu_count;
    size_t n_ranks;
    ks_engine engine;
    ks_program *program;
    KS_LIST_OF(ks_what_if) what_ifs;
    KS_LIST_OF(ks_expectation) expectations;
    KS_LIST_OF(ks_carried) carried; /* what was measured, and follows the model under settings */
    ks_str replaced; /* by a setting: the machine or the llm; empty if none */
    ks_change unknown; /* what is asked for; def -1: nothing */
    int goal;          /* a condition, or -1 */
} ks_model;

/* What measurement left unexplained in the scenario without its settings. */
typedef struct ks_residual {
    ks_str quantity;
    ks_type type;
    const ks_cell *values;  /* one, or one a rank */
    const double *measured; /* what was measured; as many */
    size_t n;
} ks_residual;

typedef KS_LIST_OF(ks_residual) ks_residuals;

/* A set of definitions beyond memory; see extra.h. */
typedef struct ks_extra ks_extra;
typedef KS_LIST_OF(const ks_extra *) ks_extras;

typedef struct ks_extra_ask {
    const ks_extra *extra;
    bool asked; /* put it in even if nothing names it */
} ks_extra_ask;

/* What is asked of a scenario beyond a run. */
typedef struct ks_ask {
    ks_str unknown; /* a name that will be varied, or empty */
    ks_str goal;    /* a condition that must hold, or empty */
    /* With settings: a quantity that was measured without them is what the model says with them,
     * plus its residual. NULL: measured quantities are what they are. */
    const ks_residuals *residuals;
    bool vary_measured; /* measured quantities will be set in lanes */
    ks_str quantity;    /* one that will be looked at, or empty */
    const ks_extra_ask *extras; /* all that there are; none: those of the catalog */
    size_t n_extras;
} ks_ask;

/* The residuals of a built model's measured quantities, from a run of it as it stands. */
ks_residuals ks_find_residuals(const ks_model *model, const ks_plan *base);

/* Reads the scenario of `doc` and builds its program. NULL after an error. */
ks_model *ks_build_model(const ks_catalog *catalog, const ks_doc *doc, const ks_settings *settings,
                         ks_ask ask);

/* Finds what a name means (a flag in any spelling, an input, a quantity) and makes it possible to
 * set it; before ks_link(). False after an error. */
bool ks_find_target(ks_model *model, ks_str name, ks_span at, ks_change *change);

#endif
