/* The commands: each takes the handle and the options, writes to `out`, and returns an exit code. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include "option.h"

#include <stdio.h>

typedef struct session {
    kvsim *k;
    const options *o;
    FILE *out;
    const char *scenario; /* what was loaded last */
    bool shown; /* a report has been written */
} session;

int cmd_run(session *s);
int cmd_explain(session *s);
int cmd_solve(session *s);
int cmd_check(session *s);
int cmd_list(session *s);
int cmd_import(session *s);
int cmd_compare(session *s);
int cmd_allreduce(session *s);
int cmd_decode(session *s);
int cmd_calibrate(session *s);

/* Writes text to a stream; the kvsim_write_fn of all commands. */
void write_stream(void *stream, const char *bytes, size_t n);
/* Writes what belongs to a report into a file of its own; `none` says why there may be nothing to write.
 * Returns an exit code. */
int write_part(const char *path, const kvsim_report *report,
               bool (*write)(const kvsim_report *report, kvsim_write_fn *to, void *context),
               const char *none);
/* The scenario of a path with all --set applied, or NULL. */
kvsim_scenario *load_scenario(session *s, const char *path);
/* The scenario with all --set applied, or NULL. NULL is allowed. */
kvsim_scenario *apply_settings(session *s, kvsim_scenario *scenario);
/* The scenario of the command line behind `--` on --machine, with all --set applied; NULL after an
 * error, also if there is no command line or no --machine. */
kvsim_scenario *load_command(session *s);
/* True if --machine, --engine, --llm or words behind `--` say that a command line is meant. */
bool is_command_given(const session *s);
/* Writes a report unless --quiet; in text, with blank lines between reports. NULL: in JSON, an object
 * that says why there is none. */
void show(session *s, const kvsim_report *report);
/* The exit code of a verdict. */
int exit_of(kvsim_verdict_code verdict);
/* Of two exit codes, the one that counts: internal, bad input, does not fit, uncertain, fits. */
int worse(int a, int b);

#endif
