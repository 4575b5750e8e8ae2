"""Tests `shoal study`: what it makes of results, its mistakes, and a small study in the lab and in the simulator."""
# programs: all_tools all_comparators lab_switch lab_probe
# labels: lab
# processors: 2
import copy
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

SOURCE = Path(os.environ["SHOAL_SOURCE"])
sys.path.insert(0, str(SOURCE / "tools" / "bench"))
from shoal_study import advice, places, plan, published, report, running, summary  # noqa: E402

BIN = Path(os.environ["SHOAL_BIN"])
SHOAL = str(BIN / "shoal")
REQUEST = {"study": "cloud", "quick": True, "profiles": ["cloud", "cluster"], "launch": None, "pes": [2, 16],
           "kernels": ["histogram", "index_gather"], "forms": plan.usual_forms(True), "runs": 2, "apart": 0, "minutes": None,
           "price": None}
MACHINE = {"host": "<b>", "processor": "p", "cores": 2, "memory_bytes": 2**33, "system": "s", "kernel": "k"}
# ns an operation, of forms under a profile
TIMES = {"cloud": {"shmem": 400_000, "shmem_nb": 9_000, "rma": 8_000, "conveyor": 100, "actor": 110},
         "cluster": {"agp": 2_000, "agp_nb": 300, "conveyor": 20, "actor": 22}}


def results_of(times=None, spread=1.1, price=None):
    """Two runs of each job, the second of which takes `spread` times as long."""
    jobs = []
    for number in (1, 2):
        for job in plan.jobs_of_round(REQUEST, number):
            of_forms = {name: {"ns_per_operation": (times or TIMES)[job["profile"]][name] * (spread if number == 2 else 1),
                               "operations_per_pe": 1000, "seconds": 1, "verified": True} for name in job["forms"]}
            jobs.append(job | {"results": of_forms, "begun": "2026-11-28T10:00:00+00:00", "load": 0.5, "took": 1.0, "ended": 0})
    return {"format": "shoal study 1", "request": REQUEST | {"price": price}, "machine": MACHINE, "environment": {},
            "said": ["cloud: lab: x"], "program": {"version": "1", "compiler": "c"}, "jobs": jobs, "end": "complete"}


def changed(profile, form, ns):
    times = copy.deepcopy(TIMES)
    times[profile][form] = ns
    return times


def study(*words, environment=(), timeout=120):
    everywhere = {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_")} | dict(environment)
    return subprocess.run([SHOAL, "study", *map(str, words)], capture_output=True, text=True, timeout=timeout, env=everywhere)


class Plans(unittest.TestCase):
    def test_a_round_has_each_job_once_and_has_an_order_of_its_own(self):
        rounds = [list(plan.jobs_of_round(REQUEST, number)) for number in (1, 2, 1)]
        keys = [[plan.key_of(job)[1:] for job in jobs] for jobs in rounds]
        self.assertEqual(len(keys[0]), len(set(keys[0])))
        self.assertEqual(set(keys[0]), set(keys[1]))
        self.assertNotEqual(keys[0], keys[1])
        self.assertEqual(keys[0], keys[2])
        # 2 numbers of PEs, 2 kernels: OpenSHMEM twice, RMA, messages; simulated: agp, agp_nb, messages.
        self.assertEqual(len(keys[0]), 2 * 2 * 4 + 2 * 2 * 3)

    def test_only_shoal_is_simulated(self):
        self.assertEqual(plan.forms_of("cluster", "randperm", ["shmem"]), ["agp", "conveyor", "actor"])
        self.assertEqual(plan.forms_of("cloud", "randperm", ["shmem", "shmem_nb"]), ["shmem"])

    def test_forms_that_wait_run_fewer_operations(self):
        for kernel in plan.KERNELS:
            self.assertLess(10 * plan.size_of(kernel, "shmem", "cloud", True), plan.size_of(kernel, "actor", "cloud", True))
            sizes = [plan.size_of(kernel, "actor", "cloud", is_quick) for is_quick in (True, False)]
            self.assertEqual(sizes[1], plan.LARGER * sizes[0])


class Jobs(unittest.TestCase):
    COMPARATOR = '{"kernel": "histogram", "library": "OpenSHMEM", "pes": 2, "operations": 200, "median": 0.01, "verified": true}'
    SHOAL = ('{"kernel": "histogram", "variant": "%s", "operations_per_pe": 100, "seconds": {"median": 0.001}, "verified": %s}')

    def test_launchers_chat_beside_results(self):
        found = running.results_of("a warning\n" + self.COMPARATOR + "\n{broken\n")
        self.assertEqual(found[None]["ns_per_operation"], 100_000)
        found = running.results_of(self.SHOAL % ("actor", "true") + '\n{"variant": "agp", "available": false}')
        self.assertEqual((found["actor"]["ns_per_operation"], found["agp"]), (10_000, {"available": False}))

    def run_job(self, forms, *answers):
        place = mock.Mock(launched=lambda library, pes, program: program, run=mock.Mock(side_effect=answers))
        job = {"round": 1, "profile": "cloud", "pes": 2, "kernel": "histogram", "forms": forms}
        with mock.patch.object(running, "comparator", return_value="program"):
            return running.run_job("shoal", place, job, REQUEST)

    def test_a_job_is_right_wrong_or_failed(self):
        both = self.SHOAL % ("conveyor", "true") + "\n" + self.SHOAL % ("actor", "true")
        done = self.run_job(["conveyor", "actor"], (0, both, ""))
        self.assertEqual([done["results"][name]["verified"] for name in ("conveyor", "actor")], [True, True])
        wrong = self.run_job(["conveyor", "actor"], (1, both.replace("true", "false", 1), "WRONG: x"))
        self.assertFalse(wrong["results"]["conveyor"]["verified"])
        self.assertEqual(running.faults({"jobs": [wrong]}),
                         ["cloud, histogram, 2 PEs, conveyor and actor: conveyor gave a wrong answer"])
        half = self.run_job(["conveyor", "actor"], (1, self.SHOAL % ("conveyor", "true"), "shoal: no more\n"))
        self.assertEqual(half["error"], "no more")
        self.assertIn("still ran after 240 s", self.run_job(["shmem"], (None, "", ""))["error"])
        self.assertEqual(self.run_job(["shmem"], (0, self.COMPARATOR, ""))["results"]["shmem"]["operations_per_pe"], 100)

    def test_a_prediction_names_its_network(self):
        job = {"round": 3, "profile": "cluster", "pes": 4, "kernel": "permute", "forms": ["agp"]}
        words, variables = running.command_of("shoal", places.this_machine(), job, REQUEST)
        self.assertEqual(words, ["shoal", "run", "permute", "--graph=er:per_pe=1000,degree=10,directed=yes,loops=yes", "--variant", "agp",
                                 "--repeat", "1", "--substrate", "sim", "--pes", "4", "--json", "-"])
        self.assertEqual(variables, {"SHOAL_NETWORK": str(SOURCE / "networks" / "cluster.network"), "SHOAL_NODE_SIZE": "1",
                                     "SHOAL_SEED": "3", "SHOAL_SIM": "compute=1"})


class Numbers(unittest.TestCase):
    def test_rows(self):
        rows = summary.summarise(results_of(spread=3, price=0.5))
        row = rows["cloud", "histogram", 16, "actor"]
        self.assertEqual((row["ns_per_operation"], row["fastest"], row["slowest"], row["runs"]), (220, 110, 330, 2))
        self.assertAlmostEqual(row["standard_error"], 110)
        self.assertAlmostEqual(row["slowest_to_fastest"], 3)
        self.assertAlmostEqual(row["paper_size_seconds"], 2.2)
        self.assertAlmostEqual(row["cost"], 2.2 * 16 / 3600 * 0.5)
        self.assertAlmostEqual(row["speedup"], 400_000 / 110)
        self.assertAlmostEqual(rows["cluster", "histogram", 2, "actor"]["speedup"], 2_000 / 22)
        self.assertIsNone(summary.summarise(results_of())["cloud", "histogram", 2, "actor"]["cost"])

    def test_a_wrong_answer_has_no_time(self):
        results = results_of()
        for job in results["jobs"]:
            if "actor" in job["forms"]:
                job["results"]["actor"]["verified"] = False
        rows = summary.summarise(results)
        self.assertNotIn(("cloud", "histogram", 2, "actor"), rows)
        self.assertIn(("cloud", "histogram", 2, "conveyor"), rows)

    def test_the_papers_tables(self):
        self.assertAlmostEqual(published.speedup("cloud", "index_gather", 8), 442.0, places=1)
        self.assertAlmostEqual(published.speedup("cluster", "toposort", 2), 39.0, places=1)
        self.assertIsNone(published.speedup("cloud", "histogram", 3))
        self.assertIsNone(published.seconds("sriov", "histogram", 2, "actor"))


class Advice(unittest.TestCase):
    def expected(self, times=None):
        rows = summary.summarise(results_of(times))
        return {what: (holds, found) for what, holds, found in advice.expectations(rows, ["cloud", "cluster"])}

    def test_expectations_hold_or_not(self):
        fast = "cloud: in histogram and index_gather the actor form is at least 50 times as fast as blocking one-sided access"
        order = "cloud: blocking one-sided access is last, started one-sided access before it, and the actor form is first"
        close = "cloud: in histogram and index_gather actor and conveyor take within 1.3 times of each other"
        found = self.expected()
        self.assertEqual([found[what][0] for what in (fast, order, close)], [True, True, True])
        self.assertIn("3,636 (histogram on 2 PEs)", found[fast][1])
        found = self.expected(changed("cloud", "actor", 8_500))
        self.assertEqual([found[what][0] for what in (fast, order, close)], [False, False, False])
        self.assertIn("MPI-3 RMA, started in histogram on 16 PEs: 50 times as fast as blocking, the actor form 0.94 times",
                      found[order][1])
        self.assertIn("histogram on 2 PEs 85", found[close][1])

    def advised(self, times=None, spread=1.1, price=None):
        return advice.recommendations(summary.summarise(results_of(times, spread, price)), ["cloud", "cluster"], 2)

    def test_each_rule_needs_its_numbers(self):
        def has(lines, part):
            return any(part in line for line in lines)
        usual = self.advised()
        self.assertTrue(has(usual, "cloud: do not wait for single remote operations. In all 4 comparisons"))
        self.assertTrue(has(usual, "cluster (predicted, not measured): do not wait"))
        self.assertTrue(has(usual, "by starting operations and completing them together (OpenSHMEM, started): 44 to 44"))
        self.assertTrue(has(usual, "cloud: choose between actors and conveyors by their programs"))
        self.assertTrue(has(usual, "with actors 5.0 times as long (5.0 to 5.0)"))
        self.assertFalse(has(usual, "repeat measurements"))
        self.assertFalse(has(usual, "at the paper's size costs"))
        self.assertTrue(has(self.advised(spread=2), "cloud: repeat measurements at different times. In 20 of 20 cases, 4 of them"))
        self.assertFalse(has(self.advised(spread=2), "cluster (predicted, not measured): repeat"))
        self.assertTrue(has(self.advised(price=2), "one histogram on 16 PEs at the paper's size costs 37 with blocking"))
        slow = self.advised(changed("cloud", "actor", 500_000))
        self.assertFalse(has(slow, "cloud: do not wait"))
        self.assertTrue(has(slow, "cloud: write histogram, index_gather with conveyors"))
        started = self.advised(changed("cloud", "rma", 400_000))
        self.assertFalse(has(started, "MPI-3 RMA, started"))

    def test_more_hosts(self):
        results = results_of()
        for job in results["jobs"]:
            if job["pes"] == 16 and job["profile"] == "cloud" and job["kernel"] == "histogram":
                for result in job["results"].values():
                    result["ns_per_operation"] *= 2
        def told(n_cores):
            lines = advice.recommendations(summary.summarise(results), ["cloud", "cluster"], n_cores)
            return [line for line in lines if line.startswith("cloud: more hosts than the data need cost more.")]
        self.assertIn("histogram 2.0 times", told(None)[0])
        self.assertIn("histogram 2.0 times", told(16)[0])
        self.assertEqual(told(2), [])  # sixteen PEs on two cores say nothing of hosts


class Pages(unittest.TestCase):
    def test_all_tables_and_no_markup_of_others(self):
        results = results_of(price=0.1)
        results["jobs"][0] |= {"error": "<u>broken</u>"}
        del results["jobs"][0]["results"]
        page = report.page(results, summary.summarise(results), Path("/nowhere"), "<p-why>")
        for bad in ("<b>", "<u>", "<p-why>"):
            self.assertNotIn(bad, page)
        for told in ("2 PEs, cluster*", "predicted, not measured", "Holds: cloud: in histogram and index_gather actor and conveyor",
                     "up to 16 PEs share 2 cores", "&lt;u&gt;broken", "Cost, at 0.1 an hour and host, of a run", "lab: x"):
            self.assertIn(told, page)


class Real(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_small_study_is_continued_and_drawn_again(self):
        probe = subprocess.run([SOURCE / "lab" / "lab", "--hosts", "1", "host", "1", "true"], capture_output=True, text=True)
        if probe.returncode == 77 or not (BIN / "comparators" / "shmem" / "histogram").exists():
            self.skipTest(probe.stderr or "no OpenSHMEM")
        words = ("cloud", "--quick", "--pes", "2", "--kernel", "histogram", "--form", "shmem,conveyor,actor", "--runs", "1",
                 "--price", "0.1", "--out", self.folder / "out")
        done = study(*words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"(?m)^study: round 1, (cloud|cluster), job 1 of 5")
        with open(self.folder / "out" / "summary.csv") as file:
            rows = {(row["profile"], row["form"]): row for row in csv.DictReader(file)}
        self.assertEqual(len(rows), 3 + 4)
        # A fetch from another host takes the network's 400 us, and half of them are to other hosts.
        self.assertGreater(float(rows["cloud", "shmem"]["ns_per_operation"]), 150_000)
        self.assertGreater(float(rows["cloud", "actor"]["speedup"]), 50)
        results = json.loads((self.folder / "out" / "results.json").read_text())
        self.assertEqual(results["end"], "complete")
        self.assertTrue(any(line.startswith("cloud: lab: round trip ") for line in results["said"]), results["said"])
        page = (self.folder / "out" / "report.html").read_text()
        self.assertIn("<svg" if (self.folder / "out" / "figures" / "times-histogram.svg").exists() else "no figures", page)
        # What was cut off is done, and nothing else.
        results["jobs"] = [job for job in results["jobs"] if job["profile"] == "cloud"]
        (self.folder / "out" / "results.json").write_text(json.dumps(results))
        again = study(*words)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("round 1, cloud", again.stderr)
        other = study(*words[:-2], "--kernel", "permute", "--out", self.folder / "out")
        self.assertEqual((other.returncode, other.stdout), (2, ""))
        self.assertIn("cannot be continued: its options were others (kernels:", other.stderr)
        shown = study("report", self.folder / "out")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("cloud study: complete; report: ", shown.stdout)

    def test_a_launcher_of_the_user(self):
        launch = self.folder / "launch"
        launch.write_text(f"#!/bin/sh\nn=$1\nshift\necho \"$*\" >> {self.folder}/started\nexec {BIN}/shoalrun -n $n \"$@\"\n")
        launch.chmod(0o755)
        done = study("cloud", "--quick", "--profile", "cloud", "--pes", "2", "--kernel", "histogram", "--form", "actor",
                     "--runs", "1", "--launch", f"{launch} {{pes}}", "--out", self.folder / "out")
        self.assertIn("--substrate mpi", (self.folder / "started").read_text())
        # shoalrun is no launcher of MPI, and says so.
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("FAILED: cloud, histogram, 2 PEs, actor: ", done.stdout)

    def test_mistakes_are_one_line(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "file").touch()
        for words, line in (((), "say what to study: cloud, actors or water; see shoal study --help"),
                            (("clod",), "there is no study clod; did you mean cloud?"),
                            (("cloud", "--quik"), "study: unrecognized arguments: --quik; see shoal study --help"),
                            (("cloud", "--pes", "0"), "--pes=0 is not a whole number from 1 to 250"),
                            (("cloud", "--runs", "x"), "--runs=x is not a whole number from 1 to 1000"),
                            (("cloud", "--apart", "-1"), "--apart=-1 is not a number above 0"),
                            (("cloud", "--price", "free"), "--price=free is not a number above 0"),
                            (("cloud", "--kernel", "histogam"), "--kernel: there is no histogam; did you mean histogram?"),
                            (("cloud", "--profile", "clod"), "--profile: there is no clod; did you mean cloud?"),
                            (("cloud", "--form", ""), "--form: there is no name; known: shmem, "),
                            (("cloud", "--form", "rma", "--kernel", "permute"), "--form=rma: permute is not written in this form"),
                            (("cloud", "--launch", "mpirun -n 2"), "does not say how many programs to start; write {pes}"),
                            (("cloud", "--launch", "'"), "--launch=': No closing quotation"),
                            (("cloud", "--launch", "a {pes}", "--profile", "cluster"), "--launch measures the profile cloud"),
                            (("cloud", "--launch", "a {pes}", "--profile", "cloud,sriov"), "--profile sriov is of the lab"),
                            (("cloud", "--profile", "cluster", "--out", self.folder / "full"), "has no results of shoal study"),
                            (("report",), "study report needs the folder of a study"),
                            (("report", "/nowhere"), "give a folder or file that shoal study has written")):
            done = study(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), (words, done.stderr))
            self.assertIn(line, done.stderr)
            self.assertTrue(done.stderr.startswith("shoal: "), done.stderr)
        self.assertIn("Usage: shoal study cloud", study("--help").stdout)
        self.assertIn("Usage: shoal study cloud", study("cloud", "--help").stdout)


if __name__ == "__main__":
    unittest.main()
