#include "model/sizes.h"

#include "base/num.h"
#include "base/unit.h"

/* A message of more than this is no message. */
static const double largest = 1099511627776.0;

static bool read_size(ks_diags *diags, const ks_doc *doc, size_t at, ks_str text, int64_t *bytes)
{
    ks_quantity quantity = {0};
    size_t skipped = (size_t)(ks_trim(text).s - text.s);
    ks_span span = ks_span_part(doc->span, at + skipped, ks_trim(text).n);
    enum ks_quantity_error error = ks_parse_quantity(ks_trim(text), &quantity);
    if (error == KS_UNKNOWN_UNIT) {
        ks_error(diags, KS_U002, span, "\"%.*s\" has no known unit", KS_ARG(ks_trim(text)));
        return false;
    }
    if (error != KS_QUANTITY_OK || (quantity.has_unit && !ks_same_dim(quantity.dim, KS_BYTE))) {
        ks_error(diags, KS_S004, span, "\"%.*s\" is not a number of bytes", KS_ARG(ks_trim(text)));
        return false;
    }
    if (!ks_to_whole(quantity.value, bytes) || quantity.value < 1 || quantity.value > largest) {
        ks_error(diags, KS_S006, span, "a message has 1 B to 1 TiB, whole bytes");
        return false;
    }
    return true;
}

static bool add(ks_diags *diags, const ks_doc *doc, ks_sizes *sizes, int64_t bytes)
{
    if (sizes->n >= KS_MAX_SIZES) {
        ks_error(diags, KS_S006, doc->span, "more than %d sizes", KS_MAX_SIZES);
        return false;
    }
    *KS_PUSH(diags->arena, sizes) = bytes;
    return true;
}

static bool read_part(ks_diags *diags, const ks_doc *doc, size_t at, ks_str part, ks_sizes *sizes)
{
    ks_str rest;
    int64_t from, to;
    ks_str first = ks_cut(part, ':', &rest);
    if (!read_size(diags, doc, at, first, &from))
        return false;
    if (first.n == part.n)
        return add(diags, doc, sizes, from);
    if (!read_size(diags, doc, at + first.n + 1, rest, &to))
        return false;
    if (to < from) {
        ks_error(diags, KS_S006, ks_span_part(doc->span, at, part.n),
                 "a range of sizes rises: \"4KiB:64MiB\"");
        return false;
    }
    for (; from <= to; from *= 2)
        if (!add(diags, doc, sizes, from))
            return false;
    return true;
}

bool ks_read_sizes(ks_diags *diags, const ks_doc *doc, ks_sizes *sizes)
{
    *sizes = (ks_sizes){NULL, 0, 0};
    for (size_t at = 0; at <= doc->text.n;) {
        size_t end = ks_find_byte(doc->text, ',', at);
        if (!read_part(diags, doc, at, ks_slice(doc->text, at, end), sizes))
            return false;
        at = end + 1;
    }
    return true;
}
