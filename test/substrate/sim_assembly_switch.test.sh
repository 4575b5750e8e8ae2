#!/usr/bin/env bash
# Goal: the optional fiber switch in assembly passes the same tests as ucontext. Method: fiber.test.cpp built once more
# with it. Without this test nobody would notice if it broke.
# labels: sim
# timeout: 400
# programs: shoalrun
set -euo pipefail

[[ $(uname -m) == x86_64 ]] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$SHOAL_SOURCE"
"${CXX:-c++}" -std=c++20 -O1 -DSHOAL_FIBER_ASSEMBLY=1 -Isrc -I. \
  src/shoal/base/internal/ambient.cpp src/shoal/substrate/internal/sim/fiber.cpp src/shoal/substrate/internal/sim/machine_context.cpp \
  test/substrate/fiber.test.cpp -o "$folder/fiber.test" -lgtest -lgtest_main -pthread
"$folder/fiber.test" | tee "$folder/output"
grep -q '^assembly:' "$folder/output"
