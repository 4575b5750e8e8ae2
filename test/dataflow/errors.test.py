#!/usr/bin/env python3
# Goal: mistakes with graphs of actors end the job on all PEs with one line that names actor, port, place and fix; a graph whose
# actors wait for one another says who waits for whom.
# programs: shoalrun
import os
import re
import subprocess
import sys
import tempfile

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "dataflow.errors")
IN_SIM = re.compile(r" \(sim: seed 1, \d PEs\)$")
PLACE = r"\S*dataflow/errors\.program\.cpp:\d+"
RUN = rf"kitchen: run \({PLACE}\): "
BUILD = RUN.replace("run", "build")
CONNECT = rf"connect source\.out to sink\.in \({PLACE}\)"
STALL = r" not finished, but no act is due and no token is under way; "

# By mistake: the exit status, and the one line.
CASES = {
    "": (0, None),
    "throw": (1, r"actor source: act threw: no such order$"),
    "throw_number": (1, r"actor source: act threw something that is not a std::exception$"),
    "write_to_full": (2, r"actor source, port out: write: the channel to sink\.in is full, with 2 tokens; ask free_capacity\(\) "
                         r"before$"),
    "barrier_inside": (2, r"a task: barrier in a task, where only sends, answers and scopes may wait; do it in the main "
                          r"program$"),
    "read_from_empty": (2, r"actor sink, port in: read: no token is there; ask available\(\) before$"),
    "peek_behind": (2, r"actor sink, port in: peek: no token is there; ask available\(\) before$"),
    "read_without_channel": (2, r"actor sink, port more: read: the port has no channel; ask is_connected\(\) before$"),
    "never_read": (1, RUN + "2 actors have" + STALL + r"sink: source\.out -> sink\.in has 2 of 2 tokens; source: source\.out -> "
                            r"sink\.in has 2 of 2 tokens$"),
    "starve": (1, RUN + "1 actor has" + STALL + r"sink: source\.out -> sink\.in has 0 of 2 tokens$"),
    "ring": (1, RUN + "3 actors have" + STALL + r"they wait in a cycle: c\.out -> a\.in has 0 of 2 tokens; b\.out -> c\.in has 0 "
                      r"of 2 tokens; a\.out -> b\.in has 0 of 2 tokens$"),
    "misread": (2, r"actor sink, port in: a token of \d+ bytes is not what its type reads; let its serialize name the same "
                   r"members in the same order when it writes and when it reads$"),
    "finish_later": (2, r"actor source: finish outside its act and start; an actor finishes itself there$"),
    "write_later": (2, r"actor source, port out: write outside the act and start of its actor, where alone its ports are used$"),
    "read_after": (2, r"actor sink, port in: read outside the act and start of its actor, where alone its ports are used$"),
    "drop_port": (2, r"actor sink, port in: destroyed while the graph runs; a port lives as long as its actor$"),
    "throw_in_constructor": (1, rf"add \({PLACE}\): the constructor of actor sink threw: no stove$"),
    "home_in_constructor": (2, r"an actor: home in its constructor, before it has one; ask in start or act$"),
    "twin_ports": (2, rf"add \({PLACE}\): actor sink has two ports in; give each port of an actor a name of its own$"),
    "null_here": (2, rf"kitchen: add_here \({PLACE}\): actor sink is null$"),
    "infinite_weight": (2, rf"kitchen: build \({PLACE}\): the weights of all actors add up to more than a double holds$"),
    "run_in_finish": (2, rf"kitchen: run \({PLACE}\) inside finish; run has a finish of its own, so make, build and run a graph "
                         r"outside$"),
    "other_type": (2, CONNECT + r": the out-port has tokens of type long, and the in-port of type std::(__cxx11::)?(basic_)?"
                                r"string.*$"),
    "weightless": (2, rf"kitchen: add \({PLACE}\): actor sink has weight 0\.0*; give it a number above 0$"),
    "weightless_here": (2, rf"kitchen: add_here \({PLACE}\): actor sink has weight -3\.0*; give it a number above 0$"),
    "no_such_pe": (2, rf"kitchen: add \({PLACE}\): actor sink on PE 7, of 2 PEs$"),
    "placed_nowhere": (2, r"kitchen: the placement puts actor source on PE 9, of 2 PEs$"),
    "by_metis": (2, BUILD + r"no module for METIS \(shoal-metis\.so is not in /nowhere\); build Shoal where libmetis-dev are installed "
                            r"\(Debian's names\), .*$"),
    "by_scotch": (2, BUILD + r"no module for Scotch \(shoal-scotch\.so is not in /nowhere\); build Shoal where libscotch-dev .*$"),
    "by_missing_weights": (2, BUILD + r"cannot read the measured weights /nowhere/weights: No such file or directory; "
                                      r"record_weights in an earlier run writes them$"),
    "by_other_file": (2, BUILD + r"/proc/self/comm:1: not a line of measured weights; give a file that record_weights has written$"),
    "record_nowhere": (2, RUN + r"cannot write the measured weights /nowhere/weights: No such file or directory$"),
    "record_after": (2, rf"kitchen: record_weights \({PLACE}\) after run; a graph is built and run once, so make it before$"),
    "weightless_channel": (2, "kitchen: " + CONNECT + r": weight -1\.0*; give it a number above 0$"),
    "infinite_channels": (2, BUILD + r"the weights of all channels add up to more than a double holds$"),
    "unknown_actor": (2, BUILD + CONNECT + r": no actor sink was added$"),
    "unknown_out": (2, rf"connect source\.output to sink\.in \({PLACE}\): actor source has no out-port output; it has: out$"),
    "unknown_in": (2, rf"connect source\.out to sink\.input \({PLACE}\): actor sink has no in-port input; it has: in, more$"),
    "same_name": (2, rf"add \({PLACE}\): there is an actor source already, added at {PLACE}; give each actor of a graph a name "
                     r"of its own$"),
    "unconnected": (2, BUILD + r"actor (source|sink): no channel is connected to (out|in); connect each, or make the port "
                             r"optional$"),
    "no_capacity": (2, "kitchen: " + CONNECT + r": capacity 0; a channel has room for 1 to 2\^30 tokens$"),
    "second_channel": (2, r"actor sink, port in: has a channel already, from (source|other)\.out; a port has one: connect "
                          rf"(other|source)\.out to sink\.in \({PLACE}\)$"),
    "second_reader": (2, r"actor source, port out: has a channel already, to (sink|other)\.in; a port has one: connect "
                         rf"source\.out to (other|sink)\.in \({PLACE}\)$"),
    "move_unmovable": (2, rf"move of sink \({PLACE}\): its type has no serialize, so it stays where it is; give it one$"),
    "move_nowhere": (2, rf"kitchen: move \({PLACE}\): actor sink to PE 7, of 2 PEs$"),
    "move_unknown": (2, RUN + rf"move of nobody \({PLACE}\): no actor nobody was added$"),
    "move_early": (2, rf"kitchen: move \({PLACE}\) while the graph does not run; call it inside run, as in an act$"),
    "remove_early": (2, rf"kitchen: remove \({PLACE}\) while the graph does not run; call it inside run, as in an act$"),
    "divide_early": (2, rf"kitchen: repartition \({PLACE}\) while the graph does not run; call it inside run, as in an act$"),
    "divide_in_blocks": (2, rf"kitchen: repartition \({PLACE}\) by a placement that weighs nothing; give placement::metis\(\) or "
                            r"scotch\(\)$"),
    "divide_by_file": (2, rf"kitchen: repartition \({PLACE}\) by weights of a file; it goes by what this run measures$"),
    "divide_unmeasured": (2, rf"kitchen: repartition \({PLACE}\) without measurements; call measure_load before build, on all PEs$"),
    "divide_without_metis": (2, rf"kitchen: repartition \({PLACE}\): no module for METIS \(shoal-metis\.so is not in /nowhere\); build "
                                r"Shoal where libmetis-dev are installed .*$"),
    "connect_unknown": (2, RUN + rf"connect source\.out to nobody\.in \({PLACE}\): no actor nobody was added$"),
    "misread_state": (2, r"actor asker moves, and its serialize does not read what it has written; let it name the same members "
                         r"in the same order$"),
    "add_lonely": (2, RUN + r"actor lonely: no channel is connected to in; connect each, or make the port optional$"),
    "leave_later": (2, r"actor asker: leave outside its act and start; an actor finishes itself there$"),
    "run_twice": (2, rf"kitchen: run \({PLACE}\) after run; a graph is built and run once, so make it before$"),
    "add_after": (2, rf"kitchen: add \({PLACE}\) after run; a graph is built and run once, so make it before$"),
    "measure_after": (2, rf"kitchen: measure_load \({PLACE}\) after run; a graph is built and run once, so make it before$"),
    "build_twice": (2, rf"kitchen: build \({PLACE}\) after build; a graph is built and run once, so make it before$"),
    "connect_after": (2, rf"kitchen: connect \({PLACE}\) after run; a graph is built and run once, so make it before$"),
}

# Where there is no module.
WITHOUT_MODULES = {"SHOAL_MODULES": "/nowhere"}

failures = 0


def check(what, launcher, environment):
    global failures
    status, pattern = CASES[what]
    job = subprocess.run([*launcher, PROGRAM, what], text=True, capture_output=True, timeout=60,
                         env=dict(os.environ, **environment))
    lines = [IN_SIM.sub("", line) for line in job.stderr.splitlines() if line]
    right = len(lines) == (0 if pattern is None else 1) and (
        pattern is None or re.fullmatch("shoal: PE [0-9]: " + pattern, lines[0]))
    if job.returncode != status or not right:
        failures += 1
        print(f"FAILED {what} with {environment}: status {job.returncode} instead of {status}, or not: {pattern}\n{job.stderr}")


for name in CASES:
    modules = WITHOUT_MODULES if name.startswith("by_") or name == "divide_without_metis" else {}
    check(name, [os.path.join(BIN, "shoalrun"), "-n", "2"], modules)
    check(name, [], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "2", **modules})
for name in ("throw", "write_to_full", "ring", "starve", "never_read", "barrier_inside"):
    check(name, [], {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "2", "SHOAL_WORKERS": "2"})

def check_drawing(what, lines):
    global failures
    with tempfile.TemporaryDirectory() as folder:
        drawn = os.path.join(folder, "stall.dot")
        job = subprocess.run([os.path.join(BIN, "shoalrun"), "-n", "2", PROGRAM, what], text=True, capture_output=True,
                             timeout=60, env=dict(os.environ, TEST_DRAWN=drawn))
        with open(drawn, encoding="utf-8") as file:
            text = file.read()
    if text != "digraph stall {\n" + lines + "}\n" or not job.stderr.endswith(f"; drawn in {drawn}\n"):
        failures += 1
        print(f"FAILED drawing of {what}: {job.stderr}\n{text}")


check_drawing("ring", """\
  "a" -> "b" [label="out to in: 0 of 2", color=blue, style=bold];
  "b" -> "c" [label="out to in: 0 of 2", color=blue, style=bold];
  "c" -> "a" [label="out to in: 0 of 2", color=blue, style=bold];
""")
check_drawing("never_read", """\
  "source" -> "sink" [label="out to in: 2 of 2", color=red];
""")
nowhere = subprocess.run([os.path.join(BIN, "shoalrun"), "-n", "2", PROGRAM, "ring"], text=True, capture_output=True, timeout=60,
                         env=dict(os.environ, TEST_DRAWN="/no/such/folder/stall.dot"))
if not nowhere.stderr.endswith("; cannot write /no/such/folder/stall.dot\n"):
    failures += 1
    print(f"FAILED drawing into no folder: {nowhere.stderr}")
print("passed" if failures == 0 else f"{failures} failed")
sys.exit(failures != 0)
