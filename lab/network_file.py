"""Files of what a network's links cost, which the simulator reads, too (src/shoal/base/internal/network_file.hpp)."""

import pathlib
import re

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "networks"
SUFFIX = ".network"
KEYS = ("latency_ns", "overhead_ns", "gap_ns", "ns_per_byte")


class Refusal(Exception):
    """Why a file is none."""


def names():
    return sorted(path.stem for path in FOLDER.glob("*" + SUFFIX))


def figures_of(name, section):
    """The figures of a section, such as [network], in the file `name`, or in the one of that name in networks/."""
    path = pathlib.Path(name) if "/" in name else FOLDER / (name + SUFFIX)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "no text"
        raise Refusal(f"{why}; choose {', '.join(names())}, or a file, with a / in its path") from error
    figures, now = {}, None
    for number, text in enumerate(lines, 1):
        line = text.partition("#")[0].strip()
        if line.startswith("["):
            now = line
        elif now == section and line:
            entry = re.fullmatch(r"(\w+)\s*=\s*([0-9.]+(?:e[+-]?[0-9]+)?)\s*(?:\+-.*)?", line)
            try:
                figures[entry[1]] = float(entry[2])
            except (TypeError, ValueError) as error:
                raise Refusal(f"line {number} is no figure") from error
    missing = [key for key in KEYS if key not in figures]
    if missing:
        raise Refusal(f"the section {section} lacks {', '.join(missing)}")
    return figures


def shape(name):
    """As a switch needs it."""
    figures = figures_of(name, "[network]")
    round_trip = 2 * (figures["latency_ns"] + 2 * figures["overhead_ns"])
    ns_per_byte = figures["ns_per_byte"]
    return {"round_trip_ns": round(round_trip), "jitter_ns": round(figures.get("jitter_ns", 0)),
            "bits_per_second": round(8e9 / ns_per_byte) if ns_per_byte > 0 else 0}
