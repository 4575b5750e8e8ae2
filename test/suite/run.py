#!/usr/bin/env python3
"""run.py BACKEND PES NODE_SIZE PROGRAM [ARGS...]: runs a program on PEs of a backend; node size `all`: no limit."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

backend, n_pes, node_size, *program = sys.argv[1:]
reason = backends.why_not(backend)
if reason:
    print("skipped:", reason)
    sys.exit(77)
launcher, environment = backends.command_on(backend, int(n_pes), None if node_size == "all" else int(node_size))
command = [*launcher, *program]
os.execvpe(command[0], command, environment)
