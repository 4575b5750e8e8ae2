#!/usr/bin/env python3
# Goal: the forms of SHOAL_STATS hold what a known program did, wherever it runs, and never decide how it ends.
# timeout: 240
# programs: shoalrun actor.statistics actor.job
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import backends  # noqa: E402

BIN = os.environ["SHOAL_BIN"]
BACKENDS = ("local", "threads", "sim", "mpi-openmpi", "mpi-mpich")
# As in statistics.program.cpp; the byte that is not UTF-8 is replaced.
NAME = "actor a \"hot\", \\ spot;\n\xe9\x1b\ufffd, message long"
CLOSURES = "actor world, message closure"


def started(backend, n_pes, *arguments, program="actor.statistics", **settings):
    if backend == "threads":
        launcher, environment = [], dict(os.environ, SHOAL_SUBSTRATE="threads", SHOAL_PES=str(n_pes))
    else:
        launcher, environment = backends.command_on(backend, n_pes)
    for name, value in settings.items():
        environment[name] = value
    return subprocess.run([*launcher, os.path.join(BIN, program), *arguments], env=environment, capture_output=True,
                          text=True, errors="surrogateescape", timeout=60)


def numbers(record):
    """A record of the CSV form as one of the JSON form; without the columns of other records."""
    texts = ("mailbox", "substrate", "clock")
    return {name: value if name in texts else json.loads(value) for name, value in record.items()
            if name != "record" and value != ""}


def read_csv(text):
    """The CSV form as the JSON form, without what is null there."""
    records = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    job, = (numbers(r) for r in records if r["record"] == "job")
    for kind, members in (("pe", "times"), ("mailbox", "mailboxes")):
        job[members] = [numbers(r) for r in records if r["record"] == kind]
        for each in job[members]:
            assert each.pop("world") == job["world"]
    assert {r["record"] for r in records} <= {"job", "pe", "mailbox"}
    assert all(None not in r and None not in r.values() for r in records)  # all have the same columns
    return job


class Case(unittest.TestCase):
    def check(self, all_of_it, backend, n_pes):
        """`all_of_it`, the JSON form, holds what the program did."""
        self.assertEqual((all_of_it["world"], all_of_it["pes"]), (1, n_pes))
        self.assertEqual(all_of_it["substrate"], backend.partition("-")[0])
        self.assertEqual(all_of_it["clock"], "simulated" if backend == "sim" else "machine")
        self.assertLessEqual(all_of_it["buffers_held_bytes_max"], all_of_it["budget_bytes"])

        self.assertEqual([t["pe"] for t in all_of_it["times"]], list(range(n_pes)))
        for t in all_of_it["times"]:
            parts = {name: ns for name, ns in t.items() if name not in ("pe", "whole_ns")}
            self.assertEqual(set(parts), {"handlers_ns", "relays_ns", "main_in_supersteps_ns", "main_outside_ns",
                                          "waiting_ns"})
            self.assertEqual(sum(parts.values()), t["whole_ns"])
            self.assertEqual(t["relays_ns"], 0)
            self.assertGreater(t["waiting_ns"], 0)

        hot, closures = all_of_it["mailboxes"]
        self.assertEqual((hot["mailbox"], closures["mailbox"]), (NAME, CLOSURES))
        self.assertLess(hot["serial"], closures["serial"])
        self.assertEqual((hot["hop"], hot["sent"], hot["handled"]), (0, 40 * n_pes, 40 * n_pes))
        self.assertEqual((hot["handled_max"], hot["handled_max_pe"], hot["handled_imbalance"]), (40 * n_pes, 0, n_pes))
        self.assertEqual((hot["handling_ns"], hot["handling_ns_max_pe"]), (hot["handling_ns_max"], 0))
        self.assertEqual(hot["handling_imbalance"], n_pes)
        self.assertEqual(hot["bytes"], 40 * n_pes * 8)
        self.assertEqual((closures["sent"], closures["handled"]), (10 * n_pes ** 2, 10 * n_pes ** 2))
        self.assertEqual((closures["handled_max"], closures["handled_imbalance"]), (10 * n_pes, 1))
        self.assertEqual(sum(t["handlers_ns"] for t in all_of_it["times"]), hot["handling_ns"] + closures["handling_ns"])
        for each in hot, closures:
            self.assertEqual(each["buffers"], each["buffers_received"])
            self.assertGreaterEqual(each["held_bytes_max"], all_of_it["buffer_payload_bytes"])
            self.assertEqual((each["waits"], each["spills"], each["monster_bytes_max"]), (0, 0, 0))
        if backend == "sim":
            # 1000 ns for each message, and a call of the substrate for the buffer of each other PE.
            self.assertEqual(hot["handling_ns"], 40 * n_pes * 1000 + 20 * (n_pes - 1))


class Forms(Case):
    def test_hold_the_same_on_each_backend(self):
        for backend in BACKENDS:
            if reason := backends.why_not(backend):
                print(f"{backend} left out: {reason}")
                continue
            for n_pes in (1, 3):
                with self.subTest(backend=backend, n_pes=n_pes), tempfile.TemporaryDirectory() as folder:
                    for form, read in (("json", json.loads), ("csv", read_csv)):
                        file = os.path.join(folder, form)
                        job = started(backend, n_pes, SHOAL_STATS=form, SHOAL_STATS_FILE=file)
                        self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "", ""))
                        with open(file, encoding="utf-8", newline="") as text:
                            self.check(read(text.read()), backend, n_pes)

    def test_go_to_stderr_without_a_file(self):
        for backend in ("local", "sim", "threads"):
            with self.subTest(backend):
                self.check(json.loads(started(backend, 3, SHOAL_STATS="json").stderr), backend, 3)
                self.check(read_csv(started(backend, 3, SHOAL_STATS="csv").stderr), backend, 3)

    def test_know_actors_that_outlive_their_world(self):
        for backend in ("local", "sim"):
            self.check(json.loads(started(backend, 3, "leak", SHOAL_STATS="json").stderr), backend, 3)

    def test_have_rows_of_teams_that_some_PEs_are_not_in(self):
        for backend in ("local", "sim", "threads"):
            with self.subTest(backend):
                mailboxes = json.loads(started(backend, 3, "teams", SHOAL_STATS="json").stderr)["mailboxes"]
                self.assertEqual([(m["mailbox"], m["sent"], m["handled"], m["handled_max_pe"]) for m in mailboxes[2:]],
                                 [("actor counter, message long of team 1", 20, 20, 0),
                                  ("actor counter, message long of team 2", 5, 5, 1)])

    def test_have_a_table_for_people(self):
        for backend in ("local", "sim", "threads"):
            with self.subTest(backend):
                told = started(backend, 3, SHOAL_STATS="1").stderr
                clock = ", simulated" if backend == "sim" else ""
                number, row = r" +[\d.]+", r"  actor a \"hot\", \\ spot;\\n\xe9\\x1b\\xff, message long\n"
                self.assertRegex(told, "\\Ashoal: mailboxes and conveyors, summed over 3 PEs; .*\n +messages .*\n"
                                       f" +120 {number * 9} +3.00 +3.00{row}"
                                       f" +90 .* +1.00 +[\\d.]+  {CLOSURES}\n"
                                       f"shoal: time of 3 PEs{clock}; .*\n +mean ms .*\n(?: .*\n){{5}}"
                                       "shoal: buffers of a PE held at most")
                rows = re.findall(r"^ +([\d.]+) +([\d.]+) +(\d+) +([\d.]+)  ([\w ,]+)$", told, re.M)
                self.assertEqual([r[4] for r in rows], ["handlers", "main program, in supersteps", "main program, outside",
                                                        "waiting", "all of these"])
                self.assertAlmostEqual(sum(float(r[0]) for r in rows[:-1]), float(rows[-1][0]), delta=0.003)
                self.assertAlmostEqual(sum(float(r[3]) for r in rows[:-1]), 100, delta=0.3)

    def test_tell_nothing_unless_asked(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "file")
            for settings in ({}, {"SHOAL_STATS": "0"}, {"SHOAL_STATS_FILE": file}):
                job = started("local", 2, **settings)
                self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "", ""))
            self.assertFalse(os.path.exists(file))

    def test_that_are_unknown(self):
        for form in ("2", "xml", "CSV"):
            job = started("local", 1, SHOAL_STATS=form)
            self.assertEqual((job.returncode, job.stderr),
                             (2, f"shoal: SHOAL_STATS={form} is unknown; choose 0, 1, csv or json\n"))


class Files(Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "statistics")

    def read(self):
        with open(self.file, encoding="utf-8") as text:
            return text.read()

    def test_are_written_anew(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("old")
        for _ in range(2):
            self.assertEqual(started("local", 2, SHOAL_STATS="json", SHOAL_STATS_FILE=self.file).returncode, 0)
            self.check(json.loads(self.read()), "local", 2)

    def test_hold_each_world_of_a_process(self):
        for n_pes in (1, 2):
            job = started("local", n_pes, "many", "3", program="actor.job", SHOAL_STATS="json", SHOAL_STATS_FILE=self.file)
            self.assertEqual((job.returncode, job.stdout, job.stderr), (0, "ok\n", ""))
            self.assertEqual([json.loads(line)["world"] for line in self.read().splitlines()], [1, 2, 3])
            started("local", n_pes, "many", "3", program="actor.job", SHOAL_STATS="csv", SHOAL_STATS_FILE=self.file)
            records = list(csv.DictReader(io.StringIO(self.read())))
            self.assertEqual([r["world"] for r in records if r["record"] == "job"], ["1", "2", "3"])
            self.assertNotIn("record", {r["record"] for r in records})

    def assert_told(self, job, file, why, status=0):
        """One line says why `file` has no statistics; then they follow, on stderr."""
        line, _, rest = job.stderr.partition("\n")
        self.assertEqual((job.returncode, line),
                         (status, f"shoal: SHOAL_STATS_FILE={file} cannot be written ({why}); the statistics go to stderr"))
        return json.loads(rest.partition("\n")[0])

    # Told before the program begins, and the statistics are not lost.
    def test_that_cannot_be_opened(self):
        for status in (0, 3):
            job = started("local", 3, str(status), SHOAL_STATS="json", SHOAL_STATS_FILE="/no/such/\x1bfolder")
            told = self.assert_told(job, "/no/such/\\x1bfolder", "No such file or directory", status)
            self.check(told, "local", 3)

    def test_that_are_pipes_without_readers(self):
        pipe = os.path.join(os.path.dirname(self.file), "pipe")
        os.mkfifo(pipe)
        job = started("local", 3, SHOAL_STATS="json", SHOAL_STATS_FILE=pipe)
        self.check(self.assert_told(job, pipe, "No such device or address"), "local", 3)

    def test_that_may_not_grow(self):
        job = subprocess.run(["sh", "-c", 'ulimit -f 0; exec "$@"', "sh", os.path.join(BIN, "actor.statistics")], text=True,
                             capture_output=True, errors="surrogateescape", timeout=60,
                             env=dict(os.environ, SHOAL_STATS="json", SHOAL_STATS_FILE=self.file, SHOAL_SUBSTRATE="sim",
                                      SHOAL_PES="3"))
        self.check(self.assert_told(job, self.file, "File too large"), "sim", 3)

    def test_that_are_full(self):
        job = started("local", 3, SHOAL_STATS="json", SHOAL_STATS_FILE="/dev/full")
        self.check(self.assert_told(job, "/dev/full", "No space left on device"), "local", 3)

    def test_of_a_job_that_fails_is_empty(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("old")
        job = started("local", 3, "throw_uncaught", program="actor.job", SHOAL_STATS="json", SHOAL_STATS_FILE=self.file)
        self.assertEqual(job.returncode, 1)
        self.assertEqual(self.read(), "")


unittest.main()
