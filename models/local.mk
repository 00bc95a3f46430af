# Written by models/update-lists.sh (make update-lists). Do not edit.

kvsim_models = \
	models/gpu/a100-80gb.yaml \
	models/gpu/b200.yaml \
	models/gpu/h100-sxm.yaml \
	models/gpu/h200.yaml \
	models/gpu/l40s.yaml \
	models/gpu/rtx-4090.yaml \
	models/gpu/rtx-pro-6000-max-q.yaml \
	models/gpu/rtx-pro-6000-workstation.yaml \
	models/gpu/rtx-pro-6000.yaml \
	models/machine/1x-h100-sxm.yaml \
	models/machine/2x-rtx-pro-6000.yaml \
	models/machine/4x-rtx-4090.yaml \
	models/machine/8x-h100-sxm.yaml \
	models/machine/8x-h200.yaml \
	models/machine/8x-rtx-pro-6000.yaml

kvsim_scenarios =

kvsim_docs = \
	models/SCHEMA.md

man_pages =

golden_tests =

test_data =

fuzz_corpus =
