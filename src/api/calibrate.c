/* The public functions of calibration. */
#include "api/handle.h"

#include "calibrate/file.h"
#include "calibrate/report.h"

static void *calibrate(call *c)
{
    kvsim *k = c->k;
    const kvsim_measurements *m = c->measured;
    ks_str *files = KS_NEW_ARRAY(k->arena, ks_str, m->n_files + 1);
    for (size_t i = 0; i < m->n_files; i++)
        files[i] = ks_copy(k->arena, ks_from_c(m->files[i]));
    ks_calibrate_ask ask = {ks_copy(k->arena, ks_from_c(m->machine)), files, m->n_files,
                            ks_copy(k->arena, ks_from_c(m->ranks)),
                            ks_copy(k->arena, ks_from_c(m->algorithm))};
    const ks_calibration *found = ks_calibrate(&k->catalog, &ask);
    if (!found)
        return NULL;
    ks_report *made = ks_report_calibration(found);
    if (!made)
        return NULL;
    kvsim_report *report = ks_new_report(k, made);
    report->machine_file = ks_calibrated_machine(found);
    return report;
}

kvsim_report *kvsim_calibrate(kvsim *k, const kvsim_measurements *measured)
{
    return ks_guard(&(call){.k = k, .measured = measured}, calibrate);
}

bool kvsim_write_machine(const kvsim_report *report, kvsim_write_fn *write, void *context)
{
    if (!report->machine_file.n)
        return false;
    ks_put((ks_sink){write, context}, report->machine_file);
    return true;
}
