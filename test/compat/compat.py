"""What the tests of this folder share: programs compiled by the commands that users get, and started on PEs."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

BIN = os.environ["SHOAL_BIN"]
BUILD = os.environ["SHOAL_BUILD"]
SOURCE = os.environ["SHOAL_SOURCE"]
TREE = os.path.join(BUILD, "compat")
PROGRAMS = os.path.join(SOURCE, "test", "compat", "programs")

# Name of a language: command, compiler, options. What Makefiles of existing programs say, and what is newer.
LANGUAGES = {
    "c11": ("oshcc", "gcc", ["-std=c11"]),
    "c11-clang": ("oshcc", "clang", ["-std=c11"]),
    "c99": ("oshcc", "gcc", ["-std=c99"]),
    "c++11": ("oshc++", "g++", ["-x", "c++", "-std=c++11"]),
    "c++17-clang": ("oshc++", "clang++", ["-x", "c++", "-std=c++17"]),
}
with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as cache:
    IS_SANITIZED = any(line.startswith("SHOAL_SANITIZE:") and not line.rstrip().endswith("=") for line in cache)
if IS_SANITIZED:  # the library's is GCC's
    LANGUAGES = {name: row for name, row in LANGUAGES.items() if name in ("c11", "c++11")}
# For programs that need them.
MORE = {"c++17": ("oshc++", "g++", ["-x", "c++", "-std=c++17"]),
        "c11-openmpi": ("oshcc", "mpicc.openmpi", ["-std=c11"]),
        "c11-mpich": ("oshcc", "mpicc.mpich", ["-std=c11"])}
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-D_POSIX_C_SOURCE=200809L", "-DUSE_SHMEM=1"]

# `make test-all` runs whole products of programs, languages and PEs, `make test` each of these with some of the others.
IS_WHOLE = os.environ.get("SHOAL_TEST_SEEDS", "1") != "1"

failures = 0
compiled_ahead = {}


def some(of, i, n=2):
    """All; or, in `make test`, the n of them whose turn it is at i."""
    return of if IS_WHOLE or len(of) <= n else [of[(i + k * len(of) // n) % len(of)] for k in range(n)]


def languages_of(i):
    """All; or, in `make test`, C11 and the other one whose turn it is at i."""
    return list(LANGUAGES) if IS_WHOLE else ["c11", *some([name for name in LANGUAGES if name != "c11"], i, 1)]


def failed(what, text=""):
    global failures
    failures += 1
    print(f"FAILED {what}\n{text}", flush=True)


def end():
    print("FAILED" if failures else "OK")
    sys.exit(failures != 0)


def compile_ahead(into, programs, options=()):
    """Two at a time, pairs of source and language, for the calls of compile_program that follow."""
    keys = [(source, into, language, tuple(options)) for source, language in programs]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        compiled_ahead.update(zip(keys, pool.map(lambda key: compile_program(*key), keys)))


def compile_program(source, into, language="c11", options=()):
    """Compiles and links; nothing if the compiler is not there, or has another sanitizer."""
    if (source, into, language, tuple(options)) in compiled_ahead:
        return compiled_ahead[source, into, language, tuple(options)]
    if language not in LANGUAGES and language not in MORE:
        return None
    if IS_SANITIZED and source.endswith(".c") and language != "c11":
        return None  # the same library, of which a sanitizer needs to see all code only once
    command, compiler, standard = (LANGUAGES | MORE)[language]
    if shutil.which(compiler) is None:
        return None
    variable = "OSHCC_COMPILER" if command == "oshcc" else "OSHCXX_COMPILER"
    target = os.path.join(into, os.path.splitext(os.path.basename(source))[0] + "-" + language)
    run = subprocess.run([os.path.join(TREE, "bin", command), "-O1", *STRICT, *standard,
                          os.path.join(PROGRAMS, source), "-o", target, *options],
                         text=True, capture_output=True, env=dict(os.environ, **{variable: compiler}))
    if run.returncode != 0 or run.stderr:
        failed(f"to compile {source} as {language}", run.stderr)
        return None
    return target


def start(command, environment=None, timeout=120):
    return subprocess.run(command, text=True, capture_output=True, timeout=timeout,
                          env=dict(os.environ, **(environment or {})))


def oshrun(n_pes):
    return [os.path.join(TREE, "bin", "oshrun"), "-n", str(n_pes)]


def expect_passed(job, what):
    if job.returncode != 0 or job.stdout != "passed\n" or job.stderr:
        failed(what, f"status {job.returncode}\n{job.stdout[-2000:]}{job.stderr[-2000:]}")
