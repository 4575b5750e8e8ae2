"""What the cloud study runs: kernels, forms, sizes, networks, and the order of the jobs."""
import dataclasses
import random

PES = [2, 4, 8, 16]


@dataclasses.dataclass(frozen=True)
class kernel:
    operation: str  # what is counted
    paper_operations: int  # of a PE, in the paper
    size_option: str  # of the comparators
    sizes: tuple  # of a PE: for forms that wait for each operation, that start operations, that aggregate them
    words: tuple = ()  # the same for all programs
    degree: int = 0  # of a graph; 0: no graph
    graph: str = ""  # more words on the graph, for Shoal

    def comparator_words(self, size):
        return [f"{self.size_option}={size}", *self.words, *([f"--degree={self.degree}"] if self.degree else [])]

    def shoal_words(self, size):
        if self.degree:
            return [f"--graph=er:per_pe={size},degree={self.degree}{self.graph}", *self.words]
        return [f"{self.size_option}={size}", *self.words]


# The paper does not say how large its inputs were. These are the sizes of its authors' earlier study (Paul et al., Journal of
# Computational Science 69, 2023), whose operations fit the paper's times. The degrees are theirs, too.
DIRECTED = ",directed=yes,loops=yes"
KERNELS = {
    "histogram": kernel("update", 10_000_000, "--updates", (300, 4_000, 500_000), ("--table=1000",)),
    "index_gather": kernel("read", 10_000_000, "--reads", (300, 4_000, 200_000), ("--table=100000",)),
    "permute": kernel("entry", 1_000_000, "--rows", (15, 300, 10_000), degree=10, graph=DIRECTED),
    "randperm": kernel("entry", 1_000_000, "--entries", (150, 0, 100_000)),
    "transpose": kernel("entry", 1_000_000, "--rows", (20, 300, 10_000), degree=10, graph=DIRECTED),
    "triangle": kernel("edge", 350_000, "--rows", (10, 50, 1_000), degree=70),
    "toposort": kernel("entry", 1_000_000, "--rows", (40, 200, 5_000), degree=18),
}
LARGER = 4  # times these sizes, in a study that is not quick
SMALLER_IN_SIMULATOR = 10  # one-sided forms run this part of what aggregating ones do


@dataclasses.dataclass(frozen=True)
class form:
    title: str
    group: str  # forms of one group run in one job
    size: int  # which of a kernel's sizes
    kind: str  # "blocking", "started" or "aggregated"
    library: str = ""  # whose program it is; empty: Shoal
    prefix: str = ""  # of the program's name
    words: tuple = ()
    kernels: tuple = tuple(KERNELS)
    substrates: tuple = ()  # of Shoal: on a network, in the simulator


TABLES = ("histogram", "index_gather")
FORMS = {
    "shmem": form("OpenSHMEM, blocking", "shmem", 0, "blocking", "shmem"),
    "shmem_nb": form("OpenSHMEM, started", "shmem_nb", 1, "started", "shmem", words=("--nonblocking=1",), kernels=TABLES),
    "rma": form("MPI-3 RMA, started", "rma", 1, "started", "openmpi", prefix="rma_", kernels=TABLES),
    "agp": form("Shoal one-sided, blocking", "agp", 0, "blocking", substrates=("mpi-rma", "sim")),
    "agp_nb": form("Shoal one-sided, started", "agp_nb", 1, "started", substrates=("mpi-rma", "sim"),
                   kernels=tuple(name for name in KERNELS if name != "randperm")),
    "conveyor": form("conveyor", "messages", 2, "aggregated", substrates=("mpi", "sim")),
    "actor": form("actor", "messages", 2, "aggregated", substrates=("mpi", "sim")),
}


@dataclasses.dataclass(frozen=True)
class profile:
    network: str  # a file in networks/
    is_simulated: bool
    is_cloud: bool
    baseline: str  # the form that the others are compared with


PROFILES = {
    "cloud": profile("ethernet-cloud", False, True, "shmem"),
    "sriov": profile("sriov-cloud", False, True, "shmem"),
    "cluster": profile("cluster", True, False, "agp"),
    "cloud-simulated": profile("ethernet-cloud", True, True, "agp"),
}


def label(profile_name):
    """With what a reader must never overlook."""
    return f"{profile_name} (predicted, not measured)" if PROFILES[profile_name].is_simulated else profile_name


def usual_forms(is_quick):
    """Those of a study that does not choose."""
    return [name for name in FORMS if not (is_quick and name in ("agp", "agp_nb"))]


def forms_of(profile_name, kernel_name, wanted):
    """The forms of a kernel under a profile. The simulator runs Shoal only, with its one-sided forms for the plain ones."""
    return [name for name, made in FORMS.items() if kernel_name in made.kernels
            and (not made.library if PROFILES[profile_name].is_simulated else name in wanted)]


def size_of(kernel_name, form_name, profile_name, is_quick):
    """Of a PE. Waiting costs a simulator no time, so forms that wait may run more operations there."""
    sizes = KERNELS[kernel_name].sizes
    size = sizes[FORMS[form_name].size]
    if PROFILES[profile_name].is_simulated and FORMS[form_name].kind != "aggregated":
        size = sizes[2] // SMALLER_IN_SIMULATOR
    return size * (1 if is_quick else LARGER)


def jobs_of_round(request, number):
    """The jobs of a round, profile after profile, each in an order of the round's own. The same at each call."""
    order = random.Random(number)
    profiles = list(request["profiles"])
    order.shuffle(profiles)
    for profile_name in profiles:
        jobs = []
        for pes in request["pes"]:
            for kernel_name in request["kernels"]:
                groups = {}
                for name in forms_of(profile_name, kernel_name, request["forms"]):
                    groups.setdefault(FORMS[name].group, []).append(name)
                jobs += [{"round": number, "profile": profile_name, "pes": pes, "kernel": kernel_name, "forms": names}
                         for names in groups.values()]
        order.shuffle(jobs)
        yield from jobs


def key_of(job):
    return job["round"], job["profile"], job["pes"], job["kernel"], tuple(job["forms"])
