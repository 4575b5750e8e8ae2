"""Tests shoalrun from the outside: lines with tags, and readers that are slow or gone."""

import os
import re
import signal
import subprocess
import time
import unittest

from shoalrun_jobs import ALL_ENDED_S, PE, SHOALRUN, Job, ShoalrunTest, build_pe, processes_left, run, wait_until


class Tagging(ShoalrunTest):
    def test_whole_lines_with_tags_to_the_right_stream(self):
        n_pes, n_lines = 4, 500
        result = run("-n", n_pes, "--tag", PE, f"lines={n_lines}")
        self.assertEqual((result.status, result.err), (0, ""))
        by_pe = {pe: [] for pe in range(n_pes)}
        for line in result.out.splitlines():
            match = re.fullmatch(r"\[(\d)\] PE (\d) line (\d+)", line)
            self.assertIsNotNone(match, line)
            self.assertEqual(match[1], match[2])
            by_pe[int(match[1])].append(int(match[3]))
        for lines in by_pe.values():
            self.assertEqual(lines, list(range(n_lines)))
        result = run("-n", 2, "--tag", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(sorted(result.out.splitlines()), ["[0] out", "[1] out"])
        self.assertEqual(sorted(result.err.splitlines()), ["[0] err", "[1] err"])

    def test_a_last_line_without_an_end(self):
        result = run("-n", 2, "--tag", PE, "say=first", "open=last")
        self.assertEqual(sorted(result.out.splitlines()),
                         ["[0] first", "[0] last", "[1] first", "[1] last"])
        self.assertTrue(result.out.endswith("\n"))

    def test_long_lines(self):
        result = run("-n", 2, "--tag", PE, "long=5000000", "say=after")
        self.assertEqual(sorted(len(line) for line in result.out.splitlines()), [9, 9] + [5000004] * 2)
        limit = 16 << 20  # longer ones are continued
        lines = run("-n", 1, "--tag", PE, f"long={limit + 100000}").out.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual("".join(line.removeprefix("[0] ") for line in lines), "x" * (limit + 100000))

    def test_last_words_of_a_pe_come_before_the_report(self):
        result = run("-n", 2, "--tag", "sh", "-c", "echo failing >&2; test $SHOAL_PE = 0 || sleep 9; exit 3")
        self.assertRegex(result.err, r"(?s)\[0\] failing\n.*\Z")
        self.assertRegex(result.err, r"shoalrun: PE 0 \(process \d+\) exited with status 3; "
                         r"ended the other PE\n\Z")

    def test_a_reader_that_closes(self):
        result = subprocess.run(["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "bash", SHOALRUN,
                                 "-n", "2", "--tag", "yes"], capture_output=True, text=True, timeout=20)
        self.assertRegex(result.stdout, r"\A\[[01]\] y\n\Z")
        self.assertEqual(result.returncode, 141)
        self.assertRegex(result.stderr, r"PE [01] \(process \d+\) was killed by signal 13 \(Broken pipe\)")

    def test_a_reader_that_does_not_read_delays_no_ending(self):
        job = Job(2, PE, "running", "pid", "0:lines=100000", "sleep=60", options=["--tag"])
        time.sleep(0.3)
        os.kill(job.pids[1], signal.SIGKILL)
        wait_until(lambda: not processes_left(), ALL_ENDED_S, "all PEs gone")
        self.assertEqual(job.end().status, 137)

    def test_a_user_need_not_wait_for_a_reader_that_does_not_read(self):
        job = Job(2, PE, "running", "ignore=15", "pid", "lines=100000", options=["--tag"])
        time.sleep(0.3)
        job.process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        self.assertEqual(job.process.wait(timeout=10), 143)
        self.assertLess(time.monotonic() - start, 6)
        job.end()


if __name__ == "__main__":
    build_pe()
    unittest.main(verbosity=1)
