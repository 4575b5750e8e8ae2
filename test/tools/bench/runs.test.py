"""Runs suites of `shoal bench`: real ones on two PEs, and with a stand-in ones that are interrupted, wrong or slow."""
# processors: 2
import csv
import os
import signal
import subprocess
import time
import unittest
from pathlib import Path

from stand_in import CLEAN, SUITE, place

SHOAL = Path(os.environ["SHOAL_BIN"]) / "shoal"
SMALL = """
title = "two small kernels"
processes = 2
repeat = 2
[[kernel]]
name = "histogram"
title = "a <histogram>"
variants = ["actor", "conveyor"]
options = { updates = 2000 }
[[kernel]]
name = "pagerank"
variants = ["actor"]
options = { graph = "er:per_pe=20,degree=4" }
divided_by_pes = { tolerance = 1e-6 }
"""


def jobs_of(results):
    return [(job["round"], job["configuration"]) for job in results["jobs"]]


class Real(unittest.TestCase):
    def test_a_small_suite(self):
        here = place(SMALL)
        result = here.bench(here.suite, "--out", here.out, "--pes", "2", program=SHOAL)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^kernel +PEs +state +variant +jobs +median +95 % interval +spread")
        self.assertRegex(result.stdout, r"(?m)^pagerank +2 +\S+ +actor +\d +[\d.]+ (u|m)s")
        self.assertIn("two small kernels: complete; report: ", result.stdout)
        results = here.results()
        self.assertEqual(sorted(jobs_of(results)), [(1, 0), (1, 1), (2, 0), (2, 1)])
        for job in results["jobs"]:
            self.assertEqual((job["status"], job["substrate"]), (0, "local"))
            self.assertIn(job["state"], ("near", "far", None))
            self.assertTrue(all(values["verified"] and values["seconds"] > 0 for values in job["variants"].values()))
        self.assertEqual({tuple(job["variants"]) for job in results["jobs"]},
                         {("actor", "conveyor", "loop"), ("actor",)})
        self.assertEqual(results["machine"]["cores"], len(os.sched_getaffinity(0)))
        self.assertRegex(results["program"]["version"], r"^\d+\.\d+\.\d+")
        with open(here.out / "jobs.csv") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 8)
        text = (here.out / "report.html").read_text()
        self.assertNotRegex(text.split("xmlns")[0], r"(src|href)=.?(http|/)")
        self.assertIn("a &lt;histogram&gt;", text)
        self.assertNotIn("<histogram>", text)

        again = here.bench("compare", here.out, here.out, program=SHOAL)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertRegex(again.stdout, r"0 faster, 0 slower, 0 without a difference that shows; \d with too few jobs")

    def test_the_command_finds_its_program(self):
        told = subprocess.run([SHOAL, "bench", "--help"], capture_output=True, text=True)
        self.assertEqual(told.returncode, 0, told.stderr)
        self.assertRegex(told.stdout, r"^Run a suite .*\nUsage: shoal bench \[OPTIONS\] \[SUITE\]\n")
        self.assertIn("paper, quick, or a file", told.stdout)
        self.assertRegex(subprocess.run([SHOAL, "--help"], capture_output=True, text=True).stdout, r"(?m)^  bench +Run a suite")
        told = subprocess.run([SHOAL, "bench"], capture_output=True, text=True, env={"PATH": "/nowhere"})
        self.assertEqual((told.returncode, told.stdout), (2, ""))
        self.assertRegex(told.stderr, r"^shoal: bench needs python3, .* \(Debian: python3\) .*\n$")
        told = subprocess.run([SHOAL.with_name("shoalrun"), "-n", "2", SHOAL, "bench"], capture_output=True, text=True)
        self.assertEqual(told.returncode, 2)
        self.assertIn("shoal: bench starts its jobs by itself; run it without shoalrun, mpirun and srun\n", told.stderr)


class Interrupted(unittest.TestCase):
    def start(self, here, *words, n_jobs):
        """Starts a suite and waits until it has some jobs."""
        begun = subprocess.Popen(here.command(*words), env=CLEAN, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        deadline = time.monotonic() + 60
        while not (here.out / "results.json").exists() or len(here.results()["jobs"]) < n_jobs:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)
        return begun

    def test_an_interrupted_suite_is_continued(self):
        for sent, how in ((signal.SIGINT, "--resume"), (signal.SIGTERM, "--out"), (signal.SIGKILL, "--resume")):
            with self.subTest(sent):
                here = place(SUITE.replace("processes = 3", "processes = 2"), takes=0.05)
                begun = self.start(here, here.suite, "--out", here.out, n_jobs=2)
                begun.send_signal(sent)
                _, errors = begun.communicate(timeout=30)
                before = here.results()
                self.assertLess(len(before["jobs"]), 8)
                if sent != signal.SIGKILL:
                    self.assertEqual(begun.returncode, 130)
                    self.assertEqual(before["end"], "interrupted")
                    self.assertIn(f"to continue: shoal bench --resume {here.out}", errors)
                here.behave()
                words = [here.suite, "--out", here.out] if how == "--out" else ["--resume", here.out]
                words.append("--no-figures")
                result = here.bench(*words)
                self.assertEqual(result.returncode, 0, result.stderr)
                after = here.results()
                self.assertEqual(after["end"], "complete")
                self.assertEqual(after["jobs"][:len(before["jobs"])], before["jobs"])
                self.assertEqual(sorted(jobs_of(after)), [(r, c) for r in (1, 2) for c in range(4)])

    def test_no_job_outlives_the_suite(self):
        here = place(takes=100)
        begun = subprocess.Popen(here.command(here.suite, "--out", here.out), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not here.calls():
            time.sleep(0.005)
        sent = time.monotonic()
        begun.send_signal(signal.SIGINT)
        begun.communicate(timeout=30)
        self.assertLess(time.monotonic() - sent, 4.5)  # after 5 s the job would be killed
        left = [p for p in Path("/proc").glob("[0-9]*/cmdline") if str(here.program).encode() in p.read_bytes()]
        self.assertEqual(left, [])

    def test_what_has_changed_is_not_continued(self):
        def refused(change, text):
            here = place()
            self.assertEqual(here.run_suite("--processes", "1").returncode, 0)
            before = here.results()
            change(here)
            result = here.run_suite("--processes", "1")
            self.assertEqual(result.returncode, 2)
            self.assertIn(text, result.stderr)
            self.assertEqual(here.results(), before)

        refused(lambda here: here.suite.write_text(here.suite.read_text() + "\n"), "of another suite or of another version of it")
        refused(lambda here: here.program.write_text(here.program.read_text() + "\n"), "this shoal is another program (sha256: ")
        here = place()
        here.run_suite("--processes", "1")
        result = here.run_suite("--processes", "2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("its options were others (processes: 1 then, 2 now)", result.stderr)


class Wrong(unittest.TestCase):
    def test_a_wrong_answer_fails_the_suite(self):
        here = place(wrong="conveyor")
        result = here.run_suite()
        self.assertEqual(result.returncode, 1)
        line = "stir, 2 PEs: WRONG: variant conveyor: 3 spoons are missing"
        self.assertEqual(result.stderr.count("bench: " + line), 1)
        self.assertIn("FAILED: " + line, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^stir +2 +near +conveyor +3 +WRONG$")
        text = (here.out / "report.html").read_text()
        self.assertIn("<strong>Failed.</strong>", text)
        self.assertIn('<span class="bad-text">WRONG</span>', text)
        self.assertNotIn("Every answer was verified", text)

    def test_a_job_that_fails_or_hangs_fails_the_suite(self):
        here = place(prints="[1] PE 1 died of signal 11", status=139)
        result = here.run_suite()
        self.assertEqual(result.returncode, 1)
        self.assertIn("FAILED: shake, 1 PE: [1] PE 1 died of signal 11", result.stdout)
        here = place("timeout = 0.2\nprocesses = 1\npes = [1]\n[[kernel]]\nname = 'stir'", takes=50)
        result = here.run_suite()
        self.assertEqual(result.returncode, 1)
        self.assertIn("FAILED: stir, 1 PE: still ran after 0.2 s, and was ended", result.stdout)


if __name__ == "__main__":
    unittest.main()
