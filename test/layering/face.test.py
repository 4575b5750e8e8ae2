"""What <shoal/shoal.hpp> makes a compiler read, beside the six headers that its interface is made of, stays small.

Counts lines after preprocessing, as compile times on shared machines are no test: docs/performance.md has the times,
which follow them. Also checks that docs/headers.md lists exactly the headers that a program may include, and that few of
them are no parts of others.

  face.test.py     wants $CXX, $SHOAL_SOURCE, $SHOAL_BUILD
"""
import os
import re
import subprocess
import sys
from pathlib import Path

SIX = ("cstdint", "memory", "source_location", "span", "string", "vector")
RATIO_MAX = 1.21
# None of these may come along: each costs a program more than all of Shoal.
BANNED = ("algorithm", "deque", "functional", "iostream", "map", "random", "sstream", "unordered_map")

source = Path(os.environ["SHOAL_SOURCE"])
folders = [f"-I{source / 'src'}", f"-I{os.environ['SHOAL_BUILD']}/generated"]


def preprocessed(includes):
    text = "".join(f"#include <{name}>\n" for name in includes)
    command = [os.environ["CXX"], "-std=c++20", "-DSHOAL_CHECKED=0", *folders, "-E", "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


six, shoal = preprocessed(SIX), preprocessed(["shoal/shoal.hpp"])
ratio = shoal.count("\n") / six.count("\n")
print(f"shoal.hpp: {shoal.count(chr(10))} lines, {ratio:.2f} times the six headers")
faults = []
if ratio > RATIO_MAX:
    faults.append(f"shoal.hpp reads {ratio:.2f} times as many lines as the six headers; {RATIO_MAX} at most")
for name in BANNED:
    if re.search(rf'^# \d+ ".*/c\+\+/[^/"]+/{name}"', shoal, re.MULTILINE):
        faults.append(f"shoal.hpp includes <{name}>")

public = {path.relative_to(source / "src").as_posix() for path in (source / "src/shoal").rglob("*.hpp")
          if "internal" not in path.parts} | {"shoal/base/version.hpp"}
listed = set(re.findall(r"^\| `<([^>]+)>` \|", (source / "docs/headers.md").read_text(), re.MULTILINE))
faults += [f"docs/headers.md lists {name}, which is not there" for name in sorted(listed - public)]
faults += [f"docs/headers.md does not list {name}" for name in sorted(public - listed)]

# A part comes with another header, so that the list that programs choose from stays short.
chosen_from, parts = (set(re.findall(r"^\| `<([^>]+)>` \|", text, re.MULTILINE))
                      for text in (source / "docs/headers.md").read_text().split("\n## Parts\n"))
brought = {name for path in (source / "src/shoal").rglob("*.hpp")
           for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE)}
faults += [f"docs/headers.md calls {name} a part, but no header includes it" for name in sorted(parts - brought)]
if len(chosen_from) > 25:
    faults.append(f"docs/headers.md has {len(chosen_from)} headers that are no parts; 25 at most")
sys.exit("\n".join(faults) or 0)
