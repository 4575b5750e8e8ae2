# Installs this build, moves the tree, and builds outside programs against it by find_package and by pkg-config, with GCC
# and with Clang: of two files, with a shared library, with a plugin. All run alone and on two PEs, and find modules.
# Checks what is installed, its size, and that a program of other headers or an old compiler is refused.
# timeout: 600
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/installed
fail() { echo "FAILED: $*" >&2; exit 1; }
# quietly WHAT COMMAND...: shows the output if it fails.
quietly() {
  local what=$1
  shift
  "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "$what"; }
}
setting() { sed -n "s/^$1:[A-Z]*=//p" "$SHOAL_BUILD/CMakeCache.txt"; }
is_on() { case $(setting "$1") in ON | 1 | TRUE) return 0 ;; *) return 1 ;; esac }
version=$(setting CMAKE_PROJECT_VERSION)

quietly install cmake --install "$SHOAL_BUILD" --prefix "$work/first"
libdir=$(cd "$work/first" && dirname "$(find . -name libshoal.a -type f)" | cut -c3-)
mv "$work/first" "$prefix"  # nothing in it may depend on where it was installed

for file in include/shoal/shoal.hpp include/shoal/base/version.hpp bin/shoalrun bin/shoal share/shoal/bench \
  share/shoal/networks/ethernet-cloud.network; do
  [[ -f $prefix/$file ]] || fail "$file is not installed"
done
if grep -rlE "$SHOAL_SOURCE|$SHOAL_BUILD|$work/first" "$prefix"; then fail "these installed files name another tree"; fi

"$prefix/bin/shoal" bench show quick | grep -q '^\[\[kernel\]\]$' || fail "shoal bench does not find its program"
"$prefix/bin/shoal" study cloud --profile cluster --quick --pes 2 --kernel histogram --runs 1 --out "$work/study" |
  grep -q '^cloud study: complete' || fail "shoal study does not find its program or the networks"

# Every header of the sources is installed, except those of modules.
public=$(cd "$SHOAL_SOURCE/src" && find shoal -name '*.hpp' ! -path '*/internal/*'; echo shoal/base/version.hpp)
included=$(grep -rhoP '^#include "\Kshoal/.*/internal/[^"]+' "$prefix/include")
differing=$(diff <(sort -u <<<"$public"$'\n'"$included") <(cd "$prefix/include" && find shoal -name '*.hpp' | sort)) ||
  fail "wanted (<) and installed (>) headers differ: $differing"
[[ -z $(nm "$prefix/$libdir/libshoal.a" 2>/dev/null | grep ' [^ wU] .*headers_place') ]] ||
  fail "the library has a headers_place of its own, instead of the program's"

# What is installed is small. Contract checks take room, and so do batches, in which all is compiled for speed.
is_on SHOAL_CHECKED && checked=1 || checked=0
is_on SHOAL_UNITY && batched=1 || batched=0
expect_less() {
  echo "$1: $2 bytes"
  (($2 < $3)) || fail "$1 has $2 bytes, and may have $3"
}
is_small=$(is_on SHOAL_STRIP && [[ $(setting CMAKE_BUILD_TYPE) == Rel* ]] && echo 1 || echo 0)
if ((is_small)); then
  # The program shoal has every kernel and application in every form, so it grows with them; nothing else may.
  n_bytes() { find "$@" -type f -printf '%s\n' | awk '{ n += $1 } END { print n }'; }
  expect_less "bin/shoal" "$(n_bytes "$prefix/bin/shoal")" \
    $(((batched ? 4000 : checked ? 3380 : 3280) * 1024))
  # What measures the libraries without Shoal.
  mkdir -p "$prefix/libexec/shoal/network_bench"
  expect_less "libexec" "$(n_bytes "$prefix/libexec")" $((400 * 1024))
  # Where Clang's libraries are.
  translate=$(if [[ -e $prefix/bin/shoal-translate ]]; then n_bytes "$prefix/bin/shoal-translate"; else echo 0; fi)
  expect_less "bin/shoal-translate" "$translate" $((2800 * 1024))
  # For programs of other systems: their headers, and an archive that only they link.
  expect_less "$libdir/shoal/compat" "$(n_bytes "$prefix/$libdir/shoal/compat")" $((2600 * 1024))
  expect_less "the rest of the installation" \
    "$(($(n_bytes "$prefix") - translate - $(n_bytes "$prefix/bin/shoal" "$prefix/libexec" "$prefix/$libdir/shoal/compat")))" \
    $(((batched ? 6600 : checked ? 5930 : 5830) * 1024))
  # Debugging information is beside what it describes, if it is asked for.
  quietly "component debug" cmake --install "$SHOAL_BUILD" --prefix "$work/debug" --component debug
  for file in bin/shoalrun bin/shoal; do
    name=$(basename $file)
    link=$(objcopy -O binary --only-section=.gnu_debuglink --set-section-flags .gnu_debuglink=alloc \
      "$prefix/$file" /dev/stdout | tr '\0' '\n' | head -1)
    [[ $link == "$name.debug" ]] || fail "$file names '$link' as its debugging information"
    readelf -S "$work/debug/bin/.debug/$link" 2>/dev/null | grep -q '\.debug_line' || fail "$link describes no lines"
    id=$(readelf -n "$prefix/$file" | grep 'Build ID')
    [[ $id == "$(readelf -n "$work/debug/bin/.debug/$link" 2>/dev/null | grep 'Build ID')" ]] ||
      fail "$link belongs to another $file"
  done
fi

# expect_output OUTPUT PROGRAM...: one line a PE, in any order.
expect_output() {
  local expected=$1 actual
  shift
  actual=$("$@" | sort) || fail "status $? from: $*"
  [[ $actual == "$expected" ]] || fail "from: $*: expected '$expected', found '$actual'"
}
# check N PROGRAM...: which receives N messages from each PE.
check() {
  local n=$1
  shift
  echo "checking $*"
  expect_output "PE 0 of 1 received $n" "$@"
  expect_output "PE 0 of 2 received $((2 * n))"$'\n'"PE 1 of 2 received $((2 * n))" "$prefix/bin/shoalrun" -n 2 "$@"
}

# A program of OpenSHMEM, by the installed commands.
(
  eval "$("$prefix/bin/shoal-compat")"
  quietly "oshcc" oshcc -O1 -std=c11 "$SHOAL_SOURCE/test/compat/programs/shmem_memory.c" -o "$work/shmem_memory" -lconvey -lm
  [[ $(oshrun -n 3 "$work/shmem_memory") == passed ]] || fail "a program of the installed oshcc"
  quietly "oshcc -lshoal_aggregated" oshcc -O1 -std=c11 -D_POSIX_C_SOURCE=200809L \
    "$SHOAL_SOURCE/test/compat/programs/aggregated_loops.c" -o "$work/aggregated_loops" -lshoal_aggregated -lconvey -lm
  [[ $(SHOAL_NODE_SIZE=1 oshrun -n 3 "$work/aggregated_loops") == passed ]] || fail "a program whose calls travel as messages"
  [[ $(oshcc -showme a.c) == *"$prefix"* ]] || fail "oshcc -showme"
)

# A program without modules lists where it looked for them. expect_folders PROGRAM FOLDER...
expect_folders() {
  local program=$1 expected
  shift
  expected=$(printf ' and %s' "$@" "$(setting CMAKE_INSTALL_PREFIX)/$libdir/shoal")
  SHOAL_SUBSTRATE=mpi SHOAL_MPI=mpich "$program" >"$work/log" 2>&1 && fail "$program runs without a module"
  grep -qF "(shoal-mpich.so is not in ${expected# and });" "$work/log" || { cat "$work/log"; fail "looks elsewhere than in:$expected"; }
}
# expect_module PROGRAM TREE: opens the module in TREE.
expect_module() {
  [[ -f $2/$libdir/shoal/shoal-mpich.so ]] || { echo "left out: no module for MPICH"; return; }
  LD_DEBUG=files LD_DEBUG_OUTPUT=$work/opened SHOAL_SUBSTRATE=mpi SHOAL_MPI=mpich "$1" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "$1 over MPI"; }
  grep -qF "calling init: $2/$libdir/shoal/shoal-mpich.so" "$work"/opened.* || fail "$1 opens no module in $2"
  rm "$work"/opened.*
}

# Sets `clang` to the least Clang here that Shoal supports; empty if there is none.
clang=
for candidate in clang++-16 clang++-17 clang++-18 clang++-19 clang++; do
  [[ $("$candidate" -dumpversion 2>/dev/null) =~ ^(1[6-9]|[2-9][0-9])\. ]] && { clang=$candidate; break; }
done
[[ $clang ]] || echo "left out: no Clang 16 or newer"
gcc=$CXX
if "$gcc" --version | grep -q clang; then gcc=$(command -v g++ || true) clang=$CXX; fi

cp -r "$SHOAL_SOURCE/test/package/outside" "$work/outside"
for compiler in $gcc $clang; do
  "$compiler" --version | head -1
  here=$work/by_cmake-$(basename "$compiler")
  quietly "find_package" cmake -S "$work/outside" -B "$here" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS=-O1
  quietly "build by find_package" cmake --build "$here" --parallel 2
  check 2 "$here/outside"
  expect_module "$here/outside" "$prefix"
  if [[ -f $here/outside_shared ]]; then
    check 2 "$here/outside_shared"
    check 3 "$here/outside_shared" "$here/libplugin.so"
    expect_output "5 entries" "$here/graph_shared"
    expect_module "$here/outside_shared" "$prefix"
  fi
done

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name shoal.pc)")
export PKG_CONFIG_PATH
for name in main part; do
  # shellcheck disable=SC2046  # flags are words
  "$CXX" -std=c++20 -O1 $(pkg-config --cflags shoal) -c "$work/outside/$name.cpp" -o "$work/$name.o" ||
    fail "compilation by pkg-config"
done
# link PROGRAM FLAGS...
link() {
  local program=$1
  shift
  # shellcheck disable=SC2046
  "$CXX" "$work/main.o" "$work/part.o" -o "$program" $(pkg-config "$@") || fail "link by pkg-config $*"
}
link "$work/archive" --libs shoal
check 2 "$work/archive"
link "$work/static" --static --libs shoal
check 2 "$work/static"
if readelf -d "$work/archive" "$work/static" | grep 'libshoal'; then fail "shoal.pc links libshoal.so"; fi
if [[ -f $prefix/$libdir/libshoal.so ]]; then
  link "$work/shared" --libs shoal-shared
  readelf -d "$work/shared" | grep -q 'NEEDED.*libshoal\.so' || fail "shoal-shared.pc links no libshoal.so"
  LD_LIBRARY_PATH=$prefix/$libdir check 2 "$work/shared"
fi

# A small program is small.
# shellcheck disable=SC2046
"$CXX" -std=c++20 -O2 $(pkg-config --cflags shoal) "$SHOAL_SOURCE/examples/first.cpp" -o "$work/small" \
  $(pkg-config --libs shoal) || fail "examples/first.cpp"
((!is_small)) || expect_less "examples/first.cpp" "$(stat -c %s "$work/small")" $((batched ? 1330000 : checked ? 1000000 : 960000))

# Where modules are looked for: in the tree that the library, the program or its headers belong to. A shared library
# knows where it is after a move; a program with the archive knows where its headers were.
mkdir -p "$work/own/bin"
cp "$work/archive" "$work/own/bin/program"
mv "$prefix/$libdir/shoal" "$prefix/$libdir/away"
expect_folders "$work/archive" "$(dirname "$work")/lib/shoal" "$prefix/$libdir/shoal"
expect_folders "$work/own/bin/program" "$work/own/lib/shoal" "$prefix/$libdir/shoal"
if [[ -f $work/shared ]]; then
  LD_LIBRARY_PATH=$prefix/$libdir expect_folders "$work/shared" "$prefix/$libdir/shoal"
fi
mv "$prefix/$libdir/away" "$prefix/$libdir/shoal"
mv "$prefix" "$work/again"
expect_folders "$work/archive" "$(dirname "$work")/lib/shoal" "$prefix/$libdir/shoal"
if [[ -f $work/shared ]]; then LD_LIBRARY_PATH=$work/again/$libdir expect_module "$work/shared" "$work/again"; fi
cp "$work/archive" "$work/again/bin/program"
expect_module "$work/again/bin/program" "$work/again"
mv "$work/again" "$prefix"

# The installed configuration says how the library was built.
[[ $(pkg-config --variable=checked shoal) == "$checked" ]] || fail "shoal.pc: checked is not $checked"
pkg-config --exact-version="$version" shoal || fail "shoal.pc: version $(pkg-config --modversion shoal)"

# Headers that do not fit the library are refused by the linker, which names what they need.
# refuse_link NAME FLAGS...
refuse_link() {
  local named=$1
  shift
  # shellcheck disable=SC2046  # flags are words
  if "$CXX" -std=c++20 -O0 "$@" "$work/outside/part.cpp" -o "$work/misfit" $(pkg-config --libs shoal) 2>"$work/log"
  then fail "linked with $*"; fi
  grep -q "undefined reference to .*$named" "$work/log" || { cat "$work/log"; fail "no name like $named"; }
}
flags=$(pkg-config --cflags shoal)
mkdir -p "$work/other/shoal/base"
sed "s/library_is_${version//./_}/library_is_9_9_9/" "$prefix/include/shoal/base/version.hpp" \
  >"$work/other/shoal/base/version.hpp"
# shellcheck disable=SC2086  # flags are words
refuse_link library_is_9_9_9 -I"$work/other" $flags
other=$((1 - checked))
# shellcheck disable=SC2086
refuse_link "with_SHOAL_CHECKED_$other" ${flags/SHOAL_CHECKED=$checked/SHOAL_CHECKED=$other}
# shellcheck disable=SC2086
refuse_link library_is_with_GLIBCXX_DEBUG -D_GLIBCXX_DEBUG $flags

# An old compiler is refused in one line, by Shoal itself and by find_package. refuse_compiler NAME VERSION ID FLAGS...
refuse_compiler() {
  local wants="is $1 $2, and Shoal needs GCC 12 or Clang 16; choose a newer compiler, for example -DCMAKE_CXX_COMPILER=g++-12"
  local compiler=$work/old-$3 source
  printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$4" "${*:5}" >"$compiler"
  chmod +x "$compiler"
  for source in "$SHOAL_SOURCE" "$work/outside"; do
    if cmake -S "$source" -B "$work/refused" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix" \
      >"$work/log" 2>&1; then fail "$1 $2 is not refused"; fi
    grep -qF " $compiler $wants" "$work/log" || { cat "$work/log"; fail "$1 $2: no such line in $source"; }
    rm -rf "$work/refused"
  done
}
refuse_compiler GCC 11.3.0 GNU "$gcc" -U__GNUC__ -D__GNUC__=11 -U__GNUC_MINOR__ -D__GNUC_MINOR__=3 \
  -U__GNUC_PATCHLEVEL__ -D__GNUC_PATCHLEVEL__=0
[[ ! $clang ]] || refuse_compiler Clang 15.0.7 Clang "$clang" -U__clang_major__ -D__clang_major__=15 \
  -U__clang_minor__ -D__clang_minor__=0 -U__clang_patchlevel__ -D__clang_patchlevel__=7
echo "the installed tree works"
