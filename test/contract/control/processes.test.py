#!/usr/bin/env python3
# Goal: waves keep their promises on every backend and with nodes of any size, and a floating-point fold gives the same
# bits on all of them.
# timeout: 600
# programs: shoalrun
# processors: 2
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import backends  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "contract.control.waves")
# PEs and node size (None: the default).
ALL = [(1, None), (2, None), (3, None), (4, None), (7, None)]
ON_NODES = [(2, None), (2, 1), (3, 2), (7, 2), (7, 3)]

failures = 0
bits = {}  # by number of PEs
for backend in sys.argv[1:] or backends.BACKENDS:
    if reason := backends.why_not(backend):
        print(f"skipped {backend}: {reason}")
        continue
    for n_pes, node_size in ON_NODES if backend in backends.NETWORKS else ALL:
        launcher, environment = backends.command_on(backend, n_pes, node_size)
        begin = time.monotonic()
        try:
            job = subprocess.run([*launcher, PROGRAM], text=True, capture_output=True, timeout=120, env=environment)
            status, said, errors = job.returncode, job.stdout, job.stderr
        except subprocess.TimeoutExpired as late:
            status, said, errors = "none: it hangs", (late.stdout or b"").decode(), (late.stderr or b"").decode()
        is_well = status == 0 and said.startswith(f"ok: {n_pes} PEs, ")
        is_well = is_well and bits.setdefault(n_pes, said) == said
        failures += not is_well
        print(f"{'ok' if is_well else 'FAILED'} {backend}, {n_pes} PEs, node size {node_size or 'all'} "
              f"({time.monotonic() - begin:.1f} s)", flush=True)
        if not is_well:
            print(f"status {status}\n{said}{errors}")
sys.exit(1 if failures else 0)
