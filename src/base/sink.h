/* Where finished text goes: the only way out of the library. */
#ifndef KS_BASE_SINK_H
#define KS_BASE_SINK_H

#include "base/str.h"

typedef struct ks_sink {
    void (*write)(void *context, const char *bytes, size_t n);
    void *context;
} ks_sink;

void ks_put(ks_sink sink, ks_str text);
void ks_put_c(ks_sink sink, const char *text);
/* `n` times the byte `c`. */
void ks_put_fill(ks_sink sink, char c, size_t n);
/* A sink that appends to a builder. */
ks_sink ks_sink_to(ks_builder *builder);

#endif
