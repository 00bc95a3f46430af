#include "base/num.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ks_floor_div64(int64_t a, int64_t b, int64_t *result)
{
    if (b == 0 || (a == INT64_MIN && b == -1))
        return false;
    int64_t quotient = a / b;
    *result = quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    return true;
}

bool ks_round_down64(int64_t a, int64_t step, int64_t *result)
{
    if (step <= 0)
        return false;
    int64_t over = a % step;
    return ks_sub64(a - over, over < 0 ? step : 0, result);
}

/* Not from the multiple below: that one may not fit where this one does. */
bool ks_round_up64(int64_t a, int64_t step, int64_t *result)
{
    if (step <= 0)
        return false;
    int64_t over = a % step;
    return ks_add64(a - over, over > 0 ? step : 0, result);
}

bool ks_to_whole(double x, int64_t *result)
{
    if (!(x >= -9223372036854775808.0 && x < 9223372036854775808.0) || x != floor(x))
        return false;
    *result = (int64_t)x;
    return true;
}

double ks_py_floor_div(double a, double b)
{
    double remainder = fmod(a, b);
    double quotient = (a - remainder) / b;
    if (remainder != 0.0 && (b < 0.0) != (remainder < 0.0))
        quotient -= 1.0;
    if (!(quotient < 0.0 || quotient > 0.0))
        return copysign(quotient, a / b);
    double down = floor(quotient);
    return quotient - down > 0.5 ? down + 1.0 : down;
}

/* The host program may have set a locale that writes a comma: numbers are read and printed in the
 * C locale, which no other thread notices. */
typedef struct c_locale {
    locale_t own, host;
} c_locale;

static c_locale enter_c_locale(void)
{
    locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (c_locale){own, uselocale(own)};
}

static void leave_c_locale(c_locale locale)
{
    uselocale(locale.host);
    if (locale.own)
        freelocale(locale.own);
}

double ks_py_round(double x, int digits)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (digits < 0 || digits > 15)
        return x;
    double scale = powers[digits], scaled = x * scale;
    if (!(fabs(scaled) < 9007199254740992.0))
        return x; /* no fraction is left to round, or not a number */
    /* rint() sends what looks like a tie to the even digit. If the multiplication lost something it
     * is none, and what was lost decides; it is too small to be added. */
    double lost = fma(x, scale, -scaled), nearest = rint(scaled);
    double over = scaled - nearest;
    if (over >= 0.5 && lost > 0)
        nearest += 1;
    else if (over <= -0.5 && lost < 0)
        nearest -= 1;
    return nearest / scale;
}

static size_t digits_at(ks_str text, size_t at)
{
    size_t n = 0;
    while (at + n < text.n && text.s[at + n] >= '0' && text.s[at + n] <= '9')
        n++;
    return n;
}

/* Length of the decimal literal at the start of text. */
static size_t decimal_length(ks_str text)
{
    size_t at = text.n && (text.s[0] == '-' || text.s[0] == '+') ? 1 : 0;
    size_t whole = digits_at(text, at), part = 0;
    at += whole;
    if (at < text.n && text.s[at] == '.') {
        part = digits_at(text, at + 1);
        at += 1 + part;
    }
    if (whole + part == 0)
        return 0;
    if (at < text.n && (text.s[at] == 'e' || text.s[at] == 'E')) {
        size_t sign = at + 1 < text.n && (text.s[at + 1] == '-' || text.s[at + 1] == '+') ? 1 : 0;
        size_t exponent = digits_at(text, at + 1 + sign);
        if (exponent)
            at += 1 + sign + exponent;
    }
    return at;
}

size_t ks_parse_decimal(ks_str text, double *value)
{
    char copy[256];
    size_t n = decimal_length(text);
    if (n == 0 || n >= sizeof copy)
        return 0;
    memcpy(copy, text.s, n);
    copy[n] = '\0';
    c_locale locale = enter_c_locale();
    *value = strtod(copy, NULL);
    leave_c_locale(locale);
    return n;
}

ks_str ks_shortest(ks_arena *arena, double x)
{
    char text[64];
    int decimals = 0;
    if (!isfinite(x))
        return isnan(x) ? KS_STR("nan") : x < 0 ? KS_STR("-inf") : KS_STR("inf");
    c_locale locale = enter_c_locale();
    do
        snprintf(text, sizeof text, "%.*e", decimals, x);
    while (strtod(text, NULL) != x && ++decimals <= 16);
    long exponent = strtol(strchr(text, 'e') + 1, NULL, 10);
    if (exponent >= -4 && exponent < 16) {
        decimals -= (int)exponent;
        snprintf(text, sizeof text, "%.*f", decimals > 1 ? decimals : 1, x);
    }
    leave_c_locale(locale);
    return ks_copy(arena, ks_from_c(text));
}

int ks_hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

bool ks_parse_digits(ks_str text, int base, uint64_t *value)
{
    if (text.n > 2 && text.s[0] == '0' && (text.s[1] == 'x' || text.s[1] == 'X')) {
        text = ks_slice(text, 2, text.n);
        base = 16;
    }
    *value = 0;
    for (size_t i = 0; i < text.n; i++) {
        int digit = ks_hex_digit(text.s[i]);
        if (digit >= base)
            return false;
        *value = *value * (uint64_t)base + (uint64_t)digit;
    }
    return text.n > 0 && text.n <= 16;
}
