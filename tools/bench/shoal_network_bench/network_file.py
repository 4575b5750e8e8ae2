"""Writes what was measured as a file that SHOAL_NETWORK and the lab read (src/shoal/base/internal/network_file.hpp)."""

KEYS = ("latency_ns", "overhead_ns", "gap_ns", "ns_per_byte", "overhead_ns_per_byte")
ITEM_KEYS = ("push_ns", "relay_ns", "handling_ns")


def value(measured):
    digits = 4 if measured["median"] < 10 else 1
    return f"{measured['median']:.{digits}f} +- {measured['error']:.{digits}f}"


def section(name, measured, keys=KEYS):
    return f"\n[{name}]\n" + "".join(f"{key} = {value(measured[key])}\n" for key in keys)


def text(name, date, node, network):
    """`node`, `network`: what `shoal link` said of each; None: not known."""
    hosts = " and ".join(dict.fromkeys((network or node)["hosts"]))
    lines = f"# Measured by `shoal network-bench`; each value with half of its 90 % interval.\nname = {name} on {hosts}, {date}\n"
    return (lines + (section("node", node) if node else "") + (section("network", network) if network else "")
            + section("item", network or node, ITEM_KEYS))
