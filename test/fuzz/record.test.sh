# The records of elastic conveyors under clang's fuzzer: record.fuzz.cpp.
target=record
source "$SHOAL_SOURCE/test/fuzz/fuzz.sh"

build_fuzzer "$SHOAL_SOURCE"/test/fuzz/record.fuzz.cpp

# Seeds: an item of 5 bytes; padding, then an empty item and a fragment.
printf '\1\0\0\0\5\0\0\0hello' >"$corpus/item"
printf '\0\0\0\0\10\0\0\0xxxxxxxx\1\0\0\0\0\0\0\0\3\0\0\0\2\0\0\0ab' >"$corpus/padded"
run_fuzzer
