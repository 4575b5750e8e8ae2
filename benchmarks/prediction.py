#!/usr/bin/env python3
"""Compares what the simulator predicts with what is measured in the lab (lab/README.md).

  prediction.py [--network NAME,...] [--pes P,...] [--kernel NAME,...] [--variant NAME,...] [--rounds R] [--jobs J]
                [--out FOLDER] [FOLDER OF shoal]

Makes a lab of as many hosts as the most PEs for each network, measures its link between two hosts, and runs each kernel on
Open MPI, one PE a host. Then it simulates the same jobs: on the network that the link's figures describe, with what the
programs compute measured (SHOAL_SIM=compute=1), on as many shared cores as this machine has. Prints a table of times, medians
of J jobs that are apart in time, of each the median of R rounds, and what the prediction is too high or too low by; with --out,
also writes rows as JSON and draws a figure (with matplotlib). Every answer is verified. FOLDER is build/release/bin unless given; the machine should be idle.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools" / "bench"))
sys.path.insert(0, str(ROOT / "benchmarks" / "support"))
from lab_jobs import LAB, objects  # noqa: E402
from shoal_network_bench import network_file  # noqa: E402

# Of each kernel: options on N PEs.
def graph(n, directed):
    return f"--graph=er:n={20000 * n},degree=10{',directed=yes' if directed else ''}"


KERNELS = {
    "histogram": lambda n: ["--updates=1000000", "--table=1000"],
    "index_gather": lambda n: ["--reads=1000000", "--table=100000"],
    "permute": lambda n: [graph(n, True)],
    "randperm": lambda n: ["--entries=200000"],
    "transpose": lambda n: [graph(n, True)],
    "triangle": lambda n: [graph(n, False)],
    "toposort": lambda n: [graph(n, False)],
}


def fail(why):
    sys.exit(f"prediction.py: {why}")


def run_words(options, kernel, pes, variant):
    return [options.folder / "shoal", "run", kernel, *KERNELS[kernel](pes), "--variant", variant, "--repeat", options.rounds,
            "--json", "-"]


def seconds_of(line):
    return line["seconds"]["median"]


def spread_of(line):
    return line["seconds"]["min"], line["seconds"]["max"]


def jobs(options):
    return [(kernel, variant, pes) for kernel in options.kernel for variant in options.variant for pes in options.pes]


# Enough PEs to keep all cores busy, and two sizes of buffers.
BUSY_PES = 8
SMALL, LARGE = 512, 16384


def on_hosts(pes, words, **variables):
    """What so many PEs print, one on each of the lab's first hosts. To be called in the lab."""
    return objects([LAB, "-n", pes, "mpirun", *words], **variables)


def core_ns_of_buffer(program, slot_bytes, megabytes):
    """What a buffer of that size takes of all cores where they are the limit, with all that its PEs and the network do for it."""
    seconds = []
    for n in (megabytes << 20, 2 * megabytes << 20):
        words = [program, "run", "histogram", f"--updates={n // 8}", "--table=1000", "--variant=actor", "--repeat=3", "--json=-"]
        seconds.append(seconds_of(on_hosts(BUSY_PES, words, SHOAL_SLOT_BYTES=str(slot_bytes), SHOAL_CODEC="none")[0]))
    n_buffers = (BUSY_PES - 1) * (megabytes << 20) / slot_bytes
    return (seconds[1] - seconds[0]) * 1e9 * os.cpu_count() / n_buffers


def network_text(program, n_jobs):
    """What the lab's links cost, as a file. What a buffer takes of the cores besides the PEs' overhead is the carrier's."""
    link = on_hosts(2, [program, "link", "--seconds", "3", "--json", "-"])[0]
    overhead = 2 * link["overhead_ns"]["median"]
    items = (link["push_ns"]["median"] + link["handling_ns"]["median"]) / 8
    small, large = (statistics.median(core_ns_of_buffer(program, *of) for _ in range(n_jobs)) for of in ((SMALL, 1), (LARGE, 8)))
    each_byte = max(0, (large - small) / (LARGE - SMALL) - items)
    each = max(0, small - overhead - SMALL * (each_byte + items))
    carrier = f"carrier_ns = {each:.0f}\ncarrier_ns_per_byte = {each_byte:.4f}\n"
    return network_file.text("lab", "now", None, link).replace("\n[item]", carrier + "\n[item]")


def measure_inside(options):
    """In the lab: the link, then each job, whose choices follow from the link."""
    options.file.write_text(network_text(str(options.folder / "shoal"), options.jobs))
    found = {job: [] for job in jobs(options)}
    for _ in range(options.jobs):
        for (kernel, variant, pes), lines in found.items():
            lines.append(on_hosts(pes, run_words(options, kernel, pes, variant), SHOAL_NETWORK=str(options.file))[0])
    for (kernel, variant, pes), lines in found.items():
        medians = [seconds_of(line) for line in lines]
        print(json.dumps({"kernel": kernel, "variant": variant, "pes": pes, "seconds": statistics.median(medians),
                          "spread": [min(medians), max(medians)] if options.jobs > 1 else spread_of(lines[0])}), flush=True)


def measure(options, network, file):
    """Of each job its seconds, and the least and the most. `file` gets what links cost."""
    command = [LAB, "--hosts", max(BUSY_PES, *options.pes), "--network", network, "host", 1, sys.executable, __file__,
               "--inside", file, *options.words]
    return {(line["kernel"], line["variant"], line["pes"]): (line["seconds"], *line["spread"]) for line in objects(command)}


def predict(options, file, kernel, variant, pes):
    line = objects([*run_words(options, kernel, pes, variant), "--substrate", "sim", "--pes", pes], SHOAL_NETWORK=str(file),
                   SHOAL_NODE_SIZE="1", SHOAL_SIM=f"compute=1,cores={os.cpu_count()}")[0]
    return seconds_of(line)


def row(network, kernel, variant, pes, measured, spread, predicted):
    least, most = (f"{seconds * 1e3:.4g}" for seconds in spread)
    return (f"| {network} | `{kernel}` {variant} | {pes} | {measured * 1e3:.4g} | {least} to {most} | {predicted * 1e3:.4g} | "
            f"{predicted / measured - 1:+.0%} |")


def draw(rows, file):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6, 6))
    limits = [min(min(r["measured"], r["predicted"]) for r in rows) / 1.5, max(max(r["measured"], r["predicted"]) for r in rows) * 1.5]
    axes.plot(limits, limits, color="black", linewidth=0.8)
    for factor in (0.8, 1.2):
        axes.plot(limits, [factor * limit for limit in limits], color="gray", linestyle="--", linewidth=0.8)
    for network in dict.fromkeys(r["network"] for r in rows):
        for kernel, marker in zip(KERNELS, "os^vDPX"):
            points = [r for r in rows if r["network"] == network and r["kernel"] == kernel]
            axes.scatter([r["measured"] for r in points], [r["predicted"] for r in points], marker=marker, s=24,
                         label=f"{kernel}, {network}")
    axes.set(xscale="log", yscale="log", xlim=limits, ylim=limits, xlabel="measured, s", ylabel="predicted, s")
    axes.legend(fontsize=6)
    figure.savefig(file, bbox_inches="tight")


def listed(known, what):
    def parse(text):
        names = text.split(",")
        for name in names:
            if known is not None and name not in known:
                raise argparse.ArgumentTypeError(f"unknown {what} {name}; known: {', '.join(known)}")
        return names
    return parse


def pes_listed(text):
    try:
        counts = [int(word) for word in text.split(",")]
    except ValueError:
        counts = [0]
    if not all(2 <= n <= 64 for n in counts):
        raise argparse.ArgumentTypeError(f"{text} are not numbers of PEs from 2 to 64")
    return counts


def compare(options, folder):
    options.words = ["--pes", ",".join(map(str, options.pes)), "--kernel", ",".join(options.kernel), "--variant",
                     ",".join(options.variant), "--rounds", str(options.rounds), "--jobs", str(options.jobs), str(options.folder)]
    print("| network | kernel | PEs | measured, ms | least to most | predicted, ms | error |\n|---|---|---|---|---|---|---|", flush=True)
    rows = []
    for network in options.network:
        file = folder / f"{network}.network"
        for (kernel, variant, pes), (measured, *spread) in measure(options, network, file).items():
            predicted = predict(options, file, kernel, variant, pes)
            print(row(network, kernel, variant, pes, measured, spread, predicted), flush=True)
            rows.append({"network": network, "kernel": kernel, "variant": variant, "pes": pes, "measured": measured,
                         "spread": spread, "predicted": predicted})
    errors = sorted(abs(r["predicted"] / r["measured"] - 1) for r in rows)
    print(f"\nmedian error {statistics.median(errors):.0%}, largest {errors[-1]:.0%}, of {len(errors)}")
    if options.out is not None:
        (options.out / "rows.json").write_text(json.dumps(rows, indent=1) + "\n")
        draw(rows, options.out / "prediction.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", type=listed(None, "network"), default=["ethernet-cloud", "sriov-cloud"])
    parser.add_argument("--pes", type=pes_listed, default=[2, 4, 8, 16])
    parser.add_argument("--kernel", type=listed(KERNELS, "kernel"), default=list(KERNELS))
    parser.add_argument("--variant", type=listed(None, "variant"), default=["actor"])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--inside", dest="file", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release/bin")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    if min(options.rounds, options.jobs) < 1:
        fail("--rounds or --jobs is less than 1")
    if options.file is not None:
        return measure_inside(options)
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
        return compare(options, options.out.resolve())
    with tempfile.TemporaryDirectory() as folder:
        compare(options, Path(folder))


main()
