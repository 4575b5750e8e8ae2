"""A fault on one PE ends the job on all, with one report: cases.py."""
# timeout: 600
# programs: all_tools hostile.messages
# processors: 0
import sys

import cases
from share import SHARE

sys.exit(1 if cases.run_cases("faults", 1, seconds=30 // SHARE) else 0)
