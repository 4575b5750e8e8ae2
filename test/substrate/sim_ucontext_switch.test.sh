#!/usr/bin/env bash
# Goal: fibers that switch by ucontext, as on other processors, pass the same tests as those that switch in assembly.
# Method: fiber.test.cpp built once more without assembly.
# labels: sim
# timeout: 400
# programs: shoalrun
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$SHOAL_SOURCE"
"${CXX:-c++}" -std=c++20 -O1 -DSHOAL_FIBER_ASSEMBLY=0 -Isrc -I. \
  src/shoal/base/internal/ambient.cpp src/shoal/base/internal/quoting.cpp src/shoal/base/internal/fiber.cpp src/shoal/base/internal/machine_context.cpp \
  src/shoal/base/internal/pe_worker.cpp \
  test/base/fiber.test.cpp -o "$folder/fiber.test" -lgtest -lgtest_main -pthread
"$folder/fiber.test" | tee "$folder/output"
grep -q '^ucontext:' "$folder/output"
