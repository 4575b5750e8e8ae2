"""How tests start programs with each communication library, and whether its module was built."""

import os
import shutil
import subprocess

BIN = os.environ["SHOAL_BIN"]
MODULES = os.path.join(os.environ["SHOAL_BUILD"], "lib", "shoal")

# Module: the launcher's own name, what plain mpirun --version prints if it belongs to this library, options.
LAUNCHERS = {
    "openmpi": ("mpirun.openmpi", "Open", ["--oversubscribe"]),
    "mpich": ("mpirun.mpich", "HYDRA", []),
    "shmem": ("oshrun", None, ["--oversubscribe"]),
}

# Open MPI refuses to run as root, as containers do, unless told twice; its memory hooks crash at the end there.
OPENMPI_IN_CONTAINERS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_opal_common_ucx_opal_mem_hooks": "0",
}


def launcher(library):
    """The command that starts programs with `library`, without the number of processes; None if not available."""
    name, version, options = LAUNCHERS[library]
    if shutil.which(name):
        return [name, *options, "-n"]
    if version and shutil.which("mpirun"):
        said = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, timeout=30).stdout
        if version in said:
            return ["mpirun", *options, "-n"]
    return None


def missing(library):
    """Why programs cannot be run with `library`, or None."""
    if not os.path.exists(os.path.join(MODULES, f"shoal-{library}.so")):
        return f"the module for {library} was not built"
    if launcher(library) is None:
        return f"no {LAUNCHERS[library][0]}"
    return None


def run(library, n_ranks, *command, environment=None, timeout=110):
    """Runs `command` on `n_ranks` processes of `library`."""
    return subprocess.run([*launcher(library), str(n_ranks), *map(str, command)], capture_output=True, text=True,
                          timeout=timeout, env={**os.environ, **OPENMPI_IN_CONTAINERS, **(environment or {})})
