#!/usr/bin/env python3
# Goal: a PE that stands still for two seconds in the middle of a superstep, as on a machine that swaps, delays the job
# and does no other harm.
# processors: 0
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "network.paused")
SECONDS_STOPPED = 2
SECONDS_MAX = 30


def state_of(pid):
    """The letter for the state of a process in the kernel: T is stopped."""
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(") ")[2][0]


def what_is_wrong(backend, node_size):
    """Stops PE 1 of a job on a backend for a while. Returns what is wrong, in words."""
    launcher, environment = backends.command_on(backend, 2, node_size)
    job = subprocess.Popen([*launcher, PROGRAM, "0.5"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                           env=environment)
    first = job.stdout.readline()
    found = re.match(r"PE 1 is process (\d+)$", first)
    if not found:
        job.terminate()
        return f"began with: {first}{job.communicate()[0]}"
    pid = int(found.group(1))
    time.sleep(0.1)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(SECONDS_STOPPED)
    state, is_over = state_of(pid), job.poll() is not None
    os.kill(pid, signal.SIGCONT)
    try:
        said, _ = job.communicate(timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        job.terminate()  # the launcher ends its processes, too
        return f"still running after {SECONDS_MAX} s: {job.communicate()[0]}"
    if state != "T" or is_over:
        return f"PE 1 was not stopped in the middle (state {state})"
    return "" if job.returncode == 0 and said == "0 lost\n" else f"status {job.returncode}: {said}"


failures = 0
n_run = 0
for backend in (*backends.NETWORKS, "local"):
    if reason := backends.why_not(backend):
        print(f"skipped {backend}: {reason}")
        continue
    begin = time.monotonic()
    wrong = what_is_wrong(backend, 1)
    n_run += 1
    failures += bool(wrong)
    print(f"FAILED {backend}: {wrong}" if wrong else f"ok {backend} ({time.monotonic() - begin:.2f} s)", flush=True)

sys.exit(1 if failures or n_run == 0 else 0)
