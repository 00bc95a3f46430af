/* What a machine's own measurements say: the `calibration:` of a machine file, as kvsim calibrate writes
 * it. A mapping, a list of mappings for several numbers of ranks, or the path of a file with one, seen
 * from the machine file. */
#ifndef KS_MODEL_CALIBRATION_H
#define KS_MODEL_CALIBRATION_H

#include "model/machine.h"

/* Copies the machine; its `calibration` is then the {constants, tables} that hold for so many ranks (0: all
 * its GPUs), or NULL if there is none. Measured with another number of ranks, only the constants of rings
 * hold, which do not depend on it; of several such the nearest. False after an error. */
bool ks_calibrated_for(const ks_catalog *catalog, const ks_machine *machine, int64_t ranks, ks_machine *own);

#endif
