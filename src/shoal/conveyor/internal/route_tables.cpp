#include "shoal/conveyor/internal/route_tables.hpp"

#include <algorithm>
#include <numeric>

namespace shoal::internal {

const first_hops& route_tables::first(int n_hops, pe_id node_size) {
  const auto [found, is_new] = first_.try_emplace({n_hops, n_hops == 1 ? 0 : node_size});
  if (is_new) found->second = make(n_hops, node_size);
  return found->second;
}

first_hops route_tables::make(int n_hops, pe_id node_size) const {
  first_hops made;
  const pe_id n_pes = nodes_.n_pes();
  made.by_target.reserve(static_cast<std::size_t>(n_pes));
  if (n_hops == 1) {
    made.locals.resize(static_cast<std::size_t>(n_pes));
    std::iota(made.locals.begin(), made.locals.end(), pe_id{0});
    for (std::uint32_t link = 0; link < made.locals.size(); ++link) made.by_target.push_back({link, 0});
    return made;
  }
  made.passing.resize(static_cast<std::size_t>(node_size));
  // A position that the node does not have is replaced by its remainder.
  const auto local_for = [&](pe_id target) {
    return static_cast<std::size_t>(
        (n_hops == 2 ? nodes_.local_of(target) : static_cast<pe_id>(place_of(nodes_.node_of(target)))) % node_size);
  };
  for (pe_id target = 0; target < n_pes; ++target) made.passing[local_for(target)].push_back(target);
  std::vector<std::uint32_t> link_of(made.passing.size());
  for (std::size_t local = 0; local < made.passing.size(); ++local) {
    if (made.passing[local].empty()) continue;
    link_of[local] = static_cast<std::uint32_t>(made.locals.size());
    made.locals.push_back(static_cast<pe_id>(local));
  }
  std::vector<std::uint32_t> n_passing(made.passing.size());
  for (pe_id target = 0; target < n_pes; ++target) {
    const std::size_t local = local_for(target);
    made.by_target.push_back({link_of[local], n_passing[local]++});
  }
  return made;
}

const second_hops& route_tables::second(pe_id node_size, std::size_t place, pe_id local) {
  const auto [found, is_new] = second_.try_emplace({node_size, place, local});
  second_hops& made = found->second;
  if (!is_new) return made;
  const std::vector<pe_id>& targets = first(n_hops_max, node_size).passing[static_cast<std::size_t>(local)];
  const auto after_second = [&](pe_id target) {
    const std::size_t node = nodes_.node_of(target);
    return nodes_.pe_at(node, static_cast<pe_id>(place) % nodes_.node_size(node));
  };
  for (const pe_id target : targets) made.neighbours.push_back(after_second(target));
  std::ranges::sort(made.neighbours);
  const auto repeated = std::ranges::unique(made.neighbours);
  made.neighbours.erase(repeated.begin(), repeated.end());
  for (const pe_id target : targets) {
    const auto link = std::ranges::lower_bound(made.neighbours, after_second(target)) - made.neighbours.begin();
    made.passing.push_back({static_cast<std::uint32_t>(link), static_cast<std::uint32_t>(nodes_.local_of(target))});
  }
  return made;
}

std::uint32_t route_tables::n_first_tags(int n_hops) {
  std::uint32_t& most = n_first_tags_[static_cast<std::size_t>(n_hops)];
  if (most != 0) return most;
  most = 1;
  for (std::size_t node = 0; n_hops > 1 && node < nodes_.n_nodes(); ++node) {
    if (node > 0 && nodes_.node_size(node) == nodes_.node_size(node - 1)) continue;
    for (const std::vector<pe_id>& targets : first(n_hops, nodes_.node_size(node)).passing) {
      most = std::max(most, static_cast<std::uint32_t>(targets.size()));
    }
  }
  return most;
}

}  // namespace shoal::internal
