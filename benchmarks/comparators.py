#!/usr/bin/env python3
"""Compares kernels with the same programs of OpenSHMEM and MPI (comparators/README.md), on one machine.

  comparators.py [--pes N] [--rounds R] [FOLDER OF shoal]

Runs all of them one after the other, again and again, each with a warm-up and three runs, and prints a table: ns an
operation on one PE, the median of the rounds' medians. Every answer is verified. FOLDER is build/release/bin unless given.
"-": there is no such program, or its library is not installed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_opal_common_ucx_opal_mem_hooks": "0"}
LAUNCHERS = {"shmem": "oshrun", "openmpi": "mpirun.openmpi", "mpich": "mpirun.mpich"}

# Of each kernel: Shoal's options on N PEs, the comparators' options.
TABLE = ["--updates=2000000", "--table=1000"], ["--reads=2000000", "--table=100000"]


def matrix(kernel, directed):
    return (lambda n: [kernel, f"--graph=er:n={50000 * n},degree=10{',directed=yes' if directed else ''}"],
            [kernel, "--rows=50000", "--degree=10"])


KERNELS = {
    "histogram": (lambda n: ["histogram", *TABLE[0]], ["histogram", *TABLE[0]]),
    "index_gather": (lambda n: ["index_gather", *TABLE[1]], ["index_gather", *TABLE[1]]),
    "randperm": (lambda n: ["randperm", "--entries=500000"], ["randperm", "--entries=500000"]),
    "transpose": matrix("transpose", True),
    "permute": matrix("permute", True),
    "toposort": matrix("toposort", False),
    "triangle": matrix("triangle", False),
}
# Column: the library, the program's prefix and further options.
OTHERS = {
    "OpenSHMEM": ("shmem", "", []),
    "OpenSHMEM, nonblocking": ("shmem", "", ["--nonblocking=1"]),
    "RMA, Open MPI": ("openmpi", "rma_", []),
    "RMA, MPICH": ("mpich", "rma_", []),
    "all-to-all, Open MPI": ("openmpi", "all_to_all_", []),
    "all-to-all, MPICH": ("mpich", "all_to_all_", []),
}
VARIANTS = ("actor", "lambda", "agp", "agp_nb")


def last_line(command, **more):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=os.environ | more, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        sys.exit(f"comparators.py: {' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(lines[-1])


def shoal(options, kernel, variant):
    line = last_line([options.folder / "shoal", "run", *KERNELS[kernel][0](options.pes), "--pes", options.pes,
                      "--variant", variant, "--repeat", "3", "--json", "-"])
    return line["ns_per_operation"]


def other(options, kernel, column):
    library, prefix, more = OTHERS[column]
    name, *arguments = KERNELS[kernel][1]
    program = options.folder / "comparators" / library / (prefix + name)
    if not program.exists() or (more and name not in ("histogram", "index_gather")):
        return None
    line = last_line([LAUNCHERS[library], "-n", options.pes, program, *arguments, *more, "--repeat=3"], **OPEN_MPI)
    return line["median"] * 1e9 * line["pes"] / line["operations"]


def has(options, kernel, variant):
    listed = subprocess.run([options.folder / "shoal", "list", "--json"], capture_output=True, text=True, check=True)
    kernels = {k["kernel"]: k for k in map(json.loads, listed.stdout.splitlines())}
    return variant in kernels[kernel]["variants"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pes", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release/bin")
    options = parser.parse_args()
    if options.rounds < 1:
        sys.exit("comparators.py: --rounds is less than 1")
    if not (options.folder / "comparators").is_dir():
        sys.exit(f"comparators.py: {options.folder} has no folder comparators; build shoal_cli and all_comparators first")
    columns = [*VARIANTS, *OTHERS]
    print("| kernel |", " | ".join(columns), "|")
    print("|---|" + "---|" * len(columns))
    for kernel in KERNELS:
        found = {column: [] for column in columns}
        for _ in range(options.rounds):
            for column in columns:
                if column in OTHERS:
                    time = other(options, kernel, column)
                else:
                    time = shoal(options, kernel, column) if has(options, kernel, column) else None
                if time is not None:
                    found[column].append(time)
        cells = [f"{statistics.median(times):.3g}" if times else "-" for times in found.values()]
        print(f"| `{kernel}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
