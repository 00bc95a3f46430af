#include "model/version.h"

#include <ctype.h>

enum { LARGEST = 1000000 };

static bool read_int(ks_str *text, int *value)
{
    size_t n = 0;
    *value = 0;
    while (n < text->n && text->s[n] >= '0' && text->s[n] <= '9') {
        if (*value > LARGEST)
            return false;
        *value = *value * 10 + (text->s[n++] - '0');
    }
    *text = ks_slice(*text, n, text->n);
    return n > 0;
}

bool ks_parse_version(ks_str text, ks_version *version)
{
    *version = (ks_version){{0}, 0, 0};
    if (ks_starts_with(text, KS_STR("v")))
        text = ks_slice(text, 1, text.n);
    for (int i = 0; i < 4; i++) {
        if (!read_int(&text, &version->part[i]))
            return false;
        bool more = text.n > 1 && text.s[0] == '.' && text.s[1] >= '0' && text.s[1] <= '9';
        if (!more)
            break;
        text = ks_slice(text, 1, text.n);
    }
    if (text.n == 0)
        return true;
    if (text.s[0] == '.')
        text = ks_slice(text, 1, text.n);
    bool post = ks_starts_with(text, KS_STR("post")), candidate = ks_starts_with(text, KS_STR("rc"));
    if (!post && !candidate)
        return false;
    text = ks_slice(text, post ? 4 : 2, text.n);
    version->stage = post ? 1 : -1;
    return read_int(&text, &version->serial) && text.n == 0;
}

int ks_compare_versions(ks_version a, ks_version b)
{
    const int left[6] = {a.part[0], a.part[1], a.part[2], a.part[3], a.stage, a.serial};
    const int right[6] = {b.part[0], b.part[1], b.part[2], b.part[3], b.stage, b.serial};
    for (int i = 0; i < 6; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static bool fulfils(ks_version version, ks_str part, bool *good)
{
    static const struct {
        const char *text;
        bool less, same, more;
    } relations[] = {{">=", false, true, true}, {"<=", true, true, false}, {">", false, false, true},
                     {"<", true, false, false}, {"==", false, true, false}};
    for (size_t i = 0; i < KS_COUNT(relations); i++) {
        ks_version bound;
        ks_str sign = ks_from_c(relations[i].text);
        if (!ks_starts_with(part, sign))
            continue;
        if (!ks_parse_version(ks_slice(part, sign.n, part.n), &bound))
            break;
        int order = ks_compare_versions(version, bound);
        return order < 0 ? relations[i].less : order > 0 ? relations[i].more : relations[i].same;
    }
    *good = false;
    return false;
}

bool ks_version_in(ks_version version, ks_str range, bool *good)
{
    bool inside = true;
    *good = true;
    for (range = ks_trim(range); range.n; range = ks_trim(range)) {
        ks_str rest;
        ks_str part = ks_cut(range, ' ', &rest);
        inside &= fulfils(version, part, good);
        range = rest;
    }
    return inside;
}

void ks_split_engine(ks_arena *arena, ks_str text, ks_str *name, ks_str *version)
{
    ks_version parsed;
    text = ks_trim(text);
    size_t end = 0, from;
    while (end < text.n && text.s[end] != ' ' && text.s[end] != '=' &&
           !(text.s[end] == '-' && ks_parse_version(ks_slice(text, end + 1, text.n), &parsed)))
        end++;
    if (end == text.n && ks_parse_version(text, &parsed))
        end = 0;
    for (from = end; from < text.n && (text.s[from] == ' ' || text.s[from] == '=');)
        from++;
    if (from == end && from < text.n && text.s[from] == '-')
        from++;
    char *small = KS_NEW_ARRAY(arena, char, end + 1);
    for (size_t i = 0; i < end; i++)
        small[i] = (char)tolower((unsigned char)text.s[i]);
    *name = (ks_str){small, end};
    *version = ks_slice(text, from, text.n);
}
