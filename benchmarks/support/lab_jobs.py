"""Runs a command of the lab, or of Shoal, for benchmarks: only the settings that the benchmark gives reach it."""
import json
import os
import subprocess
import sys
from pathlib import Path

LAB = Path(__file__).resolve().parent.parent.parent / "lab" / "lab"
TIMEOUT_S = 3600


def objects(command, **more):
    """The JSON objects that a command prints, one a line. Ends the benchmark if it fails or prints none."""
    everywhere = {name: value for name, value in os.environ.items() if not name.startswith("SHOAL_") or name == "SHOAL_LAB"}
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, env=everywhere | more, timeout=TIMEOUT_S)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return [json.loads(line) for line in lines]
