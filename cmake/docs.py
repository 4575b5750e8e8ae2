#!/usr/bin/env python3
"""Keeps the documents true: checks that code blocks repeat compiled files and that relative links lead somewhere.

  docs.py            refreshes the code blocks in place, then checks the links
  docs.py --check    changes nothing; fails if a block is stale or a link is broken

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


def check_links(path, text):
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for target, _ in LINK.findall(prose):
        if ":" not in target and not (path.parent / target).exists():
            problems.append(f"{path.relative_to(ROOT)}: link to {target}, which does not exist")


def documents():
    yield from sorted(ROOT.glob("*.md"))
    for folder in "docs", "src", "kernels", "tools", "examples", "benchmarks", "test":
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
    check_links(path, fresh)
print("\n".join(problems) or "code blocks and links are right")
sys.exit(bool(problems))
