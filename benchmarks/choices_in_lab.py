#!/usr/bin/env python3
"""Compares what Shoal chooses in the lab (lab/README.md) with a search: hops, slot size and codec.

  choices_in_lab.py [--network NAME,...] [--shape HOSTSxPES,...] [--kernel NAME,...] [--rounds R] [--jobs J] [FOLDER OF shoal]

Makes a lab for each network and shape (HOSTS hosts of PES PEs each), gives Shoal the network's file, and runs each kernel as chosen and with
each combination, J times in turn, form actor on Open MPI. A time is the median of J jobs, of each the median of R rounds. The least of
many noisy times is too low, so the best combination and the choice then run J times more, in turn; these times are compared.
FOLDER is build/release/bin unless given; the machine should be idle. Every answer is verified.
"""
import argparse
import json
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks" / "support"))
from lab_jobs import LAB, objects  # noqa: E402

KERNELS = {"histogram": ["--updates=500000", "--table=1000"], "index_gather": ["--reads=200000", "--table=100000"],
           "randperm": ["--entries=100000"]}
SLOTS = (4096, 16384, 65536, 262144)
CODECS = ("none", "squeeze")
PRICE_OF_TRIED = "1000000"  # ns a byte, so that a codec that is tried encodes whatever that costs


def fail(why):
    sys.exit(f"choices_in_lab.py: {why}")


def combinations(pes_per_host):
    """Names and settings; with one PE on each host further hops only pass messages on."""
    return {f"{hops}_hops,{slot},{codec}": {"SHOAL_HOPS": str(hops), "SHOAL_SLOT_BYTES": str(slot), "SHOAL_CODEC": codec,
                                            "SHOAL_NS_PER_BYTE": PRICE_OF_TRIED}
            for hops in ((1,) if pes_per_host == 1 else (1, 2)) for slot in SLOTS for codec in CODECS}


def medians(options, kernel, pes_per_host, tried):
    """Of each combination its time in seconds."""
    seconds = {name: [] for name in tried}
    for _ in range(options.jobs):
        for name, variables in tried.items():
            words = [options.folder / "shoal", "run", kernel, *KERNELS[kernel], "--variant", "actor", "--repeat", options.rounds,
                     "--json", "-"]
            line, = objects([LAB, "--pes-per-host", pes_per_host, "mpirun", *words],
                            SHOAL_NETWORK=str(options.file), **variables)
            seconds[name].append(line["seconds"]["median"])
    return {name: statistics.median(each) for name, each in seconds.items()}


def search(options, pes_per_host):
    """In the lab."""
    for kernel in options.kernel:
        every = {"chosen": {}} | combinations(pes_per_host)
        found = medians(options, kernel, pes_per_host, every)
        best = min((name for name in found if name != "chosen"), key=found.get)
        again = medians(options, kernel, pes_per_host, {name: every[name] for name in ("chosen", best)})
        print(json.dumps({"kernel": kernel, "best": best, "best_s": again[best], "chosen_s": again["chosen"]}), flush=True)


def compare(options):
    print("| network | hosts x PEs | kernel | chosen, ms | best, ms | by | ratio |\n|---|---|---|---|---|---|---|", flush=True)
    worst = 0
    for network in options.network:
        for hosts, pes in options.shape:
            lines = objects([LAB, "--hosts", hosts, "--network", network, "host", 1, sys.executable, __file__, "--inside",
                             pes, "--network", network, "--kernel", ",".join(options.kernel), "--rounds", options.rounds, "--jobs",
                             options.jobs, options.folder])
            for line in lines:
                ratio = line["chosen_s"] / line["best_s"]
                worst = max(worst, ratio)
                print(f"| {network} | {hosts}x{pes} | `{line['kernel']}` | {line['chosen_s'] * 1e3:.4g} | {line['best_s'] * 1e3:.4g} | "
                      f"{line['best']} | {ratio:.2f} |", flush=True)
    print(f"\nat most {worst:.2f} times the best")


def listed(text):
    return text.split(",")


def shapes(text):
    try:
        return [tuple(int(word) for word in shape.split("x")) for shape in text.split(",")]
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text} is not HOSTSxPES, such as 4x2") from error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", type=listed, default=["ethernet-cloud", "sriov-cloud"])
    parser.add_argument("--shape", type=shapes, default=shapes("2x1,8x1,4x2"))
    parser.add_argument("--kernel", type=listed, default=list(KERNELS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=3)
    parser.add_argument("--inside", type=int, help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release/bin")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    unknown = [name for name in options.kernel if name not in KERNELS]
    if unknown:
        fail(f"unknown kernel {unknown[0]}; known: {', '.join(KERNELS)}")
    if min(options.rounds, options.jobs) < 1:
        fail("--rounds or --jobs is less than 1")
    if options.inside is None:
        return compare(options)
    options.file = ROOT / "networks" / f"{options.network[0]}.network"
    return search(options, options.inside)


main()
