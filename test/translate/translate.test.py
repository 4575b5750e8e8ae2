#!/usr/bin/env python3
# Goal: what shoal-translate writes is what is expected, compiles without warnings, and prints the same as its source, on
# several numbers of simulated PEs; what it refuses stays, with the reason; user errors are one line.
# programs: all_tools shoal shoal_compat_archive
# timeout: 1500
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from programs import (BUILD, CASES, HCLIB, IS_CHECKED, KERNELS, NATIVE, OPEN_SHMEM, SOURCE, STRICT, TRANSLATE, ZSTD, as_one_file,
                      compile_hclib, compile_native, compile_shmem, is_right, kernel_program, launch, simulate, translate)


class Translation(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check_text(self, name, flags, *options):
        """The translation of case `name` is the expected one, or the source if all is refused; it says what is expected, and
        stays as it is."""
        made = self.folder / f"{name}.translated.cpp"
        job = translate(CASES / f"{name}.cpp", "-o", made, "--report", *options, "--", *flags)
        self.assertEqual(job.returncode, 0, job.stderr)
        said = job.stderr.replace(f"{CASES}/", "")
        if os.environ.get("SHOAL_EXPECT"):  # writes down what comes, to be read before it is committed
            if "refused" not in name:
                shutil.copy(made, CASES / f"{name}.expected.cpp")
            (CASES / f"{name}.expected.txt").write_text(said)
        expected = CASES / (f"{name}.cpp" if "refused" in name else f"{name}.expected.cpp")
        self.assertEqual(made.read_text(), expected.read_text())
        self.assertEqual(said, (CASES / f"{name}.expected.txt").read_text())
        if expected.suffixes == [".expected", ".cpp"]:  # otherwise the same file once more
            again = translate(made, "--", *flags)
            self.assertEqual((again.returncode, again.stdout), (0, made.read_text()))
        return made

    def check_shmem(self, name):
        made = self.check_text(name, OPEN_SHMEM)
        self.check_programs(CASES / f"{name}.cpp", made, compile_shmem, (1, 3, 4))

    def check_native(self, name):
        made = self.check_text(name, NATIVE)
        programs = [self.folder / f"{name}.before", self.folder / f"{name}.after"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job in pool.map(compile_native, [CASES / f"{name}.cpp", made], programs):
                self.assertEqual((job.returncode, job.stderr), (0, ""))
        for n_pes in 1, 3, 7:
            before, after = (simulate(program, n_pes) for program in programs)
            self.assertEqual((before.returncode, before.stderr), (0, ""))
            self.assertNotEqual(before.stdout, "")
            self.assertEqual((after.returncode, after.stdout, after.stderr), (0, before.stdout, ""))

    def check_hclib(self, source, made, *arguments):
        """Both compile as HClib's programs do."""
        self.check_programs(source, made, compile_hclib, (1, 3), *arguments)

    def check_programs(self, source, made, compiled, numbers_of_pes, *arguments):
        """Both compile, and print the same on processes."""
        programs = [self.folder / "before", self.folder / "after"]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job in pool.map(compiled, [source, made], programs):
                self.assertEqual((job.returncode, job.stderr), (0, ""))
        for n_pes in numbers_of_pes:
            before, after = (launch(program, n_pes, *arguments) for program in programs)
            self.assertEqual((before.returncode, before.stderr), (0, ""))
            self.assertNotEqual(before.stdout, "")
            self.assertEqual((after.returncode, after.stdout, after.stderr), (0, before.stdout, ""))

    def test_lambdas_of_hclib(self):
        self.check_hclib(CASES / "hclib.cpp", self.check_text("hclib", HCLIB))

    def test_kernels_of_hclib(self):
        source, made = SOURCE / "test/compat/programs/kernels_lambda.cpp", self.folder / "kernels_lambda.cpp"
        job = translate(source, "-o", made, "--", *HCLIB)
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        self.assertNotIn("USE_LAMBDA", made.read_text())
        self.check_hclib(source, made, "-n", "20")

    def test_a_refusal_of_hclib_leaves_the_file_as_it_is(self):
        self.check_text("hclib_refused", HCLIB)

    def test_other_refusals_of_hclib(self):
        """A pointer that the superstep may assign again, and selectors whose mailboxes have types of their own."""
        again = (CASES / "hclib_refused.cpp").read_text().replace("hclib::Selector<2>* asking", "static hclib::Selector<2>* asking")
        own_types = "#define USE_LAMBDA\n#include <selector-mb.h>\nlong n;\n" \
            "void f() {\n  hclib::Selector<64, long> s;\n  s.send<0>(0, [] { ++n; });\n}\n"
        for text, flags, reason in (
                (again.replace("++n;", "if (++n == 1) ask();").replace("long n;", "long n;\nvoid ask();"), HCLIB,
                 "a function that the superstep calls assigns it, too"),
                (own_types, ["-std=c++17", *HCLIB[1:]], "its mailboxes have packet types of their own (selector-mb.h)")):
            source, made = self.folder / "source.cpp", self.folder / "made.cpp"
            source.write_text(text)
            job = translate(source, "-o", made, "--", *flags)
            self.assertEqual((job.returncode, made.read_text()), (0, text), job.stderr)
            self.assertIn(reason, job.stderr)

    def test_index_gather_needs_two_slots(self):
        self.check_native("index_gather")

    def test_loops_of_openshmem(self):
        self.check_shmem("loops_shmem")

    def test_loops_of_libgetput(self):
        self.check_shmem("loops_getput")

    def test_loops_of_shoal(self):
        self.check_native("loops_native")

    def test_vouched_loops(self):
        """Right ones print the same. In checked builds, wrong ones end the job with a line that names the loop, two turns and
        the ways out."""
        self.check_shmem("loops_vouched")
        lines = (CASES / "loops_vouched.cpp").read_text().splitlines()
        for name, what in (("puts", "writes an element that {} writes with another value"),
                           ("reads", "(reads an element that {} writes|writes an element that {} reads)"),
                           ("updates", "updates an element that {} updates by another operation"),
                           ("ranges", "(reads an element that {} writes|writes an element that {} reads)")):
            line = lines.index(f"void wrong_{name}() {{") + 4
            said = what.replace("{}", r"turn \d+ of PE \d+")
            for n_pes in 1, 3, 4:
                job = launch(self.folder / "after", n_pes, name)
                if not IS_CHECKED:
                    self.assertEqual((job.returncode, job.stderr), (0, ""))
                    continue
                self.assertEqual((job.returncode, job.stderr.count("\n")), (2, 1), job.stderr)
                self.assertRegex(job.stderr, rf"^shoal: PE \d+: loops_vouched\.cpp:{line}: turn \d+ of PE \d+ {said}, so turns "
                                             r"of this loop depend on each other; remove `#pragma shoal independent`, or ")

    def test_turns_take_no_room_in_unchecked_builds(self):
        """Each message that has one is as large as without it."""
        text = (CASES / "loops_vouched.expected.cpp").read_text()
        turn = "    [[no_unique_address]] shoal::loop_turn turn;\n"
        messages = re.findall(r"  struct (\w+) \{\n((?:    .*;\n)+?)" + re.escape(turn) + r"  \};\n", text)
        self.assertGreater(len(messages), 10)
        unchecked = self.folder / "unchecked.cpp"
        unchecked.write_text(text + "".join(
            f"struct {name}_with {{\n{fields}{turn}}};\nstruct {name}_alone {{\n{fields}}};\n"
            f"static_assert(sizeof({name}_with) == sizeof({name}_alone));\n" for name, fields in messages))
        flags = [flag.replace("SHOAL_CHECKED=1", "SHOAL_CHECKED=0") for flag in OPEN_SHMEM]
        job = subprocess.run(["g++", *STRICT, "-fsyntax-only", *flags, unchecked], text=True, capture_output=True)
        self.assertEqual((job.returncode, job.stderr), (0, ""))

    def test_hard_loops_print_the_same(self):
        for name, n_translated in ("loops_hard", 5), ("loops_hard_blocks", 9), ("loops_dealt", 16):
            made = self.folder / f"{name}.made.cpp"
            job = translate(CASES / f"{name}.cpp", "-o", made, "--", *OPEN_SHMEM)
            self.assertEqual(job.returncode, 0, job.stderr)
            self.assertGreaterEqual(made.read_text().count(" : shoal::selector<"), n_translated, job.stderr)
            self.check_programs(CASES / f"{name}.cpp", made, compile_shmem, (1, 3, 4))

    def test_each_refusal_of_a_loop_leaves_the_file_as_it_is(self):
        self.check_text("loops_refused", OPEN_SHMEM)

    def test_each_rule(self):
        self.check_native("rules")

    def test_each_rule_of_actors(self):
        self.check_native("actors")

    def test_each_refusal_leaves_the_file_as_it_is(self):
        for name in "refused", "refused_actors":
            self.check_text(name, NATIVE)

    def test_a_file_without_closures_comes_out_as_it_is(self):
        job = translate(CASES / "unrelated.cpp", "--")
        self.assertEqual((job.returncode, job.stdout, job.stderr), (0, (CASES / "unrelated.cpp").read_text(), ""))

    def test_kernels(self):
        """All kernels' lambdas, as one file, become classes without an actor of closures, which give the right answers."""
        source, made = self.folder / "all.cpp", self.folder / "made.cpp"
        source.write_text(as_one_file(SOURCE / "kernels" / kernel / "lambda.cpp" for kernel in KERNELS))
        job = translate(source, "-o", made, "--", *NATIVE)
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        self.assertNotIn("lambda_actor", made.read_text().replace('"lambda_actor"', ""))
        program = self.folder / "kernels"
        job = kernel_program([made], program)
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        words = [word for kernel in KERNELS for word in (kernel, *KERNELS[kernel])]
        for n_pes in 1, 2, 3, 4, 7:
            job = simulate(program, n_pes, "lambda", *words)
            self.assertTrue(is_right(job, KERNELS), f"{n_pes} PEs: {job.stdout}{job.stderr}")

    def test_line_directives_name_the_source(self):
        job = translate(CASES / "index_gather.cpp", "--line-directives", "--", *NATIVE)
        lines = job.stdout.splitlines()
        at = lines.index("int check(shoal::world& world) {")
        expected = (CASES / "index_gather.cpp").read_text().splitlines().index("int check(shoal::world& world) {") + 1
        number, i = None, at
        while not lines[i].startswith("#line "):
            i -= 1
        number = int(lines[i].split()[1]) + at - i - 1
        self.assertEqual(number, expected)

    def test_a_compilation_database(self):
        database = self.folder / "compile_commands.json"
        database.write_text(json.dumps([{"directory": str(self.folder), "file": str(CASES / "index_gather.cpp"),
                                         "arguments": ["g++", *NATIVE, "-c", str(CASES / "index_gather.cpp")]}]))
        for path in database, self.folder:
            job = translate(CASES / "index_gather.cpp", "-p", path)
            self.assertEqual((job.returncode, job.stdout), (0, (CASES / "index_gather.expected.cpp").read_text()))
        job = translate(CASES / "unrelated.cpp", "-p", database)
        self.assertEqual((job.returncode, job.stdout), (2, ""))
        self.assertIn("does not know this file", job.stderr)

    def test_cmake_translates_the_sources_of_a_target(self):
        (self.folder / "CMakeLists.txt").write_text(f"""
cmake_minimum_required(VERSION 3.25)
project(translated LANGUAGES CXX)
include({SOURCE}/cmake/shoal_translate.cmake)
add_executable(gather {CASES}/index_gather.cpp)
target_compile_features(gather PRIVATE cxx_std_20)
target_include_directories(gather PRIVATE {SOURCE}/src {BUILD}/generated)
target_compile_definitions(gather PRIVATE SHOAL_CHECKED={int(IS_CHECKED)})
target_link_libraries(gather PRIVATE {BUILD}/src/libshoal.a z {' '.join(ZSTD)} dl pthread)
shoal_translate(gather)
""")
        for command in ["cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / "build", f"-DSHOAL_TRANSLATE={TRANSLATE}"], \
                       ["cmake", "--build", self.folder / "build"]:
            job = subprocess.run(command, text=True, capture_output=True)
            self.assertEqual(job.returncode, 0, job.stdout + job.stderr)
        made = self.folder / "build/translated/gather/index_gather.cpp"
        self.assertEqual(made.read_text(), (CASES / "index_gather.expected.cpp").read_text())
        self.assertRegex(simulate(self.folder / "build/gather", 3).stdout, "^0 wrong")

    def test_broken_code_is_not_written(self):
        broken = self.folder / "broken.cpp"
        broken.write_text("int main() { return }\n")
        made = self.folder / "made.cpp"
        job = translate(broken, "-o", made, "--")
        self.assertEqual(job.returncode, 1)
        self.assertIn(f"{broken} does not compile, so nothing is written", job.stderr)
        self.assertFalse(made.exists())
        of_c = self.folder / "main.c"
        of_c.write_text("int main(void) { return 0; }\n")
        job = translate(of_c, "-o", made, "--", "-std=c++20")
        self.assertEqual((job.returncode, made.exists()), (1, False), "an error of the flags")

    def test_includes_stand_where_the_preprocessor_sees_them(self):
        """Behind a mark of the encoding, with blanks before them, and not in a comment or within #if."""
        closure = "void f(shoal::world& world) { world.finish([&] { world.send(0, [] {}); }); }\n"
        header = '#include "shoal/actor/selector.hpp"\n'
        first = '#include "shoal/actor/world.hpp"\n'
        for before, after in (("\ufeff", ""), ("  ", ""), ("", "#if 0\n#include <none>\n#endif\n"), ("/*\n#include <none>\n*/\n", "")):
            source, made = self.folder / "source.cpp", self.folder / "made.cpp"
            source.write_text(before + first + after + closure)
            job = translate(source, "-o", made, "--", *NATIVE)
            self.assertEqual((job.returncode, job.stderr), (0, ""), before + after)
            self.assertIn(first + header, made.read_text(), before + after)

    def test_the_first_line_of_a_file_may_go(self):
        source, made = self.folder / "source.cpp", self.folder / "made.cpp"
        source.write_text((CASES / "hclib.cpp").read_text()[(CASES / "hclib.cpp").read_text().index("#define USE_LAMBDA"):])
        job = translate(source, "-o", made, "--", *HCLIB)
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        self.assertNotIn("USE_LAMBDA", made.read_text())

    def test_user_errors_are_one_line(self):
        file = CASES / "unrelated.cpp"
        for words, line in (
                ([], "no file is given"), (["--wrong", file], "there is no option --wrong"), (["/none.cpp"], "there is no file /none.cpp"),
                ([file, "-o"], "option -o needs a path"), ([file, file], "several files need a folder"),
                ([file, "-p", "/none"], "cannot read the compilation database /none"),
                ([file, "-p", self.folder, "--", "-O1"], "not from both"),
                ([file, "-o", file, "--"], "would be written over"), ([file, "-o", "/none/x.cpp", "--"], "cannot write /none/x.cpp")):
            job = translate(*words)
            self.assertEqual((job.returncode, job.stdout, job.stderr.count("\n")), (2, "", 1), words)
            self.assertIn(line, job.stderr)

    def test_help_and_version(self):
        self.assertIn("usage: shoal-translate", translate("--help").stdout)
        self.assertRegex(translate("--version").stdout, r"^shoal-translate \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
