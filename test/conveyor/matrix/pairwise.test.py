"""Conveyors over a pairwise cover of their options; checks that it is a cover, and that a failing case is
reported."""
# labels: optimized

import itertools
import os
import stat
import tempfile
import unittest

import cases
import runs
from cover import Space

SHOAL = os.path.join(os.environ["SHOAL_BIN"], "shoal")


class Cover(unittest.TestCase):
    SMALL = Space({"size": [1, 2, 3], "color": ["red", "blue"], "shape": ["round", "flat", "long"]},
                  [(("size", "color"), lambda size, color: size < 3 or color == "red"),
                   (("color", "shape"), lambda color, shape: color == "blue" or shape != "long")])

    def test_pairs_that_no_legal_case_holds_are_left_out(self):
        pairs = self.SMALL.legal_pairs()
        self.assertIn((("size", 2), ("shape", "long")), pairs)
        self.assertNotIn((("size", 3), ("color", "blue")), pairs)
        # No rule involves these two, but long things are blue and things of size 3 are not.
        self.assertNotIn((("size", 3), ("shape", "long")), pairs)
        self.assertEqual(len(pairs), 5 + 8 + 5)

    def test_cases_are_legal_and_hold_every_legal_pair(self):
        for space in (self.SMALL, cases.SPACE):
            covered = set()
            for case in space.pairwise_cases():
                self.assertEqual(list(case), list(space.dimensions))
                self.assertTrue(all(holds(*(case[n] for n in names))
                                    for rules in space.rules_of.values() for names, holds in rules), case)
                covered |= set(itertools.combinations(case.items(), 2))
            self.assertEqual(covered, set(space.legal_pairs()))

    def test_it_is_small_and_always_the_same(self):
        chosen = cases.SPACE.pairwise_cases()
        self.assertEqual(chosen, cases.SPACE.pairwise_cases())
        least = len(cases.DIMENSIONS["kind"]) * len(cases.DIMENSIONS["pes"])
        self.assertLess(len(chosen), 1.5 * least)

    def test_a_product_has_every_legal_combination_once(self):
        whole = list(self.SMALL.product(["size", "color", "shape"]))
        self.assertEqual(len(whole), 2 * 5 + 2)
        part = list(self.SMALL.product(["size", "color"], {"shape": "flat"}))
        self.assertEqual([(c["size"], c["color"], c["shape"]) for c in part],
                         [(s, c, "flat") for s, c in ((1, "red"), (1, "blue"), (2, "red"), (2, "blue"), (3, "red"))])


class Runs(unittest.TestCase):
    """With a program instead of Shoal's that misbehaves in one line."""

    def failures(self, body, lines=("a", "b", "c")):
        with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as program:
            program.write(f"#!/bin/bash\nstatus=0\nwhile read -r line; do echo \"> $line\"; {body}\necho; done\n"
                          "exit $status\n")
        os.chmod(program.name, stat.S_IRWXU)
        self.addCleanup(os.remove, program.name)
        found, n_done = runs.run_all(program.name, [("X=1", list(lines))], 1)
        self.assertEqual(n_done, len(lines))
        return [(f.command, f.text) for f in found]

    def test_no_failure(self):
        self.assertEqual(self.failures(":"), [])

    def test_a_wrong_line_is_told_with_its_command(self):
        self.assertEqual(self.failures('if [ $line = b ]; then echo item $X; status=1; fi'),
                         [("X=1 shoal conveyor-bench b", "item 1")])

    def test_a_process_that_ends_early_is_followed_by_another(self):
        found = self.failures('if [ $line = b ]; then echo lost; exit 3; fi')
        self.assertEqual(found, [("X=1 shoal conveyor-bench b", "lost\n(ended with status 3)")])

    def test_a_killed_process(self):
        found = self.failures('if [ $line = c ]; then kill -9 $$; fi')
        self.assertEqual(found, [("X=1 shoal conveyor-bench c", "(ended with status -9)")])

    def test_a_hanging_line(self):
        seconds, runs.SECONDS_OF_CASE = runs.SECONDS_OF_CASE, 1
        self.addCleanup(setattr, runs, "SECONDS_OF_CASE", seconds)
        found = self.failures('if [ $line = a ]; then exec sleep 50; fi')
        self.assertEqual(found, [("X=1 shoal conveyor-bench a", "(hangs: nothing for 1 s)")])

    def test_a_bad_status_without_a_word_is_a_failure_of_its_last_line(self):
        self.assertEqual(self.failures("status=1"),
                         [("X=1 shoal conveyor-bench c", "(status 1, but no line says why)")])


class Pairwise(unittest.TestCase):
    def test_conveyors(self):
        chosen = cases.pairwise_cases()
        batches = list(runs.batches_of(chosen, cases.environment_of, cases.options_of))
        failures, n_done = runs.run_all(SHOAL, batches, n_workers=2)
        self.assertGreater(n_done, len(cases.SPACE.pairwise_cases()))
        told = "\n\n".join(f"{f.command}\n{f.text}" for f in failures)
        self.assertFalse(failures, f"{len(failures)} of {n_done} cases\n\n{told}")


if __name__ == "__main__":
    unittest.main()
