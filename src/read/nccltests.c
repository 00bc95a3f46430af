#include "read/nccltests.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* How far the ratio of bus to algorithm bandwidth may be off, beyond rounding. */
static const double ratio_tolerance = 0.02;
/* How far size / time may be from the printed bandwidth, beyond rounding. */
static const double rate_tolerance = 0.05;

enum { LONGEST_LINE = 4096, WORDS_BEFORE = 4, GROUP = 4 };

/* What is known of the ratio bus / algorithm bandwidth: an interval, since both were rounded. */
typedef struct ratio {
    double low, high, middle, rate;
    ks_span at;
} ratio;

typedef struct reader {
    ks_diags *diags;
    const ks_source *source;
    ks_runs *runs;
    ks_run *run; /* the one under way, or NULL */
    ks_run next; /* what is known of the next one */
    int64_t said, rank_lines, threads_gpus;
    ks_str host;   /* of the Rank lines */
    ratio best;    /* of the row with the largest rate */
    size_t n_rows; /* of all runs */
    bool failed;
} reader;

static void fail(reader *r, enum ks_code code, ks_span at, const char *what)
{
    if (!r->failed)
        ks_error(r->diags, code, at, "%s", what);
    r->failed = true;
}

/* ---- Ends of runs: the number of ranks, and the collective. ------------------------------------------ */

static double ratio_of(int64_t ranks)
{
    return 2 * (double)(ranks - 1) / (double)ranks;
}

static bool fits(const ratio *seen, double wanted, double tolerance)
{
    return seen->low * (1 - tolerance) <= wanted && wanted <= seen->high * (1 + tolerance);
}

/* The one number of ranks whose all-reduce has this ratio, or 0. */
static int64_t ranks_of(const ratio *seen)
{
    int64_t found = 0;
    for (int64_t n = 3; n <= KS_MAX_RANKS; n++) {
        if (!fits(seen, ratio_of(n), 1e-9))
            continue;
        if (found)
            return 0;
        found = n;
    }
    return found;
}

/* Says what a ratio means that is not that of an all-reduce of so many ranks. */
static void refuse(reader *r, const ratio *seen, int64_t ranks)
{
    double n = (double)ranks;
    int64_t other = ranks_of(seen);
    r->failed = true;
    if (other) {
        ks_error(
            r->diags, KS_B003, seen->at,
            "the bus bandwidth is %.3f of the algorithm bandwidth: an all-reduce of %lld ranks, "
            "not of %lld",
            seen->middle, (long long)other, (long long)ranks);
        ks_add_note(r->diags, (ks_span){0}, "say --ranks %lld if that is what ran",
                    (long long)other);
        return;
    }
    const char *likely = fits(seen, (n - 1) / n, ratio_tolerance)
                             ? "all-gather, reduce-scatter and all-to-all have that"
                         : fits(seen, 1, ratio_tolerance)
                             ? "broadcast, reduce and send-receive have that"
                             : "no collective of so many ranks has that";
    ks_error(r->diags, KS_B002, seen->at,
             "the bus bandwidth is %.3f of the algorithm bandwidth; of an all-reduce of %lld ranks "
             "it is "
             "%.3f",
             seen->middle, (long long)ranks, ratio_of(ranks));
    ks_add_note(r->diags, (ks_span){0}, "%s; measure with all_reduce_perf, or say --ranks", likely);
}

static void end_run(reader *r)
{
    ks_run *run = r->run;
    r->run = NULL;
    if (!run || r->failed)
        return;
    if (run->timings.n == 0) {
        r->runs->n--;
        return;
    }
    int64_t told = r->said ? r->said : r->rank_lines ? r->rank_lines : r->threads_gpus;
    /* One GPU for each of several processes: the header of MPI runs without their Rank lines. */
    if (told == 1 && !r->said && !r->rank_lines)
        told = 0;
    run->ranks = told ? told : ranks_of(&r->best);
    if (run->ranks < 2 || run->ranks > KS_MAX_RANKS) {
        fail(r, KS_B003, run->at, "the output does not tell how many ranks took part");
        ks_add_note(r->diags, (ks_span){0}, "say --ranks N");
        return;
    }
    if (r->best.rate > 0 && !fits(&r->best, ratio_of(run->ranks), ratio_tolerance))
        refuse(r, &r->best, run->ranks);
    if (run->wrong > 0) {
        ks_warning(r->diags, KS_B006, run->at, "%lld results were wrong", (long long)run->wrong);
        ks_add_note(
            r->diags, (ks_span){0},
            "GPUs do not read each other's memory rightly here (see ACS, IOMMU and driver); times "
            "of wrong results mean nothing, and NCCL_P2P_DISABLE=1 is the safe way out");
    }
}

static void begin_run(reader *r, const ks_line *line)
{
    end_run(r);
    if (r->failed)
        return;
    if (r->runs->n == KS_MAX_RUNS) {
        fail(r, KS_B001, ks_line_span(line, line->text), "more runs than anybody measures");
        return;
    }
    r->run = KS_PUSH(r->diags->arena, r->runs);
    *r->run = r->next;
    r->run->at = ks_line_span(line, line->text);
    r->run->algorithm = KS_STR("nccl");
    r->next = (ks_run){0};
    r->rank_lines = r->threads_gpus = 0;
    r->best = (ratio){0};
}

/* ---- Lines that are no rows. ------------------------------------------------------------------------- */

/* The whole number behind the word `name` in a line, or -1. */
static int64_t number_after(const ks_line *line, const char *name)
{
    int64_t value;
    for (size_t i = 0; i + 1 < line->n && i + 1 < KS_COUNT(line->words); i++)
        if (ks_equal_c(line->words[i], name) && ks_read_count(line->words[i + 1], &value))
            return value;
    return -1;
}

/* The value of NAME=VALUE, or of "NAME set by environment to VALUE." as NCCL's log has it. */
static ks_str variable_in(ks_str text, const char *name)
{
    static const char set_to[] = " set by environment to ";
    size_t at = ks_find_letters(text, name);
    if (at == text.n)
        return (ks_str){NULL, 0};
    ks_str rest = ks_slice(text, at + strlen(name), text.n);
    if (rest.n && rest.s[0] == '=')
        rest = ks_slice(rest, 1, rest.n);
    else if (ks_starts_with(rest, ks_from_c(set_to)))
        rest = ks_slice(rest, sizeof set_to - 1, rest.n);
    else
        return (ks_str){NULL, 0};
    size_t n = 0;
    while (n < rest.n && n < 32 && (isalnum((unsigned char)rest.s[n]) || strchr("^,:+", rest.s[n])))
        n++;
    return ks_slice(rest, 0, n);
}

static void note_variables(reader *r, const ks_line *line)
{
    static const char *const words[] = {
#define X(name, word) word,
        KS_PROTOCOLS(X)
#undef X
    };
    bool running = r->run && r->run->timings.n == 0;
    ks_str protocol = variable_in(line->text, "NCCL_PROTO");
    ks_str algorithm = variable_in(line->text, "NCCL_ALGO");
    for (size_t i = 1; i < KS_COUNT(words); i++)
        if (ks_same_letters(protocol, ks_from_c(words[i])))
            (running ? r->run : &r->next)->protocol = (enum ks_protocol)i;
    if (ks_same_letters(algorithm, ks_from_c("tree")))
        (running ? r->run : &r->next)->tree = true;
}

static void note_collective(reader *r, const ks_line *line)
{
    static const char starting[] = "Collective test starting:";
    size_t at = ks_find_letters(line->text, starting);
    if (at == line->text.n)
        return;
    ks_str name = ks_trim(ks_slice(line->text, at + sizeof starting - 1, line->text.n));
    if (name.n && ks_find_letters(name, "all_reduce") == name.n && !r->failed) {
        ks_error(r->diags, KS_B002, ks_line_span(line, name), "this is %.*s, not all_reduce_perf",
                 KS_ARG(name));
        ks_add_note(r->diags, (ks_span){0}, "kvsim calibrate takes all-reduce only");
        r->failed = true;
    }
}

/* "#  Rank  4 Group  0 Pid 1234 on a-host device  0 [0x63] ...": one machine is what kvsim knows. */
static void note_host(reader *r, const ks_line *line)
{
    for (size_t i = 1; i + 1 < line->n && i + 1 < KS_COUNT(line->words); i++) {
        if (!ks_equal_c(line->words[i - 1], "on") || !ks_equal_c(line->words[i + 1], "device"))
            continue;
        if (!r->host.n)
            r->host = line->words[i];
        if (ks_equal(r->host, line->words[i]) || r->failed)
            return;
        ks_error(r->diags, KS_B003, ks_line_span(line, line->words[i]),
                 "these are ranks of two machines, %.*s and %.*s", KS_ARG(r->host),
                 KS_ARG(line->words[i]));
        ks_add_note(r->diags, (ks_span){0},
                    "the network is not what kvsim knows: measure on one machine");
        r->failed = true;
        return;
    }
}

static void note_rank(reader *r, const ks_line *line)
{
    int64_t rank = number_after(line, "Rank");
    if (rank >= 0)
        note_host(r, line);
    if (rank >= 0 && r->run && rank < KS_MAX_RANKS && rank + 1 > r->rank_lines)
        r->rank_lines = rank + 1;
}

static void take_comment(reader *r, const ks_line *line)
{
    int64_t threads = number_after(line, "nThread"), gpus = number_after(line, "nGpus");
    int64_t graph = number_after(line, "graph:");
    bool columns = ks_find_letters(line->text, "size") < line->text.n &&
                   ks_find_letters(line->text, "algbw") < line->text.n;
    note_variables(r, line);
    note_collective(r, line);
    if (threads >= 0 && gpus >= 0) {
        begin_run(r, line);
        r->threads_gpus = threads <= KS_MAX_RANKS && gpus <= KS_MAX_RANKS ? threads * gpus : 0;
        if (r->run && graph >= 0) {
            r->run->in_graph = graph > 0;
            r->run->eager = graph == 0;
        }
    } else if (columns && (!r->run || r->run->timings.n)) {
        begin_run(r, line);
    }
    note_rank(r, line);
}

/* ---- Rows. ------------------------------------------------------------------------------------------- */

/* A number with how far it was rounded; N/A is NaN. False for anything else. */
static bool read_rounded(ks_str text, double *value, double *half)
{
    size_t point = ks_find_byte(text, '.', 0), e = ks_find_letters(text, "e");
    *half = 0.5 * pow(10, point < text.n && e == text.n ? -(double)(text.n - point - 1) : 0);
    if (ks_same_letters(text, KS_STR("N/A")) || ks_same_letters(text, KS_STR("nan")) ||
        ks_same_letters(text, KS_STR("inf"))) {
        *value = (double)NAN;
        return true;
    }
    return ks_read_number(text, value) && *value >= 0;
}

/* Four columns: time, algorithm bandwidth, bus bandwidth, wrong results. *time: seconds, NaN for N/A. */
static bool read_group(reader *r, const ks_line *line, size_t from, int64_t bytes, double *time)
{
    double value[GROUP], half[GROUP];
    for (size_t i = 0; i < GROUP; i++)
        if (!read_rounded(line->words[from + i], &value[i], &half[i])) {
            fail(r, KS_B001, ks_line_span(line, line->words[from + i]),
                 "neither a number nor N/A in a row of nccl-tests");
            return false;
        }
    *time = value[0] * 1e-6;
    if (isnan(value[0]))
        return true;
    if (!(value[0] >= 0.01) || value[0] > 1e10) {
        fail(r, KS_B001, ks_line_span(line, line->words[from]),
             "a time in microseconds is from 0.01 us to 10000 s");
        return false;
    }
    if (!isnan(value[3]) && value[3] >= 1 && value[3] < 1e15)
        r->run->wrong += (int64_t)value[3];
    if (isnan(value[1]) || isnan(value[2]) || !(value[1] > 2 * half[1]))
        return true;
    double rate = (double)bytes / value[0] / 1e3, off = fabs(rate - value[1]);
    if (off > rate_tolerance * value[1] + half[1]) {
        fail(r, KS_B001, ks_line_span(line, line->words[from + 1]),
             "size, time and algorithm bandwidth do not agree: a time in microseconds, GB/s are "
             "needed");
        return false;
    }
    if (value[1] > r->best.rate)
        r->best = (ratio){(value[2] - half[2]) / (value[1] + half[1]),
                          (value[2] + half[2]) / (value[1] - half[1]), value[2] / value[1],
                          value[1], ks_line_span(line, line->words[from + 2])};
    return true;
}

/* True if nothing but blank lines follows. */
static bool is_last(const ks_source *source, const ks_line *line)
{
    ks_line next;
    for (size_t at = line->at + line->text.n + 1; ks_next_line(source, &at, &next);)
        if (next.n)
            return false;
    return true;
}

static void take_row(reader *r, const ks_line *line, int64_t bytes)
{
    size_t rest = line->n - WORDS_BEFORE, groups = rest / GROUP;
    bool root = rest % GROUP == 1;
    double time = HUGE_VAL, one;
    size_t best = WORDS_BEFORE + root;
    if (line->n < WORDS_BEFORE || rest % GROUP > 1 || groups < 1 || groups > 2) {
        bool last = is_last(r->source, line);
        if (last && !r->failed) {
            ks_warning(r->diags, KS_B007, ks_line_span(line, line->text),
                       "the output ends inside a row");
            ks_add_note(r->diags, (ks_span){0}, "the row is left out");
            return;
        }
        fail(r, KS_B001, ks_line_span(line, line->text),
             "a row of nccl-tests has time, algbw, busbw and #wrong once or twice");
        return;
    }
    if (!r->run)
        begin_run(r, line);
    if (r->failed || !r->run)
        return;
    for (size_t g = 0; g < groups; g++) {
        size_t from = WORDS_BEFORE + root + g * GROUP;
        if (!read_group(r, line, from, bytes, &one))
            return;
        if (one < time) {
            time = one;
            best = from;
        }
    }
    if (bytes == 0 || !(time < HUGE_VAL))
        return;
    if (++r->n_rows > KS_MAX_TIMINGS) {
        fail(r, KS_B001, ks_line_span(line, line->text), "more rows than anybody measures");
        return;
    }
    *KS_PUSH(r->diags->arena,
             &r->run->timings) = (ks_timing){bytes, time, ks_line_span(line, line->words[best])};
}

static bool is_type(ks_str word)
{
    static const char *const types[] = {"int8",   "uint8",   "int32",    "uint32",   "int64",
                                        "uint64", "half",    "float",    "double",   "bfloat16",
                                        "f8e4m3", "f8e5m2",  "fp8_e4m3", "fp8_e5m2", "char",
                                        "int",    "float16", "float32"};
    for (size_t i = 0; i < KS_COUNT(types); i++)
        if (ks_same_letters(word, ks_from_c(types[i])))
            return true;
    return false;
}

/* Two whole numbers and a type begin a row; anything else is somebody else's line. */
static bool is_row(const ks_line *line, int64_t *bytes)
{
    int64_t count;
    return line->n >= 3 && ks_read_count(line->words[0], bytes) &&
           ks_read_count(line->words[1], &count) && is_type(line->words[2]);
}

/* Takes "[1,0]<stdout>:" away, which mpirun puts before each line. */
static void skip_tag(ks_line *line)
{
    static const char tag[] = "<stdout>:";
    size_t at = line->n && line->words[0].s[0] == '[' ? ks_find_letters(line->words[0], tag)
                                                      : line->text.n;
    if (at >= line->text.n || line->n > KS_COUNT(line->words))
        return;
    line->words[0] = ks_slice(line->words[0], at + sizeof tag - 1, line->words[0].n);
    if (line->words[0].n == 0) {
        line->n--;
        memmove(&line->words[0], &line->words[1], line->n * sizeof *line->words);
    }
}

bool ks_is_nccltests(const ks_source *source)
{
    ks_line line;
    int64_t bytes;
    for (size_t at = 0, i = 0; i < 100000 && ks_next_line(source, &at, &line); i++) {
        skip_tag(&line);
        if (is_row(&line, &bytes) || (line.n && ks_starts_with(line.words[0], KS_STR("#")) &&
                                      number_after(&line, "nGpus") >= 0))
            return true;
    }
    return false;
}

bool ks_read_nccltests(ks_diags *diags, const ks_source *source, int64_t ranks, ks_runs *runs)
{
    reader r = {.diags = diags, .source = source, .runs = runs, .said = ranks};
    size_t before = runs->n, at = 0;
    ks_line line;
    int64_t bytes;
    while (!r.failed && ks_next_line(source, &at, &line)) {
        if (line.text.n > LONGEST_LINE || line.n == 0)
            continue;
        skip_tag(&line);
        if (is_row(&line, &bytes))
            take_row(&r, &line, bytes);
        else
            take_comment(&r, &line);
    }
    end_run(&r);
    if (!r.failed && runs->n == before) {
        fail(&r, KS_B004, (ks_span){source, 0, 0}, "no time of an all-reduce in this file");
        ks_add_note(diags, (ks_span){0}, "rows of nccl-tests begin with size, count and type");
    }
    return !r.failed;
}
