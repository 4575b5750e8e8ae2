#!/usr/bin/env python3
# Goal: 10^9 small messages to a slow receiver over MPI leave every PE's resident memory within its budget.
# labels: long
# timeout: 1200
# processors: 2
#
#   soak.test.py [N]       another number of messages
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

n = sys.argv[1] if len(sys.argv) > 1 else "1000000000"
if reason := backends.why_not("mpi-openmpi"):
    print("skipped:", reason)
    sys.exit(77)
launcher, environment = backends.command_on("mpi-openmpi", 2, node_size=1)
job = subprocess.run([*launcher, os.path.join(os.environ["SHOAL_BIN"], "network.soak"), n],
                     env={**environment, "SHOAL_MEMORY": "16M"})
sys.exit(job.returncode)
