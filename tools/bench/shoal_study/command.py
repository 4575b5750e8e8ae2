"""The command line of `shoal study`, and its exit status: 0, 1 if an answer was wrong or a job failed, 2 for an error that the
user can fix, 130 after an interruption."""
import shlex
import sys
from datetime import datetime
from pathlib import Path

from shoal_bench.command import ends_in_one_line, parser, positive, whole_number
from shoal_bench.figures import draw_all, save as save_figures
from shoal_bench.machine import describe_machine, describe_program, environment, facts_of
from shoal_bench.results import FILE, format_of, read_results, refuse_parts, save
from shoal_bench.words import printable, suggestion, usage_error
from shoal_study import actors, actors_report, report, water
from shoal_study.drawing import figures_of
from shoal_study.places import serve
from shoal_study.plan import FORMS, KERNELS, PES, PROFILES, forms_of, usual_forms
from shoal_study.running import faults, refuse_missing_programs, session
from shoal_study.summary import summarise, write_csv

FORMAT = "shoal study 1"
HELP = f"""Repeat a published study with the programs of Shoal and of other libraries
Usage: shoal study cloud [OPTIONS]
       shoal study report FOLDER
       shoal study actors [OPTIONS]
       shoal study water FOLDER

actors repeats the experiments of "An Actor Library for MPI", and water draws what shoal swe has written; both have a --help.
cloud compares one-sided access, conveyors and actors on a slow network and a fast one, as "On the Cloud We Can't Wait" does.

Options:
  -h,--help              Print this help message and exit
  --quick                small inputs, and as many of three runs as end within ten minutes
  --profile NAME,...     of {', '.join(PROFILES)} (default: cloud,cluster); cloud and
                         sriov are measured on hosts of lab/lab, the others are predicted by the simulator
  --launch WORDS         measure the profile cloud on your machines: what starts {{pes}} programs, one on each, such as
                         "mpirun -n {{pes}} --hostfile machines --map-by node" or "srun -N {{pes}} -n {{pes}} --mpi=pmix"
  --pes N,N,...          numbers of PEs, which is of hosts (default: {','.join(map(str, PES))})
  --kernel NAME,...      of {', '.join(KERNELS)} (default: all)
  --form NAME,...        of {', '.join(FORMS)} (default: all; if quick without agp and agp_nb)
  --runs N               how often everything is measured (default: 5; if quick 3)
  --apart SECONDS        least time between two runs (default: 300; if quick 5)
  --minutes N            begin no run that would end later (default: none; if quick 9.5)
  --price P              what a host costs an hour, for the table of costs, in any currency
  --out FOLDER           where results go (default: study-DATE-TIME); one with results of the same study is continued

FOLDER gets report.html, summary.csv, jobs.csv, figures and results.json. report writes them again from results.json.
What is measured and what the numbers mean: docs/cloud-study.md
"""


def chosen(option, text, known):
    """The names of a list, each once."""
    names = list(dict.fromkeys(text.split(",")))
    for name in names:
        if name not in known:
            raise usage_error(f"{option}: there is no {printable(name) or 'name'}{suggestion(name, list(known))}")
    return names


def launcher_of(text):
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise usage_error(f"--launch={printable(text)}: {error}") from error
    if not any("{pes}" in word for word in words):
        raise usage_error(f"--launch={printable(text)} does not say how many programs to start; write {{pes}} for their number, "
                          "such as \"mpirun -n {pes} --hostfile machines --map-by node\"")
    return words


def request_of(given):
    """What the command line decides."""
    profiles = chosen("--profile", given.profile, PROFILES) if given.profile is not None else ["cloud", "cluster"]
    launch = launcher_of(given.launch) if given.launch is not None else None
    if launch and "cloud" not in profiles:
        raise usage_error("--launch measures the profile cloud; add it to --profile")
    if launch and "sriov" in profiles:
        raise usage_error("--profile sriov is of the lab; leave it or --launch out")
    pes = sorted({whole_number("--pes", n, 250) for n in given.pes.split(",")}) if given.pes is not None else PES
    kernels = chosen("--kernel", given.kernel, KERNELS) if given.kernel is not None else list(KERNELS)
    forms = chosen("--form", given.form, FORMS) if given.form is not None else usual_forms(given.quick)
    for profile in profiles:
        if not any(forms_of(profile, kernel, forms) for kernel in kernels):
            raise usage_error(f"--form={printable(given.form)}: {', '.join(kernels)} is not written in this form")
    return {"study": "cloud", "quick": given.quick, "profiles": profiles, "launch": launch, "pes": pes, "kernels": kernels,
            "forms": forms,
            "runs": whole_number("--runs", given.runs, 1000) if given.runs is not None else 3 if given.quick else 5,
            "apart": not_negative("--apart", given.apart) if given.apart is not None else 5 if given.quick else 300,
            "minutes": positive("--minutes", given.minutes) if given.minutes is not None else 9.5 if given.quick else None,
            "price": positive("--price", given.price) if given.price is not None else None}


def not_negative(option, text):
    return 0 if text == "0" else positive(option, text)


def parse(words):
    p = parser()
    p.verb = "study"
    for option in ("--profile", "--launch", "--pes", "--kernel", "--form", "--runs", "--apart", "--minutes", "--price", "--out"):
        p.add_argument(option)
    p.add_argument("--quick", action="store_true")
    return p.parse_args(words)


def results_to_continue(folder, new):
    """`new`, with the jobs that `folder` has of the same study. Those that failed run again."""
    if (folder / FILE).exists():
        old = read_results(folder, FORMAT)
        refuse_parts(old, new, folder, ("program", "request", "machine", "environment"))
        return new | {"jobs": [job for job in old["jobs"] if "error" not in job], "said": old["said"]}
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise usage_error(f"--out={printable(folder)} is not empty and has no results of shoal study; give another folder")
    return new


def run_cloud(program, words):
    given = parse(words)
    if given.help:
        print(HELP, end="")
        return 0
    request = request_of(given)
    refuse_missing_programs(program, request)
    facts = facts_of(program)
    folder = Path(given.out or f"study-{datetime.now():%Y%m%d-%H%M%S}")
    results = results_to_continue(folder, {
        "format": FORMAT, "request": request, "program": describe_program(program, facts), "machine": describe_machine(facts),
        "environment": environment(), "jobs": [], "said": [], "end": "unfinished"})
    folder.mkdir(parents=True, exist_ok=True)
    save(results, folder)
    try:
        results["end"] = session(program, results, folder).run()
    except KeyboardInterrupt:
        results["end"] = "interrupted"
        save(results, folder)
        print(f"\nstudy: interrupted; to continue, give the same options and --out {folder}", file=sys.stderr)
        return 130
    save(results, folder)
    return write_report(results, folder)


def write_report(results, folder):
    """All that is made of results. The exit status says whether every answer was right."""
    rows = summarise(results)
    why_no_figures = draw_all(folder, "study")
    write_csv(results, rows, folder)
    (folder / "report.html").write_text(report.page(results, rows, folder, why_no_figures))
    report.print_report(results, rows)
    print(f"\ncloud study: {results['end']}; report: {folder / 'report.html'}")
    if why_no_figures:
        print(f"no figures: {why_no_figures}; then: shoal study report {folder}")
    for fault in faults(results):
        print("FAILED: " + fault)
    return 1 if faults(results) else 0


def run_report(words):
    if len(words) != 1:
        raise usage_error("study report needs the folder of a study; see shoal study --help")
    return write_report(read_results(words[0], FORMAT), Path(words[0]))


def draw(folder):
    """Draws the figures of a folder, whichever command has written it."""
    if (Path(folder) / water.SERIES).exists():
        return water.draw(folder)
    if format_of(folder) == actors.FORMAT:
        return save_figures(folder, actors_report.figures_of(read_results(folder, actors.FORMAT)))
    return save_figures(folder, figures_of(read_results(folder, FORMAT)))


def run(program, words):
    first = words[0] if words else ""
    if first == "cloud":
        return run_cloud(program, words[1:])
    if first == "report":
        return run_report(words[1:])
    if first == "actors":
        return actors.run(program, words[1:])
    if first == "water":
        return water.run(words[1:])
    if first == "draw":
        return draw(words[1])
    if first == "serve":
        return serve()
    if first in ("-h", "--help"):
        print(HELP, end="")
        return 0
    if not first:
        raise usage_error("say what to study: cloud, actors or water; see shoal study --help")
    raise usage_error(f"there is no study {printable(first)}{suggestion(first, ['cloud', 'actors', 'water', 'report'])}")


def main(program, words):
    return ends_in_one_line("study", lambda: run(program, words))
