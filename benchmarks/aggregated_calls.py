#!/usr/bin/env python3
"""Compares a program of OpenSHMEM with the same program linked with -lshoal_aggregated.

  aggregated_calls.py [--calls N] [--plain N] [--repeat R] [--network NAME] [FOLDER OF THE BUILD]

The program has loops of shmem_atomic_add, shmem_put_nbi and shmem_get_nbi on random PEs
(test/compat/programs/aggregated_loops.c). It runs on two PEs of this machine, each a node of its own (SHOAL_NODE_SIZE=1), and between
three hosts of the lab (lab/README.md), on each network substrate. It makes --calls calls as messages, and --plain without. Prints a
table of medians in ns a call, and how many times as fast messages are. FOLDER is build/release unless given.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test" / "support"))
PROGRAM = ROOT / "test/compat/programs/aggregated_loops.c"
LOOPS = ("atomic_add", "put_nbi", "get_nbi")
LAUNCHERS = {"mpi-openmpi": "openmpi", "mpi-mpich": "mpich", "mpi-rma-openmpi": "openmpi", "mpi-rma-mpich": "mpich",
             "shmem": "shmem"}


def medians(command, environment):
    """By loop: ns a call; nothing if the program did not end within two minutes."""
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120,
                              env=os.environ | environment)
    except subprocess.TimeoutExpired:
        return {}
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith(LOOPS)]
    times = {name: [float(ns) for row, ns in rows if row == name] for name in LOOPS}
    return {name: statistics.median(each) for name, each in times.items() if each} if done.returncode == 0 else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--plain", type=int, default=3_000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--network", help="what links cost: a name or file as lab/lab takes it")
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release")
    options = parser.parse_args()
    folder = options.folder.resolve()
    os.environ.update(SHOAL_BUILD=str(folder), SHOAL_BIN=str(folder / "bin"), SHOAL_MODULES=str(folder / "lib/shoal"))
    import backends

    lab = [ROOT / "lab/lab", "--hosts", "3", *(["--network", options.network] if options.network else [])]
    with tempfile.TemporaryDirectory() as place:
        programs = [Path(place, name) for name in ("plain", "aggregated")]
        for program, more in zip(programs, ([], ["-lshoal_aggregated"])):
            subprocess.run([folder / "compat/bin/oshcc", "-O2", "-std=c11", "-D_POSIX_C_SOURCE=200809L", PROGRAM, "-o", program, *more],
                           check=True)
        print("| substrate | where | loop | plain | aggregated | times as fast |")
        print("|---|---|---|---|---|---|")
        for backend, (substrate, _, _) in backends.NETWORKS.items():
            if reason := backends.why_not(backend):
                print(f"| {backend} | {reason} | | | | |")
                continue
            here, environment = backends.command_on(backend, 2, 1)
            there = [*lab, "--mpi", LAUNCHERS[backend], "mpirun"]
            for where, command, variables in (("two nodes here", here, environment),
                                              ("three hosts", there, {"SHOAL_SUBSTRATE": substrate})):
                plain, fast = (medians([*command, program, n, options.repeat], variables)
                               for program, n in zip(programs, (options.plain, options.calls)))
                for loop in LOOPS:
                    if loop in plain and loop in fast:
                        print(f"| {backend} | {where} | {loop} | {plain[loop]:,.0f} | {fast[loop]:,.0f} | "
                              f"{plain[loop] / fast[loop]:,.1f} |", flush=True)
                    else:
                        print(f"| {backend} | {where} | {loop} | - | - | - |", flush=True)


if __name__ == "__main__":
    main()
