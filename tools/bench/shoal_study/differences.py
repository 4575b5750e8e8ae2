"""How a study differs from the paper, and why."""
from shoal_study.plan import KERNELS, LARGER, PROFILES

OF_PROGRAMS = (
    "The paper does not say how large its inputs were. Times for its size assume those of its authors' earlier study (Journal "
    "of Computational Science 69, 2023), whose numbers of operations fit the paper's times.",
    "The paper's OpenSHMEM histogram is bale's, whose additions return nothing, so that the library need not wait for each. "
    "Here blocking additions return the old value, and those that need not wait are a form of their own (started).",
    "The paper's triangle count gets single words; here each edge costs two gets, of two words and of a row.",
    "Conveyors and actors are Shoal's; the paper's are Conveyors 0.6 and HClib-Actor.",
)


def of_measured(name, request, machine):
    if request["launch"]:
        yield (f"{name}: measured on the hosts where these words start programs: {' '.join(request['launch'])}. The paper used "
               "one core each of Azure D-series machines.")
        return
    most, cores = max(request["pes"]), machine["cores"]
    yield (f"{name}: an emulated network ({PROFILES[name].network}) between hosts of one machine. The paper used one core each "
           "of Azure D-series machines. Programs meet the network's delays and rate, but no traffic of others, so times vary less.")
    if most > cores:
        yield (f"{name}: up to {most} PEs share {cores} cores with each other and with the emulated network, since there are no "
               "more. Work of the processors takes longer than on hosts of their own, and a PE that is woken waits for a core. "
               "So times grow with the number of PEs, and only forms on the same number can be compared.")


def of_simulated(profiles):
    files = " and ".join(dict.fromkeys(f"networks/{PROFILES[name].network}.network" for name in profiles))
    yield (f"Columns with * are predicted, not measured: by Shoal's simulator, with the links of {files} and a core for each "
           "PE. What programs compute is measured on this machine while it simulates. Plain one-sided access is Shoal's there, "
           "since only Shoal's programs can be simulated.")


def sizes_of(request, kernel):
    made = KERNELS[kernel]
    sizes = "/".join(str(size * (1 if request["quick"] else LARGER)) for size in made.sizes if size)
    return f"{kernel} {sizes} {made.size_option.removeprefix('--')}"


def of_sizes(request):
    yield ("Forms that wait for each operation run far fewer operations than the others; all is reported for each operation. "
           "Sizes of a PE for forms that wait, start, aggregate: "
           f"{'; '.join(sizes_of(request, kernel) for kernel in request['kernels'])}. A part of the time does not grow with the "
           "size (the levels of toposort, the ends of supersteps), so times for the paper's size are too long rather than too short.")


def differences(results):
    request = results["request"]
    simulated = [name for name in request["profiles"] if PROFILES[name].is_simulated]
    lines = [line for name in request["profiles"] if name not in simulated for line in of_measured(name, request, results["machine"])]
    return [*lines, *(of_simulated(simulated) if simulated else ()), *of_sizes(request), *OF_PROGRAMS]
