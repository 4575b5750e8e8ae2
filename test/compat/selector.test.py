#!/usr/bin/env python3
# Goal: programs of HClib-Actor run unchanged: kernels as selectors and with lambdas, all three generations of the interface; also with
# one buffer a mailbox, over several hops, and with more PEs than cores. Misuse ends the job with one line.
# programs: shoalrun shoal_compat_archive
import os
import tempfile
import time

from compat import IS_SANITIZED, compile_ahead, compile_program, end, expect_passed, failed, oshrun, some, start

# Program: languages. The first runs on all numbers of PEs.
SOURCES = {
    "selector_kernels.cpp": ("c++11", "c++17-clang"),
    "selector_ends.cpp": ("c++11",),
    "selector_life.cpp": ("c++11",),
    "selector_handlers.cpp": ("c++11", "c++17-clang"),
    "selector_lambdas.cpp": ("c++11", "c++17-clang"),
    "selector_access.cpp": ("c++11",),
    "selector_mb.cpp": ("c++17", "c++17-clang"),
    "kernels_matrix.cpp": ("c++11",),
    "kernels_graph.cpp": ("c++11",),
    "kernels_pagerank.cpp": ("c++11",),
    "kernels_lambda.cpp": ("c++11",),
}
ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (3,)
LIBRARIES = ["-lhclib_bale_actor", "-lspmat", "-lconvey", "-lexstack", "-llibgetput", "-lhclib", "-lm"]
ONE_BUFFER = {"SHOAL_SLOTS": "16", "SHOAL_SHARED_SLOTS": "0"}
SMALL_BUFFERS = {"SHOAL_SLOTS": "12", "SHOAL_SLOT_BYTES": "256"}
THREE_HOPS = {"SHOAL_NODE_SIZE": "2", "SHOAL_HOPS": "3"}
# Environment, PEs, program, arguments.
HOSTILE = (
    (SMALL_BUFFERS, 3, "selector_kernels.cpp", ["2000"]),
    (SMALL_BUFFERS, 4, "selector_ends.cpp", ["tight"]),
    (SMALL_BUFFERS, 4, "selector_life.cpp", ["tight"]),
    (SMALL_BUFFERS, 3, "selector_lambdas.cpp", []),
    (ONE_BUFFER, 2, "selector_kernels.cpp", ["100"]),
    (THREE_HOPS, 5, "selector_kernels.cpp", ["2000"]),
    (THREE_HOPS, 5, "selector_ends.cpp", []),
    (THREE_HOPS, 5, "selector_life.cpp", []),
    (THREE_HOPS, 5, "selector_lambdas.cpp", []),
    *((SMALL_BUFFERS, 3, source, ["-n", "20"]) for source in SOURCES if source.startswith("kernels_")),
    *((THREE_HOPS, 5, source, ["-n", "20"]) for source in SOURCES if source.startswith("kernels_")),
)
# What the program does wrong: status and line.
MISUSE = {
    "destroy": (2, "mailbox 0 of selector 0: the selector was destroyed before its end; let it live until finish returns, and "
                   "call done"),
    "range": (2, "mailbox 0 of selector 0: send to PE 2, which is out of range; PEs are 0 to 1"),
    "early send": (2, "mailbox 0 of selector 0: send before start"),
    "early done": (2, "mailbox 0 of selector 0: done before start"),
    "twice": (2, "selector 0 was started twice"),
    "no process": (2, "mailbox 0 of selector 0 has packets and no process; assign its process before the first yield point"),
    "outside": (2, "a selector outside a job; construct it in hclib::launch"),
    "mailbox": (2, "done of mailbox 7, but the selector has 1"),
    "throw": (1, "mailbox 0 of selector 0: handler threw: oh (message from PE "),
    "wait": (2, "hclib_end_finish in a handler, where nothing may wait"),
    "construct": (2, "a selector was constructed in a handler, where PEs come in different orders"),
    "forgotten": (1, "mailbox 0 of selector 0: sent 0, handled 0, PE 1 is not done"),
}

# The same with little memory.
TOO_MUCH = {
    "run away": "KiB more than their receivers accept (the last to mailbox 0 of selector 0); let handlers note what they "
                "would send, and the main program or tasks send it, or raise SHOAL_MEMORY",
    "barrier": "of them copied until handlers may run (SHOAL_MEMORY has no room for more)",
}

# Macros that ask for traces: what one line each says. No variable of SLURM is set.
TRACES = {
    ("-DENABLE_TRACE",): ("traces of selectors will be in PE<number>_send.csv,", "traces of selectors will be in PE<number>_second_send.csv,"),
    ("-DENABLE_TRACE_PAPI",): ("traces of selectors will be in PE<number>_send.csv, PE<number>_PAPI.csv,",),
    ("-DENABLE_TRACE_PHYSICAL",): ("traces of selectors will be in PE<number>_send.csv, PE<number>_physical.csv,",),
    ("-DENABLE_TCOMM_PROFILING",): ("times of selectors will be what print_profiling prints;",),
    (): (),
}

with tempfile.TemporaryDirectory() as folder:
    programs = {}
    compile_ahead(folder, ((source, language) for source, languages in SOURCES.items() for language in languages), LIBRARIES)
    for i, (source, languages) in enumerate(SOURCES.items()):
        for language in languages:
            program = compile_program(source, folder, language, LIBRARIES)
            if program is None:
                continue
            programs.setdefault(source, program)
            for n_pes in some(ALL_PES, i) if language == languages[0] else (2,):
                arguments = ["heap"] if IS_SANITIZED and source == "selector_access.cpp" else []
                expect_passed(start([*oshrun(n_pes), program, *arguments]), f"{source} as {language} on {n_pes} PEs")
    for environment, n_pes, source, arguments in HOSTILE if not IS_SANITIZED else HOSTILE[:4]:
        job = start([*oshrun(n_pes), programs[source], *arguments], environment)
        expect_passed(job, f"{source} {arguments} on {n_pes} PEs with {environment}")
    for i, (macros, lines) in enumerate(TRACES.items()):
        for language, more in some((("c++11", ()), ("c++17", ("-DTHIRD",))), i, 1):
            program = compile_program("selector_traces.cpp", folder, language, [*macros, *more, *LIBRARIES])
            job = start(["env", "-u", "SLURM_NODEID", "-u", "SLURM_PROCID", *oshrun(2), program])
            told = job.stderr.splitlines()
            if job.returncode != 0 or job.stdout != "passed\n" or len(told) != len(lines) or not all(
                    has.startswith("shoal: " + line) for has, line in zip(told, lines)):
                failed(f"{macros} {more}", f"status {job.returncode}\n{job.stdout}{job.stderr}")
    # In the statistics the first selectors have rows of their own, the others one together.
    job = start([*oshrun(2), programs["selector_life.cpp"], "tight"], {"SHOAL_STATS": "1"})
    rows = [line for line in job.stderr.splitlines() if "selector" in line]
    if job.returncode != 0 or sum("mailbox 0 of selector 3" in row for row in rows) != 1 or \
            sum("mailboxes of later selectors" in row for row in rows) != 1 or not 16 < len(rows) < 60:
        failed("statistics", job.stderr)
    misuse = compile_program("selector_misuse.cpp", folder, "c++11", LIBRARIES)
    for how, (status, line) in MISUSE.items():
        job = start([*oshrun(2), misuse, how], None)
        n_reports = job.stderr.count(line)
        # Outside of a job, PEs know nothing of one another.
        if job.returncode != status or n_reports == 0 or (n_reports > 1 and how not in ("forgotten", "outside")):
            failed(f"misuse '{how}'", f"status {job.returncode}\n{job.stdout}{job.stderr}")
    for how, line in TOO_MUCH.items():
        job = start([*oshrun(2), misuse, how], {"SHOAL_MEMORY": "2M"})
        if job.returncode != 1 or job.stderr.count(line) != 1:
            failed(f"misuse '{how}'", f"status {job.returncode}\n{job.stdout}{job.stderr}")
    # One PE leaves while the others wait in the end of finish, or in a send.
    for how in ("exit in finish", "exit in send"):
        begin = time.monotonic()
        job = start([*oshrun(2), misuse, how])
        if job.returncode != 3 or time.monotonic() - begin > 20:
            failed(f"'{how}'", f"status {job.returncode} after {time.monotonic() - begin:.1f} s\n{job.stdout}{job.stderr}")
end()
