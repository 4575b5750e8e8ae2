#include "shoal/substrate/internal/sim/control_messages.hpp"

#include <cstring>

namespace shoal::internal::sim {

std::uint32_t control_messages::keep(std::span<const std::byte> bytes, pe_id source) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(all_.size()));
    all_.emplace_back();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  copy& kept = all_[number];
  kept.message.source = source;
  kept.message.bytes = bytes.size();
  if (!bytes.empty()) std::memcpy(kept.message.data, bytes.data(), bytes.size());
  kept.next = none;
  return number;
}

std::uint32_t pe_controls::send(std::span<const std::byte> bytes) {
  ++n_under_way_;
  return all_.keep(bytes, my_pe_);
}

void pe_controls::append_arrived(std::uint32_t number) noexcept {
  if (has_arrived()) {
    all_.entry(last_).next = number;
  } else {
    first_ = number;
  }
  last_ = number;
}

bool pe_controls::take_arrived(control_message& into) {
  if (!has_arrived()) return false;
  const std::uint32_t number = first_;
  const control_messages::copy& oldest = all_.entry(number);
  into.source = oldest.message.source;
  into.bytes = oldest.message.bytes;
  if (into.bytes != 0) std::memcpy(into.data, oldest.message.data, into.bytes);
  first_ = oldest.next;
  all_.forget(number);
  return true;
}

}  // namespace shoal::internal::sim
