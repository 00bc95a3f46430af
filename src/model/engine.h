/* An engine's profile: its flags, phases, checks, knobs and texts, as data.
 *
 * ks_define_engine() puts everything that has a number into a program; ks_finish_engine(), after
 * ks_link(), reads the texts that name quantities. */
#ifndef KS_MODEL_ENGINE_H
#define KS_MODEL_ENGINE_H

#include "expl/template.h"
#include "model/catalog.h"
#include "model/facts.h"

enum ks_flag_origin { KS_FLAG, KS_ENVIRONMENT, KS_ASSUMPTION };

typedef struct ks_flag {
    enum ks_flag_origin origin;
    ks_str spelling; /* as the engine writes it: "mem-fraction-static" */
    ks_str name;     /* as formulas write it: "mem_fraction_static" */
    const ks_doc *aliases, *choices, *unset;
    const ks_doc *row; /* as the profile writes it */
    ks_type type;
    bool has_bounds;
    double low, high; /* bounds of what is taken */
    double step;      /* the grid on which it is solved for; 0: no grid */
    bool doubling;    /* the grid is low, 2 low, 4 low ... */
    ks_str meaning, source;
    ks_span at;
    int def, given; /* definitions: the value, and whether the user gave it */
} ks_flag;

typedef struct ks_phase {
    ks_str id, title;
    ks_str free_name; /* the reading at its end; may be empty */
    const ks_doc *row, *takes;
    ks_span at;
    int bytes, free, unexplained; /* definitions, or -1 */
    int when;                     /* a condition for showing it, or -1: always */
} ks_phase;

typedef struct ks_check {
    ks_str id;
    size_t phase;
    bool unsupported; /* its failing is "unsupported", not "does not fit" */
    const ks_doc *row;
    ks_formula message_text, why_text, remedy_text; /* remedy: what no knob does; may be empty */
    ks_template message, why, remedy;
    ks_span at;
    int slack, when, decides; /* definitions; when: -1 is always */
} ks_check;

typedef struct ks_requirement {
    ks_str id, blames;
    const ks_doc *row;
    ks_formula message_text, hint_text;
    ks_template message, hint;
    ks_span at;
    int that;
} ks_requirement;

typedef struct ks_remark {
    ks_str id;
    const ks_doc *row;
    ks_formula text;
    ks_template parsed;
    int when;
} ks_remark;

typedef struct ks_suspect {
    ks_str quantity, title;
    int def;
} ks_suspect;

typedef struct ks_knob {
    ks_str flag, why;
    const ks_doc *row;
    ks_str halves; /* quantity that stands for the flag's value where it is automatic, or empty */
    ks_str raises; /* what must grow with it, such as the machine's GPUs; empty: nothing */
    int when;      /* definition, or -1: always */
} ks_knob;

/* What a line of the log tells. All but the first are read, not printed. */
enum ks_log_tells {
    KS_TELLS_MEMORY,
    KS_TELLS_FLAGS, /* what stands in its hole are the flags, as Python prints them */
    KS_TELLS_END,   /* the start is over */
    KS_TELLS_READING, /* memory as well, but only some starts print it */
    KS_TELLS_SOME_FLAGS, /* in its hole are flags, as a command or a part of a list gives them */
    KS_TELLS_STEP /* that its phase has gone well, in whatever form: it tells nothing of the version */
};

typedef struct ks_log_line {
    ks_str id;
    size_t phase; /* it is printed when this phase has gone well */
    const ks_doc *row;
    int when; /* definition, or -1: always */
    enum ks_log_tells tells;
    ks_formula text;
    ks_template parsed;
} ks_log_line;

#define KS_LIST_OF(type)                                                                           \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t n, capacity;                                                                        \
    }

typedef struct ks_engine {
    ks_str name, title;
    ks_str version; /* as the scenario says it */
    ks_span at;     /* where the scenario names it */
    ks_str read_from, read_to; /* oldest and newest version that was read; may be empty */
    const ks_doc *released; /* when versions came out: {0.5.9: 2026-02-23}; or NULL */
    const ks_doc *doc, *sources, *ignored;
    ks_str draft_model, draft_asked; /* flags that name a draft model and ask for one, or empty */
    ks_str stages;                   /* the flag that says how many pipeline stages, or empty */
    ks_formula summary_text; /* what is told of a scenario that fits */
    ks_template summary;
    ks_str yields_name; /* the quantity that users want much of */
    int yields;
    ks_str explains_name; /* the sum that is shown of a scenario that fits */
    int explains;
    KS_LIST_OF(ks_flag) flags;
    KS_LIST_OF(ks_phase) phases;
    KS_LIST_OF(ks_check) checks;
    KS_LIST_OF(ks_requirement) requirements;
    KS_LIST_OF(ks_remark) remarks;
    KS_LIST_OF(ks_suspect) suspects;
    KS_LIST_OF(ks_knob) knobs;
    KS_LIST_OF(ks_log_line) log;
} ks_engine;

/* Reads the profile's flags, phases, checks and texts; no program is needed yet. */
bool ks_read_engine(ks_arena *arena, ks_diags *diags, const ks_doc *doc, ks_engine *engine);

/* Adds assumptions that are not the profile's: a section as its `assume:`, which outlives the engine. */
bool ks_read_assumptions(ks_arena *arena, ks_diags *diags, const ks_doc *section, ks_engine *engine);

/* The flag of this spelling, alias, or name; a leading "--" and '_' for '-' are allowed. */
ks_flag *ks_find_flag(const ks_engine *engine, ks_str spelling);
/* True for a flag that is known to have no effect on memory. */
bool ks_flag_is_ignored(const ks_engine *engine, ks_str spelling);
/* The one flag that begins so, as Python's argparse takes it, or NULL. *ignored: all that begin so are
 * known to have no effect on memory. */
const ks_flag *ks_find_begun_flag(const ks_engine *engine, ks_str spelling, bool *ignored);
/* Tells of an environment variable that does nothing here, if it looks like one that does. */
void ks_unknown_environment(ks_diags *diags, const ks_engine *engine, ks_str name, ks_span at);
/* True if a value lies inside the flag's bounds and is one of its choices; else an error at `doc`. */
bool ks_check_flag_value(ks_program *program, const ks_flag *flag, const ks_doc *doc,
                         ks_cell value);
/* Adds to the last message which flag was perhaps meant, if one is near. */
void ks_suggest_flag(ks_diags *diags, const ks_engine *engine, ks_str spelling);
/* Says that there is no such flag, and what was perhaps meant. */
void ks_unknown_flag(ks_diags *diags, const ks_engine *engine, ks_str spelling, ks_span at);

/* Ranks of a launch: the product of the flags that `ranks:` names; the first of them counts fastest.
 * `stages` of them, the one flag that `stages:` names, come one behind the other every `stride` ranks.
 * `launch` may be NULL. */
typedef struct ks_rank_count {
    size_t ranks, stages, stride;
    ks_span blame; /* what asks for more than one rank, if anything does */
} ks_rank_count;

bool ks_count_ranks(ks_diags *diags, const ks_engine *engine, const ks_doc *launch,
                    ks_rank_count *count);

/* Defines constants, tables, lists, flags, entries, phases and checks. The value that a scenario
 * gives to a flag is in `given` (by flag, NULL: not given). */
bool ks_define_engine(ks_program *program, ks_engine *engine, const ks_doc *const *given);

/* After ks_link(): finds definitions by name and reads the templates. */
bool ks_finish_engine(ks_program *program, ks_engine *engine);

#endif
