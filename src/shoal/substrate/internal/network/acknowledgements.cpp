#include "shoal/substrate/internal/network/acknowledgements.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::network {
namespace {

// An acknowledgement rarely holds more, and a long one would cost more than a second one.
constexpr std::size_t payload_bytes_max = 512;

// Distinguishes acknowledgements from slots in has_left: no slot has this number.
constexpr std::uint32_t no_slot = UINT32_MAX;

// In place of a mailbox, says that its number is the time for which a small or a large buffer was held.
constexpr std::array<std::uint64_t, 2> held_times = {UINT64_MAX - 1, UINT64_MAX - 2};

std::optional<link_meter::size> size_of_held_time(std::uint64_t mailbox) noexcept {
  if (mailbox == held_times[0]) return link_meter::size::small;
  if (mailbox == held_times[1]) return link_meter::size::large;
  return std::nullopt;
}

}  // namespace

acknowledgements::acknowledgements(std::size_t n_pes, std::size_t n_slots, std::size_t payload_bytes)
    : peers_(n_pes),
      slots_(n_slots),
      n_due_(std::max<std::size_t>(1, n_slots / 8)),
      n_counts_max_(std::min(payload_bytes, payload_bytes_max) / sizeof(count) - held_times.size()),
      store_(std::min(payload_bytes, payload_bytes_max)) {
  SHOAL_ASSERT(payload_bytes > held_times.size() * sizeof(count));
}

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

void acknowledgements::take_in(const buffer& acknowledgement, const std::function<void(buffer&)>& free,
                               const std::function<void(link_meter::size, std::uint32_t)>& note_held) {
  peer& receiver = peers_[static_cast<std::size_t>(acknowledgement.sender)];
  for (std::size_t at = 0; at + sizeof(count) <= acknowledgement.header.bytes; at += sizeof(count)) {
    count released;
    std::memcpy(&released, acknowledgement.payload() + at, sizeof released);
    if (const std::optional<link_meter::size> timed = size_of_held_time(released.mailbox)) {
      note_held(*timed, static_cast<std::uint32_t>(released.n));
      continue;
    }
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
  if (sender.is_owed_nothing()) creditors_.push_back(source);
  ++sender.n_owed;
  const auto found = std::ranges::find(sender.owed, mailbox, &count::mailbox);
  if (found == sender.owed.end()) {
    sender.owed.push_back({mailbox, 1});
  } else {
    ++found->n;
  }
}

void acknowledgements::owe_time(pe_id source, link_meter::size which, std::uint32_t since_ns) {
  peer& sender = peers_[static_cast<std::size_t>(source)];
  if (sender.is_owed_nothing()) creditors_.push_back(source);
  sender.timed[static_cast<std::size_t>(which)] = since_ns;
}

pe_id acknowledgements::next_due(bool all) noexcept {
  const auto is_due = [&](pe_id pe) { return all || peers_[static_cast<std::size_t>(pe)].n_owed >= n_due_; };
  const auto found = std::ranges::find_if(creditors_, is_due);
  return found == creditors_.end() ? -1 : *found;
}

buffer& acknowledgements::compose(pe_id target, std::uint64_t now_ns) {
  const peer& sender = peers_[static_cast<std::size_t>(target)];
  const std::vector<count>& owed = sender.owed;
  const std::size_t n = std::min(owed.size(), n_counts_max_);
  buffer& made = store_.take();
  made.slot = no_slot;
  made.header = {.mailbox = mailbox_,
                 .n_items = static_cast<std::uint32_t>(n),
                 .bytes = static_cast<std::uint32_t>(n * sizeof(count))};
  std::memcpy(made.payload(), owed.data() + (owed.size() - n), made.header.bytes);
  for (std::size_t i = 0; i < held_times.size(); ++i) {
    if (!sender.timed[i]) continue;
    const count held{held_times[i], holding_times::until(now_ns, *sender.timed[i])};
    std::memcpy(made.payload() + made.header.bytes, &held, sizeof held);
    made.header.bytes += static_cast<std::uint32_t>(sizeof held);
  }
  return made;
}

void acknowledgements::has_been_sent(const buffer& acknowledgement, pe_id target) {
  peer& sender = peers_[static_cast<std::size_t>(target)];
  for (std::uint32_t i = 0; i < acknowledgement.header.n_items; ++i) {
    sender.n_owed -= sender.owed.back().n;
    sender.owed.pop_back();
  }
  sender.timed = {};
  if (sender.is_owed_nothing()) std::erase(creditors_, target);
}

}  // namespace shoal::internal::network
