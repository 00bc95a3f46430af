#include "expl/template.h"

#include "base/num.h"

static ks_span place(ks_formula text, size_t from, size_t n)
{
    return text.exact ? ks_span_part(text.span, from, n) : text.span;
}

bool ks_read_style(ks_str style, ks_piece *piece)
{
    piece->style = KS_PIECE_SHOWN;
    if (style.n == 0)
        return true;
    piece->style = KS_PIECE_REPR;
    if (ks_equal_c(style, "repr"))
        return true;
    ks_str decimals = style;
    if (style.s[0] != '.')
        piece->text = ks_cut(style, ':', &decimals);
    piece->style = KS_PIECE_DECIMALS;
    if (decimals.n != 3 || decimals.s[0] != '.' || decimals.s[2] != 'f' || decimals.s[1] < '0' ||
        decimals.s[1] > '9')
        return false;
    piece->decimals = decimals.s[1] - '0';
    return true;
}

static bool add_hole(ks_program *program, ks_formula text, size_t from, size_t to,
                     ks_template *result)
{
    ks_str style, inside = ks_slice(text.text, from, to);
    if (ks_equal_c(inside, "*")) {
        *KS_PUSH(program->arena, result) = (ks_piece){KS_PIECE_TEXT, KS_STR("..."), -1, 0};
        return true;
    }
    ks_str name = ks_cut(inside, ':', &style);
    ks_piece *piece = KS_PUSH(program->arena, result);
    piece->def = ks_find_in(program, text.scope, name);
    if (piece->def < 0) {
        ks_error(program->diags, KS_F002, place(text, from, name.n), "\"%.*s\" is not known here",
                 KS_ARG(name));
        ks_suggest_name(program, name);
        return false;
    }
    if (ks_read_style(style, piece))
        return true;
    ks_error(program->diags, KS_F001, place(text, from, to - from),
             "a hole is {name}, {name:GiB:.2f}, {name:.4f} or {name:repr}");
    return false;
}

static void add_text(ks_program *program, ks_str text, ks_template *result)
{
    if (text.n)
        *KS_PUSH(program->arena, result) = (ks_piece){KS_PIECE_TEXT, text, -1, 0};
}

bool ks_read_template(ks_program *program, ks_formula text, ks_template *result)
{
    size_t from = 0;
    *result = (ks_template){NULL, 0, 0};
    for (size_t i = 0; i < text.text.n; i++) {
        char c = text.text.s[i];
        if (c != '{' && c != '}')
            continue;
        bool doubled = i + 1 < text.text.n && text.text.s[i + 1] == c;
        add_text(program, ks_slice(text.text, from, doubled ? i + 1 : i), result);
        from = doubled ? i + 2 : i + 1;
        i += doubled ? 1 : 0;
        if (doubled || c == '}')
            continue;
        size_t close = ks_find_byte(text.text, '}', from);
        if (close == text.text.n) {
            ks_error(program->diags, KS_F001, place(text, i, 1), "this brace is never closed");
            return false;
        }
        if (!add_hole(program, text, from, close, result))
            return false;
        i = close;
        from = close + 1;
    }
    add_text(program, ks_slice(text.text, from, text.text.n), result);
    return true;
}

ks_str ks_show_cell(const ks_program *program, ks_type type, ks_cell value)
{
    switch (type.base) {
    case KS_TRUTH:
        return value.i ? KS_STR("true") : KS_STR("false");
    case KS_WORD:
        return ks_word_text(program, value.i);
    case KS_WHOLE:
    case KS_REAL:
        break;
    }
    return ks_show(program->arena, ks_as_real(type, value), type.dim, type.base == KS_WHOLE);
}

ks_str ks_show_piece(const ks_program *program, const ks_piece *piece, ks_type type, ks_cell value)
{
    double number = ks_as_real(type, value);
    bool is_number = type.base == KS_WHOLE || type.base == KS_REAL;
    if (piece->style == KS_PIECE_DECIMALS && is_number)
        return ks_show_in(program->arena, number, type.dim, piece->text, piece->decimals);
    if (piece->style == KS_PIECE_REPR && type.base == KS_REAL)
        return ks_shortest(program->arena, number);
    return ks_show_cell(program, type, value);
}

ks_str ks_fill_template(const ks_program *program, const ks_template *text, const ks_plan *plan,
                        size_t rank_class, size_t lane)
{
    ks_builder b = {.arena = program->arena};
    for (size_t i = 0; i < text->n; i++) {
        const ks_piece *piece = &text->items[i];
        if (piece->style == KS_PIECE_TEXT)
            ks_add(&b, piece->text);
        else
            ks_add(&b, ks_show_piece(program, piece, program->defs.items[piece->def].type,
                                     ks_plan_get(plan, piece->def, rank_class, lane)));
    }
    return ks_built(&b);
}
