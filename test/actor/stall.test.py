#!/usr/bin/env python3
# Goal: a job that cannot go on ends with a report in which each PE says what it waits for; a loop of the program is a
# warning, once; a job whose PEs compute, are stopped or take turns on a busy machine hears nothing.
# programs: shoalrun actor.stall
# timeout: 600
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from backends import command_on, why_not  # noqa: E402
from said import growing_file  # noqa: E402
from share import share_if_sanitized, share_of  # noqa: E402

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "actor.stall")
TIGHT = {"SHOAL_SLOTS": "16", "SHOAL_SLOT_BYTES": "64"}  # as test/support/hangs.hpp
N_SEEDS = int(os.environ.get("SHOAL_TEST_SEEDS", "1"))

failures = 0


def complain(text):
    global failures
    failures += 1
    print(f"FAILED {text}", flush=True)


def command(backend, n_pes, node_size=None):
    if backend == "threads":
        return [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    return command_on(backend, n_pes, node_size)


def lines_of(text):
    return [line for line in text.splitlines() if line.startswith("shoal: ")]


networks = [backend for backend in ("mpi-openmpi", "mpi-mpich", "mpi-rma-openmpi", "mpi-rma-mpich", "shmem")
            if not why_not(backend)]

# --- Jobs that end


def check_hang(backend, n_pes, seed, node_size=None, patience_ms="150"):
    name = f"hang {seed} on {backend} at {n_pes} PEs, nodes of {node_size}"
    start, environment = command(backend, n_pes, node_size)
    environment.update(TIGHT, TEST_PATIENCE_MS=patience_ms, TEST_SEED=str(seed))
    try:
        job = subprocess.run([*start, PROGRAM, "hang"], env=environment, text=True, capture_output=True, timeout=100)
    except subprocess.TimeoutExpired as e:
        return complain(f"{name}: no report\n{e.stderr}")
    lines = lines_of(job.stderr)
    expected = job.stdout.splitlines()[:n_pes]
    for pe, wait in enumerate(expected):
        if sum(re.fullmatch(f"shoal: PE {pe} waits: {wait}", line) is not None for line in lines) != 1:
            complain(f"{name}: not one line of PE {pe} like {wait}\n{job.stderr}")
    who = "the only PE waits" if n_pes == 1 else f"all {n_pes} PEs wait"
    if not any(line.startswith(f"shoal: PE 0: nothing can move any more: {who}") for line in lines):
        complain(f"{name}: no conclusion\n{job.stderr}")
    if len(expected) != n_pes or len(lines) != n_pes + 1 or job.returncode != 1:
        complain(f"{name}: status {job.returncode}, {len(lines)} lines\n{job.stderr}")


for seed in share_of(range(1, 10 * N_SEEDS + 1)):
    check_hang("local", 1 + seed % 5, seed)
    check_hang("threads", 1 + seed % 4, 100 + seed)
for i, backend in enumerate(networks):
    check_hang(backend, 3, 200 + i)
    for seed in range(N_SEEDS):
        check_hang(backend, 3, 300 + 10 * seed + i, node_size=1)
check_hang("local", 3, 7, patience_ms="0")  # the default


def check_large(n_pes):
    start, environment = command("threads", n_pes)
    environment.update(TIGHT, TEST_PATIENCE_MS="150", TEST_SEED="1")  # one PE waits for room, the others in finish
    job = subprocess.run([*start, PROGRAM, "hang"], env=environment, text=True, capture_output=True, timeout=100)
    lines = lines_of(job.stderr)
    if (job.returncode != 1 or len(lines) != 3 or
            not any(re.fullmatch(rf"shoal: PE [01] waits: in .*; {n_pes - 2} more likewise", line) for line in lines)):
        complain(f"{n_pes} PEs: status {job.returncode}\n{job.stderr}")


check_large(80)


def check_action(action):
    start, environment = command("local", 2)
    environment.update(TIGHT, TEST_PATIENCE_MS="150", TEST_SEED="3", SHOAL_ON_STALL=action)
    with growing_file() as said:
        job = subprocess.Popen([*start, PROGRAM, "hang"], env=environment, stdout=subprocess.DEVNULL, stderr=said)
        try:
            status = job.wait(timeout=100 if action == "abort" else 3)
        except subprocess.TimeoutExpired:
            status = None
        said.seek(0)
        text = said.read()
        if action == "abort" and (status != 128 + signal.SIGABRT or "nothing can move any more" not in text):
            complain(f"abort: status {status}\n{text}")
        if action == "debug" and (status is not None or "; the job stays for a debugger" not in text or
                                  len(re.findall(r"; attach with: gdb -p \d+$", text, re.MULTILINE)) != 2):
            complain(f"debug: status {status}\n{text}")
        job.terminate()
        job.wait()


check_action("abort")
check_action("debug")


# A promise that nobody keeps: each PE tells who waits for which answer, and where.
def check_promise(backend):
    start, environment = command(backend, 3)
    environment.update(TEST_PATIENCE_MS="150")
    job = subprocess.run([*start, PROGRAM, "promise"], env=environment, text=True, capture_output=True, timeout=100)
    lines = lines_of(job.stderr)
    place = r"\S*stall\.program\.cpp:\d+"
    clerk = "actor clerk, message long"
    expected = [
        rf"shoal: PE 0 waits: in get of a future \({place}\); {clerk}: sent 1, handled 0; .*",
        rf"shoal: PE 1 waits: in finish \({place}\); .*; {clerk}: its answer to PE 0 lacks a value that is made here; "
        rf"{clerk}: what waits \({place}\) lacks the answer of PE 2 \({place}\); .*",
        rf"shoal: PE 2 waits: in finish \({place}\); .*; actor guard, message long: its answer to PE 1 lacks a value that "
        rf"is made here \({place}\); .*",
        r"shoal: (PE 0: )?nothing can move any more.*",
    ]
    for pattern in expected:
        if sum(re.fullmatch(pattern, line) is not None for line in lines) != 1:
            complain(f"promise on {backend}: not one line {pattern}\n{job.stderr}")
    if job.returncode != 1 or len(lines) != len(expected):
        complain(f"promise on {backend}: status {job.returncode}, {len(lines)} lines\n{job.stderr}")


for backend in ("local", "threads", "sim", *networks[:1]):
    check_promise(backend)


# A call in the background that PE 1 does not start: who waits for it says so.
def check_background(backend, case, team):
    start, environment = command(backend, 3)
    environment.update(TEST_PATIENCE_MS="150")
    job = subprocess.run([*start, PROGRAM, case], env=environment, text=True, capture_output=True, timeout=100)
    lines = lines_of(job.stderr)
    place = r"\S*stall\.program\.cpp:\d+"
    started = rf"start_sum \({place}\){team}, which"
    lacks = rf"lacks a collective call in the background \({place}\)"
    expected = [
        rf"shoal: PE \d waits: in get of a future \({place}\).*; get {lacks}.*; {started} PE 1 has not started; .*",
        rf"shoal: PE \d waits: in finish \({place}\){team}.*: what waits \({place}\) {lacks}; {started} some other PE has not started; .*",
        rf"shoal: PE 1 waits: in barrier \({place}\){team}.*",
        r"shoal: (PE 0: )?nothing can move any more.*",
    ]
    for pattern in expected:
        if sum(re.fullmatch(pattern, line) is not None for line in lines) != 1:
            complain(f"{case} on {backend}: not one line {pattern}\n{job.stderr}")
    if job.returncode != 1 or len(lines) != len(expected):
        complain(f"{case} on {backend}: status {job.returncode}, {len(lines)} lines\n{job.stderr}")


for backend in ("local", "threads", "sim", *networks[:1]):
    check_background(backend, "background", "")
    check_background(backend, "background_of_team", r" of team 1 \(PEs 2, 1, 0\)")

# --- Jobs that go on


def run_until_end(backend, n_pes, case, seconds, node_size=None, during=None, **settings):
    """Runs a program that waits until a file appears, and returns what it has said by then and its status."""
    start, environment = command(backend, n_pes, node_size)
    environment.update(TEST_PATIENCE_MS="150", **settings)
    with tempfile.TemporaryDirectory() as folder, growing_file() as said:
        environment["TEST_END"] = os.path.join(folder, "end")
        job = subprocess.Popen([*start, PROGRAM, case], env=environment, stdout=subprocess.DEVNULL, stderr=said)
        begin = time.monotonic()

        def lines():
            said.seek(0)
            return lines_of(said.read())

        if during is not None:
            during(job)
        while time.monotonic() - begin < seconds and not any("(said once)" in line for line in lines()):
            time.sleep(0.1)
        time.sleep(0.5)
        open(environment["TEST_END"], "w").close()
        status = job.wait(timeout=100)
        return lines(), status


def check_warning(backend, n_pes, case, node_size=None):
    name = f"{case} on {backend} at {n_pes} PEs"
    lines, status = run_until_end(backend, n_pes, case, 60, node_size)
    loops = n_pes if case == "advance" else 1
    expected = [rf"shoal: PE {pe} waits: in barrier \(\S*stall\.program\.cpp:\d+\).*" for pe in range(n_pes - loops)]
    expected += [rf"shoal: PE {pe} loops around progress or advance: runs its main program.*"
                 for pe in range(n_pes - loops, n_pes)]
    expected.append(rf"shoal: PE 0: nothing moves any more: {loops} of {n_pes} PEs? loops? around "
                    r"progress or advance.*; the job goes on, .* \(said once\)")
    for pattern in expected:
        if sum(re.fullmatch(pattern, line) is not None for line in lines) != 1:
            complain(f"{name}: not one line {pattern}\n" + "\n".join(lines))
    if status != 0 or len(lines) != len(expected):
        complain(f"{name}: status {status}\n" + "\n".join(lines))


for case in ("progress", "advance"):
    check_warning("local", 1, case)
    check_warning("local", 3, case)
    check_warning("threads", 3, case)
    for backend in networks[:1]:
        check_warning(backend, 3, case, node_size=1)

# --- Jobs that hear nothing


def check_silence(name, lines, status):
    if lines or status != 0:
        complain(f"{name}: status {status}\n" + "\n".join(lines))


def pids_of_program(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


# A PE is stopped for many times as long as a PE waits before it looks, in a job that could go on.
def stop_last(job):
    time.sleep(0.5)
    stopped = pids_of_program(job.pid)[-1]
    os.kill(stopped, signal.SIGSTOP)
    time.sleep(5)
    os.kill(stopped, signal.SIGCONT)


for case in ("traffic", "compute"):
    for backend in ("local", "threads"):
        check_silence(f"{case} on {backend}", *run_until_end(backend, 3, case, 0, TEST_MS="2000"))
check_silence("work_in_loop", *run_until_end("local", 3, "work_in_loop", 0, TEST_MS="2000"))
check_silence("a stopped PE", *run_until_end("local", 3, "traffic", 0, during=stop_last, TEST_MS="3000"))

# The machine is loaded twenty times over.
load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(20)]
try:
    check_silence("under load", *run_until_end("local", 3, "traffic", 0, TEST_MS="4000"))
    # A hang takes as many times as long to be found. Under the whole load that is most of a minute.
    for each in load[4:]:
        each.kill()
    check_hang("local", 3, 11)
finally:
    for each in load:
        each.kill()
        each.wait()

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
