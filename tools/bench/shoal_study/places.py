"""Where jobs run: on hosts of the lab, on the user's machines, or in the simulator on this machine. Each place has `run`, which
starts a command as `run_to_end` does, and `launched`, which puts the launcher's words before a program's."""
import json
import os
import subprocess
import sys
from pathlib import Path

from shoal_bench.jobs import run_to_end
from shoal_bench.words import usage_error

PACKAGE = Path(__file__).resolve().parent.parent  # the archive, if installed


def network_file(name):
    for folder in (PACKAGE.parent, PACKAGE.parent.parent):
        if (folder / "networks" / f"{name}.network").is_file():
            return str(folder / "networks" / f"{name}.network")
    raise usage_error(f"there is no file networks/{name}.network beside {PACKAGE}; install Shoal again")


class this_machine:
    """For the simulator, whose PEs need no launcher."""
    said = ()
    has_ended = False

    def run(self, command, timeout, environment):
        return run_to_end(command, timeout, environment)

    def end(self, is_interrupted=False):
        pass


class users_machines(this_machine):
    """`words`: a launcher's, with {pes} for the number of PEs."""

    def __init__(self, words):
        self.words = words

    def launched(self, library, pes, program):
        return [*(word.replace("{pes}", str(pes)) for word in self.words), *program]


class lab:
    """Hosts of the lab, from construction to `end`. A process on the first one starts the jobs that it is told of."""

    def __init__(self, program, network, n_hosts):
        self.program = script_of_lab()
        command = [self.program, "--hosts", str(n_hosts), "--network", network, "host", "1", sys.executable, "-B", str(PACKAGE),
                   program, "study", "serve"]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       process_group=0, env=os.environ | {"SHOAL_BIN": str(Path(program).parent)})
        self.said = []
        self.has_ended = False
        if self.server.stdout.readline() != "ready\n":
            self.end()
            raise usage_error("; ".join(self.said) or "the lab ended without a word")

    def launched(self, library, pes, program):
        return [self.program, "--mpi", library, "-n", str(pes), "mpirun", *program]

    def run(self, command, timeout, environment):
        try:
            self.server.stdin.write(json.dumps([command, timeout, environment]) + "\n")
            self.server.stdin.flush()
            return tuple(json.loads(self.server.stdout.readline()))
        except (OSError, ValueError):
            self.has_ended = True
            return 1, "", "the lab has ended"

    def end(self, is_interrupted=False):
        if is_interrupted:
            self.server.terminate()
        try:
            self.server.stdin.close()
        except OSError:
            pass  # it has ended already
        self.said = [line.strip() for line in self.server.stderr if line.startswith("lab: ")]
        self.server.wait()


def script_of_lab():
    script = PACKAGE.parent.parent / "lab" / "lab"
    if not script.is_file():
        raise usage_error("the lab is part of Shoal's sources, not of an installation; give --launch to use machines of your "
                          "own, or --profile cluster to simulate one")
    return str(script)


def serve():
    """Within the lab: runs the commands that the standard input lists, one a line, until it ends."""
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(run_to_end(*json.loads(line))), flush=True)
    return 0
