"""Runs one job of a suite: a `shoal run` in processes of its own."""
import json
import os
import signal
import subprocess
import time
from datetime import datetime

from shoal_bench.machine import load

SIZES = ("ns_per_operation", "ns_per_message", "operations_per_pe", "messages_per_pe")


def command_of(program, configuration, repeat, where):
    """`where`: more words, such as those that choose the substrate."""
    options = [f"--{name}={value}" for name, value in configuration["options"].items()]
    return [program, "run", configuration["kernel"], *options, "--pes", str(configuration["pes"]),
            "--variant", ",".join(configuration["variants"]), "--repeat", str(repeat),
            *(["--baseline"] if configuration["has_baseline"] else []), *where, "--json", "-"]


def run_to_end(command, timeout, environment=()):
    """(status, output, errors); status None after `timeout` seconds. `environment`: variables besides those of this process.
    No process outlives the call, whatever ends it."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="replace", process_group=0, env=os.environ | dict(environment)) as job:
        try:
            output, errors = job.communicate(timeout=timeout)
            return job.returncode, output, errors
        except subprocess.TimeoutExpired:
            return None, "", ""
        finally:
            if job.poll() is None:
                os.killpg(job.pid, signal.SIGTERM)
                try:
                    job.wait(5)
                except subprocess.TimeoutExpired:
                    os.killpg(job.pid, signal.SIGKILL)


def objects_of(output):
    """The JSON objects among the lines that a launcher and its processes have printed."""
    for line in output.splitlines():
        if line.startswith("{"):
            try:
                yield json.loads(line)
            except ValueError:
                continue


def result_of(line):
    """What is kept of a variant's JSON: its times in this job, and whether its answers were right."""
    if not line.get("available", True):
        return {"available": False}
    return {"seconds": line["seconds"]["median"], "min": line["seconds"]["min"], "max": line["seconds"]["max"],
            "verified": line["verified"], **{name: line[name] for name in SIZES}}


def run_job(command, timeout):
    """The record of a job. Its times are in `variants`; without these, `error` says why."""
    record = {"begun": datetime.now().astimezone().isoformat(timespec="seconds"), "load": load()}
    begin = time.monotonic()
    status, output, errors = run_to_end(command, timeout)
    record |= {"took": round(time.monotonic() - begin, 3), "status": status}
    try:
        lines = [json.loads(line) for line in output.splitlines()]
        ran = [line for line in lines if line.get("available", True)]
        record |= {"substrate": lines[0]["substrate"], "handoff_ns": ran[0]["line_handoff_ns"], "state": ran[0]["state"],
                   "valid": ran[0]["valid"], "variants": {line["variant"]: result_of(line) for line in lines}}
    except (ValueError, LookupError, TypeError):
        record["error"] = reason(status, errors, timeout)
        return record
    record["wrong"] = [line.strip() for line in errors.splitlines() if line.startswith("WRONG: ")]
    if status not in (0, 1) or status == 1 and not record["wrong"]:
        record["error"] = reason(status, errors, timeout)
    return record


def reason(status, errors, timeout):
    if status is None:
        return f"still ran after {timeout:g} s, and was ended"
    told = [line.strip() for line in errors.splitlines() if line.startswith("shoal: ")] or errors.strip().splitlines()[-1:]
    return told[0].removeprefix("shoal: ") if told else f"ended with status {status} and no word"
