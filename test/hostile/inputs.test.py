"""Mutated graphs, settings and options end in a right result or in one line: cases.py."""
# timeout: 600
# programs: all_tools
# processors: 0
import sys

import cases
from share import SHARE

sys.exit(1 if cases.run_cases("inputs", 1, seconds=30 // SHARE) else 0)
