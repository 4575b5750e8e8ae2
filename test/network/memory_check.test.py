#!/usr/bin/env python3
# Goal: what a matrix and a kernel on it take is compared with the machine's memory before anything is allocated, for all
# PEs of the machine together, whichever of them share memory.
# timeout: 200
# programs: shoalrun shoal_cli
# processors: 0
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

SHOAL = os.path.join(os.environ["SHOAL_BIN"], "shoal")
CASES = [("local", 1, None), ("local", 3, None), ("sim", 1, None), ("sim", 3, None), ("threads", 3, None),
         ("mpi-openmpi", 3, 1), ("mpi-rma-openmpi", 3, 1), ("mpi-rma-mpich", 3, 2), ("shmem", 1, None), ("shmem", 3, 1)]


def memory_of_machine():
    info = subprocess.run([SHOAL, "info", "--json"], capture_output=True, text=True, timeout=60)
    return json.loads(info.stdout)["memory_bytes"]


def gib(n_bytes):
    return f"{n_bytes / 2**30:.3g} GiB"


def words_of(backend, n_pes, node_size):
    if backend == "threads":
        return [], {**os.environ, "SHOAL_SUBSTRATE": "threads", "SHOAL_PES": str(n_pes)}
    return backends.command_on(backend, n_pes, node_size)


class MemoryCheck(unittest.TestCase):
    def refusals(self, kernel, n, expected, cover=CASES):
        with tempfile.TemporaryDirectory(prefix="shoal-memory-") as folder:
            path = os.path.join(folder, "large.mtx")
            with open(path, "w") as file:
                file.write(f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} 1\n1 1\n")
            for backend, n_pes, node_size in cover:
                if why := backends.why_not(backend):
                    print(f"skipped {backend}: {why}")
                    continue
                with self.subTest(kernel=kernel, backend=backend, n_pes=n_pes, node_size=node_size):
                    launcher, environment = words_of(backend, n_pes, node_size)
                    job = subprocess.run([*launcher, SHOAL, "run", kernel, "--input", path], text=True,
                                         capture_output=True, timeout=60, env=environment)
                    said = [line for line in job.stderr.splitlines() if line.startswith("shoal: ")]
                    self.assertEqual((job.returncode, len(said)), (2, 1), job.stderr)
                    self.assertRegex(said[0], "^shoal: (PE \\d: )?" + re.escape(expected.replace("PATH", path)) + r"( \(sim: .*\))?$")

    def test_of_the_reader(self):
        n = memory // 6
        self.refusals("triangle", n, f"PATH:2: a matrix with {n} rows, {n} columns and 1 entries takes about {gib(8 * n + 9)} "
                      f"on a machine that has {gib(memory)} of memory; correct the size line, or use more machines")

    # The reader alone would have enough.
    def test_of_kernels(self):
        for kernel, per_vertex, cover in (("pagerank", 72, CASES), ("triangle", 32, CASES[:4])):
            n = memory // (per_vertex - 8)
            self.refusals(kernel, n, f"{kernel} on a graph of {n} vertices and 1 edges takes about {gib(per_vertex * n)} on a "
                          f"machine that has {gib(memory)} of memory; choose a smaller graph, or use more machines", cover)


memory = memory_of_machine()
if memory // 6 > 2**32 - 1:
    print("this machine has room for any graph")
    sys.exit(77)
unittest.main(verbosity=2)
