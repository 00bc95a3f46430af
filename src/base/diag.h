/* Diagnostics: collected, not thrown. Each has a severity, a stable code, a place and a message,
 * and may have notes that point elsewhere or say what to do. */
#ifndef KS_BASE_DIAG_H
#define KS_BASE_DIAG_H

#include "base/codes.h"
#include "base/sink.h"
#include "base/source.h"

enum ks_severity { KS_ERROR, KS_WARNING };

typedef struct ks_note {
    ks_span span; /* may be no place */
    ks_str text;
    struct ks_note *next;
} ks_note;

typedef struct ks_diag {
    enum ks_severity severity;
    enum ks_code code;
    ks_span span;
    ks_str text;
    ks_note *notes;
} ks_diag;

typedef struct ks_diags {
    ks_arena *arena;
    ks_diag *items;
    size_t n, capacity;
    size_t errors;  /* also those beyond the limit */
    size_t dropped; /* beyond the limit of 20 errors and 20 warnings */
    size_t once_from; /* a warning that is among those from here on is not added again */
    bool silent;      /* the newest one was not added */
} ks_diags;

void ks_error(ks_diags *diags, enum ks_code code, ks_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void ks_warning(ks_diags *diags, enum ks_code code, ks_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds a note to the newest diagnostic. */
void ks_add_note(ks_diags *diags, ks_span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "did you mean X?" if one of the candidates is near to `word`. */
void ks_suggest(ks_diags *diags, ks_str word, const ks_str *candidates, size_t n);

const char *ks_code_name(enum ks_code code);
const char *ks_code_meaning(enum ks_code code);

/* Writes diagnostics [from, n) as compilers do: place, severity[code], message, line, carets.
 * colour: with ANSI colours. */
void ks_write_diags(const ks_diags *diags, size_t from, bool colour, ks_sink sink);

#endif
