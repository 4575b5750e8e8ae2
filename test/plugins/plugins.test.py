#!/usr/bin/env python3
# Goal: closures of shared libraries and plugins run where they were written, in whatever order PEs open them; a second
# copy of the library, two copies of a plugin, and a plugin that is not open are refused in one line.
# programs: all_tools
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from backends import NETWORKS, command_on, why_not  # noqa: E402

FOLDER = os.path.join(os.environ["SHOAL_BUILD"], "lib", "test")
ARCHIVE, SHARED = (os.path.join(os.environ["SHOAL_BIN"], f"plugins.host_{kind}") for kind in ("archive", "shared"))
PATH = {name: os.path.join(FOLDER, name + ".so")
        for name in ("plugin1", "plugin2", "unnamed3", "unnamed4", "linked5", "linked6", "copy7", "alike8", "alike9")}

failures = 0


def run(backend, n_pes, command, **settings):
    if backend == "threads":
        start, environment = [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    else:
        start, environment = command_on(backend, n_pes)
    environment.update(settings)
    return subprocess.run([*start, *command], env=environment, text=True, capture_output=True, timeout=100)


def fail(what, job):
    global failures
    failures += 1
    print(f"FAILED {what}: status {job.returncode}\n{job.stdout}{job.stderr}")


def expect_right(backend, n_pes, *command, **settings):
    job = run(backend, n_pes, command, **settings)
    if job.returncode != 0 or job.stdout.splitlines()[-1:] != ["right"] or job.stderr != "":
        fail(f"{backend} at {n_pes} PEs, {command} {settings}", job)


def expect_refusal(backend, n_pes, status, pattern, *command, **settings):
    job = run(backend, n_pes, command, **settings)
    reports = [line for line in job.stderr.splitlines() if line.startswith("shoal")]
    # A second copy cannot tell MPI the status: it does not know that it is a PE.
    has_status = job.returncode == status or (backend in NETWORKS and "two copies" in pattern and job.returncode != 0)
    if not has_status or len(reports) != 1 or not re.search(pattern, reports[0]):
        fail(f"{backend} at {n_pes} PEs, {command} {settings}: expected status {status} and {pattern}", job)


for backend, sizes in (("local", (1, 3)), ("sim", (1, 3)), ("threads", (3,)), ("mpi-mpich", (3,))):
    if reason := why_not(backend) if backend != "threads" else None:
        print(f"{backend}: left out, {reason}")
        continue
    for n_pes in sizes:
        for host, plugins in ((ARCHIVE, ("plugin1", "plugin2", "unnamed3", "unnamed4")),
                              (SHARED, ("plugin1", "linked5", "plugin2", "linked6"))):
            paths = [PATH[name] for name in plugins]
            expect_right(backend, n_pes, host, *paths)
            expect_right(backend, n_pes, host, *paths, SHOAL_SLOT_BYTES="256")
            expect_right(backend, n_pes, host, "--late", *paths)
            # PEs that share a process share its plugins, which close when the last of them closes.
            expect_right(backend, n_pes, host, "--close", *paths)
    expect_right(backend, 3, SHARED, PATH["linked5"], PATH["plugin1"], SHOAL_HOPS="2")

    for host in (ARCHIVE, SHARED):
        expect_refusal(backend, 3, 2, rf"this process has two copies of Shoal, in (the program|\S+libshoal\.so\S*) and in "
                       rf"{PATH['copy7']}; link both with libshoal\.so instead of libshoal\.a$",
                       host, PATH["copy7"])
    with tempfile.TemporaryDirectory() as other:
        twin = shutil.copy(PATH["plugin1"], os.path.join(other, "twin1.so"))
        expect_refusal(backend, 3, 2, r"\S+1\.so and \S+1\.so are copies of one library, so closures of one would run in "
                       r"the other; open it once( \(sim: .*\))?$", ARCHIVE, PATH["plugin1"], twin)
    expect_refusal(backend, 3, 2, r"\S+alike\d.so and \S+alike\d.so would name their closures alike, since their build ids "
                   r"have the same digest of 16 bits; link one of them again with another id, for instance "
                   r"-Wl,--build-id=uuid", SHARED, PATH["alike8"], PATH["alike9"])

    expect_refusal(backend, 3, 2, r"PE 0 has constructed nothing more; PE 1 has constructed per_pe of plugin_only::state; "
                   r"construct the same ones", SHARED, "--differ", PATH["plugin1"])

for backend in ("local", "mpi-mpich"):
    if why_not(backend):
        continue
    for host in (ARCHIVE, SHARED):
        expect_refusal(backend, 3, 2, r"PE [12]: a buffer from PE 0 names a closure of a library that is not open here; let "
                       r"all PEs run the same binary, and open a plugin before any PE sends its closures$",
                       host, "--only", "0", PATH["plugin1"])

# Found when the process starts.
expect_refusal("sim", 1, 2, "this process has two copies of Shoal, in the program and in .*copy7.so", ARCHIVE,
               LD_PRELOAD=PATH["copy7"])

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
