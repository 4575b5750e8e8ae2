#!/usr/bin/env python3
# Goal: programs that are linked with -lshoal_aggregated are right over MPI, windows of MPI and a real OpenSHMEM, within a node and
# between nodes, also where they look at a word again and again.
# programs: all_tools shoal_compat_archive
# labels: network optimized
# processors: 2
# timeout: 600
import os
import subprocess
import sys
import tempfile

from compat import BUILD, SOURCE, compile_ahead, compile_program, end, expect_passed, failed, some, start

sys.path.insert(0, os.path.join(SOURCE, "test", "support"))
import backends  # noqa: E402

OPTION = ["-lshoal_aggregated"]
# PEs, PEs of a node, programs.
RUNS = ((4, 2, ("aggregated_mix.c", "aggregated_order.c", "aggregated_handlers.cpp", "aggregated_loops.c", "shmem_transfer.c")),
        (3, 1, ("aggregated_mix.c", "aggregated_order.c")), (2, None, ("aggregated_order.c",)))
SPINS = ("get", "fetch", "quiet", "fence", "test", "lock")

with tempfile.TemporaryDirectory() as folder:
    language_of = {source: "c11" if source.endswith(".c") else "c++11" for source in (*RUNS[0][2], "shmem_spins.c")}
    compile_ahead(folder, language_of.items(), OPTION)
    programs = {source: compile_program(source, folder, language, OPTION) for source, language in language_of.items()}
    os.environ["SHOAL_MODULES"] = os.path.join(BUILD, "lib", "shoal")
    for i, backend in enumerate(sys.argv[1:] or backends.NETWORKS):
        if reason := backends.why_not(backend):
            print(f"left out: {backend}: {reason}")
            continue
        for n_pes, node_size, sources in RUNS:
            command, environment = backends.command_on(backend, n_pes, node_size)
            for source in some(sources, i):
                job = start([*command, programs[source]], environment)
                expect_passed(job, f"{source} on {backend}, {n_pes} PEs, nodes of {node_size}")
        command, environment = backends.command_on(backend, 4, 2)
        for how in some(SPINS, i, 3):
            try:
                expect_passed(start([*command, programs["shmem_spins.c"], how], environment, 60), f"'{how}' on {backend}")
            except subprocess.TimeoutExpired:
                failed(f"'{how}' on {backend}: it waits for ever")
        command, environment = backends.command_on(backend, 3, 1)
        expect_passed(start([*command, programs["aggregated_order.c"], "leaves"], environment), f"it leaves, on {backend}")
end()
