"""Runs cases of the matrix through `shoal conveyor-bench`, many to a process, and says which failed and how."""

import collections
import concurrent.futures
import os
import re
import subprocess
import threading

N_LINES = 50  # of a process
SECONDS_OF_CASE = 120  # until a case counts as hanging; it takes a tenth of a second on an idle machine

Failure = collections.namedtuple("Failure", "command text")


def sections(output):
    """What followed each `> line` of a process's output."""
    return [text.split("\n", 1)[-1].strip() for text in re.split(r"^> ", output, flags=re.M)[1:]]


def environment(text):
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME") or "SAN_OPTIONS" in k}
    return {**kept, **dict(word.split("=", 1) for word in text.split())}


def run_process(program, settings, lines):
    """Output of a process that is given `lines`, its status, and whether it hung: wrote nothing for too long."""
    output, hung = [], threading.Event()
    with subprocess.Popen([program, "conveyor-bench", "-q", "--"], env=environment(settings), text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        process.stdin.write("".join(line + "\n" for line in lines))
        process.stdin.close()

        def give_up():
            hung.set()
            process.kill()

        line = True
        while line:
            alarm = threading.Timer(SECONDS_OF_CASE, give_up)
            alarm.start()
            line = process.stdout.readline()
            alarm.cancel()
            output.append(line)
    return "".join(output), process.returncode, hung.is_set()


def failures_of(program, settings, lines):
    """Runs all `lines`; after one that ends its process, continues in a new process."""
    found = []
    while lines:
        output, status, hung = run_process(program, settings, lines)
        texts = sections(output)
        if not texts:
            texts = [output.strip()]
        ended = status < 0 or len(texts) < len(lines)  # in the middle of its last line
        if ended:
            why = f"(hangs: nothing for {SECONDS_OF_CASE} s)" if hung else f"(ended with status {status})"
            texts[-1] = f"{texts[-1]}\n{why}".strip()
        elif status != 0 and not any(texts):
            texts[-1] = f"(status {status}, but no line says why)"
        command = f"{settings} shoal conveyor-bench ".lstrip()
        found += [Failure(command + line, text) for line, text in zip(lines, texts) if text]
        lines = lines[len(texts):]
    return found


def batches_of(cases, environment_of, options_of):
    """Lines by the environment that they need."""
    by_environment = collections.defaultdict(dict)
    for case in cases:
        by_environment[environment_of(case)][options_of(case)] = True
    for settings, lines in by_environment.items():
        lines = list(lines)
        for begin in range(0, len(lines), N_LINES):
            yield settings, lines[begin:begin + N_LINES]


def run_all(program, batches, n_workers, report=lambda n_done: None):
    """All failures of the batches, and the number of lines."""
    failures, n_done = [], 0
    with concurrent.futures.ThreadPoolExecutor(n_workers) as pool:
        runs = {pool.submit(failures_of, program, *batch): len(batch[1]) for batch in batches}
        for run in concurrent.futures.as_completed(runs):
            failures += run.result()
            n_done += runs[run]
            report(n_done)
    return failures, n_done
