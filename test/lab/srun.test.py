"""Goal: one binary runs under Slurm's srun, on two hosts of a lab, with each library that Slurm supports;
otherwise one line says what to do."""
# processors: 0

import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

import slurm
from programs import LAB, lab

sys.path.insert(0, os.path.dirname(LAB))
import namespaces  # noqa: E402

N_HOSTS = 2
BIN = os.environ["SHOAL_BIN"]
WHERE = os.path.join(BIN, "network.where")
SHOAL = os.path.join(BIN, "shoal")
SHOALRUN = os.path.join(BIN, "shoalrun")
ERRORS = os.path.join(BIN, "actor.errors")
MODULES = os.path.join(os.environ["SHOAL_BUILD"], "lib", "shoal")
HISTOGRAM = (SHOAL, "run", "histogram", "--variant", "actor", "--updates", 1000, "--repeat", 1)
JOB_S = 60  # 1 s, or more on a busy machine
TIMED_OUT = 124

# As in lab/launchers.py for mpirun: messages go over the lab's network, and waiting calls yield their core.
LIBRARIES = {
    "OMPI_MCA_pml": "ob1",
    "OMPI_MCA_btl": "vader,tcp,self",
    "OMPI_MCA_btl_tcp_if_include": "e0",
    "OMPI_MCA_osc": "sm,pt2pt",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_opal_common_ucx_opal_mem_hooks": "0",
    "UCX_TLS": "tcp,sysv,self",
    "UCX_NET_DEVICES": "e0",
    # By default, and with "tree", Slurm lets a node leave Open MPI's first fence before another one has entered it: a
    # message comes to a process in MPI_Init that cannot take it yet, and that process crashes.
    "SLURM_PMIX_FENCE": "ring",
}


def run(*command, **settings):
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("SHOAL_", "OMPI_"))}
    bounded = ["timeout", JOB_S, *command]  # asks srun to end, which ends its step
    return subprocess.run(list(map(str, bounded)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env={**environment, **LIBRARIES, **settings})


def srun(mpi, n_pes, *command, hosts=1, **settings):
    """Runs a command on PEs under srun --mpi=`mpi`."""
    return run("srun", f"--mpi={mpi}", "-N", hosts, "-n", n_pes, *command, **settings)


def srun_until_it_ends(*arguments, **more):
    """MPICH 4.0 sometimes hangs over TCP when the machine is busy (mpich.test.py)."""
    for _ in range(4):
        job = srun(*arguments, **more)
        if job.returncode != TIMED_OUT:
            break
        print("MPICH hangs; once more", flush=True)
    return job


def need(*libraries):
    for library in libraries:
        if not os.path.exists(os.path.join(MODULES, f"shoal-{library}.so")):
            raise unittest.SkipTest(f"there is no module for {library}")


def need_plugin(mpi):
    listed = run("srun", "--mpi=list")
    if mpi not in re.findall(r"^\s*(\w+)$", listed.stdout + listed.stderr, re.MULTILINE):
        raise unittest.SkipTest(f"this Slurm has no --mpi={mpi}")


class Case(unittest.TestCase):
    def assert_at(self, job, *lines):
        self.assertEqual((job.returncode, job.stdout.splitlines()), (0, list(lines)), job.stderr)
        self.assertNotIn("shoal: ", job.stderr)

    def assert_failed(self, job):
        """It ended by itself, on all PEs."""
        self.assertNotIn(job.returncode, (0, TIMED_OUT), job.stderr)

    def assert_one_report(self, job, pattern):
        reports = [line for line in job.stderr.splitlines() if line.startswith("shoal: ")]
        self.assertEqual(len(reports), 1, job.stdout + job.stderr)
        self.assertRegex(reports[0], pattern)

    def assert_refused(self, job, pattern):
        """One line says what is wrong, the library prints nothing, and nothing ran."""
        self.assertEqual((job.returncode, job.stdout), (2, ""), job.stderr)
        self.assert_one_report(job, pattern)
        others = [line for line in job.stderr.splitlines() if not line.startswith(("shoal: ", "srun: "))]
        self.assertEqual(others, [], job.stderr)


class Pmi2(Case):
    def setUp(self):
        need("mpich")
        need_plugin("pmi2")

    def test_is_for_mpich(self):
        self.assert_at(srun("pmi2", 2, WHERE), "mpi: 2 PEs on 1 nodes, with libmpich.so")
        self.assert_at(srun("pmi2", 7, WHERE), "mpi: 7 PEs on 1 nodes, with libmpich.so")
        self.assert_at(srun_until_it_ends("pmi2", 3, WHERE, hosts=2), "mpi: 3 PEs on 2 nodes, with libmpich.so")

    def test_windows(self):
        job = srun("pmi2", 3, WHERE, SHOAL_SUBSTRATE="mpi-rma", SHOAL_NODE_SIZE="2")
        self.assert_at(job, "mpi-rma: 3 PEs on 2 nodes, with libmpich.so")

    def test_one_pe_fails(self):
        job = srun("pmi2", 3, ERRORS, "throw_in_handler")
        self.assert_failed(job)
        self.assert_one_report(job, "handler threw: no such slot")

    def test_one_pe_fails_on_two_hosts(self):
        job = srun_until_it_ends("pmi2", 3, ERRORS, "throw_in_handler", hosts=2)
        self.assert_failed(job)
        self.assert_one_report(job, "handler threw: no such slot")

    def test_one_pe_dies(self):
        """srun leaves the others waiting, so they report."""
        for how in ("killed", "exit_at_once"):
            with self.subTest(how):
                job = srun("pmi2", 3, ERRORS, how)
                self.assert_failed(job)
                self.assert_one_report(job, "PE 1 has died without a report: killed, or left by _exit")

    def test_only_pe_of_a_host_is_killed(self):
        job = srun_until_it_ends("pmi2", 2, ERRORS, "killed", hosts=2)
        self.assert_failed(job)
        self.assert_one_report(job, "PE 0: PE 1 has died without a report: killed, or left by _exit")

    def test_one_pe_is_killed_that_srun_ends_the_job_for(self):
        job = srun("pmi2", 3, "--kill-on-bad-exit", ERRORS, "killed")
        self.assert_failed(job)
        self.assertNotIn("shoal: ", job.stderr)

    def test_refuses_what_needs_pmix(self):
        need("openmpi", "shmem")
        self.assert_refused(srun("pmi2", 3, WHERE, SHOAL_MPI="openmpi"),
                            "Open MPI needs PMIx, .* srun --mpi=pmix, or with srun --mpi=pmi2 and SHOAL_MPI=mpich;")
        self.assert_refused(srun("pmi2", 3, WHERE, SHOAL_SUBSTRATE="shmem"), "OpenSHMEM needs PMIx, .* --mpi=pmix;")


class Pmix(Case):
    def setUp(self):
        need("openmpi")
        need_plugin("pmix")

    def test_is_for_open_mpi(self):
        self.assert_at(srun("pmix", 3, WHERE), "mpi: 3 PEs on 1 nodes, with libmpi.so")
        self.assert_at(srun("pmix", 7, WHERE, hosts=2), "mpi: 7 PEs on 2 nodes, with libmpi.so")

    def test_kernel(self):
        job = srun("pmix", 3, *HISTOGRAM, hosts=2)
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertRegex(job.stdout, "histogram")

    def test_shmem(self):
        need("shmem")
        job = srun("pmix", 3, WHERE, hosts=2, SHOAL_SUBSTRATE="shmem")
        self.assert_at(job, "shmem: 3 PEs on 2 nodes, with liboshmem.so libmpi.so")

    def test_shmem_without_address_space(self):
        need("shmem")
        job = srun("pmix", 3, "bash", "-c", f"ulimit -v 900000; exec {WHERE}", SHOAL_SUBSTRATE="shmem")
        self.assert_refused(job, "no room for OpenSHMEM and the heaps of 3 PEs;")

    def test_one_pe_fails(self):
        job = srun("pmix", 3, ERRORS, "throw_in_handler", hosts=2)
        self.assert_failed(job)
        self.assert_one_report(job, "handler threw: no such slot")

    def test_one_pe_is_killed(self):
        self.assert_failed(srun("pmix", 3, ERRORS, "killed", hosts=2))

    def test_status_of_the_body(self):
        self.assertEqual(srun("pmix", 2, WHERE, 3).returncode, 3)

    def test_other_number_of_pes(self):
        self.assert_refused(srun("pmix", 2, SHOAL, "run", "histogram", "--pes", 3),
                            "--pes=3, but srun started 2 PEs; leave --pes out")

    def test_refuses_mpich_that_sees_one(self):
        need("mpich")
        self.assert_refused(srun("pmix", 3, WHERE, SHOAL_MPI="mpich"),
                            r"srun started 3 processes, but MPICH \S+ sees 1; start .* srun --mpi=pmi2")


class NoPmi(Case):
    def test_is_refused(self):
        need("mpich", "openmpi")
        self.assert_refused(srun("none", 4, WHERE),
                            r"srun started 4 processes, but MPICH \S+ sees 1; start .* srun --mpi=pmi2 .* --mpi=pmix")
        self.assert_refused(srun("none", 4, WHERE, SHOAL_MPI="openmpi"), "Open MPI needs PMIx, .* --mpi=pmix")


class Alone(Case):
    """There is no other task, so no library is needed, whatever srun supports."""

    def test_only_task_of_a_step(self):
        for mpi in ("none", "pmi2", "pmix"):
            with self.subTest(mpi):
                self.assert_at(srun(mpi, 1, WHERE), "local: 1 PEs on 1 nodes, with")

    def test_only_task_runs_a_kernel(self):
        job = srun("none", 1, *HISTOGRAM)
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertRegex(job.stdout, r"\Ahistogram: 1 PE on local;")

    def test_only_task_asks_for_mpi(self):
        need("openmpi")
        need_plugin("pmix")
        self.assert_at(srun("pmix", 1, WHERE, SHOAL_SUBSTRATE="mpi"), "mpi: 1 PEs on 1 nodes, with libmpi.so")

    def test_shoalrun_in_a_step(self):
        for mpi in ("none", "pmix"):
            with self.subTest(mpi):
                self.assert_at(srun(mpi, 1, SHOALRUN, "-n", 4, WHERE), "local: 4 PEs on 1 nodes, with")

    def test_batch_script(self):
        need("mpich")
        need_plugin("pmi2")
        with tempfile.NamedTemporaryFile("w", dir=os.environ["SHOAL_SLURM_FOLDER"], suffix=".sh") as script:
            script.write(f"#!/bin/sh\n{WHERE}\n{SHOALRUN} -n 2 {WHERE}\nsrun --mpi=pmi2 {WHERE}\n")
            script.flush()
            job = run("sbatch", "--wait", "-N", 1, "-n", 3, "-o", f"{script.name}.out", script.name)
        self.assertEqual(job.returncode, 0, job.stderr)
        with open(f"{script.name}.out") as output:
            self.assertEqual(output.read().splitlines(),
                             ["local: 1 PEs on 1 nodes, with", "local: 2 PEs on 1 nodes, with",
                              "mpi: 3 PEs on 1 nodes, with libmpich.so"])


def run_in_the_lab():
    """In host 1."""
    try:
        cluster = slurm.Cluster(os.environ["SHOAL_SLURM_FOLDER"], N_HOSTS, LAB)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        print(f"skipped: Slurm does not start: {error}", file=sys.stderr)
        return 77
    try:
        return 0 if unittest.main(argv=sys.argv[:1], verbosity=2, exit=False).result.wasSuccessful() else 1
    finally:
        cluster.stop()


def main():
    slurm.add_system_programs_to_path()
    if "SHOAL_SLURM_FOLDER" in os.environ:
        return run_in_the_lab()
    if name := slurm.missing():
        print(f"skipped: there is no {name} (Debian: slurmctld slurmd slurm-client munge)", file=sys.stderr)
        return 77
    probe = lab("--hosts", 1, "host", 1, "true")
    if probe.returncode == 77:
        print(probe.stderr, end="", file=sys.stderr)
        return 77
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="shoal-slurm-") as folder:
        job = subprocess.Popen([LAB, "--hosts", str(N_HOSTS), "host", "1", sys.executable, os.path.abspath(__file__)],
                               env={**os.environ, "SHOAL_SLURM_FOLDER": folder},
                               preexec_fn=namespaces.die_with_parent)
        try:
            return job.wait()
        finally:
            job.terminate()
            job.wait()


if __name__ == "__main__":
    sys.exit(main())
