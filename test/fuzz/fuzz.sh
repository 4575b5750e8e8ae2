# The tests of this folder source this file, with `target` set. It finds a clang with libFuzzer or skips the test
# (status 77). Then `build_fuzzer SOURCES...` builds, and `run_fuzzer` runs for FUZZ_SECONDS (5) over the inputs in
# $corpus. An input that breaks something is left in $folder, and its name is printed.
set -euo pipefail

folder=$SHOAL_BUILD/fuzz
corpus=$folder/$target.corpus
mkdir -p "$corpus"
flags=(-std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all)

compiler=
for candidate in "${CXX:-}" clang++-19 clang++-14 clang++; do
  if [[ -n $candidate ]] && command -v "$candidate" >/dev/null &&
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
      "$candidate" "${flags[@]}" -x c++ - -o "$folder/probe" 2>/dev/null; then
    compiler=$candidate
    break
  fi
done
if [[ -z $compiler ]]; then
  echo "skipped: no clang with libFuzzer (Debian: clang libclang-rt-14-dev)"
  exit 77
fi

build_fuzzer() {
  "$compiler" "${flags[@]}" -I"$SHOAL_SOURCE/src" "$@" -o "$folder/$target"
}

run_fuzzer() {
  "$folder/$target" -max_total_time="${FUZZ_SECONDS:-5}" -max_len=4096 -print_final_stats=1 \
    -artifact_prefix="$folder/" "$corpus" >"$folder/$target.log" 2>&1 || { cat "$folder/$target.log"; exit 1; }
  grep -E '^Done|^stat::new_units' "$folder/$target.log"
}
