#include "engine/decode.h"
void ks_report_decode(ks_replay *replay, const ks_judgement *judgement)
{
    (void)replay;
    (void)judgement;
}
