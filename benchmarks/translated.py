#!/usr/bin/env python3
"""Instructions per message of kernels: what shoal-translate makes of their lambdas, beside their hand-written classes.
On one PE that sends to itself. Needs valgrind.

  translated.py [BUILD FOLDER [KERNEL…]]     default: build/release

Compiles both alike, with -O2, and links them with the other objects of the build. Counts with callgrind what happens
inside run_actor and run_lambda for two sizes, so that what a superstep costs is left out. Prints one line per kernel.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GRAPHS = [["--graph", f"rmat:scale={scale}"] for scale in (9, 12)]
SIZES = {"histogram": [["--updates", "20000"], ["--updates", "220000"]], "index_gather": [["--reads", "20000"], ["--reads", "220000"]],
         "random_access": [["--table-log2", "12"], ["--table-log2", "16"]], "randperm": [["--entries", "5000"], ["--entries", "55000"]],
         **{kernel: GRAPHS for kernel in ("transpose", "permute", "toposort", "pagerank", "triangle", "triangle_centrality", "jaccard",
                                          "bfs", "sssp", "components", "kcore", "imm")}}


def run(command, **how):
    job = subprocess.run([str(word) for word in command], capture_output=True, text=True, **how)
    if job.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{job.stdout}{job.stderr}")
    return job


def as_one_file(sources):
    """With the includes first."""
    lines = [line for source in sources for line in source.read_text().splitlines(keepends=True)]
    return "".join(sorted(lines, key=lambda line: not line.startswith("#include")))


def build(folder, into):
    """The program of all kernels, whose lambdas are translated."""
    cache = (folder / "CMakeCache.txt").read_text()
    flags = ["-std=c++20", f"-I{ROOT}/src", f"-I{folder}/generated", f"-I{ROOT}",
             f"-DSHOAL_CHECKED={int('SHOAL_CHECKED:BOOL=ON' in cache)}"]
    zstd = [line.split("=")[1] for line in cache.splitlines() if line.startswith("SHOAL_ZSTD_LIBRARY:") and "NOTFOUND" not in line]
    sources = []
    for variant in "actor", "lambda":
        sources.append(into / f"{variant}.cpp")
        sources[-1].write_text(as_one_file(ROOT / "kernels" / kernel / f"{variant}.cpp" for kernel in SIZES))
    sources.append(into / "translated.cpp")
    run([folder / "bin/shoal-translate", sources.pop(1), "-o", sources[1], "--", *flags])
    outputs = re.findall(r" -o (kernels/[^ ]*)", (folder / "compile_commands.json").read_text())
    objects = [folder / each for each in outputs if not re.search("actor|lambda", Path(each).name)]
    run(["g++", "-O2", "-g1", "-DNDEBUG", "-fno-semantic-interposition", *flags, *sources,
         ROOT / "test/translate/cases/kernels_main.cpp", *objects, folder / "src/libshoal.a", "-lz", *zstd, "-ldl", "-pthread",
         "-o", into / "kernels"])
    return into / "kernels"


def count(program, variant, kernel, size):
    """Instructions and messages of one run."""
    job = run(["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--toggle-collect=shoal::kernels::*::run_{variant}(*",
               "--callgrind-out-file=/dev/null", program, variant, kernel, *size])
    return int(re.search(r"Collected : (\d+)", job.stderr)[1]), int(re.search(r"right, (\d+) messages", job.stdout)[1])


def per_message(program, variant, kernel):
    few, many = (count(program, variant, kernel, size) for size in SIZES[kernel])
    return (many[0] - few[0]) / (many[1] - few[1])


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release").resolve()
    with tempfile.TemporaryDirectory() as into:
        program = build(folder, Path(into))
        for kernel in sys.argv[2:] or SIZES:
            its, made = (per_message(program, variant, kernel) for variant in ("actor", "lambda"))
            print(f"bench=translated kernel={kernel} pes=1 class={its:.2f} translated={made:.2f} ratio={made / its:.3f}", flush=True)


main()
