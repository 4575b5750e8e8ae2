"""The command line of `shoal bench`, and its exit status: 0, 1 if an answer was wrong or a job failed, 2 for an error that
the user can fix, 130 after an interruption."""
import argparse
import dataclasses
import errno
import signal
import sys
from datetime import datetime
from pathlib import Path

from shoal_bench import comparison, session
from shoal_bench.figures import draw, draw_all
from shoal_bench.machine import describe_machine, describe_program, environment, facts_of
from shoal_bench.page import page
from shoal_bench.results import FILE, faults, new_results, read_results, refuse_other, save
from shoal_bench.suite import known_kernels, own_suites, read_text, reader
from shoal_bench.summary import print_table, summarise, write_csv
from shoal_bench.words import printable, suggestion, usage_error

HELP = """Run a suite of kernels many times, and report medians, intervals and figures
Usage: shoal bench [OPTIONS] [SUITE]
       shoal bench compare [OPTIONS] A B
       shoal bench report FOLDER
       shoal bench show SUITE

Positionals:
  SUITE                       {suites}, or a file (default: quick)

Options:
  -h,--help                   Print this help message and exit
  --out FOLDER                where results go (default: bench-SUITE-DATE-TIME); one with results is continued
  --resume FOLDER             continue the suite whose results are in this folder
  --pes N,N,...               numbers of PEs (default: the suite's; 1, 2, 4, ... up to one per core)
  --kernel NAME,...           only these kernels of the suite
  --processes N               jobs of each configuration (default: the suite's); 6 or more give intervals
  --repeat N                  timed runs of each variant in a job (default: the suite's)
  --minutes N                 begin no round of jobs that would end later (default: the suite's)
  --backend,--substrate NAME  as in shoal run
  --mpi NAME                  as in shoal run
  --no-figures                draw no figures; report draws them later

compare says what is faster or slower in B than in A, two results or their folders, and whether it may be noise:
  --json FILE                 also write the comparison as JSON to a file, or - for the standard output
  --fail-on-slower PERCENT    end with status 1 if something became slower by more than this

report writes the tables, figures and the page of a folder again. show prints a suite, to begin one's own with.

The form of a suite, and what the numbers mean: docs/benchmarking.md
"""


class parser(argparse.ArgumentParser):
    """With the texts of `shoal`."""

    def __init__(self):
        super().__init__(add_help=False, allow_abbrev=False)
        self.verb = "bench"
        self.add_argument("-h", "--help", action="store_true")

    def error(self, message):
        raise usage_error(f"{self.verb}: {printable(message)}; see shoal {self.verb} --help")


def whole_number(option, text, most):
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= most):
        raise usage_error(f"{option}={printable(text)} is not a whole number from 1 to {most}")
    return int(text)


def positive(option, text):
    try:
        number = float(text)
    except ValueError:
        number = -1
    if not 0 < number < 1e9:
        raise usage_error(f"{option}={printable(text)} is not a number above 0")
    return number


def run_arguments(words):
    p = parser()
    p.add_argument("suite", nargs="?")
    for option in ("--out", "--resume", "--pes", "--kernel", "--processes", "--repeat", "--minutes", "--mpi"):
        p.add_argument(option)
    p.add_argument("--backend", "--substrate", dest="substrate")
    p.add_argument("--no-figures", action="store_true")
    return p.parse_args(words)


def request_of(given, substrates):
    """What the command line decides; what it leaves open is None."""
    if given.substrate is not None and given.substrate not in substrates:
        raise usage_error(f"unknown substrate '{printable(given.substrate)}'{suggestion(given.substrate, substrates)}")
    return {"pes": given.pes and [whole_number("--pes", n, 1_000_000) for n in given.pes.split(",")],
            "kernels": given.kernel and given.kernel.split(","),
            "processes": given.processes and whole_number("--processes", given.processes, 1000),
            "repeat": given.repeat and whole_number("--repeat", given.repeat, 1_000_000),
            "minutes": given.minutes and positive("--minutes", given.minutes), "substrate": given.substrate, "mpi": given.mpi}


def chosen_suite(name, request, facts, program):
    """The suite as this command line wants it."""
    suite = reader(name, known_kernels(program), facts["cores"], request["pes"]).suite(read_text(name))
    names = list(dict.fromkeys(c.kernel for c in suite.configurations))
    for kernel in request["kernels"] or []:
        if kernel not in names:
            raise usage_error(f"suite {suite.name} has no kernel {printable(kernel)}{suggestion(kernel, names)}")
    kept = [c for c in suite.configurations if not request["kernels"] or c.kernel in request["kernels"]]
    limits = {key: request[key] for key in ("processes", "repeat", "minutes") if request[key] is not None}
    return dataclasses.replace(suite, configurations=kept, **limits)


def run_suite(program, words):
    given = run_arguments(words)
    if given.help:
        return print_help()
    facts = facts_of(program)
    name, old = given.suite or "quick", None
    if given.resume is not None:
        others = [f"--{option}" for option, value in vars(given).items()
                  if value and option not in ("resume", "suite", "no_figures")] + [given.suite]
        if any(others):
            raise usage_error(f"--resume takes the suite and its options from the folder; leave out {others[0]}")
        folder, old = Path(given.resume), read_results(given.resume)
        name, request = old["suite"]["name"], old["request"]
    else:
        request = request_of(given, facts["substrates"])
        if name not in own_suites():
            name = str(Path(name).resolve()) if Path(name).is_file() else name
        folder = Path(given.out or f"bench-{Path(name).stem}-{datetime.now():%Y%m%d-%H%M%S}")
        if (folder / FILE).exists():
            old = read_results(folder)
        elif folder.exists() and not folder.is_dir():
            raise usage_error(f"--out={printable(folder)} is no folder; give another name")
        elif folder.exists() and any(folder.iterdir()):
            raise usage_error(f"--out={printable(folder)} is not empty and has no results of shoal bench; give another "
                              "folder")
    suite = chosen_suite(name, request, facts, program)
    results = new_results(suite, request, describe_program(program, facts), describe_machine(facts), environment())
    if old is not None:
        refuse_other(old, results, folder)
        results["jobs"] = old["jobs"]
    folder.mkdir(parents=True, exist_ok=True)
    save(results, folder)
    where = [word for option in ("substrate", "mpi") if request[option] for word in (f"--{option}", request[option])]
    try:
        session.run(results, suite, folder, program, where)
    except KeyboardInterrupt:
        results["end"] = "interrupted"
        save(results, folder)
        print(f"\nbench: interrupted; to continue: shoal bench --resume {folder}", file=sys.stderr)
        return 130
    return write_report(results, folder, "they were not asked for" if given.no_figures else draw_all(folder))


def write_report(results, folder, why_no_figures):
    """All that is made of results. The exit status says whether every answer was right."""
    rows = summarise(results)
    write_csv(results, rows, folder)
    (folder / "report.html").write_text(page(results, folder, why_no_figures))
    print_table(results, rows)
    print(f"\n{results['suite']['title']}: {results['end']}; report: {folder / 'report.html'}")
    if why_no_figures:
        print(f"no figures: {why_no_figures}; then: shoal bench report {folder}")
    for fault in faults(results):
        print("FAILED: " + fault)
    return 1 if faults(results) else 0


def run_report(words):
    p = parser()
    p.add_argument("folder", nargs="?")
    given = p.parse_args(words)
    if given.help or given.folder is None:
        return print_help()
    return write_report(read_results(given.folder), Path(given.folder), draw_all(Path(given.folder)))


def show_suite(words):
    p = parser()
    p.add_argument("suite", nargs="?")
    given = p.parse_args(words)
    if given.help:
        return print_help()
    if given.suite is None:
        raise usage_error(f"bench show needs a suite; give {', '.join(own_suites())} or a file")
    print(read_text(given.suite), end="")
    return 0


def run_compare(words):
    p = parser()
    for name in ("a", "b"):
        p.add_argument(name, nargs="?")
    p.add_argument("--json")
    p.add_argument("--fail-on-slower")
    given = p.parse_args(words)
    if given.help:
        return print_help()
    if given.b is None:
        raise usage_error("bench compare needs two results, files or folders; see shoal bench --help")
    limit = given.fail_on_slower and positive("--fail-on-slower", given.fail_on_slower)
    found = comparison.compare(read_results(given.a), read_results(given.b))
    if given.json == "-":
        comparison.write_json(found, sys.stdout)
    else:
        comparison.print_comparison(found)
        if given.json:
            with open(given.json, "w") as file:
                comparison.write_json(found, file)
    return 1 if limit and comparison.worst(found) > limit else 0


def print_help():
    print(HELP.format(suites=", ".join(own_suites())), end="")
    return 0


def ends_in_one_line(verb, act):
    """The exit status of `act()`. Errors that the user can fix are one line and status 2."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = act()
        sys.stdout.flush()
        return status
    except usage_error as error:
        fault = printable(error)
    except OSError as error:
        where = f"{printable(error.filename)}: " if error.filename else ""
        fault = f"{verb}: {where}{error.strerror or error}" + ("; free some space" if error.errno == errno.ENOSPC else "")
    except KeyboardInterrupt:
        return 130
    print("shoal: " + fault, file=sys.stderr)
    return 2


def main(program, words):
    verbs = {"compare": run_compare, "report": run_report, "show": show_suite, "draw": lambda folder: draw(*folder)}

    def act():
        return verbs[words[0]](words[1:]) if words and words[0] in verbs else run_suite(program, words)
    return ends_in_one_line("bench", act)
