/* A machine file with its calibration inside. */
#ifndef KS_CALIBRATE_FILE_H
#define KS_CALIBRATE_FILE_H

#include "calibrate/calibrate.h"

/* The text of the machine's own file, a calibration that it had taken out, with a `calibration:` behind
 * it: one mapping, or a list of them for several numbers of ranks. Empty if no all-reduce was measured. */
ks_str ks_calibrated_machine(const ks_calibration *c);

/* What was fitted of the rings, as a calibration's {constants: ...}; NULL after an error. */
const ks_doc *ks_fitted_constants(const ks_calibration *c);

#endif
