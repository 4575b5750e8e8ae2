"""Tables 1 and 2 of "On the Cloud We Can't Wait: Asynchronous Actors Perform Even Better on the Cloud" (anonymous): seconds of
a run on 2, 4, 8 and 16 PEs, the means of five. Its selector is an actor with one mailbox."""

PES = (2, 4, 8, 16)
FORMS = {"shmem": "shmem", "conveyor": "conveyor", "actor": "selector"}  # ours and theirs

SECONDS = {
    "cluster": {
        "histogram": {"conveyor": (0.2832, 0.2926, 0.2934, 0.3032), "actor": (0.3608, 0.3644, 0.3548, 0.3798),
                      "shmem": (4.2676, 4.202, 4.6294, 4.7478)},
        "index_gather": {"conveyor": (0.6378, 0.6548, 0.662, 0.6724), "actor": (0.8116, 0.815, 0.82, 0.85),
                         "shmem": (11.3134, 16.3852, 18.9024, 20.2506)},
        "permute": {"conveyor": (0.285, 0.2922, 0.2892, 0.3132), "actor": (0.3304, 0.3312, 0.3376, 0.3606),
                    "shmem": (4.5272, 6.6486, 7.6992, 8.2578)},
        "randperm": {"conveyor": (0.2338, 0.2396, 0.2416, 0.2558), "actor": (0.265, 0.2682, 0.273, 0.2872),
                     "shmem": (2.594, 3.007, 3.1876, 3.2786)},
        "toposort": {"conveyor": (0.1088, 0.1112, 0.1128, 0.1162), "actor": (0.1464, 0.1492, 0.1518, 0.1676),
                     "shmem": (5.7026, 6.979, 7.6578, 8.0726)},
        "transpose": {"conveyor": (0.2568, 0.2584, 0.2606, 0.2758), "actor": (0.2824, 0.2874, 0.2918, 0.3072),
                      "shmem": (6.3982, 7.1758, 7.588, 7.8224)},
        "triangle": {"conveyor": (0.5196, 0.5206, 0.5176, 0.5398), "actor": (0.6004, 0.604, 0.6088, 0.6266),
                     "shmem": (9.3682, 13.6376, 15.7818, 16.955)},
    },
    "cloud": {
        "histogram": {"conveyor": (2.8876, 1.7036, 2.023, 6.3998), "actor": (2.7106, 1.9702, 1.7934, 5.0764),
                      "shmem": (153.053, 244.629, 262.0524, 608.085)},
        "index_gather": {"conveyor": (9.0226, 6.9162, 6.0698, 6.7602), "actor": (8.633, 6.7688, 6.2924, 7.5202),
                         "shmem": (1697.404, 2620.942, 2781.248, 2850.5)},
        "permute": {"conveyor": (2.4858, 2.5552, 1.9004, 2.3514), "actor": (2.6586, 1.8768, 1.695, 2.029),
                    "shmem": (664.108, 1093.146, 1194.291, 1401.715)},
        "randperm": {"conveyor": (1.3418, 1.0888, 1.1378, 1.4236), "actor": (1.6654, 1.2648, 1.3332, 1.51),
                     "shmem": (259.461, 424.518, 530.468, 585.274)},
        "toposort": {"conveyor": (1.2472, 1.189, 1.344, 2.3386), "actor": (1.2074, 1.1246, 1.2526, 3.172),
                     "shmem": (670.719, 1018.718, 1154.388, 1207.932)},
        "transpose": {"conveyor": (1.4614, 1.0742, 1.1566, 1.6644), "actor": (1.422, 1.2322, 0.934, 1.578),
                      "shmem": (641.528, 976.745, 1127.212, 1315.747)},
        "triangle": {"conveyor": (3.8704, 3.3188, 2.8854, 2.9268), "actor": (4.1872, 3.2088, 2.59075, 3.0792),
                     "shmem": (1490.288, 2327.121, 2369.132, 2698.743)},
    },
}


def seconds(profile, kernel, pes, form):
    """None if the paper does not have it."""
    times = SECONDS.get(profile, {}).get(kernel, {}).get(form)
    return times[PES.index(pes)] if times and pes in PES else None


def speedup(profile, kernel, pes):
    """Of the selector, compared with OpenSHMEM. None if the paper does not have it."""
    slow, fast = (seconds(profile, kernel, pes, form) for form in ("shmem", "actor"))
    return slow / fast if slow else None
