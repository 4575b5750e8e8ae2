"""What a reader must know of the machine and the programs to interpret a time."""
import hashlib
import json
import os
import platform
import subprocess
from pathlib import Path

from shoal_bench.words import usage_error


def read(path):
    try:
        return Path(path).read_text().strip()
    except OSError:
        return None


def field(path, name, separator):
    for line in (read(path) or "").splitlines():
        key, _, value = line.partition(separator)
        if key.strip() == name:
            return value.strip().strip('"')
    return None


def facts_of(program):
    """What `shoal info --json` says."""
    try:
        told = subprocess.run([program, "info", "--json"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise usage_error(f"{program} does not run ({error})") from error
    if told.returncode != 0:
        raise usage_error((told.stderr.strip().removeprefix("shoal: ") or f"{program} info ended with {told.returncode}"))
    return json.loads(told.stdout)


def describe_machine(facts):
    return {"host": platform.node(), "processor": field("/proc/cpuinfo", "model name", ":") or platform.machine(),
            "cores": facts["cores"], "memory_bytes": facts["memory_bytes"],
            "level2_cache_bytes": facts["level2_cache_bytes"], "level3_cache_bytes": facts["level3_cache_bytes"],
            "governor": read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            "kernel": f"{platform.system()} {platform.release()}",
            "system": field("/etc/os-release", "PRETTY_NAME", "=")}


def describe_program(program, facts):
    with open(program, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"version": facts["version"], "compiler": facts["compiler"], "contract_checks": facts["contract_checks"],
            "sha256": digest}


def environment():
    """The variables that change how Shoal runs."""
    return {name: value for name, value in sorted(os.environ.items()) if name.startswith("SHOAL_")}


def load():
    """Processes that want to run, on average over a minute."""
    return round(os.getloadavg()[0], 2)
