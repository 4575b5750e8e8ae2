# The programs of other systems verify their answers on 1 to 4 PEs, and refuse wrong options.
# labels: long
# programs: all_comparators
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SHOAL_SOURCE"], "test", "support"))
import backends  # noqa: E402

FOLDER = os.path.join(os.environ["SHOAL_BIN"], "comparators")
# Of each library, the backend of the tests whose launcher starts its programs.
BACKENDS = {"shmem": "shmem", "openmpi": "mpi-openmpi", "mpich": "mpi-mpich"}
SMALL = {"histogram": ["--updates", "3000", "--table=70"], "index_gather": ["--reads", "3000", "--table=70"],
         "randperm": ["--entries=300"], "transpose": ["--rows=100"], "permute": ["--rows=100"],
         "toposort": ["--rows=60"], "triangle": ["--rows=100", "--degree=20"]}


# Otherwise each program runs on one number of PEs, another one than the program before it.
ALL_NUMBERS = "SHOAL_TEST_INPUTS" in os.environ


def programs():
    found = []
    for library in sorted(BACKENDS):
        folder = os.path.join(FOLDER, library)
        if os.path.isdir(folder):
            found += [(library, name) for name in sorted(os.listdir(folder))]
    return found


def kernel_of(name):
    return next(kernel for kernel in SMALL if name.endswith(kernel))


def run(library, name, n_pes, arguments):
    command, environment = backends.command_on(BACKENDS[library], n_pes)
    return subprocess.run([*command, os.path.join(FOLDER, library, name), *arguments], env=environment, text=True,
                          capture_output=True, timeout=120)


class Programs(unittest.TestCase):
    def test_answers_are_verified(self):
        number = 0
        for library, name in programs():
            kernel = kernel_of(name)
            forms = [[]]
            if library == "shmem" and kernel in ("histogram", "index_gather"):
                forms.append(["--nonblocking=1"])
            if kernel in ("histogram", "index_gather"):
                forms.append(["--table=3"])
            if kernel in ("transpose", "permute", "toposort", "triangle"):
                forms.append(["--rows=3", "--degree=50"])  # all entries
            if "all_to_all" in name:
                forms.append(["--at-once=7"])
            for form in forms:
                for n_pes in (1, 2, 3, 4) if ALL_NUMBERS else (1 + number % 4,):
                    with self.subTest(program=f"{library}/{name}", form=form, pes=n_pes):
                        result = run(library, name, n_pes, ["--repeat=2", "--seed=5", *SMALL[kernel], *form])
                        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                        line = json.loads(result.stdout)
                        self.assertEqual((line["kernel"], line["pes"], line["verified"]), (kernel, n_pes, True))
                        self.assertEqual(len(line["seconds"]), 2)
                        self.assertGreater(line["operations"], 0)
                number += 1

    def test_wrong_options_are_refused(self):
        lines = {"--no-such=1": "--no-such=1 is no option; there are", "--repeat=x": "--repeat=x is not a whole number",
                 "--repeat=0": "--repeat=0 is not a whole number from 1 to 1000", "--seed": "--seed has no value"}
        for library, name in {library: name for library, name in programs()}.items():
            for option, line in lines.items():
                # Without a launcher: it is refused before the library starts.
                result = subprocess.run([os.path.join(FOLDER, library, name), option], text=True, capture_output=True,
                                        timeout=60)
                self.assertEqual(result.returncode, 2, name)
                self.assertTrue(result.stderr.startswith(line), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)


if __name__ == "__main__":
    unittest.main()
