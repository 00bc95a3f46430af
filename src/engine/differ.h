/* Why two scenarios differ: the quantities whose values differ, from what is given to what follows. */
#ifndef KS_ENGINE_DIFFER_H
#define KS_ENGINE_DIFFER_H

#include "engine/replay.h"

/* Adds the comparison to the report of `first`, which stands for both; `name` is the other's. The
 * number of quantities that differ. */
size_t ks_report_differences(ks_replay *first, const ks_replay *second);

#endif
