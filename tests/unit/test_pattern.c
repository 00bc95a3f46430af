/* Which modules a quantisation's patterns leave out; and release numbers. */
#include "support.h"

#include "model/pattern.h"
#include "model/version.h"

static void modules(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *module;
        bool matches;
    } rows[] = {
        {"lm_head", "lm_head", true},
        {"lm_head", "model.layers.7.mlp.gate_proj", false},
        {"self_attn", "model.layers.7.self_attn.q_proj", true},
        {"self", "model.layers.7.self_attn.q_proj", false},
        {"model.layers.7", "model.layers.7.self_attn.q_proj", true},
        {"model.layers.7", "model.layers.71.self_attn.q_proj", false},
        {"", "model.layers.7.self_attn.q_proj", false},
        {"*self_attn*", "model.layers.7.self_attn.q_proj", true},
        {"*.mlp.gate", "model.layers.7.mlp.gate", true},
        {"*.mlp.gate", "model.layers.7.mlp.gate_proj", false},
        {"model.layers.*", "model.layers.7.mlp.gate", true},
        {"language_model*", "model.layers.7.mlp.gate", false},
        {"re:.*self_attn.*", "model.layers.7.self_attn.q_proj", true},
        {"re:.*shared_experts.*", "model.layers.7.mlp.shared_experts.gate_proj", true},
        {"re:.*shared_experts.*", "model.layers.7.mlp.experts.3.gate_proj", false},
        {"re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.7.mlp.gate_proj", true},
        {"re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.7.mlp.experts.3.gate_proj", false},
        {"re:^model.*q_proj$", "model.layers.7.self_attn.q_proj", true},
        {"re:^model.*q_pro$", "model.layers.7.self_attn.q_proj", false},
        {"re:vision_tower.*", "model.layers.7.self_attn.q_proj", false},
        {"re:(?:model|other)\\.layers", "model.layers.7.self_attn.q_proj", true},
        {"re:mo.el", "model.layers.7", true},
        {"re:mo\\.el", "model.layers.7", false},
        {"re:(model", "model.layers.7", false},
        {"re:", "model.layers.7", true},
        {"re:\\", "model.layers.7", false},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK_WHOLE(rows[i].pattern,
                    ks_module_matches(ks_from_c(rows[i].pattern), ks_from_c(rows[i].module)),
                    rows[i].matches);
}

/* Patterns that would take for ever give up instead. */
static void costly_patterns(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "re:.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*.*x",
        "re:(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)(a|.)x",
        "*m*o*d*e*l*l*a*y*e*r*s*7*s*e*l*f*a*t*t*n*q*p*r*o*j*x",
        "re:((((((((((((((((((((((((((((((((((((((((model))))))))))))))))))))))))))))))))))))))))x",
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++)
        CHECK(rows[i], !ks_module_matches(ks_from_c(rows[i]),
                                          KS_STR("model.layers.7.self_attn.q_proj.q_proj.q_proj")));
}

static void versions(void **state)
{
    (void)state;
    static const struct {
        const char *lower, *higher;
    } rows[] = {
        {"0.5.3rc2", "0.5.3"},       {"0.5.9", "0.5.10"},         {"0.5.8", "0.5.8.post1"},
        {"0.5.8.post1", "0.5.9rc0"}, {"0.4.6.post5", "0.4.7"},    {"0.4.9.post2", "0.4.9.post3"},
        {"v0.4.3", "0.5"},           {"0.12.0", "1.0"},           {"0.5.3rc1", "0.5.3rc2"},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_version a, b;
        CHECK(rows[i].lower, ks_parse_version(ks_from_c(rows[i].lower), &a));
        CHECK(rows[i].higher, ks_parse_version(ks_from_c(rows[i].higher), &b));
        CHECK(rows[i].lower, ks_compare_versions(a, b) < 0);
        CHECK(rows[i].lower, ks_compare_versions(b, a) > 0);
        CHECK_WHOLE(rows[i].lower, ks_compare_versions(a, a), 0);
    }
    static const char *const none[] = {"", "v", "main", "0.5.x", "0.5.", "0.5.3beta", "0.5.3post",
                                       "99999999999.1", "0.5.3rc", "-1.2"};
    for (size_t i = 0; i < KS_COUNT(none); i++) {
        ks_version ignored;
        CHECK(none[i], !ks_parse_version(ks_from_c(none[i]), &ignored));
    }
}

static void version_ranges(void **state)
{
    (void)state;
    static const struct {
        const char *version, *range;
        bool inside, good;
    } rows[] = {
        {"0.5.9", ">=0.5.9 <0.5.10rc0", true, true},  {"0.5.10rc0", ">=0.5.9 <0.5.10rc0", false, true},
        {"0.5.3", ">0.5.3", false, true},             {"0.5.3.post1", ">0.5.3", true, true},
        {"0.5.3", "<=0.5.3", true, true},             {"0.5.3", "==0.5.3", true, true},
        {"0.5.4", "==0.5.3", false, true},            {"0.5.3", "0.5.3", false, false},
        {"0.5.3", ">=x", false, false},               {"0.5.3", "", true, true},
    };
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_version version;
        bool good;
        CHECK(rows[i].version, ks_parse_version(ks_from_c(rows[i].version), &version));
        bool inside = ks_version_in(version, ks_from_c(rows[i].range), &good);
        CHECK_WHOLE(rows[i].range, good, rows[i].good);
        if (good)
            CHECK_WHOLE(rows[i].range, inside, rows[i].inside);
    }
}

static void engines_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *version;
    } rows[] = {
        {"sglang 0.5.9", "sglang", "0.5.9"},
        {" SGLang  v0.5.9 ", "sglang", "v0.5.9"},
        {"vllm==0.8.5", "vllm", "0.8.5"},
        {"sglang-0.5.9", "sglang", "0.5.9"},
        {"sglang", "sglang", ""},
        {"0.5.9", "", "0.5.9"},
        {"v0.5.9", "", "v0.5.9"},
        {"my-engine 1.2", "my-engine", "1.2"},
        {"my-engine-1.2", "my-engine", "1.2"},
        {"", "", ""},
    };
    ks_arena *arena = ks_arena_new(0, NULL, NULL);
    for (size_t i = 0; i < KS_COUNT(rows); i++) {
        ks_str name, version;
        ks_split_engine(arena, ks_from_c(rows[i].text), &name, &version);
        CHECK_TEXT(rows[i].text, name, rows[i].name);
        CHECK_TEXT(rows[i].text, version, rows[i].version);
    }
    ks_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modules),       cmocka_unit_test(costly_patterns),
        cmocka_unit_test(versions),      cmocka_unit_test(version_ranges),
        cmocka_unit_test(engines_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
