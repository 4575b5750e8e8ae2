"""An hour of hostile cases, others than those of the short tests: cases.py.

  hour.test.py [FIRST]       from another number on (100000)
"""
# labels: long
# timeout: 5400
# programs: all_tools hostile.messages
import sys

import cases

first = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
sys.exit(1 if sum(cases.run_cases(kind, first, seconds=1200) for kind in cases.KINDS) else 0)
