"""Each wire of each module keeps its contract, and what open_wire refuses it explains in one line."""
# timeout: 600
# processors: 2

import os
import sys
import tempfile
import unittest

import launchers

PROGRAM = os.path.join(launchers.BIN, "network.wire")

# A wire, its library, the number of ranks. MPICH spins when it waits, so more ranks than cores take long.
WIRES = [
    ("mpi", "openmpi", (1, 2, 3, 5)),
    ("mpi", "mpich", (1, 2, 3)),
    ("mpi-rma", "openmpi", (2, 5)),
    ("mpi-rma", "mpich", (1, 3)),
    ("shmem", "shmem", (1, 3)),
]
N_SEEDS = 2 * int(os.environ.get("SHOAL_TEST_SEEDS", "1"))
SEEDS = range(10, 10 + N_SEEDS)  # 10 also tests claims, which take more than a second


class Contract(unittest.TestCase):
    """Filled below: one test for each wire."""


def contract_test(substrate, library, ranks):
    def test(self):
        if reason := launchers.missing(library):
            self.skipTest(reason)
        for n_ranks in ranks:
            for seed in SEEDS:
                result = launchers.run(library, n_ranks, PROGRAM, substrate, library, seed)
                said = f"{library}, {n_ranks} ranks, seed {seed}: status {result.returncode}\n" + result.stderr
                self.assertEqual(result.returncode, 0, said)
                self.assertRegex(result.stdout, rf"^ok: {substrate} on .*\d\)?, {n_ranks} ranks\n$", said)
                self.assertEqual(result.stderr, "", said)
    return test


class LongData(unittest.TestCase):
    # On one machine a long message is usually copied at once by its receiver; then no put can overtake it.
    def test_that_travel_in_pieces_keep_to_fences(self):
        if reason := launchers.missing("openmpi"):
            self.skipTest(reason)
        in_pieces = {"OMPI_MCA_pml": "ob1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
        for seed in SEEDS:
            result = launchers.run("openmpi", 2, PROGRAM, "mpi", "openmpi", seed, environment=in_pieces)
            self.assertEqual(result.returncode, 0, f"seed {seed}: {result.stderr}")


for wire in WIRES:
    setattr(Contract, "test_{}_of_{}".format(*wire[:2]).replace("-", "_"), contract_test(*wire))


class Refusals(unittest.TestCase):
    def assert_refused(self, library, pattern, *arguments, substrate="mpi", n_ranks=1):
        result = launchers.run(library, n_ranks, PROGRAM, substrate, library, 1, *arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        lines = [line for line in result.stderr.splitlines() if line.startswith("shoal: ")]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertRegex(lines[0], pattern)

    def setUp(self):
        usable = [library for library in ("mpich", "openmpi") if not launchers.missing(library)]
        if not usable:
            self.skipTest("no MPI module was built")
        self.library = usable[0]

    def test_missing_module_says_where_it_was_sought_and_what_to_install(self):
        for folder in ("/no/such/folder", tempfile.gettempdir()):
            self.assert_refused(self.library, rf"no module .*\(shoal-{self.library}\.so is not in {folder}\); "
                                r"build Shoal where lib\S+-dev \S+ are installed .* SHOAL_MODULES", folder)

    def test_a_file_that_is_no_shared_object_says_what_the_system_says(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, f"shoal-{self.library}.so"), "w") as file:
                file.write("nothing")
            self.assert_refused(self.library, rf"cannot open the module for .*{folder}/shoal.*: .*; install", folder)

    def test_another_version_is_refused(self):
        self.assert_refused(self.library, r"the module is of Shoal \d\S+, the program of 0\.0\.0; install both",
                            launchers.MODULES, "0.0.0")

    def test_a_wire_that_the_module_does_not_carry_is_refused(self):
        self.assert_refused(self.library, r"carries mpi and mpi-rma, not 'shmem'", substrate="shmem")


if all(launchers.missing(library) for _, library, _ in WIRES):
    print("skipped:", "; ".join(sorted({launchers.missing(library) for _, library, _ in WIRES})))
    sys.exit(77)
unittest.main()
