"""The command line of `shoal network-bench`, and its exit status: 0, 1 if a link could not be measured, 2 for an error that the
user can fix, 130 after an interruption."""
import json
import shlex
import sys
from datetime import datetime
from pathlib import Path

from shoal_bench.command import ends_in_one_line, parser, positive
from shoal_bench.figures import draw_all
from shoal_bench.machine import describe_machine, facts_of
from shoal_bench.words import printable, suggestion, usage_error
from shoal_network_bench import measuring, network_file, report

FILE = "links.json"
HELP = """Measure what links within and between nodes cost, and write that to files
Usage: shoal network-bench [OPTIONS]

Options:
  -h,--help              Print this help message and exit
  --out FOLDER           where results go (default: network-bench-DATE-TIME)
  --launch WORDS         what starts two processes on two nodes, such as "mpirun -n 2 --host a,b" or "srun -N 2 -n 2"
                         (default: two processes of this machine, which use the library as between nodes)
  --only NAME,...        only these links of those that would be measured
  --seconds S            time for each link (default: 2)
  --no-libraries         leave out what the libraries do without Shoal

For each substrate between nodes, FOLDER gets a file NAME.network, for SHOAL_NETWORK; and links.json, report.html, figures.
What the numbers mean: docs/network-bench.md
"""


def arguments_of(words):
    p = parser()
    p.verb = "network-bench"
    for option in ("--out", "--launch", "--only", "--seconds"):
        p.add_argument(option)
    p.add_argument("--no-libraries", action="store_true")
    return p.parse_args(words)


def words_of(launch):
    try:
        words = shlex.split(launch)
    except ValueError as error:
        raise usage_error(f"--launch={printable(launch)}: {error}") from error
    if not words:
        raise usage_error("--launch needs the words of a launcher, such as \"mpirun -n 2 --host a,b\"")
    return words


def measure_all(program, given, facts):
    """By name: what each link costs, and what each library says."""
    launch = words_of(given.launch) if given.launch is not None else []
    seconds = positive("--seconds", given.seconds) if given.seconds is not None else 2
    if not 0.01 <= seconds <= 3600:
        raise usage_error(f"--seconds={printable(given.seconds)} is not from 0.01 to 3600")
    modules = [library for library, file in facts["modules"].items() if file]
    chosen = [("node", ["--substrate", "local"], []), *measuring.substrates_to_measure(modules, launch)]
    names = [name for name, _, _ in chosen]
    wanted = given.only.split(",") if given.only is not None else measuring.usual(names, launch)
    for name in wanted:
        if name not in names:
            raise usage_error(f"unknown link {printable(name)}{suggestion(name, names)}")
    links = {}
    for name, words, before in chosen:
        if name in wanted:
            print(f"network-bench: {name}", file=sys.stderr)
            links[name] = measuring.measure_link(program, words, before, seconds)
    libraries = {}
    for library, path in () if given.no_libraries or launch else measuring.library_programs(program):
        if library in modules:
            print(f"network-bench: {library} without Shoal", file=sys.stderr)
            libraries[library] = measuring.measure_library(path, library, launch, seconds / 100)
    return links, libraries


def run(program, words):
    given = arguments_of(words)
    if given.help:
        print(HELP, end="")
        return 0
    facts = facts_of(program)
    begun = datetime.now()
    folder = Path(given.out or f"network-bench-{begun:%Y%m%d-%H%M%S}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise usage_error(f"--out={printable(folder)} is not empty; give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    links, libraries = measure_all(program, given, facts)
    results = {"form": "shoal network-bench 1", "begun": f"{begun:%Y-%m-%d %H:%M}", "version": facts["version"],
               "machine": describe_machine(facts), "launch": given.launch, "links": links, "libraries": libraries}
    (folder / FILE).write_text(json.dumps(results, indent=1) + "\n")
    node = links.get("node")
    files = []
    for name, link in links.items():
        if link.get("link") == "network":
            files.append(folder / f"{name}.network")
            files[-1].write_text(network_file.text(name, f"{begun:%Y-%m-%d}", node if node and "error" not in node else None, link))
    why_no_figures = draw_all(folder, "network-bench")
    (folder / "report.html").write_text(report.page(results, folder, why_no_figures))
    report.print_tables(results)
    print(f"\nreport: {folder / 'report.html'}")
    for file in files:
        print(f"to use it: SHOAL_NETWORK={file}")
    return 1 if any("error" in link for link in links.values()) else 0


def draw(folder):
    return report.draw(json.loads((Path(folder) / FILE).read_text()), folder)


def main(program, words):
    is_drawing = len(words) == 2 and words[0] == "draw"
    return ends_in_one_line("network-bench", lambda: draw(words[1]) if is_drawing else run(program, words))
