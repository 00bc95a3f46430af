/* Reads what all_reduce_perf of nccl-tests prints, one run or several in a text, with whatever else
 * stands between: command lines, lines of NCCL's own log, other programs' output. Other collectives
 * and other numbers of ranks than said are refused, by the ratio of bus to algorithm bandwidth.
 *
 * Of the two groups of columns the shorter time counts: what disturbs a measurement makes it longer. */
#ifndef KS_READ_NCCLTESTS_H
#define KS_READ_NCCLTESTS_H

#include "read/timings.h"

/* True if the text looks like nccl-tests output. */
bool ks_is_nccltests(const ks_source *source);

/* Adds the source's runs. ranks: what the user says, or 0; else the text must tell, by its Rank lines,
 * its "nThread .. nGpus .." line, or the ratio of the bandwidths. False after an error: B001 a row that
 * cannot be read, B002 another collective, B003 the ranks are not known, do not fit or are of several
 * machines, B004 no row. */
bool ks_read_nccltests(ks_diags *diags, const ks_source *source, int64_t ranks, ks_runs *runs);

#endif
