"""Runs `shoal conveyor-bench` with every bad option: each error comes with a remedy."""

import os
import unittest

from runs import BULK, FOLDER, SHOALRUN, run


class BadInput(unittest.TestCase):
    """Each error is one line that names the problem and a valid alternative, and status 2."""

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
        self.expect("vector 10 -k", "no option -k")
        self.expect("vector 10 -- 8", "no option --")

    def test_what_has_no_meaning_here(self):
        for option, reason in (("-a 5", "nothing in it to tune"), ("-a5", "nothing in it to tune"),
                               ("-u", "never through a library's all-to-all"), ("-x", "they take no hint"),
                               ("-A", "take no allocator"), ("-B", "give --substrate"),
                               ("-L", "one format of buffers")):
            self.expect(f"vector 10 {option}", f"no option {option[:2]}: ", reason)
            self.expect(f"{option} simple 10", f"no option {option[:2]}: ", reason)

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
        for status in ("-1", "256", "x"):
            self.expect(f"vector 10 --misfit-status {status}", f"--misfit-status={status} is not a whole number from 0")
        self.expect("vector 10 --seed", "--seed")

    def test_jobs(self):
        self.expect("vector 10 --pes 257", "--pes=257 is not", "from 1 to 256", "sim")
        self.expect("vector 10 --substrate tcp", "unknown substrate 'tcp'", "threads, sim")
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
        self.expect("vector 10 --quiet --verbose", "--quiet and --verbose exclude each other")
        self.expect("vector 10 3 --histogram", "--histogram needs items of at least 4 bytes, not 3")
        self.expect("vector 10 4 --index-gather", "--index-gather needs items of at least 8 bytes, not 4")
        for option in ("--steady-test", "--point-to-point", "--entropy 3"):
            self.expect(f"vector 10 --histogram {option}", f"leave {option.split()[0]} out")
            self.expect(f"vector 10 --index-gather {option}", f"leave {option.split()[0]} out")

    def test_kinds(self):
        for flavour in (*BULK, "exstack2", "biconveyor"):
            if flavour != "biconveyor":
                self.expect(f"{flavour} 10 --elastic", f"{flavour} conveyors have no elastic form",
                            "choose vector, matrix, tensor, biconveyor")
            self.expect(f"{flavour} 10 13", f"items of {flavour} have a type; give 4, 8, 16, 28, 32, 64 or 128 "
                                            "bytes, not 13")
            for option in ("--untyped", "--random-size"):
                self.expect(f"{flavour} 10 {option}", f"items of {flavour} have a type; leave {option} out")
        for option in ("--untyped", "--random-size"):
            self.expect(f"-e vector 10 {option}", f"random sizes in every run; leave {option} out")
        for option in ("--index-gather", "--histogram"):
            self.expect(f"biconveyor 10 {option}", f"every item of biconveyor is a query; leave {option} out")
        self.expect("biconveyor 10 -r 0.5", "a biconveyor cannot put replies back; leave --reject out")
        for flavour in BULK:
            self.expect(f"{flavour} 10 64 -c 63", "--capacity=63 is out of range for items of 64 bytes", "64 to 1G")
            self.expect(f"{flavour} 10 -c 2G", "--capacity=2G is out of range")
            self.expect(f"{flavour} 10 -c x", "--capacity=x is not a size")
        self.expect("simpel 10", "did you mean simple?")

    def test_codecs(self):
        self.expect("vector 10 --codec squeez", "--codec: unknown codec 'squeez'", "did you mean squeeze?")
        self.expect("vector 10 --codec :3", "unknown codec ''")
        for rate in ("", "x", "-1", "1e7", "nan"):
            self.expect(f"vector 10 --codec delta:{rate}", f"--codec=delta:{rate}: '{rate}' is not a number of ns",
                        "--codec=delta:0.1")

    def test_what_does_not_fit(self):
        for substrate in ("local", "threads", "sim"):
            on = f"--pes 2 --substrate {substrate}"
            self.expect(f"vector 10 65 -c 64 {on}", "does not fit into a slot of 64 bytes; give --capacity=65")
            self.expect(f"matrix 10 64 -c 64 {on}", "64 bytes, 65 with its tag", "give --capacity=65")
            self.expect(f"tensor 10 -y -b 5 {on}", "tensor twice needs 6 slots", "give --buffers=6")
            self.expect(f"-e vector 10 64 -c 64 {on}", "does not fit into a slot of 64 bytes; give --capacity=77")
            self.expect(f"biconveyor 10 64 -c 64 {on}", "does not fit into a slot of 64 bytes; give --capacity=72")
            self.expect(f"biconveyor 10 -y -b 2 {on}", "with two more conveyors needs 3 slots", "give --buffers=3")
            self.expect(f"simple 10 128 -c 128 {on}", "slot of 64 bytes; set SHOAL_SLOT_BYTES=128",
                        environment={"SHOAL_SLOT_BYTES": "64"})


if __name__ == "__main__":
    unittest.main()
