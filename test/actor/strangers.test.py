#!/usr/bin/env python3
# Goal: other users of the machine can neither silence a report nor, as users of a program with more privileges than
# they have, choose its modules or lend it a job's memory.
# programs: actor.captures
import os
import re
import shutil
import subprocess
import sys
import tempfile

if os.geteuid() != 0 or not shutil.which("setpriv"):
    print("left out: only root can give a program privileges, and setpriv drops them")
    sys.exit(77)

failures = 0
with tempfile.TemporaryDirectory() as folder:
    if os.statvfs(folder).f_flag & os.ST_NOSUID:
        print(f"left out: programs in {folder} get no privileges")
        sys.exit(77)
    os.chmod(folder, 0o755)
    program = os.path.join(folder, "program")
    shutil.copy(os.path.join(os.environ["SHOAL_BIN"], "actor.captures"), program)
    for mode in (0o755, 0o4755):
        os.chmod(program, mode)
        for variable, value in (("SHOAL_MODULES", folder), ("SHOAL_JOB_FD", "77"), (None, None)):
            environment = {k: v for k, v in os.environ.items() if not k.startswith("SHOAL_") and k != "LD_PRELOAD"}
            if variable:
                environment[variable] = value
            job = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", program, "null"],
                                 env=environment, capture_output=True, text=True, timeout=60)
            line = f"{variable} is set, but this program has privileges that its user does not have; unset it, or start"
            is_refused = re.fullmatch(f"shoal: {line} the program without these privileges\n", job.stderr) is not None
            is_right = job.returncode == 2 if is_refused else variable == "SHOAL_JOB_FD" or job.returncode == 0
            if is_refused != (mode == 0o4755 and variable is not None) or not is_right:
                failures += 1
                print(f"FAILED mode {mode:o}, {variable}: status {job.returncode}\n{job.stderr}")

    # A user who links the program into a folder of his own does not choose its modules either.
    for name in ("bin", "lib/shoal"):
        os.makedirs(os.path.join(folder, name), mode=0o755)
    open(os.path.join(folder, "lib/shoal/shoal-mpich.so"), "wb").close()
    linked = os.path.join(folder, "bin/program")
    shutil.copy(program, linked)
    for mode in (0o755, 0o4755):
        os.chmod(linked, mode)
        job = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", linked, "null"],
                             env={"SHOAL_SUBSTRATE": "mpi", "SHOAL_MPI": "mpich"}, capture_output=True, text=True,
                             timeout=60)
        finds = os.path.join(folder, "lib/shoal") in job.stderr
        if finds != (mode == 0o755):
            failures += 1
            print(f"FAILED mode {mode:o}: modules beside the program: status {job.returncode}\n{job.stderr}")

# PEs under mpirun agree on who reports by a name, which another user may hold.
HOLD = """
import socket, sys
holder = socket.socket(socket.AF_UNIX)
holder.bind("\\0shoal-%016x" % int(sys.argv[1]))
holder.listen(1)
print("holds", flush=True)
sys.stdin.read()
"""
for user in (0, 65534):
    holder = subprocess.Popen(["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups",
                               "/usr/bin/python3", "-c", HOLD, str(os.getpid())],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    holder.stdout.readline()
    job = subprocess.run([os.path.join(os.environ["SHOAL_BIN"], "actor.captures"), "null"], capture_output=True, text=True,
                         env=dict(os.environ, SHOAL_SLOTS="abc", OMPI_COMM_WORLD_SIZE="2", OMPI_COMM_WORLD_RANK="0"),
                         timeout=60)
    holder.communicate("")
    # The report of a PE of ours is enough.
    if job.returncode != 2 or ("SHOAL_SLOTS=abc is not" in job.stderr) != (user != 0):
        failures += 1
        print(f"FAILED name held by user {user}: status {job.returncode}\n{job.stderr}")

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
