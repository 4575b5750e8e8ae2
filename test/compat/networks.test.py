#!/usr/bin/env python3
# Goal: programs of OpenSHMEM run alike over MPI, windows of MPI and a real OpenSHMEM, within a node and between nodes; they end with
# their status; and ours and a real library's functions of the same names do not meet.
# programs: all_tools shoal_compat_archive
# labels: network optimized
# processors: 2
# timeout: 900
import os
import subprocess
import sys
import tempfile

from alltoall_lines import FAST, check
from compat import BUILD, SOURCE, compile_ahead, compile_program, end, expect_passed, failed, some, start

sys.path.insert(0, os.path.join(SOURCE, "test", "support"))
import backends  # noqa: E402

SOURCES = ("shmem_memory.c", "shmem_transfer.c", "shmem_waits.c", "shmem_collectives.c", "convey_loops.c", "getput.c",
           "exstack_loops.c", "hclib_tasks.cpp", "selector_kernels.cpp", "selector_lambdas.cpp", "selector_access.cpp",
           "kernels_graph.cpp", "kernels_agp.c", "kernels_exstack.c", "kernels_exstack2.c", "kernels_convey.c",
           "kernels_shmem.c")
# PEs, PEs of a node, programs.
RUNS = ((4, 2, SOURCES), (2, 1, ("shmem_memory.c", "shmem_collectives.c")), (1, None, ("shmem_memory.c",)))
SPINS = ("get", "fetch", "quiet", "fence", "test", "lock")
# Of programs that bring MPI. OpenSHMEM of Open MPI crashes if MPI has begun before it, without Shoal, too.
ORDERS = ("MSumsfr", "MSumfsr", "SMumsfr", "SMumfsr", "MSumr", "MSumx", "MSumsr", "SumsMmfr", "SMumr", "MSusSusfr", "SusMSumsfr")
STATUSES = {"again": 0, "exit 0": 0, "return 5": 5, "one exits 3": 3}

with tempfile.TemporaryDirectory() as folder:
    language_of = {source: "c11" if source.endswith(".c") else "c++11" for source in SOURCES}
    compile_ahead(folder, language_of.items())
    programs = {source: compile_program(source, folder, language) for source, language in language_of.items()}
    spins = compile_program("shmem_spins.c", folder)
    lifecycle = compile_program("shmem_lifecycle.c", folder)
    alltoallv = compile_program("alltoallv.c", folder)
    # Programs that users install find them beside the library.
    os.environ["SHOAL_MODULES"] = os.path.join(BUILD, "lib", "shoal")
    for i, backend in enumerate(sys.argv[1:] or backends.NETWORKS):
        if reason := backends.why_not(backend):
            print(f"left out: {backend}: {reason}")
            continue
        for n_pes, node_size, sources in RUNS:
            command, environment = backends.command_on(backend, n_pes, node_size)
            for source in some(sources, i, 4):
                job = start([*command, programs[source]], environment)
                expect_passed(job, f"{source} on {backend}, {n_pes} PEs, nodes of {node_size}")
        command, environment = backends.command_on(backend, 4, 2)
        check(command, alltoallv, FAST, f"alltoallv on {backend}", environment)
        for how in some(SPINS, i, 3):
            command, environment = backends.command_on(backend, 4, 2)
            try:
                expect_passed(start([*command, spins, how], environment, 60), f"'{how}' on {backend}")
            except subprocess.TimeoutExpired:
                failed(f"'{how}' on {backend}: it waits for ever")
        _, library, _ = backends.NETWORKS[backend]
        if library != "shmem":
            with_mpi = compile_program("shmem_with_mpi.c", folder, f"c11-{library}")
            for n, order in enumerate(some(ORDERS, i, 4)):
                command, environment = backends.command_on(backend, 2, 1 + n % 2)
                expect_passed(start([*command, with_mpi, order], environment), f"{order} on {backend}")
        for how, status in STATUSES.items():
            command, environment = backends.command_on(backend, 2, None)
            job = start([*command, lifecycle, how], environment)
            # The launcher of a library tells about a status that is not 0.
            if job.returncode != status or (status == 0 and job.stderr):
                failed(f"'{how}' on {backend}", f"status {job.returncode}\n{job.stdout}{job.stderr}")
end()
