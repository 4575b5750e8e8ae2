"""Hosts made of namespaces, and the network that joins them."""

import os
import signal
import socket
import subprocess

import namespaces

INTERFACE = "e0"  # of every host
SUBNET = "10.77.0.0/16"


def name_of(index):
    return f"host{index}"


def address_of(index):
    return f"10.77.{index >> 8}.{index & 255}"


def index_of(name, n_hosts):
    """The host that a launcher calls by a name or an address, or None."""
    for index in range(1, n_hosts + 1):
        if name in (name_of(index), address_of(index), str(index)):
            return index
    return None


def execute(command, stdin=None, **options):
    """Runs one of the lab's own commands; if it fails, its output becomes a LabError."""
    done = subprocess.run(command, input=stdin, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)
    if done.returncode != 0:
        raise namespaces.LabError(f"{' '.join(command)}: {done.stdout.strip() or done.returncode}".replace("\n", "; "))


def ip(*lines, **options):
    execute(["ip", "-batch", "-"], stdin="\n".join(lines) + "\n", **options)


class Host:
    """A network namespace with its own hostname, /sys and shared memory, kept alive by a process that sleeps."""

    def __init__(self, index):
        self.index, self.name, self.address = index, name_of(index), address_of(index)
        reader, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            self._keep(writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            word = pipe.readline().strip()
        if word != "ready":
            raise namespaces.LabError(f"{self.name}: {word or 'ended early'}")

    def _keep(self, writer):
        try:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            namespaces.unshare(namespaces.NEWNET | namespaces.NEWUTS | namespaces.NEWIPC | namespaces.NEWNS,
                               "a network namespace")
            socket.sethostname(self.name)
            self._mount()
            os.write(writer, b"ready\n")
            os.close(writer)
            while True:
                signal.pause()
        except (OSError, namespaces.LabError) as error:
            os.write(writer, f"{error}\n".encode())
        finally:
            os._exit(1)

    def _mount(self):
        # A /sys of another network namespace shows its interfaces, which UCX would use. The CPU quota is below it and
        # is the same everywhere.
        namespaces.keep_mounts_to_ourselves()
        cgroups = os.open("/sys/fs/cgroup", os.O_PATH) if os.path.isdir("/sys/fs/cgroup") else None
        namespaces.mount("sysfs", "sysfs", "/sys")
        if cgroups is not None:
            namespaces.mount(None, f"/proc/self/fd/{cgroups}", "/sys/fs/cgroup",
                             namespaces.MS_BIND | namespaces.MS_REC)
            os.close(cgroups)
        namespaces.mount("tmpfs", "tmpfs", "/dev/shm")

    def enter(self):
        namespaces.enter(self.pid)


class Network:
    """A switch in the namespace of the caller, with a port for each host."""

    def __init__(self, rate=None):
        self.rate = rate
        ip("link set lo up", "link add switch type bridge", "link set switch up")

    def connect(self, host):
        """Gives `host` its interface. Only this function makes links: a stage that delays or drops
        frames goes between the interface and the port (README.md)."""
        port = f"port{host.index}"
        ip(f"link add {port} type veth peer name {INTERFACE} netns {host.pid}",
           f"link set {port} master switch up")
        ip("link set lo up",
           f"addr add {host.address}/{SUBNET.partition('/')[2]} dev {INTERFACE}",
           f"link set {INTERFACE} up", preexec_fn=host.enter)
        if self.rate is not None:
            self._limit(INTERFACE, preexec_fn=host.enter)  # what the host sends
            self._limit(port)                              # what it receives

    def _limit(self, interface, **options):
        execute(["tc", "qdisc", "add", "dev", interface, "root", "tbf", "rate", self.rate, "burst", "64kb",
                 "latency", "50ms"], **options)


def write_hosts_file(n_hosts):
    """Makes host names resolve. Call it before the hosts are made, because they copy the mounts."""
    namespaces.mount("tmpfs", "tmpfs", "/dev/shm")
    with open("/dev/shm/hosts", "w") as file:
        file.write("127.0.0.1 localhost\n")
        file.writelines(f"{address_of(index)} {name_of(index)}\n" for index in range(1, n_hosts + 1))
    if os.path.exists("/etc/hosts"):
        namespaces.mount(None, "/dev/shm/hosts", "/etc/hosts", namespaces.MS_BIND)
