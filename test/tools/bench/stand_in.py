"""What the tests of `shoal bench` share: a stand-in for shoal, whose times and faults a test chooses."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BENCH = Path(os.environ["SHOAL_SOURCE"]) / "tools/bench"
sys.path.insert(0, str(BENCH))
CLEAN = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME") or "SAN_OPTIONS" in k}
FOLDER = tempfile.TemporaryDirectory(prefix="shoal-bench-test-")

# Answers `list`, `info` and `run` as shoal does. Beside it, behaviour.json says how long a job takes, what `run` prints
# instead, which variant is wrong, and which status it ends with.
STAND_IN = r'''
import json, os, sys, time
from pathlib import Path
here = Path(__file__).parent
behaviour = json.loads((here / "behaviour.json").read_text())
words = sys.argv[1:]
if words[0] == "list":
    print(json.dumps({"kernel": "stir", "summary": "", "variants": ["actor", "conveyor"], "has_loop": True,
                      "options": {"spoons": 3}}))
    print(json.dumps({"kernel": "shake", "summary": "", "variants": ["actor"], "has_loop": False, "options": {}}))
elif words[0] == "info":
    print(json.dumps({"version": "9", "compiler": "C", "contract_checks": False, "cores": 2, "memory_bytes": 2**30,
                      "level2_cache_bytes": 1, "level3_cache_bytes": None, "substrates": ["local", "mpi"]}))
else:
    given = dict(zip(words, words[1:]))
    with open(here / "calls", "a") as calls:
        calls.write(json.dumps(words) + "\n")
    n_calls = len((here / "calls").read_text().splitlines())
    time.sleep(behaviour.get("takes", 0))
    if "prints" in behaviour:
        print(behaviour["prints"], file=sys.stderr)
        sys.exit(behaviour["status"])
    wrong = behaviour.get("wrong")
    state = behaviour.get("states", ["near"])
    state = state[n_calls % len(state)]
    for variant in [*given["--variant"].split(","), *(["loop"] if "--baseline" in words else [])]:
        seconds = {"actor": 0.5, "conveyor": 1.0, "loop": 0.125}[variant] * (1 + n_calls / 1024)
        print(json.dumps({"kernel": words[1], "variant": variant, "substrate": "local", "pes": int(given["--pes"]),
            "parameters": {}, "operations_per_pe": 1000, "messages_per_pe": 1000, "seconds": {"median": seconds,
            "min": seconds, "max": seconds}, "ns_per_message": seconds * 1e6, "ns_per_operation": seconds * 1e6,
            "ratio_to_loop": None, "line_handoff_ns": 30, "state": state, "valid": behaviour.get("valid", True),
            "verified": variant != wrong, "version": "9"}))
        if variant == wrong:
            print(f"WRONG: variant {variant}: 3 spoons are missing", file=sys.stderr)
    sys.exit(1 if wrong else 0)
'''

SUITE = """
processes = 3
repeat = 1
pes = [1, 2]
[[kernel]]
name = "stir"
options = { spoons = 4 }
[[kernel]]
name = "shake"
"""


class place:
    """A folder with a stand-in, a suite and whatever they leave there."""

    def __init__(self, suite=SUITE, **behaviour):
        self.folder = Path(tempfile.mkdtemp(dir=FOLDER.name))
        self.program = self.folder / "shoal"
        self.program.write_text(f"#!{sys.executable}{STAND_IN}")
        self.program.chmod(0o755)
        self.suite = self.folder / "own.toml"
        self.suite.write_text(suite)
        self.out = self.folder / "out"
        self.behave(**behaviour)

    def behave(self, **behaviour):
        (self.folder / "behaviour.json").write_text(json.dumps(behaviour))

    def command(self, *words):
        return [sys.executable, "-B", str(BENCH), str(self.program), "bench", *map(str, words)]

    def bench(self, *words, program=None):
        command = self.command(*words)
        if program is not None:
            command = [str(program), "bench", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, env=CLEAN, cwd=self.folder)

    def run_suite(self, *words):
        return self.bench(self.suite, "--out", self.out, "--no-figures", *words)

    def results(self):
        return json.loads((self.out / "results.json").read_text())

    def calls(self):
        file = self.folder / "calls"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
