/// The termination graph of a superstep: which mailboxes feed which, and so in which order they can close.
///
/// Paul et al., "A scalable actor-based programming system for PGAS runtimes" (JoCS 2023), section 3.4. Mailboxes that
/// feed one another in a cycle are one knot: they close together.
#pragma once

#include <cstddef>
#include <vector>

namespace shoal::internal {

/// A mailbox of the graph.
struct graph_node {
  bool is_declared = false;  // `feeders` are all that feed it; otherwise every mailbox may
  std::vector<std::size_t> feeders;  // positions of nodes, perhaps its own
};

/// Mailboxes that close together: one, or several that feed one another.
struct graph_knot {
  std::vector<std::size_t> members;  // ascending
  std::vector<std::size_t> feeders;  // nodes outside of the knot that feed it; ascending
  bool is_cyclic = false;  // a member feeds another one, or itself
};

/// The knots that can close by themselves: all that feed them, directly or not, are declared. Each comes after those that
/// feed it.
std::vector<graph_knot> knots_of(const std::vector<graph_node>& nodes);

}  // namespace shoal::internal
