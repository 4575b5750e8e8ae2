#!/usr/bin/env python3
# Goal: misuse and failure end the job on all PEs, promptly, with one report that names the thing and the fix.
# timeout: 120
import os
import re
import subprocess
import sys
import time

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.errors")

# What goes wrong: the exit status and what the one report must say.
CASES = {
    "send_out_of_range": (2, r"shoal: PE \d: actor lambda, message long: send to PE 3, which is out of range; "
                             r"PEs are 0 to 2"),
    "send_after_done": (2, r"shoal: PE \d: actor lambda, message long: send by the main program after done"),
    "send_outside_finish": (2, r"shoal: PE \d: actor lambda, message long: send outside finish; .*send inside "
                               r"world\.finish"),
    "throw_in_handler": (1, r"shoal: PE 0: actor lambda, message long: handler threw: no such slot \(message from PE 1\)"),
    "finish_in_handler": (2, r"shoal: PE 0: actor lambda, message long: finish in a handler, where nothing may wait"),
    "throw_in_body": (1, r"shoal: PE 1: the program threw: no such file"),
    "return_early": (2, r"collective calls do not match: .*PE 1 left the program's body \(returned\)|"
                        r"collective calls do not match: PE 1 .* while PE 0"),
    "exit_early": (2, r"shoal: PE 1: exit was called in the middle of the job"),
    "exit_at_once": (1, r"shoalrun: PE 1 \(process \d+\) left with status 0 in the middle of the job"),
    "other_order": (2, r"collective calls do not match: PE 1 is in barrier .* while PE 0 is in all_reduce"),
    "killed": (137, r"shoalrun: PE 1 \(process \d+\) was killed by signal 9 \(Killed\); ended the other 2 PEs"),
    "heap": (2, r"the symmetric heap is exhausted: .*raise SHOAL_HEAP"),
    "large_closure": (2, r"an item of 100000 bytes does not fit into a buffer of \d+ bytes; set SHOAL_SLOT_BYTES"),
    "deallocate_twice": (2, r"deallocate of an array that is not allocated"),
    "destroy_in_other_order": (2, r"collective calls do not match: PE \d is in the end of a mailbox while PE \d is in "
                                  r"the end of a mailbox"),
    "late_per_pe": (2, r"shoal: PE 0: the handle of a per_pe was used on this PE before the per_pe was constructed"),
    "advance_in_handler": (2, r"advance of conveyor in a handler, where nothing may wait"),
    "limit_of_nothing": (2, r"limit_unsent of 0, with which try_send never sends"),
    "throw_in_reduction": (1, r"the operation of a reduction or scan threw an exception"),
    "return_256": (1, r"shoalrun: PE \d \(process \d+\) exited with status 1"),
    "conveyor_state": (2, r"conveyor: push is illegal while dormant"),
}

failures = 0


def check(name, n_pes, status, pattern, env=None):
    """Runs the program under the launcher or, without n_pes, by itself."""
    global failures
    begin = time.monotonic()
    launcher = [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)] if n_pes else []
    job = subprocess.run([*launcher, PROGRAM, name], text=True,
                         capture_output=True, timeout=60, env=dict(os.environ, **(env or {})))
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


for name, (status, pattern) in CASES.items():
    check(name, 3, status, pattern)

# The simulator reports the same.
for name in ("send_out_of_range", "throw_in_body", "exit_early"):
    check(name, None, *CASES[name], {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "3"})

BAD_SETTINGS = {
    "SHOAL_SLOTS": ("abc", r"shoal: SHOAL_SLOTS=abc is not a whole number from 2 to"),
    "SHOAL_MEMORY": ("12q", r"shoal: SHOAL_MEMORY=12q is not a size; write for example 64k"),
    "SHOAL_SUBSTRATE": ("mpl", r"shoal: unknown substrate 'mpl' \(SHOAL_SUBSTRATE\); choose local, threads or sim"),
    "SHOAL_HEAP": ("0", r"shoal: SHOAL_HEAP=0: the symmetric heap has at least 4k"),
    "SHOAL_SLOT_BYTES": ("63", r"shoal: SHOAL_SLOT_BYTES=63: a slot holds from 64 bytes to 64M"),
    "SHOAL_SIM": ("latncy=1", r"shoal: SHOAL_SIM: unknown entry 'latncy'; known: latency"),
}
for variable, (value, pattern) in BAD_SETTINGS.items():
    check(variable, 1, 2, pattern, {variable: value})

sys.exit(1 if failures else 0)
