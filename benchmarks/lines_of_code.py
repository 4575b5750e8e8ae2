#!/usr/bin/env python3
"""Counts the lines of code of each form of each kernel, as a table.

  lines_of_code.py

A form is its function run_FORM and what that needs: definitions in its own file and in the headers of kernels/, found by
their names, again and again. Not counted are what makes the input and checks the answer, `#include` and `namespace`. In
comparators/ the lines between `lines: begin` and `lines: end` are counted, and what they need of their own file. cloc does the
counting, so comments and empty lines do not matter. Both forms of one-sided access are in the same functions; lines that only
one of them has count for both.
"""
import csv
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FORMS = ("agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "row_wise")
OTHERS = {"OpenSHMEM": "shmem/{}.cpp", "RMA": "mpi/rma_{}.cpp", "all-to-all": "mpi/all_to_all_{}.cpp"}
NOT_COUNTED = re.compile("problem|parameters|kernel|work|run_.*")  # input, options and answer; other forms
NAME = re.compile(r"\b(?:struct|class|enum class|using)\s+(?:\[\[.*?\]\]\s*)?(\w+)|(\w+)\s*(?:\(|=|\{)")


def definitions(text):
    """The definitions on the outermost level: (name, code). There they begin in the first column (clang-format)."""
    found, lines, depth = [], [], 0
    for line in text.splitlines():
        if not lines and not re.match(r"\w|\[\[", line) or line.startswith("namespace"):
            continue
        lines.append(line)
        code = line.split("//")[0].rstrip()
        depth += code.count("{") - code.count("}")
        if depth > 0 or not code.endswith((";", "}")):
            continue
        whole = "\n".join(lines)
        name = NAME.search("\n".join(each for each in lines if not each.startswith("template")))
        if name and ("{" in whole or "=" in whole):
            found.append((name.group(1) or name.group(2), whole))
        lines = []
    return found


def with_needed(begin, known):
    """The code `begin` and the definitions that it needs. `known`: those of each place where to look, nearest first."""
    code, taken, text = [begin], set(), begin
    while text:
        words = set(re.findall(r"\w+", text)) - taken
        text = ""
        for place in known:
            for name, lines in place:
                if name in words and name not in taken and not NOT_COUNTED.fullmatch(name):
                    code.append(lines)
                    text += lines + "\n"
            taken |= words & {name for name, _ in place}
    return "\n".join(code)


def cloc(codes):
    """The number of lines of each."""
    with tempfile.TemporaryDirectory() as folder:
        for number, code in enumerate(codes):
            Path(folder, f"{number}.cpp").write_text(code + "\n")
        done = subprocess.run(["cloc", "--quiet", "--csv", "--by-file", "--skip-uniqueness", folder], text=True,
                              capture_output=True, check=True)
    lines = {int(Path(line[1]).stem): int(line[-1]) for line in csv.reader(done.stdout.splitlines())
             if len(line) > 1 and line[1].startswith(folder)}
    return [lines[number] for number in range(len(codes))]


def code_of_form(folder, form):
    file = folder / ("agp.cpp" if form == "agp_nb" else f"{form}.cpp")
    if not file.exists():
        return None
    begin = [lines for name, lines in definitions(file.read_text()) if name == f"run_{form}"]
    if not begin:
        return None
    here = sorted(folder.glob("*.hpp")) + sorted(folder.glob("problem.cpp"))
    places = [[file], here, sorted((ROOT / "kernels").glob("*.hpp"))]
    known = [[each for one in place for each in definitions(one.read_text())] for place in places]
    return with_needed(begin[0], known)


def code_of_comparator(program):
    if not program.exists():
        return None
    text = program.read_text()
    marked = re.findall(r"// lines: begin\n(.*?)// lines: end", text, re.DOTALL)
    return with_needed("".join(marked), [definitions(text)])


def geometric_mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def count_all():
    """{kernel: {form: lines, or None where there is no such form}}."""
    code = {}
    for folder in sorted(each for each in (ROOT / "kernels").iterdir() if (each / "actor.cpp").exists()):
        code |= {(folder.name, form): code_of_form(folder, form) for form in FORMS}
        code |= {(folder.name, name): code_of_comparator(ROOT / "comparators" / path.format(folder.name))
                 for name, path in OTHERS.items()}
    present = [key for key in code if code[key]]
    lines = dict(zip(present, cloc([code[key] for key in present])))
    table = {}
    for kernel, form in code:
        table.setdefault(kernel, {})[form] = lines.get((kernel, form))
    return table


def main():
    try:
        subprocess.run(["cloc", "--version"], capture_output=True, check=True)
    except OSError:
        sys.exit("lines_of_code.py: no cloc (Debian: cloc)")
    table = count_all()
    print("| kernel |", " | ".join([*FORMS, *OTHERS]), "|")
    print("|---|" + "---|" * (len(FORMS) + len(OTHERS)))
    for kernel, counts in table.items():
        print(f"| `{kernel}` |", " | ".join(str(n or "") for n in counts.values()), "|")
    for form in ("conveyor", "agp"):
        ratios = {kernel: counts["actor"] / counts[form] for kernel, counts in table.items() if counts[form]}
        longest = max(ratios, key=ratios.get)
        print(f"\nactor over {form}: {geometric_mean(ratios.values()):.2f} in geometric mean, at most "
              f"{ratios[longest]:.2f} ({longest})")


if __name__ == "__main__":
    main()
