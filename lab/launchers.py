"""How each MPI library's launcher learns of the hosts."""

import os
import shutil

import namespaces
import network

AGENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "agent")


def slots(n_pes, n_hosts):
    """`host1:2,host2:1`: as even as n_pes allows, without hosts that have no PE."""
    each, more = divmod(n_pes, n_hosts)
    counts = [each + (index <= more) for index in range(1, n_hosts + 1)]
    return ",".join(f"{network.name_of(i)}:{n}" for i, n in enumerate(counts, 1) if n > 0)


def _found(library, *names):
    for name in names:
        if shutil.which(name):
            return name
    raise namespaces.LabError(f"there is no {names[0]} (Debian: {library})")


def openmpi(n_pes, n_hosts):
    mca = {
        "plm_rsh_agent": AGENT,
        "pml": "ob1",
        "btl": "vader,tcp,self",
        "btl_tcp_if_include": network.INTERFACE,
        "oob_tcp_if_include": network.INTERFACE,
        "orte_tmpdir_base": "/dev/shm",  # disappears with the host, so nothing is left in /tmp
        "hwloc_base_binding_policy": "none",  # the hosts share their cores,
        "mpi_yield_when_idle": "1",           # so a waiting call has to yield its core to the process that it waits for
        "osc": "sm,pt2pt",  # windows over the same TCP as messages; UCX's fail here because endpoints time out
    }
    command = [_found("openmpi-bin", "mpirun.openmpi", "mpirun")]
    for key, value in mca.items():
        command += ["--mca", key, value]
    for name in sorted(os.environ):
        if name.startswith(("SHOAL_", "UCX_")):
            command += ["-x", name]
    return command + ["--oversubscribe", "--host", slots(n_pes, n_hosts), "-np", str(n_pes)]


def _make_ucx_use_the_network():
    # All hosts are on one kernel, by which UCX decides what can be shared; for System V memory it checks namespaces.
    os.environ.setdefault("UCX_TLS", "tcp,sysv,self")
    os.environ.setdefault("UCX_NET_DEVICES", network.INTERFACE)


def shmem(n_pes, n_hosts):
    _make_ucx_use_the_network()
    os.environ.setdefault("SHOAL_SUBSTRATE", "shmem")
    # UCX's hooks into malloc make shmem_finalize of Open MPI 4.1 crash.
    os.environ.setdefault("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0")
    return openmpi(n_pes, n_hosts)


def mpich(n_pes, n_hosts):
    _make_ucx_use_the_network()
    # Hydra passes on the whole environment by itself.
    return [_found("mpich", "mpirun.mpich", "mpiexec.hydra", "mpirun"), "-launcher", "ssh", "-launcher-exec", AGENT,
            "-iface", network.INTERFACE, "-hosts", slots(n_pes, n_hosts), "-n", str(n_pes)]


BY_NAME = {"openmpi": openmpi, "mpich": mpich, "shmem": shmem}


def command(library, n_pes, n_hosts, arguments):
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    return BY_NAME[library](n_pes, n_hosts) + arguments
