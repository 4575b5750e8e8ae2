"""Random programs on every substrate keep all promises about messages: cases.py."""
# timeout: 600
# programs: all_tools hostile.messages
# processors: 0
import sys

import cases
from share import SHARE

sys.exit(1 if cases.run_cases("messages", 1, seconds=30 // SHARE) else 0)
