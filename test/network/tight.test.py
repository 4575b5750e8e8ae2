#!/usr/bin/env python3
# Goal: with buffers of a few messages and no slot to spare, the contract holds over every wire. On each, one program runs
# on 2 PEs and the other one on 3; `make test-all`, which asks for more seeds, runs each on both.
# processors: 2
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

# The lines at the tops of the programs.
PROGRAMS = {
    "contract.actor.tight_processes.test": {"SHOAL_SLOT_BYTES": "64", "SHOAL_SLOTS": "12", "SHOAL_SHARED_SLOTS": "0"},
    "contract.conveyor.tight_processes.test": {"SHOAL_SLOT_BYTES": "64", "SHOAL_SLOTS": "4", "SHOAL_SHARED_SLOTS": "0"},
}

RUNS_ALL = int(os.environ.get("SHOAL_TEST_SEEDS", "1")) > 1

failures = 0
n_run = 0
for b, backend in enumerate(backends.NETWORKS):
    if reason := backends.why_not(backend):
        print(f"skipped {backend}: {reason}")
        continue
    for p, (program, settings) in enumerate(PROGRAMS.items()):
        for n_pes in (2, 3) if RUNS_ALL else (2 + (b + p) % 2,):
            launcher, environment = backends.command_on(backend, n_pes, 1)
            begin = time.monotonic()
            try:
                job = subprocess.run([*launcher, os.path.join(os.environ["SHOAL_BIN"], program)], text=True,
                                     capture_output=True, timeout=200, env={**environment, **settings})
                status, said = job.returncode, job.stdout + job.stderr
            except subprocess.TimeoutExpired as late:
                status, said = "none: it hangs", (late.stdout or b"").decode()
            n_run += 1
            failures += status != 0
            print(f"{'ok' if status == 0 else 'FAILED'} {backend}, {n_pes} PEs: {program} "
                  f"({time.monotonic() - begin:.1f} s)", flush=True)
            if status != 0:
                print(f"status {status}\n{said}")

if n_run == 0:
    sys.exit(77)
sys.exit(1 if failures else 0)
