#!/usr/bin/env python3
# Goal: tasks of HClib, in C++ and C: each call and type does what programs of HClib-Actor lean on, on any number of PEs. Launches, inits
# and finalizes come in any order; misuse ends the job with one line; and Makefiles find all by the environment alone.
# programs: shoalrun shoal_compat_archive
# timeout: 500
import os
import re
import subprocess
import tempfile

from compat import BIN, IS_SANITIZED, LANGUAGES, PROGRAMS, TREE, compile_ahead, compile_program, end, expect_passed, failed, oshrun, some, start

ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (4,)
FEW_PES = (3,)

# How: the status of the job. Each prints "passed", unless it ends with a status before.
ORDERS = {"": 0, "init before": 0, "init before, finalize after": 0, "init twice": 0, "init inside": 0, "exit 0": 0,
          "exit 0 in a task": 0, "one exits 3 in a task": 3, "all exit 4": 4, "finalize inside": 0, "finalize inside and after": 0,
          "finalize after": 0, "global exit": 5, "two launches": 0, "five launches": 0, "shmem after": 0, "return 6": 6,
          "one returns 7": 7}
# How: the line of the report, which PE 2 makes.
MISUSES = {
    "get": "hclib::future_t::get of a future that is not satisfied; wait for it first",
    "get of C": "hclib_future_get of a future that is not satisfied; wait for it first",
    "put twice": "hclib_promise_put of a promise that has been put before",
    "end": "hclib_end_finish without an hclib_start_finish of the same task",
    "end of another": "hclib_end_finish without an hclib_start_finish of the same task",
    "end without a wait": "hclib_end_finish_nonblocking without an hclib_start_finish of the same task",
    "start": "hclib_start_finish without an hclib_end_finish of the same task",
    "dimensions": "hclib::forasync in 4 dimensions; there may be 1 to 3",
    "mode": "hclib::forasync with mode 2; give FORASYNC_MODE_FLAT or FORASYNC_MODE_RECURSIVE",
    "stride": "hclib::forasync with a stride of 0; it has to be at least 1",
    "dist": "hclib::forasync with dist 3, which was not registered",
}
THROWS = {
    "throw": "the body of hclib::launch threw: of the body",
    "throw a number": "the body of hclib::launch threw something that is not a std::exception",
    "throw in a task": "a task of hclib::async threw: of a task",
}
# On one PE, outside of the job.
OUTSIDE = {
    "async outside": "hclib::async outside of hclib::launch",
    "finish outside": "hclib_start_finish outside of hclib::launch",
    "wait outside": "hclib::future_t::wait would wait outside of hclib::launch, where no tasks run",
    "closed": "hclib::future_t::wait waits for what cannot come: the job was closed in the body of hclib::launch",
}
MAKEFILE = """
CXX = oshc++
include $(HCLIB_ROOT)/../modules/bale_actor/inc/hclib_bale_actor.pre.mak
include $(HCLIB_ROOT)/../modules/system/inc/hclib_system.pre.mak
include $(HCLIB_ROOT)/include/hclib.mak
include $(HCLIB_ROOT)/../modules/bale_actor/inc/hclib_bale_actor.post.mak
include $(HCLIB_ROOT)/../modules/system/inc/hclib_system.post.mak

all: hclib_tasks hclib_loops other kernels_matrix kernels_lambda

%: %.cpp
\t$(CXX) -g -O1 -std=c++11 -DUSE_SHMEM=1 $(HCLIB_CFLAGS) $(HCLIB_LDFLAGS) -o $@ $^ $(HCLIB_LDLIBS) -lconvey -lexstack \\
\t-llibgetput -lhclib_bale_actor -lm

kernels_%: kernels_%.cpp
\t$(CXX) $(HCLIB_CXXFLAGS) -O1 -DUSE_SHMEM=1 -o $@ $< $(HCLIB_LDFLAGS) -lhclib_bale_actor -lspmat -lconvey -lexstack -llibgetput \\
\t-lhclib -lm

other: hclib_places.cpp
\t$(OTHER) -g -O1 $(HCLIB_CXXFLAGS) -o $@ $< $(HCLIB_LDFLAGS) -lconvey $(HCLIB_LDLIBS) -lm
"""

with tempfile.TemporaryDirectory() as folder:
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    programs = [(source, language)
                for source in ("hclib_tasks.cpp", "hclib_loops.cpp", "hclib_places.cpp", "hclib_functions.c") for language in LANGUAGES
                if source.endswith(".cpp") == language.startswith("c++")]
    compile_ahead(folder, [*programs, ("hclib_many.cpp", "c++11"), ("hclib_lifecycle.cpp", "c++11"), ("hclib_misuse.cpp", "c++11")])
    for source, language in programs:
        program = compile_program(source, folder, language)
        for n_pes in () if program is None else ALL_PES if language in ("c11", "c++11") else FEW_PES:
            expect_passed(start([*oshrun(n_pes), program]), f"{source} as {language} on {n_pes} PEs")
    if not IS_SANITIZED:  # those keep notes on each stack
        program = compile_program("hclib_many.cpp", folder, "c++11")
        expect_passed(start([*oshrun(2), program]), "hclib_many.cpp")

    program = compile_program("hclib_lifecycle.cpp", folder, "c++11")
    for i, (how, status) in enumerate(ORDERS.items()):
        for n_pes in some(ALL_PES[:4], i):
            job = start([*oshrun(n_pes), program, how])
            # Others may end a PE before it has written.
            is_told = job.stdout == "passed\n" or (status != 0 and not job.stdout)
            if job.returncode != status or job.stderr or not is_told:
                failed(f"'{how}' on {n_pes} PEs", f"status {job.returncode}\n{job.stdout}{job.stderr}")
    # Workers that were asked for and are not there.
    for n, lines in (("1", 0), ("", 0), ("4", 1), ("many", 0)):
        job = start([*oshrun(2), program, "two launches"], {"HCLIB_WORKERS": n})
        expected = f"shoal: {n} workers of HClib were asked for; tasks run on one worker per PE\n" * lines
        if job.returncode != 0 or job.stdout != "passed\n" or job.stderr != expected:
            failed(f"HCLIB_WORKERS={n}", f"status {job.returncode}\n{job.stdout}{job.stderr}")

    program = compile_program("hclib_misuse.cpp", folder, "c++11")
    for status, lines in ((2, MISUSES), (1, THROWS)):
        for how, line in lines.items():
            job = start([*oshrun(3), program, how])
            if job.returncode != status or job.stderr != f"shoal: PE 2: {line}\n":
                failed(f"misuse '{how}'", f"status {job.returncode}\n{job.stderr}")
    for how, line in OUTSIDE.items():
        job = start([program, how])
        if job.returncode != 2 or job.stderr != f"shoal: {line}\n":
            failed(f"misuse '{how}'", f"status {job.returncode}\n{job.stderr}")
    # What does not fit on a task's stack.
    for how in ("overflow", "overflow by large frames"):
        job = start([*oshrun(3), program, how])
        if not IS_SANITIZED and not re.fullmatch(r"shoal: PE 2: segmentation fault at address 0x\w+, where the stack of a task of 1024 KiB "
                                                 r"ends \(.*; raise SHOAL_TASK_STACK\), in a task\n", job.stderr):
            failed(how, f"status {job.returncode}\n{job.stderr}")
    job = start([*oshrun(3), program, "deep"], {"SHOAL_TASK_STACK": "8M"})
    if job.returncode != 0 or job.stderr:
        failed("SHOAL_TASK_STACK", f"status {job.returncode}\n{job.stderr}")
    # A promise that nobody puts. On the stack of the body, and on another one.
    for how in ("wait", "wait in a task"):
        job = start([*oshrun(3), program, how])
        others = "" if how == "wait" else "1 more task of HClib waits; "
        told = re.search(f"^shoal: PE 2 waits: in hclib::future_t::wait; {others}free", job.stderr, re.MULTILINE)
        if job.returncode != 1 or not told or "nothing can move any more" not in job.stderr:
            failed(f"misuse '{how}'", f"status {job.returncode}\n{job.stderr}")

    if IS_SANITIZED:  # Makefiles do not depend on it
        end()
    # A user's Makefile. It finds all in the environment.
    exports = subprocess.run([os.path.join(BIN, "shoal-compat")], text=True, capture_output=True, check=True).stdout
    for name in ("hclib_tasks.cpp", "hclib_loops.cpp", "hclib_places.cpp", "kernels_matrix.cpp", "kernels_lambda.cpp", "check.h",
                 "graphs.h"):
        os.symlink(os.path.join(PROGRAMS, name), at(name))
    with open(at("Makefile"), "w", encoding="utf-8") as out:
        out.write(MAKEFILE)

    def shell(what, command, text=exports):
        job = subprocess.run(["sh", "-c", text + f"cd '{folder}'\n" + command], text=True, capture_output=True)
        if job.returncode != 0 or job.stderr:
            failed(what, f"status {job.returncode}\n{job.stdout}{job.stderr}")
        return job.stdout

    shell("make", "make -j2 OTHER=g++")
    for name in ("hclib_tasks", "hclib_loops", "other"):
        if shell(f"oshrun {name}", f"oshrun -n 2 ./{name}") != "passed\n":
            failed(f"what make made of {name}")
    for name, kernels in (("kernels_matrix", ["permute", "toposort", "transpose"]),
                          ("kernels_lambda", ["gather", "histogram", "jaccard", *["search"] * 6, "triangles"])):
        lines = shell(f"oshrun {name}", f"oshrun -n 2 ./{name} -n 20 -v 2>&1").splitlines()
        told = sorted(re.sub(r": +\d+\.\d{3} seconds$", "", line) for line in lines)
        if told != sorted([*kernels, "passed"]):
            failed(f"what make made of {name}", "\n".join(lines))
    job = subprocess.run(["make", "-C", folder, "-f", os.path.join(TREE, "include", "hclib.mak")], text=True, capture_output=True,
                         env={name: value for name, value in os.environ.items() if name != "HCLIB_ROOT"})
    if job.returncode == 0 or "HCLIB_ROOT is empty" not in job.stderr:
        failed("make without HCLIB_ROOT", job.stderr)
    text = shell("pkg-config", "for name in std_options spmat convey exstack libgetput; do pkg-config --cflags --libs $name; done; "
                 "pkg-config --variable=prefix convey; pkg-config --variable=libdir convey; ls \"$BALE_INSTALL/include/exstack.h\"")
    for name in ("std_options", "spmat", "convey", "exstack", "libgetput"):
        if f" -l{name} " not in text.replace("\n", " \n"):
            failed("pkg-config", text)
end()
