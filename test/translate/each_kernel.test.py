#!/usr/bin/env python3
# Goal: each kernel's lambda, translated alone, compiles without warnings and gives the right answer on processes, from one
# to seven PEs, and on simulated PEs with other seeds.
# programs: all_tools shoal
# labels: long
# timeout: 3000
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from programs import BIN, is_right, kernel_program, KERNELS, NATIVE, simulate, SOURCE, translate


class EachKernel(unittest.TestCase):
    def test_each(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        lambdas = [folder / f"{kernel}.cpp" for kernel in KERNELS]
        for kernel, made in zip(KERNELS, lambdas):
            job = translate(SOURCE / "kernels" / kernel / "lambda.cpp", "-o", made, "--", *NATIVE)
            self.assertEqual((job.returncode, job.stderr), (0, ""))
            self.assertNotIn("lambda_actor", made.read_text().replace('"lambda_actor"', ""))
        program = folder / "kernels"
        job = kernel_program(lambdas, program)
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        words = [word for kernel in KERNELS for word in (kernel, *KERNELS[kernel])]
        for n_pes in 1, 2, 3, 4, 7:
            job = subprocess.run([BIN / "shoalrun", "-n", str(n_pes), program, "lambda", *words], text=True, capture_output=True,
                                 timeout=600)
            self.assertTrue(is_right(job, KERNELS), f"{n_pes} PEs: {job.stdout}{job.stderr}")
            for seed in range(1, 6):
                job = simulate(program, n_pes, "lambda", *words, SHOAL_SEED=str(seed))
                self.assertTrue(is_right(job, KERNELS), f"{n_pes} PEs, seed {seed}: {job.stdout}{job.stderr}")


if __name__ == "__main__":
    unittest.main()
