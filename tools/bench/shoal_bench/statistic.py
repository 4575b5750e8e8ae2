"""Statistics of times, which are not normally distributed: medians, order statistics and ranks.

The rules are those of T. Hoefler and R. Belli, "Scientific benchmarking of parallel computing systems", SC '15: no best
of several runs, intervals with each median, ratios of medians with their own intervals. docs/benchmarking.md explains.
"""
import math
from statistics import NormalDist, median

LEVEL = 0.95  # of all intervals


def quantile(values, part):
    """The quantile of `values` that has this part of them below it, interpolated (type 7 of Hyndman and Fan)."""
    ordered = sorted(values)
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def below_half(n, k):
    """The probability that at most k of n values lie below their median."""
    return sum(math.comb(n, i) for i in range(k + 1)) / 2**n


def interval_of_median(values, level=LEVEL):
    """The pair of order statistics, as far inside as possible, that has the median between them with probability
    `level`, whatever the distribution is; None if there are too few values: fewer than 6 for 95 %."""
    ordered = sorted(values)
    n = len(ordered)
    n_outside = -1  # values below the lower end, and above the upper end
    while 1 - 2 * below_half(n, n_outside + 1) >= level:
        n_outside += 1
    return None if n_outside < 0 else (ordered[n_outside], ordered[n - 1 - n_outside])


def interval_of_ratio(a, b, level=LEVEL):
    """An interval for median(a) / median(b) of two independent samples of positive values, without assumptions on their
    distributions; None for fewer than 5 values in one. R. M. Price and D. G. Bonett, "Distribution-free confidence
    intervals for difference and ratio of medians", J. Stat. Comput. Simul. 72 (2002) 119-124."""
    if min(len(a), len(b)) < 5:
        return None

    def variance_of_log_median(values):
        ordered = sorted(map(math.log, values))
        n = len(ordered)
        c = max(1, round((n + 1) / 2 - math.sqrt(n)))
        z = NormalDist().inv_cdf(1 - below_half(n, c - 1))
        return ((ordered[n - c] - ordered[c - 1]) / (2 * z)) ** 2

    half = NormalDist().inv_cdf((1 + level) / 2) * math.sqrt(variance_of_log_median(a) + variance_of_log_median(b))
    ratio = median(a) / median(b)
    return ratio * math.exp(-half), ratio * math.exp(half)


def rank_test(a, b):
    """How probable it is that two samples of one distribution differ by ranks at least as much as these: the exact
    two-sided test of Wilcoxon, Mann and Whitney, given the ties."""
    n, n_a = len(a) + len(b), len(a)
    ordered = sorted([(value, True) for value in a] + [(value, False) for value in b])
    doubled_ranks, sum_of_a = [], 0  # equal values share the mean of their ranks, which may be a half
    begin = 0
    while begin < n:
        end = begin
        while end < n and ordered[end][0] == ordered[begin][0]:
            end += 1
        doubled_ranks += [begin + end + 1] * (end - begin)
        sum_of_a += (begin + end + 1) * sum(is_of_a for _, is_of_a in ordered[begin:end])
        begin = end
    # ways[k] counts the subsets of k ranks by their sum. All counts are in one integer, n bits for each sum, because
    # adding integers is much faster than adding lists; there are fewer than 2^n subsets.
    ways = [1] + [0] * n_a
    for i, rank in enumerate(doubled_ranks):
        for k in range(min(n_a, i + 1), 0, -1):
            ways[k] += ways[k - 1] << (rank * n)
    expected = n_a * (n + 1)
    distance = abs(sum_of_a - expected)
    mask = (1 << n) - 1
    n_as_far = sum((ways[n_a] >> (s * n)) & mask for s in range(sum(doubled_ranks) + 1) if abs(s - expected) >= distance)
    return n_as_far / math.comb(n, n_a)


def adjusted(probabilities):
    """The probabilities of many tests, so that among those below q at most the part q is expected to be false: Y.
    Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Stat. Soc. B 57 (1995) 289-300."""
    n = len(probabilities)
    result = [1.0] * n
    least = 1.0
    for rank, i in sorted(enumerate(sorted(range(n), key=probabilities.__getitem__), 1), reverse=True):
        least = min(least, probabilities[i] * n / rank)
        result[i] = least
    return result
