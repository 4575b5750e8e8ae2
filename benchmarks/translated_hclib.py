#!/usr/bin/env python3
"""Instructions per message of HClib-Actor's kernels: what shoal-translate makes of their lambdas, beside hand-written selectors.
On one PE that sends to itself. Needs valgrind.

  translated_hclib.py [BUILD FOLDER [KERNEL…]]     default: build/release

The kernels are in translated/: hclib_selectors.cpp is by hand, hclib_lambdas.cpp is translated. Both are compiled with -O2. What they
print has to be the same. Counts with callgrind what happens in their supersteps for two sizes, so that what a superstep costs is left
out. Prints one line per kernel: instructions a message, also of the lambdas as they are written, and the bytes of each packet.
"""
import csv
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "benchmarks/translated"
SIZES = 500, 2500
FORMS = "by_hand", "translated", "lambdas"
KERNELS = ("histogram", "index_gather", "transpose", "permute", "toposort", "pagerank", "triangle", "triangle_centrality", "jaccard",
           "bfs")


def run(command, **how):
    job = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    if job.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{job.stdout}{job.stderr}")
    return job


def build(folder, into):
    """The program of each form, and the translator's report."""
    flags = ["-std=c++11", "-DUSE_SHMEM=1", f"-I{folder}/compat/include", f"-I{ROOT}"]
    translated = into / "hclib_translated.cpp"
    report = run([folder / "bin/shoal-translate", PLACE / "hclib_lambdas.cpp", "-o", translated, "--report", "--", *flags]).stderr
    libraries = ["-lhclib_bale_actor", "-llibgetput", "-lhclib", "-lm"]
    for form, source in zip(FORMS, (PLACE / "hclib_selectors.cpp", translated, PLACE / "hclib_lambdas.cpp")):
        measured = into / f"{form}.cpp"
        measured.write_text(source.read_text().replace("hclib::finish(", "measured::finish("))
        of_lambdas = ["-DUSE_LAMBDA="] if form == "lambdas" else []
        run([folder / "compat/bin/oshc++", "-O2", "-g1", "-DNDEBUG", *flags, *of_lambdas, measured, PLACE / "hclib_main.cpp", "-o", into / form,
             *libraries], env=dict(os.environ, OSHCXX_COMPILER="g++"))
    return report


def count(program, kernel, size):
    """Instructions of the supersteps, and what the program prints of its result."""
    job = run(["valgrind", "--tool=callgrind", "--collect-atstart=no", "--callgrind-out-file=/dev/null", program, kernel, size])
    return int(re.search(r"Collected : (\d+)", job.stderr)[1]), job.stdout.splitlines()[0]


def messages(program, kernel, size):
    """How many packets it sends."""
    rows = run([program, kernel, size], env=dict(os.environ, SHOAL_STATS="csv")).stderr.splitlines()
    return sum(int(row["sent"]) for row in csv.DictReader(rows) if row["record"] == "mailbox")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
    with tempfile.TemporaryDirectory() as place:
        into = Path(place)
        report = build(folder, into)
        for kernel in sys.argv[2:] or KERNELS:
            costs = []
            results = []
            few_sent, many_sent = (messages(into / "by_hand", kernel, size) for size in SIZES)
            for form in FORMS:
                (few, _), (many, result) = (count(into / form, kernel, size) for size in SIZES)
                costs.append((many - few) / (many_sent - few_sent))
                results.append(result)
            if len(set(results)) != 1:
                sys.exit(f"the forms print different results: {results}")
            packets = re.findall(rf"{kernel}_packet\w*: lambda \d+, packet (\d+)", report)
            print(f"bench=translated_hclib kernel={kernel} pes=1 by_hand={costs[0]:.2f} translated={costs[1]:.2f} lambdas={costs[2]:.2f} "
                  f"ratio={costs[1] / costs[0]:.3f} packets={','.join(packets)}", flush=True)


main()
