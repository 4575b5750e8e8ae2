#!/usr/bin/env python3
# Goal: misuse of a parallel handler ends the job with the same line on any number of workers; a crash names the message.
# programs: shoalrun
import os
import re
import subprocess
import sys

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.parallel")
IN_SIM = re.compile(r" \(sim: seed 1, \d PEs\)$")
PLACE = r"\S*actor/parallel\.program\.cpp:\d+"
HERE = "actor bad, message long: "
IN_HANDLER = " in a handler, where nothing may wait; "

# By misuse: the exit status, and the one line.
CASES = {
    "": (0, None),
    "get": (2, HERE + rf"get \({PLACE}\) in a handler, where nothing may wait for an answer; "),
    "scope": (2, HERE + "a task_scope" + IN_HANDLER),
    "yield": (2, rf"yield_task \({PLACE}\) outside a task; the main program calls world\.progress$"),
    "barrier": (2, HERE + "barrier" + IN_HANDLER),
    "progress": (2, HERE + r"progress \(or yield\)" + IN_HANDLER),
    "finish": (2, HERE + "finish" + IN_HANDLER),
    "actor": (2, HERE + "constructing an actor( or a conveyor)?" + IN_HANDLER),
    "conveyor": (2, HERE + "(construction of a conveyor|constructing an actor or a conveyor)" + IN_HANDLER),
    "start": (2, HERE + "start_sum outside the main program, where PEs may come to it in different orders; call it in the main program$"),
    "throw": (1, HERE + r"handler threw: no such slot \(message from PE 0\)$"),
    "throw_number": (1, HERE + r"handler threw something that is not a std::exception \(message from PE 0\)$"),
}

# The same for what only the PE's own thread may do, where another worker handles the message.
ELSEWHERE = " in a parallel handler on another worker than the PE's own thread; "
IN_MAIN = ELSEWHERE + "call it in the main program, or in a handler that is not parallel$"
CASES_ELSEWHERE = {
    "closed_elsewhere": "closed of a mailbox" + IN_MAIN,
    "counts_elsewhere": "counts of a mailbox" + IN_MAIN,
    "put_elsewhere": "one-sided access" + ELSEWHERE + "ask the other PE instead, or make the access in a handler that is not "
                     "parallel$",
    "defer_elsewhere": "defer of todo" + ELSEWHERE + r"call async or world\.defer instead$",
}

failures = 0


def fail(name, command, environment, job):
    global failures
    failures += 1
    print(f"FAILED {name} {command} {environment}: status {job.returncode}\n{job.stderr}")


def run(name, command, environment):
    return subprocess.run([*command, PROGRAM, name], text=True, capture_output=True, timeout=60,
                          env=dict(os.environ, **environment))


def places(n_pes):
    yield [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)], {}
    for substrate in ("sim", "threads"):
        yield [], {"SHOAL_SUBSTRATE": substrate, "SHOAL_PES": str(n_pes)}


def check(name, place, environment, status, pattern):
    job = run(name, place, environment)
    lines = job.stderr.splitlines()
    is_right = not lines if pattern is None else (
        len(lines) == 1 and re.match(r"shoal: PE \d: " + pattern, IN_SIM.sub("", lines[0])))
    if job.returncode != status or not is_right:
        fail(name, place, environment, job)


for place, environment in places(2):
    for n_workers in ("1", "2", "3"):
        for name, (status, pattern) in CASES.items():
            check(name, place, dict(environment, SHOAL_WORKERS=n_workers), status, pattern)
    if environment.get("SHOAL_SUBSTRATE") != "sim":
        for name, pattern in CASES_ELSEWHERE.items():
            check(name, place, dict(environment, SHOAL_WORKERS="2"), 2, HERE + pattern)

# The address sanitizer tells of a crash by itself.
for n_workers, where in (("1", ""), ("2", "( on its worker 1)?")):
    job = run("crash", [os.path.join(BIN, "shoalrun"), "-n", "1"], {"SHOAL_WORKERS": n_workers})
    told = rf"shoal: PE 0: segmentation fault at address 0x10 while handling message long from PE 0 in actor bad{where}$"
    if job.returncode == 0 or ("Sanitizer" not in job.stderr and not re.search(told, job.stderr, re.MULTILINE)):
        fail("crash", [], {"SHOAL_WORKERS": n_workers}, job)

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
