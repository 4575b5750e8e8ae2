# Goal: what the documents say about the thread sanitizer is true. With PEs that are threads, and Shoal built with it, it
# finds a race of the program, and no other.
# labels: threads
# programs: example_first substrate.race
set -euo pipefail
grep -q '^SHOAL_SANITIZE:[A-Z]*=thread$' "$SHOAL_BUILD/CMakeCache.txt" || { echo "left out: no thread sanitizer"; exit 77; }
export SHOAL_SUBSTRATE=threads SHOAL_PES=4
"$SHOAL_BIN/first" || { echo "FAILED: examples/first.cpp"; exit 1; }
if found=$("$SHOAL_BIN/substrate.race" 2>&1); then echo "FAILED: no race is found"; exit 1; fi
grep -q 'WARNING: ThreadSanitizer: data race' <<<"$found" && grep -q 'race\.program\.cpp' <<<"$found" ||
  { echo "FAILED: $found"; exit 1; }
if grep -q 'ThreadSanitizer.*local_substrate' <<<"$found"; then echo "FAILED: $found"; exit 1; fi
