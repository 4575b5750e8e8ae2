"""Runs the programs that measure links, and keeps what they say."""
import os
from pathlib import Path

from shoal_bench.jobs import objects_of, reason, run_to_end


def timeout_for(seconds):
    """A link that is slow takes longer than it was given; a library has many measures."""
    return 300 + 40 * seconds


# Substrates over each library of communication.
SUBSTRATES = {"openmpi": ("mpi", "mpi-rma"), "mpich": ("mpi", "mpi-rma"), "shmem": ("shmem",)}
LAUNCHERS = {"openmpi": ["mpirun.openmpi", "-n", "2", "--oversubscribe", "--bind-to", "none"],
             "mpich": ["mpirun.mpich", "-n", "2"], "shmem": ["oshrun", "-n", "2", "--oversubscribe", "--bind-to", "none"]}


def substrates_to_measure(modules, launch):
    """(name, words for `shoal link`, words before it) of each. `modules`: libraries that have one. `launch`: the words that
    start two processes on two nodes, whose library is theirs; empty: two processes of this machine."""
    if launch:
        return [(substrate, ["--substrate", substrate], launch) for substrate in ("mpi", "mpi-rma", "shmem")]
    return [(f"{substrate}-{library}" if library != "shmem" else substrate,
             ["--substrate", substrate, *(["--mpi", library] if library != "shmem" else [])], [])
            for library, substrates in SUBSTRATES.items() if library in modules for substrate in substrates]


def usual(names, launch):
    """Those of the links that are measured unless the user chooses: a launcher starts programs of one library."""
    if not launch:
        return names
    is_shmem = any(Path(word).name.startswith(("oshrun", "shmemrun")) for word in launch)
    return [name for name in names if name == "node" or (name == "shmem") == is_shmem]


def measure_link(program, words, launch, seconds):
    """What `shoal link` says, or {"error": why}."""
    command = [*launch, program, "link", *words, "--seconds", str(seconds), "--json", "-"]
    # On one machine everything shall go through the library, unless it is the node's own link that is asked for.
    environment = {} if launch or "local" in words else {"SHOAL_NODE_SIZE": "1"}
    status, output, errors = run_to_end(command, timeout_for(seconds), environment)
    found = [line for line in objects_of(output) if "latency_ns" in line]
    return found[0] if status == 0 and found else {"error": reason(status, errors, timeout_for(seconds))}


def library_programs(program):
    """(library, path) of the programs that measure libraries without Shoal; they lie beside `shoal` or where it was
    installed."""
    folders = [Path(program).parent / "network_bench", Path(program).parent.parent / "libexec" / "shoal" / "network_bench"]
    for library in SUBSTRATES:
        name = "shmem" if library == "shmem" else "mpi"
        for folder in folders:
            if os.access(folder / library / name, os.X_OK):
                yield library, str(folder / library / name)
                break


def measure_library(path, library, launch, seconds):
    """The lines of a program that measures a library, or one {"error": why}."""
    command = [*(launch or LAUNCHERS[library]), path, "--least-seconds", str(seconds)]
    status, output, errors = run_to_end(command, timeout_for(100 * seconds))
    lines = list(objects_of(output))
    return lines if status == 0 and lines else [{"error": reason(status, errors, timeout_for(100 * seconds))}]
