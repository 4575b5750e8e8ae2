"""Command lines of the all-to-all checker (test/compat/programs/alltoallv.c), and how a test runs them."""
import os
import subprocess

from compat import failed

SIMPLE = """
-R -A -w10 -c160 -C simple 100 16
-R -A -w10 -c80 -dg simple 100 8
-R -A -w10 -c80 -gx simple 100
-R -A -w10 -c200 -dx simple 100 20
-R -A -w10 -c240 -dp simple 100 24
-R -A -w10 -c280 -py simple 100 28
-R -A -w10 -c320 -pxy simple 100 32
-R -M -w40 -c500 simple 100 64
"""
TWOHOP = """
-w10 -f0 -c160 -t4 -C twohop 100 16
-w10 -f0 -c80 -t4 -g twohop 100
-w10 -f0 -c560 -t6 -d twohop 100 56
-w10 -f0 -c160 -t8 -p twohop 100 16
-w10 -f0 -c160 -t4 -dpy twohop 100 16
-w40 -f0 -M -c500 -t8 twohop 100 64
"""
TENSOR = """
-R -A -w10 -b1 -c200 -C vector 100 16
-R -A -w10 -b1 -c440 -t8 -d matrix 100 40
-R -A -w10 -b2 -c120 -t6 -g matrix 100
-R -A -w10 -b1 -c280 -t4 tensor 100 24
-R -A -w10 -b2 -c240 -t4 -d tensor 100 20
-R -A -w10 -b2 -c120 -t4 -g tensor 100
-R -A -w10 -b4 -c200 -t3 tensor 100 16
-R -A -w10 -b2 -c360 -dpy vector 100 32
-R -A -w10 -b4 -c400 -t8 -py matrix 100 36
-R -A -w10 -b1 -c320 -t4 -dpy tensor 100 28
-R -M -w20 -b2 -c500 vector 100 64
-R -M -w20 -b2 -c500 -t8 matrix 100 64
-R -M -w20 -b2 -c500 -t4 tensor 100 64
"""
ELASTIC = """
-e -w10 -c5000 -b4 -C vector 10 6000
-e -w10 -c5000 -b4 -r0.2 vector 10 6000
-e -w10 -c5000 -b2 -t8 -d matrix 10 6000
-e -w10 -c5000 -b1 -t6 -g matrix 100
-e -w10 -c5000 -b1 -t4 tensor 100 24
-e -w10 -c5000 -b2 -t4 -d tensor 10 6000
-e -w10 -c5000 -b2 -t4 -g tensor 100
-e -w10 -c5000 -b4 -t3 tensor 10 6000
-e -w10 -c5000 -b1 -dpy vector 10 6000
-e -w10 -c5000 -b2 -t4 -dpy matrix 10 6000
-e -w10 -c5000 -b4 -t2 -py tensor 10 6000
-e -w10 -M -b2 -c600 vector 10 600
-e -w10 -M -b2 -c500 -t8 matrix 10 500
-e -w10 -M -b2 -c500 -t8 matrix 10 600
-e -w10 -M -b2 -c600 -t8 matrix 10 500
-e -w10 -M -b2 -c600 -t8 matrix 10 600
-e -w10 -M -b2 -c500 -t4 tensor 10 500
-e -w10 -M -b2 -c500 -t4 tensor 10 600
-e -w10 -M -b2 -c600 -t4 tensor 10 500
-e -w10 -M -b2 -c600 -t4 tensor 10 600
"""
COMPRESS = """
-w10 -c5000 -z64 -b1 -C vector 10000 14
-w10 -c5000 -z160 -b1 -t8 -d matrix 10000 40
-w10 -c5000 -z0 -b2 -t6 -g matrix 10000
-w10 -c5000 -z96 -b1 -t4 tensor 10000 24
-w10 -c5000 -z80 -b2 -t4 -d tensor 10000 18
-w10 -c5000 -z0 -b2 -t4 -g tensor 10000
-w10 -c5000 -z64 -b4 -t3 tensor 10000 13
-w10 -c5000 -z128 -b2 -dpy vector 10000 32
-w10 -c5000 -z144 -b4 -t8 -py matrix 10000 33
-w10 -c5000 -z112 -b1 -t4 -dpy tensor 10000 27
-w10 -c5000 -M -z64 -b2 vector 1000 16
-w10 -c5000 -M -z64 -b2 -t8 matrix 1000 16
-w10 -c5000 -M -z64 -b2 -t4 tensor 1000 16
"""
# Those of the options that are not above, items of one byte, no items, and the applications with pulls undone.
OTHERS = """
# a comment
-P -a0.05 -u -H -n3 -s77 simple 200 1
-P -B -L -v -r0.5 vector 300 3
-P -R -w3 -py -r0.3 matrix 100 48
-P -e -w2 -h -m50 -r0.1 tensor 100 200
-q -h -m7 -x twohop 500
-e -pdy -P -r0.3 simple 50 70
-g -m3 -w2 -r0.5 vector 100 300
-e -g -w2 -r0.4 tensor 100 3000
tensor 0 8
-e -w3 -A -r0.5 tensor 3 200000
"""
GROUPS = {"simple": SIMPLE, "twohop": TWOHOP, "tensor": TENSOR, "elastic": ELASTIC, "compress": COMPRESS,
          "others": OTHERS}
FAST = SIMPLE + TWOHOP + TENSOR + ELASTIC + OTHERS


def check(command, program, lines, what, environment=None):
    """All lines in one job."""
    job = subprocess.run([*command, program, "--"], input=lines, text=True, capture_output=True, timeout=200,
                         env=dict(os.environ, **(environment or {})))
    n_results = sum(" ns for each push of a PE" in line for line in job.stdout.splitlines())
    n_lines = sum(bool(line) and line[0] != "#" and "-q" not in line.split() for line in lines.splitlines())
    told = [line for line in job.stderr.splitlines() if not line.startswith(("items of ", " begins "))]
    if job.returncode != 0 or not job.stdout.endswith("passed\n") or n_results != n_lines or told:
        failed(what, f"status {job.returncode}, {n_results} of {n_lines} results\n"
                     f"{job.stdout[-1000:]}{job.stderr[-2000:]}")
