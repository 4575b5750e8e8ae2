"""A Slurm cluster on the hosts of a lab, with its own key and folders. It ends with the lab."""

import os
import secrets
import shutil
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "srun", "sbatch", "sinfo")
START_S = 30  # 1 s, or more on a busy machine

CONFIGURATION = """
ClusterName=lab
SlurmctldHost=host1
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
PlugStackConfig=/dev/null
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdSpoolDir={folder}/spool.%n
StateSaveLocation={folder}/state
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
TmpFS=/dev/shm
ReturnToService=2
NodeName=host[1-{n_hosts}] CPUs=64 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def add_system_programs_to_path():
    os.environ["PATH"] += ":/usr/sbin:/sbin"


def missing():
    """The first program of Slurm that is not installed, or None."""
    return next((name for name in PROGRAMS if shutil.which(name) is None), None)


class Cluster:
    """Starts the cluster in host 1 of the lab of this process. RuntimeError: it did not start, and why."""

    def __init__(self, folder, n_hosts, lab):
        self.folder = folder
        os.environ["SLURM_CONF"] = self._write("slurm.conf", CONFIGURATION.format(folder=folder, n_hosts=n_hosts))
        self._write("key", secrets.token_hex(64))
        self._start_munged()
        os.mkdir(os.path.join(folder, "state"))
        commands = [["slurmctld", "-D"]]
        for host in range(1, n_hosts + 1):
            os.mkdir(os.path.join(folder, f"spool.host{host}"))
            commands.append([lab, "host", str(host), "slurmd", "-D"])
        self.daemons = [subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL) for command in commands]
        self._wait_until_idle(n_hosts)
        self._try_step(n_hosts)

    def stop(self):
        """Everything else ends with the lab."""
        for daemon in self.daemons:
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait(timeout=START_S)

    def _write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", opener=lambda file, flags: os.open(file, flags, 0o600)) as file:
            file.write(text)
        return path

    def _start_munged(self):
        options = [f"--{name}={self.folder}/{file}" for name, file in (
            ("socket", "munge.socket"), ("key-file", "key"), ("seed-file", "seed"), ("pid-file", "munge.pid"),
            ("log-file", "munge.log"))]
        done = subprocess.run(["munged", "--force", *options], capture_output=True, text=True, timeout=START_S)
        if done.returncode != 0:
            raise RuntimeError(f"munged: {done.stderr.strip()}")

    def _wait_until_idle(self, n_hosts):
        end = time.monotonic() + START_S
        while True:
            said = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], capture_output=True, text=True, timeout=START_S)
            if said.stdout.split() == ["idle"] * n_hosts:
                return
            if time.monotonic() > end or any(daemon.poll() is not None for daemon in self.daemons):
                raise RuntimeError(f"the nodes are {said.stdout.split()} {said.stderr.strip()}"
                                   f"{self._last_words()}")
            time.sleep(0.1)

    # The root of a user namespace may not be allowed to change to the user of a job, whose groups it does not know.
    def _try_step(self, n_hosts):
        done = subprocess.run(["timeout", str(START_S), "srun", "-N", str(n_hosts), "true"], capture_output=True,
                              text=True)
        if done.returncode != 0:
            raise RuntimeError(f"srun true: {done.returncode} {done.stderr.strip()}{self._last_words()}")

    def _last_words(self):
        words = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    words += "".join(f"\n{name}: {line.rstrip()}" for line in file.readlines()[-3:])
        return words
