"""Translates generated programs (generate.py), and compares what they print before and after.

  generated.py native|any-order|hclib NUMBER [N_PROGRAMS] [FOLDER]     one source; its files stay in FOLDER
"""
import collections
import concurrent.futures
import re
import shutil
import sys
import tempfile
from pathlib import Path

import generate
from programs import HCLIB, NATIVE, compile_hclib, compile_native, launch, simulate, translate

# What is not said of a source may not be said of its translation. Generated names hide each other all the time.
WARNINGS = ["-O0", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion"]
PES = 1, 3, 4


class Wrong(Exception):
    """The translation of a generated program is wrong."""


def demand(condition, what, *details):
    if not condition:
        raise Wrong("\n".join([what, *map(str, details)]))


def warnings(said):
    return collections.Counter(re.findall(r"warning: (.*)", said))


def compile_both(compile_one, sources, programs):
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = list(pool.map(lambda pair: compile_one(*pair, WARNINGS), zip(sources, programs)))
    for source, job in zip(sources, jobs):
        errors = [line for line in job.stderr.splitlines() if "error: " in line]
        demand(job.returncode == 0, f"{source} does not compile", *errors[:5])
    new = warnings(jobs[1].stderr) - warnings(jobs[0].stderr)
    demand(not new, "new warnings", *new)


def check_text(source, made, flags, report):
    """What is said of each closure, and what stays as it was."""
    before, after = source.read_text(), made.read_text()
    for sizes in re.finditer(r": closure (\d+), message (\d+)", report):
        demand(int(sizes[2]) <= int(sizes[1]), "a message is larger than its closure", sizes[0])
    for note in re.findall(r"// kept (.*)", before):
        part = re.search(rf"// kept {re.escape(note)}\n.*?// end", before, re.S)
        demand(part[0] in after, "a closure that has to stay was changed", part[0])
        first = before[:part.start()].count("\n") + 1
        lines = [int(n) for n in re.findall(rf"{re.escape(str(source))}:(\d+):\d+: left as it is", report)]
        demand(any(first <= n <= first + part[0].count("\n") for n in lines), "nothing is said of what stays", part[0])
    spaces = r"^namespace (p\d+) \{.*?^\}  // namespace \1$"
    parts = {m[1]: m[0] for m in re.finditer(spaces, after, re.S | re.M)}
    for program in re.finditer(spaces, before, re.S | re.M):
        for note in re.findall(r"note \d+\b", program[0]):
            demand(re.search(note + r"\b", parts[program[1]]), f"{program[1]} lost comment {note}")
    again = translate(made, "--", *flags)
    demand(again.returncode == 0 and again.stdout == after, "a second translation changes the first", again.stderr)


def check(kind, number, n_programs, folder):
    """Returns how many closures became messages, how many there are, and why the others stay."""
    source, made = folder / "before.cpp", folder / "after.cpp"
    source.write_text(generate.KINDS[kind](number, n_programs))
    flags = HCLIB if kind == "hclib" else NATIVE
    job = translate(source, "-o", made, "--report", *(["--any-order"] if kind == "any-order" else []), "--", *flags)
    demand(job.returncode == 0, f"status {job.returncode}", job.stderr[-2000:])
    check_text(source, made, flags, job.stderr)
    programs = [folder / "before", folder / "after"]
    compile_both(compile_hclib if kind == "hclib" else compile_native, [source, made], programs)
    run = launch if kind == "hclib" else simulate
    for n_pes in PES:
        before, after = (run(program, n_pes) for program in programs)
        demand(before.returncode == 0 and before.stdout, f"the source fails on {n_pes} PEs", before.stderr)
        demand(after.returncode == 0, f"the translation fails on {n_pes} PEs", after.stderr)
        differs = [f"{a}, not {b}" for b, a in zip(before.stdout.splitlines(), after.stdout.splitlines()) if a != b]
        demand(before.stdout == after.stdout, f"another result on {n_pes} PEs", *differs)
    reasons = re.findall(r"left as it is: [^:]*: (.*)", job.stderr)
    plain = [re.sub(r"that of line \d+|\(.*?\)|\d+", "…", r).split("; ")[0] for r in reasons]
    n_messages = len(re.findall(r": (closure|lambda) .*, (message|packet) ", job.stderr))
    return n_messages, len(re.findall(r"(\.|->)send\(", source.read_text())), collections.Counter(plain)


def check_all(cases, least):
    """Checks (kind, number, n_programs), says how it went; fails if less than `least` of the closures were translated."""
    n_messages, n_closures, n_wrong, stay = 0, 0, 0, collections.Counter()
    for kind, number, n_programs in cases:
        folder = Path(tempfile.mkdtemp(prefix="shoal-generated-"))
        try:
            n, of, reasons = check(kind, number, n_programs, folder)
            n_messages, n_closures, stay = n_messages + n, n_closures + of, stay + reasons
            shutil.rmtree(folder)
        except Wrong as what:
            n_wrong += 1
            print(f"{kind} {number} {n_programs} is wrong; its files are in {folder}\n{what}", flush=True)
    share = n_messages / max(1, n_closures)
    print(f"{sum(n for _, _, n in cases)} programs: {n_messages} of {n_closures} closures became messages ({share:.0%}); the others "
          "stay, whole supersteps for one reason:")
    for reason, n in stay.most_common():
        print(f"  {n:4} {reason}")
    if share < least:
        print(f"less than {least:.0%} of the closures were translated: the generator or the tool has lost its purpose")
    return 1 if n_wrong or share < least else 0


if __name__ == "__main__":
    where = Path(sys.argv[4]) if len(sys.argv) > 4 else Path(tempfile.mkdtemp(prefix="shoal-generated-"))
    where.mkdir(exist_ok=True)
    try:
        print(*check(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 25, where))
    except Wrong as what:
        sys.exit(f"in {where}: {what}")
