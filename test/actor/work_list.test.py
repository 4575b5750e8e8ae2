#!/usr/bin/env python3
# Goal: misuse of work that is left for later ends the job on all PEs with one line that names the list and the fix.
# programs: shoalrun
import os
import re
import subprocess
import sys

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.work_list")
IN_SIM = re.compile(r" \(sim: seed 1, \d PEs\)$")
INSIDE = " in deferred work, where only a send may wait; do it in the main program$"

# By misuse: the exit status, and the one line.
CASES = {
    "": (0, None),
    "outlive_run": (0, None),
    "outside": (2, r"todo: defer outside finish; nothing would wait for it, so leave work inside world\.finish$"),
    "call_outside": (2, r"world\.defer: defer outside finish; nothing would wait for it"),
    "throw": (1, r"todo: deferred work threw: no such vertex$"),
    "throw_number": (1, r"todo: deferred work threw something that is not a std::exception$"),
    "barrier_inside": (2, "todo: barrier" + INSIDE),
    "progress_inside": (2, r"todo: progress \(or yield\)" + INSIDE),
    "finish_inside": (2, "todo: finish" + INSIDE),
    "construct_inside": (2, "todo: constructing an actor" + INSIDE),
    "conveyor_inside": (2, "todo: construction of a conveyor" + INSIDE),
    "key": (2, r"keyed_work_list: defer of key 10, which is out of range; keys are less than 10$"),
    "destroyed": (2, r"short_lived: destroyed with work left; let it live until finish returns$"),
    "construct_in_handler": (2, r"actor lambda, message long: constructing a work list in a handler, where nothing may wait"),
    "catch": (1, r"the program threw: the program ends itself$"),
}

failures = 0


def check(name, command, environment):
    global failures
    status, pattern = CASES[name]
    job = subprocess.run([*command, PROGRAM, name], text=True, capture_output=True, timeout=60,
                         env=dict(os.environ, **environment))
    lines = job.stderr.splitlines()
    is_right = not lines if pattern is None else len(lines) == 1 and re.match(r"shoal: PE \d: " + pattern, IN_SIM.sub("", lines[0]))
    if job.returncode != status or not is_right:
        failures += 1
        print(f"FAILED {name} {command} {environment}: status {job.returncode}\n{job.stderr}")


for name in CASES:
    for n_pes in (1, 3):
        check(name, [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)], {})
        # Its static list is one for all PEs of a process.
        for substrate in () if name == "outlive_run" else ("sim", "threads"):
            check(name, [], {"SHOAL_SUBSTRATE": substrate, "SHOAL_PES": str(n_pes)})

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
