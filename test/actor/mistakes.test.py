#!/usr/bin/env python3
# Goal: programs with the mistakes of docs/mistakes.md get the reports that the page shows, on processes, threads and the
# simulator. Method: each line of a report on the page is a pattern; "…" stands for anything, and numbers that depend on the
# machine or on who was first may differ.
# programs: shoalrun actor.forgets_done actor.waits_for_nobody actor.throws
# processors: 2
# timeout: 900
import os
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from said import growing_file  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
PAGE = os.path.join(os.environ["SHOAL_SOURCE"], "docs", "mistakes.md")
N_PES = 7
ON_ONE_PROCESS = {"sim": {"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": str(N_PES)},
                  "threads": {"SHOAL_SUBSTRATE": "threads", "SHOAL_PES": str(N_PES)}}


def reports():
    """By name, the lines of each report on the page, without the command."""
    with open(PAGE, encoding="utf-8") as page:
        blocks = re.findall(r"<!-- report: (.*?) -->\n```\n(.*?)^```$", page.read(), re.M | re.S)
    return {name: [line for line in text.splitlines() if not line.startswith("$ ")] for name, text in blocks}


def pattern(line):
    text = re.escape(line).replace("…", ".*")
    text = re.sub(r"(?<=\\\()(?=\w+\\\.program)", r"\\S*", text)  # the folder of a source
    text = re.sub(r"(free\\ slots:\\ )\d+(\\ of\\ )\d+", r"\1\\d+\2\\d+", text)
    text = re.sub(r"message\\ from\\ PE\\ \d+", r"message\\ from\\ PE\\ \\d", text)
    text = re.sub(r"answer\\ to\\ PE\\ \d+", r"answer\\ to\\ PE\\ \\d", text)
    text = re.sub(r"PE\\ \d+\\ calls\\ progress", r"PE\\ \\d\\ calls\\ progress", text)
    text = re.sub(r"at\\ \d+\\ ns", r"at\\ \\d+\\ ns", text)
    return re.sub(r"(SHOAL_SLOT(S|_BYTES)=)\d+", r"\1\\d+", text)


def run(command, environment, is_enough):
    """What a program has said when `is_enough`, or at its end; and its status, None if it went on."""
    with growing_file() as said:
        job = subprocess.Popen(command, env=dict(os.environ, **environment), stdout=subprocess.DEVNULL, stderr=said)

        def lines():
            said.seek(0)
            return [line for line in said.read().splitlines() if line.startswith("shoal: ")]

        begin = time.monotonic()
        while job.poll() is None and time.monotonic() - begin < 250 and not is_enough(lines()):
            time.sleep(0.1)
        status = job.poll()
        if status is None:
            job.terminate()
        job.wait()
        return lines(), status


class Mistakes(unittest.TestCase):
    def check(self, on, name, expected, status=1):
        environment = ON_ONE_PROCESS.get(on, {})
        launcher = [] if environment else [os.path.join(BIN, "shoalrun"), "-n", str(N_PES)]
        program, *arguments = name.split()
        its_lines, its_status = run([*launcher, os.path.join(BIN, "actor." + program), *arguments], environment,
                                    lambda lines: any("(said once)" in line for line in lines))
        said = "\n".join(its_lines)
        for line in expected:
            if line != "…":
                n_alike = sum(re.fullmatch(pattern(line), each) is not None for each in its_lines)
                self.assertEqual(n_alike, 1, f"{line}\nis not one of the lines of {name} on {on}:\n{said}")
        if "…" not in expected:
            self.assertEqual(len(its_lines), len(expected), said)
        self.assertEqual(its_status, status, said)

    def test_reports_of_processes_and_threads(self):
        for name, expected in reports().items():
            if name.endswith(" on sim"):
                continue
            goes_on = any("(said once)" in line for line in expected)
            for on in ("processes", "threads"):
                with self.subTest(name=name, on=on):
                    self.check(on, name, expected, None if goes_on else 1)

    def test_reports_of_the_simulator(self):
        for name, expected in reports().items():
            if name.endswith(" on sim"):
                with self.subTest(name=name):
                    self.check("sim", name.removesuffix(" on sim"), expected)

    def test_page_has_the_reports(self):
        self.assertEqual(list(reports()), ["forgets_done", "forgets_done conveyor", "waits_for_nobody",
                                           "waits_for_nobody loop", "throws", "waits_for_nobody loop on sim"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
