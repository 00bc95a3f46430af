# The library, by layer from the bottom up, and the program. Sorted; a .c and its .h are neighbours.

include_HEADERS += src/kvsim.h

base_sources = \
	src/base/arena.c \
	src/base/arena.h \
	src/base/codes.h \
	src/base/diag.c \
	src/base/diag.h \
	src/base/num.c \
	src/base/num.h \
	src/base/sink.c \
	src/base/sink.h \
	src/base/source.c \
	src/base/source.h \
	src/base/str.c \
	src/base/str.h \
	src/base/table.c \
	src/base/table.h \
	src/base/unit.c \
	src/base/unit.h

read_sources = \
	src/read/arguments.c \
	src/read/arguments.h \
	src/read/benchcsv.c \
	src/read/benchcsv.h \
	src/read/command.c \
	src/read/command.h \
	src/read/doc.c \
	src/read/doc.h \
	src/read/file.c \
	src/read/file.h \
	src/read/flagtext.c \
	src/read/flagtext.h \
	src/read/json.c \
	src/read/json.h \
	src/read/log.c \
	src/read/log.h \
	src/read/log_pattern.c \
	src/read/matrix.c \
	src/read/matrix.h \
	src/read/nccltests.c \
	src/read/nccltests.h \
	src/read/needles.c \
	src/read/needles.h \
	src/read/python.c \
	src/read/python.h \
	src/read/schema.c \
	src/read/schema.h \
	src/read/shell.c \
	src/read/shell.h \
	src/read/timings.c \
	src/read/timings.h \
	src/read/wrapper.c \
	src/read/wrapper.h \
	src/read/xml.c \
	src/read/xml.h \
	src/read/yaml.c \
	src/read/yaml.h

expl_sources = \
	src/expl/check.c \
	src/expl/check.h \
	src/expl/code.c \
	src/expl/code.h \
	src/expl/eval.c \
	src/expl/eval.h \
	src/expl/formula.c \
	src/expl/formula.h \
	src/expl/functions.h \
	src/expl/link.c \
	src/expl/program.c \
	src/expl/program.h \
	src/expl/record.c \
	src/expl/record.h \
	src/expl/report.c \
	src/expl/report.h \
	src/expl/template.c \
	src/expl/template.h \
	src/expl/value.h

model_sources = \
	src/model/allreduce.c \
	src/model/allreduce.h \
	src/model/arch.c \
	src/model/arch.h \
	src/model/bare_machine.c \
	src/model/bare_machine.h \
	src/model/calibration.c \
	src/model/calibration.h \
	src/model/catalog.c \
	src/model/catalog.h \
	src/model/decode.c \
	src/model/decode.h \
	src/model/draft.c \
	src/model/draft.h \
	src/model/engine.c \
	src/model/engine.h \
	src/model/environment.c \
	src/model/environment.h \
	src/model/expect.c \
	src/model/expect.h \
	src/model/extra.c \
	src/model/extra.h \
	src/model/fabric.c \
	src/model/fabric.h \
	src/model/facts.c \
	src/model/facts.h \
	src/model/guess_gpu.c \
	src/model/guess_gpu.h \
	src/model/hf.c \
	src/model/hf.h \
	src/model/import_command.c \
	src/model/import_command.h \
	src/model/launch.c \
	src/model/launch.h \
	src/model/machine.c \
	src/model/machine.h \
	src/model/merge.c \
	src/model/merge.h \
	src/model/nccl.c \
	src/model/nccl.h \
	src/model/pattern.c \
	src/model/pattern.h \
	src/model/processor.c \
	src/model/processor.h \
	src/model/profile.c \
	src/model/runlog.c \
	src/model/runlog.h \
	src/model/runlog_failure.c \
	src/model/runlog_find.h \
	src/model/runlog_flags.c \
	src/model/runlog_version.c \
	src/model/scenario.c \
	src/model/scenario.h \
	src/model/sizes.c \
	src/model/sizes.h \
	src/model/starts.c \
	src/model/starts.h \
	src/model/tables.c \
	src/model/tables.h \
	src/model/topology.h \
	src/model/topology_xml.c \
	src/model/topology_xml.h \
	src/model/topology.c \
	src/model/topology.h \
	src/model/topology_file.c \
	src/model/topology_file.h \
	src/model/topology_machine.c \
	src/model/topology_machine.h \
	src/model/topology_matrix.c \
	src/model/topology_matrix.h \
	src/model/topology_parts.c \
	src/model/topology_parts.h \
	src/model/version.c \
	src/model/version.h

engine_sources = \
	src/engine/advice.c \
	src/engine/advice.h \
	src/engine/compare.c \
	src/engine/compare.h \
	src/engine/contrast.c \
	src/engine/contrast.h \
	src/engine/differ.c \
	src/engine/differ.h \
	src/engine/explain.c \
	src/engine/explain.h \
	src/engine/guess_ranks.c \
	src/engine/guess_ranks.h \
	src/engine/import.c \
	src/engine/import.h \
	src/engine/import_topo.c \
	src/engine/import_topo.h \
	src/engine/lanes.c \
	src/engine/lanes.h \
	src/engine/memory.c \
	src/engine/memory.h \
	src/engine/quasi.c \
	src/engine/quasi.h \
	src/engine/range.c \
	src/engine/range.h \
	src/engine/replay.c \
	src/engine/replay.h \
	src/engine/rounding.c \
	src/engine/rounding.h \
	src/engine/solve.c \
	src/engine/solve.h \
	src/engine/ways.c \
	src/engine/ways.h \
	src/engine/verdict.c \
	src/engine/verdict.h

links_sources = \
	src/links/flow.c \
	src/links/flow.h \
	src/links/flow_share.c \
	src/links/flow_sim.h \
	src/links/route.c \
	src/links/route.h \
	src/links/route_build.h \
	src/links/route_links.c \
	src/links/transfer.c \
	src/links/transfer.h

nccl_sources = \
	src/nccl/channels.c \
	src/nccl/channels.h \
	src/nccl/graph.c \
	src/nccl/graph.h \
	src/nccl/graph_file.c \
	src/nccl/graph_file.h \
	src/nccl/paths.c \
	src/nccl/program.c \
	src/nccl/search.c \
	src/nccl/search.h \
	src/nccl/select.c \
	src/nccl/select.h \
	src/nccl/trace.c \
	src/nccl/trace.h \
	src/nccl/words.c \
	src/nccl/words.h

allreduce_sources = \
	src/allreduce/allreduce.c \
	src/allreduce/allreduce.h \
	src/allreduce/record.c \
	src/allreduce/tell.c \
	src/allreduce/tell.h \
	src/allreduce/timing.c \
	src/allreduce/timing.h \
	src/allreduce/wiring.c \
	src/allreduce/wiring.h

decode_sources = \
	src/decode/decode.c \
	src/decode/decode.h \
	src/decode/links.c \
	src/decode/links.h \
	src/decode/report.c

calibrate_sources = \
	src/calibrate/calibrate.c \
	src/calibrate/calibrate.h \
	src/calibrate/correction.c \
	src/calibrate/correction.h \
	src/calibrate/file.c \
	src/calibrate/file.h \
	src/calibrate/fit.c \
	src/calibrate/fit.h \
	src/calibrate/forms.c \
	src/calibrate/forms.h \
	src/calibrate/model.c \
	src/calibrate/model.h \
	src/calibrate/report.c \
	src/calibrate/report.h

render_sources = \
	src/render/derivation.c \
	src/render/derivation.h \
	src/render/json.c \
	src/render/json.h \
	src/render/listing.c \
	src/render/listing.h \
	src/render/text.c \
	src/render/text.h

cli_sources = \
	src/cli/cmd.c \
	src/cli/cmd.h \
	src/cli/cmd_allreduce.c \
	src/cli/cmd_calibrate.c \
	src/cli/cmd_check.c \
	src/cli/cmd_compare.c \
	src/cli/cmd_decode.c \
	src/cli/cmd_explain.c \
	src/cli/cmd_import.c \
	src/cli/cmd_list.c \
	src/cli/cmd_run.c \
	src/cli/cmd_solve.c \
	src/cli/main.c \
	src/cli/option.c \
	src/cli/option.h

# Everything but the program, as a convenience archive: unit tests reach the internal ks_ functions.
noinst_LTLIBRARIES += libkvsim-internal.la
libkvsim_internal_la_SOURCES = \
	src/api/calibrate.c \
	src/api/handle.c \
	src/api/handle.h \
	src/api/report.c \
	src/api/scenario.c \
	src/api/write.c \
	$(base_sources) \
	$(read_sources) \
	$(expl_sources) \
	$(model_sources) \
	$(engine_sources) \
	$(links_sources) \
	$(nccl_sources) \
	$(allreduce_sources) \
	$(decode_sources) \
	$(calibrate_sources) \
	$(render_sources)
libkvsim_internal_la_CFLAGS = $(AM_CFLAGS) $(LIBRARY_CFLAGS) \
	$(YAML_CFLAGS) $(JANSSON_CFLAGS) $(GSL_CFLAGS) $(EXPAT_CFLAGS)
libkvsim_internal_la_LIBADD = $(YAML_LIBS) $(JANSSON_LIBS) $(GSL_LIBS) $(EXPAT_LIBS)

# The shared library shows the public names only.
lib_LTLIBRARIES += libkvsim.la
libkvsim_la_SOURCES =
libkvsim_la_LIBADD = libkvsim-internal.la
libkvsim_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined \
	-export-symbols-regex '^kvsim_'

# The program sees kvsim.h only (tests/check_layers.sh). It holds the library instead of loading it:
# one file that starts fast, and runs from the build tree without a wrapper script.
bin_PROGRAMS += kvsim
kvsim_SOURCES = $(cli_sources)
kvsim_CPPFLAGS = $(AM_CPPFLAGS) -DKVSIM_BUILD_MODELS="\"$(SOURCE_ROOT)/models\"" \
	-DKVSIM_BUILD_DIR="\"$(abs_top_builddir)\""
kvsim_LDADD = libkvsim-internal.la
