"""Spin checks that the waves of docs/design/control-plane.md and of `finish` keep their promises, and that each mutant breaks one.

wave.pml models counting waves, call.pml waves that any PE may call, finish.pml those of docs/design/termination.md. Every case compiles a model with its own
sizes, runs Spin's verifier over all its states, and prints one line. The sound models must pass. A mutant must fail
by the property named here, since a model that lets a mutant pass proves nothing.
"""
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from share import share_of  # noqa: E402

MODELS = Path(__file__).resolve().parent
MEMORY_MIB = 900
LIMIT_S = 200

# The properties, each with the verifier's words for its violation.
QUIET = "assertion violated (n_active"
ONE = "assertion violated  !(is_busy"
IN_STEP = "assertion violated ((at[((me"
SOON = "assertion violated (n_at_rest"
FRESH = "assertion violated ( !(at[me].wants)||is_fresh"
WANTED = "assertion violated ((at[0].wants"
ANSWERED = "assertion violated (( !(at[me].wants)&&"
STUCK = "invalid end state"
ENDLESS = "acceptance cycle"
NAMES = {QUIET: "not quiet", ONE: "two on an edge", IN_STEP: "out of step", SOON: "too late", FRESH: "a stale answer",
         WANTED: "called for nobody", ANSWERED: "not answered", STUCK: "waits for ever", ENDLESS: "never ends"}


class Case(NamedTuple):
    what: str
    defines: str
    breaks: str = ""  # what Spin must find; empty: nothing
    is_live: bool = False  # checks that all waves end, not assertions and deadlock
    model: str = "wave.pml"


SOUND = [
    Case("2 PEs, 3 messages", "N=2 MESSAGES=3"),
    Case("3 PEs in a star, 2 messages", "N=3 MESSAGES=2"),
    Case("3 PEs in a star, 2 messages, more room", "N=3 MESSAGES=2 ROOM=2"),
    Case("3 PEs in a chain, 2 messages", "N=3 TREE=CHAIN MESSAGES=2"),
    Case("4 PEs in a fork, 1 message", "N=4 TREE=FORK MESSAGES=1"),
    Case("2 waves at once, 2 PEs, 2 messages", "N=2 SCOPES=2 MESSAGES=2"),
    Case("2 waves at once, 3 PEs, 1 message", "N=3 SCOPES=2 MESSAGES=1"),
    Case("3 waves at once, 4 PEs in a fork", "N=4 TREE=FORK SCOPES=3 MESSAGES=0 RESTING"),
    Case("every wave ends, 2 PEs, 2 messages", "N=2 MESSAGES=2", is_live=True),
    Case("every wave ends, 3 PEs, 1 message", "N=3 MESSAGES=1", is_live=True),
]

# RELAXED leaves `quiet` as the only assertion, so that the search continues to the final consequence of a mutant.
MUTANTS = [
    Case("believes a single wave", "NO_CONFIRMING_WAVE N=2 MESSAGES=3", QUIET),
    Case("confirms with counts read after forwarding the last wave", "STALE_COUNTS N=2 MESSAGES=3 RELAXED", QUIET),
    Case("compares old sent with new handled", "COMPARE_BACKWARDS N=2 MESSAGES=2", QUIET),
    Case("takes nothing handled for nothing sent", "NOTHING_HANDLED N=2 MESSAGES=2", QUIET),
    Case("joins while its main program may send", "JOIN_WHILE_SENDING N=2 MESSAGES=2", QUIET),
    Case("counts a message before what its handler sends", "COUNT_ON_ARRIVAL N=2 MESSAGES=2", QUIET),
    Case("does not wait for one child", "NOT_ALL_CHILDREN N=3 MESSAGES=2 RELAXED", QUIET),
    Case("the same, by its late message", "NOT_ALL_CHILDREN N=3 MESSAGES=2", IN_STEP),
    Case("joins the next generation before it has this one's result", "MIX_GENERATIONS N=3 MESSAGES=2 RELAXED", QUIET),
    Case("the same, by two messages on an edge", "MIX_GENERATIONS N=3 MESSAGES=2 ROOM=2", ONE),
    Case("adds up two scopes in one accumulator", "MIX_SCOPES N=3 SCOPES=2 MESSAGES=1 RELAXED", QUIET),
    Case("waits for room before it takes in what has come", "BLOCKING_SEND N=4 TREE=FORK SCOPES=3 MESSAGES=0 RESTING",
         STUCK),
    Case("takes a refused message for sent", "LOST_REFUSAL N=3 SCOPES=2 MESSAGES=1", STUCK),
    Case("does not pass the result on", "NOT_PASSED_ON N=3 TREE=CHAIN MESSAGES=1", STUCK),
    Case("forgets the last wave's sum", "FORGET_LAST N=2 MESSAGES=1 RELAXED", ENDLESS, is_live=True),
    Case("the same, by one generation too many", "FORGET_LAST N=2 MESSAGES=1", SOON),
]


def calls(what, defines, breaks=""):
    return Case(what, defines, breaks, model="call.pml")


SOUND += [
    calls("2 PEs call 4 times", "N=2 CALLS=4"),
    calls("3 PEs in a star call 3 times", "N=3 CALLS=3"),
    calls("3 PEs in a star call 3 times, room for one message", "N=3 CALLS=3 ROOM=1"),
    calls("3 PEs in a chain call 4 times", "N=3 CALLS=4 CHAIN"),
    calls("3 PEs in a chain call 3 times, more room", "N=3 CALLS=3 CHAIN ROOM=4"),
]

MUTANTS += [
    calls("requests in its first generation only", "REQUEST_ONCE N=3 CALLS=2 CHAIN", ANSWERED),
    calls("takes a result for the answer to a later call", "ANSWER_WITH_RESULT N=3 CALLS=2 CHAIN", FRESH),
    calls("follows requests of generations that are over", "BELIEVE_OLD_REQUESTS N=3 CALLS=2 CHAIN", WANTED),
    calls("forgets a call that overtakes a result", "DROP_EARLY_CALLS N=3 CALLS=2 CHAIN", ANSWERED),
]


def rounds(what, defines, breaks="", is_live=False):
    return Case(what, defines, breaks, is_live, model="finish.pml")


SOUND += [
    rounds("finish, 2 PEs, 4 messages", "N=2 MESSAGES=4"),
    rounds("finish, 3 PEs, 3 messages", "N=3 MESSAGES=3"),
    rounds("finish, 3 PEs, 3 messages, numbers of one bit", "N=3 MESSAGES=3 WAVES=2"),
    rounds("every finish ends, 2 PEs, 2 messages", "N=2 MESSAGES=2", is_live=True),
]

MUTANTS += [
    rounds("messages carry no numbers", "NO_MARKS N=3 MESSAGES=3", QUIET),
    rounds("takes only greater numbers for ahead", "GREATER_IS_AHEAD N=3 MESSAGES=3 WAVES=2", QUIET),
    rounds("messages carry a wave's number only after its result", "MARK_LATE N=3 MESSAGES=3", QUIET),
    rounds("joins while its main program may send", "JOIN_WHILE_SENDING N=3 MESSAGES=3", QUIET),
    rounds("leaves a message that was ahead out of all later waves", "KEEP_AHEAD N=2 MESSAGES=3", SOON),
]


def run(command, folder):
    return subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=LIMIT_S, check=True).stdout


def verify(case, compiler, folder):
    """The verifier's whole output."""
    defines = [f"-D{d}" for d in case.defines.split()]
    run(["spin", "-a", *defines, *(["-DLIVENESS"] if case.is_live else []), str(MODELS / case.model)], folder)
    mode = ["-DNFAIR=3"] if case.is_live else ["-DSAFETY"]
    # Only searches of many states are worth an optimised build.
    is_long = not case.breaks and "SCOPES" in case.defines
    run([compiler, "-O1" if is_long else "-O0", "-w", "-DCOLLAPSE", "-DVECTORSZ=1024", f"-DMEMLIM={MEMORY_MIB}", *mode,
         "-o", "pan", "pan.c"], folder)
    options = ["-m100000", "-w20"]
    if case.is_live:
        options += ["-a", "-f"]  # every PE moves on: weak fairness
    if case.breaks.startswith("assertion"):
        options += ["-E"]  # mutants may also wait forever, which this case does not look for
    return run(["./pan", *options], folder)


def verdict(case, output):
    """(whether the result is as it should be, text)"""
    n_states = re.search(r"^\s*(\d+) states, stored", output, re.M)
    n_errors = re.search(r"errors: (\d+)", output)
    if not n_states or not n_errors or re.search(r"max search depth too small|out of memory|aborting", output):
        return False, "the verifier did not finish:\n" + output
    found = re.search(r"^pan:\s*\d*:?\s*(assertion violated.*|invalid end state|acceptance cycle)", output, re.M)
    broken = [name for words, name in NAMES.items() if found and found[1].startswith(words)]
    said = broken[0] if broken else found[1] if found else f"{int(n_states[1])} states, nothing found"
    return broken == [NAMES[case.breaks]] if case.breaks else n_errors[1] == "0" and not found, said


def main():
    # Clang takes half the time of gcc, and most of this test is compiling.
    compiler = shutil.which("clang") or shutil.which("gcc") or shutil.which("cc")
    if not shutil.which("spin") or not compiler:
        print("skipped: " + ("no C compiler" if shutil.which("spin") else "spin is not installed (Debian: spin)"))
        return 77
    n_wrong = 0
    for case in SOUND + share_of(MUTANTS):
        with tempfile.TemporaryDirectory() as folder:
            is_right, said = verdict(case, verify(case, compiler, folder))
        n_wrong += not is_right
        kind = "mutant" if case.breaks else "model"
        print(f"{'ok' if is_right else 'WRONG':5} {kind:6} {case.what}: {said}", flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{len(SOUND)} models, {len(share_of(MUTANTS))} mutants, {n_wrong} wrong; "
          f"{used.ru_utime + used.ru_stime:.0f} s of CPU time, at most {used.ru_maxrss // 1024} MiB")
    return int(n_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
