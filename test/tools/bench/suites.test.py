"""Gives `shoal bench` every mistake: each is one line that names the file, the key and what is allowed, and status 2."""
# programs: shoalrun
import unittest

from stand_in import BENCH, place

from shoal_bench.suite import numbers_of_pes, own_suites, reader
from shoal_bench.words import printable, usage_error

KERNELS = {"stir": {"kernel": "stir", "variants": ["actor", "conveyor"], "has_loop": True, "options": {"spoons": 3}},
           "shake": {"kernel": "shake", "variants": ["actor"], "has_loop": False, "options": {}}}


class Mistakes(unittest.TestCase):
    def expect(self, result, *parts):
        self.assertEqual(result.returncode, 2, (result.stdout, result.stderr))
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("shoal: "), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_in_suites(self):
        kernel = '[[kernel]]\nname = "stir"\n'
        for text, *parts in (
                ("title = \n", "is not TOML", "line 1"),
                ("", "has no kernel; add a table [[kernel]]"),
                ("processs = 3\n" + kernel, "has no key processs", "did you mean processes?"),
                ("processes = 0\n" + kernel, "processes = 0 is not a whole number from 1 to 1000"),
                ("processes = true\n" + kernel, "processes = true is not a whole number"),
                ("minutes = -1\n" + kernel, "minutes = -1 is not a number above 0"),
                ('pes = "all"\n' + kernel, 'pes = "all" is not a list of numbers of PEs, or "doubling"'),
                ("pes = [2, 0]\n" + kernel, "pes = [2, 0] is not a list of numbers of PEs"),
                ("pes = []\n" + kernel, "pes = [] is not a list of numbers of PEs"),
                ('reference = "agp"\n' + kernel, "reference = agp: no kernel runs this variant"),
                ("[[kernel]]\noptions = {}", "kernel 1 needs name"),
                (kernel + "[[kernel]]\nname = 'stri'", "kernel 2 (stri) is not a kernel of this shoal", "did you mean stir?"),
                (kernel + "variants = ['actr']", "kernel 1 (stir) has no variant actr", "did you mean actor?"),
                (kernel + "variants = []", "variants = [] is not a list of texts"),
                (kernel + "baseline = 1", "baseline = 1 is not true or false"),
                ("[[kernel]]\nname = 'shake'\nbaseline = true", "kernel 1 (shake) has no plain loop"),
                (kernel + "options = { spons = 3 }", "kernel 1 (stir) has no option spons", "did you mean spoons?"),
                (kernel + "options = { spoons = [3] }", "option spoons = [3] is neither a text nor a number"),
                (kernel + "divided_by_pes = { spoons = 'x' }", 'divided_by_pes = {"spoons": "x"} is not a table of numbers'),
                (kernel + "pes = [1.5]", "pes = [1.5] is not a list"),
                (kernel + kernel, "has two kernels with title stir"),
                ("[[kernel]]\nname = 'fly'\noptional = true", "has no kernel that this shoal has"),
                (kernel + '[[kernel]]\nname = "a\\u001b[31m"', "(a\\x1b[31m) is not a kernel")):
            with self.subTest(text), self.assertRaises(usage_error) as caught:
                reader("own.toml", KERNELS, 2).suite(text)
            told = str(caught.exception)
            self.assertTrue(told.startswith("suite own.toml: "), told)
            self.assertEqual(told, printable(told))
            for part in parts:
                self.assertIn(part, told)

    def test_on_the_command_line(self):
        here = place("processs = 3")
        self.expect(here.run_suite(), f"suite {here.suite}: has no key processs; did you mean processes?")
        self.assertFalse(here.out.exists())
        here = place()
        self.expect(here.bench("quik"), "there is no suite quik; did you mean quick? known: paper, quick")
        self.expect(here.bench("no.toml"), "suite no.toml cannot be read (No such file or directory)")
        self.expect(here.run_suite("--pes", "0"), "--pes=0 is not a whole number from 1")
        self.expect(here.run_suite("--pes", "1,x"), "--pes=x is not a whole number from 1")
        self.expect(here.run_suite("--processes", "1e3"), "--processes=1e3 is not a whole number from 1 to 1000")
        self.expect(here.run_suite("--minutes", "nan"), "--minutes=nan is not a number above 0")
        self.expect(here.run_suite("--kernel", "stri"), "has no kernel stri; did you mean stir?")
        self.expect(here.run_suite("--backend", "udp"), "unknown substrate 'udp'; known: local, mpi")
        self.expect(here.run_suite("--proceses", "3"), "unrecognized arguments: --proceses", "see shoal bench --help")
        self.expect(here.bench("--resume", "x", "--pes", "2"), "takes the suite and its options from the folder; leave out --pes")
        self.expect(here.bench("--resume", "x", "quick"), "takes the suite and its options from the folder; leave out quick")
        self.expect(here.bench("--resume", here.folder / "no"), "cannot be read (No such file or directory)")
        self.expect(here.bench(here.suite, "--out", here.folder), "is not empty and has no results of shoal bench")
        self.expect(here.bench(here.suite, "--out", here.suite), f"--out={here.suite} is no folder; give another name")
        self.expect(here.bench("show"), "bench show needs a suite; give ", " or a file")
        self.expect(here.bench("nowhere.toml"), "suite nowhere.toml cannot be read (No such file or directory); give ",
                    ", ".join(own_suites()) + " or a file")
        self.expect(here.bench(here.suite, "--out", "/proc/x"), "bench: /proc/x: No such file or directory\n")
        self.expect(here.bench("compare", here.folder / "x"), "compare needs two results")
        self.expect(here.bench("compare", here.suite, here.suite), "own.toml is not JSON")
        (here.folder / "other.json").write_text("{}")
        self.expect(here.bench("report", here.folder / "other.json"), "is not of format 'shoal bench 1'")
        self.assertEqual(here.calls(), [])
        self.assertEqual(here.bench("show", here.suite).stdout, here.suite.read_text())

    def test_what_run_refuses_ends_the_suite(self):
        here = place(prints="shoal: --spoons=4 asks for 9 MiB; lower it", status=2)
        result = here.run_suite()
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"(?m)^shoal: run (stir --spoons=4|shake) --pes \d ")
        self.assertIn(": --spoons=4 asks for 9 MiB; lower it", result.stderr)
        self.assertEqual(len(here.calls()), 1)

    def test_an_old_python_is_told_in_one_line(self):
        program = (BENCH / "__main__.py").read_text()
        compile(program, "__main__.py", "exec")
        self.assertLess(program.index("sys.version_info <"), program.index("import_module"))


class Meaning(unittest.TestCase):
    def test_numbers_of_pes(self):
        for n_cores, wanted in {1: [1], 2: [1, 2], 3: [1, 2, 3], 4: [1, 2, 4], 6: [1, 2, 4, 6], 8: [1, 2, 4, 8]}.items():
            self.assertEqual(numbers_of_pes("doubling", n_cores), wanted)
        self.assertEqual(numbers_of_pes([5, 3], 2), [5, 3])

    def test_words_of_jobs(self):
        here = place('repeat = 4\nprocesses = 1\n[[kernel]]\nname = "stir"\nvariants = ["actor"]\nbaseline = false\n'
                     "divided_by_pes = { spoons = 3 }\n[[kernel]]\nname = 'fly'\noptional = true")
        result = here.run_suite("--pes", "2", "--backend", "mpi", "--mpi", "mpich")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(here.calls(), [["run", "stir", "--spoons=1.5", "--pes", "2", "--variant", "actor", "--repeat", "4",
                                         "--substrate", "mpi", "--mpi", "mpich", "--json", "-"]])
        self.assertEqual(here.results()["suite"]["left_out"], ["kernel fly: this shoal does not have it"])
        self.assertIn("Left out: kernel fly", (here.out / "report.html").read_text())


if __name__ == "__main__":
    unittest.main()
