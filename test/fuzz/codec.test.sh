# The codecs under clang's fuzzer: codec.fuzz.cpp.
target=codec
source "$SHOAL_SOURCE/test/fuzz/fuzz.sh"

libraries=()
if echo '#include <zstd.h>' | "$compiler" -x c++ -fsyntax-only - 2>/dev/null; then
  flags+=(-DSHOAL_HAVE_ZSTD=1)
  libraries+=(-lzstd)
fi
build_fuzzer "$SHOAL_SOURCE"/test/fuzz/codec.fuzz.cpp "$SHOAL_SOURCE"/src/shoal/codec/internal/*.cpp "${libraries[@]}"

# Seeds: ascending keys for every codec.
for choice in 0 1 2 3 5 6 7; do
  for item_bytes in 0 1 4 8 12 16; do
    {
      printf "\\x$(printf %02x $choice)\\x$(printf %02x $item_bytes)"
      for ((i = 0; i < 64; ++i)); do printf "\\x$(printf %02x $((i * 3)))\\0\\0\\0\\0\\0\\0\\0"; done
    } >"$corpus/seed-$choice-$item_bytes"
  done
done
run_fuzzer
