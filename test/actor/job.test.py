#!/usr/bin/env python3
# Goal: jobs open and close repeatedly in one process; whatever goes wrong ends all PEs with one report.
# timeout: 180
# programs: shoalrun actor.job
import os
import subprocess
import unittest

BIN = os.environ["SHOAL_BIN"]


def launched(n_pes, *arguments, **settings):
    """Runs actor.job under the launcher or, without n_pes, by itself."""
    launcher = [os.path.join(BIN, "shoalrun"), "-n", str(n_pes)] if n_pes else []
    return subprocess.run([*launcher, os.path.join(BIN, "actor.job"), *arguments], capture_output=True, text=True,
                          timeout=60, env={**os.environ, **settings})


class Case(unittest.TestCase):
    def assert_ok(self, job):
        self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "ok\n", ""))

    def assert_one_line(self, job, status, pattern):
        self.assertEqual(job.returncode, status, job.stderr)
        self.assertEqual(len(job.stderr.splitlines()), 1, job.stderr)
        self.assertRegex(job.stderr, pattern)


class Openings(Case):
    def test_a_hundred(self):
        for n_pes in (None, 1, 2, 3, 4, 7):
            with self.subTest(n_pes=n_pes):
                self.assert_ok(launched(n_pes, "many", "100"))

    def test_with_few_slots(self):
        self.assert_ok(launched(3, "many", "4", SHOAL_SLOTS="8", SHOAL_SLOT_BYTES="512", SHOAL_SHARED_SLOTS="0"))

    def test_over_several_hops(self):
        self.assert_ok(launched(4, "many", "20", SHOAL_HOPS="2", SHOAL_NODE_SIZE="2"))

    def test_with_runs_in_between(self):
        for n_pes in (None, 1, 3):
            with self.subTest(n_pes=n_pes):
                self.assert_ok(launched(n_pes, "run_again"))

    def test_what_an_unfinished_conveyor_left_does_not_reach_the_next(self):
        for n_pes in (1, 2, 3, 7):
            with self.subTest(n_pes=n_pes):
                self.assert_ok(launched(n_pes, "leave_items"))

    def test_a_table_of_statistics_for_each(self):
        job = launched(2, "many", "3", SHOAL_STATS="1")
        self.assertEqual((job.returncode, job.stdout), (0, "ok\n"))
        self.assertEqual(job.stderr.count("mailboxes and conveyors, summed over 2 PEs"), 3)


class Exits(Case):
    def test_is_reported(self):
        for n_pes in (1, 3):
            for status in (0, 3):
                with self.subTest(n_pes=n_pes, status=status):
                    self.assert_one_line(launched(n_pes, "exit_inside", f"report {status}"), 2,
                                         r"shoal: PE \d: exit was called in the middle of the job; close the shoal::job "
                                         r"first, or open it with exit_policy::close")

    def test_closes_silently(self):
        job = launched(3, "exit_inside", "close 0")
        self.assertEqual((job.returncode, sorted(job.stdout.split()), job.stderr),
                         (0, ["0", "1", "2", "PE", "PE", "PE"], ""))

    def test_ends_all_with_its_status(self):
        for status, seen in ((3, 3), (256, 1)):
            with self.subTest(status):
                job = launched(3, "exit_inside", f"close {status}")
                self.assertEqual((job.returncode, job.stderr), (seen, ""))
                self.assertIn("PE 1\n", job.stdout)  # the program's earlier output is not lost

    def test_return_exit_and_close_are_one_end(self):
        self.assert_ok(launched(4, "leave_in_several_ways", "close"))
        job = launched(4, "leave_in_several_ways", "report")
        self.assert_one_line(job, 2, "exit was called in the middle of the job")

    def test_where_it_cannot_close(self):
        self.assert_one_line(launched(3, "exit_in_finish"), 2, "exit was called inside finish, whose messages would be lost")
        self.assert_one_line(launched(3, "exit_in_handler"), 2, "exit in a handler, where nothing may wait")
        self.assert_one_line(launched(3, "exit_alone"), 2, r"PE 1 closes its shoal::job while PE 0 is in barrier")

    def test_of_a_forked_child_is_its_own(self):
        for policy in ("report", "close"):
            with self.subTest(policy):
                self.assert_ok(launched(3, "fork_inside", policy))

    def test_a_forked_child_is_no_pe(self):
        for n_pes in (1, 3):
            for way in ("job", "run"):
                with self.subTest(n_pes=n_pes, way=way):
                    job = launched(n_pes, "open_in_forked_child", way)
                    self.assertEqual((job.returncode, job.stdout), (0, "ok\n"))
                    self.assertEqual(job.stderr, "shoal: this process was forked by a PE and is not a PE itself; call "
                                                 "shoal::run or open a shoal::job in the parent\n")


    def test_a_program_that_a_pe_executes_inherits_nothing_of_the_job(self):
        for n_pes in (None, 1, 3):
            with self.subTest(n_pes=n_pes):
                self.assert_ok(launched(n_pes, "exec_inside", "list_descriptors"))
        for n_pes in (1, 3):
            with self.subTest(n_pes=n_pes):
                job = launched(n_pes, "exec_inside", "open_one")
                self.assertEqual((job.returncode, job.stdout), (0, "ok\n"))
                lines = job.stderr.splitlines()
                self.assertEqual(len(lines), n_pes)
                for line in lines:
                    self.assertRegex(line, r"^shoal: SHOAL_JOB_FD=\d+ is not open: a program that a PE starts is no PE; "
                                     "unset SHOAL_JOB_FD for it, or start it with shoalrun$")


class Mistakes(Case):
    def test_two_worlds_at_once(self):
        for way, pattern in {
                "two_jobs": "a second shoal::job was opened while one is open; close that first, or use its world",
                "job_in_run": "a shoal::job was opened inside shoal::run; the body has its world already",
                "run_in_job": "shoal::run was called while a shoal::job is open; close it first, or use its world",
                "open_elsewhere": "a second world was opened in this process, by another thread"}.items():
            with self.subTest(way):
                self.assert_one_line(launched(3, way), 2, pattern)

    def test_other_settings(self):
        for which, variable in {"slots": "SHOAL_SLOTS", "heap": "SHOAL_HEAP", "stats": "SHOAL_STATS"}.items():
            with self.subTest(which):
                self.assert_one_line(launched(3, "other_settings", which), 2,
                                     f"^shoal: {variable} differs from its value in the first shoal::run or shoal::job of this "
                                     "process, whose memory")
        # Alone, each opening has memory of its own.
        self.assertEqual(launched(None, "other_settings", "slots").returncode, 0)

    def test_substrates_with_all_pes_in_one_process(self):
        for substrate in ("sim", "threads"):
            with self.subTest(substrate):
                self.assert_one_line(launched(None, "many", "1", SHOAL_SUBSTRATE=substrate, SHOAL_PES="2"), 2,
                                     f"^shoal: SHOAL_SUBSTRATE={substrate}: a shoal::job makes its process one PE, but "
                                     f"{substrate} has all PEs in one process; give a function to shoal::run instead")

    def test_bad_setting(self):
        self.assert_one_line(launched(2, "many", "1", SHOAL_SLOTS="abc"), 2, "^shoal: SHOAL_SLOTS=abc is not a whole")

    def test_setup_error_that_the_program_catches(self):
        job = launched(3, "caught_settings")
        self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "caught\n" * 3, ""))

    def test_exceptions(self):
        self.assert_one_line(launched(3, "throw_uncaught"), 1, "^shoal: PE 0: the program threw: no such file$")
        self.assert_one_line(launched(3, "throw_out"), 1, "^shoal: PE 0: an exception left the scope of its shoal::job")
        self.assertRegex(launched(None, "throw_uncaught_before").stderr, "terminate called after throwing")
        self.assert_ok(launched(3, "close_within_catch"))

    def test_closing_where_it_cannot(self):
        self.assert_one_line(launched(3, "close_with_objects"), 2, "a shoal::job was closed while 1 mailbox or conveyor of")
        self.assert_one_line(launched(3, "close_in_finish"), 2, "a shoal::job was closed inside finish; leave finish first")
        self.assert_one_line(launched(3, "close_elsewhere"), 2, "closed by a thread other than the one that opened it")
        self.assert_one_line(launched(3, "early"), 2, "PE 1 closes its shoal::job while PE 0 is in barrier")

    def test_pe_that_dies(self):
        for way in ("kill_in_second", "kill_between"):
            with self.subTest(way):
                self.assert_one_line(launched(3, way), 137, r"^shoalrun: PE 1 .* was killed by signal 9 \(Killed\); ended "
                                                            "the other 2 PEs$")

    def test_pe_that_leaves_while_others_open_again(self):
        self.assert_one_line(launched(3, "leave_between"), 1,
                             r"^shoalrun: PE 1 .* exited after a shoal::run or shoal::job, and in the next one PE \d waits "
                             "for it; ended the other 2 PEs$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
