"""Tests shoalrun from the outside: its options, and what PEs get at their start."""

import os
import re
import resource
import signal
import subprocess
import tempfile
import unittest

from shoalrun_jobs import ALL_ENDED_S, PE, SHOALRUN, ShoalrunTest, build_pe, run


class CommandLine(ShoalrunTest):
    def refuses(self, arguments, message):
        result = run(*arguments)
        self.assertEqual(result.err, "shoalrun: " + message + "\n")
        self.assertEqual((result.status, result.out), (2, ""))

    def test_numbers_of_pes_that_make_no_sense(self):
        for n in ["0", "-1", "257", "1000000000000000000000", "two", "2x", "", "1.5"]:
            for option in ["-n", "--pes"]:
                self.refuses([option, n, "true"],
                             f"{option}={n} is not a whole number from 1 to 256")

    def test_options_that_make_no_sense(self):
        self.refuses(["--frobnicate", "true"], "unknown option '--frobnicate'; options stand before the "
                     "program, shoalrun --help lists them")
        self.refuses(["-x3", "true"], "unknown option '-x'; options stand before the program, "
                     "shoalrun --help lists them")
        self.refuses(["--heap", "12q", "true"],
                     "--heap=12q is not a size; write for example 64k, 16M or 2G")
        self.refuses(["--bind", "socket", "true"],
                     "--bind=socket is no way to bind; take core or none")
        self.refuses(["--tag=yes", "true"], "--tag takes no value, but got 'yes'")
        self.refuses(["-n"], "-n needs a value, for example -n 2")
        self.refuses(["--debug", "all", "true"], "--debug=all is not a whole number from 0 to 255")
        self.refuses(["-n", "2", "--debug", "2", "true"],
                     "--debug 2: there is no such PE; take 0 to 1")
        self.refuses(["-n", "2"], "no program to run; for example: shoalrun -n 2 ./program, "
                     "or see shoalrun --help")

    def test_spellings_of_options(self):
        for option in [["-n", "3"], ["-n3"], ["--pes=3"], ["--pes", "3"], ["-n", "3", "--"]]:
            self.assertEqual(run(*option, "echo", "-n", "x").out, "xxx")

    def test_help_and_version(self):
        self.assertRegex(run("--help").out, r"\Ausage: shoalrun")
        self.assertEqual(run("--help").status, 0)
        self.assertRegex(run("--version").out, r"\Ashoalrun \d+\.\d+\.\d+")

    def test_the_default_is_one_pe_per_allowed_core(self):
        n_cores = len(os.sched_getaffinity(0))
        out = run("sh", "-c", "echo $SHOAL_PES $SHOAL_CORES").out.split()
        self.assertLessEqual(int(out[0]), n_cores)
        self.assertEqual(len(out), 2 * int(out[0]))
        self.assertEqual(set(out), {out[0]})


class Start(ShoalrunTest):
    def test_a_program_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            def fails(program, message):
                result = run("-n", 3, program, cwd=folder)
                self.assert_report(result, re.escape(f"cannot run '{program}': {message}"), 2)

            def make(name, text, mode):
                path = os.path.join(folder, name)
                with open(path, "w") as file:
                    file.write(text)
                os.chmod(path, mode)

            fails("no-such-program", "it is not in PATH; give a path such as ./no-such-program")
            fails("./nothing", "there is no such file")
            make("here", "#!/bin/sh\n", 0o755)
            fails("here", "it is not in PATH; did you mean ./here?")
            make("data", "", 0o644)
            fails("./data", "it may not be executed; try chmod +x ./data")
            make("script", "#!/no/such/shell\n", 0o755)
            fails("./script", "the interpreter or the loader that it asks for is missing")
            fails("/tmp", "it is a folder")

    def test_the_environment_of_a_pe(self):
        variables = {"SHOAL_PE": "77", "SHOAL_PES": "78", "SHOAL_JOB_FD": "79", "SHOAL_LAUNCHER": "80",
                     "SHOAL_CORES": "81", "SHOAL_DEBUG_PE": "0", "SHOAL_HEAP": "3M", "OTHER": "1"}
        outer = {**os.environ, **variables}
        out = run("-n", 2, "--bind", "none", "sh", "-c",
                  'test $PPID = $SHOAL_LAUNCHER && echo "$SHOAL_PE of $SHOAL_PES on $SHOAL_CORES heap '
                  '$SHOAL_HEAP debug $SHOAL_DEBUG_PE other $OTHER"', env=outer).out
        n_cores = out.split()[4]
        self.assertEqual(sorted(out.splitlines()),
                         [f"{pe} of 2 on {n_cores} heap 3M debug  other 1" for pe in (0, 1)])
        self.assertLessEqual(int(n_cores), os.cpu_count())
        out = run("-n", 1, "--heap", "64M", "--debug", 0, "env", env=outer).out
        for name in ["PE", "PES", "JOB_FD", "LAUNCHER", "CORES", "HEAP", "DEBUG_PE"]:
            self.assertEqual(len(re.findall(f"(?m)^SHOAL_{name}=", out)), 1, name)
        self.assertRegex(out, "(?m)^SHOAL_HEAP=64M$")
        self.assertRegex(out, "(?m)^SHOAL_DEBUG_PE=0$")

    def test_a_user_may_choose_the_pe_to_debug_by_variable(self):
        env = {**os.environ, "SHOAL_DEBUG_PE": "1"}
        env.pop("SHOAL_LAUNCHER", None)
        self.assertEqual(run("-n", 1, "sh", "-c", "echo $SHOAL_DEBUG_PE", env=env).out, "1\n")

    def test_jobs_nest(self):
        result = run("-n", 2, SHOALRUN, "-n", 2, PE, "running", "say=in", "finished")
        self.assertEqual((result.status, result.out, result.err), (0, "in\n" * 4, ""))

    def test_every_pe_finds_the_job_page_and_nothing_else(self):
        result = run("-n", 5, PE, "running", "fds", "finished")
        self.assertEqual((result.status, result.out, result.err), (0, "extra descriptors: 0\n" * 5, ""))

    def test_256_pes(self):
        for options in [[], ["--tag"]]:
            result = run("-n", 256, *options, PE, "running", "say=here", "finished")
            self.assertEqual((result.status, result.out.count("here\n"), result.err), (0, 256, ""))

    def test_standard_input_goes_to_pe_0(self):
        for options in [[], ["--tag"]]:
            result = run("-n", 3, *options, PE, "echo", input="some\ninput")
            self.assertEqual(result.status, 0)
            self.assertIn("PE 0 read 'some\ninput'", result.out.replace("[0] ", ""))
            self.assertIn("PE 1 read ''", result.out)
            self.assertIn("PE 2 read ''", result.out)

    def test_closed_standard_descriptors(self):
        closed = subprocess.run(["sh", "-c", '"$@" <&- >&- 2>&-', "sh", SHOALRUN, "-n", "3", "--tag", PE,
                                 "say=x", "fds", "1:exit=3", "1:sleep=5"], timeout=20)
        self.assertEqual(closed.returncode, 3)

    def test_sigchld_ignored_or_blocked_by_the_caller(self):
        def ignore():
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)

        def block():
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])

        for change in [ignore, block]:
            result = run("-n", 2, PE, "running", "1:exit=4", "sleep=10", preexec_fn=change)
            self.assert_report(result, r"PE 1 \(process \d+\) exited with status 4; ended the other PE", 4)

    def test_no_processes_left_to_fork(self):
        user = 100000 + os.getpid()  # limits on processes do not bind root

        def restrict():
            resource.setrlimit(resource.RLIMIT_NPROC, (20, 20))
            if os.getuid() == 0:
                os.setgid(user)
                os.setuid(user)

        if os.getuid() != 0:
            self.skipTest("the limit would count the user's other processes")
        result = run("-n", 40, PE, "sleep=10", preexec_fn=restrict, cwd="/")
        self.assert_report(result, r"cannot start PE 1\d of 40: Resource temporarily unavailable; take "
                           r"fewer PEs, or raise the limit on processes \(ulimit -u\)", 2)
        self.assertLess(result.seconds, ALL_ENDED_S)

    def test_no_descriptors_left(self):
        def restrict(hard):
            return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (40, hard))

        result = run("-n", 30, "--tag", PE, "sleep=10", preexec_fn=restrict(40))
        self.assert_report(result, r"cannot open pipes for the output of PE \d+: Too many open files; take "
                           "fewer PEs, raise ulimit -n or leave out --tag", 2)
        for limit in range(4, 10):
            with self.subTest(limit):
                few = run("-n", 3, "true", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit)))
                self.assert_report(few, r"cannot (start|create the job's shared memory|open a pipe): Too many open files; "
                                   f"raise ulimit -n, which allows {limit}", 2)
        # A soft limit is raised, but not for the PEs.
        soft = run("-n", 3, "sh", "-c", "ulimit -Sn", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (6, 40)))
        self.assertEqual((soft.status, soft.out, soft.err), (0, "6\n" * 3, ""))
        result = run("-n", 30, "--tag", "sh", "-c", "ulimit -Sn", preexec_fn=restrict(400))
        self.assertEqual((result.status, result.out.count(" 40\n")), (0, 30))


class Binding(ShoalrunTest):
    def setUp(self):
        self.cpus = sorted(os.sched_getaffinity(0))

    def places(self, *arguments, **options):
        """The CPUs that each PE may use."""
        result = run(*arguments, PE, "cpus", **options)
        self.assertEqual((result.status, result.err), (0, ""))
        found = dict(re.findall(r"PE (\d+) on ([\d ]+)\n", result.out))
        return [[int(cpu) for cpu in found[pe].split()] for pe in sorted(found, key=int)]

    def test_a_core_each_when_there_are_enough(self):
        for n in range(1, len(self.cpus) + 1):
            for option in [[], ["--bind", "core"]]:
                places = self.places("-n", n, *option)
                self.assertEqual([len(p) for p in places], [1] * n)
                self.assertEqual(len({p[0] for p in places}), n)

    def test_none_when_there_are_more_pes_or_so_wished(self):
        n = len(self.cpus)
        self.assertEqual(self.places("-n", n + 1), [self.cpus] * (n + 1))
        self.assertEqual(self.places("-n", n, "--bind", "none"), [self.cpus] * n)

    def test_the_affinity_mask_counts_not_the_machine(self):
        last = self.cpus[-1]
        one = {"preexec_fn": lambda: os.sched_setaffinity(0, {last})}
        self.assertEqual(self.places("-n", 1, **one), [[last]])
        self.assertEqual(self.places("-n", 2, **one), [[last]] * 2)
        self.assertEqual(run("sh", "-c", "echo $SHOAL_PES $SHOAL_CORES", **one).out, "1 1\n")
        self.assert_report(run("-n", 2, "--bind", "core", "true", **one),
                           "--bind core: 2 PEs are too many for the 1 core that this job may use; take at "
                           "most that many, or --bind none", 2)


if __name__ == "__main__":
    build_pe()
    unittest.main(verbosity=1)
