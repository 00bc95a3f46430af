#include "read/matrix.h"

#include "base/num.h"

#include <string.h>

enum { MOST_WORDS = 200, MOST_NVLINKS = 64 };

/* Words of a line, with their places in the source. */
typedef struct words {
    ks_str items[MOST_WORDS];
    uint32_t at[MOST_WORDS];
    size_t n;
} words;

typedef struct reader {
    ks_diags *diags;
    const ks_source *source;
    ks_matrix *matrix;
    size_t at;        /* of the next line */
    size_t n_columns; /* behind the devices: CPU, NUMA, GPU NUMA */
    bool has_numa;
    bool about_peers; /* what the text calls a matrix of `-p2p` is one of reads or writes */
} reader;

/* ---- Lines and words. ------------------------------------------------------------------------------ */

/* A bar parts cells of a table in Markdown. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == '|';
}

/* Length of a terminal's escape sequence at the start of text, or 0: ESC [ ... letter. */
static size_t escape_length(ks_str text)
{
    size_t n = 2;
    if (text.n < 2 || text.s[0] != '\033' || text.s[1] != '[')
        return 0;
    while (n < text.n && ((text.s[n] >= '0' && text.s[n] <= '9') || text.s[n] == ';'))
        n++;
    return n < text.n ? n + 1 : n;
}

/* The words of a line; escape sequences part them as blanks do. False if there are too many. */
static bool split_line(ks_str line, size_t at, words *w)
{
    size_t i = 0;
    w->n = 0;
    while (i < line.n) {
        size_t escape = escape_length(ks_slice(line, i, line.n)), from = i;
        bool quotes = w->n == 0 && line.s[i] == '>';
        if (escape || quotes || is_blank(line.s[i])) {
            i += escape ? escape : 1;
            continue;
        }
        while (i < line.n && !is_blank(line.s[i]) && line.s[i] != '\033')
            i++;
        if (i == from)
            i++; /* an escape that is none */
        if (w->n == MOST_WORDS)
            return false;
        w->at[w->n] = (uint32_t)(at + from);
        w->items[w->n++] = ks_slice(line, from, i);
    }
    return true;
}

static bool next_line(reader *r, words *w)
{
    ks_str text = r->source->text;
    if (r->at >= text.n)
        return false;
    size_t end = ks_find_byte(text, '\n', r->at);
    if (!split_line(ks_slice(text, r->at, end), r->at, w))
        w->n = 0; /* longer than any matrix: a line of something else */
    r->at = end + 1;
    return true;
}

static ks_span span_of(const reader *r, const words *w, size_t i)
{
    return (ks_span){r->source, w->at[i], (uint32_t)w->items[i].n};
}

static bool fail(const reader *r, ks_span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail(const reader *r, ks_span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ks_str text = ks_vformat(r->diags->arena, format, args);
    va_end(args);
    ks_error(r->diags, KS_T007, at, "%.*s", KS_ARG(text));
    return false;
}

/* ---- The head: names of columns. --------------------------------------------------------------------- */

/* The number behind a word such as "GPU12", or -1. */
static int64_t number_behind(ks_str text, ks_str word)
{
    int64_t number = 0;
    if (!ks_starts_with(text, word) || text.n == word.n || text.n > word.n + 4)
        return -1;
    for (size_t i = word.n; i < text.n; i++) {
        if (text.s[i] < '0' || text.s[i] > '9')
            return -1;
        number = 10 * number + (text.s[i] - '0');
    }
    return number;
}

static bool is_gpu_name(ks_str text)
{
    return number_behind(text, KS_STR("GPU")) >= 0;
}

/* A head names two devices at least, GPU0 first: a row has no other name behind its own. A machine with a
 * single GPU and no network card has only the columns of affinity behind it. */
static bool is_head(const words *w)
{
    bool alone = w->n > 1 && ks_equal_c(w->items[1], "CPU");
    return w->n > 1 && ks_equal_c(w->items[0], "GPU0") &&
           (alone || is_gpu_name(w->items[1]) || number_behind(w->items[1], KS_STR("NIC")) >= 0 ||
            ks_starts_with(w->items[1], KS_STR("mlx")));
}

bool ks_is_matrix(ks_str text)
{
    words w;
    for (size_t at = ks_starts_with(text, KS_STR("\xef\xbb\xbf")) ? 3 : 0; at < text.n;) {
        size_t end = ks_find_byte(text, '\n', at);
        if (split_line(ks_slice(text, at, end), at, &w) && is_head(&w))
            return true;
        at = end + 1;
    }
    return false;
}

/* The columns behind the devices: "CPU Affinity", "NUMA Affinity", "GPU NUMA ID". */
static bool read_other_columns(reader *r, const words *w, size_t from)
{
    static const char *const columns[][3] = {
        {"CPU", "Affinity", NULL}, {"NUMA", "Affinity", NULL}, {"GPU", "NUMA", "ID"}};
    for (size_t i = from; i < w->n; r->n_columns++) {
        size_t k = r->n_columns, n = 0;
        while (k < KS_COUNT(columns) && n < 3 && columns[k][n] && i + n < w->n &&
               ks_equal_c(w->items[i + n], columns[k][n]))
            n++;
        if (k == KS_COUNT(columns) || (n < 3 && columns[k][n]))
            return fail(r, span_of(r, w, i), "no column of `nvidia-smi topo -m` is called \"%.*s\"",
                        KS_ARG(w->items[i]));
        r->has_numa |= k == 1;
        i += n;
    }
    return true;
}

static bool read_head(reader *r, const words *w)
{
    ks_matrix *m = r->matrix;
    size_t n = 0;
    while (n < w->n && !ks_equal_c(w->items[n], "CPU") && n <= KS_MAX_MATRIX_DEVICES)
        n++;
    if (n > KS_MAX_MATRIX_DEVICES)
        return fail(r, span_of(r, w, n - 1), "more than %d devices", KS_MAX_MATRIX_DEVICES);
    m->at = span_of(r, w, 0);
    m->devices = KS_NEW_ARRAY(r->diags->arena, ks_matrix_device, n);
    m->cells = KS_NEW_ARRAY(r->diags->arena, ks_matrix_cell, n * n);
    m->n = n;
    for (size_t i = 0; i < n; i++) {
        bool is_gpu = is_gpu_name(w->items[i]);
        m->devices[i] = (ks_matrix_device){w->items[i], is_gpu, -1, {NULL, 0}, span_of(r, w, i)};
        m->n_gpus += is_gpu;
        if (w->items[i].n > KS_MAX_MATRIX_NAME)
            return fail(r, span_of(r, w, i), "a name of more than %d letters", KS_MAX_MATRIX_NAME);
        for (size_t k = 0; k < i; k++)
            if (ks_equal(m->devices[k].name, w->items[i]))
                return fail(r, span_of(r, w, i), "\"%.*s\" is there twice", KS_ARG(w->items[i]));
    }
    return read_other_columns(r, w, n);
}

/* ---- Rows. ----------------------------------------------------------------------------------------------- */

static int find_device(const ks_matrix *m, ks_str name)
{
    for (size_t i = 0; i < m->n; i++)
        if (ks_equal(m->devices[i].name, name))
            return (int)i;
    return -1;
}

static bool read_cell(const reader *r, const words *w, size_t i, ks_matrix_cell *cell)
{
    static const struct {
        const char *word;
        enum ks_nearness nearness;
    } words_of[] = {{"X", KS_NEAR_SELF},  {"PIX", KS_NEAR_PIX},   {"PXB", KS_NEAR_PXB},
                    {"PHB", KS_NEAR_PHB}, {"NODE", KS_NEAR_NODE}, {"SYS", KS_NEAR_SYS},
                    {"SOC", KS_NEAR_SYS}};
    cell->at = span_of(r, w, i);
    for (size_t k = 0; k < KS_COUNT(words_of); k++)
        if (ks_equal_c(w->items[i], words_of[k].word)) {
            cell->nearness = words_of[k].nearness;
            return true;
        }
    cell->links = number_behind(w->items[i], KS_STR("NV"));
    cell->nearness = KS_NEAR_NVLINK;
    if (cell->links >= 1 && cell->links <= MOST_NVLINKS)
        return true;
    fail(r, cell->at, "\"%.*s\" is no word of `nvidia-smi topo -m`", KS_ARG(w->items[i]));
    ks_add_note(r->diags, (ks_span){0},
                "known are X, NV and a number, PIX, PXB, PHB, NODE, SYS and SOC");
    return false;
}

/* What stands behind the cells of a GPU's row: its CPUs and its NUMA node. */
static void read_affinity(const reader *r, const words *w, size_t from, ks_matrix_device *device)
{
    int64_t numa;
    if (w->n < from + r->n_columns)
        return; /* one is empty: which, the words do not tell */
    if (r->n_columns > 0)
        device->cpus = w->items[from];
    if (!r->has_numa)
        return;
    numa = number_behind(w->items[from + 1], KS_STR(""));
    device->numa = numa;
}

static bool read_row(const reader *r, const words *w, int row)
{
    ks_matrix *m = r->matrix;
    if (m->cells[(size_t)row * m->n].nearness != KS_NEAR_UNTOLD)
        return fail(r, span_of(r, w, 0), "two rows of \"%.*s\"", KS_ARG(w->items[0]));
    if (w->n < m->n + 1) {
        fail(r, span_of(r, w, 0), "the row of %.*s has %zu cells, the head %zu devices",
             KS_ARG(w->items[0]), w->n - 1, m->n);
        ks_add_note(r->diags, m->at, "the head");
        return false;
    }
    m->devices[row].at = span_of(r, w, 0);
    for (size_t i = 0; i < m->n; i++) {
        ks_matrix_cell *cell = &m->cells[(size_t)row * m->n + i];
        if (!read_cell(r, w, i + 1, cell))
            return false;
        if ((cell->nearness == KS_NEAR_SELF) != (i == (size_t)row))
            return fail(r, cell->at, "X must stand where a device meets itself, and only there");
    }
    read_affinity(r, w, m->n + 1, &m->devices[row]);
    return true;
}

static bool read_rows(reader *r)
{
    words w;
    bool begun = false;
    size_t before = r->at;
    while (next_line(r, &w)) {
        int row = w.n ? find_device(r->matrix, w.items[0]) : -1;
        if (row < 0 && begun) {
            if (w.n > r->matrix->n &&
                (is_gpu_name(w.items[0]) || ks_starts_with(w.items[0], KS_STR("MIG"))))
                return fail(r, span_of(r, &w, 0), "no column is called \"%.*s\"",
                            KS_ARG(w.items[0]));
            break; /* the legend, or a prompt */
        }
        if (row < 0)
            continue;
        begun = true;
        if (!read_row(r, &w, row))
            return false;
        before = r->at;
    }
    r->at = before;
    return true;
}

/* ---- Matrices of `-p2p`. ------------------------------------------------------------------------------------ */

static bool is_status(ks_str word)
{
    static const char *const words_of[] = {"OK", "CNS", "GNS", "TNS", "NS", "DR", "U"};
    for (size_t i = 0; i < KS_COUNT(words_of); i++)
        if (ks_equal_c(word, words_of[i]))
            return true;
    return false;
}

/* "GPU0 X OK GNS" */
static bool is_status_row(const words *w)
{
    bool any = false;
    for (size_t i = 1; i < w->n; i++) {
        if (!is_status(w->items[i]) && !ks_equal_c(w->items[i], "X"))
            return false;
        any |= is_status(w->items[i]);
    }
    return any && is_gpu_name(w->items[0]);
}

/* `nvidia-smi topo -p2p n` tells of NVLink, `a` of atomics, `p` of the property: not of reads and writes. */
static void note_command(reader *r, const words *w)
{
    for (size_t i = 0; i + 1 < w->n; i++)
        if (ks_equal_c(w->items[i], "-p2p"))
            r->about_peers = w->items[i + 1].s[0] == 'r' || w->items[i + 1].s[0] == 'w';
}

/* Behind a head of `n` GPUs: the rows, if they are of `-p2p`. What is cut off tells nothing. */
static bool read_peers(reader *r, size_t n)
{
    words w;
    size_t at = r->at, rows = 0, allowed = 0, whole = 0;
    ks_span refused = {0};
    while (next_line(r, &w) && (is_status_row(&w) || (w.n == 0 && rows == 0))) {
        at = r->at;
        rows += w.n > 0;
        whole += w.n == n + 1;
        for (size_t i = 1; i < w.n; i++) {
            bool ok = ks_equal_c(w.items[i], "OK");
            allowed += ok;
            if (is_status(w.items[i]) && !ok && !refused.source)
                refused = span_of(r, &w, i);
        }
    }
    r->at = at;
    if (r->about_peers && rows == n && whole == n && !r->matrix->peers_told) {
        r->matrix->peers_told = true;
        r->matrix->peers_refused = refused;
        r->matrix->peers_differ = refused.source && allowed;
        r->matrix->n_peers = n;
    }
    return rows > 0;
}

/* GPUs of a head: its names, up to the columns behind them. */
static size_t gpus_of(const words *w)
{
    size_t n = 0;
    while (n < w->n && is_gpu_name(w->items[n]))
        n++;
    return n;
}

/* ---- Legend and triangles. --------------------------------------------------------------------------------- */

/* "  NIC0: mlx5_0" */
static void read_legend(reader *r)
{
    words w;
    while (next_line(r, &w)) {
        note_command(r, &w);
        if (is_head(&w))
            read_peers(r, gpus_of(&w));
        if (w.n != 2 || w.items[0].n < 2 || w.items[1].n > KS_MAX_MATRIX_NAME)
            continue;
        ks_str name = ks_slice(w.items[0], 0, w.items[0].n - 1);
        int device = w.items[0].s[name.n] == ':' ? find_device(r->matrix, name) : -1;
        if (device >= 0 && !r->matrix->devices[device].is_gpu &&
            find_device(r->matrix, w.items[1]) < 0)
            r->matrix->devices[device].name = w.items[1];
    }
}

/* A row that is missing is filled from the column; both must agree. */
static bool check_triangles(const reader *r)
{
    ks_matrix *m = r->matrix;
    for (size_t i = 0; i < m->n; i++) {
        if (m->devices[i].is_gpu && m->cells[i * m->n + i].nearness == KS_NEAR_UNTOLD)
            return fail(r, m->devices[i].at, "there is no row of %.*s", KS_ARG(m->devices[i].name));
        for (size_t k = 0; k < i; k++) {
            ks_matrix_cell *a = &m->cells[i * m->n + k], *b = &m->cells[k * m->n + i];
            if (a->nearness == KS_NEAR_UNTOLD)
                *a = *b;
            if (b->nearness == KS_NEAR_UNTOLD)
                *b = *a;
            if (a->nearness == b->nearness && a->links == b->links)
                continue;
            fail(r, a->at, "%.*s and %.*s are joined in two ways", KS_ARG(m->devices[i].name),
                 KS_ARG(m->devices[k].name));
            ks_add_note(r->diags, b->at, "the other one");
            return false;
        }
    }
    return true;
}

const ks_matrix *ks_read_matrix(ks_diags *diags, const ks_source *source)
{
    words w = {.n = 0};
    reader r = {.diags = diags,
                .source = source,
                .matrix = KS_NEW(diags->arena, ks_matrix),
                .about_peers = true};
    bool found = false;
    r.at = ks_starts_with(source->text, KS_STR("\xef\xbb\xbf")) ? 3 : 0;
    while (!found && next_line(&r, &w)) {
        note_command(&r, &w);
        found = is_head(&w) && !read_peers(&r, gpus_of(&w));
    }
    if (!found) {
        fail(&r, (ks_span){source, 0, 0}, "no matrix of `nvidia-smi topo -m` is in this text");
        ks_add_note(diags, (ks_span){0}, "it begins with a line of the names GPU0, GPU1, ...");
        return NULL;
    }
    if (!read_head(&r, &w) || !read_rows(&r))
        return NULL;
    read_legend(&r);
    if (r.matrix->n_peers != r.matrix->n_gpus)
        r.matrix->peers_told = false;
    return check_triangles(&r) ? r.matrix : NULL;
}
