/* A report: nodes, and sections of blocks that show them. The explanation is the computation: a
 * renderer can print a number only by naming a node, and each node knows how it came about.
 *
 * Nodes [0, n_defs) are the program's definitions under their own numbers; further ones are added
 * for what an engine found out by running the program again (what-ifs, solved values, shares). */
#ifndef KS_EXPL_REPORT_H
#define KS_EXPL_REPORT_H

#include "expl/record.h"
#include "expl/template.h"

typedef struct ks_node {
    ks_str name;
    enum ks_kind kind;
    ks_type type;
    ks_formula formula;   /* empty text: none */
    const ks_expr *expr;  /* its tree; names refer to nodes */
    const int *inputs;
    size_t n_inputs;
    ks_span at;
    ks_str source, meaning, note;
    bool hidden;
    ks_cell *values; /* by class of ranks, or one */
    size_t n_values;
    bool has_range; /* low and high are known, and differ */
    double low, high;
} ks_node;

enum ks_block_kind {
    KS_BLOCK_TEXT,   /* a paragraph */
    KS_BLOCK_QUOTE,  /* what the engine itself prints */
    KS_BLOCK_BULLET, /* one of several short paragraphs */
    KS_BLOCK_TABLE,
    KS_BLOCK_SUM,    /* a node's formula: names, then numbers, then the result */
    KS_BLOCK_TREE    /* a node's derivation down to its inputs */
};

enum ks_tone { KS_TONE_PLAIN, KS_TONE_GOOD, KS_TONE_BAD, KS_TONE_DOUBT, KS_TONE_FAINT };

typedef struct ks_row {
    ks_template *cells; /* one a column */
    enum ks_tone tone;
    bool has_class;     /* shows another class of ranks than the table */
    size_t rank_class;
} ks_row;

typedef struct ks_column {
    ks_str title;
    bool right; /* aligned to the right */
} ks_column;

typedef struct ks_block {
    enum ks_block_kind kind;
    enum ks_tone tone;
    ks_template text;
    size_t rank_class; /* whose values are shown */
    int node;          /* KS_BLOCK_SUM, KS_BLOCK_TREE */
    const ks_column *columns;
    size_t n_columns;
    struct {
        ks_row *items;
        size_t n, capacity;
    } rows;
} ks_block;

typedef struct ks_section {
    ks_str title; /* may be empty */
    struct {
        ks_block *items;
        size_t n, capacity;
    } blocks;
} ks_section;

#define KS_VERDICTS(X)                                                                             \
    X(FITS, "fits", "FITS")                                                                        \
    X(DOES_NOT_FIT, "does-not-fit", "DOES NOT FIT")                                                \
    X(UNSUPPORTED, "unsupported", "UNSUPPORTED")                                                   \
    X(UNCERTAIN, "uncertain", "UNCERTAIN")

enum ks_verdict {
#define X(name, word, heading) KS_##name,
    KS_VERDICTS(X)
#undef X
};

/* One row of the ledger: a phase. Nodes; -1: none. */
typedef struct ks_ledger_row {
    ks_str id, title;
    int bytes, free, unexplained;
} ks_ledger_row;

typedef struct ks_advice {
    ks_str set, why;
    int low, high; /* nodes */
    ks_str with;   /* another flag that goes with it, or empty */
    int value;     /* node: of that flag */
} ks_advice;

/* A single value by which a scenario would fit. */
typedef struct ks_choice {
    ks_str set, why;
    int value, yield; /* nodes */
    int64_t gpus;     /* that it takes, or 0: as many as before */
} ks_choice;

/* A quantity beside what something else says of it: a log, or another scenario. */
typedef struct ks_compared {
    ks_str name, phase; /* the phase's id, may be empty */
    int ours, theirs, difference; /* nodes; -1: none, or no numbers */
    size_t rank, rank_class; /* where they are farthest apart; its class */
    bool has_range;
    double rounding, low, high; /* how exact theirs is; the range of ours */
    ks_str status;              /* "same", "inside", "off", "differs" */
} ks_compared;

/* The scenario run again with something changed. */
typedef struct ks_tried {
    ks_str title, set;   /* what the scenario calls it; "NAME = VALUE, ..." */
    int decides, yields; /* nodes: the quantity that decides, and the engine's yield */
    ks_str then, check;  /* a verdict's word, or "does-not-start"; what fails, may be empty */
} ks_tried;

/* What a scenario expects, and what came. */
typedef struct ks_expected_row {
    ks_str what, expected, got;
    int node; /* of what came, or -1: `got` tells it */
    bool holds;
} ks_expected_row;

typedef struct ks_report {
    ks_arena *arena;
    const ks_program *program;
    struct {
        ks_node *items;
        size_t n, capacity;
    } nodes;
    ks_table names; /* nodes by name */
    ks_str title, scenario, engine, llm, machine;
    enum ks_verdict verdict;
    ks_str failed_phase, failed_check, failed_message; /* empty if nothing fails */
    int failed_slack;
    size_t failed_class;
    struct {
        ks_ledger_row *items;
        size_t n, capacity;
    } ledger;
    struct {
        ks_advice *items;
        size_t n, capacity;
    } advice;
    struct {
        ks_choice *items;
        size_t n, capacity;
    } choices;
    struct {
        ks_compared *items;
        size_t n, capacity;
    } compared;
    struct {
        ks_tried *items;
        size_t n, capacity;
    } tried;
    struct {
        ks_expected_row *items;
        size_t n, capacity;
    } expected;
    struct {
        ks_str *items;
        size_t n, capacity;
    } log; /* lines that the engine would print */
    const ks_diags *diags; /* what was said on the way, from `said_from` on, below `said_to` */
    size_t said_from, said_to;
    ks_str against;      /* what it is compared with */
    const char *ours, *theirs; /* how JSON calls the two sides */
    const struct ks_report *second; /* the other scenario's, or NULL */
    ks_record *record;   /* an object: what JSON says in place of the phases, or NULL */
    ks_str subtitle;     /* shown instead of engine, model, machine and ranks, if not empty */
    ks_str headline;     /* shown instead of the verdict, if not empty */
    enum ks_tone headline_tone;
    struct {
        ks_section *items;
        size_t n, capacity;
    } sections;
} ks_report;

const char *ks_verdict_word(enum ks_verdict verdict);
const char *ks_verdict_heading(enum ks_verdict verdict);

/* A report with a node for each definition, its values taken from one lane of a plan that has
 * run. */
ks_report *ks_report_new(const ks_program *program, const ks_plan *plan, size_t lane);

/* Adds a node with one value for all ranks; its number. `formula` says in words or as a formula
 * how it came about; inputs are nodes. */
int ks_add_node(ks_report *report, ks_str name, enum ks_kind kind, ks_type type, ks_cell value,
                ks_str formula, const int *inputs, size_t n_inputs);
/* The node's number, or -1. */
int ks_find_node(const ks_report *report, ks_str name);
/* A node's value for a class of ranks, as a cell, as a number, and as text. */
ks_cell ks_node_cell(const ks_node *node, size_t rank_class);
double ks_node_real(const ks_node *node, size_t rank_class);
ks_str ks_show_node(const ks_report *report, const ks_node *node, size_t rank_class);
/* True if the node's values differ between ranks. */
bool ks_node_differs(const ks_node *node);

ks_section *ks_add_section(ks_report *report, const char *title);
/* Adds a block; `format` has a hole {} or {:style} for each node number that follows (styles as in
 * template.h). A hole without a node is text. */
#define ks_add_block(...) ks_add_block_of(__VA_ARGS__, -1)
ks_block *ks_add_block_of(ks_report *report, ks_section *section, enum ks_block_kind kind,
                          const char *format, ...);
/* Adds a block with a text as it is, braces and all. */
ks_block *ks_add_text(ks_report *report, ks_section *section, enum ks_block_kind kind, ks_str text);
/* Adds a table with its columns; rows are added with ks_add_row() and ks_set_cell(). */
ks_block *ks_add_table(ks_report *report, ks_section *section, const ks_column *columns, size_t n);
ks_row *ks_add_row(ks_report *report, ks_block *table);
#define ks_set_cell(...) ks_set_cell_of(__VA_ARGS__, -1)
void ks_set_cell_of(ks_report *report, ks_row *row, size_t column, const char *format, ...);
/* A cell with a text as it is, braces and all. */
void ks_set_text(ks_report *report, ks_row *row, size_t column, ks_str text);
/* A text from outside, made safe to stand in a format: its braces become parentheses. */
ks_str ks_safe(ks_arena *arena, ks_str text);

/* The text with its holes filled, for a class of ranks. */
ks_str ks_fill(const ks_report *report, const ks_template *text, size_t rank_class);
/* "rank 3", "ranks 0-7", "ranks 0-2, 5": the ranks of a class. */
ks_str ks_ranks_of(ks_arena *arena, const ks_program *program, size_t rank_class);

#endif
