/// What tags mean to those who send and handle items: where an item goes next, and who sent it. route.hpp makes them.
#pragma once

#include <cstdint>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// Where an item goes next: a link of the next hop, and the item's tag there.
struct next_hop {
  std::uint32_t link;
  std::uint32_t tag;
};

/// Maps tags to original senders, for items that arrived on the last hop from one PE.
class tag_origins {
public:
  tag_origins() = default;
  tag_origins(pe_id only, const std::uint32_t* by_tag, bool is_tag) noexcept
      : only_(only), by_tag_(by_tag), is_tag_(is_tag) {}
  pe_id operator()(std::uint32_t tag) const noexcept {
    if (is_tag_) return static_cast<pe_id>(tag);
    return by_tag_ == nullptr ? only_ : static_cast<pe_id>(by_tag_[tag]);
  }

private:
  pe_id only_ = 0;
  const std::uint32_t* by_tag_ = nullptr;
  bool is_tag_ = false;
};

}  // namespace shoal::internal
