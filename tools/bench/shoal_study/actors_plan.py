"""What the study of actor graphs runs: experiments, their jobs, and the command of a job."""
import dataclasses
import math
import random

UNEVEN = {"": "patches stay", "--balance": "idle PEs take some", "--repartition": "METIS divides them anew"}
FORMS = ("actors", "bsp", "rpc")
SUBSTRATES = ("local", "mpi", "mpi-rma", "shmem")
NODES = (1, 2, 4, 8, 16, 32)  # of the thesis's cluster
RANKS_PER_NODE = 4
CORES_PER_RANK = 7
DEEPEST = 12  # metres, in pool_drop


@dataclasses.dataclass(frozen=True)
class experiment:
    title: str
    text: str
    is_simulated: bool = False


EXPERIMENTS = {
    "forms": experiment("Forms", "The same grid by each form, on as many cores; openmp is one process with threads."),
    "sides": experiment("One-sided and two-sided", "Actors over each substrate: mpi sends and receives, mpi-rma and shmem write into "
                        "the memory of others, local is shared memory."),
    "patches": experiment("Patch sizes", "The same grid in patches of each size."),
    "uneven": experiment("Uneven load", "The upper half of the grid is land, so half of the PEs have no work; patches stay, or PEs take some "
                         "from others (--balance), or METIS divides them anew (--repartition)."),
    "strong": experiment("Strong scaling", "The same grid on more PEs."),
    "weak": experiment("Weak scaling", "The same number of cells for each PE."),
    "strong-simulated": experiment("Strong scaling, the thesis's sizes", "16384 x 16384 cells in patches of 2048 x 2048 on one node to "
                                   "512 x 512 on 32.", True),
    "weak-simulated": experiment("Weak scaling, the thesis's sizes", "32 patches of 512 x 512 cells for each node.", True),
}


def end_of(n_x, n_y, n_steps):
    """Simulated seconds that are so many fixed steps of pool_drop, and about so many of half_land."""
    cell = 100 / math.gcd(n_x, n_y)
    return 0.4 * cell / math.sqrt(9.81 * DEEPEST) * (n_steps - 0.01)


def sizes(is_quick):
    """(cells along a side, steps) of measured experiments."""
    return (256, 30) if is_quick else (1024, 100)


def pes_up_to(most):
    return [n for n in (1, 2, 4, 8, 16, 32, 64, 128) if n < most] + [most]


def measured(experiment_name, request):
    """The jobs of an experiment on this machine."""
    side, n_steps = sizes(request["quick"])
    most = request["pes"]
    usual = {"experiment": experiment_name, "form": "actors", "substrate": "local", "pes": most, "n_x": side, "n_y": side,
             "patch": side // 8, "steps": n_steps}
    if experiment_name == "forms":
        return [usual | {"form": form} for form in (*FORMS, "openmp")]
    if experiment_name == "sides":
        return [usual | {"substrate": name, "form": form} for name in SUBSTRATES for form in ("actors", "bsp")]
    if experiment_name == "patches":
        return [usual | {"patch": side // n, "form": form} for n in (2, 4, 8, 16, 32) for form in ("actors", "bsp")]
    if experiment_name == "uneven":
        return [usual | {"patch": side // 16, "steps": 6 * n_steps, "moves": moves} for moves in UNEVEN]
    if experiment_name == "strong":
        return [usual | {"pes": pes, "form": form} for pes in pes_up_to(most) for form in FORMS]
    # Eight patches for each PE.
    return [usual | {"pes": pes, "form": form, "n_x": pes * side // 2, "n_y": side, "patch": side // 4}
            for pes in pes_up_to(most) for form in FORMS]


def strong_patch(nodes):
    """The thesis names those of 1 and of 32 nodes."""
    return 2048 if nodes == 1 else 1024 if nodes <= 8 else 512


def simulated(experiment_name, request):
    """The jobs of an experiment at the thesis's sizes. As there, the cores of a rank share the loops of a patch, in all forms: so a
    cell takes a part of the time."""
    jobs = []
    for nodes in request["nodes"]:
        if experiment_name == "strong-simulated":
            n_x, n_y, patch = 16384, 16384, strong_patch(nodes)
        else:
            doubled = nodes.bit_length() - 1  # 2048 x 4096 cells on one node, and twice as many on each further one
            n_x, n_y, patch = 2048 << (doubled + 1) // 2, 4096 << doubled // 2, 512
        for form in ("actors", "bsp"):
            jobs.append({"experiment": experiment_name, "form": form, "substrate": "sim", "pes": RANKS_PER_NODE * nodes,
                         "n_x": n_x, "n_y": n_y, "patch": patch, "steps": 20 if request["quick"] else 50})
    return jobs


def jobs_of_round(request, number):
    """The measured jobs in an order of the round's own, so that none always runs after the same one. The simulated ones repeat to
    the nanosecond, so they are of the first round only. The same at each call."""
    jobs = [job for name in request["experiments"] if not EXPERIMENTS[name].is_simulated for job in measured(name, request)]
    random.Random(number).shuffle(jobs)
    if number == 1:
        jobs += [job for name in request["experiments"] if EXPERIMENTS[name].is_simulated for job in simulated(name, request)]
    return [job | {"round": number} for job in jobs]


def key_of(job):
    parts = "experiment", "form", "substrate", "pes", "n_x", "n_y", "patch", "moves"
    return tuple(value for name, value in job.items() if name in parts)


def cost_command(program, request):
    """One patch of the thesis on one PE: what its cells cost here."""
    side, n_steps = (512, 20 if request["quick"] else 200)
    return [program, "swe", "-x", str(side), "-y", str(side), "-p", str(side), "-e", repr(end_of(side, side, n_steps)), "--real",
            "float", "--pes", "1", "--repeat", "3", "--json", "-"]


def command_of(program, job, request, cell_ns):
    """Words and variables of a job. `cell_ns`: what a cell of a step takes, for the simulator."""
    words = [program, "swe", "-x", str(job["n_x"]), "-y", str(job["n_y"]), "-p", str(job["patch"]), "--form", job["form"], "--json", "-"]
    if job["substrate"] == "sim":
        return [*words, "--real", "float", "--substrate", "sim", "--pes", str(job["pes"]), "--charge", repr(cell_ns / CORES_PER_RANK),
                "--charged-steps", str(job["steps"])], {"SHOAL_NODE_SIZE": str(RANKS_PER_NODE), "SHOAL_NETWORK": request["network"]}
    words += ["-e", repr(end_of(job["n_x"], job["n_y"], job["steps"]))]
    if job["form"] == "openmp":
        return [*words, "--threads", str(job["pes"])], {}
    if job["experiment"] == "forms":
        words.append("--in-cache")
    if job["experiment"] == "uneven":
        moving = {"": [], "--repartition": ["--repartition", "25"]}.get(job["moves"], [job["moves"]])
        words += ["--scenario", "half_land", "--lazy", *moving]
    return [*words, "--pes", str(job["pes"]), "--substrate", job["substrate"]], {}
