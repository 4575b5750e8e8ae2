#!/usr/bin/env python3
# Goal: a program's own MPI and OpenSHMEM calls within supersteps do what docs/foreign-calls.md promises: those that do not
# wait work everywhere, those that wait work where no PE has yet sent what another has to take. What waits after that
# hangs, and the PEs say why when they are asked.
# programs: all_tools
# timeout: 500
# processors: 2
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402
from said import growing_file  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
WAITS = "shoal: PE 0 waits: for room to send (actor count, message long), in the body of finish"
# PEs, PEs of a node. Each backend has two of them for each kind of calls, and all with the seeds of `make test-all`.
SIZES = ((2, None), (2, 1), (3, 1), (4, 2))
RUNS_ALL = int(os.environ.get("SHOAL_TEST_SEEDS", "1")) > 1


def command(backend, n_pes, node_size, *arguments):
    if reason := backends.why_not(backend):
        raise unittest.SkipTest(reason)
    launcher, environment = backends.command_on(backend, n_pes, node_size)
    library = backends.NETWORKS[backend][1]
    # Small pools, so that sends wait.
    environment.update(SHOAL_SLOTS="16", SHOAL_SLOT_BYTES="1k")
    return [*launcher, os.path.join(BIN, f"network.foreign_calls-{library}"), *arguments], environment


class ForeignCalls(unittest.TestCase):
    def on_all(self, what, first):
        for b, backend in enumerate(backends.NETWORKS):
            for n_pes, node_size in SIZES if RUNS_ALL else SIZES[(b + first) % 2::2]:
                with self.subTest(backend=backend, n_pes=n_pes, node_size=node_size):
                    line, environment = command(backend, n_pes, node_size, what)
                    job = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=100)
                    self.assertEqual((job.returncode, job.stdout), (0, "ok\n"), job.stderr)
                    self.assertNotIn("shoal: ", job.stderr)

    def test_calls_that_do_not_wait(self):
        self.on_all("nonblocking", first=0)

    def test_calls_that_wait_before_anyone_has_sent(self):
        self.on_all("first", first=1)

    def test_calls_that_wait_after_sends_hang_and_can_be_asked_why(self):
        for backend in ("mpi-openmpi", "shmem"):
            with self.subTest(backend), growing_file() as said:
                line, environment = command(backend, 2, 1, "blocks")
                job = subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=said, text=True,
                                       start_new_session=True)
                try:
                    self.assertEqual(job.stdout.readline(), "begins\n")
                    text, begin = "", time.monotonic()
                    while WAITS not in text and time.monotonic() - begin < 60:
                        time.sleep(1)
                        pids = subprocess.run(["pgrep", "-f", "^" + line[-2]], text=True, capture_output=True).stdout
                        for pid in pids.split():
                            os.kill(int(pid), signal.SIGQUIT)  # the libraries have a SIGUSR1 of their own
                        said.seek(0)
                        text = said.read()
                    self.assertIn(WAITS, text)
                    self.assertIsNone(job.poll(), "it did not hang")
                finally:
                    os.killpg(job.pid, signal.SIGTERM)
                    job.wait()
                    job.stdout.close()


if __name__ == "__main__":
    if all(map(backends.why_not, backends.NETWORKS)):
        print("skipped:", *map(backends.why_not, backends.NETWORKS), sep="\n")
        sys.exit(77)
    unittest.main(verbosity=2)
