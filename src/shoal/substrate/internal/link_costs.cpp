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

}  // namespace

std::string_view name_of(figures_origin of) noexcept {
  switch (of) {
    case figures_origin::guess: return "guesses";
    case figures_origin::model: return "the simulator's";
    case figures_origin::probe: return "measured at the start";
    case figures_origin::file: return "from a file";
  }
  return {};
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
