/// What the links of a job cost, as far as it is known: hops, codecs, slot sizes and early posts follow from it.
#pragma once

#include <cstdint>
#include <string_view>

#include "shoal/base/link_figures.hpp"

namespace shoal {
struct settings;  // base/settings.hpp
}

namespace shoal::internal {

/// Where figures of links come from; those that were measured, last.
enum class figures_origin : std::uint8_t {
  guess,
  model,  // the simulator's own
  probe,  // measured at the start of the job
  file,  // SHOAL_NETWORK
};

/// For people: "from a file".
std::string_view name_of(figures_origin of) noexcept;

/// The time that a buffer of no bytes takes of both its PEs and of its link.
constexpr std::uint64_t buffer_ns(const link_figures& on) noexcept { return 2 * on.overhead_ns + on.gap_ns; }
/// The time from a buffer's post to the end of its poll, if it has no bytes and nothing is in its way.
constexpr std::uint64_t way_ns(const link_figures& on) noexcept { return on.latency_ns + 2 * on.overhead_ns; }

/// Between two processes of one machine, whose bytes stay where they are.
inline constexpr link_figures guessed_node_links{200, 100, 100, 0};
/// A network card of 100 Gbit/s.
inline constexpr link_figures guessed_network_links{1500, 500, 500, 0.08};

struct link_costs {
  link_figures node = guessed_node_links;  // between PEs of a node
  link_figures network = guessed_node_links;  // between nodes; in shared memory, nodes exist only by name
  std::int64_t n_sharing = 1;  // PEs of a node that share its gaps to other nodes
  figures_origin origin = figures_origin::guess;  // of those between nodes, or of the only node
  item_figures item = {};

  /// Time of a byte to another node, if all PEs of the node send.
  double byte_ns() const noexcept { return network.gap_per_byte_ns * static_cast<double>(n_sharing); }
};

/// What is known before the job starts. Requires a chosen substrate and a number of PEs; without a node size, all PEs are
/// on one node.
link_costs links_of(const settings& chosen) noexcept;

}  // namespace shoal::internal
