"""Runs `shoal conveyor-bench` with the command lines with which Conveyors checks its own kinds."""

import os
import re
import sys
import unittest

from runs import results_of_lines

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "support"))
from share import share_of  # noqa: E402


class ConveyorsCases(unittest.TestCase):
    """The lines with which Conveyors checks its own kinds. `-b` is theirs: buffers of a link; ours are of a PE. Their
    -A and -x have no counterpart, and -C changes nothing. On processes lines have 10 warm-ups, like theirs; but those
    of compress, which push most, have one, and a tenth of their load."""

    # All with random item sizes, then with a check of alignments, too.
    TENSOR = (
        ("-b1 -c200", "vector 100 16"), ("-b1 -c440 -t8 -d", "matrix 100 40"), ("-b2 -c120 -t6 -g", "matrix 100"),
        ("-b1 -c280 -t4", "tensor 100 24"), ("-b2 -c240 -t4 -d", "tensor 100 20"), ("-b2 -c120 -t4 -g", "tensor 100"),
        ("-b4 -c200 -t3", "tensor 100 16"), ("-b2 -c360 -d -p -y", "vector 100 32"),
        ("-b4 -c400 -t8 -p -y", "matrix 100 36"), ("-b1 -c320 -t4 -d -p -y", "tensor 100 28"),
        ("-M -b2 -c500 -w20", "vector 100 64"), ("-M -b2 -c500 -w20 -t8", "matrix 100 64"),
        ("-M -b2 -c500 -w20 -t4", "tensor 100 64"),
    )

    # Theirs have random item sizes; ours have types (of 64 bytes, not 56), so alignments are checked.
    SIMPLE = (
        ("-c160", "100 16"), ("-c80 -d -g", "100 8"), ("-c200 -d", "100 28"), ("-c240 -d -p", "100 32"),
        ("-c280 -p -y", "100 28"), ("-c320 -p -y", "100 32"), ("-c500 -w40", "100 64"),
    )
    TWOHOP = (
        ("-c160 -t4", "100 16"), ("-c80 -t4 -g", "100 8"), ("-c560 -t6 -d", "100 64"), ("-c160 -t8 -p", "100 16"),
        ("-c160 -t4 -d -p -y", "100 16"), ("-c500 -w40 -t8", "100 64"),
    )
    ELASTIC = (
        ("-b4 -c5000", "vector 10 6000"), ("-b4 -c5000 -r0.2", "vector 10 6000"),
        ("-b2 -c5000 -t8 -d", "matrix 10 6000"),
        ("-b1 -c5000 -t6 -g", "matrix 100"), ("-b1 -c5000 -t4", "tensor 100 24"),
        ("-b2 -c5000 -t4 -d", "tensor 10 6000"),
        ("-b2 -c5000 -t4 -g", "tensor 100"), ("-b4 -c5000 -t3", "tensor 10 6000"),
        ("-b1 -c5000 -d -p -y", "vector 10 6000"), ("-b2 -c5000 -t4 -d -p -y", "matrix 10 6000"),
        ("-b4 -c5000 -t2 -p -y", "tensor 10 6000"),
        ("-M -b2 -c600", "vector 10 600"), ("-M -b2 -c500 -t8", "matrix 10 600"), ("-M -b2 -c600 -t8", "matrix 10 500"),
        ("-M -b2 -c500 -t4", "tensor 10 600"), ("-M -b2 -c600 -t4", "tensor 10 500"),
    )
    # An index gather determines itself what varies. Vectors get nodes here: buffers are encoded between nodes only.
    COMPRESS = (
        ("-z64 -b1 -t4", "vector", 14), ("-z160 -b1 -t8", "matrix", 40), ("-b2 -t6 -g", "matrix", 8),
        ("-z96 -b1 -t4", "tensor", 24), ("-z80 -b2 -t4", "tensor", 18), ("-b2 -t4 -g", "tensor", 8),
        ("-z64 -b4 -t3", "tensor", 13), ("-z128 -b2 -p -y -t4", "vector", 32), ("-z144 -b4 -t8 -p -y", "matrix", 33),
        ("-z112 -b1 -t4 -p -y", "tensor", 27), ("-M -z64 -b2 -t4", "vector", 16), ("-M -z64 -b2 -t8", "matrix", 16),
        ("-M -z64 -b2 -t4", "tensor", 16),
    )

    @staticmethod
    def translated(options, pes, n_warmups):
        n_per_link = re.search(r"-b(\d)", options)
        if n_per_link:
            n_conveyors = 2 if "-g" in options or "-y" in options else 1
            n_links = pes + 2  # at least as many as any of these routes has here
            options = re.sub(r"-b\d", f"-b {max(2, n_conveyors * int(n_per_link[1]) * n_links)}", options)
        return options if "-w" in options else options + f" -w{n_warmups}"

    def lines(self, pes, n_warmups):
        for options, words in self.TENSOR:
            yield f"{self.translated(options, pes, n_warmups)} {words} -R"
            yield f"{self.translated(options, pes, n_warmups)} {words} -R -M"
        for flavour, cases in (("simple", self.SIMPLE), ("twohop", self.TWOHOP)):
            for options, words in cases:
                yield f"{self.translated(options, pes, n_warmups)} {flavour} {words} -M"
        for options, words in self.ELASTIC:
            yield f"-e {self.translated(options, pes, n_warmups)} {words}"

    def compressed(self, pes, load, substrate):
        """Lines and their results."""
        lines = [self.translated(f"{options} -c5000 --codec squeeze:1000000", pes, 1) + f" {flavour} {load} {bytes}"
                 for options, flavour, bytes in self.COMPRESS]
        found = results_of_lines(lines, "--pes", pes, "-n1", "--substrate", substrate)
        for line, o in zip(lines, found):
            self.assertEqual((o["codec"], o["ns_per_byte"]), ("squeeze", 1e6), line)
            self.assertEqual(o["bytes_spared"] > 0, o["buffers_encoded"] > 0, line)
            self.assertLessEqual(o["buffers_encoded"], o["buffers"], line)
        return zip(lines, found)

    def test_on_processes(self):
        results_of_lines(share_of(self.lines(8, 10)), "--pes", 8, "-n1")

    def test_simulated(self):
        results_of_lines(list(self.lines(18, 3)), "--pes", 18, "-n1", "--substrate", "sim")

    def test_compress_on_processes(self):
        # Which buffers are worth a trial depends on how full they are when they are posted, and so on time.
        self.assertGreater(sum(o["bytes_spared"] for _, o in self.compressed(9, 1000, "local")), 0)

    def test_compress_simulated(self):
        for line, o in self.compressed(18, 100, "sim"):
            self.assertGreater(o["bytes_spared"], 0, line)


if __name__ == "__main__":
    unittest.main()
