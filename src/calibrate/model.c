#include "calibrate/model.h"

#include "allreduce/wiring.h"
#include "model/topology_machine.h"

#include <math.h>

static ks_wiring *wire(const ks_catalog *catalog, const ks_machine *machine, int64_t ranks,
                       const ks_doc *calibration)
{
    const ks_topology *topology = ks_topology_of_machine(catalog, machine);
    ks_wiring_ask ask = ks_ask_of_machine(catalog->diags->arena, machine, NULL, ranks);
    ask.calibration = calibration;
    return topology ? ks_wire_machine(catalog, topology, ask) : NULL;
}

ks_ring_model *ks_ring_model_of(const ks_catalog *catalog, const ks_machine *machine, int64_t ranks,
                                const ks_doc *calibration)
{
    ks_ring_model *m = KS_NEW(catalog->diags->arena, ks_ring_model);
    const ks_str none = {NULL, 0};
    const ks_type bytes = {KS_WHOLE, KS_BYTE};
    const ks_wiring *wiring = wire(catalog, machine, ranks, calibration);
    m->program = ks_program_new(catalog->diags, 1);
    if (!wiring || !ks_define_machine(m->program, machine) ||
        !ks_read_allreduce(catalog, none, none, calibration, machine->at, &m->allreduce) ||
        !ks_define_wiring(catalog, m->program, wiring, none) ||
        ks_define_input(m->program, KS_STR("bytes"), KS_GIVEN, bytes, (ks_cell){.i = 1}, machine->at,
                        KS_STR("message of one rank")) < 0 ||
        !ks_define_allreduce(m->program, &m->allreduce, none) || !ks_link(m->program))
        return NULL;
    m->plan = ks_plan_new(m->program, &m->allreduce.bytes, 1, 1);
    m->pick = ks_find(m->program, KS_STR("allreduce.nccl"));
    return m;
}

static void run(ks_ring_model *model, double bytes)
{
    ks_plan_set(model->plan, model->allreduce.bytes, 0, (ks_cell){.i = (int64_t)fmax(1, round(bytes))});
    ks_plan_run(model->plan);
}

double ks_model_value(ks_ring_model *model, const char *name, double bytes)
{
    int def = ks_find(model->program, ks_from_c(name));
    if (def < 0)
        return (double)NAN;
    run(model, bytes);
    return ks_plan_real(model->plan, def, 0, 0);
}

double ks_model_nccl(ks_ring_model *model, double bytes)
{
    run(model, bytes);
    return ks_plan_real(model->plan, model->allreduce.nccl, 0, 0);
}

ks_str ks_model_pick(ks_ring_model *model, double bytes)
{
    if (model->pick < 0)
        return (ks_str){NULL, 0};
    run(model, bytes);
    return ks_word_text(model->program, ks_plan_get(model->plan, model->pick, 0, 0).i);
}
