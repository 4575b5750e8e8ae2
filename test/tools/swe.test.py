#!/usr/bin/env python3
# Goal: `shoal swe` runs every form, with the same digest for all forms, patch sizes, PEs and substrates, reports as a table and as
# JSON, and refuses what it cannot do in one line.
# programs: shoal_cli shoalrun
# processors: 2
import json
import os
import subprocess
import unittest

SHOAL = os.path.join(os.environ["SHOAL_BIN"], "shoal")
SMALL = ["-x", "40", "-y", "30", "-e", "2"]


def run(*words, **variables):
    return subprocess.run([SHOAL, "swe", *words], text=True, capture_output=True, timeout=200,
                          env=dict(os.environ, **variables))


def reports(*words, **variables):
    """The JSON lines of a run that must succeed."""
    job = run(*SMALL, *words, "--json", "-", **variables)
    assert job.returncode == 0, job  # the table goes to stderr
    return [json.loads(line) for line in job.stdout.splitlines()]


class Swe(unittest.TestCase):
    def test_all_forms_have_one_digest(self):
        digests = set()
        for pes, patch in ("1", "64"), ("2", "7"), ("3", "10"):
            found = reports("--pes", pes, "-p", patch, "--form", "actors,bsp,rpc")
            self.assertEqual([each["form"] for each in found], ["actors", "bsp", "rpc"])
            digests |= {each["digest"] for each in found}
            self.assertEqual({each["n_pes"] for each in found}, {int(pes)})
        digests |= {each["digest"] for each in reports("--substrate", "sim", "--pes", "5", "-p", "4", "--lazy")}
        digests |= {each["digest"] for each in reports("--substrate", "threads", "--pes", "2", "-p", "9", SHOAL_WORKERS="2")}
        self.assertEqual(len(digests), 1)

    def test_steps_follow_the_waves(self):
        for steps in "exact", "behind":
            digests = {each["digest"] for patch in ("40", "8")
                       for each in reports("--pes", "2", "-p", patch, "--steps", steps, "--form", "actors,bsp")}
            self.assertEqual(len(digests), 1, steps)

    def test_water_at_rest_stays_at_rest(self):
        for solver in "hlle", "f_wave", "augmented":
            for real, most in ("double", 1e-13), ("float", 1e-5):
                [found] = reports("--scenario", "lake_at_rest", "--solver", solver, "--real", real, "--pes", "2", "-p", "8")
                self.assertLess(found["error"], most)

    def test_table(self):
        job = run(*SMALL, "--pes", "2", "--form", "actors,bsp", "--repeat", "2")
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        self.assertRegex(job.stdout, r"^pool_drop, 40 x 30 cells, 1 patch, hlle, double, 2 PEs, \d+ steps of \S+ s\n"
                                     r"  form +seconds +cell updates/s +Gflop/s\n  actors .*\n  bsp .*\n"
                                     r"  patch updates: (\d+) of \1; water: .* m3 at the start, .* at the end\n"
                                     r"  digest of the state: [0-9a-f]{16}\n$")

    def test_refusals(self):
        for words, text in ((["--scenario", "tsunami"], r"--scenario=tsunami is unknown"),
                            (["--form", "actor"], r"--form=actor is unknown; did you mean actors\?"),
                            (["-p", "0"], r"--patch-size"), (["-x", "-4"], r"--grid-size-x"), (["-e", "0"], r"--end-simulation"),
                            (["-x", "100000", "-y", "100000", "-p", "1"], r"cuts the grid into 10000000000 patches"),
                            (["--steps", "late"], r"--steps=late is unknown"),
                            (["--solver", "roe"], r"--solver=roe is unknown"),
                            (["--form", "rpc", "--steps", "exact"], r"form rpc has fixed steps only"),
                            (["--pes", "0"], r"--pes"), (["-q"], r"-q")):
            job = run(*words)
            self.assertEqual(job.returncode, 2, words)
            self.assertEqual(len(job.stderr.splitlines()), 1, job.stderr)
            self.assertRegex(job.stderr, text)
            self.assertEqual(job.stdout, "")


if __name__ == "__main__":
    unittest.main()
