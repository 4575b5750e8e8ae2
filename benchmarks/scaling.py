#!/usr/bin/env python3
"""Predicts how conveyors scale, as figures 5 to 7 of "Conveyors for Streaming Many-To-Many Communication" (Maley and DeVinney
2019) show it: what a node of 32 PEs injects when every PE sends items to random PEs.

  scaling.py [--network NAME,...] [--nodes N,...] [--item-bytes B,...] [--slot-bytes BYTES] [--kib KIB] [--out FOLDER]
             [FOLDER OF bench_scaling]

First the simulator (bench_scaling) and the mean field, both for the same short sessions on --nodes nodes, in which each PE sends
--kib KiB and twice as much: how well they agree. Sessions that hardly fill their buffers are left out.
Then the mean field alone for the paper's sessions, 256 MiB from each PE, up to 8,192 nodes, with the best of one to three hops,
beside the points that the paper gives in its text. Nothing here was measured on such machines, and no figure was fitted to the
paper's. Prints two tables; with --out, also writes rows as JSON and CSV and draws a figure (with matplotlib). Simulating 64 nodes
takes a minute, 1,024 nodes twenty minutes and 16 GB. FOLDER is build/release/bin unless given.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "lab"))
import network_file  # noqa: E402

NODE_SIZE = 32
PUBLISHED_BYTES = 2**28  # that each PE sends in the paper's runs
PUBLISHED_SLOT = 10000  # Conveyors' default; the paper's machines had tuned ones, which it does not give
NODES = [2**i for i in range(1, 14)]
# Section 5: a Cray XC30, an older version, item size not given. Its figures have no numbers in the text.
PUBLISHED = {"aries": {1024: 5.01, 4096: 4.15, 8192: 3.50}}

HEADER_BYTES = 32  # of a buffer (src/shoal/substrate/internal/buffer.hpp)
CALLS_NS = 100  # what else a buffer costs its two PEs, as hops are chosen by (docs/design/adaptation.md)
BYTE_NS = 0.1  # copying a byte beyond the first 8, by each PE that an item passes (docs/performance.md, "Routes")
# ns an item of 8 bytes at its sender, a relay and its receiver, by links (docs/performance.md, "Number of links").
ITEM_NS = {2: (2.3, 4.6, 1.6), 16: (2.1, 4.2, 1.7), 32: (2.1, 4.4, 1.7), 64: (2.5, 5.3, 1.7), 128: (2.8, 5.9, 1.6),
           256: (3.2, 6.5, 1.7), 512: (3.8, 8.1, 1.8), 1024: (5.3, 10.3, 1.9), 2048: (7.2, 13.8, 2.4), 4096: (9.3, 17.8, 3.7)}


def fail(why):
    sys.exit(f"scaling.py: {why}")


def sections(name):
    """The figures of [node] and [network] of a file in networks/."""
    try:
        return [network_file.figures_of(name, section) for section in ("[node]", "[network]")]
    except network_file.Refusal as error:
        fail(f"--network {name}: {error}")


def tag_bytes(n_tags):
    return 0 if n_tags <= 1 else 1 if n_tags <= 1 << 8 else 2 if n_tags <= 1 << 16 else 4


def hops_of(n_hops, n_nodes, node_size):
    """(links of a PE, whether they leave the node, tag bytes) of each hop, as src/shoal/conveyor/internal/route.hpp has them."""
    if n_hops == 1:
        return [(n_nodes * node_size, True, 0)]
    first = (node_size, False, tag_bytes(n_nodes if n_hops == 2 else -(-n_nodes // node_size) * node_size))
    if n_hops == 2:
        return [first, (n_nodes, True, tag_bytes(node_size))]
    return [first, (-(-n_nodes // node_size), True, tag_bytes(node_size**2)), (node_size, False, tag_bytes(n_nodes * node_size))]


def hop_counts(n_nodes, node_size):
    """Those that make sense: three hops pass through as many PEs of a node as there are nodes."""
    return (1, 2, 3) if n_nodes >= node_size else (1, 2)


def n_links(n_hops, n_nodes, node_size):
    return sum(links for links, _, _ in hops_of(n_hops, n_nodes, node_size))


def item_ns(links, item_bytes):
    """Of a push, a relay and handling; None: so many links were not measured."""
    known = [n for n in ITEM_NS if n >= links]
    return tuple(ns + BYTE_NS * (item_bytes - 8) for ns in ITEM_NS[min(known)]) if known else None


class mean_field:
    """All PEs do the same, so one PE and one interface stand for all (times in ns)."""

    def __init__(self, figures, n_hops, n_nodes, node_size, item_bytes, slot_bytes):
        node, network = figures
        self.hops = hops_of(n_hops, n_nodes, node_size)
        self.per_buffer = [slot_bytes // (item_bytes + tag) for _, _, tag in self.hops]
        push, relay, handling = item_ns(n_links(n_hops, n_nodes, node_size), item_bytes)
        self.cpu = push + handling
        self.before = push  # of it, until the first buffers leave the node
        self.interface = self.port = self.way = 0
        is_before = True
        for h, ((_, is_remote, tag), n) in enumerate(zip(self.hops, self.per_buffer)):
            costs = network if is_remote else node
            to_others = (n_nodes - 1) / n_nodes if is_remote else (node_size - 1) / node_size
            per_byte = (item_bytes + tag) * 2 * costs.get("overhead_ns_per_byte", 0)
            buffer = (2 * costs["overhead_ns"] * to_others + CALLS_NS) / n + per_byte * to_others
            work = buffer + (relay if h > 0 else 0)
            self.cpu += work
            is_before = is_before and not is_remote
            self.before += work if is_before else 0
            wire = ((item_bytes + tag + HEADER_BYTES / n) * costs["ns_per_byte"] + costs["gap_ns"] / n) * to_others
            if is_remote:
                self.interface += node_size * wire
            else:
                self.port += wire
            self.way += costs["latency_ns"] + 2 * costs["overhead_ns"] + slot_bytes * costs["ns_per_byte"]

    def item(self):
        """Of one more item of each PE, while all is under way."""
        return max(self.cpu, self.interface, self.port)

    def session(self, n_items):
        """Of so many items of each PE. Nothing leaves a node until the first buffers of each hop up to there are full."""
        fill = 0
        for (links, is_remote, _), n in zip(self.hops, self.per_buffer):
            fill += links * n
            if is_remote:
                break
        return max(n_items * self.cpu, min(fill, n_items) * self.before + n_items * max(self.interface, self.port)) + self.way


def gb_per_s(node_size, item_bytes, ns):
    return node_size * item_bytes / ns


def published_sessions(figures, n_nodes, item_bytes):
    """GB/s of a node, by hops, for the paper's runs."""
    found = {}
    for n_hops in hop_counts(n_nodes, NODE_SIZE):
        if item_ns(n_links(n_hops, n_nodes, NODE_SIZE), item_bytes) is not None:
            n = PUBLISHED_BYTES // item_bytes
            model = mean_field(figures, n_hops, n_nodes, NODE_SIZE, item_bytes, PUBLISHED_SLOT)
            found[n_hops] = gb_per_s(NODE_SIZE, item_bytes, model.session(n) / n)
    return found


def simulate(options, name, n_hops, n_nodes, item_bytes):
    """ns of one more item, and of the long session, as bench_scaling says."""
    push, relay, handling = item_ns(n_links(n_hops, n_nodes, options.node_size), item_bytes)
    with tempfile.NamedTemporaryFile("w", suffix=".network") as file:
        file.write((network_file.FOLDER / f"{name}.network").read_text(encoding="utf-8"))
        file.write(f"\n[item]\npush_ns = {push}\nrelay_ns = {relay}\nhandling_ns = {handling}\n")
        file.flush()
        words = [options.folder / "bench_scaling", "--nodes", n_nodes, "--node-size", options.node_size, "--hops", n_hops,
                 "--item-bytes", item_bytes, "--slot-bytes", options.slot_bytes, "--items", n_items(options, item_bytes), file.name]
        try:
            done = subprocess.run([*map(str, words)], capture_output=True, text=True)
        except OSError as error:
            fail(f"{words[0]} cannot be run ({error.strerror}); build bench_scaling first")
    if done.returncode != 0 or "verified=yes" not in done.stdout:
        fail(f"bench_scaling ended with {done.returncode}\n{done.stdout}{done.stderr}")
    found = dict(word.split("=", 1) for word in done.stdout.split())
    return float(found["ns_per_item"]), float(found["long_us"]) * 1e3


def n_items(options, item_bytes):
    """Of a PE in the short session."""
    return options.kib * 1024 // item_bytes


def fills(options, n_hops, n_nodes, item_bytes):
    """Whether the short session fills the buffers up to those that leave the node, so that what the longer one adds is steady."""
    hops = hops_of(n_hops, n_nodes, options.node_size)
    needed = sum(links * (options.slot_bytes // (item_bytes + tag)) for links, _, tag in hops[:2])
    return n_items(options, item_bytes) >= 1.25 * needed


def row(options, figures, name, n_hops, n_nodes, item_bytes):
    item, session = simulate(options, name, n_hops, n_nodes, item_bytes)
    model = mean_field(figures, n_hops, n_nodes, options.node_size, item_bytes, options.slot_bytes)
    return {"network": name, "nodes": n_nodes, "hops": n_hops, "item_bytes": item_bytes, "slot_bytes": options.slot_bytes,
            "kib": options.kib, "simulator": gb_per_s(options.node_size, item_bytes, item),
            "mean_field": gb_per_s(options.node_size, item_bytes, model.item()), "session_ns": session,
            "mean_field_session_ns": model.session(2 * n_items(options, item_bytes))}


def against(model, simulated):
    return f"{model / simulated - 1:+.0%}"


def line(of):
    rates, sessions = (of["simulator"], of["mean_field"]), (of["session_ns"], of["mean_field_session_ns"])
    cells = [of["network"], f"{of['nodes']:,}", of["hops"], of["item_bytes"], *(f"{rate:.2f}" for rate in rates),
             against(*rates[::-1]), *(f"{ns / 1e3:,.0f}" for ns in sessions), against(*sessions[::-1])]
    return f"| {' | '.join(map(str, cells))} |"


def compare(options):
    """Rows of the simulator beside the mean field."""
    print("| network | nodes | hops | item bytes | simulator, GB/s a node | mean field | error | session in simulator, us | "
          "mean field | error |\n|" + "---|" * 10, flush=True)
    rows = []
    for name in options.network:
        figures = sections(name)
        for item_bytes in options.item_bytes:
            for n_nodes in options.nodes:
                for n_hops in hop_counts(n_nodes, options.node_size):
                    if n_hops in options.hops and fills(options, n_hops, n_nodes, item_bytes):
                        rows.append(row(options, figures, name, n_hops, n_nodes, item_bytes))
                        print(line(rows[-1]), flush=True)
    return rows


def extrapolate(options):
    """Rows of the mean field for the paper's sessions, beside the published points."""
    sizes = " | ".join(f"predicted, {size} bytes" for size in options.item_bytes)
    print(f"\n| network | nodes | {sizes} | published |\n|" + "---|" * (3 + len(options.item_bytes)))
    rows = []
    for name in options.network:
        figures = sections(name)
        for n_nodes in NODES:
            cells = []
            for item_bytes in options.item_bytes:
                by_hops = published_sessions(figures, n_nodes, item_bytes)
                best = max(by_hops, key=by_hops.get)
                cells.append(f"{by_hops[best]:.2f} ({best})")
                rows.append({"network": name, "nodes": n_nodes, "item_bytes": item_bytes, "best_hops": best,
                             **{f"hops_{n}": by_hops.get(n) for n in (1, 2, 3)},
                             "published": PUBLISHED.get(name, {}).get(n_nodes)})
            published = PUBLISHED.get(name, {}).get(n_nodes, "")
            print(f"| {name} | {n_nodes:,} | {' | '.join(cells)} | {published} |")
    return rows


def draw(options, simulated, predicted, file):
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, panels = pyplot.subplots(1, len(options.network), figsize=(5 * len(options.network), 4), squeeze=False)
    for panel, name in zip(panels[0], options.network):
        for i, item_bytes in enumerate(options.item_bytes):
            def curve(rows, rate, style, label):
                found = [of for of in rows if (of["network"], of["item_bytes"]) == (name, item_bytes) and rate(of) is not None]
                if found:
                    panel.plot([of["nodes"] for of in found], list(map(rate, found)), style, color=f"C{i}", fillstyle="none",
                               markersize=4, label=label)

            curve(predicted, lambda of: of[f"hops_{of['best_hops']}"], "--", f"predicted, mean field, {item_bytes} bytes")
            curve(predicted, lambda of: of["hops_3"], ":", "predicted, with three hops" if i == 0 else None)
            curve(simulated, lambda of: of["simulator"], "o", f"predicted, simulator, {item_bytes} bytes")
        published = PUBLISHED.get(name, {})
        if published:
            panel.plot(published.keys(), published.values(), "k*", markersize=9, label="published (XC30, item size not given)")
        panel.set_xscale("log", base=2)
        panel.set(title=name, xlabel=f"nodes of {NODE_SIZE} PEs", ylabel="GB/s that a node injects")
        panel.set_ylim(bottom=0)
        panel.legend(fontsize=6)
        panel.grid()
    figure.savefig(file, bbox_inches="tight")


def write(options, simulated, predicted):
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "rows.json").write_text(json.dumps({"compared": simulated, "predicted": predicted}, indent=1) + "\n")
    with open(options.out / "predicted.csv", "w", newline="") as file:
        table = csv.DictWriter(file, predicted[0].keys())
        table.writeheader()
        table.writerows(predicted)
    draw(options, simulated, predicted, options.out / "scaling.svg")


def numbers(low, high, known=None):
    def parse(text):
        try:
            values = [int(word) for word in text.split(",")]
        except ValueError:
            values = [low - 1]
        if not all(low <= n <= high and (known is None or n in known) for n in values):
            what = " or ".join(map(str, known)) if known else f"whole numbers from {low} to {high}"
            raise argparse.ArgumentTypeError(f"{text}: give {what}")
        return values
    return parse


def number(low, high):
    return lambda text: numbers(low, high)(text.replace(",", "x"))[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--network", type=lambda text: text.split(","), default=["aries", "infiniband-fdr", "omni-path"])
    parser.add_argument("--nodes", type=numbers(2, 8192), default=[4, 8, 16, 32])
    parser.add_argument("--node-size", type=number(2, 1024), default=NODE_SIZE)
    parser.add_argument("--hops", type=numbers(1, 3), default=[1, 2, 3])
    parser.add_argument("--item-bytes", type=numbers(8, 128, (8, 16, 32, 128)), default=[8, 16, 32, 128])
    parser.add_argument("--slot-bytes", type=number(256, 1 << 20), default=2048)
    parser.add_argument("--kib", type=number(1, 1 << 18), default=128)
    parser.add_argument("--out", type=Path)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build/release/bin")
    options = parser.parse_args()
    simulated = compare(options)
    predicted = extrapolate(options)
    if options.out is not None:
        write(options, simulated, predicted)


if __name__ == "__main__":
    main()
