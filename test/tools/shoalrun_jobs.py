"""Starts jobs of shoalrun for its tests, shoalrun_*.test.py: together they check every promise of its help and README."""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

SOURCE = os.environ["SHOAL_SOURCE"]
SHOALRUN = os.path.join(os.environ["SHOAL_BIN"], "shoalrun")
FOLDER = tempfile.TemporaryDirectory(prefix="shoalrun-test-")
PE = os.path.join(FOLDER.name, "pe")  # test/tools/shoalrun_pe.cpp lists its steps
ALL_ENDED_S = 2.0  # the promise: at most this long after a failure, no PE is left
SLACK_S = 0.5 * max(1.0, os.getloadavg()[0])  # on a busy machine everything takes longer


def build_pe():
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, "-std=c++20", "-O1", "-I" + os.path.join(SOURCE, "src"),
                    os.path.join(SOURCE, "test/tools/shoalrun_pe.cpp"), "-o", PE], check=True)
    os.chmod(FOLDER.name, 0o755)


def processes_left():
    """Ids of living processes that run the test's program."""
    left = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if name.isdigit() and words[0] == PE.encode():
            left.append(int(name))
    return left


def wait_until(condition, timeout_s, what):
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"after {timeout_s} s still not: {what}")
        time.sleep(0.01)


class Result:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds


def command(arguments):
    return [SHOALRUN] + [str(a) for a in arguments]


def run(*arguments, timeout=20, text=True, **options):
    start = time.monotonic()
    if "stdin" not in options and "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    done = subprocess.run(command(arguments), capture_output=True, text=text, timeout=timeout, **options)
    return Result(done.returncode, done.stdout, done.stderr, time.monotonic() - start)


class Job:
    """A running shoalrun whose PEs have printed `ready`."""

    def __init__(self, n_pes, *arguments, options=(), **popen):
        popen.setdefault("stdin", subprocess.DEVNULL)
        self.process = subprocess.Popen(command(["-n", n_pes, *options, *arguments]), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen)
        self.pids = {}
        self.lines = []
        while len(self.pids) < n_pes:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError("the job ended early: " + self.process.stderr.read())
            match = re.search(r"PE (\d+) is (\d+)", line)
            if match:
                self.pids[int(match[1])] = int(match[2])
            else:
                self.lines.append(line)

    def end(self, timeout=20):
        start = time.monotonic()
        out, err = self.process.communicate(timeout=timeout)
        return Result(self.process.returncode, "".join(self.lines) + out, err, time.monotonic() - start)


class ShoalrunTest(unittest.TestCase):
    def tearDown(self):
        left = processes_left()
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [], "processes survived their job")

    def assert_report(self, result, pattern, status):
        self.assertRegex(result.err, r"\Ashoalrun: " + pattern + r"\n\Z")
        self.assertEqual(result.status, status)
