/* Kinds of paths, patterns and transports, and what NCCL calls them. */
#ifndef KS_NCCL_WORDS_H
#define KS_NCCL_WORDS_H

#include "model/nccl.h"

#define KS_NCCL_PATTERNS(X)                                                                        \
    X(RING, "ring") X(BALANCED_TREE, "balanced tree") X(TREE, "tree") X(NVLS, "NVLS")

enum ks_nccl_pattern {
#define X(name, word) KS_NCCL_##name,
    KS_NCCL_PATTERNS(X)
#undef X
};

#define KS_NCCL_TRANSPORTS(X) X(NVLINK, "nvlink") X(P2P, "p2p") X(SHM, "shm") X(NONE, "none")

enum ks_nccl_transport {
#define X(name, word) KS_NCCL_BY_##name,
    KS_NCCL_TRANSPORTS(X)
#undef X
};

const char *ks_nccl_path_word(enum ks_nccl_path path);
const char *ks_nccl_pattern_word(enum ks_nccl_pattern pattern);
const char *ks_nccl_transport_word(enum ks_nccl_transport transport);

#endif
