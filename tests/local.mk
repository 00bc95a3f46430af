# Tests, fuzz programs and benchmarks.

# ---- Unit tests: one per module, tests/unit/test_NAME.c. Sorted; add a line for a new one. --------

unit_tests = \
	tests/unit/test_arena \
	tests/unit/test_benchcsv \
	tests/unit/test_calibrate \
	tests/unit/test_check \
	tests/unit/test_command \
	tests/unit/test_decode \
	tests/unit/test_diag \
	tests/unit/test_eval \
	tests/unit/test_flow \
	tests/unit/test_fit \
	tests/unit/test_formula \
	tests/unit/test_log \
	tests/unit/test_matrix \
	tests/unit/test_memory_limits \
	tests/unit/test_nccl \
	tests/unit/test_nccltests \
	tests/unit/test_num \
	tests/unit/test_json \
	tests/unit/test_pattern \
	tests/unit/test_properties \
	tests/unit/test_route \
	tests/unit/test_runlog \
	tests/unit/test_schema \
	tests/unit/test_shell \
	tests/unit/test_sizes \
	tests/unit/test_source \
	tests/unit/test_str \
	tests/unit/test_table \
	tests/unit/test_topology \
	tests/unit/test_transfer \
	tests/unit/test_unit \
	tests/unit/test_xml \
	tests/unit/test_yaml \
	tests/unit/test_yaml_memory

check_PROGRAMS += $(unit_tests)

# What unit tests, fuzz programs and bench programs link. Only unit tests need cmocka.
LDADD = libkvsim-internal.la $(CMOCKA_LIBS)

if !HAVE_CMOCKA
check_DATA = cmocka-is-missing
cmocka-is-missing:
	@echo "make check: cmocka is missing. On Debian: apt-get install libcmocka-dev" >&2
	@echo "(or scripts/setup.sh tests); then run configure again." >&2
	@exit 1
endif

# ---- Checks of the sources, the documents and the lists -------------------------------------------

check_scripts = \
	tests/check_codes.sh \
	tests/check_exports.sh \
	tests/check_layers.sh \
	tests/check_lists.sh \
	tests/check_options.sh \
	tests/check_sizes.sh \
	tests/check_solved_ends.sh \
	tests/check_sources.sh \
	tests/docs.sh

# ---- All of them ----------------------------------------------------------------------------------

TEST_EXTENSIONS = .sh .test
SH_LOG_COMPILER = $(SHELL)
TEST_LOG_COMPILER = $(SHELL) $(srcdir)/tests/golden.sh
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(SOURCE_ROOT)'; top_builddir='$(abs_top_builddir)'; \
	export top_srcdir top_builddir;

TESTS += $(unit_tests) $(golden_tests) $(check_scripts)

EXTRA_DIST += \
	$(check_scripts) \
	$(fuzz_corpus) \
	$(golden_tests) \
	$(test_data) \
	$(test_headers) \
	tests/golden.sh \
	tests/scan.pl \
	tests/scratch.sh

# ---- Fuzz programs: tests/fuzz/fuzz_NAME.c, corpus in tests/fuzz/corpus/fuzz_NAME -------------------

fuzz_targets = \
	tests/fuzz/fuzz_benchcsv \
	tests/fuzz/fuzz_command \
	tests/fuzz/fuzz_config \
	tests/fuzz/fuzz_formula \
	tests/fuzz/fuzz_log \
	tests/fuzz/fuzz_launch \
	tests/fuzz/fuzz_matrix \
	tests/fuzz/fuzz_nccltests \
	tests/fuzz/fuzz_scenario \
	tests/fuzz/fuzz_topology \
	tests/fuzz/fuzz_yaml

if ENABLE_FUZZERS
noinst_PROGRAMS += $(fuzz_targets)
endif

tests_fuzz_fuzz_benchcsv_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_command_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_config_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_formula_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_log_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_launch_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_matrix_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_nccltests_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_scenario_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_topology_LDADD = libkvsim-internal.la $(FUZZER_LIBS)
tests_fuzz_fuzz_yaml_LDADD = libkvsim-internal.la $(FUZZER_LIBS)

# ---- Benchmarks: make bench -----------------------------------------------------------------------

bench_programs = tests/bench/bench_eval

check_PROGRAMS += $(bench_programs) tests/bench/timeit
EXTRA_DIST += tests/bench/bench_simgrid.cc tests/bench/process.sh

tests_bench_bench_eval_LDADD = libkvsim-internal.la
tests_bench_timeit_LDADD =

# Flows beside SimGrid, where it is installed. Its rules are written out: the project has no other C++.
if HAVE_SIMGRID
bench_others = tests/bench/bench_simgrid
CLEANFILES += tests/bench/bench_simgrid tests/bench/bench_simgrid.o
endif

tests/bench/bench_simgrid: tests/bench/bench_simgrid.cc libkvsim-internal.la
	@$(MKDIR_P) tests/bench
	$(AM_V_CC)$(SIMGRID_CXX) -std=c++17 -O2 $(DEFS) $(AM_CPPFLAGS) $(SIMGRID_CFLAGS) -c -o $@.o \
	    $(srcdir)/tests/bench/bench_simgrid.cc
	$(AM_V_CCLD)$(LIBTOOL) $(AM_V_lt) --tag=CC --mode=link $(SIMGRID_CXX) -o $@ $@.o \
	    libkvsim-internal.la $(SIMGRID_LIBS)

bench: kvsim$(EXEEXT) $(bench_programs) $(bench_others) tests/bench/timeit$(EXEEXT)
	@for program in $(bench_programs) $(bench_others); do \
	    (cd '$(SOURCE_ROOT)' && '$(abs_top_builddir)'/$$program $(BENCH_FLAGS)) || exit; \
	done
	@top_srcdir='$(SOURCE_ROOT)' top_builddir='$(abs_top_builddir)' \
	    $(SHELL) $(srcdir)/tests/bench/process.sh $(BENCH_SCENARIOS)
