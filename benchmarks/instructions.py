#!/usr/bin/env python3
"""Instructions per message, from pack to handled, on one PE that sends to itself. Needs valgrind.

  instructions.py [FOLDER OF bench_self_send]     default: build/release/bin

Counts with callgrind what happens inside `shoal_measured` for two numbers of messages. The difference is the cost
of the messages alone, without the superstep around them. Prints one line per case.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = ("actor", "declared", "team", "lambda", "world_send", "world_send_handle", "combining_merges",
         "combining_finds_none", "combining_rests", "list", "call", "call_text",
         "read_selector", "read_closures", "read_futures", "read_in_order", "conveyor", "loop")
FEW, MANY = 200_000, 600_000


def instructions(program, case, n_messages):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--collect-atstart=no",
                   "--toggle-collect=shoal_measured", f"--callgrind-out-file={folder}/out",
                   str(program), "--count", case, str(n_messages)]
        result = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not found or found[1] == "0":
        sys.exit(f"{' '.join(command)}\n{result.stderr}")
    return int(found[1])


def main():
    root = Path(__file__).resolve().parent.parent
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else root / "build/release/bin").resolve()
    program = folder / "bench_self_send"
    if not program.is_file():
        sys.exit(f"{program} does not exist; build it with: cmake --build --preset release -t all_benchmarks")
    if not shutil.which("valgrind"):
        sys.exit("valgrind is missing (Debian: valgrind)")
    for case in sys.argv[2:] or CASES:
        per_message = (instructions(program, case, MANY) - instructions(program, case, FEW)) / (MANY - FEW)
        print(f"bench=self_send case={case} pes=1 instructions_per_message={per_message:.2f}", flush=True)


main()
