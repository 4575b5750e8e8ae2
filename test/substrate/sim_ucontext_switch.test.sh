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
  src/shoal/base/internal/ambient.cpp src/shoal/base/internal/quoting.cpp src/shoal/substrate/internal/sim/fiber.cpp src/shoal/substrate/internal/sim/machine_context.cpp \
  test/substrate/fiber.test.cpp -o "$folder/fiber.test" -lgtest -lgtest_main -pthread
"$folder/fiber.test" | tee "$folder/output"
grep -q '^ucontext:' "$folder/output"
