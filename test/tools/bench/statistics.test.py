"""Tests the statistics of `shoal bench` against numbers computed by hand, and on made-up times whose truth is known."""
# programs: shoalrun
import math
import random
import unittest

from stand_in import BENCH  # noqa: F401  the folder of what is tested

from shoal_bench.comparison import compare, worst
from shoal_bench.statistic import adjusted, interval_of_median, interval_of_ratio, quantile, rank_test
from shoal_bench.summary import summarise


def noisy(random_numbers, n, seconds=1.0, noise=0.03):
    """Times as machines give them: skewed, one in ten much longer."""
    return [seconds * math.exp(abs(random_numbers.gauss(0, noise))) * (1.5 if random_numbers.random() < 0.1 else 1)
            for _ in range(n)]


def results_of(seconds_of_kernels, state="near", **more):
    """Results with one configuration, of one variant, for each list of seconds."""
    return {
        "suite": {"reference": "actor", "title": "made up"}, "environment": {}, "end": "complete",
        "machine": dict.fromkeys(("host", "processor", "cores", "memory_bytes", "level2_cache_bytes", "level3_cache_bytes",
                                  "governor", "kernel", "system"), "x"),
        "program": {"version": "1", "compiler": "C", "contract_checks": False},
        "configurations": [{"title": f"kernel {i}", "kernel": "k", "options": {}, "variants": ["actor"],
                            "has_baseline": False, "pes": 2} for i in range(len(seconds_of_kernels))],
        "jobs": [{"configuration": i, "round": r, "state": state, "substrate": "local", "valid": None, "load": 1.0, "begun": "2026",
                  "variants": {"actor": {"seconds": s, "verified": True, "ns_per_operation": s, "ns_per_message": None}}}
                 for i, seconds in enumerate(seconds_of_kernels) for r, s in enumerate(seconds, 1)]} | more


class Intervals(unittest.TestCase):
    def test_the_order_statistics_are_those_of_the_binomial_distribution(self):
        # n: (lower, upper) rank. For 9 values 1 - 2 * (1 + 9) / 512 = 0.961; for 8, ranks 2 and 7 give only 0.930.
        for n, ranks in {6: (1, 6), 7: (1, 7), 8: (1, 8), 9: (2, 8), 10: (2, 9), 12: (3, 10), 20: (6, 15), 25: (8, 18)}.items():
            values = list(range(1, n + 1))
            random.Random(n).shuffle(values)
            self.assertEqual(interval_of_median(values), ranks, n)
        for n in range(1, 6):
            self.assertIsNone(interval_of_median(range(n)), n)

    def test_quartiles_are_interpolated(self):
        self.assertEqual([quantile([4, 1, 3, 2], part) for part in (0, 0.25, 0.5, 0.75, 1)], [1, 1.75, 2.5, 3.25, 4])
        self.assertEqual(quantile([5], 0.25), 5)

    def test_they_have_the_median_in_them_as_often_as_they_say(self):
        random_numbers = random.Random(1)
        for n in (6, 7, 9, 15):
            n_hits = 0
            for _ in range(2000):
                low, high = interval_of_median([random_numbers.expovariate(1) for _ in range(n)])
                n_hits += low <= math.log(2) <= high
            self.assertGreater(n_hits / 2000, 0.94, n)

    def test_the_interval_of_a_ratio(self):
        # Seven values: c = round(4 - sqrt(7)) = 1, 1 / 128 lies outside at each end, so z = 2.41756; and 1.95996 is that
        # of 95 %. The logarithms reach from 0 to 6 in both.
        values = [math.exp(i) for i in range(7)]
        half = 1.95996 * math.sqrt(2) * 6 / (2 * 2.41756)
        low, high = interval_of_ratio([2 * v for v in values], values)
        self.assertAlmostEqual(math.log(low), math.log(2) - half, 3)
        self.assertAlmostEqual(math.log(high), math.log(2) + half, 3)
        self.assertIsNone(interval_of_ratio(values, values[:4]))

    def test_the_interval_of_a_ratio_has_it_as_often_as_it_says(self):
        random_numbers = random.Random(2)
        for n in (7, 9, 20):
            n_hits = 0
            for _ in range(1000):
                a, b = noisy(random_numbers, n, 1.2), noisy(random_numbers, n, 1)
                low, high = interval_of_ratio(a, b)
                n_hits += low <= 1.2 <= high
            self.assertGreater(n_hits / 1000, 0.93, n)
            self.assertLess(n_hits / 1000, 0.999, n)


class Tests(unittest.TestCase):
    def test_probabilities_of_ranks(self):
        self.assertAlmostEqual(rank_test([1, 2, 3], [4, 5, 6]), 2 / 20)
        self.assertAlmostEqual(rank_test([4, 5, 6, 7], [0, 1, 2, 3]), 2 / 70)
        self.assertAlmostEqual(rank_test([1, 2, 4], [3, 5, 6]), 4 / 20)
        self.assertAlmostEqual(rank_test([1, 1], [1, 2]), 1)  # ranks 2, 2, 2 and 4: sums are 4 or 6
        self.assertAlmostEqual(rank_test([1, 1, 1], [2, 2, 2]), 2 / 20)
        self.assertAlmostEqual(rank_test([3] * 5, [3] * 7), 1)

    def test_many_probabilities_are_adjusted(self):
        for found, wanted in zip(adjusted([0.01, 0.04, 0.03, 0.005]), [0.02, 0.04, 0.04, 0.02]):
            self.assertAlmostEqual(found, wanted)
        self.assertEqual(adjusted([]), [])
        self.assertEqual(adjusted([0.9, 0.9]), [0.9, 0.9])


class Verdicts(unittest.TestCase):
    def test_what_is_as_fast_as_before_is_hardly_ever_called_different(self):
        """20 kernels at a time: at most one comparison in twenty may name any of them."""
        random_numbers = random.Random(3)
        n_false = 0
        for _ in range(200):
            old, new = (results_of([noisy(random_numbers, 7) for _ in range(20)]) for _ in range(2))
            n_false += any(p["verdict"] != "no difference shown" for p in compare(old, new)["pairs"])
        self.assertLessEqual(n_false, 20)  # 10 are expected; more than 20 has a probability below 1 in 500

    def test_what_differs_is_named(self):
        random_numbers = random.Random(4)
        n_found = 0
        for _ in range(20):
            truths = [1, 1, 1.15, 1, 0.85, 1]
            old = results_of([noisy(random_numbers, 9, noise=0.01) for _ in truths])
            new = results_of([noisy(random_numbers, 9, truth, noise=0.01) for truth in truths])
            verdicts = [p["verdict"] for p in compare(old, new)["pairs"]]
            n_found += (verdicts[2] == "slower") + (verdicts[4] == "faster")
            self.assertNotEqual(verdicts[2], "faster")
            self.assertNotEqual(verdicts[4], "slower")
        self.assertGreaterEqual(n_found, 36)  # of 40
        old, new = results_of([[1, 2, 3, 4, 5, 6]] * 2), results_of([[11, 12, 13, 14, 15, 16], [1, 2, 3, 4, 5, 6]])
        found = compare(old, new)
        self.assertEqual([p["verdict"] for p in found["pairs"]], ["slower", "no difference shown"])
        self.assertAlmostEqual(found["pairs"][0]["ratio"], 13.5 / 3.5)
        self.assertAlmostEqual(worst(found), 100 * (13.5 / 3.5 - 1))
        self.assertEqual([p["verdict"] for p in compare(new, old)["pairs"]], ["faster", "no difference shown"])
        self.assertEqual(worst(compare(new, old)), 0)

    def test_what_has_too_few_jobs_is_not_tested(self):
        """It would only make the others less certain: 7 jobs show a difference beside many pairs that cannot."""
        few = [[1, 2]] * 100
        old, new = results_of([[1, 2, 3, 4, 5, 6, 7], *few]), results_of([[11, 12, 13, 14, 15, 16, 17], *few])
        verdicts = [p["verdict"] for p in compare(old, new)["pairs"]]
        self.assertEqual(verdicts, ["slower"] + 100 * ["too few jobs"])

    def test_times_of_zero_have_no_ratio(self):
        (pair,) = compare(results_of([[0] * 6]), results_of([[1] * 6]))["pairs"]
        self.assertEqual((pair["ratio"], pair["ratio_low"], pair["verdict"]), (None, None, "no difference shown"))

    def test_states_are_compared_with_their_like_only(self):
        found = compare(results_of([[1] * 6]), results_of([[9] * 6], "far"))
        self.assertEqual(found["pairs"], [])
        self.assertEqual(found["only_in_a"], ["kernel 0, 2 PEs, near state, actor"])
        self.assertEqual(found["only_in_b"], ["kernel 0, 2 PEs, far state, actor"])

    def test_differences_of_the_machine_are_named(self):
        old, new = results_of([[1]]), results_of([[1]], program={"version": "2", "compiler": "C", "contract_checks": False})
        new["machine"] = old["machine"] | {"processor": "Z80"}
        for job in new["jobs"]:
            job["load"] = 3.0
        self.assertEqual(compare(old, new)["differences"], ["processor: x in A, Z80 in B", "version: 1 in A, 2 in B",
                                                            "load before a job, median: 1.0 in A, 3.0 in B"])

    def test_a_wrong_answer_has_no_time(self):
        results = results_of([[1, 2, 3]])
        results["jobs"][1]["variants"]["actor"]["verified"] = False
        (row,) = summarise(results)
        self.assertEqual(row["status"], "WRONG")
        self.assertNotIn("median", row)


if __name__ == "__main__":
    unittest.main()
