"""Two hundred generated programs, of numbers that the day chooses, give the same output before and after shoal-translate.

  generated_many.test.py [FIRST]       those of other days
"""
# labels: long
# timeout: 5400
# programs: all_tools shoal shoal_compat_archive
import sys
import time

import generated

first = int(sys.argv[1]) if len(sys.argv) > 1 else int(time.time()) // 86400 * 100
print(f"from number {first} on", flush=True)
cases = [("native", first + i, 20) for i in range(5)] + [("any-order", first + i, 20) for i in range(3)]
cases += [("hclib", first + i, 10) for i in range(4)]
sys.exit(generated.check_all(cases, least=0.7))
