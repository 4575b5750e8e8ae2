"""Tests `shoal study actors` and `shoal study water`: the thesis's sizes, tables, what they cannot say, mistakes, and small runs."""
# programs: shoal_cli shoalrun
# processors: 2
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SHOAL_SOURCE"])
sys.path.insert(0, str(SOURCE / "tools" / "bench"))
from shoal_study import actors, actors_plan, actors_report, water  # noqa: E402

SHOAL = str(Path(os.environ["SHOAL_BIN"]) / "shoal")
REQUEST = {"quick": True, "experiments": list(actors_plan.EXPERIMENTS), "nodes": [1, 32], "network": "n", "pes": 2, "cell_ns": 7.0,
           "runs": 2}


def study(*words):
    return subprocess.run([SHOAL, "study", *map(str, words)], capture_output=True, text=True, timeout=250)


def results_of(slow="bsp", n_cores=2):
    """Every job at 1 million cell updates a second and PE, forms named `slow` at half of it."""
    jobs = []
    for number in (1, 2):
        for job in actors_plan.jobs_of_round(REQUEST, number):
            rate = 1e6 * job["pes"] * (0.5 if job["form"] == slow else 1)
            jobs.append(job | {"cells_per_second": rate, "flops_per_cell": 209, "digest": f"{job['n_x']} {job['n_y']}"}
                        | ({"flops_in_cache": 209e6 * 4} if job["experiment"] == "forms" else {}))
    return {"request": REQUEST, "machine": {"cores": n_cores}, "cell_ns": 7.0, "jobs": jobs}


class Plan(unittest.TestCase):
    def test_the_thesis_has_these_sizes(self):
        def sizes(name):
            return [(job["pes"], job["n_x"], job["n_y"], job["patch"]) for job in actors_plan.simulated(name, REQUEST) if job["form"] == "bsp"]
        self.assertEqual(sizes("strong-simulated"), [(4, 16384, 16384, 2048), (128, 16384, 16384, 512)])
        self.assertEqual(sizes("weak-simulated"), [(4, 2048, 4096, 512), (128, 16384, 16384, 512)])
        for nodes in actors_plan.NODES:
            [job, _] = actors_plan.simulated("weak-simulated", REQUEST | {"nodes": [nodes]})
            self.assertEqual(job["n_x"] * job["n_y"] // 512**2, 32 * nodes)

    def test_rounds_have_the_measured_jobs_in_other_orders(self):
        first, second = (actors_plan.jobs_of_round(REQUEST, number) for number in (1, 2))
        measured = [actors_plan.key_of(job) for job in first if job["substrate"] != "sim"]
        self.assertEqual(set(measured), {actors_plan.key_of(job) for job in second})
        self.assertEqual(len(measured), len(set(measured)))
        self.assertNotEqual(measured, [actors_plan.key_of(job) for job in second])

    def test_commands(self):
        jobs = {(job["experiment"], job["form"]): job for job in actors_plan.jobs_of_round(REQUEST, 1)}
        words, variables = actors_plan.command_of("shoal", jobs["weak-simulated", "actors"], REQUEST, 7.0)
        self.assertEqual((words[words.index("--charge") + 1], variables), ("1.0", {"SHOAL_NODE_SIZE": "4", "SHOAL_NETWORK": "n"}))
        words, _ = actors_plan.command_of("shoal", jobs["forms", "openmp"], REQUEST, 7.0)
        self.assertEqual(words[words.index("--threads") + 1], "2")
        self.assertNotIn("--pes", words)
        for job in actors_plan.measured("uneven", REQUEST):
            words, _ = actors_plan.command_of("shoal", job, REQUEST, 7.0)
            self.assertIn("--lazy", words)
            self.assertEqual([name for name in ("--balance", "--repartition") if name in words], [job["moves"]] if job["moves"] else [])


class Report(unittest.TestCase):
    def test_tables(self):
        text = actors_report.text_of(results_of())
        self.assertRegex(text, r"\nbsp +1\.0 +1\.0 +1\.0 +0\.21 +0\.50 +25 %\n")
        self.assertRegex(text, r"\n2 PEs, actors +2\.0 +2\.0 +2\.0 +0\.42 +2\.00 +100 %\n")
        self.assertRegex(text, r"\nactors, 32 nodes +128\.0 .* 32\.00 +100 %\n")
        self.assertRegex(text, r"of those that stay\npatches stay .* 1\.00\nidle PEs take some .* 1\.00\nMETIS divides them anew .* 1\.00\n")
        self.assertIn("Strong scaling, the thesis's sizes (predicted, not measured)", text)
        self.assertIn("How forms scale beyond 2 cores is not measured.", text)
        self.assertNotIn("PEs share 2 cores", text)
        self.assertIn("2 PEs share 1 cores", actors_report.text_of(results_of(n_cores=1)))

    def test_states_that_differ(self):
        jobs = results_of()["jobs"]
        self.assertEqual(actors.wrong_states(jobs), [])
        next(job for job in jobs if job["form"] == "rpc")["digest"] = "other"
        self.assertRegex(actors.wrong_states(jobs)[0], r"ended in another state than .*rpc, local|rpc, local, .* ended in another state than")


class Real(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_small_study(self):
        done = study("actors", "--quick", "--experiment", "forms,weak-simulated", "--nodes", "1,2", "--cell-ns", "5", "--runs", "1",
                     "--pes", "2", "--out", self.folder / "out")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        results = json.loads((self.folder / "out" / "results.json").read_text())
        rates = {(job["form"], job["pes"]): job["cells_per_second"] for job in results["jobs"] if job["substrate"] == "sim"}
        for form in "actors", "bsp":
            self.assertAlmostEqual(rates[form, 4] / (28 / 5e-9), 0.98, delta=0.03)  # 28 cores that take 5 ns a cell
            self.assertAlmostEqual(rates[form, 8] / rates[form, 4], 2, delta=0.05)
        self.assertIn("of the loop in cache", (self.folder / "out" / "tables.txt").read_text())
        if "no figures" not in done.stdout:
            self.assertTrue((self.folder / "out" / "figures" / "weak-simulated.svg").exists())

    def test_water_is_drawn(self):
        frames = self.folder / "frames"
        ran = subprocess.run([SHOAL, "swe", "-x", "20", "-y", "10", "-p", "8", "-e", "1", "--frames", "1", "--pes", "1", "--out", frames,
                              "--scenario", "lake_at_rest"], capture_output=True, text=True, timeout=100)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        h, b, (low, high) = water.read_frame(frames, "frame.0.pvts")
        self.assertEqual((len(h), len(h[0]), low), (10, 20, (0.0, 0.0)))
        levels = [depth + bed for rows in zip(h, b) for depth, bed in zip(*rows) if depth > 0.01]
        self.assertAlmostEqual(min(levels), max(levels))
        drawn = study("water", frames)
        if "matplotlib" not in drawn.stderr:
            self.assertEqual((drawn.returncode, drawn.stdout), (0, f"2 figures in {frames / 'figures'}\n"), drawn.stderr)
            self.assertTrue((frames / "figures" / "frame-001.png").exists())

    def test_mistakes_are_one_line(self):
        (self.folder / "file").touch()
        for words, line in ((("actors", "--experiment", "weka"), "--experiment: there is no weka; did you mean weak?"),
                            (("actors", "--nodes", "3"), "--nodes=3 is not a power of 2"),
                            (("actors", "--pes", "0"), "--pes=0 is not a whole number from 1 to 128"),
                            (("actors", "--cell-ns", "-1"), "--cell-ns=-1 is not a number above 0"),
                            (("actors", "--out", self.folder), "is not empty; give another folder"),
                            (("water",), "study water needs the folder of shoal swe --out"),
                            (("water", self.folder), "give the folder of shoal swe --out, in the format vtk")):
            done = study(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (words, done.stderr))
            self.assertIn(line, done.stderr)
        self.assertIn("Usage: shoal study actors", study("actors", "--help").stdout)
        self.assertIn("Usage: shoal study water", study("water", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
