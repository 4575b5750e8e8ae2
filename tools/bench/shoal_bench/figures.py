"""Figures by matplotlib: one a kernel, the ratios, the scaling; each as SVG and PNG.

They are drawn by another process, because the Python that has matplotlib may be another one than the user's first.
"""
import os
import subprocess
import sys
from pathlib import Path

from shoal_bench.results import n_pes, read_results
from shoal_bench.summary import main_rows, summarise

INK, LINE, PAPER = "#1f2328", "#d0d7de", "#ffffff"  # the report replaces these by those of the page
COLOURS = ("#2f7fd1", "#e07b00", "#1a9e6b", "#c9568f", "#8a6fd1", "#a0852c", "#2aa3b5", "#d14f4f", "#7a8b99")
MARKERS = "osD^vPX*h"
NO_MATPLOTLIB = 3


def draw_all(folder, verb="bench"):
    """Draws the figures of the results of `shoal VERB` in `folder`, by the first Python that can. Returns why there are
    none; nothing if there are."""
    package = Path(__file__).parent.parent
    for python in dict.fromkeys((sys.executable, "/usr/bin/python3")):
        if not os.access(python, os.X_OK):
            continue
        drawn = subprocess.run([python, "-B", package, "", verb, "draw", folder], stdin=subprocess.DEVNULL, capture_output=True,
                               text=True)
        if drawn.returncode == 0:
            return None
        if drawn.returncode != NO_MATPLOTLIB:
            return f"matplotlib failed: {(drawn.stderr.strip().splitlines() or ['no word'])[-1]}"
    return "Python has no matplotlib; install it (Debian: apt-get install python3-matplotlib)"


def style_of(rows):
    """Colour and marker of each variant, the same in all figures."""
    variants = list(dict.fromkeys(row["variant"] for row in rows))
    return {v: (COLOURS[i % len(COLOURS)], MARKERS[i % len(MARKERS)]) for i, v in enumerate(variants)}


def unit_for(seconds):
    return next(((1 / unit, name) for unit, name in ((1, "s"), (1e-3, "ms")) if seconds >= unit), (1e6, "us"))


def reach(row, name, factor=1):
    """The lengths of the error bar around a median; no bar without an interval."""
    low, high = row[f"{name}low"], row[f"{name}high"]
    middle = row[name.rstrip("_") or "median"]
    return [[0], [0]] if low is None else [[(middle - low) * factor], [(high - middle) * factor]]


def kernel_figure(figure, rows, style):
    """The times of all jobs on the most PEs, with medians and intervals."""
    axes = figure.subplots()
    factor, unit = unit_for(max(row["median"] for row in rows))
    for y, row in enumerate(rows):
        colour, marker = style[row["variant"]]
        times = [seconds * factor for seconds in row["seconds_of_jobs"]]
        axes.plot(times, [y + 0.27] * len(times), ".", color=colour, alpha=0.5, markersize=6, markeredgewidth=0)
        axes.errorbar([row["median"] * factor], [y], xerr=reach(row, "", factor), fmt=marker, color=colour, markersize=8,
                      capsize=5, elinewidth=2)
    axes.set_yticks(range(len(rows)), [row["variant"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel(f"{unit} a run; median of {rows[0]['jobs']} jobs, 95 % interval, each job")
    axes.set_title(f"{rows[0]['title']}, {n_pes(rows[0]['pes'])}")
    axes.grid(axis="x")


def ratio_figure(figure, rows, style, reference):
    """How many times as long as the reference each variant takes, on the most PEs of each kernel."""
    axes = figure.subplots()
    titles = list(dict.fromkeys(row["title"] for row in rows))
    variants = [v for v in style if v != reference and any(row["variant"] == v for row in rows)]
    for i, variant in enumerate(variants):
        colour, marker = style[variant]
        label = variant
        for row in (row for row in rows if row["variant"] == variant):
            y = titles.index(row["title"]) + (i - (len(variants) - 1) / 2) * 0.7 / len(variants)
            axes.errorbar([row["ratio"]], [y], xerr=reach(row, "ratio_"), fmt=marker, color=colour, label=label, markersize=6,
                          capsize=3)
            label = None
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_xscale("log")
    ticks = [t for t in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
             if min(row["ratio"] for row in rows) / 2.5 < t < 2.5 * max(row["ratio"] for row in rows)]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(titles)), titles)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    axes.set_xlabel(f"times as long as {reference} (left is faster); median of the jobs' ratios, 95 % interval")
    axes.grid(axis="x")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def scaling_figure(figure, rows, style):
    """The time against the number of PEs, a panel a kernel."""
    titles = list(dict.fromkeys(row["title"] for row in rows))
    n_columns = min(3, len(titles))
    panels = list(figure.subplots(-(-len(titles) // n_columns), n_columns, squeeze=False).flat)
    for panel in panels:
        panel.set_visible(False)
    for panel, title in zip(panels, titles):
        panel.set_visible(True)
        of_kernel = [row for row in rows if row["title"] == title]
        factor, unit = unit_for(max(row["median"] for row in of_kernel))
        variants = list(dict.fromkeys(row["variant"] for row in of_kernel))
        for i, variant in enumerate(variants):
            aside = 2 ** (0.04 * (i - (len(variants) - 1) / 2))  # so that intervals do not hide each other
            line = sorted((row for row in of_kernel if row["variant"] == variant), key=lambda row: row["pes"])
            lengths = [reach(row, "", factor) for row in line]
            panel.errorbar([aside * row["pes"] for row in line], [row["median"] * factor for row in line],
                           yerr=[[low[0] for low, _ in lengths], [high[0] for _, high in lengths]], color=style[variant][0],
                           marker=style[variant][1], label=variant, capsize=3, markersize=5)
        pes = sorted({row["pes"] for row in of_kernel})
        panel.set_xscale("log", base=2)
        panel.set_xticks(pes, pes)
        panel.minorticks_off()
        panel.set_ylim(bottom=0)
        panel.set_title(title, fontsize=10)
        panel.set_xlabel("PEs")
        panel.set_ylabel(unit)
        panel.grid()
    handles = {}
    for panel in figure.axes:
        handles |= {label: handle for handle, label in zip(*panel.get_legend_handles_labels())}
    figure.legend(handles.values(), handles.keys(), loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def figures_of(results):
    """(name, size in inches, function that draws it) of each figure."""
    rows = main_rows(summarise(results))
    style = style_of(rows)
    reference = results["suite"]["reference"]
    most = {title: max(row["pes"] for row in rows if row["title"] == title) for title in dict.fromkeys(r["title"] for r in rows)}
    for number, (title, pes) in enumerate(most.items(), 1):
        chosen = [row for row in rows if (row["title"], row["pes"]) == (title, pes)]
        name = f"kernel-{number:02}-" + "".join(c if c.isalnum() else "_" for c in chosen[0]["kernel"])
        yield name, (7, 1.4 + 0.42 * len(chosen)), lambda figure, chosen=chosen: kernel_figure(figure, chosen, style)
    compared = [row for row in rows if row["pes"] == most[row["title"]] and row.get("ratio") and row["variant"] != reference]
    if compared:
        n_titles = len({row["title"] for row in compared})
        yield "ratios", (9, 1.5 + 0.75 * n_titles), lambda figure: ratio_figure(figure, compared, style, reference)
    if len({row["pes"] for row in rows}) > 1:
        yield "scaling", (10.5, 0.4 + 2.6 * -(-len(most) // 3)), lambda figure: scaling_figure(figure, rows, style)


def draw(folder):
    """Draws the figures in this process. Returns NO_MATPLOTLIB if that is missing, else 0."""
    return save(folder, figures_of(read_results(folder)))


def save(folder, figures):
    """Draws figures, each (name, size, function), into folder/figures. Returns as `draw` does."""
    try:
        import matplotlib
    except ImportError:
        return NO_MATPLOTLIB
    matplotlib.use("agg")
    from matplotlib.figure import Figure
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "shoal", "text.color": INK, "axes.labelcolor": INK,
                            "axes.edgecolor": INK, "xtick.color": INK, "ytick.color": INK, "grid.color": LINE,
                            "axes.facecolor": "none", "figure.facecolor": PAPER, "axes.axisbelow": True,
                            "axes.spines.top": False, "axes.spines.right": False, "font.size": 10}
    place = Path(folder) / "figures"
    place.mkdir(exist_ok=True)
    for old in place.iterdir():
        if old.suffix in (".svg", ".png"):
            old.unlink()
    for name, size, draw_one in figures:
        figure = Figure(figsize=size, layout="constrained")
        draw_one(figure)
        figure.savefig(place / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
        figure.savefig(place / f"{name}.png", dpi=150, bbox_inches="tight")
    return 0
