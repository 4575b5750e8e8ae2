#!/usr/bin/env python3
# Goal: misuse of tasks ends the job on all PEs with one line that names the place and the fix; tasks that wait for ever are told.
# programs: shoalrun
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from share import share_if_sanitized  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.tasks")
IN_SIM = re.compile(r" \(sim: seed 1, \d PEs\)$")
PLACE = r"\S*actor/tasks\.program\.cpp:\d+"
INSIDE = " in a task, where only sends, answers and scopes may wait; do it in the main program$"
IN_HANDLER = r" in a handler, where nothing may wait"
OF_SCOPE = (rf" of a task_scope \({PLACE}\) by a handler or another task, or while a scope or a finish that began later is "
            "open; who opened a scope uses it, and closes later ones before$")

# By misuse: the exit status, and the one line.
CASES = {
    "": (0, None),
    "outside": (2, rf"async \({PLACE}\) outside finish; nothing would wait for the task, so make it inside world\.finish or "
                   r"in a task_scope$"),
    "yield_outside": (2, rf"yield_task \({PLACE}\) outside a task; the main program calls world\.progress$"),
    "first_of_none": (2, rf"when_any \({PLACE}\) of no future, so there is no first answer$"),
    "scope_in_handler": (2, "actor lambda, message long: a task_scope" + IN_HANDLER),
    "get_in_handler": (2, rf".*: get \({PLACE}\)" + IN_HANDLER),
    "scope_of_another": (2, "async" + OF_SCOPE),
    "wrong_order": (2, "async" + OF_SCOPE),
    "scope_in_the_wrong_order": (2, "the end" + OF_SCOPE),
    "wait_in_handler": (2, "async" + OF_SCOPE),
    "wait_in_child": (2, "wait" + OF_SCOPE),
    "finish_in_scope": (2, rf"finish \({PLACE}\) while tasks of a task_scope \({PLACE}\) that was opened outside finish have not "
                           "ended; wait for the scope before, or open it inside$"),
    "scope_past_finish": (2, rf"a task_scope \({PLACE}\) is open at the end of the finish in which it was opened; close it "
                             "before$"),
    "leave_scope": (1, "the program threw: stop$"),
    "leave_scope_in_task": (1, rf"an exception in a task left a task_scope \({PLACE}\) whose tasks had not ended; wait for them "
                               "first, or catch it inside$"),
    "destroy_actor_inside": (2, "a task: destroying an actor in its superstep" + INSIDE),
    "throw": (1, rf"a task \({PLACE}\) threw: no such block$"),
    "throw_number": (1, rf"a task \({PLACE}\) threw something that is not a std::exception$"),
    "barrier_inside": (2, "a task: barrier" + INSIDE),
    "progress_inside": (2, r"a task: progress \(or yield\)" + INSIDE),
    "finish_inside": (2, "a task: finish" + INSIDE),
    "construct_inside": (2, "a task: constructing an actor( or a conveyor)?" + INSIDE),
    "conveyor_inside": (2, "a task: (construction of a conveyor|constructing an actor or a conveyor)" + INSIDE),
    "catch": (1, r"the program threw: the program ends itself$"),
}

# The same for what only the PE's own thread may do, in a task that another worker begins.
ELSEWHERE = " on another worker than the PE's own thread; "
IN_MAIN = ELSEWHERE + "call it in the main program, or in a handler that is not parallel$"
CASES_ELSEWHERE = {
    "closed_elsewhere": "a task: closed of a mailbox" + IN_MAIN,
    "counts_elsewhere": "a task: counts of a mailbox" + IN_MAIN,
    "put_elsewhere": "a task: one-sided access" + ELSEWHERE + "ask the other PE instead, or make the access in a handler that is "
                     "not parallel$",
    "defer_elsewhere": "a task: defer of todo" + ELSEWHERE + r"call async or world\.defer instead$",
}

failures = 0


def fail(name, command, environment, job):
    global failures
    failures += 1
    print(f"FAILED {name} {command} {environment}: status {job.returncode}\n{job.stderr}")


def run(name, command, environment):
    return subprocess.run([*command, PROGRAM, name], text=True, capture_output=True, timeout=60,
                          env=dict(os.environ, **environment))


def check(name, command, environment, status, pattern):
    job = run(name, command, environment)
    lines = job.stderr.splitlines()
    is_right = not lines if pattern is None else (
        len(lines) == 1 and re.match(r"shoal: PE \d: " + pattern, IN_SIM.sub("", lines[0])))
    if job.returncode != status or not is_right:
        fail(name, command, environment, job)


def places(n_pes):
    yield [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)], {}
    for substrate in ("sim", "threads"):
        yield [], {"SHOAL_SUBSTRATE": substrate, "SHOAL_PES": str(n_pes)}


for n_pes in (1, 3):
    for i, place in enumerate(places(n_pes), n_pes // 2):
        for case in share_if_sanitized(CASES, i):
            check(case, *place, *CASES[case])
        # Whatever proves the stall, PE 0 tells of its tasks.
        job = run("never", *place)
        if job.returncode == 0 or len(re.findall(rf"a task \({PLACE}\) waits for an answer \({PLACE}\)", job.stderr)) != 2:
            fail("never", *place, job)

# The same on whichever worker the task runs.
ON_WORKERS = ("", "outside", "yield_outside", "scope_in_handler", "get_in_handler", "scope_of_another", "throw", "throw_number",
              "barrier_inside", "progress_inside", "finish_inside", "construct_inside", "conveyor_inside", "destroy_actor_inside",
              "leave_scope")
for i, (command, environment) in enumerate(places(2)):
    for n_workers in ("2", "4"):
        for case in share_if_sanitized(ON_WORKERS, i + int(n_workers) // 2):
            check(case, command, dict(environment, SHOAL_WORKERS=n_workers), *CASES[case])
    job = run("never", command, dict(environment, SHOAL_WORKERS="2"))
    if job.returncode == 0 or len(re.findall(rf"a task \({PLACE}\) waits for an answer \({PLACE}\)", job.stderr)) != 2:
        fail("never on two workers", command, environment, job)
    # One task waits for room on the PE's own thread, the other one on its other worker.
    job = run("room", command, dict(environment, SHOAL_WORKERS="2", SHOAL_SLOTS="16", SHOAL_SLOT_BYTES="64"))
    told = (r"PE 0 waits: for room to send \(actor full, message long\).*; its own thread runs a task \(" + PLACE + r"\)"
            r".*; worker 1 waits for room to send in a task \(" + PLACE + r"\)")
    if job.returncode == 0 or len(re.findall(told, job.stderr)) != 1:
        fail("room on two workers", command, environment, job)
    if environment.get("SHOAL_SUBSTRATE") == "sim":
        for n_workers in ("1", "2"):
            job = run("poll", command, dict(environment, SHOAL_WORKERS=n_workers))
            told = rf"a task \({PLACE}\) waits for others, by yield_task \({PLACE}\)"
            if job.returncode == 0 or len(re.findall(told, job.stderr)) != 2:
                fail("poll", command, environment, job)
    else:
        for case, pattern in CASES_ELSEWHERE.items():
            check(case, command, dict(environment, SHOAL_WORKERS="2"), 2, pattern)

# Tasks of a superstep that is broken off end, or never go on, on all workers; then the program goes on. Another worker may have
# begun the task before.
for command, environment in places(3):
    for _ in range(5):
        job = run("catch", command, dict(environment, SHOAL_WORKERS="3"))
        if job.returncode != 1 or not re.search("the program threw: (the program ends itself|a task is left)", job.stderr):
            fail("catch on three workers", command, environment, job)

job = run("", [], {"SHOAL_WORKERS": "0"})
if job.returncode != 2 or "SHOAL_WORKERS" not in job.stderr:
    fail("no worker", [], {}, job)
job = run("", [], {"SHOAL_TASK_STACK": "1k"})
if job.returncode != 2 or "SHOAL_TASK_STACK=1024: the stack of a task has from 16k to 512M; 256k is usual" not in job.stderr:
    fail("stack", [], {}, job)
# An overflow strikes the page below the stack, and nothing else. The address sanitizer tells of it by itself.
OVERFLOW = (r"shoal: PE 0: segmentation fault at address 0x[0-9a-f]+, where the stack of a task of 256 KiB ends \(deep recursion, "
            r"or large local variables; raise SHOAL_TASK_STACK\), in a task( on its worker 1)?$")
for n_workers in ("1", "2"):
    job = run("overflow", [os.path.join(BIN, "shoalrun"), "-n", "1"], {"SHOAL_WORKERS": n_workers})
    if job.returncode == 0 or ("AddressSanitizer" not in job.stderr and not re.search(OVERFLOW, job.stderr, re.MULTILINE)):
        fail("overflow", [], {}, job)
job = run("overflow", [os.path.join(BIN, "shoalrun"), "-n", "1"], {"SHOAL_TASK_STACK": "4M"})
if job.returncode != 0:
    fail("overflow with room", [], {}, job)

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
