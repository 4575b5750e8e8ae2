#!/usr/bin/env python3
# Goal: programs of bale's libraries spmat and std_options, in C and C++, are right on any number of PEs and with little
# memory for messages; files pass from one number of PEs to another, and a wrong one ends the job with a line that says
# where; a program in the manner of bale's, built by a Makefile, understands its options, and its exit status is the job's.
# programs: shoalrun shoal_compat_archive
import json
import os
import shutil
import struct
import subprocess
import tempfile

from compat import IS_SANITIZED, PROGRAMS, TREE, compile_ahead, compile_program, end, expect_passed, failed, languages_of, oshrun, some, start

ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (4,)
FEW_PES = (3,)
LIBRARIES = ["-lspmat", "-lconvey", "-lexstack", "-llibgetput", "-lstd_options", "-lm"]
TIGHT = {"SHOAL_SLOTS": "2", "SHOAL_SLOT_BYTES": "256"}

MAKEFILE = """
CC = oshcc
CFLAGS = -std=c11 -DUSE_SHMEM -O2 -Wall -Wextra -I$(BALE_INSTALL)/include
LDFLAGS = -L$(BALE_INSTALL)/lib
LDLIBS = -lspmat -lconvey -lexstack -llibgetput -lstd_options -lm

transpose_matrix: transpose_matrix.upc
\t$(CC) $(CFLAGS) -x c $< -x none -o $@ $(LDFLAGS) $(LDLIBS)
"""
MM = "%%MatrixMarket matrix coordinate "
# What a file of MatrixMarket has: the output for it.
RIGHT_MM = {
    MM + "pattern\n3 4 2\n1 1\n3 4\n": "3 by 4, 2: columns 3, values 0\n",
    MM + "real general\n% a comment\n\n  %another\n 2 2 2 \n2 1 -1.5e1\n\n1 2 +2\n":
        "2 by 2, 2: columns 1, values -13\n",
    MM + "integer symmetric extra\r\n2 2 1\r\n2 2 7\r\n": "2 by 2, 1: columns 1, values 7\n",
    MM + "real\n2 2 2\n1 1 -1.5e999\n1 2 1e-999\n": "2 by 2, 2: columns 1, values -inf\n",
    MM + "pattern\n281474976710656 5 0\n": "passed\n",  # there is no memory
    "%%matrixmarket MATRIX Coordinate Real General\n0 0 0": "0 by 0, 0: columns 0, values 0\n",
}
# What is wrong, after the file's name.
WRONG_MM = {
    "": "line 1: the file is empty",
    "%%MatrixMarket matrix array real\n": 'line 1: "array" where "coordinate" belongs; the line must begin '
                                           '"%%MatrixMarket matrix coordinate"',
    "1 2 3\n": 'line 1: "1" where "%%MatrixMarket" belongs; the line must begin "%%MatrixMarket matrix coordinate"',
    MM + "complex\n": 'line 1: entries are "complex"; they must be "pattern", "real" or "integer"',
    MM + "real\n% nothing\n": "line 3: the line of sizes is missing",
    MM + "real\n3 4\n": "line 2: there is no number of entries",
    MM + "real\n3 4 5 6\n": 'line 2: "6" is one word too many',
    MM + "real\n-3 4 5\n": 'line 2: "-3" is no number of rows; it must be a number from 0 to 281474976710656',
    MM + "real\n3 4 2\n1 1 1\n": "line 4: the file ends after 1 entries; the line of sizes announces 2",
    MM + "real\n3 4 1\n1 1 1\n%\n2 2 2\n": "line 5: there are more than the 1 entries that the line of sizes announces",
    MM + "real\n3 4 1\n4 1 1\n": 'line 3: "4" is no row; it must be a number from 1 to 3',
    MM + "real\n3 4 1\n1 0 1\n": 'line 3: "0" is no column; it must be a number from 1 to 4',
    MM + "real\n3 4 1\n1 x2 1\n": 'line 3: "x2" is no column; it must be a number from 1 to 4',
    MM + "real\n3 4 1\n1 2\n": "line 3: there is no value",
    MM + "real\n3 4 1\n1 2 +-5\n": 'line 3: "+-5" is no value; it must be a number',
    MM + "real\n3 4 1\n1 2 1,5\n": 'line 3: "1,5" is no value; it must be a number',
    MM + "pattern\n3 4 1\n1 2 1\n": 'line 3: "1" is one word too many',
}


def write(path, content):
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def expect_refusal(job, line, what):
    if job.returncode != 1 or job.stdout or job.stderr != line + "\n":
        failed(what, f"status {job.returncode}\n{job.stdout}{job.stderr}expected: {line}")


def numbers(*values):
    return struct.pack(f"={len(values)}q", *values)


def matrix_market_files(program, folder):
    path = os.path.join(folder, "m.mm")
    for text, answer in RIGHT_MM.items():
        write(path, text)
        job = start([*oshrun(3), program, "mm", path])
        if job.returncode != 0 or job.stdout != answer or job.stderr:
            failed(f"a right file: {text}", f"status {job.returncode}\n{job.stdout}{job.stderr}expected: {answer}")
    for i, (text, what) in enumerate(WRONG_MM.items()):
        write(path, text)
        expect_refusal(start([*oshrun(1 + i % 3), program, "mm", path]), f"read_matrix_mm_to_dist: {path}: {what}",
                       f"a wrong file: {text}")
    path = os.path.join(folder, "none.mm")
    expect_refusal(start([*oshrun(2), program, "mm", path]),
                   f"read_matrix_mm_to_dist: {path}: cannot open it: No such file or directory", "no file")


def datasets(program, folder):
    path = os.path.join(folder, "dataset")
    os.mkdir(path)
    right = {"metadata": "numrows: 3\nnumcols: 4\nnnz: 3\nnwriters: 2\nvalues: 1\n",
             "rowinfo_0": numbers(0, 2), "nonzero_0": numbers(3, 1), "value_0": struct.pack("=2d", 0.5, 1),
             "rowinfo_1": numbers(0), "nonzero_1": numbers(2), "value_1": struct.pack("=d", 8)}
    wrong = (
        ("metadata", None, "cannot open it: No such file or directory"),
        ("metadata", "numrows: 3\nnumcols: x\n", 'line 2: it must be "numcols: " and a number'),
        ("metadata", "numrows: 281474976710657\nnumcols: 4\nnnz: 3\nnwriters: 2\nvalues: 1\n",
         "line 1: it must be at most 281474976710656"),
        ("metadata", "numrows: 3\nnumcols: 4\nnnz: 3\nnwriters: 0\nvalues: 1\n", "line 4: there must be a writer"),
        ("metadata", "numrows: 3\nnumcols: 4\nnnz: 9\nnwriters: 2\nvalues: 1\n",
         "line 3: it announces 9 nonzeros, but the rows have 3"),
        ("rowinfo_1", None, "cannot open it: No such file or directory"),
        ("rowinfo_1", numbers(0, 1), "it has 2 rows; of the 3 rows, writer 1 has 1"),
        ("rowinfo_0", numbers(1, 2), "row 0 begins at 1; it must begin at 0"),
        ("rowinfo_1", numbers(1), "row 0 begins at 1; it must begin at 0"),
        ("rowinfo_0", numbers(0, 3), "row 1 begins at 3; it must be from 0 to 2"),
        ("nonzero_1", numbers(4), "row 2 has a nonzero in column 4; columns are 0 to 3"),
        ("value_0", struct.pack("=d", 1), "it ends before row 0 does"),
    )
    for name, content in right.items():
        write(os.path.join(path, name), content)
    for n_pes in ALL_PES:
        job = start([*oshrun(n_pes), program, "dataset", path])
        if job.returncode != 0 or job.stdout != "3 by 4, 3: columns 6, values 9.5\n" or job.stderr:
            failed("a dataset written by hand", f"status {job.returncode}\n{job.stdout}{job.stderr}")
    for name, content, what in wrong:
        file = os.path.join(path, name)
        if content is None:
            os.remove(file)
        else:
            write(file, content)
        expect_refusal(start([*oshrun(2), program, "dataset", path]), f"read_sparse_matrix_agp: {file}: {what}", what)
        write(file, right[name])


def misuse(program):
    graph = start([*oshrun(1), program, "none"])
    if graph.returncode == 0 or "refused" not in graph.stderr:
        failed("no misuse", graph.stderr)
    wrong = (
        ("columns", "permute_matrix: the permutation has a 20; it must have the numbers from 0 to 19"),
        ("columns_agp", "permute_matrix_agp: the permutation has a 20; it must have the numbers from 0 to 19"),
        *((f"rows_{form}", f"permute_matrix_{form}: the rows' permutation has a number twice")
          for form in ("agp", "conveyor", "exstack", "exstack2")),
        ("permutation", "rand_permp: -5 is no size; it must be from 0 to 2^63 - 2"),
        ("points", "geometric_random_graph: -5 is no size; it must be from 0 to 2^63 - 2"),
        ("matrix", "init_matrix: -5 is no size; it must be from 0 to 2^63 - 2"),
        ("plain_edge", "append_edge: PE 0: the list is not one of unweighted edges"),
        ("weighted_edge", "append_weighted_edge: PE 0: the list is not one of weighted edges"),
    )
    for what, line in wrong:
        for n_pes in (1, 3):
            job = start([*oshrun(n_pes), program, what])
            if job.returncode != 1 or any(part not in job.stderr for part in line.split("PE 0")):
                failed(f"{what} on {n_pes} PEs", f"status {job.returncode}\n{job.stdout}{job.stderr}expected: {line}")


def application(folder):
    """Built as the Makefiles of bale's applications do."""
    shutil.copy(os.path.join(PROGRAMS, "spmat_app.c"), os.path.join(folder, "transpose_matrix.upc"))
    write(os.path.join(folder, "Makefile"), MAKEFILE)
    environment = dict(os.environ, BALE_INSTALL=TREE, PATH=os.path.join(TREE, "bin") + os.pathsep + os.environ["PATH"])
    build = subprocess.run(["make", "-C", folder, "-s"], text=True, capture_output=True, env=environment)
    if build.returncode != 0 or build.stderr:
        failed("to make an application", build.stdout + build.stderr)
        return
    program = os.path.join(folder, "transpose_matrix")

    def run(n_pes, *options, status=0, text=""):
        job = start([*oshrun(n_pes), program, *options])
        is_right = job.returncode == status and text in job.stdout + job.stderr
        if not is_right or (status == 0 and "error" in job.stderr.lower()):
            failed(f"options {options} on {n_pes} PEs",
                   f"status {job.returncode}\n{job.stdout}{job.stderr}expected: {text}")
        return job

    models = [[], ["-d"], ["-w"], ["-l"], ["-d", "-w", "-l"], ["-G"], ["-G", "-d", "-w"],
              ["-K", "0:3x4x5"], ["-K", "2:4x7"]]
    for i, model in enumerate(models):
        run(ALL_PES[i % len(ALL_PES)], "-b", "16", "-n", "30", "-z", "4", *model, text="          topo: ")
    job = run(3, "-N", "100", "-s", "7", "-e", "0.25", "-c", "4", "--rounds=5", "-M", "9", text="rounds: 5\n")
    for line in ("Input matrix: 100 rows, 100 columns, ", "           AGP:    ", "      Conveyor:    ",
                 "   probability: 0.250000\n", "Bale Version 3.00 (OpenShmem version ", "on 3 PEs: "):
        if line not in job.stderr:
            failed(f"the output has no {line}", job.stderr)
    if "Exstack" in job.stderr:
        failed("the mask is not obeyed", job.stderr)
    mm = os.path.join(folder, "m.mm")
    write(mm, MM + "pattern\n5 5 2\n2 1\n4 3\n")
    run(2, "-f", mm, "-n", "10", text="Input matrix: 5 rows, 5 columns, 2 nonzeros\n")
    output = os.path.join(folder, "out.json")
    run(2, "-n", "20", "-j", output)
    with open(output, encoding="utf-8") as file:
        result = json.load(file)
    expected = {"bale_version": "3.00", "app": "transpose_matrix", "pes": "2", "buf_cnt": "1024", "graph_model": "flat",
                "matrix_numrows": "40", "matrix_numcols": "40", "rounds": "1"}
    if any(result.get(key) != value for key, value in expected.items()) or float(result["AGP"]) < 0:
        failed("JSON", str(result))
    run(2, "-j", os.path.join(folder, "none", "out.json"), status=1, text="out.json: cannot create it: No such file")
    for n_pes in FEW_PES:
        for help_option in ("--help", "-?", "--usage", "--hel", "-D?", "--us", "--version", "-V", "-DV"):
            job = run(n_pes, help_option, text="transposes 7.2\n" if "V" in help_option.upper() else "Usage: ")
            if "topo: " in job.stdout + job.stderr:
                failed(f"the run goes on after {help_option}", job.stderr)
        run(n_pes, "--help", text="-K, --kronecker=M:AxBx...")
        run(n_pes, "--help", text="-?, --help ")
        run(n_pes, "--none", status=255, text="unrecognized option '--none'")
        run(n_pes, "-n", "many", status=255, text='"many" is no number')
        for option, text in (("-n", "-1"), ("-N", "-5"), ("-N", "281474976710657"), ("-e", "1.5"), ("-e", "-0.5"),
                             ("-e", "nan"), ("-z", "inf"), ("-z", "-1")):
            run(n_pes, option, text, status=255, text=f'"{text}" is no number from 0 to ')
        run(n_pes, "-n", "281474976710656", status=255,
            text="281474976710656 rows on each PE are more than 281474976710656")
        run(n_pes, "-K", "3:4x5", status=255, text='"3:4x5" is no product of stars')
        run(n_pes, "-K", "1:4x", status=255, text='"1:4x" is no product of stars')
        run(n_pes, "-f", os.path.join(folder, "none.mm"), status=1,
            text="none.mm: cannot open it: No such file or directory")


with tempfile.TemporaryDirectory() as folder:
    sources = ("spmat_moves.c", "spmat_graphs.c", "spmat_lists.c", "spmat_own.c")
    compile_ahead(folder, ((source, language) for i, source in enumerate(sources) for language in languages_of(i)), LIBRARIES)
    for i, source in enumerate(sources):
        for language in languages_of(i):
            program = compile_program(source, folder, language, LIBRARIES)
            for n_pes in () if program is None else ALL_PES if language == "c11" else FEW_PES:
                expect_passed(start([*oshrun(n_pes), program]), f"{source} as {language} on {n_pes} PEs")
            if program is not None and language == "c11":
                expect_passed(start([*oshrun(4), program], TIGHT), f"{source} with little memory")
    program = compile_program("spmat_files.c", folder, "c11", LIBRARIES)
    if program is not None:
        for i, n_writers in enumerate(ALL_PES):
            into = os.path.join(folder, f"files_of_{n_writers}")
            os.mkdir(into)
            expect_passed(start([*oshrun(n_writers), program, "write", into]), f"files written by {n_writers} PEs")
            for n_readers in some(ALL_PES, i):
                expect_passed(start([*oshrun(n_readers), program, "read", into]),
                              f"files of {n_writers} PEs read by {n_readers}")
        matrix_market_files(program, folder)
        datasets(program, folder)
    program = compile_program("spmat_misuse.c", folder, "c11", LIBRARIES)
    if program is not None:
        misuse(program)
    application(folder)
end()
