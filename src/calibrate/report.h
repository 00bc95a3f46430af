/* What a calibration found, for people. */
#ifndef KS_CALIBRATE_REPORT_H
#define KS_CALIBRATE_REPORT_H

#include "calibrate/calibrate.h"
#include "expl/report.h"

/* The report: how well times are predicted, parameters with intervals, fits, findings, what to measure
 * next. NULL after an error. */
ks_report *ks_report_calibration(const ks_calibration *c);

#endif
