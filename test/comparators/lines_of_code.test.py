# Actors take fewer lines than conveyors in every kernel, and about as many as one-sided access.
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SHOAL_SOURCE"], "benchmarks"))
import lines_of_code  # noqa: E402


class LinesOfCode(unittest.TestCase):
    def test_actors_are_short(self):
        table = lines_of_code.count_all()
        beside_conveyors = {kernel: counts for kernel, counts in table.items() if counts["conveyor"]}
        self.assertGreaterEqual(len(beside_conveyors), 10)
        for kernel, counts in beside_conveyors.items():
            self.assertLess(counts["actor"], counts["conveyor"], kernel)
        ratios = [counts["actor"] / counts["agp"] for counts in table.values() if counts["agp"]]
        self.assertGreaterEqual(len(ratios), 10)
        self.assertLessEqual(lines_of_code.geometric_mean(ratios), 1.2)

    def test_what_is_counted(self):
        text = "\n".join(["// A comment.", "#include <x>", "namespace a {", "int unused() { return 1; }", "",
                          "// Needed.", "int needed() {", "  // no line", "  return 2;", "}",
                          "template <class T>", "struct also : base<T> {", "  T value;", "};",
                          "void run_actor() {", "  also<int> one{needed()};", "}", "}  // namespace a"])
        found = lines_of_code.definitions(text)
        self.assertEqual([name for name, _ in found], ["unused", "needed", "also", "run_actor"])
        code = lines_of_code.with_needed(found[-1][1], [found])
        self.assertEqual(lines_of_code.cloc([code, "int x;"]), [3 + 4 + 3, 1])


try:
    subprocess.run(["cloc", "--version"], capture_output=True, check=True)
except OSError:
    print("no cloc")
    sys.exit(77)
unittest.main()
