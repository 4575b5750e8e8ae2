#!/usr/bin/env python3
"""Compares aggregated with one-sided operations between three hosts of the lab (lab/README.md), over TCP.

  between_nodes.py [--operations N] [--blocking N] [--started N] [--repeat R] [FOLDER OF shoal]

Runs every variant of histogram and index_gather on every network substrate; agp (--blocking) and agp_nb (--started)
make fewer operations, because they are slow. FOLDER is build/release/bin unless given. Prints a table of medians in
ns an operation. "-": the kernel or the substrate does not have it, or it did not finish within a minute.
"""
import argparse
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = (("mpi", "openmpi"), ("mpi", "mpich"), ("mpi-rma", "openmpi"), ("mpi-rma", "mpich"), ("shmem", "shmem"))
KERNELS = {"histogram": "--updates", "index_gather": "--reads"}
VARIANTS = ("actor", "lambda", "combining", "conveyor", "agp", "agp_nb")


def measure(options, substrate, launcher, kernel, variant):
    n = {"agp": options.blocking, "agp_nb": options.started}.get(variant, options.operations)
    command = [ROOT / "lab/lab", "--hosts", "3", "--mpi", launcher, "mpirun", options.folder.resolve() / "shoal", "run",
               kernel, KERNELS[kernel], n, "--variant", variant, "--repeat", options.repeat, "--json", "-"]
    try:
        done = subprocess.run(["timeout", "60", *map(str, command)], capture_output=True, text=True,
                              env=os.environ | {"SHOAL_SUBSTRATE": substrate})
    except OSError as error:
        raise SystemExit(f"between_nodes.py: {error}") from error
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            result = json.loads(line)
            if result.get("verified"):
                return f"{result['ns_per_operation']:,.0f}"
    return "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--operations", type=int, default=1_000_000)
    parser.add_argument("--blocking", type=int, default=100)
    parser.add_argument("--started", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release/bin")
    options = parser.parse_args()
    print("| substrate, launcher | kernel |", " | ".join(VARIANTS), "|")
    print("|---|---|" + "---|" * len(VARIANTS))
    for substrate, launcher in ROWS:
        for kernel in KERNELS:
            cells = [measure(options, substrate, launcher, kernel, variant) for variant in VARIANTS]
            print(f"| {substrate}, {launcher} | {kernel} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
