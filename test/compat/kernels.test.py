#!/usr/bin/env python3
# Goal: the kernels of bale and of HClib-Actor's programs are right as programs of atomics, gets and puts, of exstack, of
# exstack2, of conveyors and of raw OpenSHMEM; also with few small buffers, and over several hops.
# programs: shoalrun shoal_compat_archive
import subprocess
import tempfile

from compat import IS_SANITIZED, LANGUAGES, compile_ahead, compile_program, end, expect_passed, failed, oshrun, some, start

BALE = ["-lspmat", "-lconvey", "-lexstack", "-llibgetput", "-lm"]
# What each program links. Those of raw OpenSHMEM bring bale's functions themselves.
PROGRAMS = {
    "kernels_agp.c": BALE,
    "kernels_exstack.c": BALE,
    "kernels_exstack2.c": BALE,
    "kernels_convey.c": BALE,
    "kernels_shmem.c": ["-lm"],
}
ALL_PES = (1, 2, 3, 4, 7) if not IS_SANITIZED else (3,)
FEW_PES = (3,)
TIGHT = {"SHOAL_SLOT_BYTES": "576", "SHOAL_SLOTS": "12", "SHOAL_SHARED_SLOTS": "0"}
SEVERAL_HOPS = {"SHOAL_NODE_SIZE": "2", "SHOAL_HOPS": "3"}

with tempfile.TemporaryDirectory() as folder:
    others = [language for language in LANGUAGES if language != "c11"]
    languages = {source: ["c11", *some(others, i, 1)] for i, source in enumerate(PROGRAMS)}
    for source, libraries in PROGRAMS.items():
        compile_ahead(folder, ((source, language) for language in languages[source]), libraries)
    for i, (source, libraries) in enumerate(PROGRAMS.items()):
        for language in languages[source]:
            program = compile_program(source, folder, language, libraries)
            if program is None:
                continue
            for n_pes in some(ALL_PES, i) if language == "c11" else FEW_PES:
                expect_passed(start([*oshrun(n_pes), program]), f"{source} as {language} on {n_pes} PEs")
            if language == "c11":
                expect_passed(start([*oshrun(2), program, "-n", "1"]), f"{source} on 2 PEs with one row each")
                expect_passed(start([*oshrun(3), program, "-n", "60"], TIGHT), f"{source} in tight memory")
                expect_passed(start([*oshrun(5), program], SEVERAL_HOPS), f"{source} over several hops")
    # Bale's libraries stay out of a program that does not name them; its own functions have their names.
    program = compile_program("kernels_shmem.c", folder, "c11", ["-lm"])
    symbols = subprocess.run(["nm", "--defined-only", program], text=True, capture_output=True, check=True).stdout
    for name in ("permute_matrix", "transpose_matrix_agp", "exstack_init", "lgp_rand_seed"):
        if f" {name}\n" in symbols:
            failed(f"kernels_shmem.c: {name} is in it", symbols[:500])
end()
