#include "read/log.h"

/* "repr", ".2f" or "GiB:.2f"; false if it is none. */
static bool read_style(ks_str style, ks_log_piece *piece)
{
    ks_dim dim;
    ks_str decimals = style;
    piece->scale = 1;
    piece->exact = ks_equal_c(style, "repr");
    if (piece->exact)
        return true;
    if (style.n && style.s[0] != '.')
        piece->unit = ks_cut(style, ':', &decimals);
    if (decimals.n != 3 || decimals.s[0] != '.' || decimals.s[2] != 'f')
        return false;
    return !piece->unit.n || ks_parse_unit(piece->unit, &piece->scale, &dim) == piece->unit.n;
}

static void add_literal(ks_arena *arena, ks_log_pattern *p, ks_str text)
{
    if (!text.n)
        return;
    p->n_literal += text.n;
    if (p->n && p->items[p->n - 1].kind == KS_LOG_TEXT) /* behind a doubled brace */
        p->items[p->n - 1].text = ks_concat(arena, p->items[p->n - 1].text, text);
    else
        *KS_PUSH(arena, p) = (ks_log_piece){.kind = KS_LOG_TEXT, .text = text};
}

static void add_hole(ks_arena *arena, ks_log_pattern *p, ks_str inside)
{
    ks_log_piece piece = {.kind = KS_LOG_ANYTHING};
    ks_str style;
    piece.text = ks_cut(inside, ':', &style);
    if (style.n && p->n_numbers < KS_LOG_NUMBERS && read_style(style, &piece)) {
        piece.kind = KS_LOG_NUMBER;
        p->n_numbers++;
    }
    *KS_PUSH(arena, p) = piece;
}

bool ks_log_pattern_of(ks_arena *arena, ks_str text, ks_log_pattern *pattern)
{
    size_t from = 0, i = 0;
    *pattern = (ks_log_pattern){.text = text};
    while (i < text.n) {
        char c = text.s[i];
        bool doubled = i + 1 < text.n && text.s[i + 1] == c;
        size_t close = c == '{' && !doubled ? ks_find_byte(text, '}', i) : text.n;
        if ((c != '{' && c != '}') || (!doubled && close == text.n)) {
            i++;
            continue;
        }
        add_literal(arena, pattern, ks_slice(text, from, doubled ? i + 1 : i));
        if (!doubled)
            add_hole(arena, pattern, ks_slice(text, i + 1, close));
        from = i = doubled ? i + 2 : close + 1;
    }
    add_literal(arena, pattern, ks_slice(text, from, text.n));
    while (pattern->anchor < pattern->n && pattern->items[pattern->anchor].kind != KS_LOG_TEXT)
        pattern->anchor++;
    return pattern->anchor < pattern->n;
}
