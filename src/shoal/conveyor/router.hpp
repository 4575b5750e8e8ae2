/// Routes: which link an item for a PE goes to first, and what tag it carries.
///
/// Only the one-hop route exists so far: as many links as PEs, no tag. Nothing above or below assumes
/// that; with more hops there are fewer links than PEs.
#pragma once

#include <cstddef>

#include "shoal/base/types.hpp"

namespace shoal {

/// Every PE is a neighbour. The identity, so that it costs nothing to ask.
class one_hop {
public:
  explicit one_hop(pe_id n_pes) noexcept : n_pes_(n_pes) {}
  std::size_t n_links() const noexcept { return static_cast<std::size_t>(n_pes_); }
  std::size_t link_of(pe_id target) const noexcept { return static_cast<std::size_t>(target); }
  pe_id neighbour(std::size_t link) const noexcept { return static_cast<pe_id>(link); }

private:
  pe_id n_pes_;
};

}  // namespace shoal
