#include "shoal/conveyor/internal/route.hpp"

#include <algorithm>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

std::uint32_t tag_bytes_for(std::uint32_t n_tags) {
  if (n_tags <= 1) return 0;
  if (n_tags <= 1U << 8) return 1;
  return n_tags <= 1U << 16 ? 2 : 4;
}

}  // namespace

route::route(route_tables& tables, pe_id my_pe, int n_hops)
    : nodes_(tables.nodes()),
      my_pe_(my_pe),
      my_node_(nodes_.node_of(my_pe)),
      first_(tables.first(n_hops, nodes_.node_size(my_node_))) {
  SHOAL_REQUIRE(n_hops >= 1 && n_hops <= n_hops_max);
  hops_.resize(static_cast<std::size_t>(n_hops));
  n_tags_.resize(static_cast<std::size_t>(n_hops));
  n_tags_[0] = tables.n_first_tags(n_hops);
  switch (n_hops) {
    case 1: plan_one(); break;
    case 2: plan_two(); break;
    default: plan_three(tables);
  }
  for (std::size_t h = 0; h < hops_.size(); ++h) hops_[h].tag_bytes = tag_bytes_for(n_tags_[h]);
}

void route::plan_one() {
  hops_[0].neighbours = first_.locals;
  hops_[0].n_senders = first_.locals.size();
}

// The hop on this node, for routes of two and three hops.
void route::plan_first_of_many() {
  for (const pe_id local : first_.locals) hops_[0].neighbours.push_back(nodes_.pe_at(my_node_, local));
  hops_[0].n_senders = passing().empty() ? 0 : first_.passing.size();
}

void route::plan_two() {
  plan_first_of_many();
  hops_[1].neighbours = passing();
  hops_[1].n_senders = nodes_.n_nodes();  // one PE on each node has a link to our position
  n_tags_[1] = static_cast<std::uint32_t>(nodes_.largest_node());
}

void route::plan_three(route_tables& tables) {
  plan_first_of_many();
  second_ = &tables.second(nodes_.node_size(my_node_), tables.place_of(my_node_), nodes_.local_of(my_pe_));
  hop_links& remote = hops_[1];
  remote.neighbours = second_->neighbours;
  const auto largest = static_cast<std::uint32_t>(nodes_.largest_node());
  n_tags_[1] = largest * largest;
  n_tags_[2] = static_cast<std::uint32_t>(nodes_.n_pes());

  // From each node, at most one PE has a link to this node. The sending node's place determines which of our PEs gets
  // it.
  std::vector<std::size_t> n_remote_senders(static_cast<std::size_t>(nodes_.node_size(my_node_)));
  for (std::size_t node = 0; node < nodes_.n_nodes(); ++node) {
    ++n_remote_senders[tables.place_of(node) % n_remote_senders.size()];
  }
  remote.n_senders = n_remote_senders[static_cast<std::size_t>(nodes_.local_of(my_pe_))];

  hop_links& local = hops_[2];
  if (remote.n_senders > 0) {
    for (pe_id l = 0; l < nodes_.node_size(my_node_); ++l) local.neighbours.push_back(nodes_.pe_at(my_node_, l));
  }
  local.n_senders = n_remote_senders.size() - static_cast<std::size_t>(std::ranges::count(n_remote_senders, 0U));
}

std::size_t reserved_bytes(std::size_t n_links, std::size_t n_slots, std::size_t slot_bytes, pe_id n_pes, int n_hops) {
  constexpr std::size_t link_bytes = 128;  // link_end and link_state
  const std::size_t table = n_hops == 1 ? 0 : static_cast<std::size_t>(n_pes) * sizeof(next_hop);
  return n_links * (n_slots * slot_bytes + link_bytes) + table;
}

}  // namespace shoal::internal
