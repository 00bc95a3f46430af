/* Goes through a server's log once and parts it into starts of the server, by the lines that the
 * engines' profiles know. One start is kept: the one that is asked for, or the last that went to
 * its end. What the lines mean is found out in runlog.h.
 *
 * A start begins with the line that tells the flags, or with the first line of a profile's first
 * phase on a rank that had it before. A draft model goes through the same lines again on the same
 * rank: then memory goes on getting less, while a new start gives it back. */
#ifndef KS_MODEL_STARTS_H
#define KS_MODEL_STARTS_H

#include "model/engine.h"
#include "read/log.h"

/* A profile whose lines are looked for. */
typedef struct ks_log_profile {
    ks_str engine, version; /* "sglang", "0.5.9": from the file's name */
    const ks_doc *doc;
    ks_engine read;
} ks_log_profile;

enum ks_log_role {
    KS_ROLE_LINE,    /* of a profile's `log:` */
    KS_ROLE_CHECK,   /* the message of a check that fails */
    KS_ROLE_VERSION, /* names the engine's version */
    KS_ROLE_GPU      /* names the GPU */
};

typedef struct ks_log_sign {
    enum ks_log_role role;
    bool begins;    /* a line of the first phase that has no numbers */
    bool flags;     /* tells the flags */
    bool some_flags; /* tells some flags; it is no line of a start, but kept with it */
    bool step;       /* tells only that a phase has gone well */
    bool ends;      /* a line of the last phase that prints any */
    int free_at;    /* which of its numbers is a reading of free memory, or -1 */
    ks_str name;    /* KS_ROLE_VERSION: the engine; KS_ROLE_GPU: the GPU's file */
} ks_log_sign;

/* All patterns, each once, and what they stand for. */
typedef struct ks_log_signs {
    ks_arena *arena;
    const ks_log_profile *profiles;
    size_t n_profiles;
    struct {
        ks_log_pattern *items;
        size_t n, capacity;
    } patterns;
    KS_LIST_OF(ks_log_sign) signs; /* by pattern */
    ks_table by_text;
} ks_log_signs;

/* The signs of all profiles' lines and messages. */
ks_log_signs *ks_log_signs_new(ks_arena *arena, const ks_log_profile *profiles, size_t n);
/* Adds one more. */
void ks_add_log_sign(ks_log_signs *signs, ks_str text, ks_log_sign sign);
/* The pattern of this text, or -1. */
int ks_find_log_sign(const ks_log_signs *signs, ks_str text);

/* True for a line that a profile only has so that later versions can put another in its place. */
bool ks_is_never_printed(const ks_log_line *line);

/* A line that fits a pattern. */
typedef struct ks_sighting {
    uint32_t pattern;
    uint32_t rank;    /* in the start's list */
    uint32_t set;     /* how often this rank had begun before */
    uint32_t numbers; /* where its numbers begin in the start's list */
    uint32_t n_numbers, n_literal; /* how many there are; bytes of literal text that fit */
    size_t line;
} ks_sighting;

/* A text in which some flags stand. */
typedef struct ks_log_piece_of_flags {
    size_t line, from, n; /* `from`: where in the start's `pieces` */
} ks_log_piece_of_flags;

typedef struct ks_log_place {
    ks_log_rank tags;
    uint32_t begins;      /* lines that begin a start, so far */
    double last_free;     /* the newest reading of free memory */
    size_t n_kinds;       /* patterns seen at least once that have a reading of free memory */
    unsigned char *seen;  /* by pattern: whether it was seen */
    double *first;        /* by pattern: its first reading of free memory */
} ks_log_place;

enum { KS_LONGEST_NAME = 40, KS_MOST_PLACES = 256, KS_MOST_SIGHTINGS = 60000 };
enum { KS_LEAST_MESSAGE = 32 }; /* so much of a check's message is enough, if the line ends with it */
enum { KS_PIECES = 32 << 10, KS_MOST_PIECES = 16 };

/* What is told of the engine's version or the GPU. */
typedef struct ks_log_name {
    size_t pattern, line; /* line 0: nothing was told */
    char text[KS_LONGEST_NAME];
} ks_log_name;

typedef struct ks_start {
    size_t number; /* from 1 */
    size_t first_line, last_line;
    KS_LIST_OF(ks_sighting) sightings;
    KS_LIST_OF(ks_log_number) numbers;
    KS_LIST_OF(ks_log_place) places;
    size_t flags_line; /* 0: none */
    char *flags;       /* KS_LOG_LINE bytes */
    size_t flags_n;
    bool flags_cut;
    char *pieces; /* KS_PIECES bytes: the texts in which some flags stand */
    size_t pieces_n, n_pieces;
    ks_log_piece_of_flags piece[KS_MOST_PIECES];
    int date; /* the first that stands in front of a line of the start, 20260131; 0: none does */
    bool failed, complete;
    ks_log_name version, gpu;
} ks_start;

typedef struct ks_starts {
    ks_start *chosen; /* NULL: none */
    size_t n;         /* how many there are */
    size_t n_lines;
} ks_starts;

typedef struct ks_start_reader ks_start_reader;

/* Reads a log: `wanted` is the number of the start to keep, 0 the last that is complete. */
ks_start_reader *ks_start_reader_new(const ks_log_signs *signs, size_t wanted);
/* Takes a part of the log; `reader` is a ks_start_reader. */
void ks_feed_starts(void *reader, const char *bytes, size_t n);
/* Takes its end. */
ks_starts ks_end_starts(ks_start_reader *reader);

#endif
