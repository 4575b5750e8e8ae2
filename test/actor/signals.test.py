#!/usr/bin/env python3
# Goal: a crash in a handler says what was being handled; SIGQUIT makes every PE say what it waits for, and harms nothing.
# programs: shoalrun actor.signals
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

PROGRAM = os.path.join(os.environ["SHOAL_BIN"], "actor.signals")
SHOALRUN = os.path.join(os.environ["SHOAL_BIN"], "shoalrun")

# AddressSanitizer reports errors itself.
with open(os.path.join(os.environ["SHOAL_BUILD"], "CMakeCache.txt")) as cache:
    if re.search(r"^SHOAL_SANITIZE:\w+=.", cache.read(), re.MULTILINE):
        print("left out under a sanitizer")
        sys.exit(77)

failures = 0


def complain(text):
    global failures
    failures += 1
    print(f"FAILED {text}", flush=True)


def command(backend, n_pes):
    if backend == "threads":
        return [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    return command_on(backend, n_pes)


# --- Crashes

CLOSURE = r"closure \(anonymous namespace\)::crash\(.*\{lambda\(\)#\d\}"
CRASHES = {  # case: signal, what the PE says
    "brought": (11, rf"segmentation fault at address 0x[0-9a-f]+ while handling {CLOSURE} from PE 0 in actor world; it "
                    r"brought this address \(at byte 8\), which means nothing here: capture a value or the handle of a "
                    r"per_pe"),
    "member": (11, r"segmentation fault at address .*; it brought this address \(at byte 0\)"),
    "brought_by_call": (11, r"segmentation fault at address .* from PE 0 in actor world; it brought this address \(at byte 8\)"),
    "null": (11, rf"segmentation fault while handling {CLOSURE} from PE 0 in actor world|"
                 rf"segmentation fault at address 0x8 while handling {CLOSURE} from PE 0 in actor world"),
    "abort": (6, r"abort while handling message double from PE 0 in actor counts"),
    "overflow": (11, r"segmentation fault at address 0x[0-9a-f]+ while handling message long from PE 0 in actor counts"),
    "arithmetic": (8, r"arithmetic error while handling message int from PE 0 in actor update"),
    "in_main": (11, None),
}
OVERFLOW_ON_SIM = (r"segmentation fault at address 0x[0-9a-f]+, where its stack of 256 KiB ends \(deep recursion, or large "
                   r"local variables; raise SHOAL_SIM=stack=\.\.\.\), while handling message long from PE 0 in actor counts")


def check_crash(backend, n_pes, case, number, pattern, **settings):
    start, environment = command(backend, n_pes)
    environment.update(settings)
    job = subprocess.run([*start, PROGRAM, case], env=environment, text=True, capture_output=True, timeout=100)
    lines = [line for line in job.stderr.splitlines() if re.match(r"shoal(run)?: ", line)]
    wrong = []
    if backend == "local" and job.returncode != 128 + number:
        wrong.append(f"status {job.returncode}")
    if backend in ("sim", "threads") and job.returncode != -number:
        wrong.append(f"status {job.returncode}")
    if job.returncode == 0:
        wrong.append("status 0")
    if pattern is None and any("while handling" in line for line in lines):
        wrong.append("a line about a handler")
    if pattern is None and backend == "local" and not re.search(rf"was killed by signal {number}", job.stderr):
        wrong.append("no line of shoalrun")
    if pattern is not None and (len(lines) != 1 or not re.fullmatch(rf"shoal: PE {n_pes - 1}: (?:{pattern}).*", lines[0])):
        wrong.append(f"not one line like {pattern}")
    if wrong:
        complain(f"{case} on {backend} at {n_pes} PEs: {'; '.join(wrong)}\n{job.stderr}")


available = [backend for backend in ("local", "mpi-mpich", "mpi-openmpi") if not why_not(backend)]
for backend in [*available, "sim", "threads"]:
    for n_pes in (1, 3) if backend in ("local", "sim") else (3,):
        for case, (number, pattern) in CRASHES.items():
            if (case, backend) == ("overflow", "sim"):
                pattern = OVERFLOW_ON_SIM
            # The stacks of threads that run PEs leave no room for a handler.
            if (case, backend) != ("overflow", "threads"):
                check_crash(backend, n_pes, case, number, pattern)
check_crash("local", 3, "brought", 11, "segmentation fault at address .* by way of PE \d in actor world; it brought",
            SHOAL_HOPS="2")

# What the program handles is its own.
job = subprocess.run([SHOALRUN, "-n", "3", PROGRAM, "own_handler"], text=True, capture_output=True, timeout=60)
if job.returncode != 9 or "while handling" in job.stderr:
    complain(f"own_handler: status {job.returncode}\n{job.stderr}")

# --- Questions

WAITS = r"shoal: PE {} waits: in (finish|barrier) \(\S*signals\.program\.cpp:\d+\).*; free slots: \d+ of \d+"
QUESTIONS = {  # case: what the last PE says
    "compute": r"shoal: PE {} runs its main program; it has not waited yet",
    "progress": r"shoal: PE {} (waits: )?runs its main program.*",
    "handle": r"shoal: PE {} handles closure .*let_wait.* from PE 0 in actor world; it is in finish "
              r"\(\S*signals\.program\.cpp:\d+\)",
    "task": r"shoal: PE {} runs a task \(\S*signals\.program\.cpp:\d+\); it is in finish \(\S*signals\.program\.cpp:\d+\)",
}
# The PE's own thread waits, and tells what its other worker does.
QUESTIONS_ON_WORKERS = {
    "task_elsewhere": WAITS.replace("; free", r"; worker 1 runs a task \(\S*signals\.program\.cpp:\d+\); free"),
    "handler_elsewhere": WAITS.replace("; free", r"; worker 1 runs a handler \(actor slow, message long\); free"),
}


def pids_below(pid):
    """The processes that run the program, below a process."""
    found = []
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        for child in map(int, file.read().split()):
            try:
                if os.path.samefile(f"/proc/{child}/exe", PROGRAM):
                    found.append(child)
                found += pids_below(child)
            except OSError:
                pass  # it has ended
    return found


def check_question(backend, n_pes, case, number, answer, **settings):
    start, environment = command(backend, n_pes)
    environment.update(settings)
    with tempfile.TemporaryDirectory() as folder, growing_file() as said:
        environment["TEST_END"] = os.path.join(folder, "end")
        job = subprocess.Popen([*start, PROGRAM, case], env=environment, stderr=said, stdout=subprocess.DEVNULL)
        expected = [WAITS.format(pe) for pe in range(n_pes - 1)] + [answer.format(n_pes - 1)]

        def missing():
            said.seek(0)
            lines = said.read().splitlines()
            return [pattern for pattern in expected if not any(re.fullmatch(pattern, line) for line in lines)]

        begin = time.monotonic()
        while len(os.listdir(folder)) < n_pes and time.monotonic() - begin < 60:
            time.sleep(0.01)  # until the PEs answer
        # PEs that have not begun to wait when they are asked say something else. They are asked again.
        while missing() and job.poll() is None and time.monotonic() - begin < 60:
            if backend in ("local", "threads"):
                job.send_signal(number)
            else:
                for pid in pids_below(job.pid):
                    os.kill(pid, number)
            time.sleep(0.5)
        for pattern in missing():
            said.seek(0)
            complain(f"{case} on {backend} at {n_pes} PEs: no line {pattern}\n{said.read()}")
        open(environment["TEST_END"], "w").close()
        status = job.wait(timeout=60)
        if status != 0:
            said.seek(0)
            complain(f"{case} on {backend} at {n_pes} PEs: status {status} after the question\n{said.read()}")


for case, answer in QUESTIONS.items():
    # The question reaches one thread, which passes it on.
    check_question("threads", 3, case, signal.SIGQUIT, answer)
    for n_pes in (1, 3):
        check_question("local", n_pes, case, signal.SIGQUIT, answer)
    for backend in available[1:]:
        # MPICH has a SIGUSR1 of its own.
        check_question(backend, 3, case, signal.SIGQUIT if backend == "mpi-mpich" else signal.SIGUSR1, answer)
for case, answer in QUESTIONS_ON_WORKERS.items():
    for backend in ("local", "threads"):
        check_question(backend, 2, case, signal.SIGQUIT, answer, SHOAL_WORKERS="2")

# A program that does not answer ends, as before, and nobody calls it a failure.
job = subprocess.Popen([SHOALRUN, "-n", "2", "sleep", "100"], stderr=subprocess.PIPE, text=True)
time.sleep(1)
job.send_signal(signal.SIGQUIT)
said = job.communicate(timeout=60)[1]
if job.returncode != 128 + signal.SIGQUIT or said:
    complain(f"sleep: status {job.returncode}\n{said}")

print("FAILED" if failures else "OK")
sys.exit(failures != 0)
