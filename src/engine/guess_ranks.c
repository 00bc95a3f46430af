#include "engine/guess_ranks.h"

#include "model/scenario.h"
#include "read/yaml.h"

enum { MOST_RANKS = 32 };

ks_str ks_rank_flag(const ks_engine *engine)
{
    const ks_doc *factors = ks_member_of(engine->doc, "ranks");
    return factors && factors->n ? factors->items[0].value->text : (ks_str){NULL, 0};
}

/* A scenario with so many ranks. */
static ks_str trial_text(const ks_catalog *catalog, const ks_run_log *log, ks_str llm, ks_str machine,
                         ks_str gpu, size_t ranks)
{
    ks_arena *arena = catalog->diags->arena;
    if (!machine.n)
        machine = ks_format(arena, "{gpu: %.*s, count: %zu}", KS_ARG(gpu), ranks);
    return ks_format(arena, "kvsim: 1\nengine: %.*s %.*s\nllm: %.*s\nmachine: %.*s\nlaunch: {%.*s: %zu}\n",
                     KS_ARG(log->profile->engine), KS_ARG(log->version), KS_ARG(llm), KS_ARG(machine),
                     KS_ARG(ks_rank_flag(&log->profile->read)), ranks);
}

/* The GPUs of the machine on which the engine takes this launch; 0: it does not. */
static size_t gpus_of(const ks_catalog *catalog, ks_str text)
{
    ks_diags *diags = catalog->diags, before = *diags;
    ks_settings none = {NULL, 0, 0};
    const ks_doc *doc = ks_read_yaml(diags, ks_source_new(diags->arena, KS_STR("<trial>"), text));
    const ks_model *model = doc ? ks_build_model(catalog, doc, &none, (ks_ask){0}) : NULL;
    diags->n = before.n;
    diags->errors = before.errors;
    diags->dropped = before.dropped;
    return model ? (size_t)model->gpu_count : 0;
}

ks_guessed_ranks ks_guess_ranks(const ks_catalog *catalog, const ks_run_log *log, ks_str llm,
                                ks_str machine, ks_str gpu)
{
    for (size_t ranks = log->n_ranks; ranks <= MOST_RANKS; ranks += 1 + (ranks + 1) % 2) {
        size_t gpus = gpus_of(catalog, trial_text(catalog, log, llm, machine, gpu, ranks));
        if (gpus && gpus % ranks == 0)
            return (ks_guessed_ranks){ranks, gpus};
    }
    return (ks_guessed_ranks){0, 0};
}
