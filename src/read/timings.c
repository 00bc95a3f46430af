#include "read/timings.h"

#include "base/num.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool ks_next_line(const ks_source *source, size_t *at, ks_line *line)
{
    if (*at >= source->text.n)
        return false;
    size_t end = ks_find_byte(source->text, '\n', *at), i = 0;
    *line = (ks_line){.source = source, .text = ks_slice(source->text, *at, end), .at = *at};
    while (i < line->text.n) {
        size_t from;
        while (i < line->text.n && is_blank(line->text.s[i]))
            i++;
        for (from = i; i < line->text.n && !is_blank(line->text.s[i]);)
            i++;
        if (i == from)
            break;
        if (line->n == KS_COUNT(line->words)) {
            line->n++;
            break;
        }
        line->words[line->n++] = ks_slice(line->text, from, i);
    }
    *at = end + 1;
    return true;
}

ks_span ks_line_span(const ks_line *line, ks_str part)
{
    size_t from = part.s ? (size_t)(part.s - line->text.s) : 0;
    return (ks_span){line->source, (uint32_t)(line->at + from), (uint32_t)part.n};
}

static bool begins_with(ks_str text, size_t at, const char *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (tolower((unsigned char)text.s[at + i]) != tolower((unsigned char)part[i]))
            return false;
    return true;
}

size_t ks_find_letters(ks_str text, const char *part)
{
    size_t n = strlen(part);
    for (size_t at = 0; at + n <= text.n; at++)
        if (begins_with(text, at, part, n))
            return at;
    return text.n;
}

bool ks_read_count(ks_str text, int64_t *value)
{
    int64_t sum = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.s[i] < '0' || text.s[i] > '9')
            return false;
        sum = i < 18 ? 10 * sum + (text.s[i] - '0') : sum;
    }
    *value = sum;
    return text.n > 0 && text.n <= 18;
}

bool ks_read_number(ks_str text, double *value)
{
    return text.n > 0 && ks_parse_decimal(text, value) == text.n && isfinite(*value);
}
