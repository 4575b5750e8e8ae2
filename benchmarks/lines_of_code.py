#!/usr/bin/env python3
"""Counts the lines of code of each form of each kernel, as a table.

  lines_of_code.py

A form is its function run_FORM and what that uses, again and again: definitions of its own file, of its kernel's folder and of
the headers of kernels/. A function is used where it is called; of several with one name, by as many arguments as it takes.
What is in an unnamed namespace is used in its own file alone. Not counted are what makes the input and checks the answer
(`problem`, `parameters`, kernel.cpp, reference.cpp, check.cpp), other forms, `#include` and `namespace`. In
comparators/ the lines between `lines: begin` and `lines: end` are counted, and what they use of their own file. cloc does the
counting, so comments and empty lines do not matter. Both forms of one-sided access are in the same functions; lines that only
one of them has count for both.
"""
import csv
import dataclasses
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
NOT_SEARCHED = {"kernel.cpp", "reference.cpp", "check.cpp"}
NAME = re.compile(r"\b(?P<type>(?:struct|class|enum class|using)\s+)(?:\[\[.*?\]\]\s*)?(?P<name>\w+)"
                  r"|(?P<member>\w+(?:<[^<>]*>)?::)?(?P<other>~?\w+)\s*(?P<after>\(|=|\{)")


@dataclasses.dataclass(frozen=True)
class Definition:
    name: str
    code: str
    kind: str  # type, function, member (of a class that is defined elsewhere), value
    file: Path
    is_local: bool  # in an unnamed namespace


def kind_of(found):
    if found["type"]:
        return "type"
    if found["after"] == "(":
        return "member" if found["member"] else "function"
    return "value"


def definitions(text, file=Path()):
    """The definitions on the outermost level. There they begin in the first column (clang-format)."""
    found, lines, depth, is_local = [], [], 0, False
    for line in text.splitlines():
        if not lines and re.match(r"namespace \{", line):
            is_local = True
        if not lines and re.match(r"\}  // namespace$", line):
            is_local = False
        if not lines and not re.match(r"\w|\[\[", line) or line.startswith("namespace"):
            continue
        lines.append(line)
        code = line.split("//")[0].rstrip()
        depth += code.count("{") - code.count("}")
        if depth > 0 or not code.endswith((";", "}")):
            continue
        whole = "\n".join(lines)
        name = NAME.search(without_noise("\n".join(each for each in lines if not each.startswith("template"))))
        if name and ("{" in whole or "=" in whole):
            found.append(Definition(name["name"] or name["other"], whole, kind_of(name), file, is_local))
        lines = []
    return found


def without_noise(code):
    """Without comments, texts and names of std."""
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', re.sub(r"//.*", "", code))
    return re.sub(r"\bstd::(?:\w+::)*\w+", "std", code)


def parts(code, begin):
    """What stands between the parenthesis at `begin` and its end, divided at its commas."""
    found, depth, angles = [""], 0, 0
    for at in range(begin + 1, len(code)):
        c = code[at]
        if c in ")]}" and depth == 0:
            break
        depth += (c in "([{") - (c in ")]}")
        if c == "<" and re.match(r"\w", code[at - 1]):  # of a template, not "less than"
            angles += 1
        if c == ">" and angles > 0:
            angles -= 1
        if c == "," and depth == 0 and angles == 0:
            found.append("")
        else:
            found[-1] += c
    return [part for part in found if part.strip()]


def n_arguments(definition):
    """The numbers of arguments with which a function can be called."""
    code = without_noise(definition.code)
    taken = parts(code, re.search(rf"\b{definition.name}\s*\(", code).end() - 1)
    return range(sum("=" not in each for each in taken), len(taken) + 1)


def uses(code, definition, is_overloaded):
    name = re.escape(definition.name)
    if definition.kind in ("type", "value"):
        return re.search(rf"(?<![.\w])(?<!->){name}\b", code) is not None
    before = r"(?<!\w)" if definition.kind == "member" else r"(?<![.\w])(?<!->)"
    calls = list(re.finditer(rf"{before}{name}\s*(?:<[^;(){{}}]*>\s*)?\(", code))
    if not is_overloaded:
        return bool(calls)
    return any(len(parts(code, call.end() - 1)) in n_arguments(definition) for call in calls)


def with_used(begin, file, places):
    """The code `begin`, of `file`, and the definitions that it uses. `places`: the definitions to look among, nearest first;
    those of the file itself are nearer than all."""
    code, todo, taken = [], [(begin, file)], set()
    while todo:
        text, its_file = todo.pop()
        code.append(text)
        text = without_noise(text)
        visible = [[d for d in place if not d.is_local or d.file == its_file] for place in places]
        nearest = [[d for place in visible for d in place if d.file == its_file], *visible]
        for name in sorted(set(re.findall(r"\w+", text))):
            if NOT_COUNTED.fullmatch(name):
                continue
            named = next((some for place in nearest if (some := [d for d in place if d.name == name])), [])
            for d in named:
                is_overloaded = len([e for e in named if e.kind == d.kind]) > 1
                if d not in taken and uses(text, d, is_overloaded):
                    taken.add(d)
                    todo.append((d.code, d.file))
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
    begin = [d.code for d in definitions(file.read_text()) if d.name == f"run_{form}"]
    if not begin:
        return None
    places = [definitions_of([file]), definitions_of(files_of(folder, file)),
              definitions_of(sorted((ROOT / "kernels").glob("*.hpp")))]
    return with_used(begin[0], file, places)


def definitions_of(files):
    return [d for file in files for d in definitions(file.read_text(), file)]


def files_of(folder, file):
    """Of a kernel, those that a form in `file` may use: not the files of other forms."""
    for each in sorted(folder.glob("*.[ch]pp")):
        is_form = re.search(r"^\w.* run_\w+\(.*\{$", each.read_text(), re.MULTILINE)
        if each != file and each.name not in NOT_SEARCHED and not (each.suffix == ".cpp" and is_form):
            yield each


def code_of_comparator(program):
    if not program.exists():
        return None
    text = program.read_text()
    marked = re.findall(r"// lines: begin\n(.*?)// lines: end", text, re.DOTALL)
    return with_used("".join(marked), program, [definitions(text, program)])


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
