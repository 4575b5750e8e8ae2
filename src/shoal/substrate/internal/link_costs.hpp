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
  counters,  // measured by the buffers of the job itself (link_meter.hpp)
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

/// What a PE has measured of its links to other nodes; 0: not yet.
struct measured_links {
  std::uint64_t overhead_ns = 0;
  // Bounds of what a byte of this PE takes, while other PEs of its node may send, too.
  double byte_ns_least = 0;
  double byte_ns_most = 0;
  bool operator==(const measured_links&) const = default;
};

struct link_costs {
  link_figures node = guessed_node_links;  // between PEs of a node
  link_figures network = guessed_node_links;  // between nodes; in shared memory, nodes exist only by name
  std::int64_t n_sharing = 1;  // PEs of a node that share its gaps to other nodes
  figures_origin origin = figures_origin::guess;  // of those between nodes, or of the only node
  item_figures item = {};
  measured_links measured = {};  // by this PE, last
  // That it measured. First sends open connections, so the second of these is where changes begin.
  std::uint64_t n_overheads = 0;
  std::uint64_t usual_overhead_ns = 0;

  bool has_measured() const noexcept { return measured != measured_links{}; }
  /// Notes what has been measured.
  void learn(const measured_links& found) noexcept;

  /// The links between nodes as they are now: `network`, but guesses give way to what was measured, and other figures only if
  /// that is at least twice or at most half as much.
  link_figures network_now() const noexcept;
  /// Where network_now comes from.
  figures_origin origin_now() const noexcept;

  /// Time of a byte to another node now, if all PEs of the node send.
  double byte_ns() const noexcept { return network_now().gap_per_byte_ns * static_cast<double>(n_sharing); }
};

/// What is known before the job starts. Requires a chosen substrate and a number of PEs; without a node size, all PEs are
/// on one node.
link_costs links_of(const settings& chosen) noexcept;

}  // namespace shoal::internal
