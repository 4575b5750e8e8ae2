"""`shoal conveyor-bench` on every network substrate, where some PEs reach each other only through the library."""
# labels: network

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
import backends  # noqa: E402
from runs import run  # noqa: E402

# Kinds of traffic that compare what arrived in different ways. Launches take time: two cases with one-sided access, as
# between processes of one machine, and all cases without it.
CASES = {
    "mpi": ("matrix 50 16 --point-to-point", "vector 20 --steady-test", "tensor 50 --histogram",
            "matrix 50 --index-gather"),
    "mpi-rma": ("matrix 50 16 --point-to-point", "vector 50 --histogram"),
    "shmem": ("matrix 50 16 --point-to-point", "vector 50 --histogram"),
}


class Networks(unittest.TestCase):
    def expect_verified(self, backend, node_size):
        substrate = backends.NETWORKS[backend][0]
        for case in CASES[substrate] if node_size is not None else CASES[substrate][:1]:
            with self.subTest(backend=backend, node_size=node_size, case=case):
                launcher, environment = backends.command_on(backend, 4, node_size)
                result = run(*case.split(), "-n1", "--json", "-", launcher=launcher, environment=environment)
                self.assertEqual(result.returncode, 0, result.stderr)
                (o,) = [json.loads(line) for line in result.stdout.splitlines()]
                self.assertEqual((o["verified"], o["pes"], o["substrate"]), (True, 4, substrate))

    def test_backends(self):
        for backend in BACKENDS:
            for node_size in (None, 2):
                self.expect_verified(backend, node_size)


if __name__ == "__main__":
    BACKENDS = []
    for name in backends.NETWORKS:
        reason = backends.why_not(name)
        if reason is None:
            BACKENDS.append(name)
        else:
            print(f"{name}: left out: {reason}")
    if not BACKENDS:
        sys.exit(77)  # here, because within a test it counts as an error
    unittest.main()
