# Encoded buffers of records and runs, damaged, under clang's fuzzer: words.fuzz.cpp.
target=words
source "$SHOAL_SOURCE/test/fuzz/fuzz.sh"

build_fuzzer "$SHOAL_SOURCE"/test/fuzz/words.fuzz.cpp "$SHOAL_SOURCE"/src/shoal/codec/internal/*.cpp

# Seeds: both codecs; 2, 20 and 60 times up to 16 similar records, of 0, 8, 13 and 200 bytes, and damage to the header,
# to the stride and after them.
for codec in 0 1; do
  for n in 1 19 59; do
    for record_bytes in 0 8 13 200; do
      {
        printf "\\x$(printf %02x $codec)\\x$(printf %02x $n)"
        for ((i = 0; i <= n; ++i)); do printf "\\xfb\\x$(printf %02x $record_bytes)\\x$(printf %02x $((i % 8)))\\7"; done
        printf '\4\0x\0\0\1\14\0\3\15\0\200\37\0\377\4\1\17'
      } >"$corpus/seed-$codec-$n-$record_bytes"
    done
  done
done
run_fuzzer
