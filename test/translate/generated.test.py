"""Generated programs give the same output before and after shoal-translate: generated.py. generated_many.test.py has more."""
# programs: all_tools shoal shoal_compat_archive
# timeout: 1500
import sys

import generated

sys.exit(generated.check_all([("native", 2, 6), ("hclib", 1, 2)], least=0.6))
