#include "shoal/substrate/internal/sim/slot_custody.hpp"

#include <new>

namespace shoal::internal::sim {

// The memory will have other uses.
slot_custody::~slot_custody() {
  for (std::size_t owner = 0; owner < holders_.size(); ++owner) {
    for (std::size_t i = 0; i < holders_[owner].size(); ++i) {
      memory_.allow_payload(*memory_.slot(static_cast<std::uint32_t>(owner * memory_.n_slots() + i)));
    }
  }
}

buffer* slot_custody::make(pe_id owner) {
  if (n_unmade(owner) == 0) return nullptr;
  auto& holders = holders_[static_cast<std::size_t>(owner)];
  const auto number = static_cast<std::uint32_t>(static_cast<std::size_t>(owner) * memory_.n_slots() + holders.size());
  buffer* const made = new (memory_.slot(number)) buffer;
  made->slot = number;
  holders.push_back(static_cast<std::int32_t>(owner));
  return made;
}

void slot_custody::give_to(pe_id pe, buffer& slot) noexcept {
  holder(slot) = static_cast<std::int32_t>(pe);
  memory_.allow_payload(slot);
}

void slot_custody::give_to_network(buffer& slot) noexcept {
  holder(slot) = network_holds_it;
  memory_.forbid_payload(slot);
}

void slot_custody::put_back(buffer& slot) noexcept {
  holder(slot) = nobody;
  memory_.forbid_payload(slot);
}

}  // namespace shoal::internal::sim
