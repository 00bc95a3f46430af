#include "base/sink.h"

void ks_put(ks_sink sink, ks_str text)
{
    if (text.n)
        sink.write(sink.context, text.s, text.n);
}

void ks_put_c(ks_sink sink, const char *text)
{
    ks_put(sink, ks_from_c(text));
}

void ks_put_fill(ks_sink sink, char c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sink.write(sink.context, &c, 1);
}

static void append(void *context, const char *bytes, size_t n)
{
    ks_add(context, (ks_str){bytes, n});
}

ks_sink ks_sink_to(ks_builder *builder)
{
    return (ks_sink){append, builder};
}
