"""Conveyors over the product of the dimensions that decide which code runs: cases.py says which. Every failing case is
printed with its command line.

    SHOAL_BIN=build/release/bin test/conveyor/matrix/product.test.py [1/N]     every N-th case only
"""
# timeout: 9000
# labels: long
# processors: 2

import os
import sys
import time

import cases
import runs


def main():
    share = int(sys.argv[1].removeprefix("1/")) if len(sys.argv) > 1 else 1
    begin = time.monotonic()
    batches = list(runs.batches_of(list(cases.product_cases())[::share], cases.environment_of, cases.options_of))
    n_cases = sum(len(lines) for _, lines in batches)
    told = begin

    def report(n_done):
        nonlocal told
        if time.monotonic() - told < 60:
            return
        told = time.monotonic()
        print(f"{n_done} of {n_cases} cases in {told - begin:.0f} s", flush=True)

    shoal = os.path.join(os.environ["SHOAL_BIN"], "shoal")
    failures, n_done = runs.run_all(shoal, batches, n_workers=2, report=report)
    for failure in failures:
        print(f"{failure.command}\n{failure.text}\n")
    print(f"{n_done} cases in {time.monotonic() - begin:.0f} s: {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
