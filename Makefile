# The entry point. Each command works on a fresh Debian 12: it installs what is missing, if it may. Everything else is
# CMake: `cmake --list-presets`, HACKING.md.

JOBS  ?= $(shell nproc)
PREFIX ?= /usr/local
SHOAL := build/release/bin/shoal
GRAPH := data/debian-depends

BUILD := cmake --build --parallel $(JOBS) --preset
# In half cores (cmake/shoal_test.cmake), and one more for a test that waits.
CTEST := ctest --parallel $(shell expr 2 '*' $(JOBS) + 1) --preset

# Two cores wait for stalls that actor.stall.py shows asan, too. Only `make test-all` runs this one with asan.
ASAN_LATER := actor.mistakes.py

.PHONY: help demo test test-all bench format docs install install-deps clean

help:
	@echo 'make demo          build, then PageRank, triangles and a histogram on all cores'
	@echo 'make test          every test but the long ones, also under sanitizers (about an hour on two cores)'
	@echo 'make test-all      also the long tests, and all presets (hours)'
	@echo 'make bench         run the benchmarks, and the suite quick of shoal bench'
	@echo 'make format        clang-format all sources'
	@echo 'make docs          refresh the code in the documents from its sources, check their links'
	@echo 'make install       install to PREFIX ($(PREFIX))'
	@echo 'make install-deps  install what building and testing needs'
	@echo 'Variables: JOBS=$(JOBS)  PREFIX=$(PREFIX)'

demo:
	@cmake/install-deps.sh build
	cmake --preset release
	$(BUILD) release --target all_tools all_examples
	$(SHOAL) run pagerank --input $(GRAPH).mtx.gz --names $(GRAPH).names.gz
	$(SHOAL) run triangle --input $(GRAPH).mtx.gz
	$(SHOAL) run histogram --baseline

# Builds everything first, so that the last output is ctest's; the first failure ends it. What a test of one process shows
# with asan, it need not show again: checked-after-asan leaves out the tests labelled `once`, and the seeds that asan ran.
# SHOAL_TEST_SHARE: a third of the seeds, and of products of cases (test/support/share.py).
test: export SHOAL_TEST_SHARE := 3
test:
	@cmake/install-deps.sh test
	cmake --preset checked
	$(BUILD) checked --target all_but_once headers
	cmake --preset asan
	$(BUILD) asan --target tests_asan
	cmake --preset tsan
	$(BUILD) tsan --target tests_threads
	$(CTEST) tsan
	$(CTEST) asan -L '^asan$$' -E '^$(ASAN_LATER)$$'
	$(CTEST) checked-after-asan

# The long tests run with the release preset, which ships; they take hours and behave the same on the others. There, tests
# over seeds run twice as many. The least Clang that Shoal supports compiles all but tests; test/package tests programs of
# it.
ALL_PRESETS := asan clang dev checked release
# With all checks of the undefined behaviour sanitizer.
ALL_CHECKS := -D SHOAL_CLAIM_OPTIONS= -D SHOAL_SANITIZE_BUT=
test-all:
	@cmake/install-deps.sh test-all
	set -e; for preset in $(ALL_PRESETS); do cmake --preset $$preset $(ALL_CHECKS); $(BUILD) $$preset; done
	cmake --preset clang-least
	$(BUILD) clang-least --target shoal all_tools
	cmake --preset tsan
	$(BUILD) tsan --target tests_threads
	set -e; for preset in tsan $(filter-out release,$(ALL_PRESETS)); do $(CTEST) $$preset; done
	SHOAL_TEST_SEEDS=2 $(CTEST) release-all

bench:
	@cmake/install-deps.sh bench
	cmake --preset release
	$(BUILD) release --target bench
	$(SHOAL) bench quick --out build/bench-quick-$$(date +%Y%m%d-%H%M%S)

format:
	@cmake/install-deps.sh format
	cmake --preset dev
	$(BUILD) dev --target format

docs:
	@cmake/install-deps.sh docs
	python3 cmake/docs.py

install:
	@cmake/install-deps.sh build
	cmake --preset release
	$(BUILD) release --target shoal shoal_shared all_tools
	cmake --install build/release --prefix $(PREFIX)

install-deps:
	@cmake/install-deps.sh test

clean:
	rm -rf build
