# programs: shoal_shallow_water
"""The compiler says that each loop over edges and cells became vector instructions, for both types and all processors.

A loop that branches, or calls a function, does not, and takes several times as long. Reads what GCC reports when it
compiles the sources as the build did. Before that, a loop that cannot be vectorised must be missed.

  vectorised.test.py     wants $SHOAL_BUILD, $SHOAL_SOURCE
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(os.environ["SHOAL_SOURCE"]) / "applications/shallow_water"
# By source: where its loops are, which end in a comment. Each is compiled once per type and instruction set, or more
# often.
SOURCES = {"hlle_loop.cpp": "solve_edges.hpp", "f_wave_loop.cpp": "solve_edges.hpp", "cell_loop.cpp": "cell_loop.cpp"}
LOOP = re.compile(r"^\s*for .*// (?:edges|cells)$")
REPORT = re.compile(r"([\w.]+):(\d+):\d+: optimized:\s+loop vectorized using (\d+) byte vectors")
SKIPPED = 77


def lines_of_loops(path):
    return {number for number, line in enumerate(path.read_text().splitlines(), 1) if LOOP.match(line)}


def reports(command, folder, source):
    """(line, bytes of a vector) of each loop that is reported for this file."""
    words = [word for word in command if not word.startswith("-fdiagnostics-color")]
    words[words.index("-o") + 1] = "/dev/null"
    done = subprocess.run([*words, "-fopt-info-vec-optimized"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"cannot compile {source}:\n{done.stderr}")
    return [(name, int(line), int(width)) for name, line, width in REPORT.findall(done.stderr)]


def missing(found, lines, file):
    """What is reported too rarely: 2 types, with vectors of 16 bytes for all processors and of 32 for AVX2."""
    for line in sorted(lines):
        for width in 16, 32:
            n = sum(1 for name, at, of in found if (name, at, of) == (file, line, width))
            if n < 2:
                yield f"{file}:{line}: {n} of 2 types use vectors of {width} bytes"


def self_test(compiler):
    text = """
        template <class Real> void sum(int n, Real* a) { for (int i = 1; i < n; ++i) a[i] += a[i - 1]; }
        template void sum(int, float*); template void sum(int, double*);
    """
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bad.cpp").write_text(text)
        command = [compiler, "-std=c++20", "-O3", "-c", "bad.cpp", "-o", "bad.o"]
        if not list(missing(reports(command, folder, "bad.cpp"), {2}, "bad.cpp")):
            sys.exit("self-test: a loop whose steps need one another was called vectorised")


def main():
    database = Path(os.environ["SHOAL_BUILD"]) / "compile_commands.json"
    entries = {Path(entry["file"]).name: entry for entry in json.loads(database.read_text())
               if Path(entry["file"]).parent == FOLDER} if database.exists() else {}
    if not entries:
        print("no compile commands")
        sys.exit(SKIPPED)
    faults = []
    for source, file in SOURCES.items():
        entry = entries[source]
        command = shlex.split(entry["command"])
        compiler = next(word for word in command if Path(word).name != "ccache")
        macros = subprocess.run([compiler, "-dM", "-E", "-x", "c++", "/dev/null"], capture_output=True,
                                text=True).stdout
        if "__clang__" in macros or "__x86_64__" not in macros or "-fsanitize" in entry["command"]:
            print("reads what GCC says of code for x86-64, without sanitizers")
            sys.exit(SKIPPED)
        if not faults and source == next(iter(SOURCES)):
            self_test(compiler)
        lines = lines_of_loops(FOLDER / file)
        if not lines:
            sys.exit(f"{file} has no loop that ends in a comment")
        # ccache would not repeat the report.
        command = [word for word in command if Path(word).name != "ccache"]
        faults += missing(reports(command, entry["directory"], source), lines, file)
    print("\n".join(faults) or "all loops are vectorised")
    sys.exit(bool(faults))


main()
