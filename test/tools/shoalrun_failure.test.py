"""Tests shoalrun from the outside: failures, with report and exit status; no process outlives its job."""
# processors: 0

import os
import signal
import subprocess
import sys
import time
import unittest

from shoalrun_jobs import (ALL_ENDED_S, SLACK_S, PE, Job, ShoalrunTest, build_pe, command, processes_left, run,
                           wait_until)


class Failure(ShoalrunTest):
    def assert_prompt(self, result):
        self.assertLess(result.seconds, ALL_ENDED_S + SLACK_S)

    def test_success(self):
        for steps in [["running", "finished"], []]:
            result = run("-n", 4, PE, *steps)
            self.assertEqual((result.status, result.out, result.err), (0, "", ""))

    def test_an_exit_status_is_passed_on(self):
        result = run("-n", 4, PE, "running", "2:exit=37", "sleep=60")
        self.assert_report(result, r"PE 2 \(process \d+\) exited with status 37; ended the other 3 PEs", 37)
        self.assert_prompt(result)
        self.assert_report(run("-n", 1, PE, "exit=255"), r"PE 0 \(process \d+\) exited with status 255", 255)

    def test_a_signal_becomes_128_plus_its_number(self):
        for number, name in [(signal.SIGKILL, "Killed"), (signal.SIGSEGV, "Segmentation fault"),
                             (signal.SIGABRT, "Aborted"), (signal.SIGTERM, "Terminated")]:
            number = int(number)
            result = run("-n", 2, PE, "running", f"1:raise={number}", "sleep=60")
            self.assert_report(result, rf"PE 1 \(process \d+\) was killed by signal {number} \({name}\)"
                               "(, core dumped)?; ended the other PE", 128 + number)
            self.assert_prompt(result)

    def test_kill_9_of_a_pe(self):
        job = Job(4, PE, "running", "pid", "sleep=60")
        os.kill(job.pids[2], signal.SIGKILL)
        result = job.end()
        self.assert_report(result, rf"PE 2 \(process {job.pids[2]}\) was killed by signal 9 \(Killed\); "
                           "ended the other 3 PEs", 137)
        self.assert_prompt(result)

    def test_pes_that_ignore_sigterm_or_are_stopped(self):
        job = Job(4, PE, "running", "1:ignore=15", "pid", "3:raise=19", "2:raise=19", "sleep=60")
        os.kill(job.pids[0], signal.SIGKILL)
        result = job.end()
        self.assertEqual(result.status, 137)
        self.assert_prompt(result)

    def test_a_stopped_pe_is_no_failure(self):
        job = Job(2, PE, "running", "pid", "1:raise=19", "finished")
        time.sleep(0.3)
        self.assertIsNone(job.process.poll())
        os.kill(job.pids[1], signal.SIGCONT)
        self.assertEqual(job.end().status, 0)

    def test_a_report_from_before_the_job_is_finished(self):
        # All PEs find the same fault, and one reports it, for which it has to wait here: nobody reads yet.
        shoal = os.path.join(os.environ["SHOAL_BIN"], "shoal")
        for _ in range(8):
            read, write = os.pipe()
            os.set_blocking(write, False)
            full = 0
            try:
                while True:
                    full += os.write(write, bytes(4096))
            except BlockingIOError:
                os.set_blocking(write, True)
            job = subprocess.Popen(command(["-n", 3, shoal, "run", "histogram", "--repeat", "x"]), stderr=write,
                                   stdin=subprocess.DEVNULL)
            os.close(write)
            time.sleep(0.15)
            with os.fdopen(read, "rb") as pipe:
                said = pipe.read()[full:].decode()
            self.assertEqual(job.wait(10), 2, said)
            self.assertEqual(said, "shoal: --repeat=x is not a whole number from 1 to 1000000\n")

    def test_status_0_in_the_middle_of_the_job(self):
        result = run("-n", 3, PE, "running", "1:exit=0", "sleep=60")
        self.assert_report(result, r"PE 1 \(process \d+\) left with status 0 in the middle of the job \(exit, "
                           r"_exit or quick_exit called before shoal::run returned\?\); ended the other 2 PEs",
                           1)
        self.assert_prompt(result)

    def test_a_pe_that_never_enters(self):
        for delay in ["0", "0.5"]:  # whether the others are already waiting then, or only later
            result = run("-n", 3, PE, "1:exit=0", "sleep=" + delay, "running", "sleep=60")
            self.assert_report(result, r"PE 1 \(process \d+\) exited without entering shoal::run, where PE "
                               r"[02] waits for it; ended the other 2 PEs", 1)
            self.assertLess(result.seconds, ALL_ENDED_S + SLACK_S + 0.5)

    def test_a_pe_that_fails_after_the_end_of_the_job_lets_the_others_finish(self):
        result = run("-n", 2, PE, "running", "finished", "1:exit=5", "sleep=0.05", "say=last words")
        self.assertEqual(result.out, "last words\n")
        self.assert_report(result, r"PE 1 \(process \d+\) exited with status 5", 5)

    def test_a_pe_that_has_reported_is_not_reported_again(self):
        # PE 1 leaves first, but because of the failure that PE 0 is still reporting.
        result = run("-n", 3, PE, "running", "0:report", "1:sleep=0.05", "1:exit=9", "0:sleep=0.1",
                     "0:exit=4", "sleep=60")
        self.assertEqual((result.err, result.status), ("the report of PE 0\n", 4))
        self.assert_prompt(result)
        result = run("-n", 2, PE, "running", "0:report", "0:exit=2", "sleep=60")
        self.assertEqual((result.err, result.status), ("the report of PE 0\n", 2))
        # There is one report of a failure, whatever the PEs print.
        self.assertEqual(run("-n", 2, PE, "running", "0:report", "finished").status, 1)

    def test_a_pe_held_by_a_debugger_does_not_hold_the_launcher(self):
        # The tracer never waits, so its tracee stays, killed but not gone.
        seize = ("import ctypes, sys, time; pid = int(sys.argv[1]); libc = ctypes.CDLL(None); "
                 "print(libc.ptrace(0x4206, ctypes.c_long(pid), None, None), flush=True); time.sleep(60)")
        job = Job(3, PE, "running", "pid", "sleep=60")
        tracer = subprocess.Popen([sys.executable, "-c", seize, str(job.pids[1])], text=True,
                                  stdout=subprocess.PIPE)
        try:
            if tracer.stdout.readline() != "0\n":
                self.skipTest("no permission to trace")
            os.kill(job.pids[0], signal.SIGKILL)
            result = job.end()
            self.assert_report(result, r"PE 0 \(process \d+\) was killed by signal 9 \(Killed\); ended the "
                               r"other 2 PEs; 1 PE could not be ended \(held by a debugger\?\)", 137)
            self.assert_prompt(result)
        finally:
            tracer.kill()
            tracer.communicate()
            job.process.kill()

    def test_the_whole_tree_of_a_pe_is_ended(self):
        for step in ["child", "daemon"]:
            result = run("-n", 3, PE, "running", step, "1:exit=3", "sleep=60")
            self.assert_report(result, r"PE 1 \(process \d+\) exited with status 3; ended the other 2 PEs", 3)
            self.assert_prompt(result)

    def test_nothing_outlives_a_job_that_succeeds(self):
        for options in [[], ["--tag"]]:
            for step in ["child", "daemon"]:
                result = run("-n", 2, *options, PE, step, "say=done")
                self.assertEqual((result.status, result.err), (0, ""))
                self.assertEqual(result.out.count("done\n"), 2)
                self.assert_prompt(result)


class Launcher(ShoalrunTest):
    def supervisor_of(self, job):
        with open(f"/proc/{job.process.pid}/task/{job.process.pid}/children") as file:
            return int(file.read().split()[0])

    def nothing_left(self):
        wait_until(lambda: not processes_left(), ALL_ENDED_S, "all PEs gone")

    def test_kill_9_of_the_launcher_leaves_nothing(self):
        for options in [[], ["--tag"]]:
            job = Job(3, PE, "running", "ignore=15", "child", "daemon", "pid", "sleep=60", options=options)
            supervisor = self.supervisor_of(job)
            self.assertEqual(len(processes_left()), 9)
            os.kill(job.process.pid, signal.SIGKILL)
            self.nothing_left()
            wait_until(lambda: not os.path.exists(f"/proc/{supervisor}/exe"), 1, "supervisor gone")
            job.end()

    def test_kill_9_of_the_supervisor_leaves_nothing(self):
        job = Job(3, PE, "running", "ignore=15", "child", "daemon", "pid", "sleep=60")
        supervisor = self.supervisor_of(job)
        os.kill(supervisor, signal.SIGKILL)
        result = job.end()
        self.assert_report(result, rf"its supervisor \(process {supervisor}\) was killed by signal 9 "
                           r"\(Killed\); ended all PEs", 137)
        self.assertEqual(processes_left(), [])

    def test_kill_9_of_the_launcher_while_the_supervisor_is_stopped(self):
        job = Job(2, PE, "running", "pid", "child", "sleep=60")
        os.kill(self.supervisor_of(job), signal.SIGSTOP)
        os.kill(job.process.pid, signal.SIGKILL)
        self.nothing_left()
        job.end()


if __name__ == "__main__":
    build_pe()
    unittest.main(verbosity=1)
