"""Prints every include, getenv, friend and file length that breaks the rules of the layers, and fails if there is one.

A file includes its own layer and layers to its left. Kernels, applications and examples include what a program may
include, nothing in a folder `internal`; what lies there is in namespace shoal::internal. The README of a layer, of
tools/conveyor_bench and of an application lists the files that are there. MPI and SHMEM headers appear under
substrate/internal/<backend>/ only; the environment is read in base/internal/environment.cpp only. A class of the
library befriends classes of its own file only, and a file of the library has 400 lines at most. No program that a PE or
a tool starts inherits a descriptor that the library opened.
Before that, a deliberately bad tree must be caught, so that silence means something.

  layering.test.py [ROOT]     default: $SHOAL_SOURCE
"""
import os
import re
import sys
import tempfile
from pathlib import Path

# A layer may include its own headers and those of a lower rank. The umbrella header has the highest rank. Layers of the
# same rank may not include each other.
RANKS = {"base": 0, "codec": 1, "substrate": 1, "launcher": 2, "control": 2, "conveyor": 3, "actor": 4, "task": 5, "dataflow": 6, "pgas": 5,
         "graph": 6, "shoal": 7, "compat": 7, "kernels": 8, "applications": 8, "tools": 9, "benchmarks": 9, "examples": 9, "test": 10}
# No other layer of the library includes these: they are for tools, benchmarks and tests, or for programs of other systems.
APART = {"launcher", "compat"}
FRIEND = re.compile(r"^\s*friend (?:class|struct) (\w+);")
LINES_MAX = 400
KINDS = "/conveyor/kinds/"
# Programs as users write them.
PROGRAMS = {"kernels", "applications", "examples"}
NAMESPACE = re.compile(r"^namespace (shoal[\w:]*) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
# A namespace block that only announces names of the public face.
DECLARATIONS = re.compile(r"(\n|(template <.*>\n)?(class|struct|enum class) \w+( : [\w:]+)?;.*\n)*")
# In a README, a file or, after a header, "`.cpp`".
LISTED = re.compile(r"`([\w/]+\.[hc]pp)`")
ROOTS = ("src", "kernels", "applications", "tools", "benchmarks", "examples", "test")

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
GETENV = re.compile(r"\b(secure_)?getenv\s*\(")
# A call that opens a descriptor, to the end of its statement.
OPENING = re.compile(r"(?:(?<![\w>])::|\bstd::f)(?:open|fopen|socket|accept4?|memfd_create|pipe2?|dup|signalfd|eventfd|epoll_create1?|"
                     r"timerfd_create|recvmsg)\s*\([^;]*;")
CLOSE_ON_EXEC = re.compile(r'CLOEXEC|"re"')
FOREIGN = re.compile(r"^(mpi|mpi-ext|shmem|shmemx|pmi2?|pmix)\.h$")
BACKEND = re.compile(r"^src/shoal/substrate/internal/[^/]+/")
OWN_LIBRARY = re.compile(r"^(test/.*\.program\.(mpi|shmem)\.cpp$|tools/network_bench/library/|test/compat/programs/|"
                         r"test/translate/cases/)")
# The launcher passes its own environment on to the PEs.
READS_ENVIRONMENT = re.compile(r"^(src/shoal/base/internal/environment\.cpp$|tools/shoalrun/|"
                               r"tools/network_bench/library/|test/|"
                               r"src/shoal/launcher/internal/start_pe\.cpp$)")


def layer_of(path):
    """'src/shoal/actor/internal/spill.hpp' is of layer 'actor', 'src/shoal/shoal.hpp' of 'shoal'."""
    parts = path.split("/")
    if parts[0] != "src":
        return parts[0]
    return parts[2] if len(parts) > 3 else "shoal"


def resolve(root, file, included):
    """The included file relative to root, or None if it is not one of ours."""
    for candidate in (root / file).parent / included, root / "src" / included, root / included:
        if candidate.is_file():
            return os.path.relpath(candidate.resolve(), root.resolve())
    return None


def complaint(root, file, included):
    # Programs of tests and tools that call the library themselves.
    if FOREIGN.match(included) and not BACKEND.match(file) and not OWN_LIBRARY.search(file):
        return "belongs under src/shoal/substrate/<backend>/"
    target = resolve(root, file, included)
    if target is None:
        return None
    source_layer, target_layer = layer_of(file), layer_of(target)
    if source_layer == target_layer == "conveyor" and KINDS in target and KINDS not in file:
        return "kinds of conveyors are built of the layer, not the layer of them"
    if source_layer == target_layer or source_layer == "test":
        return None
    if RANKS[target_layer] >= RANKS[source_layer]:
        return f"{target_layer} is not to the left of {source_layer}"
    if target_layer in APART and file.startswith("src/"):
        return f"{target_layer} is no part of what programs run"
    if source_layer in PROGRAMS and "/internal/" in target:
        return "no program includes what is internal"
    return None


def violations(root):
    for top in ROOTS:
        for path in sorted((root / top).rglob("*.[hc]pp")):
            file = path.relative_to(root).as_posix()
            text = path.read_text()
            lines = text.splitlines()
            if top == "src" and len(lines) > LINES_MAX:
                yield f"{file}:{LINES_MAX + 1}: {len(lines)} lines; a file of the library has {LINES_MAX} at most"
            for number, line in enumerate(lines, 1):
                if top == "src" and (found := FRIEND.match(line)):
                    if not re.search(rf"\b(class|struct) {found[1]}\b[^;]*{{", text):
                        yield f"{file}:{number}: befriends {found[1]}, which is not of this file"
                if found := INCLUDE.match(line):
                    if why := complaint(root, file, found[1]):
                        yield f"{file}:{number}: includes {found[1]}: {why}"
                if GETENV.search(line.split("//")[0]) and not READS_ENVIRONMENT.match(file):
                    yield f"{file}:{number}: getenv: belongs in src/shoal/base/internal/environment.cpp"
            for opening in OPENING.finditer(text) if top in ("src", "tools") else ():
                if not CLOSE_ON_EXEC.search(opening[0]):
                    number = text[:opening.start()].count("\n") + 1
                    yield f"{file}:{number}: opens a descriptor that is not close-on-exec"
            if "/internal/" in file:
                for block in NAMESPACE.finditer(text):
                    if not block[1].startswith("shoal::internal") and not DECLARATIONS.fullmatch(block[2]):
                        number = text[:block.start()].count("\n") + 1
                        yield f"{file}:{number}: defines what is in namespace {block[1]}, not in shoal::internal"
    for readme in [*sorted((root / "src/shoal").glob("*/README.md")), *root.glob("tools/conveyor_bench/README.md"),
                   *sorted(root.glob("applications/*/README.md"))]:
        yield from wrongly_listed(root, readme)


def wrongly_listed(root, readme):
    """What a layer's README lists and is not there, and what is there and not listed: a header speaks for its .cpp."""
    layer = readme.parent
    listed = set(LISTED.findall(readme.read_text()))
    there = {path.relative_to(layer).as_posix() for path in layer.rglob("*.[hc]pp")}
    name = readme.relative_to(root).as_posix()
    for file in sorted(listed - there):
        if not (root / "src/shoal" / file).is_file():
            yield f"{name}:1: lists {file}, which is not there"
    for file in sorted(there - listed):
        if not (file.endswith(".cpp") and file[:-4] + ".hpp" in there):
            yield f"{name}:1: does not list {file}"


def self_test():
    good = {
        "src/shoal/base/types.hpp": "// getenv() is mentioned\n",
        "src/shoal/base/internal/environment.cpp": 'auto x = getenv("X");\n',
        "src/shoal/actor/actor.hpp": '#include "shoal/base/types.hpp"\n#include "shoal/actor/internal/spill.hpp"\n',
        "src/shoal/actor/internal/spill.hpp": "namespace shoal {\nclass world;\n}\n\nnamespace shoal::internal {\nclass spill;\n}\n",
        "src/shoal/codec/codec.hpp": "",
        "src/shoal/codec/codec.cpp": "",
        "src/shoal/control/internal/wave.hpp": "",
        "src/shoal/conveyor/asks.cpp": '#include "shoal/control/internal/wave.hpp"\n',
        "src/shoal/graph/matrix.hpp": "",
        "src/shoal/graph/pair.hpp": "class one {\n  friend class other;\n};\nclass other : base {\n};\n" + "\n" * 395,
        "src/shoal/pgas/array.hpp": "",
        "src/shoal/graph/opens.cpp": "int fd = ::open(path,\n  O_RDONLY | O_CLOEXEC);\n",
        "src/shoal/conveyor/kinds/exstack.hpp": '#include "shoal/conveyor/conveyor.hpp"\n',
        "src/shoal/conveyor/kinds/exstack.cpp": '#include "shoal/conveyor/kinds/exstack.hpp"\n',
        "src/shoal/conveyor/conveyor.hpp": "",
        "src/shoal/launcher/internal/launch.hpp": '#include "shoal/substrate/internal/local/job_page.hpp"\n',
        "src/shoal/launcher/internal/start_pe.cpp": 'auto x = getenv("X");\n',
        "src/shoal/substrate/internal/local/job_page.hpp": "",
        "src/shoal/shoal.hpp": '#include "shoal/actor/actor.hpp"\n',
        "src/shoal/substrate/internal/mpi/link.cpp": "#include <mpi.h>\n",
        "test/network/own.program.mpi.cpp": "#include <mpi.h>\n",
        "kernels/sum/problem.hpp": '#include <vector>\n#include "shoal/shoal.hpp"\n',
        "kernels/sum/actor.cpp": '#include "problem.hpp"\n',
        "tools/cli/calls.cpp": '#include "shoal/actor/internal/spill.hpp"\n',
        "tools/network_bench/library/mpi/job.cpp": '#include <mpi.h>\nauto x = getenv("X");\n',
        "tools/shoalrun/main.cpp": '#include "shoal/launcher/internal/launch.hpp"\nauto x = getenv("X");\n',
        "test/actor/spill.test.cpp": '#include "shoal/actor/internal/spill.hpp"\n',
    }
    bad = {
        "src/shoal/base/up.cpp": '#include "shoal/actor/actor.hpp"\n',
        "src/shoal/base/sideways.cpp": '#  include "../actor/actor.hpp"\n',
        "src/shoal/substrate/up.cpp": '#include "shoal/control/internal/wave.hpp"\n',
        "src/shoal/pgas/neighbour.cpp": "#include <shoal/graph/matrix.hpp>\n",
        "examples/peeks.cpp": '#include <shoal/actor/internal/spill.hpp>\n',
        "src/shoal/graph/internal/part.hpp": "namespace shoal {\nstruct part {};\n}\n",
        "src/shoal/codec/README.md": "- `codec.hpp`, `.cpp`: it.\n- `zip.hpp`: not any more.\n",
        "tools/conveyor_bench/README.md": "- `gone.hpp`: it.\n",
        "src/shoal/launcher/README.md": "- `internal/launch.hpp`: the call.\n",
        "src/shoal/graph/umbrella.cpp": '#include "shoal/shoal.hpp"\n',
        "src/shoal/conveyor/mpi.cpp": "#include <mpi.h>\n",
        "tools/network_bench/link.cpp": "#include <mpi.h>\n",
        "src/shoal/conveyor/internal/stream.cpp": '#include "shoal/conveyor/kinds/exstack.hpp"\n',
        "src/shoal/substrate/shmem.cpp": "#include <shmem.h>\n",
        "test/network/own.cpp": "#include <shmem.h>\n",
        "src/shoal/substrate/starts.cpp": '#include "shoal/launcher/internal/launch.hpp"\n',
        "src/shoal/actor/starts.cpp": '#include "shoal/launcher/internal/launch.hpp"\n',
        "src/shoal/launcher/internal/supervisor.cpp": 'auto x = getenv("X");\n',
        "src/shoal/actor/reads.cpp": 'auto x = std::getenv("X");\n',
        "src/shoal/graph/leaks.cpp": "int fd = ::socket(AF_INET, SOCK_STREAM, 0);\n",
        "src/shoal/actor/long.cpp": "\n" * 401,
        "src/shoal/actor/confides.hpp": "class stranger;\nclass it {\n  friend class stranger;\n};\n",
        "kernels/sum/peeks.cpp": '#include "shoal/actor/internal/spill.hpp"\n',
        "applications/lake/peeks.cpp": '#include "shoal/actor/internal/spill.hpp"\n',
        "applications/lake/README.md": "- `gone.hpp`: it.\n",
        "benchmarks/neighbour.cpp": '#include "tools/shoalrun/launch.hpp"\n',
    }
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for file, text in (good | bad | {"tools/shoalrun/launch.hpp": ""}).items():
            (root / file).parent.mkdir(parents=True, exist_ok=True)
            (root / file).write_text(text)
        caught = {line.split(":")[0] for line in violations(root)}
    if caught != set(bad):
        sys.exit(f"self-test: missed {sorted(set(bad) - caught)}, "
                 f"wrongly caught {sorted(caught - set(bad))}")


self_test()
root = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ["SHOAL_SOURCE"])
found = list(violations(root))
print("\n".join(found) or "no file breaks a layer")
sys.exit(bool(found))
