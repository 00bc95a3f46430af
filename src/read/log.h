/* Reads a program's log as a stream and finds the lines that fit one of a set of patterns. A log of
 * any length takes the same memory, and time that grows with its length: lines longer than
 * KS_LOG_LINE are cut, and nothing is kept but what `found` keeps.
 *
 * A pattern is literal text with holes, as in the `log:` section of an engine's profile:
 *
 *   {name:GiB:.2f}, {name:.4f}   a number, in a unit or without; how far it was rounded is known
 *   {name:repr}                  a number as Python prints it: exact
 *   {*}, {name}                  anything up to the text behind it
 *   {{ and }}                    braces
 *
 * It may begin anywhere in a line, so what stands in front does not matter: times, names of
 * containers, colours. What is known of the process that wrote the line is taken from there. A
 * carriage return ends a line, as in progress bars; lines are counted by line feeds. A backslash at its
 * end makes a line go on, as in a shell's command.
 *
 * A line that ends inside of a pattern is read on with the lines behind it, up to three, as terminals
 * and letters wrap them: if they begin with no time of their own. Marks of quoting ("> ", "| ") in
 * front of them are left out. */
#ifndef KS_READ_LOG_H
#define KS_READ_LOG_H

#include "base/diag.h"
#include "base/unit.h"

enum { KS_LOG_LINE = 64 << 10, KS_LOG_NUMBERS = 8, KS_LOG_WRAPPED = 4 << 10 };

enum ks_log_piece_kind { KS_LOG_TEXT, KS_LOG_NUMBER, KS_LOG_ANYTHING };

typedef struct ks_log_piece {
    enum ks_log_piece_kind kind;
    ks_str text;  /* the literal text; or the name in the hole, "*" or a quantity */
    ks_str unit;  /* of a number, as written; may be empty */
    double scale; /* its size in base units */
    bool exact;   /* a number that was not rounded */
} ks_log_piece;

typedef struct ks_log_pattern {
    ks_str text; /* as written */
    ks_log_piece *items;
    size_t n, capacity;
    size_t n_numbers; /* holes for numbers, at most KS_LOG_NUMBERS; further ones take anything */
    size_t n_literal; /* bytes of literal text: the more, the more special it is */
    size_t anchor;    /* the piece that is looked for first */
    bool may_be_cut;  /* (given) its beginning is worth telling, if a line ends with it */
} ks_log_pattern;

/* Reads a pattern. False if there is no literal text in it, by which it could be found. */
bool ks_log_pattern_of(ks_arena *arena, ks_str text, ks_log_pattern *pattern);

typedef struct ks_log_number {
    double value; /* in base units */
    double half;  /* it lies between value - half and value + half; 0: exact */
    int decimals; /* as printed */
} ks_log_number;

/* The numbers behind TP, PP and DP in front of a line; -1: not told. "rank=3" counts as TP. */
typedef struct ks_log_rank {
    int tp, pp, dp;
} ks_log_rank;

/* A line that fits. Texts and numbers are gone when `found` returns. */
typedef struct ks_log_match {
    size_t pattern; /* its number */
    size_t line;    /* from 1; of a wrapped line, where it begins */
    ks_log_rank rank;
    int date;       /* 20260131, as it stands in front of the line; 0: none does */
    bool begun;     /* the line ends before the pattern does */
    size_t n_literal; /* bytes of literal text that fit */
    const ks_log_number *numbers; /* of the pattern's holes for numbers, in their order */
    size_t n_numbers; /* fewer than the pattern's if it is only begun */
    ks_str text; /* from the pattern's beginning to the end of the line */
    ks_str rest; /* the same from the first hole that takes anything; empty if there is none */
    bool cut;    /* the line was longer than KS_LOG_LINE */
    bool more;   /* it is no match, but a line behind one, as ks_log_follow() asked for: `text` */
} ks_log_match;

/* True if that was it: the pattern is not looked for again in this line. */
typedef bool ks_log_found(void *context, const ks_log_match *match);

typedef struct ks_log_reader ks_log_reader;

/* A reader for these patterns, which must outlive it. A line that fits several of them is found
 * several times. */
ks_log_reader *ks_log_reader_new(ks_arena *arena, const ks_log_pattern *patterns, size_t n,
                                 ks_log_found *found, void *context);
/* For `found`: the lines behind this one belong to it, as long as they have no time of their own and
 * `found` returns true for them, and no pattern fits in them. */
void ks_log_follow(ks_log_reader *reader, size_t pattern);
/* Takes the next part of the log, of any size. */
void ks_log_feed(ks_log_reader *reader, const char *bytes, size_t n);
/* Takes the end: the last line may have no end of its own. */
void ks_log_end(ks_log_reader *reader);
/* Lines so far. */
size_t ks_log_lines(const ks_log_reader *reader);

#endif
