"""The few system calls that the lab needs and Python 3.11 has no function for."""

import ctypes
import os
import signal

NEWNS = 0x00020000
NEWUTS = 0x04000000
NEWIPC = 0x08000000
NEWUSER = 0x10000000
NEWPID = 0x20000000
NEWNET = 0x40000000

MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 1 << 18

PR_SET_PDEATHSIG = 1
PR_SET_NAME = 15


class LabError(Exception):
    """The machine does not let us make hosts; the message is one line."""


_libc = ctypes.CDLL(None, use_errno=True)


def _check(result, what):
    if result != 0:
        raise LabError(f"{what}: {os.strerror(ctypes.get_errno())}")


def unshare(flags, what):
    """Moves this process, or for NEWPID its next child, to new namespaces."""
    _check(_libc.unshare(flags), what)


def become_root_of_a_user_namespace():
    """If we are not root: makes us root over the namespaces made from here on, and over nothing else."""
    uid, gid = os.getuid(), os.getgid()
    unshare(NEWUSER, "a user namespace (needed as you are not root)")
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
        try:
            with open(f"/proc/self/{name}", "w") as file:
                file.write(text)
        except OSError as error:
            raise LabError(f"{error.filename}: {error.strerror}") from error


def enter(pid):
    """Enters network, hostname, shared memory and mounts of process `pid`; the working directory stays."""
    folder = os.getcwd()
    namespaces = [os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY) for kind in ("net", "uts", "ipc", "mnt")]
    for namespace in namespaces:
        _check(_libc.setns(namespace, 0), f"setns to process {pid}")
        os.close(namespace)
    os.chdir(folder)


def mount(kind, source, target, flags=0):
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    _check(_libc.mount(*words, ctypes.c_ulong(flags), None), f"mount {target}")


def keep_mounts_to_ourselves():
    mount(None, None, "/", MS_REC | MS_PRIVATE)


def die_with_parent():
    """Lets the kernel kill this process when its parent dies; does not notice a parent that died before the call."""
    _check(_libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "prctl")


def set_process_name(name):
    """Sets what ps and /proc/PID/comm show, 15 bytes at most."""
    _check(_libc.prctl(PR_SET_NAME, name.encode(), 0, 0, 0), "prctl")
