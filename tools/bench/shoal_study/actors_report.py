"""Tables and figures of the study of actor graphs, and what they cannot say."""
from statistics import median

from shoal_bench.figures import COLOURS, MARKERS
from shoal_bench.results import n_pes
from shoal_study.actors_plan import CORES_PER_RANK, EXPERIMENTS, RANKS_PER_NODE, UNEVEN, key_of


def name_of(job):
    where = f"{job['pes']} threads" if job["form"] == "openmp" else n_pes(job["pes"])
    return (f"{EXPERIMENTS[job['experiment']].title}: {job['form']}, {job['substrate']}, {where}, {job['n_x']} x {job['n_y']} cells, "
            f"patches of {job['patch']}" + (f", {UNEVEN[job['moves']]}" if "moves" in job else ""))


def rows_of(results, experiment):
    """A row for each case: its job, and the median, least and most of its cell updates a second."""
    found = {}
    for job in results["jobs"]:
        if job["experiment"] == experiment and "cells_per_second" in job:
            found.setdefault(key_of(job), []).append(job)
    rows = []
    for jobs in found.values():
        rates = [job["cells_per_second"] for job in jobs]
        cached = [job["flops_in_cache"] for job in jobs if "flops_in_cache" in job]
        rows.append(jobs[0] | {"rate": median(rates), "least": min(rates), "most": max(rates), "runs": len(rates),
                               "in_cache": median(cached) if cached else None})
    return sorted(rows, key=lambda row: (row["substrate"], row["pes"], row["patch"], row["form"], row.get("moves", "")))


def case_of(row):
    """What tells the rows of an experiment apart."""
    if row["experiment"] in ("strong-simulated", "weak-simulated"):
        nodes = row["pes"] // RANKS_PER_NODE
        return f"{row['form']}, {nodes} {'node' if nodes == 1 else 'nodes'}"
    if row["experiment"] == "uneven":
        return UNEVEN[row["moves"]]
    return {"forms": row["form"], "sides": f"{row['substrate']}, {row['form']}",
            "patches": f"{row['patch']} x {row['patch']}, {row['form']}"}.get(row["experiment"], f"{n_pes(row['pes'])}, {row['form']}")


def base_of(row, rows):
    """With what a row is compared: of scaling, the same form on the fewest PEs; else actors, and local if there are substrates."""
    if row["experiment"] == "uneven":
        same = [other for other in rows if not other["moves"]]
    elif row["experiment"] in ("forms", "patches"):
        same = [other for other in rows if other["form"] == "actors" and other["patch"] == row["patch"]]
    elif row["experiment"] == "sides":
        same = [other for other in rows if other["form"] == row["form"] and other["substrate"] == "local"]
    else:
        same = [other for other in rows if other["form"] == row["form"]]
    return min(same, key=lambda other: other["pes"], default=None)


def aligned(lines, n_left):
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "".join("  ".join(cell.ljust(width) if i < n_left else cell.rjust(width)
                             for i, (cell, width) in enumerate(zip(line, widths))).rstrip() + "\n" for line in lines)


def table_of(rows):
    is_scaling = rows[0]["experiment"].partition("-")[0] in ("strong", "weak")
    heads = ["case", "million cell updates/s", "least", "most", "Gflop/s"]
    compared = {"sides": "local", "uneven": "those that stay"}.get(rows[0]["experiment"], "actors")
    heads += ["speedup", "efficiency"] if is_scaling else ["of " + compared]
    has_cache = any(row["in_cache"] for row in rows)
    lines = [heads + (["of the loop in cache"] if has_cache else [])]
    cached = median([row["in_cache"] for row in rows if row["in_cache"]]) if has_cache else None
    for row in rows:
        base = base_of(row, rows)
        flops = row["rate"] * row["flops_per_cell"]
        cells = [case_of(row), *(f"{row[name] / 1e6:.1f}" for name in ("rate", "least", "most")), f"{flops / 1e9:.2f}"]
        ratio = row["rate"] / base["rate"] if base else None
        if is_scaling:
            cells += [f"{ratio:.2f}", f"{100 * ratio * base['pes'] / row['pes']:.0f} %"] if base else ["-", "-"]
        else:
            cells.append(f"{ratio:.2f}" if base else "-")
        lines.append(cells + ([f"{100 * flops / cached:.0f} %"] if cached else []))
    return aligned(lines, 1)


def limits(results):
    """What the numbers cannot say, a line each."""
    request, cores = results["request"], results["machine"]["cores"]
    names = request["experiments"]
    lines = []
    if any(not EXPERIMENTS[name].is_simulated for name in names):
        lines.append(f"Measured on {cores} cores of one machine. How forms scale beyond {cores} cores is not measured.")
        if request["pes"] > cores:
            lines.append(f"{request['pes']} PEs share {cores} cores: their speedups say nothing of more cores.")
        lines.append("All PEs share one memory. What a network between hosts costs, and hides, is not measured: lab/lab has hosts.")
    if "sides" in names:
        lines.append("One-sided and two-sided transfers are both copies in shared memory here. What a network adapter does by itself is "
                     "not seen.")
    if any(EXPERIMENTS[name].is_simulated for name in names):
        lines.append(f"Simulated experiments are predicted, not measured. Patches compute nothing, and charge "
                     f"{results['cell_ns']:.3g} ns a cell, as one core of this machine takes with its memory to itself, divided by the "
                     f"{CORES_PER_RANK} cores of a rank, which may slow each other down. Smaller patches gain nothing by caches.")
        lines.append("All patches take the same time there. What actors gain where times differ is not seen.")
        lines.append("The network is the one of infiniband-fdr.network. The simulator does not tell one-sided from two-sided transfers.")
        lines.append("The thesis names patch sizes of strong scaling for 1 and 32 nodes; those between are chosen here.")
    return lines


def text_of(results):
    parts = []
    for name in results["request"]["experiments"]:
        made, rows = EXPERIMENTS[name], rows_of(results, name)
        told = " (predicted, not measured)" if made.is_simulated else ""
        parts.append(f"{made.title}{told}\n{made.text}\n" + (table_of(rows) if rows else "no results\n"))
    return "\n".join(parts) + "\n" + "".join(f"- {line}\n" for line in limits(results))


def scaling_figure(figure, rows, title):
    """Cell updates a second by PEs, and what they would be if each PE were as fast as the first ones."""
    axes = figure.subplots()
    for i, form in enumerate(dict.fromkeys(row["form"] for row in rows)):
        line = sorted((row for row in rows if row["form"] == form), key=lambda row: row["pes"])
        axes.errorbar([row["pes"] for row in line], [row["rate"] / 1e6 for row in line],
                      yerr=[[(row["rate"] - row["least"]) / 1e6 for row in line], [(row["most"] - row["rate"]) / 1e6 for row in line]],
                      color=COLOURS[i], marker=MARKERS[i], capsize=3, label=form)
        first = line[0]
        axes.plot([row["pes"] for row in line], [first["rate"] * row["pes"] / first["pes"] / 1e6 for row in line], color=COLOURS[i],
                  linestyle=":", linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    pes = sorted({row["pes"] for row in rows})
    axes.set_xticks(pes, pes)
    axes.set_xlabel("PEs")
    axes.set_ylabel("million cell updates/s")
    axes.set_title(title, fontsize=10)
    axes.grid()
    axes.legend(frameon=False)


def bars_figure(figure, rows, title):
    axes = figure.subplots()
    axes.barh(range(len(rows)), [row["rate"] / 1e6 for row in rows], color=COLOURS[0],
              xerr=[[(row["rate"] - row["least"]) / 1e6 for row in rows], [(row["most"] - row["rate"]) / 1e6 for row in rows]], capsize=3)
    axes.set_yticks(range(len(rows)), [case_of(row) for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("million cell updates/s; median, least and most")
    axes.set_title(title, fontsize=10)
    axes.grid(axis="x")


def figures_of(results):
    """(name, size in inches, function that draws it) of each figure."""
    for name in results["request"]["experiments"]:
        rows, made = rows_of(results, name), EXPERIMENTS[name]
        if not rows:
            continue
        title = made.title + (" (predicted, not measured)" if made.is_simulated else "")
        if name.partition("-")[0] in ("strong", "weak"):
            yield name, (6, 4), lambda figure, rows=rows, title=title: scaling_figure(figure, rows, title)
        else:
            yield name, (7, 1.2 + 0.3 * len(rows)), lambda figure, rows=rows, title=title: bars_figure(figure, rows, title)
