/* A report as JSON, in the form that kvsim(1) describes: base units, exact integers. */
#ifndef KS_RENDER_JSON_H
#define KS_RENDER_JSON_H

#include "base/sink.h"
#include "expl/report.h"

/* One object and a line end. False if memory ran out. */
bool ks_render_json(const ks_report *report, const char *version, ks_sink sink);

/* The object in place of a report that could not be made: the diagnostics from `from` on. False if
 * memory ran out. */
bool ks_render_json_failure(const ks_diags *diags, size_t from, ks_str scenario, const char *version,
                            ks_sink sink);

#endif
