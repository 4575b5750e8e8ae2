"""Combinations of levels of several dimensions, some of which are excluded: a cover of all pairs, and products.

A case is a dict from each dimension's name to one of its levels. Rules say which levels go together:
a rule names some dimensions and judges a combination of their levels.
"""

import itertools
import random


class Space:
    """`dimensions`: a dict of lists of levels. `rules`: pairs of a tuple of names and a predicate over their levels."""

    def __init__(self, dimensions, rules):
        self.dimensions = dimensions
        self.rules_of = {name: [] for name in dimensions}
        for names, holds in rules:
            for name in names:
                self.rules_of[name].append((names, holds))

    def allows(self, case, name):
        """Whether the levels chosen in `case` break no rule that involves dimension `name`."""
        return all(holds(*(case[n] for n in names))
                   for names, holds in self.rules_of[name] if all(n in case for n in names))

    def is_legal(self, case):
        return all(self.allows(case, name) for name in case)

    def completed(self, case, order_of_levels):
        """`case` with a level of each dimension that it lacks, or None where that is impossible. Levels are tried in
        the order in which order_of_levels(name, case) gives them."""
        name = next((n for n in self.dimensions if n not in case), None)
        if name is None:
            return case
        for level in order_of_levels(name, case):
            longer = {**case, name: level}
            if self.allows(longer, name):
                whole = self.completed(longer, order_of_levels)
                if whole is not None:
                    return whole
        return None

    def legal_pairs(self):
        """All pairs ((name, level), (name, level)) that some legal case holds, the dimensions in their order."""
        pairs = []
        for one, other in itertools.combinations(self.dimensions, 2):
            for levels in itertools.product(self.dimensions[one], self.dimensions[other]):
                case = {one: levels[0], other: levels[1]}
                if self.is_legal(case) and self.completed(case, lambda name, _: self.dimensions[name]) is not None:
                    pairs.append(tuple(case.items()))
        return pairs

    def pairwise_cases(self, seed=1):
        """Cases that hold every legal pair at least once. Greedy: each begins with the first pair that no case has
        yet, then takes for each dimension the level that adds most new pairs. The same seed gives the same cases."""
        rng = random.Random(seed)
        left = dict.fromkeys(self.legal_pairs())

        def most_new_first(name, case):
            levels = rng.sample(self.dimensions[name], len(self.dimensions[name]))
            return sorted(levels, key=lambda level: -sum(p in left for p in self.pairs_with(case, name, level)))

        cases = []
        while left:
            case = self.completed(dict(next(iter(left))), most_new_first)
            cases.append({name: case[name] for name in self.dimensions})
            for pair in itertools.combinations(cases[-1].items(), 2):
                left.pop(pair, None)
        return cases

    def pairs_with(self, case, name, level):
        order = list(self.dimensions)
        for other in case.items():
            if order.index(other[0]) < order.index(name):
                yield (other, (name, level))
            else:
                yield ((name, level), other)

    def product(self, names, fixed=None):
        """Every legal combination of the levels of `names`, with `fixed`. The levels of all other dimensions are drawn,
        the same ones each time."""
        for levels in itertools.product(*(self.dimensions[name] for name in names)):
            case = {**dict(zip(names, levels)), **(fixed or {})}
            if not self.is_legal(case):
                continue
            rng = random.Random(repr(sorted(case.items())))
            whole = self.completed(case, lambda name, _: rng.sample(self.dimensions[name], len(self.dimensions[name])))
            if whole is not None:
                yield {name: whole[name] for name in self.dimensions}
