"""Prints every comment of the library that names what is not there, or that is cut off from what it describes.

A name in backticks, or one with `()` after it, is in the code of the same file, of its header or source, or of what
these include; a qualified name (`substrate::wait`) may be anywhere in the library. Words that users write, such as the
names of substrates, are string literals; layers are folders. The declaration follows its `///` text directly: no blank line, no other
comment. Lines of examples, which are indented, may contain anything. Before that, bad files must be caught, so that
silence means something.

  comments.test.py [ROOT]     default: $SHOAL_SOURCE
"""
import os
import re
import sys
from pathlib import Path

# Names of the language, of other libraries and of the build.
FOREIGN = {"main", "std", "shoal", "hardware_destructive_interference_size", "pt2pt", "mpi_assert_allow_overtaking",
           "MPI_Comm_c2f", "rdma", "layering", "checked", "general"}

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
EXAMPLE = re.compile(r"///? {3,}")
NAMED = re.compile(r"`([\w:.]+)(?:\([^`]*\))?`|(?<![\w:.>~`])([a-z_]\w*(?:(?:::|\.)\w+)*)\(\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


class library:
    def __init__(self, texts):
        """`texts`: by path relative to src."""
        self.texts = texts
        self.literals = {word for text in texts.values() for word in LITERAL.findall(text)}
        self.folders = {folder for file in texts for folder in file.split("/")[:-1]}
        self.words = {file: set(re.findall(r"[A-Za-z_]\w*", COMMENT.sub(" ", LITERAL.sub('""', text))))
                      for file, text in texts.items()}
        self.everywhere = set().union(*self.words.values())

    def near(self, file):
        """The words of a file, of its other half, and of all that they include."""
        left, seen = [re.sub(r"\.[hc]pp$", kind, file) for kind in (".hpp", ".cpp")], set()
        while left:
            one = left.pop()
            if one not in self.texts or one in seen:
                continue
            seen.add(one)
            left += INCLUDE.findall(self.texts[one])
        return set().union(*(self.words[one] for one in seen))

    def faults(self, file):
        near = self.near(file) | self.literals | self.folders | FOREIGN
        lines = self.texts[file].splitlines()
        for number, line in enumerate(lines, 1):
            comment = re.search(r"//.*", LITERAL.sub('""', line))
            if comment and not EXAMPLE.match(comment[0]):
                for ticked, called in NAMED.findall(comment[0]):
                    name = ticked or called
                    known = self.everywhere | near if "::" in name else near
                    if any(part not in known and not part.isdigit() for part in re.findall(r"\w+", name)):
                        yield f"{file}:{number}: names {name}, which is not there"
            following = lines[number].strip() if number < len(lines) else ""
            is_end_of_text = line.lstrip().startswith("///") and not following.startswith("///")
            if is_end_of_text and (not following or following.startswith(("//", "}"))):
                yield f"{file}:{number}: describes nothing: no declaration follows"


def self_test():
    good = {
        "a.hpp": '/// About the file.\n#pragma once\n#include "b.hpp"\n\n/// Calls `there`, there(), `one::elsewhere` or `sim`; '
                 'see b().\n///\n///     anything.at_all(`x`);\nint there();  // `there` says "gone()"\n',
        "b.hpp": "int b();\n",
        "a.cpp": '#include "a.hpp"\nconst char* kinds[] = {"sim"};\n// `there` and `b`\n',
        "c.cpp": "struct one { int elsewhere; };\n",
    }
    bad = {
        "bad1.hpp": "/// Like `gone`.\nint f();\n",
        "bad2.hpp": "/// Like gone().\nint f();\n",
        "bad3.hpp": "/// Like `elsewhere`, which it does not include.\nint f();\n",
        "bad4.hpp": "/// Returns one.\n\nint f();\n",
        "bad5.hpp": "/// Returns one.\n// --- Part\nint f();\n",
        "bad6.hpp": "struct s {\n  int f();\n  /// Returns one.\n};\n",
        "bad7.hpp": "/// As one::gone_too does.\nint f();\n/// As `one::gone_too` does.\nint g();\n",
    }
    tree = library(good | bad)
    caught = {file for file in tree.texts if list(tree.faults(file))}
    if caught != set(bad):
        sys.exit(f"self-test: missed {sorted(set(bad) - caught)}, "
                 f"wrongly caught {[fault for file in caught - set(bad) for fault in tree.faults(file)]}")


self_test()
root = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["SHOAL_SOURCE"]) / "src"
tree = library({path.relative_to(root).as_posix(): path.read_text() for path in sorted(root.rglob("*.[hc]pp"))})
found = [fault for file in tree.texts for fault in tree.faults(file)]
print("\n".join(found) or "all comments name what is there")
sys.exit(bool(found))
