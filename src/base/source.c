#include "base/source.h"

const ks_source *ks_source_new(ks_arena *arena, ks_str name, ks_str text)
{
    ks_source *source = KS_NEW(arena, ks_source);
    source->name = name;
    source->text = text;
    size_t n = 1;
    for (size_t at = ks_find_byte(text, '\n', 0); at < text.n; at = ks_find_byte(text, '\n', at + 1))
        n++;
    source->lines = KS_NEW_ARRAY(arena, size_t, n);
    size_t line = 1;
    for (size_t at = ks_find_byte(text, '\n', 0); at < text.n; at = ks_find_byte(text, '\n', at + 1))
        source->lines[line++] = at + 1;
    source->n_lines = n;
    return source;
}

/* Index of the line that holds byte `at`. */
static size_t line_index(const ks_source *source, size_t at)
{
    size_t low = 0, high = source->n_lines;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

ks_position ks_position_of(ks_span span)
{
    if (!span.source)
        return (ks_position){0, 0};
    size_t line = line_index(span.source, span.at);
    return (ks_position){(unsigned)(line + 1), (unsigned)(span.at - span.source->lines[line] + 1)};
}

ks_str ks_line_of(ks_span span)
{
    if (!span.source)
        return (ks_str){NULL, 0};
    size_t from = span.source->lines[line_index(span.source, span.at)];
    size_t to = ks_find_byte(span.source->text, '\n', from);
    if (to > from && span.source->text.s[to - 1] == '\r')
        to--;
    return ks_slice(span.source->text, from, to);
}

ks_str ks_where(ks_arena *arena, ks_span span)
{
    if (!span.source)
        return (ks_str){NULL, 0};
    if (span.source->text.n == 0)
        return span.source->name;
    ks_position p = ks_position_of(span);
    return ks_format(arena, "%.*s:%u:%u", KS_ARG(span.source->name), p.line, p.column);
}

ks_span ks_span_part(ks_span span, size_t from, size_t n)
{
    if (from > span.n)
        from = span.n;
    if (n > span.n - from)
        n = span.n - from;
    return (ks_span){span.source, span.at + (uint32_t)from, (uint32_t)n};
}
