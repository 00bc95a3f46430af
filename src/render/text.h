/* A report for a terminal. */
#ifndef KS_RENDER_TEXT_H
#define KS_RENDER_TEXT_H

#include "base/sink.h"
#include "expl/report.h"

typedef struct ks_text_options {
    bool colour;
    unsigned width; /* columns to wrap at; 0: 100 */
} ks_text_options;

/* Title, verdict and all sections. */
void ks_render_text(const ks_report *report, ks_text_options options, ks_sink sink);

#endif
