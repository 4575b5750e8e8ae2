# timeout: 120
# Builds codec.fuzz.cpp and the codecs with clang's fuzzer and sanitizers, and runs it for FUZZ_SECONDS (5).
# Skipped where clang has no fuzzer. Inputs that were found worth keeping stay in the build folder; one that
# breaks something is left there, and its name printed.
set -euo pipefail

folder=$SHOAL_BUILD/fuzz
mkdir -p "$folder/corpus"
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

libraries=()
if echo '#include <zstd.h>' | "$compiler" -x c++ -fsyntax-only - 2>/dev/null; then
  flags+=(-DSHOAL_HAVE_ZSTD=1)
  libraries+=(-lzstd)
fi
"$compiler" "${flags[@]}" -I"$SHOAL_SOURCE/src" "$SHOAL_SOURCE"/test/fuzz/codec.fuzz.cpp \
  "$SHOAL_SOURCE"/src/shoal/codec/*.cpp "$SHOAL_SOURCE"/src/shoal/codec/detail/*.cpp \
  -o "$folder/codec" "${libraries[@]}"

# Seeds: ascending keys for every codec.
for choice in 0 1 2 3 5 6 7; do
  for item_bytes in 0 1 4 8 12 16; do
    {
      printf "\\x$(printf %02x $choice)\\x$(printf %02x $item_bytes)"
      for ((i = 0; i < 64; ++i)); do printf "\\x$(printf %02x $((i * 3)))\\0\\0\\0\\0\\0\\0\\0"; done
    } >"$folder/corpus/seed-$choice-$item_bytes"
  done
done
"$folder/codec" -max_total_time="${FUZZ_SECONDS:-5}" -max_len=4096 -print_final_stats=1 \
  -artifact_prefix="$folder/" "$folder/corpus" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
grep -E '^Done|^stat::new_units' "$folder/log"
