"""The results of a suite: one JSON file, which is complete after each job."""
import dataclasses
import json
import os
from pathlib import Path

from shoal_bench.words import printable, usage_error

FORMAT = "shoal bench 1"
FILE = "results.json"
DIFFERS = {"program": "this shoal is another program", "request": "its options were others",
           "configurations": "its kernels were others", "machine": "this is another machine",
           "environment": "the variables SHOAL_... were others"}


def new_results(suite, request, program, machine, environment):
    """`request`: what the command line decides beyond the suite."""
    return {"format": FORMAT, "suite": {"name": suite.name, "title": suite.title, "text": suite.text,
                                        "reference": suite.reference, "left_out": suite.left_out,
                                        "processes": suite.processes, "repeat": suite.repeat, "minutes": suite.minutes},
            "request": request, "program": program, "machine": machine, "environment": environment,
            "configurations": [dataclasses.asdict(c) for c in suite.configurations], "jobs": [], "end": "unfinished"}


def save(results, folder):
    """Replaces the file at once, so that whoever reads it, or is cut off, finds the old one or the new one."""
    new = folder / (FILE + ".new")
    try:
        with open(new, "w") as file:
            json.dump(results, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, folder / FILE)
    except OSError as error:
        raise usage_error(f"{folder / FILE} cannot be written ({os.strerror(error.errno)})") from error


def format_of(folder):
    """What wrote the results of a folder; None if nothing that is known did."""
    try:
        return json.loads((Path(folder) / FILE).read_text()).get("format")
    except (OSError, ValueError, AttributeError):
        return None


def read_results(path, form=FORMAT):
    """`path`: the file, or its folder. `form`: what its key `format` must say; the number of a version is its last word."""
    verb = form.rpartition(" ")[0]
    path = Path(path)
    file = path / FILE if path.is_dir() else path
    try:
        results = json.loads(file.read_text())
    except OSError as error:
        raise usage_error(f"{printable(file)} cannot be read ({os.strerror(error.errno)}); give a folder or file that "
                          f"{verb} has written") from error
    except ValueError as error:
        raise usage_error(f"{printable(file)} is not JSON ({error})") from error
    if not isinstance(results, dict) or results.get("format") != form:
        raise usage_error(f"{printable(file)} is not of format '{form}'; only files of {verb} can be read")
    return results


def refuse_other(old, new, folder):
    """Throws usage_error unless `new`, results without jobs, would continue `old`."""
    for part, what in (("text", "the suite"), ("name", "the suite")):
        if old["suite"][part] != new["suite"][part]:
            raise usage_error(f"{folder} has results of another suite or of another version of it; give another folder")
    refuse_parts(old, new, folder, ("program", "request", "configurations", "machine", "environment"))


def refuse_parts(old, new, folder, parts):
    """Throws usage_error if one of the parts differs."""
    for part in parts:
        if old[part] != new[part]:
            raise usage_error(f"{folder} cannot be continued: {DIFFERS[part]} ({difference(old[part], new[part])}); give another "
                              "folder")


def difference(old, new):
    """The first difference of two dictionaries or lists, for people."""
    if isinstance(old, list):
        return f"{len(old)} then, {len(new)} now" if len(old) != len(new) else "others then"
    key = next(key for key in [*old, *new] if old.get(key) != new.get(key))
    return f"{key}: {printable(old.get(key))} then, {printable(new.get(key))} now"


def faults(results):
    """What was wrong with jobs, a line each, without repetition."""
    lines = []
    for job in results["jobs"]:
        configuration = results["configurations"][job["configuration"]]
        for why in [*job.get("wrong", []), *([job["error"]] if "error" in job else [])]:
            lines.append(f"{configuration['title']}, {n_pes(configuration['pes'])}: {printable(why)}")
    return list(dict.fromkeys(lines))


def n_pes(n):
    return f"{n} PE" if n == 1 else f"{n} PEs"
