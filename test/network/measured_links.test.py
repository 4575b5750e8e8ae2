#!/usr/bin/env python3
# Goal: over each library, PEs that have cores of their own learn what their links cost while a job runs, and the statistics say
# so; PEs that share cores learn nothing. (What they learn is checked where figures are known: substrate.link_meter.)
# programs: all_tools
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

SHOAL = os.path.join(os.environ["SHOAL_BIN"], "shoal")
MEASURED = re.compile(r"shoal: costs of links \(measured while the job ran\): latency 1500 ns, overhead (\d+) ns, gap 500 ns "
                      r"and (\S+) ns a byte")


def statistics(backend, cores=None):
    """What a job of two PEs, on nodes of one, says of itself; on these cores, if there are any."""
    launcher, environment = backends.command_on(backend, 2, 1)
    pin = None if cores is None else (lambda: os.sched_setaffinity(0, cores))
    job = subprocess.run([*launcher, SHOAL, "run", "bfs", "--graph", "rmat:scale=12", "--variant", "actor", "--repeat", "3"],
                         capture_output=True, text=True, timeout=120, env={**environment, "SHOAL_STATS": "1"},
                         preexec_fn=pin)
    assert job.returncode == 0, job.stderr
    return job.stderr


class MeasuredLinks(unittest.TestCase):
    def test_are_told_in_the_statistics(self):
        info = subprocess.run([SHOAL, "info"], capture_output=True, text=True, check=True).stdout
        if int(re.search(r"cores.*?(\d+)", info)[1]) < 2:
            self.skipTest("two PEs need two cores")
        for backend in backends.NETWORKS:
            if backends.why_not(backend):
                continue
            with self.subTest(backend):
                found = MEASURED.search(statistics(backend))
                self.assertIsNotNone(found)
                self.assertGreater(int(found[1]), 0)

    def test_are_guesses_where_pes_share_cores(self):
        if backends.why_not("mpi-mpich"):
            self.skipTest("needs MPICH, whose launcher leaves PEs where it is")
        self.assertNotIn("measured while the job ran", statistics("mpi-mpich", {min(os.sched_getaffinity(0))}))


if __name__ == "__main__":
    unittest.main()
