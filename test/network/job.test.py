#!/usr/bin/env python3
# Goal: jobs open and close on every network substrate, beside the program's own MPI calls, and fail with one report.
# timeout: 300
# processors: 0
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
# Backend, PEs, PEs of a node. Each takes seconds, so only a few cases run on all.
ALL = [(backend, 3, node_size) for backend in backends.NETWORKS for node_size in (None, 1)]
SEVERAL = [("mpi-openmpi", 3, 1), ("mpi-mpich", 3, None), ("mpi-rma-openmpi", 3, 1), ("shmem", 3, 1)]


def launched(backend, n_pes, node_size, program, *arguments):
    """Runs a program on PEs of a backend, or skips the test."""
    if reason := backends.why_not(backend):
        raise unittest.SkipTest(reason)
    launcher, environment = backends.command_on(backend, n_pes, node_size)
    return subprocess.run([*launcher, os.path.join(BIN, program), *arguments], capture_output=True, text=True,
                          timeout=60, env=environment)


class Case(unittest.TestCase):
    def on_all(self, check, *arguments, cover=SEVERAL):
        """Calls `check` with the job of each backend."""
        for backend, n_pes, node_size in cover:
            with self.subTest(backend=backend, n_pes=n_pes, node_size=node_size):
                check(launched(backend, n_pes, node_size, "actor.job", *arguments))

    def ok(self, job):
        self.assertEqual((job.returncode, job.stdout), (0, "ok\n"), job.stderr)
        self.assertNotIn("shoal: ", job.stderr)

    def silent(self, status):
        def check(job):
            self.assertEqual(job.returncode, status, job.stderr)
            self.assertNotIn("shoal: ", job.stderr)
        return check

    def one_report(self, pattern, status):
        def check(job):
            self.assertEqual(job.returncode, status, job.stdout + job.stderr)
            reports = [line for line in job.stderr.splitlines() if line.startswith("shoal: ")]
            self.assertEqual(len(reports), 1, job.stderr)
            self.assertRegex(reports[0], pattern)
        return check


class Openings(Case):
    def test_many(self):
        self.on_all(self.ok, "many", "12", cover=ALL)

    def test_with_runs_in_between(self):
        self.on_all(self.ok, "run_again", cover=SEVERAL[:2])

    def test_what_an_unfinished_conveyor_left_does_not_reach_the_next(self):
        self.on_all(self.ok, "leave_items")


class Ends(Case):
    def test_exit_by_policy(self):
        self.on_all(self.silent(0), "exit_inside", "close 0")
        self.on_all(self.silent(3), "exit_inside", "close 3")
        self.on_all(self.one_report("PE 1: exit was called in the middle of the job; close the shoal::job first", 2),
                    "exit_inside", "report 3", cover=SEVERAL[:2])

    def test_return_and_exit_and_close_are_one_end(self):
        self.on_all(self.ok, "leave_in_several_ways", "close")

    def test_forked_children_are_no_pes(self):
        self.on_all(self.ok, "fork_inside", "close", cover=[*SEVERAL, ("shmem", 1, None)])

    def test_programs_that_pes_execute_inherit_nothing_of_shoal(self):
        self.on_all(self.ok, "exec_inside", "list_descriptors", cover=[*SEVERAL, ("shmem", 1, None)])

    def test_exception_that_nobody_catches(self):
        self.on_all(self.one_report("PE 0: the program threw: no such file$", 1), "throw_uncaught", cover=SEVERAL[:2])

    def test_process_that_ends_while_others_open_again(self):
        self.on_all(self.one_report("PE 1 has ended its process while PE 0 is in shoal::run or shoal::job, to begin world "
                                    "2", 2), "leave_between")

    def test_killed_pe(self):
        for way in ("kill_in_second", "kill_between"):
            self.on_all(lambda job: self.assertNotEqual(job.returncode, 0), way, cover=SEVERAL[:2])


class BesideMpi(Case):
    def on_mpi(self, check, what):
        for backend, library, n_pes, node_size in (("mpi-openmpi", "openmpi", 4, None), ("mpi-openmpi", "openmpi", 3, 1),
                                                   ("mpi-mpich", "mpich", 3, None), ("mpi-mpich", "mpich", 2, 1),
                                                   ("mpi-rma-openmpi", "openmpi", 3, 1)):
            with self.subTest(backend=backend, n_pes=n_pes, node_size=node_size):
                check(launched(backend, n_pes, node_size, f"network.own_job-{library}", what))

    def test_program_that_begins_and_ends_mpi(self):
        self.on_mpi(self.ok, "begins")

    def test_program_that_leaves_it_to_shoal(self):
        self.on_mpi(self.ok, "leaves")

    def test_mpi_that_the_program_ends_though_shoal_began_it(self):
        self.on_mpi(self.one_report("(Open MPI|MPICH) .* was ended in this process by the program, although "
                                    "Shoal began it; let Shoal end it", 2), "ends")


if __name__ == "__main__":
    if all(map(backends.why_not, backends.NETWORKS)):
        print("skipped:", *map(backends.why_not, backends.NETWORKS), sep="\n")
        sys.exit(77)
    unittest.main(verbosity=2)
