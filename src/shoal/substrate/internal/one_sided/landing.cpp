#include "shoal/substrate/internal/one_sided/landing.hpp"

#include <algorithm>
#include <atomic>
#include <new>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::one_sided {

namespace {

// What a ring word holds: the offset of a ring and how many places it has.
std::uint64_t ring_value(std::size_t offset, std::size_t n_places) {
  return (static_cast<std::uint64_t>(offset) << 8) | n_places;
}

std::size_t ring_offset(std::uint64_t value) { return static_cast<std::size_t>(value >> 8); }

std::uint64_t n_places(std::uint64_t value) { return value & 0xff; }

}  // namespace

landing_layout::landing_layout(int n_ranks_of_job, const network::wire_sizes& sizes)
    : n_ranks(static_cast<std::size_t>(n_ranks_of_job)),
      n_senders(static_cast<std::size_t>(std::ranges::count(sizes.is_remote, 1))),
      place_bytes(sizeof(buffer) + sizes.payload_bytes) {
  const std::size_t most = std::clamp<std::size_t>(sizes.n_slots, 1, window_max);
  const std::size_t share = sizes.landing_bytes / std::max<std::size_t>(n_senders, 1);
  window = std::clamp<std::size_t>(share / place_bytes, 1, most);
}

landing::landing(remote_memory& memory, const landing_layout& layout, int my_rank, const network::wire_sizes& sizes)
    : memory_(memory), layout_(layout), my_rank_(my_rank), outgoing_(layout.n_ranks) {
  const auto words_end = reinterpret_cast<std::uintptr_t>(memory.at(layout.words_bytes()));
  rings_ = reinterpret_cast<std::byte*>((words_end + cache_line_bytes - 1) & ~(cache_line_bytes - 1));

  for (std::size_t peer = 0; peer < sizes.is_remote.size(); ++peer) {
    if (sizes.is_remote[peer]) incoming_.push_back({.sender = static_cast<int>(peer)});
  }
  for (std::size_t ring = 0; ring < incoming_.size(); ++ring) {
    for (std::size_t nth = 0; nth < layout.window; ++nth) new (place(ring, nth)) buffer;
  }
  // A rank begins at its own number, so that not all look at the same sender first.
  if (!incoming_.empty()) first_ = static_cast<std::size_t>(my_rank) % incoming_.size();
}

void landing::start() {
  for (std::size_t ring = 0; ring < incoming_.size(); ++ring) {
    const auto offset = static_cast<std::size_t>(place(ring, 0) - memory_.at(0));
    incoming_[ring].ring = ring_value(offset, layout_.window);
    memory_.put_word(incoming_[ring].sender, layout_.ring_word(my_rank_), incoming_[ring].ring);
  }
}

// --- Sending

bool landing::try_send(buffer& full, int target) {
  outgoing& to = outgoing_[static_cast<std::size_t>(target)];
  if (!has_place(to, target)) return false;
  const std::size_t offset = to.ring_offset + (to.n_sent % to.n_places) * layout_.place_bytes;
  ++to.n_sent;
  SHOAL_ASSERT(to.n_freed <= to.n_sent && to.n_sent - to.n_freed <= to.n_places);
  memory_.put(target, offset, full, layout_.sent_word(my_rank_), to.n_sent);
  sent_.push_back(&full);
  return true;
}

bool landing::has_place(outgoing& to, int target) {
  if (to.n_places == 0) {
    const std::uint64_t told = memory_.word(layout_.ring_word(target));
    to.ring_offset = ring_offset(told);
    to.n_places = n_places(told);
  }
  if (to.n_sent - to.n_freed < to.n_places) return true;
  for (std::uint64_t told; (told = memory_.word(layout_.freed_word(target, to.n_reports))) > to.n_freed;) {
    SHOAL_ASSERT(told <= to.n_sent);
    to.n_freed = told;
    ++to.n_reports;
  }
  return to.n_sent - to.n_freed < to.n_places;
}

buffer* landing::take_sent() {
  if (n_taken_over_ == 0 && !sent_.empty()) n_taken_over_ = memory_.n_taken_over(sent_.size());
  if (n_taken_over_ == 0) return nullptr;
  --n_taken_over_;
  buffer* const done = sent_.front();
  sent_.pop_front();
  return done;
}

// --- Receiving

buffer* landing::poll() {
  for (std::size_t n_looked = 0; n_looked < incoming_.size(); ++n_looked) {
    const std::size_t ring = first_;
    first_ = first_ + 1 == incoming_.size() ? 0 : first_ + 1;
    incoming& from = incoming_[ring];
    auto* const landed = reinterpret_cast<buffer*>(place(ring, from.n_taken));
    if (!memory_.has_arrived(*landed, layout_.sent_word(from.sender), from.n_taken + 1)) continue;
    SHOAL_ASSERT(from.n_taken < from.n_reported() + layout_.window);
    ++from.n_taken;
    landed->sender = from.sender;
    return landed;
  }
  return nullptr;
}

void landing::release(buffer& landed) {
  const auto nth = static_cast<std::size_t>(reinterpret_cast<std::byte*>(&landed) - rings_) / layout_.place_bytes;
  incoming& from = incoming_[nth / layout_.window];
  SHOAL_ASSERT(from.n_freed < from.n_taken && (from.is_released >> (nth % layout_.window) & 1U) == 0);
  from.is_released |= 1U << (nth % layout_.window);

  for (std::uint32_t bit = 1U << (from.n_freed % layout_.window); (from.is_released & bit) != 0;
       bit = 1U << (from.n_freed % layout_.window)) {
    from.is_released &= ~bit;
    ++from.n_freed;
  }
  if (2 * (from.n_freed - from.n_reported()) >= layout_.window) report_freed(from);
}

std::byte* landing::place(std::size_t ring, std::uint64_t nth) {
  return rings_ + (ring * layout_.window + nth % layout_.window) * layout_.place_bytes;
}

void landing::report_freed(incoming& from) {
  std::atomic_thread_fence(std::memory_order_release);  // what was read of the places was read before this
  SHOAL_ASSERT(from.n_reported() < from.n_freed && from.n_freed <= from.n_taken);
  std::uint64_t& told = from.reported[from.n_reports % 2];
  told = from.n_freed;
  memory_.put_word(from.sender, layout_.freed_word(my_rank_, from.n_reports), told);
  ++from.n_reports;
}

}  // namespace shoal::internal::one_sided
