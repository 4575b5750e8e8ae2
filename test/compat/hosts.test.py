#!/usr/bin/env python3
# Goal: programs of OpenSHMEM, bale and HClib-Actor run unchanged over two hosts of a lab, two PEs on each, over MPI, its windows and a
# real OpenSHMEM.
# programs: shoalrun shoal_compat_archive
# labels: network lab optimized
# processors: 2
# timeout: 600
import os
import subprocess
import sys
import tempfile

from compat import BUILD, SOURCE, compile_ahead, compile_program, end, expect_passed, some

LAB = os.path.join(SOURCE, "lab", "lab")
PROGRAMS = ("shmem_transfer.c", "convey_loops.c", "selector_kernels.cpp", "kernels_shmem.c", "shmem_collectives.c", "kernels_convey.c",
            "selector_lambdas.cpp", "kernels_agp.c", "kernels_exstack2.c", "hclib_tasks.cpp")
# The lab's name of the library, and the substrate.
KINDS = (("openmpi", "mpi"), ("shmem", "shmem"), ("openmpi", "mpi-rma"))

with tempfile.TemporaryDirectory() as folder:
    os.environ["SHOAL_MODULES"] = os.path.join(BUILD, "lib", "shoal")
    probe = subprocess.run([LAB, "--hosts", "2", "host", "2", "true"], text=True, capture_output=True)
    if probe.returncode == 77:
        print(probe.stderr)
        sys.exit(77)
    language_of = {source: "c11" if source.endswith(".c") else "c++11" for source in PROGRAMS}
    runs = [(library, substrate, source) for i, (library, substrate) in enumerate(KINDS) for source in some(PROGRAMS, i, 3)]
    compile_ahead(folder, {(source, language_of[source]) for _, _, source in runs})
    for library, substrate, source in runs:
        program = compile_program(source, folder, language_of[source])
        job = subprocess.run([LAB, "--hosts", "2", "--pes-per-host", "2", "--mpi", library, "mpirun", program], text=True,
                             capture_output=True, timeout=120, env=dict(os.environ, SHOAL_SUBSTRATE=substrate))
        # Open MPI may tell of its agents.
        job.stderr = "".join(line for line in job.stderr.splitlines(True) if "setpgid" not in line)
        expect_passed(job, f"{source} on {substrate}, two hosts")
end()
