#!/usr/bin/env python3
# Goal: a closure that captures an address is refused where it is sent, with file, line and byte; numbers, padding and
# what travels back are not.
# programs: shoalrun actor.captures
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from backends import command_on, why_not  # noqa: E402
from share import share_if_sanitized  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "actor.captures")
MEMORY = {"stack": "its PE's stack", "heap": "its process's heap or other private memory",
          "image": "the program or a library"}
REFUSED = {  # case: what is captured, at which byte
    "stack": ("stack", 0),
    "this": ("stack", 0),
    "this_on_heap": ("heap", 0),
    "image": ("(image|heap)", 0),  # large zeroed data of a program have no file
    "text": ("image", 0),
    "heap": ("heap", 0),
    "large_heap": ("heap", 0),
    "large_closure": ("stack", 40),
    "beside_another": ("stack", 0),
    "lambda_actor": ("stack", 0),
    "from_a_handler": ("stack", 0),
}
ACCEPTED = ("origin", "numbers", "symmetric_heap", "padding", "partly_padding", "null")

failures = 0


def run(backend, n_pes, case, **settings):
    if backend == "threads":
        command, environment = [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    else:
        command, environment = command_on(backend, n_pes)
    environment.update(settings)
    return subprocess.run([*command, PROGRAM, case], env=environment, text=True, capture_output=True, timeout=100)


def check(backend, n_pes, case, status, pattern, **settings):
    global failures
    job = run(backend, n_pes, case, **settings)
    reports = [line for line in job.stderr.splitlines() if line.startswith(("shoal: ", "shoalrun: "))]
    is_right = len(reports) == 1 and re.search(pattern, reports[0]) if pattern else job.stderr == ""
    if job.returncode != status or not is_right:
        failures += 1
        print(f"FAILED {backend} at {n_pes} PEs, {case} {settings}: status {job.returncode}, expected {status} and "
              f"{pattern}\n{job.stderr}")


for turn, (backend, sizes) in enumerate((("local", (1, 3)), ("sim", (1, 3)), ("threads", (3,)), ("mpi-mpich", (3,)))):
    if reason := why_not(backend) if backend != "threads" else None:
        print(f"{backend}: left out, {reason}")
        continue
    for n_pes in sizes:
        for case in share_if_sanitized(REFUSED, turn + n_pes // 2):
            memory, byte = REFUSED[case]
            text = "|".join(MEMORY[each] for each in memory.strip("()").split("|"))
            # A stack of `sim` and `threads` is not the one that the system knows as such.
            check(backend, n_pes, case, 2,
                  rf"shoal: PE \d: closure .*lambda.*, sent at \S*captures\.program\.cpp:\d+, captures an address in "
                  rf"({text}) \(at byte {byte}\), which means nothing on another PE; capture a value or the handle of "
                  r"a per_pe, and shoal::origin for an address that only travels back here( \(sim: .*\))?$")
        for case in share_if_sanitized(ACCEPTED, turn + n_pes // 2):
            check(backend, n_pes, case, 0, None)
for backend in ("local", "sim"):
    check(backend, 3, "origin_elsewhere", 2, r"PE 2: a shoal::origin was used on another PE than the one that made it")
    for settings in ({"SHOAL_HOPS": "2"}, {"SHOAL_SLOT_BYTES": "64"}):
        check(backend, 3, "stack", 2, "captures an address in its PE's stack", **settings)
        check(backend, 3, "origin", 0, None, **settings)

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
