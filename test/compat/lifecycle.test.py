#!/usr/bin/env python3
# Goal: however a program of OpenSHMEM begins and ends, its status and output reach the launcher, and nothing is printed that a
# correct program did not print. Misuse ends the job with one line, and nobody waits for ever.
# programs: shoalrun shoal_compat_archive
# labels: optimized
import os
import re
import tempfile
import time

from compat import BIN, compile_program, end, failed, oshrun, start

# How: the status of the job with several PEs. Each prints "passed".
ENDINGS = {"none": 0, "": 0, "start_pes": 0, "nested": 0, "again": 0, "finalize twice": 0, "finalize first": 0, "return": 0,
           "exit 0": 0, "return 5": 5, "one returns 3": 3, "one exits 3": 3, "one ends all with 4": 4,
           "one ends all with 0": 0, "exit 6 late": 6}
ON_ALL = "(shoal: )?PE \\d: "
# How: the line of the report.
MISUSES = {
    "stack": r"shmem_long_p of 8 bytes at 0x\w+, which are not symmetric; they have to lie in memory from shmem_malloc, or in "
             r"static variables of the program \(not of a shared library\)",
    "pe": r"shmem_long_p on PE 3, which is out of range; PEs are 0 to 2",
    "size": "collective calls do not match: PE \\d is in shmem_malloc while PE \\d is in shmem_malloc, with other arguments or "
            "types; all PEs must make the same collective calls in the same order",
    "free": r"shmem_free of 0x\w+, where no block of the symmetric heap begins; was it released before\?",
    "twice": r"shmem_free of 0x\w+, where no block of the symmetric heap begins; was it released before\?",
    "lock": r"shmem_clear_lock of a lock that this PE does not have; nobody has",
    "set": r"shmem_barrier of 4 PEs from PE 0 on, in steps of 1: they are not all in the job, whose PEs are 0 to 2",
    "stranger": r"shmem_barrier by PE \d, which is not one of the PEs that it is about",
    "root": r"shmem_broadcast64 from PE -1, which is out of range; the PEs of the call are counted from 0 to 2",
    "team": r"shmem_team_sync of SHMEM_TEAM_INVALID; this PE is not a member of the team",
    "calls": "collective calls do not match: PE \\d is in (barrier|shmem_malloc) while PE \\d is in (barrier|shmem_malloc); "
             "all PEs must make the same collective calls in the same order",
    "compare": r"shmem_long_wait_until with the comparison 77; give one of SHMEM_CMP_\*",
}
OUTSIDE = r"shoal: shmem_long_p outside a job; call shmem_init first, and shmem_finalize last"

with tempfile.TemporaryDirectory() as folder:
    program = compile_program("shmem_lifecycle.c", folder)
    for how, status in ENDINGS.items():
        for n_pes in (1, 2, 4):
            begin = time.monotonic()
            job = start([*oshrun(n_pes), program, how])
            lines = job.stdout.splitlines()
            n_lines = n_pes if how == "none" else 1
            # Others may end a PE before it has written.
            is_told = lines == ["passed"] * n_lines or ((how.startswith("one ") or status != 0) and n_pes > 1 and lines in ([], ["passed"]))
            if how == "one exits 3" and n_pes == 1:
                continue
            if job.returncode != status or job.stderr or not is_told or time.monotonic() - begin > 20:
                failed(f"'{how}' on {n_pes} PEs, {time.monotonic() - begin:.1f} s",
                       f"status {job.returncode}\n{job.stdout}{job.stderr}")
    for how in ("early", "late"):
        job = start([program, how])
        if job.returncode != 2 or not re.fullmatch(OUTSIDE + "\n", job.stderr):
            failed(how, f"status {job.returncode}\n{job.stderr}")
    # All PEs of these are in one process.
    for substrate in ("sim", "threads"):
        job = start([program], {"SHOAL_SUBSTRATE": substrate})
        if job.returncode != 2 or not re.fullmatch(rf"shoal: .*{substrate}.*\n", job.stderr):
            failed(substrate, f"status {job.returncode}\n{job.stderr}")
    # The heap's size, by the names that programs of OpenSHMEM know.
    for name in ("SHMEM_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE", "SMA_SYMMETRIC_SIZE", "XT_SYMMETRIC_HEAP_SIZE"):
        for size in ("1M", "1.5M", "0"):
            job = start([*oshrun(2), program], {name: size})
            if job.returncode != 0:
                failed(f"{name}={size}", job.stderr)
        job = start([*oshrun(2), program], {name: "many"})
        if job.returncode != 2 or name not in job.stderr or len(job.stderr.splitlines()) != 1:
            failed(name, f"status {job.returncode}\n{job.stderr}")

    program = compile_program("shmem_misuse.c", folder)
    for how, line in MISUSES.items():
        job = start([*oshrun(3), program, how])
        if job.returncode != 2 or not re.fullmatch(rf"shoal: PE \d: ({line})\n", job.stderr):
            failed(f"misuse '{how}'", f"status {job.returncode}\n{job.stderr}")
end()
