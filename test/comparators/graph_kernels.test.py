# Graph kernels on OpenMP and GraphBLAS give the answers of Shoal, on made graphs and on one by hand.
# labels: long
# programs: all_comparators shoal_cli
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

BIN = os.environ["SHOAL_BIN"]
FOLDER = os.path.join(BIN, "comparators")
LIBRARIES = [each for each in ("openmp", "graphblas") if os.path.isdir(os.path.join(FOLDER, each))]
if not LIBRARIES:
    print("neither OpenMP nor GraphBLAS")
    sys.exit(77)
SHOAL = {"triangle": ["triangle"], "pagerank": ["pagerank"], "bfs": ["bfs", "--undirected"], "components": ["components"]}
# A triangle with a tail, a pair, a vertex alone; one loop and one edge twice.
SMALL = """%%MatrixMarket matrix coordinate pattern general
% by hand
7 7 8
1 2
2 3
3 1
3 4
3 4
5 6
6 5
4 4
"""
HEAD = "%%MatrixMarket matrix coordinate pattern general\n"
EDGELESS = HEAD + "5 5 0\n"


def run(library, *arguments):
    return subprocess.run([os.path.join(FOLDER, library, "graph_kernels"), *arguments], text=True, capture_output=True,
                          timeout=120)


class GraphKernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.files = {kind: os.path.join(cls.folder.name, kind + ".mtx") for kind in ("rmat", "er")}
        for kind in ("rmat", "er"):
            subprocess.run([os.path.join(FOLDER, "make_graph"), kind, cls.files[kind], "--scale=9", "--factor=8"],
                           check=True)
        for kind, text in (("small", SMALL), ("edgeless", EDGELESS)):
            cls.files[kind] = cls.written(kind + ".mtx", text)

    @classmethod
    def written(cls, name, text):
        file = os.path.join(cls.folder.name, name)
        with open(file, "w") as out:
            out.write(text)
        return file

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def answer(self, library, kernel, kind, n_threads):
        done = run(library, kernel, self.files[kind], f"--threads={n_threads}", "--repeat=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        line = json.loads(done.stdout)
        self.assertEqual((line["kernel"], line["pes"], line["verified"]), (kernel, n_threads, True))
        return line["answer"]

    def shoal(self, kernel, kind):
        done = subprocess.run([os.path.join(BIN, "shoal"), "run", *SHOAL[kernel], "--input", self.files[kind], "--pes", "2",
                               "--variant", "actor", "--repeat", "1", "--json", "-"],
                              text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout.splitlines()[-1])["answer"]
        if kernel == "pagerank":
            found["best"] = found["top"][0]["rank"]
        return found

    def test_answers_are_those_of_shoal(self):
        for kind in self.files:
            for kernel in SHOAL:
                wanted = self.shoal(kernel, kind)
                for library in LIBRARIES:
                    for n_threads in (1, 3):
                        with self.subTest(graph=kind, kernel=kernel, library=library, threads=n_threads):
                            for name, value in self.answer(library, kernel, kind, n_threads).items():
                                self.assertAlmostEqual(value, wanted[name], delta=1e-8 * abs(value))

    def test_a_transposed_matrix_has_the_entries_of_the_matrix(self):
        for kind in self.files:
            answers = [self.answer(library, "transpose", kind, n) for library in LIBRARIES for n in (1, 3)]
            self.assertEqual(answers, answers[:1] * len(answers))
            with open(self.files[kind]) as file:
                entries = {line for line in file if not line.startswith("%")}
            self.assertEqual(answers[0]["entries"], len(entries) - 1)

    def test_by_hand(self):
        for library in LIBRARIES:
            self.assertEqual(self.answer(library, "triangle", "small", 1), {"triangles": 1})
            self.assertEqual(self.answer(library, "bfs", "small", 1), {"reached": 4, "eccentricity": 1})
            self.assertEqual(self.answer(library, "components", "small", 1), {"components": 3})

    def test_mistakes_are_one_line(self):
        small = self.files["small"]
        lines = {
            ("bfs",): "FILE is missing",
            ("walk", small): "walk is no kernel; there are transpose, triangle, pagerank, bfs and components",
            ("bfs", "no-such-file"): "no-such-file: cannot be opened",
            ("bfs", self.folder.name): f"{self.folder.name}: is a folder",
            ("bfs", small, "--threads=0"): "--threads=0 is not a whole number from 1 to 1024",
        }
        files = {
            SMALL.replace("5 6", "5 8"): "has an entry outside the matrix",
            HEAD + "3 3 1\n0 2\n": "has an entry outside the matrix",
            HEAD + "0 0 0\n": "does not have 1 to 4294967295 vertices",
            HEAD + "99999999999 99999999999 0\n": "does not have 1 to 4294967295 vertices",
            HEAD + "3 4 0\n": "is not square",
            HEAD + "3 3 2\n1 2\n": "ends too early, or has something else than numbers",
            HEAD + "3 3 99999999999999\n1 2\n": "ends too early, or has something else than numbers",
            HEAD + "3 3 -1\n": "ends too early, or has something else than numbers",
            HEAD + "3 3 1\n1 x\n": "ends too early, or has something else than numbers",
            HEAD + "3 3 1\n1 2\n2 3\n": "has more than its entries",
            HEAD + "% without an end of its line": "ends too early, or has something else than numbers",
            "3 3 1\n1 2\n": "is no MatrixMarket file of a general pattern in coordinate form",
            "": "is no MatrixMarket file of a general pattern in coordinate form",
        }
        if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE") < 100e9:  # it needs 103
            files[HEAD + "4294967295 4294967295 1\n1 2\n"] = "needs more memory than this machine has"
        for number, (text, line) in enumerate(files.items()):
            bad = self.written(f"bad{number}.mtx", text)
            lines["bfs", bad] = f"{bad}: {line}"
        for library in LIBRARIES:
            for arguments, line in lines.items():
                done = run(library, *arguments)
                self.assertEqual((done.returncode, done.stderr.count("\n"), done.stdout), (2, 1, ""), arguments)
                self.assertTrue(done.stderr.startswith(line), done.stderr)

    def make(self, *arguments, **more):
        return subprocess.run([os.path.join(FOLDER, "make_graph"), *arguments], text=True, capture_output=True, timeout=120,
                              **more)

    def test_all_pairs_are_edges_if_each_vertex_has_more_than_there_are(self):
        file = os.path.join(self.folder.name, "full.mtx")
        for scale, factor in ((3, 8), (3, 16), (4, 16), (2, 1000)):
            self.assertEqual(self.make("er", file, f"--scale={scale}", f"--factor={factor}").returncode, 0)
            with open(file) as text:
                lines = text.read().splitlines()
            n = 2**scale
            self.assertEqual(lines[1], f"{n} {n} {n * n}")
            self.assertEqual(len(set(lines[2:])), n * n)

    def test_a_graph_that_cannot_be_made_is_one_line(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 28, 1 << 28))

        file = os.path.join(self.folder.name, "large.mtx")
        for done, line in (
            (self.make("rmat", "/dev/full", "--scale=10"), "/dev/full cannot be written (No space left on device)\n"),
            (self.make("rmat", "/dev/full", "--scale=1", "--factor=1"),
             "/dev/full cannot be written (No space left on device)\n"),
            (self.make("rmat", "/no-such-folder/x"), "/no-such-folder/x cannot be written (No such file or directory)\n"),
            (self.make("rmat", file, "--scale=26", preexec_fn=limit), "there is too little memory; give smaller sizes\n"),
        ):
            self.assertEqual((done.returncode, done.stderr, done.stdout), (2, line, ""))

    def test_the_comparisons_refuse_in_one_line(self):
        for program, arguments, line in (
            ("graph_libraries", ["/no-such-folder"], "/no-such-folder has no folder comparators"),
            ("graph_libraries", ["--scale=40", BIN], "--scale is not from 1 to 26"),
            ("graph_libraries", ["--rounds=0", BIN], "--rounds is less than 1"),
            ("comparators", ["/no-such-folder"], "/no-such-folder has no folder comparators"),
            ("comparators", ["--rounds=0", BIN], "--rounds is less than 1"),
        ):
            file = os.path.join(os.environ["SHOAL_SOURCE"], "benchmarks", program + ".py")
            done = subprocess.run([sys.executable, file, *arguments], text=True, capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
            self.assertTrue(done.stderr.startswith(f"{program}.py: {line}"), done.stderr)


if __name__ == "__main__":
    unittest.main()
