"""Runs what a study has left to do, keeps each result, and shows how far it is."""
import os
import time
from datetime import datetime
from pathlib import Path
from statistics import mean

from shoal_bench.jobs import objects_of, reason
from shoal_bench.machine import load
from shoal_bench.results import n_pes, save
from shoal_bench.session import progress
from shoal_bench.words import readable_duration, usage_error
from shoal_study.places import lab, network_file, this_machine, users_machines
from shoal_study.plan import FORMS, KERNELS, PROFILES, jobs_of_round, key_of, size_of

TIMEOUT_S = {True: 240, False: 1200}  # of a command, by whether the study is quick
MARGIN = 1.1  # a round may take so many times as long as the longest one before
N_REPEATS = {"blocking": 1, "started": 1, "aggregated": 2}  # in a job, after a warm-up


def comparator(program, made, kernel_name):
    """The path of a form's program, which lies beside `shoal`."""
    path = Path(program).parent / "comparators" / made.library / (made.prefix + kernel_name)
    if not os.access(path, os.X_OK):
        raise usage_error(f"there is no {path}; build the target all_comparators of Shoal's sources, or leave out --form "
                          f"{next(name for name, other in FORMS.items() if other is made)}")
    return str(path)


def refuse_missing_programs(program, request):
    for job in jobs_of_round(request, 1):
        made = FORMS[job["forms"][0]]
        if made.library:
            comparator(program, made, job["kernel"])


def place_of(program, request, profile_name):
    made = PROFILES[profile_name]
    if made.is_simulated:
        return this_machine()
    if request["launch"]:
        return users_machines(request["launch"])
    return lab(program, made.network, max(request["pes"]))


def shoal_command(program, job, repeat, words, is_quick):
    size = size_of(job["kernel"], job["forms"][0], job["profile"], is_quick)
    return [program, "run", job["kernel"], *KERNELS[job["kernel"]].shoal_words(size), "--variant", ",".join(job["forms"]),
            "--repeat", str(repeat), *words, "--json", "-"]


def command_of(program, place, job, request):
    """What a job starts: words, and variables."""
    made, profile = FORMS[job["forms"][0]], PROFILES[job["profile"]]
    repeat = N_REPEATS[made.kind]
    if made.library:
        size = size_of(job["kernel"], job["forms"][0], job["profile"], request["quick"])
        words = [comparator(program, made, job["kernel"]), *KERNELS[job["kernel"]].comparator_words(size), *made.words,
                 f"--repeat={repeat}"]
        return place.launched(made.library, job["pes"], words), {}
    on_network, in_simulator = made.substrates
    network = {"SHOAL_NETWORK": network_file(profile.network)}
    if profile.is_simulated:
        words = ["--substrate", in_simulator, "--pes", str(job["pes"])]
        return (shoal_command(program, job, repeat, words, request["quick"]),
                network | {"SHOAL_NODE_SIZE": "1", "SHOAL_SEED": str(job["round"]), "SHOAL_SIM": "compute=1"})
    command = shoal_command(program, job, repeat, ["--substrate", on_network], request["quick"])
    # The lab's network is known; what is known of the user's, the user says.
    return place.launched("openmpi", job["pes"], command), {} if request["launch"] else network


def results_of(output):
    """By variant, None of a program without Shoal: what programs have said of it, a line of JSON each."""
    found = {}
    for line in objects_of(output):
        if "library" in line:
            per_pe = line["operations"] / line["pes"]
            found[None] = {"seconds": line["median"], "operations_per_pe": per_pe, "verified": line["verified"]}
        elif line.get("available", True):
            found[line["variant"]] = {"seconds": line["seconds"]["median"], "operations_per_pe": line["operations_per_pe"],
                                      "verified": line["verified"]}
        else:
            found[line["variant"]] = {"available": False}
    for result in found.values():
        if result.get("operations_per_pe"):
            result["ns_per_operation"] = result["seconds"] * 1e9 / result["operations_per_pe"]
    return found


def run_job(program, place, job, request):
    """The record of a job: its results by form, or `error`."""
    record = {**job, "begun": datetime.now().astimezone().isoformat(timespec="seconds"), "load": load()}
    begin = time.monotonic()
    timeout = TIMEOUT_S[request["quick"]]
    command, variables = command_of(program, place, job, request)
    status, output, errors = place.run(command, timeout, variables)
    try:
        found = {name or job["forms"][0]: result for name, result in results_of(output).items()}
    except (LookupError, TypeError):
        found = {}
    is_wrong = any(not result.get("verified", True) for result in found.values())
    if list(found) == job["forms"] and (status == 0 or is_wrong):
        record["results"] = found
    else:
        record["error"] = reason(status, errors, timeout)
    return record | {"took": round(time.monotonic() - begin, 3)}


def name_of(job):
    forms = " and ".join(FORMS[name].title for name in job["forms"])
    return f"{job['profile']}, {job['kernel']}, {n_pes(job['pes'])}, {forms}"


def faults(results):
    """What was wrong with jobs, a line each."""
    lines = [f"{name_of(job)}: {job['error']}" for job in results["jobs"] if "error" in job]
    lines += [f"{name_of(job)}: {FORMS[name].title} gave a wrong answer" for job in results["jobs"]
              for name, result in job.get("results", {}).items() if result.get("verified") is False]
    return list(dict.fromkeys(lines))


class session:
    """The jobs that `results` lacks, one after the other. Saves after each."""

    def __init__(self, program, results, folder):
        self.program = program
        self.results = results
        self.folder = folder
        self.request = results["request"]
        self.rounds = [list(jobs_of_round(self.request, number)) for number in range(1, self.request["runs"] + 1)]
        self.shown = progress(sum(map(len, self.rounds)), "study")
        self.place = None
        self.place_name = None

    def run(self):
        """Returns why it ended: "complete", or the limit of time."""
        done = {key_of(job) for job in self.results["jobs"]}
        try:
            for number, jobs in enumerate(self.rounds, 1):
                left = [job for job in jobs if key_of(job) not in done]
                if left and self.is_late(number):
                    return f"after {number - 1} of {len(self.rounds)} runs, at the limit of {self.request['minutes']:g} minutes"
                if left:
                    self.wait_until_apart(number)
                for job in left:
                    self.enter(job["profile"])
                    self.run_one(job)
                self.leave()
        except BaseException:
            if self.place is not None:
                self.place.end(is_interrupted=True)
            raise
        finally:
            self.shown.end()
        return "complete"

    def is_late(self, number):
        """Whether a round that begins now would end after the limit, if it takes as long as the longest one."""
        if self.request["minutes"] is None:
            return False
        took = {}
        for job in self.results["jobs"]:
            took[job["round"]] = took.get(job["round"], 0) + job["took"]
        if not took or number in took:
            return False
        apart = self.request["apart"] * len(took)
        return sum(took.values()) + apart + MARGIN * max(took.values()) > 60 * self.request["minutes"]

    def wait_until_apart(self, number):
        """Rounds begin some time after the one before has ended."""
        before = [job["ended"] for job in self.results["jobs"] if job["round"] == number - 1]
        left = max(before) + self.request["apart"] - time.time() if before else 0
        if left > 0:
            self.shown.say(f"round {number} begins in {readable_duration(left)}, since runs shall be apart in time")
            time.sleep(left)

    def enter(self, profile_name):
        if self.place_name != profile_name or self.place.has_ended:
            self.leave()
            self.place, self.place_name = place_of(self.program, self.request, profile_name), profile_name

    def leave(self):
        if self.place is not None:
            self.place.end()
            self.results["said"] += [f"{self.place_name}: {line}" for line in self.place.said]
            self.place = self.place_name = None

    def run_one(self, job):
        jobs = self.results["jobs"]
        self.shown.begin(len(jobs), f"round {job['round']}, {job['profile']}", name_of(job), self.seconds_left())
        record = run_job(self.program, self.place, job, self.request)
        told = faults(self.results)
        jobs.append(record | {"ended": time.time()})
        save(self.results, self.folder)
        for fault in faults(self.results):
            if fault not in told:
                self.shown.say(fault)

    def seconds_left(self):
        """By what the same jobs took in other rounds, and others took on average."""
        jobs = self.results["jobs"]
        if not jobs:
            return None
        took = {}
        for job in jobs:
            took.setdefault(key_of(job)[1:], []).append(job["took"])
        done = {key_of(job) for job in jobs}
        average = sum(job["took"] for job in jobs) / len(jobs)
        left = [job for jobs_of_one in self.rounds for job in jobs_of_one if key_of(job) not in done]
        n_waits = len({job["round"] for job in left}) - 1
        return sum(mean(took.get(key_of(job)[1:], [average])) for job in left) + n_waits * self.request["apart"]
