#!/usr/bin/env python3
# Goal: oshcc takes what the compiler takes: languages by option, the program's own headers first, questions without a link, arguments
# with blanks; any compiler can link by the names that Makefiles give; and a second copy in a shared library is refused.
# programs: shoalrun shoal_compat_archive
# labels: optimized
import os
import shutil
import subprocess
import tempfile

from compat import PROGRAMS, TREE, end, expect_passed, failed, oshrun, start

OSHCC = os.path.join(TREE, "bin", "oshcc")
HELLO = "#include <shmem.h>\nint main(void) { shmem_init(); shmem_finalize(); return 0; }\n"


def run(what, command, text=None, status=0, **environment):
    job = subprocess.run(command, text=True, capture_output=True, input=text, env=dict(os.environ, **environment))
    if job.returncode != status:
        failed(what, f"status {job.returncode}\n{job.stdout}{job.stderr}")
    return job.stdout + job.stderr


with tempfile.TemporaryDirectory() as folder:
    at = lambda name: os.path.join(folder, name)  # noqa: E731
    run("a program from standard input", [OSHCC, "-x", "c", "-", "-o", at("a b")], HELLO)
    run("to run it", [*oshrun(2), at("a b")])
    run("-v", [OSHCC, "-v"])
    run("a compiler with options", [OSHCC, "-x", "c", "-", "-o", at("c")], HELLO, OSHCC_COMPILER="gcc -O2 -Wall")
    with open(at("one two.c"), "w", encoding="utf-8") as out:
        out.write("#include <stdio.h>\nint main(void) { puts(TEXT); return 0; }\n")
    run("arguments with blanks", [OSHCC, '-DTEXT="it\'s a b"', at("one two.c"), "-o", at("d")])
    shown = run("-showme", [OSHCC, "-showme", '-DTEXT="it\'s a b"', at("one two.c"), "-o", at("e")])
    run("what -showme says", ["sh", "-c", shown])
    if start([at("e")]).stdout != "it's a b\n":
        failed("-showme", shown)
    # The program's headers of these names are its own.
    os.mkdir(at("own"))
    with open(at("own/convey.h"), "w", encoding="utf-8") as out:
        out.write("#define OWN 1\n")
    run("own headers", [OSHCC, "-I" + at("own"), "-x", "c", "-c", "-", "-o", at("f.o")],
        "#include <convey.h>\n#if !OWN\n#error\n#endif\n")
    # As Makefiles that know only compiler, folders and names.
    run("gcc -lconvey", ["gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L", f"-I{TREE}/include", os.path.join(PROGRAMS, "convey_loops.c"),
                         "-o", at("g"), f"-L{TREE}/lib", "-lexstack", "-lconvey", "-llibgetput", "-lm"])
    expect_passed(start([*oshrun(2), at("g")]), "gcc -lconvey")
    # A shared library that calls shmem.h.
    run("a shared library", [OSHCC, "-fPIC", "-shared", "-x", "c", "-", "-o", at("libown.so")],
        "#include <shmem.h>\nint own(void);\nint own(void) { return shmem_my_pe(); }\n")
    text = run("a program of it", [OSHCC, "-x", "c", "-", "-o", at("h"), "-L" + folder, "-lown", "-Wl,-rpath," + folder],
               "#include <shmem.h>\nint own(void);\nint main(void) { shmem_init(); return own(); }\n", status=1)
    if "shmem_my_pe" not in text:
        failed("a program of a shared library", text)
    # Options of other launchers.
    job = start([os.path.join(TREE, "bin", "oshrun"), "-x", "A=b c", "--np", "2", "sh", "-c", 'echo "$A"'])
    if job.stdout != "b c\n" * 2:
        failed("oshrun -x", job.stdout + job.stderr)
    # The shells that `sh` may be differ in what a shift too far does.
    for shell in ("sh", "dash", "bash --posix"):
        for option in ("-n", "-x", "--np") if shutil.which(shell.split()[0]) else ():
            job = start([*shell.split(), os.path.join(TREE, "bin", "oshrun"), option], timeout=20)
            if job.returncode != 2 or job.stdout or job.stderr != f"oshrun: {option} needs a value\n":
                failed(f"oshrun {option}, by {shell}", f"status {job.returncode}\n{job.stdout}{job.stderr}")
end()
