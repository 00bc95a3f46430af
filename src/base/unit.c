#include "base/unit.h"

#include "base/num.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct unit {
    const char *name;
    double times, over; /* its size in base units is times / over; both are exact */
    ks_dim dim;
} unit;

static const unit units[] = {
    {"B", 1, 1, {1, 0, 0}},
    {"byte", 1, 1, {1, 0, 0}},
    {"bytes", 1, 1, {1, 0, 0}},
    {"KiB", 1024.0, 1, {1, 0, 0}},
    {"MiB", 1048576.0, 1, {1, 0, 0}},
    {"GiB", 1073741824.0, 1, {1, 0, 0}},
    {"TiB", 1099511627776.0, 1, {1, 0, 0}},
    {"kB", 1e3, 1, {1, 0, 0}},
    {"KB", 1e3, 1, {1, 0, 0}},
    {"MB", 1e6, 1, {1, 0, 0}},
    {"GB", 1e9, 1, {1, 0, 0}},
    {"TB", 1e12, 1, {1, 0, 0}},
    {"s", 1, 1, {0, 1, 0}},
    {"ms", 1, 1e3, {0, 1, 0}},
    {"us", 1, 1e6, {0, 1, 0}},
    {"ns", 1, 1e9, {0, 1, 0}},
    {"token", 1, 1, {0, 0, 1}},
    {"tokens", 1, 1, {0, 0, 1}},
    {"%", 1, 100, {0, 0, 0}},
};

bool ks_same_dim(ks_dim a, ks_dim b)
{
    return a.byte == b.byte && a.second == b.second && a.token == b.token;
}

/* Exponents stay small: formulas are short, and a sum that left int8_t is cut at its ends. */
static int8_t clip(int exponent)
{
    return (int8_t)(exponent > 100 ? 100 : exponent < -100 ? -100 : exponent);
}

ks_dim ks_dim_times(ks_dim a, ks_dim b)
{
    return (ks_dim){clip(a.byte + b.byte), clip(a.second + b.second), clip(a.token + b.token)};
}

ks_dim ks_dim_over(ks_dim a, ks_dim b)
{
    return (ks_dim){clip(a.byte - b.byte), clip(a.second - b.second), clip(a.token - b.token)};
}

bool ks_dim_is_whole(ks_dim dim)
{
    return ks_same_dim(dim, KS_BYTE) || ks_same_dim(dim, KS_TOKEN) ||
           ks_same_dim(dim, (ks_dim){1, 0, -1});
}

static ks_str spell(ks_arena *arena, ks_dim dim, const char *const names[3])
{
    const int exponents[3] = {dim.byte, dim.second, dim.token};
    ks_builder b = {.arena = arena};
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int i = 0; i < 3; i++) {
            int power = exponents[i] * sign;
            if (power <= 0)
                continue;
            if (sign < 0)
                ks_add(&b, b.n ? KS_STR("/") : KS_STR("1/"));
            else if (b.n)
                ks_add(&b, KS_STR("*"));
            ks_add(&b, ks_from_c(names[i]));
            if (power > 1)
                ks_addf(&b, "^%d", power);
        }
    }
    return ks_built(&b);
}

ks_str ks_dim_words(ks_arena *arena, ks_dim dim)
{
    static const char *const names[3] = {"bytes", "seconds", "tokens"};
    static const char *const per[3] = {"bytes", "second", "token"};
    if (ks_same_dim(dim, KS_NO_DIM))
        return KS_STR("plain numbers");
    return spell(arena, dim, dim.byte > 0 && (dim.second < 0 || dim.token < 0) ? per : names);
}

ks_str ks_dim_symbol(ks_arena *arena, ks_dim dim)
{
    static const char *const names[3] = {"byte", "s", "token"};
    if (ks_same_dim(dim, KS_NO_DIM))
        return KS_STR("1");
    return spell(arena, dim, names);
}

const char *ks_dim_name(ks_dim dim)
{
    static const struct {
        ks_dim dim;
        const char *name;
    } known[] = {{{0, 0, 0}, "1"},          {{1, 0, 0}, "byte"},  {{0, 0, 1}, "token"},
                 {{1, 0, -1}, "byte/token"}, {{1, -1, 0}, "byte/s"}, {{0, 1, 0}, "s"},
                 {{0, -1, 1}, "token/s"}};
    for (size_t i = 0; i < KS_COUNT(known); i++)
        if (ks_same_dim(known[i].dim, dim))
            return known[i].name;
    return "?";
}

static const unit *find_unit(ks_str name)
{
    for (size_t i = 0; i < KS_COUNT(units); i++)
        if (ks_equal_c(name, units[i].name))
            return &units[i];
    return NULL;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool continues_name(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_';
}

/* Length of the unit's name at `at`; 0 where it is but the beginning of another name, as in
 * "token.size" or "s_2". */
static size_t unit_name_length(ks_str text, size_t at)
{
    size_t n = 0;
    if (at < text.n && text.s[at] == '%')
        return 1;
    while (at + n < text.n && is_letter(text.s[at + n]))
        n++;
    ks_str after = ks_slice(text, at + n, text.n);
    bool dotted = after.n > 1 && after.s[0] == '.' && continues_name(after.s[1]);
    return dotted || (after.n && continues_name(after.s[0])) ? 0 : n;
}

/* A unit as ks_parse_unit() reads it; its size as a fraction, so that 35 % is 0.35 exactly. */
static size_t parse_fraction(ks_str text, unit *fraction)
{
    size_t at = unit_name_length(text, 0);
    const unit *first = find_unit(ks_slice(text, 0, at));
    if (!first)
        return 0;
    *fraction = *first;
    while (at < text.n && text.s[at] == '/') {
        size_t n = unit_name_length(text, at + 1);
        const unit *below = find_unit(ks_slice(text, at + 1, at + 1 + n));
        if (!below)
            break;
        fraction->times *= below->over;
        fraction->over *= below->times;
        fraction->dim = ks_dim_over(fraction->dim, below->dim);
        at += 1 + n;
    }
    return at;
}

size_t ks_parse_unit(ks_str text, double *scale, ks_dim *dim)
{
    unit fraction;
    size_t n = parse_fraction(text, &fraction);
    if (n == 0)
        return 0;
    *scale = fraction.times / fraction.over;
    *dim = fraction.dim;
    return n;
}

enum ks_quantity_error ks_parse_quantity(ks_str text, ks_quantity *quantity)
{
    unit fraction;
    text = ks_trim(text);
    *quantity = (ks_quantity){0};
    size_t n = ks_parse_decimal(text, &quantity->value);
    if (n == 0 || !isfinite(quantity->value))
        return KS_NOT_A_NUMBER;
    ks_str rest = ks_trim(ks_slice(text, n, text.n));
    if (rest.n == 0)
        return KS_QUANTITY_OK;
    if (parse_fraction(rest, &fraction) != rest.n)
        return KS_UNKNOWN_UNIT;
    quantity->has_unit = true;
    quantity->dim = fraction.dim;
    quantity->value = quantity->value * fraction.times / fraction.over;
    return isfinite(quantity->value) ? KS_QUANTITY_OK : KS_NOT_A_NUMBER;
}

ks_str ks_show_whole(ks_arena *arena, int64_t value)
{
    char text[32];
    size_t at = sizeof text;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int digits = 0;
    do {
        if (digits && digits % 3 == 0)
            text[--at] = ',';
        text[--at] = (char)('0' + left % 10);
        digits++;
    } while (left /= 10);
    if (value < 0)
        text[--at] = '-';
    return ks_copy(arena, (ks_str){text + at, sizeof text - at});
}

/* At most five significant digits, without trailing zeros. */
static ks_str five_digits(ks_arena *arena, double value)
{
    double size = fabs(value);
    int decimals = size >= 10000 ? 0 : size >= 1000 ? 1 : size >= 100 ? 2 : size >= 10 ? 3 : 4;
    ks_str text = ks_format(arena, "%.*f", decimals, value);
    size_t n = text.n;
    if (ks_find_byte(text, '.', 0) < n) {
        while (text.s[n - 1] == '0')
            n--;
        if (text.s[n - 1] == '.')
            n--;
    }
    text = ks_slice(text, 0, n);
    return ks_equal_c(text, "-0") ? KS_STR("0") : text;
}

static ks_str show_bytes(ks_arena *arena, double value)
{
    static const struct {
        const char *name;
        double scale;
    } steps[] = {{"TiB", 1099511627776.0}, {"GiB", 1073741824.0}, {"MiB", 1048576.0}};
    double size = fabs(value);
    for (size_t i = 0; i < KS_COUNT(steps); i++)
        if (size >= steps[i].scale * (i == 0 ? 10 : 1)) {
            ks_str number = five_digits(arena, value / steps[i].scale);
            return ks_format(arena, "%.*s %s", KS_ARG(number), steps[i].name);
        }
    return ks_format(arena, "%.*s B", KS_ARG(ks_show_whole(arena, (int64_t)floor(value + 0.5))));
}

/* A time in the unit that leaves one to three digits before the point. */
static ks_str show_seconds(ks_arena *arena, double value)
{
    double size = fabs(value);
    double scale = size >= 1 || size == 0 ? 1 : size >= 1e-3 ? 1e-3 : 1e-6;
    ks_str number = five_digits(arena, value / scale);
    return ks_format(arena, "%.*s %s", KS_ARG(number),
                     scale >= 1 ? "s" : scale >= 1e-3 ? "ms" : "us");
}

static ks_str show_plain(ks_arena *arena, double value, bool whole)
{
    int64_t exact;
    if (whole && ks_to_whole(value, &exact))
        return ks_show_whole(arena, exact);
    if (value != 0 && fabs(value) < 0.001)
        return ks_format(arena, "%.4g", value);
    return five_digits(arena, value);
}

ks_str ks_show(ks_arena *arena, double value, ks_dim dim, bool whole)
{
    if (!isfinite(value))
        return KS_STR("unknown");
    if (ks_same_dim(dim, KS_NO_DIM))
        return show_plain(arena, value, whole);
    if (ks_same_dim(dim, KS_BYTE) && fabs(value) >= 16384 && fabs(value) < 1048576 &&
        fmod(value, 1024) == 0)
        return ks_format(arena, "%.*s KiB", KS_ARG(five_digits(arena, value / 1024)));
    if (ks_same_dim(dim, KS_BYTE))
        return show_bytes(arena, value);
    if (ks_same_dim(dim, KS_TOKEN))
        return ks_format(arena, "%.*s token%s", KS_ARG(show_plain(arena, value, whole)),
                         fabs(value - 1) < 0.5 ? "" : "s");
    if (ks_same_dim(dim, (ks_dim){0, 1, 0}))
        return show_seconds(arena, value);
    if (ks_same_dim(dim, (ks_dim){1, -1, 0}))
        return ks_format(arena, "%.*s GB/s", KS_ARG(five_digits(arena, value / 1e9)));
    if (ks_same_dim(dim, (ks_dim){1, 0, -1}))
        return ks_format(arena, "%.*s/token", KS_ARG(show_bytes(arena, value)));
    return ks_format(arena, "%.*s %.*s", KS_ARG(show_plain(arena, value, whole)),
                     KS_ARG(ks_dim_symbol(arena, dim)));
}

ks_str ks_show_in(ks_arena *arena, double value, ks_dim dim, ks_str unit_name, int decimals)
{
    double scale = 1;
    ks_dim unit_dim = KS_NO_DIM;
    bool known = unit_name.n && ks_parse_unit(unit_name, &scale, &unit_dim) == unit_name.n;
    if (unit_name.n && (!known || !ks_same_dim(dim, unit_dim)))
        return ks_show(arena, value, dim, false);
    ks_str text = ks_format(arena, "%.*f", decimals, value / scale);
    bool zero = strspn(text.s, "-0.") == text.n;
    return zero && text.s[0] == '-' ? ks_slice(text, 1, text.n) : text;
}
