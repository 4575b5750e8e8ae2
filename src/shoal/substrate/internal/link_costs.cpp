#include "shoal/substrate/internal/link_costs.hpp"

#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

// PEs of one node: bytes to other nodes, of which there are none, are free.
link_costs of_one_node(const link_figures& node, figures_origin origin) noexcept {
  link_costs found{node, node, 1, origin};
  found.network.gap_per_byte_ns = 0;
  return found;
}

link_costs of_simulator(const settings& chosen, bool has_nodes) noexcept {
  const sim_settings& model = chosen.sim.value;
  const figures_origin origin = chosen.network.value ? figures_origin::file : figures_origin::model;
  // With one class of links, each PE has an interface of its own.
  if (!model.node_link) return {model.link, model.link, 1, origin};
  if (!has_nodes) return of_one_node(*model.node_link, origin);
  return {*model.node_link, model.link, chosen.node_size.value, origin};
}

// Without what items cost.
link_costs links_only(const settings& chosen) noexcept {
  const bool has_nodes = chosen.node_size.value > 0 && chosen.node_size.value < chosen.n_pes.value;
  if (is_simulated(*chosen.substrate.value)) return of_simulator(chosen, has_nodes);
  const network_figures known = chosen.network.value.value_or(network_figures{});
  const link_figures node = known.node.value_or(guessed_node_links);
  if (!has_nodes || !is_network(*chosen.substrate.value)) {
    return of_one_node(node, known.node ? figures_origin::file : figures_origin::guess);
  }
  return {node, known.network.value_or(guessed_network_links), chosen.node_size.value,
          known.network ? figures_origin::file : figures_origin::guess};
}

// What a busy network does to single buffers is no change of the network.
constexpr double factor_of_change = 2;

}  // namespace

std::string_view name_of(figures_origin of) noexcept {
  switch (of) {
    case figures_origin::guess: return "guesses";
    case figures_origin::model: return "the simulator's";
    case figures_origin::counters: return "measured while the job ran";
    case figures_origin::probe: return "measured at the start";
    case figures_origin::file: return "from a file";
  }
  return {};
}

void link_costs::learn(const measured_links& found) noexcept {
  if (found.overhead_ns != 0) {
    measured.overhead_ns = found.overhead_ns;
    if (++n_overheads <= 2) usual_overhead_ns = found.overhead_ns;
  }
  if (found.byte_ns_least != 0) measured.byte_ns_least = found.byte_ns_least;
  if (found.byte_ns_most != 0) measured.byte_ns_most = found.byte_ns_most;
  // Of bounds that exclude each other, the newer one counts.
  if (measured.byte_ns_most != 0 && measured.byte_ns_most < measured.byte_ns_least) {
    (found.byte_ns_most != 0 ? measured.byte_ns_least : measured.byte_ns_most) = 0;
  }
}

link_figures link_costs::network_now() const noexcept {
  link_figures now = network;
  const bool is_guess = origin == figures_origin::guess;
  if (const std::uint64_t last_ns = measured.overhead_ns; last_ns != 0 && is_guess) {
    now.overhead_ns = last_ns;
  } else if (last_ns != 0) {
    // Sending is only one part of what a file calls overhead, so it tells of changes.
    const double change = static_cast<double>(last_ns) / static_cast<double>(usual_overhead_ns);
    if (change >= factor_of_change || change <= 1 / factor_of_change) {
      now.overhead_ns = static_cast<std::uint64_t>(static_cast<double>(network.overhead_ns) * change);
    }
  }
  const double factor = is_guess ? 1 : factor_of_change;
  const auto sharing = static_cast<double>(n_sharing);
  if (measured.byte_ns_least > factor * network.gap_per_byte_ns * sharing) {
    now.gap_per_byte_ns = measured.byte_ns_least / sharing;
  } else if (measured.byte_ns_most != 0 && factor * measured.byte_ns_most < network.gap_per_byte_ns) {
    now.gap_per_byte_ns = measured.byte_ns_most;
  }
  return now;
}

figures_origin link_costs::origin_now() const noexcept {
  const bool is_replaced = origin == figures_origin::guess ? has_measured() : network_now() != network;
  return is_replaced ? figures_origin::counters : origin;
}

link_costs links_of(const settings& chosen) noexcept {
  link_costs found = links_only(chosen);
  if (is_simulated(*chosen.substrate.value)) {
    found.item = chosen.sim.value.item;
  } else if (chosen.network.value && chosen.network.value->item) {
    found.item = *chosen.network.value->item;
  }
  return found;
}

}  // namespace shoal::internal
