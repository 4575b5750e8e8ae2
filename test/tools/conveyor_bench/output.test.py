# timeout: 900
"""Tests `shoal conveyor-bench` from the outside: every flavour and every report."""

import json
import os
import re
import socket
import sys
import unittest

from runs import BULK, FLAVOURS, FOLDER, SHOALRUN, results, results_of_lines, run

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from share import share_of  # noqa: E402

# Elastic conveyors, with slots of 256 bytes here; the kinds whose items have types.
ELASTIC = ("20 600", "50 1", "50 64 --reject 0.3 --alignment", "20 3000 --entropy 20 --point-to-point",
           "20 600 --steady-test", "0 600", "50 600 --histogram", "50 600 --index-gather --reject 0.5", "50 8 -g")
TYPED = ("50", "50 4", "50 32 --reject 0.3 --alignment", "50 28 --entropy 20 --point-to-point", "50 128", "0",
         "50 --steady", "50 --steady-test", "50 --histogram", "50 4 --histogram", "50 --index-gather",
         "50 32 --index-gather --reject 0.5 --steady", "200 --words 30 -g")
QUERIES = ("50", "50 4", "50 32 --alignment", "50 28 --entropy 20 --point-to-point", "50 128", "0", "50 --steady",
           "50 --steady-test", "200 --words 30")
ALL_ELASTIC = tuple(f"{flavour} -e -c 256 {case}" for flavour in FLAVOURS for case in ELASTIC)
ALL_TYPED = tuple(f"{flavour} -c 260 {case}" for flavour in (*BULK, "exstack2") for case in TYPED)
ALL_QUERIES = tuple(f"biconveyor {case}" for case in QUERIES)
OTHERS = ALL_ELASTIC + ALL_TYPED + ALL_QUERIES
FEW_OTHERS = ("vector -e -c 256 20 600", "matrix -e -c 256 20 600 -y", "tensor -e -c 256 50 600 -g -r 0.5",
              *(f"{flavour} -c 100 {case}" for flavour in (*BULK, "exstack2") for case in ("50 28", "50 -y", "50 -g")),
              "biconveyor 50 28", "biconveyor 50 -y")


class Traffic(unittest.TestCase):
    # Options and item bytes; each of these takes another path through the program.
    CASES = (
        "50", "50 1", "50 13", "50 4", "50 16", "50 24", "50 32", "50 64", "50 128", "0", "1 128 --untyped",
        "50 24 --random-size --reject 0.3 --alignment", "50 16 --entropy 20 --point-to-point",
        "50 --steady", "50 --steady-test", "50 --histogram", "50 4 --histogram --random-size",
        "50 --index-gather", "50 32 --index-gather --random-size --reject 0.5 --steady",
        "200 --words 30 --histogram", "200 --words 30 --index-gather", "200 20 --words 1",
    )

    # Jobs of processes and threads take time to start, so only one of each kind runs.
    FEW = ("50", "50 13", "50 24 --random-size --reject 0.3 --alignment", "50 --steady-test", "50 --histogram",
           "50 --index-gather")

    def expect_verified(self, cases, pes, substrate, *more, others=(), turn=0):
        lines = share_of([f"{flavour} {case}" for flavour in FLAVOURS for case in cases] + list(others), turn)
        for line, o in zip(lines, results_of_lines(lines, "--pes", pes, "--substrate", substrate, "-n2", *more)):
            self.assertEqual((o["pes"], o["substrate"]), (pes, substrate), line)
            replies = 2 if "index-gather" in line or "-g" in line or "biconveyor" in line else 1
            self.assertEqual(o["items_per_pe"], replies * pes * o["load"], line)
            self.assertEqual(o["elastic"], "-e " in line)

    def test_processes(self):
        for turn, pes in enumerate((1, 3, 7)):
            with self.subTest(pes=pes):
                self.expect_verified(self.FEW, pes, "local", "-t", 2, others=FEW_OTHERS, turn=turn)

    def test_threads(self):
        self.expect_verified(self.FEW, 2, "threads", "-t", 2)
        self.expect_verified(self.CASES, 5, "threads", "-t", 2, others=FEW_OTHERS)

    def test_simulated(self):
        for turn, pes in enumerate((1, 2, 3, 4, 7)):
            with self.subTest(pes=pes):
                self.expect_verified(self.CASES, pes, "sim", "-t", 3, others=OTHERS, turn=turn)

    def test_conveyors_for_each_run(self):
        cases = [f"{flavour} 50 {more}" for flavour in (*FLAVOURS, *BULK, "exstack2")
                 for more in ("8 -d", "8 -d -g", "8 -d --histogram", "8 -d -y")]
        cases += ["biconveyor 50 8 -d", "vector 20 600 -e -c 256 -d", "tensor 50 13 -d -R -r 0.5"]
        on = ("--pes", 5, "-t", 2, "--substrate", "sim", "-n3")
        keeping = results_of_lines([line.replace(" -d", "") for line in cases], *on)
        # What each conveyor sent counts, even if it is gone.
        for line, o, kept in zip(cases, results_of_lines(cases, *on), keeping):
            self.assertEqual((o["dynamic"], kept["dynamic"]), (True, False), line)
            n_bytes, n_kept = (r["bytes"] + r["bytes_spared"] for r in (o, kept))  # codecs start anew, too
            self.assertLess(abs(n_bytes - n_kept), 0.1 * n_kept, line)
        (o,) = results("matrix", 50, "-d", "--pes", 3, "-t", 2)
        self.assertGreater(o["buffers"], 0)

    def test_few_small_slots(self):
        lines = [f"{flavour} 100 {bytes} -c 64 {options}" for flavour in FLAVOURS for bytes in (8, 25)
                 for options in ("-b 3", "-b 6 --steady-test", "-b 6 -g")]
        results_of_lines(lines, "--pes", 4, "-t", 2, "-n1")
        results_of_lines(lines, "--pes", 7, "-t", 3, "-n1", "--substrate", "sim")


class Reports(unittest.TestCase):
    def test_table(self):
        result = run("matrix", 100, 16, "--pes", 3, "-t", 2, "--reject", 0.25)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^conveyor-bench: matrix all-to-all, 3 PEs on local; load 100, items of "
                                        r"16 bytes, reject 0.25, seed 1; 1 warm-up, 5 iterations; shoal ")
        self.assertRegex(result.stdout, r"(?m)^2 hops, 4 links; nodes of 2 PEs; \d+ slots of \d+ bytes$")
        self.assertRegex(result.stdout, r"(?m)^cache-line hand-off: ")
        self.assertRegex(result.stdout, r"(?m)^ +ns/item +min +max +MB/s/PE +min +max +x memcpy +verified$")
        self.assertRegex(result.stdout, r"(?m)^matrix( +[\d.]+){7} +yes$")
        self.assertRegex(result.stdout, r"(?m)^memcpy( +[\d.]+){6} +1.00 +-$")
        self.assertRegex(result.stdout, r"(?m)^verified: in warm-ups, every item arrived once, in push order")

    def test_table_of_other_kinds(self):
        for flavour in BULK:
            text = run(flavour, 10, 16, "--pes", 2, "-c", 100).stdout
            hops = "2 hops, 3 links" if flavour == "twohop" else "1 hop, 2 links"
            self.assertRegex(text, rf"(?m)^{hops}; nodes of 2 PEs; \d+ slots of \d+ bytes; boxes of 6 items$")
        text = run("vector", 10, 6000, "-e", "--pes", 2).stdout
        self.assertRegex(text, r"load 10, items of up to 6000 bytes \(elastic\), seed 1;")
        text = run("biconveyor", 10, "--pes", 2).stdout
        self.assertRegex(text, r"(?m)^verified: in warm-ups, every query arrived once, in push order of its pair, and "
                               r"its reply in push order of this PE's queries")

    def test_table_of_a_codec(self):
        arguments = ("vector", 1000, 16, "-z", 8, "--pes", 3, "--substrate", "threads")
        self.assertNotIn("codec", run(*arguments).stdout)
        self.assertNotIn("codec", run(*arguments, "-t", 2, "--codec", "none").stdout)
        self.assertRegex(run(*arguments, "-t", 2).stdout,
                         r"(?m)^codec best at 0 ns/byte, which never pays: no buffer encoded$")
        text = run(*arguments, "-t", 2, "--codec", "squeeze:1e6").stdout
        counts = re.search(r"(?m)^codec squeeze at 1000000 ns/byte: (\d+) of (\d+) buffers encoded, (\d+) of (\d+) "
                           r"bytes spared \((\d+\.\d) %\)$", text)
        n_encoded, n_buffers, n_spared, n_bytes = map(int, counts.groups()[:4])
        self.assertTrue(0 < n_encoded < n_buffers and 0 < n_spared < n_bytes, text)
        self.assertAlmostEqual(float(counts[5]), 100 * n_spared / n_bytes, delta=0.06)

    def test_codecs_in_json(self):
        arguments = ("matrix", 500, 16, "-z", 8, "--pes", 4, "-c", 1000, "--substrate", "sim", "-t", 2)
        environment = {"SHOAL_CODEC": "delta", "SHOAL_NS_PER_BYTE": "2.5"}
        names = ("codec", "ns_per_byte")
        (o,) = results(*arguments, environment=environment)
        self.assertEqual([o[n] for n in names], ["delta", 2.5])
        (o,) = results(*arguments, "--codec", "squeeze", environment=environment)
        self.assertEqual([o[n] for n in names], ["squeeze", 2.5])
        (squeezed,) = results(*arguments, "--codec", "squeeze:1", environment=environment)
        self.assertEqual([squeezed[n] for n in names], ["squeeze", 1])
        (plain,) = results(*arguments, "--codec", "none", environment=environment)
        self.assertEqual([plain[n] for n in (*names, "buffers_encoded", "bytes_spared")], [None, 2.5, 0, 0])
        self.assertGreater(squeezed["bytes_spared"], 0)
        self.assertEqual(squeezed["bytes"] + squeezed["bytes_spared"], plain["bytes"])
        (one_node,) = results(*arguments, "-t", 4)
        self.assertEqual((one_node["codec"], one_node["bytes_spared"]), (None, 0))

    def test_json(self):
        (o,) = results("tensor", 100, 24, "--pes", 7, "-t", 3, "-c", "1k", "-b", 20, "-s", 9, "-z", 7, "-n", 3)
        self.assertEqual(
            list(o),
            ["flavour", "traffic", "substrate", "pes", "load", "item_bytes", "typed", "random_size", "elastic",
             "steady", "steady_test", "reject", "dynamic", "alignment", "entropy_bits", "seed", "words", "warmups",
             "iterations", "slot_bytes", "slots_per_pe", "capacity_items", "node_size", "hops", "links", "hosts",
             "codec", "ns_per_byte", "buffers", "bytes", "buffers_encoded", "bytes_spared", "items_per_pe", "seconds",
             "ns_per_item", "mb_per_s_per_pe", "memcpy_ns_per_item", "ratio_to_memcpy", "line_handoff_ns", "verified",
             "fault", "version"])
        self.assertEqual((o["flavour"], o["traffic"], o["hops"], o["node_size"]), ("tensor", "all-to-all", 3, 3))
        self.assertEqual((o["slot_bytes"], o["slots_per_pe"], o["seed"], o["entropy_bits"]), (1024, 20, 9, 7))
        self.assertEqual((o["verified"], o["fault"], o["iterations"]), (True, None, 3))
        self.assertAlmostEqual(o["ns_per_item"]["median"], o["seconds"]["median"] * 1e9 / 700)
        self.assertAlmostEqual(o["mb_per_s_per_pe"]["max"], 24e3 / o["ns_per_item"]["min"])
        for name in ("seconds", "ns_per_item", "mb_per_s_per_pe", "memcpy_ns_per_item"):
            self.assertLessEqual(o[name]["min"], o[name]["median"])
            self.assertLessEqual(o[name]["median"], o[name]["max"])

    def test_json_to_a_file(self):
        file = os.path.join(FOLDER.name, "result.json")
        self.assertIn("ns/item", run("vector", 10, "--json", file).stdout)
        with open(file) as lines:
            self.assertEqual([json.loads(line)["flavour"] for line in lines], ["vector"])

    def test_config(self):
        text = run("vector", 10, "--pes", 2, "-C", "-c", 4096, environment={"SHOAL_SLOTS": "9"}).stdout
        self.assertRegex(text, r"(?m)^Settings, and where each comes from$")
        self.assertRegex(text, r"(?m)^  slot +4 KiB +--capacity$")
        self.assertRegex(text, r"(?m)^  slots of a PE +9 +SHOAL_SLOTS$")
        self.assertNotIn("Settings", run("vector", 10, "--pes", 2).stdout)

    def test_hosts(self):
        host = re.escape(socket.gethostname())
        for pes, text in ((1, "PE 0"), (3, "PEs 0-2")):
            self.assertRegex(run("vector", 10, "--pes", pes, "-H").stdout, rf"(?m)^host {host}: {text}$")
        (o,) = results("vector", 10, "--pes", 2, "--hosts")
        self.assertEqual(o["hosts"], [socket.gethostname()] * 2)
        (o,) = results("vector", 10, "--pes", 2)
        self.assertIsNone(o["hosts"])

    def test_quiet_and_verbose(self):
        result = run("vector", 10, "--pes", 2, "-q")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        result = run("vector", 10, "--pes", 2, "-v", "-w2", "-n1")
        self.assertRegex(result.stderr, r"^(conveyor-bench: warm-up [12] of 2\n){2}"
                                        r"conveyor-bench: iteration 1 of 1: \d+\.\d+ s\n$")

    def test_status_of_a_misfit(self):
        for substrate in ("local", "threads", "sim"):
            for options, status in (((), 2), (("-f77",), 77), (("-f0",), 0)):
                result = run("vector", 10, 65, "-c", 64, "--pes", 2, "--substrate", substrate, *options)
                self.assertEqual((result.returncode, result.stdout), (status, ""))
                self.assertEqual(result.stderr.count("does not fit into a slot"), 1, result.stderr)
            self.assertEqual(run("vector", 10, "-f77", "--pes", 2, "--substrate", substrate).returncode, 0)

    def test_types(self):
        for bytes in (1, 4, 8, 12, 16, 20, 24, 28, 32, 48, 64, 128, 256):
            for option, can_be_typed in ((), True), (("--untyped",), False), (("--random-size",), False):
                (o,) = results("vector", 10, bytes, "--substrate", "threads", "--pes", 2, *option)
                self.assertEqual(o["typed"], can_be_typed and bytes in (4, 8, 16, 28, 32, 64, 128))

    def test_pairs(self):
        text = run("vector", 100, "--pes", 2, "--substrate", "threads", "--point-to-point").stdout
        pairs = re.findall(r"(?m)^PE (\d) to PE (\d): expected (\d+) items, sum (\w+); got (\d+), sum (\w+)$", text)
        self.assertEqual([p[:2] for p in pairs], [("0", "0"), ("1", "0"), ("0", "1"), ("1", "1")])
        for _, _, n_expected, sum_expected, n_got, sum_got in pairs:
            self.assertEqual((n_expected, sum_expected), (n_got, sum_got))
        self.assertEqual(sum(int(p[2]) for p in pairs), 400)

    def test_simulated_times_are_virtual_and_repeat(self):
        runs = [run("tensor", 20, "--substrate", "sim", "--pes", 5, "-t", 2) for _ in range(2)]
        self.assertIn("All times are the simulator's.", runs[0].stdout)
        self.assertRegex(runs[0].stdout, r"(?m)^memcpy( +-){8}$")
        self.assertEqual(runs[0].stdout, runs[1].stdout)

    def test_nothing_to_send(self):
        (o,) = results("vector", 0, "--pes", 3)
        self.assertEqual((o["items_per_pe"], o["ns_per_item"]["median"], o["verified"]), (0, None, True))
        self.assertGreater(o["seconds"]["median"], 0)

    def test_under_shoalrun_it_just_is_a_pe(self):
        (o,) = results("vector", 10, launcher=(SHOALRUN, "-n", "3"))
        self.assertEqual((o["substrate"], o["pes"]), ("local", 3))

    def test_settings_of_the_environment(self):
        environment = {"SHOAL_SLOT_BYTES": "128", "SHOAL_SLOTS": "9", "SHOAL_NODE_SIZE": "2", "SHOAL_PES": "5",
                       "SHOAL_SUBSTRATE": "threads"}
        (o,) = results("matrix", 10, environment=environment)
        self.assertEqual((o["slot_bytes"], o["slots_per_pe"], o["node_size"], o["pes"]), (128, 9, 2, 5))
        (o,) = results("matrix", 10, "-c", 256, "-b", 8, "-t", 3, "--pes", 4, environment=environment)
        self.assertEqual((o["slot_bytes"], o["slots_per_pe"], o["node_size"], o["pes"]), (256, 8, 3, 4))


class Lines(unittest.TestCase):
    def test_each_line_runs_with_what_stands_before(self):
        lines = ["vector 10", "# a comment", "", "  matrix 20 16 --pes 3 ", "tensor 30 --substrate sim"]
        result = run("--pes", 2, "--substrate", "threads", "--json", "-", "--", lines=lines)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([(o["flavour"], o["load"], o["item_bytes"], o["pes"], o["substrate"]) for o in found],
                         [("vector", 10, 8, 2, "threads"), ("matrix", 20, 16, 3, "threads"),
                          ("tensor", 30, 8, 2, "sim")])

    def test_a_bad_line_does_not_stop_the_others(self):
        result = run("--", lines=["vector 10 0", "vector 10 --", "--pes 2", "vector 10 --pes 2"])
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("\n"), 3, result.stderr)
        self.assertIn("ITEM_BYTES=0 is not", result.stderr)
        self.assertIn("without --", result.stderr)
        self.assertIn("which flavour?", result.stderr)
        self.assertEqual(result.stdout.count(" yes\n"), 1)
        self.assertEqual(re.findall(r"(?m)^> (.*)$", result.stdout)[-1], "vector 10 --pes 2")

    def test_no_lines(self):
        self.assertEqual(run("--", lines=[]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
