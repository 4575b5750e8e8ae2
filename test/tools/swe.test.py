#!/usr/bin/env python3
# Goal: `shoal swe` runs every form, with the same digest for all forms, patch sizes, PEs and substrates, and the same files byte for
# byte, reports as a table and as JSON, and refuses what it cannot do in one line.
# programs: shoal_cli shoalrun
# processors: 2
import json
import os
import pty
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

BIN = os.environ["SHOAL_BIN"]
SHOAL = os.path.join(BIN, "shoal")
SMALL = ["-x", "40", "-y", "30", "-e", "2"]


def run(*words, **variables):
    return subprocess.run([SHOAL, "swe", *words], text=True, capture_output=True, timeout=200,
                          env=dict(os.environ, **variables))


def reports(*words, **variables):
    """The JSON lines of a run that must succeed."""
    job = run(*SMALL, *words, "--json", "-", **variables)
    assert job.returncode == 0, job  # the table goes to stderr
    return [json.loads(line) for line in job.stdout.splitlines()]


def files_in(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


def write_netcdf(path, rows, columns, heights, lines):
    """A file of the classic format: variable `heights` over dimensions `rows` and `columns`, (name, coordinates) each."""
    def name(text):
        return struct.pack(">i", len(text)) + text.encode().ljust(-(-len(text) // 4) * 4, b"\0")
    variables = [(rows[0], [0], rows[1]), (columns[0], [1], columns[1]), (heights, [0, 1], lines)]
    def header(begins):
        text = b"CDF\1" + struct.pack(">iii", 0, 10, 2)
        for dimension in rows, columns:
            text += name(dimension[0]) + struct.pack(">i", len(dimension[1]))
        text += struct.pack(">iiii", 0, 0, 11, len(variables))
        for (of, dimensions, numbers), begin in zip(variables, begins):
            text += name(of) + struct.pack(f">i{len(dimensions)}i", len(dimensions), *dimensions)
            text += struct.pack(">iiiii", 0, 0, 6, 8 * len(numbers), begin)
        return text
    begins = [len(header([0] * len(variables)))]
    for _, _, numbers in variables[:-1]:
        begins.append(begins[-1] + 8 * len(numbers))
    Path(path).write_bytes(header(begins) + b"".join(struct.pack(f">{len(v[2])}d", *v[2]) for v in variables))


class Swe(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
    def test_all_forms_have_one_digest(self):
        digests = set()
        for pes, patch in ("1", "64"), ("2", "7"), ("3", "10"):
            found = reports("--pes", pes, "-p", patch, "--form", "actors,bsp,rpc")
            self.assertEqual([each["form"] for each in found], ["actors", "bsp", "rpc"])
            digests |= {each["digest"] for each in found}
            self.assertEqual({each["n_pes"] for each in found}, {int(pes)})
        digests |= {each["digest"] for each in reports("--substrate", "sim", "--pes", "5", "-p", "4", "--lazy")}
        digests |= {each["digest"] for each in reports("--substrate", "threads", "--pes", "2", "-p", "9", SHOAL_WORKERS="2")}
        openmp = run(*SMALL, "-p", "8", "--form", "openmp", "--threads", "2", "--json", "-")
        if "without OpenMP" not in openmp.stderr:
            self.assertEqual(openmp.returncode, 0, openmp.stderr)
            found = json.loads(openmp.stdout)
            self.assertEqual((found["form"], found["threads"], found["n_pes"]), ("openmp", 2, 1))
            self.assertEqual(found["cpus"], len(os.sched_getaffinity(0)), "its threads are bound")
            digests.add(found["digest"])
        self.assertEqual(len(digests), 1)

    def test_patches_that_move_end_in_the_same_state(self):
        def report(*words):
            job = run("--scenario", "half_land", "-x", "96", "-y", "96", "-p", "8", "-e", "4", "--lazy", *words, "--json", "-")
            self.assertEqual(job.returncode, 0, job.stderr)
            return json.loads(job.stdout)

        has_metis = (Path(os.environ["SHOAL_BUILD"]) / "lib" / "shoal" / "shoal-metis.so").exists()
        still = report("--pes", "2")
        self.assertNotIn("moved_patches", still)
        for steps in "fixed", "exact":
            for pes in "2", "3":
                moved = report("--pes", pes, "--balance", "--steps", steps)
                fixed = still if steps == "fixed" else report("--pes", "1", "--steps", steps)
                self.assertEqual(moved["digest"], fixed["digest"])
                self.assertEqual(moved["patch_updates"], fixed["patch_updates"])
                self.assertLess(moved["moved_patches"], 144)
                if has_metis:
                    divided = report("--pes", pes, "--repartition", "20", "--steps", steps)
                    self.assertEqual(divided["digest"], fixed["digest"])
                    self.assertEqual(divided["patch_updates"], fixed["patch_updates"])
                    self.assertLess(0, divided["moved_patches"])

    def test_steps_follow_the_waves(self):
        for steps in "exact", "behind":
            digests = {each["digest"] for patch in ("40", "8")
                       for each in reports("--pes", "2", "-p", patch, "--steps", steps, "--form", "actors,bsp")}
            self.assertEqual(len(digests), 1, steps)

    def test_water_at_rest_stays_at_rest(self):
        for solver in "hlle", "f_wave", "augmented":
            for real, most in ("double", 1e-13), ("float", 1e-5):
                [found] = reports("--scenario", "lake_at_rest", "--solver", solver, "--real", real, "--pes", "2", "-p", "8")
                self.assertLess(found["error"], most)

    def written(self, name, *words):
        """The files of a run that must succeed."""
        job = run(*SMALL, "-p", "12", "--frames", "3", "--out", self.folder / name, *words)
        if "no NetCDF library" in job.stderr:
            self.skipTest(job.stderr)
        self.assertEqual(job.returncode, 0, job.stderr)
        self.assertRegex(job.stdout, rf"; 4 frames in {self.folder / name}\n")
        return files_in(self.folder / name)

    def expect_same_files(self, *words):
        found = [self.written("actors1", "--form", "actors", "--pes", "1", *words),
                 self.written("actors3", "--form", "actors", "--pes", "3", "--lazy", *words),
                 self.written("bsp", "--form", "bsp", "--pes", "2", *words), self.written("rpc", "--form", "rpc", "--pes", "2", *words),
                 self.written("sim", "--form", "actors", "--substrate", "sim", "--pes", "16", *words)]
        for each in found[1:]:
            self.assertEqual(each.keys(), found[0].keys())
            for name, its in each.items():
                self.assertEqual(its, found[0][name], name)
        return found[0]

    def test_vtk_files_are_the_same_for_all_forms(self):
        files = self.expect_same_files()
        self.assertEqual(len(files), 12 * 4 + 4 + 1)
        frames = [(float(each.get("timestep")), each.get("file")) for each in xml.fromstring(files["frames.pvd"]).iter("DataSet")]
        self.assertEqual((frames[0], frames[-1], len(frames)), ((0, "frame.0.pvts"), (2, "frame.3.pvts"), 4))
        grid = xml.fromstring(files["frame.3.pvts"])
        self.assertEqual(grid[0].get("WholeExtent"), "0 40 0 30 0 0")
        n_cells = 0
        for piece in grid.iter("Piece"):
            part = xml.fromstring(files[piece.get("Source")])
            self.assertEqual(part[0][0].get("Extent"), piece.get("Extent"))
            depths = next(each for each in part.iter("DataArray") if each.get("Name") == "h")
            n_cells += len(depths.text.split())
        self.assertEqual(n_cells, 40 * 30)
        self.assertNotEqual(files["patch.0-0.0.vts"], files["patch.0-0.3.vts"])

    def test_netcdf_files_are_the_same_for_all_forms(self):
        files = self.expect_same_files("--format", "netcdf", "--real", "float")
        self.assertEqual(len(files), 12 + 1)
        self.assertIn("patch.(36-39:24-29).nc", files)
        self.assertGreater(len(files["whole.nc"]), 40 * 30 * 3 * 4 * 4)

    def test_frames_follow_steps_of_any_length(self):
        found = [self.written(form, "--form", form, "--pes", "2", "--steps", "exact") for form in ("actors", "bsp")]
        self.assertEqual(found[0], found[1])

    def test_seas_from_files(self):
        lines = [-30.0 if x < 4 else 2.0 for _ in range(4) for x in range(6)]
        bed, uplift = self.folder / "bed.nc", self.folder / "uplift.nc"
        write_netcdf(bed, ("lat", [float(y) / 100 for y in range(4)]), ("lon", [float(x) / 100 for x in range(6)]), "elevation", lines)
        write_netcdf(uplift, ("y", [0.0, 2000.0]), ("x", [0.0, 2000.0]), "z", [1.0, 1.0, 1.0, 1.0])
        words = ("-x", "40", "-y", "30", "-e", "60", "--pes", "2", "-p", "9", "--json", "-", "-b", bed)
        found = {}
        for name, more in (("rest", ()), ("circle", ("-u", "1500", "-v", "1500", "-r", "500")), ("file", ("--displacement-file", uplift))):
            job = run(*words, *more)
            if "without NetCDF" in job.stderr or "cannot be loaded" in job.stderr:
                self.skipTest(job.stderr)
            self.assertEqual(job.returncode, 0, job.stderr)
            found[name] = json.loads(job.stdout)
            self.assertEqual(found[name]["scenario"], "sea")
        self.assertEqual(len({each["digest"] for each in found.values()}), 3)
        self.assertGreater(found["circle"]["volume_before"], found["rest"]["volume_before"])
        # The water moves with the bed.
        self.assertEqual(found["file"]["volume_before"], found["rest"]["volume_before"])
        for more, text in ((("-u", "1"), "a displacement of the sea has three numbers"),
                           (("-u", "5000", "-v", "1500", "-r", "500"), "is on land"), (("--scenario", "pool_drop"), "leave it or --scenario out"),
                           (("--displacement-file", self.folder / "none.nc"), "none.nc: cannot be opened")):
            job = run(*words, *more)
            self.assertEqual((job.returncode, job.stdout, job.stderr.count("\n")), (2, "", 1), job.stderr)
            self.assertIn(text, job.stderr)

    def test_progress(self):
        job = run(*SMALL, "--pes", "2", "--progress", "always")
        self.assertEqual(job.returncode, 0)
        self.assertRegex(job.stderr, r"(^|\n)shoal: swe: actors \[={30}\] 100 %, 0 s left\n$")
        self.assertEqual(run(*SMALL, "--pes", "2", "--progress", "auto").stderr, "")
        self.assertEqual(run(*SMALL, "--pes", "2").stderr, "")
        ours, its = pty.openpty()
        subprocess.run([SHOAL, "swe", "--substrate", "threads", "--pes", "1", "-x", "200", "-y", "200", "-e", "10"], stderr=its,
                       stdout=subprocess.DEVNULL, check=True, timeout=200)
        os.close(its)
        shown = b""
        try:
            while more := os.read(ours, 4096):
                shown += more
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)
        self.assertIn(b"\rshoal: swe: actors [", shown)
        self.assertRegex(shown, rb"%, (\d+ s left|time unknown)\x1b\[K")

    def test_table(self):
        job = run(*SMALL, "--pes", "2", "--form", "actors,bsp", "--repeat", "2")
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        self.assertRegex(job.stdout, r"^pool_drop, 40 x 30 cells, 1 patch, hlle, double, 2 PEs, \d+ steps of \S+ s\n"
                                     r"  form +seconds +cell updates/s +Gflop/s\n  actors .*\n  bsp .*\n"
                                     r"  patch updates: (\d+) of \1; water: .* m3 at the start, .* at the end\n"
                                     r"  digest of the state: [0-9a-f]{16}\n$")

    def test_the_loop_in_cache_beside_the_forms(self):
        job = run(*SMALL, "--pes", "2", "--form", "actors,bsp", "--in-cache")
        self.assertEqual((job.returncode, job.stderr), (0, ""))
        self.assertRegex(job.stdout, r"\n  the loop over edges in cache, on all PEs at once: \d+\.\d+ Gflop/s; actors \d+ % of it, "
                                     r"bsp \d+ % of it\n")
        [found] = reports("--pes", "1", "--in-cache")
        self.assertGreater(found["flops_in_cache"], 1e7)
        self.assertEqual(found["flops_per_cell"], 2 * 94 + 21)

    def test_patches_charge_what_they_would_take(self):
        words = ("--substrate", "sim", "--charge", "10", "--charged-steps", "20", "-x", "4000", "-y", "2000", "-p", "500", "--json", "-")
        for form in "actors", "bsp", "rpc":
            found = {}
            for pes in "1", "4", "32":
                job = run(*words, "--pes", pes, "--form", form)
                self.assertEqual(job.returncode, 0, job.stderr)
                self.assertIn("patches computed nothing, and charged 10 ns a cell", job.stderr)
                found[pes] = json.loads(job.stdout)
                self.assertEqual((found[pes]["n_steps"], found[pes]["cell_updates"]), (20, 4000 * 2000 * 20))
            seconds = {pes: each["seconds"][0] for pes, each in found.items()}
            self.assertAlmostEqual(seconds["1"], 1.6, delta=0.02)
            self.assertAlmostEqual(seconds["4"], 0.4, delta=0.02)
            self.assertAlmostEqual(seconds["32"], 0.05, delta=0.01)

    def test_refusals(self):
        for words, text in ((["--scenario", "tsunami"], r"--scenario=tsunami is unknown"),
                            (["--form", "actor"], r"--form=actor is unknown; did you mean actors\?"),
                            (["-p", "0"], r"--patch-size"), (["-x", "-4"], r"--grid-size-x"), (["-e", "0"], r"--end-simulation"),
                            (["-x", "100000", "-y", "100000", "-p", "1"], r"cuts the grid into 10000000000 patches"),
                            (["--steps", "late"], r"--steps=late is unknown"),
                            (["--solver", "roe"], r"--solver=roe is unknown"),
                            (["--form", "rpc", "--steps", "exact"], r"form rpc has fixed steps only"),
                            (["--form", "openmp,bsp"], r"form openmp is one process and the others are PEs"),
                            (["--form", "openmp", "--pes", "2"], r"form openmp is one process, but there are 2 PEs"),
                            (["--threads", "2"], r"--threads is of form openmp"),
                            (["--repartition", "0"], r"--repartition=0 is not a whole number from 1 to 1000000000"),
                            (["-x", "100000", "-y", "100000", "-p", "10000", "--pes", "1"],
                             r"a grid of 100000 x 100000 cells takes 522 GiB on this machine, which has .* GiB"),
                            (["--in-cache", "--solver", "augmented"], r"--in-cache compares operations"),
                            (["--in-cache", "--form", "openmp"], r"--in-cache measures PEs"),
                            (["--charge", "5"], r"--charge=5 is of the simulator; add --substrate sim"),
                            (["--charge", "5", "--substrate", "sim", "--steps", "exact"], r"--charge has no waves"),
                            (["--charge", "0", "--substrate", "sim"], r"--charge=0"),
                            (["--charged-steps", "5"], r"--charged-steps needs the time of a cell"),
                            (["--frames", "3"], r"--frames needs a folder; give --out"),
                            (["--out", self.folder, "--format", "png"], r"--format=png is unknown"),
                            (["--out", self.folder, "--frames", "0"], r"--frames"),
                            (["--out", self.folder, "--repeat", "2"], r"takes the files of one run"),
                            (["--out", BIN], r"--out=.* has files in it"), (["--out", SHOAL], r"--out=.* cannot be made a folder"),
                            (["-r", "5"], r"a displacement needs a sea"), (["--progress", "yes"], r"--progress=yes is unknown"),
                            (["--pes", "0"], r"--pes"), (["-q"], r"-q")):
            job = run(*words)
            self.assertEqual(job.returncode, 2, words)
            self.assertEqual(len(job.stderr.splitlines()), 1, job.stderr)
            self.assertRegex(job.stderr, text)
            self.assertEqual(job.stdout, "")


if __name__ == "__main__":
    unittest.main()
