#!/usr/bin/env python3
# Goal: the launcher determines the substrate, and contradictions are refused in one line.
# processors: 0
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
WHERE = os.path.join(BIN, "network.where")
SHOALRUN = os.path.join(BIN, "shoalrun")


def run(command, environment, **settings):
    """Runs a command with SHOAL_ settings. Shoal chooses the substrate unless SHOAL_SUBSTRATE is among them."""
    environment = {**environment, **settings}
    if "SHOAL_SUBSTRATE" not in settings:
        environment.pop("SHOAL_SUBSTRATE", None)
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)


def launched(backend, n_pes, *command, **settings):
    """Runs a command on PEs of a backend, by its launcher, or skips the test."""
    if reason := backends.why_not(backend):
        raise unittest.SkipTest(reason)
    launcher, environment = backends.command_on(backend, n_pes)
    return run([*launcher, *command], environment, **settings)


def two_programs(backend, first, second):
    """The program on two PEs, each of which has its own environment."""
    return launched(backend, 1, "env", *first, WHERE, ":", "-n", "1", "env", *second, WHERE)


class Case(unittest.TestCase):
    def assert_at(self, job, pattern, status=0):
        """PE 0 printed where it was, and nobody printed more."""
        self.assertEqual(job.returncode, status, job.stdout + job.stderr)
        self.assertRegex(job.stdout, rf"\A{pattern}\n\Z", job.stderr)
        self.assertNotIn("shoal: ", job.stderr)

    def assert_refused(self, job, pattern):
        """One line says what is wrong, and nothing ran."""
        # MPICH's launcher kills the others when one has left, by SIGKILL or SIGHUP; on a busy machine it reports their end as
        # the job's.
        if job.returncode in (1, 9) and f"EXIT CODE: {job.returncode}" in job.stdout and f"(signal {job.returncode})" in job.stdout:
            job.returncode, job.stdout = 2, ""
        self.assertEqual(job.returncode, 2, job.stdout + job.stderr)
        reports = [line for line in job.stderr.splitlines() if line.startswith("shoal: ")]
        self.assertEqual(len(reports), 1, job.stderr)
        self.assertRegex(reports[0], pattern)
        self.assertEqual(job.stdout, "")


class Choice(Case):
    def test_mpirun_of_open_mpi(self):
        self.assert_at(launched("mpi-openmpi", 3, WHERE), r"mpi: 3 PEs on 1 nodes, with libmpi\.so")

    def test_mpirun_of_mpich(self):
        self.assert_at(launched("mpi-mpich", 2, WHERE), r"mpi: 2 PEs on 1 nodes, with libmpich\.so")

    def test_shoalrun_inside_mpirun_goes_first(self):
        for backend in ("mpi-openmpi", "mpi-mpich"):
            with self.subTest(backend):
                self.assert_at(launched(backend, 1, SHOALRUN, "-n", "2", WHERE), r"local: 2 PEs on 1 nodes, with")

    def test_shmem_when_asked_for(self):
        job = launched("shmem", 2, WHERE, SHOAL_SUBSTRATE="shmem")
        self.assert_at(job, r"shmem: 2 PEs on 1 nodes, with.* liboshmem.*")

    def test_one_sided_mpi_with_pretended_nodes(self):
        job = launched("mpi-rma-openmpi", 3, WHERE, SHOAL_SUBSTRATE="mpi-rma", SHOAL_NODE_SIZE="2")
        self.assert_at(job, r"mpi-rma: 3 PEs on 2 nodes, with libmpi\.so")

    def test_alone(self):
        for backend, library in (("mpi-openmpi", "openmpi"), ("mpi-mpich", "mpich")):
            with self.subTest(backend):
                if reason := backends.why_not(backend):
                    self.skipTest(reason)
                _, environment = backends.command_on(backend, 1)
                job = run([WHERE], environment, SHOAL_SUBSTRATE="mpi", SHOAL_MPI=library)
                self.assert_at(job, r"mpi: 1 PEs on 1 nodes, with libmpi.*")

    def test_status_of_the_body_is_that_of_the_job(self):
        for backend in ("mpi-openmpi", "mpi-mpich"):
            with self.subTest(backend):
                job = launched(backend, 2, WHERE, "3")
                self.assertEqual(job.returncode, 3, job.stderr)
                self.assertRegex(job.stdout, "^mpi: 2 PEs")


def trace(process):
    """Attaches to a process for a moment as a debugger does, without stopping it; false if the system forbids that."""
    seize = "import ctypes, sys, time; failed = ctypes.CDLL(None).ptrace(0x4206, int(sys.argv[1]), None, None); "
    return subprocess.run([sys.executable, "-c", seize + "time.sleep(0.3); sys.exit(failed != 0)", str(process)],
                          check=False).returncode == 0


class Debugger(Case):
    def test_the_chosen_pe_waits_until_it_is_traced(self):
        for backend in ("mpi-openmpi", "mpi-mpich", "shmem"):
            with self.subTest(backend):
                if reason := backends.why_not(backend):
                    self.skipTest(reason)
                launcher, environment = backends.command_on(backend, 2)
                job = subprocess.Popen([*launcher, WHERE], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env={**environment, "SHOAL_DEBUG_PE": "1"})
                said = job.stderr.readline()
                found = re.match(r"shoal: PE 1 \(process (\d+)\) waits for a debugger; attach with: gdb -p \1$", said)
                self.assertTrue(found, said)
                with self.assertRaises(subprocess.TimeoutExpired):
                    job.wait(0.5)
                if not trace(int(found.group(1))):
                    job.kill()
                    self.skipTest("this system forbids debuggers")
                out, err = job.communicate(timeout=60)
                self.assertEqual((job.returncode, err), (0, ""), out)
                self.assertRegex(out, r"\A(mpi|shmem): 2 PEs on 1 nodes")


class Refusals(Case):
    def test_mpi_under_shoalrun(self):
        job = run([SHOALRUN, "-n", "2", WHERE], os.environ, SHOAL_SUBSTRATE="mpi")
        self.assert_refused(job, r"SHOAL_SUBSTRATE=mpi under shoalrun, .*; start the program with mpirun, or unset")

    def test_other_number_of_pes(self):
        for backend in ("mpi-openmpi", "mpi-mpich"):
            with self.subTest(backend):
                job = launched(backend, 2, WHERE, SHOAL_PES="4")
                self.assert_refused(job, r"SHOAL_PES=4, but (Open MPI|MPICH) [\d.]+ has 2 processes; unset SHOAL_PES")

    def test_launcher_of_the_other_mpi(self):
        for backend, name, other, other_name in (("mpi-mpich", "MPICH's mpirun", "openmpi", "Open MPI"),
                                                 ("mpi-openmpi", "Open MPI's mpirun", "mpich", "MPICH")):
            with self.subTest(backend):
                if reason := backends.why_not(f"mpi-{other}"):
                    self.skipTest(reason)
                self.assert_refused(launched(backend, 2, WHERE, SHOAL_MPI=other),
                                    rf"{name} started 2 processes, but {other_name} [\d.]+ sees 1; .*SHOAL_MPI=")

    def test_no_modules(self):
        job = launched("mpi-openmpi", 2, WHERE, SHOAL_MODULES="/nowhere")
        self.assert_refused(job, r"no module for Open MPI \(shoal-openmpi\.so is not in /nowhere\); .*SHOAL_MODULES")

    def test_shmem_without_address_space(self):
        job = launched("shmem", 2, "bash", "-c", f"ulimit -v 900000; exec {WHERE}", SHOAL_SUBSTRATE="shmem")
        self.assert_refused(job, r"the limit on address space, 900000 KiB, has no room for OpenSHMEM and the heaps of 2 "
                                 r"PEs; set ulimit -v to unlimited, or to \d+ and more")

    def test_shmem_with_a_small_heap(self):
        job = launched("shmem", 2, WHERE, SHOAL_SUBSTRATE="shmem", SHOAL_NODE_SIZE="1", SHMEM_SYMMETRIC_HEAP_SIZE="1M")
        self.assert_refused(job, r"the symmetric heap of OpenSHMEM has no room for \d+ MiB; set "
                                 r"SHMEM_SYMMETRIC_HEAP_SIZE=\d+M or lower SHOAL_HEAP")

    def test_differing_sizes(self):
        for backend in ("mpi-openmpi", "mpi-mpich"):
            with self.subTest(backend):
                job = two_programs(backend, ["SHOAL_SLOTS=8"], ["SHOAL_SLOTS=9"])
                self.assert_refused(job, r"PE 0 and PE 1 differ in SHOAL_SLOTS \(8 and 9\); .*same SHOAL_ var")

    def test_differing_hops(self):
        """Both PEs start with as many hops, but only one of them may change the number."""
        job = two_programs("mpi-openmpi", ["SHOAL_HOPS=1"], [])
        self.assert_refused(job, r"PE 0 and PE 1 differ in SHOAL_HOPS \(1 and none\); ")

    def test_differing_nodes(self):
        job = two_programs("mpi-openmpi", ["SHOAL_NODE_SIZE=1"], ["SHOAL_NODE_SIZE=2"])
        self.assert_refused(job, r"PE 0 and PE 1 differ in SHOAL_NODE_SIZE \(1 and 2\); ")

    def test_differing_networks(self):
        """PEs choose their hops by these figures, and must choose the same."""
        figures = os.path.join(os.environ["SHOAL_SOURCE"], "networks", "cluster.network")
        others = os.path.join(os.environ["SHOAL_SOURCE"], "networks", "sriov-cloud.network")
        for second in ([], [f"SHOAL_NETWORK={others}"]):
            job = two_programs("mpi-openmpi", [f"SHOAL_NETWORK={figures}"], second)
            self.assert_refused(job, r"PE 0 and PE 1 differ in SHOAL_NETWORK; start all PEs with the same SHOAL_ ")

    def test_unreadable_setting_is_reported_once(self):
        for backend in ("mpi-openmpi", "mpi-mpich"):
            with self.subTest(backend):
                job = launched(backend, 3, WHERE, SHOAL_SLOTS="many")
                self.assert_refused(job, r"SHOAL_SLOTS=many is not a whole number from 2 to")


if __name__ == "__main__":
    if all(map(backends.why_not, backends.NETWORKS)):
        print("skipped:", *map(backends.why_not, backends.NETWORKS), sep="\n")
        sys.exit(77)
    unittest.main(verbosity=2)
