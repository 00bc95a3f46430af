#include "model/pattern.h"

enum { MOST_STEPS = 20000, MOST_DEPTH = 200 };

typedef struct matcher {
    size_t steps;
    size_t depth;
} matcher;

static bool match_here(matcher *m, ks_str pattern, ks_str text, bool whole);

/* Length of the first element of a pattern: a byte, an escaped byte, or a group. */
static size_t element_length(ks_str pattern)
{
    size_t depth = 0;
    if (pattern.s[0] == '\\')
        return pattern.n > 1 ? 2 : 1;
    if (pattern.s[0] != '(')
        return 1;
    for (size_t i = 0; i < pattern.n; i++) {
        depth += pattern.s[i] == '(';
        depth -= pattern.s[i] == ')';
        if (depth == 0)
            return i + 1;
    }
    return pattern.n;
}

static bool takes_byte(ks_str element, char c)
{
    if (element.s[0] == '\\')
        return element.n > 1 && element.s[1] == c;
    return element.s[0] == '.' || element.s[0] == c;
}

/* A group: each alternative, with the rest of the pattern behind it. */
static bool match_group(matcher *m, ks_str group, ks_str rest, ks_str text, bool whole)
{
    char joined[512];
    ks_str inner = ks_slice(group, 1, group.n - 1), tail;
    if (ks_starts_with(inner, KS_STR("?:")))
        inner = ks_slice(inner, 2, inner.n);
    for (bool more = true; more; inner = tail) {
        ks_str one = ks_cut(inner, '|', &tail);
        size_t n = 0;
        more = one.n < inner.n;
        if (one.n + rest.n > sizeof joined)
            return false;
        for (size_t i = 0; i < one.n; i++)
            joined[n++] = one.s[i];
        for (size_t i = 0; i < rest.n; i++)
            joined[n++] = rest.s[i];
        if (match_here(m, (ks_str){joined, n}, text, whole))
            return true;
    }
    return false;
}

static bool match_star(matcher *m, ks_str element, ks_str rest, ks_str text, bool whole)
{
    for (size_t n = 0;; n++) {
        if (match_here(m, rest, ks_slice(text, n, text.n), whole))
            return true;
        if (n >= text.n || !takes_byte(element, text.s[n]))
            return false;
    }
}

/* True if the pattern matches at the start of text (all of it, if `whole`). */
static bool match_here(matcher *m, ks_str pattern, ks_str text, bool whole)
{
    if (++m->steps > MOST_STEPS || m->depth > MOST_DEPTH)
        return false;
    if (pattern.n == 0)
        return !whole || text.n == 0;
    if (pattern.n == 1 && pattern.s[0] == '$')
        return text.n == 0;
    size_t n = element_length(pattern);
    ks_str element = ks_slice(pattern, 0, n), rest = ks_slice(pattern, n, pattern.n);
    bool result;
    if (element.s[0] == '(' && (n < 2 || element.s[n - 1] != ')'))
        return false; /* a group that is never closed */
    m->depth++;
    if (rest.n && rest.s[0] == '*' && element.s[0] != '(')
        result = match_star(m, element, ks_slice(rest, 1, rest.n), text, whole);
    else if (element.s[0] == '(')
        result = match_group(m, element, rest, text, whole);
    else
        result = text.n && takes_byte(element, text.s[0]) &&
                 match_here(m, rest, ks_slice(text, 1, text.n), whole);
    m->depth--;
    return result;
}

static bool match_glob(matcher *m, ks_str pattern, ks_str text)
{
    if (++m->steps > MOST_STEPS)
        return false;
    for (; pattern.n && pattern.s[0] != '*'; pattern = ks_slice(pattern, 1, pattern.n)) {
        if (!text.n || text.s[0] != pattern.s[0])
            return false;
        text = ks_slice(text, 1, text.n);
    }
    if (!pattern.n)
        return text.n == 0;
    while (pattern.n && pattern.s[0] == '*')
        pattern = ks_slice(pattern, 1, pattern.n);
    for (size_t n = 0; n <= text.n; n++)
        if (match_glob(m, pattern, ks_slice(text, n, text.n)))
            return true;
    return false;
}

/* The pattern as whole parts between dots, anywhere in the module's name. */
static bool names_part(ks_str pattern, ks_str module)
{
    for (size_t at = 0; pattern.n && at + pattern.n <= module.n; at++) {
        bool begins = at == 0 || module.s[at - 1] == '.';
        bool ends = at + pattern.n == module.n || module.s[at + pattern.n] == '.';
        if (begins && ends && ks_equal(ks_slice(module, at, at + pattern.n), pattern))
            return true;
    }
    return false;
}

bool ks_module_matches(ks_str pattern, ks_str module)
{
    matcher m = {0, 0};
    if (pattern.n > 400)
        return false;
    if (ks_starts_with(pattern, KS_STR("re:"))) {
        ks_str expression = ks_slice(pattern, 3, pattern.n);
        if (expression.n && expression.s[0] == '^')
            expression = ks_slice(expression, 1, expression.n);
        return match_here(&m, expression, module, false);
    }
    if (ks_find_byte(pattern, '*', 0) < pattern.n)
        return match_glob(&m, pattern, module);
    return names_part(pattern, module);
}
