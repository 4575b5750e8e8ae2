#!/usr/bin/env python3
# Goal: what the documents say about gdb is true: the first `continue` or `run` leads to the first breakpoint, with no
# signal before it, and the job ends well after the next ones.
# programs: shoalrun substrate.debugged
import os
import re
import shutil
import subprocess
import sys

if not shutil.which("gdb"):
    print("left out: no gdb (Debian: gdb)")
    sys.exit(77)

SHOALRUN, PROGRAM = (os.path.join(os.environ["SHOAL_BIN"], name) for name in ("shoalrun", "substrate.debugged"))
# Debuggers of some users ask before they end, or download symbols.
GDB = ["gdb", "-q", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
STOPPED = re.compile(r'Breakpoint \d+, .*stop_here|received signal \w+|exited \w+', re.MULTILINE)
failures = 0


def expect(what, found, expected, text):
    global failures
    if found != expected:
        failures += 1
        print(f"FAILED {what}: expected {expected}, found {found}\n{text}")


def is_forbidden(text):
    """Containers may forbid processes to trace others."""
    return "Operation not permitted" in text or "ptrace" in text


def commands(*words):
    return [word for command in words for word in ("-ex", command)]


# One process.
job = subprocess.run([*GDB, *commands("break stop_here", "run", "continue"), PROGRAM], capture_output=True, text=True,
                     timeout=100)
if is_forbidden(job.stdout + job.stderr):
    print("left out: this system forbids debuggers")
    sys.exit(77)
expect("one PE", STOPPED.findall(job.stdout)[1:], ["exited normally"], job.stdout + job.stderr)

# Threads.
job = subprocess.run([*GDB, *commands("break stop_here", "run", "continue", "continue", "continue"), PROGRAM],
                     capture_output=True, text=True, timeout=100,
                     env={**os.environ, "SHOAL_SUBSTRATE": "threads", "SHOAL_PES": "3"})
stops = STOPPED.findall(job.stdout)
expect("threads", ["signal" in stop for stop in stops], [False] * 4, job.stdout + job.stderr)
expect("threads", stops[-1:], ["exited normally"], job.stdout + job.stderr)

# A PE that waits for its debugger.
job = subprocess.Popen([SHOALRUN, "-n", "2", "--debug", "1", PROGRAM], stderr=subprocess.PIPE, text=True)
said = job.stderr.readline()
hint = re.fullmatch(r"shoal: PE 1 \(process (\d+)\) waits for a debugger; attach with: (gdb -p \1)\n", said)
expect("hint", hint is not None, True, said)
if hint:
    debugger = subprocess.run([*GDB, *hint.group(2).split()[1:], *commands("break stop_here", "continue", "continue")],
                              capture_output=True, text=True, timeout=100)
    text = debugger.stdout + debugger.stderr
    stops = STOPPED.findall(debugger.stdout)
    expect("a PE of shoalrun", len(stops) == 2 and "stop_here" in stops[0], True, text)
    expect("a PE of shoalrun", stops[1:], ["exited normally"], text)
    expect("the job", (job.wait(60), job.stderr.read()), (0, ""), text)
else:
    job.kill()

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
