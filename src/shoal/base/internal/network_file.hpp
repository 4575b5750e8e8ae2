/// Reads what a network's links cost from a file that `shoal network-bench` or a person has written.
///
///     # a comment
///     name = two hosts, Open MPI 4.1.4
///     [node]                          # between PEs of a node
///     latency_ns = 250 +- 10          # the error is for readers
///     overhead_ns = 90 +- 2
///     gap_ns = 40
///     ns_per_byte = 0.09
///     [network]                       # between nodes
///     ...
///     overhead_ns_per_byte = 0.2      # may be left out, in both
///     jitter_ns = 20000               # may be left out
///     carrier_ns = 9000               # processor time of a network made of software: of a buffer; may be left out
///     carrier_ns_per_byte = 0.4       # of a byte; may be left out
///     [item]                          # the processor's time for an 8-byte item
///     push_ns = 2.1 +- 0.1
///     relay_ns = 8
///     handling_ns = 1.4
///
/// Each section may be left out, but [node] or [network] must be there. Values are those of link_figures, by LogGP, and of
/// item_figures.
#pragma once

#include <string>
#include <string_view>

#include "shoal/base/settings.hpp"

namespace shoal::internal {

/// The figures in a text. Throws setup_error, which begins with `what` and names the line. Local.
network_figures parse_network_figures(std::string_view text, const std::string& what);

/// The figures in the file `path`. Throws setup_error, also if it cannot be read. Local.
network_figures read_network_file(const std::string& path, const std::string& what);

}  // namespace shoal::internal
