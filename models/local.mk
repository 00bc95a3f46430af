# Written by models/update-lists.sh (make update-lists). Do not edit.

kvsim_models = \
	models/arch/common.yaml \
	models/arch/deepseek-v3.yaml \
	models/arch/llama.yaml \
	models/arch/moe.yaml \
	models/arch/qwen-vl.yaml \
	models/engine/sglang-0.5.10.yaml \
	models/engine/sglang-0.5.11.yaml \
	models/engine/sglang-0.5.12.yaml \
	models/engine/sglang-0.5.13.yaml \
	models/engine/sglang-0.5.14.yaml \
	models/engine/sglang-0.5.16.yaml \
	models/engine/sglang-0.5.3.yaml \
	models/engine/sglang-0.5.4.yaml \
	models/engine/sglang-0.5.5.yaml \
	models/engine/sglang-0.5.6.yaml \
	models/engine/sglang-0.5.7.yaml \
	models/engine/sglang-0.5.8.yaml \
	models/engine/sglang-0.5.9.yaml \
	models/format/weights.yaml \
	models/gpu/a10.yaml \
	models/gpu/a100-40gb.yaml \
	models/gpu/a100-80gb.yaml \
	models/gpu/a10g.yaml \
	models/gpu/a30.yaml \
	models/gpu/a40.yaml \
	models/gpu/b200.yaml \
	models/gpu/b300.yaml \
	models/gpu/common.yaml \
	models/gpu/gb10.yaml \
	models/gpu/gb200.yaml \
	models/gpu/gb300.yaml \
	models/gpu/gh200.yaml \
	models/gpu/h100-nvl.yaml \
	models/gpu/h100-pcie.yaml \
	models/gpu/h100-sxm.yaml \
	models/gpu/h20.yaml \
	models/gpu/h200.yaml \
	models/gpu/l4.yaml \
	models/gpu/l40.yaml \
	models/gpu/l40s.yaml \
	models/gpu/mi210.yaml \
	models/gpu/mi250x.yaml \
	models/gpu/mi300x.yaml \
	models/gpu/mi325x.yaml \
	models/gpu/mi355x.yaml \
	models/gpu/rtx-2080-ti.yaml \
	models/gpu/rtx-3060.yaml \
	models/gpu/rtx-3090.yaml \
	models/gpu/rtx-4060-ti-16gb.yaml \
	models/gpu/rtx-4070.yaml \
	models/gpu/rtx-4090.yaml \
	models/gpu/rtx-5070-ti.yaml \
	models/gpu/rtx-5080.yaml \
	models/gpu/rtx-5090.yaml \
	models/gpu/rtx-6000-ada.yaml \
	models/gpu/rtx-6000d.yaml \
	models/gpu/rtx-a6000.yaml \
	models/gpu/rtx-pro-6000-max-q.yaml \
	models/gpu/rtx-pro-6000-workstation.yaml \
	models/gpu/rtx-pro-6000.yaml \
	models/gpu/t4.yaml \
	models/gpu/v100-16gb.yaml \
	models/gpu/v100-32gb.yaml \
	models/llm/deepseek-v3.yaml \
	models/llm/kimi-k2.5-int4.yaml \
	models/llm/llama-3.1-70b.yaml \
	models/llm/llama-3.1-8b.yaml \
	models/llm/qwen3-8b.yaml \
	models/machine/1x-h100-sxm.yaml \
	models/machine/2x-rtx-pro-6000.yaml \
	models/machine/4x-rtx-4090.yaml \
	models/machine/8x-h100-sxm.yaml \
	models/machine/8x-h200.yaml \
	models/machine/8x-rtx-pro-6000.yaml

kvsim_scenarios = \
	scenarios/8x-h200-llama-70b.yaml \
	scenarios/8x-mi355x-kimi-k2.5.yaml \
	scenarios/8x-rtx-pro-6000-automatic-0.5.16.yaml \
	scenarios/8x-rtx-pro-6000-automatic.yaml \
	scenarios/8x-rtx-pro-6000-busy-gpu.yaml \
	scenarios/8x-rtx-pro-6000-fraction-0.55-stock.yaml \
	scenarios/8x-rtx-pro-6000-fraction-0.55.yaml \
	scenarios/8x-rtx-pro-6000-fraction-0.88.yaml \
	scenarios/8x-rtx-pro-6000-graphs-128.yaml \
	scenarios/8x-rtx-pro-6000-less-start-reading.yaml \
	scenarios/8x-rtx-pro-6000-more-at-init.yaml \
	scenarios/8x-rtx-pro-6000-unbalanced.yaml \
	scenarios/two-readings-of-total.yaml

kvsim_docs = \
	README.md \
	CONTRIBUTING.md \
	NEWS.md \
	models/SCHEMA.md

man_pages = \
	man/kvsim-formula.7 \
	man/kvsim-models.5 \
	man/kvsim-scenario.5 \
	man/kvsim.1 \
	man/libkvsim.3

golden_tests = \
	tests/golden/8x-h200-llama-70b.test \
	tests/golden/8x-mi355x-kimi-k2.5.test \
	tests/golden/8x-rtx-pro-6000-automatic-0.5.16.test \
	tests/golden/8x-rtx-pro-6000-automatic.test \
	tests/golden/8x-rtx-pro-6000-busy-gpu.test \
	tests/golden/8x-rtx-pro-6000-fraction-0.55-stock.test \
	tests/golden/8x-rtx-pro-6000-fraction-0.55.test \
	tests/golden/8x-rtx-pro-6000-fraction-0.88.test \
	tests/golden/8x-rtx-pro-6000-graphs-128.test \
	tests/golden/8x-rtx-pro-6000-less-start-reading.test \
	tests/golden/8x-rtx-pro-6000-more-at-init.test \
	tests/golden/8x-rtx-pro-6000-unbalanced.test \
	tests/golden/bad-models.test \
	tests/golden/bad-scenarios.test \
	tests/golden/cli.test \
	tests/golden/explain.test \
	tests/golden/json.test \
	tests/golden/set.test \
	tests/golden/solve.test \
	tests/golden/two-readings-of-total.test

test_data = \
	tests/data/bad/absurd.yaml \
	tests/data/bad/alias.yaml \
	tests/data/bad/bad-expectation.yaml \
	tests/data/bad/bad-switch.yaml \
	tests/data/bad/broken/llm/odd.yaml \
	tests/data/bad/circle/engine/sglang-0.5.9.yaml \
	tests/data/bad/cycle/engine/sglang-0.5.9.yaml \
	tests/data/bad/duplicate-key.yaml \
	tests/data/bad/empty.yaml \
	tests/data/bad/engine-too-new.yaml \
	tests/data/bad/engine-without-version.yaml \
	tests/data/bad/failed-expectation.yaml \
	tests/data/bad/fraction-above-one.yaml \
	tests/data/bad/fraction/engine/sglang-0.5.9.yaml \
	tests/data/bad/gpu-without-unit.yaml \
	tests/data/bad/heads.yaml \
	tests/data/bad/list-for-value.yaml \
	tests/data/bad/measured-flag.yaml \
	tests/data/bad/measured-input.yaml \
	tests/data/bad/missing-key.yaml \
	tests/data/bad/missing-name/engine/sglang-0.5.9.yaml \
	tests/data/bad/more-ranks-than-gpus.yaml \
	tests/data/bad/negative-size/llm/odd.yaml \
	tests/data/bad/negative.yaml \
	tests/data/bad/no-format.yaml \
	tests/data/bad/not-a-choice.yaml \
	tests/data/bad/not-a-number.yaml \
	tests/data/bad/not-yaml.yaml \
	tests/data/bad/occupied-no-such-gpu.yaml \
	tests/data/bad/odd-llm.yaml \
	tests/data/bad/other-format.yaml \
	tests/data/bad/same-flag-twice.yaml \
	tests/data/bad/tab.yaml \
	tests/data/bad/two-documents.yaml \
	tests/data/bad/unit-missing.yaml \
	tests/data/bad/unit-unknown.yaml \
	tests/data/bad/unit-wrong.yaml \
	tests/data/bad/units/engine/sglang-0.5.9.yaml \
	tests/data/bad/unknown-assumption.yaml \
	tests/data/bad/unknown-engine-version.yaml \
	tests/data/bad/unknown-environment.yaml \
	tests/data/bad/unknown-flag.yaml \
	tests/data/bad/unknown-gpu-key.yaml \
	tests/data/bad/unknown-gpu.yaml \
	tests/data/bad/unknown-key.yaml \
	tests/data/bad/unknown-llm.yaml \
	tests/data/bad/unknown-quantity.yaml \
	tests/data/bad/unnamed/engine/sglang-0.5.9.yaml \
	tests/data/bad/what-if-out-of-bounds.yaml \
	tests/data/bad/wrong-number-of-values.yaml

test_headers = \
	tests/unit/support.h

fuzz_corpus = \
	tests/fuzz/corpus/formula/both_pinned \
	tests/fuzz/corpus/formula/budget \
	tests/fuzz/corpus/formula/circle \
	tests/fuzz/corpus/formula/conditions \
	tests/fuzz/corpus/formula/declared \
	tests/fuzz/corpus/formula/free \
	tests/fuzz/corpus/formula/lookup \
	tests/fuzz/corpus/formula/nested \
	tests/fuzz/corpus/formula/overflow \
	tests/fuzz/corpus/formula/pinned \
	tests/fuzz/corpus/formula/ranks \
	tests/fuzz/corpus/formula/real \
	tests/fuzz/corpus/formula/rounding \
	tests/fuzz/corpus/formula/strict \
	tests/fuzz/corpus/formula/sum \
	tests/fuzz/corpus/formula/typos \
	tests/fuzz/corpus/formula/units \
	tests/fuzz/corpus/scenario/alias \
	tests/fuzz/corpus/scenario/bad_utf8 \
	tests/fuzz/corpus/scenario/bom \
	tests/fuzz/corpus/scenario/comment \
	tests/fuzz/corpus/scenario/complex_key \
	tests/fuzz/corpus/scenario/control \
	tests/fuzz/corpus/scenario/deep \
	tests/fuzz/corpus/scenario/deep_maps \
	tests/fuzz/corpus/scenario/directive \
	tests/fuzz/corpus/scenario/documents \
	tests/fuzz/corpus/scenario/flow \
	tests/fuzz/corpus/scenario/key \
	tests/fuzz/corpus/scenario/lines \
	tests/fuzz/corpus/scenario/list \
	tests/fuzz/corpus/scenario/numbers \
	tests/fuzz/corpus/scenario/profile \
	tests/fuzz/corpus/scenario/quotes \
	tests/fuzz/corpus/scenario/scenario \
	tests/fuzz/corpus/scenario/tab \
	tests/fuzz/corpus/scenario/tag \
	tests/fuzz/corpus/scenario/twice \
	tests/fuzz/corpus/scenario/utf8
