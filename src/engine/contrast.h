/* The scenario against itself with something changed: what the scenario asks (`what_if:`), and what
 * users suspect (the profile's `suspects:`). */
#ifndef KS_ENGINE_CONTRAST_H
#define KS_ENGINE_CONTRAST_H

#include "engine/replay.h"

/* A table of the scenario's what-ifs: the quantity that decides, and the verdict. */
void ks_report_what_ifs(ks_replay *replay);

/* What of a deficit each suspect explains, by leaving it out. Nothing if nothing fails. */
void ks_report_suspects(ks_replay *replay);

#endif
