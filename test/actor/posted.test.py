#!/usr/bin/env python3
# Goal: what threads of the program post is called on the PE's own thread, in order, and ends its sleep; nothing that they post is
# lost without a report; in checked builds, a send by such a thread ends the job with one line.
# programs: shoalrun actor.posted
# labels: threads
import os
import re
import subprocess
import sys

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.posted")
UNCHECKED = 77
FOREIGN = (2, "a send by a thread that Shoal has not started; only the PE's own thread and tasks send, so let world.post call "
              "what sends$")

# By argument: the exit status, and the one line.
CASES = {
    "": (0, None),
    "left": (2, r"world\.post: the job ends before what was posted has run \(calls: 1\); calls run inside world\.finish, so let "
                "one wait until all have been posted$"),
    "throws": (1, "world.post: deferred work threw something that is not a std::exception$"),
    "foreign_send": FOREIGN,
    "foreign_closure": FOREIGN,
    "foreign_in_task": FOREIGN,
}

failures = 0
for n_pes in (1, 3):
    for command, environment in (([os.path.join(BIN, "shoalrun"), "-n", str(n_pes)], {}),
                                 ([], {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": str(n_pes)})):
        for n_workers in ("1", "2"):
            for case, (status, pattern) in CASES.items():
                job = subprocess.run([*command, PROGRAM, case], text=True, capture_output=True, timeout=60,
                                     env=dict(os.environ, SHOAL_WORKERS=n_workers, **environment))
                lines = job.stderr.splitlines()
                if pattern == FOREIGN[1] and "ThreadSanitizer" in job.stderr:  # it tells of such sends, too
                    lines = [line for line in lines if line.startswith("shoal")]
                is_right = not lines if pattern is None else (
                    len(lines) == 1 and re.match(r"shoal: PE \d: " + pattern, lines[0]))
                if job.returncode == UNCHECKED or (job.returncode == status and is_right):
                    continue
                failures += 1
                print(f"FAILED {case} {command} {environment} {n_workers}: status {job.returncode}\n{job.stderr}")

# The simulator has one thread.
job = subprocess.run([PROGRAM], text=True, capture_output=True, timeout=60, env=dict(os.environ, SHOAL_SUBSTRATE="sim"))
if job.returncode != 2 or not re.match(r"shoal: world\.post by a thread that the program has started: sim runs all PEs on one "
                                       "thread, so that a seed replays them; choose SHOAL_SUBSTRATE=local or threads$",
                                       job.stderr):
    failures += 1
    print(f"FAILED sim: status {job.returncode}\n{job.stderr}")

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
