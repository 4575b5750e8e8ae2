#!/usr/bin/env python3
# Goal: programs that are linked with -lshoal_aggregated are right: their puts, gets and atomics on PEs of other nodes travel as
# messages, and everything that OpenSHMEM promises about order and completion holds. On any number of PEs, with nodes of one and two
# PEs and one node, with one buffer a link, over several hops. The option may stand anywhere before the libraries; without it nothing travels.
# programs: shoalrun shoal_compat_archive
# timeout: 600
import os
import subprocess
import tempfile

from compat import IS_SANITIZED, PROGRAMS, TREE, compile_ahead, compile_program, end, expect_passed, failed, oshrun, some, start

OPTION = ["-lshoal_aggregated"]
OWN = ("aggregated_mix.c", "aggregated_order.c", "aggregated_loops.c", "aggregated_neighbours.c")
OTHERS = ("shmem_memory.c", "shmem_transfer.c", "shmem_waits.c", "shmem_collectives.c", "getput.c", "exstack_loops.c",
          "selector_access.cpp", "selector_kernels.cpp", "aggregated_handlers.cpp")
ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (3,)
NODES = ({"SHOAL_NODE_SIZE": "1"}, {"SHOAL_NODE_SIZE": "2"}, {})
HOSTILE = ({"SHOAL_SLOTS": "16", "SHOAL_SHARED_SLOTS": "0"}, {"SHOAL_SLOTS": "16", "SHOAL_SLOT_BYTES": "256"},
           {"SHOAL_HOPS": "2"}, {"SHOAL_HOPS": "3"}, {"SHOAL_MAX_LATENCY": "50"})


def n_messages(program):
    """How many calls have travelled."""
    job = start([*oshrun(2), program], {"SHOAL_STATS": "1", "SHOAL_NODE_SIZE": "1"})
    rows = [line.split() for line in job.stderr.splitlines() if line.endswith("  calls of shmem.h")]
    return int(rows[0][0]) if rows else 0


with tempfile.TemporaryDirectory() as folder:
    language_of = {source: "c11" if source.endswith(".c") else "c++11" for source in OWN + OTHERS}
    compile_ahead(folder, language_of.items(), OPTION)
    programs = {source: compile_program(source, folder, language, OPTION) for source, language in language_of.items()}
    for i, source in enumerate(OWN):
        for n_pes in some(ALL_PES, i):
            for nodes in NODES:
                expect_passed(start([*oshrun(n_pes), programs[source]], nodes), f"{source} on {n_pes} PEs, {nodes}")
    for source in OTHERS:
        for n_pes in (3, 4) if not IS_SANITIZED else (3,):
            # Builds with sanitizers do not share static variables.
            arguments = ["heap"] if IS_SANITIZED and source == "selector_access.cpp" else []
            job = start([*oshrun(n_pes), programs[source], *arguments], {"SHOAL_NODE_SIZE": "1"})
            expect_passed(job, f"{source} on {n_pes} PEs, each a node")
    for i, environment in enumerate(HOSTILE):
        for source in some(OWN + ("aggregated_handlers.cpp",), i):
            job = start([*oshrun(5), programs[source]], dict(environment, SHOAL_NODE_SIZE="2"))
            expect_passed(job, f"{source} with {environment}")
    spins = compile_program("shmem_spins.c", folder, "c11", OPTION)
    for how in ("get", "fetch", "quiet", "fence", "test", "lock") if not IS_SANITIZED else ():
        try:
            expect_passed(start([*oshrun(3), spins, how], NODES[0], 60), f"a loop over '{how}'")
        except subprocess.TimeoutExpired:
            failed(f"a loop over '{how}' waits for ever")
    # It ends with calls under way: all PEs leave, with their status and without a line.
    for n_pes in (1, 2, 5):
        for nodes in NODES:
            job = start([*oshrun(n_pes), programs["aggregated_order.c"], "leaves"], nodes)
            expect_passed(job, f"a program that leaves, on {n_pes} PEs, {nodes}")

    if n_messages(programs["aggregated_mix.c"]) < 1000:
        failed("calls do not travel")
    plain = compile_program("aggregated_mix.c", folder)
    if n_messages(plain) != 0:
        failed("calls travel without the option")
    expect_passed(start([*oshrun(3), plain]), "the program without the option")
    # A plain compiler, as existing Makefiles call it: the option before the program, and after the libraries.
    command = ["cc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", "-I", os.path.join(TREE, "include"), "-L", os.path.join(TREE, "lib"), "-o",
               os.path.join(folder, "by_hand")]
    source = os.path.join(PROGRAMS, "aggregated_order.c")
    if not IS_SANITIZED:
        job = start([*command, *OPTION, source, "-lconvey"])
        if job.returncode != 0:
            failed("the option before the program", job.stderr)
        expect_passed(start([*oshrun(2), command[-1]], {"SHOAL_NODE_SIZE": "1"}), "the program by hand")
        job = start([*command, source, "-lconvey", *OPTION])
        if job.returncode == 0 or "multiple definition" not in job.stderr:
            failed("the option after the libraries is not refused", job.stderr)
end()
