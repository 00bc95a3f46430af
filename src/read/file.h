/* Files and folders: whole files into memory, with a limit; the only place that opens any. */
#ifndef KS_READ_FILE_H
#define KS_READ_FILE_H

#include "base/diag.h"

/* The file's text as a source, or NULL. `at` is where the file was asked for (may be no place);
 * `must`: a file that is not there is an error, else it gives NULL silently. */
const ks_source *ks_read_file(ks_diags *diags, ks_str path, size_t most, ks_span at, bool must);

/* Hands a file's bytes ("-": standard input) to `take`, part by part; none of it is kept. False after
 * an error. */
bool ks_stream_file(ks_diags *diags, ks_str path, ks_span at,
                    void (*take)(void *context, const char *bytes, size_t n), void *context);

/* Names of the folder's files that end in `suffix`, without it, sorted; *n of them. A folder that
 * cannot be read has none. */
ks_str *ks_list_folder(ks_arena *arena, ks_str path, const char *suffix, size_t *n);

#endif
