#!/usr/bin/env python3
"""What shoal-translate makes of loops with one-sided access, beside the same functions written by hand as actors.

  translated_loops.py [--lab] [BUILD FOLDER [FUNCTION…]]     default: build/release

The loops are those of test/translate/cases/loops_shmem.cpp and loops_getput.cpp, their hand-written forms in translated/. Both
are compiled with -O2 as one program; what they print has to be the same. Prints one line per function: with callgrind the
instructions of its supersteps for each round of its innermost loop with access, on one PE that sends to itself, by the difference of
two sizes (needs valgrind); with --lab the seconds of its supersteps on three hosts of the lab (lab/README.md), medians of runs in turn.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT / "test/translate/cases"
# By style: what its size is called, and by function: iterations for each entry of that size.
STYLES = {"shmem": ("n_entries = 40;", {"histogram": 5, "index_gather": 5, "permute": 2, "transpose": 5, "triangles": 25, "page_rank": 15}),
          "getput": ("n_of_pe = 30;", {"histogram": 4, "index_gather": 4, "permute": 2, "transpose": 4, "triangles": 16, "page_rank": 12})}
SIZES = 1000, 11000
LAB_SIZE = 40000
FORMS = "by_hand", "translated"


def run(command, **how):
    job = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    if job.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{job.stdout}{job.stderr}")
    return job


def build(folder, style, n, into):
    """A program of both forms with n entries on each PE."""
    of_shmem = [f"-I{folder}/compat/include", f"-I{ROOT}/src", f"-I{folder}/generated"]
    checked = int("SHOAL_CHECKED:BOOL=ON" in (folder / "CMakeCache.txt").read_text())
    flags = ["-std=c++20", *of_shmem, f"-I{ROOT}", f"-DSHOAL_CHECKED={checked}"]
    made = into / f"{style}.translated.cpp"
    run([folder / "bin/shoal-translate", CASES / f"loops_{style}.cpp", "-o", made, "--", *flags])
    size, _ = STYLES[style]
    text = made.read_text().replace(size, f"{size.split(' = ')[0]} = {n};")
    text = text.replace("shoal::world_of_program().finish(", "measured::finish(").replace("int main(", "[[maybe_unused]] int other_main(")
    source = into / f"{style}.{n}.cpp"
    source.write_text('#include "benchmarks/translated/measured_loops.hpp"\n#include <algorithm>\n#include <cstring>\n#include <string>\n'
                      '#include "shoal/actor/actor.hpp"\n' + text + (ROOT / f"benchmarks/translated/loops_{style}.cpp").read_text())
    program = into / f"{style}.{n}"
    run([folder / "compat/bin/oshc++", "-O2", "-g1", "-DNDEBUG", "-Wno-unknown-pragmas", *flags, source, "-o", program, "-llibgetput"])
    return program


def instructions(program, form, function):
    job = run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "--callgrind-out-file=/dev/null", program, form, function])
    return int(re.search(r"Collected : (\d+)", job.stderr)[1]), printed(job)


def printed(job):
    return [line for line in job.stdout.splitlines() if not line.startswith("seconds ")]


def check(style, function, results):
    if any(each != results[0] for each in results) or not results[0]:
        sys.exit(f"{style}, {function}: the forms print different results: {results}")


def count(folder, style, functions, into):
    few, many = (build(folder, style, n, into) for n in SIZES)
    for function, per_entry in STYLES[style][1].items():
        if functions and function not in functions:
            continue
        costs = []
        results = []
        for form in FORMS:
            (a, _), (b, result) = (instructions(program, form, function) for program in (few, many))
            costs.append((b - a) / ((SIZES[1] - SIZES[0]) * per_entry))
            results.append(result)
        check(style, function, results)
        print(f"bench=translated_loops style={style} function={function} pes=1 by_hand={costs[0]:.2f} translated={costs[1]:.2f} "
              f"of_by_hand={costs[0] / costs[1]:.2f}", flush=True)


def time(folder, style, functions, into, repeat):
    program = build(folder, style, LAB_SIZE, into)
    lab = [ROOT / "lab/lab", "--hosts", "3", "mpirun"]
    environment = os.environ | {"SHOAL_MODULES": str(folder / "lib/shoal")}
    for function in STYLES[style][1]:
        if functions and function not in functions:
            continue
        seconds = {form: [] for form in FORMS}
        results = []
        for _ in range(repeat):
            for form in FORMS:
                job = run([*lab, program, form, function], env=environment)
                results.append(printed(job))
                seconds[form].append(float(re.search(r"seconds (\S+)", job.stdout)[1]))
        check(style, function, results)
        its, made = (statistics.median(seconds[form]) for form in FORMS)
        print(f"bench=translated_loops style={style} function={function} hosts=3 by_hand={its:.4f} translated={made:.4f} unit=s "
              f"of_by_hand={its / made:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lab", action="store_true")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release")
    parser.add_argument("functions", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as into:
        for style in STYLES:
            if options.lab:
                time(options.folder.resolve(), style, options.functions, Path(into), options.repeat)
            else:
                count(options.folder.resolve(), style, options.functions, Path(into))


main()
