/* For tests through the public interface: a handle on the models of the source tree. */
#ifndef KS_TESTS_LIBRARY_H
#define KS_TESTS_LIBRARY_H

#include "support.h"

#include "kvsim.h"

static inline kvsim *open_handle(void)
{
    static const char *models[1];
    const char *top = getenv("top_srcdir");
    static char path[4096];
    snprintf(path, sizeof path, "%s/models", top ? top : ".");
    models[0] = path;
    kvsim_options options = {.models = models, .n_models = 1};
    kvsim *k = kvsim_open(&options);
    assert_non_null(k);
    return k;
}

/* For kvsim_write_diagnostics(): tells why a test fails. */
static inline void complain(void *context, const char *bytes, size_t n)
{
    (void)context;
    print_error("%.*s", (int)n, bytes);
}

#endif
