"""From the jobs of a suite to one row for each configuration, variant and state of the machine; tables and CSV."""
import csv
from statistics import median

from shoal_bench.statistic import interval_of_median, quantile
from shoal_bench.words import readable_seconds


def summarise(results):
    """The rows. A job counts once: its value is the median of its repeats. Jobs in another state of the machine have a
    row of their own; wrong answers have no times."""
    rows = []
    for index, configuration in enumerate(results["configurations"]):
        jobs = [job for job in results["jobs"] if job["configuration"] == index and "error" not in job]
        for state in sorted({job["state"] for job in jobs}, key=str):
            alike = [job for job in jobs if job["state"] == state]
            for variant in [*configuration["variants"], *(["loop"] if configuration["has_baseline"] else [])]:
                rows.append(row_of(configuration, variant, state, alike, results["suite"]["reference"]))
    return rows


def row_of(configuration, variant, state, jobs, reference):
    row = {"title": configuration["title"], "kernel": configuration["kernel"], "options": configuration["options"],
           "pes": configuration["pes"], "substrate": jobs[0]["substrate"], "variant": variant, "state": state,
           "jobs": len(jobs), "invalid": sum(job["valid"] is False for job in jobs), "status": "verified"}
    ran = [job for job in jobs if job["variants"][variant].get("available", True)]
    if not ran:
        return row | {"status": "not available"}
    if not all(job["variants"][variant]["verified"] for job in ran):
        return row | {"status": "WRONG"}
    seconds = [job["variants"][variant]["seconds"] for job in ran]
    interval = interval_of_median(seconds) or (None, None)
    return row | {
        "median": median(seconds), "low": interval[0], "high": interval[1], "quartile1": quantile(seconds, 0.25),
        "quartile3": quantile(seconds, 0.75), "min": min(seconds), "max": max(seconds), "seconds_of_jobs": seconds,
        "ns_per_operation": middle(ran, variant, "ns_per_operation"),
        "ns_per_message": middle(ran, variant, "ns_per_message"),
    } | compared_with(reference, ran, variant)


def middle(jobs, variant, name):
    values = [job["variants"][variant][name] for job in jobs]
    return None if None in values else median(values)


def compared_with(reference, jobs, variant):
    """The ratio of the times to those of `reference` in the same jobs, where both suffered the same machine."""
    pairs = [(job["variants"][variant]["seconds"], job["variants"].get(reference, {}).get("seconds")) for job in jobs]
    if not all(seconds and of_reference for seconds, of_reference in pairs):
        return {}
    ratios = [seconds / of_reference for seconds, of_reference in pairs]
    interval = interval_of_median(ratios) or (None, None)
    return {"ratio": median(ratios), "ratio_low": interval[0], "ratio_high": interval[1]}


def spread(row):
    """Half of the jobs lie within this part of the median."""
    return (row["quartile3"] - row["quartile1"]) / row["median"] if row["median"] else 0


def main_rows(rows):
    """Of each configuration, the rows of the state in which most jobs ran: for figures."""
    most = {}
    for row in rows:
        key = (row["title"], row["pes"])
        if key not in most or row["jobs"] > most[key][1]:
            most[key] = (row["state"], row["jobs"])
    return [row for row in rows if row["state"] == most[row["title"], row["pes"]][0] and "median" in row]


HEADS = ("kernel", "PEs", "state", "variant", "jobs", "median", "95 % interval", "spread", "ns/operation", "x {reference}")


def cells(row, reference):
    """A row as texts, for people, under HEADS."""
    first = [row["title"], str(row["pes"]), row["state"] or "-", row["variant"], str(row["jobs"])]
    if "median" not in row:
        return [*first, row["status"], "", "", "", ""]
    low = "-"
    if row["low"] is not None:
        value, unit = zip(*(readable_seconds(row[end], row["median"]).split() for end in ("low", "high")))
        low = f"{value[0]} - {value[1]} {unit[0]}"
    ratio = "-"
    if "ratio" in row and row["variant"] != reference:
        ratio = f"{row['ratio']:.2f}" + (f" ({row['ratio_low']:.2f} - {row['ratio_high']:.2f})" if row["ratio_low"] else "")
    return [*first, readable_seconds(row["median"]), low, f"{100 * spread(row):.0f} %" if row["jobs"] > 3 else "-",
            f"{row['ns_per_operation']:.2f}" if row["ns_per_operation"] else "-", ratio]


def print_aligned(lines, n_left):
    """A table on the standard output: the first `n_left` columns to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        print("  ".join(cell.ljust(width) if i < n_left else cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(line, widths))).rstrip())


def print_table(results, rows):
    reference = results["suite"]["reference"]
    heads = [head.format(reference=reference) for head in HEADS]
    print_aligned([heads, *(cells(row, reference) for row in rows)], 4)


def write_csv(results, rows, folder):
    """summary.csv has the rows, jobs.csv every job. Times are in seconds."""
    names = [name for name in max(rows, key=len, default={}) if name not in ("options", "seconds_of_jobs")]
    with open(folder / "summary.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "options"])
        for row in rows:
            writer.writerow([*(row.get(name) for name in names), text_of(row["options"])])
    with open(folder / "jobs.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["round", "begun", "title", "kernel", "pes", "substrate", "variant", "state", "handoff_ns", "load",
                         "valid", "verified", "seconds", "min", "max", "ns_per_operation", "operations_per_pe",
                         "messages_per_pe", "options"])
        for job in results["jobs"]:
            configuration = results["configurations"][job["configuration"]]
            for variant, values in job.get("variants", {}).items():
                writer.writerow([job["round"], job["begun"], configuration["title"], configuration["kernel"],
                                 configuration["pes"], job["substrate"], variant, job["state"], job["handoff_ns"],
                                 job["load"], job["valid"], *(values.get(name) for name in (
                                     "verified", "seconds", "min", "max", "ns_per_operation", "operations_per_pe",
                                     "messages_per_pe")), text_of(configuration["options"])])


def text_of(options):
    return " ".join(f"{name}={value}" for name, value in options.items())
