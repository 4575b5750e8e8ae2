# The programs that measure a communication library print complete lines with sane numbers, notice wrong data, and
# refuse wrong options and numbers of processes.
# programs: all_library_benches
# processors: 2
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SHOAL_SOURCE"], "test", "support"))
import backends  # noqa: E402

FOLDER = os.path.join(os.environ["SHOAL_BIN"], "network_bench")
# Of each program, the backend of the tests whose launcher starts it.
BACKENDS = {"openmpi/mpi": "mpi-openmpi", "mpich/mpi": "mpi-mpich", "shmem/shmem": "shmem"}
NAMES = {"openmpi/mpi": "Open MPI ", "mpich/mpi": "MPICH ", "shmem/shmem": "Open MPI "}
SIZES = [8, 4096, 1048576]
SIZES_OPTION = ",".join(map(str, SIZES))

SEND_MODES = [f"{mode} {form}" for mode in ("standard", "synchronous", "ready", "buffered")
              for form in ("blocking", "nonblocking")]
# Measures: their modes; the sizes, if they are not those of the option.
MPI = {"latency": ["send"], "bandwidth": ["nonblocking"], "rate": ["nonblocking"], "send_modes": SEND_MODES,
       "eager": ["late receiver"], "put": ["flush"],
       "put_to_absent": ["flush"], "get": ["flush"],
       "put_notified": ["flush, put flag", "flush, accumulate flag"], "put_bandwidth": ["one flush"],
       "put_rate": ["one flush"], "fetch_add": ["fetch_and_op"], "add": ["accumulate, flush"],
       "overlap": ["without calls", "with tests"]}
THREADS = {"thread_latency": ["send"], "thread_bandwidth": ["nonblocking"], "thread_rate": ["nonblocking"]}
SHMEM = {"put": ["quiet"], "put_to_absent": ["quiet"], "get": ["blocking"],
         "put_notified": [("put_signal", "put, fence, put flag")],
         "put_bandwidth": ["one quiet"], "put_rate": ["one quiet"], "fetch_add": ["atomic"], "add": ["quiet"]}
SIZES_OF = {"rate": [8], "put_to_absent": [8], "put_rate": [8], "fetch_add": [8], "add": [8], "thread_rate": [8],
            "overlap": [4096, 65536, 1048576]}


def built():
    """The programs that can be started here."""
    return [program for program, backend in BACKENDS.items()
            if os.path.exists(os.path.join(FOLDER, program)) and shutil.which(backends.NETWORKS[backend][2])]


def run(program, *arguments, n=2):
    command, environment = backends.command_on(BACKENDS[program], n)
    return subprocess.run([*command, os.path.join(FOLDER, program), *arguments], env=environment, text=True,
                          capture_output=True, timeout=100)


def alone(program, *arguments):
    """Without a launcher."""
    return subprocess.run([os.path.join(FOLDER, program), *arguments], text=True, capture_output=True, timeout=60,
                          env=backends.command_on(BACKENDS[program], 1)[1])


class Library(unittest.TestCase):
    def lines(self, program, *arguments):
        result = run(program, "--least-seconds=0.001", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        head, *lines = map(json.loads, result.stdout.splitlines())
        self.assertTrue(head["library"].startswith(NAMES[program]), head)
        self.assertEqual(len(head["hosts"]), 2)
        self.assertEqual(head["hosts"][0], head["hosts"][1])
        return head, lines

    def check_points(self, lines, measures, sizes):
        """Each measure has each mode and size once, with an interval around its result."""
        found = {}
        for line in lines:
            if line["measure"] == "eager_limit":
                continue
            result = line.get("ns", line.get("share"))
            self.assertLessEqual(line["low"], result, line)
            self.assertLessEqual(result, line["high"], line)
            self.assertGreaterEqual(line["n"], 18, line)
            if "share" in line:
                self.assertGreaterEqual(line["low"], 0, line)
                self.assertLessEqual(line["high"], 1, line)
            else:
                self.assertGreater(line["low"], 0, line)
            key = (line["measure"], line["mode"], line["bytes"])
            self.assertNotIn(key, found)
            found[key] = line
        modes = {(measure, mode) for measure, mode, _ in found}
        for measure, wanted in measures.items():
            for names in wanted:
                mode = next((name for name in ([names] if isinstance(names, str) else names)
                             if (measure, name) in modes), None)
                self.assertIsNotNone(mode, (measure, names))
                self.assertEqual([bytes for m, name, bytes in found if (m, name) == (measure, mode)],
                                 SIZES_OF.get(measure, sizes), (measure, mode))
        self.assertEqual(len(modes), sum(map(len, measures.values())), modes)
        return found

    @staticmethod
    def grows(found, measure, mode):
        """Whether a message of 1 MiB takes longer than one of 8 bytes, and has more bytes per nanosecond. It counts as
        true unless the intervals say the contrary."""
        small, large = (found[measure, mode, size] for size in (SIZES[0], SIZES[-1]))
        return large["high"] > small["low"] and SIZES[-1] / large["low"] > SIZES[0] / small["high"]

    def check_growth(self, program, found, measures):
        """All measures grow, if not at once, then when measured again: on a busy machine both processes may share a
        core, and libraries that never yield it take milliseconds for any message."""
        for _ in range(4):
            wrong = sorted({measure for measure, mode, _ in found
                            if measure in measures and not self.grows(found, measure, mode)})
            if not wrong:
                return
            _, lines = self.lines(program, "--sizes", SIZES_OPTION, "--only", ",".join(wrong))
            found = {(line["measure"], line["mode"], line["bytes"]): line for line in lines}
        self.fail(f"{program}: {wrong} do not grow: {lines}")

    def test_mpi(self):
        for program in [program for program in built() if program.endswith("/mpi")]:
            with self.subTest(program=program):
                head, lines = self.lines(program, "--sizes", SIZES_OPTION)
                self.assertEqual(head["thread_level"], "single")
                found = self.check_points(lines, MPI, SIZES)
                self.check_growth(program, found, {"latency", "bandwidth", "send_modes", "put", "get", "put_notified",
                                                   "put_bandwidth"})
                (limit,) = [line for line in lines if line["measure"] == "eager_limit"]
                self.assertGreaterEqual(limit["bytes"], 8)
                self.assertLessEqual(limit["bytes"], SIZES[-1])
                self.assertEqual(limit["at_least"], limit["bytes"] == SIZES[-1])
                # The receiver is 2 ms late, and only sends beyond the limit wait for it.
                for bytes in SIZES:
                    time = found["eager", "late receiver", bytes]
                    if bytes > limit["bytes"]:
                        self.assertGreater(time["high"], 1e6, limit)
                    else:
                        self.assertLess(time["low"], 1e6, limit)

    def test_shmem(self):
        for program in [program for program in built() if program.endswith("/shmem")]:
            _, lines = self.lines(program, "--sizes", SIZES_OPTION)
            found = self.check_points(lines, SHMEM, SIZES)
            self.check_growth(program, found, {"put", "get", "put_notified", "put_bandwidth"})

    def test_thread_levels(self):
        for program in [program for program in built() if program.endswith("/mpi")]:
            for level in ("funneled", "serialized", "multiple"):
                with self.subTest(program=program, level=level):
                    more = {"latency": ["send"]}
                    # One thread of each process: more than cores would wait for one another.
                    names = "latency" + (",thread_latency,thread_bandwidth,thread_rate" if level == "multiple" else "")
                    head, lines = self.lines(program, "--thread-level", level, "--only", names, "--sizes=8,100")
                    self.assertEqual(head["thread_level"], level)
                    self.check_points(lines, more | (THREADS if level == "multiple" else {}), [8, 100])
        if "openmpi/mpi" in built():
            _, lines = self.lines("openmpi/mpi", "--thread-level=multiple", "--threads=2", "--sizes=8",
                                  "--only=thread_latency,thread_rate")
            self.assertEqual([line["threads"] for line in lines], [2, 2])

    def test_wrong_data_are_noticed(self):
        for program in built():
            # The launch takes longest, and Open MPI's after an error, so few measures are spoiled.
            measures = {"openmpi/mpi": ["latency"], "mpich/mpi": ["bandwidth", "put_notified", "fetch_add"],
                        "shmem/shmem": ["put"]}[program]
            for measure in measures:
                with self.subTest(program=program, measure=measure):
                    result = run(program, "--least-seconds=0.001", "--sizes=100", f"--only={measure}",
                                 f"--spoil={measure}")
                    self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                    self.assertEqual(len(result.stdout.splitlines()), 1, result.stdout)
                    said = [line for line in result.stderr.splitlines() if line.startswith(measure)]
                    self.assertEqual(len(said), 1, result.stderr)
                    self.assertTrue(said[0].endswith(" bytes: the data that arrived are wrong"), said)

    def test_wrong_options_are_refused(self):
        lines = {
            "--no-such=1": "--no-such=1 is no option; there are --least-seconds --sizes",
            "--sizes": "--sizes has no value",
            "--sizes=8,x": '--sizes has "x", which is not a number of bytes from 1 to 67108864',
            "--sizes=67108865": '--sizes has "67108865", which is not a number of bytes from 1 to 67108864',
            "--sizes=": '--sizes has "", which is not a number of bytes',
            "--least-seconds=0": "--least-seconds=0 is not a number of seconds from 0.000001 to 3600",
            "--least-seconds=soon": "--least-seconds=soon is not a number of seconds",
            "--only=putt": '--only has "putt", which is no measure; there are ',
            "--spoil=all": '--spoil has "all", which is no measure; there are ',
        }
        lines_of_mpi = {
            "--thread-level=some": "--thread-level=some is no level; there are single, funneled, serialized, multiple",
            "--threads=0": "--threads=0 is not a whole number from 1 to 64",
            "--threads=2": "--threads=2 needs --thread-level=multiple",
            "--only=thread_rate": "--only=thread_rate needs --thread-level=multiple",
        }
        for program in built():
            for option, line in (lines | (lines_of_mpi if program.endswith("/mpi") else {})).items():
                # Without a launcher: it is refused before the library starts.
                result = alone(program, option)
                self.assertEqual((result.returncode, result.stdout), (2, ""), (program, option))
                self.assertTrue(result.stderr.startswith(line), result.stderr)
                self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def test_help_names_all_measures(self):
        for program in built():
            result = alone(program, "--help")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            for name in SHMEM if program.endswith("/shmem") else MPI | THREADS:
                self.assertIn(name, result.stdout)

    def test_other_numbers_of_processes_are_refused(self):
        for program in built():
            for n in (1, 3):
                with self.subTest(program=program, n=n):
                    result = alone(program) if n == 1 else run(program, n=n)
                    self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
                    said = [line for line in result.stderr.splitlines() if line.startswith("this program measures")]
                    self.assertEqual(len(said), 1, result.stderr)
                    self.assertIn(f", not {n}; start it with ", said[0])


if __name__ == "__main__":
    if not built():
        print("no communication library was found when Shoal was built")
        sys.exit(77)
    unittest.main()
