/* Release numbers such as 0.5.8.post1 or 0.5.3rc2, and ranges of them. */
#ifndef KS_MODEL_VERSION_H
#define KS_MODEL_VERSION_H

#include "base/str.h"

typedef struct ks_version {
    int part[4]; /* major, minor, patch, and one more */
    int stage;   /* -1 release candidate, 0 release, 1 post-release */
    int serial;  /* of the candidate or post-release */
} ks_version;

/* False if text is not a release number. A leading v is allowed. */
bool ks_parse_version(ks_str text, ks_version *version);

/* "sglang 0.5.9", "SGLang v0.5.9", "sglang==0.5.9", "sglang-0.5.9" or "sglang": the engine's name in small
 * letters, and its version, which may be empty; a version alone has an empty name. */
void ks_split_engine(ks_arena *arena, ks_str text, ks_str *name, ks_str *version);
int ks_compare_versions(ks_version a, ks_version b);
/* True if `version` fulfils every part of `range`, as in ">=0.5.3 <0.5.4". *good is false if the
 * range cannot be read. */
bool ks_version_in(ks_version version, ks_str range, bool *good);

#endif
