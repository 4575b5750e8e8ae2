"""Tables and the page of a study."""
from html import escape

from shoal_bench.html import document, inline_svg, text_table
from shoal_bench.results import n_pes
from shoal_bench.summary import print_aligned, text_of
from shoal_bench.words import readable_duration, readable_seconds
from shoal_study import published
from shoal_study.advice import expectations, recommendations, times
from shoal_study.differences import differences
from shoal_study.plan import FORMS, PROFILES, label
from shoal_study.running import faults

SOURCE = "On the Cloud We Can't Wait: Asynchronous Actors Perform Even Better on the Cloud"


def columns_of(results):
    """(PEs, profile): as in the paper, all profiles of a number of PEs together."""
    return [(pes, profile) for pes in results["request"]["pes"] for profile in results["request"]["profiles"]]


def heads_of(results):
    marked = {profile: f"{profile}*" if PROFILES[profile].is_simulated else profile for profile in results["request"]["profiles"]}
    return [f"{pes} PEs, {marked[profile]}" for pes, profile in columns_of(results)]


def table_1(results, rows):
    """Speedups of the actor form, with the paper's in brackets."""
    body = []
    for kernel in results["request"]["kernels"]:
        cells = [kernel]
        for pes, profile in columns_of(results):
            ratio = rows.get((profile, kernel, pes, "actor"), {}).get("speedup")
            paper = published.speedup(profile, kernel, pes)
            cells.append((times(ratio) if ratio else "-") + (f" ({times(paper)})" if paper else ""))
        body.append(cells)
    return ["kernel", *heads_of(results)], body


def table_of_rows(results, rows, profile, cell):
    """A line for each kernel and form, a column for each number of PEs; `cell(row)` is a text."""
    body = []
    for kernel in results["request"]["kernels"]:
        for form in FORMS:
            found = [rows.get((profile, kernel, pes, form)) for pes in results["request"]["pes"]]
            if any(found):
                body.append([kernel, FORMS[form].title, *(cell(row) if row else "-" for row in found)])
    return ["kernel", "form", *(n_pes(pes) for pes in results["request"]["pes"])], body


def time_cell(row):
    """Mean and standard error; a prediction has no error of that kind."""
    error = row["standard_error"]
    value, unit = readable_seconds(row["ns_per_operation"] * 1e-9).split() if row["ns_per_operation"] >= 1000 else \
        (f"{row['ns_per_operation']:.1f}", "ns")
    if error is None or PROFILES[row["profile"]].is_simulated:
        return f"{value} {unit}"
    return f"{value} {unit} ± {100 * error / row['ns_per_operation']:.0f} %"


def paper_size_cell(row):
    """With the paper's time in brackets."""
    paper = published.seconds(row["profile"], row["kernel"], row["pes"], row["form"])
    return readable_seconds(row["paper_size_seconds"]) + (f" ({readable_seconds(paper)})" if paper else "")


def spread_cell(row):
    return f"{row['slowest_to_fastest']:.2f}" if row["runs"] > 1 else "-"


def cost_cell(row):
    """Host-hours without a price."""
    return f"{row['host_hours'] if row['cost'] is None else row['cost']:.2g}"


def tables_of_rows(results):
    """(heading, text, function of a row, whether predictions have one) of each table by kernel and form."""
    apart = readable_duration(results["request"]["apart"])
    return (("Times", "Of an operation on a PE: the mean of the runs and its standard error in percent. The work for each PE is the "
             "same for any number of PEs.", time_cell, True),
            ("Times for the paper's size", "These times multiplied, and in brackets the paper's (its table 2).", paper_size_cell, True),
            ("Slowest run against fastest", f"At least {apart} pass between two runs.", spread_cell, False),
            ("Cost", f"{cost_heading(results)}.", cost_cell, True))


def profiles_of(results, has_predictions=True):
    return [name for name in results["request"]["profiles"] if has_predictions or not PROFILES[name].is_simulated]


def verdicts(results, rows):
    """(text, class of the page) of each expectation."""
    return [(f"{'Holds' if holds else 'Does not hold'}: {what}. Found: {found}.", "good" if holds else "bad")
            for what, holds, found in expectations(rows, results["request"]["profiles"])]


def advice_of(results, rows):
    request = results["request"]
    return recommendations(rows, request["profiles"], None if request["launch"] else results["machine"]["cores"])


def print_report(results, rows):
    print("\nHow many times as fast as blocking one-sided access the actor form is (the paper's)")
    heads, body = table_1(results, rows)
    print_aligned([heads, *body], 1)
    if any(PROFILES[name].is_simulated for name in results["request"]["profiles"]):
        print("* predicted, not measured")
    for heading, _, cell, has_predictions in tables_of_rows(results):
        for profile in profiles_of(results, has_predictions):
            print(f"\n{cost_heading(results) if cell is cost_cell else heading}: {label(profile)}")
            heads, body = table_of_rows(results, rows, profile, cell)
            print_aligned([heads, *body], 2)
    print()
    for text, _ in verdicts(results, rows):
        print(text)
    print()
    for line in advice_of(results, rows):
        print(f"- {line}")


def cost_heading(results):
    price = results["request"]["price"]
    what = "Host-hours" if price is None else f"Cost, at {price:g} an hour and host,"
    return f"{what} of a run of the paper's size"


def page(results, rows, folder, why_no_figures):
    parts = [header(results), expected(results, rows), advice(results, rows)]
    if why_no_figures:
        parts.append(f'<div class="verdict warn">There are no figures: {escape(why_no_figures)}. To draw them later: '
                     f"<code>shoal study report {escape(folder.name)}</code></div>")
    heads, body = table_1(results, rows)
    parts.append("<section><h2>Speedups</h2><p>How many times as fast as blocking one-sided access the actor form is, by means, and in "
                 f"brackets the paper's speedup (its table 1).</p>{text_table(heads, body, 1)}"
                 f"{drawn(folder, 'speedups', 'all-speedups')}</section>")
    for heading, text, cell, has_predictions in tables_of_rows(results):
        tables = "".join(f"<h3>{escape(label(profile))}</h3>{text_table(*table_of_rows(results, rows, profile, cell), 2)}"
                         for profile in profiles_of(results, has_predictions))
        figures = [f"times-{kernel}" for kernel in results["request"]["kernels"]] if cell is time_cell else []
        parts.append(f"<section><h2>{escape(heading)}</h2><p>{escape(text)}</p>{tables}{drawn(folder, *figures)}</section>")
    lines = "".join(f"<li>{escape(line)}</li>" for line in differences(results))
    parts += [f"<section><h2>What differs from the paper, and why</h2><ul>{lines}</ul></section>", machine(results), jobs(results)]
    return document("Cloud study", parts)


def drawn(folder, *figures):
    return "".join(f"<figure>{svg}</figure>" for svg in (inline_svg(folder, name) for name in figures) if svg)


def header(results):
    request, found = results["request"], faults(results)
    begun = results["jobs"][0]["begun"].replace("T", " ") if results["jobs"] else "not yet"
    took = readable_duration(sum(job["took"] for job in results["jobs"]))
    n_runs = len({job["round"] for job in results["jobs"]})
    told = ["<h1>One-sided access, conveyors and actors on a cloud's network</h1>",
            f"<p>The study of <cite>{escape(SOURCE)}</cite>.</p>",
            f'<p class="soft">{escape(results["machine"]["host"])}, {escape(begun)}; {len(results["jobs"])} jobs in {n_runs} '
            f'runs, {took}; shoal {escape(results["program"]["version"])}</p>']
    if found:
        lines = "".join(f"<li>{escape(line)}</li>" for line in found)
        told.append(f'<div class="verdict bad"><strong>Failed.</strong><ul>{lines}</ul></div>')
    elif results["end"] == "complete":
        told.append('<div class="verdict good"><strong>Complete.</strong> Every answer was verified.</div>')
    if results["end"] != "complete":
        told.append(f'<div class="verdict warn"><strong>Ended early:</strong> {escape(results["end"])}.</div>')
    simulated = [label(name) for name in request["profiles"] if PROFILES[name].is_simulated]
    if simulated:
        told.append(f'<div class="verdict warn">{escape(", ".join(simulated))}: with * in tables, hatched in figures.</div>')
    return "<header>" + "".join(told) + "</header>"


def expected(results, rows):
    lines = "".join(f'<div class="verdict {style}">{escape(text)}</div>' for text, style in verdicts(results, rows))
    return f"<section><h2>What was expected</h2><p class=\"soft\">By medians of the runs.</p>{lines}</section>" if lines else ""


def advice(results, rows):
    lines = "".join(f"<li>{escape(line)}</li>" for line in advice_of(results, rows))
    if not lines:
        return ""
    return f'<section><h2>Recommendations</h2><p class="soft">Computed from the medians of the runs.</p><ul>{lines}</ul></section>'


def machine(results):
    facts, program = results["machine"], results["program"]
    loads = [job["load"] for job in results["jobs"]]
    lines = [["processor", facts["processor"]], ["cores allowed", str(facts["cores"])],
             ["memory", f"{facts['memory_bytes'] / 2**30:.1f} GiB"],
             ["system", f"{facts['system'] or 'unknown'}, {facts['kernel']}"],
             ["load before a job", f"{min(loads):.2f} to {max(loads):.2f}" if loads else "-"],
             ["shoal", f"{program['version']}, compiled by {program['compiler']}"],
             ["environment", text_of(results["environment"]) or "no variable SHOAL_..."],
             *([where, said] for where, _, said in (line.partition(": ") for line in results["said"]))]
    return f"<section><h2>Machine and networks</h2>{text_table(['', ''], lines, 2)}</section>"


def jobs(results):
    lines = [[str(job["round"]), job["profile"], job["kernel"], n_pes(job["pes"]),
              ", ".join(FORMS[name].title for name in job["forms"]), job["begun"][11:19], f"{job['took']:.1f} s",
              f"{job['load']:.2f}", job.get("error", "")] for job in results["jobs"]]
    table = text_table(["run", "profile", "kernel", "PEs", "forms", "begun", "took", "load", ""], lines, 6)
    return f"<details><summary>All {len(lines)} jobs, in order</summary>{table}</details>"
