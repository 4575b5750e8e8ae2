"""`shoal bench compare`: what became faster or slower from one results file to another, and what may be noise."""
import json
import math
from statistics import median

from shoal_bench.statistic import LEVEL, adjusted, interval_of_ratio, rank_test
from shoal_bench.summary import print_aligned, summarise, text_of
from shoal_bench.words import readable_seconds

MACHINE = ("host", "processor", "cores", "memory_bytes", "level2_cache_bytes", "level3_cache_bytes", "governor", "kernel",
           "system")
NO_DIFFERENCE, TOO_FEW = "no difference shown", "too few jobs"
PROGRAM = ("version", "compiler", "contract_checks")


def by_configuration(results):
    return {(row["title"], row["kernel"], text_of(row["options"]), row["substrate"], row["pes"], row["variant"],
             row["state"]): row for row in summarise(results) if "median" in row}


def compare(old, new):
    """The comparison as a dictionary: pairs, what only one has, differences of machine and program."""
    a, b = by_configuration(old), by_configuration(new)
    keys = [key for key in a if key in b]
    tested = [key for key in keys if can_differ(a[key]["jobs"], b[key]["jobs"])]
    tests = [rank_test(a[key]["seconds_of_jobs"], b[key]["seconds_of_jobs"]) for key in tested]
    probabilities = dict(zip(tested, adjusted(tests)))
    pairs = [pair_of(a[key], b[key], probabilities.get(key)) for key in keys]
    return {"a": about(old), "b": about(new), "pairs": pairs, "only_in_a": [name_of(a[key]) for key in a if key not in b],
            "only_in_b": [name_of(b[key]) for key in b if key not in a], "differences": differences(old, new)}


def about(results):
    """Which results these are, for people."""
    begun = results["jobs"][0]["begun"][:16].replace("T", " ") if results["jobs"] else "no jobs"
    return "; ".join((results["suite"]["title"], begun, f"{len(results['jobs'])} jobs, {results['end']}",
                      f"shoal {results['program']['version']}"))


def can_differ(n_a, n_b):
    """Whether so few jobs can show a difference at all. If not, they are no test, and need no adjustment of others."""
    return 2 / math.comb(n_a + n_b, n_a) < 1 - LEVEL


def pair_of(a, b, probability):
    """`probability`: nothing if there was no test."""
    seconds_a, seconds_b = a["seconds_of_jobs"], b["seconds_of_jobs"]
    ratio, interval = None, None
    if 0 not in seconds_a and 0 not in seconds_b:  # virtual times may be
        ratio, interval = median(seconds_b) / median(seconds_a), interval_of_ratio(seconds_b, seconds_a)
    verdict = NO_DIFFERENCE if probability is not None else TOO_FEW
    if probability is not None and probability < 1 - LEVEL and ratio not in (None, 1):
        verdict = "faster" if ratio < 1 else "slower"
    return {"title": a["title"], "pes": a["pes"], "substrate": a["substrate"], "state": a["state"], "variant": a["variant"],
            "seconds_a": median(seconds_a), "seconds_b": median(seconds_b), "jobs_a": len(seconds_a),
            "jobs_b": len(seconds_b), "invalid": a["invalid"] + b["invalid"], "ratio": ratio,
            "ratio_low": interval and interval[0], "ratio_high": interval and interval[1],
            "probability": probability, "verdict": verdict}


def name_of(row):
    return f"{row['title']}, {row['pes']} PEs, {row['state'] or 'no'} state, {row['variant']}"


def differences(old, new):
    lines = []
    for part, keys in (("machine", MACHINE), ("program", PROGRAM)):
        lines += [f"{key.removesuffix('_bytes').replace('_', ' ')}: {old[part][key]} in A, {new[part][key]} in B"
                  for key in keys if old[part][key] != new[part][key]]
    loads = [median([job["load"] for job in results["jobs"]]) for results in (old, new) if results["jobs"]]
    if len(loads) == 2 and abs(loads[0] - loads[1]) > 0.5:
        lines.append(f"load before a job, median: {loads[0]:.1f} in A, {loads[1]:.1f} in B")
    if old["environment"] != new["environment"]:
        texts = [text_of(results["environment"]) or "nothing" for results in (old, new)]
        lines.append(f"environment: {texts[0]} in A, {texts[1]} in B")
    return lines


def print_comparison(found):
    print(f"A: {found['a']}\nB: {found['b']}\n")
    lines = [["kernel", "PEs", "state", "variant", "A", "B", "B / A", "95 % interval", "p", "verdict"]]
    for p in found["pairs"]:
        interval = f"{p['ratio_low']:.3f} - {p['ratio_high']:.3f}" if p["ratio_low"] else "-"
        lines.append([p["title"], str(p["pes"]), p["state"] or "-", p["variant"], readable_seconds(p["seconds_a"]),
                      readable_seconds(p["seconds_b"]), f"{p['ratio']:.3f}" if p["ratio"] else "-", interval,
                      "-" if p["probability"] is None else f"{p['probability']:.2g}",
                      p["verdict"] + (" (invalid jobs)" if p["invalid"] else "")])
    print_aligned(lines, 4)
    print()
    count = {verdict: sum(p["verdict"] == verdict for p in found["pairs"])
             for verdict in ("faster", "slower", NO_DIFFERENCE, TOO_FEW)}
    few = f"; {count[TOO_FEW]} with too few jobs to show any" if count[TOO_FEW] else ""
    print(f"B compared with A: {count['faster']} faster, {count['slower']} slower, {count[NO_DIFFERENCE]} without a "
          f"difference that shows{few}.")
    for line in found["differences"]:
        print("Not the same: " + line)
    for names, file in ((found["only_in_a"], "A"), (found["only_in_b"], "B")):
        if names:
            print(f"Only in {file}: " + "; ".join(names))


def worst(found):
    """How many percent the slowest of those that became slower takes more; 0 if none became slower."""
    return max((100 * (p["ratio"] - 1) for p in found["pairs"] if p["verdict"] == "slower"), default=0)


def write_json(found, file):
    json.dump(found, file, indent=1)
    file.write("\n")
