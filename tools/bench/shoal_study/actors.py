"""The command line of `shoal study actors`, and what it runs. Exit status as of `shoal study`."""
import sys
from datetime import datetime
from pathlib import Path
from statistics import median

from shoal_bench.command import parser, positive, whole_number
from shoal_bench.figures import draw_all
from shoal_bench.jobs import objects_of, reason, run_to_end
from shoal_bench.machine import describe_machine, describe_program, environment, facts_of
from shoal_bench.results import save
from shoal_bench.session import progress
from shoal_bench.words import printable, suggestion, usage_error
from shoal_study import actors_report
from shoal_study.actors_plan import EXPERIMENTS, NODES, command_of, cost_command, jobs_of_round, key_of
from shoal_study.places import network_file

FORMAT = "shoal study actors 1"
TIMEOUT_S = 900
HELP = f"""Repeat the experiments of "An Actor Library for MPI" with shallow water on actor graphs
Usage: shoal study actors [OPTIONS]

Options:
  -h,--help              Print this help message and exit
  --quick                small grids, three runs, up to 8 nodes in the simulator: two minutes
  --experiment NAME,...  of {', '.join(EXPERIMENTS)} (default: all)
  --pes N                most PEs, and threads, of measured experiments (default: the cores)
  --nodes N,...          nodes of 4 PEs with 7 cores each, in the simulator (default: {','.join(map(str, NODES))}; if quick 1,2,4,8)
  --cell-ns T            ns that the step of a cell takes in the simulator (default: measured on this machine)
  --runs N               how often everything is measured (default: 5; if quick 3)
  --out FOLDER           where results go (default: study-actors-DATE-TIME)

FOLDER gets tables.txt, figures and results.json. What is measured and what it means: docs/shallow-water.md
"""


def parse(words):
    p = parser()
    p.verb = "study"
    for option in ("--experiment", "--pes", "--nodes", "--cell-ns", "--runs", "--out"):
        p.add_argument(option)
    p.add_argument("--quick", action="store_true")
    return p.parse_args(words)


def request_of(given, facts):
    experiments = list(EXPERIMENTS)
    if given.experiment is not None:
        experiments = list(dict.fromkeys(given.experiment.split(",")))
        for name in experiments:
            if name not in EXPERIMENTS:
                raise usage_error(f"--experiment: there is no {printable(name) or 'name'}{suggestion(name, list(EXPERIMENTS))}")
    nodes = list(NODES[:4] if given.quick else NODES)
    if given.nodes is not None:
        nodes = sorted({whole_number("--nodes", n, 32) for n in given.nodes.split(",")})
        for n in nodes:
            if n not in NODES:
                raise usage_error(f"--nodes={n} is not a power of 2; give some of {', '.join(map(str, NODES))}")
    return {"quick": given.quick, "experiments": experiments, "nodes": nodes, "network": network_file("infiniband-fdr"),
            "pes": whole_number("--pes", given.pes, 128) if given.pes is not None else facts["cores"],
            "cell_ns": positive("--cell-ns", given.cell_ns) if given.cell_ns is not None else None,
            "runs": whole_number("--runs", given.runs, 1000) if given.runs is not None else 3 if given.quick else 5}


def measure_cell(program, request):
    """ns that the step of a cell takes on one core."""
    status, output, errors = run_to_end(cost_command(program, request), TIMEOUT_S)
    lines = list(objects_of(output))
    if status != 0 or not lines:
        raise usage_error("the cost of a cell could not be measured: " + reason(status, errors, TIMEOUT_S))
    return median(lines[0]["seconds"]) * 1e9 / lines[0]["cell_updates"]


def run_job(program, job, request, cell_ns):
    """The record of a job: `cells_per_second`, or `error`; `left_out` if this machine lacks what it needs."""
    command, variables = command_of(program, job, request, cell_ns)
    status, output, errors = run_to_end(command, TIMEOUT_S, variables)
    lines = list(objects_of(output))
    if status == 0 and len(lines) == 1:
        line = lines[0]
        found = {name: line[name] for name in ("digest", "flops_per_cell", "flops_in_cache", "n_steps") if name in line}
        return job | found | {"cells_per_second": line["cell_updates"] / median(line["seconds"])}
    why = reason(status, errors, TIMEOUT_S)
    return job | ({"left_out": why} if status == 2 else {"error": why})


def wrong_states(jobs):
    """What differs among runs that must end in the same bits, a line each."""
    lines = []
    digests = {}
    for job in jobs:
        if "digest" in job and job["substrate"] != "sim":
            first = digests.setdefault((job["n_x"], job["n_y"], job["steps"], "moves" in job), job)
            if job["digest"] != first["digest"]:
                lines.append(f"{actors_report.name_of(job)} ended in another state than {actors_report.name_of(first)}")
    return list(dict.fromkeys(lines))


def run_all(program, results, folder):
    request = results["request"]
    cell_ns = request["cell_ns"]
    if cell_ns is None and any(EXPERIMENTS[name].is_simulated for name in request["experiments"]):
        cell_ns = measure_cell(program, request)
    results["cell_ns"] = cell_ns
    rounds = [jobs_of_round(request, number) for number in range(1, request["runs"] + 1)]
    shown = progress(sum(map(len, rounds)), "study")
    left_out = set()
    try:
        for job in (job for jobs in rounds for job in jobs):
            if key_of(job) in left_out:
                continue
            shown.begin(len(results["jobs"]), f"round {job['round']}", actors_report.name_of(job), None)
            record = run_job(program, job, request, cell_ns)
            if "left_out" in record:
                left_out.add(key_of(job))
                shown.say(f"{actors_report.name_of(job)} is left out: {record['left_out']}")
            results["jobs"].append(record)
            save(results, folder)
    finally:
        shown.end()


def run(program, words):
    given = parse(words)
    if given.help:
        print(HELP, end="")
        return 0
    facts = facts_of(program)
    request = request_of(given, facts)
    folder = Path(given.out or f"study-actors-{datetime.now():%Y%m%d-%H%M%S}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise usage_error(f"--out={printable(folder)} is not empty; give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    results = {"format": FORMAT, "request": request, "program": describe_program(program, facts), "machine": describe_machine(facts),
               "environment": environment(), "jobs": []}
    try:
        run_all(program, results, folder)
    except KeyboardInterrupt:
        print("\nstudy: interrupted", file=sys.stderr)
        return 130
    return write_report(results, folder)


def write_report(results, folder):
    text = actors_report.text_of(results)
    (folder / "tables.txt").write_text(text)
    print(text, end="")
    why_no_figures = draw_all(folder, "study")
    print(f"\nactors study: {folder}" + (f"; no figures: {why_no_figures}" if why_no_figures else ""))
    faults = [f"{actors_report.name_of(job)}: {job['error']}" for job in results["jobs"] if "error" in job]
    faults += wrong_states(results["jobs"])
    for fault in dict.fromkeys(faults):
        print("FAILED: " + fault)
    return 1 if faults else 0
