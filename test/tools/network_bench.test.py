"""Tests `shoal network-bench`: what it writes can be used, what fails is told, and each mistake is one line."""
# programs: all_tools all_library_benches
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
sys.path.insert(0, str(SOURCE / "test" / "support"))
import backends  # noqa: E402
from shoal_bench.jobs import objects_of  # noqa: E402
from shoal_network_bench import measuring, network_file, report  # noqa: E402

SHOAL = os.path.join(os.environ["SHOAL_BIN"], "shoal")
LINK = {"substrate": "mpi", "pes": 2, "link": "network", "hosts": ["a", "b"], "latency_ns": {"median": 2000.4, "error": 3},
        "overhead_ns": {"median": 300, "error": 1.5}, "gap_ns": {"median": 9.5, "error": 1}, "ns_per_byte": {"median": 0.08,
        "error": 0.0021}, "overhead_ns_per_byte": {"median": 0.25, "error": 0.01}, "push_ns": {"median": 2, "error": 0.1}, "relay_ns": {"median": 8, "error": 0.1}, "handling_ns": {"median": 1.5,
        "error": 0.1}, "points": [{"bytes": 16, "one_way_ns": {"median": 9, "error": 1}, "stream_ns": {"median": 4, "error": 1}}]}


def run(*words, environment=()):
    everywhere = {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_")}
    everywhere |= backends.command_on("mpi-openmpi", 2)[1] | dict(environment)
    everywhere.pop("SHOAL_SUBSTRATE", None)
    return subprocess.run([SHOAL, "network-bench", *map(str, words)], capture_output=True, text=True, timeout=200, env=everywhere)


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_files_can_be_used(self):
        out = self.folder / "out"
        done = run("--out", out, "--seconds", "0.2", "--only", "node,mpi-openmpi", "--no-libraries")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads((out / "links.json").read_text())
        if "error" in results["links"]["mpi-openmpi"]:
            self.skipTest(results["links"]["mpi-openmpi"]["error"])
        self.assertEqual([link["link"] for link in results["links"].values()], ["node", "network"])
        file = out / "mpi-openmpi.network"
        self.assertIn(f"to use it: SHOAL_NETWORK={file}\n", done.stdout)
        link = subprocess.run([SHOAL, "link", "--substrate", "sim", "--seconds", "0.1", "--json", "-"], capture_output=True,
                              text=True, timeout=60, env=os.environ | {"SHOAL_NETWORK": str(file), "SHOAL_NODE_SIZE": "1"})
        measured = results["links"]["mpi-openmpi"]["latency_ns"]["median"]
        simulated = json.loads(link.stdout)["latency_ns"]["median"]
        self.assertLess(abs(simulated - measured), 0.1 * measured + 300, link.stderr)
        page = (out / "report.html").read_text()
        self.assertIn("mpi-openmpi", page)
        self.assertIn("<svg" if (out / "figures" / "stream.svg").exists() else "no figures", page)

    def test_libraries_tell_of_themselves(self):
        self.assertEqual([library for library, _ in measuring.library_programs(SHOAL)],
                         [library for library in measuring.SUBSTRATES if (Path(SHOAL).parent / "network_bench" / library).exists()])
        program = self.folder / "mpi"
        program.write_text("#!/bin/sh\necho chat\necho '{\"library\": \"Open MPI 9\"}'\necho \"{\\\"measure\\\": \\\"latency\\\", "
                           "\\\"bytes\\\": 8, \\\"ns\\\": 2000, \\\"low\\\": 1000, \\\"high\\\": 3000}\"\n")
        program.chmod(0o755)
        lines = measuring.measure_library(str(program), "openmpi", ["env"], 1)
        self.assertEqual(report.title_of("openmpi", lines), "Open MPI 9")
        self.assertEqual(report.library_rows(lines), [["latency", "", "8", "2.00 us (1.00 to 3.00)"]])
        failed = measuring.measure_library("/nowhere", "openmpi", ["env"], 1)
        self.assertIn("No such file", report.title_of("openmpi", failed))

    def test_a_launcher_that_fails_is_told(self):
        done = run("--out", self.folder / "out", "--launch", "false --really", "--only", "mpi")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("mpi  not measured: ended with status 1 and no word\n", done.stdout)
        done = run("--out", self.folder / "other", "--launch", "false", "--seconds", "0.05")
        self.assertEqual(done.returncode, 1)

    def test_mistakes_are_one_line(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "file").touch()
        for words, line in ((("--secnds", "1"), "network-bench: unrecognized arguments: --secnds 1; see shoal network-bench --help"),
                            (("--seconds", "0"), "--seconds=0 is not a number above 0"),
                            (("--seconds", "4000"), "--seconds=4000 is not from 0.01 to 3600"),
                            (("--out", "/proc/x"), "network-bench: /proc/x: No such file or directory\n"),
                            (("--only", "mpj"), "unknown link mpj; known: node, "),
                            (("--launch", ""), "--launch needs the words of a launcher"),
                            (("--launch", "'"), "--launch=': No closing quotation"),
                            (("--out", self.folder / "full"), "is not empty; give another folder")):
            out = () if "--out" in words else ("--out", self.folder / "out")
            done = run(*words, *out)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(line, done.stderr)
            self.assertTrue(done.stderr.startswith("shoal: "), done.stderr)
        done = run(environment={"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"})
        self.assertIn("shoal: network-bench starts its jobs by itself; run it without shoalrun, mpirun and srun\n", done.stderr)


class Texts(unittest.TestCase):
    def test_a_file_has_values_with_errors(self):
        text = network_file.text("mpi", "2026-11-28", None, LINK)
        self.assertEqual(text, "# Measured by `shoal network-bench`; each value with half of its 90 % interval.\n"
                         "name = mpi on a and b, 2026-11-28\n\n[network]\nlatency_ns = 2000.4 +- 3.0\noverhead_ns = 300.0 +- 1.5\n"
                         "gap_ns = 9.5000 +- 1.0000\nns_per_byte = 0.0800 +- 0.0021\noverhead_ns_per_byte = 0.2500 +- 0.0100\n\n[item]\npush_ns = 2.0000 +- 0.1000\n"
                         "relay_ns = 8.0000 +- 0.1000\nhandling_ns = 1.5000 +- 0.1000\n")

    def test_a_launcher_chooses_the_library(self):
        self.assertEqual(measuring.usual(["node", "mpi", "mpi-rma", "shmem"], ["oshrun", "-n", "2"]), ["node", "shmem"])
        self.assertEqual(measuring.usual(["node", "mpi", "mpi-rma", "shmem"], ["/bin/mpirun"]), ["node", "mpi", "mpi-rma"])

    def test_launchers_may_chat(self):
        told = 'warning\n{"latency_ns": 1}\n{broken\n'
        self.assertEqual(list(objects_of(told)), [{"latency_ns": 1}])

    def test_a_page_shows_no_markup_of_others(self):
        results = {"machine": {"host": "<b>"}, "begun": "now", "version": "1", "links": {"<i>": LINK, "x": {"error": "<u>"}},
                   "libraries": {"openmpi": [{"error": "<s>"}], "mpich": [{"library": "<em>"}, {"measure": "latency", "mode": "<q>",
                                 "bytes": 8, "ns": 5, "low": 4, "high": 6}, {"measure": "overlap", "bytes": 8, "share": 0.5,
                                 "low": 0.4, "high": 0.6}, {"measure": "eager_limit", "bytes": 4096, "at_least": False},
                                 {"measure": "put", "left_out": "<small>"}]}}
        page = report.page(results, Path("/nowhere"), "<p-why>")
        for bad in ("<b>", "<i>", "<u>", "<s>", "<em>", "<q>", "<small>", "<p-why>"):
            self.assertNotIn(bad, page)
        for told in ("0.50 (0.40 to 0.60)", "bytes leave at once, not more", "left out: &lt;small&gt;"):
            self.assertIn(told, page)


if __name__ == "__main__":
    unittest.main()
