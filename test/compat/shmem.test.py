#!/usr/bin/env python3
# Goal: programs of OpenSHMEM, in C and C++, compiled by oshcc and oshc++, are right on any number of PEs. Each verifies itself.
# programs: shoalrun shoal_compat_archive
import tempfile

from compat import IS_SANITIZED, compile_ahead, compile_program, end, expect_passed, languages_of, oshrun, start

SOURCES = ("shmem_memory.c", "shmem_transfer.c", "shmem_waits.c", "shmem_collectives.c")
# The rest differ in the compiler alone.
ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (4,)
FEW_PES = (3,)

with tempfile.TemporaryDirectory() as folder:
    programs = [(source, language) for i, source in enumerate(SOURCES, 1) for language in languages_of(i)
                if language != "c99" or source == "shmem_memory.c"]
    compile_ahead(folder, programs)
    for source, language in programs:
        program = compile_program(source, folder, language)
        for n_pes in () if program is None else ALL_PES if language == "c11" else FEW_PES:
            expect_passed(start([*oshrun(n_pes), program]), f"{source} as {language} on {n_pes} PEs")
    # Not position-independent, so that the program's segment is elsewhere.
    program = compile_program("shmem_memory.c", folder, "c11", ["-no-pie", "-fno-pie"])
    expect_passed(start([*oshrun(3), program]), "shmem_memory.c without PIE")
    expect_passed(start([program]), "shmem_memory.c without a launcher")
end()
