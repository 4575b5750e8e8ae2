"""MPICH in the lab. Separate and `long`: other programs sometimes hang in MPI_Finalize of MPICH 4.0 over TCP."""
# labels: long
# processors: 2

import os
import subprocess
import unittest

from programs import RING, compiled, lab, main, seconds_taken


def lab_until_it_ends(*arguments, **more):
    for _ in range(6):
        try:
            return lab(*arguments, timeout=10, **more)
        except subprocess.TimeoutExpired:
            print("MPICH hangs; once more")
    raise AssertionError("MPICH has hung six times")


class MPICH(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ring = compiled(RING, "mpicc.mpich")

    def test_runs_across_hosts_with_the_environment(self):
        done = lab_until_it_ends("--hosts", 3, "--mpi", "mpich", "--pes-per-host", 2, "mpirun", self.ring, 8, 0,
                                 environment={"SHOAL_WORD": "hello"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(line for line in done.stdout.splitlines() if " on " in line),
                         [f"{rank} of 6 on host{rank // 2 + 1} heard hello" for rank in range(6)])
        self.assertIn("token 6 ", done.stdout)

    def test_rate_slows_the_network_down(self):
        done = lab_until_it_ends("--hosts", 2, "--rate", "50mbit", "--mpi", "mpich", "mpirun", self.ring, 3_000_000, 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(seconds_taken(done.stdout), 0.7)  # 0.96 s

    def test_status_of_a_failing_job_is_passed_on(self):
        done = lab_until_it_ends("--hosts", 2, "--mpi", "mpich", "mpirun", self.ring, 8, 5)
        self.assertEqual(done.returncode, 5)

    def test_programs_of_shoal_end(self):
        shoal = os.path.join(os.environ["SHOAL_BIN"], "shoal")
        for launch in range(10):  # straight to MPI_Finalize, 5 of 19 hung
            with self.subTest(launch=launch):
                done = lab("--hosts", 3, "--mpi", "mpich", "mpirun", shoal, "run", "index_gather", "--reads", 1000,
                           environment={"SHOAL_SUBSTRATE": "mpi"})
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    main()
