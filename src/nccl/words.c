#include "nccl/words.h"

const char *ks_nccl_path_word(enum ks_nccl_path path)
{
    static const char *const words[] = {
#define X(name) #name,
        KS_NCCL_PATH_TYPES(X)
#undef X
    };
    return words[path];
}

const char *ks_nccl_pattern_word(enum ks_nccl_pattern pattern)
{
    static const char *const words[] = {
#define X(name, word) word,
        KS_NCCL_PATTERNS(X)
#undef X
    };
    return words[pattern];
}

const char *ks_nccl_transport_word(enum ks_nccl_transport transport)
{
    static const char *const words[] = {
#define X(name, word) word,
        KS_NCCL_TRANSPORTS(X)
#undef X
    };
    return words[transport];
}
