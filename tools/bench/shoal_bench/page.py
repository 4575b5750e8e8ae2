"""The report: one HTML file with everything in it, for reading, printing and sending."""
from html import escape

from shoal_bench.html import document, inline_svg
from shoal_bench.results import faults
from shoal_bench.summary import HEADS, cells, summarise, text_of
from shoal_bench.words import readable_duration, readable_seconds

HOW = """<p>One job is one start of all PEs. Each job times every variant in turn, after a warm-up whose answer it verifies;
its value is the median of its repeats. Jobs of all kernels take turns, in another order in each round. The tables give the
median over the jobs; the 95&nbsp;% interval of that median by order statistics, which assumes no distribution and needs
six jobs; and the spread, which is the distance of the quartiles in percent of the median. A ratio is the median of the
ratios within the jobs. No best of several runs is used anywhere. Rules: T. Hoefler and R. Belli, <cite>Scientific
benchmarking of parallel computing systems</cite>, SC '15.</p>
<p><em>Near</em> and <em>far</em> are two states of a machine: how fast one core gets a cache line from another. Jobs in
different states are never mixed. A job is <em>invalid</em> if its plain loop on local data was slower than on an idle
machine of the kind that Shoal was tuned on: something else was running, or the machine is a slower one.</p>"""


def page(results, folder, why_no_figures):
    """`why_no_figures`: nothing if there are figures in `folder`."""
    rows = summarise(results)
    parts = [header(results), machine(results)]
    if not why_no_figures:
        parts += [figure(folder, "ratios", "Ratios", "All variants compared with the reference, on the most PEs."),
                  figure(folder, "scaling", "Scaling", "Time against the number of PEs, with the same work for each PE. "
                         "Flat is ideal as long as each PE has a core of its own.")]
    else:
        parts.append(f'<div class="verdict warn">There are no figures: {escape(why_no_figures)}. To draw them later: '
                     f"<code>shoal bench report {escape(folder.name)}</code></div>")
    for number, title in enumerate(dict.fromkeys(c["title"] for c in results["configurations"]), 1):
        parts.append(kernel(results, title, [row for row in rows if row["title"] == title],
                            "" if why_no_figures else inline_svg(folder, f"kernel-{number:02}-*")))
    parts += [f"<section><h2>How it was measured</h2>{HOW}</section>", jobs(results), suite(results)]
    return document(results["suite"]["title"], parts)


def header(results):
    found = faults(results)
    n_jobs = len(results["jobs"])
    took = readable_duration(sum(job["took"] for job in results["jobs"]))
    begun = results["jobs"][0]["begun"].replace("T", " ") if n_jobs else "not yet"
    told = [f"<h1>{escape(results['suite']['title'])}</h1>",
            f'<p class="soft">{escape(results["machine"]["host"])}, {begun}; {n_jobs} jobs in {took}; shoal '
            f"{escape(results['program']['version'])}</p>"]
    if found:
        lines = "".join(f"<li>{escape(line)}</li>" for line in found)
        told.append(f'<div class="verdict bad"><strong>Failed.</strong><ul>{lines}</ul></div>')
    elif results["end"] == "complete":
        told.append('<div class="verdict good"><strong>Complete.</strong> Every answer was verified.</div>')
    if results["end"] != "complete":
        told.append(f'<div class="verdict warn"><strong>Ended early:</strong> {escape(results["end"])}.</div>')
    if any(job.get("substrate") == "sim" for job in results["jobs"]):
        told.append('<div class="verdict warn">All times are virtual ones, of the simulator.</div>')
    if results["program"]["contract_checks"]:
        told.append('<div class="verdict warn">This shoal was built with contract checks, which cost time.</div>')
    if results["suite"]["left_out"]:
        told.append(f'<p class="soft">Left out: {escape("; ".join(results["suite"]["left_out"]))}.</p>')
    return "<header>" + "".join(told) + "</header>"


def machine(results):
    of_machine, of_program = results["machine"], results["program"]
    caches = " / ".join(f"{of_machine[name] >> 10} KiB" if of_machine[name] else "unknown"
                        for name in ("level2_cache_bytes", "level3_cache_bytes"))
    lines = [("processor", of_machine["processor"]), ("cores allowed", of_machine["cores"]),
             ("memory", f"{of_machine['memory_bytes'] / 2**30:.1f} GiB"), ("caches of level 2 / 3", caches),
             ("frequency governor", of_machine["governor"] or "unknown"),
             ("system", f"{of_machine['system'] or 'unknown'}, {of_machine['kernel']}"),
             ("hand-off of a cache line", handoffs(results)),
             ("load before a job", extent([job["load"] for job in results["jobs"]], "{:.2f}")),
             ("shoal", f"{of_program['version']}, compiled by {of_program['compiler']}"),
             ("substrate", results["request"]["substrate"] or "local, unless the environment says otherwise"),
             ("environment", text_of(results["environment"]) or "no variable SHOAL_...")]
    cells = "".join(f'<tr><th scope="row" class="left">{name}</th><td class="left">{escape(str(value))}</td></tr>'
                    for name, value in lines)
    return f'<section><h2>Machine</h2><div class="wide"><table class="facts">{cells}</table></div></section>'


def extent(values, form):
    return f"{form.format(min(values))} to {form.format(max(values))}" if values else "-"


def handoffs(results):
    states = {}
    for job in results["jobs"]:
        if job.get("handoff_ns"):
            states.setdefault(job["state"], []).append(job["handoff_ns"])
    return "; ".join(f"{state}: {len(ns)} jobs, {extent(ns, '{:.0f}')} ns" for state, ns in sorted(states.items())) or \
        "not measured (needs two PEs on two cores)"


def kernel(results, title, rows, svg):
    configuration = next(c for c in results["configurations"] if c["title"] == title)
    reference = results["suite"]["reference"]
    about = f'<p class="soft"><code>shoal run {escape(configuration["kernel"])} ' + \
        escape(" ".join(f"--{name}={value}" for name, value in configuration["options"].items())) + "</code></p>"
    drawn = f"<figure>{svg}</figure>" if svg else ""
    return f"<section><h2>{escape(title)}</h2>{about}{drawn}{table(rows, reference)}</section>"


def table(rows, reference):
    heads = "".join(f'<th scope="col"{" class=left" if i in (1, 2) else ""}>{escape(head.format(reference=reference))}</th>'
                    for i, head in enumerate(HEADS[1:]))
    body = "".join(table_row(row, rows, reference, is_first=i == 0 or (row["pes"], row["state"]) != (
        rows[i - 1]["pes"], rows[i - 1]["state"])) for i, row in enumerate(rows))
    return (f'<div class="wide"><table><thead><tr>{heads}<th scope="col" class="left">jobs, median, interval</th></tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def table_row(row, rows, reference, is_first):
    """`is_first`: of those with these PEs in this state."""
    texts = cells(row, reference)[1:]
    if row["status"] == "WRONG":
        texts[4] = '<span class="bad-text">WRONG</span>'
    if row["invalid"]:
        texts[3] += f' <span class="warn-text">({row["invalid"]} invalid)</span>'
    most = max((r["max"] for r in rows if r["pes"] == row["pes"] and "max" in r), default=0)
    tds = "".join(f'<td{" class=left" if i in (1, 2) else ""}>{text}</td>' for i, text in enumerate(texts))
    drawn = strip(row, most) if "median" in row and most else ""
    return f'<tr{" class=first" if is_first else ""}>{tds}<td class="strip">{drawn}</td></tr>'


def strip(row, most):
    """The jobs of a row as dots between 0 and `most` seconds, with the median as a line and the interval as a bar."""
    def x(seconds):
        return f"{2 + 156 * seconds / most:.1f}"
    dots = "".join(f'<circle class="job" cx="{x(s)}" cy="18" r="2.5"/>' for s in row["seconds_of_jobs"])
    bar = f"M{x(row['low'])} 9H{x(row['high'])}" if row["low"] is not None else ""
    middle, least, longest = (readable_seconds(row[name]) for name in ("median", "min", "max"))
    told = f"{row['variant']}: median {middle}, {least} to {longest}"
    return (f'<svg viewBox="0 0 160 24" role="img" aria-label="{escape(told)}"><title>{escape(told)}</title>{dots}'
            f'<path d="{bar}M{x(row["median"])} 3V15"/></svg>')


def figure(folder, name, title, caption):
    svg = inline_svg(folder, name)
    if not svg:
        return ""
    return f"<section><h2>{title}</h2><figure>{svg}<figcaption>{caption}</figcaption></figure></section>"


def jobs(results):
    lines = []
    for job in results["jobs"]:
        configuration = results["configurations"][job["configuration"]]
        handoff = f"{job['handoff_ns']:.0f} ns, {job['state']}" if job.get("handoff_ns") else "-"
        validity = {True: "yes", False: "no", None: "-"}[job.get("valid")]
        lines.append(f'<tr><td>{job["round"]}</td><td class="left">{escape(configuration["title"])}</td><td>'
                     f'{configuration["pes"]}</td><td>{job["begun"][11:19]}</td><td>{job["took"]:.1f} s</td><td>{job["load"]:.2f}'
                     f"</td><td>{handoff}</td><td>{validity}</td></tr>")
    heads = "".join(f'<th scope="col"{" class=left" if head == "kernel" else ""}>{head}</th>' for head in
                    ("round", "kernel", "PEs", "begun", "took", "load", "hand-off", "valid"))
    return (f"<details><summary>All {len(lines)} jobs, in order</summary><div class=\"wide\"><table><thead><tr>{heads}</tr>"
            f"</thead><tbody>{''.join(lines)}</tbody></table></div></details>")


def suite(results):
    chosen = results["suite"]
    asked = f"{chosen['processes']} jobs of each configuration, {chosen['repeat']} repeats in each"
    return (f"<details><summary>The suite: {escape(chosen['name'])}</summary><p class=\"soft\">{asked}; at most "
            f"{chosen['minutes']:g} minutes.</p><pre class=\"wide\">{escape(chosen['text'])}</pre></details>")
