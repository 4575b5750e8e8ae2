#!/usr/bin/env python3
# Goal: programs of bale's libraries libgetput and exstack, in C and C++, are right on any number of PEs, linked by the names that their
# Makefiles give; and one that brings functions of their names gets its own.
# programs: shoalrun shoal_compat_archive
import tempfile

from compat import IS_SANITIZED, compile_ahead, compile_program, end, expect_passed, failed, languages_of, oshrun, start

ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (4,)
FEW_PES = (3,)
SOURCES = ("getput.c", "exstack_loops.c")
LIBRARIES = ["-lexstack", "-lconvey", "-llibgetput", "-lm"]

with tempfile.TemporaryDirectory() as folder:
    compile_ahead(folder, ((source, language) for i, source in enumerate(SOURCES, 1) for language in languages_of(2 * i)), LIBRARIES)
    for i, source in enumerate(SOURCES, 1):
        for language in languages_of(2 * i):
            program = compile_program(source, folder, language, LIBRARIES)
            for n_pes in () if program is None else ALL_PES if language == "c11" else FEW_PES:
                expect_passed(start([*oshrun(n_pes), program]), f"{source} as {language} on {n_pes} PEs")
    program = compile_program("own_functions.c", folder)
    job = start([*oshrun(2), program])
    if job.returncode != 0 or job.stdout != "passed\n" or job.stderr:
        failed("own_functions.c", f"status {job.returncode}\n{job.stdout}{job.stderr}")
end()
