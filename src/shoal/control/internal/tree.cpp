#include "shoal/control/internal/tree.hpp"

#include <algorithm>

namespace shoal::internal {

std::vector<std::uint64_t> tree_positions_by_node(std::span<const std::uint32_t> nodes) {
  if (nodes.empty()) return {};
  constexpr std::uint32_t unknown = 0xffff'ffff;
  std::vector<std::uint32_t> numbers(std::size_t{1} + *std::max_element(nodes.begin(), nodes.end()), unknown);
  std::vector<std::uint32_t> sizes;  // by number
  std::vector<std::uint32_t> places;  // by rank
  places.reserve(nodes.size());
  for (const std::uint32_t node : nodes) {
    if (numbers[node] == unknown) {
      numbers[node] = static_cast<std::uint32_t>(sizes.size());
      sizes.push_back(0);
    }
    places.push_back(sizes[numbers[node]]++);
  }

  std::uint64_t stride = 1;
  while (stride < *std::max_element(sizes.begin(), sizes.end())) stride *= 4;
  std::vector<std::uint64_t> positions(nodes.size());
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    positions[rank] = numbers[nodes[rank]] * stride + places[rank];
  }
  return positions;
}

}  // namespace shoal::internal
