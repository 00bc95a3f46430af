/* The fits of a calibration: which points belong to which form, and how well the result predicts. */
#ifndef KS_CALIBRATE_FORMS_H
#define KS_CALIBRATE_FORMS_H

#include "calibrate/calibrate.h"

/* Adds a measured point to a form. */
void ks_add_fit_point(ks_calibration *c, enum ks_form form, int64_t ranks, double bytes,
                      double time);
/* Fits NCCL's rings to the points of forced runs, which are there already, and to the series; then the
 * series' curves, tables, and what they are worth. False after an error. */
bool ks_fit_nccl(ks_calibration *c);
/* Fits the forms of custom kernels that have points. */
void ks_fit_kernels(ks_calibration *c);

#endif
