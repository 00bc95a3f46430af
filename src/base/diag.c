#include "base/diag.h"

enum { LIMIT = 20, WIDEST_LINE = 160 };

static const char *const code_names[] = {
#define X(code, meaning) #code,
    KS_CODES(X)
#undef X
};

static const char *const code_meanings[] = {
#define X(code, meaning) meaning,
    KS_CODES(X)
#undef X
};

const char *ks_code_name(enum ks_code code)
{
    return code_names[code];
}

const char *ks_code_meaning(enum ks_code code)
{
    return code_meanings[code];
}

static bool is_same(const ks_diag *diag, enum ks_code code, ks_span span, ks_str text)
{
    const ks_source *one = diag->span.source, *other = span.source;
    return diag->code == code && diag->span.at == span.at && diag->span.n == span.n &&
           !one == !other && (!one || ks_equal(one->name, other->name)) &&
           ks_equal(diag->text, text);
}

/* True if this warning was told: a model that is built twice warns twice. */
static bool was_told(const ks_diags *diags, enum ks_code code, ks_span span, ks_str text)
{
    for (size_t i = diags->once_from; i < diags->n; i++)
        if (diags->items[i].severity == KS_WARNING && is_same(&diags->items[i], code, span, text))
            return true;
    return false;
}

static void add(ks_diags *diags, enum ks_severity severity, enum ks_code code, ks_span span,
                ks_str text)
{
    size_t same = 0;
    if (severity == KS_ERROR)
        diags->errors++;
    for (size_t i = 0; i < diags->n; i++)
        same += diags->items[i].severity == severity;
    if (severity == KS_WARNING && was_told(diags, code, span, text)) {
        diags->silent = true;
        return;
    }
    diags->silent = same >= LIMIT;
    if (diags->silent) {
        diags->dropped++;
        return;
    }
    ks_diag *diag = KS_PUSH(diags->arena, diags);
    *diag = (ks_diag){severity, code, span, text, NULL};
}

void ks_error(ks_diags *diags, enum ks_code code, ks_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(diags, KS_ERROR, code, span, ks_vformat(diags->arena, format, args));
    va_end(args);
}

void ks_warning(ks_diags *diags, enum ks_code code, ks_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(diags, KS_WARNING, code, span, ks_vformat(diags->arena, format, args));
    va_end(args);
}

void ks_add_note(ks_diags *diags, ks_span span, const char *format, ...)
{
    if (diags->n == 0 || diags->silent)
        return;
    ks_note *note = KS_NEW(diags->arena, ks_note);
    va_list args;
    va_start(args, format);
    note->text = ks_vformat(diags->arena, format, args);
    va_end(args);
    note->span = span;
    ks_note **end = &diags->items[diags->n - 1].notes;
    while (*end)
        end = &(*end)->next;
    *end = note;
}

void ks_suggest(ks_diags *diags, ks_str word, const ks_str *candidates, size_t n)
{
    if (diags->silent)
        return;
    ks_str nearest = ks_nearest(word, candidates, n);
    if (nearest.n)
        ks_add_note(diags, (ks_span){0}, "did you mean \"%.*s\"?", KS_ARG(nearest));
}

static bool inside_character(ks_str text, size_t at)
{
    return at < text.n && ((unsigned char)text.s[at] & 0xc0) == 0x80;
}

/* `at`, or where the UTF-8 character begins that it would cut. */
static size_t character_start(ks_str text, size_t at)
{
    for (int i = 0; i < 3 && at > 0 && inside_character(text, at); i++)
        at--;
    return at < text.n ? at : text.n;
}

/* The line and the carets under it, one a character. Tabs stay tabs, so that the carets stand
 * right; other control bytes are shown as '?'. */
static void write_excerpt(ks_span span, ks_sink sink)
{
    if (!span.source || span.source->text.n == 0)
        return;
    ks_str line = ks_line_of(span);
    size_t column = ks_position_of(span).column - 1;
    size_t from = character_start(line, column > WIDEST_LINE / 2 ? column - WIDEST_LINE / 2 : 0);
    size_t to = character_start(line, from + WIDEST_LINE);
    ks_put_c(sink, "    ");
    for (size_t i = from; i < to; i++) {
        char c = line.s[i];
        bool control = (unsigned char)c < 0x20 || c == 0x7f;
        ks_put(sink, (ks_str){control && c != '\t' ? "?" : &line.s[i], 1});
    }
    ks_put_c(sink, "\n    ");
    for (size_t i = from; i < column; i++)
        if (!inside_character(line, i))
            ks_put_c(sink, i < line.n && line.s[i] == '\t' ? "\t" : " ");
    ks_put_c(sink, "^");
    for (size_t i = column + 1; i < to && i - column < span.n; i++)
        if (!inside_character(line, i))
            ks_put_c(sink, "^");
    ks_put_c(sink, "\n");
}

static void write_place(ks_span span, ks_sink sink)
{
    char text[32];
    size_t n = sizeof text;
    if (!span.source)
        return;
    ks_put(sink, span.source->name);
    if (span.source->text.n == 0) {
        ks_put_c(sink, ": ");
        return;
    }
    ks_position p = ks_position_of(span);
    unsigned parts[2] = {p.column, p.line};
    text[--n] = ' ';
    text[--n] = ':';
    for (int i = 0; i < 2; i++) {
        do
            text[--n] = (char)('0' + parts[i] % 10);
        while (parts[i] /= 10);
        text[--n] = ':';
    }
    ks_put(sink, (ks_str){text + n, sizeof text - n});
}

static void write_one(const ks_diag *diag, bool colour, ks_sink sink)
{
    bool error = diag->severity == KS_ERROR;
    if (!diag->span.source)
        ks_put_c(sink, "kvsim: ");
    write_place(diag->span, sink);
    if (colour)
        ks_put_c(sink, error ? "\033[1;31m" : "\033[1;35m");
    ks_put_c(sink, error ? "error[" : "warning[");
    ks_put_c(sink, ks_code_name(diag->code));
    ks_put_c(sink, "]");
    if (colour)
        ks_put_c(sink, "\033[0m");
    ks_put_c(sink, ": ");
    ks_put(sink, diag->text);
    ks_put_c(sink, "\n");
    write_excerpt(diag->span, sink);
    for (const ks_note *note = diag->notes; note; note = note->next) {
        write_place(note->span, sink);
        ks_put_c(sink, note->span.source ? "note: " : "  note: ");
        ks_put(sink, note->text);
        ks_put_c(sink, "\n");
        write_excerpt(note->span, sink);
    }
}

void ks_write_diags(const ks_diags *diags, size_t from, bool colour, ks_sink sink)
{
    for (size_t i = from; i < diags->n; i++)
        write_one(&diags->items[i], colour, sink);
    if (diags->dropped)
        ks_put_c(sink, "kvsim: more messages of this kind are not shown\n");
}
