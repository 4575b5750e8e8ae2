"""How tests start programs on each backend: a substrate and the library that carries it."""
import os
import shutil

# Backend: substrate, library (the name of its module), launcher.
NETWORKS = {
    "mpi-openmpi": ("mpi", "openmpi", "mpirun.openmpi"),
    "mpi-mpich": ("mpi", "mpich", "mpirun.mpich"),
    "mpi-rma-openmpi": ("mpi-rma", "openmpi", "mpirun.openmpi"),
    "mpi-rma-mpich": ("mpi-rma", "mpich", "mpirun.mpich"),
    "shmem": ("shmem", "shmem", "mpirun.openmpi"),
}
BACKENDS = ("local", "sim", *NETWORKS)


def why_not(backend):
    """Why programs cannot be started on a backend here, or nothing."""
    if backend not in NETWORKS:
        return None
    _, library, launcher = NETWORKS[backend]
    module = os.path.join(os.environ["SHOAL_BUILD"], "lib", "shoal", f"shoal-{library}.so")
    if not os.path.exists(module):
        return f"no module {module}: the library was not found when Shoal was built"
    return None if shutil.which(launcher) else f"no {launcher}"


def command_on(backend, n_pes, node_size=None):
    """The command that starts a program on PEs, and its environment. node_size None: the default."""
    environment = dict(os.environ)
    if node_size is not None:
        environment["SHOAL_NODE_SIZE"] = str(node_size)
    if backend == "local":
        return [os.path.join(os.environ["SHOAL_BIN"], "shoalrun"), "-n", str(n_pes)], environment
    if backend == "sim":
        environment.update(SHOAL_SUBSTRATE="sim", SHOAL_PES=str(n_pes))
        return [], environment
    substrate, library, launcher = NETWORKS[backend]
    environment["SHOAL_SUBSTRATE"] = substrate
    if library == "mpich":
        one_session = os.path.join(os.environ["SHOAL_BUILD"], "lib", "test", "one_session.so")
        if n_pes > (os.cpu_count() or 1) and os.path.exists(one_session):
            environment["LD_PRELOAD"] = one_session
        return [launcher, "-n", str(n_pes)], environment
    # As root, on any number of cores, within this machine; the last option is for a library that crashes when it ends.
    environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_btl_tcp_if_include="lo",
                       OMPI_MCA_oob_tcp_if_include="lo", OMPI_MCA_opal_common_ucx_opal_mem_hooks="0")
    return [launcher, "-n", str(n_pes)], environment
