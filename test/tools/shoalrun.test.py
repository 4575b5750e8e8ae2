"""shoalrun from the outside: every promise of its help text and README, with message and exit status."""
# timeout: 120
# processors: 2

import os
import pty
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SOURCE = os.environ["SHOAL_SOURCE"]
SHOALRUN = os.path.join(os.environ["SHOAL_BIN"], "shoalrun")
FOLDER = tempfile.TemporaryDirectory(prefix="shoalrun-test-")
PE = os.path.join(FOLDER.name, "pe")  # test/tools/shoalrun_pe.cpp lists its steps
ALL_ENDED_S = 2.0  # the promise: so long after a failure at most, no PE is left
SLACK_S = 0.5 * max(1.0, os.getloadavg()[0])  # on a busy machine everything takes longer


def build_pe():
    compiler = os.environ.get("CXX", "g++")
    subprocess.run([compiler, "-std=c++20", "-O1", "-I" + os.path.join(SOURCE, "src"),
                    os.path.join(SOURCE, "test/tools/shoalrun_pe.cpp"), "-o", PE], check=True)
    os.chmod(FOLDER.name, 0o755)


def processes_left():
    """Ids of living processes that run the test's program."""
    left = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if name.isdigit() and words[0] == PE.encode():
            left.append(int(name))
    return left


def wait_until(condition, timeout_s, what):
    end = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"after {timeout_s} s still not: {what}")
        time.sleep(0.01)


class Result:
    def __init__(self, status, out, err, seconds):
        self.status, self.out, self.err, self.seconds = status, out, err, seconds


def command(arguments):
    return [SHOALRUN] + [str(a) for a in arguments]


def run(*arguments, timeout=20, text=True, **options):
    start = time.monotonic()
    if "stdin" not in options and "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    done = subprocess.run(command(arguments), capture_output=True, text=text, timeout=timeout, **options)
    return Result(done.returncode, done.stdout, done.stderr, time.monotonic() - start)


class Job:
    """A running shoalrun whose PEs have said `ready`."""

    def __init__(self, n_pes, *arguments, options=(), **popen):
        popen.setdefault("stdin", subprocess.DEVNULL)
        self.process = subprocess.Popen(command(["-n", n_pes, *options, *arguments]), text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **popen)
        self.pids = {}
        self.lines = []
        while len(self.pids) < n_pes:
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError("the job ended early: " + self.process.stderr.read())
            match = re.search(r"PE (\d+) is (\d+)", line)
            if match:
                self.pids[int(match[1])] = int(match[2])
            else:
                self.lines.append(line)

    def end(self, timeout=20):
        start = time.monotonic()
        out, err = self.process.communicate(timeout=timeout)
        return Result(self.process.returncode, "".join(self.lines) + out, err, time.monotonic() - start)


class ShoalrunTest(unittest.TestCase):
    def tearDown(self):
        left = processes_left()
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        self.assertEqual(left, [], "processes survived their job")

    def assert_report(self, result, pattern, status):
        self.assertRegex(result.err, r"\Ashoalrun: " + pattern + r"\n\Z")
        self.assertEqual(result.status, status)


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
        # A soft limit is raised, but not for the PEs.
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


class Failure(ShoalrunTest):
    def assert_prompt(self, result):
        self.assertLess(result.seconds, ALL_ENDED_S + SLACK_S)

    def test_success(self):
        for steps in [["running", "finished"], []]:
            result = run("-n", 4, PE, *steps)
            self.assertEqual((result.status, result.out, result.err), (0, "", ""))

    def test_an_exit_status_is_passed_on(self):
        result = run("-n", 4, PE, "running", "2:exit=37", "sleep=60")
        self.assert_report(result, r"PE 2 \(process \d+\) exited with status 37; ended the other 3 PEs", 37)
        self.assert_prompt(result)
        self.assert_report(run("-n", 1, PE, "exit=255"), r"PE 0 \(process \d+\) exited with status 255", 255)

    def test_a_signal_becomes_128_plus_its_number(self):
        for number, name in [(signal.SIGKILL, "Killed"), (signal.SIGSEGV, "Segmentation fault"),
                             (signal.SIGABRT, "Aborted"), (signal.SIGTERM, "Terminated")]:
            number = int(number)
            result = run("-n", 2, PE, "running", f"1:raise={number}", "sleep=60")
            self.assert_report(result, rf"PE 1 \(process \d+\) was killed by signal {number} \({name}\)"
                               "(, core dumped)?; ended the other PE", 128 + number)
            self.assert_prompt(result)

    def test_kill_9_of_a_pe(self):
        job = Job(4, PE, "running", "pid", "sleep=60")
        os.kill(job.pids[2], signal.SIGKILL)
        result = job.end()
        self.assert_report(result, rf"PE 2 \(process {job.pids[2]}\) was killed by signal 9 \(Killed\); "
                           "ended the other 3 PEs", 137)
        self.assert_prompt(result)

    def test_pes_that_ignore_sigterm_or_are_stopped(self):
        job = Job(4, PE, "running", "1:ignore=15", "pid", "3:raise=19", "2:raise=19", "sleep=60")
        os.kill(job.pids[0], signal.SIGKILL)
        result = job.end()
        self.assertEqual(result.status, 137)
        self.assert_prompt(result)

    def test_a_stopped_pe_is_no_failure(self):
        job = Job(2, PE, "running", "pid", "1:raise=19", "finished")
        time.sleep(0.3)
        self.assertIsNone(job.process.poll())
        os.kill(job.pids[1], signal.SIGCONT)
        self.assertEqual(job.end().status, 0)

    def test_status_0_in_the_middle_of_the_job(self):
        result = run("-n", 3, PE, "running", "1:exit=0", "sleep=60")
        self.assert_report(result, r"PE 1 \(process \d+\) left with status 0 in the middle of the job \(exit, "
                           r"_exit or quick_exit called before shoal::run returned\?\); ended the other 2 PEs",
                           1)
        self.assert_prompt(result)

    def test_a_pe_that_never_enters(self):
        for delay in ["0", "0.5"]:  # whether the others are already waiting then, or only later
            result = run("-n", 3, PE, "1:exit=0", "sleep=" + delay, "running", "sleep=60")
            self.assert_report(result, r"PE 1 \(process \d+\) exited without entering shoal::run, where PE "
                               r"[02] waits for it; ended the other 2 PEs", 1)
            self.assertLess(result.seconds, ALL_ENDED_S + SLACK_S + 0.5)

    def test_a_pe_that_fails_after_the_end_of_the_job_lets_the_others_finish(self):
        result = run("-n", 2, PE, "running", "finished", "1:exit=5", "sleep=0.05", "say=last words")
        self.assertEqual(result.out, "last words\n")
        self.assert_report(result, r"PE 1 \(process \d+\) exited with status 5", 5)

    def test_a_pe_that_has_reported_is_not_reported_again(self):
        # PE 1 leaves first, but because of the failure that PE 0 is still reporting.
        result = run("-n", 3, PE, "running", "0:report", "1:sleep=0.05", "1:exit=9", "0:sleep=0.1",
                     "0:exit=4", "sleep=60")
        self.assertEqual((result.err, result.status), ("the report of PE 0\n", 4))
        self.assert_prompt(result)
        result = run("-n", 2, PE, "running", "0:report", "0:exit=2", "sleep=60")
        self.assertEqual((result.err, result.status), ("the report of PE 0\n", 2))
        # A reported failure is one, whatever the PEs say.
        self.assertEqual(run("-n", 2, PE, "running", "0:report", "finished").status, 1)

    def test_a_pe_held_by_a_debugger_does_not_hold_the_launcher(self):
        # The tracer never waits, so its tracee stays, killed but not gone.
        seize = ("import ctypes, sys, time; pid = int(sys.argv[1]); libc = ctypes.CDLL(None); "
                 "print(libc.ptrace(0x4206, ctypes.c_long(pid), None, None), flush=True); time.sleep(60)")
        job = Job(3, PE, "running", "pid", "sleep=60")
        tracer = subprocess.Popen([sys.executable, "-c", seize, str(job.pids[1])], text=True,
                                  stdout=subprocess.PIPE)
        try:
            if tracer.stdout.readline() != "0\n":
                self.skipTest("no permission to trace")
            os.kill(job.pids[0], signal.SIGKILL)
            result = job.end()
            self.assert_report(result, r"PE 0 \(process \d+\) was killed by signal 9 \(Killed\); ended the "
                               r"other 2 PEs; 1 PE could not be ended \(held by a debugger\?\)", 137)
            self.assert_prompt(result)
        finally:
            tracer.kill()
            tracer.communicate()
            job.process.kill()

    def test_the_whole_tree_of_a_pe_is_ended(self):
        for step in ["child", "daemon"]:
            result = run("-n", 3, PE, "running", step, "1:exit=3", "sleep=60")
            self.assert_report(result, r"PE 1 \(process \d+\) exited with status 3; ended the other 2 PEs", 3)
            self.assert_prompt(result)

    def test_nothing_outlives_a_job_that_succeeds(self):
        for options in [[], ["--tag"]]:
            for step in ["child", "daemon"]:
                result = run("-n", 2, *options, PE, step, "say=done")
                self.assertEqual((result.status, result.err), (0, ""))
                self.assertEqual(result.out.count("done\n"), 2)
                self.assert_prompt(result)


class Launcher(ShoalrunTest):
    def supervisor_of(self, job):
        with open(f"/proc/{job.process.pid}/task/{job.process.pid}/children") as file:
            return int(file.read().split()[0])

    def nothing_left(self):
        wait_until(lambda: not processes_left(), ALL_ENDED_S, "all PEs gone")

    def test_kill_9_of_the_launcher_leaves_nothing(self):
        for options in [[], ["--tag"]]:
            job = Job(3, PE, "running", "ignore=15", "child", "daemon", "pid", "sleep=60", options=options)
            supervisor = self.supervisor_of(job)
            self.assertEqual(len(processes_left()), 9)
            os.kill(job.process.pid, signal.SIGKILL)
            self.nothing_left()
            wait_until(lambda: not os.path.exists(f"/proc/{supervisor}/exe"), 1, "supervisor gone")
            job.end()

    def test_kill_9_of_the_supervisor_leaves_nothing(self):
        job = Job(3, PE, "running", "ignore=15", "child", "daemon", "pid", "sleep=60")
        supervisor = self.supervisor_of(job)
        os.kill(supervisor, signal.SIGKILL)
        result = job.end()
        self.assert_report(result, rf"its supervisor \(process {supervisor}\) was killed by signal 9 "
                           r"\(Killed\); ended all PEs", 137)
        self.assertEqual(processes_left(), [])

    def test_kill_9_of_the_launcher_while_the_supervisor_is_stopped(self):
        job = Job(2, PE, "running", "pid", "child", "sleep=60")
        os.kill(self.supervisor_of(job), signal.SIGSTOP)
        os.kill(job.process.pid, signal.SIGKILL)
        self.nothing_left()
        job.end()


class Signals(ShoalrunTest):
    def test_each_signal_goes_to_each_pe_once(self):
        for number in [signal.SIGUSR1, signal.SIGUSR2]:
            job = Job(3, PE, "running", f"count={int(number)}", "pid", "await", "counted", "finished")
            os.kill(job.process.pid, number)
            result = job.end()
            self.assertEqual((result.status, result.err), (0, ""))
            self.assertEqual(sorted(result.out.splitlines()), [f"PE {pe} got 1" for pe in range(3)])

    def test_a_terminating_signal_ends_the_job_without_a_report(self):
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]:
            job = Job(3, PE, "running", "pid", "sleep=60")
            os.kill(job.process.pid, number)
            result = job.end()
            self.assertEqual((result.status, result.err), (128 + number, ""))
            self.assertLess(result.seconds, 1)

    def test_a_signal_to_the_process_group_needs_no_report_either(self):
        for _ in range(5):
            job = Job(4, PE, "running", "pid", "sleep=60", start_new_session=True)
            os.killpg(job.process.pid, signal.SIGTERM)
            result = job.end()
            self.assertEqual((result.status, result.err), (143, ""))

    def test_pes_may_answer_a_signal_in_their_own_way(self):
        job = Job(2, PE, "running", "exit_on=15", "pid", "sleep=60")
        job.process.send_signal(signal.SIGTERM)
        result = job.end()
        self.assertEqual((result.status, result.err), (143, ""))
        job = Job(2, PE, "running", "count=15", "pid", "await", "counted", "finished")
        job.process.send_signal(signal.SIGTERM)
        result = job.end()
        self.assertEqual((result.status, result.err), (0, ""))
        self.assertEqual(sorted(result.out.splitlines()), ["PE 0 got 1", "PE 1 got 1"])

    def test_a_pe_that_ignores_sigterm_is_killed_after_a_while(self):
        job = Job(3, PE, "running", "1:ignore=15", "pid", "sleep=60")
        job.process.send_signal(signal.SIGTERM)
        result = job.end()
        self.assert_report(result, r"1 PE did not end on signal 15 \(Terminated\) and was killed", 143)
        self.assertGreater(result.seconds, 2)
        self.assertLess(result.seconds, 5)

    def test_a_second_signal_kills_at_once(self):
        job = Job(2, PE, "running", "ignore=2", "pid", "sleep=60")
        job.process.send_signal(signal.SIGINT)
        time.sleep(0.7)
        self.assertIsNone(job.process.poll())
        job.process.send_signal(signal.SIGINT)
        result = job.end()
        self.assert_report(result, r"2 PEs did not end on signal 2 \(Interrupt\) and were killed", 130)
        self.assertLess(result.seconds, 1)

    def test_a_stopped_job_can_be_terminated(self):
        job = Job(2, PE, "running", "pid", "raise=19", "sleep=60")
        job.process.send_signal(signal.SIGTERM)
        self.assertEqual(job.end().status, 143)

    def test_what_the_caller_ignores_stays_ignored(self):
        def detach():
            os.setsid()
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        job = Job(2, PE, "running", "count=10", "pid", "await", "finished", preexec_fn=detach)
        job.process.send_signal(signal.SIGHUP)
        os.killpg(job.process.pid, signal.SIGHUP)
        time.sleep(0.1)
        job.process.send_signal(signal.SIGUSR1)
        result = job.end()
        self.assertEqual((result.status, result.err), (0, ""))

    def test_stop_and_continue(self):
        def state(pid):
            with open(f"/proc/{pid}/stat") as file:
                return file.read().rsplit(")", 1)[1].split()[0]

        job = Job(2, PE, "running", "count=10", "pid", "await", "finished", preexec_fn=os.setpgrp)
        pids = [job.process.pid, *job.pids.values()]
        job.process.send_signal(signal.SIGTSTP)
        wait_until(lambda: all(state(p) == "T" for p in pids), 2, "launcher and PEs stopped")
        job.process.send_signal(signal.SIGCONT)
        wait_until(lambda: all(state(p) != "T" for p in pids), 2, "launcher and PEs running")
        job.process.send_signal(signal.SIGUSR1)
        self.assertEqual(job.end().status, 0)


class Terminal(ShoalrunTest):
    """shoalrun as the foreground job of a terminal."""

    def tearDown(self):
        os.close(self.terminal)
        super().tearDown()

    def start(self, *arguments):
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.execv(SHOALRUN, command(arguments))
        self.text = ""
        return pid

    def read_until(self, pattern, timeout_s=5):
        end = time.monotonic() + timeout_s
        while not re.search(pattern, self.text):
            self.assertGreater(end, time.monotonic(), f"no {pattern} in: {self.text}")
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.terminal, 4096).decode()
                except OSError:  # the other side is closed
                    break
        self.assertRegex(self.text, pattern)

    def rest(self):
        text = b""
        try:
            while select.select([self.terminal], [], [], 0)[0]:
                text += os.read(self.terminal, 4096)
        except OSError:  # the other side is closed
            pass
        return text.decode()

    def status(self, pid):
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def test_ctrl_c_reaches_each_pe_once(self):
        pid = self.start("-n", 3, PE, "running", "count=2", "pid", "await", "counted", "finished")
        for pe in range(3):
            self.read_until(f"PE {pe} is")
        os.write(self.terminal, b"\x03")
        for pe in range(3):
            self.read_until(f"PE {pe} got 1")
        self.assertEqual(self.status(pid), 0)

    def test_ctrl_c_ends_the_job(self):
        pid = self.start("-n", 2, PE, "running", "pid", "sleep=60")
        for pe in range(2):
            self.read_until(f"PE {pe} is")
        os.write(self.terminal, b"\x03")
        self.assertEqual(self.status(pid), 130)
        self.assertNotIn("shoalrun", self.text + self.rest())

    def test_the_terminal_goes_away(self):
        pid = self.start("-n", 2, PE, "running", "pid", "sleep=60")
        for pe in range(2):
            self.read_until(f"PE {pe} is")
        os.close(self.terminal)
        self.terminal = os.open("/dev/null", os.O_RDONLY)
        self.assertEqual(self.status(pid), 129)

    def test_pe_0_reads_from_the_terminal(self):
        pid = self.start("-n", 2, "--tag", PE, "0:line")
        os.write(self.terminal, b"typed in\n")
        self.read_until(r"\[0\] PE 0 read 'typed in'")
        self.assertEqual(self.status(pid), 0)


class Tagging(ShoalrunTest):
    def test_whole_lines_with_tags_to_the_right_stream(self):
        n_pes, n_lines = 4, 500
        result = run("-n", n_pes, "--tag", PE, f"lines={n_lines}")
        self.assertEqual((result.status, result.err), (0, ""))
        by_pe = {pe: [] for pe in range(n_pes)}
        for line in result.out.splitlines():
            match = re.fullmatch(r"\[(\d)\] PE (\d) line (\d+)", line)
            self.assertIsNotNone(match, line)
            self.assertEqual(match[1], match[2])
            by_pe[int(match[1])].append(int(match[3]))
        for lines in by_pe.values():
            self.assertEqual(lines, list(range(n_lines)))
        result = run("-n", 2, "--tag", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(sorted(result.out.splitlines()), ["[0] out", "[1] out"])
        self.assertEqual(sorted(result.err.splitlines()), ["[0] err", "[1] err"])

    def test_a_last_line_without_an_end(self):
        result = run("-n", 2, "--tag", PE, "say=first", "open=last")
        self.assertEqual(sorted(result.out.splitlines()),
                         ["[0] first", "[0] last", "[1] first", "[1] last"])
        self.assertTrue(result.out.endswith("\n"))

    def test_long_lines(self):
        result = run("-n", 2, "--tag", PE, "long=5000000", "say=after")
        self.assertEqual(sorted(len(line) for line in result.out.splitlines()), [9, 9] + [5000004] * 2)
        limit = 16 << 20  # longer ones are continued
        lines = run("-n", 1, "--tag", PE, f"long={limit + 100000}").out.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertEqual("".join(line.removeprefix("[0] ") for line in lines), "x" * (limit + 100000))

    def test_last_words_of_a_pe_come_before_the_report(self):
        result = run("-n", 2, "--tag", "sh", "-c", "echo failing >&2; test $SHOAL_PE = 0 || sleep 9; exit 3")
        self.assertRegex(result.err, r"(?s)\[0\] failing\n.*\Z")
        self.assertRegex(result.err, r"shoalrun: PE 0 \(process \d+\) exited with status 3; "
                         r"ended the other PE\n\Z")

    def test_a_reader_that_closes(self):
        result = subprocess.run(["bash", "-c", '"$@" | head -n 1; exit ${PIPESTATUS[0]}', "bash", SHOALRUN,
                                 "-n", "2", "--tag", "yes"], capture_output=True, text=True, timeout=20)
        self.assertRegex(result.stdout, r"\A\[[01]\] y\n\Z")
        self.assertEqual(result.returncode, 141)
        self.assertRegex(result.stderr, r"PE [01] \(process \d+\) was killed by signal 13 \(Broken pipe\)")

    def test_a_reader_that_does_not_read_delays_no_ending(self):
        job = Job(2, PE, "running", "pid", "0:lines=100000", "sleep=60", options=["--tag"])
        time.sleep(0.3)
        os.kill(job.pids[1], signal.SIGKILL)
        wait_until(lambda: not processes_left(), ALL_ENDED_S, "all PEs gone")
        self.assertEqual(job.end().status, 137)

    def test_a_user_need_not_wait_for_a_reader_that_does_not_read(self):
        job = Job(2, PE, "running", "ignore=15", "pid", "lines=100000", options=["--tag"])
        time.sleep(0.3)
        job.process.send_signal(signal.SIGTERM)
        start = time.monotonic()
        self.assertEqual(job.process.wait(timeout=10), 143)
        self.assertLess(time.monotonic() - start, 6)
        job.end()


if __name__ == "__main__":
    build_pe()
    unittest.main(verbosity=1)
