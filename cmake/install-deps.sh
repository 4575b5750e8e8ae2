#!/usr/bin/env bash
# install-deps.sh build|test|test-all|bench|format|docs
# Makes sure that everything a command needs is installed. If so, it is silent and does not use the network. Otherwise
# it installs the missing packages with apt if it may (as root, or by sudo without a password); if not, it prints one
# line and ends with status 2.
set -euo pipefail

missing=()  # Debian packages

# need_program PACKAGE PROGRAM
need_program() { command -v "$2" >/dev/null || missing+=("$1"); }

# need_header PACKAGE HEADER: looks for it with the compiler; without a compiler, everything is missing anyway.
need_header() {
  local compiler=${CXX:-c++}
  command -v "$compiler" >/dev/null || compiler=g++
  printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$2" |
    "$compiler" -x c++ -std=c++20 -fsyntax-only - 2>/dev/null || missing+=("$1")
}

need_build() {
  command -v "${CXX:-c++}" >/dev/null || missing+=(g++)
  need_program cmake cmake
  need_program ninja-build ninja
  need_header zlib1g-dev zlib.h
  need_header libcli11-dev CLI/CLI.hpp
}

# The least Clang that compiles Shoal (cmake/shoal_compilers.cmake), or a newer one.
need_least_clang() {
  local version
  for version in 16 17 18 19; do
    if command -v "clang++-$version" >/dev/null; then return; fi
  done
  missing+=(clang-16)
}

# The test that fuzzes the codecs needs clang's fuzzer, of any version.
need_fuzzer() {
  compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a' >/dev/null ||
    missing+=(libclang-rt-14-dev)
}

# need_mpi NAME PACKAGE DEV_PACKAGE: checks the library's own program names, because plain mpicc and mpirun may belong
# to either.
need_mpi() {
  need_program "$2" "mpirun.$1"
  { command -v "mpicc.$1" && echo '#include <mpi.h>' | "mpicc.$1" -x c -fsyntax-only -; } >/dev/null 2>&1 ||
    missing+=("$3" "$2")
}

# The first python3 may be another one than Debian's; shoal bench asks both.
need_matplotlib() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import matplotlib' 2>/dev/null; then return; fi
  done
  missing+=(python3-matplotlib)
}

# A small cluster for test/lab. Its packages set up services, which no test may do to a developer's machine. So they are
# installed only without systemd, as in containers; elsewhere the test uses what is there.
need_slurm() {
  [[ ! -d /run/systemd/system ]] || return 0
  need_program slurm-client srun
  PATH=$PATH:/usr/sbin:/sbin need_program slurmctld slurmctld
  PATH=$PATH:/usr/sbin:/sbin need_program slurmd slurmd
  PATH=$PATH:/usr/sbin:/sbin need_program munge munged
}

need_test() {
  need_build
  need_header libgtest-dev gtest/gtest.h
  need_header libzstd-dev zstd.h
  need_header libcereal-dev cereal/cereal.hpp
  need_header libnetcdf-dev netcdf.h  # test/shallow_water
  [[ -e /usr/lib/llvm-19/include/clang/Tooling/Tooling.h ]] || missing+=(libclang-19-dev)  # tools/translate
  [[ -e /usr/lib/llvm-19/lib/libLLVM-19.so ]] || missing+=(llvm-19-dev)
  need_program clang clang++
  need_least_clang
  need_program gdb gdb
  need_fuzzer
  need_program valgrind valgrind
  need_program python3 python3
  need_program pkg-config pkg-config
  need_mpi openmpi openmpi-bin libopenmpi-dev  # brings OpenSHMEM (oshcc, oshrun)
  need_mpi mpich mpich libmpich-dev
  need_header libhwloc-dev hwloc.h
  need_header libmetis-dev metis.h
  need_header libscotch-dev scotch/scotch.h
  need_program spin spin  # test/control
  need_header libgraphblas-dev GraphBLAS.h  # test/comparators
  need_program cloc cloc
  PATH=$PATH:/usr/sbin:/sbin need_program iproute2 tc  # test/lab
  need_slurm
}

case ${1-} in
  build) need_build ;;
  test) need_test ;;
  test-all) need_test; need_program clang-16 clang++-16; need_program clang-19 clang++-19 ;;
  bench)
    need_build
    need_program valgrind valgrind
    need_header libbenchmark-dev benchmark/benchmark.h
    need_header libtbb-dev oneapi/tbb/task_group.h
    need_program python3 python3
    need_matplotlib
    ;;
  format) need_build; need_program clang-format-19 clang-format-19 ;;
  docs) need_program python3 python3 ;;
  *) echo "usage: $0 build|test|test-all|bench|format|docs" >&2; exit 2 ;;
esac
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then as_root=(sudo -n); fi
if command -v apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null; then
  echo "installing ${missing[*]}"
  "${as_root[@]}" apt-get -qq update || true  # a stale list may still suffice
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null && exit 0
fi
echo "missing: ${missing[*]}; install them with: sudo apt-get install ${missing[*]}" >&2
exit 2
