#!/usr/bin/env python3
# Goal: programs call MPI and OpenSHMEM themselves beside Shoal, and are told which combinations are wrong.
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

BIN = os.environ["SHOAL_BIN"]


def launched(backend, n_pes, node_size, program, *arguments, **settings):
    """Runs a program on PEs of a backend, or skips the test."""
    if reason := backends.why_not(backend):
        raise unittest.SkipTest(reason)
    launcher, environment = backends.command_on(backend, n_pes, node_size)
    return subprocess.run([*launcher, os.path.join(BIN, program), *arguments], capture_output=True, text=True,
                          timeout=60, env={**environment, **settings})


class Case(unittest.TestCase):
    def assert_ok(self, job, output="ok\n"):
        self.assertEqual((job.returncode, job.stdout), (0, output), job.stderr)
        self.assertNotIn("shoal: ", job.stderr)

    def assert_refused(self, job, pattern):
        self.assertEqual(job.returncode, 2, job.stdout + job.stderr)
        reports = [line for line in job.stderr.splitlines() if line.startswith("shoal: ")]
        self.assertEqual(len(reports), 1, job.stderr)
        self.assertRegex(reports[0], pattern)


class OwnMpi(Case):
    def test_program_that_begins_and_ends_mpi(self):
        for backend, library, n_pes, node_size in (("mpi-openmpi", "openmpi", 4, None), ("mpi-openmpi", "openmpi", 3, 1),
                                                   ("mpi-mpich", "mpich", 3, None), ("mpi-mpich", "mpich", 2, 1),
                                                   ("mpi-rma-openmpi", "openmpi", 3, 1)):
            with self.subTest(backend=backend, n_pes=n_pes, node_size=node_size):
                self.assert_ok(launched(backend, n_pes, node_size, f"network.own_mpi-{library}", "begins"))

    def test_program_that_leaves_it_to_shoal(self):
        for library in ("openmpi", "mpich"):
            with self.subTest(library):
                self.assert_ok(launched(f"mpi-{library}", 2, 1, f"network.own_mpi-{library}", "leaves"))

    def test_other_mpi_than_asked_for(self):
        for library, other in (("mpich", "openmpi"), ("openmpi", "mpich")):
            with self.subTest(library):
                if reason := backends.why_not(f"mpi-{other}"):
                    self.skipTest(reason)
                job = launched(f"mpi-{library}", 2, None, f"network.own_mpi-{library}", "leaves", SHOAL_MPI=other)
                self.assert_refused(job, r"the program has loaded (Open MPI|MPICH), and (MPICH|Open MPI) was to be "
                                         r"opened beside it .*SHOAL_MPI=")


class OwnShmem(Case):
    def test_program_that_begins_and_ends_openshmem(self):
        for n_pes, node_size in ((2, None), (3, 1)):
            with self.subTest(n_pes=n_pes, node_size=node_size):
                self.assert_ok(launched("shmem", n_pes, node_size, "network.own_shmem-shmem", "begins"), "ok shmem\n")

    def test_program_that_leaves_it_to_shoal_need_not_choose_the_substrate(self):
        job = launched("shmem", 2, None, "network.own_shmem-shmem", "leaves", SHOAL_SUBSTRATE="")
        self.assert_ok(job, "ok shmem\n")


class Twice(Case):
    def test_library_that_shoal_began_serves_every_run(self):
        for backend in ("mpi-openmpi", "mpi-mpich", "shmem"):
            for node_size in (None, 1):
                with self.subTest(backend=backend, node_size=node_size):
                    self.assert_ok(launched(backend, 2, node_size, "network.twice"), "turn 1\nturn 2\n")


if __name__ == "__main__":
    if all(map(backends.why_not, backends.NETWORKS)):
        print("skipped:", *map(backends.why_not, backends.NETWORKS), sep="\n")
        sys.exit(77)
    unittest.main(verbosity=2)
