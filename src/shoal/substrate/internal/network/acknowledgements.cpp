#include "shoal/substrate/internal/network/acknowledgements.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::network {
namespace {

// An acknowledgement rarely holds more, and a long one would cost more than a second one.
constexpr std::size_t payload_bytes_max = 512;

// Distinguishes acknowledgements from slots in has_left: no slot has this number.
constexpr std::uint32_t no_slot = UINT32_MAX;

}  // namespace

acknowledgements::acknowledgements(std::size_t n_pes, std::size_t n_slots, std::size_t payload_bytes)
    : peers_(n_pes),
      slots_(n_slots),
      n_due_(std::max<std::size_t>(1, n_slots / 8)),
      n_counts_max_(std::min(payload_bytes, payload_bytes_max) / sizeof(count)),
      store_(std::min(payload_bytes, payload_bytes_max)) {}

void acknowledgements::hold(buffer& slot, pe_id target) {
  state_of(slot) = {};
  fifo& held = peers_[static_cast<std::size_t>(target)].held[slot.header.mailbox];
  if (held.first == nullptr) {
    held.first = &slot;
  } else {
    state_of(*held.last).next = &slot;
  }
  held.last = &slot;
}

bool acknowledgements::has_left(buffer& sent) {
  if (sent.slot == no_slot) {
    store_.give_back(sent);
    return false;
  }
  slot_state& state = state_of(sent);
  state.has_left = true;
  return state.is_acknowledged;
}

void acknowledgements::take_in(const buffer& acknowledgement, const std::function<void(buffer&)>& free) {
  peer& receiver = peers_[static_cast<std::size_t>(acknowledgement.sender)];
  for (std::size_t at = 0; at + sizeof(count) <= acknowledgement.header.bytes; at += sizeof(count)) {
    count released;
    std::memcpy(&released, acknowledgement.payload() + at, sizeof released);
    const auto found = receiver.held.find(released.mailbox);
    SHOAL_REQUIRE(found != receiver.held.end());
    fifo& held = found->second;
    for (; released.n > 0; --released.n) {
      buffer& slot = *held.first;
      slot_state& state = state_of(slot);
      held.first = state.next;
      state.is_acknowledged = true;
      if (state.has_left) free(slot);
    }
    if (held.first == nullptr) receiver.held.erase(found);
  }
}

void acknowledgements::owe(pe_id source, std::uint64_t mailbox) {
  peer& sender = peers_[static_cast<std::size_t>(source)];
  if (sender.n_owed++ == 0) creditors_.push_back(source);
  const auto found = std::ranges::find(sender.owed, mailbox, &count::mailbox);
  if (found == sender.owed.end()) {
    sender.owed.push_back({mailbox, 1});
  } else {
    ++found->n;
  }
}

pe_id acknowledgements::next_due(bool all) noexcept {
  const auto is_due = [&](pe_id pe) { return all || peers_[static_cast<std::size_t>(pe)].n_owed >= n_due_; };
  const auto found = std::ranges::find_if(creditors_, is_due);
  return found == creditors_.end() ? -1 : *found;
}

buffer& acknowledgements::compose(pe_id target) {
  const std::vector<count>& owed = peers_[static_cast<std::size_t>(target)].owed;
  const std::size_t n = std::min(owed.size(), n_counts_max_);
  buffer& made = store_.take();
  made.slot = no_slot;
  made.header = {.mailbox = mailbox_,
                 .n_items = static_cast<std::uint32_t>(n),
                 .bytes = static_cast<std::uint32_t>(n * sizeof(count))};
  std::memcpy(made.payload(), owed.data() + (owed.size() - n), made.header.bytes);
  return made;
}

void acknowledgements::has_been_sent(const buffer& acknowledgement, pe_id target) {
  peer& sender = peers_[static_cast<std::size_t>(target)];
  for (std::uint32_t i = 0; i < acknowledgement.header.n_items; ++i) {
    sender.n_owed -= sender.owed.back().n;
    sender.owed.pop_back();
  }
  if (sender.n_owed == 0) std::erase(creditors_, target);
}

}  // namespace shoal::internal::network
