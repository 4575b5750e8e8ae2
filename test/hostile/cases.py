"""Hostile cases: each is drawn from a kind and a number alone, so that it can be replayed.

  cases.py KIND FIRST [N]       runs N cases (1) from number FIRST on; prints how each ended and how to replay it
"""
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
PROGRAM = os.path.join(BIN, "hostile.messages")
TIMEOUT = 120  # seconds that a case may take; those that end by themselves take a few

# What a program is told whose finish finds no buffers: with few slots, many actors and several hops.
TOO_LITTLE = re.compile(r"no buffer slot left to reserve for mailbox \d+ ")


class Broken(Exception):
    """A promise that a case broke."""


def expect(is_true, what):
    if not is_true:
        raise Broken(what)


class Case:
    """A command with its environment, and how it ended."""

    def __init__(self, command, environment, backend, n_pes):
        self.command = [str(word) for word in command]
        self.environment = environment
        self.backend = backend
        self.n_pes = n_pes
        self.seconds = 0.0

    def run(self, folder=None):
        begun = time.monotonic()
        # A job of its own, so that all of it can be ended.
        job = subprocess.Popen(self.command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True, cwd=folder)
        try:
            out, err = job.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            out, err = job.communicate()
            raise Broken(f"still runs after {TIMEOUT} s\n{err.decode(errors='replace')}") from None
        self.seconds = time.monotonic() - begun
        self.status = job.returncode
        self.out = out.decode(errors="replace")
        self.error = err.decode(errors="replace")
        return self

    def reports(self):
        """The lines in which Shoal says what went wrong."""
        return [line for line in self.error.splitlines() if re.match(r"(shoal|shoalrun|hostile): ", line)]

    def __str__(self):
        changed = {name: value for name, value in self.environment.items() if os.environ.get(name) != value}
        return " ".join([f"{name}='{value}'" for name, value in sorted(changed.items())] + self.command)


def usable_backends():
    return [backend for backend in backends.BACKENDS if not backends.why_not(backend)]


def drawn_settings(draw, backend, n_pes):
    """Settings that a job must survive: buffers of a few items, a slot or two to spare, any route and codec."""
    settings = {
        "SHOAL_HEAP": "256k",
        "SHOAL_SLOT_BYTES": draw.choice([64, 96, 128, 256, 1000, 4096, 32768]),
        "SHOAL_HOPS": draw.choice([None, None, 1, 2, 3]),
        "SHOAL_CODEC": draw.choice([None, "none", "best", "squeeze", "delta", "zstd"]),
        "SHOAL_NS_PER_BYTE": draw.choice([None, 0, 1, 100]),
        "SHOAL_MAX_LATENCY": draw.choice([None, None, 0, 1, 50]),
        "SHOAL_SLOTS": draw.choice([24, 40, 64, 200, 500]),
        "SHOAL_SHARED_SLOTS": draw.choice([None, 0, 1, 2]),
        "SHOAL_MEMORY": "64M",
        "SHOAL_STATS": draw.choice([None, None, None, 1]),
    }
    if backend != "local":
        settings["SHOAL_NODE_SIZE"] = draw.choice([None, 1, 2, 3])
    if backend == "threads":
        settings["SHOAL_NODE_SIZE"] = None
    if backend == "sim":
        latency = draw.choice([200, 1000, 20000])
        settings["SHOAL_SEED"] = draw.randrange(1 << 32)
        settings["SHOAL_SIM"] = ",".join([
            f"latency={latency}", f"refuse={draw.choice([0, 0, 0.3, 0.9])}", f"hold={draw.choice([0, 0, 0.1, 0.5])}",
            f"hold_ns={latency * draw.choice([3, 30])}", f"slow_share={draw.choice([0, 0, 0.3])}",
            f"slow_factor={draw.choice([3, 20])}", f"preempt={draw.choice([0, 0, 0.05, 0.3])}",
            f"reroute={draw.choice([0, 0, 0.5])}", f"lock_stacks={int(settings['SHOAL_SEED'] % 4 == 0)}"])
    return {name: str(value) for name, value in settings.items() if value is not None}


def drawn_job(draw, *arguments):
    """The program on a backend, weighted by what a case costs there."""
    usable = usable_backends()
    cheap = ["sim"] * 8 + ["local"] * 6 + ["threads"] * 4
    backend = draw.choice(cheap + [name for name in usable if name not in ("local", "sim")])
    n_pes = draw.choice([1, 2, 3, 4, 5, 7] if backend in ("sim", "local", "threads") else [1, 2, 3, 4])
    if backend == "threads":
        launcher, environment = [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    else:
        launcher, environment = backends.command_on(backend, n_pes)
    environment.update(drawn_settings(draw, backend, n_pes))
    return Case([*launcher, PROGRAM, *arguments], environment, backend, n_pes)


def check_messages(number):
    """A random program without a fault keeps all promises, or is refused since its settings leave it too little."""
    draw = random.Random(f"messages {number}")
    case = drawn_job(draw, number)
    if draw.random() < 0.2:  # one PE sleeps in the middle of it
        case.command += ["sleep", str(draw.randrange(case.n_pes)), str(draw.choice([0, 10, 1000]))]
    try:
        case.run()
        if case.status == 2:
            reports = [line for line in case.reports() if line.startswith("shoal: ")]
            expect(len(reports) == 1 and TOO_LITTLE.search(reports[0]), f"is refused\n{case.error}")
            return case, "refused"
        expect(case.status == 0, f"ends with status {case.status}\n{case.error}")
        expect(re.search(r"^ok: \d+ messages, \d+ objects refused$", case.out, re.M), f"prints\n{case.out}")
        if "SHOAL_STATS" not in case.environment:
            expect(case.error == "", f"says\n{case.error}")
    except Broken as broken:
        raise Broken(f"{broken}\n{case}") from None
    return case, "ok"


# A fault, and what its report says.
FAULTS = {
    "kill": r"signal 9", "segv": r"signal 11|segmentation fault while handling (message|closure)",
    "abort": r"signal 6|abort while handling (message|closure)",
    "exit": r"exit was called",
    "throw": r"thrown on purpose",
    "range": r"PE -?\d+|outside finish",
    "heap": r"element",
}
SIGNALS = ("kill", "segv", "abort")
# How launchers of MPI tell of a process that a signal killed. They may end the job before its other PEs notice.
LAUNCHER_TELLS = re.compile(r"on signal \d|BAD TERMINATION|signal \d+")


def check_faults(number):
    """A random program with a fault on one PE ends on all, soon, with a status that is not 0 and one report."""
    draw = random.Random(f"faults {number}")
    kind = draw.choice(sorted(FAULTS))
    n_pes_guess = draw.randrange(7)
    after = draw.choice([0, 1, 10, 100, 1000, 10000])
    case = drawn_job(draw, number, kind, n_pes_guess, after)
    case.command[-2] = str(n_pes_guess % case.n_pes)
    try:
        case.run()
        reports = case.reports()
        if case.status == 2 and TOO_LITTLE.search(case.error):
            return case, "refused"
        expect(case.status != 0, "ends with status 0")
        expect(case.status != 3, f"breaks a promise\n{case.error}")
        if kind in SIGNALS and case.backend in ("sim", "threads"):
            return case, kind  # the only process is gone
        if kind in SIGNALS and case.backend in backends.NETWORKS and not reports:
            expect(LAUNCHER_TELLS.search(case.out + case.error), f"ends without a word\n{case.out}{case.error}")
            return case, kind
        expect(len(reports) == 1, f"has {len(reports)} reports\n{case.error}")
        if kind not in SIGNALS or case.backend == "local":
            expect(re.search(FAULTS[kind], reports[0]), f"has another report: {reports[0]}")
    except Broken as broken:
        raise Broken(f"{broken}\n{case}") from None
    return case, kind


GRAPH = "%%MatrixMarket matrix coordinate pattern symmetric\n% a comment\n6 6 7\n2 1\n3 1\n3 2\n4 3\n5 4\n6 4\n6 5\n"


def mutated(draw, text):
    data = bytearray(text.encode())
    for _ in range(draw.choice([1, 1, 2, 5])):
        at = draw.randrange(len(data) + 1) if data else 0
        what = draw.randrange(5)
        if what == 0:
            data[at:at + draw.randrange(1, 9)] = b""
        elif what == 1:
            data[at:at] = bytes(draw.randrange(256) for _ in range(draw.randrange(1, 5)))
        elif what == 2:
            data[at:at] = draw.choice([b"-1", b"99999999999999999999", b"0", b"\n", b"%", b"1e9", b" ", b"\0", b"\x1b[31m",
                                       b"4294967297 ", b"real", b"general", b"array"])
        elif what == 3 and data:
            data[at % len(data)] ^= 1 << draw.randrange(8)
        else:
            data[at:at] = data[at:at + draw.randrange(1, 40)]
    return bytes(data)


ODD_VALUES = ["", "0", "-1", "1", "2", "3", "64", "65", "1k", "9k", "1M", "100T", "99999999999999999999", "nan", "1e3",
              "0.5", "0x10", " 4", "4 ", "four", "local", "sim", "threads", "mpi", "best", "zstd", "none", "core", "block",
              "cyclic", "push", "pull", "yes", "on", "\x1b[31mred", "\xff\xfe", "hold=0.5", "hold=2", "latency=", "=", ",",
              "a=b", "/dev/null", "."]
NAMES = ["SHOAL_SUBSTRATE", "SHOAL_MPI", "SHOAL_BIND", "SHOAL_PES", "SHOAL_CORES", "SHOAL_MEMORY", "SHOAL_SLOT_BYTES",
         "SHOAL_SLOTS", "SHOAL_SHARED_SLOTS", "SHOAL_HEAP", "SHOAL_NODE_SIZE", "SHOAL_HOPS", "SHOAL_CODEC",
         "SHOAL_NS_PER_BYTE", "SHOAL_MAX_LATENCY", "SHOAL_STATS", "SHOAL_SEED", "SHOAL_SIM", "SHOAL_UNKNOWN"]
OPTIONS = {
    "histogram": ["--updates", "--table", "--seed", "--prefetch"],
    "index_gather": ["--reads", "--table", "--seed", "--prefetch"],
    "randperm": ["--entries", "--seed"],
    "random_access": ["--table-log2", "--updates-per-word"],
    "triangle": ["--names", "--distribution", "--algorithm", "--graph"],
    "triangle_centrality": ["--names", "--distribution", "--graph"],
    "bfs": ["--names", "--distribution", "--root", "--undirected", "--graph"],
    "transpose": ["--names", "--distribution", "--graph"],
    "permute": ["--names", "--distribution", "--graph", "--seed"],
    "toposort": ["--names", "--distribution", "--graph", "--seed"],
    "sssp": ["--names", "--distribution", "--root", "--undirected", "--delta", "--seed", "--graph"],
    "kcore": ["--names", "--distribution", "--graph"],
    "imm": ["--names", "--distribution", "--seeds", "--undirected", "--probability", "--epsilon", "--ell", "--seed", "--graph"],
    "components": ["--names", "--distribution", "--graph"],
    "jaccard": ["--names", "--distribution", "--graph"],
    "pagerank": ["--names", "--distribution", "--direction", "--undirected", "--damping", "--tolerance", "--iterations"],
}
ON_GRAPHS = [kernel for kernel in sorted(OPTIONS) if "--distribution" in OPTIONS[kernel]]
SIZES = {"histogram": ["--updates", "1000"], "index_gather": ["--reads", "1000"], "randperm": ["--entries", "1000"],
         "random_access": ["--table-log2", "10"]}
COMMON = ["--pes", "--variant", "--substrate", "--mpi", "--repeat", "--baseline", "--json", "--help", "--no-such-option"]
FILES = ["graph.mtx", "graph.mtx", "graph.mtx", "graph", "\x1b]0;title\x07.mtx", "a b.mtx", "\xe9.mtx", "-x.mtx", "graph.mtx.gz"]


def check_inputs(number):
    """Mutated graphs, settings and options: a right result, or one line and status 2; never a crash or a hang."""
    draw = random.Random(f"inputs {number}")
    backend = draw.choice(["sim", "local", "threads"])
    n_pes = draw.choice([1, 2, 3])
    if backend == "threads":
        launcher, environment = [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    else:
        launcher, environment = backends.command_on(backend, n_pes)
    environment.update(SHOAL_HEAP="16M", SHOAL_MEMORY="16M",
                       OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")  # for --substrate mpi
    what = draw.choice(["graph", "graph", "names", "file", "settings", "options"])
    with tempfile.TemporaryDirectory() as folder:
        kernel = draw.choice(sorted(OPTIONS) if what in ("settings", "options") else ON_GRAPHS)
        arguments = []
        if kernel in ON_GRAPHS:
            graph = os.path.join(folder, draw.choice(FILES) if what == "file" else "graph.mtx")
            with open(graph, "wb") as file:
                file.write(mutated(draw, GRAPH) if what == "graph" else GRAPH.encode())
            arguments = ["--input", graph]
            if what == "names":
                names = os.path.join(folder, "names")
                with open(names, "wb") as file:
                    file.write(mutated(draw, "one\ntwo\nthree\nfour\nfive\nsix\n"))
                arguments += ["--names", names]
        else:
            arguments = list(SIZES[kernel])
        if what == "options":
            for _ in range(draw.choice([1, 1, 2])):
                arguments.append(draw.choice(OPTIONS[kernel] + COMMON))
                if draw.random() < 0.9:
                    arguments.append(draw.choice(ODD_VALUES))
        if what == "settings":
            for _ in range(draw.choice([1, 1, 2])):
                environment[draw.choice(NAMES)] = draw.choice(ODD_VALUES)
        command = [*launcher, os.path.join(BIN, "shoal"), "run", kernel, "--repeat", "1", *arguments]
        case = Case(command, environment, backend, n_pes)
        try:
            case.run(folder)
            expect(case.status in (0, 2), f"ends with status {case.status}\n{case.out}{case.error}")
            expect(all(c == "\n" or unicodedata.category(c) != "Cc" for c in case.out + case.error),
                   f"prints control characters\n{case.out + case.error!r}")
            if case.status == 2:
                expect(case.error.strip() != "", "fails without a line")
                expect(len(case.error.strip().splitlines()) <= 2, f"says too much\n{case.error}")
        except Broken as broken:
            raise Broken(f"{broken}\n{case}") from None
    return case, what + (" ok" if case.status == 0 else " refused")


KINDS = {"messages": check_messages, "faults": check_faults, "inputs": check_inputs}


def run_cases(kind, first, n_cases=None, seconds=None):
    """Runs cases from number `first` on, for so many or for so long. Returns how many broke a promise."""
    ended = {}
    n_broken = 0
    begun = time.monotonic()
    number = first
    while (n_cases is None or number < first + n_cases) and (seconds is None or time.monotonic() - begun < seconds):
        try:
            _, how = KINDS[kind](number)
        except Broken as broken:
            n_broken += 1
            how = "broken"
            print(f"{kind} {number}: {broken}\nreplay: SHOAL_BIN={BIN} SHOAL_BUILD={os.environ['SHOAL_BUILD']} "
                  f"python3 {os.path.abspath(__file__)} {kind} {number}", flush=True)
        ended[how] = ended.get(how, 0) + 1
        number += 1
        if n_broken == 10:
            break
    told = ", ".join(f"{how} {n}" for how, n in sorted(ended.items()))
    print(f"{kind}: {number - first} cases from {first} on: {told}", flush=True)
    return n_broken


if __name__ == "__main__":
    sys.exit(1 if run_cases(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1) else 0)
