#!/usr/bin/env python3
# Goal: on every network substrate, misuse and failure end the job on all PEs, with one report of ours if a PE is left
# to give one.
# processors: 0
import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "support"), os.path.join(HERE, "..", "actor")]
import backends  # noqa: E402
from errors_cases import CASES  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "actor.errors")
SECONDS_MAX = 30  # the promise is a few seconds; the machine may be busy

# If no PE is left to report, the test can only expect that the launcher ends the others.
LAUNCHER_REPORTS = {"killed", "exit_at_once"}
# MPICH's launcher assumes that a process that leaves with status 0 has done its work.
SUCCESSES_BY_MISTAKE = {("mpi-mpich", "exit_at_once"), ("mpi-rma-mpich", "exit_at_once")}

# One PE has less memory than the others: there is no room for its node's memory.
ONE_PE_WITHOUT_ROOM = 'if [ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 1 ]; then ulimit -v 3000000; fi; exec "$0" "$1"'
NO_ROOM = r"shoal: PE 1 cannot map \d+ MiB of shared memory \(.*\); lower SHOAL_HEAP or SHOAL_MEMORY"

REPORTED_EVERYWHERE = ["send_out_of_range", "throw_in_handler", "throw_in_body", "throw_everywhere", "return_early",
                       "exit_early", "exit_at_once", "other_order", "heap", "killed"]
# By backend, since a launch takes a second: cases with default nodes, and with nodes of one PE.
CHOSEN = {
    "mpi-openmpi": (["throw_in_body", "throw_everywhere", "exit_early", "exit_at_once", "heap", "killed", "no_room"],
                    REPORTED_EVERYWHERE),
    "mpi-mpich": (["send_out_of_range", "throw_in_handler", "throw_everywhere", "exit_at_once", "killed"],
                  ["throw_in_handler", "throw_everywhere", "return_early", "exit_early", "other_order", "killed",
                   "exit_at_once", "no_room"]),
    "mpi-rma-openmpi": (["other_order"], ["throw_in_handler", "heap", "killed", "exit_at_once"]),
    "mpi-rma-mpich": (["return_early"], ["throw_in_body", "throw_everywhere", "other_order", "killed", "exit_at_once"]),
    "shmem": (["throw_in_body", "killed"],
              ["throw_in_handler", "throw_everywhere", "exit_early", "other_order", "heap", "killed", "exit_at_once"]),
}


def what_is_wrong(backend, node_size, name, n_pes=3):
    """Runs one case. Returns what is wrong, in words, and the output of the job."""
    launcher, environment = backends.command_on(backend, n_pes, node_size)
    program = [PROGRAM, name]
    if name == "no_room":
        environment["SHOAL_HEAP"] = "4G"
        program = ["bash", "-c", ONE_PE_WITHOUT_ROOM, *program]
    job = subprocess.Popen([*launcher, *program], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=environment)
    try:
        _, said = job.communicate(timeout=SECONDS_MAX)
    except subprocess.TimeoutExpired:
        job.terminate()  # the launcher ends its processes, too
        _, said = job.communicate(timeout=SECONDS_MAX)
        return [f"still running after {SECONDS_MAX} s"], said
    wrong = []
    if job.returncode == 0 and (backend, name) not in SUCCESSES_BY_MISTAKE:
        wrong.append("exit status 0")
    if n_pes == 1 and job.returncode != CASES[name][0]:  # of several PEs, launchers return what they like
        wrong.append(f"exit status {job.returncode} instead of {CASES[name][0]}")
    reports = [line for line in said.splitlines() if line.startswith("shoal: ")]
    if name in LAUNCHER_REPORTS:
        if reports:
            wrong.append("a report from a PE that had none to give")
        return wrong, said
    if len(reports) != 1:
        wrong.append(f"{len(reports)} reports instead of one")
    pattern = NO_ROOM if name == "no_room" else CASES[name][1]
    if not all(re.search(pattern, line) for line in reports):
        wrong.append(f"a report unlike: {pattern}")
    return wrong, said


failures = 0
n_run = 0
for backend, cases in CHOSEN.items():
    if reason := backends.why_not(backend):
        print(f"skipped {backend}: {reason}")
        continue
    for node_size, n_pes, names in ((None, 3, cases[0]), (1, 3, cases[1]), (None, 1, ["heap"])):
        for name in names:
            begin = time.monotonic()
            wrong, said = what_is_wrong(backend, node_size, name, n_pes)
            n_run += 1
            failures += bool(wrong)
            where = f"{backend}, {n_pes} PEs, nodes {'as they come' if node_size is None else 'of one PE'}: {name}"
            print(f"FAILED {where}: {'; '.join(wrong)}\n{said}" if wrong
                  else f"ok {where} ({time.monotonic() - begin:.2f} s)", flush=True)

if n_run == 0:
    sys.exit(77)
sys.exit(1 if failures else 0)
