# Written by models/update-lists.sh (make update-lists). Do not edit.

kvsim_models = \
	models/arch/common.yaml \
	models/arch/deepseek-v3.yaml \
	models/arch/llama.yaml \
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
	models/gpu/a100-80gb.yaml \
	models/gpu/b200.yaml \
	models/gpu/common.yaml \
	models/gpu/h100-sxm.yaml \
	models/gpu/h200.yaml \
	models/gpu/l40s.yaml \
	models/gpu/rtx-4090.yaml \
	models/gpu/rtx-pro-6000-max-q.yaml \
	models/gpu/rtx-pro-6000-workstation.yaml \
	models/gpu/rtx-pro-6000.yaml \
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
	scenarios/8x-rtx-pro-6000-fraction-0.55.yaml

kvsim_docs = \
	models/SCHEMA.md

man_pages =

golden_tests =

test_data =

test_headers = \
	tests/unit/support.h

fuzz_corpus =
