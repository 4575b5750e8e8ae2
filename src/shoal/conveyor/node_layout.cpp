#include "shoal/conveyor/node_layout.hpp"

#include <algorithm>

#include "shoal/base/contract.hpp"

namespace shoal {
namespace {

std::vector<pe_id> equal_nodes(pe_id n_pes, pe_id node_size) {
  if (node_size <= 0 || node_size >= n_pes) return {n_pes};
  std::vector<pe_id> sizes(static_cast<std::size_t>(n_pes / node_size), node_size);
  if (n_pes % node_size != 0) sizes.push_back(n_pes % node_size);
  return sizes;
}

}  // namespace

node_layout::node_layout(pe_id n_pes, pe_id node_size) : node_layout(equal_nodes(n_pes, node_size)) {}

node_layout::node_layout(std::span<const pe_id> node_sizes) : first_{0} {
  for (const pe_id size : node_sizes) {
    SHOAL_REQUIRE(size > 0);
    const auto node = static_cast<std::uint32_t>(first_.size() - 1);
    node_of_.insert(node_of_.end(), static_cast<std::size_t>(size), node);
    first_.push_back(first_.back() + size);
    largest_ = std::max(largest_, size);
  }
}

}  // namespace shoal
