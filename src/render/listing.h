/* A list of names with a line about each. */
#ifndef KS_RENDER_LISTING_H
#define KS_RENDER_LISTING_H

#include "base/sink.h"

typedef struct ks_listed {
    ks_str name, extra, about;
} ks_listed;

/* In columns; or, with `json`, one object a line with the keys name, extra_key and about. */
void ks_render_listing(ks_arena *arena, const ks_listed *items, size_t n, bool json,
                       const char *extra_key, ks_sink sink);

#endif
