#!/usr/bin/env python3
"""Keeps the documents true: checks that code blocks repeat compiled files, that relative links lead somewhere, and that
the files that the text names, such as `conveyor/kinds/exstack.hpp`, are there.

  docs.py            refreshes the code blocks in place, then checks the rest
  docs.py --check    changes nothing; fails if a block is stale, a link is broken or a file is not there

The line above a block binds it to a source; with #NAME, to the lines there between `// [NAME]` and `// [/NAME]`:

  <!-- snippet: examples/hello.cpp#send -->
  ```cpp
  ...
  ```
"""
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- snippet: ([^\s#]+)(?:#(\S+))? -->\n```\w*\n)(.*?)(^```$)", re.M | re.S)
MARK = re.compile(r"^\s*(//|#) \[/?[\w-]+\]\n", re.M)
# A file in a folder, in text as code; not a pattern, nor one with a part for the reader to fill in.
FILE = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:[hc]pp|py|sh|md|txt|cmake|pml))`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s#]+)(#[^)\s]*)?\)")

problems = []


def snippet(page, path, name):
    source = ROOT / path
    if not source.is_file():
        problems.append(f"{page}: snippet of {path}, which does not exist")
        return ""
    text = source.read_text()
    if name:
        found = re.search(rf"^\s*(?://|#) \[{re.escape(name)}\]\n(.*?)^\s*(?://|#) \[/{re.escape(name)}\]",
                          text, re.M | re.S)
        if not found:
            problems.append(f"{page}: {path} has no lines between [{name}] and [/{name}]")
            return ""
        text = found[1]
    return textwrap.dedent(MARK.sub("", text)).strip("\n") + "\n"


def check_names(path, text):
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for target, _ in LINK.findall(prose):
        if ":" not in target and not (path.parent / target).exists():
            problems.append(f"{path.relative_to(ROOT)}: link to {target}, which does not exist")
    for file in FILE.findall(prose):
        # The change log also names what is gone.
        if path.name != "CHANGELOG.md" and not any((folder / file).exists() for folder in (path.parent, ROOT, ROOT / "src", ROOT / "src/shoal")):
            problems.append(f"{path.relative_to(ROOT)}: `{file}` does not exist")


def documents():
    yield from sorted(ROOT.glob("*.md"))
    for folder in "docs", "src", "kernels", "applications", "tools", "examples", "benchmarks", "test":
        yield from sorted((ROOT / folder).rglob("*.md"))


check_only = "--check" in sys.argv[1:]
for path in documents():
    page = path.relative_to(ROOT)
    text = path.read_text()
    fresh = BLOCK.sub(lambda m: m[1] + snippet(page, m[2], m[3]) + m[5], text)
    if fresh != text and check_only:
        problems.append(f"{page}: a code block differs from its source; run `make docs`")
    elif fresh != text and not problems:
        path.write_text(fresh)
        print(f"refreshed {page}")
    check_names(path, fresh)
print("\n".join(problems) or "code blocks, links and files are right")
sys.exit(bool(problems))
