#!/usr/bin/env python3
"""Goal: shoal-translate never crashes: whatever a file is, it gives status 0, 1 or 2, says what it could not do, and writes
nothing if the file does not compile. Mutated sources, and files of other kinds.

  broken.test.py [FIRST [N]]       other mutations than those of this test
"""
# programs: all_tools shoal
# timeout: 1500
import concurrent.futures
import os
import random
import sys
import tempfile
from pathlib import Path

import mutations
from programs import HCLIB, NATIVE, SOURCE, translate

sys.path.insert(0, str(SOURCE / "test/support"))
from share import SHARE

CASES = SOURCE / "test/translate/cases"
SMALL = (SOURCE / "test/translate/small_shoal.hpp").read_text()
BASES = ["rules", "refused"]


# Of what a translation includes, with the real library or without.
OPTIONAL = """#pragma once
#ifdef SMALL
namespace std {
template <class T>
struct optional {
  template <class... A>
  T& emplace(A&&... a) { return *operator->(); }
  T* operator->() { return nullptr; }
};
}
#else
#include_next <optional>
#endif
"""
EXCEPTION = """#pragma once
#ifdef SMALL
namespace std {
int uncaught_exceptions();
}
#else
#include_next <exception>
#endif
"""


def judge(source, made, *flags):
    """None, or what is wrong with how a file was treated."""
    job = translate(source, "-o", made, "--report", "--", *flags)
    if job.returncode not in (0, 1, 2):
        return f"status {job.returncode}: {job.stderr[-600:]}"
    if job.returncode != 0 and not ("nothing is written" in job.stderr or job.returncode == 2):
        return f"it does not say that nothing is written: {job.stderr[-600:]}"
    if job.returncode != 0 and made.exists():
        return "it writes a file that does not compile"
    if job.returncode == 0 and not made.exists():
        return "it says that it has written a file, and has not"
    if job.returncode != 0:
        return None
    again = made.with_suffix(".again.cpp")
    job = translate(made, "-o", again, "--", *flags)
    if job.returncode != 0:
        return f"what it writes does not compile: {job.stderr[-1500:]}"
    return None if made.read_bytes() == again.read_bytes() else "a second translation changes the first"


def base(number):
    """A source without includes."""
    text = (CASES / f"{BASES[number % len(BASES)]}.cpp").read_text()
    return SMALL + "\n".join(line for line in text.split("\n") if not line.startswith("#include"))


def mutated(number, folder):
    draw = random.Random(number)
    text = base(number)
    at = len(SMALL)
    for _ in range(draw.choice([1, 1, 2])):
        changed = draw.choice(mutations.ALL)(draw, text[at:])
        if isinstance(changed, bytes):
            changed = changed.decode(errors="surrogateescape")
        text = text[:at] + changed
    source = folder / f"m{number}.cpp"
    source.write_bytes(text.encode(errors="surrogateescape"))
    return number, judge(source, folder / f"m{number}.made.cpp", "-std=c++20", "-nostdinc", "-DSMALL", f"-I{folder}"), source


def others(folder):
    """Files of other kinds, by name."""
    rules = (CASES / "rules.cpp").read_bytes()
    deep = b"int f() { return " + b"(" * 4000 + b"1" + b")" * 4000 + b"; }\n"
    blocks = b"void f() { " + b"{" * 200 + b"}" * 200 + b" }\n"
    closures = "world.send(0, [](shoal::world& world) { " * 60 + "}); " * 60
    lambdas = (SMALL + "void f(shoal::world& world) { world.finish([&] { " + closures + "}); }\n").encode()
    one_send = SMALL + "void f(shoal::world& w) { w.finish([&] { w.send(0, [] {}); }); }\n"
    return {
        "empty.cpp": b"", "blanks.cpp": b" \n\t\n", "no_end.cpp": b"int x;", "binary.cpp": bytes(range(256)) * 50,
        "elf.cpp": Path("/bin/true").read_bytes()[:20000], "zeros.cpp": b"\0" * 5000, "crlf.cpp": rules.replace(b"\n", b"\r\n"),
        "missing.cpp": b'#include "no/such/file.hpp"\n' + rules, "itself.cpp": b'#include "itself.cpp"\n',
        "utf16.cpp": rules.decode().encode("utf-16"), "c.c": b"int main(void) { int class = 1; return class - 1; }\n",
        "text.cpp": b"This is no program. Don't translate it.\n", "macro.cpp": b"#define X X X\nX\n", "if.cpp": b"#if 1\nint x;\n",
        "comment.cpp": b"/* no end", "string.cpp": b'const char* s = "no end', "raw.cpp": b'const char* s = R"(no end',
        "deep.cpp": deep, "blocks.cpp": blocks, "lambdas.cpp": lambdas, "concepts.cpp": b"template <class T> concept c = c<T>;\n",
        "recursion.cpp": b"template <int n> struct s { s<n + 1> x; };\ns<0> x;\n", "error.cpp": b"#error no\n",
        "line.cpp": ('#line 1 "other.cpp"\n' + one_send).encode(),
        "assembly.cpp": b"movl %eax, %ebx\n", "fortran.cpp": b"      PROGRAM MAIN\n      END\n", "script.cpp": b"#!/bin/sh\nexit 0\n",
    }


def main():
    first, n = (int(sys.argv[1]) if len(sys.argv) > 1 else 1), (int(sys.argv[2]) if len(sys.argv) > 2 else 120 // SHARE)
    folder = Path(tempfile.mkdtemp(prefix="shoal-broken-"))
    (folder / "optional").write_text(OPTIONAL)
    (folder / "exception").write_text(EXCEPTION)
    wrong = 0
    n_compile = 0
    for name, data in others(folder).items():
        source = folder / name
        source.write_bytes(data)
        why = judge(source, folder / (name + ".made.cpp"), "-std=c++20", *NATIVE[1:])
        if why is not None:
            wrong += 1
            print(f"{source}: {why}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for number, why, source in pool.map(lambda i: mutated(i, folder), range(first, first + n)):
            n_compile += (folder / f"m{number}.made.cpp").exists()
            if why is not None:
                wrong += 1
                print(f"{source}: mutation {number}: {why}", flush=True)
    print(f"{n} mutations from {first} on, of which {n_compile} compile, and {len(others(folder))} other files: "
          f"{wrong} treated wrongly")
    if n_compile < n // 20:
        print("too few mutations compile to say anything")
        wrong += 1
    if wrong == 0:
        for path in folder.iterdir():
            path.unlink()
        folder.rmdir()
    return 1 if wrong else 0


sys.exit(main())
