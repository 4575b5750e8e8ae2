"""Tests shoalrun from the outside: signals, and the terminal whose foreground job it is."""

import os
import pty
import re
import select
import signal
import time
import unittest

from shoalrun_jobs import PE, SHOALRUN, Job, ShoalrunTest, build_pe, command, wait_until


class Signals(ShoalrunTest):
    def test_each_signal_goes_to_each_pe_once(self):
        for number in [signal.SIGUSR1, signal.SIGUSR2]:
            job = Job(3, PE, "running", f"count={int(number)}", "pid", "await", "counted", "finished")
            os.kill(job.process.pid, number)
            result = job.end()
            self.assertEqual((result.status, result.err), (0, ""))
            self.assertEqual(sorted(result.out.splitlines()), [f"PE {pe} got 1" for pe in range(3)])

    def test_a_terminating_signal_ends_the_job_without_a_report(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            job = Job(3, PE, "running", "pid", "sleep=60")
            os.kill(job.process.pid, number)
            result = job.end()
            self.assertEqual((result.status, result.err), (128 + number, ""))
            self.assertLess(result.seconds, 1)

    def test_a_signal_to_the_process_group_needs_no_report_either(self):
        for _ in range(5):
            job = Job(4, PE, "running", "pid", "sleep=60", start_new_session=True)
            os.killpg(job.process.pid, signal.SIGTERM)
            result = job.end()
            self.assertEqual((result.status, result.err), (143, ""))

    def test_pes_may_answer_a_signal_in_their_own_way(self):
        job = Job(2, PE, "running", "exit_on=15", "pid", "sleep=60")
        job.process.send_signal(signal.SIGTERM)
        result = job.end()
        self.assertEqual((result.status, result.err), (143, ""))
        job = Job(2, PE, "running", "count=15", "pid", "await", "counted", "finished")
        job.process.send_signal(signal.SIGTERM)
        result = job.end()
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertEqual(sorted(result.out.splitlines()), ["PE 0 got 1", "PE 1 got 1"])

    def test_a_pe_that_ignores_sigterm_is_killed_after_a_while(self):
        job = Job(3, PE, "running", "1:ignore=15", "pid", "sleep=60")
        job.process.send_signal(signal.SIGTERM)
        result = job.end()
        self.assert_report(result, r"1 PE did not end on signal 15 \(Terminated\) and was killed", 143)
        self.assertGreater(result.seconds, 2)
        self.assertLess(result.seconds, 5)

    def test_a_second_signal_kills_at_once(self):
        job = Job(2, PE, "running", "ignore=2", "pid", "sleep=60")
        job.process.send_signal(signal.SIGINT)
        time.sleep(0.7)
        self.assertIsNone(job.process.poll())
        job.process.send_signal(signal.SIGINT)
        result = job.end()
        self.assert_report(result, r"2 PEs did not end on signal 2 \(Interrupt\) and were killed", 130)
        self.assertLess(result.seconds, 1)

    def test_a_stopped_job_can_be_terminated(self):
        job = Job(2, PE, "running", "pid", "raise=19", "sleep=60")
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.end().status, 143)

    def test_what_the_caller_ignores_stays_ignored(self):
        def detach():
            os.setsid()
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        job = Job(2, PE, "running", "count=10", "pid", "await", "finished", preexec_fn=detach)
        job.process.send_signal(signal.SIGHUP)
        os.killpg(job.process.pid, signal.SIGHUP)
        time.sleep(0.1)
        job.process.send_signal(signal.SIGUSR1)
        result = job.end()
        self.assertEqual((result.status, result.err), (0, ""))

    def test_stop_and_continue(self):
        def state(pid):
            with open(f"/proc/{pid}/stat") as file:
                return file.read().rsplit(")", 1)[1].split()[0]

        job = Job(2, PE, "running", "count=10", "pid", "await", "finished", preexec_fn=os.setpgrp)
        pids = [job.process.pid, *job.pids.values()]
        job.process.send_signal(signal.SIGTSTP)
        wait_until(lambda: all(state(p) == "T" for p in pids), 2, "launcher and PEs stopped")
        job.process.send_signal(signal.SIGCONT)
        wait_until(lambda: all(state(p) != "T" for p in pids), 2, "launcher and PEs running")
        job.process.send_signal(signal.SIGUSR1)
        self.assertEqual(job.end().status, 0)


class Terminal(ShoalrunTest):
    """shoalrun as the foreground job of a terminal."""

    def tearDown(self):
        os.close(self.terminal)
        super().tearDown()

    def start(self, *arguments):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.execv(SHOALRUN, command(arguments))
        self.text = ""
        return pid

    def read_until(self, pattern, timeout_s=5):
        end = time.monotonic() + timeout_s
        while not re.search(pattern, self.text):
            self.assertGreater(end, time.monotonic(), f"no {pattern} in: {self.text}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.terminal, 4096).decode()
                except OSError:  # the other side is closed
                    break
        self.assertRegex(self.text, pattern)

    def rest(self):
        text = b""
        try:
            while select.select([self.terminal], [], [], 0)[0]:
                text += os.read(self.terminal, 4096)
        except OSError:  # the other side is closed
            pass
        return text.decode()

    def status(self, pid):
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_ctrl_c_reaches_each_pe_once(self):
        pid = self.start("-n", 3, PE, "running", "count=2", "pid", "await", "counted", "finished")
        for pe in range(3):
            self.read_until(f"PE {pe} is")
        os.write(self.terminal, b"\x03")
        for pe in range(3):
            self.read_until(f"PE {pe} got 1")
        self.assertEqual(self.status(pid), 0)

    def test_ctrl_c_ends_the_job(self):
        pid = self.start("-n", 2, PE, "running", "pid", "sleep=60")
        for pe in range(2):
            self.read_until(f"PE {pe} is")
        os.write(self.terminal, b"\x03")
        self.assertEqual(self.status(pid), 130)
        self.assertNotIn("shoalrun", self.text + self.rest())

    def test_the_terminal_goes_away(self):
        pid = self.start("-n", 2, PE, "running", "pid", "sleep=60")
        for pe in range(2):
            self.read_until(f"PE {pe} is")
        os.close(self.terminal)
        self.terminal = os.open("/dev/null", os.O_RDONLY)
        self.assertEqual(self.status(pid), 129)

    def test_pe_0_reads_from_the_terminal(self):
        pid = self.start("-n", 2, "--tag", PE, "0:line")
        os.write(self.terminal, b"typed in\n")
        self.read_until(r"\[0\] PE 0 read 'typed in'")
        self.assertEqual(self.status(pid), 0)


if __name__ == "__main__":
    build_pe()
    unittest.main(verbosity=1)
