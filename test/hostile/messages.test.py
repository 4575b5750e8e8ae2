"""Random programs on every substrate keep all promises about messages: cases.py."""
# timeout: 600
# programs: all_tools hostile.messages
# processors: 0
import sys

import cases

sys.exit(1 if cases.run_cases("messages", 1, seconds=30) else 0)
