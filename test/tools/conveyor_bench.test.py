"""`shoal conveyor-bench` from the outside: every flavour, the case lines of Conveyors, every bad option."""
# timeout: 300
# processors: 2

import json
import os
import re
import subprocess
import tempfile
import unittest

BIN = os.environ["SHOAL_BIN"]
SHOAL = os.path.join(BIN, "shoal")
SHOALRUN = os.path.join(BIN, "shoalrun")
FLAVOURS = ("vector", "matrix", "tensor")
HOPS = {"vector": 1, "matrix": 2, "tensor": 3}
FOLDER = tempfile.TemporaryDirectory(prefix="shoal-bench-test-")


def run(*arguments, environment=None, launcher=(), lines=None):
    clean = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME") or "SAN_OPTIONS" in k}
    clean.update(environment or {})
    command = [*launcher, SHOAL, "conveyor-bench", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, env=clean,
                          input=None if lines is None else "\n".join(lines) + "\n")


def results(*arguments, **more):
    result = run(*arguments, "--json", "-", **more)
    assert result.returncode == 0, (arguments, result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()]


def results_of_lines(lines, *arguments):
    """Runs lines of the standard input; all must be verified."""
    result = run(*arguments, "--json", "-", "--", lines=lines)
    assert result.returncode == 0, result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) == len(lines)
    assert all(o["verified"] for o in found)
    return found


class Traffic(unittest.TestCase):
    # Options and item bytes; each of these takes another way through the program.
    CASES = (
        "50", "50 1", "50 13", "50 4", "50 16", "50 24", "50 32", "50 64", "50 128", "0", "1 128 --untyped",
        "50 24 --random-size --reject 0.3 --alignment", "50 16 --entropy 20 --point-to-point",
        "50 --steady", "50 --steady-test", "50 --histogram", "50 4 --histogram --random-size",
        "50 --index-gather", "50 32 --index-gather --random-size --reject 0.5 --steady",
        "200 --words 30 --histogram", "200 --words 30 --index-gather", "200 20 --words 1",
    )

    # Processes take time to start, so only one of each kind.
    FEW = ("50", "50 13", "50 24 --random-size --reject 0.3 --alignment", "50 --steady-test", "50 --histogram",
           "50 --index-gather")

    def expect_verified(self, cases, pes, substrate, *more):
        lines = [f"{flavour} {case}" for flavour in FLAVOURS for case in cases]
        for line, o in zip(lines, results_of_lines(lines, "--pes", pes, "--substrate", substrate, "-n2", *more)):
            self.assertEqual((o["pes"], o["substrate"]), (pes, substrate), line)
            replies = 2 if "index-gather" in line else 1
            self.assertEqual(o["items_per_pe"], replies * pes * o["load"], line)

    def test_processes(self):
        for pes in (1, 2, 3, 4, 7):
            with self.subTest(pes=pes):
                self.expect_verified(self.FEW, pes, "local", "-t", 2)

    def test_threads(self):
        for pes in (2, 5):
            with self.subTest(pes=pes):
                self.expect_verified(self.CASES, pes, "threads", "-t", 2)

    def test_simulated(self):
        for pes in (1, 2, 3, 4, 7):
            with self.subTest(pes=pes):
                self.expect_verified(self.CASES, pes, "sim", "-t", 3)

    def test_few_small_slots(self):
        lines = [f"{flavour} 100 {bytes} -c 64 {options}" for flavour in FLAVOURS for bytes in (8, 25)
                 for options in ("-b 3", "-b 6 --steady-test", "-b 6 -g")]
        results_of_lines(lines, "--pes", 4, "-t", 2, "-n1")
        results_of_lines(lines, "--pes", 7, "-t", 3, "-n1", "--substrate", "sim")


class ConveyorsCases(unittest.TestCase):
    """The lines with which Conveyors checks its own tensor family, all with random item sizes, then with a check of
    alignments, too. `-b` is theirs: buffers of a link; ours are of a PE. What only tells how memory is allocated
    (-d, -A) and what prints the configuration (-C) has no counterpart."""

    LINES = (
        ("-b1 -c200", "vector 100 16"), ("-b1 -c440 -t8", "matrix 100 40"), ("-b2 -c120 -t6 -g", "matrix 100"),
        ("-b1 -c280 -t4", "tensor 100 24"), ("-b2 -c240 -t4", "tensor 100 20"), ("-b2 -c120 -t4 -g", "tensor 100"),
        ("-b4 -c200 -t3", "tensor 100 16"), ("-b2 -c360 -p -y", "vector 100 32"),
        ("-b4 -c400 -t8 -p -y", "matrix 100 36"), ("-b1 -c320 -t4 -p -y", "tensor 100 28"),
        ("-M -b2 -c500 -w20", "vector 100 64"), ("-M -b2 -c500 -w20 -t8", "matrix 100 64"),
        ("-M -b2 -c500 -w20 -t4", "tensor 100 64"),
    )

    def lines(self, pes):
        for options, words in self.LINES:
            n_per_link = int(re.search(r"-b(\d)", options)[1])
            n_conveyors = 2 if "-g" in options or "-y" in options else 1
            n_links = pes + 2  # at least as many as any of these routes has here
            options = re.sub(r"-b\d", f"-b {max(2, n_conveyors * n_per_link * n_links)}", options)
            if "-w" not in options:
                options += " -w10"
            yield f"{options} {words} -R"
            yield f"{options} {words} -R -M"

    def test_on_processes(self):
        results_of_lines(list(self.lines(8)), "--pes", 8, "-n1")

    def test_simulated(self):
        results_of_lines(list(self.lines(18)), "--pes", 18, "-n1", "--substrate", "sim")


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

    def test_json(self):
        (o,) = results("tensor", 100, 24, "--pes", 7, "-t", 3, "-c", "1k", "-b", 20, "-s", 9, "-z", 7, "-n", 3)
        self.assertEqual(
            list(o),
            ["flavour", "traffic", "substrate", "pes", "load", "item_bytes", "typed", "random_size", "steady",
             "steady_test", "reject", "alignment", "entropy_bits", "seed", "words", "warmups", "iterations",
             "slot_bytes", "slots_per_pe", "node_size", "hops", "links", "items_per_pe", "seconds", "ns_per_item",
             "mb_per_s_per_pe", "memcpy_ns_per_item", "ratio_to_memcpy", "line_handoff_ns", "verified", "fault",
             "version"])
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

    def test_types(self):
        for bytes in (1, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256):
            for option, can_be_typed in ((), True), (("--untyped",), False), (("--random-size",), False):
                (o,) = results("vector", 10, bytes, "--substrate", "threads", "--pes", 2, *option)
                self.assertEqual(o["typed"], can_be_typed and bytes in (4, 8, 16, 24, 32, 64, 128))

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


class BadInput(unittest.TestCase):
    """Each is one line that names the thing and what would do instead, and status 2."""

    def expect(self, arguments, *parts, **more):
        result = run(*arguments.split(), **more)
        self.assertEqual(result.returncode, 2, (arguments, result.stdout, result.stderr))
        self.assertEqual(result.stdout, "", arguments)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("shoal: "), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_words(self):
        self.expect("", "which flavour?", "vector, matrix, tensor")
        self.expect("vectr 10", "unknown flavour 'vectr'", "did you mean vector?")
        self.expect("vector", "how many items?", "shoal conveyor-bench vector 100000")
        self.expect("vector 8 8 8", "unexpected word '8'")
        self.expect("vector 10 --capcity 3", "no option --capcity", "did you mean --capacity?")
        self.expect("vector 10 -d", "no option -d")
        self.expect("vector 10 -- 8", "no option --")

    def test_numbers(self):
        for load in ("-1", "many", "1e5", "1000000001"):
            self.expect(f"vector {load}", f"load={load} is not a whole number from 0 to 1000000000")
        for bytes in ("0", "-8", "67108865", "x"):
            self.expect(f"vector 10 {bytes}", f"ITEM_BYTES={bytes} is not a whole number from 1 to 67108864")
        for fraction in ("2", "-0.1", "half", "nan"):
            self.expect(f"vector 10 --reject {fraction}", f"--reject={fraction} is not a number from 0 to 1")
        self.expect("vector 10 16 --entropy 129", "--entropy=129 is not a whole number from 0 to 128")
        self.expect("vector 10 --seed -1", "--seed=-1 is not a whole number from 0")
        self.expect("vector 10 --warmup 0", "--warmup=0 is not a whole number from 1")
        self.expect("vector 10 --iterations 0", "--iterations=0 is not a whole number from 1")
        self.expect("vector 10 --words 0", "--words=0 is not a whole number from 1")
        self.expect("vector 10 --capacity 1x", "--capacity=1x is not a size", "64k")
        self.expect("vector 10 --capacity 128m --substrate threads", "--capacity=134217728", "64 bytes to 64M")
        self.expect("vector 10 --buffers 1", "--buffers=1 is not a whole number from 2 to 1048576")
        self.expect("vector 10 --local-group 0", "--local-group=0 is not a whole number from 1")
        self.expect("vector 10 --seed", "--seed")

    def test_jobs(self):
        self.expect("vector 10 --pes 257", "--pes=257 is not", "from 1 to 256", "sim")
        self.expect("vector 10 --substrate mpi", "unknown substrate 'mpi'", "threads or sim")
        nowhere = os.path.join(FOLDER.name, "nowhere")
        self.expect(f"vector 10 --json {nowhere}/x", f"there is no folder {nowhere}")
        self.expect("--json x --", "--json=x before -- would be written by every line", "give --json=-", lines=[])

    def test_under_shoalrun(self):
        for arguments, text in (("vector 10 --pes 3", "--pes=3, but shoalrun started 2 PEs; leave --pes out"),
                                ("vector 10 --substrate sim", "run shoal without shoalrun"),
                                ("--", "starts a job for each line; run it without shoalrun")):
            result = run(*arguments.split(), launcher=(SHOALRUN, "-n", "2"), lines=[])
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(text, result.stderr)

    def test_combinations(self):
        self.expect("vector 10 --histogram --index-gather", "exclude each other")
        self.expect("vector 10 3 --histogram", "--histogram needs items of at least 4 bytes, not 3")
        self.expect("vector 10 4 --index-gather", "--index-gather needs items of at least 8 bytes, not 4")
        for option in ("--steady-test", "--point-to-point", "--entropy 3"):
            self.expect(f"vector 10 --histogram {option}", f"leave {option.split()[0]} out")
            self.expect(f"vector 10 --index-gather {option}", f"leave {option.split()[0]} out")

    def test_what_does_not_fit(self):
        for substrate in ("local", "threads", "sim"):
            on = f"--pes 2 --substrate {substrate}"
            self.expect(f"vector 10 65 -c 64 {on}", "does not fit into a slot of 64 bytes; give --capacity=65")
            self.expect(f"matrix 10 64 -c 64 {on}", "64 bytes, 65 with its tag", "give --capacity=65")
            self.expect(f"tensor 10 -y -b 5 {on}", "tensor twice needs 6 slots", "give --buffers=6")


if __name__ == "__main__":
    unittest.main()
