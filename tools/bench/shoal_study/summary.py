"""From the jobs of a study to rows: one for each profile, kernel, number of PEs and form."""
import csv
from statistics import mean, median, stdev

from shoal_study.plan import FORMS, KERNELS, PROFILES

COLUMNS = ("profile", "kernel", "pes", "form", "runs", "ns_per_operation", "standard_error", "median", "fastest", "slowest",
           "slowest_to_fastest", "speedup", "paper_size_seconds", "host_hours", "cost")


def values_of(results):
    """ns an operation of each run, by (profile, kernel, PEs, form); a wrong answer leaves no value."""
    values = {}
    for job in results["jobs"]:
        for form, result in job.get("results", {}).items():
            if result.get("verified") and "ns_per_operation" in result:
                values.setdefault((job["profile"], job["kernel"], job["pes"], form), []).append(result["ns_per_operation"])
    return values


def row_of(key, values, price):
    """`price`: of a host and hour; None if it is not known."""
    profile, kernel, pes, form = key
    paper_seconds = mean(values) * KERNELS[kernel].paper_operations * 1e-9
    host_hours = paper_seconds * pes / 3600
    return {"profile": profile, "kernel": kernel, "pes": pes, "form": form, "runs": len(values),
            "ns_per_operation": mean(values), "standard_error": stdev(values) / len(values)**0.5 if len(values) > 1 else None,
            "median": median(values), "fastest": min(values), "slowest": max(values),
            "slowest_to_fastest": max(values) / min(values), "paper_size_seconds": paper_seconds, "host_hours": host_hours,
            "cost": None if price is None else host_hours * price, "speedup": None}


def summarise(results):
    """The rows by key, in the order of the plan. `speedup`: how many times as long the form takes that a profile's others are
    compared with; by means, as in the paper."""
    values = values_of(results)
    request = results["request"]
    rows = {}
    for profile in request["profiles"]:
        for kernel in request["kernels"]:
            for pes in request["pes"]:
                for form in FORMS:
                    key = (profile, kernel, pes, form)
                    if key in values:
                        rows[key] = row_of(key, values[key], request["price"])
                base = rows.get((profile, kernel, pes, PROFILES[profile].baseline))
                for form in FORMS:
                    if base and (profile, kernel, pes, form) in rows:
                        row = rows[profile, kernel, pes, form]
                        row["speedup"] = base["ns_per_operation"] / row["ns_per_operation"]
    return rows


def write_csv(results, rows, folder):
    """summary.csv has the rows, jobs.csv every result. Times are in ns an operation."""
    with open(folder / "summary.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([row[name] for name in COLUMNS] for row in rows.values())
    with open(folder / "jobs.csv", "w", newline="") as file:
        writer = csv.writer(file)
        names = ("ns_per_operation", "seconds", "operations_per_pe", "verified")
        writer.writerow(["round", "begun", "profile", "kernel", "pes", "load", "took", "form", *names])
        for job in results["jobs"]:
            for form, result in job.get("results", {}).items():
                writer.writerow([job["round"], job["begun"], job["profile"], job["kernel"], job["pes"], job["load"], job["took"],
                                 form, *(result.get(name) for name in names)])
