"""Hosts made of namespaces, and the network that joins them."""

import fcntl
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys

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
        namespaces.set_process_name(self.name)  # that of the lab's first process is not for others (lab clean)
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

    pid = None  # of the switch, which is in the kernel

    def __init__(self, rate=None):
        self.rate = rate
        ip("link set lo up", "link add switch type bridge", "link set switch up")

    def connect(self, host):
        """Gives `host` its interface."""
        port = f"port{host.index}"
        ip(f"link add {port} type veth peer name {INTERFACE} netns {host.pid}",
           f"link set {port} master switch up")
        ip("link set lo up",
           f"addr add {host.address}/{SUBNET.partition('/')[2]} dev {INTERFACE}",
           f"link set {INTERFACE} up", preexec_fn=host.enter)
        if self.rate is not None:
            self._limit(INTERFACE, preexec_fn=host.enter)  # what the host sends
            self._limit(port)                              # what it receives

    def start(self):
        """After all hosts are connected."""

    def end(self):
        """After the job."""

    def _limit(self, interface, **options):
        execute(["tc", "qdisc", "add", "dev", interface, "root", "tbf", "rate", self.rate, "burst", "64kb",
                 "latency", "50ms"], **options)


# <linux/if_tun.h>
TUNSETIFF, TUNSETOFFLOAD = 0x400454CA, 0x400454D0
TAP, NO_PACKET_INFORMATION, VIRTIO_HEADER = 0x0002, 0x1000, 0x4000
OFFLOADS = 0x1 | 0x2 | 0x4  # check sums, and long frames of TCP over IPv4 and IPv6


def open_tap(host):
    """Makes the host's interface a TAP device; returns its other end."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            host.enter()
            tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", INTERFACE.encode(), TAP | NO_PACKET_INFORMATION | VIRTIO_HEADER))
            fcntl.ioctl(tap, TUNSETOFFLOAD, OFFLOADS)
            socket.send_fds(theirs, [b"t"], [tap])
            status = 0
        except OSError as error:
            theirs.send(f"/dev/net/tun: {error.strerror}".encode())
        finally:
            os._exit(status)
    theirs.close()
    text, taps, _, _ = socket.recv_fds(ours, 200, 1)
    ours.close()
    os.waitpid(pid, 0)
    if not taps:
        raise namespaces.LabError(text.decode() or f"{host.name}: no TAP device")
    return taps[0]


PROGRAMS = ("lab_switch", "lab_probe")
N_TRIALS = 8  # of delays
# A frame of 1538 bytes, with what is around it on a wire, carries 1448 bytes of a TCP stream.
WIRE_BYTES_OF_DATA = 1538 / 1448


def program(name):
    """A program of switch/, from SHOAL_BIN or the build that has the newest one."""
    root = pathlib.Path(__file__).resolve().parent.parent
    folders = [pathlib.Path(os.environ["SHOAL_BIN"])] if "SHOAL_BIN" in os.environ else root.glob("build/*/bin")
    found = [folder / name for folder in folders if (folder / name).exists()]
    if not found:
        raise namespaces.LabError(f"there is no {name}; cmake --build --preset release --target {name} makes it")
    return str(max(found, key=lambda path: path.stat().st_mtime))


class EmulatedNetwork:
    """A switch that is a process of ours, with delays (switch/main.cpp)."""

    def __init__(self, shape):
        self.shape = shape
        self.hosts, self.taps, self.process = [], [], None

    @property
    def pid(self):
        return self.process.pid

    def connect(self, host):
        self.hosts.append(host)
        self.taps.append(open_tap(host))
        ip("link set lo up",
           f"link set {INTERFACE} address 02:00:00:00:{host.index >> 8:02x}:{host.index & 255:02x} txqueuelen 10000",
           f"addr add {host.address}/{SUBNET.partition('/')[2]} dev {INTERFACE}",
           f"link set {INTERFACE} up", preexec_fn=host.enter)

    def start(self):
        if len(self.hosts) == 1:
            return self._run(self.shape["round_trip_ns"] // 2, **self._disorder())
        self._find_delay()
        measured = self._measure(0.5)
        asked = self.shape["bits_per_second"]
        print(f"lab: round trip {measured['round_trip_ns'] / 1e3:.0f} us (asked for "
              f"{self.shape['round_trip_ns'] / 1e3:.0f}), rate {WIRE_BYTES_OF_DATA * measured['bits_per_second'] / 1e6:.0f} "
              f"Mbit/s (asked for {f'{asked / 1e6:.0f}' if asked else 'no limit'})", file=sys.stderr)
        return None

    def _find_delay(self):
        """By trial: the machine itself takes a part of the round trip, and the more, the longer a core has slept."""
        asked = self.shape["round_trip_ns"]
        delay_ns = 0
        for trial in range(N_TRIALS):
            self._run(delay_ns)
            missing = asked - self._measure(0)["round_trip_ns"]
            if abs(missing) < 0.02 * asked or trial == N_TRIALS - 1:
                break
            self._end()
            delay_ns = max(0, delay_ns + missing // 2)
        if any(self._disorder().values()):
            self._end()
            self._run(delay_ns, **self._disorder())

    def _disorder(self):
        return {"jitter-ns": self.shape["jitter_ns"], "reorder": self.shape["reorder"]}

    def end(self):
        """Tells what the switch itself took, and what was lost."""
        n_lost = sum(map(self._n_lost, self.hosts))
        report = self._end()
        n_lost += report["refused"]
        late = report["late_ns"]
        print(f"lab: the switch carried {report['frames']} frames in {report['processor_seconds']:.2f} s of processor time; "
              f"they were late by {late['mean'] / 1e3:.0f} us on average and {late['max'] / 1e3:.0f} us at most",
              file=sys.stderr)
        if n_lost > 0:
            print(f"lab: {n_lost} frames were lost, because a host had no room for them", file=sys.stderr)

    def _n_lost(self, host):
        """What the host sent faster than the switch took it."""
        shown = subprocess.run(["ip", "-json", "-statistics", "link", "show", INTERFACE], text=True, stdout=subprocess.PIPE,
                               preexec_fn=host.enter, check=True)
        return json.loads(shown.stdout)[0]["stats64"]["tx"]["dropped"]

    def _measure(self, seconds):
        probe = program("lab_probe")
        serving = subprocess.Popen([probe, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   preexec_fn=self.hosts[1].enter)
        serving.stdout.readline()
        done = subprocess.run([probe, "measure", self.hosts[1].address, str(seconds)], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, preexec_fn=self.hosts[0].enter)
        serving.communicate()
        if done.returncode != 0:
            raise namespaces.LabError(f"lab_probe: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def _run(self, delay_ns, **options):
        options |= {"delay-ns": delay_ns, "rate": self.shape["bits_per_second"]}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        # In a session of its own: what ends the job in a terminal does not end the network before it.
        self.process = subprocess.Popen([program("lab_switch"), *words, *map(str, self.taps)], pass_fds=self.taps,
                                        stdout=subprocess.PIPE, text=True, start_new_session=True)
        if self.process.stdout.readline() != "ready\n":
            raise namespaces.LabError("lab_switch: ended early")

    def _end(self):
        self.process.terminate()
        report, _ = self.process.communicate()
        if not report:
            raise namespaces.LabError("the switch ended before the job")
        return json.loads(report)


def write_hosts_file(n_hosts):
    """Makes host names resolve. Call it before the hosts are made, because they copy the mounts."""
    namespaces.mount("tmpfs", "tmpfs", "/dev/shm")
    with open("/dev/shm/hosts", "w") as file:
        file.write("127.0.0.1 localhost\n")
        file.writelines(f"{address_of(index)} {name_of(index)}\n" for index in range(1, n_hosts + 1))
    if os.path.exists("/etc/hosts"):
        namespaces.mount(None, "/dev/shm/hosts", "/etc/hosts", namespaces.MS_BIND)
