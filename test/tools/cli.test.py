"""Tests the command shoal from the outside: its output, its JSON, every bad input with message and status."""
# processors: 0

import json
import os
import re
import struct
import subprocess
import tempfile
import time
import unittest

BIN = os.environ["SHOAL_BIN"]
SHOAL = os.path.join(BIN, "shoal")
SHOALRUN = os.path.join(BIN, "shoalrun")
SMALL = ["--updates", "20000", "--repeat", "2"]
FOLDER = tempfile.TemporaryDirectory(prefix="shoal-cli-test-")


def run(*arguments, environment=None, launcher=()):
    clean = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME") or "SAN_OPTIONS" in k}
    clean.update(environment or {})
    command = [*launcher, SHOAL, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=clean)


def path_of(name):
    return os.path.join(FOLDER.name, name)


def modules_of(*libraries):
    """A folder of files that look like modules."""
    folder = tempfile.mkdtemp(dir=FOLDER.name)
    for library in libraries:
        with open(os.path.join(folder, f"shoal-{library}.so"), "w"):
            pass
    return folder


class Commands(unittest.TestCase):
    def test_list_names_kernels_and_variants(self):
        result = run("list")
        self.assertEqual(result.returncode, 0, result.stderr)
        variants = dict(re.findall(r"(?m)^(\w+) .*\n +variants: ([^;\n]*)", result.stdout))
        for name in ("histogram", "index_gather", "permute", "toposort", "transpose"):
            with self.subTest(name):
                self.assertIn("agp, agp_nb, conveyor, exstack, exstack2, actor, lambda", variants[name])
        self.assertIn("lambda, combining", variants["histogram"])
        as_json = map(json.loads, run("list", "--json").stdout.splitlines())
        self.assertEqual(variants, {kernel["kernel"]: ", ".join(kernel["variants"]) for kernel in as_json})

    def test_parallel_handlers_on_several_workers(self):
        for kernel, *options in (("triangle",), ("pagerank",), ("pagerank", "--direction", "pull"), ("imm", "--undirected")):
            for n_pes in (1, 3):
                with self.subTest(kernel=kernel, options=options, n_pes=n_pes):
                    result = run("run", kernel, "--graph", "rmat:scale=9,factor=8", *options, "--variant", "parallel", "--pes", n_pes,
                                 "--repeat", "2", environment={"SHOAL_WORKERS": "2"})
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_list_as_json(self):
        kernels = {k["kernel"]: k for k in map(json.loads, run("list", "--json").stdout.splitlines())}
        self.assertEqual(list(kernels), re.findall(r"(?m)^(\w+) ", run("list").stdout))
        self.assertEqual(kernels["histogram"]["options"],
                         {"updates": 10000000, "table": 1000, "keys": "uniform", "seed": 1, "prefetch": "auto"})
        self.assertEqual(kernels["triangle"]["variants"][-1], "row_wise")
        self.assertEqual((kernels["histogram"]["has_loop"], kernels["triangle"]["has_loop"]), (True, False))

    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"^shoal \d+\.\d+\.\d+")
        self.assertIn("--substrate", run("run", "--help").stdout)
        self.assertIn("--updates", run("run", "histogram", "--help").stdout)

    def test_info_says_where_each_setting_comes_from(self):
        text = run("info", environment={"SHOAL_SLOT_BYTES": "16k"}).stdout
        self.assertRegex(text, r"(?m)^  slot +16 KiB +SHOAL_SLOT_BYTES$")
        self.assertRegex(text, r"(?m)^  substrate +local +default$")
        text = run("info", environment={"SHOAL_CORES": "1", "SHOAL_CODEC": "delta", "SHOAL_NS_PER_BYTE": "0.5"}).stdout
        self.assertRegex(text, r"(?m)^  cores of the job +1 +SHOAL_CORES$")
        self.assertRegex(text, r"(?m)^  codec to other nodes +delta +SHOAL_CODEC$")
        self.assertRegex(text, r"(?m)^  cost of a byte there +0.5 ns +SHOAL_NS_PER_BYTE$")
        for line in ("cores allowed", "memory", "cache of level 2", "slots of a PE",
                     "symmetric heap of a PE", "PEs of a node", "hops of a route", "threads", "sim"):
            self.assertRegex(text, rf"(?m)^  {line} ")

    def test_info_as_json(self):
        facts = json.loads(run("info", "--json", "--pes", "7").stdout)
        self.assertEqual(facts["pes"], {"value": 7, "origin": "--pes"})
        self.assertEqual(facts["substrates"], ["local", "threads", "sim", "mpi", "mpi-rma", "shmem"])
        self.assertRegex(facts["compiler"], r"^(GCC|.*[Cc]lang) \d+\.")
        self.assertIs(type(facts["contract_checks"]), bool)
        self.assertEqual(facts["cores"], len(os.sched_getaffinity(0)))
        for key in ("buffer_bytes_per_pe", "slot_bytes", "slots_per_pe", "heap_bytes_per_pe", "node_size", "hops"):
            self.assertGreater(facts[key]["value"], 0)
            self.assertTrue(facts[key]["origin"])

    def test_a_codec_is_refused_that_this_shoal_was_built_without(self):
        codecs = json.loads(run("info", "--json").stdout)["codecs"]
        self.assertEqual(codecs[:4], ["none", "best", "squeeze", "delta"])
        result = run("run", "histogram", *SMALL, "--substrate", "sim", "--pes", "2",
                     environment={"SHOAL_CODEC": "zstd", "SHOAL_NODE_SIZE": "1"})
        if codecs[4:] == ["zstd"]:
            self.assertEqual(result.returncode, 0, result.stderr)
        else:
            self.assertEqual(result.returncode, 2)
            self.assertEqual(result.stderr, "shoal: SHOAL_CODEC=zstd: this Shoal was built without zstd; choose best, "
                             "squeeze or delta, or build it where zstd is installed (Debian: libzstd-dev)\n")

    def test_info_says_where_modules_are(self):
        file = path_of("shoal-mpich.so")
        with open(file, "w"):
            pass
        here = {"SHOAL_MODULES": FOLDER.name}
        text = run("info", environment=here).stdout
        self.assertIn(file, re.search(r"(?m)^  mpich \(mpi, mpi-rma\) +(.*)$", text).group(1))
        self.assertRegex(text, r"(?m)^  shmem +missing: shoal-shmem.so is not in .*; build Shoal where libopenmpi-dev")
        modules = json.loads(run("info", "--json", environment=here).stdout)["modules"]
        self.assertEqual(modules, {"openmpi": None, "mpich": file, "shmem": None})

    def test_info_writes_control_characters_out(self):
        text = run("info", environment={"SHOAL_MODULES": "/no\x1b[31m"}).stdout
        self.assertNotIn("\x1b", text)
        self.assertIn("missing: shoal-mpich.so is not in /no\\x1b[31m; build Shoal where", text)

    def test_info_tells_what_routes_cost(self):
        text = run("info", "--pes", "7", environment={"SHOAL_NODE_SIZE": "3"}).stdout
        self.assertRegex(text, r"(?m)^  PEs of a node +3 +SHOAL_NODE_SIZE$")
        self.assertRegex(text, r"(?m)^  hops of a route +1 +number of PEs, nodes and memory budget$")
        self.assertRegex(text, r"(?m)^Routes for 7 PEs on nodes of 3,")
        self.assertRegex(text, r"(?m)^  1 +7 +32 KiB +918400 bytes$")  # 7 x (4 x 32 KiB + 128)
        self.assertRegex(text, r"(?m)^  2 +6 ")
        self.assertRegex(text, r"(?m)^  3 +7 ")
        self.assertIn("  1 hop: the fewest that leave each link 4 slots of 4 KiB or more", text)

        forced = json.loads(run("info", "--json", "--pes", "7", environment={"SHOAL_HOPS": "3"}).stdout)
        self.assertEqual(forced["hops"], {"value": 3, "origin": "SHOAL_HOPS"})
        self.assertEqual(forced["hops_reason"], "SHOAL_HOPS says so")
        self.assertEqual([(r["hops"], r["links"]) for r in forced["routes"]], [(1, 7), (2, 8), (3, 9)])

        many = json.loads(run("info", "--json", "--pes", "100000",
                              environment={"SHOAL_SUBSTRATE": "sim", "SHOAL_NODE_SIZE": "64"}).stdout)
        self.assertEqual(many["hops"]["value"], 3)
        self.assertLess(many["routes"][2]["reserved_bytes"], many["routes"][1]["reserved_bytes"])


class Runs(unittest.TestCase):
    def lines(self, *arguments, **more):
        result = run("run", *arguments, "--json", "-", **more)
        self.assertEqual(result.returncode, 0, result.stderr)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def test_table_on_stdout(self):
        result = run("run", "histogram", *SMALL, "--baseline", "--pes", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"^histogram: 2 PEs on local; updates 20000, table 1000,")
        self.assertRegex(result.stdout, r"(?m)^cache-line hand-off: .*; start-up [\d.]+ s, input")
        self.assertRegex(result.stdout, r"(?m)^variant +seconds +min +max +ns/message ")
        for variant in ("agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "combining", "loop"):
            self.assertRegex(result.stdout, rf"(?m)^{variant} .* yes$")
        self.assertIn("verified: every count equals a serial recount", result.stdout)

    def test_json_schema(self):
        lines = self.lines("histogram", *SMALL, "--baseline", "--pes", "2")
        self.assertEqual([o["variant"] for o in lines],
                         ["agp", "agp_nb", "conveyor", "exstack", "exstack2", "actor", "lambda", "combining", "loop"])
        for o in lines:
            self.assertEqual(
                list(o),
                ["kernel", "variant", "substrate", "pes", "parameters", "operations_per_pe",
                 "messages_per_pe", "seconds", "ns_per_message", "ns_per_operation", "ratio_to_loop",
                 "line_handoff_ns", "state", "valid", "verified", "version"])
            self.assertEqual((o["kernel"], o["substrate"], o["pes"]), ("histogram", "local", 2))
            self.assertEqual(o["parameters"],
                             {"updates": 20000, "table": 1000, "keys": "uniform", "seed": 1, "prefetch": "auto"})
            self.assertEqual(o["operations_per_pe"], 20000)
            self.assertEqual(list(o["seconds"]), ["median", "min", "max"])
            self.assertLessEqual(o["seconds"]["min"], o["seconds"]["median"])
            self.assertLessEqual(o["seconds"]["median"], o["seconds"]["max"])
            self.assertIs(o["verified"], True)
            self.assertAlmostEqual(o["ns_per_operation"], o["seconds"]["median"] * 1e9 / 20000)
            if o["variant"] == "loop":
                self.assertEqual((o["messages_per_pe"], o["ns_per_message"]), (0, None))
                self.assertEqual(o["ratio_to_loop"], 1)
            else:
                self.assertEqual(o["messages_per_pe"], 20000)  # within a node nothing is combined
                self.assertAlmostEqual(o["ns_per_message"], o["seconds"]["median"] * 1e9 / o["messages_per_pe"])
                self.assertGreater(o["ratio_to_loop"], 0)
            if len(os.sched_getaffinity(0)) > 1:
                self.assertGreater(o["line_handoff_ns"], 0)
                self.assertEqual(o["state"], "near" if o["line_handoff_ns"] < 60 else "far")
            self.assertIs(o["valid"], True)  # so few updates say nothing against it

    def test_keys_are_an_option_that_is_a_word(self):
        (o,) = self.lines("histogram", *SMALL, "--keys", "zipf:1.2", "--variant", "combining", "--pes", "2",
                          environment={"SHOAL_NODE_SIZE": "1"})
        self.assertEqual(o["parameters"]["keys"], "zipf:1.2")
        self.assertLess(o["messages_per_pe"], 10000)

    def test_without_baseline_or_second_pe_members_are_null(self):
        (o,) = self.lines("index_gather", "--reads", "1000", "--variant", "actor", "--pes", "1")
        self.assertIsNone(o["ratio_to_loop"])
        self.assertIsNone(o["line_handoff_ns"])
        self.assertEqual((o["state"], o["valid"]), (None, None))
        self.assertEqual(o["messages_per_pe"], 2000)

    def test_json_to_a_file(self):
        file = path_of("result.json")
        result = run("run", "histogram", *SMALL, "--variant", "lambda,actor", "--json", file)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("ns/message", result.stdout)
        with open(file) as lines:
            self.assertEqual([json.loads(line)["variant"] for line in lines], ["lambda", "actor"])

    def test_every_substrate(self):
        for substrate, pes in (("local", 3), ("threads", 3), ("sim", 64)):
            for kernel, option in (("histogram", "--updates"), ("index_gather", "--reads")):
                for o in self.lines(kernel, option, "2000", "--substrate", substrate, "--pes", pes,
                                    "--repeat", "1"):
                    self.assertEqual((o["substrate"], o["pes"], o["verified"]), (substrate, pes, True))

    def test_simulated_seconds_are_virtual_and_repeat(self):
        runs = [run("run", "histogram", "--updates", "500", "--substrate", "sim", "--pes", "5",
                    "--variant", "actor") for _ in range(2)]
        self.assertIn("virtual seconds", runs[0].stdout)
        rows = [re.findall(r"(?m)^actor .*$", r.stdout) for r in runs]
        self.assertEqual(rows[0], rows[1])

    def test_default_is_one_pe_per_core_on_local(self):
        (o,) = self.lines("histogram", *SMALL, "--variant", "actor")
        self.assertEqual((o["substrate"], o["pes"]), ("local", len(os.sched_getaffinity(0))))

    def test_options_outrank_the_environment(self):
        (o,) = self.lines("histogram", *SMALL, "--variant", "actor",
                          environment={"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "5"})
        self.assertEqual((o["substrate"], o["pes"]), ("sim", 5))
        (o,) = self.lines("histogram", *SMALL, "--variant", "actor", "--substrate", "local", "--pes", "2",
                          environment={"SHOAL_SUBSTRATE": "sim", "SHOAL_PES": "5"})
        self.assertEqual((o["substrate"], o["pes"]), ("local", 2))

    def test_under_shoalrun_it_just_is_a_pe(self):
        (o,) = self.lines("histogram", *SMALL, "--variant", "actor", launcher=(SHOALRUN, "-n", "3"))
        self.assertEqual((o["substrate"], o["pes"]), ("local", 3))

    def test_network_substrates_are_started_by_mpirun(self):
        """A fake mpirun prints its arguments."""
        folder = tempfile.mkdtemp(dir=FOLDER.name)
        for name in ("mpirun.mpich", "mpirun"):
            with open(os.path.join(folder, name), "w") as file:
                file.write('#!/bin/sh\n[ "$1" = --version ] && echo "mpirun (Open MPI) 4.1.4" && exit\n'
                           'echo "$0 $@ ($SHOAL_SUBSTRATE, $SHOAL_MPI)"; cat; exit 7\n')
            os.chmod(file.name, 0o755)
        path = {"PATH": folder + ":/usr/bin:/bin", "SHOAL_MODULES": modules_of("openmpi", "mpich", "shmem")}
        both = ["run", "histogram", "--pes", "5", "--substrate"]
        there = [name for name in ("mpirun.openmpi", "oshrun") if any(
            os.path.exists(os.path.join(d, name)) for d in ("/usr/bin", "/bin"))]

        mpich = run(*both, "mpi-rma", "--mpi", "mpich", environment=path)
        self.assertEqual(mpich.returncode, 7, mpich.stderr)
        self.assertRegex(mpich.stdout, rf"^{folder}/mpirun.mpich -n 5 {SHOAL} {' '.join(both)} mpi-rma --mpi mpich "
                                       r"--launched-ns \d+ \(mpi-rma, mpich\)$")
        if not there:
            openmpi = run(*both, "shmem", environment=path)
            self.assertEqual(openmpi.returncode, 7, openmpi.stderr)
            self.assertRegex(openmpi.stdout, rf"^{folder}/mpirun -n 5 --oversubscribe --bind-to none "
                                             rf".* \(shmem, openmpi\)$")
        bench = run("conveyor-bench", "--pes", "2", "--substrate", "mpi", "--mpi", "mpich", "vector", "10",
                    environment=path)
        self.assertEqual(bench.returncode, 7, bench.stderr)
        self.assertIn("mpirun.mpich -n 2 ", bench.stdout)

    def test_a_full_disk_is_an_error(self):
        histogram = ("run", "histogram", "--updates", "1000", "--repeat", "1")
        for arguments in (("list",), ("info",), ("--version",), (*histogram, "--pes", "1"), (*histogram, "--pes", "3"),
                          (*histogram, "--pes", "3", "--json=-"), (*histogram, "--pes", "3", "--substrate", "sim"),
                          ("conveyor-bench", "vector", "10", "--pes", "2"), ("link", "--seconds", "0.1")):
            with self.subTest(arguments), open("/dev/full", "w") as full:
                job = subprocess.run([SHOAL, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
                self.assertEqual(job.returncode, 2, job.stderr)
                self.assertRegex(job.stderr, r"(?m)^shoal: .*the output could not be written; is the disk full\?")

    def test_what_others_have_named_steers_no_terminal(self):
        graph = path_of("\x1b[31mgraph\udce9.mtx")
        with open(graph, "w") as file:
            file.write("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
        names = path_of("names")
        with open(names, "wb") as file:
            file.write(b"\x1b]0;title\x07\nZ\xc3\xbcrich \xe9\n")
        shown = path_of(r"\x1b[31mgraph\xe9.mtx")
        for n_pes in (1, 3):
            given = ["run", "pagerank", "--pes", n_pes, "--repeat", 1, "--variant", "actor", "--input"]
            result = run(*given, graph, "--names", names)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("input " + shown, result.stdout)
            self.assertRegex(result.stdout, r"(?m)^  0\.\d+  \\x1b\]0;title\\x07$")
            self.assertRegex(result.stdout, r"(?m)^  0\.\d+  Zürich \\xe9$")
            self.assertNotIn("\x1b", result.stdout)
            answer = json.loads(run(*given, graph, "--names", names, "--json=-").stdout)
            self.assertEqual(sorted(v["name"] for v in answer["answer"]["top"]), ["\x1b]0;title\x07", "Zürich \ufffd"])
            with open(graph + ".bad", "w") as file:
                file.write("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 \x1b\n")
            result = run(*given, graph + ".bad")
            self.assertEqual(result.returncode, 2)
            self.assertIn(f"{shown}.bad:3: cannot read '1 \\x1b'", result.stderr)
            self.assertNotIn("\x1b", result.stderr)
        for command, where in ((["run", "histogram", "--pes", "\x1b[31m1"], {}), (["run", "\x1b[31m1"], {}),
                               (["run", "histogram"], {"SHOAL_SLOTS": "\x1b[31m1"})):
            result = run(*command, environment=where)
            self.assertEqual(result.returncode, 2)
            self.assertRegex(result.stderr, r"^shoal: .*\\x1b\[31m1.*\n$")

    def test_a_switch_alone_means_yes(self):
        graph = path_of("way.mtx")
        with open(graph, "w") as file:
            file.write("%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n")
        given = ["run", "bfs", "--input", graph, "--root", "3", "--variant", "actor", "--json=-"]
        for switch, n_reached in (((), 1), (("--undirected",), 3), (("--undirected", "yes"), 3), (("--undirected=yes",), 3),
                                  (("--undirected", "no"), 1), (("--undirected=no",), 1)):
            for command in ([*given, *switch], [*given[:2], *switch, *given[2:]]):
                answer = json.loads(run(*command, "--repeat", "1").stdout)["answer"]
                self.assertEqual(answer["reached"], n_reached, command)
        self.assertIn("--undirected VALUE=no ", run("run", "bfs", "--help").stdout)

    def test_defaults_suit_the_smallest_graphs(self):
        kernels = [k for k in map(json.loads, run("list", "--json").stdout.splitlines()) if "graph" in k["options"]]
        self.assertGreaterEqual(len(kernels), 12)
        for kernel in kernels:
            for graph in ("er:n=1,degree=0", "er:n=2,degree=1"):
                result = run("run", kernel["kernel"], "--graph", graph, "--pes", "1", "--repeat", "1")
                self.assertEqual(result.returncode, 0, (kernel["kernel"], graph, result.stderr))

    def test_long_runs_show_progress(self):
        # How many repeats make a run long depends on the machine: a shorter run tells.
        n_repeats, seconds = 4, 2.5
        while seconds < 4:
            n_repeats = int(n_repeats * max(2, 5 / seconds))
            begin = time.monotonic()
            long = run("run", "histogram", "--updates", "3000000", "--variant", "actor", "--repeat", str(n_repeats))
            seconds = time.monotonic() - begin
            self.assertEqual(long.returncode, 0, long.stderr)
        self.assertRegex(long.stderr, rf"(?m)^histogram: repeat \d+ of {n_repeats}: actor [\d.]+ s$")
        short = run("run", "histogram", "--updates", "1000", "--repeat", "1", "--variant", "actor")
        self.assertEqual(short.stderr, "")


class BadInput(unittest.TestCase):
    """Each error is one line that names the problem and a valid alternative, and status 2."""

    def expect(self, arguments, *parts, **more):
        result = run(*arguments, **more)
        self.assertEqual(result.returncode, 2, (arguments, result.stdout, result.stderr))
        self.assertEqual(result.stdout, "", arguments)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("shoal: "), result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_commands_and_kernels(self):
        self.expect([], "list, info, run, swe, bench, conveyor-bench, network-bench, study or link")
        self.expect(["lst"], "unknown command 'lst'", "did you mean list?")
        self.expect(["list", "all"], "all")
        self.expect(["info", "--jsn"], "--jsn")
        self.expect(["run"], "which kernel?", "histogram")
        self.expect(["run", "histogam"], "unknown kernel 'histogam'", "did you mean histogram?")
        self.expect(["run", "sort", "--pes", "2"], "unknown kernel 'sort'", "known: histogram, ", ", triangle, ")

    def test_options(self):
        self.expect(["run", "histogram", "--updats", "5"], "no option --updats", "did you mean --updates?")
        self.expect(["run", "histogram", "--reads=5"], "kernel histogram has no option --reads")
        self.expect(["run", "histogram", "now"], "unexpected word 'now'")
        self.expect(["run", "histogram", "--updates", "1e7"], "--updates=1e7 is not a whole number from 1")
        self.expect(["run", "histogram", "--updates", "999999999999", "--pes", "2"], "--updates asks for",
                    "this machine has")
        self.expect(["run", "histogram", "--prefetch", "maybe"], "--prefetch=maybe", "auto, on, off")
        self.expect(["run", "histogram", "--table"], "--table")
        self.expect(["run", "histogram", "--baseline=7"], "--baseline takes no value")
        self.expect(["run", "imm", "--graph=rmat:scale=5", "--epsilon=", "--pes", "2"], "--epsilon= needs a value")
        self.expect(["run", "--variant=", "histogram", "--repeat", "1"], "--variant= needs a value")
        self.expect(["run", "bfs", "--undirected=", "--pes", "1"], "--undirected= needs a value")
        self.expect(["run", "histogram", "--json", "--repeat", "1"], "--json needs a value, but --repeat follows")
        self.expect(["run", "--repeat", "1", "bfs", "--root", "--pes=1"], "--root needs a value, but --pes=1 follows")
        self.expect(["info", "--pes="], "--pes= needs a value")
        self.expect(["run", "index_gather", "--index-bits", "16"], "--index-bits=16 is neither 32 nor 64")

    def test_number_of_pes(self):
        for pes in ("0", "-1", "257", "two", "1.5", "99999999999999999999"):
            self.expect(["run", "histogram", "--pes", pes], f"--pes={pes} is not", "from 1 to 256", "sim")
        self.expect(["run", "histogram", "--pes", ""], "--pes", "needs a value")
        self.expect(["run", "histogram", "--pes", "2000000", "--substrate", "sim"], "from 1 to 1000000")
        self.expect(["run", "histogram"], "SHOAL_PES=0 is not", environment={"SHOAL_PES": "0"})

    def test_substrates(self):
        names = "choose local (processes), threads, sim (simulated), mpi, mpi-rma (one-sided MPI) or shmem"
        self.expect(["run", "histogram", "--substrate", "udp"], "unknown substrate 'udp'", names)
        self.expect(["run", "histogram"], "unknown substrate 'udp' (SHOAL_SUBSTRATE)",
                    "choose local, threads, sim, mpi, mpi-rma or shmem", environment={"SHOAL_SUBSTRATE": "udp"})
        self.expect(["conveyor-bench", "--substrate", "udp", "vector", "10"], "unknown substrate 'udp'", names)
        self.expect(["run", "histogram", "--mpi", "lam"], "--mpi=lam", "openmpi or mpich")
        self.expect(["run", "histogram"], "SHOAL_MPI=lam", "openmpi or mpich", environment={"SHOAL_MPI": "lam"})
        self.expect(["run", "histogram", "--mpi", "mpich"], "--mpi=mpich", "not of local", "--substrate mpi")
        nothing = {"PATH": FOLDER.name, "SHOAL_MODULES": modules_of("openmpi", "mpich", "shmem")}
        self.expect(["run", "histogram", "--substrate", "mpi"], "mpirun.openmpi, mpirun.mpich, or mpirun",
                    "install openmpi-bin", environment=nothing)
        self.expect(["run", "histogram", "--substrate", "shmem", "--mpi", "mpich"], "leave --mpi and SHOAL_MPI out",
                    environment=nothing)

    def test_without_modules(self):
        """If Shoal was built without a library, one line says so, before any launcher starts anything."""
        empty = {"SHOAL_MODULES": modules_of()}
        for substrate, library, package in (("mpi", "openmpi", "libopenmpi-dev openmpi-bin"),
                                            ("mpi-rma", "openmpi", "libopenmpi-dev openmpi-bin"),
                                            ("shmem", "shmem", "libopenmpi-dev openmpi-bin")):
            self.expect(["run", "histogram", "--substrate", substrate, "--pes", "2"], "no module for Open",
                        f"(shoal-{library}.so is not in {empty['SHOAL_MODULES']})",
                        f"build Shoal where {package} are installed", environment=empty)
        self.expect(["run", "histogram", "--substrate", "mpi", "--mpi", "mpich"], "no module for MPICH",
                    "libmpich-dev mpich", environment=empty)
        # The only library that has a module is the default.
        self.expect(["run", "histogram", "--substrate", "mpi"], "started by mpirun.mpich, or mpirun of MPICH",
                    "install mpich", environment={"PATH": FOLDER.name, "SHOAL_MODULES": modules_of("mpich")})

    def test_under_mpirun(self):
        two = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
        self.expect(["run", "histogram", "--pes", "3"], "--pes=3, but mpirun started 2 PEs; leave --pes out",
                    environment=two)
        self.expect(["run", "histogram", "--substrate", "threads"], "mpirun started 2 processes", "without mpirun",
                    environment=two)
        self.expect(["run", "histogram", "--pes", "2"], "--pes=2, but mpirun started 1 PE;",
                    environment={"PMI_SIZE": "1", "PMI_RANK": "0"})
        self.expect(["conveyor-bench", "--"], "without shoalrun and mpirun", environment=two)

    def test_variants(self):
        self.expect(["run", "histogram", "--variant", "actr"], "no variant 'actr'", "did you mean actor?")
        self.expect(["run", "histogram", "--variant", "actor,,agp"], "no variant ''")
        self.expect(["run", "histogram", "--variant", "reference"], "no variant 'reference'", "verified against")
        self.expect(["run", "histogram", "--variant", "loop"], "no variant 'loop'", "--baseline")
        self.expect(["run", "triangle", "--baseline", "--input", SHOAL], "no plain loop")

    def test_repeats(self):
        for repeat in ("0", "-3", "many"):
            self.expect(["run", "histogram", "--repeat", repeat], f"--repeat={repeat} is not", "from 1")

    def test_a_folder_of_a_binary_matrix(self):
        folder = tempfile.mkdtemp(dir=FOLDER.name)
        for name, words in (("rowinfo_0", (0, 1, 3)), ("nonzero_0", (1, 0, 2, 0))):  # 0-1, 1-0, 1-2, 2-0
            with open(os.path.join(folder, name), "wb") as file:
                file.write(struct.pack(f"{len(words)}q", *words))
        with open(os.path.join(folder, "metadata"), "w") as file:
            file.write("numrows: 3\nnumcols: 3\nnnz: 4\nnwriters: 1\nvalues: 0\n")
        result = run("run", "triangle", "--input", folder, "--pes", "2", "--repeat", "1", "--json", "-")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads(result.stdout.splitlines()[-1])["answer"], {"triangles": 1})

    def test_files(self):
        nowhere = path_of("nowhere")
        self.expect(["run", "pagerank"], "a graph is missing: --input=FILE")
        self.expect(["run", "pagerank", "--names", SHOAL], "a graph is missing: --input=FILE")
        self.expect(["run", "pagerank", "--graph", "tree:n=3"], "--graph=tree:n=3 is of no known kind")
        self.expect(["run", "pagerank", "--input", nowhere], f"--input={nowhere} cannot be read",
                    "No such file")
        self.expect(["run", "triangle", "--input", FOLDER.name],
                    f"--input={FOLDER.name} is a folder without a file metadata; give a file, or a folder of a binary matrix")
        self.expect(["run", "triangle", "--input", SHOAL, "--names", FOLDER.name], "is a folder; give a file")
        self.expect(["run", "pagerank", "--input", SHOAL, "--names", nowhere],
                    f"--names={nowhere} cannot be read")
        self.expect(["run", "histogram", "--json", nowhere + "/x.json"], f"there is no folder {nowhere}")
        self.expect(["run", "histogram", "--json", FOLDER.name], "is a folder")
        self.assertFalse(os.path.exists(nowhere))

    def test_under_shoalrun(self):
        def expect(arguments, text):
            result = run("run", "histogram", *arguments, launcher=(SHOALRUN, "-n", "2"))
            self.assertEqual(result.returncode, 2)
            self.assertIn(text, result.stderr)

        expect(["--pes", "3"], "--pes=3, but shoalrun started 2 PEs; leave --pes out")
        expect(["--substrate", "sim"], "run shoal without shoalrun")
        expect(["--substrate", "mpi"], "its own launcher, but shoalrun started several processes")


if __name__ == "__main__":
    unittest.main()
