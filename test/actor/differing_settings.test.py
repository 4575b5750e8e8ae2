"""Settings that all PEs must share are compared before anything follows from them, with one line that names them."""
# timeout: 300
# programs: shoalrun example_first
# processors: 0
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "first")  # examples/first.cpp ends with 0 if it counted right

# A variable, what most PEs have, what the last PE has, how the report shows both.
CHOICES = [
    ("SHOAL_HEAP", "1M", "2M", r" \(1048576 and 2097152\)"),
    ("SHOAL_SLOTS", "64", "65", r" \(64 and 65\)"),
    ("SHOAL_SLOT_BYTES", "1k", "2k", r" \(1024 and 2048\)"),
    ("SHOAL_SHARED_SLOTS", "0", "1", r" \(0 and 1\)"),
    ("SHOAL_MEMORY", "16M", "32M", r" \(16777216 and 33554432\)"),
    ("SHOAL_HOPS", "1", "2", r" \(1 and 2\)"),
    ("SHOAL_NODE_SIZE", "1", "2", r" \(1 and 2\)"),
    ("SHOAL_CODEC", "none", "delta", ""),
    ("SHOAL_STATS", "0", "1", r" \(0 and 1\)"),
    ("SHOAL_STATS", "json", "0", r" \(1 and 0\)"),
]
NETWORKS = ("mpi-openmpi", "mpi-mpich", "shmem")
# Where launchers tell a process its number.
RANK = "${SHOAL_PE:-${OMPI_COMM_WORLD_RANK:-$PMI_RANK}}"


class Differing(unittest.TestCase):
    def start(self, backend, n_pes, variable, most, last):
        launcher, environment = backends.command_on(backend, n_pes)
        script = f"if [ {RANK} = {n_pes - 1} ]; then export {variable}={last}; else export {variable}={most}; fi; "
        return subprocess.run([*launcher, "bash", "-c", script + f"exec {PROGRAM}"], env=environment, capture_output=True,
                              text=True, timeout=100)

    def check(self, backend, n_pes, choices):
        for variable, most, last, shown in choices:
            with self.subTest(backend=backend, n_pes=n_pes, variable=variable):
                job = self.start(backend, n_pes, variable, most, last)
                # MPICH's launcher kills the others when the first has ended with status 2, and tells of the signal.
                self.assertIn(job.returncode, (2, 9) if backend == "mpi-mpich" else (2,), job.stderr)
                reports = [line for line in job.stderr.splitlines() if line.startswith("shoal: ")]
                self.assertEqual(len(reports), 1, job.stderr)
                self.assertRegex(reports[0], rf"^shoal: PE \d and PE {n_pes - 1} differ in {variable}{shown}; start all "
                                             r"PEs with the same SHOAL_ variables")

    def test_on_local(self):
        for n_pes in (2, 7):
            self.check("local", n_pes, CHOICES)

    def test_on_networks(self):
        for backend in NETWORKS:
            if reason := backends.why_not(backend):
                self.skipTest(reason)
            choices = CHOICES[:6] if backend == "mpi-openmpi" else CHOICES[1:3]  # the comparison is the same for all
            self.check(backend, 3, choices)

    def test_equal_ones_are_not_refused(self):
        for backend in ("local", *NETWORKS):
            for n_pes in (1, 3):
                with self.subTest(backend=backend, n_pes=n_pes):
                    if reason := backends.why_not(backend):
                        self.skipTest(reason)
                    job = self.start(backend, n_pes, "SHOAL_SLOTS", "64", "64")
                    self.assertEqual(job.returncode, 0, job.stderr)

    def test_those_that_concern_one_pe_may_differ(self):
        for variable, most, last in (("SHOAL_MAX_LATENCY", "0", "50"), ("SHOAL_CORES", "1", "2"),
                                     ("SHOAL_BIND", "none", "core"), ("SHOAL_STATS", "json", "csv"),
                                     ("SHOAL_STATS_FILE", "/dev/null", "/no/such/file")):
            with self.subTest(variable=variable):
                job = self.start("local", 3, variable, most, last)
                self.assertEqual(job.returncode, 0, job.stderr)


unittest.main()
