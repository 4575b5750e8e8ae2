#!/usr/bin/env python3
# Goal: the all-to-all checker finds nothing wrong with conveyors of any kind, on all command lines that the original is
# checked with, and with each of its options: sums, identities, order, alignment, allocations, unpulls, steadiness,
# histogram and index gather.
# programs: shoalrun shoal_compat_archive
import tempfile

from alltoall_lines import COMPRESS, FAST, GROUPS, check
from compat import IS_SANITIZED, IS_WHOLE, compile_ahead, compile_program, end, failed, oshrun, some, start

ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (3,)
# Arguments of a job: status, begin of the output. One line; no conveyor; what is not understood.
SINGLE = {
    "-q vector 10": (0, "passed\n"),
    "-b3 -f7 vector 10": (7, "vector: no conveyor\n"),
    "-b3 -f0 -q vector 10": (0, "passed\n"),
    "--help": (0, "alltoallv [options]"),
    "--version": (0, "0.6.0"),
    "--nothing": (2, ""),
    "vector": (2, ""),
    "circle 1": (2, ""),
}
TIGHT = {"SHOAL_SLOT_BYTES": "576", "SHOAL_SLOTS": "9", "SHOAL_SHARED_SLOTS": "0"}
BETWEEN_NODES = {"SHOAL_NODE_SIZE": "2", "SHOAL_HOPS": "3"}

with tempfile.TemporaryDirectory() as folder:
    others = ("c99", "c++11", "c++17-clang") if IS_WHOLE else ("c++11",)
    compile_ahead(folder, (("alltoallv.c", language) for language in ("c11", *others)))
    program = compile_program("alltoallv.c", folder)
    for i, (name, lines) in enumerate(GROUPS.items()):
        for n_pes in some(ALL_PES, i):
            check(oshrun(n_pes), program, lines, f"{name} on {n_pes} PEs")
    check(oshrun(5), program, FAST + COMPRESS, "all lines between nodes", BETWEEN_NODES)
    check(oshrun(3), program, FAST, "all lines in tight memory", TIGHT)
    for language in others:
        other = compile_program("alltoallv.c", folder, language)
        if other is not None:
            check(oshrun(2), other, FAST, f"all lines as {language}")
    for arguments, (status, text) in SINGLE.items():
        job = start([*oshrun(2), program, *arguments.split()])
        if job.returncode != status or not job.stdout.startswith(text):
            failed(f"alltoallv {arguments}", f"status {job.returncode}\n{job.stdout}{job.stderr}")
end()
