/// Groups the neighbours of a vertex by the PEs that own them, for kernels that send one message for each row and PE.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/pgas/distribution.hpp"

namespace shoal::kernels {

class rows_by_owner {
public:
  explicit rows_by_owner(const distribution& rows) : rows_(rows), rows_of_(static_cast<std::size_t>(rows.n_pes())) {}

  /// Calls use(pe, rows) for each PE that owns some of these vertices. `rows` is a vector of their local numbers, in the
  /// order of `vertices`; `use` may append to it.
  template <class Use>
  void for_each(std::span<const std::int64_t> vertices, Use use) {
    for (const std::int64_t v : vertices) {
      const auto [pe, local] = rows_.place_of(v);
      std::vector<std::uint32_t>& rows = rows_of_[static_cast<std::size_t>(pe)];
      if (rows.empty()) owners_.push_back(pe);
      rows.push_back(static_cast<std::uint32_t>(local));
    }
    for (const pe_id pe : owners_) {
      use(pe, rows_of_[static_cast<std::size_t>(pe)]);
      rows_of_[static_cast<std::size_t>(pe)].clear();
    }
    owners_.clear();
  }

private:
  distribution rows_;
  std::vector<std::vector<std::uint32_t>> rows_of_;  // by PE; they keep their memory
  std::vector<pe_id> owners_;
};

}  // namespace shoal::kernels
