/* What the all-reduces of a decode step take on the machine's links: NCCL's answers, what transfers get,
 * and the closed forms over both, for each step's message. */
#ifndef KS_DECODE_LINKS_H
#define KS_DECODE_LINKS_H

#include "model/decode.h"

/* A ks_decode_links, for machines of all kinds. */
ks_decode_links ks_decode_machine_links;

#endif
