# Actors take fewer lines than conveyors in every kernel, and about as many as one-sided access.
import os
import subprocess
import sys
import unittest
from pathlib import Path

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
        self.assertEqual([d.name for d in found], ["unused", "needed", "also", "run_actor"])
        code = lines_of_code.with_used(found[-1].code, found[-1].file, [found])
        self.assertEqual(lines_of_code.cloc([code, "int x;"]), [3 + 4 + 3, 1])

    def used(self, code, *files):
        """The names that `code` of the file f0 uses; `files` are the texts of f0, f1 and so on."""
        places = [lines_of_code.definitions(text, Path(f"f{number}")) for number, text in enumerate(files)]
        found = lines_of_code.with_used(code, Path("f0"), places)
        return [line for line in found.splitlines()[len(code.splitlines()):]]

    def test_what_shares_a_name_is_not_used(self):
        count = "int count(int a, int b = 2) { return a + b; }"
        self.assertEqual(self.used("x = count(1);", count), [count])
        self.assertEqual(self.used("x = here::count (1);", count), [count])
        for code in ("x = p.count(1);", "x = p->count(1);", "int count = 0;", "x = std::count(1);", "// count(1)",
                     'x = "count(1)";', "x = recount(1);"):
            self.assertEqual(self.used(code, count), [], code)
        value = "constexpr int limit = 3;"
        self.assertEqual(self.used("x = limit;", value), [value])
        self.assertEqual(self.used("x = p.limit;", value), [])

    def test_of_overloads_those_with_as_many_arguments_are_used(self):
        two = "int sum(int a, std::pair<int, int> b) { return a; }"
        three = "template <class T>\nint sum(int a, int b, T c) { return a + b + c; }"
        four = "int sum(int a, int b, int c, int d = 1) { return a; }"
        files = "\n".join((two, three, four))
        self.assertEqual(self.used("x = sum(f(1, 2), std::pair<int, int>{1, 2});", files), [two])
        self.assertEqual(sorted(self.used("x = sum(1, 2, [](int a, int b) { return a; });", files)),
                         sorted([*three.splitlines(), four]))

    def test_what_other_files_hide_is_not_used(self):
        hidden = "namespace a {\nnamespace {\nint help() { return 1; }\n}  // namespace\n"
        shown = "int shown() { return help(); }\nrow::row() {}\n}  // namespace a\n"
        self.assertEqual(self.used("help();", "", hidden + shown), [])
        self.assertEqual(self.used("shown();", "", hidden + shown),
                         ["int shown() { return help(); }", "int help() { return 1; }"])
        self.assertEqual(self.used("shown();", "int help() { return 2; }", hidden + shown)[-1], "int help() { return 1; }")
        self.assertEqual(self.used("row r;", "struct row { row(); };", hidden + shown), ["struct row { row(); };"])

    def test_forms_use_the_files_of_their_kernel(self):
        kernels = lines_of_code.ROOT / "kernels"
        self.assertIn("selection choose(", lines_of_code.code_of_form(kernels / "imm", "actor"))
        self.assertNotIn("class marked_candidates", lines_of_code.code_of_form(kernels / "jaccard", "actor"))
        self.assertIn("class marked_candidates", lines_of_code.code_of_form(kernels / "jaccard", "row_wise"))


try:
    subprocess.run(["cloc", "--version"], capture_output=True, check=True)
except OSError:
    print("no cloc")
    sys.exit(77)
unittest.main()
