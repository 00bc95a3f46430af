#include "read/flagtext.h"

#include "base/num.h"

#include <string.h>

typedef struct reader {
    ks_arena *arena;
    ks_str text;
    size_t at;
    ks_python_items found;
} reader;

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

static char here(const reader *r)
{
    return r->at < r->text.n ? r->text.s[r->at] : '\0';
}

/* A name, with '_' for '-'. */
static ks_str take_name(reader *r)
{
    size_t from = r->at;
    while (r->at < r->text.n && is_name_byte(r->text.s[r->at]))
        r->at++;
    ks_str name = ks_slice(r->text, from, r->at);
    return ks_replace(r->arena, name, '-', '_');
}

static enum ks_python_kind kind_of(ks_str text)
{
    double number;
    if (ks_equal_c(text, "True") || ks_equal_c(text, "False"))
        return KS_PY_TRUTH;
    if (ks_equal_c(text, "None"))
        return KS_PY_NONE;
    return ks_parse_decimal(text, &number) == text.n ? KS_PY_NUMBER : KS_PY_OTHER;
}

/* A value in quotes, or up to a byte that ends one. False if there is none. */
static bool take_value(reader *r, ks_python_item *item)
{
    static const char ends[] = " \t,;)]}\"'`|";
    char quote = here(r);
    bool quoted = quote == '\'' || quote == '"';
    size_t from = r->at + quoted, to = from;
    while (to < r->text.n && (quoted ? r->text.s[to] != quote
                                     : r->text.s[to] && !strchr(ends, r->text.s[to])))
        to++;
    if (quoted && to == r->text.n)
        return false;
    r->at = to + quoted;
    while (!quoted && to > from && r->text.s[to - 1] == '.') /* it ends a sentence, or stands for more */
        to--;
    ks_str text = ks_slice(r->text, from, to);
    if (!text.n || (!quoted && strchr("[{(<", text.s[0])))
        return false;
    item->text = ks_copy(r->arena, text);
    item->kind = quoted ? KS_PY_TEXT : kind_of(item->text);
    return true;
}

static void add(reader *r, ks_python_item item)
{
    if (r->found.n < KS_MAX_PYTHON_ITEMS)
        *KS_PUSH(r->arena, &r->found) = item;
}

/* What stands behind "--". */
static void take_option(reader *r)
{
    ks_python_item item = {.name = take_name(r)};
    bool equals = here(r) == '=';
    if (!item.name.n)
        return;
    size_t behind = r->at;
    r->at += equals;
    while (!equals && (here(r) == ' ' || here(r) == '\t'))
        r->at++;
    bool alone = !equals && (r->at == behind || r->at == r->text.n || here(r) == '-' || here(r) == '\\');
    if (alone || !take_value(r, &item)) {
        r->at = alone ? behind : r->at;
        item.kind = KS_PY_TRUTH;
        item.text = KS_STR("True");
        if (!alone)
            return;
    }
    add(r, item);
}

ks_python_items ks_read_flag_text(ks_arena *arena, ks_str text)
{
    reader r = {.arena = arena, .text = text};
    while (r.at < text.n) {
        bool begins = r.at == 0 || !is_name_byte(text.s[r.at - 1]);
        if (begins && ks_starts_with(ks_slice(text, r.at, text.n), KS_STR("--"))) {
            r.at += 2;
            take_option(&r);
            continue;
        }
        if (!begins || !is_name_byte(here(&r)) || here(&r) == '-') {
            r.at++;
            continue;
        }
        ks_python_item item = {.name = take_name(&r)};
        if (here(&r) != '=')
            continue;
        r.at++;
        bool good = take_value(&r, &item);
        bool may_lack_digits = item.kind == KS_PY_NUMBER && r.at == text.n && text.s[text.n - 1] != '.';
        if (good && !may_lack_digits)
            add(&r, item);
    }
    r.found.complete = false;
    return r.found;
}
