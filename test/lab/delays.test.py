"""Tests the lab's emulated networks: their delay and rate, jobs across them, bad options, and that nothing is left."""
# programs: lab_switch lab_probe

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

from programs import LAB, RING, compiled, lab, main, seconds_taken

PROBE = os.path.join(os.environ["SHOAL_BIN"], "lab_probe")
MEASURED = re.compile(r"lab: round trip (\d+) us \(asked for (\d+)\), rate (\d+) Mbit/s \(asked for (\d+|no limit)\)\n")
CARRIED = re.compile(r"lab: the switch carried (\d+) frames in (\d+\.\d\d) s of processor time; they were late by -?\d+ us on "
                     r"average and -?\d+ us at most\n")


def n_switches():
    n = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/comm") as file:
                n += file.read() == "lab_switch\n"
        except OSError:
            continue
    return n


class Networks(unittest.TestCase):
    def test_delay_and_rate_are_as_asked(self):
        # A busy machine adds to the delay and takes from the rate, so those bounds are wide.
        script = f"""(sleep 60 | '{LAB}' host 3 '{PROBE}' serve > /dev/null) &
            until '{PROBE}' measure 10.77.0.3 1; do sleep 0.1; done"""
        done = lab("--hosts", 3, "--round-trip", "20ms", "--rate", "100mbit", "host", 1, "sh", "-c", script)
        measured = json.loads(done.stdout.splitlines()[0])
        self.assertGreater(measured["round_trip_ns"], 18e6)
        self.assertLess(measured["round_trip_ns"], 60e6)
        self.assertLess(measured["bits_per_second"], 105e6)
        self.assertGreater(measured["bits_per_second"], 30e6)
        said = MEASURED.search(done.stderr)
        self.assertEqual((said[2], said[4]), ("20000", "100"), done.stderr)
        self.assertGreater(int(said[1]), 18000)
        self.assertGreater(int(CARRIED.search(done.stderr)[1]), 100, done.stderr)

    def test_a_network_has_a_name(self):
        for options, asked in (([], ("400", "1000")), (["--rate", "100mbit", "--round-trip", "9ms"], ("9000", "100"))):
            done = lab("--hosts", 2, "--network", "ethernet-cloud", *options, "host", 1, "true")
            said = MEASURED.search(done.stderr)
            self.assertEqual((said[2], said[4]), asked, done.stderr)
        with tempfile.NamedTemporaryFile("w", suffix=".network") as file:
            file.write("[network]\nlatency_ns = 2e6 +- 7\noverhead_ns = 500000\ngap_ns = 0\nns_per_byte = 0\n")
            file.flush()
            done = lab("--hosts", 2, "--network", file.name, "host", 1, "true")
            said = MEASURED.search(done.stderr)
            self.assertEqual((said[2], said[4]), ("6000", "no limit"), done.stderr)

    def test_a_job_meets_the_delay(self):
        ring = compiled(RING, "mpicc.openmpi")
        for options in ([], ["--jitter", "2ms", "--reorder", "0.1"]):
            done = lab("--hosts", 3, "--round-trip", "20ms", *options, "mpirun", ring, 1, 0)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("token 3", done.stdout)
            self.assertGreater(seconds_taken(done.stdout), 0.01 if options else 0.027)
            self.assertIn("no limit", done.stderr)

    def test_lost_frames_are_counted(self):
        flood = """import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for _ in range(20000):
    s.sendto(bytes(1400), ("10.77.0.2", 9))"""
        done = lab("--hosts", 2, "--round-trip", "1ms", "--rate", "20mbit", "host", 1, "python3", "-c", flood)
        lost = re.search(r"lab: (\d+) frames were lost, because a host had no room for them\n", done.stderr)
        self.assertIsNotNone(lost, done.stderr)
        self.assertLess(int(lost[1]), 20000)

    def test_the_switch_is_missed(self):
        done = lab("--hosts", 2, "--round-trip", "1ms", "host", 1, "sh", "-c", "pkill -9 lab_switch; sleep 60")
        self.assertEqual(done.returncode, 1)
        self.assertIn("lab: the switch ended with status 137; the hosts have no network\n", done.stderr)

    def test_nothing_is_left(self):
        before = n_switches()
        for number in range(3):
            command = [LAB, "--hosts", "2", "--round-trip", "1ms", "host", "1", "sh", "-c", "echo runs; sleep 60"]
            running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual(running.stdout.readline(), "runs\n")
            self.assertEqual(n_switches(), before + 1)
            running.send_signal(signal.SIGKILL if number == 0 else signal.SIGTERM)
            running.communicate(timeout=20)
            end = time.monotonic() + 20
            while n_switches() != before and time.monotonic() < end:
                time.sleep(0.02)
            self.assertEqual(n_switches(), before)

    def test_mistakes_are_one_line(self):
        lines = {
            ("--jitter", "1ms"): "--jitter 1ms: only with --round-trip or --network, please",
            ("--reorder", "0.1"): "--reorder 0.1: only with --round-trip or --network, please",
            ("--round-trip", "5"): "--round-trip 5 is no time; write for example 400us or 2ms",
            ("--round-trip", "20000ms"): "--round-trip 20000ms is no time",
            ("--round-trip", "1ms", "--jitter", "1ms"): "--jitter 1000us: at most half of the round trip, please",
            ("--network", "ethernet"): "--network ethernet: No such file or directory; choose aries, cluster, ethernet-cloud, "
                                       "infiniband-fdr, omni-path, sriov-cloud, or a file, with a / in its path",
            ("--network", "/dev/null"): "--network /dev/null: the section [network] lacks latency_ns, overhead_ns, gap_ns, "
                                        "ns_per_byte",
            ("--network", "ethernet-cloud", "--round-trip", "40us"): "--network ethernet-cloud, jitter 25us: at most half of the "
                                                                     "round trip, please",
            ("--network", "cluster"): "--network cluster: a round trip of 2.2 us is too short for the lab; simulate it, with "
                                      "SHOAL_SUBSTRATE=sim and SHOAL_NETWORK",
            ("--round-trip", "1ms", "--reorder", "2"): "--reorder 2 is no probability; write for example 0.01",
        }
        for options, line in lines.items():
            done = lab("--hosts", 2, *options, "host", 1, "true")
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertTrue(done.stderr.startswith(f"lab: {line}"), done.stderr)

    def test_without_its_programs_it_says_what_makes_them(self):
        environment = dict(os.environ, SHOAL_BIN="/nowhere")
        done = subprocess.run([LAB, "--hosts", "2", "--round-trip", "1ms", "host", "1", "true"], env=environment, text=True,
                              capture_output=True, timeout=60)
        line = "lab: there is no lab_switch; cmake --build --preset release --target lab_switch makes it; lab --help\n"
        self.assertEqual((done.returncode, done.stderr), (2, line))


main()
