"""What the numbers of a study say: whether what was expected holds, and what to do. Each rule reads the rows of one profile; a
rule whose rows are missing, or do not support it, says nothing. Rules compare medians, which one disturbed run does not move."""
from math import log
from statistics import median

from shoal_bench.words import readable_seconds
from shoal_study.plan import FORMS, KERNELS, PROFILES, TABLES, label

CLOSE = 1.3  # times as long: no reason to choose
VARIES = 1.5  # slowest against fastest run: one run tells little
N_TOLD = 5  # exceptions that are named
EXPECTED_SPEEDUP = 50  # on a cloud's network
OTHERS = tuple(name for name in KERNELS if name not in TABLES)


def ratios(rows, profile, slow, fast, kernels=tuple(KERNELS)):
    """How many times as long as form `fast` form `slow` takes, by (kernel, PEs)."""
    found = {}
    for (of, kernel, pes, form), row in rows.items():
        other = rows.get((profile, kernel, pes, fast))
        if of == profile and form == slow and kernel in kernels and other:
            found[kernel, pes] = row["median"] / other["median"]
    return found


def place(key):
    kernel, pes = key
    return f"{kernel} on {pes} PEs"


def times(ratio):
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.1f}" if ratio >= 2 else f"{ratio:.2f}"


def extent(found):
    return f"{times(min(found.values()))} to {times(max(found.values()))}"


def extent_with_places(found):
    low, high = min(found, key=found.get), max(found, key=found.get)
    return f"{times(found[low])} ({place(low)}) to {times(found[high])} ({place(high)})"


def started_forms(profile):
    is_simulated = PROFILES[profile].is_simulated
    return [name for name, made in FORMS.items() if made.kind == "started" and not (made.library and is_simulated)]


# --- What was expected. Each returns (what, whether it holds, what was found), or nothing.

def expected_speedup(rows, profile):
    found = ratios(rows, profile, PROFILES[profile].baseline, "actor", TABLES)
    if not found:
        return None
    return (f"in {' and '.join(TABLES)} the actor form is at least {EXPECTED_SPEEDUP} times as fast as blocking one-sided access",
            min(found.values()) >= EXPECTED_SPEEDUP, extent_with_places(found))


def expected_order(rows, profile):
    wrong, n = [], 0
    for name in started_forms(profile):
        slow, fast = ratios(rows, profile, PROFILES[profile].baseline, name), ratios(rows, profile, name, "actor")
        for key in slow.keys() & fast.keys():
            n += 1
            if slow[key] <= 1 or fast[key] <= 1:
                wrong.append(f"{FORMS[name].title} in {place(key)}: {times(slow[key])} times as fast as blocking, "
                             f"the actor form {times(fast[key])} times as fast as that")
    if not n:
        return None
    return ("blocking one-sided access is last, started one-sided access before it, and the actor form is first", not wrong,
            "; ".join([f"in {n - len(wrong)} of {n} comparisons", *sorted(wrong)]))


def expected_close(rows, profile, kernels, what):
    found = ratios(rows, profile, "actor", "conveyor", kernels)
    if not found:
        return None
    apart = sorted((key for key, ratio in found.items() if max(ratio, 1 / ratio) > CLOSE), key=lambda key: -abs(log(found[key])))
    told = "".join(f"; {place(key)} {times(found[key])}" for key in apart[:N_TOLD])
    told += f"; {len(apart) - N_TOLD} more of {len(found)}" if len(apart) > N_TOLD else ""
    return (f"in {what} actor and conveyor take within {CLOSE} times of each other", not apart,
            f"the actor form takes {extent(found)} times as long as the conveyor{told}")


def expectations(rows, profiles):
    found = []
    for profile in profiles:
        of_profile = [expected_speedup(rows, profile)] if PROFILES[profile].is_cloud else []
        of_profile += [expected_order(rows, profile), expected_close(rows, profile, TABLES, " and ".join(TABLES)),
                       expected_close(rows, profile, OTHERS, "the other kernels")]
        found += [(f"{label(profile)}: {what}", holds, told) for what, holds, told in filter(None, of_profile)]
    return found


# --- What to do. Each returns sentences, or nothing.

def advise_messages(rows, profile):
    found = ratios(rows, profile, PROFILES[profile].baseline, "actor")
    better = {key: ratio for key, ratio in found.items() if ratio > CLOSE}
    if not better:
        return None
    rest = sorted(found.keys() - better.keys())
    if not rest:
        return (f"do not wait for single remote operations. In all {len(found)} comparisons the actor form is "
                f"{extent_with_places(found)} times as fast as blocking one-sided access.")
    return (f"use messages instead of blocking one-sided access where they are faster: {extent_with_places(better)} times as "
            f"fast, but not in {', '.join(map(place, rest))}.")


def advise_starting(rows, profile, form):
    gained, left = ratios(rows, profile, PROFILES[profile].baseline, form), ratios(rows, profile, form, "actor")
    if not gained or not left or min(gained.values()) <= CLOSE:
        return None
    return ("a program that stays with one-sided access gains by starting operations and completing them together "
            f"({FORMS[form].title}): {extent(gained)} times as fast. The actor form is {extent(left)} times as fast as that.")


def advise_form(rows, profile):
    found = ratios(rows, profile, "actor", "conveyor")
    if not found:
        return None
    by_kernel = {}
    for (kernel, _), ratio in found.items():
        by_kernel.setdefault(kernel, []).append(ratio)
    dearer = [kernel for kernel, of_kernel in by_kernel.items() if min(of_kernel) > CLOSE]
    if dearer:
        return f"write {', '.join(dearer)} with conveyors, where actors take more than {CLOSE} times as long on every number of PEs."
    if max(median(of_kernel) for of_kernel in by_kernel.values()) > CLOSE:
        return None
    return (f"choose between actors and conveyors by their programs. In no kernel does the actor form take more than {CLOSE} times "
            f"as long, by the median of the numbers of PEs; in single cases {extent(found)} times.")


def advise_repeats(rows, profile):
    if PROFILES[profile].is_simulated:
        return None
    spread = {key: row["slowest_to_fastest"] for key, row in rows.items() if key[0] == profile and row["runs"] > 1}
    wide = {key: ratio for key, ratio in spread.items() if ratio > VARIES}
    if not wide:
        return None
    worst = max(wide, key=wide.get)
    n_waiting = sum(FORMS[key[3]].kind == "blocking" for key in wide)
    return (f"repeat measurements at different times. In {len(wide)} of {len(spread)} cases, {n_waiting} of them with blocking "
            f"forms, the slowest run took more than {VARIES} times as long as the fastest, at worst {times(wide[worst])} times "
            f"({place(worst[1:3])}, {FORMS[worst[3]].title}).")


def advise_hosts(rows, profile, n_cores):
    """Weak scaling: the same work for each PE, so what a host does an hour falls if runs take longer on more hosts. `n_cores`:
    those that all hosts share; None if each has its own. More PEs than cores say nothing of hosts."""
    counts = sorted({key[2] for key in rows if key[0] == profile and (n_cores is None or key[2] <= n_cores)})
    longer = {}
    for kernel in KERNELS:
        few, many = (rows.get((profile, kernel, pes, "actor")) for pes in (counts[0], counts[-1])) if counts else (None, None)
        if few and many and few is not many:
            longer[kernel] = many["median"] / few["median"]
    if not longer:
        return None
    dear = {kernel: ratio for kernel, ratio in longer.items() if ratio > VARIES}
    if not dear:
        return (f"take as many hosts as the data need, up to {counts[-1]}: with the same work for each host, runs of the actor "
                f"form take {extent(longer)} times as long there as on {counts[0]}.")
    told = ", ".join(f"{kernel} {times(ratio)}" for kernel, ratio in dear.items())
    return ("more hosts than the data need cost more. With the same work for each host, the actor form takes longer on "
            f"{counts[-1]} hosts than on {counts[0]}: {told} times.")


def advise_by_cost(rows, profile):
    """Of the kernel where most money can be saved; nothing without a price."""
    saved = {}
    for (of, kernel, pes, form), row in rows.items():
        base = rows.get((of, kernel, pes, PROFILES[of].baseline))
        if of == profile and form == "actor" and base and row["cost"] is not None and base["cost"] > row["cost"]:
            saved[kernel, pes] = (base["cost"] - row["cost"], base, row)
    if not saved:
        return None
    key = max(saved, key=lambda each: saved[each][0])
    _, base, row = saved[key]
    return (f"one {place(key)} at the paper's size costs {base['cost']:.2g} with blocking one-sided access "
            f"({readable_seconds(base['paper_size_seconds'])}) and {row['cost']:.2g} with actors "
            f"({readable_seconds(row['paper_size_seconds'])}).")


def advise_where(rows, slow, fast):
    """Up to which ratio of prices the slow place is the cheaper one."""
    told = []
    for what, of_slow, of_fast in (("with actors", "actor", "actor"),
                                   ("with blocking one-sided access", PROFILES[slow].baseline, PROFILES[fast].baseline)):
        found = [row["median"] / rows[fast, kernel, pes, of_fast]["median"]
                 for (of, kernel, pes, form), row in rows.items()
                 if of == slow and form == of_slow and (fast, kernel, pes, of_fast) in rows]
        if found:
            told.append(f"{what} {times(median(found))} times as long ({times(min(found))} to {times(max(found))})")
    if len(told) < 2:
        return None
    return (f"{label(slow)} against {label(fast)}: a run takes {' and '.join(told)}, by the median of all kernels and numbers "
            f"of PEs. The {slow} is the cheaper place if an hour of a host costs so many times less there.")


def recommendations(rows, profiles, n_cores):
    """`n_cores`: those that the hosts of measured profiles share; None if each has its own."""
    found = []
    for profile in profiles:
        of_hosts = None if PROFILES[profile].is_simulated else n_cores
        of_profile = [advise_messages(rows, profile), *(advise_starting(rows, profile, form) for form in started_forms(profile)),
                      advise_form(rows, profile), advise_hosts(rows, profile, of_hosts), advise_repeats(rows, profile),
                      advise_by_cost(rows, profile)]
        found += [f"{label(profile)}: {line}" for line in of_profile if line]
    clouds = [profile for profile in profiles if PROFILES[profile].is_cloud]
    found += [advise_where(rows, profile, "cluster") for profile in clouds if "cluster" in profiles]
    return [line for line in found if line]
