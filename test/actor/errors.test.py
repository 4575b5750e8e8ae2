#!/usr/bin/env python3
# Goal: misuse and failure end the job on all PEs, promptly, with one report that names the problem and the fix.
# programs: shoalrun
import os
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from errors_cases import CASES  # noqa: E402
from share import share_if_sanitized  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.errors")

failures = 0


def check(name, n_pes, status, pattern, env=None, descriptors=()):
    """Runs the program under the launcher or, without n_pes, by itself."""
    global failures
    begin = time.monotonic()
    launcher = [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)] if n_pes else []
    job = subprocess.run([*launcher, PROGRAM, name], text=True,
                         capture_output=True, timeout=60, pass_fds=descriptors, env=dict(os.environ, **(env or {})))
    seconds = time.monotonic() - begin
    lines = [line for line in job.stderr.splitlines() if line]
    wrong = []
    if job.returncode != status:
        wrong.append(f"exit status {job.returncode} instead of {status}")
    if not re.search(pattern, job.stderr):
        wrong.append(f"no report like: {pattern}")
    if len(lines) != 1:
        wrong.append(f"{len(lines)} lines instead of one")
    if seconds > 20:  # the promise is two seconds; the machine may be busy
        wrong.append(f"took {seconds:.1f} s")
    if wrong:
        failures += 1
        print(f"FAILED {name}: {'; '.join(wrong)}\n{job.stderr}")
    else:
        print(f"ok {name} ({seconds:.2f} s)")


for name in share_if_sanitized(CASES):
    check(name, 3, *CASES[name])

# The simulator reports the same.
for name in ("send_out_of_range", "throw_in_body", "exit_early", "destroy_working_conveyor", "sum_too_large"):
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})
for name in ("get_in_handler", "drop_promise_in_handler", "throw_after_waiting_in_actor"):
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "3"})
for name in ("construct_in_other_order", "construct_one_more", "construct_another_conveyor"):
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "3"})
    check(name, 7, *CASES[name])
for name in ("background_other_call", "background_in_team", "background_throws", "background_in_task",
             "throw_beside_background"):
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "3", "SHOAL_WORKERS": "2"})
TIGHT = {"SHOAL_SLOT_BYTES": "64", "SHOAL_SLOTS": "24", "SHOAL_SHARED_SLOTS": "0"}
for name in ("catch_inside_finish", "catch_outside_finish"):
    for n_pes in (1, 3, 5):
        check(name, n_pes, *CASES[name], TIGHT)
        check(name, n_pes, *CASES[name], {**TIGHT, "SHOAL_HOPS": "2"})
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})
    check(name, None, *CASES[name], {**TIGHT, "SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "3"})
for name in ("read_less_than_written", "read_less_than_written_large"):
    for n_hops in ("1", "2", "3"):
        check(name, 3, *CASES[name], {**TIGHT, "SHOAL_HOPS": n_hops, "SHOAL_NODE_SIZE": "2"})
    check(name, None, *CASES[name], {**TIGHT, "SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})
# An element and its head would not fit into such a buffer.
check("elements_too_wide", 3, 2, r"an actor of shoal::list<.*line.*>: messages aligned to 64 in buffers of 64 bytes; set "
      "SHOAL_SLOT_BYTES to at least 256$", TIGHT)
for name in ("destroy_working_conveyor", "sum_too_large"):
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "3"})
# Objects that outlive shoal::run are no error.
for settings, n_pes in (({}, 3), ({}, 1), ({"SHOAL_STATS": "1"}, 3)):
    launcher = [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)]
    job = subprocess.run([*launcher, PROGRAM, "outlive_run"], text=True, capture_output=True, timeout=60,
                         env=dict(os.environ, **settings))
    if (job.returncode, "shoal: PE" in job.stderr or "what()" in job.stderr) != (0, False):
        failures += 1
        print(f"FAILED outlive_run: exit status {job.returncode}\n{job.stderr}")
# One PE loses items as three do.
check("destroy_working_conveyor", 1, *CASES["destroy_working_conveyor"])

# Each process that shoalrun starts would simulate all PEs again.
for substrate in ("sim", "threads"):
    check("throw_everywhere", 3, 2, f"shoal: SHOAL_SUBSTRATE={substrate} has all its PEs in one process, but shoalrun "
          "started 3; run the program without shoalrun, with SHOAL_PES=3$", {"SHOAL_SUBSTRATE": substrate})

BAD_SETTINGS = {
    "SHOAL_SLOTS": ("abc", r"shoal: SHOAL_SLOTS=abc is not a whole number from 2 to"),
    "SHOAL_MEMORY": ("12q", r"shoal: SHOAL_MEMORY=12q is not a size; write for example 64k"),
    "SHOAL_MAX_LATENCY": ("soon", r"shoal: SHOAL_MAX_LATENCY=soon is not a whole number from 0 to 1000000000"),
    "SHOAL_SUBSTRATE": ("mpl", r"shoal: unknown substrate 'mpl' \(SHOAL_SUBSTRATE\); choose local, threads, sim, mpi, "
                               r"mpi-rma or shmem"),
    "SHOAL_HEAP": ("0", r"shoal: SHOAL_HEAP=0: the symmetric heap must be at least 4k"),
    "SHOAL_SLOT_BYTES": ("63", r"shoal: SHOAL_SLOT_BYTES=63: a slot holds from 64 bytes to 64M"),
    "SHOAL_DEBUG_PE": ("1", r"shoal: SHOAL_DEBUG_PE=1: there is no such PE; take 0$"),
    "SHOAL_SIM": ("latncy=1", r"shoal: SHOAL_SIM: unknown entry 'latncy'; known: latency"),
}
for variable, (value, pattern) in BAD_SETTINGS.items():
    check(variable, 1, 2, pattern, {variable: value})

# Even the smallest buffers would exceed it.
check("little_memory", 3, 2, r"shoal: SHOAL_MEMORY=1024: the buffers of a PE need at least 9k; 64M is usual$",
      {"SHOAL_MEMORY": "1k"})

# PEs times heap would be 0 in 64 bits.
check("throw_everywhere", None, 2, r"shoal: SHOAL_HEAP=70368744177664: the heaps of 262144 simulated PEs are more than an "
      "address space holds; lower SHOAL_HEAP or SHOAL_PES$",
      {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "262144", "SHOAL_HEAP": "65536G"})

# A misspelt variable would change nothing, silently.
for where, n_pes in (({}, 3), ({"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"}, None)):
    check("misspelt", n_pes, 2, r"shoal: SHOAL_NODESIZE is unknown and has no effect; write SHOAL_NODE_SIZE if you mean that",
          {"SHOAL_NODESIZE": "2", **where})

# A descriptor that is not a job's memory: too short, or somebody else's file.
for bytes_there, pattern in ((0, r"shoal: SHOAL_JOB_FD=\d+ is not a descriptor of a job's memory; start the program with"),
                             (8192, r"shoal: this program and the shoalrun that started it are of different Shoal")):
    with tempfile.TemporaryFile() as file:
        file.truncate(bytes_there)
        check("throw_in_body", 0, 2, pattern, {"SHOAL_JOB_FD": str(file.fileno()), "SHOAL_PE": "0", "SHOAL_PES": "1"},
              descriptors=(file.fileno(),))

sys.exit(1 if failures else 0)
