"""Tests `benchmarks/scaling.py`: the mean field's arithmetic, what it refuses, and that it agrees with the simulator."""
# programs: bench_scaling
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SHOAL_SOURCE"])
BIN = Path(os.environ["SHOAL_BIN"])
SCRIPT = SOURCE / "benchmarks" / "scaling.py"
sys.path.insert(0, str(SCRIPT.parent))
import scaling  # noqa: E402

NODE = {"latency_ns": 100, "overhead_ns": 50, "gap_ns": 0, "ns_per_byte": 0}
NETWORK = {"latency_ns": 1000, "overhead_ns": 500, "gap_ns": 40, "ns_per_byte": 0.5}


def model(n_hops, n_nodes, node_size=4, item_bytes=8, slot_bytes=1024):
    return scaling.mean_field((NODE, NETWORK), n_hops, n_nodes, node_size, item_bytes, slot_bytes)


def run(*words, folder=BIN):
    return subprocess.run([sys.executable, SCRIPT, *map(str, words), folder], capture_output=True, text=True, timeout=120)


class MeanField(unittest.TestCase):
    def test_routes_have_links_and_tags(self):
        self.assertEqual(scaling.hops_of(1, 8, 4), [(32, True, 0)])
        self.assertEqual(scaling.hops_of(2, 8, 4), [(4, False, 1), (8, True, 1)])
        self.assertEqual(scaling.hops_of(3, 1024, 32), [(32, False, 2), (32, True, 2), (32, False, 2)])
        self.assertEqual(scaling.hops_of(3, 8192, 32)[2], (32, False, 4))
        self.assertEqual(scaling.n_links(3, 1024, 32), 96)

    def test_a_node_that_sends_all_its_bytes_waits_for_its_interface(self):
        one = model(1, 2)
        # Half of the items of four PEs leave the node, in buffers of 128.
        self.assertAlmostEqual(one.interface, 4 * ((8 + 32 / 128) * 0.5 + 40 / 128) / 2)
        self.assertEqual(one.item(), one.interface)

    def test_a_buffer_costs_its_processors(self):
        push, relay, handling = scaling.item_ns(8, 8)
        two = model(2, 4)
        n = 1024 // 9  # items and tags of a buffer
        expected = push + relay + handling + (2 * 50 * 3 / 4 + 100) / n + (2 * 500 * 3 / 4 + 100) / n
        self.assertAlmostEqual(two.cpu, expected)

    def test_larger_items_cost_more_and_too_many_links_are_not_known(self):
        self.assertAlmostEqual(scaling.item_ns(64, 128)[0] - scaling.item_ns(64, 8)[0], 12)
        self.assertGreater(scaling.item_ns(65, 8)[1], scaling.item_ns(64, 8)[1])
        self.assertIsNone(scaling.item_ns(4097, 8))

    def test_nothing_leaves_a_node_before_buffers_are_full(self):
        two = model(2, 4, node_size=32)
        fill = (32 + 4) * (1024 // 9)
        n = 100 * fill
        self.assertAlmostEqual(two.session(n), fill * two.before + n * two.interface + two.way)
        self.assertAlmostEqual(two.session(n + 1) - two.session(n), two.item())

    def test_published_points_change_no_prediction(self):
        figures = scaling.sections("aries")
        before = scaling.published_sessions(figures, 1024, 8)
        kept, scaling.PUBLISHED = scaling.PUBLISHED, {}
        self.addCleanup(setattr, scaling, "PUBLISHED", kept)
        self.assertEqual(scaling.published_sessions(figures, 1024, 8), before)

    def test_three_hops_need_as_many_nodes_as_a_node_has_pes(self):
        self.assertEqual(scaling.hop_counts(31, 32), (1, 2))
        self.assertEqual(scaling.hop_counts(32, 32), (1, 2, 3))


class Script(unittest.TestCase):
    def test_a_small_comparison(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--network=aries", "--nodes=4", "--node-size=4", "--item-bytes=8,128", "--out", folder)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            rows = json.loads((Path(folder) / "rows.json").read_text())
            with open(Path(folder) / "predicted.csv", newline="") as file:
                table = list(csv.DictReader(file))
        self.assertEqual({(of["hops"], of["item_bytes"]) for of in rows["compared"]}, {(h, b) for h in (1, 2, 3) for b in (8, 128)})
        for of in rows["compared"]:
            self.assertLess(abs(of["mean_field"] / of["simulator"] - 1), 0.25, of)
        self.assertEqual(len(table), 2 * len(scaling.NODES))
        self.assertEqual({of["nodes"]: of["published"] for of in table if of["published"]},
                         {"1024": "5.01", "4096": "4.15", "8192": "3.5"})
        self.assertIn("| aries | 1,024 | ", done.stdout)

    def test_sessions_that_hardly_fill_their_buffers_are_left_out(self):
        done = run("--network=aries", "--nodes=64", "--node-size=4", "--item-bytes=8", "--kib=1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("| aries | 64 | 1 | 8 |", done.stdout)

    def test_mistakes_are_one_line(self):
        for words, line in (
            (["--network=none"], "--network none: No such file or directory; choose "),
            (["--nodes=0"], "argument --nodes: 0: give whole numbers from 2 to 8192"),
            (["--item-bytes=9"], "argument --item-bytes: 9: give 8 or 16 or 32 or 128"),
            (["--kib=1,2"], "argument --kib: "),
        ):
            done = run(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"scaling.py: {line}" if words[0].startswith("--network") else line, done.stderr)
        done = run("--network=aries", "--nodes=4", folder="/no-such-folder")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn("build bench_scaling first", done.stderr)


class Program(unittest.TestCase):
    def test_it_says_what_it_refuses(self):
        for words, line in (
            (["--item-bytes", "9"], "--item-bytes=9 is not 8, 16, 32 or 128"),
            (["--nodes"], "a value is missing after '--nodes'"),
            (["--size", "3"], "unknown option '--size'; there are "),
        ):
            done = subprocess.run([BIN / "bench_scaling", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
            self.assertTrue(done.stderr.startswith("bench_scaling: " + line), done.stderr)

    def test_it_repeats(self):
        words = [BIN / "bench_scaling", "--smoke", "--nodes", "4", "--hops", "2"]
        lines = {subprocess.run(words, capture_output=True, text=True, timeout=60).stdout for _ in range(2)}
        self.assertEqual(len(lines), 1)
        self.assertIn("verified=yes", lines.pop())


if __name__ == "__main__":
    unittest.main()
