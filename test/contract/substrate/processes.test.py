#!/usr/bin/env python3
# Goal: control messages keep their contract on PEs that are processes, on every backend, and a job ends cleanly while
# some are unread. Also with more PEs than cores, and with nodes of any size.
# timeout: 600
# programs: shoalrun
# processors: 2
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import backends  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "contract.substrate.control")
# PEs and node size (None: the default). Five PEs on nodes of two: a node of one, and two of two.
ON_A_NODE = [(1, None), (2, None), (3, None), (4, None), (7, None)]
ON_NODES = [(2, 1), (3, 1), (3, 2), (7, 2)]

failures = 0
only = sys.argv[1:]
for backend in ("local", *backends.NETWORKS):
    if only and backend not in only:
        continue
    if reason := backends.why_not(backend):
        print(f"skipped {backend}: {reason}")
        continue
    for n_pes, node_size in ON_A_NODE if backend == "local" else [(2, None), *ON_NODES]:
        launcher, environment = backends.command_on(backend, n_pes, node_size)
        begin = time.monotonic()
        try:
            job = subprocess.run([*launcher, PROGRAM], text=True, capture_output=True, timeout=60, env=environment)
            status, said, errors = job.returncode, job.stdout, job.stderr
        except subprocess.TimeoutExpired as late:
            status, said, errors = "none: it hangs", (late.stdout or b"").decode(), (late.stderr or b"").decode()
        is_well = status == 0 and said == f"ok: {n_pes} PEs\n" and errors == ""
        failures += not is_well
        print(f"{'ok' if is_well else 'FAILED'} {backend}, {n_pes} PEs, node size {node_size or 'all'} "
              f"({time.monotonic() - begin:.1f} s)", flush=True)
        if not is_well:
            print(f"status {status}\n{said}{errors}")
sys.exit(1 if failures else 0)
