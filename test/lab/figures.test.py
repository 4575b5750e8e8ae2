"""The figures of a network between hosts count, whatever node size a user asks for."""
# programs: all_tools lab_switch lab_probe
# processors: 2

import os
import re
import unittest

from programs import lab, main

SHOAL = os.path.join(os.environ["SHOAL_BIN"], "shoal")
NETWORK = os.path.join(os.environ["SHOAL_SOURCE"], "networks", "cluster.network")


class Figures(unittest.TestCase):
    def test_hold_for_nodes_larger_than_the_job(self):
        for node_size in ("1", "2", "100"):
            done = lab("--hosts", 2, "mpirun", SHOAL, "run", "bfs", "--graph", "rmat:scale=8", "--variant", "actor", "--repeat", "1",
                       environment={"SHOAL_NETWORK": NETWORK, "SHOAL_NODE_SIZE": node_size, "SHOAL_STATS": "1"}, timeout=60)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = re.search(r"costs of links .*latency 700 ns, overhead \d+ ns, gap 100 ns and (\S+) ns a byte", done.stderr)
            self.assertIsNotNone(told, node_size)
            self.assertGreater(float(told[1]), 0, node_size)


main()
