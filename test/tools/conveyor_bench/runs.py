"""Runs `shoal conveyor-bench` for its tests, which import this."""

import json
import os
import subprocess
import tempfile

BIN = os.environ["SHOAL_BIN"]
SHOAL = os.path.join(BIN, "shoal")
SHOALRUN = os.path.join(BIN, "shoalrun")
FLAVOURS = ("vector", "matrix", "tensor")
BULK = ("simple", "twohop", "exstack")
FOLDER = tempfile.TemporaryDirectory(prefix="shoal-bench-test-")


def run(*arguments, environment=None, launcher=(), lines=None):
    clean = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME") or "SAN_OPTIONS" in k}
    clean.update(environment or {})
    command = [*launcher, SHOAL, "conveyor-bench", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, env=clean,
                          input=None if lines is None else "\n".join(lines) + "\n")


def results(*arguments, **more):
    result = run(*arguments, "--json", "-", **more)
    assert result.returncode == 0, (arguments, result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()]


def results_of_lines(lines, *arguments):
    """Runs lines of the standard input; all must be verified."""
    result = run(*arguments, "--json", "-", "--", lines=lines)
    assert result.returncode == 0, result.stderr
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) == len(lines)
    assert all(o["verified"] for o in found)
    return found
