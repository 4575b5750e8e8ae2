"""Tests `shoal link`: on the simulator it finds the figures that describe its links; elsewhere it says whom it measured."""

import json
import os
import subprocess
import unittest

BIN = os.environ["SHOAL_BIN"]
SHOAL = os.path.join(BIN, "shoal")


def run(*arguments, environment=None, launcher=()):
    clean = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME") or "SAN_OPTIONS" in k}
    return subprocess.run([*launcher, SHOAL, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          env=clean | (environment or {}))


class Links(unittest.TestCase):
    def test_what_they_cost(self):
        """On the simulator, the probe finds the figures of the file that describes its links."""
        file = os.path.join(os.environ["SHOAL_SOURCE"], "networks", "ethernet-cloud.network")
        sim = {"SHOAL_NETWORK": file, "SHOAL_NODE_SIZE": "1"}
        link = json.loads(run("link", "--substrate", "sim", "--seconds", "0.5", "--json", "-", environment=sim).stdout)
        self.assertEqual((link["link"], link["pes"]), ("network", 2))
        # Jitter lengthens the way of a buffer that waits for the one before.
        for key, expected in (("latency_ns", 180000), ("overhead_ns", 10000), ("ns_per_byte", 8)):
            self.assertLess(abs(link[key]["median"] / expected - 1), 0.1, (key, link[key]))
        self.assertEqual([point["bytes"] for point in link["points"]][:2], [16, 64])

    def test_what_items_cost(self):
        """On the simulator, the probe finds what the simulator was told."""
        told = {"push_ns": 3, "relay_ns": 11, "handling_ns": 5}
        knobs = ",".join(f"item_{key.removesuffix('_ns')}={ns}" for key, ns in told.items())
        link = json.loads(run("link", "--substrate", "sim", "--seconds", "0.1", "--json", "-", environment={"SHOAL_SIM": knobs}).stdout)
        for key, expected in told.items():
            self.assertLess(abs(link[key]["median"] - expected), 0.2, (key, link[key]))

    def test_on_processes(self):
        told = run("link", "--pes", "3", "--seconds", "0.1").stdout
        self.assertIn("with PE 2 on ", told)
        self.assertIn("substrate local, within a node", told)
        self.assertRegex(told, r"latency L +\d+ \+- \d+ ns")
        self.assertRegex(told, r"push +\d+\.\d\d \+- ")

    def test_of_a_launcher(self):
        runner = (os.path.join(os.path.dirname(SHOAL), "shoalrun"), "-n", "3")
        told = run("link", "--seconds", "0.1", launcher=runner)
        self.assertIn("with PE 2 on ", told.stdout, told.stderr)
        told = run("link", "--seconds", "0.1", "--substrate", "threads", environment={"SHOAL_PES": "3"})
        self.assertIn("with PE 2 on ", told.stdout, told.stderr)
        told = run("link", "--seconds", "0.1", environment={"SHOAL_NODE_SIZE": "1"})
        self.assertIn("within a node", told.stdout, told.stderr)

    def test_nodes_may_come_before_what_they_inherit(self):
        links = [json.loads(run("link", "--substrate", "sim", "--seconds", "0.1", "--json", "-",
                                environment={"SHOAL_SIM": sim}).stdout)["overhead_ns"]["median"]
                 for sim in ("node_latency=100,overhead=900", "overhead=900,node_latency=100")]
        self.assertEqual(links[0], links[1])
        self.assertGreater(links[0], 900)

    def test_info_says_where_the_figures_come_from(self):
        file = os.path.join(os.environ["SHOAL_SOURCE"], "networks", "cluster.network")
        told = run("info", environment={"SHOAL_NETWORK": file}).stdout
        self.assertRegex(told, r"costs of links +from a file +SHOAL_NETWORK: cluster\n")
        self.assertRegex(run("info").stdout, r"costs of links +guesses +default\n")

    def expect(self, arguments, *parts, **more):
        result = run(*arguments, **more)
        self.assertEqual((result.returncode, result.stdout, result.stderr.count("\n")), (2, "", 1), result.stderr)
        self.assertTrue(result.stderr.startswith("shoal: "), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_mistakes_are_one_line(self):
        self.expect(["link", "--pes", "1"], "link needs two PEs or more; give --pes 2, or start more processes")
        self.expect(["link", "--pes", "1", "--substrate", "sim"], "link needs two PEs or more")
        self.expect(["link", "--seconds", "0"], "--seconds=0 is not", "from 0.01 to 3600")
        self.expect(["link", "--substrate", "udp"], "unknown substrate 'udp'")
        self.expect(["link", "now"], "now")
        self.expect(["lnk"], "unknown command 'lnk'", "did you mean link?")
        self.expect(["info"], "SHOAL_NETWORK=/nowhere: cannot be read (No such file or directory)",
                    environment={"SHOAL_NETWORK": "/nowhere"})


if __name__ == "__main__":
    unittest.main()
