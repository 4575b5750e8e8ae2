"""The lab in which this process runs; the environment names its hosts' processes."""

import os
import sys

import namespaces
import network

VARIABLE = "SHOAL_LAB"


def announce(hosts):
    os.environ[VARIABLE] = " ".join(str(host.pid) for host in hosts)


def is_inside():
    return VARIABLE in os.environ


def n_hosts():
    return len(os.environ[VARIABLE].split())


def enter(name):
    """Moves this process to host `name`, which may be its number or its address."""
    pids = os.environ.get(VARIABLE, "").split()
    index = network.index_of(name, len(pids))
    if index is None:
        print(f"lab: no host {name}; there are {len(pids)}", file=sys.stderr)
        sys.exit(2)
    namespaces.enter(pids[index - 1])
