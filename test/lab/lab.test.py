"""Tests the lab from the outside: its hosts, its network, its launch of MPI jobs, and that nothing of it is left."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest

from programs import LAB, RING, SHMEM, compiled, lab, main, seconds_taken

GONE_S = 20  # the lab gives a job 5 s to end; a busy machine takes longer


def wait_until(condition, what):
    end = time.monotonic() + GONE_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"after {GONE_S} s still not: {what}")
        time.sleep(0.02)


def is_in_use(namespace):
    """Whether a process has this network namespace, in the form of readlink."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/ns/net") == namespace:
                return True
        except OSError:
            continue
    return False


class RunningLab:
    """A lab with hosts, the first of which prints its namespace and then runs `command`."""

    def __init__(self, test, command="sleep 1000"):
        self.process = subprocess.Popen(
            [LAB, "--hosts", "2", "host", "1", "sh", "-c", f"readlink /proc/self/ns/net; {command}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        test.addCleanup(self._drop)
        self.namespace = self.process.stdout.readline().strip()

    def end(self):
        """Its status, once it has ended; `read word` ends when its input is closed, as here."""
        self.process.communicate(timeout=GONE_S)
        return self.process.returncode

    def _drop(self):
        self.process.kill()
        self.process.communicate()


class Hosts(unittest.TestCase):
    def test_have_names_and_interfaces_and_find_each_other(self):
        script = """hostname; ls /sys/class/net; getent hosts host3; ls -A /dev/shm
            ip -o -4 address show e0; ps -e | grep -c ' sh$'"""
        done = lab("--hosts", 3, "--", "host", 2, "sh", "-c", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.split("\n")
        self.assertEqual(lines[:3], ["host2", "e0", "lo"])
        self.assertRegex(lines[3], r"^10\.77\.0\.3 +host3$")
        self.assertRegex(lines[4], r"inet 10\.77\.0\.2/16")
        self.assertEqual(lines[5], "1", "processes from outside are seen")

    def test_are_reached_from_a_shell(self):
        done = subprocess.run([LAB, "--hosts", "2", "shell"], text=True, capture_output=True, timeout=30,
                              input=f"hostname\n{LAB} host 2 hostname\n{LAB} host 3 hostname\nexit 4\n",
                              env={**os.environ, "SHELL": "/bin/sh"})
        self.assertEqual((done.returncode, done.stdout), (4, "host1\nhost2\n"))
        self.assertIn("no host 3; there are 2", done.stderr)

    def test_two_labs_do_not_meet(self):
        first, second = RunningLab(self), RunningLab(self, "read word")
        self.assertNotEqual(first.namespace, second.namespace)
        second.end()
        self.assertTrue(is_in_use(first.namespace))
        first.process.terminate()
        self.assertEqual(first.end(), 128 + signal.SIGTERM)

    def test_of_one_lab_stay_when_another_begins(self):
        first = RunningLab(self, f"read word; {LAB} host 2 hostname")
        RunningLab(self, "read word").end()
        self.assertEqual(first.process.communicate("go on\n", timeout=GONE_S), ("host2\n", ""))

    def test_leave_the_machine_as_it_was(self):
        def machine():
            hosts = pathlib.Path("/etc/hosts")
            return (hosts.read_text() if hosts.exists() else None, pathlib.Path("/proc/self/mounts").read_text(),
                    socket.if_nameindex(), os.uname().nodename)
        before = machine()
        running = RunningLab(self, "read word")
        self.assertEqual(machine(), before)
        running.end()
        self.assertEqual(machine(), before)


class Status(unittest.TestCase):
    def test_of_the_command_is_passed_on(self):
        self.assertEqual(lab("--hosts", 2, "host", 2, "sh", "-c", "exit 9").returncode, 9)
        self.assertEqual(lab("--hosts", 1, "host", 1, "sh", "-c", "kill -SEGV $$").returncode, 128 + signal.SIGSEGV)

    def test_127_for_a_program_that_is_not_there(self):
        done = lab("--hosts", 1, "host", 1, "no-such-program")
        self.assertEqual((done.returncode, done.stderr), (127, "lab: no-such-program: No such file or directory\n"))

    def test_2_and_one_line_for_a_misuse(self):
        for words, said in [(["--hots", 3, "shell"], "--hots"), (["shell"], "--hosts"), (["--hosts", 3], "choose"),
                            (["--hosts", 0, "shell"], "--hosts 0"), (["--hosts", 3, "host", 4, "true"], "no host 4"),
                            (["--hosts", 3, "host", 1], "a command"), (["--hosts", 3, "mpirun"], "a program"),
                            (["--hosts", 3, "--rate", "fast", "shell"], "--rate fast"),
                            (["--hosts", 3, "--mpi", "lam", "shell"], "lam"),
                            (["--hosts", 3, "-n", 2, "--pes-per-host", 2, "mpirun", "x"], "one of them")]:
            done = lab(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(said, done.stderr)

    @unittest.skipUnless(os.path.exists("/usr/bin/unshare") and os.geteuid() == 0, "needs unshare and root")
    def test_77_and_one_line_where_namespaces_are_not_permitted(self):
        # A user whom the user namespace does not know may not make another.
        done = subprocess.run(["unshare", "-U", sys.executable, LAB, "--hosts", "1", "host", "1", "true"],
                              capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertRegex(done.stderr, r"^lab: not possible here: .*: Operation not permitted\n$")


class Ending(unittest.TestCase):
    def test_by_a_signal_removes_everything(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            running = RunningLab(self)
            self.assertTrue(is_in_use(running.namespace))
            running.process.send_signal(number)
            expected = -number if number == signal.SIGKILL else 128 + number
            self.assertEqual(running.end(), expected)
            wait_until(lambda: not is_in_use(running.namespace), f"all gone after signal {number}")

    def test_does_not_wait_for_what_ignores_signals(self):
        running = RunningLab(self, "trap '' INT TERM; while :; do sleep 0.1; done")
        running.process.send_signal(signal.SIGTERM)
        self.assertEqual(running.end(), 128 + signal.SIGTERM)
        self.assertFalse(is_in_use(running.namespace))

    def test_removes_what_a_command_left_in_the_background(self):
        running = RunningLab(self, "setsid sleep 1000 >/dev/null 2>&1 & exit 3")
        self.assertEqual(running.end(), 3)
        self.assertFalse(is_in_use(running.namespace))

    def test_that_the_kernel_missed_is_made_good_by_clean(self):
        # The kernel kills all of them, so this test uses a process with the name of a lab's first one.
        ended = subprocess.Popen(["true"])
        ended.wait()
        left = subprocess.Popen([sys.executable, "-c", f"""if True:
            import time
            with open("/proc/self/comm", "w") as file: file.write("lab-of-{ended.pid}")
            print("named", flush=True)
            time.sleep(1000)"""], stdout=subprocess.PIPE, text=True)
        left.stdout.readline()
        running = RunningLab(self, "read word")
        self.assertEqual(left.wait(timeout=GONE_S), -signal.SIGKILL, "a new lab has not cleaned")
        self.assertIsNone(running.process.poll())
        self.assertEqual(lab("clean").returncode, 0)
        self.assertTrue(is_in_use(running.namespace), "clean has ended a living lab")
        running.end()
        left.stdout.close()


class OpenMPI(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ring = compiled(RING, "mpicc.openmpi")

    def test_runs_across_hosts_with_the_environment(self):
        done = lab("--hosts", 3, "-n", 4, "mpirun", self.ring, 8, 0, environment={"SHOAL_WORD": "hello"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(line for line in done.stdout.splitlines() if " on " in line),
                         ["0 of 4 on host1 heard hello", "1 of 4 on host1 heard hello",
                          "2 of 4 on host2 heard hello", "3 of 4 on host3 heard hello"])
        self.assertIn("token 4 ", done.stdout)

    def test_from_within_they_run_on_the_labs_hosts(self):
        done = lab("--hosts", 3, "host", 3, LAB, "-n", 2, "mpirun", self.ring, 8, 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("0 of 2 on host1 ", done.stdout)
        self.assertIn("1 of 2 on host2 ", done.stdout)
        done = lab("--hosts", 2, "host", 1, LAB, "-n", 0, "mpirun", self.ring, 8, 0)
        self.assertEqual((done.returncode, done.stderr), (2, "lab: -n 0: at least 1, please; lab --help\n"))

    def test_status_of_a_failing_job_is_passed_on(self):
        self.assertEqual(lab("--hosts", 2, "mpirun", self.ring, 8, 5).returncode, 5)

    def test_rate_slows_the_network_down(self):
        done = lab("--hosts", 2, "--rate", "200mbit", "mpirun", self.ring, 10_000_000, 0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(seconds_taken(done.stdout), 0.7)  # 10 MB there and back are 0.8 s

    def test_a_signal_ends_a_job_on_all_hosts(self):
        process = subprocess.Popen([LAB, "--hosts", "2", "mpirun", "sh", "-c",
                                    "readlink /proc/self/ns/net; exec sleep 1000"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True)
        namespaces = [process.stdout.readline().strip() for _ in range(2)]
        self.assertNotEqual(*namespaces)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=GONE_S)
        self.assertEqual(process.returncode, 128 + signal.SIGINT)
        self.assertFalse(any(map(is_in_use, namespaces)))


class OpenSHMEM(unittest.TestCase):
    def test_runs_across_hosts(self):
        done = lab("--hosts", 3, "--mpi", "shmem", "mpirun", compiled(SHMEM, "oshcc"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(done.stdout.splitlines()),
                         [f"{pe} of 3 on host{pe + 1} has {(pe + 2) % 3 + 1}, PE 0 has 3" for pe in range(3)])


if __name__ == "__main__":
    main()
