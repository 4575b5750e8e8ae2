"""Translates, compiles and runs programs, for the tests of shoal-translate."""
import os
import re
import subprocess
import sys
from pathlib import Path

BIN = Path(os.environ["SHOAL_BIN"])
BUILD = Path(os.environ["SHOAL_BUILD"])
SOURCE = Path(os.environ["SHOAL_SOURCE"])
CASES = SOURCE / "test/translate/cases"
TRANSLATE = BIN / "shoal-translate"

if not TRANSLATE.exists():
    print("skipped: shoal-translate was not built, which needs Clang 19 libraries (Debian: libclang-19-dev, llvm-19-dev)")
    sys.exit(77)

CACHE = (BUILD / "CMakeCache.txt").read_text()
IS_CHECKED = "SHOAL_CHECKED:BOOL=ON" in CACHE
ZSTD = [line.split("=")[1] for line in CACHE.splitlines() if line.startswith("SHOAL_ZSTD_LIBRARY:") and "NOTFOUND" not in line]
NATIVE = ["-std=c++20", f"-I{SOURCE}/src", f"-I{BUILD}/generated", f"-I{SOURCE}", f"-DSHOAL_CHECKED={int(IS_CHECKED)}"]
OPEN_SHMEM = [*NATIVE, f"-I{SOURCE}/src/shoal/compat/include"]
HCLIB = ["-std=c++11", "-DUSE_SHMEM=1", f"-I{SOURCE}/src/shoal/compat/include"]
STRICT = ["-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Wno-unknown-pragmas",
          "-Werror"]


def translate(*words):
    return subprocess.run([TRANSLATE, *map(str, words)], text=True, errors="replace", capture_output=True, timeout=120)


def compile_native(source, into, options=STRICT):
    library = BUILD / "src/libshoal.a"
    sources = source if isinstance(source, list) else [source]
    return subprocess.run(["g++", *options, *NATIVE, *sources, "-o", into, library, "-lz", *ZSTD, "-ldl", "-pthread"],
                          text=True, capture_output=True)


def compile_hclib(source, into, options=("-O0", "-Wall", "-Wextra", "-Wpedantic", "-Werror")):
    libraries = ["-lhclib_bale_actor", "-lspmat", "-lconvey", "-lexstack", "-llibgetput", "-lhclib", "-lm"]
    return subprocess.run([BUILD / "compat/bin/oshc++", *options, *HCLIB[:2],
                           f"-I{SOURCE}/test/compat/programs", source, "-o", into, *libraries],
                          text=True, capture_output=True, env=dict(os.environ, OSHCXX_COMPILER="g++"))


def compile_shmem(source, into):
    """As native programs and those of OpenSHMEM are, together."""
    return subprocess.run([BUILD / "compat/bin/oshc++", *STRICT, *NATIVE, source, "-o", into, "-llibgetput"],
                          text=True, capture_output=True, env=dict(os.environ, OSHCXX_COMPILER="g++"))


def simulate(program, n_pes, *words, **settings):
    return subprocess.run([program, *words], text=True, capture_output=True, timeout=120,
                          env=dict(os.environ, SHOAL_SUBSTRATE="sim", SHOAL_PES=str(n_pes), **settings))


def launch(program, n_pes, *arguments):
    """As HClib's programs are, on processes."""
    return subprocess.run([BUILD / "compat/bin/oshrun", "-n", str(n_pes), program, *arguments], text=True,
                          capture_output=True, timeout=60)


# The kernels, with options that make them small.
GRAPH = ["--graph", "rmat:scale=7"]
KERNELS = {"histogram": ["--updates", "2000"], "index_gather": ["--reads", "2000"], "random_access": ["--table-log2", "10"],
           "randperm": ["--entries", "500"],
           **{kernel: GRAPH for kernel in ("transpose", "permute", "toposort", "pagerank", "triangle", "triangle_centrality",
                                           "jaccard", "bfs", "sssp", "components", "kcore", "imm")}}


def as_one_file(sources):
    """With the includes first, so that no class stands between them."""
    lines = [line for source in sources for line in source.read_text().splitlines(keepends=True)]
    return "".join(sorted(lines, key=lambda line: not line.startswith("#include")))


def kernel_program(lambdas, into):
    """Compiles a program of all kernels with these sources in place of their lambdas; it takes VARIANT (KERNEL OPTION…)…"""
    outputs = re.findall(r" -o (kernels/[^ ]*)", (BUILD / "compile_commands.json").read_text())
    objects = [BUILD / each for each in outputs if "lambda" not in each]
    return compile_native([*lambdas, CASES / "kernels_main.cpp", *objects], into)


def is_right(job, kernels):
    """Whether the program has said so of each kernel."""
    return (job.returncode, job.stderr) == (0, "") and \
        [line.split(",")[0] for line in job.stdout.splitlines()] == [f"{kernel}: right" for kernel in kernels]
