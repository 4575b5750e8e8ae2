"""Runs what a suite has left to do, and shows how far it is."""
import random
import sys

from shoal_bench.jobs import command_of, run_job
from shoal_bench.results import faults, n_pes, save
from shoal_bench.words import readable_duration, usage_error


class progress:
    """A bar on a terminal; elsewhere a line when another part begins, such as a round. On the standard error stream."""

    def __init__(self, n_jobs, verb="bench"):
        self.n_jobs = n_jobs
        self.verb = verb
        self.is_terminal = sys.stderr.isatty()
        self.part = None  # that was told last

    def begin(self, n_done, part, what, seconds_left):
        left = f", about {readable_duration(seconds_left)} left" if seconds_left is not None else ""
        if self.is_terminal:
            width = 30
            full = width * n_done // self.n_jobs
            bar = "#" * full + "-" * (width - full)
            sys.stderr.write(f"\r\033[K[{bar}] {n_done}/{self.n_jobs} {what}{left}")
            sys.stderr.flush()
        elif part != self.part:
            self.part = part
            print(f"{self.verb}: {part}, job {n_done + 1} of {self.n_jobs}{left}", file=sys.stderr, flush=True)

    def say(self, line):
        self.end()
        print(f"{self.verb}: {line}", file=sys.stderr, flush=True)

    def end(self):
        if self.is_terminal:
            sys.stderr.write("\r\033[K")


def in_turn(n_configurations, n_rounds):
    """(round, configuration) of all jobs: each configuration once a round, in an order of the round's own, so that no
    two are always neighbours. The same at each call."""
    for number in range(1, n_rounds + 1):
        order = list(range(n_configurations))
        random.Random(number).shuffle(order)
        yield from ((number, index) for index in order)


def run(results, suite, folder, program, where):
    """Runs the jobs that `results` lacks, and saves after each. Ends early if the next round would end after the limit."""
    configurations = results["configurations"]
    done = {(job["round"], job["configuration"]) for job in results["jobs"]}
    plan = [job for job in in_turn(len(configurations), suite.processes) if job not in done]
    shown = progress(len(plan) + len(done))
    told = set(faults(results))
    for number, index in plan:
        spent = sum(job["took"] for job in results["jobs"])
        seconds_of_round = longest_round(results["jobs"])
        begins_round = not any(job["round"] == number for job in results["jobs"])
        if begins_round and spent + seconds_of_round > suite.minutes * 60:
            results["end"] = f"after {number - 1} of {suite.processes} rounds, at the limit of {suite.minutes:g} minutes"
            break
        configuration = configurations[index]
        n_done = len(results["jobs"])
        left = spent / n_done * (shown.n_jobs - n_done) if number > 1 else None
        shown.begin(n_done, f"round {number}", f"{configuration['title']}, {n_pes(configuration['pes'])}", left)
        command = command_of(program, configuration, suite.repeat, where)
        job = run_job(command, suite.timeout)
        if job["status"] == 2:
            shown.end()
            raise usage_error(f"{' '.join(command[1:])}: {job['error']}")
        results["jobs"].append({"configuration": index, "round": number, **job})
        save(results, folder)
        for fault in faults(results):
            if fault not in told:
                shown.say(fault)
                told.add(fault)
    else:
        results["end"] = "complete"
    shown.end()
    save(results, folder)


def longest_round(jobs):
    seconds = {}
    for job in jobs:
        seconds[job["round"]] = seconds.get(job["round"], 0) + job["took"]
    return max(seconds.values(), default=0)
