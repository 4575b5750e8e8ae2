#include "shoal/actor/internal/start_probe.hpp"

#include <cstring>
#include <span>

#include "shoal/base/settings.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "shoal/substrate/internal/link_probe.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {
namespace {

constexpr int n_blocks = 5;
constexpr std::uint64_t block_ns = 1'000'000;

// All PEs get what `near` has measured.
link_figures measured(substrate& backend, pe_id near, pe_id far) {
  const link_figures mine =
      measure_link(backend, {.near = near, .far = far, .n_blocks = n_blocks, .block_ns = block_ns}).figures();
  backend.arrive(std::as_bytes(std::span(&mine, 1)), nullptr);
  for (unsigned patience = 0; !backend.is_round_complete();) backend.wait(patience);
  link_figures found;
  std::memcpy(&found, backend.round_contribution(near), sizeof found);
  return found;
}

}  // namespace

void probe_links(substrate& backend, const settings& chosen) {
  if (!chosen.probes_network || backend.n_pes() == 1) return;
  const node_layout nodes =
      backend.nodes().empty() ? node_layout(backend.n_pes(), chosen.node_size.value) : node_layout(backend.nodes());
  link_costs costs = backend.links();
  costs.origin = figures_origin::probe;
  std::size_t shared = 0;  // the first node with two PEs
  while (shared < nodes.n_nodes() && nodes.node_size(shared) < 2) ++shared;
  if (shared < nodes.n_nodes()) costs.node = measured(backend, nodes.pe_at(shared, 0), nodes.pe_at(shared, 1));
  if (nodes.n_nodes() > 1) {
    costs.network = measured(backend, nodes.pe_at(0, 0), nodes.pe_at(1, 0));
  } else {
    costs.network = costs.node;
    costs.network.gap_per_byte_ns = 0;
  }
  backend.know_links(costs);
}

}  // namespace shoal::internal
