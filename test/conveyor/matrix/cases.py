"""The matrix of conveyors: its dimensions, which levels go together, and the command line of a case."""

import json
import os
import subprocess

from cover import Space

# Kind: flavour of `shoal conveyor-bench`, its options, and its item sizes by name.
TYPED = {"least": 4, "word": 8, "odd": 28, "line": 64, "large": 128}
BYTES = {"least": 1, "word": 8, "odd": 13, "line": 64, "large": 200}
ELASTIC = {"least": 1, "word": 8, "odd": 37, "line": 64, "large": 2000}  # limits; 2000: more than a tight slot
KINDS = {
    **{f"{route}-typed": (route, "", TYPED) for route in ("vector", "matrix", "tensor")},
    **{f"{route}-bytes": (route, "--untyped", BYTES) for route in ("vector", "matrix", "tensor")},
    **{f"{route}-elastic": (route, "--elastic", ELASTIC) for route in ("vector", "matrix", "tensor")},
    **{flavour: (flavour, "", TYPED) for flavour in ("simple", "twohop", "exstack", "exstack2", "biconveyor")},
    "elastic-biconveyor": ("biconveyor", "--elastic", ELASTIC),
}
# One codec needs a library that Shoal may have been built without.
INFO = subprocess.run([os.path.join(os.environ["SHOAL_BIN"], "shoal"), "info", "--json"],
                      capture_output=True, text=True, check=True).stdout
LEAST_BYTES = {"all-to-all": 1, "histogram": 4, "index-gather": 8}

DIMENSIONS = {
    "kind": list(KINDS),
    "pes": [1, 2, 3, 4, 7, 12],
    "node_size": [1, 2, 3, 4, "all"],  # ragged if it does not divide the number of PEs
    "hops": ["default", 2, 3],  # of kinds that do not determine it themselves
    "substrate": ["sim", "hostile", "processes"],
    "size": list(TYPED),
    "steady": ["no", "steady", "tested"],
    "codec": json.loads(INFO)["codecs"],
    "credits": ["plenty", "few", "reserves"],
    "slots": ["default", "tight"],
    "traffic": list(LEAST_BYTES),
    "pull": ["once", "again"],
    "life": ["long", "dynamic"],
    "entropy": ["full", "low"],
    "load": [0, 1, 20, 200],
    "seed": [1, 2, 3],
}

RULES = [
    (("kind", "hops"), lambda kind, hops: hops == "default" or KINDS[kind][0] in ("exstack2", "biconveyor")),
    (("pes", "node_size"), lambda pes, node: node == "all" or node < pes),
    (("node_size", "codec"), lambda node, codec: codec == "none" or node != "all"),
    # With one buffer at a time, each waits for a turn of its receiver's process, which takes long on a busy machine.
    (("substrate", "credits", "load"),
     lambda substrate, credits, load: substrate != "processes" or credits == "plenty" or load <= 20),
    # Buffers that a codec makes shorter: neither nearly empty nor noise.
    (("codec", "load"), lambda codec, load: codec == "none" or load >= 20),
    (("codec", "traffic", "entropy"),
     lambda codec, traffic, entropy: codec == "none" or traffic != "all-to-all" or entropy == "low"),
    (("traffic", "steady"), lambda traffic, steady: traffic == "all-to-all" or steady != "tested"),
    (("traffic", "entropy"), lambda traffic, entropy: traffic == "all-to-all" or entropy == "full"),
    (("kind", "size", "traffic"), lambda kind, size, traffic: KINDS[kind][2][size] >= LEAST_BYTES[traffic]),
    (("kind", "traffic"), lambda kind, traffic: "biconveyor" not in kind or traffic == "all-to-all"),
    (("kind", "pull"), lambda kind, pull: "biconveyor" not in kind or pull == "once"),
]

SPACE = Space(DIMENSIONS, RULES)

OPTIONS = {
    "substrate": {"sim": "--substrate sim", "hostile": "--substrate sim", "processes": "--substrate local"},
    "steady": {"no": "", "steady": "--steady", "tested": "--steady-test"},
    # A byte so expensive that every buffer that shrinks is encoded.
    "codec": {codec: f"--codec {codec}" + (":1000000" if codec != "none" else "") for codec in DIMENSIONS["codec"]},
    "credits": {"plenty": "", "few": "--buffers 9", "reserves": ""},
    "slots": {"default": "", "tight": "--capacity 256"},
    "traffic": {"all-to-all": "", "histogram": "--histogram", "index-gather": "--index-gather"},
    "pull": {"once": "", "again": "--reject 0.3"},
    "life": {"long": "", "dynamic": "--dynamic"},
    "entropy": {"full": "", "low": "--entropy 7"},
}


def environment_of(case):
    """The environment of a case, as text for a command line."""
    words = []
    if case["substrate"] != "processes":
        words.append(f"SHOAL_SEED={case['seed']}")
    if case["substrate"] == "hostile":
        words.append("SHOAL_SIM=refuse=0.2,hold=0.1,slow_share=0.3,preempt=0.05")
    if case["credits"] == "reserves":
        words.append("SHOAL_SHARED_SLOTS=0")
    if case["hops"] != "default":
        words.append(f"SHOAL_HOPS={case['hops']}")
    return " ".join(words)


def options_of(case):
    """The words of a case after `shoal conveyor-bench`."""
    flavour, kind, bytes_of = KINDS[case["kind"]]
    words = [kind, f"--pes {case['pes']}", *(by_level[case[name]] for name, by_level in OPTIONS.items())]
    if case["node_size"] != "all":
        words.append(f"--local-group {case['node_size']}")
    words += [f"--seed {case['seed']}", "--alignment -w2 -n1"]
    return " ".join(filter(None, words)) + f" {flavour} {case['load']} {bytes_of[case['size']]}"


def pairwise_cases():
    """Two covers of all pairs, which also hold many triples."""
    return [case for seed in (1, 2) for case in SPACE.pairwise_cases(seed)]


def product_cases():
    """Every combination of the dimensions that decide which code runs, simulated. A hostile network and processes, which
    take twenty times as long to start, have fewer dimensions. The other dimensions are drawn at random."""
    main = ["kind", "pes", "node_size", "size", "codec"]
    yield from SPACE.product(main, {"substrate": "processes"})
    yield from SPACE.product([*main, "steady"], {"substrate": "hostile"})
    yield from SPACE.product([*main, "steady", "credits"], {"substrate": "sim"})
