"""Reads suites: TOML files that say which kernels run, with which options, on how many PEs, how often."""
import dataclasses
import json
import os
import subprocess
import tomllib
from importlib import resources
from pathlib import Path

from shoal_bench.words import printable, suggestion, usage_error

OWN = resources.files(__package__) / "suites"  # perhaps in an archive

# Of a suite, and of each kernel in it: what a value must be, in words.
KEYS = {"title": "a text", "pes": 'a list of numbers of PEs, or "doubling"', "processes": "a whole number from 1 to 1000",
        "repeat": "a whole number from 1 to 1000000", "minutes": "a number above 0", "timeout": "a number above 0",
        "reference": "a text", "kernel": "a list of tables [[kernel]]"}
KERNEL_KEYS = {"name": "a text", "title": "a text", "options": "a table of options", "divided_by_pes": "a table of numbers",
               "variants": "a list of texts", "baseline": "true or false", "optional": "true or false",
               "pes": KEYS["pes"]}


@dataclasses.dataclass(frozen=True)
class configuration:
    """What one job runs."""
    title: str
    kernel: str
    options: dict
    variants: list
    has_baseline: bool
    pes: int


@dataclasses.dataclass(frozen=True)
class suite:
    name: str
    text: str  # of its file
    title: str
    processes: int  # jobs of each configuration
    repeat: int  # timed runs of each variant in a job
    minutes: float  # no round of jobs begins that would end later
    timeout: float  # seconds that a job may take
    reference: str  # the variant that others are compared with
    configurations: list
    left_out: list  # why, a line for each


def known_kernels(program):
    """What `shoal list --json` says, by name."""
    try:
        listed = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True, timeout=60)
        return {kernel["kernel"]: kernel for kernel in map(json.loads, listed.stdout.splitlines())}
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise usage_error(f"{program} does not list its kernels ({error}); is it a shoal of this version?") from error


def numbers_of_pes(value, n_cores):
    """1, 2, 4, ... and the number of cores for "doubling"."""
    if value != "doubling":
        return value
    powers = [2**i for i in range(n_cores.bit_length())]
    return powers if powers[-1] == n_cores else [*powers, n_cores]


def own_suites():
    return sorted(file.name.removesuffix(".toml") for file in OWN.iterdir())


def read_text(name):
    """The text of a suite: one of ours, or a file."""
    own = own_suites()
    try:
        return (OWN / f"{name}.toml" if name in own else Path(name)).read_text(encoding="utf-8")
    except OSError as error:
        looks_like_a_file = "/" in name or name.endswith(".toml")
        what = f"suite {printable(name)} cannot be read ({os.strerror(error.errno)})" if looks_like_a_file else \
            f"there is no suite {printable(name)}" + suggestion(name, own)
        raise usage_error(f"{what}; give {', '.join(own)} or a file") from error
    except UnicodeDecodeError as error:
        raise usage_error(f"suite {printable(name)} is not a text in UTF-8 ({error})") from error


class reader:
    """Checks the values of one suite. Each mistake names the file and the key."""

    def __init__(self, name, kernels, n_cores, pes=None):
        """`pes`: numbers of PEs instead of the suite's."""
        self.name = printable(name)
        self.kernels = kernels
        self.n_cores = n_cores
        self.pes = pes

    def fail(self, where, what):
        raise usage_error(f"suite {self.name}: {where}{' ' if where else ''}{printable(what)}")

    def table(self, where, table, keys):
        for key, value in table.items():
            if key not in keys:
                self.fail(where, f"has no key {key}{suggestion(key, list(keys))}")
            if not is_right(keys[key], value):
                self.fail(where, f"{key} = {json.dumps(value, default=str)} is not {keys[key]}")

    def suite(self, text):
        try:
            given = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.fail("", f"is not TOML: {error}")
        self.table("", given, KEYS)
        if not given.get("kernel"):
            self.fail("", "has no kernel; add a table [[kernel]] with its name")
        configurations, left_out = [], []
        for number, table in enumerate(given["kernel"], 1):
            found = self.configurations(number, table, given)
            if found is None:
                left_out.append(f"kernel {table['name']}: this shoal does not have it")
            configurations += found or []
        titles = [(c.title, c.pes) for c in configurations]
        for title, pes in titles:
            if titles.count((title, pes)) > 1:
                self.fail("", f"has two kernels with title {title}; give one another title")
        if not configurations:
            self.fail("", "has no kernel that this shoal has")
        reference = given.get("reference", "actor")
        if not any(reference in c.variants for c in configurations):
            self.fail("", f"reference = {reference}: no kernel runs this variant")
        return suite(name=self.name, text=text, title=given.get("title", self.name), processes=given.get("processes", 7),
                     repeat=given.get("repeat", 5), minutes=float(given.get("minutes", 600)),
                     timeout=float(given.get("timeout", 600)), reference=reference, configurations=configurations,
                     left_out=left_out)

    def configurations(self, number, table, given):
        """Those of one kernel; None if it is optional and this shoal does not have it."""
        if not isinstance(table.get("name"), str):
            self.fail(f"kernel {number}", "needs name, a text")
        name = table["name"]
        where = f"kernel {number} ({printable(name)})"
        self.table(where, table, KERNEL_KEYS)
        if name not in self.kernels:
            if table.get("optional", False):
                return None
            self.fail(where, f"is not a kernel of this shoal{suggestion(name, list(self.kernels))}")
        kernel = self.kernels[name]
        variants = table.get("variants", kernel["variants"])
        for variant in variants:
            if variant not in kernel["variants"]:
                self.fail(where, f"has no variant {variant}{suggestion(variant, kernel['variants'])}")
        has_baseline = table.get("baseline", kernel["has_loop"])
        if has_baseline and not kernel["has_loop"]:
            self.fail(where, "has no plain loop; leave baseline out")
        options = table.get("options", {})
        divided = table.get("divided_by_pes", {})
        for option, value in [*options.items(), *divided.items()]:
            if option not in kernel["options"]:
                self.fail(where, f"has no option {option}{suggestion(option, list(kernel['options']))}")
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                self.fail(where, f"option {option} = {json.dumps(value, default=str)} is neither a text nor a number")
        return [configuration(title=table.get("title", name), kernel=name,
                              options={**{option: str(value) for option, value in options.items()},
                                       **{option: repr(value / pes) for option, value in divided.items()}},
                              variants=variants, has_baseline=has_baseline, pes=pes)
                for pes in self.pes or numbers_of_pes(table.get("pes", given.get("pes", "doubling")), self.n_cores)]


def is_whole(value, most):
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_list_of(kind, value):
    return isinstance(value, list) and value != [] and all(isinstance(v, kind) for v in value)


def is_right(wanted, value):
    match wanted:
        case "a text": return isinstance(value, str) and value != ""
        case "true or false": return isinstance(value, bool)
        case "a number above 0": return is_number(value) and value > 0
        case "a table of options": return isinstance(value, dict)
        case "a table of numbers": return isinstance(value, dict) and all(map(is_number, value.values()))
        case "a list of texts": return is_list_of(str, value)
        case "a list of tables [[kernel]]": return is_list_of(dict, value)
        case "a whole number from 1 to 1000": return is_whole(value, 1000)
        case "a whole number from 1 to 1000000": return is_whole(value, 1_000_000)
    return value == "doubling" or is_list_of(int, value) and all(is_whole(v, 1_000_000) for v in value)
