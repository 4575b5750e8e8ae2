#!/usr/bin/env python3
"""Compares graph kernels with SuiteSparse:GraphBLAS and plain OpenMP (comparators/README.md), on one machine.

  graph_libraries.py [--scale S] [--rounds R] [--data FOLDER] [FOLDER OF shoal]

Makes an R-MAT and an Erdos-Renyi graph of 2^S vertices (18 unless given), writes them as MatrixMarket files, and takes the
Debian graph from --data as well (../shared/data unless given). Runs every program on each file one after the other, again and
again, with 1 and with 2 threads or PEs, each with a warm-up and three runs. Prints a table for each graph: milliseconds, the
median of the rounds' medians. All programs must give the same answer. FOLDER is build/release/bin unless given. "-": there is
no such variant, or the library is not installed.
"""
import argparse
import gzip
import json
import math
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARIES = {"OpenMP": "openmp", "GraphBLAS": "graphblas"}
VARIANTS = ("actor", "row_wise", "array", "agp")
KERNELS = {
    "transpose": ("transpose", ("actor", "agp")),
    "triangle": ("triangle", ("actor", "row_wise", "agp")),
    "pagerank": ("pagerank", ("actor", "array", "agp")),
    "bfs": ("bfs --undirected", ("actor", "agp")),
    "components": ("components", ("actor",)),
}


def last_line(command):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=1800)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        fail(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(lines[-1])


def fail(why):
    sys.exit(f"graph_libraries.py: {why}")


def shoal(folder, kernel, variant, file, n_pes):
    """Seconds, and the answer in the form of the comparators. A transposed matrix has none that is short: shoal compares it with
    a serial one."""
    line = last_line([folder / "shoal", "run", *KERNELS[kernel][0].split(), "--input", file, "--pes", n_pes,
                      "--variant", variant, "--repeat", 3, "--json", "-"])
    answer = line.get("answer")
    if kernel == "transpose":
        answer = {"entries": line["operations_per_pe"] * n_pes}
    elif kernel == "pagerank":
        answer = {"iterations": answer["iterations"], "best": answer["top"][0]["rank"]}
    elif kernel == "bfs":
        answer = {"reached": answer["reached"], "eccentricity": answer["eccentricity"]}
    return line["seconds"]["median"], answer


def other(folder, library, kernel, file, n_threads):
    program = folder / "comparators" / LIBRARIES[library] / "graph_kernels"
    if not program.exists():
        return None
    line = last_line([program, kernel, file, f"--threads={n_threads}", "--repeat=3"])
    return line["median"], line["answer"]


def are_same(answers):
    """Whether all are equal, of what each has; ranks to eight digits."""
    for a in answers:
        for b in answers:
            for name in a.keys() & b.keys():
                if not math.isclose(a[name], b[name], rel_tol=1e-8 if name == "best" else 0):
                    return False
    return True


def row(options, kernel, file, n_threads):
    """Of each column its seconds."""
    found = {}
    answers = []
    for _ in range(options.rounds):
        for column in (*KERNELS[kernel][1], *LIBRARIES):
            if column in LIBRARIES:
                result = other(options.folder, column, kernel, file, n_threads)
            else:
                result = shoal(options.folder, kernel, column, file, n_threads)
            if result is not None:
                found.setdefault(column, []).append(result[0])
                answers.append(result[1])
    if not are_same(answers):
        fail(f"the programs do not agree about {kernel} of {file}: {answers}")
    return {column: statistics.median(seconds) for column, seconds in found.items()}


def graphs(options, folder):
    """Pairs of a title and a file."""
    make = options.folder / "comparators/make_graph"
    for kind in ("rmat", "er"):
        file = Path(folder) / f"{kind}.mtx"
        subprocess.run([make, kind, file, f"--scale={options.scale}", "--factor=16"], check=True)
        yield f"{kind}, 2^{options.scale} vertices", file
    debian = options.data / "debian-depends.mtx.gz"
    if debian.exists():
        file = Path(folder) / "debian.mtx"
        file.write_bytes(gzip.decompress(debian.read_bytes()))
        yield "Debian packages", file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=int, default=18)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release/bin")
    options = parser.parse_args()
    if options.rounds < 1:
        fail("--rounds is less than 1")
    if not 1 <= options.scale <= 26:
        fail("--scale is not from 1 to 26")
    if not (options.folder / "comparators").is_dir():
        fail(f"{options.folder} has no folder comparators; build shoal_cli and all_comparators first")
    columns = (*VARIANTS, *LIBRARIES)
    with tempfile.TemporaryDirectory() as folder:
        for title, file in graphs(options, folder):
            print(f"\n| {title} | threads |", " | ".join(columns), "|")
            print("|---|---|" + "---|" * len(columns))
            for kernel in KERNELS:
                for n_threads in (1, 2):
                    seconds = row(options, kernel, file, n_threads)
                    cells = [f"{seconds[c] * 1000:.3g}" if c in seconds else "-" for c in columns]
                    print(f"| `{kernel}` | {n_threads} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
