# Installs this build to a fresh folder, builds a small outside program against it, once by
# find_package and once by pkg-config, and runs both alone and on two PEs.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/installed
fail() { echo "FAILED: $*" >&2; exit 1; }

cmake --install "$SHOAL_BUILD" --prefix "$work/first" >"$work/log" || { cat "$work/log"; fail "install"; }
mv "$work/first" "$prefix"  # nothing in it may depend on where it was installed

for file in include/shoal/shoal.hpp include/shoal/base/version.hpp bin/shoalrun bin/shoal; do
  [[ -f $prefix/$file ]] || fail "$file is not installed"
done
if grep -rlE "$SHOAL_SOURCE|$SHOAL_BUILD|$work/first" "$prefix" --include='*.cmake' --include='*.pc' --include='*.hpp'
then fail "these installed files name the build tree"; fi

# Every header of the sources is installed, except those of modules.
public=$(cd "$SHOAL_SOURCE/src" && find shoal -name '*.hpp' ! -path '*/internal/*'; echo shoal/base/version.hpp)
included=$(grep -rhoP '^#include "\Kshoal/.*/internal/[^"]+' "$prefix/include")
differing=$(diff <(sort -u <<<"$public"$'\n'"$included") <(cd "$prefix/include" && find shoal -name '*.hpp' | sort)) ||
  fail "wanted (<) and installed (>) headers differ: $differing"

# expect_output PROGRAM...: one line a PE, in any order.
expect_output() {
  local expected=$1 actual
  shift
  actual=$("$@" | sort) || fail "status $? from: $*"
  [[ $actual == "$expected" ]] || fail "from: $*: expected '$expected', found '$actual'"
}
check() {
  echo "checking $1"
  expect_output 'PE 0 of 1 received 1' "$1"
  expect_output $'PE 0 of 2 received 2\nPE 1 of 2 received 2' "$prefix/bin/shoalrun" -n 2 "$1"
}

cp -r "$SHOAL_SOURCE/test/package/outside" "$work/outside"

cmake -S "$work/outside" -B "$work/by_cmake" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_BUILD_TYPE=Release >"$work/log" || { cat "$work/log"; fail "find_package"; }
cmake --build "$work/by_cmake" >"$work/log" || { cat "$work/log"; fail "build by find_package"; }
check "$work/by_cmake/outside"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name shoal.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046  # flags are words
"$CXX" -std=c++20 -O2 -DNDEBUG $(pkg-config --cflags shoal) "$work/outside/main.cpp" -o "$work/by_pkg_config" \
  $(pkg-config --libs shoal) || fail "build by pkg-config"
check "$work/by_pkg_config"

# The installed configuration says how the library was built.
checked=$(sed -n 's/^SHOAL_CHECKED:BOOL=//p' "$SHOAL_BUILD/CMakeCache.txt")
case $checked in ON|1|TRUE) expected=1 ;; *) expected=0 ;; esac
[[ $(pkg-config --variable=checked shoal) == "$expected" ]] || fail "shoal.pc: checked is not $expected"

# Headers that do not fit the library are refused by the linker, which names what they need.
# refuse_link NAME FLAGS...
refuse_link() {
  local named=$1
  shift
  # shellcheck disable=SC2046  # flags are words
  if "$CXX" -std=c++20 -O1 "$@" "$work/outside/main.cpp" -o "$work/misfit" $(pkg-config --libs shoal) 2>"$work/log"
  then fail "linked with $*"; fi
  grep -q "undefined reference to .*$named" "$work/log" || { cat "$work/log"; fail "no name like $named"; }
}
flags=$(pkg-config --cflags shoal)
numbers=$(pkg-config --modversion shoal | tr . _)
mkdir -p "$work/other/shoal/base"
sed "s/library_is_$numbers/library_is_9_9_9/" "$prefix/include/shoal/base/version.hpp" >"$work/other/shoal/base/version.hpp"
# shellcheck disable=SC2086  # flags are words
refuse_link library_is_9_9_9 -I"$work/other" $flags
other=$((1 - expected))
# shellcheck disable=SC2086
refuse_link "with_SHOAL_CHECKED_$other" ${flags/SHOAL_CHECKED=$expected/SHOAL_CHECKED=$other}
pkg-config --exact-version="$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$SHOAL_BUILD/CMakeCache.txt")" shoal ||
  fail "shoal.pc: version $(pkg-config --modversion shoal)"
echo "the installed tree works"
