"""Tests what `shoal bench` makes of results: tables, the page, figures, comparisons."""
# programs: shoalrun
import json
import os
import pty
import subprocess
import unittest
from unittest import mock

from stand_in import CLEAN, place

from shoal_bench import figures
from shoal_bench.page import page


class Reports(unittest.TestCase):
    def test_states_have_rows_of_their_own(self):
        here = place("processes = 8\npes = [2]\n[[kernel]]\nname = 'stir'\n", states=["near", "near", "near", "far"], valid=False)
        result = here.run_suite()
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^stir +2 +near +actor +6 +50\d ms +50\d - 50\d ms")
        self.assertRegex(result.stdout, r"(?m)^stir +2 +far +actor +2 +50\d ms +- ")
        self.assertRegex(result.stdout, r"(?m)^stir +2 +near +conveyor .* 2\.00 \(2\.00 - 2\.00\)$")
        text = (here.out / "report.html").read_text()
        self.assertIn("far: 2 jobs, 30 to 30 ns; near: 6 jobs", text)
        self.assertIn("(6 invalid)", text)

    def test_a_bar_on_a_terminal_and_lines_elsewhere(self):
        here = place()
        self.assertRegex(here.run_suite().stderr, r"^bench: round 1, job 1 of 12\nbench: round 2, job 5 of 12, about \d+ s left\n")
        ours, its = pty.openpty()
        here = place()
        subprocess.run(here.command(here.suite, "--out", here.out, "--no-figures"), env=CLEAN, stdout=subprocess.DEVNULL, stderr=its)
        os.close(its)
        shown = os.read(ours, 1 << 16).decode()
        os.close(ours)
        self.assertIn("[---------------", shown)
        self.assertRegex(shown, r"\r\x1b\[K\[#{15}-{15}\] 6/12 (stir|shake), \d PEs?, about \d+ s left")
        self.assertTrue(shown.endswith("\r\x1b[K"))

    def test_the_limit_ends_a_suite_between_rounds(self):
        here = place("minutes = 0.01\n" + place().suite.read_text().replace("processes = 3", "processes = 100"), takes=0.05)
        result = here.run_suite()
        self.assertEqual(result.returncode, 0, result.stderr)
        n_rounds = max(job["round"] for job in here.results()["jobs"])
        self.assertEqual(len(here.results()["jobs"]), 4 * n_rounds)
        self.assertLessEqual(n_rounds, 3)
        self.assertIn(f"after {n_rounds} of 100 rounds, at the limit of 0.01 minutes", result.stdout)

    def test_without_matplotlib_the_report_says_how_to_get_figures(self):
        here = place()
        here.run_suite("--processes", "1")
        lacking = mock.Mock(return_value=subprocess.CompletedProcess([], figures.NO_MATPLOTLIB))
        with mock.patch.object(figures.subprocess, "run", lacking):
            why = figures.draw_all(here.out)
        self.assertIn("install it (Debian: apt-get install python3-matplotlib)", why)
        text = page(here.results(), here.out, why)
        self.assertIn("There are no figures: Python has no matplotlib", text)
        self.assertIn("shoal bench report out", text)
        self.assertNotIn("<figure>", text)

    def test_figures_are_drawn_where_matplotlib_is(self):
        here = place()
        here.run_suite("--processes", "1")
        if "no figures: Python has no matplotlib" in here.bench("report", here.out).stdout:
            self.skipTest("no matplotlib")
        names = sorted(file.name for file in (here.out / "figures").iterdir())
        stems = ["kernel-01-stir", "kernel-02-shake", "ratios", "scaling"]
        self.assertEqual(names, [f"{stem}.{kind}" for stem in stems for kind in ("png", "svg")])
        text = (here.out / "report.html").read_text()
        self.assertEqual(text.count("<figure>"), 4)
        self.assertNotIn("<metadata>", text)
        ids = [part.split('"')[0] for part in text.split(' id="')[1:]]
        self.assertEqual(len(ids), len(set(ids)))

    def test_comparison_and_its_status(self):
        a = place("processes = 6\npes = [2]\n[[kernel]]\nname = 'stir'\n")
        self.assertEqual(a.run_suite().returncode, 0)
        results = a.results()
        for job in results["jobs"]:
            job["variants"]["actor"]["seconds"] *= 1.5
        results["program"]["version"] = "10"
        slower = a.folder / "slower.json"
        slower.write_text(json.dumps(results))
        told = a.bench("compare", a.out, slower, "--fail-on-slower", "40")
        self.assertEqual(told.returncode, 1, told.stderr)
        self.assertRegex(told.stdout, r"(?m)^stir +2 +near +actor +\S+ ms +\S+ ms +1\.500 +1\.\d+ - 1\.\d+ +\S+ +slower$")
        self.assertIn("0 faster, 1 slower, 2 without a difference", told.stdout)
        self.assertIn("Not the same: version: 9 in A, 10 in B", told.stdout)
        self.assertEqual(a.bench("compare", a.out, slower, "--fail-on-slower", "60").returncode, 0)
        self.assertEqual(a.bench("compare", slower, a.out, "--fail-on-slower", "1").returncode, 0)
        found = json.loads(a.bench("compare", slower, a.out, "--json", "-").stdout)
        self.assertEqual([p["verdict"] for p in found["pairs"]], ["faster", "no difference shown", "no difference shown"])


if __name__ == "__main__":
    unittest.main()
