#include "read/python.h"

#include "base/num.h"

/* An open bracket. */
typedef struct level {
    size_t name_n; /* bytes of the name that its values have in front */
    bool listed;   /* values here may have no name of their own */
} level;

typedef struct reader {
    ks_arena *arena;
    ks_str text;
    size_t at;
    level levels[KS_MAX_PYTHON_DEPTH];
    size_t depth;
    char name[256]; /* of the value that comes next */
    size_t name_n;
    ks_python_items found;
} reader;

static char here(const reader *r)
{
    return r->at < r->text.n ? r->text.s[r->at] : '\0';
}

static void skip_blanks(reader *r)
{
    while (here(r) == ' ' || here(r) == '\t')
        r->at++;
}

static bool is_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '+' || c == '-';
}

static ks_str take_word(reader *r)
{
    size_t from = r->at;
    while (r->at < r->text.n && is_word_byte(r->text.s[r->at]))
        r->at++;
    return ks_slice(r->text, from, r->at);
}

static char unescaped(char c)
{
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* A text in quotes; false if it does not end. */
static bool take_text(reader *r, ks_str *text)
{
    ks_builder b = {.arena = r->arena};
    char quote = here(r);
    for (r->at++; r->at < r->text.n && here(r) != quote; r->at++) {
        char c = here(r);
        if (c == '\\' && r->at + 1 < r->text.n)
            c = unescaped(r->text.s[++r->at]);
        ks_add(&b, (ks_str){&c, 1});
    }
    *text = ks_built(&b);
    return r->at++ < r->text.n;
}

static void add_item(reader *r, enum ks_python_kind kind, ks_str text)
{
    if (r->found.n == KS_MAX_PYTHON_ITEMS || r->name_n == 0)
        return;
    ks_str name = {r->name, r->name_n};
    *KS_PUSH(r->arena, &r->found) =
        (ks_python_item){ks_copy(r->arena, name), kind, ks_copy(r->arena, text),
                         r->levels[r->depth - 1].listed && r->name_n == r->levels[r->depth - 1].name_n};
}

static enum ks_python_kind kind_of(ks_str word)
{
    double number;
    if (ks_equal_c(word, "None"))
        return KS_PY_NONE;
    if (ks_equal_c(word, "True") || ks_equal_c(word, "False"))
        return KS_PY_TRUTH;
    return word.n && ks_parse_decimal(word, &number) == word.n ? KS_PY_NUMBER : KS_PY_OTHER;
}

static bool push(reader *r, bool listed)
{
    r->at++;
    if (r->depth == KS_MAX_PYTHON_DEPTH)
        return false;
    r->levels[r->depth++] = (level){r->name_n, listed};
    return true;
}

/* "<Backend.FULL: 'full'>", as enumerations are printed: the value behind the colon. */
static void take_angled(reader *r)
{
    ks_str value;
    size_t close = ks_find_byte(r->text, '>', r->at);
    ks_str inside = ks_slice(r->text, r->at + 1, close);
    ks_cut(inside, ':', &value);
    value = ks_trim(value.n ? value : inside);
    bool quoted = value.n > 1 && value.s[0] == '\'' && value.s[value.n - 1] == '\'';
    add_item(r, quoted ? KS_PY_TEXT : KS_PY_OTHER, quoted ? ks_slice(value, 1, value.n - 1) : value);
    r->at = close < r->text.n ? close + 1 : close;
}

/* Adds to the name of the value that comes next. */
static void set_name(reader *r, ks_str part)
{
    size_t n = r->levels[r->depth - 1].name_n;
    if (n + 1 + part.n > sizeof r->name)
        part.n = 0;
    if (n && part.n)
        r->name[n++] = '.';
    for (size_t i = 0; i < part.n; i++)
        r->name[n++] = part.s[i];
    r->name_n = n;
}

/* A word or a text that turns out to be the name of what follows. */
static bool took_name(reader *r, ks_str word, bool is_text)
{
    size_t before = r->at;
    skip_blanks(r);
    if (here(r) == (is_text ? ':' : '=')) {
        r->at++;
        set_name(r, word);
        return true;
    }
    r->at = before;
    return false;
}

/* One value, the name of one, or an opening bracket. False where there is no way on. */
static bool take_value(reader *r)
{
    ks_str text;
    char c = here(r);
    if (c == '[' || c == '(' || c == '{')
        return push(r, true);
    if (c == '<') {
        take_angled(r);
        return true;
    }
    if (c == '\'' || c == '"') {
        if (!take_text(r, &text))
            return false;
        if (!took_name(r, text, true))
            add_item(r, KS_PY_TEXT, text);
        return true;
    }
    text = take_word(r);
    if (text.n == 0 || r->at == r->text.n) /* no word, or perhaps one that was cut */
        return false;
    if (here(r) == '(')
        return push(r, false);
    if (!took_name(r, text, false))
        add_item(r, kind_of(text), text);
    return true;
}

ks_python_items ks_read_python(ks_arena *arena, ks_str text)
{
    reader r = {.arena = arena, .text = text, .depth = 1};
    while (r.depth > 0) {
        skip_blanks(&r);
        char c = here(&r);
        if (c == ')' || c == ']' || c == '}') {
            r.at++;
            r.depth--;
        } else if (c == ',') {
            r.at++;
            r.name_n = r.levels[r.depth - 1].name_n;
        } else if (r.at >= text.n || !take_value(&r)) {
            break;
        }
    }
    r.found.complete = r.depth == 0;
    return r.found;
}
