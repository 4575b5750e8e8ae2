#include "shoal/conveyor/internal/node_layout.hpp"

#include <algorithm>
#include <numeric>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {
namespace {

std::vector<pe_id> equal_nodes(pe_id n_pes, pe_id node_size) {
  if (node_size <= 0 || node_size >= n_pes) return {n_pes};
  std::vector<pe_id> sizes(static_cast<std::size_t>(n_pes / node_size), node_size);
  if (n_pes % node_size != 0) sizes.push_back(n_pes % node_size);
  return sizes;
}

std::vector<std::uint32_t> consecutive(std::span<const pe_id> node_sizes) {
  std::vector<std::uint32_t> node_of_pes;
  for (std::uint32_t node = 0; node < node_sizes.size(); ++node) {
    SHOAL_REQUIRE(node_sizes[node] > 0);
    node_of_pes.insert(node_of_pes.end(), static_cast<std::size_t>(node_sizes[node]), node);
  }
  return node_of_pes;
}

}  // namespace

node_layout::node_layout(pe_id n_pes, pe_id node_size) : node_layout(equal_nodes(n_pes, node_size)) {}

node_layout::node_layout(std::span<const pe_id> node_sizes)
    : node_layout(std::span<const std::uint32_t>(consecutive(node_sizes))) {}

node_layout::node_layout(std::span<const std::uint32_t> node_of_pes) : pes_(node_of_pes.size()) {
  std::vector<std::uint32_t> sizes;
  for (const std::uint32_t node : node_of_pes) {
    SHOAL_REQUIRE(node <= sizes.size());
    if (node == sizes.size()) sizes.push_back(0);
    places_.push_back({node, sizes[node]++});
  }
  SHOAL_REQUIRE(!sizes.empty());
  first_.resize(sizes.size() + 1);
  std::partial_sum(sizes.begin(), sizes.end(), first_.begin() + 1);
  largest_ = static_cast<pe_id>(std::ranges::max(sizes));
  for (std::uint32_t pe = 0; pe < places_.size(); ++pe) pes_[first_[places_[pe].node] + places_[pe].local] = pe;
}

}  // namespace shoal::internal
