#!/usr/bin/env python3
# Goal: programs of Conveyors, in C and C++, are right on any number of PEs: each item once and in order, request and
# reply, items of any size, several conveyors, biconveyors, the standard codec; each error has its number and text, is
# told once, and ends no job.
# programs: shoalrun shoal_compat_archive
import re
import tempfile

from compat import IS_SANITIZED, LANGUAGES, compile_ahead, compile_program, end, expect_passed, failed, oshrun, start

ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (4,)
FEW_PES = (3,)
# Buffers of one item, and one for each link.
TIGHT = {"SHOAL_SLOT_BYTES": "576", "SHOAL_SLOTS": "9", "SHOAL_SHARED_SLOTS": "0"}
# What is not a NULL conveyor's is told once on each PE.
ERRORS = ["convey_push> operation is illegal in current state", "convey_begin> item size is zero",
          "convey_begin> item is too large for conveyor", "convey_push> PE number is out of range",
          "convey_epush> conveyor is not elastic"]

with tempfile.TemporaryDirectory() as folder:
    compile_ahead(folder, (("convey_loops.c", language) for language in LANGUAGES))
    for language in LANGUAGES:
        is_cxx = language.startswith("c++")
        program = compile_program("convey_loops.c", folder, language)
        for n_pes in () if program is None else ALL_PES if language == "c11" else FEW_PES:
            expect_passed(start([*oshrun(n_pes), program]), f"convey_loops as {language} on {n_pes} PEs")
        if program is not None and language == "c11":
            expect_passed(start([*oshrun(3), program], TIGHT), "convey_loops in tight memory")
        examples = compile_program("convey_examples.c", folder, language)
        for n_pes in () if examples is None else ALL_PES if language == "c11" else FEW_PES:
            expect_passed(start([*oshrun(n_pes), examples]), f"convey_examples as {language} on {n_pes} PEs")
        if examples is not None and language == "c11":
            expect_passed(start([*oshrun(3), examples], TIGHT), "convey_examples in tight memory")
        if program is not None and is_cxx:
            generations = compile_program("convey_generations.c", folder, language)
            expect_passed(start([*oshrun(3), generations]), f"convey_generations as {language}")
    # Calls that are not inlined are those of the library.
    program = compile_program("convey_loops.c", folder, "c11", ["-O0", "-lconvey", "-lm"])
    expect_passed(start([*oshrun(2), program]), "convey_loops without inlining")

    # Codecs serve on links between nodes.
    program = compile_program("convey_codecs.c", folder)
    for n_pes in ALL_PES:
        for environment, arguments in (({}, []), ({"SHOAL_NODE_SIZE": "1"}, ["nodes"]),
                                       ({"SHOAL_NODE_SIZE": "2"}, ["nodes"] if n_pes > 2 else [])):
            expect_passed(start([*oshrun(n_pes), program, *arguments], environment), f"convey_codecs on {n_pes} PEs with {environment}")

    program = compile_program("convey_errors.c", folder)
    for n_pes in (1, 3):
        job = start([*oshrun(n_pes), program])
        lines = [line for line in job.stderr.splitlines() if "conveyor is NULL" not in line]
        wanted = sorted(f"PE {pe}: {text}" for pe in range(n_pes) for text in ERRORS)
        if job.returncode != 0 or job.stdout != "passed\n" or sorted(lines) != wanted:
            failed(f"convey_errors on {n_pes} PEs", f"status {job.returncode}\n{job.stdout}{job.stderr}")
        if not re.search(r"^PE 0: biconvey_push> conveyor is NULL$", job.stderr, re.MULTILINE):
            failed("convey_errors without a conveyor", job.stderr)
end()
