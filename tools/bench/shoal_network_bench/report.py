"""Tables, figures and the page of what was measured."""
from html import escape

from shoal_bench.figures import COLOURS, MARKERS, save
from shoal_bench.html import document, inline_svg, text_table

FIGURES = ("L", "o", "g", "G")


def rows_of(results):
    """A row of texts for each link: its name, what it connects, and its LogGP parameters."""
    rows = []
    for name, link in results["links"].items():
        if "error" in link:
            rows.append([name, "not measured: " + link["error"], "", "", "", ""])
            continue
        kind = "within a node" if link["link"] == "node" else "between nodes"
        rows.append([name, f"{kind}, {' and '.join(dict.fromkeys(link['hosts']))}",
                     *(f"{link[key]['median']:.0f} +- {link[key]['error']:.0f}" for key in ("latency_ns", "overhead_ns", "gap_ns")),
                     f"{link['ns_per_byte']['median']:.4f} +- {link['ns_per_byte']['error']:.4f}"])
    return rows


HEADS = ("link", "connects", "latency, ns", "overhead, ns", "gap, ns", "ns a byte")


def print_aligned(rows):
    widths = [max(len(row[i]) for row in rows if row[2] or i == 0) for i in range(len(rows[0]))]
    for row in rows:
        cells = [cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells if row[2] else row[:2]).rstrip())


def print_tables(results):
    print_aligned([list(HEADS), *rows_of(results)])
    for library, lines in results["libraries"].items():
        print(f"\n{title_of(library, lines)}")
        if library_rows(lines):
            print_aligned([["measure", "mode", "bytes", "value"], *library_rows(lines)])


def title_of(library, lines):
    head = next((line for line in lines if "library" in line), {})
    return head.get("library", library) + ("" if "error" not in lines[0] else f": not measured: {lines[0]['error']}")


def library_rows(lines):
    rows = []
    for line in lines:
        if "measure" not in line:
            continue
        if "ns" in line:
            told = f"{line['ns'] / 1e3:.2f} us ({line['low'] / 1e3:.2f} to {line['high'] / 1e3:.2f})"
        elif "share" in line:
            told = f"{line['share']:.2f} ({line['low']:.2f} to {line['high']:.2f})"
        elif "left_out" in line:
            told = f"left out: {line['left_out']}"
        else:
            told = "bytes or more leave at once" if line["at_least"] else "bytes leave at once, not more"
        rows.append([line["measure"], str(line.get("mode", "")), str(line.get("bytes", "")), told])
    return rows


def size_figure(figure, links, key, label):
    axes = figure.subplots()
    for i, (name, link) in enumerate(links.items()):
        sizes = [point["bytes"] for point in link["points"]]
        axes.errorbar(sizes, [point[key]["median"] / 1e3 for point in link["points"]],
                      yerr=[point[key]["error"] / 1e3 for point in link["points"]], color=COLOURS[i % len(COLOURS)],
                      marker=MARKERS[i % len(MARKERS)], label=name, capsize=3, markersize=5)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("bytes of a buffer")
    axes.set_ylabel(label)
    axes.grid()
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def draw(results, folder):
    links = {name: link for name, link in results["links"].items() if "error" not in link}
    figures = [(name, (8, 4.5), lambda figure, key=key, label=label: size_figure(figure, links, key, label))
               for name, key, label in (("one-way", "one_way_ns", "us one way"), ("stream", "stream_ns", "us a buffer in a stream"))]
    return save(folder, figures if links else [])


def page(results, folder, why_no_figures):
    parts = [f"<header><h1>Links</h1><p class=\"soft\">{escape(results['machine']['host'])}, {escape(results['begun'])}; shoal "
             f"{escape(results['version'])}</p></header>",
             "<section><h2>LogGP</h2><p>Between two PEs, as programs meet it: from post to poll. Each value with half of its "
             f"90&nbsp;% interval.</p>{text_table(HEADS, rows_of(results), 2)}</section>"]
    for name, caption in (("one-way", "Half of a round trip, against the size of a buffer."),
                          ("stream", "The time of a buffer where many follow one another.")):
        svg = "" if why_no_figures else inline_svg(folder, name)
        if svg:
            parts.append(f"<figure>{svg}<figcaption>{caption}</figcaption></figure>")
    if why_no_figures:
        parts.append(f'<div class="verdict warn">There are no figures: {escape(why_no_figures)}.</div>')
    for library, lines in results["libraries"].items():
        rows = library_rows(lines)
        parts.append(f"<section><h2>{escape(title_of(library, lines))}</h2>"
                     f"{text_table(('measure', 'mode', 'bytes', 'value and interval'), rows, 2) if rows else ''}</section>")
    return document("Links", parts)
