#include "model/environment.h"

bool ks_decides_links(ks_str variable)
{
    return ks_starts_with(variable, KS_STR("NCCL_")) || ks_equal_c(variable, KS_VISIBLE_DEVICES);
}

const ks_doc *ks_set_env(ks_arena *arena, const ks_doc *told, const ks_settings *settings,
                         bool *used)
{
    ks_doc *env = NULL;
    for (size_t i = 0; i < settings->n; i++) {
        const ks_setting *setting = &settings->items[i];
        if (!ks_decides_links(setting->name))
            continue;
        used[i] = true;
        if (!env) {
            env = KS_NEW(arena, ks_doc);
            *env = (ks_doc){.kind = KS_MAP, .span = setting->name_span};
            for (size_t k = 0; told && k < told->n; k++)
                *KS_PUSH(arena, env) = told->items[k];
        }
        *KS_PUSH(arena, env) = (ks_member){setting->name, setting->name_span, setting->value};
    }
    return env ? env : told;
}
