#!/usr/bin/env python3
# Goal: PEs whose process ids are of other namespaces, as in containers under one launcher, run like any others.
# timeout: 120
# programs: shoalrun actor.job
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

# The shell is process 1 there, which ignores its own signals; the PE is not. Process ids of the launcher are unknown.
CONTAINER = ["unshare", "--pid", "--fork", "sh", "-c", '"$0" "$@"; exit $?']
PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "actor.job")


class PidNamespaces(unittest.TestCase):
    maxDiff = None  # a launcher says much

    def test_of_each_pe_its_own(self):
        for backend in ("local", "mpi-openmpi", "mpi-mpich", "shmem"):
            if why := backends.why_not(backend):
                print(f"skipped {backend}: {why}")
                continue
            for n_pes in (1, 3):
                with self.subTest(backend=backend, n_pes=n_pes):
                    launcher, environment = backends.command_on(backend, n_pes)
                    # The libraries' own shared memory does depend on process ids.
                    environment.update(OMPI_MCA_pml="ob1", OMPI_MCA_btl="self,tcp", UCX_TLS="tcp,self")
                    job = subprocess.run([*launcher, *CONTAINER, PROGRAM, "many", "3"], capture_output=True, text=True,
                                         timeout=60, env=environment)
                    self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "ok\n", ""))


if subprocess.run([*CONTAINER, "true"], capture_output=True).returncode != 0:
    print("this user may make no PID namespaces")
    sys.exit(77)
unittest.main(verbosity=2)
