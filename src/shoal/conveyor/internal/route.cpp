#include "shoal/conveyor/internal/route.hpp"

#include <algorithm>
#include <numeric>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

std::uint32_t tag_bytes_for(std::uint32_t n_tags) {
  if (n_tags <= 1) return 0;
  if (n_tags <= 1U << 8) return 1;
  return n_tags <= 1U << 16 ? 2 : 4;
}

void sort_unique(std::vector<pe_id>& pes) {
  std::ranges::sort(pes);
  const auto repeated = std::ranges::unique(pes);
  pes.erase(repeated.begin(), repeated.end());
}

std::uint32_t position_of(pe_id pe, const std::vector<pe_id>& ascending) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(ascending, pe) - ascending.begin());
}

}  // namespace

route::route(const node_layout& nodes, pe_id my_pe, int n_hops) : nodes_(nodes), my_pe_(my_pe) {
  SHOAL_REQUIRE(n_hops >= 1 && n_hops <= n_hops_max);
  hops_.resize(static_cast<std::size_t>(n_hops));
  n_tags_.resize(static_cast<std::size_t>(n_hops));
  switch (n_hops) {
    case 1: plan_one(); break;
    case 2: plan_two(); break;
    default: plan_three();
  }
  for (std::size_t h = 0; h < hops_.size(); ++h) hops_[h].tag_bytes = tag_bytes_for(n_tags_[h]);
}

// A group has as many nodes as the largest node has PEs, so each of that node's PEs serves one place.
std::size_t route::place_of(std::size_t node) const noexcept {
  return node % static_cast<std::size_t>(nodes_.largest_node());
}

pe_id route::after_first(pe_id at, pe_id target) const noexcept {
  const std::size_t node = nodes_.node_of(at);
  const pe_id wanted = n_hops() == 2 ? nodes_.local_of(target) : static_cast<pe_id>(place_of(nodes_.node_of(target)));
  return nodes_.pe_at(node, wanted % nodes_.node_size(node));
}

pe_id route::after_second(pe_id at, pe_id target) const noexcept {
  const std::size_t node = nodes_.node_of(target);
  return nodes_.pe_at(node, static_cast<pe_id>(place_of(nodes_.node_of(at))) % nodes_.node_size(node));
}

void route::plan_one() {
  hop_links& all = hops_[0];
  all.neighbours.resize(static_cast<std::size_t>(nodes_.n_pes()));
  std::iota(all.neighbours.begin(), all.neighbours.end(), pe_id{0});
  all.n_senders = all.neighbours.size();
  n_tags_[0] = 1;
  for (std::uint32_t link = 0; link < all.neighbours.size(); ++link) first_.push_back({link, 0});
}

// The hop on this node, for routes of two and three hops.
void route::plan_first_of_many() {
  hop_links& local = hops_[0];
  const std::size_t node = nodes_.node_of(my_pe_);
  // How many targets pass through each PE of this node; a target's position among them is its tag.
  std::vector<std::uint32_t> n_passing(static_cast<std::size_t>(nodes_.node_size(node)));
  for (pe_id target = 0; target < nodes_.n_pes(); ++target) {
    const pe_id via = after_first(my_pe_, target);
    if (via == my_pe_) passing_.push_back(target);
    local.neighbours.push_back(via);
    first_.push_back({0, n_passing[static_cast<std::size_t>(nodes_.local_of(via))]++});
  }
  sort_unique(local.neighbours);
  for (pe_id target = 0; target < nodes_.n_pes(); ++target) {
    first_[static_cast<std::size_t>(target)].link = position_of(after_first(my_pe_, target), local.neighbours);
  }
  local.n_senders = passing_.empty() ? 0 : n_passing.size();
  // Tags have the same width everywhere: that of the node with the most targets per PE.
  for (std::size_t other = 0; other < nodes_.n_nodes(); ++other) {
    std::vector<std::uint32_t> n_there(static_cast<std::size_t>(nodes_.node_size(other)));
    if (other > 0 && nodes_.node_size(other) == nodes_.node_size(other - 1)) continue;
    for (pe_id target = 0; target < nodes_.n_pes(); ++target) {
      ++n_there[static_cast<std::size_t>(nodes_.local_of(after_first(nodes_.pe_at(other, 0), target)))];
    }
    n_tags_[0] = std::max(n_tags_[0], std::ranges::max(n_there));
  }
}

void route::plan_two() {
  plan_first_of_many();
  hops_[1].neighbours = passing_;
  hops_[1].n_senders = nodes_.n_nodes();  // one PE on each node has a link to our position
  n_tags_[1] = static_cast<std::uint32_t>(nodes_.largest_node());
}

void route::plan_three() {
  plan_first_of_many();
  const std::size_t my_node = nodes_.node_of(my_pe_);
  hop_links& remote = hops_[1];
  for (const pe_id target : passing_) remote.neighbours.push_back(after_second(my_pe_, target));
  sort_unique(remote.neighbours);
  for (const pe_id target : passing_) {
    passing_next_.push_back({position_of(after_second(my_pe_, target), remote.neighbours),
                             static_cast<std::uint32_t>(nodes_.local_of(target))});
  }
  const auto largest = static_cast<std::uint32_t>(nodes_.largest_node());
  n_tags_[1] = largest * largest;
  n_tags_[2] = static_cast<std::uint32_t>(nodes_.n_pes());

  // From each node, at most one PE has a link to this node. The sending node's place determines which of our PEs gets
  // it.
  std::vector<std::size_t> n_remote_senders(static_cast<std::size_t>(nodes_.node_size(my_node)));
  for (std::size_t node = 0; node < nodes_.n_nodes(); ++node) {
    ++n_remote_senders[place_of(node) % n_remote_senders.size()];
  }
  remote.n_senders = n_remote_senders[static_cast<std::size_t>(nodes_.local_of(my_pe_))];

  hop_links& local = hops_[2];
  if (remote.n_senders > 0) {
    for (pe_id l = 0; l < nodes_.node_size(my_node); ++l) local.neighbours.push_back(nodes_.pe_at(my_node, l));
  }
  local.n_senders = n_remote_senders.size() - static_cast<std::size_t>(std::ranges::count(n_remote_senders, 0U));
}

std::size_t reserved_bytes(std::size_t n_links, std::size_t n_slots, std::size_t slot_bytes, pe_id n_pes, int n_hops) {
  constexpr std::size_t link_bytes = 128;  // link_end and link_state
  const std::size_t table = n_hops == 1 ? 0 : static_cast<std::size_t>(n_pes) * sizeof(next_hop);
  return n_links * (n_slots * slot_bytes + link_bytes) + table;
}

}  // namespace shoal::internal
