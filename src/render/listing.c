#include "render/listing.h"

/* A text as a JSON string; other control bytes than line ends do not occur in names. */
static void write_string(ks_sink sink, ks_str text)
{
    ks_put_c(sink, "\"");
    for (size_t i = 0; i < text.n; i++) {
        char c = text.s[i];
        if (c == '"' || c == '\\')
            ks_put_c(sink, "\\");
        ks_put(sink, (unsigned char)c < 0x20 ? KS_STR(" ") : (ks_str){&text.s[i], 1});
    }
    ks_put_c(sink, "\"");
}

static void write_member(ks_sink sink, const char *key, ks_str value, bool first)
{
    ks_put_c(sink, first ? "{" : ", ");
    write_string(sink, ks_from_c(key));
    ks_put_c(sink, ": ");
    write_string(sink, value);
}

static size_t widest(const ks_listed *items, size_t n, bool extra)
{
    size_t width = 0;
    for (size_t i = 0; i < n; i++) {
        size_t own = extra ? items[i].extra.n : items[i].name.n;
        width = own > width ? own : width;
    }
    return width;
}

void ks_render_listing(ks_arena *arena, const ks_listed *items, size_t n, bool json,
                       const char *extra_key, ks_sink sink)
{
    size_t width = widest(items, n, false), extra = widest(items, n, true);
    for (size_t i = 0; i < n; i++) {
        if (json) {
            write_member(sink, "name", items[i].name, true);
            if (extra_key)
                write_member(sink, extra_key, items[i].extra, false);
            write_member(sink, "about", items[i].about, false);
            ks_put_c(sink, "}\n");
            continue;
        }
        ks_put(sink, ks_format(arena, "%-*.*s  ", (int)width, KS_ARG(items[i].name)));
        if (extra)
            ks_put(sink, ks_format(arena, "%-*.*s  ", (int)extra, KS_ARG(items[i].extra)));
        ks_put(sink, items[i].about);
        ks_put_c(sink, "\n");
    }
}
