#include "read/benchcsv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV. -------------------------------------------------------------------------------------------- */

enum column { COLUMN_BYTES, COLUMN_TIME, COLUMN_ALGORITHM, COLUMN_RANKS, N_COLUMNS };
enum { LONGEST_LINE = 4096, LONGEST_NAME = 40 };

typedef struct csv {
    ks_diags *diags;
    ks_runs *runs;
    int64_t ranks;
    int place[N_COLUMNS]; /* of each column in a row; -1: none */
    double scale;         /* of times */
    size_t n_fields, n_rows;
} csv;

/* The next field of a row: *rest moves behind its comma. */
static ks_str next_field(ks_str *rest)
{
    ks_str field = ks_trim(ks_cut(*rest, ',', rest));
    if (field.n >= 2 && field.s[0] == '"' && field.s[field.n - 1] == '"')
        return ks_slice(field, 1, field.n - 1);
    return field;
}

/* A header's word; false if there is none of this name, or twice. */
static bool read_title(csv *c, const ks_line *line, ks_str title, int place)
{
    static const struct {
        const char *title;
        enum column column;
        double scale;
    } known[] = {{"bytes", COLUMN_BYTES, 1},     {"time_ns", COLUMN_TIME, 1e-9},
                 {"time_us", COLUMN_TIME, 1e-6}, {"time_ms", COLUMN_TIME, 1e-3},
                 {"time_s", COLUMN_TIME, 1},     {"algorithm", COLUMN_ALGORITHM, 1},
                 {"ranks", COLUMN_RANKS, 1}};
    ks_str names[KS_COUNT(known)];
    for (size_t i = 0; i < KS_COUNT(known); i++) {
        names[i] = ks_from_c(known[i].title);
        if (!ks_equal(names[i], title))
            continue;
        if (c->place[known[i].column] >= 0) {
            ks_error(c->diags, KS_B001, ks_line_span(line, title), "the column is there twice");
            return false;
        }
        c->place[known[i].column] = place;
        if (known[i].column == COLUMN_TIME)
            c->scale = known[i].scale;
        return true;
    }
    ks_error(c->diags, KS_B001, ks_line_span(line, title),
             "a column is bytes, time_us, algorithm or ranks, not \"%.*s\"", KS_ARG(title));
    ks_suggest(c->diags, title, names, KS_COUNT(names));
    ks_add_note(c->diags, (ks_span){0}, "the first line names the columns: bytes,time_us");
    return false;
}

static bool read_header(csv *c, const ks_line *line)
{
    ks_str rest = line->text;
    for (int i = 0; i < N_COLUMNS; i++)
        c->place[i] = -1;
    for (int place = 0; rest.n || place == 0; place++) {
        if (!read_title(c, line, next_field(&rest), place))
            return false;
        c->n_fields = (size_t)place + 1;
    }
    if (c->place[COLUMN_BYTES] >= 0 && c->place[COLUMN_TIME] >= 0)
        return true;
    ks_error(c->diags, KS_B001, ks_line_span(line, line->text), "the column \"%s\" is missing",
             c->place[COLUMN_BYTES] < 0 ? "bytes" : "time_us");
    return false;
}

static bool bad(csv *c, const ks_line *line, ks_str field, const char *what)
{
    ks_error(c->diags, KS_B001, ks_line_span(line, field.s ? field : line->text), "%s", what);
    return false;
}

/* "16384", or "16 KiB". */
static bool read_bytes(ks_str text, int64_t *bytes)
{
    ks_quantity q;
    if (ks_read_count(text, bytes))
        return *bytes > 0 && *bytes < (INT64_C(1) << 50);
    if (ks_parse_quantity(text, &q) != KS_QUANTITY_OK || !ks_same_dim(q.dim, KS_BYTE) ||
        !(q.value >= 1) || !(q.value < 1e15))
        return false;
    *bytes = (int64_t)q.value;
    return true;
}

static ks_run *run_of(csv *c, ks_str algorithm, int64_t ranks, ks_span at)
{
    for (size_t i = 0; i < c->runs->n; i++) {
        ks_run *run = &c->runs->items[i];
        if (run->at.source == at.source && run->ranks == ranks &&
            ks_equal(run->algorithm, algorithm))
            return run;
    }
    if (c->runs->n == KS_MAX_RUNS)
        return NULL;
    ks_run *run = KS_PUSH(c->diags->arena, c->runs);
    *run = (ks_run){.algorithm = algorithm, .ranks = ranks, .at = at};
    return run;
}

static bool read_row(csv *c, const ks_line *line)
{
    ks_str fields[N_COLUMNS] = {{NULL, 0}}, rest = line->text;
    int64_t bytes = 0, ranks = c->ranks;
    double time = 0;
    size_t n = 0;
    while (rest.n || n == 0) {
        ks_str field = next_field(&rest);
        for (int i = 0; i < N_COLUMNS; i++)
            if (c->place[i] == (int)n)
                fields[i] = field;
        if (++n > c->n_fields)
            break;
    }
    if (n != c->n_fields)
        return bad(c, line, line->text, "the row has not as many fields as the header");
    if (!read_bytes(fields[COLUMN_BYTES], &bytes))
        return bad(c, line, fields[COLUMN_BYTES],
                   "not a size: whole bytes above 0, or with a unit");
    if (!ks_read_number(fields[COLUMN_TIME], &time) || !(time * c->scale >= 1e-8) ||
        !(time * c->scale < 1e4))
        return bad(c, line, fields[COLUMN_TIME], "not a time from 0.01 us to 10000 s");
    if (c->place[COLUMN_RANKS] >= 0 &&
        (!ks_read_count(fields[COLUMN_RANKS], &ranks) || ranks < 2 || ranks > KS_MAX_RANKS))
        return bad(c, line, fields[COLUMN_RANKS], "not a number of ranks from 2");
    if (fields[COLUMN_ALGORITHM].n > LONGEST_NAME)
        return bad(c, line, fields[COLUMN_ALGORITHM], "not the name of an algorithm");
    if (ranks == 0) {
        ks_error(c->diags, KS_B003, ks_line_span(line, line->text),
                 "the table does not tell how many ranks took part");
        ks_add_note(c->diags, (ks_span){0}, "say --ranks N, or add a column ranks");
        return false;
    }
    ks_run *run = run_of(c, fields[COLUMN_ALGORITHM], ranks, ks_line_span(line, line->text));
    if (!run || ++c->n_rows > KS_MAX_TIMINGS)
        return bad(c, line, line->text, "more rows than anybody measures");
    *KS_PUSH(c->diags->arena, &run->timings) = (ks_timing){bytes, time * c->scale,
                                                           ks_line_span(line, fields[COLUMN_TIME])};
    return true;
}

bool ks_read_benchcsv(ks_diags *diags, const ks_source *source, int64_t ranks, ks_runs *runs)
{
    csv c = {.diags = diags, .runs = runs, .ranks = ranks};
    ks_line line;
    for (size_t at = 0; ks_next_line(source, &at, &line);) {
        if (line.n == 0 || line.words[0].s[0] == '#')
            continue;
        if (line.text.n > LONGEST_LINE)
            return bad(&c, &line, ks_slice(line.text, 0, 1),
                       "the line is too long for such a table");
        if (!(c.n_fields ? read_row(&c, &line) : read_header(&c, &line)))
            return false;
    }
    if (c.n_rows)
        return true;
    ks_error(diags, KS_B004, (ks_span){source, 0, 0}, "no time of an all-reduce in this file");
    ks_add_note(diags, (ks_span){0},
                "nccl-tests output, or a table that begins with the line bytes,time_us");
    return false;
}

/* ---- p2pBandwidthLatencyTest. ------------------------------------------------------------------------ */

typedef struct p2p {
    ks_diags *diags;
    ks_p2p_matrices *matrices;
    ks_p2p_matrix next;    /* what the last title says of it */
    ks_p2p_matrix *matrix; /* the one under way, or NULL */
    size_t n_rows;
    bool titled;
} p2p;

static bool has(const ks_line *line, const char *part)
{
    return ks_find_letters(line->text, part) < line->text.n;
}

/* "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)" and its like. */
static bool read_matrix_title(const ks_line *line, ks_p2p_matrix *next)
{
    if (!has(line, "matrix") || !has(line, "p2p"))
        return false;
    *next = (ks_p2p_matrix){.kind = has(line, "bidirectional") ? KS_P2P_BOTH_WAYS
                                    : has(line, "bandwidth")   ? KS_P2P_ONE_WAY
                                    : has(line, "latency")     ? KS_P2P_LATENCY
                                                               : KS_P2P_CONNECTIVITY,
                            .enabled = has(line, "=enabled"),
                            .at = ks_line_span(line, line->text)};
    return true;
}

bool ks_is_p2p(const ks_source *source)
{
    ks_line line;
    ks_p2p_matrix matrix;
    for (size_t at = 0, i = 0; i < 100000 && ks_next_line(source, &at, &line); i++)
        if (line.text.n < LONGEST_LINE && read_matrix_title(&line, &matrix))
            return true;
    return false;
}

/* All words of a line from `from` on are 0, 1, 2 ...; their number. */
static size_t count_heads(const ks_line *line, size_t from)
{
    int64_t value;
    for (size_t i = from; i < line->n && i < KS_COUNT(line->words); i++)
        if (!ks_read_count(line->words[i], &value) || value != (int64_t)(i - from))
            return 0;
    return line->n > from ? line->n - from : 0;
}

static bool fail_p2p(const p2p *p, const ks_line *line, ks_str part, const char *what)
{
    ks_error(p->diags, KS_B001, ks_line_span(line, part), "%s", what);
    return false;
}

/* The row of column numbers: "D\D 0 1 2", "GPU 0 1 2". The second table of latencies, by the CPU's
 * clock, says the same again. */
static bool begin_matrix(p2p *p, const ks_line *line)
{
    size_t n = count_heads(line, 1);
    p->titled = false;
    if (n == 0 || n > KS_COUNT(line->words) - 1)
        return fail_p2p(p, line, line->text,
                        "the matrix's columns must be 0, 1, 2 ..., at most 23");
    if (p->matrices->n == KS_MAX_P2P)
        return fail_p2p(p, line, line->text, "more matrices than that program prints");
    p->matrix = KS_PUSH(p->diags->arena, p->matrices);
    *p->matrix = p->next;
    p->matrix->n = n;
    p->matrix->cells = KS_NEW_ARRAY(p->diags->arena, double, n *n);
    p->n_rows = 0;
    return true;
}

static bool read_cell(const p2p *p, ks_str text, double *cell)
{
    static const double scales[] = {[KS_P2P_CONNECTIVITY] = 1,
                                    [KS_P2P_ONE_WAY] = 1e9,
                                    [KS_P2P_BOTH_WAYS] = 1e9,
                                    [KS_P2P_LATENCY] = 1e-6};
    if (ks_find_letters(text, "n/a") == 0 && text.n == 3) {
        *cell = (double)NAN;
        return true;
    }
    if (!ks_read_number(text, cell) || !(*cell >= 0) || *cell > 1e9)
        return false;
    *cell *= scales[p->matrix->kind];
    return true;
}

static bool read_matrix_row(p2p *p, const ks_line *line)
{
    int64_t number;
    ks_p2p_matrix *m = p->matrix;
    if (!ks_read_count(line->words[0], &number) || number != (int64_t)p->n_rows)
        return fail_p2p(p, line, line->words[0], "the matrix ends before its last row");
    if (line->n != m->n + 1)
        return fail_p2p(p, line, line->text,
                        "the row has not as many numbers as the matrix has columns");
    for (size_t i = 0; i < m->n; i++)
        if (!read_cell(p, line->words[i + 1], &m->cells[p->n_rows * m->n + i]))
            return fail_p2p(p, line, line->words[i + 1], "neither a number nor N/A");
    if (++p->n_rows == m->n)
        p->matrix = NULL;
    return true;
}

bool ks_read_p2p(ks_diags *diags, const ks_source *source, ks_p2p_matrices *matrices)
{
    p2p p = {.diags = diags, .matrices = matrices};
    size_t before = matrices->n;
    ks_line line;
    for (size_t at = 0; ks_next_line(source, &at, &line);) {
        bool good = true;
        if (line.n == 0 || line.text.n > LONGEST_LINE)
            continue;
        if (p.matrix)
            good = read_matrix_row(&p, &line);
        else if (p.titled && line.n > 1)
            good = begin_matrix(&p, &line);
        else if (read_matrix_title(&line, &p.next))
            p.titled = true;
        if (!good)
            return false;
    }
    if (p.matrix)
        ks_error(diags, KS_B001, p.matrix->at, "the file ends inside this matrix");
    else if (matrices->n == before)
        ks_error(diags, KS_B004, (ks_span){source, 0, 0},
                 "no matrix of p2pBandwidthLatencyTest in this file");
    return !p.matrix && matrices->n > before;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

double ks_p2p_median(ks_arena *arena, const ks_p2p_matrix *matrix)
{
    double *values = KS_NEW_ARRAY(arena, double, matrix->n * matrix->n + 1);
    size_t n = 0;
    for (size_t i = 0; i < matrix->n; i++)
        for (size_t j = 0; j < matrix->n; j++)
            if (i != j && !isnan(matrix->cells[i * matrix->n + j]))
                values[n++] = matrix->cells[i * matrix->n + j];
    if (n == 0)
        return (double)NAN;
    qsort(values, n, sizeof *values, by_value);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}
