#!/usr/bin/env python3
# Goal: with SHOAL_SIM=lock_stacks=1, the simulator catches a PE that reaches for the stack of another one, whatever hides
# the address, and no program that is right. It says when a PE needs a larger stack.
# labels: sim
# programs: actor.locked_stacks
import os
import re
import subprocess
import sys

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "actor.locked_stacks")

failures = 0


def run(n_pes, command, **settings):
    environment = dict(os.environ, SHOAL_SUBSTRATE="sim", SHOAL_PES=str(n_pes), **settings)
    return subprocess.run(command, env=environment, text=True, capture_output=True, timeout=200)


def check(what, job, status, pattern):
    global failures
    if job.returncode != status or not re.search(pattern, job.stderr) or job.stdout != "":
        failures += 1
        print(f"FAILED {what}: status {job.returncode}, expected {status} and {pattern}\n{job.stdout}{job.stderr}")


# AddressSanitizer reports errors itself, and moves variables away from the stack.
with open(os.path.join(os.environ["SHOAL_BUILD"], "CMakeCache.txt")) as cache:
    is_sanitized = re.search(r"^SHOAL_SANITIZE:\w+=.", cache.read(), re.MULTILINE)

WHERE = r"^shoal: PE 2: segmentation fault at address 0x[0-9a-f]+ on the stack of PE 0, which means nothing to this PE, "
CLOSURE = r"while handling closure \(anonymous namespace\)::go_astray\(.*\{lambda\(\)#\d\} from PE 0 in actor world"
ASTRAY = {
    "closure": WHERE + CLOSURE + "\n$",
    "plain": WHERE + CLOSURE + r"; it brought this address \(at byte 0\), which means nothing here: capture a value or "
                               "the handle of a per_pe\n$",
    "message": WHERE + "while handling message unsigned long from PE 0 in actor follow\n$",
    "main": WHERE + "in the main program\n$",
}
for case, report in ASTRAY.items():
    # Without the lock it goes unnoticed, as on threads; on processes it would crash or spoil something.
    check(case, run(3, [PROGRAM, case]), 0, "^$")
    if not is_sanitized:
        check(f"{case}, locked", run(3, [PROGRAM, case], SHOAL_SIM="lock_stacks=1"), -11, report)

for case, where in (("deep_main", "in the main program"), ("deep_handler", "while handling message long from PE 0 in actor deep")):
    if not is_sanitized:
        check(case, run(3, [PROGRAM, case], SHOAL_SIM="stack=64k"), -11,
              "^shoal: PE 2: segmentation fault at address 0x[0-9a-f]+, where its stack of 64 KiB ends \\(deep recursion, or "
              f"large local variables; raise SHOAL_SIM=stack=...\\), {where}\n$")
        check(f"{case}, larger", run(3, [PROGRAM, case], SHOAL_SIM="stack=64M"), 0, "^$")

# At every seed the scheduler writes to stacks at other times.
for seed in range(1, 6):
    hostile = {"SHOAL_SEED": str(seed), "SHOAL_SIM": "lock_stacks=1,hold=0.5,refuse=0.3,preempt=0.1"}
    check(f"one_sided, seed {seed}", run(5, [PROGRAM, "one_sided"], **hostile), 0, "^$")

# The lock takes no part in what happens.
traces = set()
for lock in ("0", "1"):
    job = run(5, [PROGRAM, "one_sided"], SHOAL_STATS="1", SHOAL_SIM=f"lock_stacks={lock},hold=0.5,preempt=0.1")
    traces.add(re.search("events, .* trace [0-9a-f]{16}", job.stderr).group())
if len(traces) != 1:
    failures += 1
    print(f"FAILED trace: {traces}")

check("setting", run(2, [PROGRAM, "one_sided"], SHOAL_SIM="lock_stacks=2"), 2,
      "^shoal: SHOAL_SIM: lock_stacks.*2.*\n$")

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
