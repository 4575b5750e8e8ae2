/// Groups the neighbours of a vertex by the PEs that own them, for kernels that send one message for each row and PE.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/pgas/distribution.hpp"

namespace shoal::kernels {

/// By default an element is a vertex, by its local number on its owner.
template <class Element = std::uint32_t>
class rows_by_owner {
public:
  explicit rows_by_owner(const distribution& rows) : rows_(rows), group_of_(static_cast<std::size_t>(rows.n_pes())) {}

  /// Adds an element to the group of a PE.
  void add(pe_id owner, Element element) {
    std::vector<Element>& group = group_of_[static_cast<std::size_t>(owner)];
    if (group.empty()) owners_.push_back(owner);
    group.push_back(element);
  }

  /// Calls use(pe, group) for each PE that has a group, and empties it. A group is a vector, in the order of `add`; `use`
  /// may append to it.
  template <class Use>
  void use_groups(Use use) {
    for (const pe_id pe : owners_) {
      use(pe, group_of_[static_cast<std::size_t>(pe)]);
      group_of_[static_cast<std::size_t>(pe)].clear();
    }
    owners_.clear();
  }

  /// Calls use(pe, rows) for each PE that owns some of these vertices, as use_groups.
  template <class Use>
  void for_each(std::span<const std::int64_t> vertices, Use use) {
    for (const std::int64_t v : vertices) {
      const auto [pe, local] = rows_.place_of(v);
      add(pe, static_cast<std::uint32_t>(local));
    }
    use_groups(use);
  }

private:
  distribution rows_;
  std::vector<std::vector<Element>> group_of_;  // by PE; they keep their memory
  std::vector<pe_id> owners_;
};

}  // namespace shoal::kernels
